/* SPDX-License-Identifier: Apache-2.0 */
/* AMD's six core counters of PerfCtrExtCore, at their own addresses; the four
 * legacy pairs are other addresses of the first four. */
#include "core/internal.h"

#define CORE 6
#define LEGACY 4
#define WIDTH 48

static uint32_t ext_core_bit(const struct vpmu *pmu, uint32_t offered)
{
	(void)offered;
	return pmu->shape.ext_core ? BIT32(23) : 0;
}

static bool not_six(const struct vpmu_shape *s)
{
	return s->gp != CORE;
}

static bool not_48(const struct vpmu_shape *s)
{
	return s->gp_width != WIDTH;
}

/* clang-format off */
static const struct vpmu_msr_row msrs[] = {
	/* first, stride, n, exists, writable, reset, read, write, unit, flags, name, manual */
	{ 0x000001d9, 1, 1, vpmu_shape_one, vpmu_amd_debugctl_bits, NULL, vpmu_msr_read_reg, vpmu_amd_write_debugctl, REG_DEBUGCTL, MSR_DROPS | MSR_INIT, "DebugCtl", "APM 2, Debug-Control MSR" },
	{ 0xc0010000, 1, LEGACY, vpmu_amd_has_core, vpmu_amd_ctl_bits, NULL, vpmu_msr_read_select, vpmu_msr_write_select, 0, MSR_DROPS, "PERF_LEGACY_CTL", "APM 2, Performance Event-Select Registers" },
	{ 0xc0010004, 1, LEGACY, vpmu_amd_has_core, vpmu_amd_ctr_bits, NULL, vpmu_msr_read_counter, vpmu_msr_write_counter, 0, MSR_DROPS, "PERF_LEGACY_CTR", "APM 2, Performance Counter MSRs" },
	{ 0xc0010200, 2, CORE, vpmu_amd_has_core, vpmu_amd_ctl_bits, NULL, vpmu_msr_read_select, vpmu_msr_write_select, 0, MSR_DROPS, "PERF_CTL", "APM 2, Performance Event-Select Registers" },
	{ 0xc0010201, 2, CORE, vpmu_amd_has_core, vpmu_amd_ctr_bits, NULL, vpmu_msr_read_counter, vpmu_msr_write_counter, 0, MSR_DROPS, "PERF_CTR", "APM 2, Performance Counter MSRs" },
};

static const struct vpmu_counter_row counters[] = {
	{ 0, CORE, vpmu_amd_has_core, vpmu_amd_width, vpmu_amd_gated, vpmu_amd_core_control, NULL, false, "PERF_CTR" },
};

/* All 32 bits of ECX select: no type, no fast read. */
static const struct vpmu_rdpmc_row rdpmc[] = {
	{ 0, CORE, 0, NULL, NULL, "APM 3, RDPMC" },
};

static const struct vpmu_cpuid_row cpuid_rows[] = {
	{ 0x80000001, ANY_SUBLEAF, CPUID_ECX, BIT32(23), 0, ext_core_bit, "PerfCtrExtCore" },
};

static const struct vpmu_field_row field_rows[] = {
	{ "gp", offsetof(struct vpmu_shape, gp), 0, 1, CORE, "RDPMC 0..5 are core counters; APM 3, RDPMC" },
	{ "width", offsetof(struct vpmu_shape, gp_width), 0, 1, 64, "a register has 64 bits; APM 2, Performance Counter MSRs" },
};

static const struct vpmu_rule_row rule_rows[] = {
	{ not_six, offsetof(struct vpmu_shape, gp), CORE, "gp: PerfCtrExtCore without PerfMonV2 means 6 counters, no CPUID field could tell of fewer", "APM 2, Performance Counter MSRs" },
	{ not_48, offsetof(struct vpmu_shape, gp_width), WIDTH, "width: counters are 48 bits wide", "APM 2, Performance Counter MSRs" },
};
/* clang-format on */

static const struct vpmu_cpuid_table cpuid = ROWS(cpuid_rows);
static const struct vpmu_field_table fields = { field_rows,
						ARRAY_SIZE(field_rows),
						"gp, width" };
static const struct vpmu_rule_table rules = ROWS(rule_rows);

const struct vpmu_family vpmu_family_amd_ext = {
	.msrs = ROWS(msrs),
	.counters = ROWS(counters),
	.rdpmc = ROWS(rdpmc),
	.cpuid = &cpuid,
	.identity = &vpmu_cpuid_amd,
	.fields = &fields,
	.rules = &rules,
	.freeze = vpmu_amd_freeze,
};
