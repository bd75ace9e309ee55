// SPDX-License-Identifier: Apache-2.0
/* RDPMC behind prefixes: they change nothing, but its length; LOCK is #UD. */
#include "lib/main.h"
#include "lib/pmu.h"
#include "lib/report.h"
#include "lib/snippet.h"

#define INDEX_BAD 0x1234
#define MAX_PREFIXES 14
/* The processor's limit on the length of an instruction. */
#define MAX_INSTRUCTION 15

/* clang-format off */
static const struct {
	const char *name;
	u8 prefixes[MAX_PREFIXES];
	u32 count;
	bool lock;
} cases[] = {
	{ "none", { 0 }, 0, false },
	{ "66", { 0x66 }, 1, false },
	{ "67", { 0x67 }, 1, false },
	{ "F2", { 0xf2 }, 1, false },
	{ "F3", { 0xf3 }, 1, false },
	{ "CS", { 0x2e }, 1, false },
	{ "SS", { 0x36 }, 1, false },
	{ "DS", { 0x3e }, 1, false },
	{ "ES", { 0x26 }, 1, false },
	{ "FS", { 0x64 }, 1, false },
	{ "GS", { 0x65 }, 1, false },
	{ "REX", { 0x40 }, 1, false },
	{ "REX.W", { 0x48 }, 1, false },
	{ "REX.WRXB", { 0x4f }, 1, false },
	{ "66 REX.W", { 0x66, 0x48 }, 2, false },
	{ "REX.W 66", { 0x48, 0x66 }, 2, false },
	{ "67 66 F3 GS REX.W", { 0x67, 0x66, 0xf3, 0x65, 0x48 }, 5, false },
	{ "13 times 66", { 0x66, 0x66, 0x66, 0x66, 0x66, 0x66, 0x66, 0x66,
			   0x66, 0x66, 0x66, 0x66, 0x66 }, 13, false },
	{ "14 times 66: too long", { 0x66, 0x66, 0x66, 0x66, 0x66, 0x66, 0x66,
			   0x66, 0x66, 0x66, 0x66, 0x66, 0x66, 0x66 }, 14, false },
	{ "LOCK", { 0xf0 }, 1, true },
	{ "66 LOCK", { 0x66, 0xf0 }, 2, true },
	{ "LOCK REX.W", { 0xf0, 0x48 }, 2, true },
};
/* clang-format on */

static u8 code[32];

static u32 expected(size_t i, u32 index)
{
	if (cases[i].count + 2 > MAX_INSTRUCTION)
		return VECTOR_GP;
	if (cases[i].lock)
		return VECTOR_UD;
	return pmu_rdpmc_valid(index) ? 0 : VECTOR_GP;
}

static void check(size_t i, u32 index)
{
	u32 n = cases[i].count;
	u32 want = expected(i, index);
	struct rdpmc_regs regs = { .rax = 1, .rcx = index, .rdx = 2 };
	u32 got;

	/* INT3 everywhere else: a wrong length does not go unseen. */
	memset(code, SNIPPET_INT3, sizeof(code));
	memcpy(code, cases[i].prefixes, n);
	code[n] = 0x0f;
	code[n + 1] = 0x33;
	code[n + 2] = SNIPPET_RET;
	got = snippet_call(code, &regs);
	report_vector(got, want, "rdpmc_prefixed: %s, rdpmc(%xh)",
		      cases[i].name, index);
	if (got != want)
		return;
	if (got)
		report(regs.rax == 1 && regs.rdx == 2 &&
			       fault.frame.rip == (u64)code,
		       "rdpmc_prefixed: %s, state at the fault", cases[i].name);
	else
		report(!regs.rax && !regs.rdx && regs.rcx == index,
		       "rdpmc_prefixed: %s, value of a stopped counter",
		       cases[i].name);
}

void test_main(void)
{
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		check(i, 0);
		check(i, INDEX_BAD);
	}
}
