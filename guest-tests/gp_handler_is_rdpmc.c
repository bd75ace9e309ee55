// SPDX-License-Identifier: Apache-2.0
/* Hostile: the first instruction of the #GP handler is itself an RDPMC. */
#include "lib/idt.h"
#include "lib/main.h"
#include "lib/pmu.h"
#include "lib/report.h"

#define ROUNDS 10

/* Reads counter 0, then returns behind the instruction that faulted. */
asm("gp_reads_counter:\n"
    "	rdpmc\n"
    "	mov %eax, gp_eax\n"
    "	mov %edx, gp_edx\n"
    "	incl gp_runs\n"
    "	movq $after_fault, 8(%rsp)\n"
    "	add $8, %rsp\n"
    "	iretq\n"
    "fault_once:\n"
    "	movabs $0x8000000000000000, %r8\n"
    "	xor %ecx, %ecx\n"
    "	mov $-1, %eax\n"
    "	mov $-1, %edx\n"
    "	mov (%r8), %r9\n"
    "after_fault:\n"
    "	ret\n");

void gp_reads_counter(void);
void fault_once(void);

volatile u32 gp_eax, gp_edx, gp_runs;

void test_main(void)
{
	if (!pmu_present_or_skip("gp_handler_is_rdpmc") ||
	    !pmu_rdpmc_or_fail("gp_handler_is_rdpmc"))
		return;
	idt_gate_set(VECTOR_GP, gp_reads_counter, 0);
	for (u32 i = 0; i < ROUNDS; i++)
		fault_once();
	report_count(gp_runs, ROUNDS,
		     "gp_handler_is_rdpmc: the handler ran once per fault");
	report(!gp_eax && !gp_edx,
	       "gp_handler_is_rdpmc: it read the stopped counter");
}
