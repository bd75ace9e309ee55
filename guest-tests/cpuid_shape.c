// SPDX-License-Identifier: Apache-2.0
/* What CPUID says about the PMU does not contradict itself. */
#include "lib/cpuid.h"
#include "lib/main.h"
#include "lib/msr.h"
#include "lib/pmu.h"
#include "lib/report.h"

#define PDCM BIT(15)

static struct cpuid leaf_a;

static u32 field(u32 reg, u32 first, u32 bits)
{
	return reg >> first & (u32)MASK(bits);
}

static void check_absent(void)
{
	report_eq(leaf_a.eax, 0, "cpuid_shape: 0AH:EAX without a PMU");
	report_eq(leaf_a.ebx, 0, "cpuid_shape: 0AH:EBX without a PMU");
	report_eq(leaf_a.ecx, 0, "cpuid_shape: 0AH:ECX without a PMU");
	report_eq(leaf_a.edx, 0, "cpuid_shape: 0AH:EDX without a PMU");
	report(!(cpuid(1, 0).ecx & PDCM), "cpuid_shape: no PDCM without a PMU");
}

static void check_intel_leaf(void)
{
	u32 version = field(leaf_a.eax, 0, 8);
	u32 events = field(leaf_a.eax, 24, 8);
	u32 contiguous = field(leaf_a.edx, 0, 5);

	report(cpuid(0, 0).eax >= 0xa, "cpuid_shape: leaf 0AH is enumerated");
	report(pmu.gp >= 1 && pmu.gp <= 32, "cpuid_shape: 1 to 32 GP counters");
	report(pmu.gp_width > 32 && pmu.gp_width <= 64,
	       "cpuid_shape: GP width above 32");
	report(events >= 7 && events <= 32,
	       "cpuid_shape: at least 7 architectural events");
	report(!(leaf_a.ebx & ~(u32)MASK(events)),
	       "cpuid_shape: no bit of 0AH:EBX beyond its length");
	if (version == 1)
		report_eq(leaf_a.edx & 0x1fff, 0,
			  "cpuid_shape: no fixed counter in version 1");
	else
		report((contiguous == 0) == (pmu.fixed_width == 0) &&
			       pmu.fixed_width <= 64,
		       "cpuid_shape: a fixed width iff fixed counters");
	if (version < 5)
		report_eq(leaf_a.ecx, 0,
			  "cpuid_shape: no fixed bitmap before version 5");
	else
		report_eq(leaf_a.ecx & MASK(contiguous), MASK(contiguous),
			  "cpuid_shape: the bitmap covers EDX[4:0]");
	report(version < 5 || leaf_a.edx & BIT(15),
	       "cpuid_shape: AnyThread deprecated from version 5");
	report_eq(field(leaf_a.edx, 16, 16) | field(leaf_a.edx, 13, 2), 0,
		  "cpuid_shape: reserved bits of 0AH:EDX");
}

static void check_intel_capabilities(void)
{
	u64 caps = 0;
	u32 vector = rdmsr_safe(IA32_PERF_CAPABILITIES, &caps);

	report_vector(vector, pmu.pdcm ? 0 : VECTOR_GP,
		      "cpuid_shape: IA32_PERF_CAPABILITIES iff PDCM");
	report_eq(caps >> 20, 0, "cpuid_shape: IA32_PERF_CAPABILITIES[63:20]");
	report(!(caps & PCAP_METRICS) || pmu.fixed_map & BIT(3),
	       "cpuid_shape: PERF_METRICS needs fixed counter 3");
	report(!(caps & PCAP_METRICS_CLEAR) || caps & PCAP_METRICS,
	       "cpuid_shape: RDPMC_METRICS_CLEAR needs PERF_METRICS");
}

static void check_intel_23h(void)
{
	struct cpuid ext = cpuid_checked(0x23, 0);
	struct cpuid counters = cpuid_checked(0x23, 1);

	if (pmu.version < 6) {
		report_eq(ext.eax | ext.ebx, 0,
			  "cpuid_shape: no leaf 23H before version 6");
		return;
	}
	report(ext.eax & BIT(0), "cpuid_shape: leaf 23H names subleaf 0");
	report_eq(counters.eax & MASK(pmu.gp), MASK(pmu.gp),
		  "cpuid_shape: 23H.1:EAX covers the GP counters");
	report_eq(leaf_a.ecx & ~counters.ebx, 0,
		  "cpuid_shape: 23H.1:EBX covers 0AH:ECX");
}

static void check_amd(void)
{
	struct cpuid v2 = cpuid_checked(0x80000022, 0);

	report_eq(leaf_a.eax | leaf_a.ebx | leaf_a.ecx | leaf_a.edx, 0,
		  "cpuid_shape: leaf 0AH is 0 on AMD");
	report(!(cpuid(1, 0).ecx & PDCM), "cpuid_shape: no PDCM on AMD");
	report_eq(v2.eax >> 3 | v2.edx, 0,
		  "cpuid_shape: reserved bits of 8000_0022H");
	if (!pmu.v2) {
		report_eq(v2.ebx & 0xf, 0,
			  "cpuid_shape: NumPerfCtrCore needs PerfMonV2");
		return;
	}
	report(pmu.ext_core, "cpuid_shape: PerfMonV2 needs PerfCtrExtCore");
	report(pmu.gp >= 6, "cpuid_shape: at least 6 core counters");
}

/* Without a PMU, AMD's extended counters must not be announced either. */
static void check_amd_absent(void)
{
	report_eq(cpuid_checked(0x80000001, 0).ecx &
			  (BIT(23) | BIT(24) | BIT(28)),
		  0, "cpuid_shape: no PerfCtrExt without a PMU");
	report_eq(cpuid_checked(0x80000022, 0).eax, 0,
		  "cpuid_shape: no PerfMonV2 without a PMU");
}

void test_main(void)
{
	leaf_a = cpuid_checked(0x0a, 0);
	if (!pmu.present) {
		check_absent();
		check_amd_absent();
	} else if (pmu.vendor == VENDOR_INTEL) {
		check_intel_leaf();
		check_intel_capabilities();
		check_intel_23h();
	} else {
		check_amd();
	}
}
