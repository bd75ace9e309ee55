/* SPDX-License-Identifier: Apache-2.0 */
/* AMD's four counters of the K7 on, before PerfCtrExtCore; the hooks here serve
 * the extended sets as well. */
#include "core/internal.h"

#define WIDTH 48

#define CTL_USR BIT(16)
#define CTL_OS BIT(17)
#define CTL_EDGE BIT(18)
#define CTL_INT BIT(20)
#define CTL_EN BIT(22)
#define CTL_INV BIT(23)
/* 41:40, GuestOnly and HostOnly, need SVM in the guest: dropped. So are 19, 21,
 * 39:36 and 63:42, which are reserved. */
#define CTL_BITS UINT64_C(0x0000000fffd7ffff)
#define DEBUGCTL_PB UINT64_C(0x3c)

uint64_t vpmu_amd_has_core(const struct vpmu_shape *shape)
{
	return vpmu_low_bits(shape->gp);
}

uint32_t vpmu_amd_width(const struct vpmu_shape *shape)
{
	return shape->gp_width;
}

uint64_t vpmu_amd_ctr_bits(const struct vpmu_shape *shape, uint32_t instance)
{
	(void)instance;
	return vpmu_low_bits(shape->gp_width);
}

uint64_t vpmu_amd_ctl_bits(const struct vpmu_shape *shape, uint32_t instance)
{
	(void)shape;
	(void)instance;
	return CTL_BITS;
}

uint64_t vpmu_amd_debugctl_bits(const struct vpmu_shape *shape,
				uint32_t instance)
{
	(void)shape;
	(void)instance;
	return DEBUGCTL_PB | DEBUGCTL_LBR | DEBUGCTL_BTF;
}

bool vpmu_amd_gated(const struct vpmu_shape *shape)
{
	return shape->version >= 2;
}

enum vpmu_freeze vpmu_amd_freeze(const struct vpmu_shape *shape)
{
	(void)shape;
	return FREEZE_NONE;
}

void vpmu_amd_core_control(const struct vpmu_vcpu *vcpu, uint32_t counter,
			   struct vpmu_control *control)
{
	const struct vpmu_event_table *events = vcpu->pmu->model->events;
	uint64_t ctl = vcpu->counters[counter].select;

	control->select = ctl & AMD_EVENT_BITS;
	control->meaning =
		(uint8_t)vpmu_event_find(events, events->n, control->select);
	control->cmask = (uint8_t)(ctl >> 24);
	control->enable = ctl & CTL_EN;
	control->user = ctl & CTL_USR;
	control->kernel = ctl & CTL_OS;
	control->edge = ctl & CTL_EDGE;
	control->compare = ctl & CTL_INV ? COMPARE_INV : 0;
	control->pmi = ctl & CTL_INT;
}

/* There is no branch record: LBR and BTF may be written and read 0. */
enum vpmu_result vpmu_amd_write_debugctl(struct vpmu_vcpu *vcpu,
					 const struct vpmu_msr *msr,
					 uint64_t value)
{
	vcpu->reg[msr->unit] = value & ~(DEBUGCTL_LBR | DEBUGCTL_BTF);
	return VPMU_HANDLED;
}

static bool not_four(const struct vpmu_shape *s)
{
	return s->gp != 4;
}

static bool not_48(const struct vpmu_shape *s)
{
	return s->gp_width != WIDTH;
}

/* clang-format off */
static const struct vpmu_msr_row msrs[] = {
	/* first, stride, n, exists, writable, reset, read, write, unit, flags, name, manual */
	{ 0x000001d9, 1, 1, vpmu_shape_one, vpmu_amd_debugctl_bits, NULL, vpmu_msr_read_reg, vpmu_amd_write_debugctl, REG_DEBUGCTL, MSR_DROPS | MSR_INIT, "DebugCtl", "APM 2, Debug-Control MSR" },
	{ 0xc0010000, 1, 4, vpmu_amd_has_core, vpmu_amd_ctl_bits, NULL, vpmu_msr_read_select, vpmu_msr_write_select, 0, MSR_DROPS, "PERF_LEGACY_CTL", "APM 2, Performance Event-Select Registers" },
	{ 0xc0010004, 1, 4, vpmu_amd_has_core, vpmu_amd_ctr_bits, NULL, vpmu_msr_read_counter, vpmu_msr_write_counter, 0, MSR_DROPS, "PERF_LEGACY_CTR", "APM 2, Performance Counter MSRs" },
};

static const struct vpmu_counter_row counters[] = {
	{ 0, 4, vpmu_amd_has_core, vpmu_amd_width, vpmu_amd_gated, vpmu_amd_core_control, NULL, false, "PERF_CTR" },
};

/* All 32 bits of ECX select: no type, no fast read. */
static const struct vpmu_rdpmc_row rdpmc[] = {
	{ 0, 4, 0, NULL, NULL, "APM 3, RDPMC" },
};

static const struct vpmu_field_row field_rows[] = {
	{ "gp", offsetof(struct vpmu_shape, gp), 0, 1, 6, "RDPMC 0..5 are core counters; APM 3, RDPMC" },
	{ "width", offsetof(struct vpmu_shape, gp_width), 0, 1, 64, "a register has 64 bits; APM 2, Performance Counter MSRs" },
};

static const struct vpmu_rule_row rule_rows[] = {
	{ not_four, offsetof(struct vpmu_shape, gp), 4, "gp: without PerfCtrExtCore there are 4 counters, no CPUID field could tell of fewer or more", "APM 2, Performance Counter MSRs" },
	{ not_48, offsetof(struct vpmu_shape, gp_width), WIDTH, "width: counters are 48 bits wide", "APM 2, Performance Counter MSRs" },
};
/* clang-format on */

static const struct vpmu_cpuid_table cpuid = { NULL, 0 };
static const struct vpmu_field_table fields = { field_rows,
						ARRAY_SIZE(field_rows),
						"gp, width" };
static const struct vpmu_rule_table rules = ROWS(rule_rows);

const struct vpmu_family vpmu_family_amd_legacy = {
	.msrs = ROWS(msrs),
	.counters = ROWS(counters),
	.rdpmc = ROWS(rdpmc),
	.cpuid = &cpuid,
	.identity = &vpmu_cpuid_amd,
	.fields = &fields,
	.rules = &rules,
	.freeze = vpmu_amd_freeze,
};
