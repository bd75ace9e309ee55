// SPDX-License-Identifier: Apache-2.0
/* PerfMonV2: enables, status, its clearing and setting, freezing. */
#include "lib/counter.h"
#include "lib/irq.h"
#include "lib/main.h"
#include "lib/msr.h"
#include "lib/report.h"

#define COUNTED (BLOCK_NOPS_INSNS + COUNT_RUN_INSNS)
#define LEFT 4 /* instructions to the overflow */
#define FROZEN (GLOBAL_LBR_FROZEN | GLOBAL_PMC_FROZEN)
/* Turin's status has two bits more than counters. */
#define FAMILY_1AH 0x1a
#define TURIN_BITS UINT64_C(0xc0)

static u64 status(void)
{
	return rdmsr(AMD_GLOBAL_STATUS);
}

static u64 status_bits(void)
{
	return pmu.gp_map | (pmu.freeze ? FROZEN : 0);
}

static void prepare(const struct counter *c, u64 value)
{
	wrmsr(AMD_GLOBAL_STATUS_CLR, UINT64_MAX);
	counter_prepare(c);
	counter_write(c, value);
}

static u64 count_nops(const struct counter *c, u64 start)
{
	counter_write(c, 0);
	count_run(c->ctl, start, block_nops);
	return rdmsr(c->msr);
}

/* ----------------------------------------------------------- the registers */

static void check_version_1(void)
{
	struct sweep sweep = { 0 };
	u64 value = 0;

	for (u32 msr = AMD_GLOBAL_STATUS; msr <= AMD_GLOBAL_STATUS_SET; msr++) {
		sweep_note(&sweep, rdmsr_safe(msr, &value) == VECTOR_GP,
			   "rdmsr(%xh)", msr);
		sweep_note(&sweep, wrmsr_safe(msr, 0) == VECTOR_GP,
			   "wrmsr(%xh, 0)", msr);
		sweep_note(&sweep, wrmsr_safe(msr, UINT64_MAX) == VECTOR_GP,
			   "wrmsr(%xh, ~0)", msr);
	}
	sweep_report(&sweep, "amd_global: no PerfMonV2, all four fault");
}

static void check_ctl(void)
{
	report_eq(rdmsr(AMD_GLOBAL_CTL), pmu.gp_map,
		  "amd_global: Ctl after RESET enables all");
	report_eq(status(), 0, "amd_global: Status after RESET");
	wrmsr(AMD_GLOBAL_CTL, 0);
	report_eq(rdmsr(AMD_GLOBAL_CTL), 0, "amd_global: Ctl of 0");
	report_vector(wrmsr_safe(AMD_GLOBAL_CTL, UINT64_MAX), 0,
		      "amd_global: ~0 to Ctl");
	report_eq(rdmsr(AMD_GLOBAL_CTL), pmu.gp_map, "amd_global: Ctl of ~0");
}

/* Set and clear act on the ones; a write to Status does nothing. */
static void check_status(void)
{
	u64 odd = pmu.gp_map & 0xaa;
	u64 maybe = pmu.family == FAMILY_1AH ? TURIN_BITS : 0;

	report_vector(wrmsr_safe(AMD_GLOBAL_STATUS_SET, UINT64_MAX), 0,
		      "amd_global: ~0 to StatusSet");
	report_eq(status() & ~maybe, status_bits(),
		  "amd_global: all of Status set");
	report_vector(wrmsr_safe(AMD_GLOBAL_STATUS, 0), 0,
		      "amd_global: 0 to Status");
	report_eq(status() & ~maybe, status_bits(),
		  "amd_global: 0 to Status is ignored");
	wrmsr(AMD_GLOBAL_STATUS_CLR, 0);
	report_eq(status() & ~maybe, status_bits(),
		  "amd_global: 0 to StatusClr clears none");
	report_vector(wrmsr_safe(AMD_GLOBAL_STATUS_CLR, UINT64_MAX), 0,
		      "amd_global: ~0 to StatusClr");
	report_eq(status(), 0, "amd_global: all of Status cleared");
	report_vector(wrmsr_safe(AMD_GLOBAL_STATUS, UINT64_MAX), 0,
		      "amd_global: ~0 to Status");
	report_eq(status(), 0, "amd_global: ~0 to Status is ignored");
	wrmsr(AMD_GLOBAL_STATUS_SET, 0);
	report_eq(status(), 0, "amd_global: 0 to StatusSet sets none");
	wrmsr(AMD_GLOBAL_STATUS_SET, pmu.gp_map);
	wrmsr(AMD_GLOBAL_STATUS_CLR, odd);
	report_eq(status(), pmu.gp_map & ~odd, "amd_global: clear some");
	wrmsr(AMD_GLOBAL_STATUS_SET, odd);
	report_eq(status(), pmu.gp_map, "amd_global: set them again");
	wrmsr(AMD_GLOBAL_STATUS_CLR, UINT64_MAX);
}

static void check_bits(void)
{
	struct sweep set = { 0 }, clear = { 0 };

	for (u32 b = 0; b < 64; b++) {
		u64 bit = BIT(b) & status_bits();

		if (pmu.family == FAMILY_1AH && BIT(b) & TURIN_BITS)
			continue;
		wrmsr(AMD_GLOBAL_STATUS_CLR, UINT64_MAX);
		wrmsr(AMD_GLOBAL_STATUS_SET, BIT(b));
		sweep_note(&set, status() == bit, "bit %u: %lxh, want %lxh", b,
			   status(), bit);
		wrmsr(AMD_GLOBAL_STATUS_CLR, BIT(b));
		sweep_note(&clear, !status(), "bit %u: %lxh, want 0", b,
			   status());
	}
	sweep_report(&set, "amd_global: StatusSet, bit by bit");
	sweep_report(&clear, "amd_global: StatusClr, bit by bit");
}

/* --------------------------------------------------------------- counting */

/* Ctl and En, in all four ways; the other counters' bits do not matter. */
static void check_gating(const struct counter *c)
{
	struct sweep sweep = { 0 };
	u64 own = BIT(c->status_bit);

	for (u32 way = 0; way < 8; way++) {
		bool ctl = way & 1, en = way & 2, others = way & 4;
		u64 start = en ? c->start : c->start & ~EVTSEL_EN;
		u64 want = ctl && en ? COUNTED : 0;
		u64 got;

		prepare(c, 0);
		wrmsr(AMD_GLOBAL_CTL,
		      (ctl ? own : 0) | (others ? pmu.gp_map & ~own : 0));
		got = count_nops(c, start);
		sweep_note(&sweep, got == want,
			   "Ctl=%u En=%u others=%u: %lu, want %lu", ctl, en,
			   others, got, want);
	}
	sweep_report(&sweep, "amd_global: %s %u counts iff Ctl and En", c->name,
		     c->number);
}

/* Int decides about the interrupt, not about the status. */
static void check_overflow(const struct counter *c)
{
	struct sweep sweep = { 0 };
	u64 own = BIT(c->status_bit);

	for (u32 interrupt = 0; interrupt < 2; interrupt++) {
		u32 irqs;

		prepare(c, (u64)-LEFT);
		irq_arm_lvtpc();
		count_run(c->ctl, c->start | (interrupt ? c->interrupt : 0),
			  block_nops);
		irqs = irq_taken();
		sweep_note(&sweep, irqs == interrupt, "Int=%u: %u interrupts",
			   interrupt, irqs);
		sweep_note(&sweep, status() == own, "Int=%u: status %lxh",
			   interrupt, status());
		wrmsr(AMD_GLOBAL_STATUS_CLR, pmu.gp_map & ~own);
		sweep_note(&sweep, status() == own, "Int=%u: others cleared",
			   interrupt);
		wrmsr(AMD_GLOBAL_STATUS_CLR, own);
		sweep_note(&sweep, !status(), "Int=%u: own not cleared",
			   interrupt);
	}
	sweep_report(&sweep, "amd_global: %s %u, status by overflow", c->name,
		     c->number);
}

/* Set by software it neither interrupts nor stops anything; 59 stops. */
static void check_set(const struct counter *c)
{
	prepare(c, 0);
	irq_arm_lvtpc();
	wrmsr(AMD_DEBUGCTL, pmu.freeze ? DEBUGCTL_FREEZE_PERFMON : 0);
	wrmsr(AMD_GLOBAL_STATUS_SET, pmu.gp_map | GLOBAL_LBR_FROZEN);
	report_count(count_nops(c, c->start | c->interrupt), COUNTED,
		     "amd_global: %s %u counts with its status set", c->name,
		     c->number);
	wrmsr(AMD_GLOBAL_STATUS_SET, GLOBAL_PMC_FROZEN);
	report_count(count_nops(c, c->start), pmu.freeze ? 0 : COUNTED,
		     "amd_global: %s %u, PMC_FROZEN set", c->name, c->number);
	report_eq(rdmsr(AMD_GLOBAL_CTL), pmu.gp_map,
		  "amd_global: %s %u, PMC_FROZEN leaves Ctl alone", c->name,
		  c->number);
	wrmsr(AMD_GLOBAL_STATUS_CLR, GLOBAL_PMC_FROZEN);
	report_count(count_nops(c, c->start), COUNTED,
		     "amd_global: %s %u, PMC_FROZEN cleared", c->name,
		     c->number);
	report_count(irq_taken(), 0,
		     "amd_global: %s %u, StatusSet does not interrupt", c->name,
		     c->number);
	counter_write(c, 0);
	count_write(c->ctl, c->start, AMD_GLOBAL_STATUS_SET, GLOBAL_PMC_FROZEN);
	report_count(rdmsr(c->msr),
		     COUNT_WRITE_BEFORE + (pmu.freeze ? 1 : COUNT_WRITE_AFTER),
		     "amd_global: %s %u, running, PMC_FROZEN set", c->name,
		     c->number);
	wrmsr(AMD_DEBUGCTL, 0);
}

/* ---------------------------------------------------------------- freezing */

static const struct mode {
	const char *name;
	u64 debugctl;
	bool interrupt;
	u64 frozen;
} modes[] = {
	{ "none", 0, true, 0 },
	{ "FPMCI, Int=0", DEBUGCTL_FREEZE_PERFMON, false, 0 },
	{ "FPMCI", DEBUGCTL_FREEZE_PERFMON, true, GLOBAL_PMC_FROZEN },
	{ "FLBRI, Int=0", DEBUGCTL_FREEZE_LBRS, false, 0 },
	{ "FLBRI", DEBUGCTL_FREEZE_LBRS, true, GLOBAL_LBR_FROZEN },
	{ "both", DEBUGCTL_FREEZE_LBRS | DEBUGCTL_FREEZE_PERFMON, true,
	  FROZEN },
};

static void note_eq(struct sweep *sweep, const struct mode *mode,
		    const char *what, u64 got, u64 want)
{
	sweep_note(sweep, got == want, "%s: %s %lxh, want %lxh", mode->name,
		   what, got, want);
}

/* `over` overflows, `other` is a witness; Ctl starts and stops both. */
static void note_mode(struct sweep *sweep, const struct counter *over,
		      const struct counter *other, const struct mode *mode)
{
	u64 both = BIT(over->status_bit) | BIT(other->status_bit);
	u64 counted = mode->frozen & GLOBAL_PMC_FROZEN ? LEFT : COUNTED;

	prepare(other, 0);
	wrmsr(AMD_GLOBAL_CTL, 0);
	counter_write(over, (u64)-LEFT);
	wrmsr(over->ctl, over->start | (mode->interrupt ? over->interrupt : 0));
	wrmsr(other->ctl, other->start);
	wrmsr(AMD_DEBUGCTL, mode->debugctl);
	irq_arm_lvtpc();
	count_run(AMD_GLOBAL_CTL, both, block_nops);
	note_eq(sweep, mode, "overflowed", rdmsr(over->msr), counted - LEFT);
	note_eq(sweep, mode, "the other", rdmsr(other->msr), counted);
	note_eq(sweep, mode, "status", status(),
		BIT(over->status_bit) | mode->frozen);
	note_eq(sweep, mode, "DebugCtl", rdmsr(AMD_DEBUGCTL), mode->debugctl);
	note_eq(sweep, mode, "interrupts", irq_taken(), mode->interrupt);
	/* The same again when it is thawed. */
	wrmsr(AMD_GLOBAL_STATUS_CLR, GLOBAL_PMC_FROZEN);
	counter_write(other, 0);
	count_run(AMD_GLOBAL_CTL, both, block_nops);
	note_eq(sweep, mode, "thawed", rdmsr(other->msr), COUNTED);
	wrmsr(AMD_DEBUGCTL, 0);
}

static void check_freeze(const struct counter *over,
			 const struct counter *other)
{
	struct sweep sweep = { 0 };

	for (size_t i = 0; i < ARRAY_SIZE(modes); i++)
		note_mode(&sweep, over, other, &modes[i]);
	sweep_report(&sweep, "amd_global: freeze, %s %u overflows", over->name,
		     over->number);
}

void test_main(void)
{
	u32 last = counter_total() - 1;

	if (!pmu_present_or_skip("amd_global"))
		return;
	if (!pmu.v2) {
		check_version_1();
		return;
	}
	check_ctl();
	check_status();
	check_bits();
	if (!pmu_exact_or_skip("amd_global: counting"))
		return;
	irq_init();
	for (u32 i = 0; i <= last; i++) {
		const struct counter c = counter_get(i);
		const struct counter other = counter_get(i ? i - 1 : last);

		check_gating(&c);
		check_overflow(&c);
		check_set(&c);
		if (pmu.freeze)
			check_freeze(&c, &other);
	}
	if (!pmu.freeze)
		report_skip("CPUID does not offer it", "amd_global: freeze");
}
