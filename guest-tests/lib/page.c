// SPDX-License-Identifier: Apache-2.0
/* Changing the identity map, 4 KiB at a time. */
#include "lib/page.h"

#include "lib/cpu.h"
#include "lib/report.h"

#define PAGE_BITS (PTE_US | PTE_RW | PTE_P)
#define LARGE_SHIFT 21
#define TABLES 4

extern u64 boot_pd[2048];

static u64 tables[TABLES][512] __attribute__((aligned(PAGE_BYTES)));
static u32 tables_used;

/* The page table over `address`; a large page is split first. */
static u64 *page_table(u64 address)
{
	u64 *pde = &boot_pd[address >> LARGE_SHIFT];
	u64 base = address >> LARGE_SHIFT << LARGE_SHIFT;
	u64 *table;

	if (!(*pde & PTE_PS))
		return (u64 *)(*pde & ~MASK(12));
	if (tables_used == TABLES)
		report_abort("out of page tables for %lxh", address);
	table = tables[tables_used++];
	for (u64 i = 0; i < 512; i++)
		table[i] = (base + i * PAGE_BYTES) | PAGE_BITS;
	*pde = (u64)table | PAGE_BITS;
	return table;
}

static void page_set(u64 address, u64 entry)
{
	page_table(address)[address >> 12 & 511] = entry;
	asm volatile("invlpg (%0)" : : "r"(address) : "memory");
}

void page_present(u64 address, bool present)
{
	u64 page = address & ~MASK(12);

	page_set(address, page | (present ? PAGE_BITS : 0));
}

void page_map(u64 address, u64 physical)
{
	page_set(address, (physical & ~MASK(12)) | PAGE_BITS);
}
