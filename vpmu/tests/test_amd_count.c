/* SPDX-License-Identifier: Apache-2.0 */
/* What AMD's core counters count, and how they overflow, freeze and pair; by
 * the exact backend, with sums made by hand (APM 2, "Performance Monitoring
 * Counters"; PPRs). */
#include <string.h>

#include "tests/harness.h"

#define GUEST_ONLY BIT(40)
#define HOST_ONLY BIT(41)
#define TOP48 UINT64_C(0xffffffffffff)
/* Event FFFH and En, as Linux writes it. */
#define MERGE UINT64_C(0xf004000ff)
#define HWCR 0xc0010015u
#define STATUS 0xc0000300u
#define GLOBAL_CTL 0xc0000301u
#define CLEAR 0xc0000302u
#define SET 0xc0000303u
#define BRANCH VPMU_OCCURS(VPMU_MEAN_BRANCHES)
#define TAKEN VPMU_OCCURS(VPMU_MEAN_TAKEN_BRANCHES)

static uint32_t ctl(uint32_t n)
{
	return 0xc0010200 + 2 * n;
}

static uint32_t ctr(uint32_t n)
{
	return 0xc0010201 + 2 * n;
}

/* ------------------------------------------------------------- qualifiers */

struct count_row {
	int line;
	const char *model;
	uint64_t select;
	uint64_t count;
};

/* clang-format off */
static const struct count_row counts[] = {
	/* Of block(): 5 at CPL 0, 3 above. */
	{ __LINE__, "amd-f17h", EN | OS | USR | 0xc0, 8 },
	{ __LINE__, "amd-f17h", EN | OS | 0xc0, 5 },
	{ __LINE__, "amd-f17h", EN | USR | 0xc0, 3 },
	{ __LINE__, "amd-f17h", EN | 0xc0, 0 },
	{ __LINE__, "amd-f17h", OS | USR | 0xc0, 0 },
	{ __LINE__, "amd-f17h", EN | OS | USR | 0x76, 8 },
	{ __LINE__, "amd-f17h", EN | OS | USR | 0xc2, 4 },
	{ __LINE__, "amd-f17h", EN | OS | USR | 0xc4, 2 },
	{ __LINE__, "amd-f17h", EN | OS | USR | 0x1c0, 0 },
	{ __LINE__, "amd-f17h", EN | OS | USR | BIT(32) | 0xc0, 0 },
	{ __LINE__, "amd-k7", EN | OS | USR | 0xc0, 8 },
	{ __LINE__, "amd-k7", EN | 0xc0, 0 },
	{ __LINE__, "amd-k7", EN | USR | 0xc2, 2 },
	{ __LINE__, "amd-v2", EN | OS | 0xc0, 5 },
	{ __LINE__, "amd-v2", EN | 0xc0, 0 },
	{ __LINE__, "amd-v2", EN | OS | USR | 0x100000120, 8 },
	{ __LINE__, "amd-zen5", EN | USR | 0xc0, 3 },
	/* CntMask 1: cycles with one or more; 2: with two or more. */
	{ __LINE__, "amd-f17h", EN | OS | USR | CMASK(1) | 0xc0, 8 },
	{ __LINE__, "amd-f17h", EN | OS | USR | CMASK(2) | 0xc0, 0 },
	{ __LINE__, "amd-f17h", EN | OS | USR | CMASK(1) | INV | 0xc0, 0 },
	{ __LINE__, "amd-f17h", EN | OS | USR | CMASK(2) | INV | 0xc0, 8 },
	{ __LINE__, "amd-f17h", EN | OS | USR | CMASK(1) | INV | 0xc2, 4 },
	{ __LINE__, "amd-f17h", EN | OS | CMASK(1) | INV | 0xc2, 3 },
	{ __LINE__, "amd-f17h", EN | OS | USR | CMASK(127) | 0xc0, 0 },
	/* Edge: branches at 1, 3, 6 and 7, of which the last two adjoin. */
	{ __LINE__, "amd-f17h", EN | OS | USR | EDGE | 0xc2, 3 },
	{ __LINE__, "amd-f17h", EN | OS | USR | EDGE | 0xc0, 1 },
	{ __LINE__, "amd-f17h", EN | OS | USR | EDGE | CMASK(1) | INV | 0xc2, 3 },
	{ __LINE__, "amd-v2", EN | OS | USR | EDGE | 0xc2, 3 },
	/* Both bits are dropped without svm=1. */
	{ __LINE__, "amd-f17h", EN | OS | USR | GUEST_ONLY | 0xc0, 8 },
	{ __LINE__, "amd-f17h", EN | OS | USR | HOST_ONLY | 0xc0, 8 },
};
/* clang-format on */

/* CPL 0: - B - T -; CPL 3: - B T */
static void block(struct harness *h)
{
	vpmu_retire(h->vcpu, 0, 0);
	vpmu_retire(h->vcpu, BRANCH, 0);
	vpmu_retire(h->vcpu, 0, 0);
	vpmu_retire(h->vcpu, BRANCH | TAKEN, 0);
	vpmu_retire(h->vcpu, 0, 0);
	vpmu_retire(h->vcpu, 0, 3);
	vpmu_retire(h->vcpu, BRANCH, 3);
	vpmu_retire(h->vcpu, BRANCH | TAKEN, 3);
}

static void qualifiers(void)
{
	struct harness h;

	for (size_t i = 0; i < ARRAY_SIZE(counts); i++) {
		harness_open(&h, counts[i].model);
		wrmsr(&h, 0xc0010002, counts[i].select);
		block(&h);
		CHECK_AT(counts[i].line, rdpmc(&h, 2) == counts[i].count);
		CHECK_AT(counts[i].line,
			 rdmsr(&h, 0xc0010006) == counts[i].count);
		harness_close(&h);
	}
}

/* ------------------------------------------------- GuestOnly and HostOnly */

struct nested_row {
	int line;
	uint64_t bits;
	int svme;
	int guest;
	bool counts;
};

/* clang-format off */
static const struct nested_row nested[] = {
	{ __LINE__, 0, 0, 0, true },
	{ __LINE__, 0, 1, 0, true },
	{ __LINE__, 0, 1, 1, true },
	{ __LINE__, GUEST_ONLY, 0, 0, false },
	{ __LINE__, GUEST_ONLY, 0, 1, false },
	{ __LINE__, GUEST_ONLY, 1, 0, false },
	{ __LINE__, GUEST_ONLY, 1, 1, true },
	{ __LINE__, HOST_ONLY, 0, 0, false },
	{ __LINE__, HOST_ONLY, 0, 1, false },
	{ __LINE__, HOST_ONLY, 1, 0, true },
	{ __LINE__, HOST_ONLY, 1, 1, false },
	{ __LINE__, GUEST_ONLY | HOST_ONLY, 0, 0, false },
	{ __LINE__, GUEST_ONLY | HOST_ONLY, 0, 1, false },
	{ __LINE__, GUEST_ONLY | HOST_ONLY, 1, 0, true },
	{ __LINE__, GUEST_ONLY | HOST_ONLY, 1, 1, true },
	/* Any number but 0 is yes. */
	{ __LINE__, HOST_ONLY, 0x1000, 0, true },
	{ __LINE__, HOST_ONLY, 0x100, 0x100, false },
	{ __LINE__, GUEST_ONLY, -1, 256, true },
};
/* clang-format on */

static void guest_and_host(void)
{
	static const char *const models[] = { "amd-f17h,svm=1", "amd-k7,svm=1",
					      "amd-zen5,svm=1" };
	struct harness h;

	for (size_t m = 0; m < ARRAY_SIZE(models); m++)
		for (size_t i = 0; i < ARRAY_SIZE(nested); i++) {
			const struct nested_row *row = &nested[i];
			uint64_t count = row->counts ? 5 : 0;

			/* Told before the register is written, and after. */
			harness_open(&h, models[m]);
			vpmu_set_nested(h.vcpu, row->svme, row->guest);
			wrmsr(&h, 0xc0010000, EN | OS | row->bits | 0xc0);
			retire(&h, 5, 0);
			CHECK_AT(row->line, rdpmc(&h, 0) == count);
			harness_close(&h);
			harness_open(&h, models[m]);
			wrmsr(&h, 0xc0010000, EN | OS | row->bits | 0xc0);
			vpmu_set_nested(h.vcpu, row->svme, row->guest);
			retire(&h, 5, 0);
			CHECK_AT(row->line, rdpmc(&h, 0) == count);
			harness_close(&h);
		}
}

/* VMRUN and #VMEXIT, with a counter for each side and one for both. */
static void nested_turns(void)
{
	struct harness h;

	harness_open(&h, "amd-v2,svm=1");
	wrmsr(&h, ctl(0), EN | OS | GUEST_ONLY | 0xc0);
	wrmsr(&h, ctl(1), EN | OS | HOST_ONLY | 0xc0);
	wrmsr(&h, ctl(2), EN | OS | 0xc0);
	retire(&h, 1, 0); /* SVME is off */
	vpmu_set_nested(h.vcpu, 1, 0);
	retire(&h, 2, 0);
	vpmu_set_nested(h.vcpu, 1, 1);
	retire(&h, 4, 0);
	vpmu_set_nested(h.vcpu, 1, 1);
	retire(&h, 8, 0);
	vpmu_set_nested(h.vcpu, 1, 0);
	retire(&h, 16, 0);
	/* What was told outlives both resets. */
	vpmu_reset(h.vcpu, VPMU_RESET_INIT);
	retire(&h, 32, 0);
	vpmu_set_nested(h.vcpu, 0, 0);
	retire(&h, 64, 0);
	CU_ASSERT_EQUAL(rdpmc(&h, 0), 12);
	CU_ASSERT_EQUAL(rdpmc(&h, 1), 2 + 16 + 32);
	CU_ASSERT_EQUAL(rdpmc(&h, 2), 127);
	vpmu_set_nested(h.vcpu, 1, 0);
	vpmu_reset(h.vcpu, VPMU_RESET_POWER);
	wrmsr(&h, ctl(1), EN | OS | HOST_ONLY | 0xc0);
	retire(&h, 3, 0);
	CU_ASSERT_EQUAL(rdpmc(&h, 1), 3);
	harness_close(&h);
}

/* --------------------------------------------------------------- overflow */

static const char *const models[] = { "amd-k7", "amd-f15h", "amd-f17h",
				      "amd-v2", "amd-zen5" };

static uint32_t select_msr(const char *model, uint32_t n)
{
	return !strcmp(model, "amd-k7") ? 0xc0010000 + n : ctl(n);
}

static uint32_t counter_msr(const char *model, uint32_t n)
{
	return !strcmp(model, "amd-k7") ? 0xc0010004 + n : ctr(n);
}

static void overflow_of(const char *model, uint32_t n, bool interrupt)
{
	struct harness h;
	bool v2;

	harness_open(&h, model);
	v2 = h.pmu->shape.version == 2;
	wrmsr(&h, counter_msr(model, n), TOP48 - 1);
	wrmsr(&h, select_msr(model, n),
	      EN | OS | USR | (interrupt ? INT : 0) | 0xc0);
	retire(&h, 1, 0);
	CHECK_AT(n, rdpmc(&h, n) == TOP48);
	CHECK_AT(n, !vpmu_take_pmi(h.vcpu));
	CHECK_AT(n, !v2 || rdmsr(&h, STATUS) == 0);
	retire(&h, 2, 3);
	CHECK_AT(n, rdpmc(&h, n) == 1);
	CHECK_AT(n, vpmu_take_pmi(h.vcpu) == interrupt);
	CHECK_AT(n, !vpmu_take_pmi(h.vcpu));
	if (v2) {
		CHECK_AT(n, rdmsr(&h, STATUS) == BIT(n));
		wrmsr(&h, CLEAR, ~BIT(n));
		CHECK_AT(n, rdmsr(&h, STATUS) == BIT(n));
		wrmsr(&h, CLEAR, BIT(n));
		CHECK_AT(n, rdmsr(&h, STATUS) == 0);
	}
	harness_close(&h);
}

static void overflow(void)
{
	for (size_t m = 0; m < ARRAY_SIZE(models); m++)
		for (uint32_t n = 0; n < (m ? 6 : 4); n++) {
			overflow_of(models[m], n, false);
			overflow_of(models[m], n, true);
		}
}

/* Problem 43: nothing masks LVTPC, so a second overflow is a second one. */
static void second_interrupt(void)
{
	struct harness h;

	for (size_t m = 0; m < ARRAY_SIZE(models); m++) {
		harness_open(&h, models[m]);
		CU_ASSERT_EQUAL(vpmu_lvtpc_masks(h.pmu), 0);
		wrmsr(&h, select_msr(models[m], 1), EN | OS | INT | 0xc0);
		for (int i = 0; i < 3; i++) {
			wrmsr(&h, counter_msr(models[m], 1), TOP48);
			CU_ASSERT_EQUAL(vpmu_take_pmi(h.vcpu), 0);
			retire(&h, 1, 0);
			CU_ASSERT_EQUAL(vpmu_take_pmi(h.vcpu), 1);
		}
		harness_close(&h);
	}
}

/* Problem 33: whatever the vCPU's exits do, a loop has as many branches. */
static void exits_are_not_counted(void)
{
	static const int exits[] = { 0, 10, 1000 };
	struct harness h;

	for (size_t m = 0; m < ARRAY_SIZE(models); m++)
		for (size_t e = 0; e < ARRAY_SIZE(exits); e++) {
			harness_open(&h, models[m]);
			wrmsr(&h, 0xc0010000, EN | OS | USR | 0xc2);
			wrmsr(&h, 0xc0010001, EN | OS | USR | 0xc0);
			for (int i = 0; i < 1000; i++) {
				vpmu_retire(h.vcpu, 0, 3);
				vpmu_retire(h.vcpu, BRANCH | TAKEN, 3);
				if (i >= exits[e])
					continue;
				vpmu_sync(h.vcpu);
				vpmu_set_nested(h.vcpu, i & 1, 0);
				vpmu_take_pmi(h.vcpu);
				counter(&h, "PERF_CTR0");
			}
			CU_ASSERT_EQUAL(rdpmc(&h, 0), 1000);
			CU_ASSERT_EQUAL(rdpmc(&h, 1), 2000);
			harness_close(&h);
		}
}

/* ---------------------------------------------------- PerfMonV2's enables */

static void global_enable(void)
{
	struct harness h;

	harness_open(&h, "amd-v2");
	/* RESET leaves all of them set, so a driver of V1 counts. */
	for (uint32_t n = 0; n < 6; n++)
		wrmsr(&h, ctl(n), EN | OS | 0xc0);
	retire(&h, 1, 0);
	for (uint32_t n = 0; n < 6; n++) {
		wrmsr(&h, GLOBAL_CTL, BIT(n));
		retire(&h, 1, 0);
	}
	wrmsr(&h, GLOBAL_CTL, 0);
	retire(&h, 1, 0);
	for (uint32_t n = 0; n < 6; n++)
		CU_ASSERT_EQUAL(rdpmc(&h, n), 2);
	CU_ASSERT_EQUAL(vpmu_wants_retire(h.vcpu), 0);
	/* Neither alone is enough. */
	wrmsr(&h, ctl(0), OS | 0xc0);
	wrmsr(&h, GLOBAL_CTL, UINT64_MAX);
	retire(&h, 1, 0);
	CU_ASSERT_EQUAL(rdpmc(&h, 0), 2);
	CU_ASSERT_EQUAL(rdpmc(&h, 1), 3);
	harness_close(&h);
}

/* Neither StatusSet nor a write of the counter interrupts or freezes. */
static void set_raises_nothing(void)
{
	struct harness h;

	harness_open(&h, "amd-v2");
	wrmsr(&h, 0x1d9, BIT(12) | BIT(11));
	wrmsr(&h, ctl(0), EN | OS | INT | 0xc0);
	wrmsr(&h, SET, 0x3f);
	CU_ASSERT_EQUAL(rdmsr(&h, STATUS), 0x3f);
	wrmsr(&h, ctr(0), TOP48);
	wrmsr(&h, ctr(0), 0);
	CU_ASSERT_EQUAL(vpmu_take_pmi(h.vcpu), 0);
	retire(&h, 2, 0);
	CU_ASSERT_EQUAL(rdpmc(&h, 0), 2);
	CU_ASSERT_EQUAL(rdmsr(&h, STATUS), 0x3f);
	/* An overflow interrupts though its bit is set already. */
	wrmsr(&h, 0x1d9, 0);
	wrmsr(&h, ctr(0), TOP48);
	retire(&h, 1, 0);
	CU_ASSERT_EQUAL(rdmsr(&h, STATUS), 0x3f);
	CU_ASSERT_EQUAL(vpmu_take_pmi(h.vcpu), 1);
	harness_close(&h);
}

/* ----------------------------------------------------------------- freeze */

struct freeze_row {
	int line;
	const char *model;
	uint64_t debugctl;
	uint64_t interrupt;
	uint64_t status; /* after counter 0 has overflowed */
	uint64_t others; /* what counter 1 counts of 5, the second overflows */
};

/* clang-format off */
static const struct freeze_row freezes[] = {
	{ __LINE__, "amd-v2", BIT(12), INT, BIT(59) | 1, 2 },
	{ __LINE__, "amd-v2", BIT(12), 0, 1, 5 },
	{ __LINE__, "amd-v2", BIT(11), INT, BIT(58) | 1, 5 },
	{ __LINE__, "amd-v2", BIT(11), 0, 1, 5 },
	{ __LINE__, "amd-v2", BIT(11) | BIT(12), INT, BIT(59) | BIT(58) | 1, 2 },
	{ __LINE__, "amd-v2", 0, INT, 1, 5 },
	{ __LINE__, "amd-v2,freeze=0", BIT(12) | BIT(11), INT, 1, 5 },
	{ __LINE__, "amd-f17h,version=2", BIT(12) | BIT(11), INT, 1, 5 },
	{ __LINE__, "amd-zen5", BIT(12), INT, BIT(59) | 1, 2 },
};
/* clang-format on */

static void freeze(void)
{
	struct harness h;

	for (size_t i = 0; i < ARRAY_SIZE(freezes); i++) {
		const struct freeze_row *row = &freezes[i];

		harness_open(&h, row->model);
		wrmsr(&h, 0x1d9, row->debugctl);
		wrmsr(&h, ctr(0), TOP48 - 1);
		wrmsr(&h, ctl(0), EN | OS | row->interrupt | 0xc0);
		wrmsr(&h, ctl(1), EN | OS | 0xc0);
		retire(&h, 5, 0);
		CHECK_AT(row->line, rdmsr(&h, STATUS) == row->status);
		CHECK_AT(row->line, rdpmc(&h, 1) == row->others);
		CHECK_AT(row->line, rdmsr(&h, GLOBAL_CTL) == 0x3f);
		CHECK_AT(row->line, vpmu_take_pmi(h.vcpu) == !!row->interrupt);
		/* Only bit 59's clearing lets them go on. */
		wrmsr(&h, CLEAR, ~BIT(59));
		CHECK_AT(row->line,
			 rdmsr(&h, STATUS) == (row->status & BIT(59)));
		retire(&h, 1, 0);
		CHECK_AT(row->line,
			 rdpmc(&h, 1) ==
				 row->others + !(row->status & BIT(59)));
		wrmsr(&h, CLEAR, BIT(59));
		wrmsr(&h, ctr(1), 0);
		retire(&h, 1, 0);
		CHECK_AT(row->line, rdpmc(&h, 1) == 1);
		harness_close(&h);
	}
}

static void freeze_by_software(void)
{
	struct harness h;

	harness_open(&h, "amd-zen5");
	wrmsr(&h, HWCR, BIT(30));
	for (uint32_t n = 0; n < 6; n++)
		wrmsr(&h, ctl(n), EN | OS | 0xc0);
	wrmsr(&h, SET, BIT(58));
	retire(&h, 1, 0);
	wrmsr(&h, SET, BIT(59));
	retire(&h, 4, 0);
	for (uint32_t n = 0; n < 6; n++)
		CU_ASSERT_EQUAL(rdpmc(&h, n), 1);
	/* IRPerfCount is none of the counters that freeze. */
	CU_ASSERT_EQUAL(rdmsr(&h, 0xc00000e9), 5);
	wrmsr(&h, CLEAR, BIT(59));
	retire(&h, 1, 0);
	for (uint32_t n = 0; n < 6; n++)
		CU_ASSERT_EQUAL(rdpmc(&h, n), 2);
	harness_close(&h);
}

/* ------------------------------------------------------------------ merge */

struct merge_row {
	int line;
	const char *model;
	uint32_t even;
	uint64_t low; /* of the even counter, before one instruction */
	uint64_t high; /* of the odd one */
	uint64_t odd_ctl;
	uint64_t low_after;
	uint64_t high_after; /* bits 15:0 */
	bool overflow;
};

/* clang-format off */
static const struct merge_row merges[] = {
	{ __LINE__, "amd-f17h", 0, 5, 7, MERGE, 6, 7, false },
	{ __LINE__, "amd-f17h", 0, TOP48, 0, MERGE, 0, 1, false },
	{ __LINE__, "amd-f17h", 2, TOP48, 0, MERGE, 0, 1, false },
	{ __LINE__, "amd-f17h", 4, TOP48, 0, MERGE, 0, 1, false },
	{ __LINE__, "amd-f17h", 0, TOP48, 0xfffe, MERGE, 0, 0xffff, false },
	{ __LINE__, "amd-f17h", 0, TOP48, 0xffff, MERGE, 0, 0, true },
	{ __LINE__, "amd-f17h", 4, TOP48, 0xffff, MERGE, 0, 0, true },
	{ __LINE__, "amd-f17h", 0, TOP48 - 1, 0xffff, MERGE, TOP48, 0xffff, false },
	{ __LINE__, "amd-v2", 0, TOP48, 0, MERGE, 0, 1, false },
	{ __LINE__, "amd-v2", 2, TOP48, 0xffff, MERGE, 0, 0, true },
	{ __LINE__, "amd-zen5", 4, TOP48, 0xffff, MERGE, 0, 0, true },
	{ __LINE__, "amd-zen5", 4, TOP48, 0x1234, MERGE, 0, 0x1235, false },
	/* Without En, with a unit mask, or another event, it is no pair. */
	{ __LINE__, "amd-f17h", 0, TOP48, 0, MERGE & ~EN, 0, 0, true },
	{ __LINE__, "amd-f17h", 0, TOP48, 0, MERGE | 0x100, 0, 0, true },
	{ __LINE__, "amd-f17h", 0, TOP48, 0, EN | 0xff, 0, 0, true },
	/* Nor is it of an odd counter and the even one above. */
	{ __LINE__, "amd-f17h", 1, TOP48, 7, MERGE, 0, 7, true },
	{ __LINE__, "amd-f17h", 3, TOP48, 7, MERGE, 0, 7, true },
	/* Before family 17H, and where it is switched off. */
	{ __LINE__, "amd-f15h", 0, TOP48, 7, MERGE, 0, 7, true },
	{ __LINE__, "amd-f17h,merge=0", 0, TOP48, 7, MERGE, 0, 7, true },
	{ __LINE__, "amd-k7", 0, TOP48, 7, MERGE, 0, 7, true },
	{ __LINE__, "amd-k7", 2, TOP48, 7, MERGE, 0, 7, true },
};
/* clang-format on */

static void merge_one(const struct merge_row *row, bool odd_first)
{
	struct harness h;
	uint32_t even = row->even;
	uint64_t flag;

	harness_open(&h, row->model);
	wrmsr(&h, counter_msr(row->model, even), row->low);
	wrmsr(&h, counter_msr(row->model, even + 1), row->high);
	if (odd_first)
		wrmsr(&h, select_msr(row->model, even + 1), row->odd_ctl);
	wrmsr(&h, select_msr(row->model, even), EN | OS | USR | INT | 0xc0);
	if (!odd_first)
		wrmsr(&h, select_msr(row->model, even + 1), row->odd_ctl);
	retire(&h, 1, 0);
	CHECK_AT(row->line, rdpmc(&h, even) == row->low_after);
	CHECK_AT(row->line, (rdpmc(&h, even + 1) & 0xffff) == row->high_after);
	CHECK_AT(row->line, vpmu_take_pmi(h.vcpu) == row->overflow);
	flag = row->overflow && h.pmu->shape.version == 2 ? BIT(even) : 0;
	CHECK_AT(row->line, h.vcpu->reg[REG_GLOBAL_STATUS] == flag);
	harness_close(&h);
}

static void merge(void)
{
	for (size_t i = 0; i < ARRAY_SIZE(merges); i++) {
		merge_one(&merges[i], true);
		merge_one(&merges[i], false);
	}
}

/* It has no event of its own, whatever else is set. */
static void merge_counts_nothing(void)
{
	struct harness h;

	for (size_t m = 0; m < ARRAY_SIZE(models); m++)
		for (uint32_t n = 0; n < 4; n++) {
			harness_open(&h, models[m]);
			wrmsr(&h, select_msr(models[m], n), MERGE | OS | USR);
			retire(&h, 3, 0);
			retire(&h, 3, 3);
			CHECK_AT(n, rdpmc(&h, n) == 0);
			harness_close(&h);
		}
	/* Nor is a sampling backend asked to count it. */
	harness_open_mock(&h, "amd-f17h");
	wrmsr(&h, ctl(1), MERGE | OS | USR);
	CU_ASSERT_EQUAL(h.host.slots[1].starts, 0);
	harness_close(&h);
	harness_open_mock(&h, "amd-f15h");
	wrmsr(&h, ctl(1), MERGE | OS | USR);
	CU_ASSERT_EQUAL(h.host.slots[1].event.meaning, VPMU_MEAN_NOTHING);
	harness_close(&h);
}

/* A sampling backend's deltas carry alike. */
static void merge_by_deltas(void)
{
	struct harness h;

	harness_open_mock(&h, "amd-v2");
	wrmsr(&h, ctr(0), TOP48 - 9);
	wrmsr(&h, ctl(1), MERGE);
	wrmsr(&h, ctl(0), EN | OS | INT | 0xc0);
	h.host.slots[0].pending = 15;
	CU_ASSERT_EQUAL(rdpmc(&h, 0), 5);
	CU_ASSERT_EQUAL(rdpmc(&h, 1), 1);
	CU_ASSERT_EQUAL(rdmsr(&h, STATUS), 0);
	CU_ASSERT_EQUAL(vpmu_take_pmi(h.vcpu), 0);
	wrmsr(&h, ctr(0), TOP48);
	wrmsr(&h, ctr(1), 0xffff);
	h.host.slots[0].pending = 1;
	vpmu_sync(h.vcpu);
	CU_ASSERT_EQUAL(rdmsr(&h, STATUS), 1);
	CU_ASSERT_EQUAL(vpmu_take_pmi(h.vcpu), 1);
	harness_close(&h);
}

/* ------------------------------------------- family 15H: classes of events */

struct class_row {
	int line;
	const char *model;
	uint64_t event;
	uint32_t counters; /* that count it */
	enum vpmu_meaning meaning;
};

/* clang-format off */
static const struct class_row classes[] = {
	{ __LINE__, "amd-f15h", 0x0076, 0x07, VPMU_MEAN_CYCLES },
	{ __LINE__, "amd-f15h", 0x077d, 0x07, VPMU_MEAN_LLC_REFERENCES },
	{ __LINE__, "amd-f15h", 0x077e, 0x07, VPMU_MEAN_LLC_MISSES },
	{ __LINE__, "amd-f15h", 0x00d0, 0x07, VPMU_MEAN_STALLED_FRONTEND },
	{ __LINE__, "amd-f15h", 0x00d1, 0x07, VPMU_MEAN_STALLED_BACKEND },
	{ __LINE__, "amd-f15h", 0x00c0, 0x3f, VPMU_MEAN_INSTRUCTIONS },
	{ __LINE__, "amd-f15h", 0x00c2, 0x3f, VPMU_MEAN_BRANCHES },
	{ __LINE__, "amd-f15h", 0x00c3, 0x3f, VPMU_MEAN_BRANCH_MISSES },
	{ __LINE__, "amd-f15h", 0x00c4, 0x3f, VPMU_MEAN_TAKEN_BRANCHES },
	{ __LINE__, "amd-k7", 0x0076, 0x0f, VPMU_MEAN_CYCLES },
	{ __LINE__, "amd-k7", 0x077e, 0x0f, VPMU_MEAN_LLC_MISSES },
	{ __LINE__, "amd-f17h", 0x0076, 0x3f, VPMU_MEAN_CYCLES },
	{ __LINE__, "amd-f17h", 0x0964, 0x3f, VPMU_MEAN_LLC_MISSES },
	{ __LINE__, "amd-v2", 0x0076, 0x3f, VPMU_MEAN_CYCLES },
	{ __LINE__, "amd-v2", 0x0964, 0x3f, VPMU_MEAN_LLC_MISSES },
	{ __LINE__, "amd-v2", 0xff60, 0x3f, VPMU_MEAN_LLC_REFERENCES },
	{ __LINE__, "amd-v2", 0x00a9, 0x3f, VPMU_MEAN_STALLED_FRONTEND },
	{ __LINE__, "amd-zen5", 0x0076, 0x3f, VPMU_MEAN_CYCLES },
};
/* clang-format on */

static void event_classes(void)
{
	struct harness h;

	for (size_t i = 0; i < ARRAY_SIZE(classes); i++) {
		const struct class_row *row = &classes[i];

		harness_open_mock(&h, row->model);
		for (uint32_t n = 0; n < h.pmu->shape.gp; n++) {
			struct vpmu_counter_info info = { .size = sizeof(
								  info) };
			bool able = row->counters & BIT(n);

			wrmsr(&h, select_msr(row->model, n),
			      EN | OS | row->event);
			vpmu_counter_info(h.vcpu, n, &info);
			CHECK_AT(row->line,
				 info.meaning == (able ? row->meaning
						       : VPMU_MEAN_NOTHING));
		}
		harness_close(&h);
	}
	harness_open(&h, "amd-f15h");
	for (uint32_t n = 0; n < 6; n++)
		wrmsr(&h, ctl(n), EN | OS | 0x76);
	retire(&h, 3, 0);
	for (uint32_t n = 0; n < 6; n++)
		CU_ASSERT_EQUAL(rdpmc(&h, n), n < 3 ? 3 : 0);
	harness_close(&h);
}

/* --------------------------------------------------- counters that run free */

static void irperf(void)
{
	struct harness h;

	harness_open(&h, "amd-zen5");
	retire(&h, 3, 0);
	CU_ASSERT_EQUAL(rdmsr(&h, 0xc00000e9), 0);
	wrmsr(&h, HWCR, BIT(30));
	for (uint8_t cpl = 0; cpl < 4; cpl++)
		retire(&h, 2, cpl);
	CU_ASSERT_EQUAL(rdmsr(&h, 0xc00000e9), 8);
	wrmsr(&h, GLOBAL_CTL, 0);
	retire(&h, 1, 0);
	CU_ASSERT_EQUAL(rdmsr(&h, 0xc00000e9), 9);
	/* Any other bit of HWCR leaves it alone. */
	wrmsr(&h, HWCR, BIT(30) | BIT(26) | BIT(27));
	retire(&h, 1, 0);
	wrmsr(&h, HWCR, ~BIT(30));
	retire(&h, 1, 0);
	CU_ASSERT_EQUAL(rdmsr(&h, 0xc00000e9), 10);
	vpmu_reset(h.vcpu, VPMU_RESET_POWER);
	/* 48 bits; it neither interrupts nor shows in the status. */
	wrmsr(&h, 0xc00000e9, TOP48);
	wrmsr(&h, HWCR, BIT(30));
	retire(&h, 2, 0);
	CU_ASSERT_EQUAL(rdmsr(&h, 0xc00000e9), 1);
	CU_ASSERT_EQUAL(rdmsr(&h, STATUS), 0);
	CU_ASSERT_EQUAL(vpmu_take_pmi(h.vcpu), 0);
	vpmu_reset(h.vcpu, VPMU_RESET_INIT);
	retire(&h, 2, 0);
	CU_ASSERT_EQUAL(rdmsr(&h, 0xc00000e9), 3);
	harness_close(&h);
}

static void mperf_and_aperf(void)
{
	struct harness h;

	harness_open(&h, "amd-v2,effreq=1,ptsc=1");
	CU_ASSERT_EQUAL(counter(&h, "MPERF0").meaning, VPMU_MEAN_TSC_CYCLES);
	CU_ASSERT_EQUAL(counter(&h, "APERF0").meaning, VPMU_MEAN_CYCLES);
	CU_ASSERT_EQUAL(counter(&h, "PTSC0").meaning, VPMU_MEAN_TSC_CYCLES);
	for (uint8_t cpl = 0; cpl < 4; cpl++)
		retire(&h, 2, cpl);
	wrmsr(&h, GLOBAL_CTL, 0);
	wrmsr(&h, SET, BIT(59));
	wrmsr(&h, HWCR, UINT64_MAX);
	retire(&h, 1, 0);
	CU_ASSERT_EQUAL(rdmsr(&h, 0xe7), 9);
	CU_ASSERT_EQUAL(rdmsr(&h, 0xe8), 9);
	CU_ASSERT_EQUAL(rdmsr(&h, 0xc00000e7), 9);
	CU_ASSERT_EQUAL(rdmsr(&h, 0xc00000e8), 9);
	CU_ASSERT_EQUAL(rdmsr(&h, 0xc0010280), 9);
	/* 64 bits each, and one is not the other. */
	wrmsr(&h, 0xe7, UINT64_MAX);
	wrmsr(&h, 0xe8, UINT64_C(0x1ffffffffffff));
	retire(&h, 1, 0);
	CU_ASSERT_EQUAL(rdmsr(&h, 0xe7), 0);
	CU_ASSERT_EQUAL(rdmsr(&h, 0xe8), UINT64_C(0x2000000000000));
	CU_ASSERT_EQUAL(rdmsr(&h, STATUS), BIT(59));
	CU_ASSERT_EQUAL(vpmu_take_pmi(h.vcpu), 0);
	vpmu_reset(h.vcpu, VPMU_RESET_INIT);
	retire(&h, 1, 0);
	CU_ASSERT_EQUAL(rdmsr(&h, 0xc00000e7), 1);
	vpmu_reset(h.vcpu, VPMU_RESET_POWER);
	retire(&h, 1, 0);
	CU_ASSERT_EQUAL(rdmsr(&h, 0xe7), 1);
	CU_ASSERT_EQUAL(rdmsr(&h, 0xe8), 1);
	harness_close(&h);
}

/* CPUID.8000_0008H:ECX[17:16] = 0: 40 bits. */
static void ptsc_width(void)
{
	struct vpmu_counter_info info;
	struct harness h;

	harness_open_mock(&h, "amd-k7,ptsc=1");
	info = counter(&h, "PTSC0");
	CU_ASSERT_EQUAL(info.width, 40);
	/* After the four of the core. */
	h.host.slots[4].pending = (UINT64_C(3) << 40) - 1;
	CU_ASSERT_EQUAL(rdmsr(&h, 0xc0010280), UINT64_C(0xffffffffff));
	h.host.slots[4].pending = 3;
	CU_ASSERT_EQUAL(rdmsr(&h, 0xc0010280), 2);
	harness_close(&h);
}

/* ------------------------------------------------------------------- INIT */

static void init_goes_on(void)
{
	struct harness h;

	harness_open(&h, "amd-v2");
	wrmsr(&h, GLOBAL_CTL, 0x1);
	wrmsr(&h, ctl(0), EN | OS | INT | 0xc0);
	wrmsr(&h, ctl(1), EN | OS | 0xc0);
	wrmsr(&h, ctr(0), TOP48);
	wrmsr(&h, 0x1d9, BIT(12));
	wrmsr(&h, SET, 0x20);
	vpmu_reset(h.vcpu, VPMU_RESET_INIT);
	/* DebugCtl is cleared, so this overflow does not freeze. */
	retire(&h, 3, 0);
	CU_ASSERT_EQUAL(rdmsr(&h, STATUS), 0x21);
	CU_ASSERT_EQUAL(rdpmc(&h, 0), 2);
	CU_ASSERT_EQUAL(rdpmc(&h, 1), 0);
	CU_ASSERT_EQUAL(rdmsr(&h, GLOBAL_CTL), 0x1);
	vpmu_reset(h.vcpu, VPMU_RESET_POWER);
	CU_ASSERT_EQUAL(rdmsr(&h, GLOBAL_CTL), 0x3f);
	CU_ASSERT_EQUAL(rdmsr(&h, STATUS), 0);
	CU_ASSERT_EQUAL(vpmu_take_pmi(h.vcpu), 0);
	retire(&h, 3, 0);
	CU_ASSERT_EQUAL(rdpmc(&h, 0), 0);
	harness_close(&h);
}

static CU_TestInfo tests[] = {
	{ "OS, USR, Edge, Inv, CntMask; 00 counts nothing", qualifiers },
	{ "GuestOnly, HostOnly by EFER.SVME and guest mode", guest_and_host },
	{ "VMRUN and #VMEXIT start and stop at once", nested_turns },
	{ "bit 47's carry: status always, interrupt iff Int", overflow },
	{ "a second overflow interrupts again (problem 43)", second_interrupt },
	{ "exits are no branches (problem 33)", exits_are_not_counted },
	{ "PerfMonV2: En and GlobalCtl", global_enable },
	{ "StatusSet and writes raise no interrupt (problem 18)",
	  set_raises_nothing },
	{ "DebugCtl[12], [11] freeze, with Int only", freeze },
	{ "StatusSet[59] stops the core counters", freeze_by_software },
	{ "a merged pair carries, and overflows at bit 63", merge },
	{ "event FFFH counts nothing", merge_counts_nothing },
	{ "a merged pair with a sampling backend", merge_by_deltas },
	{ "family 15H: events of some counters only", event_classes },
	{ "IRPerfCount follows HWCR[30], at each CPL", irperf },
	{ "MPERF, APERF, PTSC always count", mperf_and_aperf },
	{ "PTSC has 40 bits", ptsc_width },
	{ "INIT clears DebugCtl, the rest goes on", init_goes_on },
	CU_TEST_INFO_NULL,
};

CU_SuiteInfo suite_amd_count = { .pName = "amd/count", .pTests = tests };
