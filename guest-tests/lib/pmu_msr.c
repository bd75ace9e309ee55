// SPDX-License-Identifier: Apache-2.0
/* Which MSRs the PMU has and which of their bits: rows, unfolded by unit. */
#include "lib/pmu_rows.h"

struct pmu_msr pmu_msrs[256];
u32 pmu_msr_count;

static void unfold(const struct msr_row *row)
{
	u32 units = row->units();

	for (u32 unit = 0; unit < 32; unit++) {
		if (!(units & BIT(unit)))
			continue;
		pmu_msrs[pmu_msr_count++] = (struct pmu_msr){
			.msr = row->first + row->stride * unit,
			.unit = unit,
			.name = row->name,
			.kind = row->kind,
			.writable = row->writable(unit),
			.maybe = row->maybe ? row->maybe(unit) : 0,
		};
	}
}

void pmu_msr_init(void)
{
	const struct msr_row *rows = intel_rows;
	u32 count = intel_row_count;

	if (!pmu.present)
		return;
	if (pmu.vendor == VENDOR_AMD) {
		rows = amd_rows;
		count = amd_row_count;
	}
	for (u32 i = 0; i < count; i++)
		unfold(&rows[i]);
}

const struct pmu_msr *pmu_msr_find(u32 msr)
{
	for (u32 i = 0; i < pmu_msr_count; i++)
		if (pmu_msrs[i].msr == msr)
			return &pmu_msrs[i];
	return NULL;
}
