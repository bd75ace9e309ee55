/* SPDX-License-Identifier: Apache-2.0 */
/* The two calls around KVM_RUN: a struct kvm_run in, a core call, registers. */
#include "kvm/internal.h"

#define EFER_SVME (UINT64_C(1) << 12)

/* Exits whose instruction is finished by KVM in the next KVM_RUN. */
static bool completes_later(uint32_t exit_reason)
{
	return exit_reason == KVM_EXIT_IO || exit_reason == KVM_EXIT_MMIO ||
	       exit_reason == KVM_EXIT_X86_RDMSR ||
	       exit_reason == KVM_EXIT_X86_WRMSR ||
	       exit_reason == KVM_EXIT_HYPERCALL;
}

static bool stepping_wanted(const struct vpmu_kvm_vcpu *v)
{
	return v->kvm->trap == VPMU_KVM_TRAP_STEP || vpmu_wants_retire(v->pmu);
}

int vpmu_kvm_enter(struct vpmu_kvm_vcpu *v)
{
	int ret = vpmu_kvm_fetch(v);

	/* A KVM_RUN that ends by immediate_exit leaves the old reason there. */
	v->run->exit_reason = KVM_EXIT_INTR;
	if (!ret && vpmu_take_pmi(v->pmu))
		ret = vpmu_kvm_deliver_pmi(v);
	if (ret)
		return ret;
	return stepping_wanted(v) ? vpmu_kvm_step_enter(v)
				  : vpmu_kvm_step_leave(v);
}

static enum vpmu_result on_rdmsr(struct vpmu_kvm_vcpu *v)
{
	struct kvm_run *run = v->run;
	enum vpmu_result ret;
	uint64_t value = 0;

	ret = vpmu_rdmsr(v->pmu, run->msr.index, &value);
	if (ret == VPMU_NOT_MINE)
		return ret;
	v->stats.rdmsr++;
	run->msr.data = value;
	run->msr.error = ret == VPMU_FAULT;
	return ret == VPMU_FAULT ? VPMU_HANDLED : ret;
}

static enum vpmu_result on_wrmsr(struct vpmu_kvm_vcpu *v)
{
	struct kvm_run *run = v->run;
	enum vpmu_result ret;

	if (v->step.on && v->step.pending)
		vpmu_retire_begin(v->pmu);
	ret = vpmu_wrmsr(v->pmu, run->msr.index, run->msr.data);
	if (ret == VPMU_NOT_MINE)
		return ret;
	v->stats.wrmsr++;
	run->msr.error = ret == VPMU_FAULT;
	if (ret == VPMU_HANDLED)
		vpmu_kvm_step_wrmsr(v);
	return ret == VPMU_FAULT ? VPMU_HANDLED : ret;
}

static enum vpmu_result on_debug(struct vpmu_kvm_vcpu *v)
{
	int ret = v->step.on ? vpmu_kvm_step_debug(v) : vpmu_kvm_trap_debug(v);

	return ret ? VPMU_ERROR : VPMU_HANDLED;
}

/* Kicked: by the VMM, or by a backend whose period has passed. */
static enum vpmu_result on_intr(struct vpmu_kvm_vcpu *v)
{
	vpmu_sync(v->pmu);
	return VPMU_NOT_MINE;
}

static const struct {
	uint32_t exit_reason;
	enum vpmu_result (*handle)(struct vpmu_kvm_vcpu *v);
} exits[] = {
	{ KVM_EXIT_X86_RDMSR, on_rdmsr },
	{ KVM_EXIT_X86_WRMSR, on_wrmsr },
	{ KVM_EXIT_DEBUG, on_debug },
	{ KVM_EXIT_INTR, on_intr },
};

static enum vpmu_result dispatch(struct vpmu_kvm_vcpu *v, uint32_t reason)
{
	for (size_t i = 0; i < sizeof(exits) / sizeof(*exits); i++)
		if (exits[i].exit_reason == reason)
			return exits[i].handle(v);
	v->debugregs_stale = true;
	v->memo.gate = NULL;
	return VPMU_NOT_MINE;
}

enum vpmu_result vpmu_kvm_exit(struct vpmu_kvm_vcpu *v)
{
	uint32_t reason = v->run->exit_reason;
	enum vpmu_result ret;

	v->regs_valid = true;
	/* Whether a guest of the guest's runs, userspace cannot see. */
	vpmu_set_nested(v->pmu, !!(v->run->s.regs.sregs.efer & EFER_SVME), 0);
	v->completing = completes_later(reason);
	/* KVM has taken them over, but leaves it to us to say so. */
	v->run->kvm_dirty_regs &=
		~(uint64_t)(KVM_SYNC_X86_REGS | KVM_SYNC_X86_SREGS);
	if (v->step.on && reason != KVM_EXIT_DEBUG)
		vpmu_kvm_step_other(v);
	ret = dispatch(v, reason);
	v->step.just_left = false;
	return ret;
}
