/* SPDX-License-Identifier: Apache-2.0 */
/* Verdicts: lines PASS, FAIL, SKIP, a SUMMARY, and the exit code. */
#ifndef LIB_REPORT_H
#define LIB_REPORT_H

#include "lib/print.h"
#include "lib/types.h"

/* What the image writes to the debug-exit port. */
enum exit_code {
	EXIT_PASSED = 0,
	EXIT_FAILED = 1,
	EXIT_ABORTED = 2,
};

/* Names are formatted as by print(). */
void report(bool ok, const char *name, ...) PRINT_FORMAT(2, 3);
/* Fails with "got X want Y", in hexadecimal. */
void report_eq(u64 got, u64 want, const char *name, ...) PRINT_FORMAT(3, 4);
/* The same with both numbers in decimal, for counts. */
void report_count(u64 got, u64 want, const char *name, ...) PRINT_FORMAT(3, 4);
/* `got` and `want` are vectors, 0 for none: "got #UD want none". */
void report_vector(u32 got, u32 want, const char *name, ...) PRINT_FORMAT(3, 4);
void report_skip(const char *why, const char *name, ...) PRINT_FORMAT(2, 3);
/* As report(), and explains a failure. */
void report_why(bool ok, const char *why, const char *name, ...)
	PRINT_FORMAT(3, 4);

/* "#GP", "none" ... */
const char *vector_name(u32 vector);

/* Print the SUMMARY line and exit with what it says. */
void report_summary(void) __attribute__((noreturn));
/* Print why and exit with EXIT_ABORTED. */
void report_abort(const char *format, ...) __attribute__((noreturn))
PRINT_FORMAT(1, 2);
/* Write `code` to the debug-exit port, then stand still. */
void debug_exit(u32 code) __attribute__((noreturn));

/*
 * Sums up a sweep of many checks in one line: note each, then report the
 * sweep, which fails with the first one that was wrong.
 */
struct sweep {
	u32 checks;
	u32 wrong;
	char first[120];
};

void sweep_note(struct sweep *sweep, bool ok, const char *format, ...)
	PRINT_FORMAT(3, 4);
void sweep_report(const struct sweep *sweep, const char *name, ...)
	PRINT_FORMAT(2, 3);

#endif /* LIB_REPORT_H */
