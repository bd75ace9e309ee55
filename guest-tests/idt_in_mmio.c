// SPDX-License-Identifier: Apache-2.0
/* Hostile: RDPMC faults while the IDT lies where no memory is. */
#include "lib/idt.h"
#include "lib/main.h"
#include "lib/report.h"

/* Neither RAM nor a device on a PC of less than 3 GiB. */
#define HOLE 0xd0000000

void test_main(void)
{
	idt_load_from(HOLE, 256 * 16 - 1);
	asm volatile("rdpmc" : : "c"(0x1234) : "eax", "edx");
	report_abort("RDPMC of a bad index went on");
}
