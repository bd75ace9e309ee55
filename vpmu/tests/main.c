/* SPDX-License-Identifier: Apache-2.0 */
/* Runs every suite; the last line is the verdict. An argument picks the suites
 * whose name contains it. */
#include <CUnit/Basic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/suites.h"

/* clang-format off */
static CU_SuiteInfo *const suites[] = {
	&suite_config,
	&suite_counter,
	&suite_cpuid,
	&suite_models,
	&suite_msr,
	&suite_pmi,
	&suite_program,
	&suite_rdpmc,
	&suite_registers,
	&suite_reset,
	&suite_retire,
	&suite_vpmu,
	&suite_amd_count,
	&suite_amd_cpuid,
	&suite_amd_package,
	&suite_amd_rdpmc,
	&suite_amd_registers,
	&suite_intel_p5,
	&suite_intel_p6,
	&suite_intel_netburst,
	&suite_perf,
	&suite_uncore,
	&suite_kvm_cpuid, &suite_kvm_decode,
	&suite_kvm_frame,
	&suite_kvm_walk,
};
/* clang-format on */

static int add(const CU_SuiteInfo *suite)
{
	CU_SuiteInfo list[] = { *suite, CU_SUITE_INFO_NULL };

	return CU_register_suites(list) == CUE_SUCCESS ? 0 : -1;
}

int main(int argc, char **argv)
{
	unsigned int run, failed;

	if (CU_initialize_registry() != CUE_SUCCESS)
		return EXIT_FAILURE;
	for (size_t i = 0; i < sizeof(suites) / sizeof(*suites); i++) {
		if (argc > 1 && !strstr(suites[i]->pName, argv[1]))
			continue;
		if (add(suites[i])) {
			fprintf(stderr, "vpmu-tests: %s\n", CU_get_error_msg());
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
