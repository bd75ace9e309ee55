// SPDX-License-Identifier: Apache-2.0
/* The guest debugs itself, between and on RDPMCs: each event comes once. */
#include "lib/control.h"
#include "lib/idt.h"
#include "lib/io.h"
#include "lib/main.h"
#include "lib/pmu.h"
#include "lib/report.h"

#define INDEX_BAD 0x1234
#define MAX_EVENTS 16
#define ROUNDS 3

/* debug_step(ecx): single-step over two RDPMCs. debug_run(ecx): one of each
 * that a debugger stops at. RDPMCs that fault go on after them. */
asm("	.macro TRIED_RDPMC\n"
    "9:	rdpmc\n"
    "8:	" EX_TABLE(9b, 8b) ".endm");

asm("debug_step:\n"
    "	mov %edi, %ecx\n"
    "	pushfq\n"
    "	orq $0x100, (%rsp)\n"
    "	popfq\n"
    "	nop\n"
    "step_1: TRIED_RDPMC\n"
    "step_2: nop\n"
    "step_3: TRIED_RDPMC\n"
    "step_4: pushfq\n"
    "step_5: andq $~0x100, (%rsp)\n"
    "step_6: popfq\n"
    "step_7: ret\n"
    "debug_run:\n"
    "	mov %edi, %ecx\n"
    "	TRIED_RDPMC\n"
    "debug_nop: nop\n"
    "debug_rdpmc: TRIED_RDPMC\n"
    "	movl $1, debug_watched\n"
    "debug_stored: TRIED_RDPMC\n"
    "	int3\n"
    "debug_int3_next: TRIED_RDPMC\n"
    "	ret\n");

void debug_step(u32 ecx);
void debug_run(u32 ecx);
extern const u8 step_1[], step_2[], step_3[], step_4[], step_5[], step_6[],
	step_7[];
extern const u8 debug_nop[], debug_rdpmc[], debug_stored[], debug_int3_next[];
u32 debug_watched;

/* What #DB and #BP have seen. */
static u64 rips[MAX_EVENTS], dr6s[MAX_EVENTS];
static volatile u32 events, int3s;
static u64 int3_rip;

static void on_db(struct frame *frame)
{
	if (events < MAX_EVENTS) {
		rips[events] = frame->rip;
		dr6s[events] = read_dr6();
	}
	events++;
	write_dr6(DR6_INIT);
	frame->rflags |= FLAG_RF;
}

static void on_bp(struct frame *frame)
{
	int3_rip = frame->rip;
	int3s++;
}

/* `want` holds `count` addresses, all with `bit` in DR6. */
static void check_events(const u8 *const want[], u32 count, u64 bit,
			 const char *name, u32 ecx)
{
	struct sweep sweep = { 0 };

	sweep_note(&sweep, events == count, "%u events, want %u", events,
		   count);
	for (u32 i = 0; i < count && i < events; i++) {
		sweep_note(&sweep, rips[i] == (u64)want[i],
			   "event %u at %lxh, want %lxh", i, rips[i],
			   (u64)want[i]);
		sweep_note(&sweep, dr6s[i] & bit, "event %u: DR6 %lxh", i,
			   dr6s[i]);
	}
	sweep_report(&sweep, "gpdb: %s, rdpmc(%xh)", name, ecx);
}

static void check_step(u32 ecx)
{
	static const u8 *const ok[] = { step_1, step_2, step_3, step_4,
					step_5, step_6, step_7 };
	/* A faulting instruction is not stepped over: the next one is. */
	static const u8 *const bad[] = { step_1, step_3, step_5, step_6,
					 step_7 };

	events = 0;
	debug_step(ecx);
	if (pmu_rdpmc_valid(ecx))
		check_events(ok, ARRAY_SIZE(ok), DR6_BS, "single step", ecx);
	else
		check_events(bad, ARRAY_SIZE(bad), DR6_BS, "single step", ecx);
}

static void check_breakpoint(const u8 *where, u64 dr7, u64 bit, const u8 *stop,
			     const char *name, u32 ecx)
{
	const u8 *want[ROUNDS] = { stop, stop, stop };

	events = 0;
	int3s = 0;
	write_dr0((u64)where);
	write_dr1((u64)&debug_watched);
	write_dr6(DR6_INIT);
	write_dr7(dr7 | DR7_FIXED);
	io_exit(); /* nor does it see a store to a debug register */
	for (u32 i = 0; i < ROUNDS; i++)
		debug_run(ecx);
	report(read_dr7() == (dr7 | DR7_FIXED) && read_dr0() == (u64)where,
	       "gpdb: %s: DR0 and DR7 read back", name);
	write_dr7(DR7_FIXED);
	check_events(want, dr7 ? ROUNDS : 0, bit, name, ecx);
	report(int3s == ROUNDS && int3_rip == (u64)debug_int3_next,
	       "gpdb: %s: each INT3 once, where it is", name);
}

static void check_all(u32 ecx)
{
	check_step(ecx);
	check_breakpoint(debug_nop, 0, 0, debug_nop, "none", ecx);
	check_breakpoint(debug_nop, DR7_L0, DR6_B0, debug_nop,
			 "execution breakpoint", ecx);
	check_breakpoint(debug_rdpmc, DR7_L0, DR6_B0, debug_rdpmc,
			 "breakpoint on RDPMC", ecx);
	check_breakpoint(debug_nop, DR7_L1 | DR7_RW1_WRITE | DR7_LEN1_4, DR6_B1,
			 debug_stored, "write watchpoint", ecx);
}

void test_main(void)
{
	idt_hook_set(VECTOR_DB, on_db);
	idt_hook_set(VECTOR_BP, on_bp);
	check_all(0);
	check_all(INDEX_BAD);
}
