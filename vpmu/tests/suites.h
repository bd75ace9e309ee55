/* SPDX-License-Identifier: Apache-2.0 */
/* A suite per source file; main.c runs them all. */
#ifndef VPMU_TESTS_SUITES_H
#define VPMU_TESTS_SUITES_H

#include <CUnit/CUnit.h>

extern CU_SuiteInfo suite_amd_count;
extern CU_SuiteInfo suite_amd_cpuid;
extern CU_SuiteInfo suite_amd_package;
extern CU_SuiteInfo suite_amd_rdpmc;
extern CU_SuiteInfo suite_amd_registers;
extern CU_SuiteInfo suite_config;
extern CU_SuiteInfo suite_counter;
extern CU_SuiteInfo suite_cpuid;
extern CU_SuiteInfo suite_intel_netburst;
extern CU_SuiteInfo suite_intel_p5;
extern CU_SuiteInfo suite_intel_p6;
extern CU_SuiteInfo suite_kvm_cpuid;
extern CU_SuiteInfo suite_kvm_decode;
extern CU_SuiteInfo suite_kvm_frame;
extern CU_SuiteInfo suite_kvm_walk;
extern CU_SuiteInfo suite_models;
extern CU_SuiteInfo suite_msr;
extern CU_SuiteInfo suite_perf;
extern CU_SuiteInfo suite_uncore;
extern CU_SuiteInfo suite_pmi;
extern CU_SuiteInfo suite_program;
extern CU_SuiteInfo suite_rdpmc;
extern CU_SuiteInfo suite_registers;
extern CU_SuiteInfo suite_reset;
extern CU_SuiteInfo suite_retire;
extern CU_SuiteInfo suite_vpmu;

#endif
