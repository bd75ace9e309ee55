/* SPDX-License-Identifier: Apache-2.0 */
/* models/intel_p5.c and events/intel_p5.c: the Pentium. Expected values are
 * from the manual's tables or counted by hand. */
#include <string.h>

#include "tests/harness.h"

#define CESR 0x11
#define CTR0 0x12
#define CTR1 0x13

/* In a half of CESR. */
#define CPL012 0x40u
#define CPL3 0x80u
#define ANY (CPL012 | CPL3)
#define CLOCKS 0x100u

#define ONCE(m) VPMU_OCCURS(VPMU_MEAN_##m)

static const char *const both[] = { "intel-p5", "intel-p55c", NULL };

#define FOR_BOTH(h)                                             \
	for (const char *const *model = both;                   \
	     *model ? harness_open(&(h), *model), true : false; \
	     harness_close(&(h)), model++)

/* ------------------------------------------------------------- registers */

struct write_row {
	int line;
	uint32_t msr;
	uint64_t value;
	uint64_t read;
};

/* clang-format off */
static const struct write_row writes[] = {
	/* Bits 15:10, 31:26 and 63:32 are dropped. */
	{ __LINE__, CESR, 0x03ff03ff, 0x03ff03ff },
	{ __LINE__, CESR, UINT64_MAX, 0x03ff03ff },
	{ __LINE__, CESR, 0xfc00fc00, 0 },
	{ __LINE__, CESR, 0x100000400, 0 },
	{ __LINE__, CESR, 0x02960256, 0x02960256 },
	/* 40 bits, all of which are written: no sign extension. */
	{ __LINE__, CTR0, UINT64_C(0xffffffffff), UINT64_C(0xffffffffff) },
	{ __LINE__, CTR0, UINT64_MAX, UINT64_C(0xffffffffff) },
	{ __LINE__, CTR0, 0x80000000, 0x80000000 },
	{ __LINE__, CTR1, UINT64_C(0x123456789abc), UINT64_C(0x56789abc) | UINT64_C(0x3400000000) },
	{ __LINE__, CTR1, BIT(40), 0 },
	/* What KVM's paravirtual clock would take for an address and a bit. */
	{ __LINE__, CESR, 0x12345000, 0x02345000 & 0x03ff03ff },
	{ __LINE__, CTR0, 0x00100001, 0x00100001 },
};
/* clang-format on */

static void registers(void)
{
	struct harness h;

	FOR_BOTH(h)
	{
		for (size_t i = 0; i < ARRAY_SIZE(writes); i++) {
			const struct write_row *row = &writes[i];

			CHECK_AT(row->line, wrmsr(&h, row->msr, row->value) ==
						    VPMU_HANDLED);
			CHECK_AT(row->line, rdmsr(&h, row->msr) == row->read);
		}
	}
}

/* Neither IA32_MISC_ENABLE nor DEBUGCTL nor any later counter; TSC is not a
 * register of the PMU. */
static void absent(void)
{
	static const uint32_t faults[] = { 0xc1,  0xc2,	 0x186, 0x187,
					   0x1a0, 0x1d9, 0x300, 0x309,
					   0x345, 0x360, 0x38d, 0x38e,
					   0x38f, 0x3a0, 0x4c1, 0xc0010000 };
	struct harness h;
	uint64_t value;

	FOR_BOTH(h)
	{
		for (size_t i = 0; i < ARRAY_SIZE(faults); i++) {
			CHECK_AT(faults[i], vpmu_rdmsr(h.vcpu, faults[i],
						       &value) == VPMU_FAULT);
			CHECK_AT(faults[i],
				 wrmsr(&h, faults[i], 0) == VPMU_FAULT);
		}
		CU_ASSERT_EQUAL(vpmu_rdmsr(h.vcpu, 0x10, &value),
				VPMU_NOT_MINE);
		CU_ASSERT_EQUAL(wrmsr(&h, 0x10, 0), VPMU_NOT_MINE);
		CU_ASSERT_EQUAL(vpmu_rdmsr(h.vcpu, 0x14, &value),
				VPMU_NOT_MINE);
		for (uint32_t msr = CESR; msr <= CTR1; msr++)
			CU_ASSERT_TRUE(vpmu_owns_msr(h.pmu, msr));
	}
}

static void names(void)
{
	static const char *const want[] = { "CESR", "CTR0", "CTR1" };
	struct harness h;
	char name[16];

	FOR_BOTH(h)
	{
		for (uint32_t i = 0; i < 3; i++) {
			vpmu_msr_name(h.pmu, CESR + i, name, sizeof(name));
			CU_ASSERT_STRING_EQUAL(name, want[i]);
		}
	}
}

static void reset(void)
{
	struct harness h;

	FOR_BOTH(h)
	{
		CU_ASSERT_EQUAL(rdmsr(&h, CESR), 0);
		wrmsr(&h, CESR, 0x16 | ANY);
		wrmsr(&h, CTR0, 5);
		wrmsr(&h, CTR1, 6);
		vpmu_reset(h.vcpu, VPMU_RESET_INIT);
		CU_ASSERT_EQUAL(rdmsr(&h, CESR), 0x16 | ANY);
		CU_ASSERT_EQUAL(rdmsr(&h, CTR0), 5);
		vpmu_reset(h.vcpu, VPMU_RESET_POWER);
		CU_ASSERT_EQUAL(rdmsr(&h, CESR), 0);
		CU_ASSERT_EQUAL(rdmsr(&h, CTR0), 0);
		CU_ASSERT_EQUAL(rdmsr(&h, CTR1), 0);
		CU_ASSERT_FALSE(vpmu_wants_retire(h.vcpu));
	}
}

/* ----------------------------------------------------------------- RDPMC */

/* clang-format off */
static const struct {
	int line;
	const char *model;
	uint32_t ecx;
	struct vpmu_mode mode;
	enum vpmu_result result;
} rdpmcs[] = {
	{ __LINE__, "intel-p5", 0, { 0, 1, 0, 0 }, VPMU_NOT_MINE },
	{ __LINE__, "intel-p5", 1, { 0, 1, 1, 0 }, VPMU_NOT_MINE },
	{ __LINE__, "intel-p5", 2, { 0, 0, 0, 0 }, VPMU_NOT_MINE },
	/* Undefined comes before privilege. */
	{ __LINE__, "intel-p5", 0, { 3, 1, 0, 0 }, VPMU_NOT_MINE },
	{ __LINE__, "intel-p5", 0, { 4, 1, 0, 0 }, VPMU_ERROR },
	{ __LINE__, "intel-p55c", 0, { 0, 1, 0, 0 }, VPMU_HANDLED },
	{ __LINE__, "intel-p55c", 1, { 0, 1, 0, 0 }, VPMU_HANDLED },
	{ __LINE__, "intel-p55c", 1, { 3, 1, 1, 0 }, VPMU_HANDLED },
	{ __LINE__, "intel-p55c", 1, { 3, 1, 0, 0 }, VPMU_FAULT },
	{ __LINE__, "intel-p55c", 1, { 0, 0, 0, 0 }, VPMU_HANDLED },
	{ __LINE__, "intel-p55c", 2, { 0, 1, 1, 0 }, VPMU_FAULT },
	{ __LINE__, "intel-p55c", 0x80000000, { 0, 1, 1, 0 }, VPMU_FAULT },
	{ __LINE__, "intel-p55c", 0x80000001, { 0, 1, 1, 0 }, VPMU_FAULT },
	{ __LINE__, "intel-p55c", 0x40000000, { 0, 1, 1, 0 }, VPMU_FAULT },
	{ __LINE__, "intel-p55c", 0x00010000, { 0, 1, 1, 0 }, VPMU_FAULT },
	{ __LINE__, "intel-p55c", UINT32_MAX, { 0, 1, 1, 0 }, VPMU_FAULT },
};
/* clang-format on */

static void rdpmc_indices(void)
{
	static const uint64_t values[] = { UINT64_C(0xa0b0c0d0e0),
					   UINT64_C(0x1122334455) };
	struct harness h;

	for (size_t i = 0; i < ARRAY_SIZE(rdpmcs); i++) {
		uint64_t value = 0xa5, want = 0xa5;

		harness_open(&h, rdpmcs[i].model);
		wrmsr(&h, CTR0, values[0]);
		wrmsr(&h, CTR1, values[1]);
		CHECK_AT(rdpmcs[i].line,
			 vpmu_rdpmc(h.vcpu, rdpmcs[i].ecx, &rdpmcs[i].mode,
				    &value) == rdpmcs[i].result);
		if (rdpmcs[i].result == VPMU_HANDLED)
			want = values[rdpmcs[i].ecx];
		CHECK_AT(rdpmcs[i].line, value == want);
		harness_close(&h);
	}
}

/* ---------------------------------------------------------------- events */

struct event_row {
	int line;
	uint32_t number;
	enum vpmu_meaning meaning;
};

/* SDM 3B, Pentium's table; those not listed mean nothing. */
/* clang-format off */
static const struct event_row events[] = {
	{ __LINE__, 0x00, VPMU_MEAN_DATA_READS },
	{ __LINE__, 0x01, VPMU_MEAN_DATA_WRITES },
	{ __LINE__, 0x0f, VPMU_MEAN_SEGMENT_LOADS },
	{ __LINE__, 0x12, VPMU_MEAN_BRANCHES },
	{ __LINE__, 0x14, VPMU_MEAN_TAKEN_BRANCHES },
	{ __LINE__, 0x16, VPMU_MEAN_INSTRUCTIONS },
	{ __LINE__, 0x17, VPMU_MEAN_V_PIPE },
	{ __LINE__, 0x1d, VPMU_MEAN_IO_CYCLES },
	{ __LINE__, 0x22, VPMU_MEAN_FLOPS },
	{ __LINE__, 0x23, VPMU_MEAN_BREAKPOINT0 },
	{ __LINE__, 0x24, VPMU_MEAN_BREAKPOINT1 },
	{ __LINE__, 0x25, VPMU_MEAN_BREAKPOINT2 },
	{ __LINE__, 0x26, VPMU_MEAN_BREAKPOINT3 },
	{ __LINE__, 0x27, VPMU_MEAN_INTERRUPTS },
	{ __LINE__, 0x28, VPMU_MEAN_DATA_ACCESSES },
};
/* clang-format on */

static enum vpmu_meaning meaning_of(const char *model, uint32_t number,
				    unsigned int counter)
{
	for (size_t i = 0; i < ARRAY_SIZE(events); i++)
		if (events[i].number == number)
			return events[i].meaning;
	if (!strcmp(model, "intel-p55c") && number == 0x30 && counter == 0)
		return VPMU_MEAN_CYCLES;
	if (!strcmp(model, "intel-p55c") && number == 0x32 && counter == 1)
		return VPMU_MEAN_TAKEN_BRANCHES;
	return VPMU_MEAN_NOTHING;
}

/* All 64 numbers, on both counters; what nothing can count says so. */
static void meanings(void)
{
	struct harness h;

	FOR_BOTH(h)
	{
		for (uint32_t number = 0; number < 64; number++) {
			/* Health is that since the value was written. */
			wrmsr(&h, CESR, 0);
			wrmsr(&h, CTR0, 0);
			wrmsr(&h, CTR1, 0);
			wrmsr(&h, CESR, (number | ANY) * 0x10001);
			for (unsigned int c = 0; c < 2; c++) {
				enum vpmu_meaning want =
					meaning_of(*model, number, c);
				struct vpmu_counter_info info =
					counter(&h, c ? "CTR1" : "CTR0");
				enum vpmu_health health =
					want ? VPMU_HEALTH_EXACT
					     : VPMU_HEALTH_UNAVAILABLE;

				CHECK_AT(number, info.meaning == want);
				CHECK_AT(number, info.health == health);
				CHECK_AT(number, info.width == 40);
			}
		}
	}
}

/* Each number of the list has its name, on both counters. */
static void event_names(void)
{
	static const struct {
		const struct vpmu_event_table *table;
		uint32_t last;
	} tables[] = { { &vpmu_events_intel_p5, 0x29 },
		       { &vpmu_events_intel_p55c, 0x3b } };

	for (size_t t = 0; t < ARRAY_SIZE(tables); t++) {
		for (uint32_t number = 0; number < 64; number++) {
			bool reserved = number == 0x10 || number == 0x11 ||
					number == 0x20 || number == 0x21 ||
					number > tables[t].last;

			for (uint32_t c = 0; c < 2; c++) {
				bool none =
					reserved || (number == 0x39 && c == 1);

				CHECK_AT(number,
					 !vpmu_event_name(tables[t].table,
							  number, c) == none);
			}
		}
	}
}

static void unavailable_is_logged(void)
{
	struct harness h;

	harness_open(&h, "intel-p5");
	wrmsr(&h, CESR, 0x02 | ANY);
	CU_ASSERT_EQUAL(h.logged, 1);
	CU_ASSERT_PTR_NOT_NULL(strstr(h.log, "CTR0"));
	CU_ASSERT_PTR_NOT_NULL(strstr(h.log, "DATA_TLB_MISS"));
	CU_ASSERT_PTR_NOT_NULL(strstr(h.log, "unavailable"));
	retire(&h, 3, 0);
	CU_ASSERT_EQUAL(rdmsr(&h, CTR0), 0);
	harness_close(&h);
}

/*
 * Six instructions. At CPL 0: a read, a write, one that reads twice and writes
 * once (two segment loads), one with a FLOP in the V pipe that matches DR0 and
 * DR2. At CPL 3: a taken branch that reads, an I/O cycle that is told twice.
 * An interrupt before the second.
 */
static void block(struct harness *h)
{
	vpmu_occur(h->vcpu, VPMU_MEAN_DATA_READS, 1);
	vpmu_occur(h->vcpu, VPMU_MEAN_DATA_ACCESSES, 1);
	vpmu_retire(h->vcpu, 0, 0);

	vpmu_occur(h->vcpu, VPMU_MEAN_INTERRUPTS, 1);
	vpmu_retire(h->vcpu, ONCE(DATA_WRITES) | ONCE(DATA_ACCESSES), 0);

	vpmu_occur(h->vcpu, VPMU_MEAN_DATA_READS, 2);
	vpmu_occur(h->vcpu, VPMU_MEAN_DATA_ACCESSES, 3);
	vpmu_occur(h->vcpu, VPMU_MEAN_SEGMENT_LOADS, 2);
	vpmu_retire(h->vcpu, ONCE(DATA_WRITES), 0);

	vpmu_retire(h->vcpu,
		    ONCE(FLOPS) | ONCE(V_PIPE) | ONCE(BREAKPOINT0) |
			    ONCE(BREAKPOINT2),
		    0);

	vpmu_retire(h->vcpu,
		    ONCE(BRANCHES) | ONCE(TAKEN_BRANCHES) | ONCE(DATA_READS) |
			    ONCE(DATA_ACCESSES),
		    3);

	vpmu_occur(h->vcpu, VPMU_MEAN_IO_CYCLES, 1);
	vpmu_occur(h->vcpu, VPMU_MEAN_IO_CYCLES, 1);
	vpmu_retire(h->vcpu, ONCE(BREAKPOINT1) | ONCE(BREAKPOINT3), 3);
}

struct count_row {
	int line;
	uint32_t half;
	uint64_t count;
};

/* clang-format off */
static const struct count_row counts[] = {
	{ __LINE__, 0x16 | ANY, 6 },
	{ __LINE__, 0x16 | CPL012, 4 },
	{ __LINE__, 0x16 | CPL3, 2 },
	{ __LINE__, 0x16, 0 },
	{ __LINE__, 0x16 | CLOCKS, 0 },
	{ __LINE__, 0x16 | ANY | CLOCKS, 6 },
	{ __LINE__, 0x16 | CPL3 | CLOCKS, 2 },
	/* The pin is nothing to the count. */
	{ __LINE__, 0x16 | ANY | 0x200, 6 },
	{ __LINE__, 0x00 | ANY, 4 },
	{ __LINE__, 0x00 | CPL012, 3 },
	{ __LINE__, 0x00 | CPL3, 1 },
	{ __LINE__, 0x00 | ANY | CLOCKS, 3 },
	{ __LINE__, 0x00 | CPL012 | CLOCKS, 2 },
	{ __LINE__, 0x01 | ANY, 2 },
	{ __LINE__, 0x01 | CPL3, 0 },
	{ __LINE__, 0x28 | ANY, 6 },
	{ __LINE__, 0x28 | ANY | CLOCKS, 4 },
	{ __LINE__, 0x28 | CPL012 | CLOCKS, 3 },
	{ __LINE__, 0x0f | ANY, 2 },
	{ __LINE__, 0x0f | ANY | CLOCKS, 1 },
	{ __LINE__, 0x12 | ANY, 1 },
	{ __LINE__, 0x12 | CPL012, 0 },
	{ __LINE__, 0x14 | ANY, 1 },
	{ __LINE__, 0x17 | ANY, 1 },
	{ __LINE__, 0x17 | CPL3, 0 },
	{ __LINE__, 0x1d | ANY, 2 },
	{ __LINE__, 0x1d | CPL3 | CLOCKS, 1 },
	{ __LINE__, 0x22 | ANY, 1 },
	{ __LINE__, 0x23 | ANY, 1 },
	{ __LINE__, 0x24 | ANY, 1 },
	{ __LINE__, 0x24 | CPL012, 0 },
	{ __LINE__, 0x25 | CPL012, 1 },
	{ __LINE__, 0x26 | CPL3, 1 },
	{ __LINE__, 0x27 | ANY, 1 },
	{ __LINE__, 0x27 | CPL3, 0 },
	{ __LINE__, 0x02 | ANY, 0 },
	{ __LINE__, 0x10 | ANY, 0 },
	{ __LINE__, 0x3f | ANY, 0 },
};
/* clang-format on */

/* Each on one counter, with the other off; and off leaves it alone. */
static void known_block(void)
{
	struct harness h;

	for (size_t i = 0; i < ARRAY_SIZE(counts); i++) {
		const struct count_row *row = &counts[i];

		FOR_BOTH(h)
		{
			wrmsr(&h, CESR, row->half);
			block(&h);
			CHECK_AT(row->line, rdmsr(&h, CTR0) == row->count);
			CHECK_AT(row->line, rdmsr(&h, CTR1) == 0);
			wrmsr(&h, CESR, (uint64_t)row->half << 16);
			block(&h);
			CHECK_AT(row->line, rdmsr(&h, CTR0) == row->count);
			CHECK_AT(row->line, rdmsr(&h, CTR1) == row->count);
		}
	}
}

/* Rings 1 and 2 go with 0. */
static void rings(void)
{
	struct harness h;

	FOR_BOTH(h)
	{
		wrmsr(&h, CESR, (0x16 | CPL012) | (0x16 | CPL3) << 16);
		for (uint8_t cpl = 0; cpl < 4; cpl++)
			retire(&h, 1u << cpl, cpl);
		CU_ASSERT_EQUAL(rdmsr(&h, CTR0), 1 + 2 + 4);
		CU_ASSERT_EQUAL(rdmsr(&h, CTR1), 8);
	}
}

/* Event 32H differs by counter, and 30H counts cycles on counter 0. */
static void p55c_by_counter(void)
{
	struct harness h;

	harness_open(&h, "intel-p55c");
	wrmsr(&h, CESR, (0x30 | ANY) | (0x32 | ANY) << 16);
	block(&h);
	CU_ASSERT_EQUAL(rdpmc(&h, 0), 6);
	CU_ASSERT_EQUAL(rdpmc(&h, 1), 1);
	harness_close(&h);
}

/* The carry leaves by bit 39; there is no interrupt. */
static void overflow(void)
{
	struct harness h;

	FOR_BOTH(h)
	{
		wrmsr(&h, CTR1, UINT64_C(0xfffffffffe));
		wrmsr(&h, CESR, (0x16u | ANY | 0x200u) << 16);
		retire(&h, 3, 0);
		CU_ASSERT_EQUAL(rdmsr(&h, CTR1), 1);
		CU_ASSERT_EQUAL(vpmu_take_pmi(h.vcpu), 0);
	}
}

/* One register controls both: rewriting one half does not disturb the other. */
static void one_half_changes(void)
{
	struct harness h;

	FOR_BOTH(h)
	{
		wrmsr(&h, CESR, (0x16 | ANY) | (0x12 | ANY) << 16);
		retire(&h, 2, 0);
		wrmsr_retired(&h, CESR, (0x16 | ANY) | (0x16 | CPL3) << 16);
		retire(&h, 2, 0);
		/* 2, the WRMSR, 2; the other: no branch, and no CPL 3 */
		CU_ASSERT_EQUAL(rdmsr(&h, CTR0), 5);
		CU_ASSERT_EQUAL(rdmsr(&h, CTR1), 0);
		wrmsr_retired(&h, CESR, 0);
		retire(&h, 2, 0);
		CU_ASSERT_EQUAL(rdmsr(&h, CTR0), 6);
	}
}

/* ------------------------------------------------------ what the core asks */

static void wants(void)
{
	struct harness h;

	FOR_BOTH(h)
	{
		CU_ASSERT_EQUAL(vpmu_wants_occurred(h.vcpu), 0);
		wrmsr(&h, CESR, (0x00 | ANY) | (0x22 | CPL3) << 16);
		CU_ASSERT_EQUAL(vpmu_wants_occurred(h.vcpu),
				ONCE(DATA_READS) | ONCE(FLOPS));
		wrmsr(&h, CESR, (0x16 | ANY) | (0x26 | ANY) << 16);
		CU_ASSERT_EQUAL(vpmu_wants_occurred(h.vcpu), ONCE(BREAKPOINT3));
		/* Told by vpmu_retire() anyhow, or by nobody. */
		wrmsr(&h, CESR, (0x12 | ANY) | (0x14 | ANY) << 16);
		CU_ASSERT_EQUAL(vpmu_wants_occurred(h.vcpu), 0);
		wrmsr(&h, CESR, 0x02 | ANY);
		CU_ASSERT_EQUAL(vpmu_wants_occurred(h.vcpu), 0);
		wrmsr(&h, CESR, 0x00);
		CU_ASSERT_EQUAL(vpmu_wants_occurred(h.vcpu), 0);
	}
	harness_open_mock(&h, "intel-p5");
	wrmsr(&h, CESR, 0x00 | ANY);
	CU_ASSERT_EQUAL(vpmu_wants_occurred(h.vcpu), 0);
	vpmu_occur(h.vcpu, VPMU_MEAN_DATA_READS, 1);
	CU_ASSERT_EQUAL(h.vcpu->occurred, 0);
	harness_close(&h);
}

/* Nothing told is left over for another instruction or another counter. */
static void told_for_one(void)
{
	struct harness h;

	harness_open(&h, "intel-p5");
	vpmu_occur(h.vcpu, VPMU_MEAN_DATA_READS, 5); /* nobody counts */
	wrmsr(&h, CESR, (0x00 | ANY) | (0x01 | ANY) << 16);
	retire(&h, 1, 0);
	CU_ASSERT_EQUAL(rdmsr(&h, CTR0), 0);
	vpmu_occur(h.vcpu, VPMU_MEAN_DATA_READS, 3);
	vpmu_occur(h.vcpu, VPMU_MEAN_FLOPS, 7); /* nobody wants */
	vpmu_occur(h.vcpu, (enum vpmu_meaning)99, 7);
	vpmu_occur(h.vcpu, VPMU_MEAN_COUNT, 7);
	retire(&h, 2, 0);
	CU_ASSERT_EQUAL(rdmsr(&h, CTR0), 3);
	CU_ASSERT_EQUAL(rdmsr(&h, CTR1), 0);
	vpmu_occur(h.vcpu, VPMU_MEAN_DATA_READS, UINT32_MAX);
	vpmu_occur(h.vcpu, VPMU_MEAN_DATA_READS, 2);
	vpmu_retire(h.vcpu, ONCE(DATA_READS), 0);
	CU_ASSERT_EQUAL(rdmsr(&h, CTR0), UINT64_C(3) + UINT32_MAX);
	vpmu_occur(h.vcpu, VPMU_MEAN_DATA_READS, 4);
	vpmu_reset(h.vcpu, VPMU_RESET_POWER);
	wrmsr(&h, CESR, 0x00 | ANY);
	retire(&h, 1, 0);
	CU_ASSERT_EQUAL(rdmsr(&h, CTR0), 0);
	harness_close(&h);
}

/* The WRMSR that stops a counter: by what was wanted when it began. */
static void order_rule(void)
{
	struct harness h;

	harness_open(&h, "intel-p5");
	wrmsr(&h, CESR, 0x23 | ANY);
	vpmu_retire_begin(h.vcpu);
	wrmsr(&h, CESR, 0);
	CU_ASSERT_EQUAL(vpmu_wants_occurred(h.vcpu), ONCE(BREAKPOINT0));
	vpmu_occur(h.vcpu, VPMU_MEAN_BREAKPOINT0, 1);
	vpmu_retire(h.vcpu, 0, 0);
	CU_ASSERT_EQUAL(rdmsr(&h, CTR0), 1);
	vpmu_retire_begin(h.vcpu);
	wrmsr(&h, CESR, 0x23 | ANY);
	CU_ASSERT_EQUAL(vpmu_wants_occurred(h.vcpu), 0);
	vpmu_occur(h.vcpu, VPMU_MEAN_BREAKPOINT0, 1);
	vpmu_retire(h.vcpu, 0, 0);
	CU_ASSERT_EQUAL(rdmsr(&h, CTR0), 1);
	harness_close(&h);
}

/* Identity, and no trace of architectural monitoring. */
static void cpuid(void)
{
	static const uint32_t signatures[] = { 0x52c, 0x543 };
	struct harness h;

	FOR_BOTH(h)
	{
		struct vpmu_cpuid_regs r = { UINT32_MAX, UINT32_MAX, UINT32_MAX,
					     UINT32_MAX };

		vpmu_cpuid(h.pmu, 1, 0, &r);
		CU_ASSERT_EQUAL(r.eax, signatures[model - both]);
		CU_ASSERT_EQUAL(r.ecx & (BIT32(2) | BIT32(4) | BIT32(15)), 0);
		CU_ASSERT_EQUAL(r.edx & BIT32(21), 0);
		r = (struct vpmu_cpuid_regs){ 1, 2, 3, 4 };
		CU_ASSERT_EQUAL(vpmu_cpuid(h.pmu, 0xa, 0, &r), VPMU_HANDLED);
		CU_ASSERT_EQUAL(r.eax | r.ebx | r.ecx | r.edx, 0);
		r = (struct vpmu_cpuid_regs){ 0, 2, 3, 4 };
		vpmu_cpuid(h.pmu, 0, 0, &r);
		CU_ASSERT_EQUAL(r.eax, 1);
		CU_ASSERT_EQUAL(r.ebx, 0x756e6547);
		CU_ASSERT_EQUAL(vpmu_lvtpc_masks(h.pmu), 0);
	}
}

static CU_TestInfo tests[] = {
	{ "CESR and CTRs keep their bits, drop the rest", registers },
	{ "what is absent faults; 10H is not ours", absent },
	{ "11H to 13H by name", names },
	{ "INIT changes nothing, RESET clears", reset },
	{ "RDPMC: #UD, or 0 and 1 and no fast read", rdpmc_indices },
	{ "64 event numbers: meaning and health", meanings },
	{ "each event of the list has a name", event_names },
	{ "what nothing counts is logged by name", unavailable_is_logged },
	{ "a known block, by event, ring and clocks", known_block },
	{ "rings 0 to 2 are one, 3 the other", rings },
	{ "30H and 32H differ by counter", p55c_by_counter },
	{ "40 bits wrap, without an interrupt", overflow },
	{ "a half of CESR leaves the other alone", one_half_changes },
	{ "vpmu_wants_occurred() asks for what counts", wants },
	{ "vpmu_occur() is for one instruction", told_for_one },
	{ "vpmu_occur() keeps the order rule", order_rule },
	{ "identity, and leaf 0AH is 0", cpuid },
	CU_TEST_INFO_NULL,
};

CU_SuiteInfo suite_intel_p5 = { .pName = "models/intel_p5", .pTests = tests };
