/* SPDX-License-Identifier: Apache-2.0 */
/* vmm/verdict*.c: exit status and SUMMARY together, and the formats. */
#include <signal.h>
#include <string.h>

#include "suites.h"
#include "util.h"
#include "verdict.h"

#define EXITED(status) ((status) << 8)

static const struct suite_case passing = { .name = "t",
					   .summary = true,
					   .status = 1 };
static const struct suite_case timing_out = { .name = "t", .status = 8 };

/* Outputs are only read. */
static char *out(const char *text)
{
	static char copy[256];

	strcpy(copy, text);
	return copy;
}

static void status_and_summary(void)
{
	static const struct {
		int line;
		int wait_status;
		const char *out;
		enum verdict_kind kind;
	} rows[] = {
		{ __LINE__, EXITED(1),
		  "SUMMARY: 3 passed, 0 failed, 1 skipped\n", VERDICT_PASS },
		{ __LINE__, EXITED(1),
		  "x\nSUMMARY: 3 passed, 0 failed, 0 skipped\r\n",
		  VERDICT_PASS },
		{ __LINE__, EXITED(1),
		  "SUMMARY: 3 passed, 1 failed, 0 skipped\n", VERDICT_FAIL },
		{ __LINE__, EXITED(3),
		  "SUMMARY: 3 passed, 0 failed, 0 skipped\n", VERDICT_FAIL },
		{ __LINE__, EXITED(0),
		  "SUMMARY: 3 passed, 0 failed, 0 skipped\n", VERDICT_FAIL },
		{ __LINE__, EXITED(1), "", VERDICT_FAIL },
		{ __LINE__, EXITED(1), "PASS a\n", VERDICT_FAIL },
		{ __LINE__, EXITED(1),
		  "SUMMARY: 3 passed, 0 failed, 0 skipped\nmore\n",
		  VERDICT_FAIL },
		{ __LINE__, EXITED(1),
		  "SUMMARY: 0 passed, 0 failed, 2 skipped\n", VERDICT_SKIP },
		{ __LINE__, EXITED(1),
		  "SUMMARY: 0 passed, 0 failed, 0 skipped\n", VERDICT_FAIL },
		{ __LINE__, SIGSEGV, "SUMMARY: 3 passed, 0 failed, 0 skipped\n",
		  VERDICT_FAIL },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct verdict v = { .test = &passing, .model = "m" };

		v.job.wait_status = rows[i].wait_status;
		v.job.out = out(rows[i].out);
		verdict_decide(&v);
		CU_assertImplementation(v.kind == rows[i].kind,
					(unsigned int)rows[i].line, "row",
					__FILE__, "", CU_FALSE);
		CU_ASSERT_EQUAL(!*v.why, v.kind == VERDICT_PASS);
	}
}

static void other_expectations(void)
{
	struct verdict v = { .test = &timing_out, .model = "m" };

	v.job.wait_status = EXITED(8);
	verdict_decide(&v);
	CU_ASSERT_EQUAL(v.kind, VERDICT_PASS);
	v.job.killed = true;
	verdict_decide(&v);
	CU_ASSERT_EQUAL(v.kind, VERDICT_FAIL);
}

/* A case that passed and one that failed, in this format. */
static const char *print(int format)
{
	const struct verdict_format *f = &verdict_formats[format];
	struct verdict good = { .test = &passing, .model = "m" };
	struct verdict bad = good;
	const struct verdict_totals totals = { 1, 1, 0 };

	bad.kind = VERDICT_FAIL;
	strcpy(bad.why, "because");
	bad.job.out = out("FAIL early \"q\"\n1\n2\n3\n4\n5\n6\n7\n8");
	capture_begin(1);
	f->begin(2);
	f->one(&good, 1);
	f->one(&bad, 2);
	f->end(&totals);
	return capture_end();
}

static void formats(void)
{
	const char *text = print(0);

	CU_ASSERT_PTR_NOT_NULL(strstr(text, "PASS m t (0.0 s)\n"));
	CU_ASSERT_PTR_NOT_NULL(strstr(text, "FAIL m t (0.0 s): because\n"));
	CU_ASSERT_PTR_NOT_NULL(strstr(text, "  | FAIL early \"q\"\n  | 1\n"));
	CU_ASSERT_PTR_NOT_NULL(strstr(text, "  | 8\n1 passed, 1 failed\n"));
	text = print(1);
	CU_ASSERT_PTR_NOT_NULL(strstr(text, "TAP version 13\n1..2\nok 1 - "));
	CU_ASSERT_PTR_NOT_NULL(strstr(text, "\nnot ok 2 - m t\n# because\n"));
	text = print(2);
	CU_ASSERT_PTR_NOT_NULL(strstr(text, "FAIL early \\\"q\\\"\\n1\\n"));
	CU_ASSERT_EQUAL(text[0], '[');
	CU_ASSERT_STRING_EQUAL(text + strlen(text) - 2, "]\n");
}

static CU_TestInfo tests[] = {
	{ "exit status and SUMMARY decide together", status_and_summary },
	{ "other expectations ask for the status alone", other_expectations },
	{ "text, TAP and JSON", formats },
	CU_TEST_INFO_NULL,
};

CU_SuiteInfo suite_verdict = { .pName = "verdict", .pTests = tests };
