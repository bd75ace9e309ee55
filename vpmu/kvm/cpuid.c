/* SPDX-License-Identifier: Apache-2.0 */
/* The guest's CPUID: what the core says, written into a struct kvm_cpuid2. */
#include <errno.h>
#include <string.h>

#include "kvm/internal.h"

/* Leaves of which KVM must compare ECX as well (SDM 2A, "CPUID"). */
static bool has_subleaves(uint32_t leaf)
{
	static const uint32_t leaves[] = { 0x4,	 0x7,  0xb,  0xd,  0xf,
					   0x10, 0x12, 0x14, 0x17, 0x18,
					   0x1d, 0x1f, 0x20, 0x23 };

	for (size_t i = 0; i < sizeof(leaves) / sizeof(*leaves); i++)
		if (leaves[i] == leaf)
			return true;
	return false;
}

static struct kvm_cpuid_entry2 *find(struct kvm_cpuid2 *cpuid, uint32_t leaf,
				     uint32_t subleaf)
{
	for (uint32_t i = 0; i < cpuid->nent; i++)
		if (cpuid->entries[i].function == leaf &&
		    (cpuid->entries[i].index == subleaf ||
		     !has_subleaves(leaf)))
			return &cpuid->entries[i];
	return NULL;
}

static void patch(const struct vpmu_kvm *kvm, struct kvm_cpuid_entry2 *e)
{
	struct vpmu_cpuid_regs r = { e->eax, e->ebx, e->ecx, e->edx };

	if (vpmu_cpuid(kvm->config.pmu, e->function, e->index, &r) !=
	    VPMU_HANDLED)
		return;
	e->eax = r.eax;
	e->ebx = r.ebx;
	e->ecx = r.ecx;
	e->edx = r.edx;
}

/*
 * The trap reads IDT gates and unwinds their frames. FRED (7.1:EAX[17]) has no
 * gates, shadow stacks (7.0:ECX[7]) hold a second copy of the frame: neither
 * is offered.
 */
static void hide_what_the_trap_cannot(struct kvm_cpuid2 *cpuid)
{
	struct kvm_cpuid_entry2 *e = find(cpuid, 7, 0);

	if (e)
		e->ecx &= ~(UINT32_C(1) << 7);
	e = find(cpuid, 7, 1);
	if (e)
		e->eax &= ~(UINT32_C(1) << 17);
}

/*
 * KVM's first paravirtual clock (4000_0001H:EAX[0], KVM_FEATURE_CLOCKSOURCE) is
 * set up through MSRs 11H and 12H, which are the Pentium's CESR and CTR0 and
 * fault here; the second one (bit 3) has other MSRs.
 */
static void hide_pvclock_at_11h(struct kvm_cpuid2 *cpuid)
{
	struct kvm_cpuid_entry2 *e = find(cpuid, 0x40000001, 0);

	if (e)
		e->eax &= ~UINT32_C(1);
}

/*
 * KVM's hypercalls: a guest that takes its processor for the other vendor's
 * uses the other one of VMCALL and VMMCALL. KVM then patches the guest's code
 * as the guest would, which faults once that is read-only (seen: Linux 7.3 in
 * kvm_kick_cpu()). So they are not offered: KVM_FEATURE_PV_UNHALT, PV_SEND_IPI,
 * PV_SCHED_YIELD and MAP_GPA_RANGE (4000_0001H:EAX;
 * Documentation/virt/kvm/x86/cpuid.rst).
 */
#define HYPERCALLS                                                  \
	(UINT32_C(1) << 7 | UINT32_C(1) << 11 | UINT32_C(1) << 13 | \
	 UINT32_C(1) << 16)

static void hide_hypercalls(struct kvm_cpuid2 *cpuid)
{
	struct kvm_cpuid_entry2 *e = find(cpuid, 0x40000001, 0);

	if (e)
		e->eax &= ~HYPERCALLS;
}

/* EBX of leaf 0 tells vendors apart; 0 if there is no such leaf. */
static uint32_t vendor(struct kvm_cpuid2 *cpuid)
{
	const struct kvm_cpuid_entry2 *e = find(cpuid, 0, 0);

	return e ? e->ebx : 0;
}

int vpmu_kvm_cpuid(const struct vpmu_kvm *kvm, struct kvm_cpuid2 *cpuid,
		   uint32_t max)
{
	uint32_t host = vendor(cpuid);
	uint32_t leaf, subleaf;

	for (uint32_t i = 0;
	     !vpmu_cpuid_leaf(kvm->config.pmu, i, &leaf, &subleaf); i++) {
		struct kvm_cpuid_entry2 *e = find(cpuid, leaf, subleaf);

		if (e)
			continue;
		if (cpuid->nent >= max)
			return -ENOSPC;
		e = &cpuid->entries[cpuid->nent++];
		memset(e, 0, sizeof(*e));
		e->function = leaf;
		e->index = subleaf;
		if (has_subleaves(leaf))
			e->flags = KVM_CPUID_FLAG_SIGNIFCANT_INDEX;
	}
	for (uint32_t i = 0; i < cpuid->nent; i++)
		patch(kvm, &cpuid->entries[i]);
	hide_what_the_trap_cannot(cpuid);
	hide_pvclock_at_11h(cpuid);
	if (vendor(cpuid) != host)
		hide_hypercalls(cpuid);
	return 0;
}
