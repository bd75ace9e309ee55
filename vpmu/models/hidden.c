/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the host may offer and no model has: CPUID fields of PMUs, sampling and
 * tracing. A model's own rows show again what it does have.
 */
#include "models/model.h"

#define ALL UINT32_MAX

/* clang-format off */
static const struct vpmu_cpuid_row rows[] = {
	/* leaf, subleaf, register, mask, set, value, what */
	{ 0x01, ANY_SUBLEAF, CPUID_ECX, BIT32(2) | BIT32(4) | BIT32(15), 0, NULL, "DTES64, DS_CPL, PDCM" },
	{ 0x01, ANY_SUBLEAF, CPUID_EDX, BIT32(21), 0, NULL, "DS" },
	{ 0x06, ANY_SUBLEAF, CPUID_ECX, BIT32(0), 0, NULL, "EffFreq, IA32_MPERF" },
	{ 0x07, 0, CPUID_EBX, BIT32(4) | BIT32(11) | BIT32(25), 0, NULL, "HLE, RTM (IN_TX); Intel PT" },
	{ 0x07, 0, CPUID_ECX, BIT32(24), 0, NULL, "bus-lock detection, IA32_DEBUGCTL[2]" },
	{ 0x07, 0, CPUID_EDX, BIT32(15) | BIT32(19), 0, NULL, "hybrid, architectural LBR" },
	{ 0x07, 1, CPUID_EAX, BIT32(8), 0, NULL, "ArchPerfmonExt" },
	{ 0x0a, ANY_SUBLEAF, CPUID_ALL, ALL, 0, NULL, "architectural performance monitoring" },
	{ 0x14, ANY_SUBLEAF, CPUID_ALL, ALL, 0, NULL, "Intel PT" },
	{ 0x1a, ANY_SUBLEAF, CPUID_ALL, ALL, 0, NULL, "hybrid, native model" },
	{ 0x1c, ANY_SUBLEAF, CPUID_ALL, ALL, 0, NULL, "architectural LBR" },
	{ 0x23, ANY_SUBLEAF, CPUID_ALL, ALL, 0, NULL, "ArchPerfmonExt" },
	{ 0x80000001, ANY_SUBLEAF, CPUID_ECX, BIT32(10) | BIT32(15) | BIT32(23) | BIT32(24) | BIT32(25) | BIT32(27) | BIT32(28), 0, NULL, "IBS, LWP, PerfCtrExtCore, NB, StreamPerfMon, PerfTsc, LLC" },
	{ 0x80000007, ANY_SUBLEAF, CPUID_EDX, BIT32(10), 0, NULL, "EffFreqRO" },
	{ 0x80000008, ANY_SUBLEAF, CPUID_EBX, BIT32(1), 0, NULL, "InstRetCntMsr" },
	{ 0x80000008, ANY_SUBLEAF, CPUID_ECX, BIT32(16) | BIT32(17), 0, NULL, "PerfTscSize: 40 bits" },
	{ 0x8000000a, ANY_SUBLEAF, CPUID_EDX, BIT32(8), 0, NULL, "PmcVirt" },
	{ 0x8000001b, ANY_SUBLEAF, CPUID_ALL, ALL, 0, NULL, "IBS" },
	{ 0x8000001c, ANY_SUBLEAF, CPUID_ALL, ALL, 0, NULL, "LWP" },
	{ 0x8000001f, ANY_SUBLEAF, CPUID_EAX, BIT32(20), 0, NULL, "PmcVirtGuestCtl" },
	{ 0x80000021, ANY_SUBLEAF, CPUID_EAX, BIT32(12), 0, NULL, "PMC2 PreciseRetire" },
	{ 0x80000022, ANY_SUBLEAF, CPUID_ALL, ALL, 0, NULL, "ExtPerfMonAndDbg" },
};
/* clang-format on */

const struct vpmu_cpuid_table vpmu_cpuid_hidden = ROWS(rows);
