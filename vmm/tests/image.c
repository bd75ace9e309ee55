/* SPDX-License-Identifier: Apache-2.0 */
/* Well-formed images. */
#include "image.h"

#include <elf.h>

#include "suites.h"

#define MAGIC 0x1badb002u

static void put_header(struct image *image, uint32_t flags)
{
	const uint32_t header[] = { MAGIC, flags, 0u - MAGIC - flags };

	memcpy(image->bytes + IMAGE_HEADER, header, sizeof(header));
}

static struct image image_pattern(void)
{
	struct image image;

	for (size_t i = 0; i < IMAGE_BYTES; i++)
		image.bytes[i] = (uint8_t)(i * 7 + 1);
	return image;
}

struct image image_elf32(void)
{
	const Elf32_Ehdr e = {
		.e_ident = { 0x7f, 'E', 'L', 'F', ELFCLASS32, ELFDATA2LSB, 1 },
		.e_type = ET_EXEC,
		.e_machine = EM_386,
		.e_entry = IMAGE_ENTRY,
		.e_phoff = sizeof(e),
		.e_phentsize = sizeof(Elf32_Phdr),
		.e_phnum = 2,
	};
	const Elf32_Phdr p[] = {
		{ PT_LOAD, 0x200, IMAGE_TEXT, IMAGE_TEXT, 0x100,
		  IMAGE_TEXT_BYTES, PF_R | PF_X, 4 },
		{ PT_LOAD, 0x300, IMAGE_DATA, IMAGE_DATA, 0x80,
		  IMAGE_DATA_BYTES, PF_R | PF_W, 4 },
	};
	struct image image = image_pattern();

	memcpy(image.bytes, &e, sizeof(e));
	memcpy(image.bytes + sizeof(e), p, sizeof(p));
	put_header(&image, 3);
	return image;
}

struct image image_elf64(void)
{
	const Elf64_Ehdr e = {
		.e_ident = { 0x7f, 'E', 'L', 'F', ELFCLASS64, ELFDATA2LSB, 1 },
		.e_type = ET_EXEC,
		.e_machine = EM_X86_64,
		.e_entry = IMAGE_ENTRY,
		.e_phoff = sizeof(e),
		.e_phentsize = sizeof(Elf64_Phdr),
		.e_phnum = 2,
	};
	const Elf64_Phdr p[] = {
		{ PT_LOAD, PF_R | PF_X, 0x200, IMAGE_TEXT, IMAGE_TEXT, 0x100,
		  IMAGE_TEXT_BYTES, 4 },
		{ PT_LOAD, PF_R | PF_W, 0x300, IMAGE_DATA, IMAGE_DATA, 0x80,
		  IMAGE_DATA_BYTES, 4 },
	};
	struct image image = image_pattern();

	memcpy(image.bytes, &e, sizeof(e));
	memcpy(image.bytes + sizeof(e), p, sizeof(p));
	return image;
}

struct image image_kludge(void)
{
	const uint32_t fields[] = { IMAGE_TEXT, IMAGE_TEXT, IMAGE_TEXT + 0x200,
				    IMAGE_TEXT + 0x400, IMAGE_ENTRY };
	struct image image = image_pattern();

	put_header(&image, 1u << 16 | 3);
	memcpy(image.bytes + IMAGE_HEADER + 12, fields, sizeof(fields));
	return image;
}

int image_load(struct ram *ram, const void *bytes, size_t n, const char *initrd,
	       const char *append, struct load_entry *entry, const char **says)
{
	const struct load_request request = { .kernel = temp_file(bytes, n),
					      .initrd = initrd,
					      .append = append };
	int ret;

	capture_begin(2);
	ret = load_guest(ram, &request, entry);
	*says = capture_end();
	return ret;
}
