/* SPDX-License-Identifier: Apache-2.0 */
/* vpmu/kvm/decode.c: classes of instructions, by hand from SDM 2. */
#include <CUnit/CUnit.h>
#include <stdio.h>
#include <string.h>

#include "tests/kvm_harness.h"
#include "tests/suites.h"

#define CODE 0x4000u
#define B VPMU_OCCURS(VPMU_MEAN_BRANCHES)
#define T (B | VPMU_OCCURS(VPMU_MEAN_TAKEN_BRANCHES))

static struct kvm_harness h;

struct vector {
	int line;
	const char *bytes;
	uint8_t size, len;
	uint64_t rflags, rcx;
	uint32_t occurred;
	uint8_t flags;
	int16_t vector;
};

/* clang-format off */
static const struct vector long_vectors[] = {
	{ __LINE__, "\x90", 1, 1, 0, 0, 0, 0, -1 },
	{ __LINE__, "\x74\x00", 2, 2, RFLAGS_ZF, 0, T, INSN_BRANCH, -1 },
	{ __LINE__, "\x74\x00", 2, 2, 0, 0, B, INSN_BRANCH, -1 },
	{ __LINE__, "\x75\x10", 2, 2, 0, 0, T, INSN_BRANCH, -1 },
	{ __LINE__, "\x0f\x8c\x10\0\0\0", 6, 6, RFLAGS_SF, 0, T, INSN_BRANCH, -1 },
	{ __LINE__, "\x7c\x10", 2, 2, RFLAGS_SF | RFLAGS_OF, 0, B, INSN_BRANCH, -1 },
	{ __LINE__, "\x7f\x10", 2, 2, 0, 0, T, INSN_BRANCH, -1 },
	{ __LINE__, "\x76\x10", 2, 2, RFLAGS_CF, 0, T, INSN_BRANCH, -1 },
	{ __LINE__, "\x7b\x10", 2, 2, RFLAGS_PF, 0, B, INSN_BRANCH, -1 },
	{ __LINE__, "\xe2\xfe", 2, 2, 0, 2, T, INSN_BRANCH, -1 },
	{ __LINE__, "\xe2\xfe", 2, 2, 0, 1, B, INSN_BRANCH, -1 },
	{ __LINE__, "\xe2\xfe", 2, 2, 0, 0x100000001, T, INSN_BRANCH, -1 },
	{ __LINE__, "\x67\xe2\xfd", 3, 3, 0, 0x100000001, B, INSN_BRANCH, -1 },
	{ __LINE__, "\xe1\xfe", 2, 2, RFLAGS_ZF, 5, T, INSN_BRANCH, -1 },
	{ __LINE__, "\xe0\xfe", 2, 2, RFLAGS_ZF, 5, B, INSN_BRANCH, -1 },
	{ __LINE__, "\xe3\x00", 2, 2, 0, 0, T, INSN_BRANCH, -1 },
	{ __LINE__, "\xe3\x00", 2, 2, 0, 1, B, INSN_BRANCH, -1 },
	{ __LINE__, "\xeb\x00", 2, 2, 0, 0, T, INSN_BRANCH, -1 },
	{ __LINE__, "\xe8\0\0\0\0", 5, 5, 0, 0, T, INSN_BRANCH, -1 },
	{ __LINE__, "\xff\xd0", 2, 2, 0, 0, T, INSN_BRANCH, -1 },
	{ __LINE__, "\xc3", 1, 1, 0, 0, T, INSN_BRANCH, -1 },
	{ __LINE__, "\xcd\x50", 2, 2, 0, 0, T, INSN_BRANCH | INSN_ENTERS, 0x50 },
	{ __LINE__, "\xcc", 1, 1, 0, 0, T, INSN_BRANCH | INSN_ENTERS, 3 },
	{ __LINE__, "\x48\xcf", 2, 2, 0, 0, T, INSN_BRANCH, -1 },
	{ __LINE__, "\xf3\xa4", 2, 2, 0, 5, 0, 0, -1 },
	{ __LINE__, "\xf3\x90", 2, 2, 0, 0, 0, 0, -1 },
	{ __LINE__, "\x0f\x33", 2, 2, 0, 0, 0, INSN_RDPMC, -1 },
	{ __LINE__, "\x66\x48\x0f\x33", 4, 4, 0, 0, 0, INSN_RDPMC, -1 },
	{ __LINE__, "\xf0\x0f\x33", 3, 0, 0, 0, 0, 0, 6 },
	{ __LINE__, "\x8e\xd0", 2, 2, 0, 0, 0, INSN_LOADS_SS, -1 },
	{ __LINE__, "\x8e\xd8", 2, 2, 0, 0, 0, 0, -1 },
	{ __LINE__, "\x9d", 1, 1, 0, 0, 0, 0, -1 },
	{ __LINE__, "\xf4", 1, 1, 0, 0, 0, INSN_HLT, -1 },
	{ __LINE__, "\xf7\xf1", 2, 2, 0, 0, 0, 0, 0 },
	{ __LINE__, "\x0f\x0b", 2, 2, 0, 0, 0, 0, 6 },
	{ __LINE__, "\x0f\x23\xf8", 3, 3, 0, 0, 0, INSN_WRITES_DR, -1 },
	{ __LINE__, "\x0f\x05", 2, 2, 0, 0, T, INSN_BRANCH | INSN_ENTERS | INSN_FLAGS_TO_R11, -1 },
	{ __LINE__, "\x06", 1, 0, 0, 0, 0, 0, 6 },
};
/* clang-format on */

static void classes(void)
{
	for (size_t i = 0; i < sizeof(long_vectors) / sizeof(*long_vectors);
	     i++) {
		const struct vector *t = &long_vectors[i];
		struct insn insn = { .rip = CODE };
		char text[64];

		kvm_harness_init(&h);
		kvm_harness_long(&h);
		memset(h.ram + CODE, 0xcc, 16);
		kvm_harness_put(&h, CODE, t->bytes, t->size);
		h.run.s.regs.regs.rflags = t->rflags;
		h.run.s.regs.sregs.efer |= EFER_SCE;
		h.run.s.regs.regs.rcx = t->rcx;
		vpmu_kvm_decode(&h.v, &insn);
		snprintf(text, sizeof(text), "vector at line %d", t->line);
		CU_assertImplementation(insn.len == t->len &&
						insn.occurred == t->occurred &&
						insn.flags == t->flags &&
						insn.vector == t->vector,
					__LINE__, text, __FILE__, "", CU_FALSE);
		if (t->len)
			CU_ASSERT_EQUAL(insn.next, CODE + t->len);
	}
}

static bool to_itself(const char *bytes, size_t len)
{
	struct insn insn = { .rip = CODE };

	kvm_harness_init(&h);
	kvm_harness_long(&h);
	kvm_harness_put(&h, CODE, bytes, len);
	vpmu_kvm_decode(&h.v, &insn);
	return insn.to_itself;
}

static void self_branches(void)
{
	CU_ASSERT_TRUE(to_itself("\xeb\xfe", 2));
	CU_ASSERT_TRUE(to_itself("\xe2\xfe", 2));
	CU_ASSERT_TRUE(to_itself("\xe9\xfb\xff\xff\xff", 5));
	CU_ASSERT_FALSE(to_itself("\xeb\xfd", 2));
	CU_ASSERT_FALSE(to_itself("\xff\xe0", 2));
	CU_ASSERT_FALSE(to_itself("\x90", 1));
}

/* 06H is PUSH ES in 16- and 32-bit code, nothing in 64-bit code. */
static void mode_decides(void)
{
	struct insn insn = { .rip = CODE };

	kvm_harness_init(&h);
	kvm_harness_protected(&h);
	h.ram[CODE] = 0x06;
	vpmu_kvm_decode(&h.v, &insn);
	CU_ASSERT_EQUAL(insn.len, 1);
}

/* IP wraps in 16 bits, CS counts: real mode. */
static void real_mode_wraps(void)
{
	struct insn insn = { .rip = 0xffff };

	kvm_harness_init(&h);
	h.run.s.regs.sregs.cs.base = 0;
	h.ram[0xffff] = 0x90;
	vpmu_kvm_decode(&h.v, &insn);
	CU_ASSERT_EQUAL(insn.len, 1);
	CU_ASSERT_EQUAL(insn.next, 0);
}

static void popped_flags(void)
{
	struct insn insn = { .rip = CODE };

	kvm_harness_init(&h);
	kvm_harness_long(&h);
	h.run.s.regs.regs.rsp = 0x5000;
	kvm_harness_put64(&h, 0x5000, RFLAGS_TF);
	h.ram[CODE] = 0x9d;
	vpmu_kvm_decode(&h.v, &insn);
	CU_ASSERT_EQUAL(insn.new_tf, TF_SET);
	kvm_harness_put(&h, CODE, "\x48\xcf", 2); /* IRETQ: flags at +16 */
	insn = (struct insn){ .rip = CODE };
	vpmu_kvm_decode(&h.v, &insn);
	CU_ASSERT_EQUAL(insn.new_tf, TF_CLEAR);
	kvm_harness_put64(&h, 0x5010, RFLAGS_TF);
	insn = (struct insn){ .rip = CODE };
	vpmu_kvm_decode(&h.v, &insn);
	CU_ASSERT_EQUAL(insn.new_tf, TF_SET);
}

static CU_TestInfo tests[] = {
	{ "classes of 64-bit instructions", classes },
	{ "branches to themselves", self_branches },
	{ "the code segment decides the mode", mode_decides },
	{ "IP wraps at 16 bits in real mode", real_mode_wraps },
	{ "POPF and IRET: TF from the stack", popped_flags },
	CU_TEST_INFO_NULL,
};

CU_SuiteInfo suite_kvm_decode = { .pName = "kvm/decode", .pTests = tests };
