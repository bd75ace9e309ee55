/* SPDX-License-Identifier: Apache-2.0 */
/* AMD's RDPMC: the whole index map, each range behind its own CPUID bit (APM 3,
 * "RDPMC"; APM 2, "Performance Monitoring Counters"). */
#include <string.h>

#include "tests/harness.h"

/* Which indices are good, written out; all others fault. */
struct map_row {
	int line;
	const char *model;
	uint64_t good; /* bit i: ECX = i */
};

#define LOW(n) (BIT(n) - 1)
#define NB_LOW (LOW(10) & ~LOW(6))
#define L3_ALL (LOW(16) & ~LOW(10))
#define NB_UPTO(n) (LOW((n) + 12) & ~LOW(16))

/* clang-format off */
static const struct map_row maps[] = {
	{ __LINE__, "amd-k7", LOW(4) },
	{ __LINE__, "amd-k7,nb=4", LOW(4) | NB_LOW },
	{ __LINE__, "amd-k7,irperf=1,effreq=1,ptsc=1", LOW(4) },
	{ __LINE__, "amd-f15h,nb=0", LOW(6) },
	{ __LINE__, "amd-f15h", LOW(6) | NB_LOW },
	{ __LINE__, "amd-f17h,nb=0,l3=0", LOW(6) },
	{ __LINE__, "amd-f17h,nb=0", LOW(6) | L3_ALL },
	{ __LINE__, "amd-f17h,l3=0", LOW(6) | NB_LOW },
	{ __LINE__, "amd-f17h", LOW(6) | NB_LOW | L3_ALL },
	{ __LINE__, "amd-f17h,ext_core=0", LOW(4) | NB_LOW | L3_ALL },
	{ __LINE__, "amd-v2", LOW(6) | NB_LOW | L3_ALL | NB_UPTO(16) },
	{ __LINE__, "amd-v2,gp=5", LOW(5) | NB_LOW | L3_ALL | NB_UPTO(16) },
	{ __LINE__, "amd-v2,gp=4", LOW(4) | NB_LOW | L3_ALL | NB_UPTO(16) },
	{ __LINE__, "amd-v2,l3=0", LOW(6) | NB_LOW | NB_UPTO(16) },
	{ __LINE__, "amd-v2,nb=0", LOW(6) | L3_ALL },
	{ __LINE__, "amd-v2,nb=4", LOW(6) | NB_LOW | L3_ALL },
	{ __LINE__, "amd-v2,nb=5", LOW(6) | NB_LOW | L3_ALL | BIT(16) },
	{ __LINE__, "amd-v2,nb=6", LOW(6) | NB_LOW | L3_ALL | BIT(16) | BIT(17) },
	{ __LINE__, "amd-v2,umc=0", LOW(6) | NB_LOW | L3_ALL | NB_UPTO(16) },
	{ __LINE__, "amd-v2,ext_core=0", LOW(4) | NB_LOW | L3_ALL },
	{ __LINE__, "amd-zen5", LOW(6) | NB_LOW | L3_ALL | NB_UPTO(16) },
	{ __LINE__, "amd-zen5,effreq=1,ptsc=1", LOW(6) | NB_LOW | L3_ALL | NB_UPTO(16) },
	{ __LINE__, "none", 0 },
};

static const uint32_t never[] = {
	28, 29, 31, 32, 63, 64, 255, 256, 0xffff, 0x10000, 0x10001, 0x10002,
	0x20000000, 0x20000001, 0x40000000, 0x40000001, 0x60000000,
	0x80000000, 0x80000001, 0xc0000000, 0xfffffffa, 0xffffffff,
};
/* clang-format on */

/* The MSR of the counter that ECX = i reads. */
static uint32_t msr_of(const char *model, uint32_t i)
{
	if (i < 4 && !strcmp(model, "amd-k7"))
		return 0xc0010004 + i;
	if (i < 6)
		return 0xc0010201 + 2 * i;
	if (i < 10)
		return 0xc0010241 + 2 * (i - 6);
	if (i < 16)
		return 0xc0010231 + 2 * (i - 10);
	return 0xc0010241 + 2 * (i - 12);
}

static void index_map(void)
{
	struct harness h;

	for (size_t m = 0; m < ARRAY_SIZE(maps); m++) {
		const struct map_row *row = &maps[m];

		harness_open(&h, row->model);
		for (uint32_t i = 0; i < 64; i++)
			CHECK_AT(row->line, (rdpmc(&h, i) != UINT64_MAX) ==
						    !!(row->good & BIT(i)));
		for (size_t i = 0; i < ARRAY_SIZE(never); i++)
			CHECK_AT(row->line, rdpmc(&h, never[i]) == UINT64_MAX);
		harness_close(&h);
	}
}

/* Each index reads its own counter. */
static void values(void)
{
	static const struct {
		const char *model;
		uint64_t good;
	} rows[] = {
		{ "amd-k7", LOW(4) },	 { "amd-f15h", LOW(10) },
		{ "amd-f17h", LOW(16) }, { "amd-v2", LOW(28) },
		{ "amd-zen5", LOW(28) },
	};
	struct harness h;

	for (size_t m = 0; m < ARRAY_SIZE(rows); m++) {
		harness_open(&h, rows[m].model);
		for (uint32_t i = 0; rows[m].good & BIT(i); i++)
			wrmsr(&h, msr_of(rows[m].model, i),
			      UINT64_C(0xabcd00000000) + i);
		for (uint32_t i = 0; rows[m].good & BIT(i); i++)
			CHECK_AT(i,
				 rdpmc(&h, i) == UINT64_C(0xabcd00000000) + i);
		harness_close(&h);
	}
}

/* Bit 48 of L3 counters is in the register only; EDX[31:16] are 0. */
static void overflow_flag_unseen(void)
{
	static const char *const models[] = { "amd-f17h", "amd-v2" };
	struct harness h;

	for (size_t m = 0; m < ARRAY_SIZE(models); m++) {
		harness_open(&h, models[m]);
		for (uint32_t i = 0; i < 6; i++) {
			uint32_t msr = 0xc0010231 + 2 * i;

			wrmsr(&h, msr, UINT64_MAX);
			CU_ASSERT_EQUAL(rdmsr(&h, msr),
					UINT64_C(0x1ffffffffffff));
			CU_ASSERT_EQUAL(rdpmc(&h, 10 + i),
					UINT64_C(0xffffffffffff));
			wrmsr(&h, msr, BIT(48) | 5);
			CU_ASSERT_EQUAL(rdpmc(&h, 10 + i), 5);
		}
		harness_close(&h);
	}
}

/* One gate for all indices, good or not; and what faults changes nothing. */
static void privilege(void)
{
	static const struct {
		int line;
		struct vpmu_mode mode;
		bool allowed;
	} modes[] = {
		{ __LINE__, { .cpl = 0, .pe = 1 }, true },
		{ __LINE__, { .cpl = 1, .pe = 1 }, false },
		{ __LINE__, { .cpl = 3, .pe = 1 }, false },
		{ __LINE__, { .cpl = 3, .pe = 1, .pce = 1 }, true },
		{ __LINE__, { .cpl = 0, .pe = 0 }, true },
	};
	struct harness h;

	harness_open(&h, "amd-v2");
	for (size_t m = 0; m < ARRAY_SIZE(modes); m++)
		for (uint32_t i = 0; i < 64; i++) {
			bool ok = modes[m].allowed && i < 28;
			uint64_t value = 0xa5a5;

			CHECK_AT(modes[m].line,
				 vpmu_rdpmc(h.vcpu, i, &modes[m].mode,
					    &value) ==
					 (ok ? VPMU_HANDLED : VPMU_FAULT));
			CHECK_AT(modes[m].line, value == (ok ? 0 : 0xa5a5));
		}
	harness_close(&h);
}

/* The library gets ECX: RCX[63:32] is not looked at. RAX and RDX have nothing
 * above bit 31, as a value has nothing above 47. */
static void upper_halves(void)
{
	struct harness h;

	harness_open(&h, "amd-f17h");
	wrmsr(&h, 0xc0010201, UINT64_MAX);
	CU_ASSERT_EQUAL(rdpmc(&h, (uint32_t)UINT64_C(0xffffffff00000000)),
			UINT64_C(0xffffffffffff));
	harness_close(&h);
}

/* Problem 2: KVM took bits 31 and 30 of ECX for Intel's type. */
static void type_bits(void)
{
	struct harness h;

	harness_open(&h, "amd-f17h,nb=0,l3=0");
	CU_ASSERT_EQUAL(rdpmc(&h, 0x40000000), UINT64_MAX);
	CU_ASSERT_EQUAL(rdpmc(&h, 0x80000000), UINT64_MAX);
	CU_ASSERT_EQUAL(rdpmc(&h, 5), 0);
	CU_ASSERT_EQUAL(rdpmc(&h, 6), UINT64_MAX);
	harness_close(&h);
}

/* Problem 3: without a PMU RDPMC faults, it does not read 0. */
static void no_pmu(void)
{
	struct harness h;

	harness_open(&h, "none");
	for (uint32_t i = 0; i < 64; i++)
		CU_ASSERT_EQUAL(rdpmc(&h, i), UINT64_MAX);
	harness_close(&h);
}

static CU_TestInfo tests[] = {
	{ "the whole index map, by CPUID bit (problem 1)", index_map },
	{ "each index reads its counter", values },
	{ "bit 48 of an L3 counter is not read", overflow_flag_unseen },
	{ "CPL, PE, PCE gate every index (problem 7)", privilege },
	{ "RCX[63:32] ignored, EDX[31:16] zero", upper_halves },
	{ "ECX[31:30] are no type (problem 2)", type_bits },
	{ "no PMU: RDPMC faults (problem 3)", no_pmu },
	CU_TEST_INFO_NULL,
};

CU_SuiteInfo suite_amd_rdpmc = { .pName = "amd/rdpmc", .pTests = tests };
