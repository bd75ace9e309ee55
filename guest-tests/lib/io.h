/* SPDX-License-Identifier: Apache-2.0 */
/* Port I/O. */
#ifndef LIB_IO_H
#define LIB_IO_H

#include "lib/cpu.h"
#include "lib/types.h"

static inline void outb(u16 port, u8 value)
{
	asm volatile("outb %0, %1" : : "a"(value), "Nd"(port) : "memory");
}

static inline void outw(u16 port, u16 value)
{
	asm volatile("outw %0, %1" : : "a"(value), "Nd"(port) : "memory");
}

static inline void outl(u16 port, u32 value)
{
	asm volatile("outl %0, %1" : : "a"(value), "Nd"(port) : "memory");
}

static inline u8 inb(u16 port)
{
	u8 value;

	asm volatile("inb %1, %0" : "=a"(value) : "Nd"(port) : "memory");
	return value;
}

/*
 * Make the VMM look at this vCPU. One that traps RDPMC at the #GP handler reads
 * the gate again at any exit, but cannot see LIDT or a store to the IDT.
 */
static inline void io_exit(void)
{
	outb(PORT_POST, 0);
}

#endif /* LIB_IO_H */
