// SPDX-License-Identifier: Apache-2.0
/* Which MSRs of both vendors' PMU name spaces exist: all, and no others. */
#include "lib/main.h"
#include "lib/msr.h"
#include "lib/pmu.h"
#include "lib/report.h"

/* clang-format off */
static const struct {
	const char *name;
	u32 first, last;
} ranges[] = {
	{ "IA32_PMC", 0x0c1, 0x0cc },
	{ "IA32_PERFEVTSEL", 0x186, 0x18f },
	{ "IA32_FIXED_CTR", 0x309, 0x310 },
	{ "MSR_PERF_METRICS", 0x329, 0x329 },
	{ "IA32_PERF_CAPABILITIES", 0x345, 0x345 },
	{ "IA32_FIXED_CTR_CTRL and global", 0x38d, 0x392 },
	{ "IA32_A_PMC", 0x4c1, 0x4cc },
	{ "version 6 GP alias", 0x1900, 0x1901 },
	{ "version 6 fixed alias", 0x1980, 0x1980 },
	{ "PerfCntrGlobal", 0xc0000300, 0xc0000303 },
	{ "PERF_LEGACY", 0xc0010000, 0xc0010007 },
	{ "PERF_CTL and PERF_CTR", 0xc0010200, 0xc001020b },
	{ "L3_PERF", 0xc0010230, 0xc001023b },
	{ "NB_PERF", 0xc0010240, 0xc001025f },
};
/* clang-format on */

static const char *outcome(u32 vector)
{
	return vector ? vector_name(vector) : "no fault";
}

/* Write back what was read: harmless, and allowed where writes are. */
static bool write_faults(const struct pmu_msr *m)
{
	return !m || m->kind == MSR_RO;
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

void test_main(void)
{
	for (size_t i = 0; i < ARRAY_SIZE(ranges); i++) {
		struct sweep sweep = { 0 };

		for (u32 msr = ranges[i].first; msr <= ranges[i].last; msr++)
			check(&sweep, msr);
		sweep_report(&sweep, "msr_exist: %s", ranges[i].name);
	}
	check_pebs();
}
