/* SPDX-License-Identifier: Apache-2.0 */
/* The registers of Intel's architectural performance monitoring, versions 1 to
 * 6: which of them a shape has follows from its version and features. */
#include "models/intel.h"

#define EVTSEL_USR BIT(16)
#define EVTSEL_OS BIT(17)
#define EVTSEL_E BIT(18)
#define EVTSEL_PC BIT(19)
#define EVTSEL_INT BIT(20)
#define EVTSEL_ANY BIT(21)
#define EVTSEL_EN BIT(22)
#define EVTSEL_INV BIT(23)
#define EVTSEL_IN_TX BIT(32)
#define EVTSEL_IN_TXCP BIT(33)
#define EVTSEL_EQ BIT(36)
#define EVTSEL_RDPMC_USR_DISABLE BIT(37)
#define EVTSEL_UMASK2 (UINT64_C(0xff) << 40)
#define EVTSEL_BITS UINT64_C(0xffdfffff)
/* The only selector with IN_TXCP. */
#define IN_TXCP_COUNTER 2

/* Of each fixed counter's field in IA32_FIXED_CTR_CTRL. */
#define FIXED_OS 0x1u
#define FIXED_USR 0x2u
#define FIXED_ANY 0x4u
#define FIXED_PMI 0x8u
#define FIXED_RDPMC_USR_DISABLE (UINT64_C(2) << 32)
/* In the place of counter 3's FIXED_ANY. */
#define METRICS_CLEAR_EN BIT(14)

/* Of the global registers. */
#define PERF_METRICS BIT(48)
#define STATUS_UNCORE BIT(61)
#define STATUS_OVF_BUF BIT(62)
#define STATUS_COND_CHGD BIT(63)
#define INUSE_PMI BIT(63)

#define CAPABILITIES_FREEZE_WHILE_SMM BIT(12)
#define CAPABILITIES_FW_WRITE BIT(13)
#define CAPABILITIES_PERF_METRICS BIT(15)
#define CAPABILITIES_RDPMC_METRICS_CLEAR BIT(19)

/* PERF_METRICS where each slot retires: all of FFH in the byte "retiring", the
 * other level-1 bytes 0, and none of level 2 observed. */
#define METRICS_ALL_RETIRING 0xff

/* --------------------------------------------------------- what exists */

/* One source has leaf 23H grant them as well (unverified). */
static uint64_t has_fw_write(const struct vpmu_shape *s)
{
	return s->fw_write ? vpmu_shape_gp(s) : 0;
}

static uint64_t has_pdcm(const struct vpmu_shape *s)
{
	return s->pdcm != 0;
}

static uint64_t has_metrics(const struct vpmu_shape *s)
{
	return s->metrics != 0;
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

static uint64_t has_gp_alias(const struct vpmu_shape *s)
{
	return s->version >= 6 ? vpmu_shape_gp(s) : 0;
}

static uint64_t has_fixed_alias(const struct vpmu_shape *s)
{
	return s->version >= 6 ? vpmu_shape_fixed(s) : 0;
}

static bool gated(const struct vpmu_shape *s)
{
	return s->version >= 2;
}

static uint32_t fixed_width(const struct vpmu_shape *s)
{
	return s->fixed_width;
}

/* -------------------------------------------------------- writable bits */

static uint64_t fixed_bits(const struct vpmu_shape *s, uint32_t instance)
{
	(void)instance;
	return vpmu_low_bits(s->fixed_width);
}

/* Bit 21 faults where AnyThread is deprecated, as it does under KVM and Xen
 * (unverified on silicon). PC is reserved from version 6 on (unverified). */
static uint64_t evtsel_bits(const struct vpmu_shape *s, uint32_t instance)
{
	uint64_t bits = EVTSEL_BITS;

	if (s->version >= 6)
		bits &= ~EVTSEL_PC;
	if (s->any_thread)
		bits |= EVTSEL_ANY;
	if (s->tsx)
		bits |= EVTSEL_IN_TX;
	if (s->tsx && instance == IN_TXCP_COUNTER)
		bits |= EVTSEL_IN_TXCP;
	if (s->umask2)
		bits |= EVTSEL_UMASK2;
	if (s->eq)
		bits |= EVTSEL_EQ;
	if (s->user_disable)
		bits |= EVTSEL_RDPMC_USR_DISABLE;
	return bits;
}

static uint64_t fixed_ctrl_bits(const struct vpmu_shape *s, uint32_t instance)
{
	uint64_t each = FIXED_OS | FIXED_USR | FIXED_PMI;
	uint64_t bits = s->metrics_clear ? METRICS_CLEAR_EN : 0;

	(void)instance;
	if (s->any_thread)
		each |= FIXED_ANY;
	if (s->user_disable)
		each |= FIXED_RDPMC_USR_DISABLE;
	for (uint32_t i = 0; i < MOST_FIXED; i++)
		if (vpmu_shape_fixed(s) & BIT(i))
			bits |= each << (4 * i);
	return bits;
}

static uint64_t global_bits(const struct vpmu_shape *s, uint32_t instance)
{
	(void)instance;
	return vpmu_shape_gp(s) | vpmu_shape_fixed(s) << FIXED |
	       (s->metrics ? PERF_METRICS : 0);
}

/* Bits 62 and 63 may be cleared without a debug store, too (unverified). Bit
 * 61 is model dependent and accepted from version 3 on (unverified). Bit 48 is
 * never set by counting: shares do not overflow. */
static uint64_t status_clear_bits(const struct vpmu_shape *s, uint32_t instance)
{
	uint64_t bits =
		global_bits(s, instance) | STATUS_OVF_BUF | STATUS_COND_CHGD;

	if (s->version >= 3)
		bits |= STATUS_UNCORE;
	if (s->version >= 4)
		bits |= GLOBAL_STATUS_LBR_FRZ | GLOBAL_STATUS_CTR_FRZ;
	return bits;
}

/* The table reserves bit 63, the figure draws it; taken: the table. */
static uint64_t status_set_bits(const struct vpmu_shape *s, uint32_t instance)
{
	return status_clear_bits(s, instance) & ~STATUS_COND_CHGD;
}

/* Since the 2023 SDM: on, so that software which knows version 1 only works. */
static uint64_t global_ctrl_reset(const struct vpmu_shape *s)
{
	return vpmu_low_bits(s->gp);
}

/* ---------------------------------------------------------------- hooks */

static uint64_t read_capabilities(struct vpmu_vcpu *v,
				  const struct vpmu_msr *msr)
{
	const struct vpmu_shape *s = &v->pmu->shape;

	(void)msr;
	return (s->freeze_smm ? CAPABILITIES_FREEZE_WHILE_SMM : 0) |
	       (s->fw_write ? CAPABILITIES_FW_WRITE : 0) |
	       (s->metrics ? CAPABILITIES_PERF_METRICS : 0) |
	       (s->metrics_clear ? CAPABILITIES_RDPMC_METRICS_CLEAR : 0);
}

static uint64_t gp_inuse(const struct vpmu_vcpu *v)
{
	uint64_t gp = vpmu_shape_gp(&v->pmu->shape);
	uint64_t inuse = 0;

	FOR_EACH_COUNTER(id, gp)
	{
		uint64_t select = v->counters[id].select;

		inuse |= select & 0xff ? BIT(id) : 0;
		inuse |= select & EVTSEL_INT ? INUSE_PMI : 0;
	}
	return inuse;
}

/* The fields of missing counters are 0. PMI_InUse is bit 63, as drawn; the
 * text says 32, which is that of fixed counter 0. */
static uint64_t read_inuse(struct vpmu_vcpu *v, const struct vpmu_msr *msr)
{
	uint64_t ctrl = v->reg[REG_FIXED_CTR_CTRL];
	uint64_t inuse = gp_inuse(v);

	(void)msr;
	for (uint32_t i = 0; i < MOST_FIXED; i++, ctrl >>= 4) {
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

	for (uint32_t i = 0; i < MOST_FIXED; i++, changed >>= 4)
		counters |= changed & 0xf ? BIT(FIXED + i) : 0;
	counters &= v->pmu->exists;
	v->reg[msr->unit] = value;
	vpmu_program_control(v, counters);
	return VPMU_HANDLED;
}

/* Switching a counter on and off does not look its event up again. */
static enum vpmu_meaning meaning_of(const struct vpmu *pmu,
				    const struct vpmu_control *now,
				    uint64_t select, uint32_t counter)
{
	enum vpmu_meaning m;

	if (now->select == select)
		return (enum vpmu_meaning)now->meaning;
	m = vpmu_event_find(&vpmu_events_intel_arch, pmu->shape.arch_events,
			    select, counter);
	return m ? m
		 : vpmu_event_find(pmu->model->events, pmu->model->events->n,
				   select, counter);
}

/*
 * ANY counts the other threads of the core as well: a vCPU has none. IN_TX is
 * looked up with the event and never found: nothing here sees transactions.
 * IN_TXCP takes back what aborted ones counted, of which there are none.
 */
static void gp_control(const struct vpmu_vcpu *v, uint32_t counter,
		       struct vpmu_control *control)
{
	const struct vpmu_counter *c = &v->counters[counter];
	uint64_t select = c->select;

	control->select = select & INTEL_EVENT_BITS;
	control->meaning =
		(uint8_t)meaning_of(v->pmu, &c->now, control->select, counter);
	control->cmask = (uint8_t)(select >> 24);
	control->enable = select & EVTSEL_EN;
	control->cpls = (select & EVTSEL_USR ? CPLS_USR : 0) |
			(select & EVTSEL_OS ? CPLS_OS : 0);
	control->edge = select & EVTSEL_E;
	control->compare = (select & EVTSEL_INV ? COMPARE_INV : 0) |
			   (select & EVTSEL_EQ ? COMPARE_EQ : 0);
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
	control->cpls = (ctrl & FIXED_USR ? CPLS_USR : 0) |
			(ctrl & FIXED_OS ? CPLS_OS : 0);
	control->pmi = ctrl & FIXED_PMI;
}

/* Slots that are counted are divided up, if that is enabled. Only the exact
 * count knows how: all of them retire. */
static void fixed_counted(struct vpmu_vcpu *v, uint32_t counter)
{
	uint64_t enables =
		v->begun ? v->begun_enables : v->reg[REG_GLOBAL_CTRL];

	if (counter == FIXED + FIXED_SLOTS && enables & PERF_METRICS &&
	    v->pmu->ops.flags & VPMU_BACKEND_PUSHED)
		v->reg[REG_PERF_METRICS] = METRICS_ALL_RETIRING;
}

/* RDPMC user disable: the counter reads 0 at CPL 1..3. */
static uint64_t rdpmc_gp(struct vpmu_vcpu *v, uint32_t counter, uint8_t cpl)
{
	if (cpl && v->counters[counter].select & EVTSEL_RDPMC_USR_DISABLE)
		return 0;
	return vpmu_program_read(v, counter);
}

static uint64_t rdpmc_fixed(struct vpmu_vcpu *v, uint32_t counter, uint8_t cpl)
{
	uint64_t ctrl = v->reg[REG_FIXED_CTR_CTRL] >> (4 * (counter - FIXED));

	if (cpl && ctrl & FIXED_RDPMC_USR_DISABLE)
		return 0;
	return vpmu_program_read(v, counter);
}

/* RDPMC_METRICS_CLEAR: reading clears, counter 3 as well. */
static uint64_t rdpmc_metrics(struct vpmu_vcpu *v, uint32_t counter,
			      uint8_t cpl)
{
	uint64_t value;

	(void)cpl;
	vpmu_program_sync(v, BIT(counter));
	value = v->reg[REG_PERF_METRICS];
	if (v->pmu->shape.metrics_clear &&
	    v->reg[REG_FIXED_CTR_CTRL] & METRICS_CLEAR_EN) {
		v->reg[REG_PERF_METRICS] = 0;
		vpmu_program_write(v, counter, 0);
		vpmu_pmi_freeze(v);
	}
	return value;
}

static enum vpmu_freeze freeze(const struct vpmu_shape *s)
{
	if (s->version >= 4)
		return FREEZE_STREAMLINED;
	return s->version >= 2 ? FREEZE_LEGACY : FREEZE_NONE;
}

/* clang-format off */
static const struct vpmu_msr_row msrs[] = {
	/* first, stride, n, exists, writable, reset, read, write, unit, flags, name, manual */
	{ 0x0c1, 1, MOST_GP, vpmu_shape_gp, vpmu_shape_any_bit, NULL, vpmu_msr_read_counter, vpmu_msr_write_sext32, 0, 0, "IA32_PMC", "SDM 3B, Architectural Performance Monitoring Version 1 Facilities" },
	{ 0x186, 1, MOST_GP, vpmu_shape_gp, evtsel_bits, NULL, vpmu_msr_read_select, vpmu_msr_write_select, 0, 0, "IA32_PERFEVTSEL", "SDM 3B, Architectural Performance Monitoring Version 1 Facilities" },
	{ 0x1a0, 1, 1, vpmu_shape_one, vpmu_intel_misc_bits, vpmu_intel_misc_reset, vpmu_msr_read_reg, vpmu_intel_write_misc, REG_MISC_ENABLE, 0, "IA32_MISC_ENABLE", "SDM 4, Architectural MSRs" },
	{ 0x1d9, 1, 1, vpmu_shape_one, vpmu_intel_debugctl_bits, NULL, vpmu_msr_read_reg, vpmu_intel_write_debugctl, REG_DEBUGCTL, MSR_INIT, "IA32_DEBUGCTL", "SDM 3B, IA32_DEBUGCTL MSR" },
	{ 0x309, 1, MOST_FIXED, vpmu_shape_fixed, fixed_bits, NULL, vpmu_msr_read_counter, vpmu_msr_write_counter, FIXED, 0, "IA32_FIXED_CTR", "SDM 3B, Fixed-function Performance Counters" },
	{ 0x329, 1, 1, has_metrics, vpmu_shape_any_bit, NULL, vpmu_msr_read_reg, vpmu_msr_write_reg, REG_PERF_METRICS, 0, "MSR_PERF_METRICS", "SDM 3B, Performance Metrics" },
	{ 0x345, 1, 1, has_pdcm, NULL, NULL, read_capabilities, NULL, 0, 0, "IA32_PERF_CAPABILITIES", "SDM 3B, IA32_PERF_CAPABILITIES MSR Enumeration" },
	{ 0x38d, 1, 1, has_v2, fixed_ctrl_bits, NULL, vpmu_msr_read_reg, write_fixed_ctrl, REG_FIXED_CTR_CTRL, 0, "IA32_FIXED_CTR_CTRL", "SDM 3B, Architectural Performance Monitoring Version 2" },
	{ 0x38e, 1, 1, has_v2, NULL, NULL, vpmu_msr_read_status, NULL, REG_GLOBAL_STATUS, 0, "IA32_PERF_GLOBAL_STATUS", "SDM 3B, Architectural Performance Monitoring Version 2" },
	{ 0x38f, 1, 1, has_v2, global_bits, global_ctrl_reset, vpmu_msr_read_reg, vpmu_msr_write_enables, REG_GLOBAL_CTRL, 0, "IA32_PERF_GLOBAL_CTRL", "SDM 3B, Architectural Performance Monitoring Version 2" },
	{ 0x390, 1, 1, has_v2_or_v3, status_clear_bits, NULL, vpmu_msr_read_zero, vpmu_msr_clear_status, REG_GLOBAL_STATUS, 0, "IA32_PERF_GLOBAL_OVF_CTRL", "SDM 3B, Architectural Performance Monitoring Version 2" },
	{ 0x390, 1, 1, has_v4, status_clear_bits, NULL, vpmu_msr_read_zero, vpmu_msr_clear_status, REG_GLOBAL_STATUS, 0, "IA32_PERF_GLOBAL_STATUS_RESET", "SDM 3B, Architectural Performance Monitoring Version 4" },
	{ 0x391, 1, 1, has_v4, status_set_bits, NULL, vpmu_msr_read_zero, vpmu_msr_set_status, REG_GLOBAL_STATUS, 0, "IA32_PERF_GLOBAL_STATUS_SET", "SDM 3B, IA32_PERF_GLOBAL_STATUS_RESET and IA32_PERF_GLOBAL_STATUS_SET MSRS" },
	{ 0x392, 1, 1, has_v4, NULL, NULL, read_inuse, NULL, 0, 0, "IA32_PERF_GLOBAL_INUSE", "SDM 3B, IA32_PERF_GLOBAL_INUSE MSR" },
	{ 0x4c1, 1, MOST_GP, has_fw_write, vpmu_shape_gp_bits, NULL, vpmu_msr_read_counter, vpmu_msr_write_counter, 0, 0, "IA32_A_PMC", "SDM 3B, Full-Width Writes to Performance Counter Registers" },
	/* Version 6: the same registers at other addresses. */
	{ 0x1900, 4, MOST_GP, has_gp_alias, vpmu_shape_gp_bits, NULL, vpmu_msr_read_counter, vpmu_msr_write_counter, 0, 0, "IA32_PMC_GP#_CTR", "SDM 4, Architectural MSRs" },
	{ 0x1901, 4, MOST_GP, has_gp_alias, evtsel_bits, NULL, vpmu_msr_read_select, vpmu_msr_write_select, 0, 0, "IA32_PMC_GP#_CFG_A", "SDM 4, Architectural MSRs" },
	{ 0x1980, 4, MOST_FIXED, has_fixed_alias, fixed_bits, NULL, vpmu_msr_read_counter, vpmu_msr_write_counter, FIXED, 0, "IA32_PMC_FX#_CTR", "SDM 4, Architectural MSRs" },
};

static const struct vpmu_counter_row counters[] = {
	/* first, n, exists, width, gated, control, counted, carry, fixed, unit, each, overflow, name */
	{ 0, MOST_GP, vpmu_shape_gp, vpmu_shape_gp_width, gated, gp_control, NULL, NULL, false, VPMU_UNIT_CORE, 0, OVERFLOW_WRAPS, "PMC" },
	{ FIXED, MOST_FIXED, vpmu_shape_fixed, fixed_width, gated, fixed_control, fixed_counted, NULL, true, VPMU_UNIT_CORE, 0, OVERFLOW_WRAPS, "FIXED_CTR" },
};

/* ECX[31:16] is a type that must match exactly: there is no fast read. Of type
 * 2000H only index 0 is known (unverified: others fault). */
static const struct vpmu_rdpmc_row rdpmc[] = {
	/* first, n, counter, exists, read, manual */
	{ 0x00000000, MOST_GP, 0, NULL, rdpmc_gp, "SDM 2B, RDPMC" },
	{ 0x20000000, 1, FIXED + FIXED_SLOTS, has_metrics, rdpmc_metrics, "SDM 2B, RDPMC" },
	{ 0x40000000, MOST_FIXED, FIXED, NULL, rdpmc_fixed, "SDM 2B, RDPMC" },
};
/* clang-format on */

const struct vpmu_family vpmu_family_intel_arch = {
	.msrs = ROWS(msrs),
	.counters = ROWS(counters),
	.rdpmc = ROWS(rdpmc),
	.cpuid = &vpmu_intel_arch_cpuid,
	.identity = &vpmu_cpuid_intel,
	.fields = &vpmu_intel_arch_fields,
	.rules = &vpmu_intel_arch_rules,
	.freeze = freeze,
	.lvtpc_masks = true,
};
