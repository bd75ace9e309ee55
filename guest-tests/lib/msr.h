/* SPDX-License-Identifier: Apache-2.0 */
/* RDMSR and WRMSR; the _safe ones return the vector of the fault, 0 if none. */
#ifndef LIB_MSR_H
#define LIB_MSR_H

#include "lib/idt.h"
#include "lib/types.h"

static inline u64 rdmsr(u32 msr)
{
	u32 low, high;

	asm volatile("rdmsr" : "=a"(low), "=d"(high) : "c"(msr) : "memory");
	return (u64)high << 32 | low;
}

static inline void wrmsr(u32 msr, u64 value)
{
	asm volatile("wrmsr"
		     :
		     : "c"(msr), "a"((u32)value), "d"((u32)(value >> 32))
		     : "memory");
}

/* *value is left alone on a fault. */
static inline u32 rdmsr_safe(u32 msr, u64 *value)
{
	u32 low = 0, high = 0;

	fault_clear();
	asm volatile("1: rdmsr\n2:\n\t" EX_TABLE(1b, 2b)
		     : "+a"(low), "+d"(high)
		     : "c"(msr)
		     : "memory");
	if (!fault.vector)
		*value = (u64)high << 32 | low;
	return fault.vector;
}

static inline u32 wrmsr_safe(u32 msr, u64 value)
{
	fault_clear();
	asm volatile("1: wrmsr\n2:\n\t" EX_TABLE(1b, 2b)
		     :
		     : "c"(msr), "a"((u32)value), "d"((u32)(value >> 32))
		     : "memory");
	return fault.vector;
}

#endif /* LIB_MSR_H */
