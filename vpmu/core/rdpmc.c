/* SPDX-License-Identifier: Apache-2.0 */
/* RDPMC: the privilege rule, the index, the value. */
#include "core/internal.h"

static bool has(const struct vpmu *pmu, const struct vpmu_rdpmc_row *row,
		uint32_t i)
{
	if (row->exists)
		return row->exists(&pmu->shape) & BIT(i);
	return pmu->exists & BIT(row->counter + i);
}

static uint64_t read(struct vpmu_vcpu *v, const struct vpmu_rdpmc_row *row,
		     uint32_t counter, uint8_t cpl)
{
	if (row->read)
		return row->read(v, counter, cpl);
	return vpmu_program_read(v, counter);
}

enum vpmu_result vpmu_rdpmc(struct vpmu_vcpu *vcpu, uint32_t ecx,
			    const struct vpmu_mode *mode, uint64_t *value)
{
	const struct vpmu_family *family;

	if (!vcpu || !mode || !value || mode->cpl > 3)
		return VPMU_ERROR;
	family = vcpu->pmu->model->family;
	if (family->no_rdpmc)
		return VPMU_NOT_MINE;
	/* SDM 2B and APM 3, "RDPMC": the same for both vendors. A wrong index
	 * faults alike, so the guest cannot see which was looked at first. */
	if (mode->cpl && mode->pe && !mode->pce)
		return VPMU_FAULT;
	for (size_t i = 0; i < family->rdpmc.n; i++) {
		const struct vpmu_rdpmc_row *row = &family->rdpmc.rows[i];
		uint32_t index = ecx - row->first;

		if (index >= row->n)
			continue;
		if (!has(vcpu->pmu, row, index))
			return VPMU_FAULT;
		*value = read(vcpu, row, row->counter + index, mode->cpl);
		return VPMU_HANDLED;
	}
	return VPMU_FAULT;
}
