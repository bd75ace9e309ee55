// SPDX-License-Identifier: Apache-2.0
/* Problem 35: the same count each time, with interrupts inside or not. */
#include "problems.h"

#include "lib/apic.h"
#include "lib/counter.h"
#include "lib/idt.h"
#include "lib/msr.h"
#include "lib/pmu.h"
#include "lib/report.h"

#define APIC_IRR 0x200
#define APIC_TIMER_LVT 0x320
#define APIC_TIMER_INITIAL 0x380
#define APIC_TIMER_DIVIDE 0x3e0
#define DIVIDE_BY_1 0xb
#define ICR_SELF (1 << 18)
#define VECTOR 0x60

#define REPEATS 100
#define WAIT 1000000 /* looks at the IRR */

#define QUIET_INSNS 1000
#define OPEN_INSNS 1003
#define SHORT_INSNS 103
#define HANDLER_INSNS 2
void repeat_quiet(void);
void repeat_open(void);
void repeat_short(void);
void repeat_handler(void);
extern volatile u32 repeat_taken;
asm(".bss; .balign 4\n"
    "repeat_taken: .skip 4\n"
    ".text\n"
    "repeat_quiet: .rept 999; nop; .endr; ret\n"
    "repeat_open: sti; .rept 1000; nop; .endr; cli; ret\n"
    "repeat_short: sti; .rept 100; nop; .endr; cli; ret\n"
    "repeat_handler: incl repeat_taken; iretq\n");

/* Leaves nothing pending or in service. */
static void settle(void)
{
	apic_write(APIC_TIMER_INITIAL, 0);
	apic_write(APIC_EOI, 0);
	asm volatile("sti; nop; nop; cli" : : : "memory");
	apic_write(APIC_EOI, 0);
}

static bool pending(void)
{
	return apic_read(APIC_IRR + 16 * (VECTOR / 32)) & BIT(VECTOR % 32);
}

/* Each makes an interrupt that is to come in the run. */
static void by_ipi(u32 run)
{
	(void)run;
	apic_write(APIC_ICR, ICR_SELF | VECTOR);
}

/* The first is pending when the run begins, others may come anywhere. */
static void by_timer(u32 run)
{
	apic_write(APIC_TIMER_LVT, VECTOR);
	apic_write(APIC_TIMER_DIVIDE, DIVIDE_BY_1);
	apic_write(APIC_TIMER_INITIAL, 1 + run * 50000);
	for (u32 i = 0; run == 0 && i < WAIT && !pending(); i++)
		;
}

static void by_nothing(u32 run)
{
	(void)run;
}

static u32 check_runs(const struct counter *c, void (*block)(void), u64 insns,
		      void (*cause)(u32 run), const char *name)
{
	struct sweep sweep = { 0 };
	u64 least = UINT64_MAX, most = 0;
	u32 all = 0;

	for (u32 run = 0; run < REPEATS; run++) {
		u64 got;
		u32 taken;

		counter_prepare(c);
		repeat_taken = 0;
		cause(run);
		count_run(c->ctl, c->start, block);
		got = rdmsr(c->msr);
		taken = repeat_taken;
		settle();
		got -= (u64)taken * HANDLER_INSNS;
		sweep_note(&sweep, got == insns + COUNT_RUN_INSNS,
			   "run %u, %u interrupts: %lu, want %lu", run, taken,
			   got, insns + COUNT_RUN_INSNS);
		least = got < least ? got : least;
		most = got > most ? got : most;
		all += taken;
	}
	sweep_report(&sweep, "problem 35: %s %u, %s, less its handler", c->name,
		     c->number, name);
	report_count(most, least, "problem 35: %s %u, %s, max is min", c->name,
		     c->number, name);
	return all;
}

void problem_reproducible(void)
{
	const struct counter c = counter_gp(0, pmu.event_instructions);
	u32 all;

	apic_enable();
	idt_gate_set(VECTOR, repeat_handler, 0);
	all = check_runs(&c, repeat_quiet, QUIET_INSNS, by_nothing,
			 "interrupts off");
	report_count(all, 0, "problem 35: no interrupt with interrupts off");
	all = check_runs(&c, repeat_short, SHORT_INSNS, by_ipi, "self-IPI");
	report_count(all, REPEATS, "problem 35: a self-IPI in each run");
	all = check_runs(&c, repeat_open, OPEN_INSNS, by_timer, "timer");
	report(all > 0, "problem 35: %u timer interrupts in %u runs", all,
	       REPEATS);
}
