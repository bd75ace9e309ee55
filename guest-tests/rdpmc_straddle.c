// SPDX-License-Identifier: Apache-2.0
/* An RDPMC that lies on two pages: both there, one missing, one elsewhere. */
#include "lib/control.h"
#include "lib/main.h"
#include "lib/page.h"
#include "lib/pmu.h"
#include "lib/report.h"
#include "lib/snippet.h"

#define INDEX_BAD 0x1234

/* The third page is mapped in place of the second. */
static u8 pages[3 * PAGE_BYTES] __attribute__((aligned(PAGE_BYTES)));
static u8 *const second = pages + PAGE_BYTES;
static u8 *const other = pages + 2 * PAGE_BYTES;

/* The last `before` bytes of the first page belong to the instruction. */
static u8 *place(u32 before, const u8 *code, size_t bytes)
{
	u8 *start = second - before;

	memset(pages, SNIPPET_INT3, sizeof(pages));
	memcpy(start, code, bytes);
	start[bytes] = SNIPPET_RET;
	return start;
}

static void check_present(const u8 *code, u32 index, const char *name)
{
	struct rdpmc_regs regs = { .rax = 1, .rcx = index, .rdx = 2 };
	bool valid = pmu_rdpmc_valid(index);
	u32 vector = snippet_call(code, &regs);

	report_vector(vector, valid ? 0 : VECTOR_GP,
		      "rdpmc_straddle: %s, rdpmc(%xh)", name, index);
	if (vector)
		report_eq(fault.frame.rip, (u64)code,
			  "rdpmc_straddle: %s, RIP of the fault", name);
	else
		report(!regs.rax && !regs.rdx,
		       "rdpmc_straddle: %s, value of a stopped counter", name);
}

static void check_missing(u8 *code)
{
	struct rdpmc_regs regs = { .rcx = 0 };
	u32 vector;

	page_present((u64)second, false);
	/* Bochs, maybe the machine below, keeps it decoded until then. */
	*(volatile u8 *)code = *code;
	vector = snippet_call(code, &regs);
	report_vector(vector, VECTOR_PF, "rdpmc_straddle: second page missing");
	report_eq(read_cr2(), (u64)second, "rdpmc_straddle: CR2 of that");
	report_eq(fault.frame.rip, (u64)code, "rdpmc_straddle: RIP of that");
	page_present((u64)second, true);
}

void test_main(void)
{
	static const u8 plain[] = { 0x0f, 0x33 };
	static const u8 prefixed[] = { 0x66, 0x48, 0x0f, 0x33 };
	u8 *code = place(1, plain, sizeof(plain));

	check_present(code, 0, "both pages present");
	check_present(code, INDEX_BAD, "both pages present");
	check_missing(code);
	check_present(code, 0, "present again");

	/* Not adjacent in physical memory. */
	memcpy(other, second, PAGE_BYTES);
	memset(second, 0xf4, PAGE_BYTES);
	page_map((u64)second, (u64)other);
	check_present(code, 0, "second page elsewhere");
	page_present((u64)second, true);

	for (u32 before = 1; before < sizeof(prefixed); before++) {
		code = place(before, prefixed, sizeof(prefixed));
		check_present(code, 0, "with prefixes");
	}
}
