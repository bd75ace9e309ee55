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
	/* Type 0 below nGP or in 23H.1:EAX, 4000H in the fixed bitmaps, 2000H
	 * index 0 with PCAP[15]; no fast read. */
	{ __LINE__, "intel-v1", 0, true },
	{ __LINE__, "intel-v1", 1, true },
	{ __LINE__, "intel-v1", 2, false },
	{ __LINE__, "intel-v1", 0x40000000, false },
	{ __LINE__, "intel-v1", 0x20000000, false },
	{ __LINE__, "intel-v1", 64, false },
	{ __LINE__, "intel-v1", 0xffff, false },
	{ __LINE__, "intel-v1", 0x10000, false },
	{ __LINE__, "intel-v1", 0x20000001, false },
	{ __LINE__, "intel-v1", 0x2000ffff, false },
	{ __LINE__, "intel-v1", 0x80000000, false },
	{ __LINE__, "intel-v1", 0x80000001, false },
	{ __LINE__, "intel-v1", 0xa0000000, false },
	{ __LINE__, "intel-v1", 0xc0000000, false },
	{ __LINE__, "intel-v1", 0xffffffff, false },
	{ __LINE__, "intel-v3", 0, true },
	{ __LINE__, "intel-v3", 3, true },
	{ __LINE__, "intel-v3", 0x40000000, true },
	{ __LINE__, "intel-v3", 0x40000002, true },
	{ __LINE__, "intel-v3", 4, false },
	{ __LINE__, "intel-v3", 0x40000003, false },
	{ __LINE__, "intel-v3", 0x20000000, false },
	{ __LINE__, "intel-v3", 64, false },
	{ __LINE__, "intel-v3", 0xffff, false },
	{ __LINE__, "intel-v3", 0x10000, false },
	{ __LINE__, "intel-v3", 0x20000001, false },
	{ __LINE__, "intel-v3", 0x2000ffff, false },
	{ __LINE__, "intel-v3", 0x80000000, false },
	{ __LINE__, "intel-v3", 0x80000001, false },
	{ __LINE__, "intel-v3", 0xa0000000, false },
	{ __LINE__, "intel-v3", 0xc0000000, false },
	{ __LINE__, "intel-v3", 0xffffffff, false },
	{ __LINE__, "intel-v4", 0, true },
	{ __LINE__, "intel-v4", 3, true },
	{ __LINE__, "intel-v4", 0x40000000, true },
	{ __LINE__, "intel-v4", 0x40000002, true },
	{ __LINE__, "intel-v4", 4, false },
	{ __LINE__, "intel-v4", 0x40000003, false },
	{ __LINE__, "intel-v4", 0x20000000, false },
	{ __LINE__, "intel-v4", 64, false },
	{ __LINE__, "intel-v4", 0xffff, false },
	{ __LINE__, "intel-v4", 0x10000, false },
	{ __LINE__, "intel-v4", 0x20000001, false },
	{ __LINE__, "intel-v4", 0x2000ffff, false },
	{ __LINE__, "intel-v4", 0x80000000, false },
	{ __LINE__, "intel-v4", 0x80000001, false },
	{ __LINE__, "intel-v4", 0xa0000000, false },
	{ __LINE__, "intel-v4", 0xc0000000, false },
	{ __LINE__, "intel-v4", 0xffffffff, false },
	{ __LINE__, "intel-v6", 0, true },
	{ __LINE__, "intel-v6", 7, true },
	{ __LINE__, "intel-v6", 8, true },
	{ __LINE__, "intel-v6", 9, true },
	{ __LINE__, "intel-v6", 0x40000000, true },
	{ __LINE__, "intel-v6", 0x40000002, true },
	{ __LINE__, "intel-v6", 0x40000003, true },
	{ __LINE__, "intel-v6", 0x20000000, true },
	{ __LINE__, "intel-v6", 10, false },
	{ __LINE__, "intel-v6", 31, false },
	{ __LINE__, "intel-v6", 32, false },
	{ __LINE__, "intel-v6", 0x40000004, false },
	{ __LINE__, "intel-v6", 0x40000006, false },
	{ __LINE__, "intel-v6", 0x40000020, false },
	{ __LINE__, "intel-v6", 0x4000ffff, false },
	{ __LINE__, "intel-v6", 0x60000000, false },
	{ __LINE__, "intel-v6", 64, false },
	{ __LINE__, "intel-v6", 0xffff, false },
	{ __LINE__, "intel-v6", 0x10000, false },
	{ __LINE__, "intel-v6", 0x20000001, false },
	{ __LINE__, "intel-v6", 0x2000ffff, false },
	{ __LINE__, "intel-v6", 0x80000000, false },
	{ __LINE__, "intel-v6", 0x80000001, false },
	{ __LINE__, "intel-v6", 0xa0000000, false },
	{ __LINE__, "intel-v6", 0xc0000000, false },
	{ __LINE__, "intel-v6", 0xffffffff, false },
	{ __LINE__, "intel-v4,gp=1", 0, true },
	{ __LINE__, "intel-v4,gp=1", 0x40000002, true },
	{ __LINE__, "intel-v4,gp=1", 1, false },
	{ __LINE__, "intel-v4,gp=1", 0x40000003, false },
	{ __LINE__, "intel-v4,gp=8", 7, true },
	{ __LINE__, "intel-v4,gp=8", 8, false },
	{ __LINE__, "intel-v5,gp=14,fixed=8", 13, true },
	{ __LINE__, "intel-v5,gp=14,fixed=8", 0x40000007, true },
	{ __LINE__, "intel-v5,gp=14,fixed=8", 0x20000000, true },
	{ __LINE__, "intel-v5,gp=14,fixed=8", 14, false },
	{ __LINE__, "intel-v5,gp=14,fixed=8", 15, false },
	{ __LINE__, "intel-v5,gp=14,fixed=8", 0x40000008, false },
	{ __LINE__, "intel-v3,fixed=0", 3, true },
	{ __LINE__, "intel-v3,fixed=0", 4, false },
	{ __LINE__, "intel-v3,fixed=0", 0x40000000, false },
	{ __LINE__, "intel-v6,fixed=7", 9, true },
	{ __LINE__, "intel-v6,fixed=7", 0x40000006, true },
	{ __LINE__, "intel-v6,fixed=7", 0x20000000, true },
	{ __LINE__, "intel-v6,fixed=7", 10, false },
	{ __LINE__, "intel-v6,fixed=7", 0x40000007, false },
	{ __LINE__, "intel-v6,fixed=3", 0x40000002, true },
	{ __LINE__, "intel-v6,fixed=3", 0x40000003, false },
	{ __LINE__, "intel-v6,fixed=3", 0x20000000, false },
	{ __LINE__, "intel-v6,pdcm=0", 9, true },
	{ __LINE__, "intel-v6,pdcm=0", 0x40000003, true },
	{ __LINE__, "intel-v6,pdcm=0", 0x20000000, false },
	{ __LINE__, "intel-v6,metrics=0", 0x40000003, true },
	{ __LINE__, "intel-v6,metrics=0", 0x20000000, false },
	{ __LINE__, "intel-v5,fixed=1,fixed_map=0x5", 0x40000000, true },
	{ __LINE__, "intel-v5,fixed=1,fixed_map=0x5", 0x40000002, true },
	{ __LINE__, "intel-v5,fixed=1,fixed_map=0x5", 0x40000001, false },
	{ __LINE__, "intel-v5,fixed=1,fixed_map=0x5", 0x40000003, false },
	{ __LINE__, "intel-v5,fixed=1,fixed_map=0x5", 0x20000000, false },
	{ __LINE__, SPARSE, 0, true },
	{ __LINE__, SPARSE, 1, true },
	{ __LINE__, SPARSE, 4, true },
	{ __LINE__, SPARSE, 7, true },
	{ __LINE__, SPARSE, 0x40000000, true },
	{ __LINE__, SPARSE, 0x40000002, true },
	{ __LINE__, SPARSE, 2, false },
	{ __LINE__, SPARSE, 3, false },
	{ __LINE__, SPARSE, 5, false },
	{ __LINE__, SPARSE, 6, false },
	{ __LINE__, SPARSE, 8, false },
	{ __LINE__, SPARSE, 9, false },
	{ __LINE__, SPARSE, 0x40000001, false },
	{ __LINE__, SPARSE, 0x40000003, false },
	{ __LINE__, SPARSE, 0x20000000, false },
	{ __LINE__, SPARSE, 64, false },
	{ __LINE__, SPARSE, 0xffff, false },
	{ __LINE__, SPARSE, 0x10000, false },
	{ __LINE__, SPARSE, 0x20000001, false },
	{ __LINE__, SPARSE, 0x2000ffff, false },
	{ __LINE__, SPARSE, 0x80000000, false },
	{ __LINE__, SPARSE, 0x80000001, false },
	{ __LINE__, SPARSE, 0xa0000000, false },
	{ __LINE__, SPARSE, 0xc0000000, false },
	{ __LINE__, SPARSE, 0xffffffff, false },
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

/* All that is good: bitmaps of counters and fixed counters, PERF_METRICS. */
/* clang-format off */
static const struct {
	int line;
	const char *model;
	uint32_t gp;
	uint32_t fixed;
	bool metrics;
} sets[] = {
	{ __LINE__, "intel-v1", 0x3, 0x0, false },
	{ __LINE__, "intel-v2", 0x3, 0x7, false },
	{ __LINE__, "intel-v3", 0xf, 0x7, false },
	{ __LINE__, "intel-v4", 0xf, 0x7, false },
	{ __LINE__, "intel-v5", 0xff, 0xf, true },
	{ __LINE__, "intel-v6", 0x3ff, 0xf, true },
	{ __LINE__, "intel-v5,gp=14,fixed=8", 0x3fff, 0xff, true },
	{ __LINE__, SPARSE, 0x93, 0x5, false },
	{ __LINE__, "amd-k7", 0xf, 0x0, false },
	/* APM 3: core 0-5, northbridge 6-9, L3 10-15, fabric 16-27. */
	{ __LINE__, "amd-f15h", 0x3ff, 0x0, false },
	{ __LINE__, "amd-f17h", 0xffff, 0x0, false },
	{ __LINE__, "amd-v2", 0xfffffff, 0x0, false },
	{ __LINE__, "amd-zen5", 0xfffffff, 0x0, false },
	{ __LINE__, "none", 0x0, 0x0, false },
};
/* clang-format on */

static bool in_set(size_t i, uint32_t ecx)
{
	if (ecx < 32)
		return sets[i].gp & BIT(ecx);
	if (ecx >= 0x40000000 && ecx < 0x40000020)
		return sets[i].fixed & BIT(ecx - 0x40000000);
	return ecx == 0x20000000 && sets[i].metrics;
}

/* Each bit of ECX, with each value below 256 under it. */
static void no_other_index(void)
{
	struct harness h;

	for (size_t i = 0; i < ARRAY_SIZE(sets); i++) {
		harness_open(&h, sets[i].model);
		for (uint32_t high = 0; high < 1u << 24; high += 1u << 12)
			for (uint32_t low = 0; low < 256; low++) {
				uint32_t ecx = high << 8 | low;

				if ((rdpmc(&h, ecx) != UINT64_MAX) !=
				    in_set(i, ecx))
					CHECK_AT(sets[i].line, false);
			}
		/* What the steps above leave out. */
		for (unsigned int b = 0; b < 32; b++)
			for (uint32_t low = 0; low < 256; low++) {
				uint32_t ecx = low ^ BIT32(b);

				if ((rdpmc(&h, ecx) != UINT64_MAX) !=
				    in_set(i, ecx))
					CHECK_AT(sets[i].line, false);
			}
		harness_close(&h);
	}
}

static void privilege(void)
{
	static const char *const models[] = { "intel-v1", "intel-v5",
					      "intel-v6", "amd-f17h" };
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

/* Problem 8: kvm-unit-tests' check_rdpmc. */
static void equals_the_msr(void)
{
	/* clang-format off */
	static const struct {
		int line;
		const char *model;
		uint32_t msr;
		uint64_t written;
		uint32_t ecx;
		uint64_t read;
	} rows[] = {
		{ __LINE__, "intel-v1", 0x0c2, 0xff0123456789, 0x1, 0x23456789 },
		{ __LINE__, "intel-v1", 0x0c2, 0xff0189abcdef, 0x1, 0xff89abcdef },
		{ __LINE__, "intel-v3", 0x0c1, 0xff0123456789, 0x0, 0x23456789 },
		{ __LINE__, "intel-v3", 0x4c4, 0xff0123456789, 0x3, 0xff0123456789 },
		{ __LINE__, "intel-v4", 0x30b, 0x8123456789ab, 0x40000002, 0x8123456789ab },
		{ __LINE__, "intel-v5", 0x0c1, 0xff0123456789, 0x0, 0x23456789 },
		{ __LINE__, "intel-v5", 0x0c1, 0xff0189abcdef, 0x0, 0xffff89abcdef },
		{ __LINE__, "intel-v5", 0x4c1, 0xff0123456789, 0x0, 0xff0123456789 },
		{ __LINE__, "intel-v5", 0x309, 0x8123456789ab, 0x40000000, 0x8123456789ab },
		{ __LINE__, "intel-v5,width=33", 0x0c1, 0xff0189abcdef, 0x0, 0x189abcdef },
		{ __LINE__, "intel-v6", 0x1924, 0xff0189abcdef, 0x9, 0xff0189abcdef },
		{ __LINE__, "intel-v6", 0x198c, 0x8123456789ab, 0x40000003, 0x8123456789ab },
		{ __LINE__, "intel-v6", 0x329, 0xfedcba9876543210, 0x20000000, 0xfedcba9876543210 },
		{ __LINE__, SPARSE, 0x191c, 0x123456789abc, 0x7, 0x123456789abc },
		{ __LINE__, SPARSE, 0x30b, 0x123456789abc, 0x40000002, 0x123456789abc },
		{ __LINE__, "amd-f17h", 0xc0010201, 0xfffffffffffffffe, 0x0, 0xfffffffffffe },
		{ __LINE__, "amd-f17h", 0xc001020b, 5, 0x5, 5 },
	};
	/* clang-format on */
	struct harness h;

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		harness_open(&h, rows[i].model);
		CHECK_AT(rows[i].line,
			 !wrmsr(&h, rows[i].msr, rows[i].written));
		CHECK_AT(rows[i].line, rdpmc(&h, rows[i].ecx) == rows[i].read);
		CHECK_AT(rows[i].line, rdmsr(&h, rows[i].msr) == rows[i].read);
		harness_close(&h);
	}
}

/* ------------------------------------------------------------ PERF_METRICS */

/* Reading 2000_0000H clears only with RDPMC_METRICS_CLEAR (PCAP[19]) and
 * METRICS_CLEAR_EN (38DH bit 14); without the first the second faults. */
struct metrics_row {
	int line;
	const char *model;
	uint64_t ctrl; /* 38DH */
	bool faults; /* it does */
	uint8_t cpl;
	bool clears;
};

/* clang-format off */
static const struct metrics_row metrics[] = {
	{ __LINE__, "intel-v5", 0x0000, false, 0, false },
	{ __LINE__, "intel-v5", 0x4000, true,  0, false },
	{ __LINE__, "intel-v5,metrics_clear=1", 0x0000, false, 0, false },
	{ __LINE__, "intel-v5,metrics_clear=1", 0x4000, false, 0, true },
	{ __LINE__, "intel-v6", 0x0000, false, 0, false },
	{ __LINE__, "intel-v6", 0xb000, false, 3, false },
	{ __LINE__, "intel-v6", 0x4000, false, 0, true },
	{ __LINE__, "intel-v6", 0xf000, false, 0, true },
	{ __LINE__, "intel-v6", 0x4000, false, 3, true },
	{ __LINE__, "intel-v6,metrics_clear=0", 0x4000, true, 0, false },
	{ __LINE__, "intel-v6,metrics_clear=0", 0xb000, false, 0, false },
};
/* clang-format on */

#define METRICS UINT64_C(0x0123456789abcdef)
#define SLOTS UINT64_C(0x8000000000ff)

static void metrics_row(const struct metrics_row *row)
{
	const struct vpmu_mode mode = { .cpl = row->cpl, .pe = 1, .pce = 1 };
	uint64_t value = 0;
	struct harness h;

	harness_open(&h, row->model);
	CHECK_AT(row->line, wrmsr(&h, 0x38d, row->ctrl) ==
				    (row->faults ? VPMU_FAULT : VPMU_HANDLED));
	wrmsr(&h, 0x30c, SLOTS);
	wrmsr(&h, 0x329, METRICS);
	wrmsr(&h, 0x30b, 42);
	/* Neither RDMSR nor the RDPMC of counter 3 clears. */
	CHECK_AT(row->line, rdmsr(&h, 0x329) == METRICS);
	CHECK_AT(row->line, rdpmc(&h, 0x40000003) == SLOTS);
	CHECK_AT(row->line, rdmsr(&h, 0x329) == METRICS);
	CHECK_AT(row->line, rdmsr(&h, 0x30c) == SLOTS);
	CHECK_AT(row->line,
		 vpmu_rdpmc(h.vcpu, 0x20000000, &mode, &value) == VPMU_HANDLED);
	CHECK_AT(row->line, value == METRICS);
	CHECK_AT(row->line, rdmsr(&h, 0x329) == (row->clears ? 0 : METRICS));
	CHECK_AT(row->line, rdmsr(&h, 0x30c) == (row->clears ? 0 : SLOTS));
	CHECK_AT(row->line, rdmsr(&h, 0x30b) == 42);
	harness_close(&h);
}

static void metrics_read(void)
{
	for (size_t i = 0; i < ARRAY_SIZE(metrics); i++)
		metrics_row(&metrics[i]);
}

/* A read that faults clears nothing. */
static void metrics_fault(void)
{
	const struct vpmu_mode user = { .cpl = 3, .pe = 1 };
	uint64_t value = 0xa5a5;
	struct harness h;

	harness_open(&h, "intel-v6");
	wrmsr(&h, 0x38d, 0x4000);
	wrmsr(&h, 0x30c, SLOTS);
	wrmsr(&h, 0x329, METRICS);
	CU_ASSERT_EQUAL(vpmu_rdpmc(h.vcpu, 0x20000000, &user, &value),
			VPMU_FAULT);
	CU_ASSERT_EQUAL(rdpmc(&h, 0x20000001), UINT64_MAX);
	CU_ASSERT_EQUAL(value, 0xa5a5);
	CU_ASSERT_EQUAL(rdmsr(&h, 0x329), METRICS);
	CU_ASSERT_EQUAL(rdmsr(&h, 0x30c), SLOTS);
	harness_close(&h);
}

/* Counter 3 runs on from 0; what it counted before overflows, if it does. */
static void metrics_cleared_while_running(void)
{
	struct harness h;

	harness_open_mock(&h, "intel-v6");
	wrmsr(&h, 0x38d, 0xf000);
	wrmsr(&h, 0x38f, BIT(35) | BIT(48));
	wrmsr(&h, 0x30c, UINT64_C(0xffffffffffff));
	h.host.slots[13].pending = 8;
	CU_ASSERT_EQUAL(rdpmc(&h, 0x20000000), 0);
	CU_ASSERT_EQUAL(rdmsr(&h, 0x38e), BIT(35));
	CU_ASSERT_EQUAL(vpmu_take_pmi(h.vcpu), 1);
	CU_ASSERT_EQUAL(rdmsr(&h, 0x30c), 0);
	h.host.slots[13].pending = 8;
	CU_ASSERT_EQUAL(rdpmc(&h, 0x40000003), 8);
	harness_close(&h);
}

/* The overflow that the read finds freezes then and there. */
static void metrics_read_freezes(void)
{
	struct harness h;

	harness_open_mock(&h, "intel-v6");
	wrmsr(&h, 0x1d9, BIT(12));
	wrmsr(&h, 0x38d, 0xb001);
	wrmsr(&h, 0x38f, BIT(48) | BIT(35) | BIT(32));
	wrmsr(&h, 0x30c, UINT64_C(0xffffffffffff));
	h.host.slots[13].pending = 8;
	rdpmc(&h, 0x20000000);
	CU_ASSERT_EQUAL(h.host.slots[10].running, 0);
	CU_ASSERT_EQUAL(h.host.slots[13].running, 0);
	CU_ASSERT_EQUAL(rdmsr(&h, 0x38e), BIT(59) | BIT(35));
	harness_close(&h);
}

/* ------------------------------------------------------ RDPMC user disable */

static const struct {
	int line;
	struct vpmu_mode mode;
	enum vpmu_result result;
	bool hidden;
} disabled_modes[] = {
	{ __LINE__, { .cpl = 0, .pe = 1, .pce = 0 }, VPMU_HANDLED, false },
	{ __LINE__, { .cpl = 0, .pe = 1, .pce = 1 }, VPMU_HANDLED, false },
	{ __LINE__, { .cpl = 0, .pe = 0, .pce = 0 }, VPMU_HANDLED, false },
	{ __LINE__, { .cpl = 1, .pe = 1, .pce = 1 }, VPMU_HANDLED, true },
	{ __LINE__, { .cpl = 2, .pe = 1, .pce = 1 }, VPMU_HANDLED, true },
	{ __LINE__, { .cpl = 3, .pe = 1, .pce = 1 }, VPMU_HANDLED, true },
	/* CR4.PCE comes first. */
	{ __LINE__, { .cpl = 1, .pe = 1, .pce = 0 }, VPMU_FAULT, false },
	{ __LINE__, { .cpl = 2, .pe = 1, .pce = 0 }, VPMU_FAULT, false },
	{ __LINE__, { .cpl = 3, .pe = 1, .pce = 0 }, VPMU_FAULT, false },
};

/* A counter, the bit that hides it, and one that is not hidden. */
/* clang-format off */
static const struct {
	int line;
	uint32_t ctrl_msr;
	uint64_t ctrl;
	uint32_t msr;
	uint32_t ecx;
	uint32_t other_msr;
	uint32_t other_ecx;
} disables[] = {
	{ __LINE__, 0x186, BIT(37), 0x4c1, 0x0, 0x4c2, 0x1 },
	{ __LINE__, 0x18f, BIT(37), 0x4ca, 0x9, 0x4c9, 0x8 },
	{ __LINE__, 0x1925, BIT(37), 0x1924, 0x9, 0x1920, 0x8 },
	{ __LINE__, 0x38d, BIT(33), 0x309, 0x40000000, 0x30a, 0x40000001 },
	{ __LINE__, 0x38d, BIT(37), 0x30a, 0x40000001, 0x4c1, 0x0 },
	{ __LINE__, 0x38d, BIT(41), 0x30b, 0x40000002, 0x309, 0x40000000 },
	{ __LINE__, 0x38d, BIT(45), 0x30c, 0x40000003, 0x30b, 0x40000002 },
	/* PERF_METRICS has no such bit. */
	{ __LINE__, 0x38d, BIT(45), 0x30c, 0x40000003, 0x329, 0x20000000 },
};
/* clang-format on */

static void disable_one(struct harness *h, size_t i, size_t m)
{
	const struct vpmu_mode *mode = &disabled_modes[m].mode;
	enum vpmu_result result = disabled_modes[m].result;
	uint64_t value = 0xa5, other = 0xa5;
	int line = disables[i].line;

	CHECK_AT(line,
		 vpmu_rdpmc(h->vcpu, disables[i].ecx, mode, &value) == result);
	CHECK_AT(line, vpmu_rdpmc(h->vcpu, disables[i].other_ecx, mode,
				  &other) == result);
	if (result != VPMU_HANDLED) {
		CHECK_AT(disabled_modes[m].line, value == 0xa5);
		return;
	}
	CHECK_AT(line, value == (disabled_modes[m].hidden ? 0 : 0x1234));
	CHECK_AT(line, other == 0x5678);
}

static void user_disable(void)
{
	struct harness h;

	for (size_t i = 0; i < ARRAY_SIZE(disables); i++) {
		harness_open(&h, "intel-v6,user_disable=1");
		wrmsr(&h, disables[i].msr, 0x1234);
		wrmsr(&h, disables[i].other_msr, 0x5678);
		CHECK_AT(disables[i].line,
			 !wrmsr(&h, disables[i].ctrl_msr, disables[i].ctrl));
		for (size_t m = 0; m < ARRAY_SIZE(disabled_modes); m++)
			disable_one(&h, i, m);
		/* Only RDPMC is disabled. */
		CHECK_AT(disables[i].line,
			 rdmsr(&h, disables[i].msr) == 0x1234);
		harness_close(&h);
	}
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
	{ "no index but the enumerated ones (problem 1)", no_other_index },
	{ "CPL, PE, PCE (problem 7)", privilege },
	{ "privilege and index fault alike (problem 4)", fault_is_the_same },
	{ "RDPMC equals RDMSR (problem 8)", equals_the_msr },
	{ "PERF_METRICS: only 2000_0000H clears, if both bits say",
	  metrics_read },
	{ "... not when it faults", metrics_fault },
	{ "... while counter 3 runs", metrics_cleared_while_running },
	{ "... and freezes, if it overflows", metrics_read_freezes },
	{ "RDPMC user disable at each CPL, after CR4.PCE", user_disable },
	{ "NULL is an error", hostile_arguments },
	CU_TEST_INFO_NULL,
};

CU_SuiteInfo suite_rdpmc = { .pName = "core/rdpmc", .pTests = tests };
