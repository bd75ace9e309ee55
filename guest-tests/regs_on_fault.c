// SPDX-License-Identifier: Apache-2.0
/* No register moves on a fault; on success only RAX and RDX, in full. */
#include "lib/idt.h"
#include "lib/main.h"
#include "lib/pmu.h"
#include "lib/regs.h"
#include "lib/report.h"

#define INDEX_BAD 0xa5a5
/* Flags that a VMM may show: TF while it single-steps, RF in the frame. */
#define FLAGS_IGNORED (FLAG_TF | FLAG_RF)
#define RDX 2

static const char *const names[] = {
	"rax", "rcx", "rdx", "rbx", "rbp", "rsi", "rdi", "r8",
	"r9",  "r10", "r11", "r12", "r13", "r14", "r15",
};

/* No flag, and all that have no other effect on the code between. */
static const u64 flag_patterns[] = {
	FLAG_ONE,
	FLAG_ONE | FLAG_ARITH,
	FLAG_ONE | FLAG_ARITH | FLAG_DF,
};

static struct cpu_regs pattern(u64 rcx, u64 rflags)
{
	struct cpu_regs regs = { .rflags = rflags };
	u64 *r = &regs.rax;

	for (u64 i = 0; i < ARRAY_SIZE(names); i++)
		r[i] = 0xa5a5a5a500000000 + i * 0x0101010101010101;
	regs.rcx = rcx;
	return regs;
}

static void compare(struct sweep *sweep, const char *when, const u64 *got,
		    const u64 *want, bool skip_result)
{
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		if (skip_result && (i == 0 || i == RDX))
			continue;
		sweep_note(sweep, got[i] == want[i], "%s %s: %lxh, want %lxh",
			   names[i], when, got[i], want[i]);
	}
}

static void compare_flags(struct sweep *sweep, const char *when, u64 got,
			  u64 want)
{
	sweep_note(sweep, !((got ^ want) & ~(u64)FLAGS_IGNORED),
		   "rflags %s: %lxh, want %lxh", when, got, want);
}

static void check_fault(const char *name, void (*run)(struct cpu_regs *),
			u64 rcx)
{
	struct sweep sweep = { 0 };

	for (size_t i = 0; i < ARRAY_SIZE(flag_patterns); i++) {
		struct cpu_regs want = pattern(rcx, flag_patterns[i]);
		struct cpu_regs regs = want;

		run(&regs);
		sweep_note(&sweep, fault.vector == VECTOR_GP,
			   "got %s, want #GP", vector_name(fault.vector));
		if (fault.vector != VECTOR_GP)
			continue;
		sweep_note(&sweep, !fault.frame.error,
			   "error code %lxh, want 0", fault.frame.error);
		compare(&sweep, "in the handler", &fault.frame.rax, &want.rax,
			false);
		compare(&sweep, "afterwards", &regs.rax, &want.rax, false);
		compare_flags(&sweep, "in the handler", fault.frame.rflags,
			      want.rflags);
		compare_flags(&sweep, "afterwards", regs.rflags, want.rflags);
	}
	sweep_report(&sweep, "regs_on_fault: %s", name);
}

/* `run` yields 0 in EDX:EAX. */
static void check_success(const char *name, void (*run)(struct cpu_regs *),
			  u64 rcx)
{
	struct sweep sweep = { 0 };

	for (size_t i = 0; i < ARRAY_SIZE(flag_patterns); i++) {
		struct cpu_regs want = pattern(rcx, flag_patterns[i]);
		struct cpu_regs regs = want;

		run(&regs);
		sweep_note(&sweep, !fault.vector, "got %s, want a value",
			   vector_name(fault.vector));
		if (fault.vector)
			continue;
		sweep_note(&sweep, !regs.rax && !regs.rdx,
			   "rax=%lxh rdx=%lxh, want 0 in all 64 bits", regs.rax,
			   regs.rdx);
		compare(&sweep, "afterwards", &regs.rax, &want.rax, true);
		compare_flags(&sweep, "afterwards", regs.rflags, want.rflags);
	}
	sweep_report(&sweep, "regs_on_fault: %s", name);
}

/* WRMSR of EDX:EAX = 0 writes what is there. */
static void check_wrmsr(void)
{
	struct cpu_regs want = pattern(pmu_counter_msr(0), FLAG_ARITH | 2);
	struct cpu_regs regs;
	struct sweep sweep = { 0 };

	want.rax &= ~MASK(32);
	want.rdx &= ~MASK(32);
	regs = want;
	regs_wrmsr(&regs);
	sweep_note(&sweep, !fault.vector, "got %s, want none",
		   vector_name(fault.vector));
	compare(&sweep, "afterwards", &regs.rax, &want.rax, false);
	compare_flags(&sweep, "afterwards", regs.rflags, want.rflags);
	sweep_report(&sweep, "regs_on_fault: wrmsr that succeeds");
}

void test_main(void)
{
	/* RCX[63:32] is ignored, but nested SVM of QEMU's TCG looks up the MSR
	 * intercept with bits 33:32 as well: these are 0. */
	u64 high = (u64)0xdeadbeec << 32;
	/* A register of the other vendor's PMU. */
	u32 absent = pmu.vendor == VENDOR_INTEL ? PERF_CTR0 : IA32_A_PMC0;

	check_fault("rdpmc of a bad index", regs_rdpmc, high | INDEX_BAD);
	check_fault("rdmsr of no msr", regs_rdmsr, high | absent);
	check_fault("wrmsr of no msr", regs_wrmsr, high | absent);
	if (!pmu_present_or_skip("regs_on_fault: success"))
		return;
	check_success("rdpmc that succeeds", regs_rdpmc, high);
	check_success("rdmsr that succeeds", regs_rdmsr,
		      high | pmu_counter_msr(0));
	check_wrmsr();
	if (pmu.vendor == VENDOR_INTEL)
		check_fault("wrmsr of a reserved bit", regs_wrmsr,
			    high | pmu_evtsel_msr(0));
}
