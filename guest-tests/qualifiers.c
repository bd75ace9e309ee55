// SPDX-License-Identifier: Apache-2.0
/* Counter mask, inversion, equality, edge and AnyThread of a selector. */
#include "lib/arch.h"
#include "lib/counter.h"
#include "lib/main.h"
#include "lib/msr.h"
#include "lib/report.h"
#include "lib/user.h"

#define EVTSEL_E BIT(18)
#define EVTSEL_INV BIT(23)
#define EVTSEL_CMASK(n) ((u64)(n) << 24)
#define EVTSEL_EQ BIT(36)
#define FIXED_ANY BIT(2)

/* What a cycle of 0, 1 and 4 occurrences adds, without the edge detector. */
enum { NONE, ONE, FOUR };
static const struct rule {
	u32 cmask;
	bool inv, eq;
	u32 add[3];
} rules[] = {
	{ 0, false, false, { 0, 1, 4 } },   { 0, true, false, { 0, 1, 4 } },
	{ 1, false, false, { 0, 1, 1 } },   { 1, true, false, { 1, 0, 0 } },
	{ 2, false, false, { 0, 0, 1 } },   { 2, true, false, { 1, 1, 0 } },
	{ 4, false, false, { 0, 0, 1 } },   { 4, true, false, { 1, 1, 0 } },
	{ 5, false, false, { 0, 0, 0 } },   { 5, true, false, { 1, 1, 1 } },
	{ 255, false, false, { 0, 0, 0 } }, { 255, true, false, { 1, 1, 1 } },
	{ 0, false, true, { 0, 1, 4 } },    { 0, true, true, { 0, 1, 4 } },
	{ 1, false, true, { 0, 1, 0 } },    { 1, true, true, { 1, 0, 1 } },
	{ 2, false, true, { 0, 0, 0 } },    { 2, true, true, { 1, 1, 1 } },
	{ 4, false, true, { 0, 0, 1 } },    { 4, true, true, { 1, 1, 0 } },
	{ 5, false, true, { 0, 0, 0 } },    { 5, true, true, { 1, 1, 1 } },
	{ 255, false, true, { 0, 0, 0 } },  { 255, true, true, { 1, 1, 1 } },
};

/*
 * Runs of adjacent branches in each of blocks[], with the CALL before it. What
 * follows the block's RET in count_run() is no branch, so there are as many
 * runs of other instructions.
 */
static const u32 branch_runs[] = {
	1, /* empty: CALL RET */
	2, /* nops: CALL, RET */
	5, /* branches: CALL, JZ JNZ JC JMP, JMP, JRCXZ, JRCXZ RET */
	21, /* loop: CALL, 19 times LOOP, LOOP RET */
	2, /* calls: CALL CALL RET, CALL RET RET */
	2, /* rep: CALL, RET */
	2, /* mixed: CALL, RET */
};

/* The cycles of one block: how many have `n` occurrences, how many have none,
 * and how many runs each of them makes. */
struct stream {
	const char *name;
	void (*block)(void);
	u32 n;
	u64 some, none;
	u64 some_runs, none_runs;
};

static u64 select(const struct rule *rule, bool edge)
{
	return EVTSEL_CMASK(rule->cmask) | (rule->inv ? EVTSEL_INV : 0) |
	       (rule->eq ? EVTSEL_EQ : 0) | (edge ? EVTSEL_E : 0);
}

static u64 expected(const struct rule *rule, bool edge, const struct stream *s)
{
	u32 some = rule->add[s->n], none = rule->add[NONE];

	if (!edge)
		return some * s->some + none * s->none;
	if (some && none)
		return 1;
	return (some ? s->some_runs : 0) + (none ? s->none_runs : 0);
}

static void note(struct sweep *sweep, const struct counter *c,
		 const struct stream *s, bool edge)
{
	for (size_t i = 0; i < ARRAY_SIZE(rules); i++) {
		const struct rule *rule = &rules[i];
		u64 want, got;

		if (rule->eq && !(pmu.ext_flags & EXT_EQ))
			continue;
		want = expected(rule, edge, s);
		got = arch_measure(c, c->start | select(rule, edge), s->block);
		sweep_note(sweep, got == want,
			   "%s: CMASK=%u INV=%u EQ=%u: got %lu want %lu",
			   s->name, rule->cmask, rule->inv, rule->eq, got,
			   want);
	}
}

/* Every instruction is a cycle of `n`: there are no others. */
static void check_constant(u32 number, u32 event, u32 n, const char *name)
{
	const struct counter c = counter_gp(number, event);
	const struct stream s = {
		.name = "nops",
		.block = block_nops,
		.n = n,
		.some = BLOCK_NOPS_INSNS + COUNT_RUN_INSNS,
		.some_runs = 1,
	};
	struct sweep level = { 0 }, edge = { 0 };

	note(&level, &c, &s, false);
	sweep_report(&level, "qualifiers: %s %u, %s", c.name, number, name);
	note(&edge, &c, &s, true);
	sweep_report(&edge, "qualifiers: %s %u, %s, edge", c.name, number,
		     name);
}

static struct stream branches_of(u32 i)
{
	const struct block *b = &blocks[i];
	u32 branches = b->branches + COUNT_RUN_BRANCHES;

	return (struct stream){
		.name = b->name,
		.block = b->run,
		.n = ONE,
		.some = branches,
		.none = b->instructions + COUNT_RUN_INSNS - branches,
		.some_runs = branch_runs[i],
		.none_runs = branch_runs[i],
	};
}

static void check_branches(u32 number)
{
	const struct counter c = counter_gp(number, pmu.event_branches);
	struct sweep level = { 0 }, edge = { 0 };

	for (u32 i = 0; i < block_count; i++) {
		struct stream s = branches_of(i);

		note(&level, &c, &s, false);
		note(&edge, &c, &s, true);
	}
	sweep_report(&level, "qualifiers: %s %u, branches", c.name, number);
	sweep_report(&edge, "qualifiers: %s %u, branches, edge", c.name,
		     number);
}

/*
 * block_nops at CPL 3: the kernel's cycles are on both sides of the user's. A
 * cycle at a CPL that is not counted is none, inverted or not, and ends a run.
 */
#define USER (BLOCK_NOPS_INSNS + USER_ENTER_USER_INSNS)
#define KERNEL (COUNT_RUN_INSNS + USER_ENTER_KERNEL_INSNS)
static const struct {
	const char *name;
	u64 bits;
	u64 user, kernel, both;
} level_rules[] = {
	{ "plain", 0, USER, KERNEL, USER + KERNEL },
	{ "CMASK=2", EVTSEL_CMASK(2), 0, 0, 0 },
	{ "CMASK=2 INV", EVTSEL_CMASK(2) | EVTSEL_INV, USER, KERNEL,
	  USER + KERNEL },
	{ "E", EVTSEL_E, 1, 2, 1 },
	{ "E CMASK=2 INV", EVTSEL_E | EVTSEL_CMASK(2) | EVTSEL_INV, 1, 2, 1 },
};

static void check_levels(u32 number)
{
	const struct counter c = counter_gp(number, pmu.event_instructions);
	struct sweep sweep = { 0 };

	user_prepare(block_nops, USER_EXIT_INT);
	for (size_t i = 0; i < ARRAY_SIZE(level_rules); i++) {
		const u64 levels[] = { c.usr, c.os, c.usr | c.os };
		const u64 wants[] = { level_rules[i].user,
				      level_rules[i].kernel,
				      level_rules[i].both };

		for (size_t k = 0; k < ARRAY_SIZE(levels); k++) {
			u64 start = (c.start & ~(c.usr | c.os)) | levels[k];
			u64 got = arch_measure(&c, start | level_rules[i].bits,
					       user_enter);

			sweep_note(&sweep, got == wants[k],
				   "%s, OS=%u USR=%u: got %lu want %lu",
				   level_rules[i].name, !!(start & c.os),
				   !!(start & c.usr), got, wants[k]);
		}
	}
	sweep_report(&sweep, "qualifiers: %s %u, by CPL", c.name, number);
}

/* The way out of CPL 3 is a branch, too, next to the block's RET. */
static void check_user_branches(u32 number)
{
	const struct counter c = counter_gp(number, pmu.event_branches);
	struct sweep sweep = { 0 };

	for (u32 i = 0; i < block_count; i++) {
		u64 got;

		user_prepare(blocks[i].run, USER_EXIT_INT);
		got = arch_measure(&c, (c.start & ~c.os) | EVTSEL_E,
				   user_enter);
		sweep_note(&sweep, got == branch_runs[i], "%s: got %lu want %u",
			   blocks[i].name, got, branch_runs[i]);
	}
	sweep_report(&sweep, "qualifiers: %s %u, branches at CPL 3, edge",
		     c.name, number);
}

/* ANY adds the core's other threads, of which a guest sees none. */
static void check_any_thread(void)
{
	struct counter c = counter_gp(0, pmu.event_instructions);
	u64 want = BLOCK_NOPS_INSNS + COUNT_RUN_INSNS;

	report_count(arch_measure(&c, c.start | EVTSEL_ANY, block_nops), want,
		     "qualifiers: %s 0, ANY counts this thread", c.name);
	if (!(pmu.fixed_map & BIT(0)))
		return;
	c = counter_fixed(0);
	report_count(arch_measure(&c, c.start | FIXED_ANY, block_nops), want,
		     "qualifiers: %s 0, ANY counts this thread", c.name);
	user_prepare(block_nops, USER_EXIT_INT);
	report_count(arch_measure(&c, FIXED_ANY, user_enter), 0,
		     "qualifiers: %s 0, ANY alone does not enable", c.name);
}

static void check_counter(u32 number)
{
	check_constant(number, pmu.event_instructions, ONE, "instructions");
	check_branches(number);
	if (arch_offered(ARCH_EVENT_SLOTS))
		check_constant(number, arch_events[ARCH_EVENT_SLOTS].select,
			       FOUR, "slots");
	check_levels(number);
	check_user_branches(number);
}

void test_main(void)
{
	if (!pmu_exact_or_skip("qualifiers"))
		return;
	if (block_count != ARRAY_SIZE(branch_runs))
		report_abort("qualifiers: a block without its runs");
	check_counter(0);
	if (arch_last_gp() != 0)
		check_counter(arch_last_gp());
	if (!arch_offered(ARCH_EVENT_SLOTS))
		report_skip("CPUID does not offer the event",
			    "qualifiers: slots");
	if (!(pmu.ext_flags & EXT_EQ))
		report_skip("CPUID does not offer it", "qualifiers: EQ");
	if (pmu.any_thread)
		check_any_thread();
	else
		report_skip("CPUID does not offer it", "qualifiers: ANY");
}
