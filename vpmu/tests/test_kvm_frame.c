/* SPDX-License-Identifier: Apache-2.0 */
/* vpmu/kvm/frame.c: gates and frames of each mode, laid out by hand. */
#include <CUnit/CUnit.h>
#include <string.h>

#include "tests/kvm_harness.h"
#include "tests/suites.h"

#define IDT 0x2000u
#define SP 0x5000u

static struct kvm_harness h;
static struct kvm_sync_regs *const r = &h.run.s.regs;

static void start(void (*mode)(struct kvm_harness *h))
{
	kvm_harness_init(&h);
	if (mode)
		mode(&h);
	r->regs.rsp = SP;
	r->regs.rip = 0x3000;
	r->regs.rflags = RFLAGS_FIXED;
}

static void push64(const uint64_t *words, size_t n)
{
	kvm_harness_put(&h, SP, words, n * sizeof(*words));
}

static void push32(const uint32_t *words, size_t n)
{
	kvm_harness_put(&h, SP, words, n * sizeof(*words));
}

static bool unwind(struct frame *f)
{
	struct kvm_segment cs;

	return vpmu_kvm_frame_read(&h.v, VECTOR_GP, f) &&
	       vpmu_kvm_frame_cs(&h.v, f, &cs) &&
	       vpmu_kvm_frame_unwind(&h.v, f, &cs);
}

static void gates(void)
{
	uint64_t linear;

	start(NULL);
	kvm_harness_put(&h, 13 * 4, "\x34\x12\x00\xf0", 4);
	CU_ASSERT_TRUE(vpmu_kvm_gate(&h.v, 13, &linear));
	CU_ASSERT_EQUAL(linear, 0xf1234);
	start(kvm_harness_protected);
	kvm_harness_put64(&h, IDT + 13 * 8, 0x56788e0000081234);
	CU_ASSERT_TRUE(vpmu_kvm_gate(&h.v, 13, &linear));
	CU_ASSERT_EQUAL(linear, 0x56781234);
	/* 16-bit gate: the upper half of the offset does not count. */
	kvm_harness_put64(&h, IDT + 13 * 8, 0x5678860000081234);
	CU_ASSERT_TRUE(vpmu_kvm_gate(&h.v, 13, &linear));
	CU_ASSERT_EQUAL(linear, 0x1234);
	start(kvm_harness_long);
	kvm_harness_put64(&h, IDT + 13 * 16, 0x56788e0000281234);
	kvm_harness_put64(&h, IDT + 13 * 16 + 8, 0xffffffff);
	CU_ASSERT_TRUE(vpmu_kvm_gate(&h.v, 13, &linear));
	CU_ASSERT_EQUAL(linear, 0xffffffff56781234);
}

static void bad_gates(void)
{
	uint64_t linear;

	start(kvm_harness_protected); /* not present */
	kvm_harness_put64(&h, IDT + 13 * 8, 0x00000e0000081234);
	CU_ASSERT_FALSE(vpmu_kvm_gate(&h.v, 13, &linear));
	kvm_harness_put64(&h, IDT + 13 * 8, 0x00008e0000f81234);
	CU_ASSERT_FALSE(vpmu_kvm_gate(&h.v, 13, &linear)); /* beyond GDT */
	kvm_harness_put64(&h, IDT + 13 * 8, 0x00008e0000081234);
	r->sregs.idt.limit = 13 * 8 + 6;
	CU_ASSERT_FALSE(vpmu_kvm_gate(&h.v, 13, &linear));
	r->sregs.idt.base = UINT64_MAX - 4;
	r->sregs.idt.limit = 0xffff;
	CU_ASSERT_FALSE(vpmu_kvm_gate(&h.v, 13, &linear));
}

static void long_same_cpl(void)
{
	static const uint64_t words[] = {
		0,	0x4000, 0x28, RFLAGS_FIXED | RFLAGS_RF | RFLAGS_IF,
		0x6000, 0x10
	};
	struct frame f;

	start(kvm_harness_long);
	push64(words, 6);
	CU_ASSERT_TRUE(unwind(&f));
	CU_ASSERT_EQUAL(r->regs.rip, 0x4000);
	CU_ASSERT_EQUAL(r->regs.rsp, 0x6000);
	CU_ASSERT_EQUAL(r->regs.rflags, RFLAGS_FIXED | RFLAGS_IF);
	CU_ASSERT_EQUAL(h.run.kvm_dirty_regs, KVM_SYNC_X86_REGS);
}

static void long_to_compatibility_cpl3(void)
{
	static const uint64_t words[] = { 0,	  0x4000, 0x1b, RFLAGS_FIXED,
					  0x6000, 0x23 };
	struct frame f;

	start(kvm_harness_long);
	push64(words, 6);
	CU_ASSERT_TRUE(unwind(&f));
	CU_ASSERT_EQUAL(r->sregs.cs.selector, 0x1b);
	CU_ASSERT_EQUAL(r->sregs.cs.dpl, 3);
	CU_ASSERT_EQUAL(r->sregs.cs.db, 1);
	CU_ASSERT_EQUAL(r->sregs.ss.dpl, 3);
	CU_ASSERT_EQUAL(vpmu_kvm_cpl(&h.v), 3);
	CU_ASSERT_TRUE(h.run.kvm_dirty_regs & KVM_SYNC_X86_SREGS);
}

static void long_null_ss(void)
{
	static const uint64_t words[] = { 0,	  0x4000, 0x28, RFLAGS_FIXED,
					  0x6000, 0 };
	struct frame f;

	start(kvm_harness_long);
	push64(words, 6);
	CU_ASSERT_TRUE(unwind(&f));
	CU_ASSERT_TRUE(r->sregs.ss.unusable);
	CU_ASSERT_EQUAL(r->sregs.ss.dpl, 0);
}

static void protected_same_cpl(void)
{
	static const uint32_t words[] = { 0, 0x4000, 0x08, 0x202 };
	struct frame f;

	start(kvm_harness_protected);
	kvm_harness_put64(&h, IDT + 13 * 8, 0x00008e0000083000);
	push32(words, 4);
	CU_ASSERT_TRUE(unwind(&f));
	CU_ASSERT_FALSE(f.outer);
	CU_ASSERT_EQUAL(r->regs.rsp, SP + 16);
	CU_ASSERT_EQUAL(r->regs.rflags, 0x202);
}

static void protected_outer(void)
{
	static const uint32_t words[] = {
		0, 0x4000, 0x1b, 0x202, 0x7000, 0x23
	};
	struct frame f;

	start(kvm_harness_protected);
	kvm_harness_put64(&h, IDT + 13 * 8, 0x00008e0000083000);
	push32(words, 6);
	CU_ASSERT_TRUE(unwind(&f));
	CU_ASSERT_EQUAL(r->regs.rsp, 0x7000);
	CU_ASSERT_EQUAL(vpmu_kvm_cpl(&h.v), 3);
}

/* A 16-bit gate pushes words; EFLAGS 31:16 stay. */
static void sixteen_bit_gate(void)
{
	static const uint16_t words[] = { 0, 0x4000, 0x08, 0x0202 };
	struct frame f;

	start(kvm_harness_protected);
	kvm_harness_put64(&h, IDT + 13 * 8, 0x0000860000083000);
	kvm_harness_put(&h, SP, words, sizeof(words));
	r->regs.rflags = RFLAGS_FIXED | RFLAGS_AC;
	CU_ASSERT_TRUE(unwind(&f));
	CU_ASSERT_EQUAL(r->regs.rsp, SP + 8);
	CU_ASSERT_EQUAL(r->regs.rflags, RFLAGS_AC | 0x202);
}

static void virtual_8086(void)
{
	static const uint32_t words[] = { 0,	  0x0010, 0x0400, 0x20202,
					  0xfffe, 0x0500, 0x11,	  0x22,
					  0x33,	  0x44 };
	struct frame f;

	start(kvm_harness_protected);
	kvm_harness_put64(&h, IDT + 13 * 8, 0x00008e0000083000);
	push32(words, 10);
	CU_ASSERT_TRUE(unwind(&f));
	CU_ASSERT_EQUAL(r->sregs.cs.base, 0x4000);
	CU_ASSERT_EQUAL(r->sregs.ss.base, 0x5000);
	CU_ASSERT_EQUAL(r->sregs.es.base, 0x110);
	CU_ASSERT_EQUAL(r->sregs.gs.selector, 0x44);
	CU_ASSERT_EQUAL(r->regs.rsp, 0xfffe);
	CU_ASSERT_TRUE(r->regs.rflags & RFLAGS_VM);
	CU_ASSERT_EQUAL(vpmu_kvm_cpl(&h.v), 3);
}

/* Real mode pushes no error code; SP wraps at 16 bits. */
static void real_mode(void)
{
	static const uint16_t ip = 0x0100, cs = 0x0400, flags = 0x0202;
	struct frame f;

	start(NULL);
	r->regs.rsp = 0xfffe;
	kvm_harness_put(&h, 0xfffe, &ip, 2);
	kvm_harness_put(&h, 0x0000, &cs, 2);
	kvm_harness_put(&h, 0x0002, &flags, 2);
	CU_ASSERT_TRUE(unwind(&f));
	CU_ASSERT_EQUAL(r->regs.rip, 0x100);
	CU_ASSERT_EQUAL(r->sregs.cs.base, 0x4000);
	CU_ASSERT_EQUAL(r->regs.rsp, 4);
}

/* What cannot be returned to is left to the guest's handler. */
static void refused(void)
{
	static const uint64_t bad_cs[] = { 0, 0x4000, 0x10, 2, 0x6000, 0x10 };
	static const uint64_t no_cs[] = { 0, 0x4000, 0xf8, 2, 0x6000, 0x10 };
	static const uint64_t bad_ss[] = { 0, 0x4000, 0x1b, 2, 0x6000, 0x10 };
	static const uint64_t null_ss3[] = { 0, 0x4000, 0x1b, 2, 0x6000, 3 };
	const uint64_t *const frames[] = { bad_cs, no_cs, bad_ss, null_ss3 };
	struct kvm_sync_regs before;
	struct frame f;

	for (size_t i = 0; i < sizeof(frames) / sizeof(*frames); i++) {
		start(kvm_harness_long);
		push64(frames[i], 6);
		before = *r;
		CU_ASSERT_FALSE(unwind(&f));
		CU_ASSERT_EQUAL(memcmp(&before, r, sizeof(before)), 0);
	}
	start(kvm_harness_long); /* the stack is not mapped */
	r->regs.rsp = 0x7fffff000000;
	CU_ASSERT_FALSE(unwind(&f));
}

static CU_TestInfo tests[] = {
	{ "gates of real, protected and long mode", gates },
	{ "absent, truncated and unreadable gates", bad_gates },
	{ "long mode, same CPL: SREGS untouched", long_same_cpl },
	{ "long mode to compatibility mode at CPL 3",
	  long_to_compatibility_cpl3 },
	{ "long mode, null SS at CPL 0", long_null_ss },
	{ "protected mode, same CPL", protected_same_cpl },
	{ "protected mode, outer CPL", protected_outer },
	{ "16-bit gate", sixteen_bit_gate },
	{ "virtual-8086 mode", virtual_8086 },
	{ "real mode, SP wraps", real_mode },
	{ "frames that IRET would refuse", refused },
	CU_TEST_INFO_NULL,
};

CU_SuiteInfo suite_kvm_frame = { .pName = "kvm/frame", .pTests = tests };
