/* SPDX-License-Identifier: Apache-2.0 */
/* vpmu/kvm/cpuid.c: what of KVM's own features a guest is shown. */
#include <stdlib.h>

#include "kvm/internal.h"
#include "suites.h"

#define ENTRIES 64
#define INTEL 0x756e6547 /* "Genu" */
#define AMD 0x68747541 /* "Auth" */

/* 4000_0001H:EAX of a KVM that offers everything, on this host's vendor. */
static uint32_t features(const char *model, uint32_t host)
{
	struct vpmu_config config = { .size = sizeof(config),
				      .model = model,
				      .backend = vpmu_backend_exact() };
	struct kvm_cpuid2 *cpuid =
		calloc(1, sizeof(*cpuid) + ENTRIES * sizeof(*cpuid->entries));
	struct vpmu_kvm kvm = { 0 };
	uint32_t eax;

	CU_ASSERT_PTR_NOT_NULL_FATAL(cpuid);
	CU_ASSERT_EQUAL_FATAL(vpmu_create(&kvm.config.pmu, &config), 0);
	cpuid->nent = 2;
	cpuid->entries[0].ebx = host;
	cpuid->entries[1].function = 0x40000001;
	cpuid->entries[1].eax = UINT32_MAX;
	CU_ASSERT_EQUAL(vpmu_kvm_cpuid(&kvm, cpuid, ENTRIES), 0);
	eax = cpuid->entries[1].eax;
	vpmu_destroy(kvm.config.pmu);
	free(cpuid);
	return eax;
}

static void same_vendor(void)
{
	/* All but the first clock. */
	CU_ASSERT_EQUAL(features("intel-v5", INTEL), 0xfffffffe);
	CU_ASSERT_EQUAL(features("amd-v2", AMD), 0xfffffffe);
}

static void other_vendor(void)
{
	/* ... and PV_UNHALT, PV_SEND_IPI, PV_SCHED_YIELD, MAP_GPA_RANGE. */
	CU_ASSERT_EQUAL(features("intel-v5", AMD), 0xfffed77e);
	CU_ASSERT_EQUAL(features("amd-v2", INTEL), 0xfffed77e);
}

static CU_TestInfo tests[] = {
	{ "the host's vendor: all but the clock at 11H", same_vendor },
	{ "the other vendor: no hypercalls either", other_vendor },
	CU_TEST_INFO_NULL,
};

CU_SuiteInfo suite_kvm_cpuid = { .pName = "kvm_cpuid", .pTests = tests };
