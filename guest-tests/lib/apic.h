/* SPDX-License-Identifier: Apache-2.0 */
/* The local APIC, as memory (xAPIC) or as MSRs (x2APIC). */
#ifndef LIB_APIC_H
#define LIB_APIC_H

#include "lib/types.h"

#define APIC_ID 0x020
#define APIC_EOI 0x0b0
#define APIC_SVR 0x0f0
#define APIC_ICR 0x300
#define APIC_LVTPC 0x340

#define LVT_FIXED 0x000
#define LVT_NMI 0x400
#define LVT_MASKED 0x10000

/* Enable it in xAPIC mode. */
void apic_enable(void);
/* Switch to x2APIC mode; false if CPUID does not offer it. */
bool apic_enable_x2apic(void);

/* `reg` is the offset in the xAPIC page, in both modes. */
u32 apic_read(u32 reg);
void apic_write(u32 reg, u32 value);

#endif /* LIB_APIC_H */
