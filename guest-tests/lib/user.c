// SPDX-License-Identifier: Apache-2.0
/* Running a function at CPL 3 in long mode. */
#include "lib/user.h"

#include "lib/idt.h"
#include "lib/msr.h"
#include "lib/rdpmc.h"

#define MSR_STAR 0xc0000081
#define MSR_LSTAR 0xc0000082
#define MSR_FMASK 0xc0000084

extern void (*user_function)(void);
extern void (*user_stub)(void);
extern u64 user_cs;
void user_return(void);
void user_stub_int(void);
void user_stub_syscall(void);
void user_stub_compat(void);

static void prepare_syscall(void)
{
	user_stub = user_stub_syscall;
	wrmsr(MSR_EFER, rdmsr(MSR_EFER) | EFER_SCE);
	wrmsr(MSR_STAR, (u64)KERNEL_CS << 32);
	wrmsr(MSR_LSTAR, (u64)user_return);
	wrmsr(MSR_FMASK, FLAG_TF | FLAG_IF | FLAG_DF);
}

void user_prepare(void (*fn)(void), enum user_exit how)
{
	user_function = fn;
	user_cs = how == USER_COMPAT ? USER_CS32 : USER_CS;
	if (how == USER_EXIT_SYSCALL) {
		prepare_syscall();
		return;
	}
	user_stub = how == USER_COMPAT ? user_stub_compat : user_stub_int;
	idt_gate_set(VECTOR_RETURN, user_return, 3);
}

void user_call(void (*fn)(void), enum user_exit how)
{
	user_prepare(fn, how);
	user_enter();
}

static struct {
	u32 index, vector;
	u64 *value;
} read;

static void read_as_user(void)
{
	read.vector = rdpmc_safe(read.index, read.value);
}

u32 user_rdpmc(u32 index, u64 *value)
{
	read.index = index;
	read.value = value;
	user_call(read_as_user, USER_EXIT_INT);
	return read.vector;
}
