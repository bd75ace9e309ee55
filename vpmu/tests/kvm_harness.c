/* SPDX-License-Identifier: Apache-2.0 */
/* A vCPU of the glue without KVM. */
#include "tests/kvm_harness.h"

#include <string.h>

#define GDT 0x1000u
#define IDT 0x2000u
#define TABLES 0x8000u

static void *mem(void *user, uint64_t gpa, uint64_t len)
{
	struct kvm_harness *h = user;

	return gpa < GUEST_BYTES && len <= GUEST_BYTES - gpa ? h->ram + gpa
							     : NULL;
}

void kvm_harness_init(struct kvm_harness *h)
{
	memset(h, 0, sizeof(*h));
	h->kvm.config.mem = mem;
	h->kvm.config.user = h;
	h->v.kvm = &h->kvm;
	h->v.run = &h->run;
	h->v.fd = -1;
	h->run.s.regs.sregs.idt.limit = 0x3ff;
}

void kvm_harness_put(struct kvm_harness *h, uint32_t gpa, const void *bytes,
		     size_t len)
{
	memcpy(h->ram + gpa, bytes, len);
}

void kvm_harness_put64(struct kvm_harness *h, uint32_t gpa, uint64_t value)
{
	kvm_harness_put(h, gpa, &value, sizeof(value));
}

void kvm_harness_protected(struct kvm_harness *h)
{
	static const uint64_t gdt[] = { 0,
					0x00cf9b000000ffff,
					0x00cf93000000ffff,
					0x00cffb000000ffff,
					0x00cff3000000ffff,
					0x00af9b000000ffff };
	struct kvm_sregs *s = &h->run.s.regs.sregs;

	kvm_harness_put(h, GDT, gdt, sizeof(gdt));
	s->cr0 |= CR0_PE;
	s->gdt = (struct kvm_dtable){ .base = GDT, .limit = sizeof(gdt) - 1 };
	s->idt = (struct kvm_dtable){ .base = IDT, .limit = 0xfff };
	vpmu_kvm_load_segment(&h->v, 0x08, &s->cs);
	vpmu_kvm_load_segment(&h->v, 0x10, &s->ss);
}

void kvm_harness_long(struct kvm_harness *h)
{
	struct kvm_sregs *s = &h->run.s.regs.sregs;

	kvm_harness_protected(h);
	kvm_harness_put64(h, TABLES, (TABLES + 0x1000) | 1);
	kvm_harness_put64(h, TABLES + 0x1000, (TABLES + 0x2000) | 1);
	kvm_harness_put64(h, TABLES + 0x2000, 0x81); /* 2 MiB at 0 */
	s->cr0 |= CR0_PG;
	s->cr4 |= CR4_PAE;
	s->cr3 = TABLES;
	s->efer |= EFER_LMA;
	vpmu_kvm_load_segment(&h->v, 0x28, &s->cs);
}
