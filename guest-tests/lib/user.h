/* SPDX-License-Identifier: Apache-2.0 */
/* Running a function at CPL 3 in long mode. */
#ifndef LIB_USER_H
#define LIB_USER_H

#include "lib/types.h"

/* How user code comes back; USER_COMPAT runs 32-bit code in compatibility mode
 * and comes back by INT. */
enum user_exit { USER_EXIT_INT, USER_EXIT_SYSCALL, USER_COMPAT };

/* Call fn() at CPL 3 and return when it does; its faults are caught as at
 * CPL 0. */
void user_call(void (*fn)(void), enum user_exit how);

/* The same in two steps: what user_enter() shall call. */
void user_prepare(void (*fn)(void), enum user_exit how);
void user_enter(void);

/* RDPMC at CPL 3; as rdpmc_safe(). */
u32 user_rdpmc(u32 index, u64 *value);

/* Instructions that user_enter() takes besides fn(): at CPL 0, the IRETQ
 * included; at CPL 3, a CALL and the INT or SYSCALL. */
#define USER_ENTER_KERNEL_INSNS 21
#define USER_ENTER_USER_INSNS 2

#endif /* LIB_USER_H */
