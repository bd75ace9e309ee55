// SPDX-License-Identifier: Apache-2.0
/* What makes exact counting hard: handlers, shadows, MMIO, hidden TF. */
#include "lib/apic.h"
#include "lib/counter.h"
#include "lib/idt.h"
#include "lib/main.h"
#include "lib/msr.h"
#include "lib/pmu.h"
#include "lib/report.h"

#define VECTOR_IPI 0x50
#define VECTOR_PMI 0x51
#define VECTOR_SOFT 0x80
#define ICR_SELF (1 << 18)
#define ROUNDS 2000
#define NOPS 100

static struct counter counter;
static volatile u32 interrupts;
static volatile u64 interrupt_rip;

static void on_interrupt(struct frame *frame)
{
	interrupts++;
	interrupt_rip = frame->rip;
	apic_write(APIC_EOI, 0);
}

void bare_iret(void);
asm("bare_iret: iretq\n");

static void start(void)
{
	counter_prepare(&counter);
	wrmsr(counter.ctl, counter.start);
}

static u64 stop(void)
{
	u64 value;

	wrmsr(counter.ctl, 0);
	value = rdmsr(counter.msr);
	counter_stop_all();
	return value;
}

/* KVM's emulator finishes an access to MMIO, and what follows is counted. */
static void check_mmio(u64 address, const char *name)
{
	u64 count;

	start();
	asm volatile("movl (%0), %%eax\n .rept 100\n nop\n .endr"
		     :
		     : "r"(address)
		     : "rax", "memory");
	count = stop();
	report(count > NOPS && count < NOPS + 20,
	       "exact_entries: %lu counted for 100 NOPs behind %s", count,
	       name);
}

/* An interrupt that is pending comes in the first gap that CLI leaves. */
static u32 rounds_with_rdpmc(void)
{
	u32 i;

	for (i = 0; i < ROUNDS && !interrupts; i++)
		asm volatile("sti; rdpmc; cli"
			     :
			     : "c"(counter.rdpmc)
			     : "rax", "rdx", "memory");
	return i;
}

static u32 rounds_with_nop(void)
{
	u32 i;

	for (i = 0; i < ROUNDS && !interrupts; i++)
		asm volatile("sti; nop; cli" : : : "memory");
	return i;
}

static void check_gap(u32 (*rounds)(void), bool counting, const char *name)
{
	u32 taken;

	interrupts = 0;
	if (counting)
		start();
	apic_write(APIC_ICR, ICR_SELF | VECTOR_IPI);
	taken = rounds();
	if (counting)
		stop();
	report(interrupts == 1 && taken < 10,
	       "exact_entries: STI; %s; CLI, %s: taken in round %u", name,
	       counting ? "counting" : "idle", taken);
}

/* RETs to themselves, but for the last: each is an instruction. */
static void check_ret(void)
{
	u64 empty;

	start();
	empty = stop();
	start();
	asm volatile("lea 2f(%%rip), %%r14; push %%r14\n"
		     "lea 1f(%%rip), %%r14\n"
		     ".rept 10; push %%r14; .endr\n"
		     "1: ret\n"
		     "2:"
		     :
		     :
		     : "r14", "memory");
	report_count(stop() - empty, 3 + 10 + 11,
		     "exact_entries: RET to itself");
}

static void check_shadow(void)
{
	u64 flags, ss;

	start();
	asm volatile("mov %%ss, %1; mov %1, %%ss; pushfq; pop %0"
		     : "=r"(flags), "=r"(ss)
		     :
		     : "memory");
	stop();
	report_eq(flags & FLAG_TF, 0, "exact_entries: TF in MOV SS; PUSHFQ");
	start();
	fault_clear();
	asm volatile("mov %%ss, %0; mov %0, %%ss\n"
		     "1: rdpmc\n"
		     "2:\n" EX_TABLE(1b, 2b)
		     : "=&r"(ss)
		     : "c"(counter.rdpmc)
		     : "rax", "rdx");
	stop();
	report_vector(fault.vector, 0, "exact_entries: MOV SS; RDPMC");
}

/* #GP and INT n with one handler: one pushes an error code, one does not. */
static void check_shared_handler(void)
{
	u64 before, after, flags;

	idt_gate_set(VECTOR_GP, bare_iret, 0);
	idt_gate_set(VECTOR_SOFT, bare_iret, 0);
	start();
	asm volatile("mov %%rsp, %%r15; or $0x100, %%rsp; sub $0x200, %%rsp\n"
		     "mov %%rsp, %0; int $0x80; mov %%rsp, %1\n"
		     "mov %%r15, %%rsp; pushfq; pop %2"
		     : "=&r"(before), "=&r"(after), "=r"(flags)
		     :
		     : "r15", "memory", "cc");
	stop();
	report_eq(after, before, "exact_entries: shared handler, RSP");
	report_eq(flags & FLAG_TF, 0, "exact_entries: shared handler, TF");
}

/* The overflow is among RDPMCs, and so is the interrupt that it raises. */
static void check_pmi(void)
{
	u64 first;

	interrupts = 0;
	apic_write(APIC_LVTPC, VECTOR_PMI);
	counter_prepare(&counter);
	counter_write(&counter, (u64)-20);
	asm volatile("sti");
	wrmsr(counter.ctl, counter.start | counter.interrupt);
	asm volatile("lea 1f(%%rip), %0\n"
		     "1: .rept 500; rdpmc; .endr"
		     : "=&r"(first)
		     : "c"(counter.rdpmc)
		     : "rax", "rdx");
	stop();
	asm volatile("cli");
	report(interrupts == 1 && interrupt_rip - first < 2 * 40,
	       "exact_entries: PMI among RDPMCs, at %lxh of %lxh",
	       interrupt_rip, first);
}

void test_main(void)
{
	if (!pmu_present_or_skip("exact_entries"))
		return;
	counter = counter_gp(0, pmu.event_instructions);
	apic_enable();
	idt_hook_set(VECTOR_IPI, on_interrupt);
	idt_hook_set(VECTOR_PMI, on_interrupt);
	check_mmio(0xfee00020, "an APIC read");
	check_mmio(0xd0000000, "an MMIO read");
	check_gap(rounds_with_rdpmc, false, "RDPMC");
	check_gap(rounds_with_rdpmc, true, "RDPMC");
	check_gap(rounds_with_nop, true, "NOP");
	check_ret();
	check_shadow();
	check_pmi();
	check_shared_handler();
}
