/* SPDX-License-Identifier: Apache-2.0 */
/*
 * CPUID as far as it differs between vCPUs: one package, one core a vCPU, one
 * thread a core, APIC id = index.
 */
#include "topology.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>

#include "msg.h"
#include "util.h"

#define MAX_ENTRIES 256 /* KVM_MAX_CPUID_ENTRIES */
#define LEVELS 3 /* subleaves of 0BH and 1FH: thread, core, end */

struct place {
	unsigned int index, n;
	unsigned int bits; /* of an APIC id */
};

static uint32_t put(uint32_t value, unsigned int shift, unsigned int width,
		    uint32_t field)
{
	uint32_t mask = ((1u << width) - 1) << shift;

	return (value & ~mask) | ((field << shift) & mask);
}

/* The local APIC's timer, which KVM does not count among what it supports. */
#define TSC_DEADLINE (1u << 24) /* CPUID.01H:ECX */

static void leaf_1(struct kvm_cpuid_entry2 *e, const struct place *p)
{
	e->ebx = put(e->ebx, 24, 8, p->index);
	e->ebx = put(e->ebx, 16, 8, p->n);
	e->ecx |= 1u << 21; /* x2APIC */
	e->ecx |= 1u << 31; /* a hypervisor is present */
	e->edx = put(e->edx, 28, 1, p->n > 1); /* HTT */
}

/* Caches below level 3 are a core's own. */
static void leaf_4(struct kvm_cpuid_entry2 *e, const struct place *p)
{
	unsigned int level = (e->eax >> 5) & 7;

	if (!(e->eax & 0x1f))
		return;
	e->eax = put(e->eax, 14, 12, level < 3 ? 0 : p->n - 1);
	if (e->function == 4)
		e->eax = put(e->eax, 26, 6, p->n - 1);
}

static void leaf_b(struct kvm_cpuid_entry2 *e, const struct place *p)
{
	static const uint32_t types[LEVELS] = { 1, 2, 0 };

	if (e->index >= LEVELS)
		return;
	e->eax = e->index == 1 ? p->bits : 0;
	e->ebx = e->index == 0 ? 1 : e->index == 1 ? p->n : 0;
	e->ecx = types[e->index] << 8 | e->index;
	e->edx = p->index;
}

static void leaf_80000001(struct kvm_cpuid_entry2 *e, const struct place *p)
{
	/* CmpLegacy: HTT means cores; reserved on Intel, and 0 there. */
	if (e->ecx & (1u << 22)) /* TopologyExtensions */
		e->ecx = put(e->ecx, 1, 1, p->n > 1);
}

static void leaf_80000008(struct kvm_cpuid_entry2 *e, const struct place *p)
{
	e->ecx = put(e->ecx, 0, 8, p->n - 1);
	e->ecx = put(e->ecx, 12, 4, p->bits);
}

static void leaf_8000001e(struct kvm_cpuid_entry2 *e, const struct place *p)
{
	e->eax = p->index;
	e->ebx = p->index; /* core; one thread */
	e->ecx = 0; /* node; one */
}

static const struct {
	uint32_t leaf;
	void (*patch)(struct kvm_cpuid_entry2 *e, const struct place *p);
} patches[] = {
	{ 0x1, leaf_1 },
	{ 0x4, leaf_4 },
	{ 0xb, leaf_b },
	{ 0x1f, leaf_b },
	{ 0x80000001, leaf_80000001 },
	{ 0x80000008, leaf_80000008 },
	{ 0x8000001d, leaf_4 },
	{ 0x8000001e, leaf_8000001e },
};

void topology_patch(struct kvm_cpuid2 *cpuid, unsigned int index,
		    unsigned int n)
{
	struct place p = { .index = index, .n = n };

	while ((1u << p.bits) < n)
		p.bits++;
	for (uint32_t i = 0; i < cpuid->nent; i++)
		for (size_t k = 0; k < ARRAY_SIZE(patches); k++)
			if (cpuid->entries[i].function == patches[k].leaf)
				patches[k].patch(&cpuid->entries[i], &p);
}

unsigned int topology_address_bits(const struct kvm_cpuid2 *cpuid)
{
	for (uint32_t i = 0; i < cpuid->nent; i++)
		if (cpuid->entries[i].function == 0x80000008)
			return cpuid->entries[i].eax & 0xff;
	return 36; /* SDM 3A, "Physical Address Space" */
}

static void remove_leaf(struct kvm_cpuid2 *cpuid, uint32_t leaf)
{
	uint32_t kept = 0;

	for (uint32_t i = 0; i < cpuid->nent; i++)
		if (cpuid->entries[i].function != leaf)
			cpuid->entries[kept++] = cpuid->entries[i];
	cpuid->nent = kept;
}

static uint32_t max_leaf(const struct kvm_cpuid2 *cpuid)
{
	for (uint32_t i = 0; i < cpuid->nent; i++)
		if (!cpuid->entries[i].function)
			return cpuid->entries[i].eax;
	return 0;
}

/* KVM's own are those of the host's CPU that the call ran on. */
static int renew_levels(struct kvm_cpuid2 *cpuid, uint32_t leaf)
{
	remove_leaf(cpuid, leaf);
	if (max_leaf(cpuid) < leaf)
		return 0;
	for (uint32_t i = 0; i < LEVELS; i++) {
		if (cpuid->nent == MAX_ENTRIES)
			return -1;
		cpuid->entries[cpuid->nent++] = (struct kvm_cpuid_entry2){
			.function = leaf,
			.index = i,
			.flags = KVM_CPUID_FLAG_SIGNIFCANT_INDEX,
		};
	}
	return 0;
}

static void add_tsc_deadline(struct kvm_cpuid2 *cpuid, int kvm_fd)
{
	if (ioctl(kvm_fd, KVM_CHECK_EXTENSION, KVM_CAP_TSC_DEADLINE_TIMER) <= 0)
		return;
	for (uint32_t i = 0; i < cpuid->nent; i++)
		if (cpuid->entries[i].function == 1)
			cpuid->entries[i].ecx |= TSC_DEADLINE;
}

struct kvm_cpuid2 *topology_cpuid(int kvm_fd, const struct vpmu_kvm *kvm)
{
	struct kvm_cpuid2 *cpuid;

	cpuid = calloc(1, sizeof(*cpuid) +
				  MAX_ENTRIES * sizeof(cpuid->entries[0]));
	if (!cpuid) {
		msg_err("CPUID: %m");
		return NULL;
	}
	cpuid->nent = MAX_ENTRIES;
	if (ioctl(kvm_fd, KVM_GET_SUPPORTED_CPUID, cpuid)) {
		msg_err("KVM: KVM_GET_SUPPORTED_CPUID: %m");
		goto fail;
	}
	add_tsc_deadline(cpuid, kvm_fd);
	if (vpmu_kvm_cpuid(kvm, cpuid, MAX_ENTRIES) ||
	    renew_levels(cpuid, 0xb) || renew_levels(cpuid, 0x1f)) {
		msg_err("CPUID: more than %d leaves", MAX_ENTRIES);
		goto fail;
	}
	return cpuid;
fail:
	free(cpuid);
	return NULL;
}
