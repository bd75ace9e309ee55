// SPDX-License-Identifier: Apache-2.0
/* Event FFFH on an odd counter makes it the high half of the one below. */
#include "lib/counter.h"
#include "lib/irq.h"
#include "lib/main.h"
#include "lib/msr.h"
#include "lib/report.h"

#define COUNTED (BLOCK_NOPS_INSNS + COUNT_RUN_INSNS)
#define LEFT 4 /* instructions to the carry */
/* PPR: only En besides the event. */
#define MERGE (UINT64_C(0xf000000ff) | EVTSEL_EN)
/* What the other bits of the high half do is not known. */
#define HIGH MASK(16)

static u64 status(void)
{
	return pmu.v2 ? rdmsr(AMD_GLOBAL_STATUS) : 0;
}

static const struct row {
	const char *name;
	bool merged; /* the odd counter holds MERGE, or else 0 */
	bool carry; /* the even counter wraps, or else counts from 0 */
	u64 high; /* in the odd one before */
	u64 merged_high; /* and after, where there is merging */
	bool overflow; /* likewise */
} rows[] = {
	{ "no carry", true, false, 0x1234, 0x1234, false },
	{ "carry", true, true, 0, 1, false },
	{ "carry into bit 15", true, true, 0x7fff, 0x8000, false },
	{ "carry into -1", true, true, 0xfffe, 0xffff, false },
	{ "carry out of bit 63", true, true, 0xffff, 0, true },
	{ "no pair", false, true, 0xffff, 0xffff, true },
};

static void note_eq(struct sweep *sweep, const struct row *row, bool interrupt,
		    const char *what, u64 got, u64 want)
{
	sweep_note(sweep, got == want, "%s, Int=%u: %s %lxh, want %lxh",
		   row->name, interrupt, what, got, want);
}

static void note_row(struct sweep *sweep, const struct counter *even,
		     const struct counter *odd, const struct row *row,
		     bool interrupt)
{
	/* Without merging, what counts is bit 47, and MERGE is no event. */
	u64 high = pmu.merge ? row->merged_high : row->high;
	bool overflow = pmu.merge ? row->overflow : row->carry;

	counter_prepare(even);
	counter_write(odd, row->high);
	counter_write(even, row->carry ? (u64)-LEFT : 0);
	irq_arm_lvtpc();
	wrmsr(odd->ctl, row->merged ? MERGE : 0);
	count_run(even->ctl, even->start | (interrupt ? even->interrupt : 0),
		  block_nops);
	note_eq(sweep, row, interrupt, "low", rdmsr(even->msr),
		row->carry ? COUNTED - LEFT : COUNTED);
	note_eq(sweep, row, interrupt, "high", rdmsr(odd->msr) & HIGH, high);
	note_eq(sweep, row, interrupt, "status", status(),
		pmu.v2 && overflow ? BIT(even->status_bit) : 0);
	note_eq(sweep, row, interrupt, "interrupts", irq_taken(),
		overflow && interrupt);
	counter_stop_all();
}

static void check_pair(const struct counter *even, const struct counter *odd)
{
	struct sweep sweep = { 0 };

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		for (u32 interrupt = 0; interrupt < 2; interrupt++)
			note_row(&sweep, even, odd, &rows[i], interrupt);
	sweep_report(&sweep, "amd_merge: %s %u and %u, %s", even->name,
		     even->number, odd->number,
		     pmu.merge ? "one of 64 bits" : "no pair");
}

/* On an even counter it merges with nothing below. */
static void check_wrong_way(const struct counter *odd,
			    const struct counter *even)
{
	counter_prepare(odd);
	counter_write(even, 0x1234);
	counter_write(odd, (u64)-LEFT);
	wrmsr(even->ctl, MERGE);
	count_run(odd->ctl, odd->start, block_nops);
	report_count(rdmsr(odd->msr), COUNTED - LEFT,
		     "amd_merge: %s %u counts below event FFFH", odd->name,
		     odd->number);
	report_eq(rdmsr(even->msr), 0x1234,
		  "amd_merge: %s %u, even, gets no carry", even->name,
		  even->number);
	report_eq(status(), pmu.v2 ? BIT(odd->status_bit) : 0,
		  "amd_merge: %s %u overflows by itself", odd->name,
		  odd->number);
	counter_stop_all();
}

/* A pair whose high half has no En is none. */
static void check_disabled(const struct counter *even,
			   const struct counter *odd)
{
	counter_prepare(even);
	counter_write(odd, 0x1234);
	counter_write(even, (u64)-LEFT);
	wrmsr(odd->ctl, MERGE & ~EVTSEL_EN);
	count_run(even->ctl, even->start, block_nops);
	report_eq(rdmsr(odd->msr), 0x1234,
		  "amd_merge: %s %u without En gets no carry", odd->name,
		  odd->number);
	report_eq(status(), pmu.v2 ? BIT(even->status_bit) : 0,
		  "amd_merge: %s %u overflows by itself", even->name,
		  even->number);
	counter_stop_all();
}

void test_main(void)
{
	if (!pmu_exact_or_skip("amd_merge"))
		return;
	irq_init();
	for (u32 n = 0; n + 1 < pmu.gp; n += 2) {
		const struct counter even =
			counter_gp(n, pmu.event_instructions);
		const struct counter odd =
			counter_gp(n + 1, pmu.event_instructions);

		check_pair(&even, &odd);
		check_disabled(&even, &odd);
		if (n + 2 < pmu.gp) {
			const struct counter next =
				counter_gp(n + 2, pmu.event_instructions);

			check_wrong_way(&odd, &next);
		}
	}
}
