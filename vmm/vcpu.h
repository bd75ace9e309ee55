/* SPDX-License-Identifier: Apache-2.0 */
/* A virtual CPU: its thread and the run loop around KVM_RUN. */
#ifndef VMM_VCPU_H
#define VMM_VCPU_H

#include <pthread.h>
#include <stdbool.h>

#include "load.h"
#include "vm.h"

struct vcpu {
	struct vm *vm;
	unsigned int index;
	int fd;
	struct kvm_run *run;
	size_t run_bytes;
	struct vpmu_kvm_vcpu *pmu;
	pthread_t thread;
	bool created; /* `thread` is to be joined */
	pthread_t self; /* valid while `kickable` */
	bool kickable;
	char *stats; /* text for --stats, once it has ended */
	size_t stats_bytes;
};

/* Before any thread runs; NULL with errno if memory runs out. */
struct vcpu *vcpu_alloc(struct vm *vm, unsigned int n);
void vcpu_free(struct vcpu *vcpus, unsigned int n);

/* Create all vCPUs, the first at `entry`, the others waiting for SIPI. */
int vcpu_create_all(struct vm *vm, const struct load_entry *entry);
/* Let them run, a thread each. */
int vcpu_start_all(struct vm *vm);
/* False: one did not end within the time, and nothing may be freed. */
bool vcpu_join_all(struct vm *vm);
/* Make it leave the guest; the lock of vm->stop is held. */
void vcpu_kick(struct vcpu *vcpu);
/* The signal that kicks a vCPU. */
int vcpu_kick_signal(void);
/* Say why this exit cannot be dealt with, and where the guest was. -1. */
int vcpu_report_exit(struct vcpu *vcpu);

#endif /* VMM_VCPU_H */
