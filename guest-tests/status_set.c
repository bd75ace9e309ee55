// SPDX-License-Identifier: Apache-2.0
/* Version 4: MSR 391H sets status bits, 392H tells what is in use. */
#include "lib/apic.h"
#include "lib/counter.h"
#include "lib/idt.h"
#include "lib/io.h"
#include "lib/main.h"
#include "lib/msr.h"
#include "lib/report.h"

#define VECTOR_PMI 0x40
#define PMI_INUSE BIT(63)

static volatile u32 pmi_count;

static void on_pmi(struct frame *frame)
{
	(void)frame;
	pmi_count++;
	apic_write(APIC_EOI, 0);
}

static void check_absent(void)
{
	u64 value = 0;

	for (u32 msr = IA32_PERF_GLOBAL_STATUS_SET;
	     msr <= IA32_PERF_GLOBAL_INUSE; msr++) {
		report_vector(rdmsr_safe(msr, &value), VECTOR_GP,
			      "status_set: version %u, rdmsr(%xh)", pmu.version,
			      msr);
		report_vector(wrmsr_safe(msr, 0), VECTOR_GP,
			      "status_set: version %u, wrmsr(%xh)", pmu.version,
			      msr);
	}
}

static void note_status(struct sweep *sweep, u64 written, u64 want)
{
	u64 got = rdmsr(IA32_PERF_GLOBAL_STATUS);
	u64 set = rdmsr(IA32_PERF_GLOBAL_STATUS_SET);
	u64 clear = rdmsr(IA32_PERF_GLOBAL_OVF_CTRL);

	sweep_note(sweep, got == want, "wrote %lxh: 38EH %lxh, want %lxh",
		   written, got, want);
	sweep_note(sweep, !set && !clear, "wrote %lxh: 391H %lxh, 390H %lxh",
		   written, set, clear);
}

/* Set and cleared alone, and beside all others. */
static void note_bit(struct sweep *sweep, u64 all, u64 bit)
{
	wrmsr(IA32_PERF_GLOBAL_STATUS_SET, bit);
	note_status(sweep, bit, bit);
	wrmsr(IA32_PERF_GLOBAL_STATUS_SET, all & ~bit);
	note_status(sweep, all & ~bit, all);
	wrmsr(IA32_PERF_GLOBAL_OVF_CTRL, bit);
	note_status(sweep, bit, all & ~bit);
	wrmsr(IA32_PERF_GLOBAL_OVF_CTRL, all & ~bit);
	note_status(sweep, all & ~bit, 0);
}

/* Interrupts are let in, and all counters ask for them. */
static void check_set(void)
{
	u64 all = pmu_msr_find(IA32_PERF_GLOBAL_STATUS_SET)->writable;
	struct sweep sweep = { 0 };

	for (u32 i = 0; i < counter_total(); i++) {
		struct counter c = counter_get(i);

		wrmsr(c.ctl, c.interrupt);
	}
	idt_hook_set(VECTOR_PMI, on_pmi);
	apic_enable();
	apic_write(APIC_LVTPC, LVT_FIXED | VECTOR_PMI);
	asm volatile("sti");
	for (u32 bit = 0; bit < 64; bit++)
		if (all & BIT(bit))
			note_bit(&sweep, all, BIT(bit));
	io_exit();
	asm volatile("nop; cli");
	sweep_report(&sweep, "status_set: bit by bit");
	report_count(pmi_count, 0, "status_set: no PMI");
	report_eq(apic_read(APIC_LVTPC), LVT_FIXED | VECTOR_PMI,
		  "status_set: LVTPC is not masked");
	counter_stop_all();
}

static void note_inuse(struct sweep *sweep, const struct counter *c, u64 ctl,
		       u64 want)
{
	u64 got;

	wrmsr(c->ctl, ctl);
	got = rdmsr(IA32_PERF_GLOBAL_INUSE);
	sweep_note(sweep, got == want, "%xh = %lxh: %lxh, want %lxh", c->ctl,
		   ctl, got, want);
	wrmsr(c->ctl, 0);
}

static void check_inuse(const struct counter *c)
{
	u64 bit = BIT(c->status_bit);
	struct sweep sweep = { 0 };

	note_inuse(&sweep, c, 0, 0);
	note_inuse(&sweep, c, c->interrupt, PMI_INUSE);
	note_inuse(&sweep, c, c->start, bit);
	note_inuse(&sweep, c, c->start | c->interrupt, bit | PMI_INUSE);
	if (c->fixed) {
		note_inuse(&sweep, c, c->os, bit);
		note_inuse(&sweep, c, c->usr, bit);
	} else {
		/* Only the event's own byte tells, not EN. */
		for (u32 i = 0; i < 8; i++)
			note_inuse(&sweep, c, BIT(i), bit);
		note_inuse(&sweep, c, 0xff00 | c->os | c->usr | EVTSEL_EN, 0);
	}
	sweep_report(&sweep, "status_set: in use, %s %u", c->name, c->number);
}

/* Every counter's bit, at once. */
static void check_inuse_all(void)
{
	u64 want = PMI_INUSE, fixed = 0;

	for (u32 i = 0; i < counter_total(); i++) {
		struct counter c = counter_get(i);
		u64 ctl = c.start | c.interrupt;

		want |= BIT(c.status_bit);
		if (c.fixed)
			ctl = fixed |= ctl;
		wrmsr(c.ctl, ctl);
	}
	report_eq(rdmsr(IA32_PERF_GLOBAL_INUSE), want,
		  "status_set: in use, all counters");
	counter_stop_all();
	report_eq(rdmsr(IA32_PERF_GLOBAL_INUSE), 0,
		  "status_set: in use, none any more");
}

void test_main(void)
{
	if (!pmu_present_or_skip("status_set"))
		return;
	if (pmu.version < 4) {
		check_absent();
		return;
	}
	wrmsr(IA32_PERF_GLOBAL_CTRL, 0);
	counter_stop_all();
	check_set();
	for (u32 i = 0; i < counter_total(); i++) {
		struct counter c = counter_get(i);

		check_inuse(&c);
	}
	check_inuse_all();
}
