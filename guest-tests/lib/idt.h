/* SPDX-License-Identifier: Apache-2.0 */
/* Exceptions and interrupts in long mode: who catches what. */
#ifndef LIB_IDT_H
#define LIB_IDT_H

#include "lib/cpu.h"
#include "lib/types.h"

/* As entry.S pushes it. */
struct frame {
	u64 rax, rcx, rdx, rbx, rbp, rsi, rdi;
	u64 r8, r9, r10, r11, r12, r13, r14, r15;
	u64 vector;
	u64 error;
	u64 rip, cs, rflags, rsp, ss;
};

/* Runs with interrupts off; the interrupted code resumes with what it leaves
 * in *frame. */
typedef void (*idt_hook)(struct frame *frame);

void idt_init(void);
/* Call `hook` for each `vector`, before the fixups; NULL: no more. */
void idt_hook_set(u32 vector, idt_hook hook);
/* Load IDTR with our table. */
void idt_load(void);
/* Load IDTR with any table, and let the VMM know. */
void idt_load_from(u64 base, u16 limit);
/* Point `vector` at `target`, open to INT n from CPL 0..dpl, and let the VMM
 * know. */
void idt_gate_set(u32 vector, void (*target)(void), u32 dpl);
/* Take `vector` on a stack of its own (IST 1), whatever RSP is worth. */
void idt_gate_use_ist(u32 vector);
/* Load TR again, after an excursion to another mode. */
void idt_load_tr(void);

/* What the last instruction covered by EX_TABLE() ran into. */
struct fault {
	volatile u32 vector; /* 0: nothing */
	struct frame frame;
};
extern struct fault fault;

/* A fault of the instruction at label `insn` goes on at label `fixup`, with
 * fault.vector set. */
#define EX_TABLE(insn, fixup)               \
	".pushsection .ex_table, \"a\"\n\t" \
	".quad " #insn ", " #fixup "\n\t"   \
	".popsection\n\t"

static inline void fault_clear(void)
{
	fault.vector = 0;
}

#endif /* LIB_IDT_H */
