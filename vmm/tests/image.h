/* SPDX-License-Identifier: Apache-2.0 */
/* Well-formed images, to be loaded and to be damaged. */
#ifndef VMM_TESTS_IMAGE_H
#define VMM_TESTS_IMAGE_H

#include <stdint.h>
#include <string.h>

#include "load.h"

#define IMAGE_BYTES 0x400
/* Both ELF images: program headers follow the header; the first segment is
 * 100H bytes from 200H on, 200H in memory; the second has 80H from 300H on. */
#define IMAGE_TEXT 0x100000
#define IMAGE_TEXT_BYTES 0x200
#define IMAGE_DATA 0x200000
#define IMAGE_DATA_BYTES 0x80
#define IMAGE_ENTRY (IMAGE_TEXT + 0x20)
/* Where the multiboot header is in the file. */
#define IMAGE_HEADER 0x200

struct image {
	uint8_t bytes[IMAGE_BYTES];
};

/* ELF32 with a multiboot header. */
struct image image_elf32(void);
/* ELF64, without one. */
struct image image_elf64(void);
/* Multiboot with address fields: 200H..3FFH goes to 1 MiB, bss to +400H. */
struct image image_kludge(void);

/* Load it, or complain. `says` is what went to stderr. */
int image_load(struct ram *ram, const void *bytes, size_t n, const char *initrd,
	       const char *append, struct load_entry *entry, const char **says);

#endif /* VMM_TESTS_IMAGE_H */
