/* SPDX-License-Identifier: Apache-2.0 */
/* tests.cfg: the cases of `pmuvm test`; guest-tests/ says what they mean. */
#ifndef VMM_SUITE_H
#define VMM_SUITE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct suite_case {
	const char *name;
	unsigned int line; /* of its [name] */
	const char *program; /* file in the directory of tests.cfg */
	const char *args;
	const char *models; /* globs */
	const char *groups; /* names */
	bool exact;
	uint64_t cpus, mem_mib, timeout_s;
	bool summary; /* expect = pass: the guest's SUMMARY decides, too */
	int status; /* the exit status that is expected */
};

struct suite {
	char *text; /* the file; the cases' strings lie in it */
	struct suite_case *cases;
	size_t n;
};

/* 0, or -1 with a message that names file and line. */
int suite_read(struct suite *suite, const char *path);
void suite_fini(struct suite *suite);
/* Does one of the globs in the list, separated by spaces, match? */
bool suite_matches(const char *globs, const char *name);

#endif /* VMM_SUITE_H */
