/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The information that a multiboot loader passes on: memory, command line,
 * modules. Strings read as QEMU forms them: the file's name first.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "load.h"
#include "msg.h"

/* In conventional memory, where an image at 1 MiB cannot overlap it. */
#define INFO_BASE 0x9000
#define INFO_END 0x80000
#define MAX_MODULES 64

#define INFO_MEMORY (1u << 0)
#define INFO_CMDLINE (1u << 2)
#define INFO_MODULES (1u << 3)
#define INFO_MMAP (1u << 6)
#define INFO_LOADER_NAME (1u << 9)

struct info {
	uint32_t flags, mem_lower, mem_upper, boot_device, cmdline, mods_count,
		mods_addr, syms[4], mmap_length, mmap_addr, drives_length,
		drives_addr, config_table, boot_loader_name, apm_table, vbe[4];
};

struct module {
	uint32_t start, end, string, reserved;
};

struct mmap_entry {
	uint32_t size; /* of what follows it */
	uint64_t base, length;
	uint32_t type;
} __attribute__((packed));

/* The area as it is being filled, front to back. */
struct area {
	uint8_t bytes[INFO_END - INFO_BASE];
	size_t used;
	bool full;
};

static uint32_t append(struct area *area, const void *data, size_t bytes)
{
	size_t at = (area->used + 7) & ~(size_t)7;

	_Static_assert(sizeof(area->bytes) % 8 == 0, "at <= sizeof(bytes)");
	if (bytes > sizeof(area->bytes) - at) {
		area->full = true;
		return INFO_BASE;
	}
	memcpy(area->bytes + at, data, bytes);
	area->used = at + bytes;
	return (uint32_t)(INFO_BASE + at);
}

static uint32_t append_string(struct area *area, const char *s)
{
	return append(area, s, strlen(s) + 1);
}

static uint32_t append_cmdline(struct area *area, const char *file,
			       const char *args)
{
	size_t bytes = strlen(file) + strlen(args) + 2;
	char *line = malloc(bytes);
	uint32_t at;

	if (!line) {
		area->full = true;
		return INFO_BASE;
	}
	snprintf(line, bytes, "%s %s", file, args);
	at = append(area, line, bytes);
	free(line);
	return at;
}

static void append_mmap(struct area *area, struct info *info,
			const struct ram *ram)
{
	struct mmap_entry there[LOAD_MAP_MAX];
	struct load_map map[LOAD_MAP_MAX];
	size_t n = load_memory_map(ram, map);

	for (size_t i = 0; i < n; i++)
		there[i] = (struct mmap_entry){ 20, map[i].gpa, map[i].bytes,
						map[i].type };
	info->mmap_length = (uint32_t)(n * sizeof(there[0]));
	info->mmap_addr = append(area, there, info->mmap_length);
}

/* "FILE ARGS": the file's name ends at the first space. */
static int load_module(struct load *load, char *spec, struct area *area,
		       struct module *module)
{
	struct load_file file;
	char *space;
	gpa_t at = load_end(load);
	void *to;

	module->string = append_string(area, spec);
	space = strchr(spec, ' ');
	if (space)
		*space = '\0';
	if (load_read(&file, spec))
		return -1;
	to = load_claim(load, at, file.bytes, "module");
	if (to && at + file.bytes <= UINT32_MAX) {
		memcpy(to, file.data, file.bytes);
		module->start = (uint32_t)at;
		module->end = (uint32_t)(at + file.bytes);
	} else if (to) {
		to = NULL;
		msg_err("--initrd: %s: does not fit below 4 GiB", spec);
	}
	free(file.data);
	return to ? 0 : -1;
}

static int load_modules(struct load *load, struct area *area, struct info *info)
{
	struct module modules[MAX_MODULES] = { 0 };
	char *specs, *rest, *spec;
	int ret = 0;

	if (!load->request->initrd)
		return 0;
	specs = strdup(load->request->initrd);
	if (!specs)
		return msg_err("--initrd: %m");
	rest = specs;
	while (!ret && (spec = strsep(&rest, ","))) {
		if (info->mods_count == MAX_MODULES)
			ret = msg_err("--initrd: more than %d modules",
				      MAX_MODULES);
		else
			ret = load_module(load, spec, area,
					  &modules[info->mods_count++]);
	}
	free(specs);
	info->mods_addr =
		append(area, modules, info->mods_count * sizeof(modules[0]));
	info->flags |= INFO_MODULES;
	return ret;
}

static int fill(struct load *load, struct area *area)
{
	const struct load_request *request = load->request;
	struct info info = { 0 };

	append(area, &info, sizeof(info));
	info.flags = INFO_MEMORY | INFO_CMDLINE | INFO_MMAP | INFO_LOADER_NAME;
	info.mem_lower = RAM_LOW_END >> 10;
	info.mem_upper = (uint32_t)((load->ram->low.bytes - RAM_UPPER) >> 10);
	append_mmap(area, &info, load->ram);
	info.boot_loader_name = append_string(area, "pmuvm");
	info.cmdline = append_cmdline(area, request->kernel,
				      request->append ? request->append : "");
	if (load_modules(load, area, &info))
		return -1;
	memcpy(area->bytes, &info, sizeof(info));
	return 0;
}

/*
 * What of the BIOS data area the guest of a loader may rely on: the port of
 * COM1 and the size of conventional memory, without which Xen does not start.
 */
#define BDA 0x400
#define BDA_BYTES 0x100
#define BDA_COM1 0x00
#define BDA_MEMORY_KIB 0x13

static int load_bda(struct load *load)
{
	const uint16_t com1 = 0x3f8, kib = RAM_LOW_END >> 10;
	uint8_t *bda = load_claim(load, BDA, BDA_BYTES, "BIOS data area");

	if (!bda)
		return -1;
	memcpy(bda + BDA_COM1, &com1, sizeof(com1));
	memcpy(bda + BDA_MEMORY_KIB, &kib, sizeof(kib));
	return 0;
}

int load_info(struct load *load, gpa_t *gpa)
{
	struct area *area;
	void *to = NULL;

	if (load_bda(load))
		return -1;
	area = calloc(1, sizeof(*area));
	if (!area)
		return msg_err("multiboot information: %m");
	if (!fill(load, area)) {
		if (area->full)
			msg_err("--append: command line and names are longer "
				"than %d bytes",
				INFO_END - INFO_BASE);
		else
			to = load_claim(load, INFO_BASE, area->used,
					"multiboot information");
	}
	if (to)
		memcpy(to, area->bytes, area->used);
	free(area);
	*gpa = INFO_BASE;
	return to ? 0 : -1;
}
