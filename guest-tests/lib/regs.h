/* SPDX-License-Identifier: Apache-2.0 */
/* One instruction with every register known before and after. */
#ifndef LIB_REGS_H
#define LIB_REGS_H

#include "lib/types.h"

/* regs.S knows the layout; struct frame starts alike. */
struct cpu_regs {
	u64 rax, rcx, rdx, rbx, rbp, rsi, rdi;
	u64 r8, r9, r10, r11, r12, r13, r14, r15;
	u64 rflags;
};

/* Load *regs, execute, store *regs. A fault goes on after the instruction,
 * with what the exception handler saw in `fault`. */
void regs_rdpmc(struct cpu_regs *regs);
void regs_rdmsr(struct cpu_regs *regs);
void regs_wrmsr(struct cpu_regs *regs);

#endif /* LIB_REGS_H */
