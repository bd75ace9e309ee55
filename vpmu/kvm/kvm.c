/* SPDX-License-Identifier: Apache-2.0 */
/* Creating and destroying the glue's handles, and their reason text. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>

#include "kvm/internal.h"

void vpmu_kvm_fail(struct vpmu_kvm *kvm, const char *what, int err)
{
	snprintf(kvm->reason, sizeof(kvm->reason), "%s: %s", what,
		 strerror(err < 0 ? -err : err));
}

/* 0 or more as the ioctl gives it, or -errno with the reason set. */
int vpmu_kvm_ioctl(struct vpmu_kvm_vcpu *v, unsigned long request, void *arg,
		   const char *name)
{
	int ret = ioctl(v->fd, request, arg);
	int err = errno;

	if (ret >= 0)
		return ret;
	snprintf(v->kvm->reason, sizeof(v->kvm->reason), "vCPU %u: %s: %s",
		 v->index, name, strerror(err));
	return -err;
}

/* vpmu.h, SIZES: what a larger struct has beyond the `known` bytes is zero. */
static int check_size(const void *sized, uint32_t known)
{
	const unsigned char *bytes = sized;
	uint32_t size;

	memcpy(&size, sized, sizeof(size));
	if (size < sizeof(size))
		return -EINVAL;
	for (uint32_t i = known; i < size; i++)
		if (bytes[i])
			return -E2BIG;
	return 0;
}

/* What the caller's config does not have is zero. */
static int take_config(struct vpmu_kvm_config *to, const void *from)
{
	int ret = check_size(from, sizeof(*to));
	uint32_t size;

	if (ret)
		return ret;
	memcpy(&size, from, sizeof(size));
	memset(to, 0, sizeof(*to));
	memcpy(to, from, size < sizeof(*to) ? size : sizeof(*to));
	return 0;
}

/* What the kernel must offer; the order is that of the reasons' use. */
static const struct {
	int cap;
	const char *what;
} needed[] = {
	{ KVM_CAP_SET_GUEST_DEBUG,
	  "this KVM has no KVM_SET_GUEST_DEBUG, so RDPMC cannot be trapped" },
	{ KVM_CAP_X86_USER_SPACE_MSR,
	  "this KVM cannot bring MSRs to userspace; Linux 5.10 or newer can" },
	{ KVM_CAP_X86_MSR_FILTER,
	  "this KVM has no MSR filter; Linux 5.10 or newer has" },
	{ KVM_CAP_SYNC_REGS,
	  "this KVM has no KVM_CAP_SYNC_REGS; Linux 4.17 or newer has" },
};

static int refuse(struct vpmu_kvm *kvm, int err, const char *why)
{
	snprintf(kvm->reason, sizeof(kvm->reason), "%s", why);
	return err;
}

static int choose_trap(struct vpmu_kvm *kvm)
{
	const struct vpmu_kvm_probe *p = &kvm->probe;
	int ret;

	for (size_t i = 0; i < sizeof(needed) / sizeof(*needed); i++)
		if (ioctl(kvm->config.kvm_fd, KVM_CHECK_EXTENSION,
			  needed[i].cap) <= 0)
			return refuse(kvm, -ENOTSUP, needed[i].what);
	kvm->probe.size = sizeof(kvm->probe);
	ret = vpmu_kvm_probe(kvm->config.kvm_fd, &kvm->probe);
	if (ret) {
		vpmu_kvm_fail(kvm, "trying RDPMC in a scratch VM", ret);
		return ret;
	}
	kvm->trap = (enum vpmu_kvm_trap)(kvm->config.trap ? kvm->config.trap
							  : p->trap);
	if (!p->trap ||
	    (kvm->trap == VPMU_KVM_TRAP_GP && p->trap != VPMU_KVM_TRAP_GP) ||
	    (kvm->trap == VPMU_KVM_TRAP_STEP && !p->single_step))
		return refuse(kvm, -ENOTSUP, p->reason);
	return 0;
}

static int enable(struct vpmu_kvm *kvm, uint32_t cap, uint64_t arg,
		  const char *what)
{
	struct kvm_enable_cap e = { .cap = cap, .args = { arg } };
	int err;

	if (ioctl(kvm->config.vm_fd, KVM_ENABLE_CAP, &e) == 0)
		return 0;
	err = errno;
	vpmu_kvm_fail(kvm, what, err);
	return -err;
}

static int prepare_vm(struct vpmu_kvm *kvm)
{
	int err;

	/* Absent, or 0 where KVM has no PMU to offer: nothing to switch off. */
	if (kvm->probe.pmu_capability & KVM_PMU_CAP_DISABLE) {
		err = enable(kvm, KVM_CAP_PMU_CAPABILITY, KVM_PMU_CAP_DISABLE,
			     "KVM_CAP_PMU_CAPABILITY");
		if (err)
			return err;
	}
	err = enable(kvm, KVM_CAP_X86_USER_SPACE_MSR,
		     KVM_MSR_EXIT_REASON_FILTER, "KVM_CAP_X86_USER_SPACE_MSR");
	if (err)
		return err;
	if (vpmu_kvm_filter(kvm) == 0)
		return 0;
	err = errno;
	vpmu_kvm_fail(kvm, "KVM_X86_SET_MSR_FILTER", err);
	return -err;
}

int vpmu_kvm_create(struct vpmu_kvm **out, const struct vpmu_kvm_config *config)
{
	struct vpmu_kvm *kvm;
	int ret;

	if (!out || !config)
		return -EFAULT;
	*out = kvm = calloc(1, sizeof(*kvm));
	if (!kvm)
		return -ENOMEM;
	ret = take_config(&kvm->config, config);
	if (ret)
		return refuse(kvm, ret,
			      "config: size is wrong or fields are "
			      "set that this library lacks");
	if (!kvm->config.pmu || !kvm->config.mem)
		return refuse(kvm, -EINVAL, "config: pmu and mem must be set");
	if (kvm->config.trap > VPMU_KVM_TRAP_STEP)
		return refuse(kvm, -EINVAL, "config: unknown trap");
	ret = choose_trap(kvm);
	return ret ? ret : prepare_vm(kvm);
}

void vpmu_kvm_destroy(struct vpmu_kvm *kvm)
{
	free(kvm);
}

const char *vpmu_kvm_reason(const struct vpmu_kvm *kvm)
{
	return kvm ? kvm->reason : "";
}

enum vpmu_kvm_trap vpmu_kvm_trap(const struct vpmu_kvm *kvm)
{
	return kvm->trap;
}

int vpmu_kvm_vcpu_create(struct vpmu_kvm_vcpu **out, struct vpmu_kvm *kvm,
			 uint32_t index, int vcpu_fd, struct kvm_run *run)
{
	struct vpmu_kvm_vcpu *v;
	int ret;

	if (!out || !kvm || !run)
		return -EFAULT;
	*out = NULL;
	v = calloc(1, sizeof(*v));
	if (!v) {
		vpmu_kvm_fail(kvm, "vCPU", ENOMEM);
		return -ENOMEM;
	}
	v->kvm = kvm;
	v->run = run;
	v->fd = vcpu_fd;
	v->index = index;
	v->debugregs_stale = true;
	v->step.deliver = -1;
	ret = vpmu_vcpu_create(&v->pmu, kvm->config.pmu, index);
	if (ret) {
		vpmu_kvm_fail(kvm, "creating the vCPU's PMU", ret);
		free(v);
		return ret;
	}
	run->kvm_valid_regs |= KVM_SYNC_X86_REGS | KVM_SYNC_X86_SREGS;
	*out = v;
	return 0;
}

void vpmu_kvm_vcpu_destroy(struct vpmu_kvm_vcpu *v)
{
	if (!v)
		return;
	vpmu_vcpu_destroy(v->pmu);
	free(v);
}

struct vpmu_vcpu *vpmu_kvm_vcpu_pmu(struct vpmu_kvm_vcpu *v)
{
	return v->pmu;
}

void vpmu_kvm_regs_changed(struct vpmu_kvm_vcpu *v)
{
	v->regs_valid = false;
	v->armed_valid = false; /* KVM_SET_REGS drops the single step */
	v->debugregs_stale = true;
	v->memo.gate = NULL;
}

int vpmu_kvm_stats(const struct vpmu_kvm_vcpu *v, struct vpmu_kvm_stats *stats)
{
	int ret = check_size(stats, sizeof(*stats));
	uint32_t size = stats->size;

	if (ret)
		return ret;
	memcpy(stats, &v->stats, size < sizeof(*stats) ? size : sizeof(*stats));
	stats->size = size;
	return 0;
}
