// SPDX-License-Identifier: Apache-2.0
/* Who may execute RDPMC in long mode: CPL and CR4.PCE. */
#include "lib/control.h"
#include "lib/main.h"
#include "lib/pmu.h"
#include "lib/rdpmc.h"
#include "lib/report.h"
#include "lib/user.h"

#define INDEX_BAD 0x1234

static u32 expected(u32 index, bool allowed)
{
	return allowed && pmu_rdpmc_valid(index) ? 0 : VECTOR_GP;
}

/* One RDPMC for both privilege levels of 64-bit code, one for 32-bit code. */
static struct rdpmc_regs long_regs;
u32 compat_eax, compat_ecx, compat_edx;
void compat_rdpmc(void);

static void long_rdpmc(void)
{
	(void)rdpmc_regs(&long_regs);
}

asm("	.code32\n"
    "compat_rdpmc:\n"
    "	mov compat_ecx, %ecx\n"
    "1:	rdpmc\n"
    "2:	" EX_TABLE(1b, 2b) "	mov %eax, compat_eax\n"
			   "	mov %edx, compat_edx\n"
			   "	ret\n"
			   "	.code64\n");

static void check_long(u32 index, bool user, bool pce)
{
	u32 want = expected(index, !user || pce);

	pce_set(pce);
	long_regs = (struct rdpmc_regs){ .rcx = index };
	if (user)
		user_call(long_rdpmc, USER_EXIT_INT);
	else
		long_rdpmc();
	report_vector(fault.vector, want,
		      "rdpmc_priv: 64-bit mode, CPL %u, PCE %u, rdpmc(%xh)",
		      user ? 3 : 0, pce, index);
}

static void check_compat(u32 index, bool pce)
{
	u32 want = expected(index, pce);

	pce_set(pce);
	fault_clear();
	compat_ecx = index;
	user_call(compat_rdpmc, USER_COMPAT);
	report_vector(fault.vector, want,
		      "rdpmc_priv: compatibility mode, PCE %u, rdpmc(%xh)", pce,
		      index);
	report(fault.vector || (!compat_eax && !compat_edx),
	       "rdpmc_priv: a stopped counter's value there");
}

void test_main(void)
{
	for (u32 bits = 0; bits < 8; bits++)
		check_long(bits & 1 ? INDEX_BAD : 0, bits & 2, bits & 4);
	for (u32 bits = 0; bits < 4; bits++)
		check_compat(bits & 1 ? INDEX_BAD : 0, bits & 2);
	pce_set(false);
}
