/* SPDX-License-Identifier: Apache-2.0 */
/* RESET and INIT: what each register becomes is in its row. */
#include <string.h>

#include "core/internal.h"

static void clear_counters(struct vpmu_vcpu *v)
{
	uint64_t exists = v->pmu->exists;

	FOR_EACH_COUNTER(id, exists)
	v->counters[id] = (struct vpmu_counter){ .value = 0 };
}

/*
 * SDM 3A, "IA-32 and Intel 64 Processor States Following Power-up, Reset, or
 * INIT"; APM 2, "Initialization". The enabled set is worked out anew from the
 * registers, as DEBUGCTL and the enables may have changed.
 */
void vpmu_reset_vcpu(struct vpmu_vcpu *vcpu, enum vpmu_reset kind)
{
	const struct vpmu *pmu = vcpu->pmu;
	bool power = kind == VPMU_RESET_POWER;

	if (power) {
		vpmu_program_stop(vcpu);
		clear_counters(vcpu);
		memset(vcpu->reg, 0, sizeof(vcpu->reg));
	}
	for (uint32_t i = 0; i < pmu->nmsrs; i++) {
		const struct vpmu_msr *m = &pmu->msrs[i];

		if (power ? m->row->reset != NULL : m->row->flags & MSR_INIT)
			vcpu->reg[m->unit] = m->reset;
	}
	vcpu->occurred = 0;
	memset(vcpu->occurrences, 0, sizeof(vcpu->occurrences));
	vcpu->begun = false;
	vcpu->freeze_due = false;
	vcpu->pmi = false;
	vpmu_program_control(vcpu, pmu->exists);
}

void vpmu_reset(struct vpmu_vcpu *vcpu, enum vpmu_reset kind)
{
	if (kind == VPMU_RESET_POWER)
		vpmu_package_reset(vcpu->pmu);
	vpmu_reset_vcpu(vcpu, kind);
}
