/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where both vendors' PMU registers lie, over all generations and largest
 * shapes. An access there that the model lacks faults, as on silicon.
 */
#include "models/model.h"

struct range {
	uint32_t first;
	uint32_t last;
	const char *what;
};

/* Sorted. SDM 4, "Model-Specific Registers (MSRs)"; APM 2, "MSR
 * Cross-Reference"; PPRs, "MSR Registers". */
/* clang-format off */
static const struct range ranges[] = {
	{ 0x00000011, 0x00000013, "P5 CESR, CTR0, CTR1" },
	{ 0x00000040, 0x00000047, "MSR_LASTBRANCH_n_FROM_IP of Core" },
	{ 0x00000060, 0x00000067, "MSR_LASTBRANCH_n_TO_IP of Core" },
	{ 0x000000c1, 0x000000cc, "IA32_PMCx, PerfCtr0, 1" },
	{ 0x000000e7, 0x000000e8, "IA32_MPERF, IA32_APERF" },
	{ 0x00000186, 0x00000193, "IA32_PERFEVTSELx" },
	{ 0x000001a0, 0x000001a0, "IA32_MISC_ENABLE" },
	{ 0x000001a6, 0x000001a7, "MSR_OFFCORE_RSP_0, 1" },
	{ 0x000001c8, 0x000001c9, "MSR_LBR_SELECT, MSR_LASTBRANCH_TOS" },
	{ 0x000001d9, 0x000001d9, "IA32_DEBUGCTL" },
	{ 0x00000300, 0x00000311, "IA32_FIXED_CTRi; NetBurst counters" },
	{ 0x00000329, 0x00000329, "MSR_PERF_METRICS" },
	{ 0x00000345, 0x00000345, "IA32_PERF_CAPABILITIES" },
	{ 0x00000360, 0x00000371, "NetBurst CCCRs" },
	{ 0x0000038d, 0x00000392, "fixed and global control" },
	{ 0x000003a0, 0x000003e1, "NetBurst ESCRs" },
	{ 0x000003f1, 0x000003f2, "IA32_PEBS_ENABLE, MSR_PEBS_DATA_CFG" },
	{ 0x000003f4, 0x000003f7, "PEBS base, index, load latency, frontend" },
	{ 0x000004c1, 0x000004ce, "IA32_A_PMCx" },
	{ 0x00000560, 0x00000561, "IA32_RTIT_OUTPUT_*" },
	{ 0x00000570, 0x00000572, "IA32_RTIT_CTL, STATUS, CR3_MATCH" },
	{ 0x00000580, 0x00000587, "IA32_RTIT_ADDRn" },
	{ 0x00000600, 0x00000600, "IA32_DS_AREA" },
	{ 0x00000680, 0x0000069f, "MSR_LASTBRANCH_n_FROM_IP" },
	{ 0x000006c0, 0x000006df, "MSR_LASTBRANCH_n_TO_IP" },
	{ 0x00000dc0, 0x00000ddf, "MSR_LBR_INFO_n" },
	{ 0x00001200, 0x0000121f, "IA32_LBR_n_INFO" },
	{ 0x00001309, 0x00001310, "MSR_RELOAD_FIXED_CTRn" },
	{ 0x000014c1, 0x000014cf, "MSR_RELOAD_PMCn; IA32_LBR_CTL, DEPTH" },
	{ 0x00001500, 0x0000151f, "IA32_LBR_n_FROM_IP" },
	{ 0x00001600, 0x0000161f, "IA32_LBR_n_TO_IP" },
	{ 0x00001900, 0x0000199f, "IA32_PMC_GPx_*, IA32_PMC_FXi_*" },
	{ 0xc00000e7, 0xc00000e9, "MPERF, APERF, IRPerfCount" },
	{ 0xc0000105, 0xc0000106, "LWP_CFG, LWP_CBADDR" },
	{ 0xc000010e, 0xc000010f, "LBR_SELECT, DebugExtnCtl" },
	{ 0xc0000300, 0xc0000303, "PerfCntrGlobal*" },
	{ 0xc0010000, 0xc0010007, "PERF_LEGACY_CTLn, PERF_LEGACY_CTRn" },
	{ 0xc0010200, 0xc001020b, "PERF_CTLn, PERF_CTRn" },
	{ 0xc0010230, 0xc001023b, "L3 or L2I counters" },
	{ 0xc0010240, 0xc001025f, "NB, DF counters" },
	{ 0xc0010280, 0xc0010280, "PTSC" },
	{ 0xc0010300, 0xc001031f, "LBR stack" },
	{ 0xc0010800, 0xc001085f, "UMC counters" },
	{ 0xc0011030, 0xc001103d, "IBS" },
};
/* clang-format on */

/* IA32_PMC12 and 13 are MSR_FSB_FREQ and MSR_PLATFORM_INFO elsewhere; HWCR is
 * more than the bits that a PMU knows. */
bool vpmu_namespace_lends(uint32_t msr)
{
	return msr == 0xcd || msr == 0xce || msr == 0xc0010015;
}

bool vpmu_namespace_owns(uint32_t msr)
{
	const struct range *base = ranges;

	for (size_t n = ARRAY_SIZE(ranges); n > 1;) {
		size_t half = n / 2;

		if (base[half].first <= msr)
			base += half;
		n -= half;
	}
	return msr >= base->first && msr <= base->last;
}
