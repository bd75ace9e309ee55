/* SPDX-License-Identifier: Apache-2.0 */
/* core/cpuid.c and the models' leaves. */
#include <errno.h>
#include <string.h>

#include "tests/harness.h"

#define F UINT32_MAX
struct leaf_row {
	int line;
	const char *model;
	uint32_t leaf;
	uint32_t subleaf;
	struct vpmu_cpuid_regs offered;
	struct vpmu_cpuid_regs shown;
};

/*
 * 0AH:EBX with exact counting: LLC references (3), LLC misses (4) and branch
 * misses (6) cannot be counted: 58H. EDX: SDM 2A, leaf 0AH.
 */
/* clang-format off */
static const struct leaf_row leaves[] = {
	{ __LINE__, "intel-v2", 0x0, 0, { 0x5, 1, 2, 3 }, { 0xa, 0x756e6547, 0x6c65746e, 0x49656e69 } },
	{ __LINE__, "intel-v2", 0x0, 0, { 0x1f, 1, 2, 3 }, { 0x1f, 0x756e6547, 0x6c65746e, 0x49656e69 } },
	{ __LINE__, "intel-v2", 0x1, 0, { F, F, F, F }, { 0x1067a, F, 0xffffffeb, 0xffdfffff } },
	{ __LINE__, "intel-v2", 0x1, 0, { 0, 0, 0, 0 }, { 0x1067a, 0, 0x8000, 0 } },
	{ __LINE__, "intel-v2", 0xa, 0, { F, F, F, F }, { 0x07280202, 0x58, 0, 0x503 } },
	{ __LINE__, "intel-v5", 0x1, 0, { 0, 0, 0, 0 }, { 0x706e5, 0, 0x8000, 0 } },
	{ __LINE__, "intel-v5,fw_write=0,pdcm=0", 0x1, 0, { F, F, F, F }, { 0x706e5, F, 0xffff7feb, 0xffdfffff } },
	{ __LINE__, "intel-v5", 0xa, 0, { 0, 0, 0, 0 }, { 0x08300805, 0x58, 0xf, 0x8604 } },
	{ __LINE__, "intel-v5", 0xa, 7, { 0, 0, 0, 0 }, { 0x08300805, 0x58, 0xf, 0x8604 } },
	{ __LINE__, "intel-v5,gp=4,width=40,fixed=3,fixed_width=44", 0xa, 0, { F, F, F, F }, { 0x08280405, 0x58, 0x7, 0x8583 } },
	{ __LINE__, "intel-v5,fixed=0", 0xa, 0, { F, F, F, F }, { 0x08300805, 0x58, 0, 0x8000 } },
	{ __LINE__, "intel-v5", 0x6, 0, { F, F, F, F }, { F, F, 0xfffffffe, F } },
	{ __LINE__, "intel-v5", 0x7, 0, { F, F, F, F }, { F, 0xfdfff7ef, 0xfeffffff, 0xfff77fff } },
	{ __LINE__, "intel-v5", 0x7, 1, { F, F, F, F }, { 0xfffffeff, F, F, F } },
	{ __LINE__, "intel-v5", 0x14, 0, { F, F, F, F }, { 0, 0, 0, 0 } },
	{ __LINE__, "intel-v5", 0x14, 9, { F, F, F, F }, { 0, 0, 0, 0 } },
	{ __LINE__, "intel-v5", 0x1c, 0, { F, F, F, F }, { 0, 0, 0, 0 } },
	{ __LINE__, "intel-v5", 0x23, 0, { F, F, F, F }, { 0, 0, 0, 0 } },
	{ __LINE__, "intel-v5", 0x23, 5, { F, F, F, F }, { 0, 0, 0, 0 } },
	{ __LINE__, "intel-v5", 0x80000000, 0, { 0x80000004, 1, 2, 3 }, { 0x80000008, 0, 0, 0 } },
	{ __LINE__, "intel-v5", 0x80000001, 0, { F, F, F, F }, { 0, F, 0xe47f7bff, F } },
	{ __LINE__, "intel-v5", 0x80000007, 0, { F, F, F, F }, { F, F, F, 0xfffffbff } },
	{ __LINE__, "intel-v5", 0x80000008, 0, { F, F, F, F }, { F, 0xfffffffd, 0xfffcffff, F } },
	{ __LINE__, "intel-v1", 0x1, 0, { F, F, F, F }, { 0x6e8, F, 0xffff7feb, 0xffdfffff } },
	{ __LINE__, "intel-v1,pdcm=1", 0x1, 0, { 0, 0, 0, 0 }, { 0x6e8, 0, 0x8000, 0 } },
	{ __LINE__, "intel-v3", 0x1, 0, { 0, 0, 0, 0 }, { 0x306c3, 0, 0x8000, 0 } },
	{ __LINE__, "intel-v4", 0x1, 0, { 0, 0, 0, 0 }, { 0x50654, 0, 0x8000, 0 } },
	{ __LINE__, "intel-v6", 0x1, 0, { 0, 0, 0, 0 }, { 0xc0662, 0, 0x8000, 0 } },
	{ __LINE__, "intel-v6", 0x1, 0, { F, F, F, F }, { 0xc0662, F, 0xffffffeb, 0xffdfffff } },
	/* The largest leaf is at least 0AH, or 23H from version 6 on. */
	{ __LINE__, "intel-v1", 0x0, 0, { 0x5, 1, 2, 3 }, { 0xa, 0x756e6547, 0x6c65746e, 0x49656e69 } },
	{ __LINE__, "intel-v5", 0x0, 0, { 0xd, 1, 2, 3 }, { 0xd, 0x756e6547, 0x6c65746e, 0x49656e69 } },
	{ __LINE__, "intel-v6", 0x0, 0, { 0x5, 1, 2, 3 }, { 0x23, 0x756e6547, 0x6c65746e, 0x49656e69 } },
	{ __LINE__, "intel-v6", 0x0, 0, { 0x24, 1, 2, 3 }, { 0x24, 0x756e6547, 0x6c65746e, 0x49656e69 } },
	{ __LINE__, "intel-v5,version=6", 0x0, 0, { 0x5, 1, 2, 3 }, { 0x23, 0x756e6547, 0x6c65746e, 0x49656e69 } },
	{ __LINE__, "intel-v1,version=6", 0x0, 0, { 0x22, 1, 2, 3 }, { 0x23, 0x756e6547, 0x6c65746e, 0x49656e69 } },
	{ __LINE__, "intel-v1,version=6", 0x0, 0, { 0x23, 1, 2, 3 }, { 0x23, 0x756e6547, 0x6c65746e, 0x49656e69 } },
	/* 07H: subleaf 1 with ArchPerfmonExt, hybrid by model, HLE without RTM with tsx. */
	{ __LINE__, "intel-v6", 0x7, 0, { 0, 0, 0, 0 }, { 1, 0, 0, 0x8000 } },
	{ __LINE__, "intel-v6", 0x7, 0, { 2, F, F, F }, { 2, 0xfdfff7ef, 0xfeffffff, 0xfff7ffff } },
	{ __LINE__, "intel-v6", 0x7, 1, { 0, 0, 0, 0 }, { 0x100, 0, 0, 0 } },
	{ __LINE__, "intel-v6", 0x7, 1, { F, F, F, F }, { F, F, F, F } },
	{ __LINE__, "intel-v5,version=6", 0x7, 0, { 0, 0, 0, 0 }, { 1, 0, 0, 0 } },
	{ __LINE__, "intel-v5,version=6", 0x7, 1, { 0, 0, 0, 0 }, { 0x100, 0, 0, 0 } },
	{ __LINE__, "intel-v6,version=5", 0x7, 0, { 0, 0, 0, 0 }, { 0, 0, 0, 0x8000 } },
	{ __LINE__, "intel-v6,version=5", 0x7, 1, { F, F, F, F }, { 0xfffffeff, F, F, F } },
	{ __LINE__, "intel-v3", 0x7, 0, { F, F, F, F }, { F, 0xfdfff7ef, 0xfeffffff, 0xfff77fff } },
	{ __LINE__, "intel-v3,tsx=1", 0x7, 0, { 0, 0, 0, 0 }, { 0, 0x10, 0, 0 } },
	{ __LINE__, "intel-v6,tsx=1", 0x7, 0, { F, F, F, F }, { F, 0xfdfff7ff, 0xfeffffff, 0xfff7ffff } },
	/* 1AH: a P-core; what is not a hybrid's CPU has no type. */
	{ __LINE__, "intel-v6", 0x1a, 0, { F, 0, 0, 0 }, { 0x40000000, 0, 0, 0 } },
	{ __LINE__, "intel-v6", 0x1a, 1, { 0, 0, 0, 0 }, { 0x40000000, 0, 0, 0 } },
	{ __LINE__, "intel-v5", 0x1a, 0, { F, 0, 0, 0 }, { 0, 0, 0, 0 } },
	/* 0AH, exact: events 3, 4, 6, in version 6 also 8, 9, 10, 12 are not. */
	{ __LINE__, "intel-v1", 0xa, 0, { F, F, F, F }, { 0x07280201, 0x58, 0, 0 } },
	{ __LINE__, "intel-v3", 0xa, 0, { F, F, F, F }, { 0x07300403, 0x58, 0, 0x603 } },
	{ __LINE__, "intel-v4", 0xa, 0, { F, F, F, F }, { 0x07300404, 0x58, 0, 0x603 } },
	{ __LINE__, "intel-v6", 0xa, 0, { F, F, F, F }, { 0x0d300806, 0x1758, 0x7, 0x8603 } },
	{ __LINE__, "intel-v3,any_thread=0", 0xa, 0, { 0, 0, 0, 0 }, { 0x07300403, 0x58, 0, 0x8603 } },
	{ __LINE__, "intel-v4,any_thread=0", 0xa, 0, { 0, 0, 0, 0 }, { 0x07300404, 0x58, 0, 0x8603 } },
	{ __LINE__, "intel-v2,any_thread=0", 0xa, 0, { 0, 0, 0, 0 }, { 0x07280202, 0x58, 0, 0x503 } },
	{ __LINE__, "intel-v4,gp=8,fixed=1,width=40", 0xa, 0, { 0, 0, 0, 0 }, { 0x07280804, 0x58, 0, 0x601 } },
	{ __LINE__, "intel-v3,fixed=0", 0xa, 0, { F, F, F, F }, { 0x07300403, 0x58, 0, 0 } },
	{ __LINE__, "intel-v5,width=33,fixed_width=33", 0xa, 0, { 0, 0, 0, 0 }, { 0x08210805, 0x58, 0xf, 0x8424 } },
	{ __LINE__, "intel-v5,events=7", 0xa, 0, { 0, 0, 0, 0 }, { 0x07300805, 0x58, 0xf, 0x8604 } },
	{ __LINE__, "intel-v5,fixed=1,fixed_map=0x5", 0xa, 0, { 0, 0, 0, 0 }, { 0x08300805, 0x58, 0x5, 0x8601 } },
	{ __LINE__, "intel-v6,gp=4,fixed=4", 0xa, 0, { 0, 0, 0, 0 }, { 0x0d300406, 0x1758, 0xf, 0x8604 } },
	{ __LINE__, SPARSE, 0xa, 0, { F, F, F, F }, { 0x0d300206, 0x1758, 0x1, 0x8601 } },
	{ __LINE__, "intel-v6,version=1", 0xa, 0, { F, F, F, F }, { 0x07300801, 0x58, 0, 0 } },
	/* 23H, exact: events 0, 1, 2, 5, 7, 11 are. */
	{ __LINE__, "intel-v4", 0x23, 0, { F, F, F, F }, { 0, 0, 0, 0 } },
	{ __LINE__, "intel-v5", 0x23, 1, { F, F, F, F }, { 0, 0, 0, 0 } },
	{ __LINE__, "intel-v5", 0x23, 3, { F, F, F, F }, { 0, 0, 0, 0 } },
	{ __LINE__, "intel-v6", 0x23, 0, { F, F, F, F }, { 0xb, 3, 0, 0 } },
	{ __LINE__, "intel-v6", 0x23, 1, { F, F, F, F }, { 0x3ff, 0xf, 0, 0 } },
	{ __LINE__, "intel-v6", 0x23, 2, { F, F, F, F }, { 0, 0, 0, 0 } },
	{ __LINE__, "intel-v6", 0x23, 3, { F, F, F, F }, { 0x8a7, 0, 0, 0 } },
	{ __LINE__, "intel-v6", 0x23, 4, { F, F, F, F }, { 0, 0, 0, 0 } },
	{ __LINE__, "intel-v6", 0x23, 5, { F, F, F, F }, { 0, 0, 0, 0 } },
	{ __LINE__, "intel-v6,user_disable=1", 0x23, 0, { 0, 0, 0, 0 }, { 0xb, 7, 0, 0 } },
	{ __LINE__, "intel-v6,umask2=0", 0x23, 0, { 0, 0, 0, 0 }, { 0xb, 2, 0, 0 } },
	{ __LINE__, "intel-v6,eq=0", 0x23, 0, { 0, 0, 0, 0 }, { 0xb, 1, 0, 0 } },
	{ __LINE__, "intel-v6,gp=14,fixed=7", 0x23, 1, { 0, 0, 0, 0 }, { 0x3fff, 0x7f, 0, 0 } },
	{ __LINE__, SPARSE, 0x23, 1, { F, F, F, F }, { 0x93, 0x5, 0, 0 } },
	{ __LINE__, "intel-v5,version=6", 0x23, 0, { 0, 0, 0, 0 }, { 0xb, 0, 0, 0 } },
	{ __LINE__, "intel-v5,version=6", 0x23, 1, { 0, 0, 0, 0 }, { 0xff, 0xf, 0, 0 } },
	{ __LINE__, "intel-v6,version=5", 0x23, 0, { F, F, F, F }, { 0, 0, 0, 0 } },
	{ __LINE__, "amd-k7", 0x0, 0, { 0xd, 1, 2, 3 }, { 0xd, 0x68747541, 0x444d4163, 0x69746e65 } },
	{ __LINE__, "amd-k7", 0x1, 0, { F, F, F, F }, { 0x20f32, F, 0xffff7feb, 0xffdfffff } },
	{ __LINE__, "amd-k7", 0xa, 0, { F, F, F, F }, { 0, 0, 0, 0 } },
	{ __LINE__, "amd-k7", 0x80000000, 0, { 0, 0, 0, 0 }, { 0x80000008, 0x68747541, 0x444d4163, 0x69746e65 } },
	{ __LINE__, "amd-k7", 0x80000001, 0, { 0, F, F, F }, { 0x20f32, F, 0xe47f7bff, F } },
	{ __LINE__, "amd-f17h", 0x1, 0, { 0, 0, 0, 0 }, { 0x800f12, 0, 0, 0 } },
	{ __LINE__, "amd-f17h", 0x7, 0, { F, F, F, F }, { F, 0xfdfff7ef, 0xfeffffff, 0xfff77fff } },
	{ __LINE__, "amd-f17h", 0xa, 0, { F, F, F, F }, { 0, 0, 0, 0 } },
	{ __LINE__, "amd-f17h", 0x80000000, 0, { 0x80000021, 0, 0, 0 }, { 0x80000021, 0x68747541, 0x444d4163, 0x69746e65 } },
	{ __LINE__, "amd-f17h", 0x80000001, 0, { 0, 0, 0, 0 }, { 0x800f12, 0, 0x11c00000, 0 } },
	{ __LINE__, "amd-f17h", 0x80000001, 0, { F, F, F, F }, { 0x800f12, F, 0xf5ff7bff, F } },
	{ __LINE__, "amd-f17h", 0x8000001b, 0, { F, F, F, F }, { 0, 0, 0, 0 } },
	{ __LINE__, "amd-f17h", 0x80000022, 0, { F, F, F, F }, { 0, 0, 0, 0 } },
	/* Problem 58: what tells of a PMU is gone, the identity is the host's. */
	{ __LINE__, "none", 0x1, 0, { F, F, F, F }, { F, F, 0xffff7feb, 0xffdfffff } },
	{ __LINE__, "none", 0x7, 0, { F, F, F, F }, { F, 0xfdfff7ef, 0xfeffffff, 0xfff77fff } },
	{ __LINE__, "none", 0x7, 1, { F, F, F, F }, { 0xfffffeff, F, F, F } },
	{ __LINE__, "none", 0xa, 0, { F, F, F, F }, { 0, 0, 0, 0 } },
	{ __LINE__, "none", 0x80000001, 0, { F, F, F, F }, { F, F, 0xe47f7bff, F } },
	{ __LINE__, "none", 0x80000022, 0, { F, F, F, F }, { 0, 0, 0, 0 } },
};

/* Dumps of real processors, as far as a backend that counts every event shows
 * them: then no event is "not available". */
static const struct leaf_row dumps[] = {
	/* Yonah, Penryn, Haswell, Skylake-X, Ice Lake, Arrow Lake's P-core */
	{ __LINE__, "intel-v1", 0xa, 0, { F, F, F, F }, { 0x07280201, 0, 0, 0 } },
	{ __LINE__, "intel-v2", 0xa, 0, { F, F, F, F }, { 0x07280202, 0, 0, 0x503 } },
	{ __LINE__, "intel-v3", 0xa, 0, { F, F, F, F }, { 0x07300403, 0, 0, 0x603 } },
	{ __LINE__, "intel-v4", 0xa, 0, { F, F, F, F }, { 0x07300404, 0, 0, 0x603 } },
	{ __LINE__, "intel-v5", 0xa, 0, { F, F, F, F }, { 0x08300805, 0, 0xf, 0x8604 } },
	{ __LINE__, "intel-v6", 0xa, 0, { F, F, F, F }, { 0x0d300806, 0, 0x7, 0x8603 } },
	{ __LINE__, "intel-v6", 0x23, 0, { F, F, F, F }, { 0xb, 3, 0, 0 } },
	{ __LINE__, "intel-v6", 0x23, 1, { F, F, F, F }, { 0x3ff, 0xf, 0, 0 } },
	{ __LINE__, "intel-v6", 0x23, 3, { F, F, F, F }, { 0x1fff, 0, 0, 0 } },
	/* Sandy Bridge without Hyper-Threading */
	{ __LINE__, "intel-v3,gp=8", 0xa, 0, { F, F, F, F }, { 0x07300803, 0, 0, 0x603 } },
	/* Fewer architectural events, fewer that are available. */
	{ __LINE__, "intel-v6,events=8", 0xa, 0, { F, F, F, F }, { 0x08300806, 0, 0x7, 0x8603 } },
	{ __LINE__, "intel-v6,events=8", 0x23, 3, { F, F, F, F }, { 0xff, 0, 0, 0 } },
	{ __LINE__, SPARSE, 0xa, 0, { F, F, F, F }, { 0x0d300206, 0, 0x1, 0x8601 } },
	{ __LINE__, SPARSE, 0x23, 0, { F, F, F, F }, { 0xb, 3, 0, 0 } },
};

static const struct {
	int line;
	const char *model;
	uint32_t leaf;
} not_mine[] = {
	{ __LINE__, "none", 0x0 },
	{ __LINE__, "none", 0x80000000 },
	{ __LINE__, "intel-v5", 0x2 },
	{ __LINE__, "intel-v5", 0x4 },
	{ __LINE__, "intel-v5", 0xd },
	{ __LINE__, "intel-v5", 0x40000000 },
	{ __LINE__, "intel-v5", 0x80000002 },
	{ __LINE__, "amd-f17h", 0x8000001d },
	{ __LINE__, "amd-f17h", 0xffffffff },
};
/* clang-format on */

static bool same(const struct vpmu_cpuid_regs *a,
		 const struct vpmu_cpuid_regs *b)
{
	return !memcmp(a, b, sizeof(*a));
}

static void show(const struct harness *h, const struct leaf_row *row)
{
	struct vpmu_cpuid_regs regs = row->offered;

	CHECK_AT(row->line, vpmu_cpuid(h->pmu, row->leaf, row->subleaf,
				       &regs) == VPMU_HANDLED);
	CHECK_AT(row->line, same(&regs, &row->shown));
	/* Twice is as good as once. */
	vpmu_cpuid(h->pmu, row->leaf, row->subleaf, &regs);
	CHECK_AT(row->line, same(&regs, &row->shown));
}

static void values(void)
{
	struct harness h;

	for (size_t i = 0; i < ARRAY_SIZE(leaves); i++) {
		harness_open(&h, leaves[i].model);
		show(&h, &leaves[i]);
		harness_close(&h);
	}
}

static void real_values(void)
{
	struct harness h;

	for (size_t i = 0; i < ARRAY_SIZE(dumps); i++) {
		harness_open_mock(&h, dumps[i].model);
		show(&h, &dumps[i]);
		harness_close(&h);
	}
}

static void others_untouched(void)
{
	const struct vpmu_cpuid_regs offered = { 1, 2, 3, 4 };
	struct harness h;

	for (size_t i = 0; i < ARRAY_SIZE(not_mine); i++) {
		struct vpmu_cpuid_regs regs = offered;

		harness_open(&h, not_mine[i].model);
		CHECK_AT(not_mine[i].line,
			 vpmu_cpuid(h.pmu, not_mine[i].leaf, 0, &regs) ==
				 VPMU_NOT_MINE);
		CHECK_AT(not_mine[i].line, same(&regs, &offered));
		harness_close(&h);
	}
}

/* 0AH:EBX says which are not, 23H.3:EAX which are: never both, never neither.
 * Event i is bit i, in the order of the manual. */
static void unavailable_events(void)
{
	static const enum vpmu_meaning order[] = {
		VPMU_MEAN_CYCLES,	  VPMU_MEAN_INSTRUCTIONS,
		VPMU_MEAN_REF_CYCLES,	  VPMU_MEAN_LLC_REFERENCES,
		VPMU_MEAN_LLC_MISSES,	  VPMU_MEAN_BRANCHES,
		VPMU_MEAN_BRANCH_MISSES,  VPMU_MEAN_SLOTS,
		VPMU_MEAN_BACKEND_BOUND,  VPMU_MEAN_BAD_SPECULATION,
		VPMU_MEAN_FRONTEND_BOUND, VPMU_MEAN_RETIRING,
		VPMU_MEAN_LBR_INSERTS,
	};
	struct vpmu_cpuid_regs regs = { 0, 0, 0, 0 };
	struct harness h;

	harness_open_bare(&h, "intel-v5");
	vpmu_cpuid(h.pmu, 0xa, 0, &regs);
	CU_ASSERT_EQUAL(regs.ebx, 0xff);
	harness_close(&h);
	harness_open_bare(&h, "intel-v6");
	vpmu_cpuid(h.pmu, 0xa, 0, &regs);
	CU_ASSERT_EQUAL(regs.ebx, 0x1fff);
	vpmu_cpuid(h.pmu, 0x23, 3, &regs);
	CU_ASSERT_EQUAL(regs.eax, 0);
	harness_close(&h);
	/* What is counted somehow is available. */
	harness_open_mock(&h, "intel-v6");
	h.pmu->available[VPMU_MEAN_CYCLES] = VPMU_HEALTH_APPROXIMATE;
	h.pmu->available[VPMU_MEAN_BRANCHES] = VPMU_HEALTH_EXACT;
	vpmu_cpuid(h.pmu, 0xa, 0, &regs);
	CU_ASSERT_EQUAL(regs.ebx, 0);
	harness_close(&h);
	for (unsigned int i = 0; i < ARRAY_SIZE(order); i++) {
		harness_open_mock(&h, "intel-v6");
		h.pmu->available[order[i]] = VPMU_HEALTH_UNAVAILABLE;
		vpmu_cpuid(h.pmu, 0xa, 0, &regs);
		CHECK_AT(i, regs.ebx == BIT32(i));
		vpmu_cpuid(h.pmu, 0x23, 3, &regs);
		CHECK_AT(i, regs.eax == (0x1fff & ~BIT32(i)));
		harness_close(&h);
	}
}

static void enumeration(void)
{
	struct harness h;

	for (const char *const *model = harness_models; *model; model++) {
		uint64_t last = 0;
		uint32_t n = 0, leaf, subleaf;

		harness_open(&h, *model);
		for (; !vpmu_cpuid_leaf(h.pmu, n, &leaf, &subleaf); n++) {
			struct vpmu_cpuid_regs regs = { F, F, F, F };
			uint64_t key = (uint64_t)leaf << 32 | subleaf;

			CU_ASSERT_TRUE(!n || key > last);
			CU_ASSERT_EQUAL(vpmu_cpuid(h.pmu, leaf, subleaf, &regs),
					VPMU_HANDLED);
			last = key;
		}
		CU_ASSERT_TRUE(n > 10 && n < 64);
		CU_ASSERT_EQUAL(last, UINT64_C(0x80000022) << 32);
		CU_ASSERT_EQUAL(vpmu_cpuid_leaf(h.pmu, UINT32_MAX, &leaf,
						&subleaf),
				-ENOENT);
		harness_close(&h);
	}
}

static void hostile_arguments(void)
{
	struct vpmu_cpuid_regs regs = { 0, 0, 0, 0 };
	struct harness h;

	harness_open(&h, "intel-v5");
	CU_ASSERT_EQUAL(vpmu_cpuid(NULL, 0, 0, &regs), VPMU_ERROR);
	CU_ASSERT_EQUAL(vpmu_cpuid(h.pmu, 0, 0, NULL), VPMU_ERROR);
	harness_close(&h);
}

static CU_TestInfo tests[] = {
	{ "each leaf is the model's (problem 58)", values },
	{ "0AH and 23H as real processors dump them", real_values },
	{ "other leaves are not mine, untouched", others_untouched },
	{ "0AH:EBX and 23H.3:EAX show what the backend cannot count",
	  unavailable_events },
	{ "vpmu_cpuid_leaf() ascends over all leaves", enumeration },
	{ "NULL is an error", hostile_arguments },
	CU_TEST_INFO_NULL,
};

CU_SuiteInfo suite_cpuid = { .pName = "core/cpuid", .pTests = tests };
