// SPDX-License-Identifier: Apache-2.0
/* Problems of counting: what is counted, what overflows and interrupts. */
#include "problems.h"

#include "lib/apic.h"
#include "lib/arch.h"
#include "lib/counter.h"
#include "lib/cpuid.h"
#include "lib/irq.h"
#include "lib/msr.h"
#include "lib/pmu.h"
#include "lib/rdpmc.h"
#include "lib/report.h"

#define EVTSEL_E BIT(18)
#define EVTSEL_INV BIT(23)
#define EVTSEL_CMASK(n) ((u64)(n) << 24)
#define EVTSEL_IN_TX BIT(32)
#define EVTSEL_IN_TXCP BIT(33)
#define IN_TXCP_COUNTER 2

#define COUNTED (BLOCK_NOPS_INSNS + COUNT_RUN_INSNS)

/* -------------------------------------------------------------- 28: IN_TXCP */

/* Off and on by the global control; version 1 has but the selector. */
#define ROUNDS 40 /* of COUNTED: more than 500 */

static void check_in_txcp(void)
{
	const struct counter c =
		counter_gp(IN_TXCP_COUNTER, pmu.event_instructions);
	u64 start = c.start | EVTSEL_IN_TXCP;
	struct sweep sweep = { 0 };

	counter_prepare(&c);
	if (pmu_has_global()) {
		wrmsr(pmu_global_ctrl_msr(), 0);
		wrmsr(c.ctl, start);
	}
	for (u64 i = 1; i <= ROUNDS; i++) {
		if (pmu_has_global())
			count_run(pmu_global_ctrl_msr(), BIT(c.status_bit),
				  block_nops);
		else
			count_run(c.ctl, start, block_nops);
		sweep_note(&sweep, rdmsr(c.msr) == i * COUNTED,
			   "round %lu: %lu, want %lu", i, rdmsr(c.msr),
			   i * COUNTED);
	}
	counter_stop_all();
	sweep_report(&sweep, "problem 28: IN_TXCP counts again and again");
}

void problem_in_txcp(void)
{
	bool tsx = arch_tsx();
	struct sweep sweep = { 0 };

	for (u32 n = 0; n < 32; n++) {
		bool legal = tsx && n == IN_TXCP_COUNTER;
		u32 vector;

		if (!(pmu.gp_map & BIT(n)))
			continue;
		vector = wrmsr_safe(pmu_evtsel_msr(n), EVTSEL_IN_TXCP);
		sweep_note(&sweep, vector == (legal ? 0 : VECTOR_GP),
			   "selector %u: %s", n, vector_name(vector));
		wrmsr(pmu_evtsel_msr(n), 0);
	}
	sweep_report(&sweep, "problem 28: IN_TXCP on selector 2 only, by TSX");
	if (!tsx || !(pmu.gp_map & BIT(IN_TXCP_COUNTER))) {
		report_skip("no TSX, or no counter 2", "problem 28: counting");
		return;
	}
	check_in_txcp();
	for (u32 n = 0; n <= arch_last_gp(); n += arch_last_gp()) {
		const struct counter c = counter_gp(n, pmu.event_instructions);

		report_count(
			arch_measure(&c, c.start | EVTSEL_IN_TX, block_nops), 0,
			"problem 28: %s %u, no transaction, IN_TX", c.name, n);
	}
}

/* ------------------------------------------------- 37: unadvertised events */

void problem_unadvertised_event(void)
{
	u32 unavailable = cpuid(0x0a, 0).ebx;
	u32 found = 0;

	for (u32 i = 0; i < ARCH_EVENTS; i++) {
		const struct counter c = counter_gp(0, arch_events[i].select);
		u32 vector;
		u64 value = 0;

		if (!(unavailable & BIT(i)))
			continue;
		found++;
		counter_prepare(&c);
		vector = wrmsr_safe(c.ctl, c.start);
		report_vector(vector, 0, "problem 37: %s, W(186H, %lxh)",
			      arch_events[i].name, c.start);
		report_eq(rdmsr(c.ctl), c.start, "problem 37: %s, R(186H)",
			  arch_events[i].name);
		vector = rdpmc_safe(c.rdpmc, &value);
		report_vector(vector, 0, "problem 37: %s, RDPMC",
			      arch_events[i].name);
		wrmsr(c.ctl, 0);
	}
	if (!found)
		report_skip("CPUID.0AH:EBX is 0", "problem 37");
}

/* --------------------------------------------------------------- 39: slots */

void problem_slots(void)
{
	const struct counter c = counter_fixed(FIXED_SLOTS);
	u64 value = 0;

	if (pmu.fixed_map & BIT(FIXED_SLOTS))
		report_count(arch_measure(&c, c.start, block_nops),
			     (u64)ARCH_SLOTS_PER_CYCLE * COUNTED,
			     "problem 39: fixed counter 3");
	else
		report_vector(rdpmc_safe(c.rdpmc, &value), VECTOR_GP,
			      "problem 39: rdpmc(%xh), not there", c.rdpmc);
}

/* ------------------------------------------------------ 41: CMASK, INV, E */

void problem_cmask_inv_edge(void)
{
	static const struct {
		const char *name;
		u64 bits;
		u64 want;
	} rows[] = {
		{ "plain", 0, COUNTED },
		{ "CMASK=1", EVTSEL_CMASK(1), COUNTED },
		{ "CMASK=2", EVTSEL_CMASK(2), 0 },
		{ "CMASK=2 INV", EVTSEL_CMASK(2) | EVTSEL_INV, COUNTED },
		{ "CMASK=1 INV", EVTSEL_CMASK(1) | EVTSEL_INV, 0 },
		{ "INV", EVTSEL_INV, COUNTED },
		{ "E", EVTSEL_E, 1 },
		{ "E CMASK=2", EVTSEL_E | EVTSEL_CMASK(2), 0 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		const struct counter c = counter_gp(0, pmu.event_instructions);

		report_count(arch_measure(&c, c.start | rows[i].bits,
					  block_nops),
			     rows[i].want, "problem 41: instructions, %s",
			     rows[i].name);
	}
}

/* ---------------------------------------------- 49, 50: overflow, interrupt */

static u64 status(void)
{
	return rdmsr(pmu_global_status_msr());
}

static const char *asked(bool interrupt)
{
	return interrupt ? "INT=1" : "INT=0";
}

/* The interrupt is pending till the end, so that its handler counts nothing. */
static void note_overflow(struct sweep *sweep, const struct counter *c,
			  u64 preset, u64 want, bool interrupt)
{
	u64 got;
	u32 irqs;

	counter_prepare(c);
	counter_write(c, preset);
	irq_arm_lvtpc();
	count_run(c->ctl, c->start | (interrupt ? c->interrupt : 0),
		  block_nops);
	got = rdmsr(c->msr);
	sweep_note(sweep, got == want, "%s, from %lxh: counter %lxh, want %lxh",
		   asked(interrupt), preset, got, want);
	irqs = irq_taken();
	sweep_note(sweep, irqs == interrupt, "%s: %u interrupts",
		   asked(interrupt), irqs);
	if (!pmu_has_global())
		return;
	sweep_note(sweep, status() == BIT(c->status_bit),
		   "%s: status %lxh, want %lxh", asked(interrupt), status(),
		   BIT(c->status_bit));
	wrmsr(pmu_global_clear_msr(), BIT(c->status_bit));
	sweep_note(sweep, !status(), "%s: status %lxh after its clearing",
		   asked(interrupt), status());
}

/* `each`: events for an instruction. */
static void check_overflow_bits(const struct counter *c, u32 each)
{
	u64 total = (u64)each * COUNTED;
	struct sweep sweep = { 0 };

	for (int interrupt = 0; interrupt < 2; interrupt++) {
		/* At the last event but one or more, and at the first. */
		note_overflow(&sweep, c, 1 - total, 1, interrupt);
		note_overflow(&sweep, c, (u64)-1, total - 1, interrupt);
	}
	sweep_report(&sweep, "problem 49: %s %u", c->name, c->number);
}

/* Interrupts are on all the time, and none comes. */
static void check_no_int(const struct counter *c, u32 each)
{
	u32 irqs;

	counter_prepare(c);
	counter_write(c, -(u64)each);
	irq_arm_lvtpc();
	asm volatile("sti");
	count_run(c->ctl, c->start, block_nops);
	irqs = irq_taken();
	report_count(irqs, 0, "problem 50: %s %u, no interrupt", c->name,
		     c->number);
	report_eq(apic_read(APIC_LVTPC), LVT_FIXED | IRQ_VECTOR,
		  "problem 50: %s %u, LVTPC is not masked", c->name, c->number);
	if (pmu_has_global())
		report_eq(status(), BIT(c->status_bit),
			  "problem 50: %s %u, status", c->name, c->number);
}

static void for_each_counter(void (*check)(const struct counter *c, u32 each))
{
	irq_init();
	for (u32 i = 0; i < counter_total(); i++) {
		const struct counter c = counter_get(i);
		u32 each = c.fixed ? arch_fixed_each(c.number) : 1;

		if (each)
			check(&c, each);
	}
	if (!pmu_has_global())
		report_skip("not in version 1", "problems: status");
}

void problem_overflow_bits(void)
{
	for_each_counter(check_overflow_bits);
}

void problem_no_int_status_set(void)
{
	for_each_counter(check_no_int);
}
