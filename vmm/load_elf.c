/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ELF executables of either class for x86: PT_LOAD segments at their physical
 * addresses; and the long-mode entry of an ELF64 that has no multiboot header.
 */
#include <elf.h>
#include <inttypes.h>
#include <string.h>

#include "load.h"
#include "msg.h"

#define SEGMENT "segment"

/* What both classes have in common, widened. */
struct elf {
	bool is64;
	uint16_t type, machine, phentsize, phnum;
	uint64_t entry, phoff;
};

struct phdr {
	uint32_t type;
	uint64_t offset, vaddr, paddr, filesz, memsz;
};

bool load_is_elf(const struct load_file *file)
{
	return file->bytes >= SELFMAG && !memcmp(file->data, ELFMAG, SELFMAG);
}

static int bad(const struct load *load, const char *why)
{
	return msg_err("image: %s: ELF: %s", load->file.name, why);
}

static int read_ehdr32(const struct load_file *file, struct elf *elf)
{
	Elf32_Ehdr e;

	if (file->bytes < sizeof(e))
		return -1;
	memcpy(&e, file->data, sizeof(e));
	*elf = (struct elf){ false,	e.e_type,  e.e_machine, e.e_phentsize,
			     e.e_phnum, e.e_entry, e.e_phoff };
	return 0;
}

static int read_ehdr64(const struct load_file *file, struct elf *elf)
{
	Elf64_Ehdr e;

	if (file->bytes < sizeof(e))
		return -1;
	memcpy(&e, file->data, sizeof(e));
	*elf = (struct elf){ true,	e.e_type,  e.e_machine, e.e_phentsize,
			     e.e_phnum, e.e_entry, e.e_phoff };
	return 0;
}

static int read_ehdr(const struct load *load, struct elf *elf)
{
	const struct load_file *file = &load->file;
	int ret;

	if (file->bytes < EI_NIDENT)
		return bad(load, "the header is truncated");
	if (file->data[EI_CLASS] != ELFCLASS32 &&
	    file->data[EI_CLASS] != ELFCLASS64)
		return bad(load, "neither of class 32 nor 64");
	if (file->data[EI_DATA] != ELFDATA2LSB)
		return bad(load, "not little-endian");
	ret = file->data[EI_CLASS] == ELFCLASS64 ? read_ehdr64(file, elf)
						 : read_ehdr32(file, elf);
	if (ret)
		return bad(load, "the header is truncated");
	if (elf->type != ET_EXEC)
		return bad(load, "not an executable with fixed addresses");
	if (elf->machine != (elf->is64 ? EM_X86_64 : EM_386))
		return bad(load, "not for x86");
	return 0;
}

static struct phdr get_phdr(const struct load *load, const struct elf *elf,
			    unsigned int i)
{
	const uint8_t *at =
		load->file.data + elf->phoff + (size_t)i * elf->phentsize;
	Elf64_Phdr p64;
	Elf32_Phdr p32;

	if (elf->is64) {
		memcpy(&p64, at, sizeof(p64));
		return (struct phdr){ p64.p_type,  p64.p_offset, p64.p_vaddr,
				      p64.p_paddr, p64.p_filesz, p64.p_memsz };
	}
	memcpy(&p32, at, sizeof(p32));
	return (struct phdr){ p32.p_type,  p32.p_offset, p32.p_vaddr,
			      p32.p_paddr, p32.p_filesz, p32.p_memsz };
}

static int check_phdrs(const struct load *load, const struct elf *elf)
{
	size_t least = elf->is64 ? sizeof(Elf64_Phdr) : sizeof(Elf32_Phdr);
	uint64_t table = (uint64_t)elf->phentsize * elf->phnum;

	if (!elf->phnum)
		return bad(load, "no program headers");
	if (elf->phentsize < least)
		return bad(load, "e_phentsize is too small");
	if (elf->phoff > load->file.bytes ||
	    table > load->file.bytes - elf->phoff)
		return bad(load, "program headers beyond the end of the file; "
				 "is it truncated?");
	return 0;
}

static int load_segment(struct load *load, const struct phdr *p)
{
	uint8_t *to;

	if (p->filesz > p->memsz)
		return bad(load, "a segment's p_filesz is above its p_memsz");
	if (p->offset > load->file.bytes ||
	    p->filesz > load->file.bytes - p->offset)
		return bad(load, "a segment beyond the end of the file; is it "
				 "truncated?");
	to = load_claim(load, p->paddr, p->memsz, SEGMENT);
	if (!to)
		return -1;
	memcpy(to, load->file.data + p->offset, p->filesz);
	memset(to + p->filesz, 0, p->memsz - p->filesz);
	return 0;
}

int load_elf_segments(struct load *load, uint64_t *entry)
{
	bool found = false;
	struct elf elf;
	struct phdr p;

	if (read_ehdr(load, &elf) || check_phdrs(load, &elf))
		return -1;
	*entry = elf.entry;
	for (unsigned int i = 0; i < elf.phnum; i++) {
		p = get_phdr(load, &elf, i);
		if (p.type != PT_LOAD || !p.memsz)
			continue;
		if (load_segment(load, &p))
			return -1;
		/* e_entry is virtual; without paging it must be physical. */
		if (!found && elf.entry - p.vaddr < p.memsz) {
			*entry = elf.entry - p.vaddr + p.paddr;
			found = true;
		}
	}
	if (load_claimed(load, *entry, SEGMENT))
		return 0;
	return msg_err("image: %s: ELF: entry %" PRIx64 "H lies in no segment",
		       load->file.name, elf.entry);
}

int load_elf64(struct load *load, struct load_entry *entry)
{
	struct elf elf;
	gpa_t info;

	if (read_ehdr(load, &elf))
		return -1;
	if (!elf.is64)
		return bad(load, "32-bit without a multiboot header in its "
				 "first 8 KiB");
	/* The stack grows down from below the tables. */
	*entry =
		(struct load_entry){ .rsp = LOAD_LONG_BASE, .format = "ELF64" };
	if (load_elf_segments(load, &entry->rip) ||
	    load_long_mode(load, LOAD_CS, entry) || load_info(load, &info))
		return -1;
	if (entry->rip >= GIB(4))
		return bad(load, "entry above 4 GiB, which is not mapped");
	entry->rbx = info;
	return 0;
}
