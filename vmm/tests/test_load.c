/* SPDX-License-Identifier: Apache-2.0 */
/* vmm/load*.c: images that are right. */
#include <stdio.h>
#include <string.h>

#include "image.h"
#include "suites.h"

#define RAM_MIB 8

/* RAM that is not zero, so that a bss that is has been made so. */
static void setup(struct ram *ram)
{
	CU_ASSERT_EQUAL_FATAL(ram_init(ram, RAM_MIB), 0);
	memset(ram->map, 0xaa, ram->bytes);
}

static void teardown(struct ram *ram)
{
	temp_close();
	ram_fini(ram);
}

static uint32_t u32(const struct ram *ram, gpa_t gpa)
{
	const void *p = ram_ptr(ram, gpa, 4);
	uint32_t value = 0;

	CU_ASSERT_PTR_NOT_NULL_FATAL(p);
	memcpy(&value, p, sizeof(value));
	return value;
}

static uint64_t u64(const struct ram *ram, gpa_t gpa)
{
	return u32(ram, gpa) | (uint64_t)u32(ram, gpa + 4) << 32;
}

static const char *string_at(const struct ram *ram, gpa_t gpa)
{
	const char *s = ram_ptr(ram, gpa, 1);

	CU_ASSERT_PTR_NOT_NULL_FATAL(s);
	return s;
}

static bool all(const struct ram *ram, gpa_t gpa, uint64_t bytes, uint8_t value)
{
	const uint8_t *p = ram_ptr(ram, gpa, bytes);

	while (p && bytes && p[bytes - 1] == value)
		bytes--;
	return !bytes;
}

static bool holds(const struct ram *ram, gpa_t gpa, const uint8_t *bytes,
		  size_t n)
{
	const void *p = ram_ptr(ram, gpa, n);

	return p && !memcmp(p, bytes, n);
}

static void segments_in_place(const struct ram *ram, const struct image *image)
{
	CU_ASSERT(holds(ram, IMAGE_TEXT, image->bytes + 0x200, 0x100));
	CU_ASSERT(all(ram, IMAGE_TEXT + 0x100, 0x100, 0));
	CU_ASSERT(all(ram, IMAGE_TEXT + 0x200, 0x100, 0xaa));
	CU_ASSERT(holds(ram, IMAGE_DATA, image->bytes + 0x300, 0x80));
	CU_ASSERT(all(ram, IMAGE_DATA + 0x80, 0x80, 0xaa));
}

static void elf32(void)
{
	struct image image = image_elf32();
	struct load_entry entry;
	const char *says;
	struct ram ram;

	setup(&ram);
	CU_ASSERT_EQUAL(image_load(&ram, &image, sizeof(image), NULL, NULL,
				   &entry, &says),
			0);
	CU_ASSERT_STRING_EQUAL(says, "");
	segments_in_place(&ram, &image);
	CU_ASSERT_EQUAL(entry.mode, LOAD_FLAT32);
	CU_ASSERT_EQUAL(entry.rip, IMAGE_ENTRY);
	CU_ASSERT_EQUAL(entry.rax, 0x2badb002);
	teardown(&ram);
}

/* Segments may touch each other, in either order. */
static void elf32_touching(void)
{
	static const uint32_t places[] = { IMAGE_TEXT + IMAGE_TEXT_BYTES,
					   IMAGE_TEXT - IMAGE_DATA_BYTES };

	for (size_t i = 0; i < ARRAY_SIZE(places); i++) {
		struct image image = image_elf32();
		struct load_entry entry;
		const char *says;
		struct ram ram;

		setup(&ram);
		memcpy(image.bytes + 52 + 32 + 12, &places[i], 4);
		CU_ASSERT_EQUAL(image_load(&ram, &image, sizeof(image), NULL,
					   NULL, &entry, &says),
				0);
		CU_ASSERT(holds(&ram, places[i], image.bytes + 0x300, 0x80));
		teardown(&ram);
	}
}

/* ELF64 with a multiboot header is entered as multiboot says. */
static void elf64_multiboot(void)
{
	struct image image = image_elf64();
	const struct image with_header = image_elf32();
	struct load_entry entry;
	const char *says;
	struct ram ram;

	setup(&ram);
	memcpy(image.bytes + IMAGE_HEADER, with_header.bytes + IMAGE_HEADER,
	       12);
	CU_ASSERT_EQUAL(image_load(&ram, &image, sizeof(image), NULL, NULL,
				   &entry, &says),
			0);
	segments_in_place(&ram, &image);
	CU_ASSERT_EQUAL(entry.mode, LOAD_FLAT32);
	CU_ASSERT_EQUAL(entry.rax, 0x2badb002);
	teardown(&ram);
}

/* Linked high, loaded low: the entry is translated. */
static void virtual_entry(void)
{
	const uint64_t high = UINT64_C(0xffffffff80000000);
	const uint64_t e_entry = high + 0x20, p_vaddr = high;
	struct image image = image_elf64();
	struct load_entry entry;
	const char *says;
	struct ram ram;

	setup(&ram);
	memcpy(image.bytes + 24, &e_entry, sizeof(e_entry));
	memcpy(image.bytes + 64 + 16, &p_vaddr, sizeof(p_vaddr));
	CU_ASSERT_EQUAL(image_load(&ram, &image, sizeof(image), NULL, NULL,
				   &entry, &says),
			0);
	CU_ASSERT_EQUAL(entry.rip, IMAGE_ENTRY);
	teardown(&ram);
}

static void elf64(void)
{
	struct image image = image_elf64();
	struct load_entry entry;
	const char *says;
	struct ram ram;
	gpa_t pdpt, pd;

	setup(&ram);
	CU_ASSERT_EQUAL(image_load(&ram, &image, sizeof(image), NULL, "x",
				   &entry, &says),
			0);
	segments_in_place(&ram, &image);
	CU_ASSERT_EQUAL(entry.mode, LOAD_LONG64);
	CU_ASSERT_EQUAL(entry.rip, IMAGE_ENTRY);
	/* Walk to 3 GiB + 2 MiB * 5. */
	pdpt = u64(&ram, entry.cr3) & ~UINT64_C(0xfff);
	pd = u64(&ram, pdpt + 3 * 8) & ~UINT64_C(0xfff);
	CU_ASSERT_EQUAL(u64(&ram, pd + 5 * 8), (GIB(3) + MIB(10)) | 0x83);
	CU_ASSERT_EQUAL(u64(&ram, pdpt + 4 * 8), 0);
	CU_ASSERT_EQUAL(u64(&ram, entry.gdt + LOAD_CS), 0x00af9b000000ffff);
	CU_ASSERT_EQUAL(u64(&ram, entry.gdt + LOAD_DS), 0x00cf93000000ffff);
	CU_ASSERT_EQUAL(u32(&ram, entry.rbx) & 0x245, 0x245);
	teardown(&ram);
}

static void kludge(void)
{
	struct image image = image_kludge();
	struct load_entry entry;
	const char *says;
	struct ram ram;

	setup(&ram);
	CU_ASSERT_EQUAL(image_load(&ram, &image, sizeof(image), NULL, NULL,
				   &entry, &says),
			0);
	CU_ASSERT(holds(&ram, IMAGE_TEXT, image.bytes + 0x200, 0x200));
	CU_ASSERT(all(&ram, IMAGE_TEXT + 0x200, 0x200, 0));
	CU_ASSERT(all(&ram, IMAGE_TEXT + 0x400, 0x100, 0xaa));
	CU_ASSERT_EQUAL(entry.mode, LOAD_FLAT32);
	CU_ASSERT_EQUAL(entry.rip, IMAGE_ENTRY);
	teardown(&ram);
}

static void flat(void)
{
	struct load_entry entry;
	const char *says;
	struct ram ram;

	setup(&ram);
	CU_ASSERT_EQUAL(image_load(&ram, "\xf4", 1, NULL, NULL, &entry, &says),
			0);
	CU_ASSERT_EQUAL(entry.mode, LOAD_REAL16);
	CU_ASSERT_EQUAL(entry.rip, 0x7c00);
	CU_ASSERT_EQUAL(u32(&ram, 0x7c00), 0xaaaaaaf4);
	teardown(&ram);
}

static void info_memory(void)
{
	struct image image = image_elf32();
	struct load_entry entry;
	const char *says;
	struct ram ram;
	gpa_t mmap;

	setup(&ram);
	CU_ASSERT_EQUAL(image_load(&ram, &image, sizeof(image), NULL, NULL,
				   &entry, &says),
			0);
	CU_ASSERT_EQUAL(u32(&ram, entry.rbx), 0x245);
	CU_ASSERT_EQUAL(u32(&ram, entry.rbx + 4), 640);
	CU_ASSERT_EQUAL(u32(&ram, entry.rbx + 8), (RAM_MIB - 1) * 1024);
	CU_ASSERT_EQUAL(u32(&ram, entry.rbx + 44), 3 * 24);
	mmap = u32(&ram, entry.rbx + 48) + 2 * 24;
	CU_ASSERT_EQUAL(u32(&ram, mmap), 20);
	CU_ASSERT_EQUAL(u64(&ram, mmap + 4), MIB(1));
	CU_ASSERT_EQUAL(u64(&ram, mmap + 12), MIB(RAM_MIB - 1));
	CU_ASSERT_EQUAL(u32(&ram, mmap + 20), 1);
	CU_ASSERT_STRING_EQUAL(string_at(&ram, u32(&ram, entry.rbx + 64)),
			       "pmuvm");
	CU_ASSERT_EQUAL(u32(&ram, 0x400) & 0xffff, 0x3f8);
	CU_ASSERT_EQUAL(u32(&ram, 0x413) & 0xffff, 640);
	teardown(&ram);
}

static void info_cmdline_and_modules(void)
{
	const char *a = temp_file("aaaa", 4), *b = temp_file("bb", 2);
	struct image image = image_elf32();
	char initrd[128], cmdline[128];
	struct load_entry entry;
	const char *says;
	struct ram ram;
	gpa_t mods;

	setup(&ram);
	snprintf(initrd, sizeof(initrd), "%s one two,%s", a, b);
	CU_ASSERT_EQUAL(image_load(&ram, &image, sizeof(image), initrd, "x y",
				   &entry, &says),
			0);
	snprintf(cmdline, sizeof(cmdline), "%s one two", a);
	CU_ASSERT_EQUAL(u32(&ram, entry.rbx), 0x24d);
	CU_ASSERT_EQUAL(u32(&ram, entry.rbx + 20), 2);
	mods = u32(&ram, entry.rbx + 24);
	CU_ASSERT_EQUAL(u32(&ram, mods), IMAGE_DATA + 0x1000);
	CU_ASSERT_EQUAL(u32(&ram, mods + 4), IMAGE_DATA + 0x1004);
	CU_ASSERT(holds(&ram, IMAGE_DATA + 0x1000, (const uint8_t *)"aaaa", 4));
	CU_ASSERT_STRING_EQUAL(string_at(&ram, u32(&ram, mods + 8)), cmdline);
	CU_ASSERT_EQUAL(u32(&ram, mods + 16), IMAGE_DATA + 0x2000);
	CU_ASSERT_EQUAL(u32(&ram, mods + 20), IMAGE_DATA + 0x2002);
	CU_ASSERT_STRING_EQUAL(string_at(&ram, u32(&ram, mods + 24)), b);
	says = string_at(&ram, u32(&ram, entry.rbx + 16));
	CU_ASSERT_STRING_EQUAL(strchr(says, ' '), " x y");
	teardown(&ram);
}

static CU_TestInfo tests[] = {
	{ "ELF32 with multiboot header: segments, bss, entry", elf32 },
	{ "ELF32: segments that touch", elf32_touching },
	{ "ELF64 with multiboot header", elf64_multiboot },
	{ "an entry that is virtual", virtual_entry },
	{ "ELF64: long mode, 4 GiB mapped one to one", elf64 },
	{ "multiboot address fields", kludge },
	{ "anything else is flat", flat },
	{ "multiboot information: memory", info_memory },
	{ "multiboot information: command line, modules as QEMU has them",
	  info_cmdline_and_modules },
	CU_TEST_INFO_NULL,
};

CU_SuiteInfo suite_load = { .pName = "load", .pTests = tests };
