/* SPDX-License-Identifier: Apache-2.0 */
/* AMD's registers, by hand from APM 2 and the PPRs: which exist, what each bit
 * of them does, what RESET and INIT leave. */
#include <string.h>

#include "tests/harness.h"

#define HWCR 0xc0010015u

/* ------------------------------------------------------------- existence */

/* Registers first .. last exist, and no other. */
struct exists_row {
	int line;
	const char *model;
	uint32_t first;
	uint32_t last;
};

/* clang-format off */
#define ROW(m, first, last) { __LINE__, m, first, last }
#define LEGACY(m) ROW(m, 0x1d9, 0x1d9), ROW(m, 0xc0010000, 0xc0010007)
#define EXT(m) LEGACY(m), ROW(m, 0xc0010200, 0xc001020b)
#define L3(m) ROW(m, 0xc0010230, 0xc001023b)
#define NB4(m) ROW(m, 0xc0010240, 0xc0010247)
#define NB16(m) ROW(m, 0xc0010240, 0xc001025f)
#define UMC32(m) ROW(m, 0xc0010800, 0xc001083f)
#define GLOBAL(m) ROW(m, 0xc0000300, 0xc0000303)
#define IRPERF(m) ROW(m, 0xc00000e9, 0xc00000e9), ROW(m, HWCR, HWCR)
#define EFFREQ(m) ROW(m, 0xe7, 0xe8), ROW(m, 0xc00000e7, 0xc00000e8), ROW(m, HWCR, HWCR)

static const struct exists_row existing[] = {
	LEGACY("amd-k7"),
	EXT("amd-f15h"), NB4("amd-f15h"),
	EXT("amd-f17h"), NB4("amd-f17h"), L3("amd-f17h"),
	EXT("amd-v2"), NB16("amd-v2"), L3("amd-v2"), UMC32("amd-v2"), GLOBAL("amd-v2"),
	EXT("amd-zen5"), NB16("amd-zen5"), L3("amd-zen5"), UMC32("amd-zen5"), GLOBAL("amd-zen5"), IRPERF("amd-zen5"),
	/* Overrides */
	LEGACY("amd-v2,gp=4"), ROW("amd-v2,gp=4", 0xc0010200, 0xc0010207), NB16("amd-v2,gp=4"), L3("amd-v2,gp=4"), UMC32("amd-v2,gp=4"), GLOBAL("amd-v2,gp=4"),
	LEGACY("amd-v2,gp=5"), ROW("amd-v2,gp=5", 0xc0010200, 0xc0010209), NB16("amd-v2,gp=5"), L3("amd-v2,gp=5"), UMC32("amd-v2,gp=5"), GLOBAL("amd-v2,gp=5"),
	EXT("amd-v2,nb=4"), NB4("amd-v2,nb=4"), L3("amd-v2,nb=4"), UMC32("amd-v2,nb=4"), GLOBAL("amd-v2,nb=4"),
	EXT("amd-v2,nb=5"), ROW("amd-v2,nb=5", 0xc0010240, 0xc0010249), L3("amd-v2,nb=5"), UMC32("amd-v2,nb=5"), GLOBAL("amd-v2,nb=5"),
	EXT("amd-f17h,version=2,nb=16"), NB16("amd-f17h,version=2,nb=16"), L3("amd-f17h,version=2,nb=16"), GLOBAL("amd-f17h,version=2,nb=16"),
	EXT("amd-v2,l3=0"), NB16("amd-v2,l3=0"), UMC32("amd-v2,l3=0"), GLOBAL("amd-v2,l3=0"),
	EXT("amd-v2,nb=0"), L3("amd-v2,nb=0"), UMC32("amd-v2,nb=0"), GLOBAL("amd-v2,nb=0"),
	EXT("amd-v2,umc=0"), NB16("amd-v2,umc=0"), L3("amd-v2,umc=0"), GLOBAL("amd-v2,umc=0"),
	EXT("amd-v2,umc=1"), NB16("amd-v2,umc=1"), L3("amd-v2,umc=1"), ROW("amd-v2,umc=1", 0xc0010800, 0xc0010807), GLOBAL("amd-v2,umc=1"),
	EXT("amd-f17h,nb=0,l3=0"),
	EXT("amd-f17h,svm=1"), NB4("amd-f17h,svm=1"), L3("amd-f17h,svm=1"),
	EXT("amd-f17h,precise_retire=1"), NB4("amd-f17h,precise_retire=1"), L3("amd-f17h,precise_retire=1"),
	LEGACY("amd-k7,nb=4"), NB4("amd-k7,nb=4"),
	LEGACY("amd-k7,irperf=1"), IRPERF("amd-k7,irperf=1"),
	LEGACY("amd-k7,effreq=1"), EFFREQ("amd-k7,effreq=1"),
	LEGACY("amd-k7,ptsc=1"), ROW("amd-k7,ptsc=1", 0xc0010280, 0xc0010280),
	LEGACY("amd-k7,irperf=1,effreq=1"), IRPERF("amd-k7,irperf=1,effreq=1"), EFFREQ("amd-k7,irperf=1,effreq=1"),
	EXT("amd-zen5,irperf=0"), NB16("amd-zen5,irperf=0"), L3("amd-zen5,irperf=0"), UMC32("amd-zen5,irperf=0"), GLOBAL("amd-zen5,irperf=0"),
	LEGACY("amd-v2,ext_core=0"), NB4("amd-v2,ext_core=0"), L3("amd-v2,ext_core=0"),
};
/* clang-format on */

static bool listed(const char *model, uint32_t msr)
{
	for (size_t i = 0; i < ARRAY_SIZE(existing); i++) {
		const struct exists_row *row = &existing[i];

		if (!strcmp(row->model, model) && msr >= row->first &&
		    msr <= row->last)
			return true;
	}
	return false;
}

/* HWCR is the embedder's where the PMU has no bit in it. */
static enum vpmu_result wanted(const char *model, uint32_t msr)
{
	if (listed(model, msr))
		return VPMU_HANDLED;
	return vpmu_namespace_owns(msr) ? VPMU_FAULT : VPMU_NOT_MINE;
}

static void existence_at(struct harness *h, const struct exists_row *row,
			 uint32_t msr)
{
	enum vpmu_result want = wanted(row->model, msr);
	uint64_t value = 0xa5;
	char name[40];

	CHECK_AT(row->line, vpmu_rdmsr(h->vcpu, msr, &value) == want);
	CHECK_AT(row->line,
		 vpmu_owns_msr(h->pmu, msr) == (want != VPMU_NOT_MINE));
	vpmu_msr_name(h->pmu, msr, name, sizeof(name));
	CHECK_AT(row->line, (name[0] != 0) == (want == VPMU_HANDLED));
	if (want == VPMU_HANDLED)
		return;
	CHECK_AT(row->line, value == 0xa5);
	CHECK_AT(row->line, wrmsr(h, msr, 0) == want);
}

static void existence(void)
{
	static const uint32_t bases[] = { 0, 0xc0000000, 0xc0010000 };
	struct harness h;

	for (size_t i = 0; i < ARRAY_SIZE(existing); i++) {
		const struct exists_row *row = &existing[i];

		if (i && !strcmp(row->model, row[-1].model))
			continue;
		harness_open(&h, row->model);
		for (size_t b = 0; b < ARRAY_SIZE(bases); b++)
			for (uint32_t msr = 0; msr < 0x2000; msr++)
				existence_at(&h, row, bases[b] + msr);
		harness_close(&h);
	}
}

/* ------------------------------------------------------------ bit by bit */

/* Each bit of n registers may be written; these are read back. */
struct bits_row {
	int line;
	const char *model;
	uint32_t first;
	uint32_t stride;
	uint32_t n;
	uint64_t kept;
};

#define CTL UINT64_C(0x0000000fffd7ffff)
#define CTL_SVM UINT64_C(0x0000030fffd7ffff)
#define CTR UINT64_C(0x0000ffffffffffff)
#define CTR_FLAG UINT64_C(0x0001ffffffffffff)
#define NB_F15H UINT64_C(0x000001ff0050ffff)
#define DF_F17H UINT64_C(0x1800000f0040ffff)
#define DF_V2 UINT64_C(0x0000003f0f40ffff)
#define L3_F17H UINT64_C(0xff0f00000040ffff)
#define L3_F19H UINT64_C(0x0307dc000040ffff)
#define UMC UINT64_C(0x00000000800003ff)

/* clang-format off */
static const struct bits_row bits[] = {
	{ __LINE__, "amd-k7", 0xc0010000, 1, 4, CTL },
	{ __LINE__, "amd-k7", 0xc0010004, 1, 4, CTR },
	{ __LINE__, "amd-k7", 0x1d9, 1, 1, 0x3c },
	{ __LINE__, "amd-k7,nb=4", 0xc0010240, 2, 4, NB_F15H },
	{ __LINE__, "amd-k7,effreq=1", 0xe7, 1, 2, UINT64_MAX },
	{ __LINE__, "amd-k7,irperf=1", 0xc00000e9, 1, 1, CTR },
	{ __LINE__, "amd-k7,svm=1", 0xc0010000, 1, 4, CTL_SVM },
	{ __LINE__, "amd-f15h", 0xc0010000, 1, 4, CTL },
	{ __LINE__, "amd-f15h", 0xc0010200, 2, 6, CTL },
	{ __LINE__, "amd-f15h", 0xc0010201, 2, 6, CTR },
	{ __LINE__, "amd-f15h", 0xc0010240, 2, 4, NB_F15H },
	{ __LINE__, "amd-f15h", 0xc0010241, 2, 4, CTR },
	{ __LINE__, "amd-f17h", 0xc0010200, 2, 6, CTL },
	{ __LINE__, "amd-f17h", 0xc0010201, 2, 6, CTR },
	{ __LINE__, "amd-f17h", 0xc0010230, 2, 6, L3_F17H },
	{ __LINE__, "amd-f17h", 0xc0010231, 2, 6, CTR_FLAG },
	{ __LINE__, "amd-f17h", 0xc0010240, 2, 4, DF_F17H },
	{ __LINE__, "amd-f17h", 0xc0010241, 2, 4, CTR },
	{ __LINE__, "amd-f17h", 0x1d9, 1, 1, 0x3c },
	{ __LINE__, "amd-f17h,svm=1", 0xc0010000, 1, 4, CTL_SVM },
	{ __LINE__, "amd-f17h,svm=1", 0xc0010200, 2, 6, CTL_SVM },
	{ __LINE__, "amd-f17h,precise_retire=1", 0xc0010200, 2, 2, CTL },
	{ __LINE__, "amd-f17h,precise_retire=1", 0xc0010204, 2, 1, CTL | BIT(43) },
	{ __LINE__, "amd-f17h,precise_retire=1", 0xc0010206, 2, 3, CTL },
	{ __LINE__, "amd-f17h,precise_retire=1", 0xc0010001, 1, 1, CTL },
	{ __LINE__, "amd-f17h,precise_retire=1", 0xc0010002, 1, 1, CTL | BIT(43) },
	{ __LINE__, "amd-f17h,precise_retire=1,svm=1", 0xc0010204, 2, 1, CTL_SVM | BIT(43) },
	{ __LINE__, "amd-f17h,version=2", 0xc0000301, 1, 1, 0x3f },
	{ __LINE__, "amd-f17h,version=2", 0x1d9, 1, 1, 0x3c },
	{ __LINE__, "amd-v2", 0xc0010200, 2, 6, CTL },
	{ __LINE__, "amd-v2", 0xc0010201, 2, 6, CTR },
	{ __LINE__, "amd-v2", 0xc0010230, 2, 6, L3_F19H },
	{ __LINE__, "amd-v2", 0xc0010231, 2, 6, CTR_FLAG },
	{ __LINE__, "amd-v2", 0xc0010240, 2, 16, DF_V2 },
	{ __LINE__, "amd-v2", 0xc0010241, 2, 16, CTR },
	{ __LINE__, "amd-v2", 0xc0010800, 2, 32, UMC },
	{ __LINE__, "amd-v2", 0xc0010801, 2, 32, CTR_FLAG },
	{ __LINE__, "amd-v2", 0xc0000301, 1, 1, 0x3f },
	{ __LINE__, "amd-v2", 0x1d9, 1, 1, 0x183c },
	{ __LINE__, "amd-v2,freeze=0", 0x1d9, 1, 1, 0x3c },
	{ __LINE__, "amd-v2,gp=4", 0xc0000301, 1, 1, 0xf },
	{ __LINE__, "amd-v2,gp=5", 0xc0000301, 1, 1, 0x1f },
	{ __LINE__, "amd-zen5", 0xc0010200, 2, 2, CTL },
	{ __LINE__, "amd-zen5", 0xc0010204, 2, 1, CTL | BIT(43) },
	{ __LINE__, "amd-zen5", 0xc0010206, 2, 3, CTL },
	{ __LINE__, "amd-zen5", 0xc0010230, 2, 6, L3_F19H },
	{ __LINE__, "amd-zen5", 0xc0010240, 2, 16, DF_V2 },
	{ __LINE__, "amd-zen5", 0xc0010800, 2, 32, UMC },
	{ __LINE__, "amd-zen5", 0xc00000e9, 1, 1, CTR },
	{ __LINE__, "amd-zen5", 0xc0000301, 1, 1, 0x3f },
};
/* clang-format on */

static void each_bit_of(struct harness *h, int line, uint32_t msr,
			uint64_t kept)
{
	for (unsigned int b = 0; b < 64; b++) {
		CHECK_AT(line, wrmsr(h, msr, BIT(b)) == VPMU_HANDLED);
		CHECK_AT(line, rdmsr(h, msr) == (BIT(b) & kept));
	}
	CHECK_AT(line, wrmsr(h, msr, UINT64_MAX) == VPMU_HANDLED);
	CHECK_AT(line, rdmsr(h, msr) == kept);
	CHECK_AT(line, wrmsr(h, msr, 0) == VPMU_HANDLED);
	CHECK_AT(line, rdmsr(h, msr) == 0);
}

static void bit_by_bit(void)
{
	struct harness h;

	for (size_t i = 0; i < ARRAY_SIZE(bits); i++) {
		const struct bits_row *row = &bits[i];

		harness_open(&h, row->model);
		for (uint32_t k = 0; k < row->n; k++)
			each_bit_of(&h, row->line, row->first + k * row->stride,
				    row->kept);
		harness_close(&h);
	}
}

/* ---------------------------------------------------------------- aliases */

static void aliases(void)
{
	static const char *const models[] = { "amd-f15h", "amd-f17h", "amd-v2",
					      "amd-zen5" };
	struct harness h;

	for (size_t i = 0; i < ARRAY_SIZE(models); i++) {
		harness_open(&h, models[i]);
		for (uint32_t n = 0; n < 4; n++) {
			wrmsr(&h, 0xc0010000 + n, 0x10076 + n);
			wrmsr(&h, 0xc0010004 + n, 0x1000 + n);
		}
		for (uint32_t n = 0; n < 4; n++) {
			CU_ASSERT_EQUAL(rdmsr(&h, 0xc0010200 + 2 * n),
					0x10076 + n);
			CU_ASSERT_EQUAL(rdmsr(&h, 0xc0010201 + 2 * n),
					0x1000 + n);
			wrmsr(&h, 0xc0010200 + 2 * n, 0x200c0 + n);
			wrmsr(&h, 0xc0010201 + 2 * n, 0x2000 + n);
		}
		for (uint32_t n = 0; n < 4; n++) {
			CU_ASSERT_EQUAL(rdmsr(&h, 0xc0010000 + n), 0x200c0 + n);
			CU_ASSERT_EQUAL(rdmsr(&h, 0xc0010004 + n), 0x2000 + n);
		}
		/* 4 and 5 have none. */
		CU_ASSERT_EQUAL(rdmsr(&h, 0xc0010208), 0);
		CU_ASSERT_EQUAL(rdmsr(&h, 0xc001020b), 0);
		harness_close(&h);
	}
}

/* APM 2, "Performance Event-Select Registers": in use, all the same. */
static void all_ones(void)
{
	struct harness h;

	harness_open(&h, "amd-f17h,svm=1");
	CU_ASSERT_EQUAL(wrmsr(&h, 0xc0010200, UINT64_MAX), VPMU_HANDLED);
	CU_ASSERT_EQUAL(rdmsr(&h, 0xc0010200), CTL_SVM);
	CU_ASSERT_EQUAL(rdmsr(&h, 0xc0010000), CTL_SVM);
	CU_ASSERT_EQUAL(wrmsr(&h, 0xc0010201, UINT64_MAX - 1), VPMU_HANDLED);
	CU_ASSERT_EQUAL(rdmsr(&h, 0xc0010201), UINT64_C(0xfffffffffffe));
	CU_ASSERT_EQUAL(rdmsr(&h, 0xc0010004), UINT64_C(0xfffffffffffe));
	CU_ASSERT_EQUAL(rdpmc(&h, 0), UINT64_C(0xfffffffffffe));
	/* What Linux writes once it runs guests, and before. */
	CU_ASSERT_EQUAL(wrmsr(&h, 0xc0010200, UINT64_C(0x0000020000530076)),
			VPMU_HANDLED);
	CU_ASSERT_EQUAL(rdmsr(&h, 0xc0010200), UINT64_C(0x0000020000530076));
	CU_ASSERT_EQUAL(wrmsr(&h, 0xc0010200, UINT64_C(0x0000020000110076)),
			VPMU_HANDLED);
	CU_ASSERT_EQUAL(rdmsr(&h, 0xc0010200), UINT64_C(0x0000020000110076));
	harness_close(&h);
}

/* -------------------------------------------------------------- read only */

static void read_only(void)
{
	static const struct {
		int line;
		const char *model;
		uint32_t msr;
		uint32_t same_as; /* another that can be written; 0: none */
	} rows[] = {
		{ __LINE__, "amd-k7,effreq=1", 0xc00000e7, 0xe7 },
		{ __LINE__, "amd-k7,effreq=1", 0xc00000e8, 0xe8 },
		{ __LINE__, "amd-k7,ptsc=1", 0xc0010280, 0 },
	};
	struct harness h;

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		uint64_t value = 0;

		harness_open(&h, rows[i].model);
		if (rows[i].same_as) {
			value = UINT64_C(0x8123456789abcdef);
			wrmsr(&h, rows[i].same_as, value);
		}
		CHECK_AT(rows[i].line, rdmsr(&h, rows[i].msr) == value);
		for (unsigned int b = 0; b < 64; b++)
			CHECK_AT(rows[i].line,
				 wrmsr(&h, rows[i].msr, value ^ BIT(b)) ==
					 VPMU_FAULT);
		CHECK_AT(rows[i].line,
			 wrmsr(&h, rows[i].msr, value) == VPMU_FAULT);
		CHECK_AT(rows[i].line, rdmsr(&h, rows[i].msr) == value);
		harness_close(&h);
	}
}

/* ----------------------------------------------------------------- global */

struct status_row {
	int line;
	const char *model;
	uint64_t bits; /* that C000_0300H has */
};

/* clang-format off */
static const struct status_row status[] = {
	{ __LINE__, "amd-v2", BIT(59) | BIT(58) | 0x3f },
	{ __LINE__, "amd-v2,gp=5", BIT(59) | BIT(58) | 0x1f },
	{ __LINE__, "amd-v2,gp=4", BIT(59) | BIT(58) | 0xf },
	{ __LINE__, "amd-v2,freeze=0", 0x3f },
	{ __LINE__, "amd-f17h,version=2", 0x3f },
	{ __LINE__, "amd-zen5", BIT(59) | BIT(58) | 0x3f },
};
/* clang-format on */

/* Problem 17, AMD's side: ignored, not refused. */
static void status_ignores_writes(void)
{
	struct harness h;

	for (size_t i = 0; i < ARRAY_SIZE(status); i++) {
		int line = status[i].line;

		harness_open(&h, status[i].model);
		wrmsr(&h, 0xc0000303, 0x5);
		for (unsigned int b = 0; b < 64; b++) {
			CHECK_AT(line, !wrmsr(&h, 0xc0000300, BIT(b)));
			CHECK_AT(line, rdmsr(&h, 0xc0000300) == 0x5);
		}
		CHECK_AT(line, !wrmsr(&h, 0xc0000300, UINT64_MAX));
		CHECK_AT(line, !wrmsr(&h, 0xc0000300, 0));
		CHECK_AT(line, rdmsr(&h, 0xc0000300) == 0x5);
		harness_close(&h);
	}
}

/* Problem 17: reserved bits of C000_0302H are ignored; both read 0. */
static void set_and_clear(void)
{
	struct harness h;

	for (size_t i = 0; i < ARRAY_SIZE(status); i++) {
		const struct status_row *row = &status[i];

		harness_open(&h, row->model);
		for (unsigned int b = 0; b < 64; b++) {
			uint64_t bit = BIT(b) & row->bits;

			CHECK_AT(row->line, !wrmsr(&h, 0xc0000303, BIT(b)));
			CHECK_AT(row->line, rdmsr(&h, 0xc0000300) == bit);
			CHECK_AT(row->line, rdmsr(&h, 0xc0000303) == 0);
			CHECK_AT(row->line, !wrmsr(&h, 0xc0000302, ~BIT(b)));
			CHECK_AT(row->line, rdmsr(&h, 0xc0000300) == bit);
			CHECK_AT(row->line, !wrmsr(&h, 0xc0000302, BIT(b)));
			CHECK_AT(row->line, rdmsr(&h, 0xc0000300) == 0);
			CHECK_AT(row->line, rdmsr(&h, 0xc0000302) == 0);
		}
		CHECK_AT(row->line, !wrmsr(&h, 0xc0000303, UINT64_MAX));
		CHECK_AT(row->line, rdmsr(&h, 0xc0000300) == row->bits);
		CHECK_AT(row->line, !wrmsr(&h, 0xc0000302, UINT64_MAX));
		CHECK_AT(row->line, rdmsr(&h, 0xc0000300) == 0);
		harness_close(&h);
	}
}

/* Problem 18, its very steps. */
static void status_set(void)
{
	struct harness h;
	uint64_t value = 0xa5;

	harness_open(&h, "amd-v2");
	CU_ASSERT_EQUAL(wrmsr(&h, 0xc0000303, 1), VPMU_HANDLED);
	CU_ASSERT_EQUAL(rdmsr(&h, 0xc0000300), 1);
	CU_ASSERT_EQUAL(wrmsr(&h, 0xc0000302, 1), VPMU_HANDLED);
	CU_ASSERT_EQUAL(rdmsr(&h, 0xc0000300), 0);
	CU_ASSERT_EQUAL(vpmu_rdmsr(h.vcpu, 0xc0000303, &value), VPMU_HANDLED);
	CU_ASSERT_EQUAL(value, 0);
	CU_ASSERT_EQUAL(vpmu_take_pmi(h.vcpu), 0);
	harness_close(&h);
}

/* ------------------------------------------------------------------- HWCR */

/* The bits that stay as written; 24 is always 1, 27 once it is. */
#define HWCR_KEPT                                                         \
	(BIT(3) | BIT(4) | BIT(6) | BIT(8) | BIT(9) | BIT(10) | BIT(18) | \
	 BIT(25) | BIT(26))

static void hwcr_bits(void)
{
	static const struct {
		int line;
		const char *model;
		uint64_t kept;
	} rows[] = {
		{ __LINE__, "amd-zen5", HWCR_KEPT | BIT(30) },
		{ __LINE__, "amd-k7,irperf=1", HWCR_KEPT | BIT(30) },
		{ __LINE__, "amd-k7,effreq=1", HWCR_KEPT },
	};
	struct harness h;

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		int line = rows[i].line;

		harness_open(&h, rows[i].model);
		CHECK_AT(line, rdmsr(&h, HWCR) == BIT(24));
		for (unsigned int b = 0; b < 64; b++) {
			uint64_t bit = BIT(b) & rows[i].kept;

			if (b == 27)
				continue;
			CHECK_AT(line, !wrmsr(&h, HWCR, BIT(b)));
			CHECK_AT(line, rdmsr(&h, HWCR) == (BIT(24) | bit));
		}
		CHECK_AT(line, !wrmsr(&h, HWCR, UINT64_MAX));
		CHECK_AT(line,
			 rdmsr(&h, HWCR) == (BIT(24) | BIT(27) | rows[i].kept));
		CHECK_AT(line, !wrmsr(&h, HWCR, 0));
		CHECK_AT(line, rdmsr(&h, HWCR) == (BIT(24) | BIT(27)));
		harness_close(&h);
	}
}

/* EffFreqReadOnlyLock: IRPerfCount turns read-only until RESET. */
static void hwcr_lock(void)
{
	struct harness h;

	harness_open(&h, "amd-k7,irperf=1,effreq=1");
	CU_ASSERT_EQUAL(wrmsr(&h, 0xc00000e9, 5), VPMU_HANDLED);
	CU_ASSERT_EQUAL(wrmsr(&h, HWCR, BIT(27)), VPMU_HANDLED);
	CU_ASSERT_EQUAL(wrmsr(&h, 0xc00000e9, 6), VPMU_FAULT);
	CU_ASSERT_EQUAL(wrmsr(&h, HWCR, 0), VPMU_HANDLED);
	CU_ASSERT_EQUAL(wrmsr(&h, 0xc00000e9, 6), VPMU_FAULT);
	CU_ASSERT_EQUAL(rdmsr(&h, 0xc00000e9), 5);
	CU_ASSERT_EQUAL(rdmsr(&h, HWCR), BIT(24) | BIT(27));
	/* It locks neither MPERF and APERF nor IRPerfEn. */
	CU_ASSERT_EQUAL(wrmsr(&h, 0xe7, 7), VPMU_HANDLED);
	CU_ASSERT_EQUAL(wrmsr(&h, 0xe8, 8), VPMU_HANDLED);
	CU_ASSERT_EQUAL(rdmsr(&h, 0xc00000e7), 7);
	CU_ASSERT_EQUAL(rdmsr(&h, 0xc00000e8), 8);
	CU_ASSERT_EQUAL(wrmsr(&h, HWCR, BIT(30)), VPMU_HANDLED);
	CU_ASSERT_EQUAL(rdmsr(&h, HWCR), BIT(24) | BIT(27) | BIT(30));
	vpmu_reset(h.vcpu, VPMU_RESET_INIT);
	CU_ASSERT_EQUAL(rdmsr(&h, HWCR), BIT(24) | BIT(27) | BIT(30));
	CU_ASSERT_EQUAL(wrmsr(&h, 0xc00000e9, 6), VPMU_FAULT);
	vpmu_reset(h.vcpu, VPMU_RESET_POWER);
	CU_ASSERT_EQUAL(rdmsr(&h, HWCR), BIT(24));
	CU_ASSERT_EQUAL(wrmsr(&h, 0xc00000e9, 6), VPMU_HANDLED);
	harness_close(&h);
}

static void hwcr_of_others(void)
{
	static const char *const models[] = {
		"amd-k7", "amd-f15h", "amd-f17h",	  "amd-v2",
		"none",	  "intel-v5", "amd-zen5,irperf=0"
	};
	struct harness h;
	uint64_t value;

	for (size_t i = 0; i < ARRAY_SIZE(models); i++) {
		harness_open(&h, models[i]);
		CU_ASSERT_EQUAL(vpmu_owns_msr(h.pmu, HWCR), 0);
		CU_ASSERT_EQUAL(vpmu_rdmsr(h.vcpu, HWCR, &value),
				VPMU_NOT_MINE);
		CU_ASSERT_EQUAL(wrmsr(&h, HWCR, BIT(30)), VPMU_NOT_MINE);
		harness_close(&h);
	}
}

/* ---------------------------------------------------------- RESET and INIT */

/* What each register is after RESET: 0, but for these. */
static uint64_t after_reset(const struct harness *h, uint32_t msr)
{
	if (msr == 0xc0000301)
		return vpmu_low_bits(h->pmu->shape.gp);
	return msr == HWCR ? BIT(24) : 0;
}

/* INIT leaves the PMU's registers alone; DebugCtl is none of them. */
static uint64_t after_init(struct harness *h, uint32_t msr)
{
	return msr == 0x1d9 ? 0 : rdmsr(h, msr);
}

static void dirty(struct harness *h)
{
	for (uint32_t i = 0; i < h->pmu->nmsrs; i++) {
		uint32_t msr = h->pmu->msrs[i].index;

		if (msr != 0xc0000302)
			wrmsr(h, msr, UINT64_C(0x5a5a5a5a5a5a5a5a));
	}
}

static void reset_and_init(void)
{
	static const char *const models[] = {
		"amd-k7",
		"amd-f15h",
		"amd-f17h",
		"amd-v2",
		"amd-zen5",
		"amd-v2,gp=4",
		"amd-zen5,svm=1,effreq=1,ptsc=1",
	};
	struct harness h;

	for (size_t i = 0; i < ARRAY_SIZE(models); i++) {
		uint64_t kept[256];
		uint32_t n;

		harness_open(&h, models[i]);
		n = h.pmu->nmsrs;
		CU_ASSERT_TRUE_FATAL(n <= ARRAY_SIZE(kept));
		for (uint32_t k = 0; k < n; k++)
			CHECK_AT(h.pmu->msrs[k].index,
				 rdmsr(&h, h.pmu->msrs[k].index) ==
					 after_reset(&h, h.pmu->msrs[k].index));
		dirty(&h);
		for (uint32_t k = 0; k < n; k++)
			kept[k] = after_init(&h, h.pmu->msrs[k].index);
		vpmu_reset(h.vcpu, VPMU_RESET_INIT);
		for (uint32_t k = 0; k < n; k++)
			CHECK_AT(h.pmu->msrs[k].index,
				 rdmsr(&h, h.pmu->msrs[k].index) == kept[k]);
		vpmu_reset(h.vcpu, VPMU_RESET_POWER);
		for (uint32_t k = 0; k < n; k++)
			CHECK_AT(h.pmu->msrs[k].index,
				 rdmsr(&h, h.pmu->msrs[k].index) ==
					 after_reset(&h, h.pmu->msrs[k].index));
		harness_close(&h);
	}
}

/* Problems 23 and 58: off means that all of it faults. */
static void none_at_all(void)
{
	struct harness h;
	uint64_t value;

	harness_open(&h, "none");
	CU_ASSERT_EQUAL(wrmsr(&h, 0xc0010000, 0x430076), VPMU_FAULT);
	for (uint32_t msr = 0xc0010000; msr <= 0xc001085f; msr++) {
		enum vpmu_result want = VPMU_NOT_MINE;

		if (msr <= 0xc0010007 ||
		    (msr >= 0xc0010200 && msr <= 0xc001020b) ||
		    vpmu_namespace_owns(msr))
			want = VPMU_FAULT;
		if (vpmu_rdmsr(h.vcpu, msr, &value) != want ||
		    wrmsr(&h, msr, 0x430076) != want)
			CHECK_AT(msr, false);
	}
	for (uint32_t msr = 0xc0000300; msr <= 0xc0000303; msr++)
		CU_ASSERT_EQUAL(wrmsr(&h, msr, 0), VPMU_FAULT);
	harness_close(&h);
}

static CU_TestInfo tests[] = {
	{ "exactly the listed registers exist", existence },
	{ "bit by bit: kept or dropped, never a fault (problem 11)",
	  bit_by_bit },
	{ "C001_0000H.. are C001_0200H.., on each model", aliases },
	{ "all ones; HostOnly kept with svm=1 (problem 11)", all_ones },
	{ "read-only copies and PTSC fault on any write", read_only },
	{ "PerfCntrGlobalStatus ignores writes (problem 17)",
	  status_ignores_writes },
	{ "StatusSet, StatusClr bit by bit (problem 17)", set_and_clear },
	{ "StatusSet is there and sets (problem 18)", status_set },
	{ "HWCR bit by bit: 24 stays 1, 27 stays", hwcr_bits },
	{ "HWCR[27] locks IRPerfCount until RESET", hwcr_lock },
	{ "HWCR is not mine without IRPerf and EffFreq", hwcr_of_others },
	{ "each register after RESET and INIT", reset_and_init },
	{ "no PMU: all of it faults (problems 23, 58)", none_at_all },
	CU_TEST_INFO_NULL,
};

CU_SuiteInfo suite_amd_registers = { .pName = "amd/registers",
				     .pTests = tests };
