// SPDX-License-Identifier: Apache-2.0
/* The PMU as CPUID describes it: identity, counters, widths, encodings. */
#include "lib/pmu.h"

#include "lib/args.h"
#include "lib/cpuid.h"
#include "lib/msr.h"
#include "lib/rdpmc.h"
#include "lib/report.h"

/* CPUID bits */
#define F1_ECX_PDCM BIT(15)
#define F7_1_EAX_ARCH_PERFMON_EXT BIT(8)
#define EXT1_ECX_CORE BIT(23)
#define EXT1_ECX_NB BIT(24)
#define EXT1_ECX_PTSC BIT(27)
#define EXT1_ECX_LLC BIT(28)
#define EXT7_EDX_EFFREQ_RO BIT(10)
#define EXT8_EBX_IRPERF BIT(1)
#define EXT22_EAX_V2 BIT(0)
#define EXT22_EAX_FREEZE BIT(2)
#define F6_ECX_EFFREQ BIT(0)

#define FAMILY_16H 0x16
#define FAMILY_17H 0x17

struct pmu pmu;

static void read_vendor(void)
{
	struct cpuid c = cpuid(0, 0);
	u32 words[3] = { c.ebx, c.edx, c.ecx };
	static const struct {
		u32 ebx;
		enum pmu_vendor vendor;
	} vendors[] = {
		{ 0x756e6547, VENDOR_INTEL }, /* GenuineIntel */
		{ 0x68747541, VENDOR_AMD }, /* AuthenticAMD */
		{ 0x6f677948, VENDOR_AMD }, /* HygonGenuine */
	};

	memcpy(pmu.vendor_string, words, sizeof(words));
	for (size_t i = 0; i < ARRAY_SIZE(vendors); i++)
		if (vendors[i].ebx == c.ebx)
			pmu.vendor = vendors[i].vendor;
}

static void read_capabilities(void)
{
	pmu.pdcm = cpuid(1, 0).ecx & F1_ECX_PDCM;
	if (pmu.pdcm)
		(void)rdmsr_safe(IA32_PERF_CAPABILITIES, &pmu.capabilities);
	pmu.freeze_smm = pmu.capabilities & PCAP_FREEZE_SMM;
	pmu.fw_write = pmu.capabilities & PCAP_FW_WRITE;
	pmu.metrics = pmu.capabilities & PCAP_METRICS;
	pmu.metrics_clear = pmu.capabilities & PCAP_METRICS_CLEAR;
}

static void read_intel(void)
{
	struct cpuid a = cpuid_checked(0x0a, 0);
	struct cpuid ext = { 0 };

	pmu.version = a.eax & 0xff;
	if (!pmu.version)
		return;
	pmu.present = true;
	pmu.gp = a.eax >> 8 & 0xff;
	pmu.gp_map = (u32)MASK(pmu.gp);
	pmu.gp_width = a.eax >> 16 & 0xff;
	if (pmu.version > 1) {
		pmu.fixed_map = (u32)MASK(a.edx & 0x1f) | a.ecx;
		pmu.fixed_width = a.edx >> 5 & 0xff;
	}
	pmu.any_thread =
		(pmu.version == 3 || pmu.version == 4) && !(a.edx & BIT(15));
	if (cpuid_checked(7, 0).eax >= 1 &&
	    cpuid(7, 1).eax & F7_1_EAX_ARCH_PERFMON_EXT)
		ext = cpuid_checked(0x23, 0);
	pmu.ext_flags = ext.ebx;
	pmu.user_disable = ext.ebx & EXT_USER_DISABLE;
	if (ext.eax & BIT(1)) {
		pmu.gp_map |= cpuid(0x23, 1).eax;
		pmu.fixed_map |= cpuid(0x23, 1).ebx;
	}
	read_capabilities();
	pmu.event_instructions = 0x00c0;
	pmu.event_cycles = 0x003c;
	pmu.event_branches = 0x00c4;
}

static u32 family(void)
{
	u32 eax = cpuid(1, 0).eax;
	u32 base = eax >> 8 & 0xf;

	return base == 0xf ? base + (eax >> 20 & 0xff) : base;
}

static void read_amd_others(void)
{
	pmu.irperf = cpuid_checked(0x80000008, 0).ebx & EXT8_EBX_IRPERF;
	pmu.effreq = cpuid_checked(6, 0).ecx & F6_ECX_EFFREQ;
	pmu.effreq_ro = cpuid_checked(0x80000007, 0).edx & EXT7_EDX_EFFREQ_RO;
	pmu.ptsc = cpuid_checked(0x80000001, 0).ecx & EXT1_ECX_PTSC;
	/* Nothing but the family tells of it. */
	pmu.merge = pmu.ext_core && pmu.family >= FAMILY_17H;
}

static void read_amd(void)
{
	u32 ecx = cpuid_checked(0x80000001, 0).ecx;
	struct cpuid v2 = cpuid_checked(0x80000022, 0);

	/* The four legacy counters are not enumerated: they are implied. */
	if (args_has("nopmu"))
		return;
	pmu.present = true;
	pmu.family = family();
	pmu.version = 1;
	pmu.gp = 4;
	pmu.ext_core = ecx & EXT1_ECX_CORE;
	if (pmu.ext_core)
		pmu.gp = 6;
	pmu.v2 = v2.eax & EXT22_EAX_V2;
	if (ecx & EXT1_ECX_NB)
		pmu.nb_map = (u32)MASK(4);
	if (pmu.v2) {
		pmu.version = 2;
		pmu.gp = v2.ebx & 0xf;
		pmu.nb_map |= (u32)MASK(v2.ebx >> 10 & 0x3f);
		pmu.umc_map = (u32)MASK(v2.ebx >> 16 & 0x3f);
		pmu.freeze = v2.eax & EXT22_EAX_FREEZE;
	}
	if (ecx & EXT1_ECX_LLC)
		pmu.l3_map = (u32)MASK(pmu.family == FAMILY_16H ? 4 : 6);
	pmu.gp_map = (u32)MASK(pmu.gp);
	pmu.gp_width = 48;
	pmu.event_instructions = 0x00c0;
	pmu.event_cycles = 0x0076;
	pmu.event_branches = 0x00c2;
	pmu.event_taken = 0x00c4;
	read_amd_others();
}

void pmu_init(void)
{
	pmu.exact = args_has("exact");
	read_vendor();
	if (pmu.vendor == VENDOR_INTEL)
		read_intel();
	else if (pmu.vendor == VENDOR_AMD)
		read_amd();
	pmu_msr_init();
}

bool pmu_present_or_skip(const char *theme)
{
	if (!pmu.present)
		report_skip("there is no PMU", "%s", theme);
	return pmu.present;
}

bool pmu_rdpmc_or_fail(const char *theme)
{
	u64 value;
	u32 vector = rdpmc_safe(0, &value);

	if (vector)
		report_vector(vector, 0, "%s: rdpmc(0)", theme);
	return !vector;
}

bool pmu_exact_or_skip(const char *theme)
{
	if (!pmu_present_or_skip(theme))
		return false;
	if (!pmu.exact)
		report_skip("the VMM does not count exactly (word `exact`)",
			    "%s", theme);
	return pmu.exact;
}

static bool in_map(u32 map, u32 n)
{
	return n < 32 && map & BIT(n);
}

static bool rdpmc_valid_intel(u32 ecx)
{
	switch (ecx >> 16) {
	case 0:
		return in_map(pmu.gp_map, ecx & 0xffff);
	case RDPMC_FIXED >> 16:
		return in_map(pmu.fixed_map, ecx & 0xffff);
	case RDPMC_METRICS >> 16:
		return pmu.metrics && !(ecx & 0xffff);
	default:
		return false;
	}
}

static bool rdpmc_valid_amd(u32 ecx)
{
	if (ecx < 6)
		return in_map(pmu.gp_map, ecx);
	if (ecx < 10)
		return in_map(pmu.nb_map, ecx - 6);
	if (ecx < 16)
		return in_map(pmu.l3_map, ecx - 10);
	return ecx < 28 && in_map(pmu.nb_map, ecx - 12);
}

bool pmu_rdpmc_valid(u32 ecx)
{
	if (!pmu.present)
		return false;
	if (pmu.vendor == VENDOR_INTEL)
		return rdpmc_valid_intel(ecx);
	return rdpmc_valid_amd(ecx);
}

u32 pmu_evtsel_msr(u32 n)
{
	if (pmu.vendor == VENDOR_INTEL)
		return IA32_PERFEVTSEL0 + n;
	return pmu.ext_core ? PERF_CTL0 + 2 * n : PERF_LEGACY_CTL0 + n;
}

u32 pmu_counter_msr(u32 n)
{
	if (pmu.vendor == VENDOR_INTEL)
		return IA32_PMC0 + n;
	return pmu.ext_core ? PERF_CTR0 + 2 * n : PERF_LEGACY_CTR0 + n;
}

bool pmu_has_global(void)
{
	return pmu.version >= 2;
}

static u32 by_vendor(u32 intel, u32 amd)
{
	return pmu.vendor == VENDOR_INTEL ? intel : amd;
}

u32 pmu_global_ctrl_msr(void)
{
	return by_vendor(IA32_PERF_GLOBAL_CTRL, AMD_GLOBAL_CTL);
}

u32 pmu_global_status_msr(void)
{
	return by_vendor(IA32_PERF_GLOBAL_STATUS, AMD_GLOBAL_STATUS);
}

u32 pmu_global_clear_msr(void)
{
	return by_vendor(IA32_PERF_GLOBAL_OVF_CTRL, AMD_GLOBAL_STATUS_CLR);
}
