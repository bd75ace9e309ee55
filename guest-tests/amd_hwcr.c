// SPDX-License-Identifier: Apache-2.0
/* HWCR and what it controls: IRPerfCount; MPERF, APERF and PTSC, which always
 * run. */
#include "lib/counter.h"
#include "lib/cpuid.h"
#include "lib/irq.h"
#include "lib/main.h"
#include "lib/msr.h"
#include "lib/report.h"
#include "lib/user.h"

#define COUNTED (BLOCK_NOPS_INSNS + COUNT_RUN_INSNS)
#define USER (BLOCK_NOPS_INSNS + USER_ENTER_USER_INSNS)
#define KERNEL (COUNT_RUN_INSNS + USER_ENTER_KERNEL_INSNS)
#define IRPERF_BITS 48

/* PTSC's width: 40, 48, 56 or 64 bits. */
#define PTSC_BITS (40 + 8 * (cpuid_checked(0x80000008, 0).ecx >> 16 & 3))

/* How far a register gets from one RDMSR to the next: the first of them, SHL,
 * OR and MOV are counted, and the CALL of `fn`, all of it, and MOV. */
#define ADVANCE_INSNS 6
u64 hwcr_advance(u32 msr, void (*fn)(void));
asm("hwcr_advance:\n"
    "push %rbx; push %rbp; push %r12\n"
    "mov %edi, %ebp; mov %rsi, %rbx\n"
    "mov %ebp, %ecx; rdmsr; shl $32, %rdx; or %rdx, %rax; mov %rax, %r12\n"
    "call *%rbx\n"
    "mov %ebp, %ecx; rdmsr; shl $32, %rdx; or %rdx, %rax; sub %r12, %rax\n"
    "pop %r12; pop %rbp; pop %rbx; ret\n");

/* What `from` reads after a write to `to`: the WRMSR is counted, and MOV. */
#define WRITTEN_INSNS 2
u64 hwcr_written(u32 to, u64 value, u32 from);
asm("hwcr_written:\n"
    "mov %edx, %r8d; mov %edi, %ecx\n"
    "mov %esi, %eax; mov %rsi, %rdx; shr $32, %rdx\n"
    "wrmsr; mov %r8d, %ecx; rdmsr\n"
    "shl $32, %rdx; or %rdx, %rax; ret\n");

static u64 idle; /* HWCR with IRPerfEn clear */

static u64 measure(u64 hwcr, void (*block)(void))
{
	u64 got;

	wrmsr(AMD_HWCR, idle);
	wrmsr(AMD_IRPERF, 0);
	count_run(AMD_HWCR, hwcr, block); /* ends with 0 in HWCR */
	got = rdmsr(AMD_IRPERF);
	wrmsr(AMD_HWCR, idle);
	return got;
}

static void check_hwcr(void)
{
	idle = rdmsr(AMD_HWCR);
	report(idle & HWCR_TSC_FREQ_SEL, "amd_hwcr: TscFreqSel reads 1");
	report(!(idle & (HWCR_IRPERF_EN | HWCR_READ_ONLY_LOCK)),
	       "amd_hwcr: IRPerfEn and the lock are 0 after RESET");
	report_vector(wrmsr_safe(AMD_HWCR, idle & ~HWCR_TSC_FREQ_SEL), 0,
		      "amd_hwcr: TscFreqSel written 0");
	report_eq(rdmsr(AMD_HWCR), idle, "amd_hwcr: TscFreqSel stays 1");
}

static void check_irperf_bit(void)
{
	wrmsr(AMD_HWCR, idle | HWCR_IRPERF_EN);
	report_eq(rdmsr(AMD_HWCR), idle | HWCR_IRPERF_EN,
		  "amd_hwcr: IRPerfEn set");
	wrmsr(AMD_HWCR, idle);
	report_eq(rdmsr(AMD_HWCR), idle, "amd_hwcr: IRPerfEn cleared");
}

/* No selector, privilege level or global control takes part. */
static void check_irperf(void)
{
	const u64 on = idle | HWCR_IRPERF_EN;

	counter_stop_all();
	if (pmu_has_global())
		wrmsr(pmu_global_ctrl_msr(), 0);
	report_count(measure(on, block_nops), COUNTED,
		     "amd_hwcr: IRPerfCount counts");
	report_count(measure(idle, block_nops), 0,
		     "amd_hwcr: IRPerfCount stands still without IRPerfEn");
	user_prepare(block_nops, USER_EXIT_INT);
	report_count(measure(on, user_enter), USER + KERNEL,
		     "amd_hwcr: IRPerfCount counts at all CPLs");
	wrmsr(AMD_IRPERF, 0);
	report_count(count_read_rdmsr(AMD_HWCR, on, block_nops, AMD_IRPERF),
		     BLOCK_NOPS_INSNS + COUNT_READ_INSNS,
		     "amd_hwcr: IRPerfCount read while it runs");
	count_write(AMD_HWCR, on, AMD_IRPERF, 1000);
	report_count(rdmsr(AMD_IRPERF), 1000 + COUNT_WRITE_AFTER,
		     "amd_hwcr: IRPerfCount written while it runs");
	wrmsr(AMD_HWCR, idle);
}

/* It wraps, and nobody is told. */
static void check_irperf_wraps(void)
{
	irq_init();
	irq_arm_lvtpc();
	wrmsr(AMD_IRPERF, MASK(IRPERF_BITS));
	count_run(AMD_HWCR, idle | HWCR_IRPERF_EN, block_nops);
	report_count(rdmsr(AMD_IRPERF), COUNTED - 1,
		     "amd_hwcr: IRPerfCount wraps at 48 bits");
	report_count(irq_taken(), 0, "amd_hwcr: IRPerfCount interrupts not");
	if (pmu_has_global())
		report_eq(rdmsr(pmu_global_status_msr()), 0,
			  "amd_hwcr: IRPerfCount has no status");
	wrmsr(AMD_HWCR, idle);
}

/* Twice: neither a selector nor its counter is another's alias. */
static void check_irperf_distinct(void)
{
	struct sweep sweep = { 0 };

	wrmsr(AMD_IRPERF, 0x777);
	for (u32 n = 0; n < pmu.gp; n++) {
		wrmsr(pmu_counter_msr(n), 0x1000 + n);
		sweep_note(&sweep, rdmsr(AMD_IRPERF) == 0x777, "counter %u", n);
	}
	sweep_report(&sweep, "amd_hwcr: IRPerfCount is no core counter");
}

static void check_advance(u32 msr, const char *name)
{
	user_prepare(block_nops, USER_EXIT_INT);
	report_count(hwcr_advance(msr, block_nops),
		     ADVANCE_INSNS + BLOCK_NOPS_INSNS,
		     "amd_hwcr: %s advances with instructions", name);
	report_count(hwcr_advance(msr, user_enter),
		     ADVANCE_INSNS + USER + USER_ENTER_KERNEL_INSNS,
		     "amd_hwcr: %s advances at all CPLs", name);
}

static const struct {
	const char *name;
	u32 msr, copy;
} effective[] = {
	{ "MPERF", AMD_MPERF, AMD_MPERF_RO },
	{ "APERF", AMD_APERF, AMD_APERF_RO },
};

static void check_effective(u32 i)
{
	const char *name = effective[i].name;
	u32 msr = effective[i].msr, copy = effective[i].copy;
	const u64 value = UINT64_C(0x123456789abcdef0);

	check_advance(msr, name);
	report_eq(hwcr_written(msr, value, msr), value + WRITTEN_INSNS,
		  "amd_hwcr: %s written", name);
	report_eq(hwcr_written(msr, UINT64_MAX, msr), WRITTEN_INSNS - 1,
		  "amd_hwcr: %s wraps at 64 bits", name);
	if (!pmu.effreq_ro) {
		report_skip("CPUID does not offer it", "amd_hwcr: %s copy",
			    name);
		return;
	}
	check_advance(copy, name);
	report_eq(hwcr_written(msr, value, copy), value + WRITTEN_INSNS,
		  "amd_hwcr: %s written, its copy read", name);
	report_vector(wrmsr_safe(copy, 0), VECTOR_GP,
		      "amd_hwcr: %s's copy is read-only", name);
}

static void check_ptsc(void)
{
	report_vector(wrmsr_safe(AMD_PTSC, 0), VECTOR_GP,
		      "amd_hwcr: PTSC is read-only");
	check_advance(AMD_PTSC, "PTSC");
	report_eq(rdmsr(AMD_PTSC) & ~MASK(PTSC_BITS), 0,
		  "amd_hwcr: PTSC has %u bits", PTSC_BITS);
}

/* The last one: only RESET takes the lock back. */
static void check_lock(void)
{
	u64 locked = idle | HWCR_READ_ONLY_LOCK;

	if (pmu.irperf)
		wrmsr(AMD_IRPERF, 0x1234);
	wrmsr(AMD_HWCR, locked);
	report_eq(rdmsr(AMD_HWCR), locked, "amd_hwcr: the lock is set");
	report_vector(wrmsr_safe(AMD_HWCR, idle), 0,
		      "amd_hwcr: the lock written 0");
	report_eq(rdmsr(AMD_HWCR), locked, "amd_hwcr: the lock stays");
	if (pmu.effreq)
		report_vector(wrmsr_safe(AMD_MPERF, 0), 0,
			      "amd_hwcr: MPERF is not locked");
	if (!pmu.irperf)
		return;
	report_vector(wrmsr_safe(AMD_IRPERF, 0), VECTOR_GP,
		      "amd_hwcr: IRPerfCount is locked");
	report_eq(rdmsr(AMD_IRPERF), 0x1234,
		  "amd_hwcr: IRPerfCount is as it was");
	if (!pmu.exact)
		return;
	count_run(AMD_HWCR, locked | HWCR_IRPERF_EN, block_nops);
	report_count(rdmsr(AMD_IRPERF), 0x1234 + COUNTED,
		     "amd_hwcr: IRPerfCount counts all the same");
}

static void check_exact(void)
{
	if (pmu.irperf) {
		check_irperf();
		check_irperf_wraps();
	}
	for (u32 i = 0; pmu.effreq && i < ARRAY_SIZE(effective); i++)
		check_effective(i);
	if (pmu.ptsc)
		check_ptsc();
}

void test_main(void)
{
	if (!pmu_present_or_skip("amd_hwcr"))
		return;
	if (!pmu.irperf)
		report_skip("CPUID does not offer it", "amd_hwcr: IRPerfCount");
	if (!pmu.effreq)
		report_skip("CPUID does not offer them",
			    "amd_hwcr: MPERF and APERF");
	if (!pmu.ptsc)
		report_skip("CPUID does not offer it", "amd_hwcr: PTSC");
	if (pmu.irperf || pmu.effreq)
		check_hwcr();
	if (pmu.irperf) {
		check_irperf_bit();
		check_irperf_distinct();
	}
	if (pmu_exact_or_skip("amd_hwcr: counting"))
		check_exact();
	if (pmu.irperf || pmu.effreq)
		check_lock();
}
