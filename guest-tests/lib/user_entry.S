/* SPDX-License-Identifier: Apache-2.0 */
/* To CPL 3 and back. lib/user.h states how many instructions this takes. */
#include "lib/cpu.h"

	.text
	.code64
	.globl	user_enter, user_return
	.globl	user_stub_int, user_stub_syscall, user_stub_compat
user_enter:
	push	%rbx
	push	%rbp
	push	%r12
	push	%r13
	push	%r14
	push	%r15
	mov	%rsp, user_saved_rsp
	push	$USER_DS
	push	$user_stack_top
	push	$FLAG_ONE
	push	user_cs
	push	user_stub
	iretq
	/* Target of the VECTOR_RETURN gate and of SYSCALL. */
user_return:
	mov	user_saved_rsp, %rsp
	pop	%r15
	pop	%r14
	pop	%r13
	pop	%r12
	pop	%rbp
	pop	%rbx
	ret

user_stub_int:
	call	*user_function
	int	$VECTOR_RETURN

user_stub_syscall:
	call	*user_function
	syscall

	/* DS is null after IRET to CPL 3, which matters in 32-bit code only. */
	.code32
user_stub_compat:
	mov	$USER_DS, %eax
	mov	%eax, %ds
	call	*user_function
	int	$VECTOR_RETURN
	.code64

	.bss
	.balign	16
	.globl	user_stub, user_function, user_cs
user_cs:
	.skip	8
user_stub:
	.skip	8
user_function:
	.skip	8
user_saved_rsp:
	.skip	8
	.balign	16
	.skip	8192
user_stack_top:

	.section .note.GNU-stack, "", @progbits
