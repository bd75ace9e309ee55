/* SPDX-License-Identifier: Apache-2.0 */
/* CPUID as far as it differs between vCPUs, or tells how many there are. */
#ifndef VMM_TOPOLOGY_H
#define VMM_TOPOLOGY_H

#include "vpmu_kvm.h"

/* What KVM supports, with the vPMU's leaves; for free(). NULL with a message.
 */
struct kvm_cpuid2 *topology_cpuid(int kvm_fd, const struct vpmu_kvm *kvm);
/* Make it that of vCPU `index` (its APIC id) of `n`; may be repeated. */
void topology_patch(struct kvm_cpuid2 *cpuid, unsigned int index,
		    unsigned int n);

/* Width of a physical address. */
unsigned int topology_address_bits(const struct kvm_cpuid2 *cpuid);

#endif /* VMM_TOPOLOGY_H */
