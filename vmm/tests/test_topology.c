/* SPDX-License-Identifier: Apache-2.0 */
/* vmm/topology.c: what tells vCPUs apart. */
#include <stdlib.h>

#include "suites.h"
#include "topology.h"
#include "util.h"

#define SIGNIFICANT KVM_CPUID_FLAG_SIGNIFCANT_INDEX

static const struct kvm_cpuid_entry2 host[] = {
	{ .function = 0x0, .eax = 0xd },
	{ .function = 0x1, .eax = 0x1234, .ebx = 0xaabb0800 },
	{ .function = 0x4,
	  .index = 0,
	  .flags = SIGNIFICANT,
	  .eax = 0xfc004121 },
	{ .function = 0x4,
	  .index = 3,
	  .flags = SIGNIFICANT,
	  .eax = 0xfc1fc163 },
	{ .function = 0x4, .index = 4, .flags = SIGNIFICANT },
	{ .function = 0xb, .index = 0, .flags = SIGNIFICANT },
	{ .function = 0xb, .index = 1, .flags = SIGNIFICANT },
	{ .function = 0xb, .index = 2, .flags = SIGNIFICANT },
	{ .function = 0x80000008, .eax = 0x3030, .ecx = 0x700f },
	{ .function = 0x8000001d,
	  .index = 2,
	  .flags = SIGNIFICANT,
	  .eax = 0x0000c143 },
	{ .function = 0x8000001e, .eax = 0x77, .ebx = 0x1ff, .ecx = 0x101 },
};

static struct kvm_cpuid2 *patched(unsigned int index, unsigned int n)
{
	struct kvm_cpuid2 *cpuid = calloc(1, sizeof(*cpuid) + sizeof(host));

	CU_ASSERT_PTR_NOT_NULL_FATAL(cpuid);
	cpuid->nent = ARRAY_SIZE(host);
	for (size_t i = 0; i < ARRAY_SIZE(host); i++)
		cpuid->entries[i] = host[i];
	/* Again and again, as for one vCPU after the other. */
	topology_patch(cpuid, 0, n);
	topology_patch(cpuid, index, n);
	return cpuid;
}

static void third_of_five(void)
{
	struct kvm_cpuid2 *cpuid = patched(2, 5);
	const struct kvm_cpuid_entry2 *e = cpuid->entries;

	CU_ASSERT_EQUAL(e[1].eax, 0x1234);
	CU_ASSERT_EQUAL(e[1].ebx, 0x02050800);
	CU_ASSERT_EQUAL(e[1].ecx, 0x80200000);
	CU_ASSERT_EQUAL(e[1].edx, 1u << 28);
	CU_ASSERT_EQUAL(e[2].eax, 0x10000121);
	CU_ASSERT_EQUAL(e[3].eax, 0x10010163);
	CU_ASSERT_EQUAL(e[4].eax, 0);
	CU_ASSERT_EQUAL(e[5].eax, 0);
	CU_ASSERT_EQUAL(e[5].ebx, 1);
	CU_ASSERT_EQUAL(e[5].ecx, 0x100);
	CU_ASSERT_EQUAL(e[5].edx, 2);
	CU_ASSERT_EQUAL(e[6].eax, 3);
	CU_ASSERT_EQUAL(e[6].ebx, 5);
	CU_ASSERT_EQUAL(e[6].ecx, 0x201);
	CU_ASSERT_EQUAL(e[7].ecx, 2);
	CU_ASSERT_EQUAL(e[8].ecx, 0x3004);
	CU_ASSERT_EQUAL(e[9].eax, 0x0143);
	CU_ASSERT_EQUAL(e[10].eax, 2);
	CU_ASSERT_EQUAL(e[10].ebx, 2);
	CU_ASSERT_EQUAL(e[10].ecx, 0);
	CU_ASSERT_EQUAL(topology_address_bits(cpuid), 48);
	free(cpuid);
}

static void alone(void)
{
	struct kvm_cpuid2 *cpuid = patched(0, 1);
	const struct kvm_cpuid_entry2 *e = cpuid->entries;

	CU_ASSERT_EQUAL(e[1].ebx, 0x00010800);
	CU_ASSERT_EQUAL(e[1].edx, 0);
	CU_ASSERT_EQUAL(e[6].eax, 0);
	CU_ASSERT_EQUAL(e[6].ebx, 1);
	CU_ASSERT_EQUAL(e[8].ecx, 0);
	free(cpuid);
}

static CU_TestInfo tests[] = {
	{ "the third of five CPUs", third_of_five },
	{ "a CPU alone", alone },
	CU_TEST_INFO_NULL,
};

CU_SuiteInfo suite_topology = { .pName = "topology", .pTests = tests };
