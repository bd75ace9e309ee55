/* SPDX-License-Identifier: Apache-2.0 */
/* AMD's CPUID, field by field (APM 3, "CPUID"), and the rules that shapes must
 * keep. */
#include <errno.h>
#include <string.h>

#include "tests/harness.h"

/* Whatever is offered, the guest sees `value` in the bits `mask`. */
struct field_row {
	int line;
	const char *model;
	uint32_t leaf;
	enum vpmu_cpuid_reg reg;
	uint32_t mask;
	uint32_t value;
};

#define EXT BIT32(23)
#define NB BIT32(24)
#define PTSC BIT32(27)
#define LLC BIT32(28)
#define COUNTERS (BIT32(10) | EXT | NB | BIT32(25) | PTSC | LLC)
#define TOPOEXT BIT32(22)
#define ALL UINT32_MAX

/* clang-format off */
static const struct field_row fields[] = {
	{ __LINE__, "amd-k7", 0x80000001, CPUID_ECX, COUNTERS, 0 },
	{ __LINE__, "amd-f15h", 0x80000001, CPUID_ECX, COUNTERS, EXT | NB },
	{ __LINE__, "amd-f17h", 0x80000001, CPUID_ECX, COUNTERS, EXT | NB | LLC },
	{ __LINE__, "amd-v2", 0x80000001, CPUID_ECX, COUNTERS, EXT | NB | LLC },
	{ __LINE__, "amd-zen5", 0x80000001, CPUID_ECX, COUNTERS, EXT | NB | LLC },
	{ __LINE__, "amd-v2,nb=0", 0x80000001, CPUID_ECX, COUNTERS, EXT | LLC },
	{ __LINE__, "amd-v2,l3=0", 0x80000001, CPUID_ECX, COUNTERS, EXT | NB },
	{ __LINE__, "amd-v2,nb=4", 0x80000001, CPUID_ECX, COUNTERS, EXT | NB | LLC },
	{ __LINE__, "amd-v2,ext_core=0", 0x80000001, CPUID_ECX, COUNTERS, NB | LLC },
	{ __LINE__, "amd-k7,nb=4", 0x80000001, CPUID_ECX, COUNTERS, NB },
	{ __LINE__, "amd-k7,ptsc=1", 0x80000001, CPUID_ECX, COUNTERS, PTSC },
	{ __LINE__, "none", 0x80000001, CPUID_ECX, COUNTERS, 0 },
	/* Linux looks at shared counters only where topology is told of. */
	{ __LINE__, "amd-f15h", 0x80000001, CPUID_ECX, TOPOEXT, TOPOEXT },
	{ __LINE__, "amd-f17h,nb=0", 0x80000001, CPUID_ECX, TOPOEXT, TOPOEXT },
	{ __LINE__, "amd-f17h,l3=0", 0x80000001, CPUID_ECX, TOPOEXT, TOPOEXT },
	{ __LINE__, "amd-v2,nb=0,l3=0", 0x80000001, CPUID_ECX, TOPOEXT, TOPOEXT },
	/* PerfMonV2, LbrStack, LbrAndPmcFreeze */
	{ __LINE__, "amd-v2", 0x80000022, CPUID_EAX, ALL, 0x5 },
	{ __LINE__, "amd-v2,freeze=0", 0x80000022, CPUID_EAX, ALL, 0x1 },
	{ __LINE__, "amd-zen5", 0x80000022, CPUID_EAX, ALL, 0x5 },
	{ __LINE__, "amd-f17h", 0x80000022, CPUID_EAX, ALL, 0 },
	{ __LINE__, "amd-f17h,version=2", 0x80000022, CPUID_EAX, ALL, 0x1 },
	{ __LINE__, "amd-v2,version=1", 0x80000022, CPUID_EAX, ALL, 0 },
	/* NumPerfCtrCore, LbrStackSz, NumPerfCtrNB, NumPerfCtrUmc */
	{ __LINE__, "amd-v2", 0x80000022, CPUID_EBX, ALL, 6 | 16 << 10 | 32 << 16 },
	{ __LINE__, "amd-v2,umc=0", 0x80000022, CPUID_EBX, ALL, 0x4006 },
	{ __LINE__, "amd-v2,umc=0,nb=0", 0x80000022, CPUID_EBX, ALL, 0x0006 },
	{ __LINE__, "amd-v2,gp=4", 0x80000022, CPUID_EBX, 0xf, 4 },
	{ __LINE__, "amd-v2,gp=5", 0x80000022, CPUID_EBX, 0xf, 5 },
	{ __LINE__, "amd-v2", 0x80000022, CPUID_EBX, 0x3f0, 0 },
	{ __LINE__, "amd-v2,nb=4", 0x80000022, CPUID_EBX, 0xfc00, 4 << 10 },
	{ __LINE__, "amd-v2,nb=0", 0x80000022, CPUID_EBX, 0xfc00, 0 },
	{ __LINE__, "amd-v2,umc=1", 0x80000022, CPUID_EBX, 0xff0000, 4 << 16 },
	{ __LINE__, "amd-zen5", 0x80000022, CPUID_EBX, ALL, 6 | 16 << 10 | 32 << 16 },
	{ __LINE__, "amd-f17h", 0x80000022, CPUID_EBX, ALL, 0 },
	{ __LINE__, "amd-f17h,version=2", 0x80000022, CPUID_EBX, ALL, 6 | 4 << 10 },
	/* ActiveUmcMask */
	{ __LINE__, "amd-v2", 0x80000022, CPUID_ECX, ALL, 0xff },
	{ __LINE__, "amd-v2,umc=1", 0x80000022, CPUID_ECX, ALL, 0x1 },
	{ __LINE__, "amd-v2,umc=0", 0x80000022, CPUID_ECX, ALL, 0 },
	{ __LINE__, "amd-v2,version=1", 0x80000022, CPUID_ECX, ALL, 0 },
	{ __LINE__, "amd-v2", 0x80000022, CPUID_EDX, ALL, 0 },
	/* EffFreq, EffFreqRO, InstRetCntMsr, PreciseRetire */
	{ __LINE__, "amd-v2", 0x00000006, CPUID_ECX, BIT32(0), 0 },
	{ __LINE__, "amd-v2,effreq=1", 0x00000006, CPUID_ECX, BIT32(0), BIT32(0) },
	{ __LINE__, "amd-v2", 0x80000007, CPUID_EDX, BIT32(10), 0 },
	{ __LINE__, "amd-v2,effreq=1", 0x80000007, CPUID_EDX, BIT32(10), BIT32(10) },
	{ __LINE__, "amd-v2", 0x80000008, CPUID_EBX, BIT32(1), 0 },
	{ __LINE__, "amd-v2,irperf=1", 0x80000008, CPUID_EBX, BIT32(1), BIT32(1) },
	{ __LINE__, "amd-zen5", 0x80000008, CPUID_EBX, BIT32(1), BIT32(1) },
	{ __LINE__, "amd-zen5,irperf=0", 0x80000008, CPUID_EBX, BIT32(1), 0 },
	{ __LINE__, "amd-k7,ptsc=1", 0x80000008, CPUID_ECX, 0x30000, 0 },
	{ __LINE__, "amd-v2", 0x80000021, CPUID_EAX, BIT32(12), 0 },
	{ __LINE__, "amd-v2,precise_retire=1", 0x80000021, CPUID_EAX, BIT32(12), BIT32(12) },
	{ __LINE__, "amd-zen5", 0x80000021, CPUID_EAX, BIT32(12), BIT32(12) },
	/* Not offered by any: Intel's leaf, IBS, PmcVirt */
	{ __LINE__, "amd-zen5", 0x0000000a, CPUID_EAX, ALL, 0 },
	{ __LINE__, "amd-zen5", 0x0000000a, CPUID_EBX, ALL, 0 },
	{ __LINE__, "amd-zen5", 0x0000000a, CPUID_EDX, ALL, 0 },
	{ __LINE__, "amd-zen5", 0x8000000a, CPUID_EDX, BIT32(8), 0 },
	{ __LINE__, "amd-zen5", 0x8000001b, CPUID_EAX, ALL, 0 },
	{ __LINE__, "amd-zen5", 0x8000001f, CPUID_EAX, BIT32(20), 0 },
	/* Families 15H, 17H, 19H, 1AH: extended in EAX[27:20] */
	{ __LINE__, "amd-f15h", 0x00000001, CPUID_EAX, ALL, 0x00600f20 },
	{ __LINE__, "amd-v2", 0x00000001, CPUID_EAX, ALL, 0x00a10f11 },
	{ __LINE__, "amd-zen5", 0x00000001, CPUID_EAX, ALL, 0x00b00f21 },
	{ __LINE__, "amd-zen5", 0x80000001, CPUID_EAX, ALL, 0x00b00f21 },
	/* Problem 58: bits 23, 24, 28 clear, 8000_0022H zero */
	{ __LINE__, "none", 0x80000022, CPUID_EAX, ALL, 0 },
	{ __LINE__, "none", 0x80000022, CPUID_EBX, ALL, 0 },
	{ __LINE__, "none", 0x80000022, CPUID_ECX, ALL, 0 },
	{ __LINE__, "none", 0x80000022, CPUID_EDX, ALL, 0 },
};
/* clang-format on */

static uint32_t reg_of(const struct vpmu_cpuid_regs *regs,
		       enum vpmu_cpuid_reg reg)
{
	const uint32_t all[] = { regs->eax, regs->ebx, regs->ecx, regs->edx };

	return all[reg];
}

static void field_by_field(void)
{
	static const uint32_t offered[] = { 0, UINT32_MAX, 0x5a5a5a5a,
					    0xa5a5a5a5 };
	struct harness h;

	for (size_t i = 0; i < ARRAY_SIZE(fields); i++) {
		const struct field_row *row = &fields[i];

		harness_open(&h, row->model);
		for (size_t k = 0; k < ARRAY_SIZE(offered); k++) {
			uint32_t o = offered[k];
			struct vpmu_cpuid_regs regs = { o, o, o, o };

			vpmu_cpuid(h.pmu, row->leaf, 0, &regs);
			CHECK_AT(row->line, (reg_of(&regs, row->reg) &
					     row->mask) == row->value);
		}
		harness_close(&h);
	}
}

/* What the guest may ask for reaches to what it needs; more is the host's. */
static void largest_leaves(void)
{
	/* clang-format off */
	static const struct {
		int line;
		const char *model;
		uint32_t leaf;
		uint32_t offered;
		uint32_t shown;
	} rows[] = {
		{ __LINE__, "amd-k7", 0x80000000, 0, 0x80000008 },
		{ __LINE__, "amd-f15h", 0x80000000, 0, 0x8000001e },
		{ __LINE__, "amd-f17h", 0x80000000, 0x80000008, 0x8000001f },
		{ __LINE__, "amd-v2", 0x80000000, 0x80000021, 0x80000022 },
		{ __LINE__, "amd-v2", 0x80000000, 0x80000026, 0x80000026 },
		{ __LINE__, "amd-zen5", 0x80000000, 0, 0x80000022 },
		{ __LINE__, "amd-f17h,version=2", 0x80000000, 0, 0x80000022 },
		{ __LINE__, "amd-f17h,version=2", 0x80000000, 0x80000026, 0x80000026 },
		{ __LINE__, "amd-f17h,precise_retire=1", 0x80000000, 0, 0x80000021 },
		{ __LINE__, "amd-f17h,precise_retire=1", 0x80000000, 0x80000022, 0x80000022 },
		{ __LINE__, "amd-k7", 0x00000000, 0, 0x1 },
		{ __LINE__, "amd-k7,effreq=1", 0x00000000, 0, 0x6 },
		{ __LINE__, "amd-k7,effreq=1", 0x00000000, 0xd, 0xd },
		{ __LINE__, "amd-v2", 0x00000000, 0, 0xd },
	};
	/* clang-format on */
	struct harness h;

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct vpmu_cpuid_regs regs = { .eax = rows[i].offered };

		harness_open(&h, rows[i].model);
		vpmu_cpuid(h.pmu, rows[i].leaf, 0, &regs);
		CHECK_AT(rows[i].line, regs.eax == rows[i].shown);
		harness_close(&h);
	}
}

/* ------------------------------------------------------------------ rules */

static int create(struct vpmu **pmu, const char *text)
{
	const struct vpmu_config config = {
		.size = sizeof(config),
		.model = text,
	};

	return vpmu_create(pmu, &config);
}

struct refused_row {
	int line;
	const char *text;
	const char *reason; /* after the text and ": " */
};

/* clang-format off */
static const struct refused_row refused[] = {
	{ __LINE__, "amd-k7,version=2", "version: 2, PerfMonV2, needs PerfCtrExtCore" },
	{ __LINE__, "amd-v2,version=2,ext_core=0", "version: 2, PerfMonV2, needs PerfCtrExtCore" },
	{ __LINE__, "amd-k7,gp=5", "gp: without PerfCtrExtCore there are 4" },
	{ __LINE__, "amd-f17h,gp=6,ext_core=0", "gp: without PerfCtrExtCore there are 4" },
	{ __LINE__, "amd-f15h,gp=5", "gp: PerfCtrExtCore without PerfMonV2 means 6" },
	{ __LINE__, "amd-v2,gp=4,version=1", "gp: PerfCtrExtCore without PerfMonV2 means 6" },
	{ __LINE__, "amd-v2,width=40", "width: counters are 48 bits wide" },
	{ __LINE__, "amd-v2,width=64", "width: counters are 48 bits wide" },
	{ __LINE__, "amd-v2,nb=1", "nb: CPUID.8000_0001H:ECX[24] promises the first 4" },
	{ __LINE__, "amd-f17h,nb=3", "nb: CPUID.8000_0001H:ECX[24] promises the first 4" },
	{ __LINE__, "amd-f17h,nb=5", "nb: more than 4 need PerfMonV2" },
	{ __LINE__, "amd-v2,version=1,nb=16", "nb: more than 4 need PerfMonV2" },
	{ __LINE__, "amd-v2,nb=17", "nb: 17 is not in 0..16" },
	{ __LINE__, "amd-f15h,l3=6", "l3: family 15H has no L3 counters" },
	{ __LINE__, "amd-k7,l3=6", "l3: family 15H has no L3 counters" },
	{ __LINE__, "amd-f17h,l3=1", "l3: CPUID.8000_0001H:ECX[28] means 6 counters" },
	{ __LINE__, "amd-v2,l3=5", "l3: CPUID.8000_0001H:ECX[28] means 6 counters" },
	{ __LINE__, "amd-v2,l3=7", "l3: 7 is not in 0..6" },
	{ __LINE__, "amd-f17h,umc=1", "umc: needs PerfMonV2" },
	{ __LINE__, "amd-v2,umc=8,version=1", "umc: needs PerfMonV2" },
	{ __LINE__, "amd-v2,umc=9", "umc: 9 is not in 0..8" },
	{ __LINE__, "amd-f17h,freeze=1", "freeze: needs PerfMonV2" },
	{ __LINE__, "amd-v2,freeze=1,ext_core=0", "freeze: needs PerfMonV2" },
	{ __LINE__, "amd-k7,merge=1", "merge: came with family 17H" },
	{ __LINE__, "amd-f15h,merge=1", "merge: came with family 17H" },
	{ __LINE__, "amd-v2,ext_core=0,merge=1", "merge: came with family 17H" },
	{ __LINE__, "amd-v2,version=3", "version: 3 is not in 1..2" },
	{ __LINE__, "amd-v2,version=0", "version: 0 is not in 1..2" },
	{ __LINE__, "amd-v2,gp=3", "gp: 3 is not in 4..6" },
	{ __LINE__, "amd-v2,ext_core=2", "ext_core: 2 is not in 0..1" },
	{ __LINE__, "amd-v2,precise_retire=2", "precise_retire: 2 is not in 0..1" },
	{ __LINE__, "amd-v2,irperf=2", "irperf: 2 is not in 0..1" },
	{ __LINE__, "amd-v2,effreq=2", "effreq: 2 is not in 0..1" },
	{ __LINE__, "amd-v2,ptsc=2", "ptsc: 2 is not in 0..1" },
	{ __LINE__, "amd-v2,svm=2", "svm: 2 is not in 0..1" },
	{ __LINE__, "amd-v2,merge=2", "merge: 2 is not in 0..1" },
	{ __LINE__, "amd-v2,freeze=2", "freeze: 2 is not in 0..1" },
	{ __LINE__, "amd-v2,uncore=1", "uncore: no such field" },
};

/* What becomes of a preset's fields that lost their ground. */
static const struct {
	int line;
	const char *text;
	uint32_t version, ext_core, gp, nb, l3, umc, freeze, merge;
} kept[] = {
	{ __LINE__, "amd-k7", 1, 0, 4, 0, 0, 0, 0, 0 },
	{ __LINE__, "amd-f15h", 1, 1, 6, 4, 0, 0, 0, 0 },
	{ __LINE__, "amd-f17h", 1, 1, 6, 4, 6, 0, 0, 1 },
	{ __LINE__, "amd-v2", 2, 1, 6, 16, 6, 8, 1, 1 },
	{ __LINE__, "amd-zen5", 2, 1, 6, 16, 6, 8, 1, 1 },
	{ __LINE__, "amd-v2,version=1", 1, 1, 6, 4, 6, 0, 0, 1 },
	{ __LINE__, "amd-v2,version=1,nb=0", 1, 1, 6, 0, 6, 0, 0, 1 },
	{ __LINE__, "amd-v2,ext_core=0", 1, 0, 4, 4, 6, 0, 0, 0 },
	{ __LINE__, "amd-v2,ext_core=0,gp=4,umc=0", 1, 0, 4, 4, 6, 0, 0, 0 },
	{ __LINE__, "amd-f17h,ext_core=0", 1, 0, 4, 4, 6, 0, 0, 0 },
	{ __LINE__, "amd-k7,ext_core=1", 1, 1, 6, 0, 0, 0, 0, 0 },
	{ __LINE__, "amd-k7,ext_core=1,version=2", 2, 1, 4, 0, 0, 0, 0, 0 },
	{ __LINE__, "amd-v2,gp=4", 2, 1, 4, 16, 6, 8, 1, 1 },
	{ __LINE__, "amd-f17h,version=2,freeze=1,umc=2", 2, 1, 6, 4, 6, 2, 1, 1 },
};
/* clang-format on */

static void refusals(void)
{
	for (size_t i = 0; i < ARRAY_SIZE(refused); i++) {
		const struct refused_row *row = &refused[i];
		size_t len = strlen(row->text);
		struct vpmu *pmu;
		const char *reason;

		CHECK_AT(row->line, create(&pmu, row->text) == -EINVAL);
		reason = vpmu_reason(pmu);
		CHECK_AT(row->line,
			 !strncmp(reason, row->text, len) &&
				 !strncmp(reason + len, ": ", 2) &&
				 !strncmp(reason + len + 2, row->reason,
					  strlen(row->reason)));
		vpmu_destroy(pmu);
	}
}

static void giving_way(void)
{
	for (size_t i = 0; i < ARRAY_SIZE(kept); i++) {
		const struct vpmu_shape *s;
		struct vpmu *pmu;

		CHECK_AT(kept[i].line, create(&pmu, kept[i].text) == 0);
		s = &pmu->shape;
		CHECK_AT(kept[i].line, s->version == kept[i].version);
		CHECK_AT(kept[i].line, s->ext_core == kept[i].ext_core);
		CHECK_AT(kept[i].line, s->gp == kept[i].gp);
		CHECK_AT(kept[i].line, s->nb == kept[i].nb);
		CHECK_AT(kept[i].line, s->l3 == kept[i].l3);
		CHECK_AT(kept[i].line, s->umc == kept[i].umc);
		CHECK_AT(kept[i].line, s->freeze == kept[i].freeze);
		CHECK_AT(kept[i].line, s->merge == kept[i].merge);
		vpmu_destroy(pmu);
	}
}

static CU_TestInfo tests[] = {
	{ "each field, whatever is offered (problem 58)", field_by_field },
	{ "the largest leaves reach what is shown", largest_leaves },
	{ "each rule refuses what was given, by name", refusals },
	{ "a preset's field gives way", giving_way },
	CU_TEST_INFO_NULL,
};

CU_SuiteInfo suite_amd_cpuid = { .pName = "amd/cpuid", .pTests = tests };
