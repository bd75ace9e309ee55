// SPDX-License-Identifier: Apache-2.0
/* From the boot code to the test's main(), and what compilers call. */
#include "lib/main.h"

#include "lib/args.h"
#include "lib/idt.h"
#include "lib/io.h"
#include "lib/pmu.h"
#include "lib/print.h"
#include "lib/report.h"

#define PIC1_DATA 0x21
#define PIC2_DATA 0xa1

extern u32 boot_magic, boot_info;

void boot_main(void) __attribute__((noreturn));

void *memset(void *to, int byte, size_t bytes)
{
	void *p = to;

	asm volatile("rep stosb" : "+D"(p), "+c"(bytes) : "a"(byte) : "memory");
	return to;
}

void *memcpy(void *restrict to, const void *restrict from, size_t bytes)
{
	void *p = to;

	asm volatile("rep movsb"
		     : "+D"(p), "+S"(from), "+c"(bytes)
		     :
		     : "memory");
	return to;
}

/* CPUID and the command line must agree, lest everything be skipped. */
static void check_presence(void)
{
	bool expected = !args_has("nopmu");

	if (pmu.present != expected)
		report_why(false,
			   expected ? "CPUID shows none, and no word `nopmu`"
				    : "CPUID shows one, in spite of `nopmu`",
			   "PMU presence");
}

void boot_main(void)
{
	print_init();
	args_init(boot_magic, boot_info);
	/* Firmware may have left the timer running. */
	outb(PIC1_DATA, 0xff);
	outb(PIC2_DATA, 0xff);
	idt_init();
	pmu_init();
	check_presence();
	test_main();
	report_summary();
}
