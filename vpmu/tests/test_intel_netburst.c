/* SPDX-License-Identifier: Apache-2.0 */
/* models/intel_netburst.c: 18 counters, their CCCRs, and the ESCRs these pick.
 * Expected values are from the manual's tables or counted by hand. */
#include "tests/harness.h"

#define CTR(n) (0x300u + (n))
#define CCCR(n) (0x360u + (n))
#define FSB_ESCR0 0x3a2
#define FSB_ESCR1 0x3a3
#define CRU_ESCR0 0x3b8
#define CRU_ESCR1 0x3b9
#define CRU_ESCR2 0x3cc
#define CRU_ESCR3 0x3cd

/* CCCR: enabled, any thread */
#define ON (BIT(12) | 3 * BIT(16))
#define SELECT(n) ((uint64_t)(n) << 13)
#define COMPARE BIT(18)
#define COMPLEMENT BIT(19)
#define THRESHOLD(n) ((uint64_t)(n) << 20)
#define CCCR_EDGE BIT(24)
#define FORCE_OVF BIT(25)
#define OVF_PMI BIT(26)
#define OVF BIT(31)

/* ESCR */
#define T0_USR BIT(2)
#define T0_OS BIT(3)
#define EVENT(number, mask) ((uint64_t)(number) << 25 | (uint64_t)(mask) << 9)
#define INSTR_RETIRED EVENT(0x02, 0x1)

#define BRANCH VPMU_OCCURS(VPMU_MEAN_BRANCHES)
#define TAKEN VPMU_OCCURS(VPMU_MEAN_TAKEN_BRANCHES)

static struct harness h;

static void begin(void)
{
	harness_open(&h, "intel-netburst");
}

/* Counter 12 on retired instructions: perfctr's example. */
static void instructions(uint64_t cccr, uint64_t levels)
{
	begin();
	wrmsr(&h, CRU_ESCR0, INSTR_RETIRED | levels);
	wrmsr(&h, CCCR(12), ON | SELECT(4) | cccr);
}

/* ------------------------------------------------------------- registers */

static void counters_by_address(void)
{
	begin();
	for (uint32_t i = 0; i < 18; i++)
		CU_ASSERT_EQUAL(wrmsr(&h, CTR(i), 0x8000000000 + i), 0);
	for (uint32_t i = 0; i < 18; i++) {
		CU_ASSERT_EQUAL(rdmsr(&h, CTR(i)), 0x8000000000 + i);
		CU_ASSERT_EQUAL(rdpmc(&h, i), 0x8000000000 + i);
		CU_ASSERT_EQUAL(rdpmc(&h, 0x80000000 + i), i);
	}
	/* No sign extension, 40 bits. */
	wrmsr(&h, CTR(17), 0xffffffff);
	CU_ASSERT_EQUAL(rdmsr(&h, CTR(17)), 0xffffffff);
	CU_ASSERT_EQUAL(rdpmc(&h, 0x80000011), 0xffffffff);
	wrmsr(&h, CTR(17), UINT64_MAX);
	CU_ASSERT_EQUAL(rdmsr(&h, CTR(17)), UINT64_C(0xffffffffff));
	CU_ASSERT_EQUAL(rdpmc(&h, 0x80000011), 0xffffffff);
	harness_close(&h);
}

static void rdpmc_indices(void)
{
	static const uint32_t bad[] = { 18,	    25,		26,
					0x12000000, 0x40000000, 0x40000001,
					0x80000012, 0x80000019, 0xc0000000,
					0x7fffffff, UINT32_MAX };
	const struct vpmu_mode user = { .cpl = 3, .pe = 1 };
	uint64_t value = 0xa5;

	begin();
	for (size_t i = 0; i < ARRAY_SIZE(bad); i++)
		CHECK_AT(bad[i], rdpmc(&h, bad[i]) == UINT64_MAX);
	CU_ASSERT_EQUAL(vpmu_rdpmc(h.vcpu, 0x80000000, &user, &value),
			VPMU_FAULT);
	CU_ASSERT_EQUAL(value, 0xa5);
	harness_close(&h);
}

/* 31, 30, 27:12 of a CCCR, 30:0 of an ESCR; others fault, nothing changes. */
static void bits(void)
{
	begin();
	for (unsigned int b = 0; b < 64; b++) {
		bool cccr = b >= 12 && b < 32 && b != 28 && b != 29;

		CHECK_AT(b, wrmsr(&h, CCCR(3), BIT(b)) ==
				    (cccr ? VPMU_HANDLED : VPMU_FAULT));
		CHECK_AT(b, rdmsr(&h, CCCR(3)) == (cccr ? BIT(b) : 0));
		wrmsr(&h, CCCR(3), 0);
		CHECK_AT(b, wrmsr(&h, 0x3e1, BIT(b)) ==
				    (b < 31 ? VPMU_HANDLED : VPMU_FAULT));
		CHECK_AT(b, rdmsr(&h, 0x3e1) == (b < 31 ? BIT(b) : 0));
		wrmsr(&h, 0x3e1, 0);
	}
	harness_close(&h);
}

/* clang-format off */
static const struct {
	uint32_t msr;
	const char *name; /* NULL: absent, faults */
} named[] = {
	{ 0x300, "MSR_BPU_COUNTER0" }, { 0x303, "MSR_BPU_COUNTER3" },
	{ 0x304, "MSR_MS_COUNTER0" }, { 0x308, "MSR_FLAME_COUNTER0" },
	{ 0x30c, "MSR_IQ_COUNTER0" }, { 0x311, "MSR_IQ_COUNTER5" },
	{ 0x360, "MSR_BPU_CCCR0" }, { 0x371, "MSR_IQ_CCCR5" },
	{ 0x3a0, "MSR_BSU_ESCR0" }, { 0x3a1, "MSR_BSU_ESCR1" },
	{ 0x3a2, "MSR_FSB_ESCR0" }, { 0x3b8, "MSR_CRU_ESCR0" },
	{ 0x3be, "MSR_SSU_ESCR0" }, { 0x3bf, NULL },
	{ 0x3c5, "MSR_TC_ESCR1" }, { 0x3c6, NULL }, { 0x3c7, NULL },
	{ 0x3c8, "MSR_IX_ESCR0" }, { 0x3cb, "MSR_ALF_ESCR1" },
	{ 0x3cc, "MSR_CRU_ESCR2" }, { 0x3cd, "MSR_CRU_ESCR3" },
	{ 0x3ce, NULL }, { 0x3df, NULL },
	{ 0x3e0, "MSR_CRU_ESCR4" }, { 0x3e1, "MSR_CRU_ESCR5" },
	{ 0x3f1, NULL }, { 0xc1, NULL }, { 0x186, NULL }, { 0x11, NULL },
	{ 0x345, NULL }, { 0x38f, NULL },
};
/* clang-format on */

static void names(void)
{
	char name[24];
	uint64_t value;

	begin();
	for (size_t i = 0; i < ARRAY_SIZE(named); i++) {
		uint32_t msr = named[i].msr;

		vpmu_msr_name(h.pmu, msr, name, sizeof(name));
		CU_ASSERT_STRING_EQUAL(name,
				       named[i].name ? named[i].name : "");
		CHECK_AT(msr,
			 vpmu_rdmsr(h.vcpu, msr, &value) ==
				 (named[i].name ? VPMU_HANDLED : VPMU_FAULT));
	}
	/* Bit 7: performance monitoring available, which Linux demands. */
	CU_ASSERT_EQUAL(rdmsr(&h, 0x1a0) & BIT(7), BIT(7));
	harness_close(&h);
}

/* ------------------------------------------------- who selects which ESCR */

/* clang-format off */
static const struct {
	int line;
	uint32_t escr;
	uint32_t select;
	uint32_t counters; /* bitmap, SDM 3B's table */
} choices[] = {
	{ __LINE__, 0x3b2, 0, 0x00003 }, { __LINE__, 0x3b3, 0, 0x0000c },
	{ __LINE__, 0x3b4, 1, 0x00003 }, { __LINE__, 0x3b5, 1, 0x0000c },
	{ __LINE__, 0x3aa, 2, 0x00003 }, { __LINE__, 0x3ab, 2, 0x0000c },
	{ __LINE__, 0x3b6, 3, 0x00003 }, { __LINE__, 0x3b7, 3, 0x0000c },
	{ __LINE__, 0x3ac, 4, 0x00003 }, { __LINE__, 0x3ad, 4, 0x0000c },
	{ __LINE__, 0x3c8, 5, 0x00003 }, { __LINE__, 0x3c9, 5, 0x0000c },
	{ __LINE__, 0x3a2, 6, 0x00003 }, { __LINE__, 0x3a3, 6, 0x0000c },
	{ __LINE__, 0x3a0, 7, 0x00003 }, { __LINE__, 0x3a1, 7, 0x0000c },
	{ __LINE__, 0x3c0, 0, 0x00030 }, { __LINE__, 0x3c1, 0, 0x000c0 },
	{ __LINE__, 0x3c4, 1, 0x00030 }, { __LINE__, 0x3c5, 1, 0x000c0 },
	{ __LINE__, 0x3c2, 2, 0x00030 }, { __LINE__, 0x3c3, 2, 0x000c0 },
	{ __LINE__, 0x3a6, 0, 0x00300 }, { __LINE__, 0x3a7, 0, 0x00c00 },
	{ __LINE__, 0x3a4, 1, 0x00300 }, { __LINE__, 0x3a5, 1, 0x00c00 },
	{ __LINE__, 0x3ae, 2, 0x00300 }, { __LINE__, 0x3af, 2, 0x00c00 },
	{ __LINE__, 0x3b0, 3, 0x00300 }, { __LINE__, 0x3b1, 3, 0x00c00 },
	{ __LINE__, 0x3a8, 5, 0x00300 }, { __LINE__, 0x3a9, 5, 0x00c00 },
	{ __LINE__, 0x3ba, 0, 0x13000 }, { __LINE__, 0x3bb, 0, 0x2c000 },
	{ __LINE__, 0x3ca, 1, 0x13000 }, { __LINE__, 0x3cb, 1, 0x2c000 },
	{ __LINE__, 0x3bc, 2, 0x13000 }, { __LINE__, 0x3bd, 2, 0x2c000 },
	{ __LINE__, 0x3be, 3, 0x13000 },
	{ __LINE__, 0x3b8, 4, 0x13000 }, { __LINE__, 0x3b9, 4, 0x2c000 },
	{ __LINE__, 0x3cc, 5, 0x13000 }, { __LINE__, 0x3cd, 5, 0x2c000 },
	{ __LINE__, 0x3e0, 6, 0x13000 }, { __LINE__, 0x3e1, 6, 0x2c000 },
};
/* clang-format on */

/* An ESCR with a privilege bit lets exactly those count that select it. */
static void escr_choices(void)
{
	for (size_t i = 0; i < ARRAY_SIZE(choices); i++) {
		for (uint32_t s = 0; s < 8; s++) {
			begin();
			for (uint32_t k = 0; k < 18; k++)
				wrmsr(&h, CCCR(k), ON | SELECT(s));
			wrmsr(&h, choices[i].escr, T0_OS);
			CHECK_AT(choices[i].line,
				 h.vcpu->local == (s == choices[i].select
							   ? choices[i].counters
							   : 0));
			harness_close(&h);
		}
	}
}

/* -------------------------------------------------------------- counting */

/* Two at CPL 0, of which one taken branch; three at CPL 3, one branch. */
static void block(void)
{
	vpmu_retire(h.vcpu, 0, 0);
	vpmu_retire(h.vcpu, BRANCH | TAKEN, 0);
	vpmu_retire(h.vcpu, 0, 3);
	vpmu_retire(h.vcpu, BRANCH, 3);
	vpmu_retire(h.vcpu, 0, 3);
}

#define BOTH (T0_OS | T0_USR)

/* clang-format off */
static const struct {
	int line;
	uint32_t counter;
	uint32_t escr;
	uint64_t event;
	uint64_t cccr;
	uint64_t count;
} counts[] = {
	{ __LINE__, 12, CRU_ESCR0, BOTH | INSTR_RETIRED, ON | SELECT(4), 5 },
	{ __LINE__, 12, CRU_ESCR0, T0_OS | INSTR_RETIRED, ON | SELECT(4), 2 },
	{ __LINE__, 12, CRU_ESCR0, T0_USR | INSTR_RETIRED, ON | SELECT(4), 3 },
	{ __LINE__, 12, CRU_ESCR0, INSTR_RETIRED, ON | SELECT(4), 0 },
	/* Those of the other logical processor */
	{ __LINE__, 12, CRU_ESCR0, BIT(0) | BIT(1) | INSTR_RETIRED, ON | SELECT(4), 0 },
	{ __LINE__, 16, CRU_ESCR0, BOTH | INSTR_RETIRED, ON | SELECT(4), 5 },
	{ __LINE__, 14, CRU_ESCR1, BOTH | INSTR_RETIRED, ON | SELECT(4), 5 },
	{ __LINE__, 17, CRU_ESCR1, BOTH | INSTR_RETIRED, ON | SELECT(4), 5 },
	{ __LINE__, 17, CRU_ESCR0, BOTH | INSTR_RETIRED, ON | SELECT(4), 0 },
	{ __LINE__, 12, CRU_ESCR1, BOTH | INSTR_RETIRED, ON | SELECT(4), 0 },
	{ __LINE__, 12, CRU_ESCR0, BOTH | INSTR_RETIRED, ON | SELECT(5), 0 },
	/* Active thread: none, single, both, any */
	{ __LINE__, 12, CRU_ESCR0, BOTH | INSTR_RETIRED, BIT(12) | SELECT(4), 0 },
	{ __LINE__, 12, CRU_ESCR0, BOTH | INSTR_RETIRED, BIT(12) | BIT(16) | SELECT(4), 5 },
	{ __LINE__, 12, CRU_ESCR0, BOTH | INSTR_RETIRED, BIT(12) | BIT(17) | SELECT(4), 0 },
	{ __LINE__, 12, CRU_ESCR0, BOTH | INSTR_RETIRED, 3 * BIT(16) | SELECT(4), 0 },
	/* Linux' instructions: with bogus ones, of which there are none */
	{ __LINE__, 12, CRU_ESCR0, BOTH | EVENT(2, 5), ON | SELECT(4), 5 },
	{ __LINE__, 12, CRU_ESCR0, BOTH | EVENT(2, 4), ON | SELECT(4), 0 },
	{ __LINE__, 13, CRU_ESCR2, BOTH | EVENT(6, 0xf), ON | SELECT(5), 2 },
	{ __LINE__, 15, CRU_ESCR3, BOTH | EVENT(6, 0xc), ON | SELECT(5), 1 },
	{ __LINE__, 15, CRU_ESCR3, BOTH | EVENT(6, 0xa), ON | SELECT(5), 0 },
	{ __LINE__, 0, FSB_ESCR0, BOTH | EVENT(0x13, 1), ON | SELECT(6), 5 },
	{ __LINE__, 3, FSB_ESCR1, BOTH | EVENT(0x13, 1), ON | SELECT(6), 5 },
	/* More than the threshold of 1 in a cycle; not more than 0. */
	{ __LINE__, 12, CRU_ESCR0, BOTH | INSTR_RETIRED, ON | SELECT(4) | COMPARE, 5 },
	{ __LINE__, 12, CRU_ESCR0, BOTH | INSTR_RETIRED, ON | SELECT(4) | COMPARE | THRESHOLD(1), 0 },
	{ __LINE__, 13, CRU_ESCR2, BOTH | EVENT(6, 0xf), ON | SELECT(5) | COMPARE | COMPLEMENT, 3 },
	{ __LINE__, 13, CRU_ESCR2, BOTH | EVENT(6, 0xf), ON | SELECT(5) | COMPARE | COMPLEMENT | THRESHOLD(15), 5 },
	/* The threshold without COMPARE is nothing; neither is the edge. */
	{ __LINE__, 12, CRU_ESCR0, BOTH | INSTR_RETIRED, ON | SELECT(4) | THRESHOLD(3) | CCCR_EDGE | COMPLEMENT, 5 },
	/* No branch: the first, the third, the fifth. */
	{ __LINE__, 13, CRU_ESCR2, BOTH | EVENT(6, 0xf), ON | SELECT(5) | COMPARE | COMPLEMENT | CCCR_EDGE, 3 },
	{ __LINE__, 12, CRU_ESCR0, BOTH | INSTR_RETIRED, ON | SELECT(4) | COMPARE | CCCR_EDGE, 1 },
};
/* clang-format on */

static void known_block(void)
{
	for (size_t i = 0; i < ARRAY_SIZE(counts); i++) {
		begin();
		wrmsr(&h, counts[i].escr, counts[i].event);
		wrmsr(&h, CCCR(counts[i].counter), counts[i].cccr);
		block();
		CHECK_AT(counts[i].line,
			 rdpmc(&h, counts[i].counter) == counts[i].count);
		harness_close(&h);
		/* The CCCR first, then the ESCR. */
		begin();
		wrmsr(&h, CCCR(counts[i].counter), counts[i].cccr);
		wrmsr(&h, counts[i].escr, counts[i].event);
		block();
		CHECK_AT(counts[i].line,
			 rdpmc(&h, counts[i].counter) == counts[i].count);
		harness_close(&h);
	}
}

/* One ESCR feeds several counters; clearing it stops them all. */
static void shared_escr(void)
{
	begin();
	wrmsr(&h, CCCR(12), ON | SELECT(4));
	wrmsr(&h, CCCR(13), ON | SELECT(4));
	wrmsr_retired(&h, CRU_ESCR0, BOTH | INSTR_RETIRED);
	block();
	wrmsr_retired(&h, CRU_ESCR0, 0);
	block();
	CU_ASSERT_EQUAL(rdpmc(&h, 12), 6);
	CU_ASSERT_EQUAL(rdpmc(&h, 13), 6);
	CU_ASSERT_FALSE(vpmu_wants_retire(h.vcpu));
	harness_close(&h);
}

/* OVF is set by the 40-bit wrap and stays until written 0; OVF_PMI interrupts.
 * Other counters' CCCRs do not show it. */
static void overflow(void)
{
	for (int pmi = 0; pmi < 2; pmi++) {
		uint64_t cccr = ON | SELECT(4) | (pmi ? OVF_PMI : 0);

		instructions(pmi ? OVF_PMI : 0, T0_OS);
		wrmsr(&h, CTR(12), UINT64_C(0xfffffffffe));
		retire(&h, 1, 0);
		CU_ASSERT_EQUAL(rdmsr(&h, CCCR(12)), cccr);
		CU_ASSERT_EQUAL(vpmu_take_pmi(h.vcpu), 0);
		retire(&h, 2, 0);
		CU_ASSERT_EQUAL(rdmsr(&h, CTR(12)), 1);
		CU_ASSERT_EQUAL(rdmsr(&h, CCCR(12)), cccr | OVF);
		CU_ASSERT_EQUAL(rdmsr(&h, CCCR(13)), 0);
		CU_ASSERT_EQUAL(vpmu_take_pmi(h.vcpu), pmi);
		CU_ASSERT_EQUAL(vpmu_take_pmi(h.vcpu), 0);
		wrmsr(&h, CCCR(12), cccr);
		CU_ASSERT_EQUAL(rdmsr(&h, CCCR(12)), cccr);
		/* It goes on counting all the while. */
		retire(&h, 2, 0);
		CU_ASSERT_EQUAL(rdmsr(&h, CTR(12)), 3);
		harness_close(&h);
	}
}

/* The mock host's overflow is seen in the CCCR, which is read first. */
static void overflow_of_backend(void)
{
	harness_open_mock(&h, "intel-netburst");
	wrmsr(&h, CRU_ESCR0, BOTH | INSTR_RETIRED);
	wrmsr(&h, CCCR(12), ON | SELECT(4));
	wrmsr(&h, CTR(12), UINT64_C(0xffffffffff));
	h.host.slots[12].pending = 2;
	CU_ASSERT_EQUAL(rdmsr(&h, CCCR(12)), ON | SELECT(4) | OVF);
	h.host.slots[12].pending = UINT64_C(0xffffffffff);
	CU_ASSERT_EQUAL(wrmsr(&h, CCCR(12), ON | SELECT(4)), VPMU_HANDLED);
	CU_ASSERT_EQUAL(rdmsr(&h, CCCR(12)), ON | SELECT(4));
	CU_ASSERT_EQUAL(rdmsr(&h, CTR(12)), 0);
	harness_close(&h);
}

/* FORCE_OVF: each increment is one. */
static void forced_overflow(void)
{
	instructions(FORCE_OVF | OVF_PMI, T0_OS);
	retire(&h, 1, 3);
	CU_ASSERT_EQUAL(vpmu_take_pmi(h.vcpu), 0);
	CU_ASSERT_EQUAL(rdmsr(&h, CCCR(12)) & OVF, 0);
	retire(&h, 1, 0);
	CU_ASSERT_EQUAL(vpmu_take_pmi(h.vcpu), 1);
	CU_ASSERT_EQUAL(rdmsr(&h, CCCR(12)) & OVF, OVF);
	CU_ASSERT_EQUAL(rdmsr(&h, CTR(12)), 1);
	harness_close(&h);
	instructions(FORCE_OVF, T0_OS);
	retire(&h, 1, 0);
	CU_ASSERT_EQUAL(vpmu_take_pmi(h.vcpu), 0);
	CU_ASSERT_EQUAL(rdmsr(&h, CCCR(12)) & OVF, OVF);
	harness_close(&h);
}

static void reset(void)
{
	begin();
	wrmsr(&h, CRU_ESCR0, BOTH | INSTR_RETIRED);
	wrmsr(&h, CCCR(12), ON | SELECT(4));
	wrmsr(&h, CTR(12), 9);
	vpmu_reset(h.vcpu, VPMU_RESET_INIT);
	CU_ASSERT_EQUAL(rdmsr(&h, CTR(12)), 9);
	CU_ASSERT_EQUAL(rdmsr(&h, CCCR(12)), ON | SELECT(4));
	vpmu_reset(h.vcpu, VPMU_RESET_POWER);
	CU_ASSERT_EQUAL(rdmsr(&h, CTR(12)), 0);
	CU_ASSERT_EQUAL(rdmsr(&h, CCCR(12)), 0);
	CU_ASSERT_EQUAL(rdmsr(&h, CRU_ESCR0), 0);
	CU_ASSERT_FALSE(vpmu_wants_retire(h.vcpu));
	harness_close(&h);
}

static void cpuid(void)
{
	struct vpmu_cpuid_regs r = { 0, UINT32_MAX, UINT32_MAX, UINT32_MAX };

	begin();
	vpmu_cpuid(h.pmu, 1, 0, &r);
	CU_ASSERT_EQUAL(r.eax, 0xf29);
	CU_ASSERT_EQUAL(r.edx & BIT32(21), 0);
	r = (struct vpmu_cpuid_regs){ 1, 2, 3, 4 };
	CU_ASSERT_EQUAL(vpmu_cpuid(h.pmu, 0xa, 0, &r), VPMU_HANDLED);
	CU_ASSERT_EQUAL(r.eax | r.ebx | r.ecx | r.edx, 0);
	CU_ASSERT_EQUAL(vpmu_lvtpc_masks(h.pmu), 1);
	harness_close(&h);
}

static CU_TestInfo tests[] = {
	{ "18 counters by MSR, RDPMC and fast read", counters_by_address },
	{ "RDPMC beyond 17 faults, fast or not", rdpmc_indices },
	{ "CCCR and ESCR bit by bit", bits },
	{ "registers by name, and those that are absent", names },
	{ "ESCR select, by counter", escr_choices },
	{ "a known block, by event and qualifiers", known_block },
	{ "one ESCR feeds and stops two counters", shared_escr },
	{ "OVF is sticky, OVF_PMI interrupts", overflow },
	{ "OVF shows what the backend had not told", overflow_of_backend },
	{ "FORCE_OVF overflows by each increment", forced_overflow },
	{ "INIT changes nothing, RESET clears", reset },
	{ "identity, and leaf 0AH is 0", cpuid },
	CU_TEST_INFO_NULL,
};

CU_SuiteInfo suite_intel_netburst = { .pName = "models/intel_netburst",
				      .pTests = tests };
