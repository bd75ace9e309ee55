/* SPDX-License-Identifier: Apache-2.0 */
/* vmm/ram.c: the accessor, and the hole below 4 GiB. */
#include "ram.h"
#include "suites.h"

static void inside_and_outside(void)
{
	static const struct {
		int line;
		gpa_t gpa;
		uint64_t bytes;
		bool good;
	} rows[] = {
		{ __LINE__, 0, 1, true },
		{ __LINE__, 0, MIB(2), true },
		{ __LINE__, MIB(2) - 1, 1, true },
		{ __LINE__, MIB(2) - 1, 2, false },
		{ __LINE__, MIB(2), 1, false },
		{ __LINE__, MIB(2), 0, false },
		{ __LINE__, 1, UINT64_MAX, false },
		{ __LINE__, UINT64_MAX, 1, false },
		{ __LINE__, UINT64_MAX, UINT64_MAX, false },
		{ __LINE__, RAM_HIGH, 1, false },
	};
	struct ram ram;

	CU_ASSERT_EQUAL_FATAL(ram_init(&ram, 2), 0);
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		bool got = ram_ptr(&ram, rows[i].gpa, rows[i].bytes);

		CU_assertImplementation(got == rows[i].good,
					(unsigned int)rows[i].line, "row",
					__FILE__, "", CU_FALSE);
	}
	ram_fini(&ram);
}

static void hole(void)
{
	struct ram ram;

	CU_ASSERT_EQUAL_FATAL(ram_init(&ram, 4096), 0);
	CU_ASSERT_EQUAL(ram.low.bytes, RAM_HOLE);
	CU_ASSERT_EQUAL(ram.high.bytes, GIB(1));
	CU_ASSERT_PTR_NULL(ram_ptr(&ram, RAM_HOLE, 1));
	CU_ASSERT_PTR_NULL(ram_ptr(&ram, RAM_HOLE - 1, 2));
	CU_ASSERT_PTR_NULL(ram_ptr(&ram, RAM_HIGH - 1, 1));
	CU_ASSERT_PTR_EQUAL(ram_ptr(&ram, RAM_HIGH, 1), ram.map + RAM_HOLE);
	CU_ASSERT_PTR_NOT_NULL(ram_ptr(&ram, RAM_HIGH + GIB(1) - 1, 1));
	CU_ASSERT_PTR_NULL(ram_ptr(&ram, RAM_HIGH + GIB(1), 1));
	ram_fini(&ram);
	CU_ASSERT_EQUAL_FATAL(ram_init(&ram, 3072), 0);
	CU_ASSERT_EQUAL(ram.high.bytes, 0);
	ram_fini(&ram);
}

static void absurd_sizes(void)
{
	static const uint64_t mibs[] = { 0,
					 UINT64_C(1) << 40,
					 UINT64_C(1) << 43,
					 UINT64_C(1) << 44,
					 UINT64_MAX >> 20,
					 UINT64_MAX };

	for (size_t i = 0; i < ARRAY_SIZE(mibs); i++) {
		struct ram ram;

		capture_begin(2);
		CU_ASSERT_EQUAL(ram_init(&ram, mibs[i]), -1);
		CU_ASSERT(one_line_with(capture_end(), "--mem", __LINE__));
		ram_fini(&ram);
	}
}

static CU_TestInfo tests[] = {
	{ "no access wraps or straddles the end", inside_and_outside },
	{ "3 GiB below the hole, the rest above 4 GiB", hole },
	{ "absurd sizes are refused in one line", absurd_sizes },
	CU_TEST_INFO_NULL,
};

CU_SuiteInfo suite_ram = { .pName = "ram", .pTests = tests };
