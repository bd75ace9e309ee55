/* SPDX-License-Identifier: Apache-2.0 */
/* vmm/opt.c: numbers, tables, help. */
#include <string.h>

#include "opt.h"
#include "suites.h"
#include "util.h"

static void numbers(void)
{
	static const struct {
		int line;
		const char *text;
		uint64_t min, max;
		bool good;
		uint64_t value;
	} rows[] = {
		{ __LINE__, "0", 0, 9, true, 0 },
		{ __LINE__, "18446744073709551615", 0, UINT64_MAX, true,
		  UINT64_MAX },
		{ __LINE__, "18446744073709551616", 0, UINT64_MAX, false, 0 },
		{ __LINE__, "99999999999999999999", 0, UINT64_MAX, false, 0 },
		{ __LINE__, "64", 1, 64, true, 64 },
		{ __LINE__, "65", 1, 64, false, 0 },
		{ __LINE__, "0", 1, 64, false, 0 },
		{ __LINE__, "", 0, 9, false, 0 },
		{ __LINE__, "-1", 0, UINT64_MAX, false, 0 },
		{ __LINE__, "+1", 0, 9, false, 0 },
		{ __LINE__, " 1", 0, 9, false, 0 },
		{ __LINE__, "1 ", 0, 9, false, 0 },
		{ __LINE__, "0x10", 0, 99, false, 0 },
		{ __LINE__, "010", 0, 99, false, 0 },
		{ __LINE__, "1e3", 0, 9999, false, 0 },
		{ __LINE__, "12x", 0, 99, false, 0 },
		{ __LINE__, "1.5", 0, 99, false, 0 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		uint64_t value = 0;
		int ret = opt_number(rows[i].text, rows[i].min, rows[i].max,
				     &value);

		CU_assertImplementation((ret == 0) == rows[i].good &&
						value == rows[i].value,
					(unsigned int)rows[i].line, "row",
					__FILE__, "", CU_FALSE);
	}
}

struct config {
	bool flag;
	int choice;
	uint64_t number;
	const char *string;
	struct opt_list list;
};

#define FIELD(name) offsetof(struct config, name)

static const char *const choices[] = { "red", "green", NULL };

static const struct opt opts[] = {
	{ "flag", OPT_FLAG, FIELD(flag), NULL, "a flag", 0, 0, NULL },
	{ "choice", OPT_CHOICE, FIELD(choice), "C", "one", 0, 0, choices },
	{ "number", OPT_NUMBER, FIELD(number), "N", "many", 1, 64, NULL },
	{ "string", OPT_STRING, FIELD(string), "S", "text", 0, 0, NULL },
	{ "list", OPT_LIST, FIELD(list), "L", "several", 0, 0, NULL },
};

static const struct opt_table table = { "cmd", "Does.", opts,
					ARRAY_SIZE(opts) };

#define MAX_ARGS 8

static enum opt_result parse(const char *const args[MAX_ARGS],
			     struct config *config)
{
	static char words[MAX_ARGS][64];
	char *argv[MAX_ARGS + 2] = { words[0] };
	int argc = 1;

	strcpy(words[0], "cmd");
	for (; argc < MAX_ARGS && args[argc - 1]; argc++) {
		strcpy(words[argc], args[argc - 1]);
		argv[argc] = words[argc];
	}
	*config = (struct config){ .number = 7 };
	return opt_parse(&table, argc, argv, config);
}

static void every_kind(void)
{
	static const char *const args[MAX_ARGS] = { "--flag",	  "--choice",
						    "green",	  "--number=3",
						    "--string=x", "--list=a",
						    "--list=b",	  NULL };
	struct config config;

	CU_ASSERT_EQUAL_FATAL(parse(args, &config), OPT_GO);
	CU_ASSERT_TRUE(config.flag);
	CU_ASSERT_EQUAL(config.choice, 1);
	CU_ASSERT_EQUAL(config.number, 3);
	CU_ASSERT_STRING_EQUAL(config.string, "x");
	CU_ASSERT_EQUAL(config.list.n, 2);
	CU_ASSERT_STRING_EQUAL(config.list.item[1], "b");
}

static void wrong_ones(void)
{
	static const struct {
		int line;
		const char *args[MAX_ARGS];
		const char *says;
	} rows[] = {
		{ __LINE__, { "--bogus" }, "--bogus" },
		{ __LINE__, { "-x" }, "-x" },
		{ __LINE__, { "--flag=1" }, "--flag" },
		{ __LINE__, { "--number" }, "lacks its argument" },
		{ __LINE__, { "--number", "65" }, "from 1 to 64" },
		{ __LINE__, { "--number", "" }, "from 1 to 64" },
		{ __LINE__, { "--choice", "blue" }, "red, green" },
		{ __LINE__, { "--choice", "" }, "red, green" },
		{ __LINE__, { "word" }, "'word'" },
		{ __LINE__, { "--flag", "--", "word" }, "'word'" },
		{ __LINE__, { "--string=a\nb", "c" }, "'c'" },
		{ __LINE__, { "a\nb" }, "a?b" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		enum opt_result result;
		struct config config;

		capture_begin(2);
		result = parse(rows[i].args, &config);
		CU_ASSERT(one_line_with(capture_end(), rows[i].says,
					rows[i].line));
		CU_ASSERT_EQUAL(result, OPT_ERROR);
	}
}

static void too_many_in_a_list(void)
{
	static char word[] = "--list=a";
	char *argv[OPT_LIST_MAX + 3] = { word };
	struct config config = { 0 };

	for (size_t i = 1; i < OPT_LIST_MAX + 2; i++)
		argv[i] = word;
	capture_begin(2);
	CU_ASSERT_EQUAL(opt_parse(&table, OPT_LIST_MAX + 2, argv, &config),
			OPT_ERROR);
	CU_ASSERT(one_line_with(capture_end(), "--list", __LINE__));
}

static void help_lists_all(void)
{
	static const char *const args[MAX_ARGS] = { "--help" };
	struct config config;
	const char *text;

	capture_begin(1);
	CU_ASSERT_EQUAL(parse(args, &config), OPT_HELP);
	text = capture_end();
	CU_ASSERT_PTR_NOT_NULL(strstr(text, "usage: pmuvm cmd"));
	for (size_t i = 0; i < ARRAY_SIZE(opts); i++) {
		CU_ASSERT_PTR_NOT_NULL(strstr(text, opts[i].name));
		CU_ASSERT_PTR_NOT_NULL(strstr(text, opts[i].help));
	}
}

static CU_TestInfo tests[] = {
	{ "numbers are decimal digits in range, nothing else", numbers },
	{ "each kind of option sets its field", every_kind },
	{ "wrong options end in one line that names them", wrong_ones },
	{ "a list has an end", too_many_in_a_list },
	{ "help lists every option of the table", help_lists_all },
	CU_TEST_INFO_NULL,
};

CU_SuiteInfo suite_opt = { .pName = "opt", .pTests = tests };
