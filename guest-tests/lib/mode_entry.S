/* SPDX-License-Identifier: Apache-2.0 */
/* From long mode to another mode and back; mode.c has set mode_* up. */
#include "lib/cpu.h"

#define OFF(symbol) ((symbol) - low_blob + LOW_ORIGIN)
/* struct mode_regs */
#define REGS_EAX 0
#define REGS_ECX 4
#define REGS_EDX 8
#define REGS_VECTOR 12
#define REGS_EIP 16
#define STUB_VECTORS 32
#define TSS_BUSY 0x200
/* Vectors that come with an error code: 8, 10-14 and 17. */
#define WITH_ERROR_CODE 0x27d00

	.text
	.code64
	.globl	mode_enter
mode_enter:
	push	%rbx
	push	%rbp
	push	%r12
	push	%r13
	push	%r14
	push	%r15
	mov	%rsp, mode_saved_rsp
	mov	%cr4, %rax
	mov	%eax, mode_saved_cr4
	push	$KERNEL_CS32
	push	$leave_long
	lretq

	.code32
leave_long:
	mov	$KERNEL_DS, %eax
	mov	%eax, %ds
	mov	%eax, %es
	mov	%eax, %ss
	mov	$mode_stack_top, %esp
	mov	%cr0, %eax
	and	$~CR0_PG, %eax
	mov	%eax, %cr0
	mov	$MSR_EFER, %ecx
	rdmsr
	and	$~EFER_LME, %eax
	wrmsr
	mov	mode_cr4, %eax
	mov	%eax, %cr4
	mov	mode_cr3, %eax
	mov	%eax, %cr3
	lidt	mode_idtr
	andl	$~TSS_BUSY, gdt + TSS32 + 4
	mov	$TSS32, %eax
	ltr	%ax
	mov	%cr0, %eax
	or	mode_cr0, %eax
	mov	%eax, %cr0
	jmp	1f
1:	outb	%al, $PORT_POST
	cmpl	$0, mode_is_real
	je	2f
	ljmp	$KERNEL_CS16, $OFF(low_real)
	/* IRET changes the stack only if it changes the CPL. */
2:	testl	$FLAG_VM, mode_eflags
	jnz	3f
	testl	$3, mode_cs
	jnz	3f
	mov	mode_ss, %eax
	mov	mode_esp, %ecx
	mov	%eax, %ss
	mov	%ecx, %esp
	/* A frame for all of CPL 0, CPL 3 and virtual-8086 mode: IRET takes as
	 * much of it as the target needs. */
3:	push	$LOW_SEGMENT
	push	$LOW_SEGMENT
	push	$LOW_SEGMENT
	push	$LOW_SEGMENT
	push	mode_ss
	push	mode_esp
	push	mode_eflags
	push	mode_cs
	push	mode_eip
	iretl

	/* What 32-bit modes run. */
	.globl	mode_code32, mode_slot32
mode_code32:
	mov	%cs:LOW_BASE + REGS_EAX, %eax
	mov	%cs:LOW_BASE + REGS_ECX, %ecx
	mov	%cs:LOW_BASE + REGS_EDX, %edx
mode_slot32:
	.fill	16, 1, 0x90
	int	$VECTOR_RETURN

	/* Where the gates of all protected modes point. */
	.globl	mode_stubs
	.balign	8
mode_stubs:
	.set	vector, 0
	.rept	STUB_VECTORS
	push	$vector
	jmp	mode_trap
	.balign	8
	.set	vector, vector + 1
	.endr
	push	$VECTOR_RETURN
mode_trap:
	push	%eax
	mov	$KERNEL_DS, %eax
	mov	%eax, %ds
	pop	%eax
	mov	%eax, LOW_BASE + REGS_EAX
	mov	%ecx, LOW_BASE + REGS_ECX
	mov	%edx, LOW_BASE + REGS_EDX
	pop	%eax
	cmp	$VECTOR_RETURN, %eax
	je	mode_back
	mov	%eax, LOW_BASE + REGS_VECTOR
	mov	$WITH_ERROR_CODE, %edx
	bt	%eax, %edx
	jnc	1f
	pop	%eax
1:	pop	%eax
	mov	%eax, LOW_BASE + REGS_EIP

mode_back:
	mov	$KERNEL_DS, %eax
	mov	%eax, %ds
	mov	%eax, %es
	mov	%eax, %ss
	mov	$mode_stack_top, %esp
	mov	%cr0, %eax
	and	$~CR0_PG, %eax
	mov	%eax, %cr0
	mov	mode_saved_cr4, %eax
	mov	%eax, %cr4
	mov	$boot_pml4, %eax
	mov	%eax, %cr3
	mov	$MSR_EFER, %ecx
	rdmsr
	or	$EFER_LME, %eax
	wrmsr
	mov	%cr0, %eax
	or	$CR0_PG, %eax
	mov	%eax, %cr0
	ljmp	$KERNEL_CS, $1f
	.code64
1:	mov	$KERNEL_DS, %eax
	mov	%eax, %ss
	xor	%eax, %eax
	mov	%eax, %fs
	mov	%eax, %gs
	mov	mode_saved_rsp, %rsp
	pop	%r15
	pop	%r14
	pop	%r13
	pop	%r12
	pop	%rbp
	pop	%rbx
	ret

	/* Copied to LOW_BASE; struct mode_regs comes first. All 16-bit modes
	 * run it in the segment LOW_SEGMENT. */
	.section .rodata
	.globl	low_blob, low_blob_end, low_enter, low_slot
	.globl	low_stubs, low_stubs_16
	.code16
	.balign	16
low_blob:
	.fill	5, 4, 0
low_enter:
	movl	%cs:OFF(low_blob) + REGS_EAX, %eax
	movl	%cs:OFF(low_blob) + REGS_ECX, %ecx
	movl	%cs:OFF(low_blob) + REGS_EDX, %edx
low_slot:
	.fill	16, 1, 0x90
	int	$VECTOR_RETURN

low_real:
	mov	$KERNEL_DS16, %ax
	mov	%ax, %ds
	mov	%ax, %es
	mov	%ax, %ss
	mov	%ax, %fs
	mov	%ax, %gs
	mov	%cr0, %eax
	and	$~CR0_PE, %al
	mov	%eax, %cr0
	ljmp	$LOW_SEGMENT, $OFF(1f)
1:	mov	$LOW_SEGMENT, %ax
	mov	%ax, %ds
	mov	%ax, %es
	mov	%ax, %ss
	mov	%ax, %fs
	mov	%ax, %gs
	mov	$LOW_ORIGIN + LOW_BYTES, %sp
	outb	%al, $PORT_POST
	jmp	low_enter

	/* Where the real-mode vectors point. */
	.balign	8
low_stubs:
	.set	vector, 0
	.rept	STUB_VECTORS
	push	$vector
	jmp	low_trap
	.balign	8
	.set	vector, vector + 1
	.endr
	push	$VECTOR_RETURN
low_trap:
	movl	%eax, %cs:OFF(low_blob) + REGS_EAX
	movl	%ecx, %cs:OFF(low_blob) + REGS_ECX
	movl	%edx, %cs:OFF(low_blob) + REGS_EDX
	pop	%ax
	cmp	$VECTOR_RETURN, %ax
	je	1f
	mov	%ax, %cs:OFF(low_blob) + REGS_VECTOR
	pop	%ax
	mov	%ax, %cs:OFF(low_blob) + REGS_EIP
1:	mov	%cr0, %eax
	or	$CR0_PE, %al
	mov	%eax, %cr0
	ljmpl	$KERNEL_CS32, $mode_back

	/* Where the 16-bit gates point. */
	.balign	8
low_stubs_16:
	.set	vector, 0
	.rept	STUB_VECTORS
	push	$vector
	jmp	low_trap_16
	.balign	8
	.set	vector, vector + 1
	.endr
	push	$VECTOR_RETURN
low_trap_16:
	pushl	%eax
	mov	$KERNEL_DS, %ax
	mov	%ax, %ds
	popl	%eax
	movl	%eax, LOW_BASE + REGS_EAX
	movl	%ecx, LOW_BASE + REGS_ECX
	movl	%edx, LOW_BASE + REGS_EDX
	pop	%ax
	cmp	$VECTOR_RETURN, %ax
	je	2f
	mov	%ax, LOW_BASE + REGS_VECTOR
	movzwl	%ax, %eax
	movl	$WITH_ERROR_CODE, %edx
	btl	%eax, %edx
	jnc	1f
	pop	%ax
1:	pop	%ax
	mov	%ax, LOW_BASE + REGS_EIP
2:	ljmpl	$KERNEL_CS32, $mode_back
low_blob_end:

	.bss
	.balign	16
	.globl	mode_cr0, mode_cr3, mode_cr4, mode_is_real
	.globl	mode_cs, mode_eip, mode_eflags, mode_esp
	.globl	mode_ss, mode_stack_top
mode_saved_rsp:
	.skip	8
mode_saved_cr4:
	.skip	4
mode_cr0:
	.skip	4
mode_cr3:
	.skip	4
mode_cr4:
	.skip	4
mode_is_real:
	.skip	4
mode_cs:
	.skip	4
mode_eip:
	.skip	4
mode_eflags:
	.skip	4
mode_ss:
	.skip	4
mode_esp:
	.skip	4
	.balign	16
	.skip	4096
mode_stack_top:

	.section .note.GNU-stack, "", @progbits
