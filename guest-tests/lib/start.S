/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Multiboot entry: 32-bit flat in, long mode with a 4 GiB identity map out.
 * Touches no PMU register.
 */
#include "lib/cpu.h"

#define MULTIBOOT_MAGIC 0x1badb002
#define MULTIBOOT_FLAGS 0x00000003 /* page-aligned modules, memory info */

	.section .multiboot, "a"
	.balign 4
	.long	MULTIBOOT_MAGIC
	.long	MULTIBOOT_FLAGS
	.long	-(MULTIBOOT_MAGIC + MULTIBOOT_FLAGS)

	.text
	.code32
	.globl	_start
_start:
	cli
	cld
	mov	$boot_stack_top, %esp
	mov	%eax, boot_magic
	mov	%ebx, boot_info

	/* The four page directories: 2048 pages of 2 MiB. */
	mov	$boot_pd, %edi
	mov	$(PTE_PS | PTE_US | PTE_RW | PTE_P), %eax
	mov	$2048, %ecx
1:	mov	%eax, (%edi)
	movl	$0, 4(%edi)
	add	$0x200000, %eax
	add	$8, %edi
	loop	1b

	mov	$boot_pdpt, %edi
	mov	$(boot_pd + PTE_US + PTE_RW + PTE_P), %eax
	mov	$4, %ecx
1:	mov	%eax, (%edi)
	add	$0x1000, %eax
	add	$8, %edi
	loop	1b
	movl	$(boot_pdpt + PTE_US + PTE_RW + PTE_P), boot_pml4

	lgdt	boot_gdtr
	mov	$CR4_PAE, %eax
	mov	%eax, %cr4
	mov	$boot_pml4, %eax
	mov	%eax, %cr3
	mov	$MSR_EFER, %ecx
	rdmsr
	or	$EFER_LME, %eax
	wrmsr
	mov	$(CR0_PG | CR0_NE | CR0_ET | CR0_PE), %eax
	mov	%eax, %cr0
	ljmp	$KERNEL_CS, $start64

	.code64
start64:
	mov	$KERNEL_DS, %eax
	mov	%eax, %ss
	mov	%eax, %ds
	mov	%eax, %es
	xor	%eax, %eax
	mov	%eax, %fs
	mov	%eax, %gs
	mov	$boot_stack_top, %rsp
	xor	%ebp, %ebp
	call	boot_main
1:	cli
	hlt
	jmp	1b

	.data
	.balign 8
boot_gdtr:
	.word	GDT_BYTES - 1
	.long	gdt

	/* Order and meaning: lib/cpu.h. The TSSs are filled in by idt.c. */
	.balign 16
	.globl	gdt
gdt:
	.quad	0
	.quad	0x00af9b000000ffff /* KERNEL_CS */
	.quad	0x00cf93000000ffff /* KERNEL_DS */
	.quad	0x00cf9b000000ffff /* KERNEL_CS32 */
	.quad	0x00cff3000000ffff /* USER_DS */
	.quad	0x00affb000000ffff /* USER_CS */
	.quad	0x00cffb000000ffff /* USER_CS32 */
	.quad	0x00009b000000ffff | (LOW_SEGMENT << 20) /* KERNEL_CS16 */
	.quad	0x000093000000ffff | (LOW_SEGMENT << 20) /* KERNEL_DS16 */
	.quad	0x0000fb000000ffff | (LOW_SEGMENT << 20) /* USER_CS16 */
	.quad	0x0000f3000000ffff | (LOW_SEGMENT << 20) /* USER_DS16 */
	.quad	0, 0 /* TSS64 */
	.quad	0 /* TSS32 */

	.bss
	.balign 4096
	.globl	boot_pml4, boot_pdpt, boot_pd, boot_info, boot_magic
boot_pml4:
	.skip	4096
boot_pdpt:
	.skip	4096
boot_pd:
	.skip	4 * 4096
	.skip	32768
boot_stack_top:
boot_magic:
	.skip	4
boot_info:
	.skip	4

	.section .note.GNU-stack, "", @progbits
