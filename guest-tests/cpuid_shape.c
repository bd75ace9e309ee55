// SPDX-License-Identifier: Apache-2.0
/* What CPUID says about the PMU does not contradict itself. */
#include "lib/cpuid.h"
#include "lib/main.h"
#include "lib/msr.h"
#include "lib/pmu.h"
#include "lib/report.h"

#define PDCM BIT(15)
#define F1_ECX_DTES64 BIT(2)
#define F1_ECX_DS_CPL BIT(4)
#define F1_EDX_DS BIT(21)
#define F7_EBX_PT BIT(25)
#define F7_EDX_ARCH_LBR BIT(19)
#define F7_1_EAX_ARCH_PERFMON_EXT BIT(8)

/* What needs neither LBRs nor PEBS. */
#define PCAP_KNOWN \
	(PCAP_FREEZE_SMM | PCAP_FW_WRITE | PCAP_METRICS | PCAP_METRICS_CLEAR)
#define EXT_SUBLEAVES (BIT(0) | BIT(1) | BIT(3))

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

/* Bit 15 of EDX: no ANY bits. They exist in versions 3 and 4. */
static void check_any_thread(u32 version)
{
	bool deprecated = leaf_a.edx & BIT(15);

	report(version < 5 || deprecated,
	       "cpuid_shape: AnyThread deprecated from version 5");
	report(version >= 3 || !deprecated,
	       "cpuid_shape: AnyThread not deprecated before version 3");
}

static void check_fixed(u32 version)
{
	u32 contiguous = field(leaf_a.edx, 0, 5);

	if (version == 1)
		report_eq(leaf_a.edx & 0x1fff, 0,
			  "cpuid_shape: no fixed counter in version 1");
	else
		report(!pmu.fixed_map == !pmu.fixed_width &&
			       (!pmu.fixed_width || pmu.fixed_width > 32) &&
			       pmu.fixed_width <= 64,
		       "cpuid_shape: a fixed width iff fixed counters");
	if (version < 5)
		report_eq(leaf_a.ecx, 0,
			  "cpuid_shape: no fixed bitmap before version 5");
	else
		report_eq(leaf_a.ecx & MASK(contiguous), MASK(contiguous),
			  "cpuid_shape: the bitmap covers EDX[4:0]");
	report_eq(pmu.fixed_map >> 8, 0,
		  "cpuid_shape: MSR 38DH has room for 8 fixed counters");
}

/* That leaf 0AH is enumerated is what makes a PMU present. */
static void check_intel_leaf(void)
{
	u32 version = field(leaf_a.eax, 0, 8);
	u32 events = field(leaf_a.eax, 24, 8);

	report(pmu.gp >= 1 && pmu.gp <= 32, "cpuid_shape: 1 to 32 GP counters");
	report(pmu.gp_width > 32 && pmu.gp_width <= 64,
	       "cpuid_shape: GP width above 32");
	report(events >= 7 && events <= 32,
	       "cpuid_shape: at least 7 architectural events");
	report(!(leaf_a.ebx & ~(u32)MASK(events)),
	       "cpuid_shape: no bit of 0AH:EBX beyond its length");
	check_fixed(version);
	check_any_thread(version);
	report_eq(field(leaf_a.edx, 16, 16) | field(leaf_a.edx, 13, 2), 0,
		  "cpuid_shape: reserved bits of 0AH:EDX");
}

static void check_intel_capabilities(void)
{
	u64 caps = 0;
	u32 vector = rdmsr_safe(IA32_PERF_CAPABILITIES, &caps);

	report_vector(vector, pmu.pdcm ? 0 : VECTOR_GP,
		      "cpuid_shape: IA32_PERF_CAPABILITIES iff PDCM");
	report_eq(caps & ~PCAP_KNOWN, 0,
		  "cpuid_shape: IA32_PERF_CAPABILITIES, no LBR, no PEBS");
	report(!(caps & PCAP_METRICS) || pmu.fixed_map & BIT(3),
	       "cpuid_shape: PERF_METRICS needs fixed counter 3");
	report(!(caps & PCAP_METRICS_CLEAR) || caps & PCAP_METRICS,
	       "cpuid_shape: RDPMC_METRICS_CLEAR needs PERF_METRICS");
}

static u32 all_of(struct cpuid c)
{
	return c.eax | c.ebx | c.ecx | c.edx;
}

/* Debug store, processor trace and LBRs are other features. */
static void check_intel_others(void)
{
	struct cpuid one = cpuid(1, 0);
	struct cpuid seven = cpuid_checked(7, 0);
	struct sweep sweep = { 0 };

	report_eq(one.edx & F1_EDX_DS, 0, "cpuid_shape: no DS");
	report_eq(one.ecx & (F1_ECX_DTES64 | F1_ECX_DS_CPL), 0,
		  "cpuid_shape: no DTES64 and no DS_CPL");
	report_eq(seven.ebx & F7_EBX_PT, 0, "cpuid_shape: no PT");
	report_eq(seven.edx & F7_EDX_ARCH_LBR, 0,
		  "cpuid_shape: no architectural LBR");
	for (u32 sub = 0; sub < 8; sub++) {
		sweep_note(&sweep, !all_of(cpuid_checked(0x14, sub)), "14H.%u",
			   sub);
		sweep_note(&sweep, !all_of(cpuid_checked(0x1c, sub)), "1CH.%u",
			   sub);
	}
	sweep_report(&sweep, "cpuid_shape: leaves 14H and 1CH are 0");
}

/* Subleaves: itself, counters, events; no counter reload and no PEBS. */
static void check_subleaves(struct cpuid ext)
{
	struct sweep sweep = { 0 };

	report_eq(ext.eax, EXT_SUBLEAVES,
		  "cpuid_shape: 23H names subleaves 0, 1 and 3");
	report_eq(ext.ebx & ~(EXT_UMASK2 | EXT_EQ | EXT_USER_DISABLE), 0,
		  "cpuid_shape: reserved bits of 23H.0:EBX");
	report_eq(field(ext.ecx, 8, 24) | ext.edx, 0,
		  "cpuid_shape: reserved bits of 23H.0:ECX and EDX");
	for (u32 sub = 1; sub < 16; sub++)
		if (!(EXT_SUBLEAVES & BIT(sub)))
			sweep_note(&sweep, !all_of(cpuid(0x23, sub)), "23H.%u",
				   sub);
	sweep_report(&sweep, "cpuid_shape: all other subleaves of 23H are 0");
}

static void check_ext_counters(struct cpuid counters)
{
	report_eq(counters.eax & MASK(pmu.gp), MASK(pmu.gp),
		  "cpuid_shape: 23H.1:EAX covers the GP counters of 0AH");
	report_eq((leaf_a.ecx | MASK(field(leaf_a.edx, 0, 5))) & ~counters.ebx,
		  0, "cpuid_shape: 23H.1:EBX covers the fixed ones of 0AH");
	report_eq(counters.ecx | counters.edx, 0,
		  "cpuid_shape: 23H.1:ECX and EDX are reserved");
}

/* 0AH:EBX says which are missing, 23H.3:EAX which are there. */
static void check_ext_events(struct cpuid events)
{
	u64 common = MASK(field(leaf_a.eax, 24, 8));

	report_eq(events.eax & common, ~leaf_a.ebx & common,
		  "cpuid_shape: 23H.3:EAX is the opposite of 0AH:EBX");
	report_eq(events.ebx | events.ecx | events.edx, 0,
		  "cpuid_shape: 23H.3:EBX to EDX are reserved");
}

static void check_intel_23h(void)
{
	bool announced = cpuid_checked(7, 0).eax >= 1 &&
			 cpuid(7, 1).eax & F7_1_EAX_ARCH_PERFMON_EXT;
	struct cpuid ext = cpuid_checked(0x23, 0);

	report(announced == (pmu.version >= 6),
	       "cpuid_shape: 07H.1:EAX[8] from version 6");
	report(announced == !!ext.eax,
	       "cpuid_shape: leaf 23H iff 07H.1:EAX[8]");
	if (!announced) {
		report_eq(all_of(ext) | all_of(cpuid_checked(0x23, 1)), 0,
			  "cpuid_shape: leaf 23H is 0");
		return;
	}
	report(cpuid(0, 0).eax >= 0x23, "cpuid_shape: leaf 23H is enumerated");
	check_subleaves(ext);
	check_ext_counters(cpuid_checked(0x23, 1));
	check_ext_events(cpuid_checked(0x23, 3));
}

/* The rest is the theme `amd_cpuid`. */
static void check_amd(void)
{
	report_eq(leaf_a.eax | leaf_a.ebx | leaf_a.ecx | leaf_a.edx, 0,
		  "cpuid_shape: leaf 0AH is 0 on AMD");
	report(!(cpuid(1, 0).ecx & PDCM), "cpuid_shape: no PDCM on AMD");
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
		check_intel_others();
		check_intel_23h();
	} else {
		check_amd();
	}
}
