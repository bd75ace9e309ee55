/* SPDX-License-Identifier: Apache-2.0 */
/* The P6's two counters, before there was architectural performance monitoring:
 * one enable bit for both. */
#include "core/internal.h"

#define EVTSEL_USR BIT(16)
#define EVTSEL_OS BIT(17)
#define EVTSEL_E BIT(18)
#define EVTSEL_INT BIT(20)
#define EVTSEL_EN BIT(22)
#define EVTSEL_INV BIT(23)
#define EVTSEL_BITS UINT64_C(0xffdfffff)

/* PB0 to PB3 and TR, which do pins and bus messages: there are none. */
#define DEBUGCTL_OTHERS UINT64_C(0x7c)

/* Bit 21 and bits 63:32 are dropped, EN is kept in both (unverified: FreeBSD
 * sets it in both). PC is kept: there are no pins. */
static uint64_t evtsel_bits(const struct vpmu_shape *s, uint32_t instance)
{
	(void)s;
	(void)instance;
	return EVTSEL_BITS;
}

static uint64_t debugctl_bits(const struct vpmu_shape *s, uint32_t instance)
{
	return vpmu_intel_debugctl_bits(s, instance) | DEBUGCTL_OTHERS;
}

/* Either may be that of the bit which enables both. */
static enum vpmu_result write_select(struct vpmu_vcpu *v,
				     const struct vpmu_msr *msr, uint64_t value)
{
	v->counters[msr->unit].select = value;
	vpmu_program_control(v, v->pmu->exists);
	return VPMU_HANDLED;
}

static void control(const struct vpmu_vcpu *v, uint32_t counter,
		    struct vpmu_control *control)
{
	const struct vpmu_event_table *events = v->pmu->model->events;
	uint64_t select = v->counters[counter].select;

	control->select = select & 0xffff;
	control->meaning = (uint8_t)vpmu_event_find(events, events->n,
						    control->select, counter);
	control->cmask = (uint8_t)(select >> 24);
	/* SDM 3B, "PerfEvtSel0 and PerfEvtSel1 MSRs": in PerfEvtSel0 only. */
	control->enable = v->counters[0].select & EVTSEL_EN;
	control->cpls = (select & EVTSEL_USR ? CPLS_USR : 0) |
			(select & EVTSEL_OS ? CPLS_OS : 0);
	control->edge = select & EVTSEL_E;
	control->compare = select & EVTSEL_INV ? COMPARE_INV : 0;
	control->pmi = select & EVTSEL_INT;
}

/* clang-format off */
static const struct vpmu_msr_row msrs[] = {
	/* first, stride, n, exists, writable, reset, read, write, unit, flags, name, manual */
	{ 0x0c1, 1, 2, vpmu_shape_gp, vpmu_shape_any_bit, NULL, vpmu_msr_read_counter, vpmu_msr_write_sext32, 0, 0, "PerfCtr", "SDM 3B, PerfCtr0 and PerfCtr1 MSRs" },
	{ 0x186, 1, 2, vpmu_shape_gp, evtsel_bits, NULL, vpmu_msr_read_select, write_select, 0, MSR_DROPS, "PerfEvtSel", "SDM 3B, PerfEvtSel0 and PerfEvtSel1 MSRs" },
	{ 0x1d9, 1, 1, vpmu_shape_one, debugctl_bits, NULL, vpmu_msr_read_reg, vpmu_intel_write_debugctl, REG_DEBUGCTL, MSR_INIT, "DebugCtlMSR", "SDM 3B, DebugCtlMSR Register" },
};

static const struct vpmu_counter_row counters[] = {
	/* first, n, exists, width, gated, control, counted, carry, fixed, unit, each, overflow, name */
	{ 0, 2, vpmu_shape_gp, vpmu_shape_gp_width, vpmu_shape_ungated, control, NULL, NULL, false, VPMU_UNIT_CORE, 0, OVERFLOW_WRAPS, "PerfCtr" },
};

/* All of ECX is the index: there is no fast read. */
static const struct vpmu_rdpmc_row rdpmc[] = {
	/* first, n, counter, exists, read, manual */
	{ 0, 2, 0, NULL, NULL, "SDM 2B, RDPMC" },
};
/* clang-format on */

const struct vpmu_family vpmu_family_intel_p6 = {
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
