/* SPDX-License-Identifier: Apache-2.0 */
/*
 * KVM_SET_GUEST_DEBUG and who is in which debug register.
 *
 * While KVM_GUESTDBG_USE_HW_BP is on, KVM loads our DR0..DR3 instead of the
 * guest's and brings every #DB here. So the guest's own breakpoints are
 * carried along in what we leave free, and its #DBs are given back to it.
 */
#include <string.h>

#include "kvm/internal.h"

#define DR7_ENABLED(i) (UINT64_C(3) << (2 * (i))) /* L and G */
#define DR7_RW_LEN(dr7, i) ((uint8_t)((dr7) >> (16 + 4 * (i)) & 0xf))
#define DR7_GE_LE UINT64_C(0x300)
#define DR7_FIXED BIT(10)

void vpmu_kvm_slots_clear(struct vpmu_kvm_vcpu *v)
{
	memset(v->slots, 0, sizeof(v->slots));
}

static void add(struct vpmu_kvm_vcpu *v, struct dr_slot slot)
{
	for (int i = 0; i < NR_DR; i++) {
		if (v->slots[i].owner != DR_FREE)
			continue;
		v->slots[i] = slot;
		return;
	}
}

/* A breakpoint on execution; dropped if no register is free. */
void vpmu_kvm_slot_add(struct vpmu_kvm_vcpu *v, enum dr_owner owner,
		       uint64_t linear)
{
	if (v->unarmed && v->unarmed_at == linear)
		return;
	add(v, (struct dr_slot){ .linear = linear, .owner = owner });
}

void vpmu_kvm_debugregs(struct vpmu_kvm_vcpu *v)
{
	struct kvm_debugregs d;

	if (!v->debugregs_stale ||
	    vpmu_kvm_ioctl(v, KVM_GET_DEBUGREGS, &d, "KVM_GET_DEBUGREGS"))
		return;
	v->debugregs_stale = false;
	if (memcmp(d.db, v->guest_dr.db, sizeof(d.db)) ||
	    d.dr7 != v->guest_dr.dr7)
		v->slots_stale = true;
	v->guest_dr = d;
}

/* Carry at most `max` of the guest's breakpoints along. */
void vpmu_kvm_slots_guest(struct vpmu_kvm_vcpu *v, unsigned int max)
{
	const struct kvm_debugregs *d = &v->guest_dr;

	for (uint8_t i = 0; i < NR_DR && max; i++) {
		if (!(d->dr7 & DR7_ENABLED(i)))
			continue;
		add(v, (struct dr_slot){ .linear = d->db[i],
					 .owner = DR_GUEST,
					 .guest_index = i,
					 .rw_len = DR7_RW_LEN(d->dr7, i) });
		max--;
	}
}

static void encode(const struct vpmu_kvm_vcpu *v, struct kvm_guest_debug *dbg)
{
	uint64_t dr7 = DR7_FIXED | DR7_GE_LE;
	bool any = false;

	for (unsigned int i = 0; i < NR_DR; i++) {
		if (v->slots[i].owner == DR_FREE)
			continue;
		dbg->arch.debugreg[i] = v->slots[i].linear;
		dr7 |= DR7_ENABLED(i) | (uint64_t)v->slots[i].rw_len
						<< (16 + 4 * i);
		any = true;
	}
	if (!any)
		return;
	dbg->arch.debugreg[7] = dr7;
	dbg->control |= KVM_GUESTDBG_USE_HW_BP;
}

/*
 * Make KVM have the slots and `control` (KVM_GUESTDBG_SINGLESTEP, ...). Nothing
 * is done if it has them, for this is called before each KVM_RUN - but single
 * step is armed each time anew: KVM loses its TF when the guest loads flags,
 * and when its emulator finishes an instruction (MMIO, say).
 */
int vpmu_kvm_arm(struct vpmu_kvm_vcpu *v, uint32_t control)
{
	struct kvm_guest_debug dbg;
	int ret;

	if (control & KVM_GUESTDBG_SINGLESTEP || v->inject_db) {
		ret = vpmu_kvm_flush(v);
		if (ret)
			return ret;
	}
	memset(&dbg, 0, sizeof(dbg));
	dbg.control = control;
	encode(v, &dbg);
	if (dbg.control)
		dbg.control |= KVM_GUESTDBG_ENABLE;
	if (!(control & KVM_GUESTDBG_SINGLESTEP) && v->armed_valid &&
	    !v->inject_db && !memcmp(&dbg, &v->armed, sizeof(dbg)))
		return 0;
	v->armed = dbg;
	if (v->inject_db)
		dbg.control |= KVM_GUESTDBG_ENABLE | KVM_GUESTDBG_INJECT_DB;
	ret = vpmu_kvm_ioctl(v, KVM_SET_GUEST_DEBUG, &dbg,
			     "KVM_SET_GUEST_DEBUG");
	v->armed_valid = !ret;
	v->inject_db = false;
	return ret;
}

const struct dr_slot *vpmu_kvm_slot_hit(const struct vpmu_kvm_vcpu *v,
					enum dr_owner owner)
{
	const struct kvm_debug_exit_arch *e = &v->run->debug.arch;

	for (unsigned int i = 0; i < NR_DR; i++)
		if (v->slots[i].owner == owner && (e->dr6 & BIT(i)) &&
		    v->slots[i].linear == e->pc)
			return &v->slots[i];
	return NULL;
}

uint64_t vpmu_kvm_foreign_dr6(const struct vpmu_kvm_vcpu *v)
{
	const struct kvm_debug_exit_arch *e = &v->run->debug.arch;
	uint64_t dr6 = e->dr6 & DR6_BD;

	if (!(v->armed.control & KVM_GUESTDBG_SINGLESTEP))
		dr6 |= e->dr6 & DR6_BS;
	for (unsigned int i = 0; i < NR_DR; i++) {
		if (!(e->dr6 & BIT(i)))
			continue;
		if (v->slots[i].owner == DR_GUEST)
			dr6 |= BIT(v->slots[i].guest_index);
	}
	return dr6;
}

/* Give the guest a #DB, with these bits added to its DR6. */
int vpmu_kvm_inject_db(struct vpmu_kvm_vcpu *v, uint64_t dr6)
{
	struct kvm_debugregs d;
	int ret = vpmu_kvm_ioctl(v, KVM_GET_DEBUGREGS, &d, "KVM_GET_DEBUGREGS");

	if (ret)
		return ret;
	/* SDM 3B, "Debug Status Register": B0..B3 say what is met now. */
	d.dr6 = (d.dr6 & ~(uint64_t)DR6_BN) | dr6;
	ret = vpmu_kvm_ioctl(v, KVM_SET_DEBUGREGS, &d, "KVM_SET_DEBUGREGS");
	if (ret)
		return ret;
	v->guest_dr = d;
	v->inject_db = true;
	v->step.deliver = VECTOR_DB;
	v->step.window = false;
	v->stats.foreign_db++;
	return 0;
}

/* #GP(0) at RIP, delivered by KVM in the next KVM_RUN. */
int vpmu_kvm_inject_gp(struct vpmu_kvm_vcpu *v)
{
	struct kvm_vcpu_events ev;
	int ret = vpmu_kvm_ioctl(v, KVM_GET_VCPU_EVENTS, &ev,
				 "KVM_GET_VCPU_EVENTS");

	if (ret)
		return ret;
	ev.exception.injected = 1;
	ev.exception.nr = VECTOR_GP;
	ev.exception.has_error_code = 1;
	ev.exception.error_code = 0;
	ev.flags = 0;
	return vpmu_kvm_ioctl(v, KVM_SET_VCPU_EVENTS, &ev,
			      "KVM_SET_VCPU_EVENTS");
}
