// SPDX-License-Identifier: Apache-2.0
/* What AMD's CPUID says about the PMU does not contradict itself. */
#include "lib/cpuid.h"
#include "lib/main.h"
#include "lib/pmu.h"
#include "lib/report.h"

#define LEAF_TOPOLOGY 0x8000001e
#define LEAF_IBS 0x8000001b
#define LEAF_PERF 0x80000022

#define EXT1_ECX_IBS BIT(10)
#define EXT1_ECX_TOPOLOGY BIT(22)
#define EXT1_ECX_CORE BIT(23)
#define EXT1_ECX_NB BIT(24)
#define EXT1_ECX_STREAM BIT(25)
#define EXT1_ECX_LLC BIT(28)
#define PERF_EAX_V2 BIT(0)
#define PERF_EAX_LBR BIT(1)
#define PERF_EAX_FREEZE BIT(2)

static u32 ext1_ecx;
static struct cpuid perf;

static u32 field(u32 reg, u32 first, u32 bits)
{
	return reg >> first & (u32)MASK(bits);
}

static u32 all_of(struct cpuid c)
{
	return c.eax | c.ebx | c.ecx | c.edx;
}

static void check_intel_leaves(void)
{
	struct sweep sweep = { 0 };

	for (u32 sub = 0; sub < 4; sub++) {
		sweep_note(&sweep, !all_of(cpuid(0x0a, sub)), "0AH.%u", sub);
		sweep_note(&sweep, !all_of(cpuid_checked(0x23, sub)), "23H.%u",
			   sub);
	}
	sweep_report(&sweep, "amd_cpuid: leaves 0AH and 23H are 0");
	report(!(cpuid(1, 0).ecx & BIT(15)), "amd_cpuid: no PDCM");
}

/* A leaf says nothing if it is above the largest one. */
static void check_largest(void)
{
	u32 largest = cpuid(0x80000000, 0).eax;
	u32 topology = ext1_ecx & EXT1_ECX_TOPOLOGY;

	report(largest >= LEAF_PERF || !all_of(cpuid(LEAF_PERF, 0)),
	       "amd_cpuid: leaf 8000_0022H is not above the largest");
	report(largest >= LEAF_TOPOLOGY || !topology,
	       "amd_cpuid: TopologyExtensions has its leaf 8000_001EH");
	report(cpuid(0, 0).eax >= 6 || !cpuid(6, 0).ecx,
	       "amd_cpuid: leaf 06H is not above the largest");
	report(largest >= 0x80000008, "amd_cpuid: leaf 8000_0008H is there");
}

static void check_reserved(void)
{
	u32 ibs = cpuid_checked(LEAF_IBS, 0).eax;

	report_eq(perf.eax >> 3, 0,
		  "amd_cpuid: 8000_0022H:EAX[31:3] is reserved");
	report_eq(perf.ebx >> 22, 0,
		  "amd_cpuid: 8000_0022H:EBX[31:22] is reserved");
	report_eq(perf.edx, 0, "amd_cpuid: 8000_0022H:EDX is reserved");
	report_eq(ext1_ecx & EXT1_ECX_STREAM, 0,
		  "amd_cpuid: 8000_0001H:ECX[25] is reserved");
	report(!ibs == !(ext1_ecx & EXT1_ECX_IBS),
	       "amd_cpuid: leaf 8000_001BH iff IBS");
	report(!field(perf.ebx, 4, 6) == !(perf.eax & PERF_EAX_LBR),
	       "amd_cpuid: LbrStackSz iff LbrStack");
}

static void check_core(void)
{
	u32 cores = field(perf.ebx, 0, 4);
	bool v2 = perf.eax & PERF_EAX_V2;

	report(!v2 || ext1_ecx & EXT1_ECX_CORE,
	       "amd_cpuid: PerfMonV2 needs PerfCtrExtCore");
	report(v2 || !(perf.eax & PERF_EAX_FREEZE),
	       "amd_cpuid: LbrAndPmcFreeze needs PerfMonV2");
	/* The legacy four are always there, RDPMC has room for six. */
	report(v2 ? cores >= 4 && cores <= 6 : !cores,
	       "amd_cpuid: NumPerfCtrCore is 4 to 6 with PerfMonV2, else 0");
}

static void check_nb(void)
{
	u32 nb = field(perf.ebx, 10, 6);
	bool v2 = perf.eax & PERF_EAX_V2;
	bool ext = ext1_ecx & EXT1_ECX_NB;

	report(v2 || !nb, "amd_cpuid: NumPerfCtrNB needs PerfMonV2");
	report(!v2 || (ext ? nb >= 4 && nb <= 16 : !nb),
	       "amd_cpuid: NumPerfCtrNB is 4 to 16 with PerfCtrExtNB, else 0");
	report(!(ext1_ecx & EXT1_ECX_LLC) || pmu.family >= 0x16,
	       "amd_cpuid: no PerfCtrExtLLC before family 16H");
	report(!(ext1_ecx & (EXT1_ECX_NB | EXT1_ECX_LLC)) && !pmu.umc_map
		       ? true
		       : !!(ext1_ecx & EXT1_ECX_TOPOLOGY),
	       "amd_cpuid: shared counters need TopologyExtensions");
}

static void check_umc(void)
{
	u32 counters = field(perf.ebx, 16, 6);
	u32 units = 0;

	for (u32 mask = perf.ecx; mask; mask &= mask - 1)
		units++;
	report(perf.eax & PERF_EAX_V2 || !(counters | units),
	       "amd_cpuid: UMC counters need PerfMonV2");
	report(!counters == !units, "amd_cpuid: UMC counters iff active UMCs");
	report(!units || counters % units == 0,
	       "amd_cpuid: each active UMC has as many counters");
}

void test_main(void)
{
	if (!pmu_present_or_skip("amd_cpuid"))
		return;
	ext1_ecx = cpuid_checked(0x80000001, 0).ecx;
	perf = cpuid_checked(LEAF_PERF, 0);
	check_intel_leaves();
	check_largest();
	check_reserved();
	check_core();
	check_nb();
	check_umc();
}
