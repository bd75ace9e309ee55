/* SPDX-License-Identifier: Apache-2.0 */
/* core/counter.c: what a cycle adds, and carries. */
#include "tests/harness.h"

struct add_row {
	int line;
	uint32_t width;
	uint64_t value;
	uint64_t delta;
	uint64_t sum;
	bool carry;
};

/* clang-format off */
static const struct add_row adds[] = {
	{ __LINE__, 40, 0, 1, 1, false },
	{ __LINE__, 40, 0xffffffffff, 0, 0xffffffffff, false },
	{ __LINE__, 40, 0xffffffffff, 1, 0, true },
	{ __LINE__, 40, 0xfffffffffe, 1, 0xffffffffff, false },
	{ __LINE__, 40, 0xfffffffffe, 3, 1, true },
	{ __LINE__, 48, 0xffffffffffff, 1, 0, true },
	{ __LINE__, 48, 0xffffffff, 1, 0x100000000, false },
	/* A sampling backend may bring in more than one turn at once. */
	{ __LINE__, 40, 5, UINT64_C(3) << 40, 5, true },
	{ __LINE__, 48, 0xffffffffffff, UINT64_MAX, 0xfffffffffffe, true },
	{ __LINE__, 64, UINT64_MAX, 1, 0, true },
	{ __LINE__, 64, 1, UINT64_MAX - 1, UINT64_MAX, false },
};
/* clang-format on */

static void addition(void)
{
	for (size_t i = 0; i < ARRAY_SIZE(adds); i++) {
		const struct add_row *row = &adds[i];
		uint64_t value = row->value;
		bool carry = vpmu_counter_add(&value, vpmu_low_bits(row->width),
					      row->delta);

		CHECK_AT(row->line, value == row->sum);
		CHECK_AT(row->line, carry == row->carry);
	}
}

/* Four cycles of n occurrences each; what each of them adds. */
struct qualify_row {
	int line;
	uint8_t cmask;
	uint8_t compare;
	bool edge;
	uint32_t n[4];
	uint32_t added[4];
};

/* clang-format off */
static const struct qualify_row qualifies[] = {
	{ __LINE__, 0, 0, false, { 1, 0, 4, 2 }, { 1, 0, 4, 2 } },
	/* INV is ignored while CMASK is 0. */
	{ __LINE__, 0, COMPARE_INV,  false, { 1, 0, 4, 2 }, { 1, 0, 4, 2 } },
	{ __LINE__, 1, 0, false, { 1, 0, 4, 2 }, { 1, 0, 1, 1 } },
	{ __LINE__, 2, 0, false, { 1, 0, 4, 2 }, { 0, 0, 1, 1 } },
	{ __LINE__, 255, 0, false, { 1, 254, 255, 256 }, { 0, 0, 1, 1 } },
	{ __LINE__, 1, COMPARE_INV,  false, { 1, 0, 4, 2 }, { 0, 1, 0, 0 } },
	{ __LINE__, 4, COMPARE_INV,  false, { 1, 0, 4, 2 }, { 1, 1, 0, 1 } },
	{ __LINE__, 0, COMPARE_EQ, false, { 1, 0, 4, 2 }, { 1, 0, 4, 2 } },
	{ __LINE__, 4, COMPARE_EQ, false, { 3, 4, 5, 0 }, { 0, 1, 0, 0 } },
	{ __LINE__, 4, COMPARE_EQ | COMPARE_INV, false, { 3, 4, 5, 0 }, { 1, 0, 1, 1 } },
	{ __LINE__, 1, COMPARE_EQ, false, { 0, 1, 2, 1 }, { 0, 1, 0, 1 } },
	{ __LINE__, 255, COMPARE_EQ, false, { 254, 255, 256, 511 }, { 0, 1, 0, 0 } },
	{ __LINE__, 0, COMPARE_EQ | COMPARE_INV, false, { 1, 0, 4, 2 }, { 1, 0, 4, 2 } },
	/* Adjacent cycles with the condition true are one edge. */
	{ __LINE__, 0, 0, true,  { 1, 1, 0, 1 }, { 1, 0, 0, 1 } },
	{ __LINE__, 0, 0, true,  { 4, 0, 4, 0 }, { 1, 0, 1, 0 } },
	{ __LINE__, 2, 0, true,  { 1, 2, 3, 1 }, { 0, 1, 0, 0 } },
	{ __LINE__, 2, COMPARE_INV,  true,  { 1, 2, 1, 1 }, { 1, 0, 1, 0 } },
	{ __LINE__, 2, COMPARE_EQ, true, { 1, 2, 2, 3 }, { 0, 1, 0, 0 } },
	{ __LINE__, 2, COMPARE_EQ | COMPARE_INV, true, { 2, 1, 3, 2 }, { 0, 1, 0, 0 } },
};
/* clang-format on */

static void qualifiers(void)
{
	for (size_t i = 0; i < ARRAY_SIZE(qualifies); i++) {
		const struct qualify_row *row = &qualifies[i];
		const struct vpmu_control control = {
			.cmask = row->cmask,
			.compare = row->compare,
			.edge = row->edge,
			.cpls = CPLS_OS,
		};
		bool asserted = false;

		for (int k = 0; k < 4; k++)
			CHECK_AT(row->line,
				 vpmu_counter_qualify(&control, row->n[k], 0,
						      &asserted) ==
					 row->added[k]);
	}
}

struct cpl_row {
	int line;
	uint8_t cpls;
	bool counts[4]; /* at CPL 0..3 */
};

/* clang-format off */
static const struct cpl_row cpls[] = {
	{ __LINE__, 0, { 0, 0, 0, 0 } },
	{ __LINE__, CPLS_USR, { 0, 1, 1, 1 } },
	{ __LINE__, CPLS_OS, { 1, 0, 0, 0 } },
	{ __LINE__, CPLS_ALL, { 1, 1, 1, 1 } },
	/* The Pentium's halves: 0 to 2, and 3. */
	{ __LINE__, 0x7, { 1, 1, 1, 0 } },
	{ __LINE__, 0x8, { 0, 0, 0, 1 } },
};
/* clang-format on */

static void privilege(void)
{
	for (size_t i = 0; i < ARRAY_SIZE(cpls); i++) {
		struct vpmu_control control = {
			.cpls = cpls[i].cpls,
		};
		bool asserted = false;

		for (uint8_t cpl = 0; cpl < 4; cpl++) {
			bool counts = vpmu_counter_qualify(&control, 1, cpl,
							   &asserted);

			CHECK_AT(cpls[i].line, counts == cpls[i].counts[cpl]);
		}
		/* Nor does an inverted compare count the other privilege. */
		control.cmask = 1;
		control.compare = COMPARE_INV;
		for (uint8_t cpl = 0; cpl < 4; cpl++) {
			bool counts = vpmu_counter_qualify(&control, 0, cpl,
							   &asserted);

			CHECK_AT(cpls[i].line, counts == cpls[i].counts[cpl]);
		}
	}
}

/* A stretch at the other privilege parts two edges. */
static void edges_by_privilege(void)
{
	const struct vpmu_control control = { .edge = true, .cpls = CPLS_OS };
	bool asserted = false;

	CU_ASSERT_EQUAL(vpmu_counter_qualify(&control, 1, 0, &asserted), 1);
	CU_ASSERT_EQUAL(vpmu_counter_qualify(&control, 1, 0, &asserted), 0);
	CU_ASSERT_EQUAL(vpmu_counter_qualify(&control, 1, 3, &asserted), 0);
	CU_ASSERT_EQUAL(vpmu_counter_qualify(&control, 1, 0, &asserted), 1);
}

static void events(void)
{
	const uint32_t branch = VPMU_OCCURS(VPMU_MEAN_BRANCHES);
	const uint32_t taken = VPMU_OCCURS(VPMU_MEAN_TAKEN_BRANCHES);

	CU_ASSERT_EQUAL(vpmu_counter_events(VPMU_MEAN_INSTRUCTIONS, 0), 1);
	CU_ASSERT_EQUAL(vpmu_counter_events(VPMU_MEAN_CYCLES, 0), 1);
	CU_ASSERT_EQUAL(vpmu_counter_events(VPMU_MEAN_REF_CYCLES, 0), 1);
	CU_ASSERT_EQUAL(vpmu_counter_events(VPMU_MEAN_TSC_CYCLES, 0), 1);
	CU_ASSERT_EQUAL(vpmu_counter_events(VPMU_MEAN_SLOTS, 0), 4);
	CU_ASSERT_EQUAL(vpmu_counter_events(VPMU_MEAN_RETIRING, 0), 4);
	CU_ASSERT_EQUAL(vpmu_counter_events(VPMU_MEAN_BRANCHES, 0), 0);
	CU_ASSERT_EQUAL(vpmu_counter_events(VPMU_MEAN_BRANCHES, branch), 1);
	CU_ASSERT_EQUAL(vpmu_counter_events(VPMU_MEAN_TAKEN_BRANCHES, branch),
			0);
	CU_ASSERT_EQUAL(vpmu_counter_events(VPMU_MEAN_TAKEN_BRANCHES,
					    branch | taken),
			1);
	/* What nothing can tell is never made up. */
	CU_ASSERT_EQUAL(vpmu_counter_events(VPMU_MEAN_NOTHING, UINT32_MAX), 0);
	CU_ASSERT_EQUAL(vpmu_counter_events(VPMU_MEAN_LLC_MISSES, UINT32_MAX),
			0);
	CU_ASSERT_EQUAL(
		vpmu_counter_events(VPMU_MEAN_BRANCH_MISSES, UINT32_MAX), 0);
	CU_ASSERT_EQUAL(vpmu_counter_events((enum vpmu_meaning)99, UINT32_MAX),
			0);
}

static CU_TestInfo tests[] = {
	{ "addition wraps at the width and carries once", addition },
	{ "CMASK, INV, EQ and E as in the manual's table", qualifiers },
	{ "USR and OS select by CPL", privilege },
	{ "the other privilege parts two edges", edges_by_privilege },
	{ "one instruction, one cycle, four slots", events },
	CU_TEST_INFO_NULL,
};

CU_SuiteInfo suite_counter = { .pName = "core/counter", .pTests = tests };
