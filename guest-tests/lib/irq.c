// SPDX-License-Identifier: Apache-2.0
/* One vector of the local APIC, counted; taken when the test lets it in. */
#include "lib/irq.h"

#include "lib/apic.h"
#include "lib/idt.h"
#include "lib/io.h"

static volatile u32 taken;

static void on_interrupt(struct frame *frame)
{
	(void)frame;
	taken++;
	apic_write(APIC_EOI, 0);
}

void irq_init(void)
{
	idt_hook_set(IRQ_VECTOR, on_interrupt);
	apic_enable();
}

void irq_arm_lvtpc(void)
{
	apic_write(APIC_LVTPC, LVT_FIXED | IRQ_VECTOR);
}

u32 irq_taken(void)
{
	u32 count;

	asm volatile("sti; nop" : : : "memory");
	io_exit();
	asm volatile("nop; cli" : : : "memory");
	count = taken;
	taken = 0;
	return count;
}
