/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What this KVM does with RDPMC, breakpoints, single step and filtered MSRs,
 * found out by trying in a scratch VM: version numbers and capability bits say
 * too little.
 *
 * The scratch guest is 32-bit protected mode without paging, a page of RAM:
 * code that ends in HLT, and handlers that are a HLT each, so that RIP tells
 * where it came to. It cannot loop: whatever happens, it halts or shuts down.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "kvm/internal.h"

#define RAM 0x4000u
#define GDT 0x0u
#define IDT 0x1000u
#define HANDLERS 0x2000u /* one HLT per vector, 16 bytes apart */
#define STACK 0x4000u
#define RDPMC_CODE 0x3000u /* rdpmc; hlt */
#define NOP_CODE 0x3010u /* nop; nop; hlt */
#define RDMSR_CODE 0x3020u /* rdmsr; hlt */
#define TSS_ADDRESS 0xfffbd000u
#define NR_VECTORS 32u
#define SCRATCH_MSR 0x186u

struct scratch {
	int kvm_fd, vm, vcpu;
	uint8_t *ram;
	struct kvm_run *run;
	size_t run_size;
	struct kvm_sregs sregs;
};

static uint32_t capability(int kvm_fd, int cap)
{
	int value = ioctl(kvm_fd, KVM_CHECK_EXTENSION, cap);

	return value > 0 ? (uint32_t)value : 0;
}

static void close_fd(int fd)
{
	if (fd >= 0)
		close(fd);
}

static void fini(struct scratch *s)
{
	if (s->run != MAP_FAILED)
		munmap(s->run, s->run_size);
	close_fd(s->vcpu);
	close_fd(s->vm);
	if (s->ram != MAP_FAILED)
		munmap(s->ram, RAM);
}

static void fill_ram(uint8_t *ram)
{
	static const uint64_t gdt[] = { 0, 0x00cf9b000000ffff,
					0x00cf93000000ffff };

	memset(ram, 0xf4, RAM); /* HLT */
	memcpy(ram + GDT, gdt, sizeof(gdt));
	for (uint32_t i = 0; i < NR_VECTORS; i++) {
		uint32_t handler = HANDLERS + 16 * i;
		uint64_t gate = 0x00008e0000080000 | (handler & 0xffff);

		memcpy(ram + IDT + 8 * i, &gate, sizeof(gate));
	}
	memcpy(ram + RDPMC_CODE, "\x0f\x33\xf4", 3);
	memcpy(ram + NOP_CODE, "\x90\x90\xf4", 3);
	memcpy(ram + RDMSR_CODE, "\x0f\x32\xf4", 3);
}

static int add_memory(struct scratch *s)
{
	struct kvm_userspace_memory_region region = {
		.memory_size = RAM,
	};

	s->ram = mmap(NULL, RAM, PROT_READ | PROT_WRITE,
		      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (s->ram == MAP_FAILED)
		return -1;
	fill_ram(s->ram);
	region.userspace_addr = (uintptr_t)s->ram;
	/* Needed by VMX without unrestricted guest; elsewhere it may fail. */
	ioctl(s->vm, KVM_SET_TSS_ADDR, TSS_ADDRESS);
	return ioctl(s->vm, KVM_SET_USER_MEMORY_REGION, &region);
}

/* As vpmu_kvm_create() does: KVM's own PMU would answer RDPMC. */
static void disable_pmu(struct scratch *s)
{
	struct kvm_enable_cap cap = { .cap = KVM_CAP_PMU_CAPABILITY,
				      .args = { KVM_PMU_CAP_DISABLE } };

	if (capability(s->kvm_fd, KVM_CAP_PMU_CAPABILITY) & KVM_PMU_CAP_DISABLE)
		ioctl(s->vm, KVM_ENABLE_CAP, &cap);
}

static int init(struct scratch *s, int kvm_fd)
{
	int size;

	*s = (struct scratch){ .kvm_fd = kvm_fd,
			       .vm = -1,
			       .vcpu = -1,
			       .ram = MAP_FAILED,
			       .run = MAP_FAILED };
	s->vm = ioctl(kvm_fd, KVM_CREATE_VM, 0);
	if (s->vm < 0 || add_memory(s))
		return -errno;
	disable_pmu(s);
	s->vcpu = ioctl(s->vm, KVM_CREATE_VCPU, 0);
	size = ioctl(kvm_fd, KVM_GET_VCPU_MMAP_SIZE, 0);
	if (s->vcpu < 0 || size < 0)
		return -errno;
	s->run_size = (size_t)size;
	s->run = mmap(NULL, s->run_size, PROT_READ | PROT_WRITE, MAP_SHARED,
		      s->vcpu, 0);
	if (s->run == MAP_FAILED || ioctl(s->vcpu, KVM_GET_SREGS, &s->sregs))
		return -errno;
	return 0;
}

static struct kvm_segment flat(uint16_t selector, uint8_t type)
{
	return (struct kvm_segment){ .limit = UINT32_MAX,
				     .selector = selector,
				     .type = type,
				     .present = 1,
				     .db = 1,
				     .s = 1,
				     .g = 1 };
}

/* Run the guest from `rip`. The exit reason, or -errno. */
static int run_from(struct scratch *s, uint32_t rip, uint32_t ecx,
		    struct kvm_guest_debug *dbg)
{
	struct kvm_regs regs = {
		.rip = rip, .rcx = ecx, .rsp = STACK, .rflags = RFLAGS_FIXED
	};
	struct kvm_sregs sregs = s->sregs;
	struct kvm_mp_state runnable = { KVM_MP_STATE_RUNNABLE };

	sregs.cs = flat(8, 11);
	sregs.ds = sregs.es = sregs.ss = sregs.fs = sregs.gs = flat(16, 3);
	sregs.cr0 |= CR0_PE;
	sregs.gdt = (struct kvm_dtable){ .base = GDT, .limit = 23 };
	sregs.idt =
		(struct kvm_dtable){ .base = IDT, .limit = 8 * NR_VECTORS - 1 };
	ioctl(s->vcpu, KVM_SET_MP_STATE, &runnable);
	if (ioctl(s->vcpu, KVM_SET_SREGS, &sregs) ||
	    ioctl(s->vcpu, KVM_SET_REGS, &regs) ||
	    ioctl(s->vcpu, KVM_SET_GUEST_DEBUG, dbg) ||
	    ioctl(s->vcpu, KVM_RUN, 0))
		return -errno;
	return (int)s->run->exit_reason;
}

static uint64_t rip(struct scratch *s)
{
	struct kvm_regs regs = { 0 };

	ioctl(s->vcpu, KVM_GET_REGS, &regs);
	return regs.rip;
}

/* The vector that RDPMC raised, or 0 if it was answered. */
static uint32_t rdpmc_vector(struct scratch *s)
{
	struct kvm_guest_debug none = { 0 };
	uint64_t at;

	if (run_from(s, RDPMC_CODE, 0, &none) != KVM_EXIT_HLT)
		return 0;
	at = rip(s);
	if (at < HANDLERS || at >= HANDLERS + 16 * NR_VECTORS)
		return 0;
	return (uint32_t)(at - HANDLERS) / 16;
}

static bool breakpoint(struct scratch *s, uint32_t code, uint32_t at)
{
	struct kvm_guest_debug dbg = {
		.control = KVM_GUESTDBG_ENABLE | KVM_GUESTDBG_USE_HW_BP,
		.arch.debugreg = { [0] = at, [7] = 0x703 },
	};

	return run_from(s, code, 0, &dbg) == KVM_EXIT_DEBUG &&
	       s->run->debug.arch.pc == at && (s->run->debug.arch.dr6 & 1);
}

static bool single_step(struct scratch *s)
{
	struct kvm_guest_debug dbg = {
		.control = KVM_GUESTDBG_ENABLE | KVM_GUESTDBG_SINGLESTEP,
	};

	if (run_from(s, NOP_CODE, 0, &dbg) != KVM_EXIT_DEBUG ||
	    s->run->debug.arch.pc != NOP_CODE + 1)
		return false;
	return ioctl(s->vcpu, KVM_RUN, 0) == 0 &&
	       s->run->exit_reason == KVM_EXIT_DEBUG &&
	       s->run->debug.arch.pc == NOP_CODE + 2;
}

static bool msr_filter(struct scratch *s)
{
	struct kvm_enable_cap cap = { .cap = KVM_CAP_X86_USER_SPACE_MSR,
				      .args = { KVM_MSR_EXIT_REASON_FILTER } };
	uint8_t bitmap[8] = { 0 };
	struct kvm_msr_filter filter = {
		.flags = KVM_MSR_FILTER_DEFAULT_ALLOW,
		.ranges[0] = { .flags = KVM_MSR_FILTER_READ,
			       .nmsrs = 8,
			       .base = SCRATCH_MSR,
			       .bitmap = bitmap },
	};
	struct kvm_guest_debug none = { 0 };

	if (ioctl(s->vm, KVM_ENABLE_CAP, &cap) ||
	    ioctl(s->vm, KVM_X86_SET_MSR_FILTER, &filter))
		return false;
	return run_from(s, RDMSR_CODE, SCRATCH_MSR, &none) ==
		       KVM_EXIT_X86_RDMSR &&
	       s->run->msr.index == SCRATCH_MSR;
}

static void conclude(struct vpmu_kvm_probe *p)
{
	const char *why;

	if (!p->msr_filter) {
		why = "filtered MSRs do not come to userspace: no vPMU here";
	} else if (p->rdpmc_vector == VECTOR_GP && p->gp_breakpoint) {
		p->trap = VPMU_KVM_TRAP_GP;
		why = "RDPMC raises #GP and a breakpoint on its handler fires";
	} else if (!p->single_step) {
		why = "neither breakpoints on #GP nor single step work: "
		      "RDPMC cannot be trapped here";
	} else if (!p->rdpmc_vector) {
		p->trap = VPMU_KVM_TRAP_STEP;
		why = "KVM answers RDPMC 0..3 itself (AMD before Linux 6.2): "
		      "each instruction is stepped";
	} else {
		p->trap = VPMU_KVM_TRAP_STEP;
		why = "no breakpoint on the #GP handler: each instruction is "
		      "stepped";
	}
	snprintf(p->reason, sizeof(p->reason), "%s", why);
}

int vpmu_kvm_probe(int kvm_fd, struct vpmu_kvm_probe *out)
{
	struct vpmu_kvm_probe p = { .size = out->size };
	struct scratch s;
	int ret;

	if (out->size < sizeof(p.size))
		return -EINVAL;
	ret = init(&s, kvm_fd);
	if (!ret) {
		p.rdpmc_vector = rdpmc_vector(&s);
		p.gp_breakpoint =
			breakpoint(&s, RDPMC_CODE, HANDLERS + 16 * VECTOR_GP);
		p.site_breakpoint = breakpoint(&s, RDPMC_CODE, RDPMC_CODE);
		p.single_step = single_step(&s);
		p.msr_filter = msr_filter(&s);
		p.pmu_capability = capability(kvm_fd, KVM_CAP_PMU_CAPABILITY);
		p.block_irq = !!(capability(kvm_fd, KVM_CAP_SET_GUEST_DEBUG2) &
				 KVM_GUESTDBG_BLOCKIRQ);
		conclude(&p);
		memcpy(out, &p, out->size < sizeof(p) ? out->size : sizeof(p));
	}
	fini(&s);
	return ret;
}
