/* SPDX-License-Identifier: Apache-2.0 */
/* Control and debug registers. */
#ifndef LIB_CONTROL_H
#define LIB_CONTROL_H

#include "lib/cpu.h"
#include "lib/types.h"

#define DR6_B0 BIT(0)
#define DR6_B1 BIT(1)
#define DR6_BS BIT(14)
#define DR6_INIT 0xffff0ff0
#define DR7_FIXED BIT(10)
#define DR7_L0 BIT(0)
#define DR7_L1 BIT(2)
#define DR7_RW1_WRITE BIT(20)
#define DR7_LEN1_4 (BIT(22) | BIT(23))

#define DEFINE_REGISTER(name)                                               \
	static inline u64 read_##name(void)                                 \
	{                                                                   \
		u64 value;                                                  \
                                                                            \
		asm volatile("mov %%" #name ", %0"                          \
			     : "=r"(value)                                  \
			     :                                              \
			     : "memory");                                   \
		return value;                                               \
	}                                                                   \
                                                                            \
	static inline void write_##name(u64 value)                          \
	{                                                                   \
		asm volatile("mov %0, %%" #name : : "r"(value) : "memory"); \
	}

DEFINE_REGISTER(cr0)
DEFINE_REGISTER(cr2)
DEFINE_REGISTER(cr3)
DEFINE_REGISTER(cr4)
DEFINE_REGISTER(dr0)
DEFINE_REGISTER(dr1)
DEFINE_REGISTER(dr6)
DEFINE_REGISTER(dr7)

/* Let CPL 3 execute RDPMC, or not. */
static inline void pce_set(bool on)
{
	u64 cr4 = read_cr4();

	write_cr4(on ? cr4 | CR4_PCE : cr4 & ~(u64)CR4_PCE);
}

#endif /* LIB_CONTROL_H */
