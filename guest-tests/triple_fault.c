// SPDX-License-Identifier: Apache-2.0
/* Hostile: an exception without any IDT. Ends in a triple fault. */
#include "lib/idt.h"
#include "lib/main.h"
#include "lib/report.h"

void test_main(void)
{
	idt_load_from(0, 0);
	asm volatile("ud2");
	report_abort("UD2 without an IDT went on");
}
