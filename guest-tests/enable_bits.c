// SPDX-License-Identifier: Apache-2.0
/* A counter counts if, and only if, all that enables it is set. */
#include "lib/counter.h"
#include "lib/main.h"
#include "lib/msr.h"
#include "lib/report.h"

#define COUNTED (BLOCK_NOPS_INSNS + COUNT_RUN_INSNS)
#define ALL_COUNTERS (pmu.gp_map | (u64)pmu.fixed_map << 32)

static u64 measure(const struct counter *c, u64 start)
{
	counter_prepare(c);
	count_run(c->ctl, start, block_nops);
	return rdmsr(c->msr);
}

/* The block runs at CPL 0. */
static void check_levels(const struct counter *c)
{
	u64 off = c->start & ~(c->os | c->usr);

	report_count(measure(c, off), 0, "enable_bits: %s %u, OS=0 USR=0",
		     c->name, c->number);
	report_count(measure(c, off | c->usr), 0,
		     "enable_bits: %s %u, OS=0 USR=1", c->name, c->number);
	report_count(measure(c, off | c->os), COUNTED,
		     "enable_bits: %s %u, OS=1 USR=0", c->name, c->number);
	report_count(measure(c, c->start), COUNTED,
		     "enable_bits: %s %u, OS=1 USR=1", c->name, c->number);
}

static void check_enable(const struct counter *c)
{
	report_count(measure(c, c->start & ~EVTSEL_EN), 0,
		     "enable_bits: %s %u, EN=0", c->name, c->number);
}

/* Start and stop it by the global control alone. */
static void check_global(const struct counter *c)
{
	u32 global = pmu_global_ctrl_msr();

	counter_prepare(c);
	wrmsr(global, ALL_COUNTERS & ~BIT(c->status_bit));
	count_run(c->ctl, c->start, block_nops);
	report_count(rdmsr(c->msr), 0,
		     "enable_bits: %s %u, own bit of the global control 0",
		     c->name, c->number);
	wrmsr(global, 0);
	wrmsr(c->ctl, c->start);
	count_run(global, BIT(c->status_bit), block_nops);
	report_count(rdmsr(c->msr), COUNTED,
		     "enable_bits: %s %u, only its bit of the global control",
		     c->name, c->number);
	counter_stop_all();
}

/* All at once, started by one write: each counts all of it. */
static void check_together(void)
{
	struct sweep sweep = { 0 };

	for (u32 i = 0; i < counter_count(); i++) {
		struct counter c = counter_get(i);

		counter_prepare(&c);
	}
	wrmsr(pmu_global_ctrl_msr(), 0);
	for (u32 i = 0; i < counter_count(); i++) {
		struct counter c = counter_get(i);

		wrmsr(c.ctl, c.start);
	}
	count_run(pmu_global_ctrl_msr(), ALL_COUNTERS, block_nops);
	for (u32 i = 0; i < counter_count(); i++) {
		struct counter c = counter_get(i);
		u64 got = rdmsr(c.msr);

		sweep_note(&sweep, got == COUNTED, "%s %u: got %lu want %u",
			   c.name, c.number, got, COUNTED);
	}
	counter_stop_all();
	sweep_report(&sweep, "enable_bits: all counters at once");
}

void test_main(void)
{
	if (!pmu_exact_or_skip("enable_bits"))
		return;
	for (u32 i = 0; i < counter_count(); i++) {
		struct counter c = counter_get(i);

		check_levels(&c);
		if (!c.fixed)
			check_enable(&c);
		if (pmu_has_global())
			check_global(&c);
	}
	if (pmu_has_global())
		check_together();
	else
		report_skip("no global control", "enable_bits: global");
}
