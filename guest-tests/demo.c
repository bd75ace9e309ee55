// SPDX-License-Identifier: Apache-2.0
/* A tour of the PMU for a newcomer: what it is, counts, a fault, a PMI. */
#include "lib/apic.h"
#include "lib/control.h"
#include "lib/counter.h"
#include "lib/idt.h"
#include "lib/io.h"
#include "lib/main.h"
#include "lib/msr.h"
#include "lib/rdpmc.h"
#include "lib/report.h"
#include "lib/user.h"

#define VECTOR_PMI 0x40

/* A loop of 20 rounds, and count_run() around it. */
static const struct block *const known = &blocks[3];

static u32 user_index;
static u64 user_value;
static volatile u32 pmi_count;
static struct sweep agree, exact;

static void read_as_user(void)
{
	(void)rdpmc_safe(user_index, &user_value);
}

static void on_pmi(struct frame *frame)
{
	(void)frame;
	pmi_count++;
	apic_write(APIC_EOI, 0);
}

static void show_identity(void)
{
	print("The PMU, as CPUID describes it\n");
	print("  vendor           %s\n", pmu.vendor_string);
	if (!pmu.present) {
		print("  no PMU\n\n");
		return;
	}
	print("  version          %u\n", pmu.version);
	print("  counters         %u of %u bits\n", counter_total_gp(),
	      pmu.gp_width);
	if (pmu.fixed_map)
		print("  fixed counters   map %xh, %u bits\n", pmu.fixed_map,
		      pmu.fixed_width);
	print("  MSRs             %u\n\n", pmu_msr_count);
}

static void show_count(const char *event, const struct counter *c, u64 want)
{
	u64 by_rdpmc = 0, by_rdmsr;

	counter_prepare(c);
	count_run(c->ctl, c->start, known->run);
	(void)rdpmc_safe(c->rdpmc, &by_rdpmc);
	user_index = c->rdpmc;
	user_value = ~by_rdpmc;
	user_call(read_as_user, USER_EXIT_SYSCALL);
	by_rdmsr = rdmsr(c->msr);
	print("  %-16s%-14s %u %12lu %11lu %11lu %11lu\n", event, c->name,
	      c->number, by_rdpmc, user_value, by_rdmsr, want);
	sweep_note(&agree, by_rdpmc == by_rdmsr && user_value == by_rdmsr, "%s",
		   event);
	sweep_note(&exact, by_rdpmc == want, "%s", event);
}

static void show_gp(const char *event, u32 encoding, u64 want)
{
	struct counter c = counter_gp(0, encoding);

	if (encoding)
		show_count(event, &c, want);
}

static void show_counts(void)
{
	u64 instructions = known->instructions + COUNT_RUN_INSNS;
	struct counter fixed = counter_fixed(0);

	print("Counts over a known loop of %lu instructions\n", instructions);
	print("  %-16s%-16s %12s %11s %11s %11s\n", "event", "counter",
	      "RDPMC CPL 0", "RDPMC CPL 3", "RDMSR", "by hand");
	pce_set(true);
	show_gp("instructions", pmu.event_instructions, instructions);
	show_gp("cycles", pmu.event_cycles, instructions);
	show_gp("branches", pmu.event_branches,
		known->branches + COUNT_RUN_BRANCHES);
	show_gp("taken branches", pmu.event_taken,
		known->taken + COUNT_RUN_BRANCHES);
	if (pmu.fixed_map & 1)
		show_count("instructions", &fixed, instructions);
	pce_set(false);
	sweep_report(&agree, "demo: all three ways to read agree");
	if (pmu.exact)
		sweep_report(&exact, "demo: counts equal the hand count");
	print("\n");
}

static void show_fault(void)
{
	struct rdpmc_regs regs = { .rax = 1, .rdx = 2 };
	u32 vector;

	while (pmu_rdpmc_valid((u32)regs.rcx))
		regs.rcx++;
	vector = rdpmc_regs(&regs);
	print("A counter that does not exist: RDPMC with ECX = %lu\n",
	      regs.rcx);
	print("  %s (vector %u); RAX is %lu and RDX %lu, as before\n",
	      vector_name(vector), vector, regs.rax, regs.rdx);
	report_vector(vector, VECTOR_GP, "demo: it faults");
	print("\n");
}

static void show_pmi(void)
{
	struct counter c = counter_gp(0, pmu.event_cycles);
	bool masks = pmu.vendor == VENDOR_INTEL;

	idt_hook_set(VECTOR_PMI, on_pmi);
	apic_enable();
	apic_write(APIC_LVTPC, VECTOR_PMI);
	counter_prepare(&c);
	counter_write(&c, (u64)-10);
	asm volatile("sti");
	count_run(c.ctl, c.start | c.interrupt, known->run);
	io_exit();
	asm volatile("nop; cli");
	print("An overflow, ten cycles after the start\n");
	print("  interrupts       %u, at vector %xh\n", pmi_count, VECTOR_PMI);
	if (pmu_has_global())
		print("  global status    %lxh\n",
		      rdmsr(pmu_global_status_msr()));
	print("  LVTPC            %xh\n", apic_read(APIC_LVTPC));
	if (!pmu.exact)
		return;
	report_count(pmi_count, 1, "demo: the interrupt came");
	report_eq(apic_read(APIC_LVTPC) & LVT_MASKED, masks ? LVT_MASKED : 0,
		  "demo: LVTPC is masked by delivery on Intel, not on AMD");
}

void test_main(void)
{
	show_identity();
	if (pmu.present)
		show_counts();
	show_fault();
	if (pmu.present)
		show_pmi();
}
