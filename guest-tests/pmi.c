// SPDX-License-Identifier: Apache-2.0
/* The interrupt of an overflow: delivered as LVTPC says, once. */
#include "lib/apic.h"
#include "lib/counter.h"
#include "lib/idt.h"
#include "lib/io.h"
#include "lib/main.h"
#include "lib/msr.h"
#include "lib/report.h"

#define VECTOR_PMI 0x40

static volatile u32 fixed_count, nmi_count;
static const char *apic_mode;

static void on_fixed(struct frame *frame)
{
	(void)frame;
	fixed_count++;
	apic_write(APIC_EOI, 0);
}

static void on_nmi(struct frame *frame)
{
	(void)frame;
	nmi_count++;
}

/* Overflow once, on the first counted instruction. Interrupts are on until
 * well after; at the latest the port write lets the VMM deliver. */
static void overflow(const struct counter *c, u64 ctl_bits)
{
	counter_prepare(c);
	counter_write(c, (u64)-1);
	asm volatile("sti");
	count_run(c->ctl, c->start | ctl_bits, block_nops);
	io_exit();
	asm volatile("nop; cli");
}

static void arm(u32 lvtpc)
{
	fixed_count = 0;
	nmi_count = 0;
	apic_write(APIC_LVTPC, lvtpc);
}

/* Intel's APIC masks LVTPC when it delivers, AMD's does not. */
static void check_mask_and_second(const struct counter *c, u32 lvtpc,
				  const volatile u32 *count, const char *kind)
{
	bool masks = pmu.vendor == VENDOR_INTEL;
	u32 want = masks ? lvtpc | LVT_MASKED : lvtpc;

	report_eq(apic_read(APIC_LVTPC), want, "pmi: %s, %s %u, %s: LVTPC",
		  apic_mode, c->name, c->number, kind);
	overflow(c, c->interrupt);
	report_count(*count, masks ? 1 : 2,
		     "pmi: %s, %s %u, %s: second one without re-arming",
		     apic_mode, c->name, c->number, kind);
	arm(lvtpc);
	overflow(c, c->interrupt);
	report_count(*count, 1, "pmi: %s, %s %u, %s: after re-arming",
		     apic_mode, c->name, c->number, kind);
}

static void check_delivery(const struct counter *c, u32 lvtpc,
			   const volatile u32 *count, const char *kind)
{
	arm(lvtpc);
	overflow(c, c->interrupt);
	report_count(*count, 1, "pmi: %s, %s %u, %s: delivered", apic_mode,
		     c->name, c->number, kind);
	report_count(fixed_count + nmi_count, 1,
		     "pmi: %s, %s %u, %s: nothing else", apic_mode, c->name,
		     c->number, kind);
	check_mask_and_second(c, lvtpc, count, kind);
}

static void check_status(const struct counter *c, const char *when)
{
	if (!pmu_has_global())
		return;
	report(rdmsr(pmu_global_status_msr()) & BIT(c->status_bit),
	       "pmi: %s, %s %u, %s: status all the same", apic_mode, c->name,
	       c->number, when);
}

static void check_silence(const struct counter *c)
{
	arm(LVT_FIXED | VECTOR_PMI);
	overflow(c, 0);
	report_count(fixed_count + nmi_count, 0,
		     "pmi: %s, %s %u, not asked for: none", apic_mode, c->name,
		     c->number);
	report_eq(apic_read(APIC_LVTPC), LVT_FIXED | VECTOR_PMI,
		  "pmi: %s, %s %u, not asked for: LVTPC", apic_mode, c->name,
		  c->number);
	check_status(c, "not asked for");
	arm(LVT_MASKED | VECTOR_PMI);
	overflow(c, c->interrupt);
	report_count(fixed_count + nmi_count, 0, "pmi: %s, %s %u, masked: none",
		     apic_mode, c->name, c->number);
	check_status(c, "masked");
	/* A masked one is dropped, not kept. */
	apic_write(APIC_LVTPC, LVT_FIXED | VECTOR_PMI);
	asm volatile("sti; nop");
	io_exit();
	asm volatile("nop; cli");
	report_count(fixed_count, 0, "pmi: %s, %s %u, unmasked later: none",
		     apic_mode, c->name, c->number);
}

static void check_all(const char *mode)
{
	struct counter counters[] = {
		counter_get(0),
		counter_get(counter_count() - 1),
	};

	apic_mode = mode;
	for (size_t i = 0; i < ARRAY_SIZE(counters); i++) {
		check_delivery(&counters[i], LVT_FIXED | VECTOR_PMI,
			       &fixed_count, "fixed");
		check_delivery(&counters[i], LVT_NMI, &nmi_count, "NMI");
		check_silence(&counters[i]);
	}
}

void test_main(void)
{
	if (!pmu_exact_or_skip("pmi"))
		return;
	idt_hook_set(VECTOR_PMI, on_fixed);
	idt_hook_set(VECTOR_NMI, on_nmi);
	apic_enable();
	check_all("xAPIC");
	if (apic_enable_x2apic())
		check_all("x2APIC");
	else
		report_skip("CPUID has none", "pmi: x2APIC");
}
