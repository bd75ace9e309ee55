/* SPDX-License-Identifier: Apache-2.0 */
/* The 256 long-mode exception and interrupt entries. */
	.text
	.code64

	/* Vectors for which the CPU pushes an error code: 8, 10-14, 17, 21,
	 * 29, 30. The others get a 0, so that all frames are alike. */
	.set	vector, 0
	.rept	256
	.balign	16
	.if	vector == 0
	.globl	entry_stubs
entry_stubs:
	.endif
	.if	!(vector == 8 || (vector >= 10 && vector <= 14) || \
		  vector == 17 || vector == 21 || vector == 29 || vector == 30)
	push	$0
	.endif
	push	$vector
	jmp	entry_common
	.set	vector, vector + 1
	.endr

entry_common:
	push	%r15
	push	%r14
	push	%r13
	push	%r12
	push	%r11
	push	%r10
	push	%r9
	push	%r8
	push	%rdi
	push	%rsi
	push	%rbp
	push	%rbx
	push	%rdx
	push	%rcx
	push	%rax
	mov	%rsp, %rdi
	cld
	call	idt_dispatch
	pop	%rax
	pop	%rcx
	pop	%rdx
	pop	%rbx
	pop	%rbp
	pop	%rsi
	pop	%rdi
	pop	%r8
	pop	%r9
	pop	%r10
	pop	%r11
	pop	%r12
	pop	%r13
	pop	%r14
	pop	%r15
	add	$16, %rsp
	iretq

	.section .note.GNU-stack, "", @progbits
