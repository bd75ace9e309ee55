/* SPDX-License-Identifier: Apache-2.0 */
/* core/rdpmc.c: indices, privilege, values. */
#include "tests/harness.h"

struct index_row {
	int line;
	const char *model;
	uint32_t ecx;
	bool ok;
};

/* SDM 2B and APM 3, "RDPMC" (problems 1 and 2 of the public reports). */
/* clang-format off */
static const struct index_row indices[] = {
	{ __LINE__, "intel-v2", 0, true },
	{ __LINE__, "intel-v2", 1, true },
	{ __LINE__, "intel-v2", 2, false },
	{ __LINE__, "intel-v2", 64, false },
	{ __LINE__, "intel-v2", 0xffff, false },
	{ __LINE__, "intel-v2", 0x10000, false },
	{ __LINE__, "intel-v2", 0x40000000, true },
	{ __LINE__, "intel-v2", 0x40000002, true },
	{ __LINE__, "intel-v2", 0x40000003, false },
	{ __LINE__, "intel-v2", 0x80000000, false },
	{ __LINE__, "intel-v2", 0x20000000, false },
	{ __LINE__, "intel-v2", 0xc0000000, false },
	{ __LINE__, "intel-v2", 0xffffffff, false },
	{ __LINE__, "intel-v5", 0, true },
	{ __LINE__, "intel-v5", 7, true },
	{ __LINE__, "intel-v5", 8, false },
	{ __LINE__, "intel-v5", 13, false },
	{ __LINE__, "intel-v5", 31, false },
	{ __LINE__, "intel-v5", 32, false },
	{ __LINE__, "intel-v5", 63, false },
	{ __LINE__, "intel-v5", 64, false },
	{ __LINE__, "intel-v5", 0xffff, false },
	{ __LINE__, "intel-v5", 0x10000, false },
	{ __LINE__, "intel-v5", 0x40000000, true },
	{ __LINE__, "intel-v5", 0x40000003, true },
	{ __LINE__, "intel-v5", 0x40000004, false },
	{ __LINE__, "intel-v5", 0x40000020, false },
	{ __LINE__, "intel-v5", 0x4000ffff, false },
	{ __LINE__, "intel-v5", 0x40010000, false },
	{ __LINE__, "intel-v5", 0x20000000, true },
	{ __LINE__, "intel-v5,metrics=0", 0x20000000, false },
	{ __LINE__, "intel-v5", 0x20000001, false },
	{ __LINE__, "intel-v5", 0x60000000, false },
	{ __LINE__, "intel-v5", 0x80000000, false },
	{ __LINE__, "intel-v5", 0x80000001, false },
	{ __LINE__, "intel-v5", 0xc0000000, false },
	{ __LINE__, "intel-v5", 0xffffffff, false },
	{ __LINE__, "intel-v5,gp=4,fixed=0", 3, true },
	{ __LINE__, "intel-v5,gp=4,fixed=0", 4, false },
	{ __LINE__, "intel-v5,gp=4,fixed=0", 0x40000000, false },
	{ __LINE__, "amd-k7", 0, true },
	{ __LINE__, "amd-k7", 3, true },
	{ __LINE__, "amd-k7", 4, false },
	{ __LINE__, "amd-k7", 6, false },
	{ __LINE__, "amd-k7", 0x40000000, false },
	{ __LINE__, "amd-k7", 0x80000000, false },
	{ __LINE__, "amd-f17h", 0, true },
	{ __LINE__, "amd-f17h", 5, true },
	{ __LINE__, "amd-f17h", 6, true },
	{ __LINE__, "amd-f17h", 9, true },
	{ __LINE__, "amd-f17h", 10, true },
	{ __LINE__, "amd-f17h", 15, true },
	{ __LINE__, "amd-f17h", 16, false },
	{ __LINE__, "amd-f17h", 27, false },
	{ __LINE__, "amd-f17h", 28, false },
	{ __LINE__, "amd-f17h", 64, false },
	{ __LINE__, "amd-f17h", 0x20000000, false },
	{ __LINE__, "amd-f17h", 0x40000000, false },
	{ __LINE__, "amd-f17h", 0x80000000, false },
	{ __LINE__, "amd-f17h", 0xc0000001, false },
	{ __LINE__, "amd-f17h", 0xffffffff, false },
	/* No PMU: no index is good (problem 3). */
	{ __LINE__, "none", 0, false },
	{ __LINE__, "none", 1, false },
	{ __LINE__, "none", 0x40000000, false },
	{ __LINE__, "none", 0x80000000, false },
};

/* Problem 7: only CPL 1..3 in protected mode with PCE clear faults. */
static const struct {
	int line;
	struct vpmu_mode mode;
	enum vpmu_result result;
} modes[] = {
	{ __LINE__, { .cpl = 0, .pe = 1, .pce = 0 }, VPMU_HANDLED },
	{ __LINE__, { .cpl = 0, .pe = 1, .pce = 1 }, VPMU_HANDLED },
	{ __LINE__, { .cpl = 1, .pe = 1, .pce = 0 }, VPMU_FAULT },
	{ __LINE__, { .cpl = 2, .pe = 1, .pce = 0 }, VPMU_FAULT },
	{ __LINE__, { .cpl = 3, .pe = 1, .pce = 0 }, VPMU_FAULT },
	{ __LINE__, { .cpl = 1, .pe = 1, .pce = 1 }, VPMU_HANDLED },
	{ __LINE__, { .cpl = 3, .pe = 1, .pce = 1 }, VPMU_HANDLED },
	{ __LINE__, { .cpl = 0, .pe = 0, .pce = 0 }, VPMU_HANDLED },
	{ __LINE__, { .cpl = 0, .pe = 0, .pce = 1 }, VPMU_HANDLED },
	{ __LINE__, { .cpl = 3, .pe = 0, .pce = 0 }, VPMU_HANDLED },
	{ __LINE__, { .cpl = 4, .pe = 1, .pce = 1 }, VPMU_ERROR },
	{ __LINE__, { .cpl = 255, .pe = 1, .pce = 1 }, VPMU_ERROR },
};
/* clang-format on */

static void index_classes(void)
{
	const struct vpmu_mode kernel = { .cpl = 0, .pe = 1 };
	struct harness h;

	for (size_t i = 0; i < ARRAY_SIZE(indices); i++) {
		const struct index_row *row = &indices[i];
		uint64_t value = 0xa5a5;
		enum vpmu_result ret;

		harness_open(&h, row->model);
		ret = vpmu_rdpmc(h.vcpu, row->ecx, &kernel, &value);
		CHECK_AT(row->line,
			 ret == (row->ok ? VPMU_HANDLED : VPMU_FAULT));
		/* Problem 9: a fault leaves the registers alone. */
		CHECK_AT(row->line, value == (row->ok ? 0 : 0xa5a5));
		harness_close(&h);
	}
}

/* APM 3, "RDPMC": northbridge 0 to 3, L3, northbridge 4 and up. */
static bool shared(const struct harness *h, uint32_t ecx)
{
	if (ecx >= 6 && ecx < 10)
		return h->pmu->shape.nb;
	if (ecx >= 10 && ecx < 16)
		return h->pmu->shape.l3;
	return ecx >= 16 && ecx < 28 && ecx - 12 < h->pmu->shape.nb;
}

/* Each bit of ECX, with each value below 256 under it. */
static void no_other_index(void)
{
	struct harness h;

	for (const char *const *model = harness_models; *model; model++) {
		struct vpmu_model_info info = { .size = sizeof(info) };

		harness_open(&h, *model);
		vpmu_info(h.pmu, &info);
		for (uint32_t high = 0; high < 1u << 24; high += 1u << 12)
			for (uint32_t low = 0; low < 256; low++) {
				uint32_t ecx = high << 8 | low;
				/* PERF_METRICS, of Ice Lake on */
				bool ok = (ecx == 0x20000000 &&
					   info.vendor == VPMU_VENDOR_INTEL &&
					   info.version >= 5) ||
					  ecx < info.gp || shared(&h, ecx) ||
					  (ecx >= 0x40000000 &&
					   ecx - 0x40000000 < info.fixed);

				if ((rdpmc(&h, ecx) != UINT64_MAX) != ok)
					CHECK_AT(__LINE__, false);
			}
		harness_close(&h);
	}
}

static void privilege(void)
{
	static const char *const models[] = { "intel-v5", "amd-f17h" };
	struct harness h;
	uint64_t value;

	for (size_t m = 0; m < ARRAY_SIZE(models); m++) {
		harness_open(&h, models[m]);
		for (size_t i = 0; i < ARRAY_SIZE(modes); i++)
			CHECK_AT(modes[i].line,
				 vpmu_rdpmc(h.vcpu, 0, &modes[i].mode,
					    &value) == modes[i].result);
		harness_close(&h);
	}
}

static void fault_is_the_same(void)
{
	const struct vpmu_mode user = { .cpl = 3, .pe = 1 };
	uint64_t value = 7;
	struct harness h;

	harness_open(&h, "intel-v5");
	CU_ASSERT_EQUAL(vpmu_rdpmc(h.vcpu, 64, &user, &value), VPMU_FAULT);
	CU_ASSERT_EQUAL(vpmu_rdpmc(h.vcpu, 0, &user, &value), VPMU_FAULT);
	CU_ASSERT_EQUAL(value, 7);
	harness_close(&h);
}

/* Problem 8. */
static void equals_the_msr(void)
{
	struct harness h;

	harness_open(&h, "intel-v5");
	wrmsr(&h, 0xc1, UINT64_C(0xff0123456789));
	CU_ASSERT_EQUAL(rdpmc(&h, 0), 0x23456789);
	wrmsr(&h, 0xc1, UINT64_C(0xff0189abcdef));
	CU_ASSERT_EQUAL(rdpmc(&h, 0), UINT64_C(0xffff89abcdef));
	wrmsr(&h, 0x4c1, UINT64_C(0xff0123456789));
	CU_ASSERT_EQUAL(rdpmc(&h, 0), UINT64_C(0xff0123456789));
	CU_ASSERT_EQUAL(rdmsr(&h, 0xc1), UINT64_C(0xff0123456789));
	wrmsr(&h, 0x309, UINT64_C(0x8123456789ab));
	CU_ASSERT_EQUAL(rdpmc(&h, 0x40000000), UINT64_C(0x8123456789ab));
	harness_close(&h);

	harness_open(&h, "amd-f17h");
	wrmsr(&h, 0xc0010201, UINT64_C(0xfffffffffffffffe));
	CU_ASSERT_EQUAL(rdpmc(&h, 0), UINT64_C(0x0000fffffffffffe));
	wrmsr(&h, 0xc001020b, 5);
	CU_ASSERT_EQUAL(rdpmc(&h, 5), 5);
	harness_close(&h);
}

static void hostile_arguments(void)
{
	const struct vpmu_mode kernel = { .cpl = 0, .pe = 1 };
	struct harness h;
	uint64_t value;

	harness_open(&h, "intel-v5");
	CU_ASSERT_EQUAL(vpmu_rdpmc(NULL, 0, &kernel, &value), VPMU_ERROR);
	CU_ASSERT_EQUAL(vpmu_rdpmc(h.vcpu, 0, NULL, &value), VPMU_ERROR);
	CU_ASSERT_EQUAL(vpmu_rdpmc(h.vcpu, 0, &kernel, NULL), VPMU_ERROR);
	harness_close(&h);
}

static CU_TestInfo tests[] = {
	{ "each class of index (problems 1, 2, 3, 9)", index_classes },
	{ "no index but the enumerated ones", no_other_index },
	{ "CPL, PE, PCE (problem 7)", privilege },
	{ "privilege and index fault alike (problem 4)", fault_is_the_same },
	{ "RDPMC equals RDMSR (problem 8)", equals_the_msr },
	{ "NULL is an error", hostile_arguments },
	CU_TEST_INFO_NULL,
};

CU_SuiteInfo suite_rdpmc = { .pName = "core/rdpmc", .pTests = tests };
