/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The smallest KVM VMM that embeds libvpmu: a 32-bit guest counts its own
 * instructions on an emulated Ice Lake and reports them on port 10H.
 *
 * Exit status: 0 the count is right, 1 it is not, 77 there is no /dev/kvm.
 */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "vpmu_kvm.h"

#define RAM_BYTES 0x10000u
#define GDT 0x800u
#define IDT 0x1000u
#define GP_HANDLER 0x3000u
#define CODE 0x2000u
#define MAX_CPUID 256u

/*
 * The guest. Between the WRMSR that starts IA32_PMC0 and the RDPMC that reads
 * it, 1 + 10 + 1 instructions retire.
 */
#define EXPECTED 12u
extern const unsigned char guest_start[], guest_end[];
__asm__(".pushsection .rodata\n"
	".code32\n"
	"guest_start:\n"
	"	mov $0x38f, %ecx\n" /* IA32_PERF_GLOBAL_CTRL: enable PMC0 */
	"	mov $1, %eax\n"
	"	xor %edx, %edx\n"
	"	wrmsr\n"
	"	mov $0x186, %ecx\n" /* IA32_PERFEVTSEL0: EN, OS, USR, C0H */
	"	mov $0x4300c0, %eax\n"
	"	wrmsr\n"
	"	mov $10, %ecx\n"
	"1:	loop 1b\n"
	"	xor %ecx, %ecx\n"
	"	rdpmc\n"
	"	out %eax, $0x10\n"
	"guest_end:\n"
	".code64\n"
	".popsection\n");

static unsigned char *ram;

static void *guest_mem(void *user, uint64_t gpa, uint64_t len)
{
	(void)user;
	return gpa < RAM_BYTES && len <= RAM_BYTES - gpa ? ram + gpa : NULL;
}

static int fail(const char *what)
{
	perror(what);
	return 1;
}

/* The library's reason, for what it refused. */
static int refused(const char *reason)
{
	fprintf(stderr, "libvpmu: %s\n", reason);
	return 1;
}

static int setup_memory(int vm)
{
	static const uint64_t gdt[] = { 0, 0x00cf9b000000ffff };
	const uint64_t gate = 0x00008e0000080000 | GP_HANDLER;
	struct kvm_userspace_memory_region region = { .memory_size =
							      RAM_BYTES };

	ram = mmap(NULL, RAM_BYTES, PROT_READ | PROT_WRITE,
		   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (ram == MAP_FAILED)
		return fail("mmap");
	memcpy(ram + CODE, guest_start, (size_t)(guest_end - guest_start));
	/* RDPMC is trapped at the guest's #GP handler: a HLT will do. */
	memcpy(ram + GDT, gdt, sizeof(gdt));
	memcpy(ram + IDT + 8 * 13, &gate, sizeof(gate));
	ram[GP_HANDLER] = 0xf4;
	region.userspace_addr = (uintptr_t)ram;
	ioctl(vm, KVM_SET_TSS_ADDR, 0xfffbd000ul);
	if (ioctl(vm, KVM_SET_USER_MEMORY_REGION, &region))
		return fail("KVM_SET_USER_MEMORY_REGION");
	return 0;
}

static int setup_cpuid(int kvm_fd, int vcpu, const struct vpmu_kvm *kvm)
{
	static union {
		struct kvm_cpuid2 head;
		char bytes[sizeof(struct kvm_cpuid2) +
			   MAX_CPUID * sizeof(struct kvm_cpuid_entry2)];
	} cpuid;

	cpuid.head.nent = MAX_CPUID;
	if (ioctl(kvm_fd, KVM_GET_SUPPORTED_CPUID, &cpuid) ||
	    vpmu_kvm_cpuid(kvm, &cpuid.head, MAX_CPUID) ||
	    ioctl(vcpu, KVM_SET_CPUID2, &cpuid))
		return fail("CPUID");
	return 0;
}

static struct kvm_segment segment(uint16_t selector, uint8_t type)
{
	return (struct kvm_segment){ .limit = UINT32_MAX,
				     .selector = selector,
				     .type = type,
				     .present = 1,
				     .db = 1,
				     .s = 1,
				     .g = 1 };
}

static int setup_registers(int vcpu)
{
	struct kvm_regs regs = { .rip = CODE, .rsp = RAM_BYTES, .rflags = 2 };
	struct kvm_sregs sregs;

	if (ioctl(vcpu, KVM_GET_SREGS, &sregs))
		return fail("KVM_GET_SREGS");
	sregs.cr0 |= 1; /* protected mode, flat, no paging */
	sregs.cs = segment(8, 11);
	sregs.ds = sregs.es = sregs.fs = sregs.gs = sregs.ss = segment(16, 3);
	sregs.gdt = (struct kvm_dtable){ .base = GDT, .limit = 15 };
	sregs.idt.base = IDT;
	sregs.idt.limit = 8 * 32 - 1;
	if (ioctl(vcpu, KVM_SET_SREGS, &sregs) ||
	    ioctl(vcpu, KVM_SET_REGS, &regs))
		return fail("KVM_SET_REGS");
	return 0;
}

/* All that the PMU needs is the two calls around KVM_RUN. */
static int run(int fd, struct kvm_run *run, struct vpmu_kvm_vcpu *vcpu)
{
	uint32_t count = 0;

	for (;;) {
		if (vpmu_kvm_enter(vcpu) || ioctl(fd, KVM_RUN, 0))
			return fail("KVM_RUN");
		switch (vpmu_kvm_exit(vcpu)) {
		case VPMU_HANDLED:
			continue;
		case VPMU_NOT_MINE:
			break;
		default:
			return refused("this guest cannot go on");
		}
		if (run->exit_reason != KVM_EXIT_IO)
			return refused("unexpected exit");
		memcpy(&count, (char *)run + run->io.data_offset, 4);
		break;
	}
	printf("the guest counted %u instructions, %u are right\n", count,
	       EXPECTED);
	return count != EXPECTED;
}

int main(void)
{
	struct vpmu_config config = { .size = sizeof(config),
				      .model = "intel-v5",
				      .backend = vpmu_backend_exact() };
	struct vpmu_kvm_config kvm_config = { .size = sizeof(kvm_config),
					      .mem = guest_mem };
	struct vpmu_kvm_vcpu *vcpu;
	struct vpmu_kvm *kvm;
	struct kvm_run *kvm_run;
	int vcpu_fd;

	kvm_config.kvm_fd = open("/dev/kvm", O_RDWR | O_CLOEXEC);
	if (kvm_config.kvm_fd < 0) {
		puts("no /dev/kvm: try tools/kvm-anywhere");
		return 77;
	}
	kvm_config.vm_fd = ioctl(kvm_config.kvm_fd, KVM_CREATE_VM, 0);
	if (kvm_config.vm_fd < 0 || setup_memory(kvm_config.vm_fd))
		return fail("KVM_CREATE_VM");
	if (vpmu_create(&kvm_config.pmu, &config))
		return refused(vpmu_reason(kvm_config.pmu));
	if (vpmu_kvm_create(&kvm, &kvm_config))
		return refused(vpmu_kvm_reason(kvm));
	vcpu_fd = ioctl(kvm_config.vm_fd, KVM_CREATE_VCPU, 0);
	kvm_run = mmap(NULL,
		       (size_t)ioctl(kvm_config.kvm_fd, KVM_GET_VCPU_MMAP_SIZE,
				     0),
		       PROT_READ | PROT_WRITE, MAP_SHARED, vcpu_fd, 0);
	if (kvm_run == MAP_FAILED || setup_registers(vcpu_fd) ||
	    setup_cpuid(kvm_config.kvm_fd, vcpu_fd, kvm) ||
	    vpmu_kvm_vcpu_create(&vcpu, kvm, 0, vcpu_fd, kvm_run))
		return fail("vCPU");
	return run(vcpu_fd, kvm_run, vcpu);
}
