/* SPDX-License-Identifier: Apache-2.0 */
/* models/ and events/: the tables are sound, and say what the manuals say. */
#include <errno.h>
#include <string.h>

#include "tests/harness.h"

static void sound(void)
{
	const struct vpmu_model *model;

	for (uint32_t i = 0; (model = vpmu_model_at(i)); i++) {
		const char *wrong = vpmu_model_check(model);

		CU_ASSERT_PTR_NULL(wrong);
		CU_ASSERT_PTR_EQUAL(vpmu_model_find(model->name,
						    strlen(model->name)),
				    model);
	}
}

/* ------------------------------------------- the check finds what is wrong */

static struct vpmu_msr_row rows[2];
static struct vpmu_family family;
static struct vpmu_model broken;

static uint64_t bit_63(const struct vpmu_shape *shape)
{
	(void)shape;
	return BIT(63);
}

/* Two good rows of a model of its own, for a test to spoil. */
static void begin(void)
{
	const struct vpmu_family *good = &vpmu_family_intel_arch;

	broken = *vpmu_model_find("intel-v5", 8);
	family = *good;
	rows[0] = good->msrs.rows[0];
	rows[1] = good->msrs.rows[1];
	family.msrs.rows = rows;
	family.msrs.n = 2;
	broken.name = "broken";
	broken.family = &family;
	CU_ASSERT_PTR_NULL(vpmu_model_check(&broken));
}

static void order(void)
{
	struct vpmu_msr_row swap;

	begin();
	swap = rows[0];
	rows[0] = rows[1];
	rows[1] = swap;
	CU_ASSERT_STRING_EQUAL(vpmu_model_check(&broken), "IA32_PMC");
}

static void overlap(void)
{
	begin();
	rows[1].first = rows[0].first + 7;
	CU_ASSERT_STRING_EQUAL(vpmu_model_check(&broken), "IA32_PERFEVTSEL");
}

static void same_name(void)
{
	begin();
	rows[1].name = rows[0].name;
	CU_ASSERT_STRING_EQUAL(vpmu_model_check(&broken), "IA32_PMC");
	begin();
	broken.name = "amd-k7";
	CU_ASSERT_STRING_EQUAL(vpmu_model_check(&broken), "amd-k7");
}

static void reset_outside_mask(void)
{
	begin();
	rows[1].reset = bit_63;
	CU_ASSERT_STRING_EQUAL(vpmu_model_check(&broken), "IA32_PERFEVTSEL");
}

static void outside_namespace(void)
{
	begin();
	rows[1].first = 0x10000;
	CU_ASSERT_STRING_EQUAL(vpmu_model_check(&broken), "IA32_PERFEVTSEL");
}

static void incomplete(void)
{
	begin();
	rows[1].write = NULL;
	CU_ASSERT_STRING_EQUAL(vpmu_model_check(&broken), "IA32_PERFEVTSEL");
	begin();
	rows[0].manual = NULL;
	CU_ASSERT_STRING_EQUAL(vpmu_model_check(&broken), "IA32_PMC");
	begin();
	broken.shape.gp = 0;
	CU_ASSERT_PTR_NOT_NULL(vpmu_model_check(&broken));
}

static void counters(void)
{
	struct vpmu_counter_row two[2];
	struct vpmu_rdpmc_row index = { 0, 64, 32, NULL, NULL, "RDPMC" };

	begin();
	two[0] = vpmu_family_intel_arch.counters.rows[1];
	two[1] = vpmu_family_intel_arch.counters.rows[0];
	family.counters.rows = two;
	CU_ASSERT_STRING_EQUAL(vpmu_model_check(&broken), "PMC");
	begin();
	family.rdpmc.rows = &index;
	family.rdpmc.n = 1;
	CU_ASSERT_STRING_EQUAL(vpmu_model_check(&broken), "RDPMC");
}

/* --------------------------------------------------------------- what is so */

struct event_row {
	int line;
	const char *model;
	uint32_t msr;
	uint64_t select;
	enum vpmu_meaning meaning;
};

/* clang-format off */
static const struct event_row events[] = {
	{ __LINE__, "intel-v5", 0x186, 0x003c, VPMU_MEAN_CYCLES },
	{ __LINE__, "intel-v5", 0x186, 0x00c0, VPMU_MEAN_INSTRUCTIONS },
	{ __LINE__, "intel-v5", 0x186, 0x013c, VPMU_MEAN_REF_CYCLES },
	{ __LINE__, "intel-v5", 0x186, 0x4f2e, VPMU_MEAN_LLC_REFERENCES },
	{ __LINE__, "intel-v5", 0x186, 0x412e, VPMU_MEAN_LLC_MISSES },
	{ __LINE__, "intel-v5", 0x186, 0x00c4, VPMU_MEAN_BRANCHES },
	{ __LINE__, "intel-v5", 0x186, 0x00c5, VPMU_MEAN_BRANCH_MISSES },
	{ __LINE__, "intel-v5", 0x186, 0x01a4, VPMU_MEAN_SLOTS },
	/* Architectural in version 6 lists only. */
	{ __LINE__, "intel-v5", 0x186, 0x02a4, VPMU_MEAN_NOTHING },
	{ __LINE__, "intel-v5", 0x186, 0x02c2, VPMU_MEAN_NOTHING },
	{ __LINE__, "intel-v2", 0x186, 0x01a4, VPMU_MEAN_NOTHING },
	{ __LINE__, "intel-v2", 0x186, 0x00c5, VPMU_MEAN_BRANCH_MISSES },
	{ __LINE__, "intel-v2", 0x186, 0x20c4, VPMU_MEAN_NOTHING },
	{ __LINE__, "intel-v1", 0x186, 0x003c, VPMU_MEAN_CYCLES },
	{ __LINE__, "intel-v1", 0x186, 0x00c0, VPMU_MEAN_INSTRUCTIONS },
	{ __LINE__, "intel-v1", 0x186, 0x013c, VPMU_MEAN_REF_CYCLES },
	{ __LINE__, "intel-v1", 0x186, 0x4f2e, VPMU_MEAN_LLC_REFERENCES },
	{ __LINE__, "intel-v1", 0x186, 0x412e, VPMU_MEAN_LLC_MISSES },
	{ __LINE__, "intel-v1", 0x186, 0x00c4, VPMU_MEAN_BRANCHES },
	{ __LINE__, "intel-v1", 0x186, 0x00c5, VPMU_MEAN_BRANCH_MISSES },
	{ __LINE__, "intel-v3", 0x186, 0x003c, VPMU_MEAN_CYCLES },
	{ __LINE__, "intel-v3", 0x186, 0x00c0, VPMU_MEAN_INSTRUCTIONS },
	{ __LINE__, "intel-v3", 0x186, 0x013c, VPMU_MEAN_REF_CYCLES },
	{ __LINE__, "intel-v3", 0x186, 0x4f2e, VPMU_MEAN_LLC_REFERENCES },
	{ __LINE__, "intel-v3", 0x186, 0x412e, VPMU_MEAN_LLC_MISSES },
	{ __LINE__, "intel-v3", 0x186, 0x00c4, VPMU_MEAN_BRANCHES },
	{ __LINE__, "intel-v3", 0x186, 0x00c5, VPMU_MEAN_BRANCH_MISSES },
	{ __LINE__, "intel-v4", 0x186, 0x003c, VPMU_MEAN_CYCLES },
	{ __LINE__, "intel-v4", 0x186, 0x00c0, VPMU_MEAN_INSTRUCTIONS },
	{ __LINE__, "intel-v4", 0x186, 0x013c, VPMU_MEAN_REF_CYCLES },
	{ __LINE__, "intel-v4", 0x186, 0x4f2e, VPMU_MEAN_LLC_REFERENCES },
	{ __LINE__, "intel-v4", 0x186, 0x412e, VPMU_MEAN_LLC_MISSES },
	{ __LINE__, "intel-v4", 0x186, 0x00c4, VPMU_MEAN_BRANCHES },
	{ __LINE__, "intel-v4", 0x186, 0x00c5, VPMU_MEAN_BRANCH_MISSES },
	{ __LINE__, "intel-v6", 0x186, 0x003c, VPMU_MEAN_CYCLES },
	{ __LINE__, "intel-v6", 0x186, 0x00c0, VPMU_MEAN_INSTRUCTIONS },
	{ __LINE__, "intel-v6", 0x186, 0x013c, VPMU_MEAN_REF_CYCLES },
	{ __LINE__, "intel-v6", 0x186, 0x4f2e, VPMU_MEAN_LLC_REFERENCES },
	{ __LINE__, "intel-v6", 0x186, 0x412e, VPMU_MEAN_LLC_MISSES },
	{ __LINE__, "intel-v6", 0x186, 0x00c4, VPMU_MEAN_BRANCHES },
	{ __LINE__, "intel-v6", 0x186, 0x00c5, VPMU_MEAN_BRANCH_MISSES },
	/* 7 architectural events before version 5, 13 from 6 on. */
	{ __LINE__, "intel-v1", 0x186, 0x01a4, VPMU_MEAN_NOTHING },
	{ __LINE__, "intel-v3", 0x186, 0x01a4, VPMU_MEAN_NOTHING },
	{ __LINE__, "intel-v4", 0x186, 0x01a4, VPMU_MEAN_NOTHING },
	{ __LINE__, "intel-v5,events=7", 0x186, 0x01a4, VPMU_MEAN_NOTHING },
	{ __LINE__, "intel-v6", 0x186, 0x01a4, VPMU_MEAN_SLOTS },
	{ __LINE__, "intel-v6", 0x186, 0x02a4, VPMU_MEAN_BACKEND_BOUND },
	{ __LINE__, "intel-v6", 0x186, 0x0073, VPMU_MEAN_BAD_SPECULATION },
	{ __LINE__, "intel-v6", 0x186, 0x019c, VPMU_MEAN_FRONTEND_BOUND },
	{ __LINE__, "intel-v6", 0x186, 0x02c2, VPMU_MEAN_RETIRING },
	{ __LINE__, "intel-v6", 0x186, 0x01e4, VPMU_MEAN_LBR_INSERTS },
	{ __LINE__, "intel-v5", 0x186, 0x0073, VPMU_MEAN_NOTHING },
	{ __LINE__, "intel-v5", 0x186, 0x019c, VPMU_MEAN_NOTHING },
	{ __LINE__, "intel-v5", 0x186, 0x01e4, VPMU_MEAN_NOTHING },
	{ __LINE__, "intel-v6,events=8", 0x186, 0x02c2, VPMU_MEAN_NOTHING },
	{ __LINE__, "intel-v6,events=8", 0x186, 0x01a4, VPMU_MEAN_SLOTS },
	/* Taken branches, by generation */
	{ __LINE__, "intel-v1", 0x186, 0x00c9, VPMU_MEAN_TAKEN_BRANCHES },
	{ __LINE__, "intel-v1", 0x186, 0x0cc4, VPMU_MEAN_NOTHING },
	{ __LINE__, "intel-v1", 0x186, 0x20c4, VPMU_MEAN_NOTHING },
	{ __LINE__, "intel-v2", 0x186, 0x0cc4, VPMU_MEAN_TAKEN_BRANCHES },
	{ __LINE__, "intel-v2", 0x186, 0x00c9, VPMU_MEAN_NOTHING },
	{ __LINE__, "intel-v3", 0x186, 0x20c4, VPMU_MEAN_TAKEN_BRANCHES },
	{ __LINE__, "intel-v3", 0x186, 0x0cc4, VPMU_MEAN_NOTHING },
	{ __LINE__, "intel-v3", 0x186, 0x00c9, VPMU_MEAN_NOTHING },
	{ __LINE__, "intel-v4", 0x186, 0x20c4, VPMU_MEAN_TAKEN_BRANCHES },
	{ __LINE__, "intel-v4", 0x186, 0x0cc4, VPMU_MEAN_NOTHING },
	{ __LINE__, "intel-v4", 0x186, 0x00c9, VPMU_MEAN_NOTHING },
	{ __LINE__, "intel-v5", 0x186, 0x20c4, VPMU_MEAN_TAKEN_BRANCHES },
	{ __LINE__, "intel-v5", 0x186, 0x0cc4, VPMU_MEAN_NOTHING },
	{ __LINE__, "intel-v5", 0x186, 0x00c9, VPMU_MEAN_NOTHING },
	{ __LINE__, "intel-v6", 0x186, 0x20c4, VPMU_MEAN_TAKEN_BRANCHES },
	{ __LINE__, "intel-v6", 0x186, 0x0cc4, VPMU_MEAN_NOTHING },
	{ __LINE__, "intel-v6", 0x186, 0x00c9, VPMU_MEAN_NOTHING },
	/* UMASK2 and IN_TX are of the event; EQ, IN_TXCP, the rest are not. */
	{ __LINE__, "intel-v6", 0x186, 0x00c0 | BIT(40), VPMU_MEAN_NOTHING },
	{ __LINE__, "intel-v6", 0x186, 0x00c0 | BIT(47), VPMU_MEAN_NOTHING },
	{ __LINE__, "intel-v6", 0x186, 0x20c4 | BIT(43), VPMU_MEAN_NOTHING },
	{ __LINE__, "intel-v6", 0x186, 0x00c0 | BIT(36), VPMU_MEAN_INSTRUCTIONS },
	{ __LINE__, "intel-v6,user_disable=1", 0x186, 0x00c0 | BIT(37), VPMU_MEAN_INSTRUCTIONS },
	{ __LINE__, "intel-v3,tsx=1", 0x186, 0x00c0 | BIT(32), VPMU_MEAN_NOTHING },
	{ __LINE__, "intel-v6,tsx=1", 0x186, 0x20c4 | BIT(32), VPMU_MEAN_NOTHING },
	{ __LINE__, "intel-v3,tsx=1", 0x188, 0x00c4 | BIT(32), VPMU_MEAN_NOTHING },
	{ __LINE__, "intel-v3,tsx=1", 0x188, 0x00c4 | BIT(33), VPMU_MEAN_BRANCHES },
	{ __LINE__, "intel-v3,tsx=1", 0x188, 0x00c4 | BIT(32) | BIT(33), VPMU_MEAN_NOTHING },
	{ __LINE__, "intel-v3", 0x186, 0x00c0 | BIT(21), VPMU_MEAN_INSTRUCTIONS },
	/* AMD's codes mean nothing there, and the reverse. */
	{ __LINE__, "intel-v5", 0x186, 0x0076, VPMU_MEAN_NOTHING },
	{ __LINE__, "amd-k7", 0xc0010000, 0x003c, VPMU_MEAN_NOTHING },
	{ __LINE__, "amd-k7", 0xc0010000, 0x0076, VPMU_MEAN_CYCLES },
	{ __LINE__, "amd-k7", 0xc0010000, 0x00c0, VPMU_MEAN_INSTRUCTIONS },
	{ __LINE__, "amd-k7", 0xc0010000, 0x077d, VPMU_MEAN_LLC_REFERENCES },
	{ __LINE__, "amd-k7", 0xc0010000, 0x077e, VPMU_MEAN_LLC_MISSES },
	{ __LINE__, "amd-k7", 0xc0010000, 0x00c2, VPMU_MEAN_BRANCHES },
	{ __LINE__, "amd-k7", 0xc0010000, 0x00c3, VPMU_MEAN_BRANCH_MISSES },
	{ __LINE__, "amd-k7", 0xc0010000, 0x00d0, VPMU_MEAN_STALLED_FRONTEND },
	{ __LINE__, "amd-k7", 0xc0010000, 0x00d1, VPMU_MEAN_STALLED_BACKEND },
	{ __LINE__, "amd-f17h", 0xc0010200, 0xff60, VPMU_MEAN_LLC_REFERENCES },
	{ __LINE__, "amd-f17h", 0xc0010200, 0x0964, VPMU_MEAN_LLC_MISSES },
	{ __LINE__, "amd-f17h", 0xc0010200, 0x077d, VPMU_MEAN_NOTHING },
	{ __LINE__, "amd-f17h", 0xc0010200, 0x0287, VPMU_MEAN_STALLED_FRONTEND },
	{ __LINE__, "amd-f17h", 0xc0010200, 0x0187, VPMU_MEAN_STALLED_BACKEND },
	{ __LINE__, "amd-f17h", 0xc0010200, 0x00c4, VPMU_MEAN_TAKEN_BRANCHES },
};
/* clang-format on */

static void meanings(void)
{
	struct harness h;

	for (size_t i = 0; i < ARRAY_SIZE(events); i++) {
		const struct event_row *row = &events[i];
		struct vpmu_counter_info info = { .size = sizeof(info) };

		harness_open_mock(&h, row->model);
		CHECK_AT(row->line,
			 !wrmsr(&h, row->msr, EN | OS | row->select));
		vpmu_counter_info(h.vcpu,
				  row->msr < 0x1000 ? row->msr - 0x186 : 0,
				  &info);
		CHECK_AT(row->line, info.meaning == row->meaning);
		harness_close(&h);
	}
}

/* One counter, one encoding after the other: none is mistaken for the last. */
static void meanings_change(void)
{
	/* clang-format off */
	static const struct {
		int line;
		uint64_t select;
		enum vpmu_meaning meaning;
	} steps[] = {
		{ __LINE__, 0x00c4, VPMU_MEAN_BRANCHES },
		{ __LINE__, 0x20c4, VPMU_MEAN_TAKEN_BRANCHES },
		{ __LINE__, 0x00c4, VPMU_MEAN_BRANCHES },
		{ __LINE__, 0x00c4 | BIT(40), VPMU_MEAN_NOTHING },
		{ __LINE__, 0x00c4, VPMU_MEAN_BRANCHES },
		{ __LINE__, 0x00c4 | BIT(32), VPMU_MEAN_NOTHING },
		{ __LINE__, 0x003c, VPMU_MEAN_CYCLES },
		{ __LINE__, 0x013c, VPMU_MEAN_REF_CYCLES },
		{ __LINE__, 0, VPMU_MEAN_NOTHING },
	};
	/* clang-format on */
	struct harness h;

	harness_open_mock(&h, "intel-v6,tsx=1");
	for (size_t i = 0; i < ARRAY_SIZE(steps); i++) {
		CHECK_AT(steps[i].line,
			 !wrmsr(&h, 0x186, EN | OS | steps[i].select));
		CHECK_AT(steps[i].line,
			 counter(&h, "PMC0").meaning == steps[i].meaning);
		CHECK_AT(steps[i].line,
			 h.host.slots[0].event.meaning == steps[i].meaning);
	}
	harness_close(&h);
}

static void fixed_meanings(void)
{
	static const struct {
		const char *name;
		enum vpmu_meaning meaning;
	} fixed[] = {
		{ "FIXED_CTR0", VPMU_MEAN_INSTRUCTIONS },
		{ "FIXED_CTR1", VPMU_MEAN_CYCLES },
		{ "FIXED_CTR2", VPMU_MEAN_TSC_CYCLES },
		{ "FIXED_CTR3", VPMU_MEAN_SLOTS },
		{ "FIXED_CTR4", VPMU_MEAN_BAD_SPECULATION },
		{ "FIXED_CTR5", VPMU_MEAN_FRONTEND_BOUND },
		{ "FIXED_CTR6", VPMU_MEAN_RETIRING },
		{ "FIXED_CTR7", VPMU_MEAN_NOTHING },
	};
	struct harness h;

	harness_open(&h, "intel-v5,fixed=8");
	for (size_t i = 0; i < ARRAY_SIZE(fixed); i++)
		CU_ASSERT_EQUAL(counter(&h, fixed[i].name).meaning,
				fixed[i].meaning);
	harness_close(&h);
}

static void model_info(void)
{
	struct vpmu_model_info info = { .size = sizeof(info) };
	uint32_t n = 0;

	while (!vpmu_model_info(n, &info)) {
		CU_ASSERT_STRING_EQUAL(info.name, harness_models[n]);
		CU_ASSERT_TRUE(*info.summary);
		CU_ASSERT_PTR_NOT_NULL(info.fields);
		n++;
	}
	CU_ASSERT_PTR_NULL(harness_models[n]);
	CU_ASSERT_EQUAL(vpmu_model_info(n, &info), -ENOENT);
	CU_ASSERT_EQUAL(vpmu_model_info(0, NULL), -EINVAL);

	CU_ASSERT_EQUAL(vpmu_model_info(12, &info), 0);
	CU_ASSERT_STRING_EQUAL(info.name, "amd-f17h");
	CU_ASSERT_EQUAL(info.vendor, VPMU_VENDOR_AMD);
	CU_ASSERT_EQUAL(info.family, 0x17);
	CU_ASSERT_EQUAL(info.version, 1);
	CU_ASSERT_EQUAL(info.gp, 6);
	CU_ASSERT_EQUAL(info.gp_width, 48);
	CU_ASSERT_EQUAL(info.fixed, 0);
}

static CU_TestInfo tests[] = {
	{ "each model passes vpmu_model_check()", sound },
	{ "which finds rows out of order", order },
	{ "... overlapping", overlap },
	{ "... named twice", same_name },
	{ "... reset to what cannot be written", reset_outside_mask },
	{ "... outside the namespaces", outside_namespace },
	{ "... incomplete, or breaking a rule", incomplete },
	{ "... with counters out of order or reach", counters },
	{ "encodings mean what the manuals say", meanings },
	{ "encodings that follow each other on one counter", meanings_change },
	{ "fixed counters mean what the manual says", fixed_meanings },
	{ "vpmu_model_info() lists them all", model_info },
	CU_TEST_INFO_NULL,
};

CU_SuiteInfo suite_models = { .pName = "models", .pTests = tests };
