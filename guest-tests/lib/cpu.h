/* SPDX-License-Identifier: Apache-2.0 */
/* Bits, selectors and addresses shared by C and assembly. */
#ifndef LIB_CPU_H
#define LIB_CPU_H

#define CR0_PE 0x00000001
#define CR0_ET 0x00000010
#define CR0_NE 0x00000020
#define CR0_PG 0x80000000

#define CR4_PSE 0x010
#define CR4_PAE 0x020
#define CR4_PCE 0x100

#define MSR_EFER 0xc0000080
#define EFER_SCE 0x001
#define EFER_LME 0x100

#define PTE_P 0x01
#define PTE_RW 0x02
#define PTE_US 0x04
#define PTE_PS 0x80

#define FLAG_ARITH 0x8d5 /* CF PF AF ZF SF OF */
#define FLAG_ONE 0x002
#define FLAG_TF 0x100
#define FLAG_IF 0x200
#define FLAG_DF 0x400
#define FLAG_IOPL3 0x3000
#define FLAG_RF 0x10000
#define FLAG_VM 0x20000

/* Selectors of the descriptors in start.S. */
#define KERNEL_CS 0x08
#define KERNEL_DS 0x10
#define KERNEL_CS32 0x18
#define USER_DS (0x20 + 3)
#define USER_CS (0x28 + 3)
#define USER_CS32 (0x30 + 3)
#define KERNEL_CS16 0x38
#define KERNEL_DS16 0x40
#define USER_CS16 (0x48 + 3)
#define USER_DS16 (0x50 + 3)
#define TSS64 0x58
#define TSS32 0x68
#define GDT_BYTES 0x70

/* One page below 640 KiB for 16-bit code: real mode CS, stack at its end. */
#define LOW_BASE 0x8000
/*
 * Their segment starts at 0: QEMU's TCG, which may be the machine below, does
 * not survive a breakpoint on execution where CS has another base.
 */
#define LOW_SEGMENT 0
#define LOW_ORIGIN (LOW_BASE - (LOW_SEGMENT << 4)) /* LOW_BASE's offset */
#define LOW_BYTES 0x1000

/* One page for the code that further CPUs start at, by a SIPI. */
#define SMP_BASE 0x7000
#define SMP_SEGMENT 0x700

#define VECTOR_DB 1
#define VECTOR_NMI 2
#define VECTOR_BP 3
#define VECTOR_UD 6
#define VECTOR_DF 8
#define VECTOR_GP 13
#define VECTOR_PF 14
#define VECTOR_RETURN 0x81 /* leaves user mode and the other modes */

/* Any write to it is an exit to the VMM, and means nothing to anybody. */
#define PORT_POST 0x80

#endif /* LIB_CPU_H */
