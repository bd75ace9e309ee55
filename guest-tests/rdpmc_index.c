// SPDX-License-Identifier: Apache-2.0
/* Which ECX selects a counter, and that all others fault. */
#include "lib/main.h"
#include "lib/pmu.h"
#include "lib/rdpmc.h"
#include "lib/report.h"

/* Low halves (Intel: the counter's number) around every limit there is. */
static const u32 numbers[] = {
	0,  1,	2,   3,	  4,   5,   6,	    7,	    8,	    9,
	10, 11, 12,  13,  14,  15,  16,	    17,	    26,	    27,
	28, 29, 30,  31,  32,  33,  47,	    63,	    64,	    65,
	95, 96, 127, 128, 255, 256, 0x7fff, 0x8000, 0xfffe, 0xffff,
};

/* High halves: Intel's types, their neighbours, each bit alone. */
static const u32 types[] = {
	0x0000, 0x0001, 0x0002, 0x0004, 0x0008, 0x0010, 0x0020, 0x0040, 0x0080,
	0x0100, 0x0200, 0x0400, 0x0800, 0x1000, 0x1fff, 0x2000, 0x2001, 0x3000,
	0x3fff, 0x4000, 0x4001, 0x6000, 0x7fff, 0x8000, 0xa000, 0xc000, 0xffff,
};

static void check(struct sweep *sweep, u32 ecx)
{
	u32 want = pmu_rdpmc_valid(ecx) ? 0 : VECTOR_GP;
	u64 value;
	u32 got = rdpmc_safe(ecx, &value);

	sweep_note(sweep, got == want, "rdpmc(%xh): %s, want %s", ecx,
		   got ? vector_name(got) : "a value",
		   want ? vector_name(want) : "a value");
}

static void check_numbers(u32 type)
{
	struct sweep sweep = { 0 };

	for (size_t i = 0; i < ARRAY_SIZE(numbers); i++)
		check(&sweep, type << 16 | numbers[i]);
	sweep_report(&sweep, "rdpmc_index: type %04xh", type);
}

/* Every counter there is, also where the numbers above have holes. */
static void check_all_valid(void)
{
	struct sweep sweep = { 0 };

	for (u32 n = 0; n < 32; n++) {
		check(&sweep, n);
		check(&sweep, RDPMC_FIXED + n);
	}
	sweep_report(&sweep, "rdpmc_index: 0-31 of both kinds");
}

/* The fast-read bit exists on no processor with a version number, and not on
 * AMD's. */
static void check_fast(void)
{
	u64 value;

	report_vector(rdpmc_safe(RDPMC_FAST, &value), VECTOR_GP,
		      "rdpmc_index: the fast-read bit faults");
	report_vector(rdpmc_safe(RDPMC_FAST | RDPMC_FIXED, &value), VECTOR_GP,
		      "rdpmc_index: the fast-read bit with type 4000h faults");
}

/* RCX bits 63:32 play no role, neither for good indices nor for bad ones. */
static void check_rcx_high(u32 ecx)
{
	static const u64 highs[] = { 1, 0x40000000, 0x80000000, 0xffffffff };
	u32 want = pmu_rdpmc_valid(ecx) ? 0 : VECTOR_GP;
	struct sweep sweep = { 0 };

	for (size_t i = 0; i < ARRAY_SIZE(highs); i++) {
		u64 rcx = highs[i] << 32 | ecx;
		struct rdpmc_regs regs = { .rcx = rcx };
		u32 got = rdpmc_regs(&regs);

		sweep_note(&sweep, got == want && regs.rcx == rcx,
			   "rcx=%lxh: %s, rcx=%lxh", rcx, vector_name(got),
			   regs.rcx);
	}
	sweep_report(&sweep, "rdpmc_index: rcx bits 63:32 ignored, ecx=%xh",
		     ecx);
}

void test_main(void)
{
	for (size_t i = 0; i < ARRAY_SIZE(types); i++)
		check_numbers(types[i]);
	check_all_valid();
	check_fast();
	check_rcx_high(0);
	check_rcx_high(RDPMC_FIXED);
	check_rcx_high(0x1234);
}
