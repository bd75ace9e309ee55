/* SPDX-License-Identifier: Apache-2.0 */
/* A vPMU with one vCPU, on the exact or the mock backend, and allocations that
 * fail on demand. */
#ifndef VPMU_TESTS_HARNESS_H
#define VPMU_TESTS_HARNESS_H

#include <CUnit/CUnit.h>

#include "backend/backend.h"
#include "core/internal.h"
#include "tests/suites.h"

#define CHECK_AT(at, cond)                                                     \
	CU_assertImplementation(!!(cond), (unsigned int)(at), #cond, __FILE__, \
				"", CU_FALSE)

/* IA32_PERFEVTSELx and PERF_CTL alike */
#define USR BIT(16)
#define OS BIT(17)
#define EDGE BIT(18)
#define INT BIT(20)
#define EN BIT(22)
#define INV BIT(23)
#define CMASK(n) ((uint64_t)(n) << 24)

/* PMC0, 1, 4, 7 and FIXED_CTR0, 2. */
#define SPARSE "intel-v6,gp=2,gp_map=0x93,fixed=1,fixed_map=0x5"

struct harness {
	struct vpmu *pmu;
	struct vpmu_vcpu *vcpu;
	struct mock_host host;
	char log[256]; /* the last line */
	unsigned int logged;
};

/* Exact counting. `model` as in struct vpmu_config; must be right. */
void harness_open(struct harness *h, const char *model);
/* The mock host, which counts every meaning by hardware to begin with. */
void harness_open_mock(struct harness *h, const char *model);
/* Nothing counts. */
void harness_open_bare(struct harness *h, const char *model);
void harness_close(struct harness *h);

/* The value; a test failure if it is not handled. */
uint64_t rdmsr(struct harness *h, uint32_t msr);
enum vpmu_result wrmsr(struct harness *h, uint32_t msr, uint64_t value);
/* At CPL 0; UINT64_MAX if it faults. */
uint64_t rdpmc(struct harness *h, uint32_t ecx);
/* `n` instructions that are no branches. */
void retire(struct harness *h, unsigned int n, uint8_t cpl);
/* A WRMSR that is itself retired, by the order rule. */
void wrmsr_retired(struct harness *h, uint32_t msr, uint64_t value);
/* The counter called `name`. */
struct vpmu_counter_info counter(struct harness *h, const char *name);

/* From now on, the allocation after `n` good ones fails; negative: none. */
void harness_fail_allocation(int n);

/* All models by name, NULL-terminated. */
extern const char *const harness_models[];

#endif
