/* SPDX-License-Identifier: Apache-2.0 */
/* The models, and the check that their tables are sound. */
#include <string.h>

#include "models/model.h"

static const struct vpmu_model models[] = {
	{
		.name = "intel-p5",
		.summary = "Pentium: CESR, 2 counters, 40 bits, no RDPMC",
		.vendor = VPMU_VENDOR_INTEL,
		.cpu_family = 0x5,
		.cpu_model = 0x2,
		.stepping = 0xc,
		.max_leaf = 0x1,
		.max_ext_leaf = 0x80000008,
		.family = &vpmu_family_intel_p5,
		.events = &vpmu_events_intel_p5,
		.shape = {
			.gp = 2,
			.gp_width = 40,
		},
	},
	{
		.name = "intel-p55c",
		.summary = "Pentium MMX: as intel-p5, with RDPMC",
		.vendor = VPMU_VENDOR_INTEL,
		.cpu_family = 0x5,
		.cpu_model = 0x4,
		.stepping = 0x3,
		.max_leaf = 0x1,
		.max_ext_leaf = 0x80000008,
		.family = &vpmu_family_intel_p55c,
		.events = &vpmu_events_intel_p55c,
		.shape = {
			.gp = 2,
			.gp_width = 40,
		},
	},
	{
		.name = "intel-p6",
		.summary = "Pentium III: 2 counters, 40 bits, one enable bit",
		.vendor = VPMU_VENDOR_INTEL,
		.cpu_family = 0x6,
		.cpu_model = 0x8,
		.stepping = 0x6,
		.max_leaf = 0x2,
		.max_ext_leaf = 0x80000008,
		.family = &vpmu_family_intel_p6,
		.events = &vpmu_events_intel_p6,
		.shape = {
			.gp = 2,
			.gp_width = 40,
		},
	},
	{
		.name = "intel-netburst",
		.summary = "Pentium 4: 18 counters, 40 bits, CCCRs, ESCRs",
		.vendor = VPMU_VENDOR_INTEL,
		.cpu_family = 0xf,
		.cpu_model = 0x2,
		.stepping = 0x9,
		.max_leaf = 0x2,
		.max_ext_leaf = 0x80000008,
		.family = &vpmu_family_intel_netburst,
		.events = &vpmu_events_intel_netburst,
		.shape = {
			.gp = 18,
			.gp_width = 40,
		},
	},
	{
		.name = "intel-v1",
		.summary = "Core Duo (Yonah): 2 counters, 40 bits",
		.vendor = VPMU_VENDOR_INTEL,
		.cpu_family = 0x6,
		.cpu_model = 0xe,
		.stepping = 0x8,
		.max_leaf = 0xa,
		.max_ext_leaf = 0x80000008,
		.family = &vpmu_family_intel_arch,
		.events = &vpmu_events_intel_core,
		.shape = {
			.version = 1,
			.gp = 2,
			.gp_width = 40,
			.arch_events = 7,
		},
	},
	{
		.name = "intel-v2",
		.summary = "Core 2 (Penryn): 2 counters and 3 fixed, 40 bits",
		.vendor = VPMU_VENDOR_INTEL,
		.cpu_family = 0x6,
		.cpu_model = 0x17,
		.stepping = 0xa,
		.max_leaf = 0xa,
		.max_ext_leaf = 0x80000008,
		.family = &vpmu_family_intel_arch,
		.events = &vpmu_events_intel_core2,
		.shape = {
			.version = 2,
			.gp = 2,
			.gp_width = 40,
			.fixed = 3,
			.fixed_width = 40,
			.arch_events = 7,
			.pdcm = 1,
		},
	},
	{
		.name = "intel-v3",
		.summary = "Haswell: 4 and 3 fixed, 48 bits, AnyThread",
		.vendor = VPMU_VENDOR_INTEL,
		.cpu_family = 0x6,
		.cpu_model = 0x3c,
		.stepping = 0x3,
		.max_leaf = 0xa,
		.max_ext_leaf = 0x80000008,
		.family = &vpmu_family_intel_arch,
		.events = &vpmu_events_intel_haswell,
		.shape = {
			.version = 3,
			.gp = 4,
			.gp_width = 48,
			.fixed = 3,
			.fixed_width = 48,
			.arch_events = 7,
			.any_thread = 1,
			.pdcm = 1,
			.fw_write = 1,
			.freeze_smm = 1,
		},
	},
	{
		.name = "intel-v4",
		.summary = "Skylake-X: 4 and 3 fixed, 48 bits, 391H, 392H",
		.vendor = VPMU_VENDOR_INTEL,
		.cpu_family = 0x6,
		.cpu_model = 0x55,
		.stepping = 0x4,
		.max_leaf = 0xa,
		.max_ext_leaf = 0x80000008,
		.family = &vpmu_family_intel_arch,
		.events = &vpmu_events_intel_haswell,
		.shape = {
			.version = 4,
			.gp = 4,
			.gp_width = 48,
			.fixed = 3,
			.fixed_width = 48,
			.arch_events = 7,
			.any_thread = 1,
			.pdcm = 1,
			.fw_write = 1,
			.freeze_smm = 1,
		},
	},
	{
		.name = "intel-v5",
		.summary = "Ice Lake: 8 and 4 fixed, 48 bits, PERF_METRICS",
		.vendor = VPMU_VENDOR_INTEL,
		.cpu_family = 0x6,
		.cpu_model = 0x7e,
		.stepping = 0x5,
		.max_leaf = 0xa,
		.max_ext_leaf = 0x80000008,
		.family = &vpmu_family_intel_arch,
		.events = &vpmu_events_intel_haswell,
		.shape = {
			.version = 5,
			.gp = 8,
			.gp_width = 48,
			.fixed = 4,
			.fixed_width = 48,
			.arch_events = 8,
			.pdcm = 1,
			.fw_write = 1,
			.freeze_smm = 1,
			.metrics = 1,
		},
	},
	{
		.name = "intel-v6",
		.summary = "Arrow Lake P: 10 and 4 fixed, 48 bits, leaf 23H",
		.vendor = VPMU_VENDOR_INTEL,
		.cpu_family = 0x6,
		.cpu_model = 0xc6,
		.stepping = 0x2,
		.max_leaf = 0x23,
		.max_ext_leaf = 0x80000008,
		.core_type = 0x40,
		.family = &vpmu_family_intel_arch,
		.events = &vpmu_events_intel_haswell,
		.shape = {
			.version = 6,
			.gp = 8,
			.gp_map = 0x3ff,
			.gp_width = 48,
			.fixed = 3,
			.fixed_map = 0xf,
			.fixed_width = 48,
			.arch_events = 13,
			.pdcm = 1,
			.fw_write = 1,
			.freeze_smm = 1,
			.metrics = 1,
			.metrics_clear = 1,
			.umask2 = 1,
			.eq = 1,
		},
	},
	{
		.name = "amd-k7",
		.summary = "Athlon 64 with the K7's 4 counters, 48 bits",
		.vendor = VPMU_VENDOR_AMD,
		.cpu_family = 0xf,
		.cpu_model = 0x23,
		.stepping = 0x2,
		.max_leaf = 0x1,
		.max_ext_leaf = 0x80000008,
		.family = &vpmu_family_amd,
		.events = &vpmu_events_amd_k7,
		.shape = {
			.version = 1,
			.gp = 4,
			.gp_width = 48,
		},
	},
	{
		.name = "amd-f15h",
		.summary = "Piledriver: 6 core and 4 northbridge, 48 bits",
		.vendor = VPMU_VENDOR_AMD,
		.cpu_family = 0x15,
		.cpu_model = 0x2,
		.stepping = 0x0,
		.max_leaf = 0xd,
		.max_ext_leaf = 0x8000001e,
		.family = &vpmu_family_amd,
		.events = &vpmu_events_amd_f15h,
		.shape = {
			.version = 1,
			.gp = 6,
			.gp_width = 48,
			.ext_core = 1,
			.nb = 4,
			.layout = VPMU_LAYOUT_F15H,
		},
	},
	{
		.name = "amd-f17h",
		.summary = "Zen: 6 core, 4 data fabric and 6 L3, 48 bits",
		.vendor = VPMU_VENDOR_AMD,
		.cpu_family = 0x17,
		.cpu_model = 0x1,
		.stepping = 0x2,
		.max_leaf = 0xd,
		.max_ext_leaf = 0x8000001f,
		.family = &vpmu_family_amd,
		.events = &vpmu_events_amd_zen1,
		.shape = {
			.version = 1,
			.gp = 6,
			.gp_width = 48,
			.ext_core = 1,
			.nb = 4,
			.l3 = 6,
			.layout = VPMU_LAYOUT_F17H,
			.merge = 1,
		},
	},
	{
		.name = "amd-v2",
		.summary = "Zen 4: PerfMonV2, 6 core, 16 DF, 6 L3, 32 UMC",
		.vendor = VPMU_VENDOR_AMD,
		.cpu_family = 0x19,
		.cpu_model = 0x11,
		.stepping = 0x1,
		.max_leaf = 0xd,
		.max_ext_leaf = 0x80000022,
		.family = &vpmu_family_amd,
		.events = &vpmu_events_amd_zen4,
		.shape = {
			.version = 2,
			.gp = 6,
			.gp_width = 48,
			.ext_core = 1,
			.nb = 16,
			.l3 = 6,
			.umc = 8,
			.layout = VPMU_LAYOUT_V2,
			.freeze = 1,
			.merge = 1,
		},
	},
	{
		.name = "amd-zen5",
		.summary = "Zen 5: as amd-v2, IRPerfCount, PreciseRetire",
		.vendor = VPMU_VENDOR_AMD,
		.cpu_family = 0x1a,
		.cpu_model = 0x2,
		.stepping = 0x1,
		.max_leaf = 0xd,
		.max_ext_leaf = 0x80000022,
		.family = &vpmu_family_amd,
		.events = &vpmu_events_amd_zen4,
		.shape = {
			.version = 2,
			.gp = 6,
			.gp_width = 48,
			.ext_core = 1,
			.nb = 16,
			.l3 = 6,
			.umc = 8,
			.layout = VPMU_LAYOUT_V2,
			.freeze = 1,
			.merge = 1,
			.precise_retire = 1,
			.irperf = 1,
		},
	},
	{
		.name = "none",
		.summary = "no PMU on the host's processor: all of it faults",
		.vendor = VPMU_VENDOR_NONE,
		.family = &vpmu_family_none,
		.events = &vpmu_events_none,
	},
};

const struct vpmu_model *vpmu_model_at(uint32_t index)
{
	return index < ARRAY_SIZE(models) ? &models[index] : NULL;
}

const struct vpmu_model *vpmu_model_find(const char *name, size_t len)
{
	for (size_t i = 0; i < ARRAY_SIZE(models); i++)
		if (strlen(models[i].name) == len &&
		    !memcmp(models[i].name, name, len))
			return &models[i];
	return NULL;
}

/* -------------------------------------------------------------------- check */

static uint32_t msr_at(const struct vpmu_msr_row *row, uint32_t i)
{
	return row->first + row->stride * i;
}

static bool msr_of(const struct vpmu_shape *shape,
		   const struct vpmu_msr_row *row, uint32_t msr)
{
	for (uint32_t i = 0; i < row->n; i++)
		if (row->exists(shape) & BIT(i) && msr_at(row, i) == msr)
			return true;
	return false;
}

static bool msr_row_sound(const struct vpmu_model *model,
			  const struct vpmu_msr_row *row)
{
	const struct vpmu_shape *s = &model->shape;
	uint64_t reset = row->reset ? row->reset(s) : 0;

	if (!row->n || !row->stride || row->n > 64 || !row->exists ||
	    !row->read || !row->name || !row->manual)
		return false;
	if (row->writable && !row->write)
		return false;
	for (uint32_t i = 0; i < row->n; i++) {
		uint64_t writable = row->writable ? row->writable(s, i) : 0;

		if (reset & ~writable ||
		    !(vpmu_namespace_owns(msr_at(row, i)) ||
		      vpmu_namespace_lends(msr_at(row, i))))
			return false;
	}
	return true;
}

/* In order, and no register described twice. Two versions of one register
 * are two rows, of which a shape has one. */
static bool msr_rows_apart(const struct vpmu_shape *shape,
			   const struct vpmu_msr_row *a,
			   const struct vpmu_msr_row *b)
{
	if (a->first > b->first || !strcmp(a->name, b->name))
		return false;
	for (uint32_t i = 0; i < a->n; i++)
		if (a->exists(shape) & BIT(i) && msr_of(shape, b, msr_at(a, i)))
			return false;
	return true;
}

static const char *check_counters(const struct vpmu_family *family)
{
	uint32_t next = 0;

	for (size_t i = 0; i < family->counters.n; i++) {
		const struct vpmu_counter_row *row = &family->counters.rows[i];

		if (row->first < next || !row->n ||
		    row->first + row->n > VPMU_COUNTERS)
			return row->name;
		next = row->first + row->n;
	}
	for (size_t i = 0; i < family->rdpmc.n; i++)
		if (family->rdpmc.rows[i].counter + family->rdpmc.rows[i].n >
		    next)
			return family->rdpmc.rows[i].manual;
	return NULL;
}

static const char *check_names(const struct vpmu_model *model)
{
	for (size_t i = 0; i < ARRAY_SIZE(models); i++)
		if (&models[i] != model && !strcmp(models[i].name, model->name))
			return model->name;
	for (size_t i = 0; i < model->family->rules->n; i++)
		if (model->family->rules->rows[i].broken(&model->shape))
			return model->family->rules->rows[i].message;
	return NULL;
}

const char *vpmu_model_check(const struct vpmu_model *model)
{
	const struct vpmu_family *family = model->family;
	const char *wrong = check_names(model);

	if (!wrong)
		wrong = check_counters(family);
	for (size_t i = 0; i < family->msrs.n && !wrong; i++) {
		const struct vpmu_msr_row *row = &family->msrs.rows[i];

		if (!msr_row_sound(model, row))
			wrong = row->name;
		for (size_t j = 0; j < i && !wrong; j++)
			if (!msr_rows_apart(&model->shape,
					    &family->msrs.rows[j], row))
				wrong = row->name;
	}
	return wrong;
}
