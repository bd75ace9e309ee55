/* SPDX-License-Identifier: Apache-2.0 */
/* core/reset.c: what RESET and INIT leave. */
#include <string.h>

#include "tests/harness.h"

struct value_row {
	int line;
	const char *model;
	uint32_t msr;
	uint64_t dirty;
	uint64_t reset;
	uint64_t init;
};

/* SDM 3A, "Processor State After Reset"; APM 2, "Initialization". */
/* clang-format off */
static const struct value_row values[] = {
	{ __LINE__, "intel-v2", 0x0c1, 0x1234, 0, 0x1234 },
	{ __LINE__, "intel-v2", 0x186, 0x4300c0, 0, 0x4300c0 },
	{ __LINE__, "intel-v2", 0x309, 0x1234, 0, 0x1234 },
	{ __LINE__, "intel-v2", 0x38d, 0xbbb, 0, 0xbbb },
	{ __LINE__, "intel-v2", 0x38f, 0x700000000, 0x3, 0x700000000 },
	{ __LINE__, "intel-v2", 0x1d9, 0x1800, 0, 0 },
	{ __LINE__, "intel-v5", 0x4c8, 0x1234, 0, 0x1234 },
	{ __LINE__, "intel-v5", 0x18d, 0x4300c0, 0, 0x4300c0 },
	{ __LINE__, "intel-v5", 0x38f, 0, 0xff, 0 },
	{ __LINE__, "intel-v5,gp=4", 0x38f, 0, 0xf, 0 },
	{ __LINE__, "intel-v5", 0x1d9, 0x1000, 0, 0 },
	{ __LINE__, "intel-v5", 0x1a0, 0x1880, 0x1881, 0x1880 },
	{ __LINE__, "intel-v1", 0x0c2, 0x1234, 0, 0x1234 },
	{ __LINE__, "intel-v1", 0x187, 0x4300c0, 0, 0x4300c0 },
	{ __LINE__, "intel-v1", 0x1a0, 0x1880, 0x1881, 0x1880 },
	{ __LINE__, "intel-v3", 0x4c4, 0x1234, 0, 0x1234 },
	{ __LINE__, "intel-v3", 0x38d, 0xfff, 0, 0xfff },
	{ __LINE__, "intel-v3", 0x38f, 0x700000000, 0xf, 0x700000000 },
	{ __LINE__, "intel-v3", 0x1d9, 0x5800, 0, 0 },
	{ __LINE__, "intel-v4", 0x38f, 0x300000000, 0xf, 0x300000000 },
	{ __LINE__, "intel-v4", 0x1d9, 0x5800, 0, 0 },
	{ __LINE__, "intel-v5", 0x329, 0x1234, 0, 0x1234 },
	{ __LINE__, "intel-v6", 0x1924, 0x1234, 0, 0x1234 },
	{ __LINE__, "intel-v6", 0x1925, 0x4300c0, 0, 0x4300c0 },
	{ __LINE__, "intel-v6", 0x198c, 0x1234, 0, 0x1234 },
	{ __LINE__, "intel-v6", 0x329, UINT64_MAX, 0, UINT64_MAX },
	{ __LINE__, "intel-v6", 0x38d, 0xfbbb, 0, 0xfbbb },
	{ __LINE__, "intel-v6", 0x38f, 0x0001000f00000300, 0xff, 0x0001000f00000300 },
	{ __LINE__, "intel-v6", 0x1d9, 0x5800, 0, 0 },
	{ __LINE__, "amd-k7", 0xc0010000, 0x430076, 0, 0x430076 },
	{ __LINE__, "amd-k7", 0xc0010004, 0x1234, 0, 0x1234 },
	{ __LINE__, "amd-f17h", 0xc001020a, 0x430076, 0, 0x430076 },
	{ __LINE__, "amd-f17h", 0xc001020b, 0x1234, 0, 0x1234 },
	{ __LINE__, "amd-f17h", 0x1d9, 0x3c, 0, 0 },
	{ __LINE__, "none", 0x1a0, 0x1800, 0x1801, 0x1800 },
};
/* clang-format on */

static void registers(void)
{
	struct harness h;

	for (size_t i = 0; i < ARRAY_SIZE(values); i++) {
		const struct value_row *row = &values[i];

		harness_open(&h, row->model);
		CHECK_AT(row->line, rdmsr(&h, row->msr) == row->reset);
		CHECK_AT(row->line, !wrmsr(&h, row->msr, row->dirty));
		vpmu_reset(h.vcpu, VPMU_RESET_INIT);
		CHECK_AT(row->line, rdmsr(&h, row->msr) == row->init);
		CHECK_AT(row->line, !wrmsr(&h, row->msr, row->dirty));
		vpmu_reset(h.vcpu, VPMU_RESET_POWER);
		CHECK_AT(row->line, rdmsr(&h, row->msr) == row->reset);
		harness_close(&h);
	}
}

/* Problem 16: of the counters that CPUID.0AH:EAX[15:8] tells of. */
static void global_ctrl(void)
{
	/* clang-format off */
	static const struct {
		int line;
		const char *model;
		uint64_t reset;
	} rows[] = {
		{ __LINE__, "intel-v2", 0x3 },
		{ __LINE__, "intel-v3", 0xf },
		{ __LINE__, "intel-v4", 0xf },
		{ __LINE__, "intel-v4,gp=1", 0x1 },
		{ __LINE__, "intel-v4,gp=8", 0xff },
		{ __LINE__, "intel-v5", 0xff },
		{ __LINE__, "intel-v5,gp=3,fixed=0", 0x7 },
		{ __LINE__, "intel-v5,gp=14", 0x3fff },
		{ __LINE__, "intel-v6", 0xff },
		{ __LINE__, "intel-v6,gp=10", 0x3ff },
		{ __LINE__, "intel-v6,gp=2,gp_map=0x93", 0x3 },
	};
	/* clang-format on */
	struct harness h;

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		harness_open(&h, rows[i].model);
		CHECK_AT(rows[i].line, rdmsr(&h, 0x38f) == rows[i].reset);
		harness_close(&h);
	}
}

/* Every writable register dirtied: INIT changes IA32_DEBUGCTL alone. */
static void init_leaves_all_but_debugctl(void)
{
	uint64_t before[256];
	struct harness h;

	for (const char *const *model = harness_models; *model; model++) {
		harness_open(&h, *model);
		CU_ASSERT_TRUE_FATAL(h.pmu->nmsrs <= ARRAY_SIZE(before));
		for (uint32_t i = 0; i < h.pmu->nmsrs; i++)
			wrmsr(&h, h.pmu->msrs[i].index,
			      h.pmu->msrs[i].writable);
		for (uint32_t i = 0; i < h.pmu->nmsrs; i++)
			before[i] = rdmsr(&h, h.pmu->msrs[i].index);
		vpmu_reset(h.vcpu, VPMU_RESET_INIT);
		for (uint32_t i = 0; i < h.pmu->nmsrs; i++) {
			uint32_t msr = h.pmu->msrs[i].index;

			CHECK_AT(msr, rdmsr(&h, msr) ==
					      (msr == 0x1d9 ? 0 : before[i]));
		}
		harness_close(&h);
	}
}

static void reset_stops(void)
{
	struct harness h;

	harness_open(&h, "intel-v5");
	wrmsr(&h, 0x4c1, UINT64_C(0xffffffffffff));
	wrmsr(&h, 0x186, EN | OS | INT | 0xc0);
	wrmsr(&h, 0x391, BIT(59) | BIT(58));
	wrmsr(&h, 0x390, BIT(59));
	retire(&h, 1, 0);
	CU_ASSERT_EQUAL(rdmsr(&h, 0x38e), BIT(58) | 1);
	vpmu_retire_missed(h.vcpu);
	vpmu_reset(h.vcpu, VPMU_RESET_POWER);
	CU_ASSERT_EQUAL(vpmu_wants_retire(h.vcpu), 0);
	CU_ASSERT_EQUAL(vpmu_take_pmi(h.vcpu), 0);
	CU_ASSERT_EQUAL(rdmsr(&h, 0x38e), 0);
	CU_ASSERT_EQUAL(counter(&h, "PMC0").health, VPMU_HEALTH_IDLE);
	/* And works again. */
	wrmsr(&h, 0x186, EN | OS | 0xc0);
	retire(&h, 2, 0);
	CU_ASSERT_EQUAL(rdpmc(&h, 0), 2);
	harness_close(&h);
}

static void init_goes_on(void)
{
	struct harness h;

	harness_open(&h, "intel-v5");
	wrmsr(&h, 0x186, EN | OS | 0xc0);
	retire(&h, 2, 0);
	wrmsr(&h, 0x391, 2);
	vpmu_reset(h.vcpu, VPMU_RESET_INIT);
	retire(&h, 2, 0);
	CU_ASSERT_EQUAL(rdpmc(&h, 0), 4);
	CU_ASSERT_EQUAL(rdmsr(&h, 0x38e), 2);
	harness_close(&h);
}

/* Every writable register dirtied: RESET leaves what a new vCPU has. */
static void no_leak(void)
{
	struct harness fresh, h;

	for (const char *const *model = harness_models; *model; model++) {
		harness_open(&fresh, *model);
		harness_open(&h, *model);
		for (uint32_t i = 0; i < h.pmu->nmsrs; i++)
			wrmsr(&h, h.pmu->msrs[i].index,
			      h.pmu->msrs[i].writable);
		retire(&h, 3, 0);
		vpmu_reset(h.vcpu, VPMU_RESET_POWER);
		for (uint32_t i = 0; i < h.pmu->nmsrs; i++) {
			uint32_t msr = h.pmu->msrs[i].index;

			CHECK_AT(msr, rdmsr(&h, msr) == rdmsr(&fresh, msr));
		}
		harness_close(&h);
		harness_close(&fresh);
	}
}

/* What was under way when RESET came is forgotten. */
static void nothing_under_way(void)
{
	struct harness h;

	harness_open(&h, "intel-v5");
	vpmu_retire_begin(h.vcpu);
	vpmu_reset(h.vcpu, VPMU_RESET_POWER);
	wrmsr(&h, 0x186, EN | OS | 0xc0);
	retire(&h, 1, 0);
	CU_ASSERT_EQUAL(rdpmc(&h, 0), 1);
	harness_close(&h);
	harness_open_mock(&h, "intel-v5");
	wrmsr(&h, 0x4c1, UINT64_C(0xffffffffffff));
	wrmsr(&h, 0x186, EN | OS | INT | 0xc0);
	h.host.slots[0].pending = 1;
	vpmu_reset(h.vcpu, VPMU_RESET_POWER);
	wrmsr(&h, 0x1d9, BIT(12));
	CU_ASSERT_EQUAL(rdmsr(&h, 0x38e), 0);
	CU_ASSERT_EQUAL(vpmu_take_pmi(h.vcpu), 0);
	harness_close(&h);
}

static void backend_is_told(void)
{
	struct harness h;

	harness_open_mock(&h, "intel-v5");
	wrmsr(&h, 0x186, EN | OS | 0xc0);
	CU_ASSERT_EQUAL(h.host.slots[0].running, 1);
	vpmu_reset(h.vcpu, VPMU_RESET_INIT);
	CU_ASSERT_EQUAL(h.host.slots[0].running, 1);
	vpmu_reset(h.vcpu, VPMU_RESET_POWER);
	CU_ASSERT_EQUAL(h.host.slots[0].running, 0);
	harness_close(&h);
}

static CU_TestInfo tests[] = {
	{ "each register after RESET and INIT", registers },
	{ "38FH is 2^nGP - 1 after RESET (problem 16)", global_ctrl },
	{ "INIT changes IA32_DEBUGCTL alone", init_leaves_all_but_debugctl },
	{ "RESET stops, clears status and interrupt", reset_stops },
	{ "INIT lets counters go on", init_goes_on },
	{ "RESET leaves what a new vCPU has", no_leak },
	{ "RESET forgets what was under way", nothing_under_way },
	{ "RESET stops the backend's slots", backend_is_told },
	CU_TEST_INFO_NULL,
};

CU_SuiteInfo suite_reset = { .pName = "core/reset", .pTests = tests };
