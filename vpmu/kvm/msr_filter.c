/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The MSR filter: deny what the core owns, so that each access exits with
 * KVM_MSR_EXIT_REASON_FILTER; allow the rest. Without it KVM answers some of
 * them by itself (186H reads 0, C001_0004H is swallowed, 11H and 12H are its
 * paravirtual clock).
 */
#include <string.h>
#include <sys/ioctl.h>

#include "kvm/internal.h"

#define NMSRS 0x2000u

/* Where the PMU's namespaces lie: the three areas that an MSR bitmap covers. */
static const uint32_t bases[] = { 0, 0xc0000000, 0xc0010000 };
#define NR_BASES (sizeof(bases) / sizeof(*bases))

static void fill(const struct vpmu *pmu, uint32_t base, uint8_t *bitmap)
{
	memset(bitmap, 0xff, NMSRS / 8);
	for (uint32_t i = 0; i < NMSRS; i++)
		if (vpmu_owns_msr(pmu, base + i))
			bitmap[i / 8] &= (uint8_t) ~(1u << i % 8);
}

int vpmu_kvm_filter(struct vpmu_kvm *kvm)
{
	uint8_t bitmap[NR_BASES][NMSRS / 8];
	struct kvm_msr_filter filter;

	memset(&filter, 0, sizeof(filter));
	filter.flags = KVM_MSR_FILTER_DEFAULT_ALLOW;
	for (size_t i = 0; i < NR_BASES; i++) {
		fill(kvm->config.pmu, bases[i], bitmap[i]);
		filter.ranges[i] = (struct kvm_msr_filter_range){
			.flags = KVM_MSR_FILTER_READ | KVM_MSR_FILTER_WRITE,
			.base = bases[i],
			.nmsrs = NMSRS,
			.bitmap = bitmap[i],
		};
	}
	return ioctl(kvm->config.vm_fd, KVM_X86_SET_MSR_FILTER, &filter);
}
