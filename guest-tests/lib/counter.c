// SPDX-License-Identifier: Apache-2.0
/* Driving one counter, general-purpose or fixed, of either vendor. */
#include "lib/counter.h"

#include "lib/msr.h"

#define FIXED_CTRL_OS BIT(0)
#define FIXED_CTRL_USR BIT(1)
#define FIXED_CTRL_PMI BIT(3)

void block_branches(void);
void block_loop(void);
void block_calls(void);
void block_rep(void);
void block_mixed(void);

/* clang-format off */
const struct block blocks[] = {
	/* name, entry, instructions, branches, taken */
	{ "empty", block_empty, 1, 1, 1 },
	{ "nops", block_nops, BLOCK_NOPS_INSNS, 1, 1 },
	{ "branches", block_branches, 12, 8, 5 },
	{ "loop", block_loop, 42, 21, 20 },
	{ "calls", block_calls, 6, 5, 5 },
	{ "rep", block_rep, 11, 1, 1 },
	{ "mixed", block_mixed, 15, 1, 1 },
};
/* clang-format on */
const u32 block_count = ARRAY_SIZE(blocks);

struct counter counter_gp(u32 n, u32 event)
{
	bool intel = pmu.vendor == VENDOR_INTEL;

	return (struct counter){
		.name = intel ? "IA32_PMC" : "PERF_CTR",
		.number = n,
		.ctl = pmu_evtsel_msr(n),
		.msr = pmu.fw_write ? IA32_A_PMC0 + n : pmu_counter_msr(n),
		.rdpmc = n,
		.width = pmu.gp_width,
		.status_bit = n,
		.start = event | EVTSEL_OS | EVTSEL_USR | EVTSEL_EN,
		.interrupt = EVTSEL_INT,
		.os = EVTSEL_OS,
		.usr = EVTSEL_USR,
	};
}

struct counter counter_fixed(u32 i)
{
	u32 shift = 4 * i;

	return (struct counter){
		.name = "IA32_FIXED_CTR",
		.number = i,
		.fixed = true,
		.ctl = IA32_FIXED_CTR_CTRL,
		.msr = IA32_FIXED_CTR0 + i,
		.rdpmc = RDPMC_FIXED + i,
		.width = pmu.fixed_width,
		.status_bit = 32 + i,
		.start = (FIXED_CTRL_OS | FIXED_CTRL_USR) << shift,
		.interrupt = FIXED_CTRL_PMI << shift,
		.os = FIXED_CTRL_OS << shift,
		.usr = FIXED_CTRL_USR << shift,
	};
}

static u32 bit_count(u32 map)
{
	u32 count = 0;

	for (; map; map &= map - 1)
		count++;
	return count;
}

/* The number of the bit that has i set ones below it. */
static u32 bit_number(u32 map, u32 i)
{
	while (i--)
		map &= map - 1;
	return (u32)__builtin_ctz(map);
}

u32 counter_total_gp(void)
{
	return bit_count(pmu.gp_map);
}

u32 counter_total(void)
{
	return counter_total_gp() + bit_count(pmu.fixed_map);
}

u32 counter_count(void)
{
	return counter_total_gp() + (pmu.fixed_map & 1);
}

struct counter counter_get(u32 i)
{
	u32 gp = counter_total_gp();

	if (i < gp)
		return counter_gp(bit_number(pmu.gp_map, i),
				  pmu.event_instructions);
	return counter_fixed(bit_number(pmu.fixed_map, i - gp));
}

void counter_stop_all(void)
{
	for (u32 n = 0; n < 32; n++)
		if (pmu.gp_map & BIT(n))
			wrmsr(pmu_evtsel_msr(n), 0);
	if (pmu.fixed_map)
		wrmsr(IA32_FIXED_CTR_CTRL, 0);
}

void counter_write(const struct counter *c, u64 value)
{
	wrmsr(c->msr, value & MASK(c->width));
}

void counter_prepare(const struct counter *c)
{
	u64 all = pmu.gp_map | (u64)pmu.fixed_map << 32;

	counter_stop_all();
	if (pmu_has_global()) {
		wrmsr(pmu_global_ctrl_msr(), all);
		wrmsr(pmu_global_clear_msr(), all);
	}
	counter_write(c, 0);
}
