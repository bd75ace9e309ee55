/* SPDX-License-Identifier: Apache-2.0 */
/* A virtual machine: memory, interrupt controllers, ports, and its vCPUs. */
#ifndef VMM_VM_H
#define VMM_VM_H

#include <stdbool.h>

#include "bus.h"
#include "pmu.h"
#include "ram.h"
#include "stop.h"

#define VM_MAX_CPUS 64

struct vcpu;

struct vm {
	int kvm_fd; /* /dev/kvm */
	int fd;
	bool stats; /* vCPUs gather what --stats prints */
	unsigned int ncpus;
	struct vcpu *vcpus;
	const struct ram *ram;
	struct pmu *pmu;
	struct bus bus;
	struct stop stop;
};

/* Opens /dev/kvm and makes a VM with this memory and interrupt controllers. 0,
 * or -1 with a message; vm_fini() either way. */
int vm_init(struct vm *vm, const struct ram *ram, unsigned int ncpus);
void vm_fini(struct vm *vm);
/* ioctl() that says by its name which one failed. */
int vm_ioctl(int fd, unsigned long request, const void *arg, const char *name);
#define VM_IOCTL(fd, request, arg) vm_ioctl(fd, request, arg, #request)

#endif /* VMM_VM_H */
