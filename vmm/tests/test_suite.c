/* SPDX-License-Identifier: Apache-2.0 */
/* vmm/suite.c: tests.cfg. */
#include <string.h>

#include "suite.h"
#include "suites.h"
#include "util.h"

static int read_text(struct suite *suite, const char *text)
{
	int ret = suite_read(suite, temp_file(text, strlen(text)));

	temp_close();
	return ret;
}

static void good_file(void)
{
	struct suite suite;

	CU_ASSERT_EQUAL_FATAL(
		read_text(&suite, "# words\n\n"
				  "[one]\nprogram = a.elf\n"
				  " [ two ] \r\n"
				  "\tprogram=b.elf\n"
				  "args = x # y = z\nmodels = amd-* none\n"
				  "groups = g h\ncount = exact\ncpus = 4\n"
				  "mem = 16\ntimeout = 5\nexpect = exit 43"),
		0);
	CU_ASSERT_EQUAL_FATAL(suite.n, 2);
	CU_ASSERT_STRING_EQUAL(suite.cases[0].name, "one");
	CU_ASSERT_STRING_EQUAL(suite.cases[0].program, "a.elf");
	CU_ASSERT_STRING_EQUAL(suite.cases[0].args, "");
	CU_ASSERT_EQUAL(suite.cases[0].cpus, 1);
	CU_ASSERT_EQUAL(suite.cases[0].mem_mib, 64);
	CU_ASSERT_EQUAL(suite.cases[0].timeout_s, 60);
	CU_ASSERT_TRUE(suite.cases[0].summary);
	CU_ASSERT_EQUAL(suite.cases[0].status, 1);
	CU_ASSERT_STRING_EQUAL(suite.cases[1].name, "two");
	CU_ASSERT_STRING_EQUAL(suite.cases[1].args, "x # y = z");
	CU_ASSERT_TRUE(suite.cases[1].exact);
	CU_ASSERT_EQUAL(suite.cases[1].cpus, 4);
	CU_ASSERT_FALSE(suite.cases[1].summary);
	CU_ASSERT_EQUAL(suite.cases[1].status, 43);
	suite_fini(&suite);
}

static void wrong_lines(void)
{
	static const struct {
		int line;
		const char *text;
		const char *says;
	} rows[] = {
		{ __LINE__, "[a]\nprogram = x\nbogus = 1\n", ":3: 'bogus'" },
		{ __LINE__, "program = x\n", ":1:" },
		{ __LINE__, "[a]\nprogram\n", ":2: 'program'" },
		{ __LINE__, "[a\n", ":1:" },
		{ __LINE__, "[a] b\n", ":1:" },
		{ __LINE__, "[]\n", ":1:" },
		{ __LINE__, "[a]\nprogram = x\n\n[a]\n", ":4: 'a'" },
		{ __LINE__, "[a]\n[b]\nprogram = x\n", ":1: 'a'" },
		{ __LINE__, "[b]\nprogram = x\n[a]\n", ":3: 'a'" },
		{ __LINE__, "[a]\nprogram =\n", ":2: program" },
		{ __LINE__, "[a]\nprogram = ../x\n", ":2: program" },
		{ __LINE__, "[a]\nprogram = x\nprogram = y\n", ":3:" },
		{ __LINE__, "[a]\ncpus = 0\n", ":2: cpus" },
		{ __LINE__, "[a]\ncpus = 0x1\n", ":2: cpus" },
		{ __LINE__, "[a]\nmem = -1\n", ":2: mem" },
		{ __LINE__, "[a]\ntimeout = 1h\n", ":2: timeout" },
		{ __LINE__, "[a]\ncount = perf\n", ":2: count" },
		{ __LINE__, "[a]\nexpect = fail\n", ":2: expect" },
		{ __LINE__, "[a]\nexpect = exit\n", ":2: expect" },
		{ __LINE__, "[a]\nexpect = exit 256\n", ":2: expect" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct suite suite;
		int ret;

		capture_begin(2);
		ret = read_text(&suite, rows[i].text);
		CU_ASSERT(one_line_with(capture_end(), rows[i].says,
					rows[i].line));
		CU_ASSERT_EQUAL(ret, -1);
		CU_ASSERT_EQUAL(suite.n, 0);
	}
}

static void globs(void)
{
	CU_ASSERT_TRUE(suite_matches("*", "intel-v5"));
	CU_ASSERT_TRUE(suite_matches("amd-* intel-*", "intel-v5"));
	CU_ASSERT_TRUE(suite_matches("  intel-v5", "intel-v5"));
	CU_ASSERT_FALSE(suite_matches("amd-* intel-v?5", "intel-v5"));
	CU_ASSERT_FALSE(suite_matches("", "intel-v5"));
	CU_ASSERT_FALSE(suite_matches("intel", "intel-v5"));
}

static CU_TestInfo tests[] = {
	{ "keys, defaults, comments and blanks", good_file },
	{ "what is wrong is named with its line", wrong_lines },
	{ "a list of globs", globs },
	CU_TEST_INFO_NULL,
};

CU_SuiteInfo suite_suite = { .pName = "suite", .pTests = tests };
