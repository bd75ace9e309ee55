/* SPDX-License-Identifier: Apache-2.0 */
/* The registers of AMD's performance monitoring, from the K7's four counters to
 * PerfMonV2: which of them a shape has follows from its features. */
#include "models/amd.h"

#define CTL_USR BIT(16)
#define CTL_OS BIT(17)
#define CTL_EDGE BIT(18)
#define CTL_INT BIT(20)
#define CTL_EN BIT(22)
#define CTL_INV BIT(23)
#define CTL_GUEST_ONLY BIT(40)
#define CTL_HOST_ONLY BIT(41)
#define CTL_PRECISE_RETIRE BIT(43)
/* 19, 21, 39:36 and 63:42 are reserved, and dropped (unverified). */
#define CTL_BITS UINT64_C(0x0000000fffd7ffff)
/* The only selector with PreciseRetire. */
#define PRECISE_RETIRE_COUNTER 2

/* This event makes a counter the high half of the one below. */
#define EVENT_MERGE UINT64_C(0xf000000ff)
#define MERGED_BITS UINT64_C(0xffff)

#define DEBUGCTL_PB UINT64_C(0x3c)

#define HWCR_TSC_FREQ_SEL BIT(24)
#define HWCR_EFF_FREQ_READ_ONLY_LOCK BIT(27)
#define HWCR_IRPERF_EN BIT(30)
/* Kept as written, without effect: TlbCacheDis, INVDWBINVD, FFDIS, IGNNE_EM,
 * MonMwaitDis, MonMwaitUserEn, McStatusWrEn, CpbDis, EffFreqCntMwait. */
#define HWCR_OTHERS                                                       \
	(BIT(3) | BIT(4) | BIT(6) | BIT(8) | BIT(9) | BIT(10) | BIT(18) | \
	 BIT(25) | BIT(26))

#define PTSC_BITS 40 /* CPUID.8000_0008H:ECX[17:16] = 0 */

/* --------------------------------------------------------- what exists */

static uint64_t has_ext_core(const struct vpmu_shape *s)
{
	return s->ext_core ? vpmu_shape_gp(s) : 0;
}

static uint64_t has_v2(const struct vpmu_shape *s)
{
	return s->version >= 2;
}

static uint64_t has_irperf(const struct vpmu_shape *s)
{
	return s->irperf;
}

static uint64_t has_effreq(const struct vpmu_shape *s)
{
	return s->effreq;
}

static uint64_t has_ptsc(const struct vpmu_shape *s)
{
	return s->ptsc;
}

static uint64_t has_hwcr(const struct vpmu_shape *s)
{
	return s->irperf || s->effreq;
}

static bool gated(const struct vpmu_shape *s)
{
	return s->version >= 2;
}

static uint32_t core_width(const struct vpmu_shape *s)
{
	return s->gp_width;
}

static uint32_t ptsc_width(const struct vpmu_shape *s)
{
	(void)s;
	return PTSC_BITS;
}

static uint32_t effreq_width(const struct vpmu_shape *s)
{
	(void)s;
	return 64;
}

/* -------------------------------------------------------- writable bits */

static uint64_t ctl_bits(const struct vpmu_shape *s, uint32_t instance)
{
	uint64_t bits = CTL_BITS;

	if (s->svm)
		bits |= CTL_GUEST_ONLY | CTL_HOST_ONLY;
	if (s->precise_retire && instance == PRECISE_RETIRE_COUNTER)
		bits |= CTL_PRECISE_RETIRE;
	return bits;
}

static uint64_t debugctl_bits(const struct vpmu_shape *s, uint32_t instance)
{
	uint64_t bits = DEBUGCTL_PB | DEBUGCTL_LBR | DEBUGCTL_BTF;

	(void)instance;
	if (s->freeze)
		bits |= DEBUGCTL_FREEZE_LBRS_ON_PMI |
			DEBUGCTL_FREEZE_PERFMON_ON_PMI;
	return bits;
}

static uint64_t global_ctl_bits(const struct vpmu_shape *s, uint32_t instance)
{
	(void)instance;
	return vpmu_shape_gp(s);
}

static uint64_t global_ctl_reset(const struct vpmu_shape *s)
{
	return vpmu_shape_gp(s);
}

static uint64_t status_bits(const struct vpmu_shape *s, uint32_t instance)
{
	(void)instance;
	return vpmu_shape_gp(s) |
	       (s->freeze ? GLOBAL_STATUS_LBR_FRZ | GLOBAL_STATUS_CTR_FRZ : 0);
}

static uint64_t hwcr_bits(const struct vpmu_shape *s, uint32_t instance)
{
	(void)instance;
	return HWCR_OTHERS | HWCR_TSC_FREQ_SEL | HWCR_EFF_FREQ_READ_ONLY_LOCK |
	       (s->irperf ? HWCR_IRPERF_EN : 0);
}

static uint64_t hwcr_reset(const struct vpmu_shape *s)
{
	(void)s;
	return HWCR_TSC_FREQ_SEL;
}

/* ---------------------------------------------------------------- hooks */

/* There is no branch record: LBR and BTF may be written and read 0. */
static enum vpmu_result
write_debugctl(struct vpmu_vcpu *v, const struct vpmu_msr *msr, uint64_t value)
{
	v->reg[msr->unit] = value & ~(DEBUGCTL_LBR | DEBUGCTL_BTF);
	return VPMU_HANDLED;
}

/* TscFreqSel cannot be written, the lock not be taken back. */
static enum vpmu_result write_hwcr(struct vpmu_vcpu *v,
				   const struct vpmu_msr *msr, uint64_t value)
{
	v->reg[msr->unit] = value | HWCR_TSC_FREQ_SEL |
			    (v->reg[msr->unit] & HWCR_EFF_FREQ_READ_ONLY_LOCK);
	vpmu_program_control(v, BIT(IRPERF) & v->pmu->exists);
	return VPMU_HANDLED;
}

static enum vpmu_result write_irperf(struct vpmu_vcpu *v,
				     const struct vpmu_msr *msr, uint64_t value)
{
	if (v->reg[REG_HWCR] & HWCR_EFF_FREQ_READ_ONLY_LOCK)
		return VPMU_FAULT;
	vpmu_program_write(v, msr->unit, value);
	return VPMU_HANDLED;
}

/* Is this a selector that makes its counter a high half? */
static bool merges(const struct vpmu_vcpu *v, uint64_t ctl)
{
	return v->pmu->shape.merge && (ctl & AMD_EVENT_BITS) == EVENT_MERGE;
}

/* With SVM off, either bit stops the counter. */
static bool level_counts(const struct vpmu_vcpu *v, uint64_t ctl)
{
	switch (ctl & (CTL_GUEST_ONLY | CTL_HOST_ONLY)) {
	case 0:
		return true;
	case CTL_GUEST_ONLY:
		return v->svme && v->guest_mode;
	case CTL_HOST_ONLY:
		return v->svme && !v->guest_mode;
	default:
		return v->svme;
	}
}

static void core_control(const struct vpmu_vcpu *v, uint32_t counter,
			 struct vpmu_control *control)
{
	const struct vpmu_event_table *events = v->pmu->model->events;
	uint64_t ctl = v->counters[counter].select;

	control->select = ctl & AMD_EVENT_BITS;
	control->meaning = (uint8_t)vpmu_event_find(events, events->n,
						    control->select, counter);
	control->cmask = (uint8_t)(ctl >> 24);
	control->enable =
		ctl & CTL_EN && !merges(v, ctl) && level_counts(v, ctl);
	control->cpls =
		(ctl & CTL_USR ? CPLS_USR : 0) | (ctl & CTL_OS ? CPLS_OS : 0);
	control->edge = ctl & CTL_EDGE;
	control->compare = ctl & CTL_INV ? COMPARE_INV : 0;
	control->pmi = ctl & CTL_INT;
}

/* The carry goes to the counter above, if that is the high half: it overflows
 * out of bit 63 then, bit 15 of the other (inferred from Linux). */
static bool core_carry(struct vpmu_vcpu *v, uint32_t counter)
{
	struct vpmu_counter *high = &v->counters[counter + 1];

	if (counter & 1 || !(v->pmu->exists & BIT(counter + 1)) ||
	    !(high->select & CTL_EN) || !merges(v, high->select))
		return true;
	high->value = (high->value & ~MERGED_BITS) |
		      ((high->value + 1) & MERGED_BITS);
	return !(high->value & MERGED_BITS);
}

/* A counter that knows no privilege level (inferred). */
static void free_running(struct vpmu_control *control,
			 enum vpmu_meaning meaning)
{
	control->meaning = (uint8_t)meaning;
	control->enable = true;
	control->cpls = CPLS_ALL;
}

static void irperf_control(const struct vpmu_vcpu *v, uint32_t counter,
			   struct vpmu_control *control)
{
	(void)counter;
	free_running(control, VPMU_MEAN_INSTRUCTIONS);
	control->enable = v->reg[REG_HWCR] & HWCR_IRPERF_EN;
}

/* At the frequency of P0, which is the TSC's. */
static void tsc_control(const struct vpmu_vcpu *v, uint32_t counter,
			struct vpmu_control *control)
{
	(void)v;
	(void)counter;
	free_running(control, VPMU_MEAN_TSC_CYCLES);
}

static void aperf_control(const struct vpmu_vcpu *v, uint32_t counter,
			  struct vpmu_control *control)
{
	(void)v;
	(void)counter;
	free_running(control, VPMU_MEAN_CYCLES);
}

static enum vpmu_freeze freeze(const struct vpmu_shape *s)
{
	return s->freeze ? FREEZE_STREAMLINED : FREEZE_NONE;
}

/* clang-format off */
static const struct vpmu_msr_row msrs[] = {
	/* first, stride, n, exists, writable, reset, read, write, unit, flags, name, manual */
	{ 0x000000e7, 1, 1, has_effreq, vpmu_shape_any_bit, NULL, vpmu_msr_read_counter, vpmu_msr_write_counter, MPERF, 0, "MPERF", "APM 2, Determining Processor Effective Frequency" },
	{ 0x000000e8, 1, 1, has_effreq, vpmu_shape_any_bit, NULL, vpmu_msr_read_counter, vpmu_msr_write_counter, APERF, 0, "APERF", "APM 2, Determining Processor Effective Frequency" },
	{ 0x000001d9, 1, 1, vpmu_shape_one, debugctl_bits, NULL, vpmu_msr_read_reg, write_debugctl, REG_DEBUGCTL, MSR_DROPS | MSR_INIT, "DebugCtl", "APM 2, Debug-Control MSR" },
	{ 0xc00000e7, 1, 1, has_effreq, NULL, NULL, vpmu_msr_read_counter, NULL, MPERF, 0, "MperfReadOnly", "PPR, MSR C000_00E7H" },
	{ 0xc00000e8, 1, 1, has_effreq, NULL, NULL, vpmu_msr_read_counter, NULL, APERF, 0, "AperfReadOnly", "PPR, MSR C000_00E8H" },
	{ 0xc00000e9, 1, 1, has_irperf, vpmu_amd_ctr_bits, NULL, vpmu_msr_read_counter, write_irperf, IRPERF, MSR_DROPS, "IRPerfCount", "PPR, MSR C000_00E9H" },
	{ 0xc0000300, 1, 1, has_v2, vpmu_shape_any_bit, NULL, vpmu_msr_read_status, vpmu_msr_write_ignored, REG_GLOBAL_STATUS, 0, "PerfCntrGlobalStatus", "APM 2, PerfCntrGlobalStatus" },
	{ 0xc0000301, 1, 1, has_v2, global_ctl_bits, global_ctl_reset, vpmu_msr_read_reg, vpmu_msr_write_enables, REG_GLOBAL_CTRL, MSR_DROPS, "PerfCntrGlobalCtl", "APM 2, PerfCntrGlobalCtl" },
	/* What 302H and 303H read is not known; taken: 0 (unverified). */
	{ 0xc0000302, 1, 1, has_v2, status_bits, NULL, vpmu_msr_read_zero, vpmu_msr_clear_status, REG_GLOBAL_STATUS, MSR_DROPS, "PerfCntrGlobalStatusClr", "APM 2, PerfCntrGlobalStatusClr" },
	{ 0xc0000303, 1, 1, has_v2, status_bits, NULL, vpmu_msr_read_zero, vpmu_msr_set_status, REG_GLOBAL_STATUS, MSR_DROPS, "PerfCntrGlobalStatusSet", "APM 2, PerfCntrGlobalStatusSet" },
	{ 0xc0010000, 1, MOST_LEGACY, vpmu_shape_gp, ctl_bits, NULL, vpmu_msr_read_select, vpmu_msr_write_select, CORE, MSR_DROPS, "PERF_LEGACY_CTL", "APM 2, Performance Event-Select Registers" },
	{ 0xc0010004, 1, MOST_LEGACY, vpmu_shape_gp, vpmu_amd_ctr_bits, NULL, vpmu_msr_read_counter, vpmu_msr_write_counter, CORE, MSR_DROPS, "PERF_LEGACY_CTR", "APM 2, Performance Counter MSRs" },
	{ 0xc0010015, 1, 1, has_hwcr, hwcr_bits, hwcr_reset, vpmu_msr_read_reg, write_hwcr, REG_HWCR, MSR_DROPS, "HWCR", "PPR, MSR C001_0015H" },
	{ 0xc0010200, 2, MOST_CORE, has_ext_core, ctl_bits, NULL, vpmu_msr_read_select, vpmu_msr_write_select, CORE, MSR_DROPS, "PERF_CTL", "APM 2, Performance Event-Select Registers" },
	{ 0xc0010201, 2, MOST_CORE, has_ext_core, vpmu_amd_ctr_bits, NULL, vpmu_msr_read_counter, vpmu_msr_write_counter, CORE, MSR_DROPS, "PERF_CTR", "APM 2, Performance Counter MSRs" },
	{ 0xc0010230, 2, MOST_L3, vpmu_amd_has_l3, vpmu_amd_l3_ctl_bits, NULL, vpmu_package_read_select, vpmu_package_write_select, L3, MSR_DROPS, "L3_PERF_CTL", "PPR, L3 Performance Event Select" },
	{ 0xc0010231, 2, MOST_L3, vpmu_amd_has_l3, vpmu_amd_flagged_ctr_bits, NULL, vpmu_package_read_counter, vpmu_package_write_counter, L3, MSR_DROPS, "L3_PERF_CTR", "PPR, L3 Performance Event Counter" },
	{ 0xc0010240, 2, MOST_NB, vpmu_amd_has_nb, vpmu_amd_nb_ctl_bits, NULL, vpmu_package_read_select, vpmu_package_write_select, NB, MSR_DROPS, "NB_PERF_CTL", "APM 2, Performance Event-Select Registers" },
	{ 0xc0010241, 2, MOST_NB, vpmu_amd_has_nb, vpmu_amd_ctr_bits, NULL, vpmu_package_read_counter, vpmu_package_write_counter, NB, MSR_DROPS, "NB_PERF_CTR", "APM 2, Performance Counter MSRs" },
	{ 0xc0010280, 1, 1, has_ptsc, NULL, NULL, vpmu_msr_read_counter, NULL, PTSC, 0, "PTSC", "APM 2, Performance Timestamp Counter" },
	{ 0xc0010800, 2, MOST_UMC, vpmu_amd_has_umc, vpmu_amd_umc_ctl_bits, NULL, vpmu_package_read_select, vpmu_package_write_select, UMC, MSR_DROPS, "UMC_PERF_CTL", "PPR, UMC Performance Monitor Control" },
	{ 0xc0010801, 2, MOST_UMC, vpmu_amd_has_umc, vpmu_amd_flagged_ctr_bits, NULL, vpmu_package_read_counter, vpmu_package_write_counter, UMC, MSR_DROPS, "UMC_PERF_CTR", "PPR, UMC Performance Monitor Counter" },
};

static const struct vpmu_counter_row counters[] = {
	/* first, n, exists, width, gated, control, counted, carry, fixed, unit, each, overflow, name */
	{ CORE, MOST_CORE, vpmu_shape_gp, core_width, gated, core_control, NULL, core_carry, false, VPMU_UNIT_CORE, 0, OVERFLOW_WRAPS, "PERF_CTR" },
	{ IRPERF, 1, has_irperf, vpmu_amd_shared_width, vpmu_amd_ungated, irperf_control, NULL, NULL, true, VPMU_UNIT_CORE, 0, OVERFLOW_WRAPS, "IRPERF" },
	{ MPERF, 1, has_effreq, effreq_width, vpmu_amd_ungated, tsc_control, NULL, NULL, true, VPMU_UNIT_CORE, 0, OVERFLOW_WRAPS, "MPERF" },
	{ L3, MOST_L3, vpmu_amd_has_l3, vpmu_amd_shared_width, vpmu_amd_ungated, vpmu_amd_shared_control, NULL, NULL, false, VPMU_UNIT_L3, 0, OVERFLOW_FLAGGED, "L3_CTR" },
	{ APERF, 1, has_effreq, effreq_width, vpmu_amd_ungated, aperf_control, NULL, NULL, true, VPMU_UNIT_CORE, 0, OVERFLOW_WRAPS, "APERF" },
	{ PTSC, 1, has_ptsc, ptsc_width, vpmu_amd_ungated, tsc_control, NULL, NULL, true, VPMU_UNIT_CORE, 0, OVERFLOW_WRAPS, "PTSC" },
	{ NB, MOST_NB, vpmu_amd_has_nb, vpmu_amd_shared_width, vpmu_amd_ungated, vpmu_amd_shared_control, NULL, NULL, false, VPMU_UNIT_NB, 0, OVERFLOW_WRAPS, "NB_CTR" },
	{ UMC, MOST_UMC, vpmu_amd_has_umc, vpmu_amd_shared_width, vpmu_amd_ungated, vpmu_amd_umc_control, NULL, NULL, false, VPMU_UNIT_UMC, UMC_COUNTERS, OVERFLOW_SATURATES, "UMC_CTR" },
};

/* All 32 bits of ECX select: no type, no fast read. Whether bit 48 of an L3
 * counter is read is not known; taken: no (unverified). */
static const struct vpmu_rdpmc_row rdpmc[] = {
	/* first, n, counter, exists, read, manual */
	{ 0, MOST_CORE, CORE, NULL, NULL, "APM 3, RDPMC" },
	{ 6, 4, NB, NULL, vpmu_package_rdpmc, "APM 3, RDPMC" },
	{ 10, MOST_L3, L3, NULL, vpmu_package_rdpmc, "APM 3, RDPMC" },
	{ 16, MOST_NB - 4, NB + 4, NULL, vpmu_package_rdpmc, "APM 3, RDPMC" },
};
/* clang-format on */

const struct vpmu_family vpmu_family_amd = {
	.msrs = ROWS(msrs),
	.counters = ROWS(counters),
	.rdpmc = ROWS(rdpmc),
	.cpuid = &vpmu_amd_cpuid,
	.identity = &vpmu_cpuid_amd,
	.fields = &vpmu_amd_fields,
	.rules = &vpmu_amd_rules,
	.freeze = freeze,
};
