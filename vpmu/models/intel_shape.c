/* SPDX-License-Identifier: Apache-2.0 */
/* What may be overridden in an architectural Intel PMU, and what must hold
 * between the numbers. */
#include "models/intel.h"

static bool no_gp(const struct vpmu_shape *s)
{
	return !s->gp;
}

static bool too_many_gp(const struct vpmu_shape *s)
{
	return s->gp > MOST_GP;
}

static bool gp_map_early(const struct vpmu_shape *s)
{
	return s->gp_map && s->version < 6;
}

static bool gp_map_short(const struct vpmu_shape *s)
{
	return s->gp_map && vpmu_low_bits(s->gp) & ~(uint64_t)s->gp_map;
}

static bool v1_fixed(const struct vpmu_shape *s)
{
	return s->version < 2 && s->fixed;
}

static bool v1_fixed_width(const struct vpmu_shape *s)
{
	return s->version < 2 && s->fixed_width;
}

static bool no_fixed_width(const struct vpmu_shape *s)
{
	return vpmu_shape_fixed(s) && !s->fixed_width;
}

static bool fixed_map_early(const struct vpmu_shape *s)
{
	return s->fixed_map && s->version < 5;
}

static bool fixed_map_short(const struct vpmu_shape *s)
{
	return s->fixed_map &&
	       vpmu_low_bits(s->fixed) & ~(uint64_t)s->fixed_map;
}

static bool events_before_v5(const struct vpmu_shape *s)
{
	return s->arch_events > 7 && s->version < 5;
}

static bool events_before_v6(const struct vpmu_shape *s)
{
	return s->arch_events > 8 && s->version < 6;
}

static bool any_thread_missing(const struct vpmu_shape *s)
{
	return s->any_thread && s->version != 3 && s->version != 4;
}

static bool fw_write_alone(const struct vpmu_shape *s)
{
	return s->fw_write && !s->pdcm;
}

static bool freeze_smm_alone(const struct vpmu_shape *s)
{
	return s->freeze_smm && !s->pdcm;
}

static bool metrics_alone(const struct vpmu_shape *s)
{
	return s->metrics && !s->pdcm;
}

static bool metrics_without_slots(const struct vpmu_shape *s)
{
	return s->metrics && !(vpmu_shape_fixed(s) & BIT(FIXED_SLOTS));
}

static bool metrics_clear_alone(const struct vpmu_shape *s)
{
	return s->metrics_clear && !s->metrics;
}

static bool umask2_early(const struct vpmu_shape *s)
{
	return s->umask2 && s->version < 6;
}

static bool eq_early(const struct vpmu_shape *s)
{
	return s->eq && s->version < 6;
}

static bool user_disable_early(const struct vpmu_shape *s)
{
	return s->user_disable && s->version < 6;
}

#define SHAPE(field) offsetof(struct vpmu_shape, field)

/* clang-format off */
static const struct vpmu_field_row fields[] = {
	/* name, offset, resets, min, max, why */
	{ "version", SHAPE(version), 0, 1, 6, "CPUID.0AH:EAX[7:0]; model none has no PMU; SDM 2A, CPUID" },
	{ "gp", SHAPE(gp), SHAPE(gp_map), 0, 32, "IA32_PERF_GLOBAL_CTRL has room for 32; SDM 3B, Architectural Performance Monitoring Version 2" },
	{ "gp_map", SHAPE(gp_map), 0, 0, 0x3fff, "CPUID.23H.1:EAX; IA32_PMC14 would be MSR CFH, IA32_CORE_CAPABILITIES; SDM 2A, CPUID" },
	{ "fixed", SHAPE(fixed), SHAPE(fixed_map), 0, MOST_FIXED, "IA32_FIXED_CTR_CTRL has 4 bits for each below bit 32; SDM 3B, Architectural Performance Monitoring Version 2" },
	{ "fixed_map", SHAPE(fixed_map), 0, 0, 0xff, "CPUID.0AH:ECX or 23H.1:EBX; IA32_FIXED_CTR_CTRL has 4 bits for each below bit 32; SDM 2A, CPUID" },
	{ "width", SHAPE(gp_width), 0, 33, 48, "counters are 40 to 48 bits wide, 32-bit writes are sign-extended; SDM 2B, RDPMC" },
	{ "fixed_width", SHAPE(fixed_width), 0, 33, 48, "counters are 40 to 48 bits wide; SDM 3B, Fixed-function Performance Counters" },
	{ "events", SHAPE(arch_events), 0, 7, 13, "CPUID.0AH:EAX[31:24], of 13 events that are defined; SDM 2A, CPUID" },
	{ "any_thread", SHAPE(any_thread), 0, 0, 1, "the opposite of CPUID.0AH:EDX[15]; SDM 3B, Architectural Performance Monitoring Version 3" },
	{ "pdcm", SHAPE(pdcm), 0, 0, 1, "CPUID.01H:ECX[15]; SDM 2A, CPUID" },
	{ "fw_write", SHAPE(fw_write), 0, 0, 1, "IA32_PERF_CAPABILITIES[13]; SDM 3B, Full-Width Writes" },
	{ "freeze_smm", SHAPE(freeze_smm), 0, 0, 1, "IA32_PERF_CAPABILITIES[12]; SDM 3B, IA32_DEBUGCTL MSR" },
	{ "metrics", SHAPE(metrics), 0, 0, 1, "IA32_PERF_CAPABILITIES[15]; SDM 3B, Performance Metrics" },
	{ "metrics_clear", SHAPE(metrics_clear), 0, 0, 1, "IA32_PERF_CAPABILITIES[19]; SDM 2B, RDPMC" },
	{ "tsx", SHAPE(tsx), 0, 0, 1, "CPUID.07H.0:EBX[4]; SDM 3B, Performance Monitoring and Intel TSX" },
	{ "umask2", SHAPE(umask2), 0, 0, 1, "CPUID.23H.0:EBX[0]; SDM 2A, CPUID" },
	{ "eq", SHAPE(eq), 0, 0, 1, "CPUID.23H.0:EBX[1]; SDM 2A, CPUID" },
	{ "user_disable", SHAPE(user_disable), 0, 0, 1, "CPUID.23H.0:EBX[2]; SDM 2A, CPUID" },
};

/* In order: what an earlier one settles, a later one may build on. */
static const struct vpmu_rule_row rules[] = {
	/* broken, field, instead, message, manual */
	{ no_gp, SHAPE(gp), 1, "gp: 0, but version > 0 means at least one counter; use model none for no PMU", "SDM 2A, CPUID, leaf 0AH" },
	{ too_many_gp, SHAPE(gp), MOST_GP, "gp: more than 14, but IA32_PMC14 would be MSR CFH, IA32_CORE_CAPABILITIES; use gp=14 or less", "SDM 4, Architectural MSRs" },
	{ gp_map_early, SHAPE(gp_map), 0, "gp_map: versions below 6 have no leaf 23H that could tell; use gp=N", "SDM 2A, CPUID, leaf 23H" },
	{ gp_map_short, SHAPE(gp_map), 0, "gp_map: must have all of bits gp - 1 to 0, as CPUID.0AH:EAX[15:8] promises them", "SDM 2A, CPUID, leaf 23H" },
	{ v1_fixed, SHAPE(fixed), 0, "fixed: version 1 has no fixed counters; use fixed=0", "SDM 3B, Architectural Performance Monitoring Version 1" },
	{ v1_fixed_width, SHAPE(fixed_width), 0, "fixed_width: version 1 has no fixed counters; leave it out", "SDM 3B, Architectural Performance Monitoring Version 1" },
	{ fixed_map_early, SHAPE(fixed_map), 0, "fixed_map: versions below 5 have no bitmap in CPUID.0AH:ECX; use fixed=N", "SDM 2A, CPUID, leaf 0AH" },
	{ fixed_map_short, SHAPE(fixed_map), 0, "fixed_map: must have all of bits fixed - 1 to 0, as CPUID.0AH:EDX[4:0] promises them", "SDM 2A, CPUID, leaf 0AH" },
	{ no_fixed_width, SHAPE(fixed_width), 48, "fixed_width: fixed counters need a width", "SDM 2A, CPUID, leaf 0AH" },
	{ events_before_v5, SHAPE(arch_events), 7, "events: more than 7 came with version 5; use events=7", "SDM 3B, Pre-defined Architectural Performance Events" },
	{ events_before_v6, SHAPE(arch_events), 8, "events: more than 8 came with version 6; use events=8 or 7", "SDM 3B, Pre-defined Architectural Performance Events" },
	{ any_thread_missing, SHAPE(any_thread), 0, "any_thread: only versions 3 and 4 have AnyThread bits; use any_thread=0", "SDM 3B, Architectural Performance Monitoring Version 5" },
	{ fw_write_alone, SHAPE(fw_write), 0, "fw_write: 1, but without pdcm=1 there is no IA32_PERF_CAPABILITIES that could tell", "SDM 3B, Full-Width Writes" },
	{ freeze_smm_alone, SHAPE(freeze_smm), 0, "freeze_smm: 1, but without pdcm=1 there is no IA32_PERF_CAPABILITIES that could tell", "SDM 3B, IA32_DEBUGCTL MSR" },
	{ metrics_alone, SHAPE(metrics), 0, "metrics: 1, but without pdcm=1 there is no IA32_PERF_CAPABILITIES that could tell", "SDM 2B, RDPMC" },
	{ metrics_without_slots, SHAPE(metrics), 0, "metrics: 1, but PERF_METRICS divides up fixed counter 3, which is missing; use fixed=4", "SDM 3B, Performance Metrics" },
	{ metrics_clear_alone, SHAPE(metrics_clear), 0, "metrics_clear: 1, but without metrics=1 there is nothing to clear", "SDM 2B, RDPMC" },
	{ umask2_early, SHAPE(umask2), 0, "umask2: versions below 6 have no leaf 23H that could tell; use umask2=0", "SDM 2A, CPUID, leaf 23H" },
	{ eq_early, SHAPE(eq), 0, "eq: versions below 6 have no leaf 23H that could tell; use eq=0", "SDM 2A, CPUID, leaf 23H" },
	{ user_disable_early, SHAPE(user_disable), 0, "user_disable: versions below 6 have no leaf 23H that could tell; use user_disable=0", "SDM 2A, CPUID, leaf 23H" },
};
/* clang-format on */

const struct vpmu_field_table vpmu_intel_arch_fields = {
	.rows = fields,
	.n = ARRAY_SIZE(fields),
	.names = "version, gp, gp_map, fixed, fixed_map, width, fixed_width, "
		 "events, any_thread, pdcm, fw_write, freeze_smm, metrics, "
		 "metrics_clear, tsx, umask2, eq, user_disable",
};

const struct vpmu_rule_table vpmu_intel_arch_rules = ROWS(rules);
