/* SPDX-License-Identifier: Apache-2.0 */
/* What may be overridden in an AMD PMU, and what must hold between the
 * numbers. */
#include "models/amd.h"

static bool v2_without_ext_core(const struct vpmu_shape *s)
{
	return s->version >= 2 && !s->ext_core;
}

static bool legacy_not_four(const struct vpmu_shape *s)
{
	return !s->ext_core && s->gp != MOST_LEGACY;
}

static bool ext_core_not_six(const struct vpmu_shape *s)
{
	return s->ext_core && s->version < 2 && s->gp != MOST_CORE;
}

static bool not_48(const struct vpmu_shape *s)
{
	return s->gp_width != CTR_BITS;
}

static bool nb_few(const struct vpmu_shape *s)
{
	return s->nb && s->nb < 4;
}

static bool nb_before_v2(const struct vpmu_shape *s)
{
	return s->nb > 4 && s->version < 2;
}

static bool l3_not_six(const struct vpmu_shape *s)
{
	return s->l3 && s->l3 != MOST_L3;
}

static bool l3_early(const struct vpmu_shape *s)
{
	return s->l3 && s->layout == VPMU_LAYOUT_F15H;
}

static bool umc_before_v2(const struct vpmu_shape *s)
{
	return s->umc && s->version < 2;
}

static bool freeze_before_v2(const struct vpmu_shape *s)
{
	return s->freeze && s->version < 2;
}

static bool merge_early(const struct vpmu_shape *s)
{
	return s->merge && (!s->ext_core || s->layout < VPMU_LAYOUT_F17H);
}

static bool v1_new_layout(const struct vpmu_shape *s)
{
	return s->version < 2 && s->layout == VPMU_LAYOUT_V2;
}

static bool v2_old_layout(const struct vpmu_shape *s)
{
	return s->version >= 2 && s->layout != VPMU_LAYOUT_V2;
}

#define SHAPE(field) offsetof(struct vpmu_shape, field)

/* clang-format off */
static const struct vpmu_field_row fields[] = {
	/* name, offset, resets, min, max, why */
	{ "version", SHAPE(version), 0, 1, 2, "2 is PerfMonV2, CPUID.8000_0022H:EAX[0]; model none has no PMU; APM 2, Performance Monitoring Counters" },
	{ "gp", SHAPE(gp), 0, MOST_LEGACY, MOST_CORE, "the first 4 are always there, RDPMC 0..5 are core counters; APM 3, RDPMC" },
	{ "width", SHAPE(gp_width), 0, 1, 64, "a register has 64 bits; APM 2, Performance Counter MSRs" },
	{ "ext_core", SHAPE(ext_core), 0, 0, 1, "CPUID.8000_0001H:ECX[23]; APM 3, CPUID" },
	{ "nb", SHAPE(nb), 0, 0, MOST_NB, "RDPMC 6..9 and 16..27 are northbridge or data fabric counters; APM 3, RDPMC" },
	{ "l3", SHAPE(l3), 0, 0, MOST_L3, "RDPMC 10..15 are L3 counters; APM 3, RDPMC" },
	{ "umc", SHAPE(umc), 0, 0, MOST_UMC / UMC_COUNTERS, "this library has 32 counters of memory controllers, 4 for each; PPR, UMC Performance Monitor Counters" },
	{ "freeze", SHAPE(freeze), 0, 0, 1, "CPUID.8000_0022H:EAX[2]; APM 2, Debug-Control MSR" },
	{ "merge", SHAPE(merge), 0, 0, 1, "event FFFH, of family 17H on; PPR, Large Increment per Cycle Events" },
	{ "precise_retire", SHAPE(precise_retire), 0, 0, 1, "CPUID.8000_0021H:EAX[12]; APM 3, CPUID" },
	{ "irperf", SHAPE(irperf), 0, 0, 1, "CPUID.8000_0008H:EBX[1]; APM 3, CPUID" },
	{ "effreq", SHAPE(effreq), 0, 0, 1, "CPUID.06H:ECX[0], 8000_0007H:EDX[10]; APM 3, CPUID" },
	{ "ptsc", SHAPE(ptsc), 0, 0, 1, "CPUID.8000_0001H:ECX[27]; APM 3, CPUID" },
	{ "svm", SHAPE(svm), 0, 0, 1, "whether PERF_CTL keeps GuestOnly and HostOnly; APM 2, Performance Event-Select Registers" },
};

/* In order: what an earlier one settles, a later one may build on. */
static const struct vpmu_rule_row rules[] = {
	/* broken, field, instead, message, manual */
	{ v2_without_ext_core, SHAPE(version), 1, "version: 2, PerfMonV2, needs PerfCtrExtCore; use ext_core=1", "APM 2, Performance Monitoring Counters" },
	{ v2_old_layout, SHAPE(layout), VPMU_LAYOUT_V2, "layout: PerfMonV2 has its own", "PPR, Data Fabric Performance Monitor Control" },
	{ v1_new_layout, SHAPE(layout), VPMU_LAYOUT_F19H, "layout: only PerfMonV2 has this one", "PPR, Data Fabric Performance Monitor Control" },
	{ legacy_not_four, SHAPE(gp), MOST_LEGACY, "gp: without PerfCtrExtCore there are 4 counters, no CPUID field could tell of fewer or more", "APM 2, Performance Counter MSRs" },
	{ ext_core_not_six, SHAPE(gp), MOST_CORE, "gp: PerfCtrExtCore without PerfMonV2 means 6 counters, no CPUID field could tell of fewer", "APM 2, Performance Counter MSRs" },
	{ not_48, SHAPE(gp_width), CTR_BITS, "width: counters are 48 bits wide", "APM 2, Performance Counter MSRs" },
	{ nb_few, SHAPE(nb), 4, "nb: CPUID.8000_0001H:ECX[24] promises the first 4; use nb=0 or 4 and more", "APM 3, RDPMC" },
	{ nb_before_v2, SHAPE(nb), 4, "nb: more than 4 need PerfMonV2, whose CPUID.8000_0022H:EBX[15:10] counts them; use nb=4", "APM 3, RDPMC" },
	{ l3_early, SHAPE(l3), 0, "l3: family 15H has no L3 counters; use l3=0", "PPR, L3 Performance Monitor Counters" },
	{ l3_not_six, SHAPE(l3), MOST_L3, "l3: CPUID.8000_0001H:ECX[28] means 6 counters, no field could tell of fewer; use l3=0 or 6", "APM 3, RDPMC" },
	{ umc_before_v2, SHAPE(umc), 0, "umc: needs PerfMonV2, whose CPUID.8000_0022H:ECX tells of them; use umc=0", "APM 3, CPUID" },
	{ freeze_before_v2, SHAPE(freeze), 0, "freeze: needs PerfMonV2, whose status registers show it; use freeze=0", "APM 2, Debug-Control MSR" },
	{ merge_early, SHAPE(merge), 0, "merge: came with family 17H and PerfCtrExtCore; use merge=0", "PPR, Large Increment per Cycle Events" },
};
/* clang-format on */

const struct vpmu_field_table vpmu_amd_fields = {
	.rows = fields,
	.n = ARRAY_SIZE(fields),
	.names = "version, gp, width, ext_core, nb, l3, umc, freeze, merge, "
		 "precise_retire, irperf, effreq, ptsc, svm",
};

const struct vpmu_rule_table vpmu_amd_rules = ROWS(rules);
