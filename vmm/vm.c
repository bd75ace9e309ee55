/* SPDX-License-Identifier: Apache-2.0 */
/* A virtual machine's common part. */
#include "vm.h"

#include <errno.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "caps.h"
#include "msg.h"
#include "vcpu.h"

/* Three pages and one page of guest-physical space that KVM on Intel wants for
 * real mode (Documentation/virt/kvm/api.rst); above RAM, below the BIOS. */
#define TSS_ADDR 0xfffbd000u
#define IDENTITY_MAP_ADDR 0xfffbc000u
/* KVM_CAP_MAX_VCPUS where the kernel does not tell. */
#define DEFAULT_MAX_VCPUS 4

int vm_ioctl(int fd, unsigned long request, const void *arg, const char *name)
{
	int ret = ioctl(fd, request, arg);

	return ret < 0 ? msg_err("KVM: %s: %m", name) : ret;
}

static int has(const struct vm *vm, unsigned long cap)
{
	return ioctl(vm->kvm_fd, KVM_CHECK_EXTENSION, cap);
}

static int check_cpus(const struct vm *vm)
{
	int max = has(vm, KVM_CAP_MAX_VCPUS);

	if (max <= 0)
		max = DEFAULT_MAX_VCPUS;
	if (vm->ncpus <= (unsigned int)max)
		return 0;
	return msg_err("--cpus: %u: this KVM allows %d; give fewer", vm->ncpus,
		       max);
}

static int set_addresses(struct vm *vm)
{
	const uint64_t identity = IDENTITY_MAP_ADDR;

	if (has(vm, KVM_CAP_SET_IDENTITY_MAP_ADDR) > 0 &&
	    VM_IOCTL(vm->fd, KVM_SET_IDENTITY_MAP_ADDR, &identity) < 0)
		return -1;
	if (has(vm, KVM_CAP_SET_TSS_ADDR) > 0 &&
	    VM_IOCTL(vm->fd, KVM_SET_TSS_ADDR,
		     (const void *)(uintptr_t)TSS_ADDR) < 0)
		return -1;
	return 0;
}

static int map(struct vm *vm, uint32_t slot, const struct ram_region *region)
{
	const struct kvm_userspace_memory_region r = {
		.slot = slot,
		.guest_phys_addr = region->gpa,
		.memory_size = region->bytes,
		.userspace_addr = (uintptr_t)region->host,
	};

	if (!region->bytes || !ioctl(vm->fd, KVM_SET_USER_MEMORY_REGION, &r))
		return 0;
	return msg_err("--mem: KVM_SET_USER_MEMORY_REGION: %m; give less");
}

static int create_irqchip(struct vm *vm)
{
	/* The dummy answers port 61H in the kernel. */
	const struct kvm_pit_config pit = { .flags = KVM_PIT_SPEAKER_DUMMY };

	if (VM_IOCTL(vm->fd, KVM_CREATE_IRQCHIP, NULL) < 0)
		return -1;
	if (has(vm, KVM_CAP_PIT2) <= 0)
		return 0;
	return VM_IOCTL(vm->fd, KVM_CREATE_PIT2, &pit) < 0 ? -1 : 0;
}

static void kick(void *user, unsigned int except)
{
	struct vm *vm = user;

	for (unsigned int i = 0; i < vm->ncpus; i++)
		if (i != except)
			vcpu_kick(&vm->vcpus[i]);
}

int vm_init(struct vm *vm, const struct ram *ram, unsigned int ncpus)
{
	*vm = (struct vm){
		.kvm_fd = -1, .fd = -1, .stop.event_fd = -1, .ram = ram
	};
	bus_init(&vm->bus);
	vm->kvm_fd = caps_open_kvm();
	if (vm->kvm_fd < 0 || caps_check(vm->kvm_fd))
		return -1;
	vm->vcpus = vcpu_alloc(vm, ncpus);
	if (!vm->vcpus)
		return msg_err("--cpus: %u: %m", ncpus);
	vm->ncpus = ncpus;
	if (check_cpus(vm) || stop_init(&vm->stop, kick, vm))
		return -1;
	vm->fd = VM_IOCTL(vm->kvm_fd, KVM_CREATE_VM, NULL);
	if (vm->fd < 0 || set_addresses(vm) || map(vm, 0, &vm->ram->low) ||
	    map(vm, 1, &vm->ram->high))
		return -1;
	return create_irqchip(vm);
}

void vm_fini(struct vm *vm)
{
	if (vm->vcpus)
		vcpu_free(vm->vcpus, vm->ncpus);
	if (vm->fd >= 0)
		close(vm->fd);
	if (vm->kvm_fd >= 0)
		close(vm->kvm_fd);
	if (vm->stop.event_fd >= 0)
		stop_fini(&vm->stop);
	bus_fini(&vm->bus);
}
