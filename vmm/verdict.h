/* SPDX-License-Identifier: Apache-2.0 */
/* Whether a case of `pmuvm test` has passed, and how that is printed. */
#ifndef VMM_VERDICT_H
#define VMM_VERDICT_H

#include <stdbool.h>

#include "job.h"
#include "suite.h"

enum verdict_kind { VERDICT_PASS, VERDICT_FAIL, VERDICT_SKIP };

struct verdict {
	const struct suite_case *test;
	const char *model;
	bool done;
	enum verdict_kind kind;
	char why[160]; /* unless passed */
	struct job_result job;
};

/* From the child's wait status and what it printed. */
void verdict_decide(struct verdict *verdict);

struct verdict_totals {
	size_t passed, failed, skipped;
};

/* A format: called with all cases in order, as they are done. */
struct verdict_format {
	const char *name;
	void (*begin)(size_t n);
	void (*one)(const struct verdict *verdict, size_t number);
	void (*end)(const struct verdict_totals *totals);
};

extern const struct verdict_format verdict_formats[];
/* Their names, in the same order, NULL-terminated. */
extern const char *const verdict_format_names[];

#endif /* VMM_VERDICT_H */
