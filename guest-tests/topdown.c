// SPDX-License-Identifier: Apache-2.0
/* Slots, retiring ones, and PERF_METRICS, which divides up fixed counter 3. */
#include "lib/arch.h"
#include "lib/counter.h"
#include "lib/main.h"
#include "lib/msr.h"
#include "lib/rdpmc.h"
#include "lib/report.h"

#define GLOBAL_SLOTS BIT(32 + FIXED_SLOTS)

#define SLOTS(instructions) ((u64)ARCH_SLOTS_PER_CYCLE * (instructions))
#define COUNTED (BLOCK_NOPS_INSNS + COUNT_RUN_INSNS)
/* count_read_*(): from the read on, with the WRMSR that stops it. */
#define FROM_READ 7

/* All slots retire: FFH in the byte "retiring", nothing in the others. */
#define ALL_RETIRING 0xff
/* No share that counting could make. */
#define WRITTEN UINT64_C(0x0123456789abcdef)

static struct counter slots;

static void check_event(u32 event, u32 number)
{
	const struct counter c = counter_gp(number, arch_events[event].select);
	struct sweep sweep = { 0 };

	for (u32 i = 0; i < block_count; i++) {
		u64 want = SLOTS(blocks[i].instructions + COUNT_RUN_INSNS);
		u64 got = arch_measure(&c, c.start, blocks[i].run);

		sweep_note(&sweep, got == want, "%s: got %lu want %lu",
			   blocks[i].name, got, want);
	}
	sweep_report(&sweep, "topdown: %s %u, %s", c.name, number,
		     arch_events[event].name);
}

static void check_events(u32 event)
{
	if (!arch_offered(event)) {
		report_skip("not offered", "topdown: event %s",
			    arch_events[event].name);
		return;
	}
	check_event(event, 0);
	check_event(event, arch_last_gp());
}

/* Four at once may step over 0: it is an overflow all the same. */
static void check_overflow(void)
{
	for (u64 left = 1; left <= 5; left++) {
		u64 total = SLOTS(COUNTED);

		counter_prepare(&slots);
		counter_write(&slots, -left);
		count_run(slots.ctl, slots.start, block_nops);
		report_eq(rdmsr(slots.msr), total - left,
			  "topdown: slots, %lu before the overflow", left);
		report_eq(rdmsr(IA32_PERF_GLOBAL_STATUS), GLOBAL_SLOTS,
			  "topdown: slots, %lu before: status", left);
	}
}

/* Both registers written to `value`, with `global` enabled and fixed counter 3
 * as in `control`. Returns PERF_METRICS after the block. */
static u64 metrics(u64 value, u64 global, u64 control)
{
	counter_prepare(&slots);
	wrmsr(MSR_PERF_METRICS, value);
	wrmsr(IA32_PERF_GLOBAL_CTRL, global);
	count_run(slots.ctl, control, block_nops);
	return rdmsr(MSR_PERF_METRICS);
}

static void check_metrics(void)
{
	u64 both = GLOBAL_METRICS | GLOBAL_SLOTS;
	u64 got = metrics(0, both, slots.start);
	u64 sum = (got & 0xff) + (got >> 8 & 0xff) + (got >> 16 & 0xff) +
		  (got >> 24 & 0xff);
	u64 read = 0;
	u32 vector = rdpmc_safe(RDPMC_METRICS, &read);

	report_eq(got, ALL_RETIRING, "topdown: PERF_METRICS, all retiring");
	report_eq(sum, 0xff, "topdown: PERF_METRICS, level 1 sums to FFH");
	report_vector(vector, 0, "topdown: RDPMC of PERF_METRICS");
	report_eq(read, got, "topdown: RDPMC of PERF_METRICS is MSR 329H");
	report_count(rdmsr(slots.msr), SLOTS(COUNTED),
		     "topdown: fixed counter 3 beside PERF_METRICS");
	report_eq(rdmsr(IA32_PERF_GLOBAL_STATUS), 0,
		  "topdown: no status by PERF_METRICS");
	report_eq(metrics(WRITTEN, both, 0), WRITTEN,
		  "topdown: PERF_METRICS, counter 3 not enabled");
	report_eq(metrics(WRITTEN, GLOBAL_METRICS, slots.start), WRITTEN,
		  "topdown: PERF_METRICS, GLOBAL_CTRL[35]=0");
	report_eq(metrics(WRITTEN, GLOBAL_SLOTS, slots.start), WRITTEN,
		  "topdown: PERF_METRICS, GLOBAL_CTRL[48]=0");
	report_eq(metrics(WRITTEN, both, slots.usr), WRITTEN,
		  "topdown: PERF_METRICS, only the other CPL");
}

/* The WRMSR that enables PERF_METRICS and stops counter 3 is the last that this
 * one counts, and comes too early for the other. */
static void check_switch(void)
{
	counter_prepare(&slots);
	wrmsr(MSR_PERF_METRICS, WRITTEN);
	wrmsr(IA32_PERF_GLOBAL_CTRL, GLOBAL_SLOTS);
	count_write(slots.ctl, slots.start, IA32_PERF_GLOBAL_CTRL,
		    GLOBAL_METRICS);
	report_count(rdmsr(slots.msr), SLOTS(COUNT_WRITE_BEFORE + 1),
		     "topdown: one WRMSR to both enables: slots");
	report_eq(rdmsr(MSR_PERF_METRICS), WRITTEN,
		  "topdown: one WRMSR to both enables: PERF_METRICS");
}

/* RDPMC of PERF_METRICS while counter 3 runs. */
static void check_running(u64 clear, u64 want_slots, const char *name)
{
	u64 got;

	counter_prepare(&slots);
	wrmsr(MSR_PERF_METRICS, 0);
	wrmsr(IA32_PERF_GLOBAL_CTRL, GLOBAL_METRICS | GLOBAL_SLOTS);
	got = count_read_rdpmc(slots.ctl, slots.start | clear, block_nops,
			       RDPMC_METRICS);
	report_eq(got, ALL_RETIRING, "topdown: %s: the value", name);
	report_count(rdmsr(slots.msr), want_slots, "topdown: %s: slots", name);
	report_eq(rdmsr(MSR_PERF_METRICS), ALL_RETIRING, "topdown: %s: goes on",
		  name);
}

void test_main(void)
{
	if (!pmu_exact_or_skip("topdown"))
		return;
	check_events(ARCH_EVENT_SLOTS);
	check_events(ARCH_EVENT_RETIRING);
	slots = counter_fixed(FIXED_SLOTS);
	if (pmu.fixed_map & BIT(FIXED_SLOTS))
		check_overflow();
	else
		report_skip("not there", "topdown: fixed counter 3");
	if (!pmu.metrics) {
		report_skip("not offered", "topdown: PERF_METRICS");
		return;
	}
	check_metrics();
	check_switch();
	check_running(0, SLOTS(BLOCK_NOPS_INSNS + COUNT_READ_INSNS + FROM_READ),
		      "plain RDPMC");
	if (pmu.metrics_clear)
		check_running(FIXED_METRICS_CLEAR, SLOTS(FROM_READ),
			      "clearing RDPMC");
	else
		report_skip("not offered", "topdown: clearing RDPMC");
}
