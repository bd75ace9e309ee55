/* SPDX-License-Identifier: Apache-2.0 */
/* Creating vCPUs: their CPUID, and the registers of the first one. */
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "msg.h"
#include "topology.h"
#include "vcpu.h"

#define CR0_PE (1u << 0)
#define CR0_ET (1u << 4)
#define CR0_PG (1u << 31)
#define CR4_PAE (1u << 5)
#define EFER_LME (1u << 8)
#define EFER_LMA (1u << 10)
#define RFLAGS_FIXED (1u << 1)

struct vcpu *vcpu_alloc(struct vm *vm, unsigned int n)
{
	struct vcpu *vcpus = calloc(n, sizeof(*vcpus));

	for (unsigned int i = 0; vcpus && i < n; i++) {
		vcpus[i].vm = vm;
		vcpus[i].index = i;
		vcpus[i].fd = -1;
	}
	return vcpus;
}

void vcpu_free(struct vcpu *vcpus, unsigned int n)
{
	for (unsigned int i = 0; i < n; i++) {
		if (vcpus[i].run)
			munmap(vcpus[i].run, vcpus[i].run_bytes);
		if (vcpus[i].fd >= 0)
			close(vcpus[i].fd);
		free(vcpus[i].stats);
	}
	free(vcpus);
}

static int create(struct vcpu *vcpu, struct kvm_cpuid2 *cpuid)
{
	struct vm *vm = vcpu->vm;
	void *run;
	int bytes;

	vcpu->fd = VM_IOCTL(vm->fd, KVM_CREATE_VCPU,
			    (const void *)(uintptr_t)vcpu->index);
	if (vcpu->fd < 0)
		return -1;
	bytes = VM_IOCTL(vm->kvm_fd, KVM_GET_VCPU_MMAP_SIZE, NULL);
	if (bytes < 0)
		return -1;
	run = mmap(NULL, (size_t)bytes, PROT_READ | PROT_WRITE, MAP_SHARED,
		   vcpu->fd, 0);
	if (run == MAP_FAILED)
		return msg_err("vCPU %u: mmap: %m", vcpu->index);
	vcpu->run = run;
	vcpu->run_bytes = (size_t)bytes;
	topology_patch(cpuid, vcpu->index, vm->ncpus);
	return VM_IOCTL(vcpu->fd, KVM_SET_CPUID2, cpuid) < 0 ? -1 : 0;
}

static struct kvm_segment flat(uint16_t selector, uint8_t type, bool code64)
{
	return (struct kvm_segment){ .limit = UINT32_MAX,
				     .selector = selector,
				     .type = type,
				     .present = 1,
				     .db = !code64,
				     .l = code64,
				     .s = 1,
				     .g = 1 };
}

#define TYPE_CODE 11 /* execute, read, accessed */
#define TYPE_DATA 3 /* read, write, accessed */

static void enter_flat(struct kvm_sregs *s, const struct load_entry *entry)
{
	s->cr0 = CR0_PE | CR0_ET;
	s->cs = flat(entry->cs, TYPE_CODE, entry->mode == LOAD_LONG64);
	s->ds = flat(entry->ds, TYPE_DATA, false);
	s->es = s->fs = s->gs = s->ss = s->ds;
}

static void enter_long(struct kvm_sregs *s, const struct load_entry *entry)
{
	enter_flat(s, entry);
	s->cr0 |= CR0_PG;
	s->cr3 = entry->cr3;
	s->cr4 = CR4_PAE;
	s->efer = EFER_LME | EFER_LMA;
	s->gdt.base = entry->gdt;
	s->gdt.limit = entry->gdt_limit;
}

static void enter_real(struct kvm_sregs *s)
{
	s->cs.base = 0;
	s->cs.selector = 0;
}

/* What remains is as after RESET. */
static int set_registers(struct vcpu *vcpu, const struct load_entry *entry)
{
	struct kvm_regs regs = {
		.rip = entry->rip,
		.rsp = entry->rsp,
		.rax = entry->rax,
		.rbx = entry->rbx,
		.rsi = entry->rsi,
		.rflags = RFLAGS_FIXED,
	};
	struct kvm_sregs sregs = { 0 };

	if (VM_IOCTL(vcpu->fd, KVM_GET_SREGS, &sregs) < 0)
		return -1;
	switch (entry->mode) {
	case LOAD_REAL16:
		enter_real(&sregs);
		break;
	case LOAD_FLAT32:
		enter_flat(&sregs, entry);
		break;
	case LOAD_LONG64:
		enter_long(&sregs, entry);
		break;
	}
	if (VM_IOCTL(vcpu->fd, KVM_SET_SREGS, &sregs) < 0 ||
	    VM_IOCTL(vcpu->fd, KVM_SET_REGS, &regs) < 0)
		return -1;
	return 0;
}

/* RAM that no guest could address is a wrong --mem. */
static int check_addresses(const struct vm *vm, const struct kvm_cpuid2 *cpuid)
{
	unsigned int bits = topology_address_bits(cpuid);
	const struct ram_region *top =
		vm->ram->high.bytes ? &vm->ram->high : &vm->ram->low;

	if (bits >= 64 || top->gpa + top->bytes <= UINT64_C(1) << bits)
		return 0;
	return msg_err("--mem: %u bits of physical address cannot reach all of "
		       "it; give less",
		       bits);
}

int vcpu_create_all(struct vm *vm, const struct load_entry *entry)
{
	struct kvm_cpuid2 *cpuid = topology_cpuid(vm->kvm_fd, vm->pmu->kvm);
	int ret = cpuid ? check_addresses(vm, cpuid) : -1;

	for (unsigned int i = 0; !ret && i < vm->ncpus; i++)
		ret = create(&vm->vcpus[i], cpuid);
	free(cpuid);
	return ret ? ret : set_registers(&vm->vcpus[0], entry);
}
