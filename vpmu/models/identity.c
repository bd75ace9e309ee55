/* SPDX-License-Identifier: Apache-2.0 */
/* Who the processor says it is, by vendor: what a guest picks its PMU driver
 * by. */
#include "core/internal.h"

#define ALL UINT32_MAX

/* SDM 2A, "CPUID", leaf 01H:EAX; APM 3, "Processor Signatures". */
static uint32_t signature(const struct vpmu *pmu, uint32_t offered)
{
	const struct vpmu_model *m = pmu->model;
	uint32_t base = m->cpu_family < 0xf ? m->cpu_family : 0xf;

	(void)offered;
	return (m->cpu_family - base) << 20 | (m->cpu_model >> 4) << 16 |
	       base << 8 | (m->cpu_model & 0xf) << 4 | m->stepping;
}

static uint32_t max_leaf(const struct vpmu *pmu, uint32_t offered)
{
	uint32_t need = pmu->model->max_leaf;

	return offered > need ? offered : need;
}

static uint32_t max_ext_leaf(const struct vpmu *pmu, uint32_t offered)
{
	uint32_t need = pmu->model->max_ext_leaf;

	return offered > need ? offered : need;
}

/* clang-format off */
static const struct vpmu_cpuid_row intel[] = {
	/* leaf, subleaf, register, mask, set, value, what */
	{ 0x00, ANY_SUBLEAF, CPUID_EAX, ALL, 0, max_leaf, "maximum basic leaf" },
	{ 0x00, ANY_SUBLEAF, CPUID_EBX, ALL, 0x756e6547, NULL, "Genu" },
	{ 0x00, ANY_SUBLEAF, CPUID_ECX, ALL, 0x6c65746e, NULL, "ntel" },
	{ 0x00, ANY_SUBLEAF, CPUID_EDX, ALL, 0x49656e69, NULL, "ineI" },
	{ 0x01, ANY_SUBLEAF, CPUID_EAX, ALL, 0, signature, "family, model, stepping" },
	{ 0x80000000, ANY_SUBLEAF, CPUID_EAX, ALL, 0, max_ext_leaf, "maximum extended leaf" },
	{ 0x80000000, ANY_SUBLEAF, CPUID_EBX, ALL, 0, NULL, "reserved" },
	{ 0x80000000, ANY_SUBLEAF, CPUID_ECX, ALL, 0, NULL, "reserved" },
	{ 0x80000000, ANY_SUBLEAF, CPUID_EDX, ALL, 0, NULL, "reserved" },
	{ 0x80000001, ANY_SUBLEAF, CPUID_EAX, ALL, 0, NULL, "reserved" },
};

static const struct vpmu_cpuid_row amd[] = {
	{ 0x00, ANY_SUBLEAF, CPUID_EAX, ALL, 0, max_leaf, "maximum basic leaf" },
	{ 0x00, ANY_SUBLEAF, CPUID_EBX, ALL, 0x68747541, NULL, "Auth" },
	{ 0x00, ANY_SUBLEAF, CPUID_ECX, ALL, 0x444d4163, NULL, "cAMD" },
	{ 0x00, ANY_SUBLEAF, CPUID_EDX, ALL, 0x69746e65, NULL, "enti" },
	{ 0x01, ANY_SUBLEAF, CPUID_EAX, ALL, 0, signature, "family, model, stepping" },
	{ 0x80000000, ANY_SUBLEAF, CPUID_EAX, ALL, 0, max_ext_leaf, "maximum extended leaf" },
	{ 0x80000000, ANY_SUBLEAF, CPUID_EBX, ALL, 0x68747541, NULL, "Auth" },
	{ 0x80000000, ANY_SUBLEAF, CPUID_ECX, ALL, 0x444d4163, NULL, "cAMD" },
	{ 0x80000000, ANY_SUBLEAF, CPUID_EDX, ALL, 0x69746e65, NULL, "enti" },
	{ 0x80000001, ANY_SUBLEAF, CPUID_EAX, ALL, 0, signature, "family, model, stepping" },
};
/* clang-format on */

const struct vpmu_cpuid_table vpmu_cpuid_intel = ROWS(intel);
const struct vpmu_cpuid_table vpmu_cpuid_amd = ROWS(amd);
