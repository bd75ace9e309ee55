/* SPDX-License-Identifier: Apache-2.0 */
/* Whether a case has passed: its exit status and its SUMMARY line together. */
#include "verdict.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>

__attribute__((format(printf, 3, 4))) static void
decide(struct verdict *v, enum verdict_kind kind, const char *fmt, ...)
{
	va_list ap;

	v->kind = kind;
	va_start(ap, fmt);
	vsnprintf(v->why, sizeof(v->why), fmt, ap);
	va_end(ap);
}

static const char *last_line(const char *text)
{
	const char *end = text + strlen(text);

	while (end > text && (end[-1] == '\n' || end[-1] == '\r'))
		end--;
	while (end > text && end[-1] != '\n')
		end--;
	return end;
}

/* True: the status is what was expected. */
static bool status_as_expected(struct verdict *v)
{
	int status = v->job.wait_status;

	if (v->job.killed)
		decide(v, VERDICT_FAIL, "it hung and was killed");
	else if (!WIFEXITED(status))
		decide(v, VERDICT_FAIL, "it died of signal %d",
		       WTERMSIG(status));
	else if (WEXITSTATUS(status) != v->test->status)
		decide(v, VERDICT_FAIL, "exit status %d, not %d",
		       WEXITSTATUS(status), v->test->status);
	else
		return true;
	return false;
}

void verdict_decide(struct verdict *v)
{
	unsigned int passed, failed, skipped;

	if (!status_as_expected(v))
		return;
	v->kind = VERDICT_PASS;
	if (!v->test->summary)
		return;
	if (!v->job.out || sscanf(last_line(v->job.out),
				  "SUMMARY: %u passed, %u failed, %u skipped",
				  &passed, &failed, &skipped) != 3)
		decide(v, VERDICT_FAIL, "the last line is no SUMMARY");
	else if (failed)
		decide(v, VERDICT_FAIL, "%u failed", failed);
	else if (!passed && skipped)
		decide(v, VERDICT_SKIP, "all %u checks were skipped", skipped);
	else if (!passed)
		decide(v, VERDICT_FAIL, "nothing was checked");
}
