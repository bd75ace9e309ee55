/* SPDX-License-Identifier: Apache-2.0 */
/* Where a further CPU starts, from real mode to long mode. */
#include "lib/cpu.h"

	.section .rodata
	.globl	smp_blob, smp_blob_end
	.code16
smp_blob:
	cli
	mov	$SMP_SEGMENT, %ax
	mov	%ax, %ds
	lgdtl	smp_gdtr - smp_blob
	mov	%cr0, %eax
	or	$CR0_PE, %al
	mov	%eax, %cr0
	ljmpl	$KERNEL_CS32, $smp_start32
	.balign	4
smp_gdtr:
	.word	GDT_BYTES - 1
	.long	gdt
smp_blob_end:

	.text
	.code32
smp_start32:
	mov	$KERNEL_DS, %eax
	mov	%eax, %ds
	mov	%eax, %es
	mov	%eax, %ss
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
	ljmp	$KERNEL_CS, $1f
	.code64
1:	mov	$smp_stack_top, %rsp
	xor	%ebp, %ebp
	call	smp_main

	.bss
	.balign	16
	.skip	16384
smp_stack_top:

	.section .note.GNU-stack, "", @progbits
