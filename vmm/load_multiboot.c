/* SPDX-License-Identifier: Apache-2.0 */
/* Multiboot 1 ("Multiboot Specification version 0.6.96"): header and entry. */
#include <inttypes.h>
#include <string.h>

#include "load.h"
#include "msg.h"

#define HEADER_MAGIC 0x1badb002
#define LOADER_MAGIC 0x2badb002
#define HEADER_SEARCH 8192
/* Flags 0 to 15 must be understood; video modes (2) may be ignored: the
 * information says that there are none. */
#define FLAG_ALIGN_MODULES (1u << 0)
#define FLAG_MEMORY_INFO (1u << 1)
#define FLAG_VIDEO_MODE (1u << 2)
#define FLAGS_KNOWN (FLAG_ALIGN_MODULES | FLAG_MEMORY_INFO | FLAG_VIDEO_MODE)
#define FLAGS_REQUIRED 0xffffu
#define FLAG_ADDRESSES (1u << 16)

#define IMAGE "image"

struct header {
	uint32_t magic, flags, checksum;
	/* with FLAG_ADDRESSES */
	uint32_t header_addr, load_addr, load_end_addr, bss_end_addr,
		entry_addr;
};

#define HEADER_SHORT offsetof(struct header, header_addr)

static int bad(const struct load *load, const char *why)
{
	return msg_err("image: %s: multiboot: %s", load->file.name, why);
}

long load_multiboot_header(const struct load_file *file)
{
	struct header h;

	for (size_t at = 0; at + HEADER_SHORT <= file->bytes &&
			    at + HEADER_SHORT <= HEADER_SEARCH;
	     at += 4) {
		memcpy(&h, file->data + at, HEADER_SHORT);
		if (h.magic == HEADER_MAGIC &&
		    h.magic + h.flags + h.checksum == 0)
			return (long)at;
	}
	return -1;
}

/* Where the address fields say that the image goes. */
struct placed {
	uint64_t from; /* in the file */
	uint64_t filesz, memsz;
};

static int place(const struct load *load, const struct header *h, uint64_t at,
		 struct placed *p)
{
	uint64_t before = (uint64_t)h->header_addr - h->load_addr;
	uint64_t left;

	if (h->load_addr > h->header_addr)
		return bad(load, "load_addr is above header_addr");
	if (before > at)
		return bad(load, "load_addr is before the start of the file");
	p->from = at - before;
	left = load->file.bytes - p->from;
	p->filesz = left;
	if (h->load_end_addr) {
		if (h->load_end_addr < h->load_addr)
			return bad(load, "load_end_addr is below load_addr");
		p->filesz = h->load_end_addr - h->load_addr;
	}
	if (p->filesz > left)
		return bad(load, "load_end_addr is beyond the end of the file; "
				 "is it truncated?");
	p->memsz = p->filesz;
	if (h->bss_end_addr) {
		if (h->bss_end_addr < h->load_addr + p->filesz)
			return bad(load, "bss_end_addr is below load_end_addr");
		p->memsz = h->bss_end_addr - h->load_addr;
	}
	return 0;
}

/* The "a.out kludge": the header says where the file goes. */
static int load_by_addresses(struct load *load, uint64_t at, uint64_t *entry)
{
	struct placed p = { 0 };
	struct header h;
	uint8_t *to;

	if (load->file.bytes - at < sizeof(h))
		return bad(load, "the header is truncated");
	memcpy(&h, load->file.data + at, sizeof(h));
	if (place(load, &h, at, &p))
		return -1;
	to = load_claim(load, h.load_addr, p.memsz, IMAGE);
	if (!to)
		return -1;
	memcpy(to, load->file.data + p.from, p.filesz);
	memset(to + p.filesz, 0, p.memsz - p.filesz);
	*entry = h.entry_addr;
	if (!load_claimed(load, h.entry_addr, IMAGE))
		return bad(load, "entry_addr lies outside the image");
	return 0;
}

int load_multiboot(struct load *load, struct load_entry *entry)
{
	uint64_t at = (uint64_t)load_multiboot_header(&load->file);
	bool addresses;
	struct header h;
	gpa_t info;
	int ret;

	memcpy(&h, load->file.data + at, HEADER_SHORT);
	if (h.flags & FLAGS_REQUIRED & ~FLAGS_KNOWN)
		return bad(load,
			   "a flag is set that requires what is not known");
	addresses = h.flags & FLAG_ADDRESSES;
	if (!addresses && !load_is_elf(&load->file))
		return bad(load, "neither ELF nor with address fields");
	*entry = (struct load_entry){ .mode = LOAD_FLAT32,
				      .cs = LOAD_CS,
				      .ds = LOAD_DS,
				      .rax = LOADER_MAGIC,
				      .format = addresses ? "multiboot"
							  : "multiboot ELF" };
	ret = addresses ? load_by_addresses(load, at, &entry->rip)
			: load_elf_segments(load, &entry->rip);
	if (ret || load_info(load, &info))
		return -1;
	if (entry->rip > UINT32_MAX)
		return bad(load, "entry above 4 GiB");
	entry->rbx = info;
	return 0;
}
