// SPDX-License-Identifier: Apache-2.0
/* Hostile: a #GP handler that faults itself, for ever. Never ends. */
#include "lib/idt.h"
#include "lib/main.h"
#include "lib/report.h"

asm("gp_again:\n"
    "	mov $loop_stack_top, %rsp\n"
    "	mov $0x1234, %ecx\n"
    "	rdpmc\n"
    "	ud2\n"
    "	.bss\n"
    "	.balign 16\n"
    "	.skip 4096\n"
    "loop_stack_top:\n"
    "	.text\n");

void gp_again(void);

void test_main(void)
{
	idt_gate_set(VECTOR_UD, gp_again, 0);
	idt_gate_set(VECTOR_GP, gp_again, 0);
	asm volatile("rdpmc" : : "c"(0x1234) : "eax", "edx");
	report_abort("RDPMC of a bad index went on");
}
