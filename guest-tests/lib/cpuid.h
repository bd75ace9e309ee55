/* SPDX-License-Identifier: Apache-2.0 */
/* CPUID. */
#ifndef LIB_CPUID_H
#define LIB_CPUID_H

#include "lib/types.h"

struct cpuid {
	u32 eax, ebx, ecx, edx;
};

static inline struct cpuid cpuid(u32 leaf, u32 subleaf)
{
	struct cpuid r;

	asm volatile("cpuid"
		     : "=a"(r.eax), "=b"(r.ebx), "=c"(r.ecx), "=d"(r.edx)
		     : "a"(leaf), "c"(subleaf));
	return r;
}

/* All 0 if `leaf` is above the largest of its range. */
static inline struct cpuid cpuid_checked(u32 leaf, u32 subleaf)
{
	if (cpuid(leaf & 0x80000000, 0).eax < leaf)
		return (struct cpuid){ 0 };
	return cpuid(leaf, subleaf);
}

#endif /* LIB_CPUID_H */
