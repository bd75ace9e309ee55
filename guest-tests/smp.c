// SPDX-License-Identifier: Apache-2.0
/* Two CPUs (word `cpus=2`): a PMU each, INIT leaves it alone, own PMIs. */
#include "lib/smp.h"
#include "lib/apic.h"
#include "lib/args.h"
#include "lib/counter.h"
#include "lib/idt.h"
#include "lib/io.h"
#include "lib/main.h"
#include "lib/msr.h"
#include "lib/rdpmc.h"
#include "lib/report.h"

#define VECTOR_PMI 0x40
#define HERE 0x1111
#define THERE 0x2222

static struct counter counter;

/* What the other CPU found. */
static u64 value_there, rdpmc_there, ctl_there;
static u32 lvtpc_there, id_there;

static volatile u32 pmi_count, pmi_id;

static void on_pmi(struct frame *frame)
{
	(void)frame;
	pmi_count++;
	pmi_id = apic_read(APIC_ID);
	apic_write(APIC_EOI, 0);
}

static void write_there(void)
{
	counter_write(&counter, THERE);
	/* Not running, and not 0. */
	wrmsr(pmu_evtsel_msr(0), pmu.event_cycles);
}

static void read_there(void)
{
	value_there = rdmsr(counter.msr);
	rdpmc_there = rdpmc(counter.rdpmc);
	ctl_there = rdmsr(pmu_evtsel_msr(0));
	lvtpc_there = apic_read(APIC_LVTPC);
}

static void check_private(void)
{
	smp_call(read_there);
	report(!value_there && !ctl_there, "smp: the other CPU's PMU is reset");
	counter_write(&counter, HERE);
	smp_call(write_there);
	report_eq(rdmsr(counter.msr), HERE, "smp: own counter");
	report_eq(rdmsr(pmu_evtsel_msr(0)), 0, "smp: own selector");
	smp_call(read_there);
	report_eq(value_there, THERE, "smp: the other's counter");
	report_eq(rdpmc_there, THERE, "smp: the other's counter by RDPMC");
	report_eq(ctl_there, pmu.event_cycles, "smp: the other's selector");
}

static void check_init(void)
{
	smp_start();
	smp_call(read_there);
	report_eq(value_there, THERE, "smp: a counter after INIT");
	report_eq(rdpmc_there, THERE, "smp: a counter after INIT, by RDPMC");
	report_eq(ctl_there, pmu.event_cycles, "smp: a selector after INIT");
	report_eq(lvtpc_there, LVT_MASKED, "smp: LVTPC after INIT");
	report_eq(rdmsr(counter.msr), HERE, "smp: own counter after it");
}

static void overflow_there(void)
{
	id_there = apic_read(APIC_ID);
	apic_write(APIC_LVTPC, VECTOR_PMI);
	counter_prepare(&counter);
	counter_write(&counter, (u64)-1);
	asm volatile("sti");
	count_run(counter.ctl, counter.start | counter.interrupt, block_nops);
	io_exit();
	asm volatile("nop; cli");
	read_there();
}

static void check_pmi(void)
{
	idt_hook_set(VECTOR_PMI, on_pmi);
	smp_call(overflow_there);
	report_count(pmi_count, 1, "smp: PMI of the other CPU");
	report_eq(pmi_id, id_there, "smp: it came to that CPU");
	/* More by the handler's if it came before the counter stopped. */
	report(value_there >= BLOCK_NOPS_INSNS + COUNT_RUN_INSNS - 1,
	       "smp: its count goes on after the overflow");
	report_eq(rdmsr(counter.msr), HERE, "smp: own counter after that");
}

void test_main(void)
{
	if (!pmu_present_or_skip("smp") || !pmu_rdpmc_or_fail("smp"))
		return;
	if (args_number("cpus", 1) != 2) {
		report_skip("no word `cpus=2`", "smp");
		return;
	}
	counter = counter_gp(0, pmu.event_instructions);
	smp_start();
	check_private();
	check_init();
	if (pmu_exact_or_skip("smp: PMI"))
		check_pmi();
}
