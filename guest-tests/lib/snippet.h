/* SPDX-License-Identifier: Apache-2.0 */
/* Code made at run time, called with its faults caught. */
#ifndef LIB_SNIPPET_H
#define LIB_SNIPPET_H

#include "lib/idt.h"
#include "lib/rdpmc.h"
#include "lib/types.h"

#define SNIPPET_RET 0xc3
#define SNIPPET_INT3 0xcc

/*
 * Call `code`, which ends in RET, with RAX, RCX and RDX from *regs and back.
 * A fault ends it as RET would. Returns the vector; `fault` and CR2 tell more.
 */
u32 snippet_call(const void *code, struct rdpmc_regs *regs);

#endif /* LIB_SNIPPET_H */
