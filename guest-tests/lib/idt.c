// SPDX-License-Identifier: Apache-2.0
/* Exceptions and interrupts in long mode: who catches what. */
#include "lib/idt.h"

#include "lib/io.h"
#include "lib/report.h"

#define GATE_PRESENT 0x80
#define GATE_INTERRUPT 0x0e
#define STUB_BYTES 16
#define TSS_AVAILABLE 0x89

struct gate {
	u16 offset_15_0;
	u16 selector;
	u8 ist;
	u8 type;
	u16 offset_31_16;
	u32 offset_63_32;
	u32 reserved;
};

struct tss64 {
	u32 reserved0;
	u64 rsp[3];
	u64 reserved1;
	u64 ist[7];
	u64 reserved2;
	u16 reserved3;
	u16 iomap;
} __attribute__((packed));

struct table_register {
	u16 limit;
	u64 base;
} __attribute__((packed));

struct ex_entry {
	u64 insn;
	u64 fixup;
};

extern const u8 entry_stubs[256][STUB_BYTES];
extern const struct ex_entry ex_table_start[], ex_table_end[];
extern u64 gdt[];

void idt_dispatch(struct frame *frame);

struct fault fault;

/* A page of its own, so that a test can take it away. */
struct gate idt[256] __attribute__((aligned(4096)));
static struct tss64 tss;
static idt_hook hooks[256];
static u8 user_fault_stack[8192] __attribute__((aligned(16)));
static u8 ist_stack[8192] __attribute__((aligned(16)));

static void gate_fill(u32 vector, u64 target, u32 dpl)
{
	idt[vector] = (struct gate){
		.offset_15_0 = (u16)target,
		.selector = KERNEL_CS,
		.type = (u8)(GATE_PRESENT | (dpl << 5) | GATE_INTERRUPT),
		.offset_31_16 = (u16)(target >> 16),
		.offset_63_32 = (u32)(target >> 32),
	};
}

void idt_gate_set(u32 vector, void (*target)(void), u32 dpl)
{
	gate_fill(vector, (u64)target, dpl);
	io_exit();
}

void idt_gate_use_ist(u32 vector)
{
	idt[vector].ist = 1;
	io_exit();
}

void idt_hook_set(u32 vector, idt_hook hook)
{
	hooks[vector] = hook;
}

void idt_load_from(u64 base, u16 limit)
{
	struct table_register idtr = { .limit = limit, .base = base };

	asm volatile("lidt %0" : : "m"(idtr) : "memory");
	io_exit();
}

void idt_load(void)
{
	idt_load_from((u64)idt, sizeof(idt) - 1);
}

void idt_load_tr(void)
{
	u64 base = (u64)&tss;

	/* Written anew each time: LTR has set the busy bit. */
	gdt[TSS64 / 8] = (sizeof(tss) - 1) | (base & 0xffffff) << 16 |
			 (u64)TSS_AVAILABLE << 40 | (base >> 24 & 0xff) << 56;
	gdt[TSS64 / 8 + 1] = base >> 32;
	asm volatile("ltr %w0" : : "r"(TSS64) : "memory");
}

void idt_init(void)
{
	for (u32 vector = 0; vector < 256; vector++)
		gate_fill(vector, (u64)entry_stubs[vector],
			  vector == VECTOR_BP ? 3 : 0);
	tss.rsp[0] = (u64)(user_fault_stack + sizeof(user_fault_stack));
	tss.ist[0] = (u64)(ist_stack + sizeof(ist_stack));
	tss.iomap = sizeof(tss);
	idt_load_tr();
	idt_load();
}

static bool fix_up(struct frame *frame)
{
	const struct ex_entry *e;

	for (e = ex_table_start; e < ex_table_end; e++) {
		if (e->insn != frame->rip)
			continue;
		fault.vector = (u32)frame->vector;
		fault.frame = *frame;
		frame->rip = e->fixup;
		/* It was for the fault's instruction; here it would hide a
		 * breakpoint on the next. */
		frame->rflags &= ~(u64)FLAG_RF;
		return true;
	}
	return false;
}

void idt_dispatch(struct frame *frame)
{
	if (hooks[frame->vector]) {
		hooks[frame->vector](frame);
		return;
	}
	if (frame->vector < 32 && fix_up(frame))
		return;
	report_abort("unexpected vector %lu (%s) at RIP %lxh CS %lxh, "
		     "error code %lxh, RSP %lxh",
		     frame->vector, vector_name((u32)frame->vector), frame->rip,
		     frame->cs, frame->error, frame->rsp);
}
