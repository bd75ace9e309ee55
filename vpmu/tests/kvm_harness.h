/* SPDX-License-Identifier: Apache-2.0 */
/* A vCPU of the glue without KVM: registers and memory are plain arrays. */
#ifndef VPMU_TESTS_KVM_HARNESS_H
#define VPMU_TESTS_KVM_HARNESS_H

#include "kvm/internal.h"

#define GUEST_BYTES 0x10000u

struct kvm_harness {
	struct vpmu_kvm kvm;
	struct vpmu_kvm_vcpu v;
	struct kvm_run run;
	uint8_t ram[GUEST_BYTES];
};

/* Zeroed, real mode, no paging. Static storage is the caller's. */
void kvm_harness_init(struct kvm_harness *h);
void kvm_harness_put(struct kvm_harness *h, uint32_t gpa, const void *bytes,
		     size_t len);
void kvm_harness_put64(struct kvm_harness *h, uint32_t gpa, uint64_t value);
/* 32-bit protected mode: flat GDT at 1000H (08H code 0, 10H data 0, 18H code 3,
 * 20H data 3, 28H 64-bit code), IDT at 2000H. */
void kvm_harness_protected(struct kvm_harness *h);
/* 64-bit mode, identity-mapped by page tables at 8000H. */
void kvm_harness_long(struct kvm_harness *h);

#endif
