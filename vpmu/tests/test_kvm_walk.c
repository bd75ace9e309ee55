/* SPDX-License-Identifier: Apache-2.0 */
/* vpmu/kvm/walk.c: each paging mode, holes, and accesses across pages. */
#include <CUnit/CUnit.h>
#include <string.h>

#include "tests/kvm_harness.h"
#include "tests/suites.h"

static struct kvm_harness h;

static uint64_t read64(uint64_t linear)
{
	uint64_t value = 0;

	CU_ASSERT_TRUE(vpmu_kvm_read(&h.v, linear, &value, sizeof(value)));
	return value;
}

static void no_paging_is_physical(void)
{
	kvm_harness_init(&h);
	kvm_harness_put64(&h, 0x4008, 0x1122334455667788);
	CU_ASSERT_EQUAL(read64(0x4008), 0x1122334455667788);
	CU_ASSERT_EQUAL(read64(0x100004008), 0x1122334455667788);
}

/* SDM 3A, "32-Bit Paging": directory entry 1 -> table -> entry 2. */
static void two_levels(void)
{
	struct kvm_sregs *s = &h.run.s.regs.sregs;

	kvm_harness_init(&h);
	kvm_harness_put64(&h, 0x8004, 0x9001);
	kvm_harness_put64(&h, 0x9008, 0x4001);
	kvm_harness_put64(&h, 0x4010, 77);
	s->cr0 = CR0_PE | CR0_PG;
	s->cr3 = 0x8000;
	CU_ASSERT_EQUAL(read64(0x00402010), 77);
}

/* A 4 MiB page only with CR4.PSE; bits 39:32 of its address in 20:13. */
static void four_mib_page(void)
{
	struct kvm_sregs *s = &h.run.s.regs.sregs;
	uint64_t value;

	kvm_harness_init(&h);
	kvm_harness_put64(&h, 0x8004, 0x81);
	kvm_harness_put64(&h, 0x8008, 0x2081);
	kvm_harness_put64(&h, 0x4010, 78);
	s->cr0 = CR0_PE | CR0_PG;
	s->cr4 = CR4_PSE;
	s->cr3 = 0x8000;
	CU_ASSERT_EQUAL(read64(0x00404010), 78);
	CU_ASSERT_FALSE(vpmu_kvm_read(&h.v, 0x00804010, &value, 8));
}

static void pae_large_page(void)
{
	struct kvm_sregs *s = &h.run.s.regs.sregs;

	kvm_harness_init(&h);
	kvm_harness_put64(&h, 0x8028, 0x9001); /* CR3 8020H: entry 1 */
	kvm_harness_put64(&h, 0x9008, 0x81); /* 2 MiB at 0 */
	kvm_harness_put64(&h, 0x4010, 79);
	s->cr0 = CR0_PE | CR0_PG;
	s->cr4 = CR4_PAE;
	s->cr3 = 0x8020;
	CU_ASSERT_EQUAL(read64(0x40204010), 79);
}

static void long_mode_small_page(void)
{
	kvm_harness_init(&h);
	kvm_harness_long(&h);
	kvm_harness_put64(&h, 0xa008, 0xb001); /* second 2 MiB: a table */
	kvm_harness_put64(&h, 0xb018, 0x4001 | BIT(63));
	kvm_harness_put64(&h, 0x4010, 80);
	CU_ASSERT_EQUAL(read64(0x203010), 80);
	CU_ASSERT_EQUAL(read64(0x4010), 80);
}

/* The same tables one level deeper. */
static void five_levels(void)
{
	kvm_harness_init(&h);
	kvm_harness_long(&h);
	kvm_harness_put64(&h, 0xc000, 0x8001);
	h.run.s.regs.sregs.cr3 = 0xc000;
	h.run.s.regs.sregs.cr4 |= CR4_LA57;
	kvm_harness_put64(&h, 0x4010, 81);
	CU_ASSERT_EQUAL(read64(0x4010), 81);
}

static void a_hole_stops_the_read(void)
{
	uint8_t buf[8];

	kvm_harness_init(&h);
	kvm_harness_long(&h);
	kvm_harness_put64(&h, 0xa008, 0xb001);
	kvm_harness_put64(&h, 0xb000, 0x4001);
	CU_ASSERT_EQUAL(vpmu_kvm_read_some(&h.v, 0x200ffd, buf, 8), 3);
	CU_ASSERT_FALSE(vpmu_kvm_read(&h.v, 0x200ffd, buf, 8));
	CU_ASSERT_FALSE(vpmu_kvm_write(&h.v, 0x200ffd, buf, 8));
	CU_ASSERT_TRUE(vpmu_kvm_write(&h.v, 0x200ff8, buf, 8));
}

static void a_failed_write_changes_nothing(void)
{
	const uint8_t ones[8] = { 1, 1, 1, 1, 1, 1, 1, 1 };

	kvm_harness_init(&h);
	CU_ASSERT_FALSE(vpmu_kvm_write(&h.v, GUEST_BYTES - 4, ones, 8));
	CU_ASSERT_EQUAL(h.ram[GUEST_BYTES - 1], 0);
	CU_ASSERT_EQUAL(h.ram[GUEST_BYTES - 4], 0);
}

/* Page tables that point outside RAM, or at themselves, end somewhere. */
static void hostile_tables(void)
{
	uint8_t byte;

	kvm_harness_init(&h);
	kvm_harness_long(&h);
	kvm_harness_put64(&h, 0x8000, UINT64_MAX & ~BIT(7));
	CU_ASSERT_FALSE(vpmu_kvm_read(&h.v, 0x4000, &byte, 1));
	kvm_harness_put64(&h, 0x8000, 0x8001);
	CU_ASSERT_TRUE(vpmu_kvm_read(&h.v, 0, &byte, 1));
}

static CU_TestInfo tests[] = {
	{ "no paging: linear is physical, 32 bits", no_paging_is_physical },
	{ "32-bit paging, two levels", two_levels },
	{ "4 MiB page, PSE-36 address bits", four_mib_page },
	{ "PAE, 2 MiB page", pae_large_page },
	{ "4-level paging, 4 KiB page, XD bit ignored", long_mode_small_page },
	{ "5-level paging", five_levels },
	{ "a hole stops the read and fails the write", a_hole_stops_the_read },
	{ "a failed write changes nothing", a_failed_write_changes_nothing },
	{ "tables outside RAM fail, cyclic ones end", hostile_tables },
	CU_TEST_INFO_NULL,
};

CU_SuiteInfo suite_kvm_walk = { .pName = "kvm/walk", .pTests = tests };
