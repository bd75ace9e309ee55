/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Guest memory by linear address, through the guest's own page tables.
 *
 * KVM_TRANSLATE would do, at the price of a system call for each page. Only
 * presence is looked at: what is read here the processor itself has just
 * fetched or pushed, or else is about to, and then it raises the fault.
 */
#include <string.h>

#include "kvm/internal.h"

#define PTE_PRESENT BIT(0)
#define PTE_LARGE BIT(7)
#define PTE_ADDR UINT64_C(0x000ffffffffff000)
#define PAGE UINT64_C(4096)

struct paging {
	uint8_t levels;
	uint8_t entry; /* bytes */
	uint8_t bits; /* of the linear address, per level */
};

static const struct paging two_level = { 2, 4, 10 };
static const struct paging pae = { 3, 8, 9 };
static const struct paging four_level = { 4, 8, 9 };
static const struct paging five_level = { 5, 8, 9 };

static const struct paging *paging_of(const struct kvm_sregs *s)
{
	if (!(s->cr0 & CR0_PG))
		return NULL;
	if (s->efer & EFER_LMA)
		return s->cr4 & CR4_LA57 ? &five_level : &four_level;
	return s->cr4 & CR4_PAE ? &pae : &two_level;
}

static bool read_entry(struct vpmu_kvm_vcpu *v, uint64_t gpa, unsigned int len,
		       uint64_t *entry)
{
	const struct vpmu_kvm_config *c = &v->kvm->config;
	const void *p = c->mem(c->user, gpa, len);

	*entry = 0;
	if (p)
		memcpy(entry, p, len);
	return p && (*entry & PTE_PRESENT);
}

/* SDM 3A, "32-Bit Paging": 4 MiB pages have bits 39:32 in 20:13 (PSE-36). */
static uint64_t large_base(const struct paging *p, uint64_t entry,
			   uint64_t size)
{
	if (p->entry == 4)
		return (entry & 0xffc00000) | (entry & 0x1fe000) << 19;
	return entry & PTE_ADDR & ~(size - 1);
}

/* PAE's top level has no large pages, nor 4-level's and 5-level's top ones. */
static bool is_large(const struct vpmu_kvm_vcpu *v, const struct paging *p,
		     int level, uint64_t entry)
{
	if (!(entry & PTE_LARGE) || level == 0)
		return false;
	if (p->entry == 4)
		return v->run->s.regs.sregs.cr4 & CR4_PSE;
	return level == 1 || (level == 2 && p->levels > 3);
}

static bool walk(struct vpmu_kvm_vcpu *v, uint64_t linear, uint64_t *gpa)
{
	const struct kvm_sregs *s = &v->run->s.regs.sregs;
	const struct paging *p = paging_of(s);
	uint64_t table, entry;

	if (!p) {
		*gpa = linear & UINT32_MAX;
		return true;
	}
	if (!(s->efer & EFER_LMA))
		linear &= UINT32_MAX;
	table = p == &pae ? s->cr3 & UINT64_C(0xffffffe0) : s->cr3 & PTE_ADDR;
	for (int level = p->levels - 1; level >= 0; level--) {
		unsigned int shift = 12 + (unsigned int)level * p->bits;
		uint64_t size = BIT(shift);
		uint64_t i = (linear >> shift) & (BIT(p->bits) - 1);

		if (!read_entry(v, table + i * p->entry, p->entry, &entry))
			return false;
		if (is_large(v, p, level, entry)) {
			*gpa = large_base(p, entry, size) |
			       (linear & (size - 1));
			return true;
		}
		table = entry & PTE_ADDR;
	}
	*gpa = table | (linear & (PAGE - 1));
	return true;
}

static uint8_t *page_at(struct vpmu_kvm_vcpu *v, uint64_t linear, size_t len)
{
	const struct vpmu_kvm_config *c = &v->kvm->config;
	uint64_t gpa;

	return walk(v, linear, &gpa) ? c->mem(c->user, gpa, len) : NULL;
}

static size_t in_page(uint64_t linear, size_t len)
{
	size_t left = PAGE - (linear & (PAGE - 1));

	return len < left ? len : left;
}

size_t vpmu_kvm_read_some(struct vpmu_kvm_vcpu *v, uint64_t linear, void *buf,
			  size_t len)
{
	size_t done = 0;

	while (done < len) {
		size_t n = in_page(linear + done, len - done);
		const uint8_t *p = page_at(v, linear + done, n);

		if (!p)
			break;
		memcpy((uint8_t *)buf + done, p, n);
		done += n;
	}
	return done;
}

const void *vpmu_kvm_pointer(struct vpmu_kvm_vcpu *v, uint64_t linear,
			     size_t len)
{
	return in_page(linear, len) == len ? page_at(v, linear, len) : NULL;
}

bool vpmu_kvm_read(struct vpmu_kvm_vcpu *v, uint64_t linear, void *buf,
		   size_t len)
{
	return vpmu_kvm_read_some(v, linear, buf, len) == len;
}

/* All of it or nothing: at most two pages are touched by the callers. */
bool vpmu_kvm_write(struct vpmu_kvm_vcpu *v, uint64_t linear, const void *buf,
		    size_t len)
{
	size_t first = in_page(linear, len);
	uint8_t *a = page_at(v, linear, first);
	uint8_t *b = NULL;

	if (first < len)
		b = page_at(v, linear + first, len - first);
	if (!a || (first < len && !b))
		return false;
	memcpy(a, buf, first);
	if (b)
		memcpy(b, (const uint8_t *)buf + first, len - first);
	return true;
}
