/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Linux' bzImage by the 64-bit boot protocol ("The Linux/x86 Boot Protocol"):
 * boot parameters, command line, kernel, initrd, and the ACPI tables from
 * which the kernel learns of CPUs and interrupts.
 */
#include <asm/bootparam.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "acpi.h"
#include "load.h"
#include "msg.h"

/* Conventional memory above the page tables. */
#define PARAMS 0x9000
#define CMDLINE 0xa000
#define CMDLINE_MAX 0x10000

#define SECTOR 512
#define HEADER offsetof(struct boot_params, hdr)
#define HEADER_END (HEADER + sizeof(struct setup_header))
#define BOOT_FLAG 0xaa55
#define MAGIC "HdrS"
#define VERSION_MIN 0x20c /* Linux 3.8: xloadflags */
#define LOADER_UNDEFINED 0xff
#define ENTRY_64 0x200 /* in the kernel */
#define BOOT_CS 0x10 /* BOOT_DS: 18H */
#define DEFAULT_CMDLINE "console=ttyS0 panic=-1"

static int bad(const struct load *load, const char *why)
{
	return msg_err("image: %s: bzImage: %s", load->file.name, why);
}

bool load_is_linux(const struct load_file *file)
{
	const size_t at = offsetof(struct boot_params, hdr.header);

	return file->bytes >= at + 4 && !memcmp(file->data + at, MAGIC, 4);
}

/* A file that a loader has not got all of, or that is not for this one. */
static int read_header(const struct load *load, struct setup_header *h)
{
	const struct load_file *file = &load->file;

	if (file->bytes < HEADER_END)
		return bad(load, "the header is truncated");
	memcpy(h, file->data + HEADER, sizeof(*h));
	if (h->boot_flag != BOOT_FLAG)
		return bad(load, "no boot flag AA55H; is it damaged?");
	if (h->version < VERSION_MIN || !(h->xloadflags & XLF_KERNEL_64) ||
	    !(h->loadflags & LOADED_HIGH))
		return bad(load, "no 64-bit entry; give a 64-bit kernel, 3.8 "
				 "or newer");
	return 0;
}

/* The part for protected mode, at the address that the kernel prefers. */
static int place_kernel(struct load *load, const struct setup_header *h,
			uint64_t *entry)
{
	const struct load_file *file = &load->file;
	uint64_t from = ((h->setup_sects ? h->setup_sects : 4u) + 1) * SECTOR;
	uint64_t bytes, needs;
	uint8_t *to;

	if (from + ENTRY_64 >= file->bytes)
		return bad(load, "setup_sects is beyond the end of the file; "
				 "is it truncated?");
	bytes = file->bytes - from;
	/* In paragraphs of 16 bytes, the last one perhaps not full. */
	if (h->syssize * UINT64_C(16) >= bytes + 16)
		return bad(load, "syssize is beyond the end of the file; is it "
				 "truncated?");
	needs = h->init_size > bytes ? h->init_size : bytes;
	if (h->pref_address > GIB(4) || needs > GIB(4) - h->pref_address)
		return bad(load, "pref_address and init_size go beyond 4 GiB");
	to = load_claim(load, h->pref_address, needs, "kernel");
	if (!to)
		return -1;
	memcpy(to, file->data + from, bytes);
	*entry = h->pref_address + ENTRY_64;
	return 0;
}

static int place_cmdline(struct load *load, struct setup_header *h)
{
	const char *line = load->request->append;
	uint64_t max = h->cmdline_size;
	size_t bytes;
	char *to;

	if (!line)
		line = DEFAULT_CMDLINE;
	bytes = strlen(line) + 1;
	if (max > CMDLINE_MAX - 1)
		max = CMDLINE_MAX - 1;
	if (bytes - 1 > max)
		return msg_err("--append: %zu bytes; this kernel takes %" PRIu64
			       " at most",
			       bytes - 1, max);
	to = load_claim(load, CMDLINE, bytes, "command line");
	if (!to)
		return -1;
	memcpy(to, line, bytes);
	h->cmd_line_ptr = CMDLINE;
	return 0;
}

/* As high as the kernel and the RAM below 4 GiB permit. */
static int put_initrd(struct load *load, const struct load_file *initrd,
		      struct setup_header *h)
{
	uint64_t top = load->ram->low.bytes;
	gpa_t at;
	void *to;

	if (top > h->initrd_addr_max + UINT64_C(1))
		top = h->initrd_addr_max + UINT64_C(1);
	if (top < load_end(load) || initrd->bytes > top - load_end(load))
		return msg_err("--initrd: %s: %zu bytes do not fit above the "
			       "kernel; give more --mem",
			       initrd->name, initrd->bytes);
	/* load_end() is aligned, so that this stays above it. */
	at = (top - initrd->bytes) & ~(PAGE_BYTES - 1);
	to = load_claim(load, at, initrd->bytes, "initrd");
	if (!to)
		return -1;
	memcpy(to, initrd->data, initrd->bytes);
	h->ramdisk_image = (uint32_t)at;
	h->ramdisk_size = (uint32_t)initrd->bytes;
	return 0;
}

static int place_initrd(struct load *load, struct setup_header *h)
{
	struct load_file initrd;
	int ret;

	h->ramdisk_image = h->ramdisk_size = 0;
	if (!load->request->initrd)
		return 0;
	if (load_read(&initrd, load->request->initrd))
		return -1;
	ret = put_initrd(load, &initrd, h);
	free(initrd.data);
	return ret;
}

static int place_acpi(struct load *load)
{
	struct acpi acpi;
	void *to;

	acpi_build(&acpi, load->request->cpus);
	to = load_claim(load, ACPI_BASE, sizeof(acpi.bytes), "ACPI tables");
	if (!to)
		return -1;
	memcpy(to, acpi.bytes, sizeof(acpi.bytes));
	return 0;
}

static void fill_map(struct boot_params *params, const struct ram *ram)
{
	struct load_map map[LOAD_MAP_MAX];
	size_t n = load_memory_map(ram, map);

	for (size_t i = 0; i < n; i++)
		params->e820_table[i] =
			(struct boot_e820_entry){ map[i].gpa, map[i].bytes,
						  map[i].type };
	params->e820_entries = (uint8_t)n;
}

int load_linux(struct load *load, struct load_entry *entry)
{
	struct boot_params params = { 0 };
	struct setup_header *h = &params.hdr;
	void *to;

	*entry = (struct load_entry){ .rsi = PARAMS, .format = "bzImage" };
	if (read_header(load, h) || load_long_mode(load, BOOT_CS, entry) ||
	    place_acpi(load) || place_cmdline(load, h) ||
	    place_kernel(load, h, &entry->rip) || place_initrd(load, h))
		return -1;
	params.acpi_rsdp_addr = ACPI_BASE;
	h->type_of_loader = LOADER_UNDEFINED;
	fill_map(&params, load->ram);
	to = load_claim(load, PARAMS, sizeof(params), "boot parameters");
	if (!to)
		return -1;
	memcpy(to, &params, sizeof(params));
	return 0;
}
