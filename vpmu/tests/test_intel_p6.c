/* SPDX-License-Identifier: Apache-2.0 */
/* models/intel_p6.c: one enable bit for two counters. Expected values are from
 * the manual or counted by hand. */
#include "tests/harness.h"

#define CTR0 0xc1
#define CTR1 0xc2
#define SEL0 0x186
#define SEL1 0x187

#define ONCE(m) VPMU_OCCURS(VPMU_MEAN_##m)

static struct harness h;

static void begin(void)
{
	harness_open(&h, "intel-p6");
}

/* Bits 39:32 are copies of bit 31; EDX is ignored. */
static void sign_extension(void)
{
	static const struct {
		int line;
		uint64_t value;
		uint64_t read;
	} rows[] = {
		{ __LINE__, 0x7fffffff, 0x7fffffff },
		{ __LINE__, 0x80000000, UINT64_C(0xff80000000) },
		{ __LINE__, UINT64_C(0xff00000000), 0 },
		{ __LINE__, UINT64_C(0x1280000001), UINT64_C(0xff80000001) },
		{ __LINE__, UINT64_C(0xffffffff7fffffff), 0x7fffffff },
		{ __LINE__, UINT64_MAX, UINT64_C(0xffffffffff) },
	};

	begin();
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		for (uint32_t k = 0; k < 2; k++) {
			CHECK_AT(rows[i].line,
				 !wrmsr(&h, CTR0 + k, rows[i].value));
			CHECK_AT(rows[i].line,
				 rdmsr(&h, CTR0 + k) == rows[i].read);
			CHECK_AT(rows[i].line, rdpmc(&h, k) == rows[i].read);
		}
	}
	harness_close(&h);
}

/* Bits 31:0 but 21 are kept, EN in both; others are dropped. */
static void selectors(void)
{
	begin();
	for (uint32_t msr = SEL0; msr <= SEL1; msr++) {
		for (unsigned int b = 0; b < 64; b++) {
			uint64_t kept = b < 32 && b != 21 ? BIT(b) : 0;

			CHECK_AT(b, wrmsr(&h, msr, BIT(b)) == VPMU_HANDLED);
			CHECK_AT(b, rdmsr(&h, msr) == kept);
		}
	}
	harness_close(&h);
}

/* No MISC_ENABLE, no fixed or global registers, no CESR; 1D9H has LBR and BTF,
 * which read 0, and five bits that are kept. */
static void other_registers(void)
{
	static const uint32_t faults[] = { 0x11,  0x12,	 0x13,	0xc3,
					   0x188, 0x1a0, 0x309, 0x345,
					   0x38d, 0x38f, 0x360, 0x4c1 };
	uint64_t value;

	begin();
	for (size_t i = 0; i < ARRAY_SIZE(faults); i++) {
		CHECK_AT(faults[i],
			 vpmu_rdmsr(h.vcpu, faults[i], &value) == VPMU_FAULT);
		CHECK_AT(faults[i], wrmsr(&h, faults[i], 0) == VPMU_FAULT);
	}
	CU_ASSERT_EQUAL(wrmsr(&h, 0x1d9, 0x7f), VPMU_HANDLED);
	CU_ASSERT_EQUAL(rdmsr(&h, 0x1d9), 0x7c);
	CU_ASSERT_EQUAL(wrmsr(&h, 0x1d9, 0x80), VPMU_FAULT);
	vpmu_reset(h.vcpu, VPMU_RESET_INIT);
	CU_ASSERT_EQUAL(rdmsr(&h, 0x1d9), 0);
	harness_close(&h);
}

static void rdpmc_indices(void)
{
	static const uint32_t bad[] = { 2,	    3,		0x80000000,
					0x80000001, 0x40000000, 0x10000,
					UINT32_MAX };

	begin();
	wrmsr(&h, CTR0, 5);
	wrmsr(&h, CTR1, 6);
	CU_ASSERT_EQUAL(rdpmc(&h, 0), 5);
	CU_ASSERT_EQUAL(rdpmc(&h, 1), 6);
	for (size_t i = 0; i < ARRAY_SIZE(bad); i++)
		CHECK_AT(bad[i], rdpmc(&h, bad[i]) == UINT64_MAX);
	harness_close(&h);
}

/* What counts in three instructions, by EN and privilege of each selector. */
static void one_enable(void)
{
	/* clang-format off */
	static const struct {
		int line;
		uint64_t select[2];
		uint64_t count[2];
	} rows[] = {
		{ __LINE__, { EN | OS | 0xc0, OS | 0xc0 }, { 3, 3 } },
		{ __LINE__, { EN | OS | 0xc0, EN | OS | 0xc0 }, { 3, 3 } },
		{ __LINE__, { OS | 0xc0, EN | OS | 0xc0 }, { 0, 0 } },
		{ __LINE__, { OS | 0xc0, OS | 0xc0 }, { 0, 0 } },
		/* Counter 1 alone: EN without a privilege level in 186H. */
		{ __LINE__, { EN, OS | 0xc0 }, { 0, 3 } },
		/* ... and 0 alone: 187H cleared. */
		{ __LINE__, { EN | OS | 0xc0, 0 }, { 3, 0 } },
		{ __LINE__, { EN | OS | 0xc0, USR | 0xc0 }, { 3, 0 } },
	};
	/* clang-format on */

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		begin();
		wrmsr(&h, SEL0, rows[i].select[0]);
		wrmsr(&h, SEL1, rows[i].select[1]);
		retire(&h, 3, 0);
		CHECK_AT(rows[i].line, rdmsr(&h, CTR0) == rows[i].count[0]);
		CHECK_AT(rows[i].line, rdmsr(&h, CTR1) == rows[i].count[1]);
		/* In the other order of writing */
		wrmsr(&h, SEL0, 0);
		wrmsr(&h, SEL1, rows[i].select[1]);
		wrmsr(&h, SEL0, rows[i].select[0]);
		retire(&h, 3, 0);
		CHECK_AT(rows[i].line, rdmsr(&h, CTR0) == 2 * rows[i].count[0]);
		CHECK_AT(rows[i].line, rdmsr(&h, CTR1) == 2 * rows[i].count[1]);
		harness_close(&h);
	}
}

/* Clearing EN in 186H stops both, by the order rule after that WRMSR. */
static void one_disable(void)
{
	begin();
	wrmsr(&h, SEL1, OS | 0xc0);
	wrmsr_retired(&h, SEL0, EN | OS | 0xc0);
	retire(&h, 2, 0);
	wrmsr_retired(&h, SEL0, OS | 0xc0);
	retire(&h, 2, 0);
	CU_ASSERT_EQUAL(rdmsr(&h, CTR0), 3);
	CU_ASSERT_EQUAL(rdmsr(&h, CTR1), 3);
	CU_ASSERT_FALSE(vpmu_wants_retire(h.vcpu));
	harness_close(&h);
}

/*
 * Five at CPL 0: a read; one that reads and writes memory, loads a segment; two
 * FLOPs in a row; a taken branch; after an interrupt, a branch not taken. Two
 * at CPL 3: a read, a taken branch.
 */
static void block(void)
{
	vpmu_retire(h.vcpu, ONCE(DATA_ACCESSES), 0);
	vpmu_occur(h.vcpu, VPMU_MEAN_DATA_ACCESSES, 2);
	vpmu_retire(h.vcpu, ONCE(SEGMENT_LOADS), 0);
	vpmu_retire(h.vcpu, ONCE(FLOPS), 0);
	vpmu_retire(h.vcpu, ONCE(FLOPS) | ONCE(BRANCHES) | ONCE(TAKEN_BRANCHES),
		    0);
	vpmu_occur(h.vcpu, VPMU_MEAN_INTERRUPTS, 1);
	vpmu_retire(h.vcpu, ONCE(BRANCHES), 0);
	vpmu_retire(h.vcpu, ONCE(DATA_ACCESSES), 3);
	vpmu_retire(h.vcpu, ONCE(BRANCHES) | ONCE(TAKEN_BRANCHES), 3);
}

/* clang-format off */
static const struct {
	int line;
	uint64_t select;
	uint64_t count[2];
	uint8_t meaning[2];
} counts[] = {
	{ __LINE__, OS | USR | 0x79, { 7, 7 }, { VPMU_MEAN_CYCLES, VPMU_MEAN_CYCLES } },
	{ __LINE__, OS | USR | 0xc0, { 7, 7 }, { VPMU_MEAN_INSTRUCTIONS, VPMU_MEAN_INSTRUCTIONS } },
	{ __LINE__, USR | 0xc0, { 2, 2 }, { VPMU_MEAN_INSTRUCTIONS, VPMU_MEAN_INSTRUCTIONS } },
	{ __LINE__, OS | 0xc0, { 5, 5 }, { VPMU_MEAN_INSTRUCTIONS, VPMU_MEAN_INSTRUCTIONS } },
	{ __LINE__, OS | USR | 0xc4, { 3, 3 }, { VPMU_MEAN_BRANCHES, VPMU_MEAN_BRANCHES } },
	{ __LINE__, OS | USR | 0xc9, { 2, 2 }, { VPMU_MEAN_TAKEN_BRANCHES, VPMU_MEAN_TAKEN_BRANCHES } },
	{ __LINE__, OS | USR | 0x43, { 4, 4 }, { VPMU_MEAN_DATA_ACCESSES, VPMU_MEAN_DATA_ACCESSES } },
	/* At least two in a cycle; fewer than two; where such cycles begin. */
	{ __LINE__, OS | USR | CMASK(2) | 0x43, { 1, 1 }, { VPMU_MEAN_DATA_ACCESSES, VPMU_MEAN_DATA_ACCESSES } },
	{ __LINE__, OS | USR | CMASK(2) | INV | 0x43, { 6, 6 }, { VPMU_MEAN_DATA_ACCESSES, VPMU_MEAN_DATA_ACCESSES } },
	{ __LINE__, OS | USR | CMASK(1) | EDGE | 0x43, { 2, 2 }, { VPMU_MEAN_DATA_ACCESSES, VPMU_MEAN_DATA_ACCESSES } },
	/* INV without CMASK is ignored. */
	{ __LINE__, OS | USR | INV | 0x43, { 4, 4 }, { VPMU_MEAN_DATA_ACCESSES, VPMU_MEAN_DATA_ACCESSES } },
	{ __LINE__, OS | USR | 0x06, { 1, 1 }, { VPMU_MEAN_SEGMENT_LOADS, VPMU_MEAN_SEGMENT_LOADS } },
	{ __LINE__, OS | USR | 0xc8, { 1, 1 }, { VPMU_MEAN_INTERRUPTS, VPMU_MEAN_INTERRUPTS } },
	/* Counter 0 only */
	{ __LINE__, OS | USR | 0xc1, { 2, 0 }, { VPMU_MEAN_FLOPS, VPMU_MEAN_NOTHING } },
	{ __LINE__, OS | USR | EDGE | 0xc1, { 1, 0 }, { VPMU_MEAN_FLOPS, VPMU_MEAN_NOTHING } },
	/* Known, but nothing here can tell */
	{ __LINE__, OS | USR | 0xc5, { 0, 0 }, { VPMU_MEAN_BRANCH_MISSES, VPMU_MEAN_BRANCH_MISSES } },
	{ __LINE__, OS | USR | 0xa2, { 0, 0 }, { VPMU_MEAN_STALLED_BACKEND, VPMU_MEAN_STALLED_BACKEND } },
	{ __LINE__, OS | USR | 0x0f2e, { 0, 0 }, { VPMU_MEAN_LLC_REFERENCES, VPMU_MEAN_LLC_REFERENCES } },
	{ __LINE__, OS | USR | 0x012e, { 0, 0 }, { VPMU_MEAN_LLC_MISSES, VPMU_MEAN_LLC_MISSES } },
	/* What Linux stops a counter by; an event of another generation */
	{ __LINE__, OS | USR | 0x002e, { 0, 0 }, { VPMU_MEAN_NOTHING, VPMU_MEAN_NOTHING } },
	{ __LINE__, OS | USR | 0x003c, { 0, 0 }, { VPMU_MEAN_NOTHING, VPMU_MEAN_NOTHING } },
};
/* clang-format on */

static void known_block(void)
{
	for (size_t i = 0; i < ARRAY_SIZE(counts); i++) {
		begin();
		wrmsr(&h, SEL1, counts[i].select);
		wrmsr(&h, SEL0, counts[i].select | EN);
		block();
		for (uint32_t k = 0; k < 2; k++) {
			struct vpmu_counter_info info =
				counter(&h, k ? "PerfCtr1" : "PerfCtr0");

			CHECK_AT(counts[i].line,
				 rdmsr(&h, CTR0 + k) == counts[i].count[k]);
			CHECK_AT(counts[i].line,
				 info.meaning == counts[i].meaning[k]);
			CHECK_AT(counts[i].line, info.width == 40);
		}
		harness_close(&h);
	}
}

/* INT of each counter's own selector interrupts, once, when 40 bits wrap. */
static void interrupt(void)
{
	for (uint32_t k = 0; k < 2; k++) {
		begin();
		wrmsr(&h, SEL1, OS | 0xc0 | (k ? INT : 0));
		wrmsr(&h, CTR0, UINT32_MAX - 1);
		wrmsr(&h, CTR1, UINT32_MAX - 1);
		wrmsr(&h, SEL0, EN | OS | 0xc0 | (k ? 0 : INT));
		retire(&h, 1, 0);
		CU_ASSERT_EQUAL(vpmu_take_pmi(h.vcpu), 0);
		CU_ASSERT_EQUAL(rdmsr(&h, CTR0), UINT64_C(0xffffffffff));
		retire(&h, 1, 0);
		CU_ASSERT_EQUAL(vpmu_take_pmi(h.vcpu), 1);
		CU_ASSERT_EQUAL(vpmu_take_pmi(h.vcpu), 0);
		CU_ASSERT_EQUAL(rdmsr(&h, CTR0), 0);
		CU_ASSERT_EQUAL(rdmsr(&h, CTR1), 0);
		harness_close(&h);
		/* Neither has INT. */
		begin();
		wrmsr(&h, CTR0, UINT32_MAX);
		wrmsr(&h, SEL0, EN | OS | 0xc0);
		retire(&h, 1, 0);
		CU_ASSERT_EQUAL(vpmu_take_pmi(h.vcpu), 0);
		harness_close(&h);
	}
}

/* FreeBSD's perfmon(4), by its MSR traffic: set up both, start 0 then 1, stop 1
 * then 0; each START writes a saved value with EDX. */
static void perfmon(void)
{
	begin();
	wrmsr_retired(&h, SEL0, OS | 0xc0); /* SETUP 0 */
	wrmsr_retired(&h, CTR0, 0);
	wrmsr_retired(&h, SEL1, 0); /* SETUP 1 */
	wrmsr_retired(&h, CTR1, 0);
	wrmsr_retired(&h, CTR0, UINT64_C(0x1200000007)); /* START 0 */
	wrmsr_retired(&h, SEL0, EN | OS | 0xc0);
	wrmsr_retired(&h, CTR1, 0); /* START 1: counter 0 counts both */
	wrmsr_retired(&h, SEL1, EN | OS | 0xc4);
	vpmu_retire(h.vcpu, ONCE(BRANCHES), 0);
	retire(&h, 4, 0);
	CU_ASSERT_EQUAL(rdmsr(&h, CTR1), 1); /* STOP 1: counts the WRMSR */
	wrmsr_retired(&h, SEL1, 0);
	CU_ASSERT_EQUAL(rdmsr(&h, CTR0), 7 + 2 + 5 + 1); /* STOP 0 */
	wrmsr_retired(&h, SEL0, OS | 0xc0);
	retire(&h, 4, 0);
	CU_ASSERT_EQUAL(rdmsr(&h, CTR0), 16);
	CU_ASSERT_EQUAL(rdmsr(&h, CTR1), 1);
	harness_close(&h);
}

static void cpuid(void)
{
	struct vpmu_cpuid_regs r = { 0, UINT32_MAX, UINT32_MAX, UINT32_MAX };

	begin();
	vpmu_cpuid(h.pmu, 1, 0, &r);
	CU_ASSERT_EQUAL(r.eax, 0x686);
	CU_ASSERT_EQUAL(r.ecx & BIT32(15), 0);
	CU_ASSERT_EQUAL(r.edx & BIT32(21), 0);
	r = (struct vpmu_cpuid_regs){ 1, 2, 3, 4 };
	CU_ASSERT_EQUAL(vpmu_cpuid(h.pmu, 0xa, 0, &r), VPMU_HANDLED);
	CU_ASSERT_EQUAL(r.eax | r.ebx | r.ecx | r.edx, 0);
	CU_ASSERT_EQUAL(vpmu_lvtpc_masks(h.pmu), 1);
	harness_close(&h);
}

static CU_TestInfo tests[] = {
	{ "32-bit writes are sign-extended to 40", sign_extension },
	{ "186H and 187H bit by bit", selectors },
	{ "other registers fault, but 1D9H", other_registers },
	{ "RDPMC: 0 and 1, no fast read", rdpmc_indices },
	{ "EN in 186H is for both, in 187H for none", one_enable },
	{ "clearing it stops both", one_disable },
	{ "a known block, by event and qualifiers", known_block },
	{ "INT interrupts at the 40-bit wrap", interrupt },
	{ "perfmon(4)'s accesses, in its order", perfmon },
	{ "identity, and leaf 0AH is 0", cpuid },
	CU_TEST_INFO_NULL,
};

CU_SuiteInfo suite_intel_p6 = { .pName = "models/intel_p6", .pTests = tests };
