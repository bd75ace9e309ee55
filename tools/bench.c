/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What an access of the guest costs, as a ratio to the bare exit that it cannot
 * do without: a port write, and a filtered RDMSR, each with an empty handler.
 *
 * A second ratio, "armed", is to the same exit with a breakpoint armed and
 * registers synced, which trapping RDPMC on a stock KVM cannot do without.
 *
 * Bare and emulated guests run in turn, in many short rounds, and the fastest
 * of each counts: what else the machine does can only add.
 *
 * usage: bench [JSON-FILE [HOST-NAME]]
 */
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "vpmu_kvm.h"

#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))
#define RAM_BYTES 0x10000u
#define GDT 0x800u
#define IDT 0x1000u
#define GP_HANDLER 0x3000u
#define CODE 0x4000u
#define ITERATIONS 256
#define STR(x) #x
#define XSTR(x) STR(x)
#define ROUNDS 60

/* -------------------------------------------------------------- the guests */

/* Each runs `ITERATIONS` of its operation and halts; EBX counts. */
/* clang-format off */
#define GUEST(name, prologue, body, per_loop) \
	extern const unsigned char name##_start[], name##_end[]; \
	__asm__(".pushsection .rodata\n.code32\n" #name "_start:\n" \
		prologue \
		"	mov $(" XSTR(ITERATIONS) " / " #per_loop "), %ebx\n" \
		"1:\n" body \
		"	dec %ebx\n	jnz 1b\n	hlt\n" #name "_end:\n" \
		".code64\n.popsection\n")

GUEST(pio, "", "	out %eax, $0x10\n", 1);
GUEST(rdmsr, "	mov $0xc1, %ecx\n", "	rdmsr\n", 1);
GUEST(rdpmc_site, "	xor %ecx, %ecx\n", "	rdpmc\n", 1);
/* More sites than the glue has debug registers and memory for. */
GUEST(rdpmc_gp, "	xor %ecx, %ecx\n", "	.rept 32\n	rdpmc\n	.endr\n",
      32);
GUEST(wrmsr_same,
      "	mov $0x186, %ecx\n	xor %edx, %edx\n	mov $0x300c0, %eax\n",
      "	wrmsr\n", 1);
GUEST(wrmsr_changed,
      "	mov $0x186, %ecx\n	xor %edx, %edx\n	mov $0x300c0, %eax\n",
      "	xor $4, %al\n	wrmsr\n", 1);
GUEST(wrmsr_counter, "	mov $0xc1, %ecx\n	xor %edx, %edx\n", "	wrmsr\n",
      1);
/* clang-format on */

struct op {
	const char *name;
	const char *floor; /* name of the op it is compared with */
	const unsigned char *start, *end;
	bool vpmu; /* with the library, else bare */
	enum vpmu_kvm_trap trap;
	/* Bare, but with a breakpoint armed and registers synced: what any VMM
	 * that traps RDPMC has to put up with. */
	bool armed;
	const char *armed_floor;
};

/* clang-format off */
static const struct op ops[] = {
	{ "pio",           NULL,  pio_start, pio_end, false, 0, false, NULL },
	{ "msr",           "pio", rdmsr_start, rdmsr_end, false, 0, false, NULL },
	{ "pio_armed",     "pio", pio_start, pio_end, false, 0, true, NULL },
	{ "msr_armed",     "msr", rdmsr_start, rdmsr_end, false, 0, true, NULL },
	{ "rdpmc_site",    "pio", rdpmc_site_start, rdpmc_site_end, true, VPMU_KVM_TRAP_GP, false, "pio_armed" },
	{ "rdpmc_gp",      "pio", rdpmc_gp_start, rdpmc_gp_end, true, VPMU_KVM_TRAP_GP, false, "pio_armed" },
	{ "rdpmc_step",    "pio", rdpmc_site_start, rdpmc_site_end, true, VPMU_KVM_TRAP_STEP, false, "pio_armed" },
	{ "rdmsr",         "msr", rdmsr_start, rdmsr_end, true, VPMU_KVM_TRAP_GP, false, "msr_armed" },
	{ "wrmsr_same",    "msr", wrmsr_same_start, wrmsr_same_end, true, VPMU_KVM_TRAP_GP, false, "msr_armed" },
	{ "wrmsr_changed", "msr", wrmsr_changed_start, wrmsr_changed_end, true, VPMU_KVM_TRAP_GP, false, "msr_armed" },
	{ "wrmsr_counter", "msr", wrmsr_counter_start, wrmsr_counter_end, true, VPMU_KVM_TRAP_GP, false, "msr_armed" },
	{ "idle",          "pio", pio_start, pio_end, true, VPMU_KVM_TRAP_GP, false, "pio_armed" },
};
/* clang-format on */

/* ------------------------------------------------------------------ the VM */

struct vm {
	int kvm, vm, vcpu;
	unsigned char *ram;
	struct kvm_run *run;
	struct vpmu *pmu;
	struct vpmu_kvm *glue;
	struct vpmu_kvm_vcpu *glue_vcpu;
};

static void die(const char *what, const char *why)
{
	fprintf(stderr, "bench: %s: %s\n", what, why);
	exit(1);
}

static int checked(int ret, const char *what)
{
	if (ret < 0)
		die(what, strerror(errno));
	return ret;
}

static void *guest_mem(void *user, uint64_t gpa, uint64_t len)
{
	struct vm *vm = user;

	return gpa < RAM_BYTES && len <= RAM_BYTES - gpa ? vm->ram + gpa : NULL;
}

static void init_memory(struct vm *vm)
{
	static const uint64_t gdt[] = { 0, 0x00cf9b000000ffff };
	const uint64_t gate = 0x00008e0000080000 | GP_HANDLER;
	struct kvm_userspace_memory_region region = { .memory_size =
							      RAM_BYTES };

	vm->ram = mmap(NULL, RAM_BYTES, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (vm->ram == MAP_FAILED)
		die("mmap", strerror(errno));
	memcpy(vm->ram + GDT, gdt, sizeof(gdt));
	memcpy(vm->ram + IDT + 8 * 13, &gate, sizeof(gate));
	vm->ram[GP_HANDLER] = 0xf4;
	region.userspace_addr = (uintptr_t)vm->ram;
	ioctl(vm->vm, KVM_SET_TSS_ADDR, 0xfffbd000ul);
	checked(ioctl(vm->vm, KVM_SET_USER_MEMORY_REGION, &region),
		"KVM_SET_USER_MEMORY_REGION");
}

static void init_vpmu(struct vm *vm, enum vpmu_kvm_trap trap)
{
	struct vpmu_config config = { .size = sizeof(config),
				      .model = "intel-v5",
				      .backend = vpmu_backend_exact() };
	struct vpmu_kvm_config glue = { .size = sizeof(glue),
					.trap = trap,
					.kvm_fd = vm->kvm,
					.vm_fd = vm->vm,
					.mem = guest_mem,
					.user = vm };

	if (vpmu_create(&vm->pmu, &config))
		die("vpmu_create", vpmu_reason(vm->pmu));
	glue.pmu = vm->pmu;
	if (vpmu_kvm_create(&vm->glue, &glue))
		die("vpmu_kvm_create", vpmu_kvm_reason(vm->glue));
}

/* What the glue does to let MSRs exit, and nothing else. */
static void init_bare(struct vm *vm)
{
	static uint8_t bitmap[8];
	struct kvm_enable_cap cap = { .cap = KVM_CAP_X86_USER_SPACE_MSR,
				      .args = { KVM_MSR_EXIT_REASON_FILTER } };
	struct kvm_msr_filter filter = {
		.ranges[0] = { .flags = KVM_MSR_FILTER_READ,
			       .nmsrs = 8,
			       .base = 0xc1,
			       .bitmap = bitmap },
	};

	checked(ioctl(vm->vm, KVM_ENABLE_CAP, &cap), "KVM_ENABLE_CAP");
	checked(ioctl(vm->vm, KVM_X86_SET_MSR_FILTER, &filter),
		"KVM_X86_SET_MSR_FILTER");
}

/* What the glue asks of KVM before each KVM_RUN, and nothing else. */
static void init_armed(struct vm *vm)
{
	struct kvm_guest_debug dbg = {
		.control = KVM_GUESTDBG_ENABLE | KVM_GUESTDBG_USE_HW_BP,
		.arch.debugreg = { [0] = GP_HANDLER, [7] = 0x703 },
	};

	vm->run->kvm_valid_regs = KVM_SYNC_X86_REGS | KVM_SYNC_X86_SREGS;
	checked(ioctl(vm->vcpu, KVM_SET_GUEST_DEBUG, &dbg),
		"KVM_SET_GUEST_DEBUG");
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

static void init_registers(struct vm *vm)
{
	struct kvm_sregs s;

	checked(ioctl(vm->vcpu, KVM_GET_SREGS, &s), "KVM_GET_SREGS");
	s.cr0 |= 1;
	s.cs = segment(8, 11);
	s.ds = s.es = s.fs = s.gs = s.ss = segment(16, 3);
	s.gdt = (struct kvm_dtable){ .base = GDT, .limit = 15 };
	s.idt = (struct kvm_dtable){ .base = IDT, .limit = 8 * 32 - 1 };
	checked(ioctl(vm->vcpu, KVM_SET_SREGS, &s), "KVM_SET_SREGS");
}

static void create(struct vm *vm, const struct op *op)
{
	int size;

	memset(vm, 0, sizeof(*vm));
	vm->kvm = checked(open("/dev/kvm", O_RDWR | O_CLOEXEC), "/dev/kvm");
	vm->vm = checked(ioctl(vm->kvm, KVM_CREATE_VM, 0), "KVM_CREATE_VM");
	init_memory(vm);
	if (op->vpmu)
		init_vpmu(vm, op->trap);
	else
		init_bare(vm);
	vm->vcpu =
		checked(ioctl(vm->vm, KVM_CREATE_VCPU, 0), "KVM_CREATE_VCPU");
	size = checked(ioctl(vm->kvm, KVM_GET_VCPU_MMAP_SIZE, 0), "mmap size");
	vm->run = mmap(NULL, (size_t)size, PROT_READ | PROT_WRITE, MAP_SHARED,
		       vm->vcpu, 0);
	if (vm->run == MAP_FAILED)
		die("mmap", strerror(errno));
	init_registers(vm);
	if (op->armed)
		init_armed(vm);
	if (op->vpmu && vpmu_kvm_vcpu_create(&vm->glue_vcpu, vm->glue, 0,
					     vm->vcpu, vm->run))
		die("vpmu_kvm_vcpu_create", vpmu_kvm_reason(vm->glue));
	memcpy(vm->ram + CODE, op->start, (size_t)(op->end - op->start));
}

/* --------------------------------------------------------------- measuring */

static void run_bare(struct vm *vm)
{
	for (;;) {
		checked(ioctl(vm->vcpu, KVM_RUN, 0), "KVM_RUN");
		if (vm->run->exit_reason == KVM_EXIT_HLT)
			return;
	}
}

static void run_vpmu(struct vm *vm)
{
	for (;;) {
		enum vpmu_result ret;

		checked(vpmu_kvm_enter(vm->glue_vcpu), "vpmu_kvm_enter");
		checked(ioctl(vm->vcpu, KVM_RUN, 0), "KVM_RUN");
		ret = vpmu_kvm_exit(vm->glue_vcpu);
		if (ret == VPMU_ERROR)
			die("vpmu_kvm_exit", vpmu_kvm_reason(vm->glue));
		if (ret == VPMU_NOT_MINE &&
		    vm->run->exit_reason == KVM_EXIT_HLT)
			return;
	}
}

static double now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

/* Nanoseconds per operation. */
static double measure(struct vm *vm)
{
	struct kvm_regs regs = { .rip = CODE, .rsp = RAM_BYTES, .rflags = 2 };
	double start;

	checked(ioctl(vm->vcpu, KVM_SET_REGS, &regs), "KVM_SET_REGS");
	if (vm->glue_vcpu)
		vpmu_kvm_regs_changed(vm->glue_vcpu);
	start = now_ns();
	if (vm->glue_vcpu)
		run_vpmu(vm);
	else
		run_bare(vm);
	return (now_ns() - start) / ITERATIONS;
}

static size_t find(const char *name)
{
	size_t i = 0;

	while (strcmp(ops[i].name, name))
		i++;
	return i;
}

/* One line of the table, one object of the JSON array. */
static void report_op(const struct op *op, const double *ns, FILE *json,
		      const char *host)
{
	double value = ns[op - ops];
	double floor = op->floor ? ns[find(op->floor)] : value;
	double armed = op->armed_floor ? ns[find(op->armed_floor)] : 0;

	printf("%-14s %9.0f  %-5s %6.2f", op->name, value,
	       op->floor ? op->floor : "", value / floor);
	fprintf(json,
		"  {\"name\": \"%s\", \"host\": \"%s\", \"value\": %.0f, "
		"\"unit\": \"ns\", \"floor\": %.0f, \"ratio\": %.3f",
		op->name, host, value, floor, value / floor);
	if (op->armed_floor) {
		printf("  %6.2f", value / armed);
		fprintf(json, ", \"armed_floor\": %.0f, \"armed_ratio\": %.3f",
			armed, value / armed);
	}
	printf("\n");
	fprintf(json, "}");
}

static void report(const double *ns, FILE *json, const char *host)
{
	printf("%-14s %9s  %-5s %6s  %6s\n", "operation", "ns", "floor",
	       "ratio", "armed");
	fprintf(json, "[\n");
	for (size_t i = 0; i < ARRAY_SIZE(ops); i++) {
		report_op(&ops[i], ns, json, host);
		fprintf(json, i + 1 < ARRAY_SIZE(ops) ? ",\n" : "\n]\n");
	}
}

int main(int argc, char **argv)
{
	static struct vm vms[ARRAY_SIZE(ops)];
	double best[ARRAY_SIZE(ops)];
	FILE *json = fopen(argc > 1 ? argv[1] : "/dev/null", "w");

	if (!json)
		die(argv[1], strerror(errno));
	for (size_t i = 0; i < ARRAY_SIZE(ops); i++) {
		create(&vms[i], &ops[i]);
		best[i] = measure(&vms[i]);
	}
	for (int round = 0; round < ROUNDS; round++) {
		if (round % 10 == 0)
			fprintf(stderr, "bench: round %d of %d\n", round,
				ROUNDS);
		for (size_t i = 0; i < ARRAY_SIZE(ops); i++) {
			double ns = measure(&vms[i]);

			if (ns < best[i])
				best[i] = ns;
		}
	}
	report(best, json, argc > 2 ? argv[2] : "native");
	if (fclose(json))
		die(argv[1], strerror(errno));
	return 0;
}
