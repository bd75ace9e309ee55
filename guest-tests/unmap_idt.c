// SPDX-License-Identifier: Apache-2.0
/* Hostile: RDPMC faults while the IDT is not mapped. A triple fault. */
#include "lib/args.h"
#include "lib/idt.h"
#include "lib/io.h"
#include "lib/main.h"
#include "lib/page.h"
#include "lib/report.h"

extern const u8 idt[];

void test_main(void)
{
	page_present((u64)idt, false);
	/* Word `quiet`: the VMM has no occasion to notice. */
	if (!args_has("quiet"))
		io_exit();
	asm volatile("rdpmc" : : "c"(0x1234) : "eax", "edx");
	report_abort("RDPMC of a bad index went on");
}
