/* SPDX-License-Identifier: Apache-2.0 */
/* core/pmi.c: overflow status, interrupt, freeze. */
#include "tests/harness.h"

struct overflow_row {
	int line;
	const char *model;
	const char *counter;
	uint32_t counter_msr;
	uint32_t control_msr;
	uint64_t control; /* without INT */
	uint64_t interrupt; /* its INT bit */
	uint64_t preset; /* one event short of the top */
	uint64_t status; /* 0: there is no status register */
};

#define TOP40 UINT64_C(0xffffffffff)
#define TOP48 UINT64_C(0xffffffffffff)

/* clang-format off */
static const struct overflow_row overflows[] = {
	{ __LINE__, "intel-v2", "PMC0", 0xc1, 0x186, EN | OS | 0xc0, INT, TOP40, BIT(0) },
	{ __LINE__, "intel-v2", "PMC1", 0xc2, 0x187, EN | OS | 0xc0, INT, TOP40, BIT(1) },
	{ __LINE__, "intel-v2", "FIXED_CTR0", 0x309, 0x38d, 0x001, 0x008, TOP40, BIT(32) },
	{ __LINE__, "intel-v2", "FIXED_CTR1", 0x30a, 0x38d, 0x010, 0x080, TOP40, BIT(33) },
	{ __LINE__, "intel-v2", "FIXED_CTR2", 0x30b, 0x38d, 0x100, 0x800, TOP40, BIT(34) },
	{ __LINE__, "intel-v5", "PMC0", 0x4c1, 0x186, EN | OS | 0xc0, INT, TOP48, BIT(0) },
	{ __LINE__, "intel-v5", "PMC7", 0x4c8, 0x18d, EN | OS | 0xc0, INT, TOP48, BIT(7) },
	{ __LINE__, "intel-v5", "FIXED_CTR0", 0x309, 0x38d, 0x0001, 0x0008, TOP48, BIT(32) },
	{ __LINE__, "intel-v5", "FIXED_CTR2", 0x30b, 0x38d, 0x0100, 0x0800, TOP48, BIT(34) },
	{ __LINE__, "amd-k7", "PERF_CTR0", 0xc0010004, 0xc0010000, EN | OS | 0xc0, INT, TOP48, 0 },
	{ __LINE__, "amd-f17h", "PERF_CTR0", 0xc0010201, 0xc0010200, EN | OS | 0xc0, INT, TOP48, 0 },
	{ __LINE__, "amd-f17h", "PERF_CTR5", 0xc001020b, 0xc001020a, EN | OS | 0xc0, INT, TOP48, 0 },
};
/* clang-format on */

static void overflow_one(const struct overflow_row *row, bool interrupt)
{
	struct harness h;

	harness_open(&h, row->model);
	if (row->status)
		wrmsr(&h, 0x38f, row->status);
	CHECK_AT(row->line, !wrmsr(&h, row->counter_msr, row->preset - 1));
	CHECK_AT(row->line,
		 !wrmsr(&h, row->control_msr,
			row->control | (interrupt ? row->interrupt : 0)));
	/* At the top there is no overflow yet. */
	retire(&h, 1, 0);
	CHECK_AT(row->line, rdmsr(&h, row->counter_msr) == row->preset);
	CHECK_AT(row->line, !row->status || rdmsr(&h, 0x38e) == 0);
	CHECK_AT(row->line, !vpmu_take_pmi(h.vcpu));
	retire(&h, 1, 0);
	CHECK_AT(row->line, rdmsr(&h, row->counter_msr) == 0);
	CHECK_AT(row->line, !row->status || rdmsr(&h, 0x38e) == row->status);
	CHECK_AT(row->line, vpmu_take_pmi(h.vcpu) == interrupt);
	CHECK_AT(row->line, !vpmu_take_pmi(h.vcpu));
	CHECK_AT(row->line, h.vcpu->reg[REG_GLOBAL_STATUS] == row->status);
	/* It goes on, and status stays until it is cleared. */
	retire(&h, 1, 0);
	CHECK_AT(row->line, counter(&h, row->counter).value == 1);
	if (row->status) {
		CHECK_AT(row->line, !wrmsr(&h, 0x390, row->status));
		CHECK_AT(row->line, rdmsr(&h, 0x38e) == 0);
	}
	harness_close(&h);
}

static void overflow(void)
{
	for (size_t i = 0; i < ARRAY_SIZE(overflows); i++) {
		overflow_one(&overflows[i], false);
		overflow_one(&overflows[i], true);
	}
}

static void several_at_once(void)
{
	struct harness h;

	harness_open(&h, "intel-v5");
	wrmsr(&h, 0x38f, 0x100000003);
	wrmsr(&h, 0x4c1, TOP48);
	wrmsr(&h, 0x4c2, TOP48);
	wrmsr(&h, 0x309, TOP48);
	wrmsr(&h, 0x186, EN | OS | INT | 0xc0);
	wrmsr(&h, 0x187, EN | OS | INT | 0xc0);
	wrmsr(&h, 0x38d, 0x9);
	retire(&h, 1, 0);
	CU_ASSERT_EQUAL(rdmsr(&h, 0x38e), 0x100000003);
	CU_ASSERT_EQUAL(vpmu_take_pmi(h.vcpu), 1);
	CU_ASSERT_EQUAL(vpmu_take_pmi(h.vcpu), 0);
	harness_close(&h);
}

/* Two slots before the top, four at once: carries, and keeps the rest. */
static void carry_by_more_than_one(void)
{
	struct harness h;

	harness_open(&h, "intel-v5");
	wrmsr(&h, 0x38f, BIT(35));
	wrmsr(&h, 0x30c, TOP48 - 1);
	wrmsr(&h, 0x38d, 0x9000);
	retire(&h, 1, 0);
	CU_ASSERT_EQUAL(rdmsr(&h, 0x30c), 2);
	CU_ASSERT_EQUAL(rdmsr(&h, 0x38e), BIT(35));
	CU_ASSERT_EQUAL(vpmu_take_pmi(h.vcpu), 1);
	harness_close(&h);
}

static void writes_raise_nothing(void)
{
	struct harness h;

	harness_open(&h, "intel-v5");
	wrmsr(&h, 0x186, EN | OS | INT | 0xc0);
	wrmsr(&h, 0x4c1, TOP48);
	wrmsr(&h, 0x4c1, 0);
	CU_ASSERT_EQUAL(rdmsr(&h, 0x38e), 0);
	wrmsr(&h, 0x391, 1);
	CU_ASSERT_EQUAL(rdmsr(&h, 0x38e), 1);
	CU_ASSERT_EQUAL(vpmu_take_pmi(h.vcpu), 0);
	harness_close(&h);
}

/* A disabled counter does not overflow. */
static void disabled(void)
{
	struct harness h;

	harness_open(&h, "intel-v5");
	wrmsr(&h, 0x4c1, TOP48);
	wrmsr(&h, 0x186, OS | INT | 0xc0);
	retire(&h, 3, 0);
	CU_ASSERT_EQUAL(rdpmc(&h, 0), TOP48);
	CU_ASSERT_EQUAL(vpmu_take_pmi(h.vcpu), 0);
	harness_close(&h);
}

/* ------------------------------------------------------------------ freeze */

static void arm(struct harness *h, uint64_t debugctl, uint64_t interrupt)
{
	wrmsr(h, 0x1d9, debugctl);
	wrmsr(h, 0xc1, UINT64_MAX - 1);
	wrmsr(h, 0x186, EN | OS | interrupt | 0xc0);
	wrmsr(h, 0x187, EN | OS | 0xc0);
	wrmsr(h, 0x38d, 0x1);
	wrmsr(h, 0x38f, 0x100000003);
}

static void streamlined(void)
{
	struct harness h;

	harness_open(&h, "intel-v5");
	arm(&h, BIT(12), INT);
	retire(&h, 5, 0);
	/* The second instruction overflows; all have counted it, no more. */
	CU_ASSERT_EQUAL(rdmsr(&h, 0x38e), BIT(59) | 1);
	CU_ASSERT_EQUAL(rdmsr(&h, 0x38f), 0x100000003);
	CU_ASSERT_EQUAL(rdpmc(&h, 0), 0);
	CU_ASSERT_EQUAL(rdpmc(&h, 1), 2);
	CU_ASSERT_EQUAL(rdpmc(&h, 0x40000000), 2);
	CU_ASSERT_EQUAL(vpmu_take_pmi(h.vcpu), 1);
	/* Clearing the overflow alone does not thaw. */
	wrmsr(&h, 0x390, 1);
	retire(&h, 1, 0);
	CU_ASSERT_EQUAL(rdpmc(&h, 1), 2);
	wrmsr_retired(&h, 0x390, BIT(59));
	retire(&h, 3, 0);
	CU_ASSERT_EQUAL(rdpmc(&h, 1), 5);
	CU_ASSERT_EQUAL(rdpmc(&h, 0x40000000), 5);
	harness_close(&h);
}

static void legacy(void)
{
	struct harness h;

	harness_open(&h, "intel-v2");
	arm(&h, BIT(12), INT);
	retire(&h, 5, 0);
	CU_ASSERT_EQUAL(rdmsr(&h, 0x38e), 1);
	CU_ASSERT_EQUAL(rdmsr(&h, 0x38f), 0);
	CU_ASSERT_EQUAL(rdpmc(&h, 1), 2);
	CU_ASSERT_EQUAL(vpmu_take_pmi(h.vcpu), 1);
	wrmsr(&h, 0x38f, 0x2);
	retire(&h, 3, 0);
	CU_ASSERT_EQUAL(rdpmc(&h, 1), 5);
	harness_close(&h);
}

static void no_freeze_without_interrupt(void)
{
	static const char *const models[] = { "intel-v2", "intel-v5" };
	struct harness h;

	for (size_t i = 0; i < ARRAY_SIZE(models); i++) {
		harness_open(&h, models[i]);
		arm(&h, BIT(12), 0);
		retire(&h, 5, 0);
		CU_ASSERT_EQUAL(rdmsr(&h, 0x38e), 1);
		CU_ASSERT_EQUAL(rdmsr(&h, 0x38f), 0x100000003);
		CU_ASSERT_EQUAL(rdpmc(&h, 1), 5);
		CU_ASSERT_EQUAL(vpmu_take_pmi(h.vcpu), 0);
		harness_close(&h);
		harness_open(&h, models[i]);
		arm(&h, 0, INT);
		retire(&h, 5, 0);
		CU_ASSERT_EQUAL(rdmsr(&h, 0x38e), 1);
		CU_ASSERT_EQUAL(rdpmc(&h, 1), 5);
		CU_ASSERT_EQUAL(vpmu_take_pmi(h.vcpu), 1);
		harness_close(&h);
	}
}

static void lbr_freeze_bit(void)
{
	struct harness h;

	harness_open(&h, "intel-v5");
	arm(&h, BIT(11), INT);
	retire(&h, 5, 0);
	CU_ASSERT_EQUAL(rdmsr(&h, 0x38e), BIT(58) | 1);
	CU_ASSERT_EQUAL(rdpmc(&h, 1), 5);
	harness_close(&h);
}

static void freeze_by_software(void)
{
	struct harness h;

	harness_open(&h, "intel-v5");
	arm(&h, 0, 0);
	wrmsr(&h, 0xc1, 0);
	wrmsr(&h, 0x391, BIT(59));
	retire(&h, 5, 0);
	CU_ASSERT_EQUAL(rdpmc(&h, 0), 0);
	CU_ASSERT_EQUAL(vpmu_wants_retire(h.vcpu), 0);
	wrmsr(&h, 0x390, BIT(59));
	retire(&h, 5, 0);
	CU_ASSERT_EQUAL(rdpmc(&h, 0), 5);
	harness_close(&h);
}

static void lvtpc(void)
{
	struct harness h;

	harness_open(&h, "intel-v2");
	CU_ASSERT_EQUAL(vpmu_lvtpc_masks(h.pmu), 1);
	harness_close(&h);
	harness_open(&h, "amd-f17h");
	CU_ASSERT_EQUAL(vpmu_lvtpc_masks(h.pmu), 0);
	harness_close(&h);
	harness_open(&h, "amd-k7");
	CU_ASSERT_EQUAL(vpmu_lvtpc_masks(h.pmu), 0);
	harness_close(&h);
}

static CU_TestInfo tests[] = {
	{ "status always, interrupt iff INT (problems 49, 50)", overflow },
	{ "several overflows are one interrupt", several_at_once },
	{ "a carry by more than one", carry_by_more_than_one },
	{ "writes raise neither status nor interrupt", writes_raise_nothing },
	{ "a disabled counter does not overflow", disabled },
	{ "freeze, version 4 and up: CTR_FRZ", streamlined },
	{ "freeze, versions 2 and 3: 38FH cleared", legacy },
	{ "no freeze without INT, or without DEBUGCTL[12]",
	  no_freeze_without_interrupt },
	{ "DEBUGCTL[11] sets LBR_FRZ", lbr_freeze_bit },
	{ "391H bit 59 freezes, 390H bit 59 thaws", freeze_by_software },
	{ "LVTPC masks itself on Intel, not on AMD", lvtpc },
	CU_TEST_INFO_NULL,
};

CU_SuiteInfo suite_pmi = { .pName = "core/pmi", .pTests = tests };
