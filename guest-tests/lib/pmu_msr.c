// SPDX-License-Identifier: Apache-2.0
/* Which MSRs the PMU has and which of their bits: rows, unfolded by unit. */
#include "lib/cpuid.h"
#include "lib/pmu.h"

/* STATUS bits */
#define STATUS_METRICS BIT(48)
#define STATUS_TOPA BIT(55)
#define STATUS_LBR_FRZ BIT(58)
#define STATUS_CTR_FRZ BIT(59)
#define STATUS_ASCI BIT(60)
#define STATUS_UNCORE BIT(61)
#define STATUS_OVF_BUF BIT(62)
#define STATUS_COND_CHGD BIT(63)

/* A row is `units` registers, first + stride * unit. */
struct msr_row {
	u32 first;
	u32 stride;
	const char *name;
	enum pmu_msr_kind kind;
	u32 (*units)(void); /* bitmap */
	u64 (*writable)(u32 unit);
	u64 (*maybe)(u32 unit); /* NULL: no bit in doubt */
};

struct pmu_msr pmu_msrs[256];
u32 pmu_msr_count;

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
	return pmu.capabilities & PCAP_METRICS ? 1 : 0;
}

static u32 map_pdcm(void)
{
	return pmu.pdcm;
}

static u32 map_version(u32 least)
{
	return pmu.vendor == VENDOR_INTEL && pmu.version >= least;
}

static u32 map_v2(void)
{
	return map_version(2);
}

static u32 map_v4(void)
{
	return map_version(4);
}

static u32 map_gp_v6(void)
{
	return map_version(6) ? pmu.gp_map : 0;
}

static u32 map_fixed_v6(void)
{
	return map_version(6) ? pmu.fixed_map : 0;
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
	if (pmu.ext_flags & BIT(1)) /* EQ */
		bits |= BIT(36);
	if (pmu.ext_flags & BIT(2)) /* RDPMC user disable */
		bits |= BIT(37);
	if (pmu.ext_flags & BIT(0)) /* UMASK2 */
		bits |= UINT64_C(0xff) << 40;
	return bits;
}

static u64 bits_fixed_ctrl(u32 unit)
{
	u64 bits = 0;

	(void)unit;
	for (u32 i = 0; i < 8; i++) {
		if (!(pmu.fixed_map & BIT(i)))
			continue;
		bits |= (pmu.any_thread ? UINT64_C(0xf) : UINT64_C(0xb))
			<< (4 * i);
		if (pmu.capabilities & PCAP_PEBS_BASELINE)
			bits |= BIT(32 + 4 * i);
		if (pmu.ext_flags & BIT(2))
			bits |= BIT(33 + 4 * i);
	}
	if (pmu.capabilities & PCAP_METRICS_CLEAR)
		bits |= BIT(14);
	return bits;
}

static u64 bits_global_ctrl(u32 unit)
{
	(void)unit;
	return pmu.gp_map | (u64)pmu.fixed_map << 32 |
	       (pmu.capabilities & PCAP_METRICS ? STATUS_METRICS : 0);
}

static u64 bits_ovf_ctrl(u32 unit)
{
	u64 bits = bits_global_ctrl(unit) | STATUS_OVF_BUF | STATUS_COND_CHGD;
	u32 features = cpuid_checked(7, 0).ebx;

	if (pmu.version >= 4)
		bits |= STATUS_LBR_FRZ | STATUS_CTR_FRZ;
	if (pmu.version >= 4 && features & BIT(2)) /* SGX */
		bits |= STATUS_ASCI;
	if (features & BIT(25)) /* PT */
		bits |= STATUS_TOPA;
	return bits;
}

static u64 maybe_ovf_ctrl(u32 unit)
{
	(void)unit;
	return pmu.version >= 3 ? STATUS_UNCORE : 0;
}

/* The manual's table and its figure differ about bit 63. */
static u64 maybe_status_set(u32 unit)
{
	return maybe_ovf_ctrl(unit) | STATUS_COND_CHGD;
}

static u32 map_legacy(void)
{
	return pmu.present ? 0xf : 0;
}

static u32 map_ext_core(void)
{
	return pmu.ext_core ? pmu.gp_map : 0;
}

static u32 map_perfmon_v2(void)
{
	return pmu.v2;
}

static u32 map_l3(void)
{
	return pmu.l3_map;
}

static u32 map_nb(void)
{
	return pmu.nb_map;
}

static u64 bits_perf_ctl(u32 unit)
{
	/* PreciseRetire exists in PERF_CTL2 only. */
	if (unit == 2 && cpuid_checked(0x80000021, 0).eax & BIT(12))
		return 0x0000080fffd7ffff;
	return 0x0000000fffd7ffff;
}

/* GuestOnly and HostOnly may be kept or dropped. */
static u64 maybe_perf_ctl(u32 unit)
{
	(void)unit;
	return BIT(40) | BIT(41);
}

static u64 bits_uncore_ctl(u32 unit)
{
	(void)unit;
	return 0x0040ffff;
}

static u64 bits_uncore_ctr(u32 unit)
{
	(void)unit;
	return MASK(48);
}

static u64 bits_amd_global(u32 unit)
{
	(void)unit;
	return pmu.gp_map;
}

static u64 maybe_all_else(u32 unit)
{
	return ~bits_uncore_ctl(unit);
}

static u64 maybe_bit_48(u32 unit)
{
	(void)unit;
	return BIT(48);
}

/* clang-format off */
static const struct msr_row intel_rows[] = {
	{ 0x0c1, 1, "IA32_PMC", MSR_SEXT32, map_gp, bits_gp, NULL },
	{ 0x186, 1, "IA32_PERFEVTSEL", MSR_RW, map_gp, bits_evtsel, NULL },
	{ 0x309, 1, "IA32_FIXED_CTR", MSR_RW, map_fixed, bits_fixed, NULL },
	{ 0x329, 1, "MSR_PERF_METRICS", MSR_RW, map_metrics, bits_all, NULL },
	{ 0x345, 1, "IA32_PERF_CAPABILITIES", MSR_RO, map_pdcm, bits_none, NULL },
	{ 0x38d, 1, "IA32_FIXED_CTR_CTRL", MSR_RW, map_v2, bits_fixed_ctrl, NULL },
	{ 0x38e, 1, "IA32_PERF_GLOBAL_STATUS", MSR_RO, map_v2, bits_none, NULL },
	{ 0x38f, 1, "IA32_PERF_GLOBAL_CTRL", MSR_RW, map_v2, bits_global_ctrl, NULL },
	{ 0x390, 1, "IA32_PERF_GLOBAL_OVF_CTRL", MSR_W1, map_v2, bits_ovf_ctrl, maybe_ovf_ctrl },
	{ 0x391, 1, "IA32_PERF_GLOBAL_STATUS_SET", MSR_W1, map_v4, bits_ovf_ctrl, maybe_status_set },
	{ 0x392, 1, "IA32_PERF_GLOBAL_INUSE", MSR_RO, map_v4, bits_none, NULL },
	{ 0x4c1, 1, "IA32_A_PMC", MSR_RW, map_fw_write, bits_gp, NULL },
	{ 0x1900, 4, "IA32_PMC_GP_CTR", MSR_RW, map_gp_v6, bits_gp, NULL },
	{ 0x1901, 4, "IA32_PMC_GP_CFG_A", MSR_RW, map_gp_v6, bits_evtsel, NULL },
	{ 0x1980, 4, "IA32_PMC_FX_CTR", MSR_RW, map_fixed_v6, bits_fixed, NULL },
};

static const struct msr_row amd_rows[] = {
	{ 0xc0000300, 1, "PerfCntrGlobalStatus", MSR_RO_IGNORED, map_perfmon_v2, bits_none, NULL },
	{ 0xc0000301, 1, "PerfCntrGlobalCtl", MSR_RW, map_perfmon_v2, bits_amd_global, NULL },
	{ 0xc0000302, 1, "PerfCntrGlobalStatusClr", MSR_W1, map_perfmon_v2, bits_amd_global, NULL },
	{ 0xc0000303, 1, "PerfCntrGlobalStatusSet", MSR_W1, map_perfmon_v2, bits_amd_global, NULL },
	{ 0xc0010000, 1, "PERF_LEGACY_CTL", MSR_RW, map_legacy, bits_perf_ctl, maybe_perf_ctl },
	{ 0xc0010004, 1, "PERF_LEGACY_CTR", MSR_RW, map_legacy, bits_gp, NULL },
	{ 0xc0010200, 2, "PERF_CTL", MSR_RW, map_ext_core, bits_perf_ctl, maybe_perf_ctl },
	{ 0xc0010201, 2, "PERF_CTR", MSR_RW, map_ext_core, bits_gp, NULL },
	{ 0xc0010230, 2, "L3_PERF_CTL", MSR_RW, map_l3, bits_uncore_ctl, maybe_all_else },
	{ 0xc0010231, 2, "L3_PERF_CTR", MSR_RW, map_l3, bits_uncore_ctr, maybe_bit_48 },
	{ 0xc0010240, 2, "NB_PERF_CTL", MSR_RW, map_nb, bits_uncore_ctl, maybe_all_else },
	{ 0xc0010241, 2, "NB_PERF_CTR", MSR_RW, map_nb, bits_uncore_ctr, NULL },
};
/* clang-format on */

static void unfold(const struct msr_row *row)
{
	u32 units = row->units();

	for (u32 unit = 0; unit < 32; unit++) {
		if (!(units & BIT(unit)))
			continue;
		pmu_msrs[pmu_msr_count++] = (struct pmu_msr){
			.msr = row->first + row->stride * unit,
			.unit = unit,
			.name = row->name,
			.kind = row->kind,
			.writable = row->writable(unit),
			.maybe = row->maybe ? row->maybe(unit) : 0,
		};
	}
}

void pmu_msr_init(void)
{
	const struct msr_row *rows = intel_rows;
	size_t count = ARRAY_SIZE(intel_rows);

	if (!pmu.present)
		return;
	if (pmu.vendor == VENDOR_AMD) {
		rows = amd_rows;
		count = ARRAY_SIZE(amd_rows);
	}
	for (size_t i = 0; i < count; i++)
		unfold(&rows[i]);
}

const struct pmu_msr *pmu_msr_find(u32 msr)
{
	for (u32 i = 0; i < pmu_msr_count; i++)
		if (pmu_msrs[i].msr == msr)
			return &pmu_msrs[i];
	return NULL;
}
