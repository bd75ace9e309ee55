// SPDX-License-Identifier: Apache-2.0
/* A second CPU: start it, hand it functions. */
#include "lib/smp.h"

#include "lib/apic.h"
#include "lib/cpu.h"
#include "lib/idt.h"

#define ICR_INIT 0x00000500
#define ICR_STARTUP 0x00000600
#define ICR_ASSERT 0x00004000
#define ICR_ALL_BUT_SELF 0x000c0000

extern const u8 smp_blob[], smp_blob_end[];
void smp_main(void) __attribute__((noreturn));

static volatile u32 starts;
static void (*volatile mailbox)(void);

void smp_start(void)
{
	u32 before = starts;
	u8 *base;

	asm("" : "=r"(base) : "0"((u64)SMP_BASE));
	memcpy(base, smp_blob, (size_t)(smp_blob_end - smp_blob));
	mailbox = NULL;
	apic_enable();
	apic_write(APIC_ICR, ICR_ALL_BUT_SELF | ICR_ASSERT | ICR_INIT);
	apic_write(APIC_ICR, ICR_ALL_BUT_SELF | ICR_ASSERT | ICR_STARTUP |
				     SMP_BASE >> 12);
	while (starts == before)
		asm volatile("pause");
}

void smp_call(void (*fn)(void))
{
	mailbox = fn;
	while (mailbox)
		asm volatile("pause");
}

void smp_main(void)
{
	idt_load();
	apic_enable();
	starts++;
	for (;;) {
		while (!mailbox)
			asm volatile("pause");
		mailbox();
		mailbox = NULL;
	}
}
