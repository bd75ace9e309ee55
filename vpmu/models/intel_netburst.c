/* SPDX-License-Identifier: Apache-2.0 */
/*
 * NetBurst's 18 counters. Each has a CCCR, which says when it counts and picks
 * one of the ESCRs that lie near it; the ESCR says which event, at which
 * privilege. A vCPU is a processor of one logical processor, number 0.
 *
 * Not modelled: tagging and replay, by which events are picked at retirement,
 * and cascading; their bits are kept as written, without effect.
 */
#include "core/internal.h"

#define COUNTERS 18
#define ESCR_FIRST 0x3a0

#define CCCR_ENABLE BIT(12)
#define CCCR_ESCR_SELECT(cccr) ((cccr) >> 13 & 7)
#define CCCR_ACTIVE_THREAD(cccr) ((cccr) >> 16 & 3)
#define CCCR_COMPARE BIT(18)
#define CCCR_COMPLEMENT BIT(19)
#define CCCR_THRESHOLD(cccr) ((cccr) >> 20 & 15)
#define CCCR_EDGE BIT(24)
#define CCCR_FORCE_OVF BIT(25)
#define CCCR_OVF_PMI_T0 BIT(26)
#define CCCR_OVF BIT(31)
/* 11:0, 29:28 and 63:32 are reserved. */
#define CCCR_BITS UINT64_C(0xcffff000)

/* "A single logical processor active", "any". */
#define THREAD_SINGLE 1
#define THREAD_ANY 3

#define ESCR_T0_USR BIT(2)
#define ESCR_T0_OS BIT(3)
/* 31 and 63:32 are reserved. */
#define ESCR_BITS UINT64_C(0x7fffffff)

/*
 * SDM 3B, "Performance Counter MSRs and Associated CCCR and ESCR MSRs": what
 * the CCCRs of counters may select. Some of a group's counters have the ESCR
 * at the address, the others that above it.
 */
struct escr_choice {
	uint32_t evens; /* bitmap of counters: ESCR at the address */
	uint32_t odds; /* ... at the one above */
	uint8_t select;
	uint16_t escr;
	const char *what;
};

#define BPU 0x00003, 0x0000c
#define MS 0x00030, 0x000c0
#define FLAME 0x00300, 0x00c00
#define IQ 0x13000, 0x2c000
#define IQ_EVENS 0x13000, 0

/* clang-format off */
static const struct escr_choice choices[] = {
	/* evens, odds, select, escr, what */
	{ BPU, 0, 0x3b2, "BPU" },
	{ BPU, 1, 0x3b4, "IS" },
	{ BPU, 2, 0x3aa, "MOB" },
	{ BPU, 3, 0x3b6, "ITLB" },
	{ BPU, 4, 0x3ac, "PMH" },
	{ BPU, 5, 0x3c8, "IX" },
	{ BPU, 6, 0x3a2, "FSB" },
	{ BPU, 7, 0x3a0, "BSU" },
	{ MS, 0, 0x3c0, "MS" },
	{ MS, 1, 0x3c4, "TC" },
	{ MS, 2, 0x3c2, "TBPU" },
	{ FLAME, 0, 0x3a6, "FLAME" },
	{ FLAME, 1, 0x3a4, "FIRM" },
	{ FLAME, 2, 0x3ae, "SAAT" },
	{ FLAME, 3, 0x3b0, "U2L" },
	{ FLAME, 5, 0x3a8, "DAC" },
	{ IQ, 0, 0x3ba, "IQ" },
	{ IQ, 1, 0x3ca, "ALF" },
	{ IQ, 2, 0x3bc, "RAT" },
	{ IQ_EVENS, 3, 0x3be, "SSU" },
	{ IQ, 4, 0x3b8, "CRU, 0 and 1" },
	{ IQ, 5, 0x3cc, "CRU, 2 and 3" },
	{ IQ, 6, 0x3e0, "CRU, 4 and 5" },
};
/* clang-format on */

/* The address of the ESCR that a CCCR selects, or 0. */
static uint32_t escr_of(uint32_t counter, uint64_t cccr)
{
	for (size_t i = 0; i < ARRAY_SIZE(choices); i++) {
		const struct escr_choice *c = &choices[i];

		if (c->select != CCCR_ESCR_SELECT(cccr))
			continue;
		if (c->evens & BIT32(counter))
			return c->escr;
		if (c->odds & BIT32(counter))
			return c->escr + 1u;
	}
	return 0;
}

static uint64_t cccr_bits(const struct vpmu_shape *s, uint32_t instance)
{
	(void)s;
	(void)instance;
	return CCCR_BITS;
}

static uint64_t escr_bits(const struct vpmu_shape *s, uint32_t instance)
{
	(void)s;
	(void)instance;
	return ESCR_BITS;
}

/* Any counter may have selected it: the rare write decodes all anew. */
static enum vpmu_result write_escr(struct vpmu_vcpu *v,
				   const struct vpmu_msr *msr, uint64_t value)
{
	if (v->reg[msr->unit] == value)
		return VPMU_HANDLED;
	v->reg[msr->unit] = value;
	vpmu_program_control(v, v->pmu->exists);
	return VPMU_HANDLED;
}

static bool thread_counts(uint64_t cccr)
{
	return CCCR_ACTIVE_THREAD(cccr) == THREAD_SINGLE ||
	       CCCR_ACTIVE_THREAD(cccr) == THREAD_ANY;
}

/* Compare: more than the threshold in a cycle; complement: not more. There is
 * an edge detector behind the comparison only. */
static void qualifiers(uint64_t cccr, struct vpmu_control *control)
{
	if (!(cccr & CCCR_COMPARE))
		return;
	control->cmask = (uint8_t)(CCCR_THRESHOLD(cccr) + 1);
	control->compare = cccr & CCCR_COMPLEMENT ? COMPARE_INV : 0;
	control->edge = cccr & CCCR_EDGE;
}

static void control(const struct vpmu_vcpu *v, uint32_t counter,
		    struct vpmu_control *control)
{
	const struct vpmu_event_table *events = v->pmu->model->events;
	uint64_t cccr = v->counters[counter].select;
	uint32_t msr = escr_of(counter, cccr);
	uint64_t escr = msr ? v->reg[REG_ESCR + msr - ESCR_FIRST] : 0;

	control->select = (escr & NETBURST_EVENT_BITS) | NETBURST_ESCR(msr);
	control->meaning = (uint8_t)vpmu_event_find(events, events->n,
						    control->select, counter);
	control->cpls = (escr & ESCR_T0_USR ? CPLS_USR : 0) |
			(escr & ESCR_T0_OS ? CPLS_OS : 0);
	control->enable = cccr & CCCR_ENABLE && thread_counts(cccr);
	control->pmi = cccr & CCCR_OVF_PMI_T0;
	qualifiers(cccr, control);
}

/* FORCE_OVF: each increment is an overflow. */
static void counted(struct vpmu_vcpu *v, uint32_t counter)
{
	struct vpmu_counter *c = &v->counters[counter];

	if (!(c->select & CCCR_FORCE_OVF))
		return;
	c->select |= CCCR_OVF;
	if (c->now.pmi)
		vpmu_pmi_raise(v);
}

/* OVF stays until software clears it; it interrupts if OVF_PMI says so. */
static bool carry(struct vpmu_vcpu *v, uint32_t counter)
{
	v->counters[counter].select |= CCCR_OVF;
	return true;
}

/* ECX[31]: fast, the low half only. */
static uint64_t rdpmc_fast(struct vpmu_vcpu *v, uint32_t counter, uint8_t cpl)
{
	(void)cpl;
	return vpmu_program_read(v, counter) & UINT32_MAX;
}

/* A CCCR shows overflows that the backend has not told yet. */
static uint64_t read_cccr(struct vpmu_vcpu *v, const struct vpmu_msr *msr)
{
	vpmu_program_sync(v, BIT(msr->unit));
	return v->counters[msr->unit].select;
}

static enum vpmu_result write_cccr(struct vpmu_vcpu *v,
				   const struct vpmu_msr *msr, uint64_t value)
{
	vpmu_program_sync(v, BIT(msr->unit));
	return vpmu_msr_write_select(v, msr, value);
}

/* All of a row's. */
static uint64_t has_all(const struct vpmu_shape *s)
{
	(void)s;
	return UINT64_MAX;
}

#define PERFCTRS(counter, n, name)                                        \
	{                                                                 \
		0x300 + counter, 1, n, has_all, vpmu_shape_gp_bits, NULL, \
			vpmu_msr_read_counter, vpmu_msr_write_counter,    \
			counter, MSR_DROPS, name,                         \
			"SDM 3B, Performance Counters"                    \
	}
#define CCCRS(counter, n, name)                                             \
	{                                                                   \
		0x360 + counter, 1, n, has_all, cccr_bits, NULL, read_cccr, \
			write_cccr, counter, 0, name, "SDM 3B, CCCR MSRs"   \
	}
#define ESCRS(msr, n, name)                                               \
	{                                                                 \
		msr, 1, n, has_all, escr_bits, NULL, vpmu_msr_read_reg,   \
			write_escr, REG_ESCR + msr - ESCR_FIRST, 0, name, \
			"SDM 3B, ESCR MSRs"                               \
	}

/* Reserved bits of counters are dropped, those of CCCRs and ESCRs fault as in
 * other registers (both unverified). */
/* clang-format off */
static const struct vpmu_msr_row msrs[] = {
	/* first, stride, n, exists, writable, reset, read, write, unit, flags, name, manual */
	{ 0x1a0, 1, 1, vpmu_shape_one, vpmu_intel_misc_bits, vpmu_intel_misc_reset, vpmu_msr_read_reg, vpmu_intel_write_misc, REG_MISC_ENABLE, 0, "IA32_MISC_ENABLE", "SDM 4, MSRs in the Pentium 4 and Intel Xeon Processors" },
	{ 0x1d9, 1, 1, vpmu_shape_one, vpmu_intel_debugctl_bits, NULL, vpmu_msr_read_reg, vpmu_intel_write_debugctl, REG_DEBUGCTL, MSR_INIT, "MSR_DEBUGCTLA", "SDM 3B, MSR_DEBUGCTLA MSR" },
	PERFCTRS(0, 4, "MSR_BPU_COUNTER"),
	PERFCTRS(4, 4, "MSR_MS_COUNTER"),
	PERFCTRS(8, 4, "MSR_FLAME_COUNTER"),
	PERFCTRS(12, 6, "MSR_IQ_COUNTER"),
	CCCRS(0, 4, "MSR_BPU_CCCR"),
	CCCRS(4, 4, "MSR_MS_CCCR"),
	CCCRS(8, 4, "MSR_FLAME_CCCR"),
	CCCRS(12, 6, "MSR_IQ_CCCR"),
	ESCRS(0x3a0, 2, "MSR_BSU_ESCR"),
	ESCRS(0x3a2, 2, "MSR_FSB_ESCR"),
	ESCRS(0x3a4, 2, "MSR_FIRM_ESCR"),
	ESCRS(0x3a6, 2, "MSR_FLAME_ESCR"),
	ESCRS(0x3a8, 2, "MSR_DAC_ESCR"),
	ESCRS(0x3aa, 2, "MSR_MOB_ESCR"),
	ESCRS(0x3ac, 2, "MSR_PMH_ESCR"),
	ESCRS(0x3ae, 2, "MSR_SAAT_ESCR"),
	ESCRS(0x3b0, 2, "MSR_U2L_ESCR"),
	ESCRS(0x3b2, 2, "MSR_BPU_ESCR"),
	ESCRS(0x3b4, 2, "MSR_IS_ESCR"),
	ESCRS(0x3b6, 2, "MSR_ITLB_ESCR"),
	ESCRS(0x3b8, 2, "MSR_CRU_ESCR"),
	ESCRS(0x3ba, 2, "MSR_IQ_ESCR"),
	ESCRS(0x3bc, 2, "MSR_RAT_ESCR"),
	ESCRS(0x3be, 1, "MSR_SSU_ESCR0"),
	ESCRS(0x3c0, 2, "MSR_MS_ESCR"),
	ESCRS(0x3c2, 2, "MSR_TBPU_ESCR"),
	ESCRS(0x3c4, 2, "MSR_TC_ESCR"),
	ESCRS(0x3c8, 2, "MSR_IX_ESCR"),
	ESCRS(0x3ca, 2, "MSR_ALF_ESCR"),
	ESCRS(0x3cc, 1, "MSR_CRU_ESCR2"),
	ESCRS(0x3cd, 1, "MSR_CRU_ESCR3"),
	ESCRS(0x3e0, 1, "MSR_CRU_ESCR4"),
	ESCRS(0x3e1, 1, "MSR_CRU_ESCR5"),
};

static const struct vpmu_counter_row counters[] = {
	/* first, n, exists, width, gated, control, counted, carry, fixed, unit, each, overflow, name */
	{ 0, COUNTERS, vpmu_shape_gp, vpmu_shape_gp_width, vpmu_shape_ungated, control, counted, carry, false, VPMU_UNIT_CORE, 0, OVERFLOW_WRAPS, "PERFCTR" },
};

/* This model has no third-level cache, so no counters 18 to 25 either. */
static const struct vpmu_rdpmc_row rdpmc[] = {
	/* first, n, counter, exists, read, manual */
	{ 0x00000000, COUNTERS, 0, NULL, NULL, "SDM 2B, RDPMC" },
	{ 0x80000000, COUNTERS, 0, NULL, rdpmc_fast, "SDM 2B, RDPMC" },
};
/* clang-format on */

const struct vpmu_family vpmu_family_intel_netburst = {
	.msrs = ROWS(msrs),
	.counters = ROWS(counters),
	.rdpmc = ROWS(rdpmc),
	.cpuid = &vpmu_cpuid_nothing,
	.identity = &vpmu_cpuid_intel,
	.fields = &vpmu_fields_none,
	.rules = &vpmu_rules_none,
	.freeze = vpmu_shape_no_freeze,
	.lvtpc_masks = true,
};
