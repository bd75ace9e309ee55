/* SPDX-License-Identifier: Apache-2.0 */
/* Runs every suite; the last line is the verdict. An argument picks the suites
 * whose name contains it. */
#include <CUnit/Basic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "suites.h"

static CU_SuiteInfo *const suites[] = {
	&suite_bus,	 &suite_dev,	  &suite_linux,	  &suite_load,
	&suite_load_bad, &suite_opt,	  &suite_ram,	  &suite_stop,
	&suite_suite,	 &suite_topology, &suite_verdict,
};

int main(int argc, char **argv)
{
	unsigned int run, failed;

	if (CU_initialize_registry() != CUE_SUCCESS)
		return EXIT_FAILURE;
	for (size_t i = 0; i < sizeof(suites) / sizeof(*suites); i++) {
		CU_SuiteInfo list[] = { *suites[i], CU_SUITE_INFO_NULL };

		if (argc > 1 && !strstr(suites[i]->pName, argv[1]))
			continue;
		if (CU_register_suites(list) != CUE_SUCCESS) {
			fprintf(stderr, "vmm-tests: %s\n", CU_get_error_msg());
			return EXIT_FAILURE;
		}
	}
	CU_basic_set_mode(CU_BRM_NORMAL);
	CU_basic_run_tests();
	run = CU_get_number_of_tests_run();
	failed = CU_get_number_of_tests_failed() +
		 CU_get_number_of_suites_failed();
	CU_cleanup_registry();
	printf("%u passed, %u failed\n", run < failed ? 0 : run - failed,
	       failed);
	return run && !failed ? EXIT_SUCCESS : EXIT_FAILURE;
}
