/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Long mode from the first instruction on: 4 GiB mapped one to one in pages of
 * 2 MiB, and a GDT, below where a loader's information lies.
 */
#include <string.h>

#include "load.h"

#define BOOT_BASE LOAD_LONG_BASE
#define BOOT_PDPT (BOOT_BASE + 0x1000)
#define BOOT_PD (BOOT_BASE + 0x2000)
#define BOOT_GDT (BOOT_BASE + 0x6000)
#define BOOT_BYTES 0x7000

#define PTE_TABLE 0x3 /* present, writable */
#define PTE_LARGE 0x83 /* ... and a page of 2 MiB */

#define DESC_CODE64 0x00af9b000000ffff
#define DESC_DATA 0x00cf93000000ffff
#define GDT_DESCS 4

static void put(uint8_t *tables, gpa_t gpa, uint64_t value)
{
	memcpy(tables + (gpa - BOOT_BASE), &value, sizeof(value));
}

int load_long_mode(struct load *load, uint16_t cs, struct load_entry *entry)
{
	uint8_t *at = load_claim(load, BOOT_BASE, BOOT_BYTES, "page tables");

	if (!at)
		return -1;
	memset(at, 0, BOOT_BYTES);
	put(at, BOOT_BASE, BOOT_PDPT | PTE_TABLE);
	for (unsigned int i = 0; i < 4; i++)
		put(at, BOOT_PDPT + i * 8,
		    (BOOT_PD + i * PAGE_BYTES) | PTE_TABLE);
	for (unsigned int i = 0; i < 2048; i++)
		put(at, BOOT_PD + i * 8, MIB(2) * i | PTE_LARGE);
	put(at, BOOT_GDT + cs, DESC_CODE64);
	put(at, BOOT_GDT + cs + 8, DESC_DATA);
	entry->mode = LOAD_LONG64;
	entry->cs = cs;
	entry->ds = cs + 8;
	entry->cr3 = BOOT_BASE;
	entry->gdt = BOOT_GDT;
	entry->gdt_limit = GDT_DESCS * 8 - 1;
	return 0;
}
