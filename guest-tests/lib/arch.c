// SPDX-License-Identifier: Apache-2.0
/* Intel's architectural events and fixed counters: what they are to count. */
#include "lib/arch.h"

#include "lib/cpuid.h"
#include "lib/msr.h"

#define F7_EBX_HLE BIT(4)
#define F7_EBX_RTM BIT(11)
#define EXT_EVENTS BIT(3) /* 23H.0:EAX: subleaf 3 is valid */

/* clang-format off */
const struct arch_event arch_events[ARCH_EVENTS] = {
	/* name, select, each, branches */
	{ "core cycles", 0x003c, 1, false },
	{ "instructions", 0x00c0, 1, false },
	{ "reference cycles", 0x013c, 1, false },
	{ "LLC references", 0x4f2e, 0, false },
	{ "LLC misses", 0x412e, 0, false },
	{ "branches", 0x00c4, 0, true },
	{ "branch misses", 0x00c5, 0, false },
	{ "slots", 0x01a4, ARCH_SLOTS_PER_CYCLE, false },
	{ "backend bound", 0x02a4, 0, false },
	{ "bad speculation", 0x0073, 0, false },
	{ "frontend bound", 0x019c, 0, false },
	{ "retiring", 0x02c2, ARCH_SLOTS_PER_CYCLE, false },
	{ "LBR inserts", 0x01e4, 0, false },
};
/* clang-format on */

static bool ext_events(u32 *bitmap)
{
	if (pmu.version < 6 || !(cpuid_checked(0x23, 0).eax & EXT_EVENTS))
		return false;
	*bitmap = cpuid(0x23, 3).eax;
	return true;
}

bool arch_offered(u32 i)
{
	struct cpuid a = cpuid_checked(0x0a, 0);
	u32 bitmap;

	if (pmu.vendor != VENDOR_INTEL)
		return false;
	if (!ext_events(&bitmap))
		bitmap = ~a.ebx & (u32)MASK(a.eax >> 24);
	return bitmap & BIT(i);
}

u64 arch_expected(u32 i, u64 instructions, u64 branches)
{
	const struct arch_event *e = &arch_events[i];

	return e->branches ? branches : e->each * instructions;
}

u32 arch_fixed_each(u32 i)
{
	/* Instructions, core cycles, TSC cycles, slots, bad speculation,
	 * frontend bound, retiring. */
	static const u32 each[ARCH_FIXED] = {
		1, 1, 1, ARCH_SLOTS_PER_CYCLE, 0, 0, ARCH_SLOTS_PER_CYCLE,
	};

	return i < ARCH_FIXED ? each[i] : 0;
}

bool arch_tsx(void)
{
	return cpuid_checked(7, 0).ebx & (F7_EBX_HLE | F7_EBX_RTM);
}

u32 arch_last_gp(void)
{
	return counter_get(counter_total_gp() - 1).number;
}

u64 arch_measure(const struct counter *c, u64 start, void (*block)(void))
{
	counter_prepare(c);
	count_run(c->ctl, start, block);
	return rdmsr(c->msr);
}
