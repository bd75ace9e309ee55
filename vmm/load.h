/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Putting an image into guest memory. The format is told by content: multiboot
 * 1 (ELF32, ELF64 or address fields), else ELF64, else bzImage, else flat.
 * Knows no KVM.
 */
#ifndef VMM_LOAD_H
#define VMM_LOAD_H

#include <stdbool.h>
#include <stddef.h>

#include "ram.h"

/* The largest file that is read. */
#define LOAD_MAX_FILE GIB(1)

/* Selectors of the flat segments at entry, but for Linux. */
#define LOAD_CS 0x08
#define LOAD_DS 0x10

struct load_request {
	const char *kernel; /* file name */
	/* "FILE[ ARGS][,FILE[ ARGS]]..."; bzImage: "FILE"; or NULL */
	const char *initrd;
	const char *append; /* command line, or NULL */
	unsigned int cpus; /* that the image is to be told of */
};

enum load_mode {
	LOAD_REAL16, /* real mode */
	LOAD_FLAT32, /* protected mode, no paging; cs and ds set */
	LOAD_LONG64, /* long mode; cr3 and gdt, too */
};

/* How the first vCPU begins; all other registers as after RESET. */
struct load_entry {
	enum load_mode mode;
	uint64_t rip, rsp, rax, rbx, rsi;
	gpa_t cr3, gdt;
	uint16_t gdt_limit;
	uint16_t cs, ds; /* selectors; ds: of all data segments */
	const char *format; /* for humans */
};

/* Load what is asked for. 0, or -1 with a message. */
int load_guest(const struct ram *ram, const struct load_request *request,
	       struct load_entry *entry);

/* ------------------------------------------------ for the loaders only */

struct load_file {
	const char *name;
	uint8_t *data;
	size_t bytes;
};

/* What lies in guest memory already. */
struct load_range {
	gpa_t first, end;
	const char *what;
};

#define LOAD_MAX_RANGES 192

struct load {
	const struct ram *ram;
	const struct load_request *request;
	struct load_file file;
	struct load_range ranges[LOAD_MAX_RANGES];
	size_t nranges;
};

/* Read a regular file whole; data is for free(). 0, or -1 with a message. */
int load_read(struct load_file *file, const char *name);
/*
 * Claim guest memory: inside RAM and free so far. Where it is in this process,
 * or NULL with a message about load->file.
 */
void *load_claim(struct load *load, gpa_t gpa, uint64_t bytes,
		 const char *what);
/* Is gpa in a range that was claimed as `what`? */
bool load_claimed(const struct load *load, gpa_t gpa, const char *what);
/* The page-aligned end of all that was claimed at or above 1 MiB. */
gpa_t load_end(const struct load *load);

/* Each returns 0, or -1 with a message. */
int load_flat(struct load *load, struct load_entry *entry);
int load_elf64(struct load *load, struct load_entry *entry);
int load_multiboot(struct load *load, struct load_entry *entry);
int load_linux(struct load *load, struct load_entry *entry);
/*
 * Make `entry` one in long mode with these selectors, cs (08H or 10H) and
 * cs + 8: page tables and GDT go to LOAD_LONG_BASE.
 */
int load_long_mode(struct load *load, uint16_t cs, struct load_entry *entry);
#define LOAD_LONG_BASE 0x2000
/* The segments of an ELF32 or ELF64 executable; *entry is physical. */
int load_elf_segments(struct load *load, uint64_t *entry);
/* Multiboot information: command line, modules, memory map. */
int load_info(struct load *load, gpa_t *info);

bool load_is_elf(const struct load_file *file);
/* A PC's memory as a BIOS tells it: how many of the LOAD_MAP_MAX are used. */
struct load_map {
	gpa_t gpa;
	uint64_t bytes;
	uint32_t type; /* as INT 15H, E820H tells it */
};
#define LOAD_MAP_RAM 1
#define LOAD_MAP_RESERVED 2
#define LOAD_MAP_MAX 4
size_t load_memory_map(const struct ram *ram, struct load_map *map);
bool load_is_linux(const struct load_file *file);
/* Offset of the multiboot header, or -1. */
long load_multiboot_header(const struct load_file *file);

#endif /* VMM_LOAD_H */
