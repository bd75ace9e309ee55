/* SPDX-License-Identifier: Apache-2.0 */
/* One vector of the local APIC, counted; taken when the test lets it in. */
#ifndef LIB_IRQ_H
#define LIB_IRQ_H

#include "lib/types.h"

#define IRQ_VECTOR 0x40

/* Enable the APIC and count what comes with IRQ_VECTOR. */
void irq_init(void);
/* From now on LVTPC delivers to it. */
void irq_arm_lvtpc(void);
/* How many have come since this was called last, with what is pending let in
 * now. Interrupts are off before and after. */
u32 irq_taken(void);

#endif /* LIB_IRQ_H */
