// SPDX-License-Identifier: Apache-2.0
/* What each core counter counts, at which CPL, and how it overflows. */
#include "lib/counter.h"
#include "lib/irq.h"
#include "lib/main.h"
#include "lib/msr.h"
#include "lib/report.h"
#include "lib/user.h"

#define COUNTED (BLOCK_NOPS_INSNS + COUNT_RUN_INSNS)
#define USER (BLOCK_NOPS_INSNS + USER_ENTER_USER_INSNS)
#define KERNEL (COUNT_RUN_INSNS + USER_ENTER_KERNEL_INSNS)

#define FAMILY_15H 0x15
/* On family 15H an event of 60H to 9FH counts in the first three only. */
#define FAMILY_15H_CU 3
#define HG_ONLY (PERF_CTL_GUEST_ONLY | PERF_CTL_HOST_ONLY)

static u64 measure(const struct counter *c, u64 start, void (*block)(void))
{
	counter_prepare(c);
	count_run(c->ctl, start, block);
	return rdmsr(c->msr);
}

enum { CYCLES, INSTRUCTIONS, BRANCHES, TAKEN };
static const struct {
	const char *name;
	u32 event;
} events[] = {
	[CYCLES] = { "76H", 0x76 },
	[INSTRUCTIONS] = { "C0H", 0xc0 },
	[BRANCHES] = { "C2H", 0xc2 },
	[TAKEN] = { "C4H", 0xc4 },
};

static u64 expected(const struct counter *c, u32 event, const struct block *b)
{
	bool apart = pmu.family == FAMILY_15H && c->number >= FAMILY_15H_CU;

	switch (event) {
	case CYCLES:
		return apart ? 0 : b->instructions + COUNT_RUN_INSNS;
	case INSTRUCTIONS:
		return b->instructions + COUNT_RUN_INSNS;
	case BRANCHES:
		return b->branches + COUNT_RUN_BRANCHES;
	default:
		return b->taken + COUNT_RUN_BRANCHES;
	}
}

static void check_event(const struct counter *c, u32 event)
{
	u64 start = c->start - pmu.event_instructions + events[event].event;
	struct sweep sweep = { 0 };

	for (u32 i = 0; i < block_count; i++) {
		u64 want = expected(c, event, &blocks[i]);
		u64 got = measure(c, start, blocks[i].run);

		sweep_note(&sweep, got == want, "%s: %lu, want %lu",
			   blocks[i].name, got, want);
	}
	sweep_report(&sweep, "amd_events: %s %u, %s", c->name, c->number,
		     events[event].name);
}

/* Accepted, and nothing in the machine of an exact count: mispredicted
 * branches; and what is no event: of bits 35:32, of Intel, and FFFH alone. */
static void check_nothing(const struct counter *c)
{
	static const u64 nothing[] = {
		0xc3,	     0x3c,	  0x00,	       0xfe,	    0xff,
		0x1000000c0, 0x800000076, 0x2000000c2, 0xf000000ff, 0xf000000fe,
	};
	struct sweep sweep = { 0 };

	for (size_t i = 0; i < ARRAY_SIZE(nothing); i++) {
		u64 start = c->start - pmu.event_instructions + nothing[i];
		u64 got;

		counter_prepare(c);
		wrmsr(c->ctl, start);
		sweep_note(&sweep, rdmsr(c->ctl) == start, "%lxh: kept as %lxh",
			   nothing[i], rdmsr(c->ctl));
		got = measure(c, start, block_nops);
		sweep_note(&sweep, !got, "%lxh: %lu, want 0", nothing[i], got);
	}
	sweep_report(&sweep, "amd_events: %s %u, nothing to count", c->name,
		     c->number);
}

static void check_levels(const struct counter *c)
{
	u64 off = c->start & ~(c->os | c->usr);
	struct sweep sweep = { 0 };

	user_prepare(block_nops, USER_EXIT_INT);
	for (u32 way = 0; way < 4; way++) {
		bool usr = way & 1, os = way & 2;
		u64 want = (usr ? USER : 0) + (os ? KERNEL : 0);
		u64 got =
			measure(c, off | (usr ? c->usr : 0) | (os ? c->os : 0),
				user_enter);

		sweep_note(&sweep, got == want, "USR=%u OS=%u: %lu, want %lu",
			   usr, os, got, want);
	}
	sweep_report(&sweep, "amd_events: %s %u, by CPL", c->name, c->number);
}

/* Kept or dropped; where they are kept, nothing counts with EFER.SVME 0. */
static void check_host_guest(const struct counter *c)
{
	static const u64 only[] = { PERF_CTL_GUEST_ONLY, PERF_CTL_HOST_ONLY,
				    HG_ONLY };
	struct sweep sweep = { 0 };
	u64 kept;

	counter_prepare(c);
	wrmsr(c->ctl, HG_ONLY);
	kept = rdmsr(c->ctl);
	sweep_note(&sweep, !kept || kept == HG_ONLY, "kept: %lxh", kept);
	for (size_t i = 0; i < ARRAY_SIZE(only); i++) {
		u64 want = kept ? 0 : COUNTED;
		u64 got = measure(c, c->start | only[i], block_nops);

		sweep_note(&sweep, got == want, "%lxh: %lu, want %lu", only[i],
			   got, want);
	}
	sweep_report(&sweep, "amd_events: %s %u, GuestOnly and HostOnly %s",
		     c->name, c->number, kept ? "kept" : "dropped");
}

static u64 status(void)
{
	return pmu.v2 ? rdmsr(AMD_GLOBAL_STATUS) : 0;
}

/* Out of bit 47, on the first instruction, the last, and not quite. */
static void check_overflow(const struct counter *c)
{
	static const u64 lefts[] = { 1, 4, COUNTED, COUNTED + 1 };
	struct sweep sweep = { 0 };

	for (u32 k = 0; k < 2 * ARRAY_SIZE(lefts); k++) {
		u64 left = lefts[k / 2];
		bool over = left <= COUNTED, interrupt = k & 1;
		u64 bit = pmu.v2 && over ? BIT(c->status_bit) : 0;
		u32 irqs;

		counter_prepare(c);
		counter_write(c, -left);
		irq_arm_lvtpc();
		count_run(c->ctl, c->start | (interrupt ? c->interrupt : 0),
			  block_nops);
		irqs = irq_taken();
		sweep_note(&sweep,
			   rdmsr(c->msr) == ((COUNTED - left) & MASK(48)),
			   "%lu before: %lxh", left, rdmsr(c->msr));
		sweep_note(&sweep, irqs == (over && interrupt),
			   "%lu before, Int=%u: %u interrupts", left, interrupt,
			   irqs);
		sweep_note(&sweep, status() == bit, "%lu before: status %lxh",
			   left, status());
	}
	sweep_report(&sweep, "amd_events: %s %u, overflow", c->name, c->number);
}

void test_main(void)
{
	if (!pmu_exact_or_skip("amd_events"))
		return;
	irq_init();
	for (u32 i = 0; i < counter_total(); i++) {
		const struct counter c = counter_get(i);

		for (u32 e = 0; e < ARRAY_SIZE(events); e++)
			check_event(&c, e);
		check_nothing(&c);
		check_levels(&c);
		check_host_guest(&c);
		check_overflow(&c);
	}
}
