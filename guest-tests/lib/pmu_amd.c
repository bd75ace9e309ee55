// SPDX-License-Identifier: Apache-2.0
/* AMD's PMU registers: which exist, and which of their bits. */
#include "lib/cpuid.h"
#include "lib/pmu_rows.h"

static u64 bits_none(u32 unit)
{
	(void)unit;
	return 0;
}

static u64 bits_gp(u32 unit)
{
	(void)unit;
	return MASK(pmu.gp_width);
}

static u32 map_legacy(void)
{
	return pmu.present ? 0xf : 0;
}

static u32 map_ext_core(void)
{
	return pmu.ext_core ? pmu.gp_map : 0;
}

static u32 map_perfmon_v2(void)
{
	return pmu.v2;
}

static u32 map_l3(void)
{
	return pmu.l3_map;
}

static u32 map_nb(void)
{
	return pmu.nb_map;
}

static u64 bits_perf_ctl(u32 unit)
{
	/* PreciseRetire exists in PERF_CTL2 only. */
	if (unit == 2 && cpuid_checked(0x80000021, 0).eax & BIT(12))
		return 0x0000080fffd7ffff;
	return 0x0000000fffd7ffff;
}

/* GuestOnly and HostOnly may be kept or dropped. */
static u64 maybe_perf_ctl(u32 unit)
{
	(void)unit;
	return BIT(40) | BIT(41);
}

static u64 bits_uncore_ctl(u32 unit)
{
	(void)unit;
	return 0x0040ffff;
}

static u64 bits_uncore_ctr(u32 unit)
{
	(void)unit;
	return MASK(48);
}

static u64 bits_amd_global(u32 unit)
{
	(void)unit;
	return pmu.gp_map;
}

static u64 maybe_all_else(u32 unit)
{
	return ~bits_uncore_ctl(unit);
}

static u64 maybe_bit_48(u32 unit)
{
	(void)unit;
	return BIT(48);
}

/* clang-format off */
const struct msr_row amd_rows[] = {
	{ 0xc0000300, 1, "PerfCntrGlobalStatus", MSR_RO_IGNORED, map_perfmon_v2, bits_none, NULL },
	{ 0xc0000301, 1, "PerfCntrGlobalCtl", MSR_RW, map_perfmon_v2, bits_amd_global, NULL },
	{ 0xc0000302, 1, "PerfCntrGlobalStatusClr", MSR_W1, map_perfmon_v2, bits_amd_global, NULL },
	{ 0xc0000303, 1, "PerfCntrGlobalStatusSet", MSR_W1, map_perfmon_v2, bits_amd_global, NULL },
	{ 0xc0010000, 1, "PERF_LEGACY_CTL", MSR_RW, map_legacy, bits_perf_ctl, maybe_perf_ctl },
	{ 0xc0010004, 1, "PERF_LEGACY_CTR", MSR_RW, map_legacy, bits_gp, NULL },
	{ 0xc0010200, 2, "PERF_CTL", MSR_RW, map_ext_core, bits_perf_ctl, maybe_perf_ctl },
	{ 0xc0010201, 2, "PERF_CTR", MSR_RW, map_ext_core, bits_gp, NULL },
	{ 0xc0010230, 2, "L3_PERF_CTL", MSR_RW, map_l3, bits_uncore_ctl, maybe_all_else },
	{ 0xc0010231, 2, "L3_PERF_CTR", MSR_RW, map_l3, bits_uncore_ctr, maybe_bit_48 },
	{ 0xc0010240, 2, "NB_PERF_CTL", MSR_RW, map_nb, bits_uncore_ctl, maybe_all_else },
	{ 0xc0010241, 2, "NB_PERF_CTR", MSR_RW, map_nb, bits_uncore_ctr, NULL },
};
/* clang-format on */
const u32 amd_row_count = ARRAY_SIZE(amd_rows);
