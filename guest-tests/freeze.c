// SPDX-License-Identifier: Apache-2.0
/* Freezing on a PMI: legacy in versions 2 and 3, streamlined from 4 on. */
#include "lib/apic.h"
#include "lib/arch.h"
#include "lib/counter.h"
#include "lib/idt.h"
#include "lib/irq.h"
#include "lib/main.h"
#include "lib/msr.h"
#include "lib/report.h"

#define STATUS_LBR_FRZ BIT(58)
#define STATUS_CTR_FRZ BIT(59)

/* Instructions to the overflow; the block reads the registers behind it. */
#define LEFT 4
#define COUNTED (FREEZE_BLOCK_INSNS + COUNT_RUN_INSNS)
#define FREEZE_BLOCK_INSNS 19
void freeze_block(void);
extern volatile u64 freeze_ctrl, freeze_status;
asm(".bss; .balign 8\n"
    "freeze_ctrl: .skip 8\n"
    "freeze_status: .skip 8\n"
    ".text\n"
    "freeze_block:\n"
    ".rept 10; nop; .endr\n"
    "mov $0x38f, %ecx; rdmsr\n"
    "mov %eax, freeze_ctrl; mov %edx, freeze_ctrl + 4\n"
    "mov $0x38e, %ecx; rdmsr\n"
    "mov %eax, freeze_status; mov %edx, freeze_status + 4\n"
    "ret\n");

/* The interrupt may be late: nothing counts until its handler resumes. */
#define LATE_COUNTED (101 + COUNT_RUN_INSNS)
void freeze_nops(void);
asm("freeze_nops: .rept 100; nop; .endr; ret\n");

#define VECTOR_RESUME 0x60
/* A handler of which just what follows its WRMSR is counted. */
#define HANDLER_INSNS 4
void freeze_handler(void);
extern volatile u64 resume_value;
extern volatile u32 resume_msr, resumed;
asm(".bss; .balign 8\n"
    "resume_value: .skip 8\n"
    "resume_msr: .skip 4\n"
    "resumed: .skip 4\n"
    ".text\n"
    "freeze_handler:\n"
    "push %rax; push %rcx; push %rdx\n"
    "incl resumed\n"
    "mov $0xfee000b0, %eax; movl $0, (%rax)\n" /* EOI */
    "mov resume_msr, %ecx\n"
    "mov resume_value, %eax; mov resume_value + 4, %edx\n"
    "wrmsr\n"
    "pop %rdx; pop %rcx; pop %rax\n"
    "iretq\n");

/* The first one overflows, the second is a witness. */
struct pair {
	struct counter over, other;
	u64 both; /* their bits in the global registers */
};

static bool streamlined(void)
{
	return pmu.version >= 4;
}

static void thaw(void)
{
	if (streamlined())
		wrmsr(IA32_PERF_GLOBAL_OVF_CTRL,
		      STATUS_LBR_FRZ | STATUS_CTR_FRZ);
}

/* Both are enabled, and wait for the global control. */
static void prepare(const struct pair *p, bool interrupt)
{
	u64 start = p->over.start | (interrupt ? p->over.interrupt : 0);

	thaw();
	counter_prepare(&p->other);
	wrmsr(IA32_PERF_GLOBAL_CTRL, 0);
	counter_write(&p->over, (u64)-LEFT);
	if (p->over.ctl == p->other.ctl) {
		wrmsr(p->over.ctl, start | p->other.start);
		return;
	}
	wrmsr(p->over.ctl, start);
	wrmsr(p->other.ctl, p->other.start);
}

static const struct mode {
	const char *name;
	u64 debugctl;
	bool interrupt;
} modes[] = {
	{ "no freeze asked for", 0, true },
	{ "FREEZE_PERFMON, no INT", DEBUGCTL_FREEZE_PERFMON, false },
	{ "FREEZE_PERFMON", DEBUGCTL_FREEZE_PERFMON, true },
	{ "FREEZE_LBRS, no INT", DEBUGCTL_FREEZE_LBRS, false },
	{ "FREEZE_LBRS", DEBUGCTL_FREEZE_LBRS, true },
	{ "both", DEBUGCTL_FREEZE_PERFMON | DEBUGCTL_FREEZE_LBRS, true },
};

static u64 expected_status(const struct pair *p, const struct mode *mode)
{
	u64 status = BIT(p->over.status_bit);

	if (!streamlined() || !mode->interrupt)
		return status;
	if (mode->debugctl & DEBUGCTL_FREEZE_LBRS)
		status |= STATUS_LBR_FRZ;
	if (mode->debugctl & DEBUGCTL_FREEZE_PERFMON)
		status |= STATUS_CTR_FRZ;
	return status;
}

static void note_eq(struct sweep *sweep, const struct mode *mode,
		    const char *what, u64 got, u64 want)
{
	sweep_note(sweep, got == want, "%s: %s %lxh, want %lxh", mode->name,
		   what, got, want);
}

/* The interrupt is pending till the end, so that nothing else is counted. */
static void note_mode(struct sweep *sweep, const struct pair *p,
		      const struct mode *mode)
{
	bool frozen =
		mode->interrupt && mode->debugctl & DEBUGCTL_FREEZE_PERFMON;
	u64 counted = frozen ? LEFT : COUNTED;

	prepare(p, mode->interrupt);
	wrmsr(IA32_DEBUGCTL, mode->debugctl);
	irq_arm_lvtpc();
	count_run(IA32_PERF_GLOBAL_CTRL, p->both, freeze_block);
	note_eq(sweep, mode, "the overflowed counter", rdmsr(p->over.msr),
		counted - LEFT);
	note_eq(sweep, mode, "the other counter", rdmsr(p->other.msr), counted);
	note_eq(sweep, mode, "GLOBAL_CTRL", freeze_ctrl,
		frozen && !streamlined() ? 0 : p->both);
	note_eq(sweep, mode, "status", freeze_status, expected_status(p, mode));
	note_eq(sweep, mode, "DEBUGCTL", rdmsr(IA32_DEBUGCTL), mode->debugctl);
	note_eq(sweep, mode, "interrupts", irq_taken(), mode->interrupt);
}

/* As an interrupt handler does it: the global control again, or the status. */
static void check_resume(const struct pair *p)
{
	prepare(p, true);
	idt_gate_set(VECTOR_RESUME, freeze_handler, 0);
	wrmsr(IA32_DEBUGCTL, DEBUGCTL_FREEZE_PERFMON);
	resumed = 0;
	resume_msr = streamlined() ? IA32_PERF_GLOBAL_OVF_CTRL
				   : IA32_PERF_GLOBAL_CTRL;
	resume_value = streamlined() ? BIT(p->over.status_bit) | STATUS_CTR_FRZ
				     : p->both;
	apic_write(APIC_LVTPC, LVT_FIXED | VECTOR_RESUME);
	asm volatile("sti");
	count_run(IA32_PERF_GLOBAL_CTRL, p->both, freeze_nops);
	asm volatile("cli");
	report_count(resumed, 1, "freeze: %s %u, its handler ran", p->over.name,
		     p->over.number);
	report_count(rdmsr(p->over.msr), LATE_COUNTED - LEFT + HANDLER_INSNS,
		     "freeze: %s %u, goes on when resumed", p->over.name,
		     p->over.number);
	report_count(rdmsr(p->other.msr), LATE_COUNTED + HANDLER_INSNS,
		     "freeze: %s %u, goes on when resumed", p->other.name,
		     p->other.number);
}

static u64 count_nops(const struct counter *c)
{
	counter_write(c, 0);
	count_run(c->ctl, c->start, block_nops);
	return rdmsr(c->msr);
}

/* The status bit is the freeze: the global control does not matter. */
static void check_status_bit(const struct counter *c)
{
	u64 full = BLOCK_NOPS_INSNS + COUNT_RUN_INSNS;
	u64 enabled = BIT(c->status_bit);

	thaw();
	counter_prepare(c);
	irq_arm_lvtpc();
	wrmsr(IA32_PERF_GLOBAL_STATUS_SET, STATUS_LBR_FRZ);
	report_count(count_nops(c), full, "freeze: %s %u, LBR_FRZ is no freeze",
		     c->name, c->number);
	wrmsr(IA32_PERF_GLOBAL_STATUS_SET, STATUS_CTR_FRZ);
	report_eq(rdmsr(IA32_PERF_GLOBAL_STATUS),
		  STATUS_LBR_FRZ | STATUS_CTR_FRZ,
		  "freeze: %s %u, status set by 391H", c->name, c->number);
	wrmsr(IA32_PERF_GLOBAL_CTRL, enabled);
	report_count(count_nops(c), 0, "freeze: %s %u, CTR_FRZ by 391H",
		     c->name, c->number);
	report_eq(rdmsr(IA32_PERF_GLOBAL_CTRL), enabled,
		  "freeze: %s %u, CTR_FRZ by 391H: GLOBAL_CTRL", c->name,
		  c->number);
	wrmsr(IA32_PERF_GLOBAL_OVF_CTRL, STATUS_CTR_FRZ);
	report_count(count_nops(c), full, "freeze: %s %u, cleared by 390H",
		     c->name, c->number);
	report_count(irq_taken(), 0, "freeze: %s %u, 391H does not interrupt",
		     c->name, c->number);
}

/* While it counts. */
static void check_status_bit_running(const struct counter *c)
{
	thaw();
	counter_prepare(c);
	count_write(c->ctl, c->start, IA32_PERF_GLOBAL_STATUS_SET,
		    STATUS_CTR_FRZ);
	report_count(rdmsr(c->msr), COUNT_WRITE_BEFORE + 1,
		     "freeze: %s %u, running, CTR_FRZ by 391H", c->name,
		     c->number);
	counter_write(c, 0);
	count_write(c->ctl, c->start, IA32_PERF_GLOBAL_OVF_CTRL,
		    STATUS_CTR_FRZ);
	report_count(rdmsr(c->msr), COUNT_WRITE_AFTER - 1,
		     "freeze: %s %u, enabled, cleared by 390H", c->name,
		     c->number);
}

static void check_pair(struct counter over, struct counter other)
{
	const struct pair p = {
		.over = over,
		.other = other,
		.both = BIT(over.status_bit) | BIT(other.status_bit),
	};
	struct sweep sweep = { 0 };

	for (size_t i = 0; i < ARRAY_SIZE(modes); i++)
		note_mode(&sweep, &p, &modes[i]);
	sweep_report(&sweep, "freeze: %s %u overflows, %s %u", over.name,
		     over.number, other.name, other.number);
	check_resume(&p);
	wrmsr(IA32_DEBUGCTL, 0);
}

/* Version 2 has the bits, if there is IA32_PERF_CAPABILITIES. */
static bool has_freeze(void)
{
	bool has = pmu.version >= 2 && pmu.pdcm;
	u32 vector = wrmsr_safe(IA32_DEBUGCTL, DEBUGCTL_FREEZE_LBRS);

	report_vector(vector, has ? 0 : VECTOR_GP, "freeze: DEBUGCTL[11]");
	vector |= wrmsr_safe(IA32_DEBUGCTL, DEBUGCTL_FREEZE_PERFMON);
	report_vector(vector, has ? 0 : VECTOR_GP, "freeze: DEBUGCTL[12]");
	if (!has)
		report_skip("not in this version, or no PDCM", "freeze: all");
	return has && !vector;
}

void test_main(void)
{
	struct counter first = counter_gp(0, pmu.event_instructions);
	struct counter last =
		counter_gp(arch_last_gp(), pmu.event_instructions);

	if (!pmu_exact_or_skip("freeze") || !has_freeze())
		return;
	irq_init();
	if (first.number != last.number)
		check_pair(first, last);
	if (pmu.fixed_map & BIT(0)) {
		check_pair(last, counter_fixed(0));
		check_pair(counter_fixed(0), first);
	}
	if (pmu.fixed_map & BIT(1))
		check_pair(counter_fixed(1), last);
	if ((pmu.fixed_map & 3) == 3)
		check_pair(counter_fixed(0), counter_fixed(1));
	if (!streamlined()) {
		report_skip("not before version 4", "freeze: CTR_FRZ");
		return;
	}
	check_status_bit(&last);
	check_status_bit_running(&first);
	if (!(pmu.fixed_map & BIT(0)))
		return;
	first = counter_fixed(0);
	check_status_bit(&first);
	check_status_bit_running(&first);
}
