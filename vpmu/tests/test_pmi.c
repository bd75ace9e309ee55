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

#define TOP33 UINT64_C(0x1ffffffff)
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
	{ __LINE__, "intel-v1", "PMC0", 0xc1, 0x186, EN | OS | 0xc0, INT, TOP40, 0 },
	{ __LINE__, "intel-v1", "PMC1", 0xc2, 0x187, EN | OS | 0xc0, INT, TOP40, 0 },
	{ __LINE__, "intel-v3", "PMC3", 0x4c4, 0x189, EN | OS | 0xc0, INT, TOP48, BIT(3) },
	{ __LINE__, "intel-v3", "FIXED_CTR2", 0x30b, 0x38d, 0x100, 0x800, TOP48, BIT(34) },
	{ __LINE__, "intel-v3,width=33", "PMC0", 0xc1, 0x186, EN | OS | 0xc0, INT, TOP33, BIT(0) },
	{ __LINE__, "intel-v4", "PMC3", 0x4c4, 0x189, EN | OS | 0xc0, INT, TOP48, BIT(3) },
	{ __LINE__, "intel-v4", "FIXED_CTR1", 0x30a, 0x38d, 0x010, 0x080, TOP48, BIT(33) },
	{ __LINE__, "intel-v6", "PMC9", 0x4ca, 0x18f, EN | OS | 0xc0, INT, TOP48, BIT(9) },
	{ __LINE__, "intel-v6", "PMC9", 0x1924, 0x1925, EN | OS | 0xc0, INT, TOP48, BIT(9) },
	{ __LINE__, "intel-v6", "FIXED_CTR0", 0x1980, 0x38d, 0x001, 0x008, TOP48, BIT(32) },
	{ __LINE__, SPARSE, "PMC4", 0x4c5, 0x18a, EN | OS | 0xc0, INT, TOP48, BIT(4) },
	{ __LINE__, SPARSE, "PMC7", 0x191c, 0x191d, EN | OS | 0xc0, INT, TOP48, BIT(7) },
	{ __LINE__, SPARSE, "FIXED_CTR2", 0x1988, 0x38d, 0x100, 0x800, TOP48, BIT(34) },
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

/* kvm-unit-tests' check_counter_overflow, of every counter: after a preset of
 * 1 - count and `count` events it is 1, and its own status bit is set. */
static void overflow_of(struct harness *h, uint32_t id, bool interrupt)
{
	const unsigned int n = 10;
	bool fixed = id >= 32;
	/* Counter 3 counts four slots an instruction. */
	uint64_t preset = UINT64_C(1) - (id == 35 ? 4 * n : n);
	uint32_t msr = (fixed ? 0x309 - 32 : 0xc1) + id;

	CHECK_AT(id, !wrmsr(h, 0x38f, BIT(id)));
	CHECK_AT(id, !wrmsr(h, msr, preset & h->pmu->counters[id].mask));
	if (fixed)
		wrmsr(h, 0x38d,
		      (interrupt ? UINT64_C(9) : 1) << (4 * (id - 32)));
	else
		wrmsr(h, 0x186 + id, EN | OS | (interrupt ? INT : 0) | 0xc0);
	retire(h, n, 0);
	CHECK_AT(id, rdmsr(h, msr) == 1);
	CHECK_AT(id, rdmsr(h, 0x38e) == BIT(id));
	CHECK_AT(id, vpmu_take_pmi(h->vcpu) == interrupt);
	wrmsr(h, fixed ? 0x38d : 0x186 + id, 0);
	CHECK_AT(id, !wrmsr(h, 0x390, BIT(id)));
	CHECK_AT(id, rdmsr(h, 0x38e) == 0);
}

static void overflow_of_each(void)
{
	static const char *const models[] = { "intel-v2", "intel-v3",
					      "intel-v4", "intel-v5",
					      "intel-v6", SPARSE };
	struct harness h;

	for (size_t i = 0; i < ARRAY_SIZE(models); i++) {
		uint64_t counters;

		harness_open(&h, models[i]);
		counters = h.pmu->exists;
		FOR_EACH_COUNTER(id, counters)
		{
			overflow_of(&h, id, false);
			overflow_of(&h, id, true);
		}
		harness_close(&h);
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

static void streamlined_on(const char *model)
{
	struct harness h;

	harness_open(&h, model);
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

static void streamlined(void)
{
	streamlined_on("intel-v4");
	streamlined_on("intel-v5");
	streamlined_on("intel-v6");
	streamlined_on(SPARSE);
}

static void legacy_on(const char *model)
{
	struct harness h;

	harness_open(&h, model);
	arm(&h, BIT(12), INT);
	retire(&h, 5, 0);
	CU_ASSERT_EQUAL(rdmsr(&h, 0x38e), 1);
	CU_ASSERT_EQUAL(rdmsr(&h, 0x38f), 0);
	CU_ASSERT_EQUAL(rdpmc(&h, 1), 2);
	CU_ASSERT_EQUAL(rdpmc(&h, 0x40000000), 2);
	CU_ASSERT_EQUAL(vpmu_take_pmi(h.vcpu), 1);
	/* Clearing status does not thaw, enabling does. */
	wrmsr(&h, 0x390, 1);
	retire(&h, 1, 0);
	CU_ASSERT_EQUAL(rdpmc(&h, 1), 2);
	wrmsr(&h, 0x38f, 0x2);
	retire(&h, 3, 0);
	CU_ASSERT_EQUAL(rdpmc(&h, 1), 5);
	CU_ASSERT_EQUAL(rdpmc(&h, 0x40000000), 2);
	harness_close(&h);
}

static void legacy(void)
{
	legacy_on("intel-v2");
	legacy_on("intel-v3");
	legacy_on("intel-v3,any_thread=0");
}

/* By version 1 there is no freeze, and no bit that asks for one. */
static void version_1(void)
{
	struct harness h;

	harness_open(&h, "intel-v1,pdcm=1");
	CU_ASSERT_EQUAL(wrmsr(&h, 0x1d9, BIT(12)), VPMU_FAULT);
	wrmsr(&h, 0xc1, UINT64_MAX);
	wrmsr(&h, 0x186, EN | OS | INT | 0xc0);
	wrmsr(&h, 0x187, EN | OS | 0xc0);
	retire(&h, 5, 0);
	CU_ASSERT_EQUAL(rdpmc(&h, 0), 4);
	CU_ASSERT_EQUAL(rdpmc(&h, 1), 5);
	CU_ASSERT_EQUAL(vpmu_take_pmi(h.vcpu), 1);
	harness_close(&h);
}

static void no_freeze_without_interrupt(void)
{
	static const char *const models[] = { "intel-v2", "intel-v3",
					      "intel-v4", "intel-v5",
					      "intel-v6" };
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

/* LBR_FRZ is streamlined only; legacy clears DEBUGCTL.LBR, which reads 0. */
static void lbr_freeze_bit(void)
{
	static const struct {
		const char *model;
		uint64_t status;
	} rows[] = {
		{ "intel-v2", 1 },	     { "intel-v3", 1 },
		{ "intel-v4", BIT(58) | 1 }, { "intel-v5", BIT(58) | 1 },
		{ "intel-v6", BIT(58) | 1 },
	};
	struct harness h;

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		harness_open(&h, rows[i].model);
		arm(&h, BIT(11), INT);
		retire(&h, 5, 0);
		CU_ASSERT_EQUAL(rdmsr(&h, 0x38e), rows[i].status);
		CU_ASSERT_EQUAL(rdmsr(&h, 0x1d9), BIT(11));
		CU_ASSERT_EQUAL(rdmsr(&h, 0x38f), 0x100000003);
		CU_ASSERT_EQUAL(rdpmc(&h, 1), 5);
		harness_close(&h);
	}
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

	harness_open(&h, "intel-v1");
	CU_ASSERT_EQUAL(vpmu_lvtpc_masks(h.pmu), 1);
	harness_close(&h);
	harness_open(&h, "intel-v6");
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
	{ "each counter has its own bit, 32+i if fixed (problem 49)",
	  overflow_of_each },
	{ "several overflows are one interrupt", several_at_once },
	{ "a carry by more than one", carry_by_more_than_one },
	{ "writes raise neither status nor interrupt", writes_raise_nothing },
	{ "a disabled counter does not overflow", disabled },
	{ "freeze, version 4 and up: CTR_FRZ", streamlined },
	{ "freeze, versions 2 and 3: 38FH cleared", legacy },
	{ "version 1: no freeze, no status", version_1 },
	{ "no freeze without INT, or without DEBUGCTL[12]",
	  no_freeze_without_interrupt },
	{ "DEBUGCTL[11] sets LBR_FRZ from version 4 on", lbr_freeze_bit },
	{ "391H bit 59 freezes, 390H bit 59 thaws", freeze_by_software },
	{ "LVTPC masks itself on Intel, not on AMD", lvtpc },
	CU_TEST_INFO_NULL,
};

CU_SuiteInfo suite_pmi = { .pName = "core/pmi", .pTests = tests };
