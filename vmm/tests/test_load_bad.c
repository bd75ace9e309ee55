/* SPDX-License-Identifier: Apache-2.0 */
/* vmm/load*.c: images that are wrong end in one line, and change no state that
 * anybody would use. */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "image.h"
#include "suites.h"

#define RAM_MIB 8

static struct ram ram;

static int init(void)
{
	return ram_init(&ram, RAM_MIB);
}

static int fini(void)
{
	ram_fini(&ram);
	return 0;
}

/* Offsets in ELF32: header 34H, program headers 20H each. */
#define P32(i, field) (52 + 32 * (i) + (field))
/* ... in ELF64: 40H and 38H. */
#define P64(i, field) (64 + 56 * (i) + (field))

struct damage {
	int line;
	struct image (*make)(void);
	uint32_t at;
	uint32_t bytes;
	uint64_t value;
	const char *says;
};

/* clang-format off */
static const struct damage damages[] = {
	{ __LINE__, image_elf32, 4, 1, 3, "class" },
	{ __LINE__, image_elf32, 5, 1, 2, "little-endian" },
	{ __LINE__, image_elf32, 16, 2, 1, "not an executable" },
	{ __LINE__, image_elf32, 18, 2, 8, "not for x86" },
	{ __LINE__, image_elf32, 24, 4, 0xfffffff0, "entry fffffff0H" },
	{ __LINE__, image_elf32, 24, 4, IMAGE_TEXT - 1, "no segment" },
	{ __LINE__, image_elf32, 24, 4, IMAGE_TEXT + IMAGE_TEXT_BYTES, "no segment" },
	{ __LINE__, image_elf32, 28, 4, 0x7fffffff, "program headers beyond" },
	{ __LINE__, image_elf32, 28, 4, 0xfffffffc, "program headers beyond" },
	{ __LINE__, image_elf32, 42, 2, 0, "e_phentsize" },
	{ __LINE__, image_elf32, 42, 2, 31, "e_phentsize" },
	{ __LINE__, image_elf32, 42, 2, 65535, "program headers beyond" },
	{ __LINE__, image_elf32, 44, 2, 0, "no program headers" },
	{ __LINE__, image_elf32, 44, 2, 65535, "program headers beyond" },
	{ __LINE__, image_elf32, P32(0, 4), 4, 0x301, "beyond the end" },
	{ __LINE__, image_elf32, P32(0, 4), 4, 0xffffffff, "beyond the end" },
	{ __LINE__, image_elf32, P32(0, 16), 4, 0x201, "p_filesz" },
	{ __LINE__, image_elf32, P32(0, 16), 4, 0xffffffff, "p_filesz" },
	{ __LINE__, image_elf32, P32(0, 20), 4, 0xffffffff, "not all RAM" },
	{ __LINE__, image_elf32, P32(0, 20), 4, 0x100001, "overlaps" },
	{ __LINE__, image_elf32, P32(1, 12), 4, MIB(RAM_MIB), "not all RAM" },
	{ __LINE__, image_elf32, P32(1, 12), 4, MIB(RAM_MIB) - 0x7f, "not all RAM" },
	{ __LINE__, image_elf32, P32(1, 12), 4, 0xfffffff0, "not all RAM" },
	{ __LINE__, image_elf32, P32(1, 12), 4, IMAGE_TEXT, "overlaps" },
	{ __LINE__, image_elf32, P32(1, 12), 4, IMAGE_TEXT + 0x1ff, "overlaps" },
	{ __LINE__, image_elf32, P32(1, 12), 4, IMAGE_TEXT - 0x7f, "overlaps" },
	{ __LINE__, image_elf32, P32(1, 12), 4, 0x9000, "multiboot information" },
	{ __LINE__, image_elf32, IMAGE_HEADER + 8, 4, 0, "without a multiboot header" },
	{ __LINE__, image_elf64, 18, 2, 3, "not for x86" },
	{ __LINE__, image_elf64, 32, 8, UINT64_MAX, "program headers beyond" },
	{ __LINE__, image_elf64, 32, 8, UINT64_MAX - 100, "program headers beyond" },
	{ __LINE__, image_elf64, P64(0, 8), 8, UINT64_MAX, "beyond the end" },
	{ __LINE__, image_elf64, P64(0, 24), 8, UINT64_MAX - 0xff, "not all RAM" },
	{ __LINE__, image_elf64, P64(0, 40), 8, UINT64_MAX, "not all RAM" },
	{ __LINE__, image_elf64, P64(0, 40), 8, 0xff, "p_filesz" },
	{ __LINE__, image_elf64, P64(1, 24), 8, 0x2000, "page tables" },
	{ __LINE__, image_elf64, P64(1, 24), 8, 0x8fff, "overlaps" },
	{ __LINE__, image_kludge, IMAGE_HEADER + 16, 4, IMAGE_TEXT + 4, "above header_addr" },
	{ __LINE__, image_kludge, IMAGE_HEADER + 16, 4, IMAGE_TEXT - 0x201, "before the start" },
	{ __LINE__, image_kludge, IMAGE_HEADER + 16, 4, 0, "before the start" },
	{ __LINE__, image_kludge, IMAGE_HEADER + 20, 4, IMAGE_TEXT - 1, "below load_addr" },
	{ __LINE__, image_kludge, IMAGE_HEADER + 20, 4, IMAGE_TEXT + 0x201, "beyond the end" },
	{ __LINE__, image_kludge, IMAGE_HEADER + 20, 4, 0xffffffff, "beyond the end" },
	{ __LINE__, image_kludge, IMAGE_HEADER + 24, 4, IMAGE_TEXT + 0x1ff, "below load_end_addr" },
	{ __LINE__, image_kludge, IMAGE_HEADER + 24, 4, 0xffffffff, "not all RAM" },
	{ __LINE__, image_kludge, IMAGE_HEADER + 28, 4, IMAGE_TEXT + 0x400, "entry_addr" },
	{ __LINE__, image_kludge, IMAGE_HEADER + 28, 4, 0, "entry_addr" },
};
/* clang-format on */

static void one_field_wrong(void)
{
	for (size_t i = 0; i < ARRAY_SIZE(damages); i++) {
		const struct damage *d = &damages[i];
		struct image image = d->make();
		struct load_entry entry;
		const char *says;
		int ret;

		memcpy(image.bytes + d->at, &d->value, d->bytes);
		ret = image_load(&ram, &image, sizeof(image), NULL, NULL,
				 &entry, &says);
		CU_ASSERT(one_line_with(says, d->says, d->line));
		CU_ASSERT_EQUAL(ret, -1);
		temp_close();
	}
}

/* Good, or one line: nothing else. */
static bool orderly(const void *bytes, size_t n)
{
	struct load_entry entry;
	const char *says;
	int ret = image_load(&ram, bytes, n, NULL, NULL, &entry, &says);

	temp_close();
	return ret ? one_line_with(says, "pmuvm: ", __LINE__) : !*says;
}

static struct image (*const makers[])(void) = { image_elf32, image_elf64,
						image_kludge };

/* ELF images need all that their headers name: 380H bytes. */
static void every_truncation(void)
{
	for (size_t i = 0; i < ARRAY_SIZE(makers); i++) {
		struct image image = makers[i]();

		for (size_t n = 0; n < sizeof(image); n++)
			CU_ASSERT_FATAL(orderly(&image, n));
	}
}

static void every_byte(void)
{
	static const uint8_t values[] = { 0x00, 0x01, 0x7f, 0x80, 0xff };

	for (size_t i = 0; i < ARRAY_SIZE(makers); i++) {
		for (size_t at = 0; at < IMAGE_HEADER + 32; at++) {
			struct image image = makers[i]();

			image.bytes[at] = values[(at + i) % ARRAY_SIZE(values)];
			CU_ASSERT_FATAL(orderly(&image, sizeof(image)));
		}
	}
}

/* A fixed sequence, so that a failure repeats. */
static void random_headers(void)
{
	uint32_t state = 1;

	for (int round = 0; round < 2000; round++) {
		struct image image = makers[round % ARRAY_SIZE(makers)]();

		for (int k = 0; k < 4; k++) {
			uint32_t at;

			state = state * 1664525 + 1013904223;
			at = (state >> 8) % (IMAGE_HEADER + 32);
			image.bytes[at] = (uint8_t)(state >> 24);
		}
		CU_ASSERT_FATAL(orderly(&image, sizeof(image)));
	}
}

static void required_flag(void)
{
	struct image image = image_elf32();
	const uint32_t flags = 1u << 3;
	const uint32_t checksum = 0u - 0x1badb002u - flags;
	struct load_entry entry;
	const char *says;

	memcpy(image.bytes + IMAGE_HEADER + 4, &flags, 4);
	memcpy(image.bytes + IMAGE_HEADER + 8, &checksum, 4);
	CU_ASSERT_EQUAL(image_load(&ram, &image, sizeof(image), NULL, NULL,
				   &entry, &says),
			-1);
	CU_ASSERT(one_line_with(says, "flag", __LINE__));
	temp_close();
}

static void flat_limits(void)
{
	static uint8_t big[0xa0000 - 0x7c00 + 1];
	struct load_entry entry;
	const char *says;

	CU_ASSERT_EQUAL(image_load(&ram, big, sizeof(big) - 1, NULL, NULL,
				   &entry, &says),
			0);
	CU_ASSERT_EQUAL(image_load(&ram, big, sizeof(big), NULL, NULL, &entry,
				   &says),
			-1);
	CU_ASSERT(one_line_with(says, "larger", __LINE__));
	CU_ASSERT_EQUAL(image_load(&ram, big, 512, NULL, "x", &entry, &says),
			-1);
	CU_ASSERT(one_line_with(says, "--append", __LINE__));
	memcpy(big + 0x202, "HdrS", 4);
	CU_ASSERT_EQUAL(image_load(&ram, big, 1024, NULL, NULL, &entry, &says),
			-1);
	CU_ASSERT(one_line_with(says, "bzImage", __LINE__));
	temp_close();
}

static void bad_modules(void)
{
	const char *big;
	static uint8_t seven_mib[7 << 20];
	struct image image = image_elf32();
	struct load_entry entry;
	const char *says;

	CU_ASSERT_EQUAL(image_load(&ram, &image, sizeof(image), "/absent x",
				   NULL, &entry, &says),
			-1);
	CU_ASSERT(one_line_with(says, "/absent: No such file", __LINE__));
	CU_ASSERT_EQUAL(image_load(&ram, &image, sizeof(image), "", NULL,
				   &entry, &says),
			-1);
	CU_ASSERT(one_line_with(says, "No such file", __LINE__));
	big = temp_file(seven_mib, sizeof(seven_mib));
	CU_ASSERT_EQUAL(image_load(&ram, &image, sizeof(image), big, NULL,
				   &entry, &says),
			-1);
	CU_ASSERT(one_line_with(says, "module", __LINE__));
	temp_close();
}

/* The information area is 80000H - 9000H bytes. */
static void command_line_limits(void)
{
	static char line[0x80000 - 0x9000];
	struct image image = image_elf32();
	struct load_entry entry;
	const char *says;
	int refused = 0;

	memset(line, 'x', sizeof(line) - 512);
	for (size_t n = sizeof(line) - 512; n < sizeof(line); n++) {
		int ret = image_load(&ram, &image, sizeof(image), NULL, line,
				     &entry, &says);

		if (ret)
			CU_ASSERT(one_line_with(says, "--append", __LINE__));
		refused += ret != 0;
		line[n] = 'x';
		temp_close();
	}
	CU_ASSERT_TRUE(refused > 0 && refused < 512);
}

/* A module's name is written behind the command line: past the end. */
static void module_name_limits(void)
{
	static char line[0x80000 - 0x9000];
	struct image image = image_elf32();
	struct load_entry entry;
	const char *says;

	memset(line, 'x', sizeof(line) - 256);
	for (size_t n = sizeof(line) - 256; n < sizeof(line); n++) {
		const char *module = temp_file("m", 1);

		if (image_load(&ram, &image, sizeof(image), module, line,
			       &entry, &says))
			CU_ASSERT(one_line_with(says, "--append", __LINE__));
		line[n] = 'x';
		temp_close();
	}
}

static void no_regular_file(void)
{
	char dir[] = "/tmp/vmm-tests.XXXXXX";
	char fifo[64];
	const char *const names[] = { "/dev/null",	"/", dir, fifo,
				      "/nonexistent/x", "" };

	CU_ASSERT_PTR_NOT_NULL_FATAL(mkdtemp(dir));
	strcpy(fifo, dir);
	strcat(fifo, "/fifo");
	CU_ASSERT_EQUAL(mkfifo(fifo, 0600), 0);
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		const struct load_request request = { .kernel = names[i] };
		struct load_entry entry;

		capture_begin(2);
		CU_ASSERT_EQUAL(load_guest(&ram, &request, &entry), -1);
		CU_ASSERT(one_line_with(capture_end(), names[i], __LINE__));
	}
	unlink(fifo);
	rmdir(dir);
}

static CU_TestInfo tests[] = {
	{ "one field wrong: the line says which", one_field_wrong },
	{ "every truncation is orderly", every_truncation },
	{ "every damaged byte is orderly", every_byte },
	{ "random damage is orderly", random_headers },
	{ "multiboot: an unknown requirement is refused", required_flag },
	{ "flat: size, arguments, a bzImage", flat_limits },
	{ "modules: absent, too large", bad_modules },
	{ "command lines around the limit", command_line_limits },
	{ "a module's name around the limit", module_name_limits },
	{ "directories, devices, FIFOs, absent files", no_regular_file },
	CU_TEST_INFO_NULL,
};

CU_SuiteInfo suite_load_bad = { .pName = "load: wrong images",
				.pInitFunc = init,
				.pCleanupFunc = fini,
				.pTests = tests };
