/* SPDX-License-Identifier: Apache-2.0 */
/* Intel's architectural performance monitoring, versions 1 to 5: which of it a
 * shape has follows from its version. */
#include "core/internal.h"

/* The number of IA32_FIXED_CTR0: its bit in the global registers. */
#define FIXED 32
/* IA32_PMC14 would be CFH, IA32_CORE_CAPABILITIES. */
#define MOST_GP 14
/* FIXED_CTR_CTRL has 4 bits for each; from bit 32 on it has other uses. */
#define MOST_FIXED 8

#define EVTSEL_USR BIT(16)
#define EVTSEL_OS BIT(17)
#define EVTSEL_E BIT(18)
#define EVTSEL_INT BIT(20)
#define EVTSEL_ANY BIT(21)
#define EVTSEL_EN BIT(22)
#define EVTSEL_INV BIT(23)
#define EVTSEL_BITS UINT64_C(0xffdfffff)

#define FIXED_OS 0x1u
#define FIXED_USR 0x2u
#define FIXED_ANY 0x4u
#define FIXED_PMI 0x8u

#define STATUS_UNCORE BIT(61)
#define STATUS_OVF_BUF BIT(62)
#define STATUS_COND_CHGD BIT(63)
#define INUSE_PMI BIT(63)
#define PERF_CAPABILITIES_FW_WRITE BIT(13)

/* --------------------------------------------------------- what exists */

static uint64_t has_gp(const struct vpmu_shape *s)
{
	return vpmu_low_bits(s->gp);
}

static uint64_t has_fixed(const struct vpmu_shape *s)
{
	return vpmu_low_bits(s->fixed);
}

static uint64_t has_fw_write(const struct vpmu_shape *s)
{
	return s->fw_write ? has_gp(s) : 0;
}

static uint64_t has_pdcm(const struct vpmu_shape *s)
{
	return s->pdcm != 0;
}

/* The table of architectural MSRs says "version > 0" for the global registers,
 * the chapter introduces them with version 2; taken: 2. */
static uint64_t has_v2(const struct vpmu_shape *s)
{
	return s->version >= 2;
}

static uint64_t has_v2_or_v3(const struct vpmu_shape *s)
{
	return s->version == 2 || s->version == 3;
}

static uint64_t has_v4(const struct vpmu_shape *s)
{
	return s->version >= 4;
}

static bool gated(const struct vpmu_shape *s)
{
	return s->version >= 2;
}

static bool any_thread(const struct vpmu_shape *s)
{
	return s->version == 3 || s->version == 4;
}

static uint32_t gp_width(const struct vpmu_shape *s)
{
	return s->gp_width;
}

static uint32_t fixed_width(const struct vpmu_shape *s)
{
	return s->fixed_width;
}

/* -------------------------------------------------------- writable bits */

static uint64_t gp_bits(const struct vpmu_shape *s)
{
	return vpmu_low_bits(s->gp_width);
}

static uint64_t fixed_bits(const struct vpmu_shape *s)
{
	return vpmu_low_bits(s->fixed_width);
}

static uint64_t evtsel_bits(const struct vpmu_shape *s)
{
	return EVTSEL_BITS | (any_thread(s) ? EVTSEL_ANY : 0);
}

static uint64_t fixed_ctrl_bits(const struct vpmu_shape *s)
{
	uint64_t each = FIXED_OS | FIXED_USR | FIXED_PMI |
			(any_thread(s) ? FIXED_ANY : 0);
	uint64_t bits = 0;

	for (uint32_t i = 0; i < s->fixed; i++)
		bits |= each << (4 * i);
	return bits;
}

static uint64_t counter_bits(const struct vpmu_shape *s)
{
	return has_gp(s) | has_fixed(s) << FIXED;
}

/* Bits 62 and 63 may be cleared without a debug store, too (unverified). Bit
 * 61 is model dependent and accepted from version 3 on (unverified). */
static uint64_t status_clear_bits(const struct vpmu_shape *s)
{
	uint64_t bits = counter_bits(s) | STATUS_OVF_BUF | STATUS_COND_CHGD;

	if (s->version >= 3)
		bits |= STATUS_UNCORE;
	if (s->version >= 4)
		bits |= GLOBAL_STATUS_LBR_FRZ | GLOBAL_STATUS_CTR_FRZ;
	return bits;
}

/* The table reserves bit 63, the figure draws it; taken: the table. */
static uint64_t status_set_bits(const struct vpmu_shape *s)
{
	return status_clear_bits(s) & ~STATUS_COND_CHGD;
}

/* Since the 2023 SDM: on, so that software which knows version 1 only works. */
static uint64_t global_ctrl_reset(const struct vpmu_shape *s)
{
	return has_gp(s);
}

/* ---------------------------------------------------------------- hooks */

static uint64_t read_capabilities(struct vpmu_vcpu *v,
				  const struct vpmu_msr *msr)
{
	(void)msr;
	return v->pmu->shape.fw_write ? PERF_CAPABILITIES_FW_WRITE : 0;
}

static uint64_t read_inuse(struct vpmu_vcpu *v, const struct vpmu_msr *msr)
{
	const struct vpmu_shape *s = &v->pmu->shape;
	uint64_t ctrl = v->reg[REG_FIXED_CTR_CTRL];
	uint64_t inuse = 0;

	(void)msr;
	for (uint32_t i = 0; i < s->gp; i++) {
		uint64_t select = v->counters[i].select;

		inuse |= select & 0xff ? BIT(i) : 0;
		inuse |= select & EVTSEL_INT ? INUSE_PMI : 0;
	}
	for (uint32_t i = 0; i < s->fixed; i++, ctrl >>= 4) {
		inuse |= ctrl & (FIXED_OS | FIXED_USR) ? BIT(FIXED + i) : 0;
		inuse |= ctrl & FIXED_PMI ? INUSE_PMI : 0;
	}
	return inuse;
}

static enum vpmu_result write_fixed_ctrl(struct vpmu_vcpu *v,
					 const struct vpmu_msr *msr,
					 uint64_t value)
{
	uint64_t changed = v->reg[msr->unit] ^ value;
	uint64_t counters = 0;

	for (uint32_t i = 0; changed; i++, changed >>= 4)
		counters |= changed & 0xf ? BIT(FIXED + i) : 0;
	v->reg[msr->unit] = value;
	vpmu_program_control(v, counters);
	return VPMU_HANDLED;
}

/* Switching a counter on and off does not look its event up again. */
static enum vpmu_meaning meaning_of(const struct vpmu *pmu,
				    const struct vpmu_control *now,
				    uint64_t select)
{
	enum vpmu_meaning m;

	if (now->select == select)
		return (enum vpmu_meaning)now->meaning;
	m = vpmu_event_find(&vpmu_events_intel_arch, pmu->shape.arch_events,
			    select);
	return m ? m
		 : vpmu_event_find(pmu->model->events, pmu->model->events->n,
				   select);
}

/* ANY counts the other threads of the core as well: a vCPU has none. */
static void gp_control(const struct vpmu_vcpu *v, uint32_t counter,
		       struct vpmu_control *control)
{
	const struct vpmu_counter *c = &v->counters[counter];
	uint64_t select = c->select;

	control->select = select & INTEL_EVENT_BITS;
	control->meaning =
		(uint8_t)meaning_of(v->pmu, &c->now, control->select);
	control->cmask = (uint8_t)(select >> 24);
	control->enable = select & EVTSEL_EN;
	control->user = select & EVTSEL_USR;
	control->kernel = select & EVTSEL_OS;
	control->edge = select & EVTSEL_E;
	control->inv = select & EVTSEL_INV;
	control->pmi = select & EVTSEL_INT;
}

static void fixed_control(const struct vpmu_vcpu *v, uint32_t counter,
			  struct vpmu_control *control)
{
	uint32_t i = counter - FIXED;
	uint64_t ctrl = v->reg[REG_FIXED_CTR_CTRL] >> (4 * i);

	control->meaning =
		i < vpmu_events_intel_fixed.n
			? (uint8_t)vpmu_events_intel_fixed.rows[i].meaning
			: VPMU_MEAN_NOTHING;
	control->enable = ctrl & (FIXED_OS | FIXED_USR);
	control->user = ctrl & FIXED_USR;
	control->kernel = ctrl & FIXED_OS;
	control->pmi = ctrl & FIXED_PMI;
}

static enum vpmu_freeze freeze(const struct vpmu_shape *s)
{
	if (s->version >= 4)
		return FREEZE_STREAMLINED;
	return s->version >= 2 ? FREEZE_LEGACY : FREEZE_NONE;
}

/* ---------------------------------------------------------------- CPUID */

static uint32_t leaf_0a_eax(const struct vpmu *pmu, uint32_t offered)
{
	const struct vpmu_shape *s = &pmu->shape;

	(void)offered;
	return s->version | s->gp << 8 | s->gp_width << 16 |
	       s->arch_events << 24;
}

/* 1: not available, as nothing here can count it. */
static uint32_t leaf_0a_ebx(const struct vpmu *pmu, uint32_t offered)
{
	const struct vpmu_event_table *arch = &vpmu_events_intel_arch;
	uint32_t ebx = 0;

	(void)offered;
	for (uint32_t i = 0; i < pmu->shape.arch_events; i++)
		if (pmu->available[arch->rows[i].meaning] ==
		    VPMU_HEALTH_UNAVAILABLE)
			ebx |= BIT32(i);
	return ebx;
}

static uint32_t leaf_0a_ecx(const struct vpmu *pmu, uint32_t offered)
{
	(void)offered;
	return pmu->shape.version >= 5 ? (uint32_t)has_fixed(&pmu->shape) : 0;
}

/* Bit 15: AnyThread deprecated. */
static uint32_t leaf_0a_edx(const struct vpmu *pmu, uint32_t offered)
{
	const struct vpmu_shape *s = &pmu->shape;
	uint32_t edx = s->fixed ? s->fixed | s->fixed_width << 5 : 0;

	(void)offered;
	return edx | (s->version >= 5 ? BIT32(15) : 0);
}

static uint32_t pdcm_bit(const struct vpmu *pmu, uint32_t offered)
{
	(void)offered;
	return pmu->shape.pdcm ? BIT32(15) : 0;
}

/* ---------------------------------------------------------------- rules */

static bool no_gp(const struct vpmu_shape *s)
{
	return !s->gp;
}

static bool too_many_gp(const struct vpmu_shape *s)
{
	return s->gp > MOST_GP;
}

static bool v1_fixed(const struct vpmu_shape *s)
{
	return s->version < 2 && s->fixed;
}

static bool fw_write_alone(const struct vpmu_shape *s)
{
	return s->fw_write && !s->pdcm;
}

/* clang-format off */
static const struct vpmu_msr_row msrs[] = {
	/* first, stride, n, exists, writable, reset, read, write, unit, flags, name, manual */
	{ 0x0c1, 1, MOST_GP, has_gp, vpmu_shape_any_bit, NULL, vpmu_msr_read_counter, vpmu_msr_write_sext32, 0, 0, "IA32_PMC", "SDM 3B, Architectural Performance Monitoring Version 1 Facilities" },
	{ 0x186, 1, MOST_GP, has_gp, evtsel_bits, NULL, vpmu_msr_read_select, vpmu_msr_write_select, 0, 0, "IA32_PERFEVTSEL", "SDM 3B, Architectural Performance Monitoring Version 1 Facilities" },
	{ 0x1a0, 1, 1, vpmu_shape_one, vpmu_intel_misc_bits, vpmu_intel_misc_reset, vpmu_msr_read_reg, vpmu_intel_write_misc, REG_MISC_ENABLE, 0, "IA32_MISC_ENABLE", "SDM 4, Architectural MSRs" },
	{ 0x1d9, 1, 1, vpmu_shape_one, vpmu_intel_debugctl_bits, NULL, vpmu_msr_read_reg, vpmu_intel_write_debugctl, REG_DEBUGCTL, MSR_INIT, "IA32_DEBUGCTL", "SDM 3B, IA32_DEBUGCTL MSR" },
	{ 0x309, 1, MOST_FIXED, has_fixed, fixed_bits, NULL, vpmu_msr_read_counter, vpmu_msr_write_counter, FIXED, 0, "IA32_FIXED_CTR", "SDM 3B, Fixed-function Performance Counters" },
	{ 0x345, 1, 1, has_pdcm, NULL, NULL, read_capabilities, NULL, 0, 0, "IA32_PERF_CAPABILITIES", "SDM 3B, IA32_PERF_CAPABILITIES MSR Enumeration" },
	{ 0x38d, 1, 1, has_v2, fixed_ctrl_bits, NULL, vpmu_msr_read_reg, write_fixed_ctrl, REG_FIXED_CTR_CTRL, 0, "IA32_FIXED_CTR_CTRL", "SDM 3B, Architectural Performance Monitoring Version 2" },
	{ 0x38e, 1, 1, has_v2, NULL, NULL, vpmu_msr_read_status, NULL, REG_GLOBAL_STATUS, 0, "IA32_PERF_GLOBAL_STATUS", "SDM 3B, Architectural Performance Monitoring Version 2" },
	{ 0x38f, 1, 1, has_v2, counter_bits, global_ctrl_reset, vpmu_msr_read_reg, vpmu_msr_write_enables, REG_GLOBAL_CTRL, 0, "IA32_PERF_GLOBAL_CTRL", "SDM 3B, Architectural Performance Monitoring Version 2" },
	{ 0x390, 1, 1, has_v2_or_v3, status_clear_bits, NULL, vpmu_msr_read_zero, vpmu_msr_clear_status, REG_GLOBAL_STATUS, 0, "IA32_PERF_GLOBAL_OVF_CTRL", "SDM 3B, Architectural Performance Monitoring Version 2" },
	{ 0x390, 1, 1, has_v4, status_clear_bits, NULL, vpmu_msr_read_zero, vpmu_msr_clear_status, REG_GLOBAL_STATUS, 0, "IA32_PERF_GLOBAL_STATUS_RESET", "SDM 3B, Architectural Performance Monitoring Version 4" },
	{ 0x391, 1, 1, has_v4, status_set_bits, NULL, vpmu_msr_read_zero, vpmu_msr_set_status, REG_GLOBAL_STATUS, 0, "IA32_PERF_GLOBAL_STATUS_SET", "SDM 3B, IA32_PERF_GLOBAL_STATUS_RESET and IA32_PERF_GLOBAL_STATUS_SET MSRS" },
	{ 0x392, 1, 1, has_v4, NULL, NULL, read_inuse, NULL, 0, 0, "IA32_PERF_GLOBAL_INUSE", "SDM 3B, IA32_PERF_GLOBAL_INUSE MSR" },
	{ 0x4c1, 1, MOST_GP, has_fw_write, gp_bits, NULL, vpmu_msr_read_counter, vpmu_msr_write_counter, 0, 0, "IA32_A_PMC", "SDM 3B, Full-Width Writes to Performance Counter Registers" },
};

static const struct vpmu_counter_row counters[] = {
	/* first, n, exists, width, gated, control, fixed, name */
	{ 0, MOST_GP, has_gp, gp_width, gated, gp_control, false, "PMC" },
	{ FIXED, MOST_FIXED, has_fixed, fixed_width, gated, fixed_control, true, "FIXED_CTR" },
};

/* ECX[31:16] is a type that must match exactly: there is no fast read. */
static const struct vpmu_rdpmc_row rdpmc[] = {
	{ 0x00000000, MOST_GP, 0, "SDM 2B, RDPMC" },
	{ 0x40000000, MOST_FIXED, FIXED, "SDM 2B, RDPMC" },
};

static const struct vpmu_cpuid_row cpuid[] = {
	{ 0x01, ANY_SUBLEAF, CPUID_ECX, BIT32(15), 0, pdcm_bit, "PDCM" },
	{ 0x0a, ANY_SUBLEAF, CPUID_EAX, UINT32_MAX, 0, leaf_0a_eax, "version, counters, width, events" },
	{ 0x0a, ANY_SUBLEAF, CPUID_EBX, UINT32_MAX, 0, leaf_0a_ebx, "events not available" },
	{ 0x0a, ANY_SUBLEAF, CPUID_ECX, UINT32_MAX, 0, leaf_0a_ecx, "fixed counter bitmap" },
	{ 0x0a, ANY_SUBLEAF, CPUID_EDX, UINT32_MAX, 0, leaf_0a_edx, "fixed counters, width, AnyThread" },
};

#define SHAPE(field) offsetof(struct vpmu_shape, field)

static const struct vpmu_field_row fields[] = {
	{ "gp", SHAPE(gp), 0, 32, "IA32_PERF_GLOBAL_CTRL has room for 32; SDM 3B, Architectural Performance Monitoring Version 2" },
	{ "fixed", SHAPE(fixed), 0, MOST_FIXED, "IA32_FIXED_CTR_CTRL has 4 bits for each below bit 32; SDM 3B, Architectural Performance Monitoring Version 2" },
	{ "width", SHAPE(gp_width), 33, 48, "counters are 40 to 48 bits wide, 32-bit writes are sign-extended; SDM 2B, RDPMC" },
	{ "fixed_width", SHAPE(fixed_width), 33, 48, "counters are 40 to 48 bits wide; SDM 3B, Fixed-function Performance Counters" },
	{ "fw_write", SHAPE(fw_write), 0, 1, "IA32_PERF_CAPABILITIES[13]; SDM 3B, Full-Width Writes" },
	{ "pdcm", SHAPE(pdcm), 0, 1, "CPUID.01H:ECX[15]; SDM 2A, CPUID" },
};

static const struct vpmu_rule_row rules[] = {
	{ no_gp, "gp: 0, but version > 0 means at least one counter; use model none for no PMU", "SDM 2A, CPUID, leaf 0AH" },
	{ too_many_gp, "gp: more than 14, but IA32_PMC14 would be MSR CFH, IA32_CORE_CAPABILITIES; use gp=14 or less", "SDM 4, Architectural MSRs" },
	{ v1_fixed, "fixed: version 1 has no fixed counters; use fixed=0", "SDM 3B, Architectural Performance Monitoring Version 1" },
	{ fw_write_alone, "fw_write: 1, but without pdcm=1 there is no IA32_PERF_CAPABILITIES that could tell", "SDM 3B, Full-Width Writes" },
};
/* clang-format on */

const struct vpmu_family vpmu_family_intel_arch = {
	.msrs = ROWS(msrs),
	.counters = ROWS(counters),
	.rdpmc = ROWS(rdpmc),
	.cpuid = ROWS(cpuid),
	.identity = &vpmu_cpuid_intel,
	.fields = ROWS(fields),
	.rules = ROWS(rules),
	.field_names = "gp, fixed, width, fixed_width, fw_write, pdcm",
	.freeze = freeze,
	.lvtpc_masks = true,
};
