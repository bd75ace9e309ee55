/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The Pentium's counters, with and without MMX: one control register of two
 * halves, no interrupt, and RDPMC with MMX only. MSRs 11H and 12H are those of
 * KVM's first paravirtual clock, too. The TSC, 10H, is no part of the PMU.
 */
#include "core/internal.h"

/* Each half of CESR. */
#define CESR_ES 0x3fu
#define CESR_CPL_0_TO_2 BIT32(6)
#define CESR_CPL_3 BIT32(7)
#define CESR_CLOCKS BIT32(8)
#define CESR_PC BIT32(9)
#define CESR_HALF \
	(CESR_ES | CESR_CPL_0_TO_2 | CESR_CPL_3 | CESR_CLOCKS | CESR_PC)
#define HALF_BITS 16

#define CPLS_0_TO_2 0x7u
#define CPLS_3 0x8u

/* Reserved bits are dropped (unverified): no system sets them. PC, which pin
 * does what, is kept: there are no pins. */
static uint64_t cesr_bits(const struct vpmu_shape *s, uint32_t instance)
{
	(void)s;
	(void)instance;
	return CESR_HALF | CESR_HALF << HALF_BITS;
}

static enum vpmu_result write_cesr(struct vpmu_vcpu *v,
				   const struct vpmu_msr *msr, uint64_t value)
{
	v->reg[msr->unit] = value;
	vpmu_program_control(v, v->pmu->exists);
	return VPMU_HANDLED;
}

/*
 * Clocks: those in which it occurs at least once; else its occurrences. An
 * overflow is seen on a pin and nowhere else.
 */
static void control(const struct vpmu_vcpu *v, uint32_t counter,
		    struct vpmu_control *control)
{
	const struct vpmu_event_table *events = v->pmu->model->events;
	uint64_t half = v->reg[REG_CESR] >> (HALF_BITS * counter);

	control->select = half & CESR_ES;
	control->meaning = (uint8_t)vpmu_event_find(events, events->n,
						    control->select, counter);
	control->cmask = half & CESR_CLOCKS ? 1 : 0;
	control->cpls = (half & CESR_CPL_0_TO_2 ? CPLS_0_TO_2 : 0) |
			(half & CESR_CPL_3 ? CPLS_3 : 0);
	control->enable = control->cpls;
}

/* clang-format off */
static const struct vpmu_msr_row msrs[] = {
	/* first, stride, n, exists, writable, reset, read, write, unit, flags, name, manual */
	{ 0x011, 1, 1, vpmu_shape_one, cesr_bits, NULL, vpmu_msr_read_reg, write_cesr, REG_CESR, MSR_DROPS, "CESR", "SDM 3B, Control and Event Select Register (CESR)" },
	/* Bits 63:40 are dropped (unverified). */
	{ 0x012, 1, 2, vpmu_shape_gp, vpmu_shape_gp_bits, NULL, vpmu_msr_read_counter, vpmu_msr_write_counter, 0, MSR_DROPS, "CTR", "SDM 3B, Performance Monitoring (Pentium Processors)" },
};

static const struct vpmu_counter_row counters[] = {
	/* first, n, exists, width, gated, control, counted, carry, fixed, unit, each, overflow, name */
	{ 0, 2, vpmu_shape_gp, vpmu_shape_gp_width, vpmu_shape_ungated, control, NULL, NULL, false, VPMU_UNIT_CORE, 0, OVERFLOW_WRAPS, "CTR" },
};

/* All of ECX is the index: there is no fast read. */
static const struct vpmu_rdpmc_row rdpmc[] = {
	/* first, n, counter, exists, read, manual */
	{ 0, 2, 0, NULL, NULL, "SDM 2B, RDPMC" },
};
/* clang-format on */

/* Without RDPMC: #UD (inferred from its being newer). */
const struct vpmu_family vpmu_family_intel_p5 = {
	.msrs = ROWS(msrs),
	.counters = ROWS(counters),
	.no_rdpmc = true,
	.cpuid = &vpmu_cpuid_nothing,
	.identity = &vpmu_cpuid_intel,
	.fields = &vpmu_fields_none,
	.rules = &vpmu_rules_none,
	.freeze = vpmu_shape_no_freeze,
};

const struct vpmu_family vpmu_family_intel_p55c = {
	.msrs = ROWS(msrs),
	.counters = ROWS(counters),
	.rdpmc = ROWS(rdpmc),
	.cpuid = &vpmu_cpuid_nothing,
	.identity = &vpmu_cpuid_intel,
	.fields = &vpmu_fields_none,
	.rules = &vpmu_rules_none,
	.freeze = vpmu_shape_no_freeze,
};
