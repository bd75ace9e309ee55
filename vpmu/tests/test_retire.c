/* SPDX-License-Identifier: Apache-2.0 */
/* core/retire.c: exact counts, and the order rule. Expected numbers are counted
 * by hand. */
#include "tests/harness.h"

#define EQ BIT(36)
#define BRANCH VPMU_OCCURS(VPMU_MEAN_BRANCHES)
#define TAKEN VPMU_OCCURS(VPMU_MEAN_TAKEN_BRANCHES)

/* Three at CPL 0, of which one branch; four at CPL 3, two taken branches. */
static void block(struct harness *h)
{
	vpmu_retire(h->vcpu, 0, 0);
	vpmu_retire(h->vcpu, BRANCH, 0);
	vpmu_retire(h->vcpu, 0, 0);
	vpmu_retire(h->vcpu, 0, 3);
	vpmu_retire(h->vcpu, BRANCH | TAKEN, 3);
	vpmu_retire(h->vcpu, 0, 3);
	vpmu_retire(h->vcpu, BRANCH | TAKEN, 3);
}

struct count_row {
	int line;
	const char *model;
	uint32_t select_msr;
	uint32_t counter_msr;
	uint64_t select;
	uint64_t count;
};

/* clang-format off */
static const struct count_row counts[] = {
	{ __LINE__, "intel-v5", 0x186, 0xc1, EN | OS | USR | 0xc0, 7 },
	{ __LINE__, "intel-v5", 0x186, 0xc1, EN | OS | 0xc0, 3 },
	{ __LINE__, "intel-v5", 0x186, 0xc1, EN | USR | 0xc0, 4 },
	{ __LINE__, "intel-v5", 0x186, 0xc1, EN | 0xc0, 0 },
	{ __LINE__, "intel-v5", 0x186, 0xc1, OS | USR | 0xc0, 0 },
	{ __LINE__, "intel-v5", 0x18d, 0xc8, EN | OS | USR | 0x3c, 7 },
	{ __LINE__, "intel-v5", 0x186, 0xc1, EN | OS | USR | 0x13c, 7 },
	{ __LINE__, "intel-v5", 0x186, 0xc1, EN | OS | USR | 0xc4, 3 },
	{ __LINE__, "intel-v5", 0x186, 0xc1, EN | USR | 0xc4, 2 },
	{ __LINE__, "intel-v5", 0x186, 0xc1, EN | OS | USR | 0x20c4, 2 },
	{ __LINE__, "intel-v5", 0x186, 0xc1, EN | OS | 0x20c4, 0 },
	{ __LINE__, "intel-v5", 0x186, 0xc1, EN | OS | USR | 0x1a4, 28 },
	/* Nothing can count these: they stand still. */
	{ __LINE__, "intel-v5", 0x186, 0xc1, EN | OS | USR | 0xc5, 0 },
	{ __LINE__, "intel-v5", 0x186, 0xc1, EN | OS | USR | 0x412e, 0 },
	{ __LINE__, "intel-v5", 0x186, 0xc1, EN | OS | USR | 0xffff, 0 },
	{ __LINE__, "intel-v5", 0x186, 0xc1, EN | OS | USR | INV | CMASK(1) | 0xffff, 0 },
	/* CMASK: one instruction a cycle never is two (problem 41). */
	{ __LINE__, "intel-v5", 0x186, 0xc1, EN | OS | USR | CMASK(1) | 0xc0, 7 },
	{ __LINE__, "intel-v5", 0x186, 0xc1, EN | OS | USR | CMASK(2) | 0xc0, 0 },
	{ __LINE__, "intel-v5", 0x186, 0xc1, EN | OS | USR | CMASK(2) | INV | 0xc0, 7 },
	{ __LINE__, "intel-v5", 0x186, 0xc1, EN | OS | USR | CMASK(1) | INV | 0xc4, 4 },
	{ __LINE__, "intel-v5", 0x186, 0xc1, EN | USR | CMASK(1) | INV | 0xc4, 2 },
	{ __LINE__, "intel-v5", 0x186, 0xc1, EN | OS | USR | CMASK(4) | 0x1a4, 7 },
	{ __LINE__, "intel-v5", 0x186, 0xc1, EN | OS | USR | CMASK(5) | 0x1a4, 0 },
	/* E: branches are apart from each other, instructions are not. */
	{ __LINE__, "intel-v5", 0x186, 0xc1, EN | OS | USR | EDGE | 0xc4, 3 },
	{ __LINE__, "intel-v5", 0x186, 0xc1, EN | OS | USR | EDGE | 0xc0, 1 },
	{ __LINE__, "intel-v5", 0x186, 0xc1, EN | OS | USR | EDGE | INV | CMASK(1) | 0xc4, 3 },
	/* Core 2: seven events, another code for taken branches. */
	{ __LINE__, "intel-v2", 0x187, 0xc2, EN | OS | USR | 0xc0, 7 },
	{ __LINE__, "intel-v2", 0x187, 0xc2, EN | OS | USR | 0xcc4, 2 },
	{ __LINE__, "intel-v2", 0x187, 0xc2, EN | OS | USR | 0x1a4, 0 },
	/* Each version, its own code for taken branches. */
	{ __LINE__, "intel-v1", 0x187, 0xc2, EN | OS | USR | 0xc0, 7 },
	{ __LINE__, "intel-v1", 0x186, 0xc1, EN | OS | USR | 0xc9, 2 },
	{ __LINE__, "intel-v3", 0x189, 0xc4, EN | OS | USR | 0x20c4, 2 },
	{ __LINE__, "intel-v4", 0x189, 0x4c4, EN | USR | 0xc0, 4 },
	/* ANY: a vCPU has no other thread. */
	{ __LINE__, "intel-v3", 0x186, 0xc1, EN | OS | USR | BIT(21) | 0xc0, 7 },
	{ __LINE__, "intel-v4", 0x186, 0xc1, EN | OS | BIT(21) | 0xc0, 3 },
	/* Version 6, by its addresses; four slots, which all retire. */
	{ __LINE__, "intel-v6", 0x191d, 0x191c, EN | OS | USR | 0xc0, 7 },
	{ __LINE__, "intel-v6", 0x191d, 0xc8, EN | OS | 0x20c4, 0 },
	{ __LINE__, "intel-v6", 0x186, 0x1900, EN | OS | USR | 0x1a4, 28 },
	{ __LINE__, "intel-v6", 0x186, 0xc1, EN | OS | USR | 0x2c2, 28 },
	{ __LINE__, "intel-v6", 0x186, 0xc1, EN | USR | 0x2c2, 16 },
	/* What only real silicon could tell stands still. */
	{ __LINE__, "intel-v6", 0x186, 0xc1, EN | OS | USR | 0x2a4, 0 },
	{ __LINE__, "intel-v6", 0x186, 0xc1, EN | OS | USR | 0x73, 0 },
	{ __LINE__, "intel-v6", 0x186, 0xc1, EN | OS | USR | 0x19c, 0 },
	{ __LINE__, "intel-v6", 0x186, 0xc1, EN | OS | USR | 0x1e4, 0 },
	{ __LINE__, "intel-v6", 0x186, 0xc1, EN | OS | USR | BIT(40) | 0xc0, 0 },
	{ __LINE__, "intel-v6", 0x186, 0xc1, EN | OS | USR | EQ | CMASK(1) | 0xc0, 7 },
	{ __LINE__, "intel-v6", 0x186, 0xc1, EN | OS | USR | EQ | CMASK(2) | 0xc0, 0 },
	{ __LINE__, "intel-v6", 0x186, 0xc1, EN | OS | USR | EQ | INV | CMASK(2) | 0xc0, 7 },
	{ __LINE__, "intel-v6", 0x186, 0xc1, EN | OS | USR | EQ | CMASK(3) | 0x1a4, 0 },
	{ __LINE__, "intel-v6", 0x186, 0xc1, EN | OS | USR | CMASK(3) | 0x1a4, 7 },
	{ __LINE__, "intel-v6", 0x186, 0xc1, EN | OS | USR | EQ | CMASK(4) | 0x1a4, 7 },
	{ __LINE__, "intel-v6", 0x186, 0xc1, EN | OS | USR | EQ | 0x1a4, 28 },
	/* No transaction ever is seen: IN_TX counts none, IN_TXCP drops none. */
	{ __LINE__, "intel-v3,tsx=1", 0x188, 0xc3, EN | OS | USR | BIT(32) | 0xc0, 0 },
	{ __LINE__, "intel-v3,tsx=1", 0x188, 0xc3, EN | OS | USR | BIT(33) | 0xc0, 7 },
	{ __LINE__, "amd-k7", 0xc0010000, 0xc0010004, EN | OS | USR | 0xc0, 7 },
	{ __LINE__, "amd-k7", 0xc0010003, 0xc0010007, EN | OS | USR | 0x76, 7 },
	{ __LINE__, "amd-k7", 0xc0010000, 0xc0010004, EN | USR | 0xc2, 2 },
	{ __LINE__, "amd-k7", 0xc0010000, 0xc0010004, EN | OS | USR | 0xc4, 2 },
	{ __LINE__, "amd-k7", 0xc0010000, 0xc0010004, EN | 0xc0, 0 },
	{ __LINE__, "amd-f17h", 0xc001020a, 0xc001020b, EN | OS | USR | 0xc0, 7 },
	{ __LINE__, "amd-f17h", 0xc0010200, 0xc0010004, EN | OS | 0xc2, 1 },
	{ __LINE__, "amd-f17h", 0xc0010200, 0xc0010201, EN | OS | USR | CMASK(2) | 0xc0, 0 },
	{ __LINE__, "amd-f17h", 0xc0010200, 0xc0010201, EN | OS | USR | CMASK(2) | INV | 0xc0, 7 },
	{ __LINE__, "amd-f17h", 0xc0010200, 0xc0010201, EN | OS | USR | EDGE | 0xc0, 1 },
	/* AMD's event has 12 bits: 1C0H is not C0H. */
	{ __LINE__, "amd-f17h", 0xc0010200, 0xc0010201, EN | OS | USR | 0xc0 | BIT(32), 0 },
};
/* clang-format on */

static void known_block(void)
{
	struct harness h;

	for (size_t i = 0; i < ARRAY_SIZE(counts); i++) {
		const struct count_row *row = &counts[i];

		harness_open(&h, row->model);
		CHECK_AT(row->line, !wrmsr(&h, row->select_msr, row->select));
		block(&h);
		CHECK_AT(row->line, rdmsr(&h, row->counter_msr) == row->count);
		/* Stopped, it stays. */
		wrmsr(&h, row->select_msr, row->select & ~EN);
		block(&h);
		CHECK_AT(row->line, rdmsr(&h, row->counter_msr) == row->count);
		harness_close(&h);
	}
}

static void fixed_counters(void)
{
	struct harness h;

	harness_open(&h, "intel-v5");
	wrmsr(&h, 0x38f, 0xf00000000);
	/* FIXED_CTR0 any, 1 OS, 2 USR, 3 any */
	wrmsr(&h, 0x38d, 0x3213);
	block(&h);
	CU_ASSERT_EQUAL(rdmsr(&h, 0x309), 7);
	CU_ASSERT_EQUAL(rdmsr(&h, 0x30a), 3);
	CU_ASSERT_EQUAL(rdmsr(&h, 0x30b), 4);
	CU_ASSERT_EQUAL(rdmsr(&h, 0x30c), 28);
	CU_ASSERT_EQUAL(rdpmc(&h, 0x40000003), 28);
	harness_close(&h);
}

/* 2, 4, 5 and 6 of version 6's E-cores: what cannot be told stands still. */
static void fixed_counters_of_v6(void)
{
	struct harness h;

	harness_open(&h, "intel-v6,fixed=7");
	wrmsr(&h, 0x38f, UINT64_C(0x7f00000000));
	wrmsr(&h, 0x38d, 0x3333333);
	block(&h);
	CU_ASSERT_EQUAL(rdmsr(&h, 0x1980), 7);
	CU_ASSERT_EQUAL(rdmsr(&h, 0x1984), 7);
	CU_ASSERT_EQUAL(rdmsr(&h, 0x1988), 7);
	CU_ASSERT_EQUAL(rdmsr(&h, 0x198c), 28);
	CU_ASSERT_EQUAL(rdmsr(&h, 0x1990), 0);
	CU_ASSERT_EQUAL(rdmsr(&h, 0x1994), 0);
	CU_ASSERT_EQUAL(rdmsr(&h, 0x30f), 28);
	harness_close(&h);
	/* Counter i has field i of 38DH, whatever the holes. */
	harness_open(&h, SPARSE);
	wrmsr(&h, 0x38f, UINT64_C(0x500000000));
	wrmsr(&h, 0x38d, 0x201);
	block(&h);
	CU_ASSERT_EQUAL(rdmsr(&h, 0x309), 3);
	CU_ASSERT_EQUAL(rdmsr(&h, 0x30b), 4);
	harness_close(&h);
}

/* Problem 39: slots count, or are not there. */
static void slots(void)
{
	struct harness h;

	harness_open(&h, "intel-v5");
	wrmsr(&h, 0x38f, BIT(35));
	wrmsr(&h, 0x38d, 0x3000);
	retire(&h, 1000, 0);
	CU_ASSERT_EQUAL(rdpmc(&h, 0x40000003), 4000);
	harness_close(&h);
	harness_open(&h, "intel-v5,fixed=3");
	CU_ASSERT_EQUAL(wrmsr(&h, 0x38f, BIT(35)), VPMU_FAULT);
	CU_ASSERT_EQUAL(wrmsr(&h, 0x38d, 0x3000), VPMU_FAULT);
	CU_ASSERT_EQUAL(rdpmc(&h, 0x40000003), UINT64_MAX);
	harness_close(&h);
}

/* Problem 41. */
static void qualifiers_count(void)
{
	struct harness h;

	harness_open(&h, "intel-v6");
	wrmsr(&h, 0x186, EN | OS | 0xc0);
	wrmsr(&h, 0x187, EN | OS | CMASK(2) | 0xc0);
	wrmsr(&h, 0x188, EN | OS | CMASK(2) | INV | 0xc0);
	wrmsr(&h, 0x189, EN | OS | EDGE | 0xc0);
	wrmsr(&h, 0x18a, EN | OS | EQ | CMASK(1) | 0xc0);
	retire(&h, 100, 0);
	CU_ASSERT_EQUAL(rdpmc(&h, 0), 100);
	CU_ASSERT_EQUAL(rdpmc(&h, 1), 0);
	CU_ASSERT_EQUAL(rdpmc(&h, 2), 100);
	CU_ASSERT_EQUAL(rdpmc(&h, 3), 1);
	CU_ASSERT_EQUAL(rdpmc(&h, 4), 100);
	CU_ASSERT_EQUAL(counter(&h, "PMC1").health, VPMU_HEALTH_EXACT);
	harness_close(&h);
}

/* Problem 28: rr's IN_TXCP counter, disabled and enabled by 38FH. */
static void in_txcp_goes_on(void)
{
	struct harness h;

	harness_open(&h, "intel-v3,tsx=1");
	CU_ASSERT_EQUAL(wrmsr(&h, 0x188, EN | OS | BIT(33) | 0xc4),
			VPMU_HANDLED);
	for (int i = 0; i < 500; i++)
		vpmu_retire(h.vcpu, BRANCH, 0);
	CU_ASSERT_EQUAL(rdpmc(&h, 2), 500);
	wrmsr(&h, 0x38f, 0);
	vpmu_retire(h.vcpu, BRANCH, 0);
	CU_ASSERT_EQUAL(rdpmc(&h, 2), 500);
	wrmsr(&h, 0x38f, 0xf);
	for (int i = 0; i < 500; i++)
		vpmu_retire(h.vcpu, BRANCH, 0);
	CU_ASSERT_EQUAL(rdpmc(&h, 2), 1000);
	harness_close(&h);
}

/* ------------------------------------------------------------ PERF_METRICS */

#define WRITTEN UINT64_C(0x0123456789abcdef)

/* One instruction at CPL 0 with these: 329H keeps what was written, or says
 * that all slots retired. */
/* clang-format off */
static const struct {
	int line;
	const char *model;
	uint64_t global; /* 38FH */
	uint64_t fixed; /* 38DH */
	uint64_t status; /* 391H */
	bool mock; /* a pulled backend, which cannot tell */
	bool moves;
} metrics[] = {
	{ __LINE__, "intel-v5", BIT(48) | BIT(35), 0x3000, 0, false, true },
	{ __LINE__, "intel-v5", BIT(48) | BIT(35), 0x1000, 0, false, true },
	{ __LINE__, "intel-v6", BIT(48) | BIT(35), 0x3000, 0, false, true },
	{ __LINE__, "intel-v6", BIT(48) | BIT(35), 0x7000, 0, false, true },
	{ __LINE__, "intel-v5", BIT(35), 0x3000, 0, false, false },
	{ __LINE__, "intel-v5", BIT(48), 0x3000, 0, false, false },
	{ __LINE__, "intel-v5", BIT(48) | BIT(35), 0x0000, 0, false, false },
	{ __LINE__, "intel-v5", BIT(48) | BIT(35), 0x2000, 0, false, false },
	{ __LINE__, "intel-v5", BIT(48) | BIT(35), 0x8000, 0, false, false },
	{ __LINE__, "intel-v5", BIT(48) | BIT(35), 0x3000, BIT(59), false, false },
	/* The other counters have no part in it. */
	{ __LINE__, "intel-v5", BIT(48) | 0x7000000ff, 0x0333, 0, false, false },
	{ __LINE__, "intel-v6", BIT(48) | 0x7000003ff, 0x0333, 0, false, false },
	{ __LINE__, "intel-v5", BIT(48) | BIT(35), 0x3000, 0, true, false },
	{ __LINE__, "intel-v6", BIT(48) | BIT(35), 0x3000, 0, true, false },
};
/* clang-format on */

static void metrics_row(size_t i)
{
	struct harness h;

	if (metrics[i].mock)
		harness_open_mock(&h, metrics[i].model);
	else
		harness_open(&h, metrics[i].model);
	/* By GP counters slots can be counted, too. */
	wrmsr(&h, 0x186, EN | OS | 0x1a4);
	wrmsr(&h, 0x38d, metrics[i].fixed);
	wrmsr(&h, 0x38f, metrics[i].global);
	wrmsr(&h, 0x391, metrics[i].status);
	CHECK_AT(metrics[i].line, !wrmsr(&h, 0x329, WRITTEN));
	retire(&h, 1, 0);
	for (int slot = 0; slot < MOCK_SLOTS; slot++)
		h.host.slots[slot].pending = 4;
	vpmu_sync(h.vcpu);
	CHECK_AT(metrics[i].line,
		 rdmsr(&h, 0x329) == (metrics[i].moves ? 0xff : WRITTEN));
	CHECK_AT(metrics[i].line,
		 rdpmc(&h, 0x20000000) == (metrics[i].moves ? 0xff : WRITTEN));
	harness_close(&h);
}

static void metrics_rows(void)
{
	for (size_t i = 0; i < ARRAY_SIZE(metrics); i++)
		metrics_row(i);
}

/* Linux starts a measurement by writing 0 to both. The level-1 bytes sum to
 * FFH, all of it retiring. */
static void metrics_measured(void)
{
	struct harness h;

	harness_open(&h, "intel-v6");
	wrmsr(&h, 0x30c, 0);
	wrmsr(&h, 0x329, 0);
	wrmsr(&h, 0x38d, 0x3000);
	CU_ASSERT_EQUAL(rdmsr(&h, 0x329), 0);
	wrmsr_retired(&h, 0x38f, BIT(48) | BIT(35));
	CU_ASSERT_EQUAL(rdmsr(&h, 0x329), 0);
	retire(&h, 25, 3);
	CU_ASSERT_EQUAL(rdmsr(&h, 0x329), 0xff);
	CU_ASSERT_EQUAL(rdmsr(&h, 0x30c), 100);
	CU_ASSERT_EQUAL(rdmsr(&h, 0x38e), 0);
	wrmsr(&h, 0x329, 0);
	CU_ASSERT_EQUAL(rdmsr(&h, 0x329), 0);
	retire(&h, 1, 3);
	CU_ASSERT_EQUAL(rdmsr(&h, 0x329), 0xff);
	harness_close(&h);
}

/* Even one that could tell has nothing to tell when no slot was counted. */
/* The WRMSR that enables the shares is retired by what was in force before. */
static void metrics_order(void)
{
	struct harness h;

	harness_open(&h, "intel-v5");
	wrmsr(&h, 0x38d, 0x3000);
	wrmsr(&h, 0x38f, BIT(35));
	wrmsr(&h, 0x329, 0);
	wrmsr_retired(&h, 0x38f, BIT(35) | BIT(48));
	CU_ASSERT_EQUAL(rdmsr(&h, 0x329), 0);
	wrmsr_retired(&h, 0x38f, BIT(35));
	CU_ASSERT_EQUAL(rdmsr(&h, 0x329), 0xff);
	harness_close(&h);
}

static void metrics_without_slots(void)
{
	struct harness h;

	harness_open_mock(&h, "intel-v6");
	h.pmu->available[VPMU_MEAN_RETIRING] = VPMU_HEALTH_EXACT;
	wrmsr(&h, 0x38d, 0x3000);
	wrmsr(&h, 0x38f, BIT(48) | BIT(35));
	wrmsr(&h, 0x329, WRITTEN);
	vpmu_sync(h.vcpu);
	CU_ASSERT_EQUAL(rdpmc(&h, 0x20000000), WRITTEN);
	harness_close(&h);
}

static void global_enable(void)
{
	struct harness h;

	harness_open(&h, "intel-v5");
	wrmsr(&h, 0x186, EN | OS | 0xc0);
	wrmsr(&h, 0x187, EN | OS | 0xc0);
	wrmsr(&h, 0x38d, 0x1);
	wrmsr(&h, 0x38f, 0x2);
	CU_ASSERT_EQUAL(vpmu_wants_retire(h.vcpu), 1);
	retire(&h, 5, 0);
	CU_ASSERT_EQUAL(rdpmc(&h, 0), 0);
	CU_ASSERT_EQUAL(rdpmc(&h, 1), 5);
	CU_ASSERT_EQUAL(rdpmc(&h, 0x40000000), 0);
	wrmsr(&h, 0x38f, BIT(32));
	retire(&h, 2, 0);
	CU_ASSERT_EQUAL(rdpmc(&h, 1), 5);
	CU_ASSERT_EQUAL(rdpmc(&h, 0x40000000), 2);
	wrmsr(&h, 0x38f, 0);
	CU_ASSERT_EQUAL(vpmu_wants_retire(h.vcpu), 0);
	retire(&h, 2, 0);
	CU_ASSERT_EQUAL(rdpmc(&h, 0x40000000), 2);
	harness_close(&h);
}

/* Nobody need look while only what cannot be counted is enabled. */
static void wants_retire(void)
{
	struct harness h;

	harness_open(&h, "intel-v5");
	CU_ASSERT_EQUAL(vpmu_wants_retire(h.vcpu), 0);
	wrmsr(&h, 0x186, EN | OS | 0x412e);
	CU_ASSERT_EQUAL(vpmu_wants_retire(h.vcpu), 0);
	wrmsr(&h, 0x187, EN | OS | 0xc0);
	CU_ASSERT_EQUAL(vpmu_wants_retire(h.vcpu), 1);
	wrmsr(&h, 0x187, OS | 0xc0);
	CU_ASSERT_EQUAL(vpmu_wants_retire(h.vcpu), 0);
	harness_close(&h);
	harness_open_mock(&h, "intel-v5");
	wrmsr(&h, 0x187, EN | OS | 0xc0);
	CU_ASSERT_EQUAL(vpmu_wants_retire(h.vcpu), 0);
	/* Nor is it fed from two sides. */
	retire(&h, 3, 0);
	vpmu_retire_missed(h.vcpu);
	CU_ASSERT_EQUAL(rdpmc(&h, 1), 0);
	CU_ASSERT_EQUAL(counter(&h, "PMC1").health, VPMU_HEALTH_HARDWARE);
	harness_close(&h);
}

/* ---------------------------------------------------------- the order rule */

static void start_and_stop(void)
{
	struct harness h;

	harness_open(&h, "intel-v5");
	wrmsr_retired(&h, 0x186, EN | OS | 0xc0); /* starts: not counted */
	CU_ASSERT_EQUAL(rdpmc(&h, 0), 0);
	retire(&h, 3, 0);
	CU_ASSERT_EQUAL(rdpmc(&h, 0), 3);
	wrmsr_retired(&h, 0x186, OS | 0xc0); /* stops: counted */
	CU_ASSERT_EQUAL(rdpmc(&h, 0), 4);
	retire(&h, 3, 0);
	CU_ASSERT_EQUAL(rdpmc(&h, 0), 4);
	harness_close(&h);
}

static void start_and_stop_globally(void)
{
	struct harness h;

	harness_open(&h, "intel-v5");
	wrmsr(&h, 0x38f, 0);
	wrmsr(&h, 0x38d, 0x1);
	wrmsr_retired(&h, 0x38f, BIT(32));
	retire(&h, 10, 0);
	wrmsr_retired(&h, 0x38f, 0);
	CU_ASSERT_EQUAL(rdpmc(&h, 0x40000000), 11);
	harness_close(&h);
}

/* The WRMSR retires after it has written. */
static void running_value(void)
{
	struct harness h;

	harness_open(&h, "intel-v5");
	wrmsr(&h, 0x186, EN | OS | 0xc0);
	retire(&h, 10, 0);
	wrmsr_retired(&h, 0x4c1, 100);
	CU_ASSERT_EQUAL(rdpmc(&h, 0), 101);
	/* Of another counter: both count the WRMSR. */
	wrmsr(&h, 0x187, EN | OS | 0xc0);
	wrmsr_retired(&h, 0x4c2, 50);
	CU_ASSERT_EQUAL(rdpmc(&h, 0), 102);
	CU_ASSERT_EQUAL(rdpmc(&h, 1), 51);
	/* -1, then the WRMSR itself: overflow. */
	wrmsr_retired(&h, 0xc1, UINT64_MAX);
	CU_ASSERT_EQUAL(rdpmc(&h, 0), 0);
	CU_ASSERT_EQUAL(rdmsr(&h, 0x38e), 1);
	harness_close(&h);
}

/* From instructions to branches while it runs: retired as an instruction. */
static void change_event(void)
{
	struct harness h;

	harness_open(&h, "intel-v5");
	wrmsr(&h, 0x186, EN | OS | 0xc0);
	retire(&h, 2, 0);
	wrmsr_retired(&h, 0x186, EN | OS | 0xc4);
	CU_ASSERT_EQUAL(rdpmc(&h, 0), 3);
	retire(&h, 5, 0);
	CU_ASSERT_EQUAL(rdpmc(&h, 0), 3);
	vpmu_retire(h.vcpu, BRANCH, 0);
	CU_ASSERT_EQUAL(rdpmc(&h, 0), 4);
	/* From CPL 0 to CPL 3: the WRMSR ran at CPL 0. */
	wrmsr(&h, 0x186, EN | OS | 0xc0);
	wrmsr_retired(&h, 0x186, EN | USR | 0xc0);
	CU_ASSERT_EQUAL(rdpmc(&h, 0), 5);
	retire(&h, 1, 0);
	CU_ASSERT_EQUAL(rdpmc(&h, 0), 5);
	harness_close(&h);
}

/* A WRMSR that faults does not retire, nor does its snapshot live on. */
static void faulting_wrmsr(void)
{
	struct harness h;

	harness_open(&h, "intel-v5");
	vpmu_retire_begin(h.vcpu);
	CU_ASSERT_EQUAL(wrmsr(&h, 0x38f, UINT64_MAX), VPMU_FAULT);
	wrmsr(&h, 0x186, EN | OS | 0xc0);
	retire(&h, 1, 0);
	CU_ASSERT_EQUAL(rdpmc(&h, 0), 1);
	harness_close(&h);
}

static void interrupt_of_old_configuration(void)
{
	struct harness h;

	harness_open(&h, "intel-v5");
	wrmsr(&h, 0xc1, UINT64_MAX);
	wrmsr(&h, 0x186, EN | OS | INT | 0xc0);
	wrmsr_retired(&h, 0x186, 0);
	CU_ASSERT_EQUAL(rdmsr(&h, 0x38e), 1);
	CU_ASSERT_EQUAL(vpmu_take_pmi(h.vcpu), 1);
	harness_close(&h);
}

static void edge_of_old_configuration(void)
{
	struct harness h;

	harness_open(&h, "intel-v5");
	wrmsr(&h, 0x186, EN | OS | EDGE | 0xc0);
	retire(&h, 4, 0);
	CU_ASSERT_EQUAL(rdpmc(&h, 0), 1);
	/* Still asserted as the stopping WRMSR retires: no new edge. */
	wrmsr_retired(&h, 0x186, OS | EDGE | 0xc0);
	CU_ASSERT_EQUAL(rdpmc(&h, 0), 1);
	/* The new configuration begins with the condition false. */
	wrmsr_retired(&h, 0x186, EN | OS | EDGE | 0xc0);
	retire(&h, 4, 0);
	CU_ASSERT_EQUAL(rdpmc(&h, 0), 2);
	harness_close(&h);
}

static void missed(void)
{
	struct harness h;

	harness_open(&h, "intel-v5");
	wrmsr(&h, 0x186, EN | OS | 0xc0);
	CU_ASSERT_EQUAL(counter(&h, "PMC0").health, VPMU_HEALTH_EXACT);
	CU_ASSERT_EQUAL(counter(&h, "PMC1").health, VPMU_HEALTH_IDLE);
	vpmu_retire_missed(h.vcpu);
	CU_ASSERT_EQUAL(counter(&h, "PMC0").health, VPMU_HEALTH_APPROXIMATE);
	CU_ASSERT_EQUAL(counter(&h, "PMC1").health, VPMU_HEALTH_IDLE);
	/* OS = USR = 0 counts nothing: it is not enabled. */
	wrmsr(&h, 0x187, EN | 0xc0);
	CU_ASSERT_EQUAL(counter(&h, "PMC1").health, VPMU_HEALTH_IDLE);
	/* Stopping it does not make its value any better. */
	wrmsr(&h, 0x186, OS | 0xc0);
	CU_ASSERT_EQUAL(counter(&h, "PMC0").health, VPMU_HEALTH_APPROXIMATE);
	wrmsr(&h, 0x186, EN | OS | 0xc0);
	CU_ASSERT_EQUAL(counter(&h, "PMC0").health, VPMU_HEALTH_APPROXIMATE);
	wrmsr(&h, 0xc1, 0);
	CU_ASSERT_EQUAL(counter(&h, "PMC0").health, VPMU_HEALTH_EXACT);
	harness_close(&h);
}

/* The stopping WRMSR was not seen to retire, but it did. */
static void missed_wrmsr(void)
{
	struct harness h;

	harness_open(&h, "intel-v5");
	wrmsr(&h, 0x186, EN | OS | 0xc0);
	vpmu_retire_begin(h.vcpu);
	wrmsr(&h, 0x186, 0);
	vpmu_retire_missed(h.vcpu);
	CU_ASSERT_EQUAL(counter(&h, "PMC0").health, VPMU_HEALTH_APPROXIMATE);
	/* The snapshot is gone: this one is retired by what is now. */
	retire(&h, 1, 0);
	CU_ASSERT_EQUAL(rdpmc(&h, 0), 0);
	harness_close(&h);
}

/* Whatever comes in between, it is what was in force at the beginning. */
static void two_changes(void)
{
	struct harness h;

	harness_open(&h, "intel-v5");
	wrmsr(&h, 0x186, EN | OS | 0xc0);
	vpmu_retire_begin(h.vcpu);
	wrmsr(&h, 0x186, EN | USR | 0xc0);
	wrmsr(&h, 0x186, EN | USR | 0xc4);
	retire(&h, 1, 0);
	CU_ASSERT_EQUAL(rdpmc(&h, 0), 1);
	retire(&h, 1, 0);
	CU_ASSERT_EQUAL(rdpmc(&h, 0), 1);
	harness_close(&h);
}

static CU_TestInfo tests[] = {
	{ "a known block, by event, privilege, CMASK, INV, E", known_block },
	{ "fixed counters 0 to 3", fixed_counters },
	{ "fixed counters 0 to 6, and with holes", fixed_counters_of_v6 },
	{ "fixed 3 counts slots or is absent (problem 39)", slots },
	{ "CMASK, INV, E, EQ are kept (problem 41)", qualifiers_count },
	{ "IN_TXCP goes on after 38FH (problem 28)", in_txcp_goes_on },
	{ "PERF_METRICS: who moves it", metrics_rows },
	{ "PERF_METRICS: a measurement", metrics_measured },
	{ "PERF_METRICS: the order of enabling it", metrics_order },
	{ "PERF_METRICS: no slots, no shares", metrics_without_slots },
	{ "38FH gates each counter", global_enable },
	{ "retiring is wanted only while it is counted", wants_retire },
	{ "the starting WRMSR is not counted, the stopping is",
	  start_and_stop },
	{ "the same by 38FH", start_and_stop_globally },
	{ "a WRMSR to a running counter reads value + 1", running_value },
	{ "a WRMSR that changes the event", change_event },
	{ "a WRMSR that faults leaves no trace", faulting_wrmsr },
	{ "an overflow by the stopping WRMSR interrupts",
	  interrupt_of_old_configuration },
	{ "the edge detector across a WRMSR", edge_of_old_configuration },
	{ "missed instructions show in health until written", missed },
	{ "a stopping WRMSR that was missed", missed_wrmsr },
	{ "two changes after one vpmu_retire_begin()", two_changes },
	CU_TEST_INFO_NULL,
};

CU_SuiteInfo suite_retire = { .pName = "core/retire", .pTests = tests };
