// SPDX-License-Identifier: Apache-2.0
/* Hostile: RDPMC faults while RSP points nowhere. A double fault. */
#include "lib/args.h"
#include "lib/idt.h"
#include "lib/main.h"
#include "lib/page.h"
#include "lib/report.h"

#define NONCANONICAL (BIT(63) | 0x1000)

/* bad_rdpmc(rsp): on_df() comes back to bad_rdpmc_end. */
asm("bad_rdpmc:\n"
    "	mov %rsp, good_rsp\n"
    "	mov %rdi, %rsp\n"
    "	mov $0x1234, %ecx\n"
    "bad_rdpmc_insn:\n"
    "	rdpmc\n"
    "bad_rdpmc_end:\n"
    "	mov good_rsp, %rsp\n"
    "	ret\n");

void bad_rdpmc(u64 rsp);
extern const u8 bad_rdpmc_end[];
u64 good_rsp;

static u8 gone[PAGE_BYTES] __attribute__((aligned(PAGE_BYTES)));
static volatile u32 double_faults;

/* The way back is not architectural, but nothing here depends on more than
 * the registers we restore. */
static void on_df(struct frame *frame)
{
	double_faults++;
	frame->rip = (u64)bad_rdpmc_end;
	frame->rsp = good_rsp;
}

static void check(u64 rsp, const char *name)
{
	double_faults = 0;
	bad_rdpmc(rsp);
	report_count(double_faults, 1, "bad_frame_stack: RSP %s: one #DF",
		     name);
}

void test_main(void)
{
	page_present((u64)gone, false);
	/* Word `triple`: not even the double fault has a stack. */
	if (args_has("triple")) {
		bad_rdpmc((u64)gone + 256);
		report_abort("RDPMC of a bad index went on");
	}
	idt_hook_set(VECTOR_DF, on_df);
	idt_gate_use_ist(VECTOR_DF);
	check((u64)gone + 256, "not mapped");
	check(NONCANONICAL, "not canonical");
}
