// SPDX-License-Identifier: Apache-2.0
/* Problems of both vendors: exits that count, the mask of LVTPC. */
#include "problems.h"

#include "lib/apic.h"
#include "lib/counter.h"
#include "lib/irq.h"
#include "lib/msr.h"
#include "lib/pmu.h"
#include "lib/report.h"

/* ---------------------------------------------------- 33: exits inside */

/* The last `exits_wanted` rounds of ROUNDS write to a port. */
#define ROUNDS 1000
#define LOOP_INSNS (4 + 3 * ROUNDS) /* MOV MOV MOV and RET, CMP JA LOOP */
#define LOOP_BRANCHES (1 + 2 * ROUNDS)
void exits_loop(void);
extern volatile u32 exits_wanted;
asm(".bss; .balign 4\n"
    "exits_wanted: .skip 4\n"
    ".text\n"
    "exits_loop:\n"
    "mov $1000, %ecx; mov exits_wanted, %esi; mov $0, %eax\n"
    "1: cmp %esi, %ecx; ja 2f; out %al, $0x80\n"
    "2: loop 1b\n"
    "ret\n");

static u64 measure(const struct counter *c, u32 exits)
{
	counter_prepare(c);
	exits_wanted = exits;
	count_run(c->ctl, c->start, exits_loop);
	return rdmsr(c->msr);
}

void problem_branches_with_exits(void)
{
	static const u32 exits[] = { 0, 10, ROUNDS };
	const struct counter branches = counter_gp(0, pmu.event_branches);
	const struct counter insns = counter_gp(0, pmu.event_instructions);

	for (size_t i = 0; i < ARRAY_SIZE(exits); i++)
		report_count(measure(&branches, exits[i]),
			     LOOP_BRANCHES + COUNT_RUN_BRANCHES,
			     "problem 33: branches with %u exits", exits[i]);
	report_count(measure(&insns, 10), LOOP_INSNS + 10 + COUNT_RUN_INSNS,
		     "problem 33: instructions with 10 exits");
}

/* ------------------------------------------------------ 43: LVTPC's mask */

static u32 overflow(const struct counter *c)
{
	counter_prepare(c);
	counter_write(c, (u64)-1);
	count_run(c->ctl, c->start | c->interrupt, block_nops);
	return irq_taken();
}

static void check_mask(const struct counter *c)
{
	bool masks = pmu.vendor == VENDOR_INTEL;
	u32 lvtpc = LVT_FIXED | IRQ_VECTOR;

	irq_arm_lvtpc();
	report_count(overflow(c), 1, "problem 43: %s %u, first overflow",
		     c->name, c->number);
	report_eq(apic_read(APIC_LVTPC), masks ? lvtpc | LVT_MASKED : lvtpc,
		  "problem 43: %s %u, LVTPC after it", c->name, c->number);
	report_count(overflow(c), !masks,
		     "problem 43: %s %u, second overflow without re-arming",
		     c->name, c->number);
	irq_arm_lvtpc();
	report_count(overflow(c), 1, "problem 43: %s %u, after re-arming",
		     c->name, c->number);
}

void problem_lvtpc_mask(void)
{
	irq_init();
	for (u32 i = 0; i < counter_count(); i++) {
		const struct counter c = counter_get(i);

		check_mask(&c);
	}
}
