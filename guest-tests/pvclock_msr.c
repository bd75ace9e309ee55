// SPDX-License-Identifier: Apache-2.0
/*
 * MSRs 11H to 13H are the P5's CESR and counters, and on a processor with an
 * architectural PMU nothing. To KVM 11H and 12H are its clock: the address of a
 * page that it writes.
 */
#include "lib/io.h"
#include "lib/main.h"
#include "lib/msr.h"
#include "lib/page.h"
#include "lib/pmu.h"
#include "lib/report.h"

#define MSR_WALL_CLOCK 0x11
#define MSR_SYSTEM_TIME 0x12
#define SYSTEM_TIME_ENABLE 1

static u8 page[PAGE_BYTES] __attribute__((aligned(PAGE_BYTES)));

static void check_fault(u32 msr, u64 value, const char *what)
{
	report_vector(wrmsr_safe(msr, value), VECTOR_GP,
		      "pvclock_msr: wrmsr(%xh), %s", msr, what);
	report_vector(rdmsr_safe(msr, &value), VECTOR_GP,
		      "pvclock_msr: rdmsr(%xh) after it", msr);
}

/* KVM would write at once, or on the next entry. */
static void check_page(u32 msr)
{
	const volatile u8 *p = page;
	u32 written = 0;

	io_exit();
	for (size_t i = 0; i < PAGE_BYTES; i++)
		written += p[i] != 0;
	report_count(written, 0, "pvclock_msr: bytes written through %xh", msr);
	memset(page, 0, PAGE_BYTES);
}

void test_main(void)
{
	static const u32 msrs[] = { MSR_WALL_CLOCK, MSR_SYSTEM_TIME, 0x13 };

	if (!pmu_present_or_skip("pvclock_msr"))
		return;
	for (size_t i = 0; i < ARRAY_SIZE(msrs); i++) {
		check_fault(msrs[i], 0, "0");
		check_fault(msrs[i], (u64)page, "a page");
		check_page(msrs[i]);
		check_fault(msrs[i], (u64)page | SYSTEM_TIME_ENABLE,
			    "a page, and bit 0");
		check_page(msrs[i]);
	}
}
