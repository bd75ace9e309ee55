/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The local APIC: delivering a performance-monitoring interrupt as LVTPC says,
 * and telling which vector would be entered next.
 */
#include <errno.h>
#include <string.h>
#include <sys/ioctl.h>

#include "kvm/internal.h"

/* SDM 3A, "Local Vector Table"; register offsets in the APIC page. */
#define APIC_ID 0x20
#define APIC_TPR 0x80
#define APIC_ISR 0x100
#define APIC_IRR 0x200
#define APIC_LVTPC 0x340
#define APIC_LVT0 0x350
#define LVT_MODE(lvt) ((lvt) >> 8 & 7)
#define LVT_FIXED 0
#define LVT_NMI 4
#define LVT_MASKED (1u << 16)
#define APIC_BASE_X2APIC BIT(10)
#define X2APIC_LVTPC 0x834
#define MSI_ADDRESS 0xfee00000u

static uint32_t get(const struct kvm_lapic_state *apic, unsigned int at)
{
	uint32_t value;

	memcpy(&value, apic->regs + at, sizeof(value));
	return value;
}

static int signal_fixed(struct vpmu_kvm_vcpu *v,
			const struct kvm_lapic_state *apic, uint32_t lvt)
{
	struct kvm_msi msi = { .data = lvt & 0xff };
	uint32_t id = get(apic, APIC_ID);
	int err;

	/* KVM shows an x2APIC ID in bits 31:24 too unless asked otherwise. */
	msi.address_lo = MSI_ADDRESS | id >> 24 << 12;
	if (ioctl(v->kvm->config.vm_fd, KVM_SIGNAL_MSI, &msi) >= 0)
		return 0;
	err = errno;
	vpmu_kvm_fail(v->kvm, "KVM_SIGNAL_MSI", err);
	return -err;
}

/* x2APIC: a write to one MSR, which cannot race with interrupts. */
static int mask_x2apic(struct vpmu_kvm_vcpu *v, uint32_t lvt)
{
	return vpmu_kvm_set_msr(v, X2APIC_LVTPC, lvt | LVT_MASKED);
}

/*
 * xAPIC: KVM_SET_LAPIC writes all of it back, IRR included, so the others are
 * stopped in between lest an IPI of theirs get lost.
 */
static int mask_xapic(struct vpmu_kvm_vcpu *v)
{
	const struct vpmu_kvm_config *c = &v->kvm->config;
	struct kvm_lapic_state apic;
	uint32_t lvt;
	int ret;

	if (c->stop_others)
		c->stop_others(c->user, v->index, 1);
	ret = vpmu_kvm_ioctl(v, KVM_GET_LAPIC, &apic, "KVM_GET_LAPIC");
	if (!ret) {
		lvt = get(&apic, APIC_LVTPC) | LVT_MASKED;
		memcpy(apic.regs + APIC_LVTPC, &lvt, sizeof(lvt));
		ret = vpmu_kvm_ioctl(v, KVM_SET_LAPIC, &apic, "KVM_SET_LAPIC");
	}
	if (c->stop_others)
		c->stop_others(c->user, v->index, 0);
	return ret;
}

/* SDM 3B, "Performance Monitoring Interrupt": the local APIC sets the mask. */
static int mask(struct vpmu_kvm_vcpu *v, uint32_t lvt)
{
	if (!vpmu_lvtpc_masks(v->kvm->config.pmu))
		return 0;
	if (v->run->apic_base & APIC_BASE_X2APIC)
		return mask_x2apic(v, lvt);
	return mask_xapic(v);
}

/* A PMI is due. Masked, or no delivery mode of ours: it is gone, as there. */
int vpmu_kvm_deliver_pmi(struct vpmu_kvm_vcpu *v)
{
	struct kvm_lapic_state apic;
	uint32_t lvt = LVT_MASKED;
	int ret;

	/* Fails without an in-kernel APIC: then there is no LVTPC either. */
	if (ioctl(v->fd, KVM_GET_LAPIC, &apic) == 0)
		lvt = get(&apic, APIC_LVTPC);
	if (lvt & LVT_MASKED ||
	    (LVT_MODE(lvt) != LVT_FIXED && LVT_MODE(lvt) != LVT_NMI)) {
		v->stats.pmis_masked++;
		return 0;
	}
	if (LVT_MODE(lvt) == LVT_NMI)
		ret = vpmu_kvm_ioctl(v, KVM_NMI, NULL, "KVM_NMI");
	else
		ret = signal_fixed(v, &apic, lvt);
	if (ret)
		return ret;
	v->stats.pmis++;
	v->step.countdown = 0;
	return mask(v, lvt);
}

static int highest(const struct kvm_lapic_state *apic, unsigned int at)
{
	for (int i = 7; i >= 0; i--) {
		uint32_t word = get(apic, at + 16 * (unsigned int)i);

		if (word)
			return 32 * i + 31 - __builtin_clz(word);
	}
	return -1;
}

/* What the PICs ask for, if LINT0 or an absent APIC lets them through. */
static int pic_vector(struct vpmu_kvm_vcpu *v)
{
	struct kvm_irqchip chip = { .chip_id = KVM_IRQCHIP_PIC_MASTER };
	uint8_t ready;

	if (ioctl(v->kvm->config.vm_fd, KVM_GET_IRQCHIP, &chip))
		return -1;
	ready = chip.chip.pic.irr & (uint8_t)~chip.chip.pic.imr;
	if (!ready || v->index)
		return -1;
	if (!(ready & 4) || __builtin_ctz(ready) < 2)
		return chip.chip.pic.irq_base + __builtin_ctz(ready);
	chip.chip_id = KVM_IRQCHIP_PIC_SLAVE;
	if (ioctl(v->kvm->config.vm_fd, KVM_GET_IRQCHIP, &chip))
		return -1;
	ready = chip.chip.pic.irr & (uint8_t)~chip.chip.pic.imr;
	return ready ? chip.chip.pic.irq_base + __builtin_ctz(ready) : -1;
}

int vpmu_kvm_next_vector(struct vpmu_kvm_vcpu *v)
{
	struct kvm_vcpu_events ev;
	struct kvm_lapic_state apic;
	int irr, isr, tpr, pic;

	if (vpmu_kvm_ioctl(v, KVM_GET_VCPU_EVENTS, &ev, "KVM_GET_VCPU_EVENTS"))
		return -1;
	if (ev.nmi.pending && !ev.nmi.masked)
		return VECTOR_NMI;
	if (!(v->run->s.regs.regs.rflags & RFLAGS_IF))
		return -1;
	if (ioctl(v->fd, KVM_GET_LAPIC, &apic))
		return pic_vector(v);
	if (!(get(&apic, APIC_LVT0) & LVT_MASKED)) {
		pic = pic_vector(v);
		if (pic >= 0)
			return pic;
	}
	irr = highest(&apic, APIC_IRR);
	isr = highest(&apic, APIC_ISR);
	tpr = (int)(get(&apic, APIC_TPR) & 0xff);
	if (irr < 0 || irr >> 4 <= tpr >> 4 ||
	    (isr >= 0 && irr >> 4 <= isr >> 4))
		return -1;
	return irr;
}
