/* SPDX-License-Identifier: Apache-2.0 */
/* Running a few bytes of code in another mode than long mode. */
#ifndef LIB_MODE_H
#define LIB_MODE_H

#include "lib/types.h"

enum mode {
	MODE_REAL,
	MODE_PROTECTED_32,
	MODE_PROTECTED_32_USER, /* CPL 3 */
	MODE_PROTECTED_16,
	MODE_PROTECTED_16_USER,
	MODE_GATES_16, /* MODE_PROTECTED_16 with 16-bit gates and handlers */
	MODE_GATES_16_USER,
	MODE_V8086,
};

/* Paging underneath, an identity map; real mode has none. */
enum mode_paging { MODE_UNPAGED, MODE_PAGING_32, MODE_PAGING_PAE };

/* mode_entry.S knows the layout. */
struct mode_regs {
	u32 eax, ecx, edx; /* before; and after, or at the fault */
	u32 vector; /* 0: nothing happened */
	u32 offset; /* of the faulting instruction in the code */
};

#define MODE_CODE_BYTES 16

/* Leave long mode, run `code` in `mode`, come back. Returns regs->vector.
 * CR4.PCE stays as it is. */
u32 mode_run(enum mode mode, enum mode_paging paging, const void *code,
	     size_t bytes, struct mode_regs *regs);

#endif /* LIB_MODE_H */
