/* SPDX-License-Identifier: Apache-2.0 */
/* The suites, and what they share. */
#ifndef VMM_TESTS_SUITES_H
#define VMM_TESTS_SUITES_H

#include <CUnit/CUnit.h>
#include <stdbool.h>
#include <stddef.h>

extern CU_SuiteInfo suite_bus;
extern CU_SuiteInfo suite_dev;
extern CU_SuiteInfo suite_linux;
extern CU_SuiteInfo suite_load;
extern CU_SuiteInfo suite_load_bad;
extern CU_SuiteInfo suite_opt;
extern CU_SuiteInfo suite_ram;
extern CU_SuiteInfo suite_stop;
extern CU_SuiteInfo suite_suite;
extern CU_SuiteInfo suite_topology;
extern CU_SuiteInfo suite_verdict;

/* What goes to a descriptor (1 or 2) from here on is kept. */
void capture_begin(int fd);
/* ... until here; the text is valid until the next capture. */
const char *capture_end(void);
/* Is it one line, and does it hold `part`? Prints what is wrong. */
bool one_line_with(const char *text, const char *part, int line);

/* A file with these bytes, as a path; valid until the next temp_close(). */
const char *temp_file(const void *bytes, size_t n);
void temp_close(void);

#endif /* VMM_TESTS_SUITES_H */
