/* SPDX-License-Identifier: Apache-2.0 */
/* CPUID of AMD's performance monitoring. */
#include "models/amd.h"

#define ALL UINT32_MAX
#define LEAF_EXT_FEATURES 0x80000021
#define LEAF_TOPOLOGY 0x8000001e
#define LEAF_EXT_PERF 0x80000022

static uint32_t bit(uint32_t on, unsigned int n)
{
	return on ? BIT32(n) : 0;
}

static bool has_v2(const struct vpmu *pmu)
{
	return pmu->shape.version >= 2;
}

/* The largest leaves reach those that a feature is in. */
static uint32_t max_leaf(const struct vpmu *pmu, uint32_t offered)
{
	return pmu->shape.effreq && offered < 6 ? 6 : offered;
}

static bool has_shared(const struct vpmu_shape *s)
{
	return s->nb || s->l3 || s->umc;
}

static uint32_t max_ext_leaf(const struct vpmu *pmu, uint32_t offered)
{
	const struct vpmu_shape *s = &pmu->shape;
	uint32_t need = 0;

	if (has_v2(pmu))
		need = LEAF_EXT_PERF;
	else if (s->precise_retire)
		need = LEAF_EXT_FEATURES;
	else if (has_shared(s))
		need = LEAF_TOPOLOGY;
	return offered > need ? offered : need;
}

static uint32_t eff_freq(const struct vpmu *pmu, uint32_t offered)
{
	(void)offered;
	return bit(pmu->shape.effreq, 0);
}

/* TopologyExtensions, without which Linux leaves shared counters alone. */
static uint32_t topology_ext(const struct vpmu *pmu, uint32_t offered)
{
	return has_shared(&pmu->shape) ? BIT32(22) : offered;
}

static uint32_t counters(const struct vpmu *pmu, uint32_t offered)
{
	const struct vpmu_shape *s = &pmu->shape;

	(void)offered;
	return bit(s->ext_core, 23) | bit(s->nb, 24) | bit(s->ptsc, 27) |
	       bit(s->l3, 28);
}

static uint32_t eff_freq_ro(const struct vpmu *pmu, uint32_t offered)
{
	(void)offered;
	return bit(pmu->shape.effreq, 10);
}

static uint32_t inst_ret_cnt_msr(const struct vpmu *pmu, uint32_t offered)
{
	(void)offered;
	return bit(pmu->shape.irperf, 1);
}

static uint32_t precise_retire(const struct vpmu *pmu, uint32_t offered)
{
	(void)offered;
	return bit(pmu->shape.precise_retire, 12);
}

static uint32_t ext_perf_eax(const struct vpmu *pmu, uint32_t offered)
{
	(void)offered;
	return bit(has_v2(pmu), 0) | bit(pmu->shape.freeze, 2);
}

static uint32_t ext_perf_ebx(const struct vpmu *pmu, uint32_t offered)
{
	const struct vpmu_shape *s = &pmu->shape;

	(void)offered;
	if (!has_v2(pmu))
		return 0;
	return s->gp | s->nb << 10 | (s->umc * UMC_COUNTERS) << 16;
}

static uint32_t ext_perf_ecx(const struct vpmu *pmu, uint32_t offered)
{
	(void)offered;
	return (uint32_t)vpmu_low_bits(pmu->shape.umc);
}

/* clang-format off */
static const struct vpmu_cpuid_row rows[] = {
	/* leaf, subleaf, register, mask, set, value, what */
	{ 0x00000000, ANY_SUBLEAF, CPUID_EAX, ALL, 0, max_leaf, "maximum basic leaf" },
	{ 0x00000006, ANY_SUBLEAF, CPUID_ECX, BIT32(0), 0, eff_freq, "EffFreq" },
	{ 0x80000000, ANY_SUBLEAF, CPUID_EAX, ALL, 0, max_ext_leaf, "maximum extended leaf" },
	{ 0x80000001, ANY_SUBLEAF, CPUID_ECX, BIT32(22), 0, topology_ext, "TopologyExtensions" },
	{ 0x80000001, ANY_SUBLEAF, CPUID_ECX, BIT32(23) | BIT32(24) | BIT32(27) | BIT32(28), 0, counters, "PerfCtrExtCore, PerfCtrExtNB, PerfTsc, PerfCtrExtLLC" },
	{ 0x80000007, ANY_SUBLEAF, CPUID_EDX, BIT32(10), 0, eff_freq_ro, "EffFreqRO" },
	{ 0x80000008, ANY_SUBLEAF, CPUID_EBX, BIT32(1), 0, inst_ret_cnt_msr, "InstRetCntMsr" },
	{ 0x80000021, ANY_SUBLEAF, CPUID_EAX, BIT32(12), 0, precise_retire, "PMC2 PreciseRetire" },
	{ 0x80000022, ANY_SUBLEAF, CPUID_EAX, ALL, 0, ext_perf_eax, "PerfMonV2, LbrAndPmcFreeze" },
	{ 0x80000022, ANY_SUBLEAF, CPUID_EBX, ALL, 0, ext_perf_ebx, "NumPerfCtrCore, NumPerfCtrNB, NumPerfCtrUmc" },
	{ 0x80000022, ANY_SUBLEAF, CPUID_ECX, ALL, 0, ext_perf_ecx, "ActiveUmcMask" },
};
/* clang-format on */

const struct vpmu_cpuid_table vpmu_amd_cpuid = ROWS(rows);
