/* SPDX-License-Identifier: Apache-2.0 */
/* One instruction with every register but RSP loaded and stored. */
	.text
	.code64

	.macro	REGS_RUN name, insn
	.globl	\name
\name:
	push	%rbx
	push	%rbp
	push	%r12
	push	%r13
	push	%r14
	push	%r15
	mov	%rdi, regs_pointer
	movl	$0, fault
	push	120(%rdi)
	mov	(%rdi), %rax
	mov	8(%rdi), %rcx
	mov	16(%rdi), %rdx
	mov	24(%rdi), %rbx
	mov	32(%rdi), %rbp
	mov	40(%rdi), %rsi
	mov	56(%rdi), %r8
	mov	64(%rdi), %r9
	mov	72(%rdi), %r10
	mov	80(%rdi), %r11
	mov	88(%rdi), %r12
	mov	96(%rdi), %r13
	mov	104(%rdi), %r14
	mov	112(%rdi), %r15
	mov	48(%rdi), %rdi
	popfq
1:	\insn
2:	jmp	regs_store
	.section .ex_table, "a"
	.quad	1b, 2b
	.text
	.endm

	REGS_RUN regs_rdpmc, rdpmc
	REGS_RUN regs_rdmsr, rdmsr
	REGS_RUN regs_wrmsr, wrmsr

regs_store:
	mov	%rdi, regs_rdi
	mov	regs_pointer, %rdi
	pushfq
	pop	120(%rdi)
	mov	%rax, (%rdi)
	mov	%rcx, 8(%rdi)
	mov	%rdx, 16(%rdi)
	mov	%rbx, 24(%rdi)
	mov	%rbp, 32(%rdi)
	mov	%rsi, 40(%rdi)
	mov	regs_rdi, %rax
	mov	%rax, 48(%rdi)
	mov	%r8, 56(%rdi)
	mov	%r9, 64(%rdi)
	mov	%r10, 72(%rdi)
	mov	%r11, 80(%rdi)
	mov	%r12, 88(%rdi)
	mov	%r13, 96(%rdi)
	mov	%r14, 104(%rdi)
	mov	%r15, 112(%rdi)
	cld
	pop	%r15
	pop	%r14
	pop	%r13
	pop	%r12
	pop	%rbp
	pop	%rbx
	ret

	.bss
	.balign	8
regs_pointer:
	.skip	8
regs_rdi:
	.skip	8

	.section .note.GNU-stack, "", @progbits
