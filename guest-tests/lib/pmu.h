/* SPDX-License-Identifier: Apache-2.0 */
/* The PMU as CPUID describes it, and what the manuals conclude from that. */
#ifndef LIB_PMU_H
#define LIB_PMU_H

#include "lib/types.h"

enum pmu_vendor { VENDOR_OTHER, VENDOR_INTEL, VENDOR_AMD };

struct pmu {
	enum pmu_vendor vendor;
	char vendor_string[13];
	bool present;
	u32 version; /* 0AH:EAX[7:0]; AMD: 1, or 2 with PerfMonV2 */
	u32 gp; /* general-purpose (AMD: core) counters, contiguous from 0 */
	u32 gp_map; /* which exist: these, and with leaf 23H any others */
	u32 gp_width;
	u32 fixed_map;
	u32 fixed_width;
	/* Intel */
	u64 capabilities; /* MSR 345H, 0 without PDCM */
	bool pdcm;
	bool freeze_smm; /* DEBUGCTL bit 14 */
	bool fw_write; /* 4C1H+ */
	bool metrics; /* PERF_METRICS */
	bool metrics_clear; /* RDPMC may clear PERF_METRICS */
	bool any_thread; /* PERFEVTSEL bit 21 is offered */
	u32 ext_flags; /* 23H.0:EBX */
	bool user_disable; /* ext_flags: RDPMC may be disabled for CPL > 0 */
	/* AMD */
	bool ext_core;
	bool v2;
	u32 family;
	u32 nb_map; /* NB/DF counters */
	u32 l3_map;
	u32 umc_map;
	bool freeze; /* DebugCtl bits 11 and 12, status bits 58 and 59 */
	bool merge; /* event FFFH */
	bool irperf; /* C000_00E9H */
	bool effreq; /* E7H, E8H */
	bool effreq_ro; /* C000_00E7H, C000_00E8H */
	bool ptsc;
	/* Encodings for PERFEVTSEL and PERF_CTL; 0: the vendor has none. */
	u32 event_instructions;
	u32 event_cycles;
	u32 event_branches;
	u32 event_taken;
	/* Words of the command line. */
	bool exact; /* the VMM counts exactly */
};

extern struct pmu pmu;

/* 345H bits */
#define PCAP_FREEZE_SMM BIT(12)
#define PCAP_FW_WRITE BIT(13)
#define PCAP_PEBS_BASELINE BIT(14)
#define PCAP_METRICS BIT(15)
#define PCAP_METRICS_CLEAR BIT(19)

/* 23H.0:EBX bits */
#define EXT_UMASK2 BIT(0)
#define EXT_EQ BIT(1)
#define EXT_USER_DISABLE BIT(2)

/* Bits of PERFEVTSEL and PERF_CTL */
#define EVTSEL_USR BIT(16)
#define EVTSEL_OS BIT(17)
#define EVTSEL_PC BIT(19)
#define EVTSEL_INT BIT(20)
#define EVTSEL_ANY BIT(21)
#define EVTSEL_EN BIT(22)
#define EVTSEL_USER_DISABLE BIT(37)

/* Bits of 38DH */
#define FIXED_METRICS_CLEAR BIT(14)
#define FIXED_USER_DISABLE(i) BIT(33 + 4 * (i))

/* Bits of AMD's selectors alone */
#define PERF_CTL_GUEST_ONLY BIT(40)
#define PERF_CTL_HOST_ONLY BIT(41)
#define UMC_CTL_EN BIT(31)

/* Bits of the global registers: PERF_METRICS, the two freezes. */
#define GLOBAL_METRICS BIT(48)
#define GLOBAL_LBR_FROZEN BIT(58)
#define GLOBAL_PMC_FROZEN BIT(59)

/* C001_0015H bits */
#define HWCR_TSC_FREQ_SEL BIT(24)
#define HWCR_READ_ONLY_LOCK BIT(27)
#define HWCR_IRPERF_EN BIT(30)

/* 1D9H bits */
#define DEBUGCTL_LBR BIT(0)
#define DEBUGCTL_BTF BIT(1)
#define DEBUGCTL_FREEZE_LBRS BIT(11)
#define DEBUGCTL_FREEZE_PERFMON BIT(12)
#define DEBUGCTL_FREEZE_SMM BIT(14)

#define IA32_PMC0 0x0c1
#define IA32_PERFEVTSEL0 0x186
#define IA32_MISC_ENABLE 0x1a0
#define IA32_DEBUGCTL 0x1d9
#define IA32_FIXED_CTR0 0x309
#define MSR_PERF_METRICS 0x329
#define IA32_PERF_CAPABILITIES 0x345
#define IA32_FIXED_CTR_CTRL 0x38d
#define IA32_PERF_GLOBAL_STATUS 0x38e
#define IA32_PERF_GLOBAL_CTRL 0x38f
#define IA32_PERF_GLOBAL_OVF_CTRL 0x390
#define IA32_PERF_GLOBAL_STATUS_SET 0x391
#define IA32_PERF_GLOBAL_INUSE 0x392
#define IA32_A_PMC0 0x4c1
/* Version 6: other addresses of the same registers, 4 apart. */
#define IA32_PMC_GP_CTR(n) (0x1900 + 4 * (n))
#define IA32_PMC_GP_CFG_A(n) (0x1901 + 4 * (n))
#define IA32_PMC_FX_CTR(n) (0x1980 + 4 * (n))
#define AMD_MPERF 0x0e7
#define AMD_APERF 0x0e8
#define AMD_DEBUGCTL 0x1d9
#define AMD_MPERF_RO 0xc00000e7
#define AMD_APERF_RO 0xc00000e8
#define AMD_IRPERF 0xc00000e9
#define AMD_GLOBAL_STATUS 0xc0000300
#define AMD_GLOBAL_CTL 0xc0000301
#define AMD_GLOBAL_STATUS_CLR 0xc0000302
#define AMD_GLOBAL_STATUS_SET 0xc0000303
#define PERF_LEGACY_CTL0 0xc0010000
#define PERF_LEGACY_CTR0 0xc0010004
#define AMD_HWCR 0xc0010015
#define PERF_CTL0 0xc0010200
#define PERF_CTR0 0xc0010201
#define L3_PERF_CTL0 0xc0010230
#define L3_PERF_CTR0 0xc0010231
#define NB_PERF_CTL0 0xc0010240
#define NB_PERF_CTR0 0xc0010241
#define AMD_PTSC 0xc0010280
#define UMC_PERF_CTL0 0xc0010800
#define UMC_PERF_CTR0 0xc0010801

#define RDPMC_FIXED 0x40000000
#define RDPMC_METRICS 0x20000000
#define RDPMC_FAST 0x80000000

/* Reads CPUID and 345H, nothing else. */
void pmu_init(void);
/* Fill pmu_msrs[]; called by pmu_init(). */
void pmu_msr_init(void);

/* Is there a PMU that counts exactly? If not, SKIP the theme. */
bool pmu_exact_or_skip(const char *theme);
/* Is there a PMU? If not, SKIP the theme. */
bool pmu_present_or_skip(const char *theme);
/* Does RDPMC read counter 0? If not, FAIL the theme. */
bool pmu_rdpmc_or_fail(const char *theme);

/* Does RDPMC of this ECX read a counter? */
bool pmu_rdpmc_valid(u32 ecx);

/* The first address of the GP counter's selector, and of the counter. */
u32 pmu_evtsel_msr(u32 n);
u32 pmu_counter_msr(u32 n);

/* Is there a global enable and status (Intel version 2, AMD PerfMonV2)? */
bool pmu_has_global(void);
/* The MSRs of the vendor's global registers; only with pmu_has_global(). */
u32 pmu_global_ctrl_msr(void);
u32 pmu_global_status_msr(void);
u32 pmu_global_clear_msr(void);

enum pmu_msr_kind {
	MSR_RW,
	MSR_SEXT32, /* C1H+: write takes EAX sign-extended, never faults */
	MSR_RO, /* a write faults */
	MSR_RO_IGNORED, /* a write is ignored */
	MSR_W1, /* write-one-to-act; reads as 0 */
	MSR_RUNS, /* counts all the time: no value is known */
	MSR_RUNS_RO, /* the same, and a write faults */
	MSR_OTHERS, /* holds more than the PMU's bits: only that it is there */
};

struct pmu_msr {
	u32 msr;
	u32 unit; /* which counter */
	const char *name; /* "IA32_PMC", without the unit */
	enum pmu_msr_kind kind;
	u64 writable;
	u64 maybe; /* bits that may be either, by model */
};

/* All MSRs that this PMU has. */
extern struct pmu_msr pmu_msrs[];
extern u32 pmu_msr_count;

const struct pmu_msr *pmu_msr_find(u32 msr);

#endif /* LIB_PMU_H */
