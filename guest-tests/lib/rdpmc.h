/* SPDX-License-Identifier: Apache-2.0 */
/* RDPMC; the _safe ones return the vector of the fault, 0 if none. */
#ifndef LIB_RDPMC_H
#define LIB_RDPMC_H

#include "lib/idt.h"
#include "lib/types.h"

static inline u64 rdpmc(u32 index)
{
	u32 low, high;

	asm volatile("rdpmc" : "=a"(low), "=d"(high) : "c"(index) : "memory");
	return (u64)high << 32 | low;
}

/* RAX, RCX and RDX in full, before and after. */
struct rdpmc_regs {
	u64 rax, rcx, rdx;
};

static inline u32 rdpmc_regs(struct rdpmc_regs *regs)
{
	fault_clear();
	asm volatile("1: rdpmc\n2:\n\t" EX_TABLE(1b, 2b)
		     : "+a"(regs->rax), "+c"(regs->rcx), "+d"(regs->rdx)
		     :
		     : "memory");
	return fault.vector;
}

/* *value is left alone on a fault. */
static inline u32 rdpmc_safe(u32 index, u64 *value)
{
	struct rdpmc_regs regs = { .rcx = index };
	u32 vector = rdpmc_regs(&regs);

	if (!vector)
		*value = regs.rdx << 32 | (u32)regs.rax;
	return vector;
}

#endif /* LIB_RDPMC_H */
