// SPDX-License-Identifier: Apache-2.0
/* Which MSRs of both vendors' PMU name spaces exist: all, and no others. */
#include "lib/main.h"
#include "lib/msr.h"
#include "lib/pmu.h"
#include "lib/report.h"

struct range {
	const char *name;
	u32 first, last;
};

/* clang-format off */
static const struct range ranges[] = {
	{ "IA32_PMC", 0x0c1, 0x0cc },
	{ "IA32_PERFEVTSEL", 0x186, 0x18f },
	{ "IA32_FIXED_CTR", 0x309, 0x310 },
	{ "MSR_PERF_METRICS", 0x329, 0x329 },
	{ "IA32_PERF_CAPABILITIES", 0x345, 0x345 },
	{ "IA32_FIXED_CTR_CTRL and global", 0x38d, 0x392 },
	{ "IA32_A_PMC", 0x4c1, 0x4cc },
	/* With the holes between them. */
	{ "version 6 GP alias", 0x1900, 0x197f },
	{ "version 6 fixed alias", 0x1980, 0x19ff },
	{ "PerfCntrGlobal", 0xc0000300, 0xc0000303 },
	{ "PERF_LEGACY", 0xc0010000, 0xc0010007 },
	{ "PERF_CTL and PERF_CTR", 0xc0010200, 0xc001020b },
	{ "L3_PERF", 0xc0010230, 0xc001023b },
	{ "NB_PERF", 0xc0010240, 0xc001025f },
	{ "UMC_PERF", 0xc0010800, 0xc001083f },
};

/* What Intel's processors may have too, and what LBRs, LWP and IBS would. */
static const struct range amd_only[] = {
	{ "MPERF and APERF", 0x0e7, 0x0e8 },
	{ "MPERF, APERF read-only, IRPerfCount", 0xc00000e7, 0xc00000e9 },
	{ "LWP", 0xc0000105, 0xc0000106 },
	{ "LBR_SELECT and DebugExtnCtl", 0xc000010e, 0xc000010f },
	{ "PTSC", 0xc0010280, 0xc0010280 },
	{ "LBR stack", 0xc0010300, 0xc001031f },
	{ "IBS", 0xc0011030, 0xc001103d },
};

/* What PEBS, DS, LBRs, PT and older generations would have. */
static const struct range intel_absent[] = {
	{ "P5's CESR and counters", 0x011, 0x013 },
	{ "LBRs of Core 2", 0x040, 0x047 },
	{ "LBRs of Core 2, to", 0x060, 0x067 },
	{ "OFFCORE_RSP", 0x1a6, 0x1a7 },
	{ "LBR_SELECT and LBR_TOS", 0x1c8, 0x1c9 },
	{ "PEBS_DATA_CFG", 0x3f2, 0x3f2 },
	{ "PEBS_BASE to PEBS_FRONTEND", 0x3f4, 0x3f7 },
	{ "RTIT", 0x570, 0x58f },
	{ "DS_AREA", 0x600, 0x600 },
	{ "LBR_FROM", 0x680, 0x69f },
	{ "LBR_TO", 0x6c0, 0x6df },
	{ "LBR_INFO", 0xdc0, 0xddf },
	{ "architectural LBR_INFO", 0x1200, 0x121f },
	{ "RELOAD_FIXED_CTR", 0x1309, 0x1310 },
	{ "RELOAD_PMC", 0x14c1, 0x14cc },
	{ "architectural LBR_CTL and LBR_DEPTH", 0x14ce, 0x14cf },
	{ "architectural LBR_FROM", 0x1500, 0x151f },
	{ "architectural LBR_TO", 0x1600, 0x161f },
};
/* clang-format on */

static const char *outcome(u32 vector)
{
	return vector ? vector_name(vector) : "no fault";
}

/* Write back what was read: harmless, and allowed where writes are. */
static bool write_faults(const struct pmu_msr *m)
{
	return !m || m->kind == MSR_RO || m->kind == MSR_RUNS_RO;
}

static void check(struct sweep *sweep, u32 msr)
{
	const struct pmu_msr *m = pmu_msr_find(msr);
	u32 want = m ? 0 : VECTOR_GP;
	u64 value = 0;
	u32 got = rdmsr_safe(msr, &value);

	sweep_note(sweep, got == want, "rdmsr(%xh): %s, want %s", msr,
		   outcome(got), outcome(want));
	want = write_faults(m) ? VECTOR_GP : 0;
	got = wrmsr_safe(msr, value);
	sweep_note(sweep, got == want, "wrmsr(%xh, %lxh): %s, want %s", msr,
		   value, outcome(got), outcome(want));
}

/* 3F1H belongs to PEBS: there if IA32_PERF_CAPABILITIES names a format. */
static void check_pebs(void)
{
	bool pebs = pmu.capabilities >> 8 & 0xf;
	u64 value;

	report_vector(rdmsr_safe(0x3f1, &value), pebs ? 0 : VECTOR_GP,
		      "msr_exist: IA32_PEBS_ENABLE read");
	report_vector(wrmsr_safe(0x3f1, 0), pebs ? 0 : VECTOR_GP,
		      "msr_exist: IA32_PEBS_ENABLE write");
}

static void check_range(const struct range *range)
{
	struct sweep sweep = { 0 };

	for (u32 msr = range->first; msr <= range->last; msr++)
		check(&sweep, msr);
	sweep_report(&sweep, "msr_exist: %s", range->name);
}

/* Every register, also those that no range above covers. */
static void check_rows(void)
{
	struct sweep sweep = { 0 };

	for (u32 i = 0; i < pmu_msr_count; i++)
		check(&sweep, pmu_msrs[i].msr);
	sweep_report(&sweep, "msr_exist: all that the PMU has");
}

void test_main(void)
{
	for (size_t i = 0; i < ARRAY_SIZE(ranges); i++)
		check_range(&ranges[i]);
	check_rows();
	check_pebs();
	for (size_t i = 0; pmu.vendor == VENDOR_AMD && i < ARRAY_SIZE(amd_only);
	     i++)
		check_range(&amd_only[i]);
	if (!pmu.present || pmu.vendor != VENDOR_INTEL)
		return;
	for (size_t i = 0; i < ARRAY_SIZE(intel_absent); i++)
		check_range(&intel_absent[i]);
}
