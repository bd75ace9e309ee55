// SPDX-License-Identifier: Apache-2.0
/* Writing a counter, its selector or the global control while it runs. */
#include "lib/counter.h"
#include "lib/main.h"
#include "lib/msr.h"
#include "lib/report.h"

/* The WRMSR that stops the counter is still counted. */
#define UNTIL_STOPPED (COUNT_WRITE_BEFORE + 1)
#define ALL_COUNTERS (pmu.gp_map | (u64)pmu.fixed_map << 32)

static u64 measure(const struct counter *c, u32 msr, u64 value)
{
	counter_prepare(c);
	count_write(c->ctl, c->start, msr, value);
	return rdmsr(c->msr);
}

/* The write replaces the count, then it goes on. */
static void check_value(const struct counter *c, u64 value)
{
	report_eq(measure(c, c->msr, value & MASK(c->width)),
		  (value + COUNT_WRITE_AFTER) & MASK(c->width),
		  "running_write: %s %u, value %lxh", c->name, c->number,
		  value);
}

static void check_control(const struct counter *c)
{
	report_count(measure(c, c->ctl, 0), UNTIL_STOPPED,
		     "running_write: %s %u, control 0", c->name, c->number);
	report_count(measure(c, c->ctl, c->start & ~c->os), UNTIL_STOPPED,
		     "running_write: %s %u, control to the other CPL", c->name,
		     c->number);
	report_count(measure(c, c->ctl, c->start),
		     COUNT_WRITE_BEFORE + COUNT_WRITE_AFTER,
		     "running_write: %s %u, control unchanged", c->name,
		     c->number);
}

/* There is no branch after the write. */
static void check_event(const struct counter *c)
{
	u64 other = c->start - pmu.event_instructions + pmu.event_branches;

	report_count(measure(c, c->ctl, other), UNTIL_STOPPED,
		     "running_write: %s %u, another event", c->name, c->number);
}

static void check_global(const struct counter *c)
{
	u32 global = pmu_global_ctrl_msr();

	report_count(measure(c, global, ALL_COUNTERS & ~BIT(c->status_bit)),
		     UNTIL_STOPPED, "running_write: %s %u, global control",
		     c->name, c->number);
	report_eq(measure(c, c->msr, MASK(c->width)), COUNT_WRITE_AFTER - 1,
		  "running_write: %s %u, written to -1", c->name, c->number);
	report(rdmsr(pmu_global_status_msr()) & BIT(c->status_bit),
	       "running_write: %s %u, written to -1 overflows at once", c->name,
	       c->number);
}

void test_main(void)
{
	if (!pmu_exact_or_skip("running_write"))
		return;
	for (u32 i = 0; i < counter_count(); i++) {
		struct counter c = counter_get(i);

		check_value(&c, 0);
		check_value(&c, 1000);
		check_value(&c, (u64)-1000);
		check_control(&c);
		if (!c.fixed)
			check_event(&c);
		if (pmu_has_global())
			check_global(&c);
	}
}
