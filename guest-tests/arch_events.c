// SPDX-License-Identifier: Apache-2.0
/* Intel's architectural events and fixed counters, offered and not. */
#include "lib/arch.h"
#include "lib/counter.h"
#include "lib/cpuid.h"
#include "lib/main.h"
#include "lib/msr.h"
#include "lib/rdpmc.h"
#include "lib/report.h"

#define UMASK2_1 BIT(40)
#define EVENTS_OF_V5 8

static struct cpuid leaf_a;

/* Can the machine that the README defines count it? */
static bool countable(u32 i)
{
	return arch_events[i].each || arch_events[i].branches;
}

static u32 event_length(void)
{
	return leaf_a.eax >> 24;
}

/* Leaf 23H tells of this core, leaf 0AH of what all cores have. */
static void check_cpuid(void)
{
	u32 length = event_length();
	u32 common = ~leaf_a.ebx & (u32)MASK(length);
	u32 here = cpuid_checked(0x23, 3).eax;

	report(length >= 7 && length <= ARCH_EVENTS,
	       "arch_events: 0AH:EAX[31:24] is 7 to %u", ARCH_EVENTS);
	report_eq(leaf_a.ebx & ~(u32)MASK(length), 0,
		  "arch_events: 0AH:EBX beyond its length");
	report(pmu.version >= 6 || length <= EVENTS_OF_V5,
	       "arch_events: more than %u came with version 6", EVENTS_OF_V5);
	if (pmu.version < 6) {
		report_skip("no leaf 23H", "arch_events: 23H.3:EAX");
		return;
	}
	report_eq(common & ~here, 0,
		  "arch_events: 23H.3:EAX has all that 0AH:EBX offers");
	report_eq(here & ~(u32)MASK(ARCH_EVENTS), 0,
		  "arch_events: 23H.3:EAX has no bit without an event");
}

/* Programs it, which must not fault, and counts each block. */
static void note_event(struct sweep *sweep, u32 number, u32 i)
{
	const struct counter c = counter_gp(number, arch_events[i].select);
	u32 vector = wrmsr_safe(c.ctl, c.start);

	sweep_note(sweep, !vector, "WRMSR: %s", vector_name(vector));
	if (vector)
		return;
	for (u32 k = 0; k < block_count; k++) {
		u64 got = arch_measure(&c, c.start, blocks[k].run);
		u64 want =
			arch_expected(i,
				      blocks[k].instructions + COUNT_RUN_INSNS,
				      blocks[k].branches + COUNT_RUN_BRANCHES);

		if (!arch_offered(i))
			want = 0;
		sweep_note(sweep, got == want, "IA32_PMC %u, %s: %lu, want %lu",
			   number, blocks[k].name, got, want);
	}
}

static void check_event(u32 i)
{
	struct sweep sweep = { 0 };
	bool offered = arch_offered(i);

	/* What cannot be counted is not offered, and the other way round. */
	if (i < event_length())
		report(offered == countable(i), "arch_events: %s %s",
		       arch_events[i].name,
		       countable(i) ? "offered" : "not offered");
	note_event(&sweep, 0, i);
	note_event(&sweep, arch_last_gp(), i);
	sweep_report(&sweep, "arch_events: %s, %s", arch_events[i].name,
		     offered ? "counted" : "not offered, accepted, 0");
}

/* An encoding that no list has: accepted, and nothing is counted. */
static void check_unknown(u64 select, const char *name)
{
	const struct counter c = counter_gp(0, 0);
	u32 vector = wrmsr_safe(c.ctl, c.start | select);

	report_vector(vector, 0, "arch_events: %s is accepted", name);
	if (!vector)
		report_count(arch_measure(&c, c.start | select, block_nops), 0,
			     "arch_events: %s counts nothing", name);
}

static void check_missing_fixed(u32 i)
{
	u64 value = 0;

	report_vector(rdmsr_safe(IA32_FIXED_CTR0 + i, &value), VECTOR_GP,
		      "arch_events: IA32_FIXED_CTR %u, not there, RDMSR", i);
	report_vector(rdpmc_safe(RDPMC_FIXED + i, &value), VECTOR_GP,
		      "arch_events: IA32_FIXED_CTR %u, not there, RDPMC", i);
}

static void check_fixed(u32 i)
{
	const struct counter c = counter_fixed(i);
	struct sweep sweep = { 0 };

	for (u32 k = 0; k < block_count; k++) {
		u64 got = arch_measure(&c, c.start, blocks[k].run);
		u64 want = (blocks[k].instructions + COUNT_RUN_INSNS) *
			   arch_fixed_each(i);

		sweep_note(&sweep, got == want, "%s: got %lu want %lu",
			   blocks[k].name, got, want);
	}
	sweep_report(&sweep, "arch_events: %s %u, %u per instruction", c.name,
		     i, arch_fixed_each(i));
}

void test_main(void)
{
	if (!pmu_exact_or_skip("arch_events"))
		return;
	leaf_a = cpuid_checked(0x0a, 0);
	check_cpuid();
	for (u32 i = 0; i < ARCH_EVENTS; i++)
		check_event(i);
	check_unknown(0xffff, "event FFH, unit mask FFH");
	check_unknown(0xfec0, "instructions with unit mask FEH");
	if (pmu.ext_flags & EXT_UMASK2)
		check_unknown(pmu.event_instructions | UMASK2_1,
			      "instructions with UMASK2");
	else
		report_skip("CPUID does not offer it", "arch_events: UMASK2");
	for (u32 i = 0; i < ARCH_FIXED; i++) {
		if (pmu.fixed_map & BIT(i))
			check_fixed(i);
		else
			check_missing_fixed(i);
	}
}
