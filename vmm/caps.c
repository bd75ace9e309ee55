/* SPDX-License-Identifier: Apache-2.0 */
/* What of KVM we use, and what its lack costs: a table. */
#include "caps.h"

#include <fcntl.h>
#include <linux/kvm.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "msg.h"
#include "util.h"

#define CAP(name) name, #name

/* clang-format off */
const struct cap caps[] = {
	{ CAP(KVM_CAP_USER_MEMORY),        true,  "no guest memory" },
	{ CAP(KVM_CAP_IRQCHIP),            true,  "no local APIC in the kernel: no interrupt, no second vCPU" },
	{ CAP(KVM_CAP_EXT_CPUID),          true,  "the guest's CPUID cannot be set" },
	{ CAP(KVM_CAP_MP_STATE),           true,  "further vCPUs cannot wait for their SIPI" },
	{ CAP(KVM_CAP_IMMEDIATE_EXIT),     true,  "a vCPU cannot be stopped without a race" },
	{ CAP(KVM_CAP_SYNC_REGS),          true,  "registers cannot be exchanged with KVM_RUN" },
	{ CAP(KVM_CAP_SET_GUEST_DEBUG),    true,  "the performance counters cannot be trapped" },
	{ CAP(KVM_CAP_X86_USER_SPACE_MSR), true,  "MSRs cannot be brought to userspace (Linux 5.10 can)" },
	{ CAP(KVM_CAP_X86_MSR_FILTER),     true,  "MSRs cannot be brought to userspace (Linux 5.10 can)" },
	{ CAP(KVM_CAP_SIGNAL_MSI),         true,  "interrupts of fixed vectors cannot be raised" },
	{ CAP(KVM_CAP_USER_NMI),           true,  "NMIs cannot be raised" },
	{ CAP(KVM_CAP_PIT2),               false, "no 8254 timer for the guest" },
	{ CAP(KVM_CAP_SET_TSS_ADDR),       false, "not needed on AMD; real mode may fail on old Intel" },
	{ CAP(KVM_CAP_SET_IDENTITY_MAP_ADDR), false, "not needed on AMD; real mode may fail on old Intel" },
	{ CAP(KVM_CAP_TSC_DEADLINE_TIMER), false, "no TSC-deadline timer for the guest" },
	{ CAP(KVM_CAP_PMU_CAPABILITY),     false, "nothing, if KVM has no PMU of its own to switch off" },
	{ CAP(KVM_CAP_MAX_VCPUS),          false, "4 vCPUs at most" },
};
/* clang-format on */

const size_t caps_n = ARRAY_SIZE(caps);

int caps_open_kvm(void)
{
	int fd = open("/dev/kvm", O_RDWR | O_CLOEXEC);
	int version;

	if (fd < 0)
		return msg_err("/dev/kvm: %m; load kvm-amd or kvm-intel, check "
			       "its permissions, or use kvm-anywhere");
	version = ioctl(fd, KVM_GET_API_VERSION, 0);
	if (version == KVM_API_VERSION)
		return fd;
	if (version < 0)
		msg_err("/dev/kvm: KVM_GET_API_VERSION: %m; this is no KVM");
	else
		msg_err("/dev/kvm: API version %d, not %d; this is no KVM",
			version, KVM_API_VERSION);
	close(fd);
	return -1;
}

int caps_check(int kvm_fd)
{
	for (size_t i = 0; i < caps_n; i++)
		if (caps[i].required &&
		    ioctl(kvm_fd, KVM_CHECK_EXTENSION, caps[i].cap) <= 0)
			return msg_err("/dev/kvm: %s is missing: %s; use "
				       "another kernel, or kvm-anywhere",
				       caps[i].name, caps[i].without);
	return 0;
}
