/* SPDX-License-Identifier: Apache-2.0 */
/* The performance-monitoring interrupt, and the freeze that comes with it. */
#include "core/internal.h"

/* Several overflows at once are one interrupt: LVTPC is one edge. The freeze
 * waits until all counters have been brought up to date. */
void vpmu_pmi_raise(struct vpmu_vcpu *vcpu)
{
	vcpu->pmi = true;
	vcpu->freeze_due = true;
}

static void freeze(struct vpmu_vcpu *v)
{
	uint64_t debugctl = v->reg[REG_DEBUGCTL];

	/* SDM 3B, "Freezing LBR and Performance Counters on PMI"; legacy LBR
	 * freeze clears DEBUGCTL.LBR, which never is set here. */
	if (v->pmu->freeze == FREEZE_STREAMLINED) {
		if (debugctl & DEBUGCTL_FREEZE_LBRS_ON_PMI)
			v->reg[REG_GLOBAL_STATUS] |= GLOBAL_STATUS_LBR_FRZ;
		if (debugctl & DEBUGCTL_FREEZE_PERFMON_ON_PMI)
			v->reg[REG_GLOBAL_STATUS] |= GLOBAL_STATUS_CTR_FRZ;
	} else if (v->pmu->freeze == FREEZE_LEGACY &&
		   debugctl & DEBUGCTL_FREEZE_PERFMON_ON_PMI) {
		v->reg[REG_GLOBAL_CTRL] = 0;
	}
}

/* Stopping counters for the freeze reads them, which may overflow yet another:
 * that one was raised by the same PMI, and freezing again changes nothing. */
void vpmu_pmi_freeze(struct vpmu_vcpu *vcpu)
{
	if (!vcpu->freeze_due)
		return;
	freeze(vcpu);
	vpmu_program_refresh(vcpu);
	vcpu->freeze_due = false;
}

int vpmu_take_pmi(struct vpmu_vcpu *vcpu)
{
	bool due = vcpu->pmi;

	vcpu->pmi = false;
	return due;
}
