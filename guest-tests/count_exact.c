// SPDX-License-Identifier: Apache-2.0
/* Counts equal the hand count to the last digit, each time. */
#include "lib/counter.h"
#include "lib/main.h"
#include "lib/msr.h"
#include "lib/report.h"
#include "lib/user.h"

#define REPEATS 100

/* The count of `block` and of count_run() around it. */
static u64 measure(const struct counter *c, void (*block)(void))
{
	counter_prepare(c);
	count_run(c->ctl, c->start, block);
	return rdmsr(c->msr);
}

static void check_blocks(const struct counter *c)
{
	struct sweep sweep = { 0 };

	for (u32 i = 0; i < block_count; i++) {
		u64 want = blocks[i].instructions + COUNT_RUN_INSNS;
		u64 got = measure(c, blocks[i].run);

		sweep_note(&sweep, got == want, "%s: got %lu want %lu",
			   blocks[i].name, got, want);
	}
	sweep_report(&sweep, "count_exact: %s %u, instructions", c->name,
		     c->number);
}

static void check_event(const char *name, u32 event, u32 overhead, size_t field)
{
	struct counter c = counter_gp(0, event);
	struct sweep sweep = { 0 };

	if (!event) {
		report_skip("the vendor has no such event", "count_exact: %s",
			    name);
		return;
	}
	for (u32 i = 0; i < block_count; i++) {
		const u8 *block = (const u8 *)&blocks[i];
		u64 want = *(const u32 *)(const void *)(block + field);
		u64 got = measure(&c, blocks[i].run);

		want += overhead;
		sweep_note(&sweep, got == want, "%s: got %lu want %lu",
			   blocks[i].name, got, want);
	}
	sweep_report(&sweep, "count_exact: %s", name);
}

static void check_repeats(const struct counter *c)
{
	u64 want = BLOCK_NOPS_INSNS + COUNT_RUN_INSNS;
	struct sweep sweep = { 0 };

	for (u32 i = 0; i < REPEATS; i++) {
		u64 got = measure(c, block_nops);

		sweep_note(&sweep, got == want, "run %u: got %lu want %lu", i,
			   got, want);
	}
	sweep_report(&sweep, "count_exact: %s %u, the same in all runs",
		     c->name, c->number);
}

/* A running counter reads as what retired before the read. */
static void check_running_read(const struct counter *c)
{
	u64 want = BLOCK_NOPS_INSNS + COUNT_READ_INSNS;

	if (!pmu_rdpmc_or_fail("count_exact"))
		return;
	counter_prepare(c);
	report_count(count_read_rdpmc(c->ctl, c->start, block_nops, c->rdpmc),
		     want, "count_exact: %s %u, RDPMC while running", c->name,
		     c->number);
	counter_prepare(c);
	report_count(count_read_rdmsr(c->ctl, c->start, block_nops, c->msr),
		     want, "count_exact: %s %u, RDMSR while running", c->name,
		     c->number);
}

static void check_split(const struct counter *c, enum user_exit how)
{
	u64 user = BLOCK_NOPS_INSNS + USER_ENTER_USER_INSNS;
	u64 kernel = COUNT_RUN_INSNS + USER_ENTER_KERNEL_INSNS;
	const char *name = how == USER_EXIT_INT ? "INT" : "SYSCALL";
	struct counter only = *c;

	user_prepare(block_nops, how);
	report_count(measure(c, user_enter), user + kernel,
		     "count_exact: %s %u, both levels, %s", c->name, c->number,
		     name);
	only.start = c->start & ~c->os;
	report_count(measure(&only, user_enter), user,
		     "count_exact: %s %u, user only, %s", c->name, c->number,
		     name);
	only.start = c->start & ~c->usr;
	report_count(measure(&only, user_enter), kernel,
		     "count_exact: %s %u, kernel only, %s", c->name, c->number,
		     name);
}

static void check_fixed_cycles(void)
{
	struct counter c = counter_fixed(1);

	if (!(pmu.fixed_map & BIT(1)))
		return;
	report_count(measure(&c, block_nops),
		     BLOCK_NOPS_INSNS + COUNT_RUN_INSNS,
		     "count_exact: IA32_FIXED_CTR 1, cycles = instructions");
}

void test_main(void)
{
	struct counter first = counter_get(0);
	struct counter last = counter_get(counter_count() - 1);

	if (!pmu_exact_or_skip("count_exact"))
		return;
	for (u32 i = 0; i < counter_count(); i++) {
		struct counter c = counter_get(i);

		check_blocks(&c);
	}
	check_event("cycles = instructions", pmu.event_cycles, COUNT_RUN_INSNS,
		    offsetof(struct block, instructions));
	check_event("branches", pmu.event_branches, COUNT_RUN_BRANCHES,
		    offsetof(struct block, branches));
	check_event("taken branches", pmu.event_taken, COUNT_RUN_BRANCHES,
		    offsetof(struct block, taken));
	check_fixed_cycles();
	check_repeats(&first);
	check_running_read(&first);
	check_running_read(&last);
	check_split(&first, USER_EXIT_INT);
	check_split(&first, USER_EXIT_SYSCALL);
	check_split(&last, USER_EXIT_SYSCALL);
}
