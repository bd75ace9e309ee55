// SPDX-License-Identifier: Apache-2.0
/* Code made at run time, called with its faults caught. */
#include "lib/snippet.h"

static u64 return_rsp;

/* The snippet's own stack use is undone: RSP is as at its start. */
static void on_fault(struct frame *frame)
{
	fault.vector = (u32)frame->vector;
	fault.frame = *frame;
	frame->rsp = return_rsp;
	frame->rip = *(const u64 *)return_rsp;
	frame->rsp += sizeof(u64);
}

static const u32 vectors[] = { VECTOR_BP, VECTOR_UD, VECTOR_GP, VECTOR_PF };

u32 snippet_call(const void *code, struct rdpmc_regs *regs)
{
	for (size_t i = 0; i < ARRAY_SIZE(vectors); i++)
		idt_hook_set(vectors[i], on_fault);
	fault_clear();
	asm volatile("lea -8(%%rsp), %%r9\n\t"
		     "mov %%r9, %[rsp]\n\t"
		     "call *%[code]"
		     : "+a"(regs->rax), "+c"(regs->rcx),
		       "+d"(regs->rdx), [rsp] "=m"(return_rsp)
		     : [code] "r"(code)
		     : "r9", "memory", "cc");
	for (size_t i = 0; i < ARRAY_SIZE(vectors); i++)
		idt_hook_set(vectors[i], NULL);
	return fault.vector;
}
