/* SPDX-License-Identifier: Apache-2.0 */
/* The vCPU's registers in run->s.regs (KVM_CAP_SYNC_REGS), and descriptors. */
#include "kvm/internal.h"

/* For when KVM_RUN has not filled run->s.regs: at first, or as the VMM says. */
int vpmu_kvm_fetch(struct vpmu_kvm_vcpu *v)
{
	struct kvm_sync_regs *s = &v->run->s.regs;
	int ret;

	if (v->regs_valid)
		return 0;
	ret = vpmu_kvm_ioctl(v, KVM_GET_REGS, &s->regs, "KVM_GET_REGS");
	if (!ret)
		ret = vpmu_kvm_ioctl(v, KVM_GET_SREGS, &s->sregs,
				     "KVM_GET_SREGS");
	v->regs_valid = !ret;
	return ret;
}

/*
 * Hand changed registers to KVM at once. Needed before KVM_SET_GUEST_DEBUG
 * with single step: KVM remembers the RIP of that call and drops TF when it
 * later takes over a dirty register set with another one.
 */
int vpmu_kvm_flush(struct vpmu_kvm_vcpu *v)
{
	struct kvm_run *run = v->run;
	int ret = 0;

	if (run->kvm_dirty_regs & KVM_SYNC_X86_SREGS)
		ret = vpmu_kvm_ioctl(v, KVM_SET_SREGS, &run->s.regs.sregs,
				     "KVM_SET_SREGS");
	if (!ret && run->kvm_dirty_regs & KVM_SYNC_X86_REGS) {
		ret = vpmu_kvm_ioctl(v, KVM_SET_REGS, &run->s.regs.regs,
				     "KVM_SET_REGS");
		v->armed_valid = false;
	}
	run->kvm_dirty_regs &=
		~(uint64_t)(KVM_SYNC_X86_REGS | KVM_SYNC_X86_SREGS);
	return ret;
}

void vpmu_kvm_dirty(struct vpmu_kvm_vcpu *v, uint64_t which)
{
	v->run->kvm_dirty_regs |= which;
}

/* A struct kvm_msrs with room for one entry. */
union one_msr {
	struct kvm_msrs head;
	uint8_t bytes[sizeof(struct kvm_msrs) + sizeof(struct kvm_msr_entry)];
};

int vpmu_kvm_get_msr(struct vpmu_kvm_vcpu *v, uint32_t index, uint64_t *value)
{
	union one_msr m = { .head.nmsrs = 1 };
	int ret;

	m.head.entries[0].index = index;
	ret = vpmu_kvm_ioctl(v, KVM_GET_MSRS, &m, "KVM_GET_MSRS");
	*value = m.head.entries[0].data;
	return ret < 0 ? ret : 0;
}

int vpmu_kvm_set_msr(struct vpmu_kvm_vcpu *v, uint32_t index, uint64_t value)
{
	union one_msr m = { .head.nmsrs = 1 };
	int ret;

	m.head.entries[0].index = index;
	m.head.entries[0].data = value;
	ret = vpmu_kvm_ioctl(v, KVM_SET_MSRS, &m, "KVM_SET_MSRS");
	return ret < 0 ? ret : 0;
}

uint8_t vpmu_kvm_cpl(const struct vpmu_kvm_vcpu *v)
{
	const struct kvm_sync_regs *s = &v->run->s.regs;

	if (!(s->sregs.cr0 & CR0_PE))
		return 0;
	if (s->regs.rflags & RFLAGS_VM)
		return 3;
	return s->sregs.ss.dpl & 3;
}

/* Which bits of RIP this code segment uses. */
uint64_t vpmu_kvm_rip_mask(const struct kvm_segment *cs)
{
	if (cs->l)
		return UINT64_MAX;
	return cs->db ? UINT32_MAX : UINT16_MAX;
}

uint64_t vpmu_kvm_linear(const struct kvm_segment *cs, uint64_t rip)
{
	return cs->l ? rip : (cs->base + rip) & UINT32_MAX;
}

uint64_t vpmu_kvm_linear_rip(const struct vpmu_kvm_vcpu *v)
{
	const struct kvm_sync_regs *s = &v->run->s.regs;

	return vpmu_kvm_linear(&s->sregs.cs, s->regs.rip);
}

uint64_t vpmu_kvm_linear_stack(const struct vpmu_kvm_vcpu *v, uint64_t at)
{
	const struct kvm_sync_regs *s = &v->run->s.regs;
	uint64_t sp = s->regs.rsp + at;

	if (s->sregs.cs.l)
		return sp;
	sp &= s->sregs.ss.db ? UINT32_MAX : UINT16_MAX;
	return (s->sregs.ss.base + sp) & UINT32_MAX;
}

/* SDM 3A, "Segment Descriptors". */
static void unpack(uint64_t d, uint16_t selector, struct kvm_segment *seg)
{
	uint32_t limit = (uint32_t)(d & 0xffff) | (uint32_t)(d >> 32 & 0xf0000);

	*seg = (struct kvm_segment){
		.base = (d >> 16 & 0xffffff) | (d >> 32 & 0xff000000),
		.limit = d & BIT(55) ? limit << 12 | 0xfff : limit,
		.selector = selector,
		.type = (uint8_t)(d >> 40 & 0xf),
		.s = d >> 44 & 1,
		.dpl = d >> 45 & 3,
		.present = d >> 47 & 1,
		.avl = d >> 52 & 1,
		.l = d >> 53 & 1,
		.db = d >> 54 & 1,
		.g = d >> 55 & 1,
	};
	seg->type |= 1; /* accessed, as loading it would have made it */
}

bool vpmu_kvm_load_segment(struct vpmu_kvm_vcpu *v, uint16_t selector,
			   struct kvm_segment *seg)
{
	const struct kvm_sregs *s = &v->run->s.regs.sregs;
	uint32_t offset = selector & ~7u;
	uint64_t base = s->gdt.base, limit = s->gdt.limit, d;

	if (selector & 4) {
		if (s->ldt.unusable || !s->ldt.present)
			return false;
		base = s->ldt.base;
		limit = s->ldt.limit;
	}
	if (offset + 7 > limit || !vpmu_kvm_read(v, base + offset, &d, 8))
		return false;
	unpack(d, selector, seg);
	return seg->s && seg->present;
}
