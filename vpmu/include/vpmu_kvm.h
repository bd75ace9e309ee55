/* SPDX-License-Identifier: Apache-2.0 */
/*
 * vpmu_kvm.h - libvpmu for a VMM that uses KVM.
 *
 * The glue turns a struct kvm_run into calls of vpmu.h and writes the answer
 * back into the vCPU. The VMM keeps its own run loop and adds two calls to it:
 *
 *	vpmu_kvm_create(&kvm, &config);		before the first vCPU
 *	vpmu_kvm_cpuid(kvm, cpuid, max);	before KVM_SET_CPUID2
 *	vpmu_kvm_vcpu_create(&vcpu, kvm, ...);	on the vCPU's thread
 *	for (;;) {
 *		vpmu_kvm_enter(vcpu);
 *		ioctl(vcpu_fd, KVM_RUN, 0);
 *		switch (vpmu_kvm_exit(vcpu)) {
 *		case VPMU_HANDLED: continue;
 *		case VPMU_NOT_MINE: the VMM's own switch (exit_reason)
 *		...
 *
 * Threads, ownership, results and sizes are as in vpmu.h. A struct
 * vpmu_kvm_vcpu is used by the vCPU's thread only.
 *
 * THE GUEST'S REGISTERS
 *	The glue uses KVM_CAP_SYNC_REGS: before KVM_RUN it may have put new
 *	registers into run->s.regs, with the bit in run->kvm_dirty_regs. A VMM
 *	that sets registers itself by KVM_SET_REGS must do so before
 *	vpmu_kvm_enter(), or tell it by vpmu_kvm_regs_changed().
 *
 * DEBUGGING THE GUEST
 *	RDPMC is trapped by KVM_SET_GUEST_DEBUG, which has one owner per vCPU:
 *	here, the glue. #DBs of the guest's own are given back to it.
 */
#ifndef VPMU_KVM_H
#define VPMU_KVM_H

#include <linux/kvm.h>

#include "vpmu.h"

#ifdef __cplusplus
extern "C" {
#endif

struct vpmu_kvm;
struct vpmu_kvm_vcpu;

/* How the guest's RDPMC is brought here; KVM has no exit for it. */
enum vpmu_kvm_trap {
	VPMU_KVM_TRAP_AUTO = 0, /* GP where it works, else STEP */
	/* A breakpoint on the guest's #GP handler, and on the sites of RDPMC
	 * instructions that were met before. */
	VPMU_KVM_TRAP_GP = 1,
	/* Every instruction is single-stepped: slow, works everywhere. */
	VPMU_KVM_TRAP_STEP = 2,
};

/* What was found out by trying, in a scratch VM. */
struct vpmu_kvm_probe {
	uint32_t size;
	/* What a guest's RDPMC(0) did without us: the vector that it raised
	 * (13), or 0 if KVM or the CPU answered it. */
	uint32_t rdpmc_vector;
	uint32_t gp_breakpoint; /* 1: a breakpoint on the #GP handler fires */
	uint32_t site_breakpoint; /* 1: one on the RDPMC fires before it */
	uint32_t single_step; /* 1: one exit per instruction */
	uint32_t msr_filter; /* 1: filtered MSRs exit to userspace */
	uint32_t pmu_capability; /* KVM_CAP_PMU_CAPABILITY; 0: absent */
	uint32_t block_irq; /* 1: KVM_GUESTDBG_BLOCKIRQ */
	uint32_t trap; /* enum vpmu_kvm_trap that AUTO picks; 0: none works */
	char reason[128]; /* one line: why that trap */
};

/* Try it, with a VM of its own on `kvm_fd` (an open /dev/kvm). 0, -errno. */
VPMU_API int vpmu_kvm_probe(int kvm_fd, struct vpmu_kvm_probe *probe);

struct vpmu_kvm_config {
	uint32_t size;
	uint32_t trap; /* enum vpmu_kvm_trap */
	int32_t kvm_fd; /* an open /dev/kvm, used during create only */
	int32_t vm_fd; /* without vCPUs so far; the caller keeps it */
	struct vpmu *pmu;
	/* Guest-physical memory: the address of `len` bytes at `gpa` in this
	 * process, or NULL if not all of them are RAM. Any vCPU's thread. It
	 * stays valid as long as vCPUs run; a VMM that takes memory away calls
	 * vpmu_kvm_regs_changed() for each of them. */
	void *(*mem)(void *user, uint64_t gpa, uint64_t len);
	/*
	 * Stop (1) or let go (0) all vCPUs but `vcpu`: none of them may be in
	 * KVM_RUN in between. Needed when the guest of a model whose APIC
	 * masks LVTPC takes a PMI in xAPIC mode; NULL: there is one vCPU only.
	 */
	void (*stop_others)(void *user, uint32_t vcpu, int stop);
	void *user;
};

/*
 * Switch KVM's own PMU off where it has one, let filtered MSRs exit, and fill
 * the MSR filter. The VMM must not use these capabilities for itself, for each
 * VM has one filter. On failure *kvm is a handle that is good only for
 * vpmu_kvm_reason() and vpmu_kvm_destroy() (NULL for -ENOMEM, -EFAULT).
 * -EINVAL, -E2BIG, -ENOTSUP: this kernel lacks what is needed; or the errno of
 * the failed ioctl.
 */
VPMU_API int vpmu_kvm_create(struct vpmu_kvm **kvm,
			     const struct vpmu_kvm_config *config);
VPMU_API void vpmu_kvm_destroy(struct vpmu_kvm *kvm);
VPMU_API const char *vpmu_kvm_reason(const struct vpmu_kvm *kvm);
/* The trap in use: GP or STEP. */
VPMU_API enum vpmu_kvm_trap vpmu_kvm_trap(const struct vpmu_kvm *kvm);

/*
 * Patch the CPUID that the guest will be given: `cpuid` holds nent entries (as
 * from KVM_GET_SUPPORTED_CPUID) and has room for `max`; missing leaves are
 * added. Some of what KVM offers is taken away: its first clock, and, if the
 * vendor changes, its hypercalls. 0, or -ENOSPC if there is no room.
 */
VPMU_API int vpmu_kvm_cpuid(const struct vpmu_kvm *kvm,
			    struct kvm_cpuid2 *cpuid, uint32_t max);

/*
 * `run` is the vCPU's mapped struct kvm_run; `index` 0.. names it for
 * stop_others and the backend. Both stay the caller's. 0 or -errno with
 * vpmu_kvm_reason().
 */
VPMU_API int vpmu_kvm_vcpu_create(struct vpmu_kvm_vcpu **vcpu,
				  struct vpmu_kvm *kvm, uint32_t index,
				  int vcpu_fd, struct kvm_run *run);
VPMU_API void vpmu_kvm_vcpu_destroy(struct vpmu_kvm_vcpu *vcpu);
/* The vCPU's PMU, for vpmu_counter_info() and the like. */
VPMU_API struct vpmu_vcpu *vpmu_kvm_vcpu_pmu(struct vpmu_kvm_vcpu *vcpu);

/* Right before each KVM_RUN: delivers a PMI that is due, arms breakpoints,
 * single step. 0, or -errno of an ioctl that failed. */
VPMU_API int vpmu_kvm_enter(struct vpmu_kvm_vcpu *vcpu);
/*
 * Right after each KVM_RUN that returned 0 or was interrupted (EINTR).
 * VPMU_HANDLED: run it again. VPMU_NOT_MINE: the VMM deals with
 * run->exit_reason. VPMU_ERROR: vpmu_kvm_reason(); the guest cannot go on.
 * VPMU_FAULT is never returned: faults have been delivered.
 */
VPMU_API enum vpmu_result vpmu_kvm_exit(struct vpmu_kvm_vcpu *vcpu);
/* The VMM has changed the vCPU's registers behind the glue's back; or KVM_RUN
 * returned EAGAIN, which is how a vCPU that was sent INIT and SIPI begins. */
VPMU_API void vpmu_kvm_regs_changed(struct vpmu_kvm_vcpu *vcpu);

struct vpmu_kvm_stats {
	uint32_t size;
	uint32_t reserved;
	uint64_t rdpmc_gp; /* RDPMCs met at the #GP handler */
	uint64_t rdpmc_site; /* ... at a breakpoint on the instruction */
	uint64_t rdpmc_step; /* ... ahead of a single step */
	uint64_t rdmsr;
	uint64_t wrmsr;
	uint64_t steps; /* instructions retired by single step */
	uint64_t missed; /* stretches that ran unobserved */
	uint64_t pmis; /* performance-monitoring interrupts delivered */
	uint64_t pmis_masked; /* ... dropped, as LVTPC was masked */
	uint64_t foreign_db; /* debug exceptions given back to the guest */
};
VPMU_API int vpmu_kvm_stats(const struct vpmu_kvm_vcpu *vcpu,
			    struct vpmu_kvm_stats *stats);

#ifdef __cplusplus
}
#endif
#endif /* VPMU_KVM_H */
