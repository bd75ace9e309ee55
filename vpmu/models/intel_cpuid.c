/* SPDX-License-Identifier: Apache-2.0 */
/* CPUID of Intel's architectural performance monitoring: leaves 0AH and 23H,
 * and the bits elsewhere that go with them. */
#include "models/intel.h"

#define ALL UINT32_MAX
#define LEAF_EXT 0x23
#define ANY_THREAD_DEPRECATED BIT32(15)
/* Subleaves 0 (itself), 1 (counters) and 3 (events). */
#define EXT_SUBLEAVES 0xbu

static bool has_leaf_23h(const struct vpmu *pmu)
{
	return pmu->shape.version >= 6;
}

static uint32_t at_least(uint32_t offered, uint32_t least)
{
	return offered > least ? offered : least;
}

static uint32_t max_leaf(const struct vpmu *pmu, uint32_t offered)
{
	return has_leaf_23h(pmu) ? at_least(offered, LEAF_EXT) : offered;
}

static uint32_t max_subleaf_7(const struct vpmu *pmu, uint32_t offered)
{
	return has_leaf_23h(pmu) ? at_least(offered, 1) : offered;
}

/* HLE's prefixes are hints, which any processor may ignore; that RTM works
 * depends on the host, so it is not shown. */
static uint32_t hle(const struct vpmu *pmu, uint32_t offered)
{
	(void)offered;
	return pmu->shape.tsx ? BIT32(4) : 0;
}

static uint32_t arch_perfmon_ext(const struct vpmu *pmu, uint32_t offered)
{
	(void)offered;
	return has_leaf_23h(pmu) ? BIT32(8) : 0;
}

/* Without these, Linux warns of an Arrow Lake that is neither of its CPUs. */
static uint32_t hybrid(const struct vpmu *pmu, uint32_t offered)
{
	(void)offered;
	return pmu->model->core_type ? BIT32(15) : 0;
}

/* The native model id, EAX[23:0], is 0: unverified. */
static uint32_t core_type(const struct vpmu *pmu, uint32_t offered)
{
	(void)offered;
	return pmu->model->core_type << 24;
}

static uint32_t pdcm(const struct vpmu *pmu, uint32_t offered)
{
	(void)offered;
	return pmu->shape.pdcm ? BIT32(15) : 0;
}

static uint32_t leaf_0a_eax(const struct vpmu *pmu, uint32_t offered)
{
	const struct vpmu_shape *s = &pmu->shape;

	(void)offered;
	return s->version | s->gp << 8 | s->gp_width << 16 |
	       s->arch_events << 24;
}

/* Those that something here can count. */
static uint32_t events_available(const struct vpmu *pmu)
{
	const struct vpmu_event_table *arch = &vpmu_events_intel_arch;
	uint32_t available = 0;

	for (uint32_t i = 0; i < pmu->shape.arch_events; i++)
		if (pmu->available[arch->rows[i].meaning] !=
		    VPMU_HEALTH_UNAVAILABLE)
			available |= BIT32(i);
	return available;
}

/* 1: not available. */
static uint32_t leaf_0a_ebx(const struct vpmu *pmu, uint32_t offered)
{
	(void)offered;
	return (uint32_t)vpmu_low_bits(pmu->shape.arch_events) &
	       ~events_available(pmu);
}

/* From version 6 on leaf 0AH tells what all core types of a hybrid processor
 * have, which is the first `fixed` ones; leaf 23H tells all. */
static uint32_t leaf_0a_ecx(const struct vpmu *pmu, uint32_t offered)
{
	const struct vpmu_shape *s = &pmu->shape;

	(void)offered;
	if (s->version < 5)
		return 0;
	return (uint32_t)(has_leaf_23h(pmu) ? vpmu_low_bits(s->fixed)
					    : vpmu_shape_fixed(s));
}

static uint32_t leaf_0a_edx(const struct vpmu *pmu, uint32_t offered)
{
	const struct vpmu_shape *s = &pmu->shape;
	uint32_t edx = vpmu_shape_fixed(s) ? s->fixed | s->fixed_width << 5 : 0;

	(void)offered;
	if (s->version >= 3 && !s->any_thread)
		edx |= ANY_THREAD_DEPRECATED;
	return edx;
}

static uint32_t leaf_23_0_eax(const struct vpmu *pmu, uint32_t offered)
{
	(void)offered;
	return has_leaf_23h(pmu) ? EXT_SUBLEAVES : 0;
}

static uint32_t leaf_23_0_ebx(const struct vpmu *pmu, uint32_t offered)
{
	const struct vpmu_shape *s = &pmu->shape;

	(void)offered;
	return s->umask2 | s->eq << 1 | s->user_disable << 2;
}

static uint32_t leaf_23_1_eax(const struct vpmu *pmu, uint32_t offered)
{
	(void)offered;
	return has_leaf_23h(pmu) ? (uint32_t)vpmu_shape_gp(&pmu->shape) : 0;
}

static uint32_t leaf_23_1_ebx(const struct vpmu *pmu, uint32_t offered)
{
	(void)offered;
	return has_leaf_23h(pmu) ? (uint32_t)vpmu_shape_fixed(&pmu->shape) : 0;
}

/* 1: available. */
static uint32_t leaf_23_3_eax(const struct vpmu *pmu, uint32_t offered)
{
	(void)offered;
	return has_leaf_23h(pmu) ? events_available(pmu) : 0;
}

/* clang-format off */
static const struct vpmu_cpuid_row rows[] = {
	/* leaf, subleaf, register, mask, set, value, what */
	{ 0x00, ANY_SUBLEAF, CPUID_EAX, ALL, 0, max_leaf, "maximum basic leaf" },
	{ 0x01, ANY_SUBLEAF, CPUID_ECX, BIT32(15), 0, pdcm, "PDCM" },
	{ 0x07, 0, CPUID_EAX, ALL, 0, max_subleaf_7, "maximum subleaf" },
	{ 0x07, 0, CPUID_EBX, BIT32(4), 0, hle, "HLE" },
	{ 0x07, 0, CPUID_EDX, BIT32(15), 0, hybrid, "hybrid" },
	{ 0x07, 1, CPUID_EAX, BIT32(8), 0, arch_perfmon_ext, "ArchPerfmonExt" },
	{ 0x0a, ANY_SUBLEAF, CPUID_EAX, ALL, 0, leaf_0a_eax, "version, counters, width, events" },
	{ 0x0a, ANY_SUBLEAF, CPUID_EBX, ALL, 0, leaf_0a_ebx, "events not available" },
	{ 0x0a, ANY_SUBLEAF, CPUID_ECX, ALL, 0, leaf_0a_ecx, "fixed counter bitmap" },
	{ 0x0a, ANY_SUBLEAF, CPUID_EDX, ALL, 0, leaf_0a_edx, "fixed counters, width, AnyThread" },
	{ 0x1a, ANY_SUBLEAF, CPUID_EAX, ALL, 0, core_type, "core type" },
	{ 0x23, 0, CPUID_EAX, ALL, 0, leaf_23_0_eax, "subleaves" },
	{ 0x23, 0, CPUID_EBX, ALL, 0, leaf_23_0_ebx, "UMASK2, EQ, RDPMC user disable" },
	{ 0x23, 1, CPUID_EAX, ALL, 0, leaf_23_1_eax, "counter bitmap" },
	{ 0x23, 1, CPUID_EBX, ALL, 0, leaf_23_1_ebx, "fixed counter bitmap" },
	{ 0x23, 3, CPUID_EAX, ALL, 0, leaf_23_3_eax, "events available" },
};
/* clang-format on */

const struct vpmu_cpuid_table vpmu_intel_arch_cpuid = ROWS(rows);
