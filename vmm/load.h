/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Putting an image into guest memory. The format is told by content: multiboot
 * 1 (ELF32, ELF64 or address fields), else ELF64, else flat. Knows no KVM.
 */
#ifndef VMM_LOAD_H
#define VMM_LOAD_H

#include <stdbool.h>
#include <stddef.h>

#include "ram.h"

/* The largest file that is read. */
#define LOAD_MAX_FILE GIB(1)

/* Selectors of the flat segments at entry. */
#define LOAD_CS 0x08
#define LOAD_DS 0x10

struct load_request {
	const char *kernel; /* file name */
	const char *initrd; /* "FILE[ ARGS][,FILE[ ARGS]]...", or NULL */
	const char *append; /* command line, or NULL */
};

enum load_mode {
	LOAD_REAL16, /* real mode */
	LOAD_FLAT32, /* protected mode, no paging */
	LOAD_LONG64, /* long mode, cr3 and gdt set */
};

/* How the first vCPU begins; all other registers as after RESET. */
struct load_entry {
	enum load_mode mode;
	uint64_t rip, rsp, rax, rbx;
	gpa_t cr3, gdt;
	uint16_t gdt_limit;
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
/* The segments of an ELF32 or ELF64 executable; *entry is physical. */
int load_elf_segments(struct load *load, uint64_t *entry);
/* Multiboot information: command line, modules, memory map. */
int load_info(struct load *load, gpa_t *info);

bool load_is_elf(const struct load_file *file);
/* Offset of the multiboot header, or -1. */
long load_multiboot_header(const struct load_file *file);

#endif /* VMM_LOAD_H */
