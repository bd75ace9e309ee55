// SPDX-License-Identifier: Apache-2.0
/* Carry out of the top bit: the count goes on from 0, the status remembers. */
#include "lib/counter.h"
#include "lib/main.h"
#include "lib/msr.h"
#include "lib/report.h"

#define COUNTED (BLOCK_NOPS_INSNS + COUNT_RUN_INSNS)
#define ALL_COUNTERS (pmu.gp_map | (u64)pmu.fixed_map << 32)

static u64 status(void)
{
	return rdmsr(pmu_global_status_msr()) & ALL_COUNTERS;
}

static void run_from(const struct counter *c, u64 preset, u64 start)
{
	counter_prepare(c);
	counter_write(c, preset);
	count_run(c->ctl, start, block_nops);
}

/* `left` instructions to the overflow, COUNTED are run. */
static void check_preset(struct sweep *sweep, const struct counter *c, u64 left)
{
	u64 want = (COUNTED - left) & MASK(c->width);
	u64 want_status = left <= COUNTED ? BIT(c->status_bit) : 0;
	u64 got;

	run_from(c, -left, c->start);
	got = rdmsr(c->msr);
	sweep_note(sweep, got == want, "%lu before: value %lxh, want %lxh",
		   left, got, want);
	if (!pmu_has_global())
		return;
	sweep_note(sweep, status() == want_status,
		   "%lu before: status %lxh, want %lxh", left, status(),
		   want_status);
}

static void check_values(const struct counter *c)
{
	static const u64 lefts[] = {
		1, 2, 3, COUNTED - 1, COUNTED, COUNTED + 1, COUNTED + 100,
	};
	struct sweep sweep = { 0 };

	for (size_t i = 0; i < ARRAY_SIZE(lefts); i++)
		check_preset(&sweep, c, lefts[i]);
	sweep_report(&sweep, "overflow: %s %u, wraps and sets its status bit",
		     c->name, c->number);
}

/* Sticky until cleared, by the one command, bit by bit. LVTPC is masked. */
static void check_status(const struct counter *c)
{
	u32 clear = pmu_global_clear_msr();
	u64 bit = BIT(c->status_bit);

	run_from(c, (u64)-1, c->start | c->interrupt);
	report_eq(status(), bit, "overflow: %s %u, status with interrupt asked",
		  c->name, c->number);
	counter_stop_all();
	counter_write(c, 0);
	wrmsr(clear, ALL_COUNTERS & ~bit);
	report_eq(status(), bit, "overflow: %s %u, status is sticky", c->name,
		  c->number);
	wrmsr(clear, bit);
	report_eq(status(), 0, "overflow: %s %u, status cleared", c->name,
		  c->number);
}

/* Only counting overflows: neither a write nor an idle counter does. */
static void check_no_false_overflow(const struct counter *c)
{
	counter_prepare(c);
	counter_write(c, (u64)-1);
	counter_write(c, 0);
	report_eq(status(), 0, "overflow: %s %u, a write is no overflow",
		  c->name, c->number);
	run_from(c, (u64)-1, c->start & ~c->os);
	report_eq(status(), 0, "overflow: %s %u, none at the other CPL",
		  c->name, c->number);
}

void test_main(void)
{
	if (!pmu_exact_or_skip("overflow"))
		return;
	for (u32 i = 0; i < counter_count(); i++) {
		struct counter c = counter_get(i);

		check_values(&c);
		if (!pmu_has_global())
			continue;
		check_status(&c);
		check_no_false_overflow(&c);
	}
	if (!pmu_has_global())
		report_skip("no global status", "overflow: status");
}
