/* SPDX-License-Identifier: Apache-2.0 */
/* RDPMC: the privilege rule, the index, the value. */
#include "core/internal.h"

enum vpmu_result vpmu_rdpmc(struct vpmu_vcpu *vcpu, uint32_t ecx,
			    const struct vpmu_mode *mode, uint64_t *value)
{
	const struct vpmu_family *family;

	if (!vcpu || !mode || !value || mode->cpl > 3)
		return VPMU_ERROR;
	/* SDM 2B and APM 3, "RDPMC": the same for both vendors. A wrong index
	 * faults alike, so the guest cannot see which was looked at first. */
	if (mode->cpl && mode->pe && !mode->pce)
		return VPMU_FAULT;
	family = vcpu->pmu->model->family;
	for (size_t i = 0; i < family->rdpmc.n; i++) {
		const struct vpmu_rdpmc_row *row = &family->rdpmc.rows[i];
		uint32_t counter = row->counter + (ecx - row->first);

		if (ecx - row->first >= row->n)
			continue;
		if (!(vcpu->pmu->exists & BIT(counter)))
			return VPMU_FAULT;
		vpmu_program_sync(vcpu, BIT(counter));
		*value = vcpu->counters[counter].value;
		return VPMU_HANDLED;
	}
	return VPMU_FAULT;
}
