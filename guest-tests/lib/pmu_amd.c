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

static u32 map_one(void)
{
	return 1;
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

static u32 map_umc(void)
{
	return pmu.umc_map;
}

static u32 map_irperf(void)
{
	return pmu.irperf;
}

static u32 map_effreq(void)
{
	return pmu.effreq;
}

static u32 map_effreq_ro(void)
{
	return pmu.effreq_ro;
}

/* It has always been there, but then it is none of the PMU's. */
static u32 map_hwcr(void)
{
	return pmu.irperf || pmu.effreq;
}

static u32 map_ptsc(void)
{
	return pmu.ptsc;
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
	return PERF_CTL_GUEST_ONLY | PERF_CTL_HOST_ONLY;
}

static u64 bits_nb_ctl(u32 unit)
{
	(void)unit;
	if (pmu.v2)
		return 0x0000003f0f40ffff;
	if (pmu.family >= 0x17)
		return 0x1800000f0040ffff;
	return pmu.family == 0x16 ? 0x0000000f0050ffff : 0x000001ff0050ffff;
}

static u64 bits_l3_ctl(u32 unit)
{
	(void)unit;
	if (pmu.v2 || pmu.family >= 0x19)
		return 0x0307dc000040ffff;
	return pmu.family == 0x16 ? 0x0000000f0050ffff : 0xff0f00000040ffff;
}

static u64 bits_umc_ctl(u32 unit)
{
	(void)unit;
	return 0x800003ff;
}

static u64 bits_48(u32 unit)
{
	(void)unit;
	return MASK(48);
}

/* With the Overflow bit. */
static u64 bits_49(u32 unit)
{
	(void)unit;
	return MASK(49);
}

static u64 bits_64(u32 unit)
{
	(void)unit;
	return MASK(64);
}

static u64 bits_amd_global(u32 unit)
{
	(void)unit;
	return pmu.gp_map;
}

static u64 bits_status(u32 unit)
{
	(void)unit;
	return pmu.gp_map |
	       (pmu.freeze ? GLOBAL_LBR_FROZEN | GLOBAL_PMC_FROZEN : 0);
}

/* The pins of old, and the freezes. */
static u64 bits_debugctl(u32 unit)
{
	(void)unit;
	return 0x3c |
	       (pmu.freeze ? DEBUGCTL_FREEZE_LBRS | DEBUGCTL_FREEZE_PERFMON
			   : 0);
}

/* Nobody needs these for counting. */
static u64 maybe_debugctl(u32 unit)
{
	(void)unit;
	return DEBUGCTL_LBR | DEBUGCTL_BTF;
}

/* clang-format off */
const struct msr_row amd_rows[] = {
	{ AMD_MPERF, 1, "MPERF", MSR_RUNS, map_effreq, bits_64, NULL },
	{ AMD_APERF, 1, "APERF", MSR_RUNS, map_effreq, bits_64, NULL },
	{ AMD_DEBUGCTL, 1, "DebugCtl", MSR_RW, map_one, bits_debugctl, maybe_debugctl },
	{ AMD_MPERF_RO, 1, "MperfReadOnly", MSR_RUNS_RO, map_effreq_ro, bits_none, NULL },
	{ AMD_APERF_RO, 1, "AperfReadOnly", MSR_RUNS_RO, map_effreq_ro, bits_none, NULL },
	{ AMD_IRPERF, 1, "IRPerfCount", MSR_RW, map_irperf, bits_48, NULL },
	{ AMD_GLOBAL_STATUS, 1, "PerfCntrGlobalStatus", MSR_RO_IGNORED, map_perfmon_v2, bits_none, NULL },
	{ AMD_GLOBAL_CTL, 1, "PerfCntrGlobalCtl", MSR_RW, map_perfmon_v2, bits_amd_global, NULL },
	{ AMD_GLOBAL_STATUS_CLR, 1, "PerfCntrGlobalStatusClr", MSR_W1, map_perfmon_v2, bits_status, NULL },
	{ AMD_GLOBAL_STATUS_SET, 1, "PerfCntrGlobalStatusSet", MSR_W1, map_perfmon_v2, bits_status, NULL },
	{ PERF_LEGACY_CTL0, 1, "PERF_LEGACY_CTL", MSR_RW, map_legacy, bits_perf_ctl, maybe_perf_ctl },
	{ PERF_LEGACY_CTR0, 1, "PERF_LEGACY_CTR", MSR_RW, map_legacy, bits_gp, NULL },
	{ AMD_HWCR, 1, "HWCR", MSR_OTHERS, map_hwcr, bits_none, NULL },
	{ PERF_CTL0, 2, "PERF_CTL", MSR_RW, map_ext_core, bits_perf_ctl, maybe_perf_ctl },
	{ PERF_CTR0, 2, "PERF_CTR", MSR_RW, map_ext_core, bits_gp, NULL },
	{ L3_PERF_CTL0, 2, "L3_PERF_CTL", MSR_RW, map_l3, bits_l3_ctl, NULL },
	{ L3_PERF_CTR0, 2, "L3_PERF_CTR", MSR_RW, map_l3, bits_49, NULL },
	{ NB_PERF_CTL0, 2, "NB_PERF_CTL", MSR_RW, map_nb, bits_nb_ctl, NULL },
	{ NB_PERF_CTR0, 2, "NB_PERF_CTR", MSR_RW, map_nb, bits_48, NULL },
	{ AMD_PTSC, 1, "PTSC", MSR_RUNS_RO, map_ptsc, bits_none, NULL },
	{ UMC_PERF_CTL0, 2, "UMC_PERF_CTL", MSR_RW, map_umc, bits_umc_ctl, NULL },
	{ UMC_PERF_CTR0, 2, "UMC_PERF_CTR", MSR_RW, map_umc, bits_49, NULL },
};
/* clang-format on */
const u32 amd_row_count = ARRAY_SIZE(amd_rows);
