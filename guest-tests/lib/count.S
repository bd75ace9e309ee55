/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Counting a block between two WRMSRs: the first starts the counter and is not
 * counted itself, the second stops it and is. lib/counter.h states how many
 * instructions this adds to the block. And the blocks.
 */
	.text
	.code64

	/* count_run(ctl, start, block) */
	.globl	count_run
count_run:
	push	%rbx
	push	%rbp
	mov	%edi, %ebp
	mov	%rdx, %rbx
	mov	%edi, %ecx
	mov	%esi, %eax
	mov	%rsi, %rdx
	shr	$32, %rdx
	wrmsr
	call	*%rbx
	mov	%ebp, %ecx
	xor	%eax, %eax
	xor	%edx, %edx
	wrmsr
	pop	%rbp
	pop	%rbx
	ret

	/* count_read_rdpmc(ctl, start, block, index): the counter as RDPMC sees
	 * it after the block, while it runs. */
	.macro	COUNT_READ name, insn
	.globl	\name
\name:
	push	%rbx
	push	%rbp
	push	%r12
	mov	%edi, %ebp
	mov	%rdx, %rbx
	mov	%ecx, %r12d
	mov	%edi, %ecx
	mov	%esi, %eax
	mov	%rsi, %rdx
	shr	$32, %rdx
	wrmsr
	call	*%rbx
	mov	%r12d, %ecx
	\insn
	shl	$32, %rdx
	lea	(%rdx, %rax), %rbx
	mov	%ebp, %ecx
	xor	%eax, %eax
	xor	%edx, %edx
	wrmsr
	mov	%rbx, %rax
	pop	%r12
	pop	%rbp
	pop	%rbx
	ret
	.endm

	COUNT_READ count_read_rdpmc, rdpmc
	COUNT_READ count_read_rdmsr, rdmsr

	/* count_write(ctl, start, msr, value): write another register while
	 * the counter runs. */
	.globl	count_write
count_write:
	push	%rbx
	push	%rbp
	mov	%edi, %ebp
	mov	%edx, %ebx
	mov	%rcx, %r8
	mov	%edi, %ecx
	mov	%esi, %eax
	mov	%rsi, %rdx
	shr	$32, %rdx
	wrmsr
	nop
	mov	%ebx, %ecx
	mov	%r8d, %eax
	mov	%r8, %rdx
	shr	$32, %rdx
	wrmsr
	nop
	nop
	mov	%ebp, %ecx
	xor	%eax, %eax
	xor	%edx, %edx
	wrmsr
	pop	%rbp
	pop	%rbx
	ret

	/* The blocks may use RAX, RCX, RDX, RSI, RDI, R8-R11. How much each
	 * counts, RET included, is told by the table in counter.c. */
	.globl	block_empty, block_nops, block_branches, block_loop
	.globl	block_calls, block_rep, block_mixed
block_empty:
	ret

block_nops:
	.fill	10, 1, 0x90
	ret

	/* Conditional branches taken and not, jumps direct and indirect. */
block_branches:
	xor	%eax, %eax
	jz	1f
	nop
1:	jnz	2f
	jc	2f
	jmp	2f
	nop
2:	lea	3f, %rdx
	jmp	*%rdx
	nop
3:	mov	$1, %ecx
	jrcxz	4f
	dec	%ecx
	jrcxz	4f
	nop
4:	ret

block_loop:
	mov	$20, %ecx
1:	nop
	loop	1b
	ret

block_calls:
	call	1f
	lea	1f, %rdx
	call	*%rdx
	ret
1:	ret

block_rep:
	lea	block_rep_from, %rsi
	lea	block_rep_to, %rdi
	mov	$100, %ecx
	rep movsb
	lea	block_rep_to, %rdi
	mov	$25, %ecx
	xor	%eax, %eax
	rep stosl
	xor	%ecx, %ecx
	rep stosb
	ret

	/* Prefixed, long, stack, flag and memory instructions. */
block_mixed:
	push	%rbx
	movabs	$0x123456789abcdef0, %rax
	mov	%rax, block_rep_to
	lock addl $1, block_rep_to
	mov	%fs, %edx
	bswap	%rax
	pushfq
	popfq
	xchg	%rax, %rdx
	imul	%rdx, %rax
	lea	1f, %rdx
	cmp	%rdx, %rdx
	cmove	%rdx, %rax
1:	pop	%rbx
	ret

	.bss
block_rep_from:
	.skip	100
block_rep_to:
	.skip	100

	.section .note.GNU-stack, "", @progbits
