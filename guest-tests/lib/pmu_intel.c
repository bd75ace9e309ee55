// SPDX-License-Identifier: Apache-2.0
/* Intel's PMU registers: which exist, and which of their bits. */
#include "lib/cpuid.h"
#include "lib/pmu_rows.h"

/* STATUS bits */
#define STATUS_TOPA BIT(55)
#define STATUS_LBR_FRZ BIT(58)
#define STATUS_CTR_FRZ BIT(59)
#define STATUS_ASCI BIT(60)
#define STATUS_UNCORE BIT(61)
#define STATUS_OVF_BUF BIT(62)
#define STATUS_COND_CHGD BIT(63)

static u32 map_gp(void)
{
	return pmu.gp_map;
}

static u32 map_fixed(void)
{
	return pmu.fixed_map;
}

static u32 map_fw_write(void)
{
	return pmu.fw_write ? pmu.gp_map : 0;
}

static u32 map_metrics(void)
{
	return pmu.metrics;
}

static u32 map_pdcm(void)
{
	return pmu.pdcm;
}

static u32 map_v1(void)
{
	return pmu.version >= 1;
}

static u32 map_v2(void)
{
	return pmu.version >= 2;
}

static u32 map_v4(void)
{
	return pmu.version >= 4;
}

static u32 map_gp_v6(void)
{
	return pmu.version >= 6 ? pmu.gp_map : 0;
}

static u32 map_fixed_v6(void)
{
	return pmu.version >= 6 ? pmu.fixed_map : 0;
}

static u64 bits_none(u32 unit)
{
	(void)unit;
	return 0;
}

static u64 bits_all(u32 unit)
{
	(void)unit;
	return UINT64_MAX;
}

static u64 bits_gp(u32 unit)
{
	(void)unit;
	return MASK(pmu.gp_width);
}

static u64 bits_fixed(u32 unit)
{
	(void)unit;
	return MASK(pmu.fixed_width);
}

static u64 bits_evtsel(u32 unit)
{
	u64 bits = 0xffdfffff;
	u32 features = cpuid_checked(7, 0).ebx;

	if (pmu.any_thread)
		bits |= EVTSEL_ANY;
	if (pmu.version >= 6)
		bits &= ~EVTSEL_PC;
	if (features & (BIT(4) | BIT(11))) /* HLE, RTM */
		bits |= BIT(32) | (unit == 2 ? BIT(33) : 0);
	if (pmu.capabilities & PCAP_PEBS_BASELINE)
		bits |= BIT(34);
	if (cpuid_checked(0x1c, 0).ecx & 0xf0000)
		bits |= BIT(35);
	if (pmu.ext_flags & EXT_EQ)
		bits |= BIT(36);
	if (pmu.user_disable)
		bits |= EVTSEL_USER_DISABLE;
	if (pmu.ext_flags & EXT_UMASK2)
		bits |= UINT64_C(0xff) << 40;
	return bits;
}

static u64 bits_fixed_ctrl(u32 unit)
{
	u64 bits = pmu.metrics_clear ? FIXED_METRICS_CLEAR : 0;

	(void)unit;
	for (u32 i = 0; i < 8; i++) {
		if (!(pmu.fixed_map & BIT(i)))
			continue;
		bits |= (pmu.any_thread ? UINT64_C(0xf) : UINT64_C(0xb))
			<< (4 * i);
		if (pmu.capabilities & PCAP_PEBS_BASELINE)
			bits |= BIT(32 + 4 * i);
		if (pmu.user_disable)
			bits |= FIXED_USER_DISABLE(i);
	}
	return bits;
}

static u64 bits_global_ctrl(u32 unit)
{
	(void)unit;
	return pmu.gp_map | (u64)pmu.fixed_map << 32 |
	       (pmu.metrics ? GLOBAL_METRICS : 0);
}

static u64 bits_ovf_ctrl(u32 unit)
{
	u64 bits = bits_global_ctrl(unit) | STATUS_OVF_BUF | STATUS_COND_CHGD;
	u32 features = cpuid_checked(7, 0).ebx;

	if (pmu.version >= 3)
		bits |= STATUS_UNCORE;
	if (pmu.version >= 4)
		bits |= STATUS_LBR_FRZ | STATUS_CTR_FRZ;
	if (pmu.version >= 4 && features & BIT(2)) /* SGX */
		bits |= STATUS_ASCI;
	if (features & BIT(25)) /* PT */
		bits |= STATUS_TOPA;
	return bits;
}

static u64 bits_status_set(u32 unit)
{
	return bits_ovf_ctrl(unit) & ~STATUS_COND_CHGD;
}

static u64 bits_debugctl(u32 unit)
{
	u64 bits = 0;

	(void)unit;
	if (pmu.pdcm && pmu.version >= 2)
		bits |= DEBUGCTL_FREEZE_LBRS | DEBUGCTL_FREEZE_PERFMON;
	if (pmu.freeze_smm)
		bits |= DEBUGCTL_FREEZE_SMM;
	return bits;
}

/* LBR and BTF belong to debugging. */
static u64 maybe_debugctl(u32 unit)
{
	(void)unit;
	return DEBUGCTL_LBR | DEBUGCTL_BTF;
}

/* clang-format off */
const struct msr_row intel_rows[] = {
	{ 0x0c1, 1, "IA32_PMC", MSR_SEXT32, map_gp, bits_gp, NULL },
	{ 0x186, 1, "IA32_PERFEVTSEL", MSR_RW, map_gp, bits_evtsel, NULL },
	{ 0x1d9, 1, "IA32_DEBUGCTL", MSR_RW, map_v1, bits_debugctl, maybe_debugctl },
	{ 0x309, 1, "IA32_FIXED_CTR", MSR_RW, map_fixed, bits_fixed, NULL },
	{ 0x329, 1, "MSR_PERF_METRICS", MSR_RW, map_metrics, bits_all, NULL },
	{ 0x345, 1, "IA32_PERF_CAPABILITIES", MSR_RO, map_pdcm, bits_none, NULL },
	{ 0x38d, 1, "IA32_FIXED_CTR_CTRL", MSR_RW, map_v2, bits_fixed_ctrl, NULL },
	{ 0x38e, 1, "IA32_PERF_GLOBAL_STATUS", MSR_RO, map_v2, bits_none, NULL },
	{ 0x38f, 1, "IA32_PERF_GLOBAL_CTRL", MSR_RW, map_v2, bits_global_ctrl, NULL },
	{ 0x390, 1, "IA32_PERF_GLOBAL_OVF_CTRL", MSR_W1, map_v2, bits_ovf_ctrl, NULL },
	{ 0x391, 1, "IA32_PERF_GLOBAL_STATUS_SET", MSR_W1, map_v4, bits_status_set, NULL },
	{ 0x392, 1, "IA32_PERF_GLOBAL_INUSE", MSR_RO, map_v4, bits_none, NULL },
	{ 0x4c1, 1, "IA32_A_PMC", MSR_RW, map_fw_write, bits_gp, NULL },
	{ 0x1900, 4, "IA32_PMC_GP_CTR", MSR_RW, map_gp_v6, bits_gp, NULL },
	{ 0x1901, 4, "IA32_PMC_GP_CFG_A", MSR_RW, map_gp_v6, bits_evtsel, NULL },
	{ 0x1980, 4, "IA32_PMC_FX_CTR", MSR_RW, map_fixed_v6, bits_fixed, NULL },
};
/* clang-format on */
const u32 intel_row_count = ARRAY_SIZE(intel_rows);
