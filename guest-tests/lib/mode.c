// SPDX-License-Identifier: Apache-2.0
/* Running a few bytes of code in another mode: tables and descriptors. */
#include "lib/mode.h"

#include "lib/control.h"
#include "lib/idt.h"
#include "lib/report.h"

#define GATE_INTERRUPT_16 0x8600
#define GATE_INTERRUPT_32 0x8e00
#define GATE_DPL3 0x6000
#define TSS_AVAILABLE 0x89
#define STUB_BYTES 8
#define STUB_VECTORS 32
/* Below the stack that traps from CPL 3 use. */
#define STACK_OFFSET 2048

struct tss32 {
	u32 link;
	u32 esp0;
	u32 ss0;
	u32 unused[22];
	u16 trap;
	u16 iomap;
};

struct idtr32 {
	u16 limit;
	u32 base;
} __attribute__((packed));

/* How each mode is entered. */
struct mode_entry {
	u32 cs, ss, eflags;
	bool low; /* 16-bit code at LOW_BASE */
	bool gates_16;
};

/* clang-format off */
static const struct mode_entry entries[] = {
	[MODE_REAL] = { 0, 0, 0, true, false },
	[MODE_PROTECTED_32] = { KERNEL_CS32, KERNEL_DS, FLAG_ONE, false, false },
	[MODE_PROTECTED_32_USER] = { USER_CS32, USER_DS, FLAG_ONE, false, false },
	[MODE_PROTECTED_16] = { KERNEL_CS16, KERNEL_DS16, FLAG_ONE, true, false },
	[MODE_PROTECTED_16_USER] = { USER_CS16, USER_DS16, FLAG_ONE, true, false },
	[MODE_GATES_16] = { KERNEL_CS16, KERNEL_DS16, FLAG_ONE, true, true },
	[MODE_GATES_16_USER] = { USER_CS16, USER_DS16, FLAG_ONE, true, true },
	/* IOPL 3, so that INT n reaches its gate. */
	[MODE_V8086] = { LOW_SEGMENT, LOW_SEGMENT,
			 FLAG_VM | FLAG_IOPL3 | FLAG_ONE, true, false },
};
/* clang-format on */

extern u64 gdt[];
extern u64 boot_pd[2048];
extern u8 low_blob[], low_blob_end[], low_enter[], low_slot[];
extern u8 low_stubs[][STUB_BYTES], low_stubs_16[][STUB_BYTES];
extern u8 mode_code32[], mode_slot32[];
extern u8 mode_stubs[][STUB_BYTES];
extern u8 mode_stack_top[];
extern u32 mode_cr0, mode_cr3, mode_cr4, mode_is_real;
extern u32 mode_cs, mode_eip, mode_eflags, mode_ss, mode_esp;
void mode_enter(void);

struct idtr32 mode_idtr;

static u64 idt32[256] __attribute__((aligned(8)));
static u32 directory32[1024] __attribute__((aligned(4096)));
static u64 pdpt_pae[4] __attribute__((aligned(32)));
static struct tss32 tss;

/* Writable although the linker placed it among code. */
static void *address(u64 where)
{
	void *p;

	asm("" : "=r"(p) : "0"(where));
	return p;
}

static u64 gate(u32 selector, u64 offset, u32 type)
{
	return (offset & 0xffff) | (u64)selector << 16 | (u64)type << 32 |
	       (offset >> 16 & 0xffff) << 48;
}

static u64 gate_to(u32 stub, bool gates_16, u32 dpl_bits)
{
	if (gates_16)
		return gate(KERNEL_CS16,
			    (u64)(low_stubs_16[stub] - low_blob) + LOW_ORIGIN,
			    GATE_INTERRUPT_16 | dpl_bits);
	return gate(KERNEL_CS32, (u64)mode_stubs[stub],
		    GATE_INTERRUPT_32 | dpl_bits);
}

static void fill_idt(bool gates_16)
{
	for (u32 vector = 0; vector < STUB_VECTORS; vector++)
		idt32[vector] = gate_to(vector, gates_16, 0);
	idt32[VECTOR_RETURN] = gate_to(STUB_VECTORS, gates_16, GATE_DPL3);
	mode_idtr.limit = sizeof(idt32) - 1;
	mode_idtr.base = (u32)(u64)idt32;
}

static void fill_ivt(void)
{
	volatile u32 *ivt = address(0);
	u32 stubs =
		LOW_SEGMENT << 16 | (u32)(low_stubs[0] - low_blob + LOW_ORIGIN);

	for (u32 vector = 0; vector < STUB_VECTORS; vector++)
		ivt[vector] = stubs + vector * STUB_BYTES;
	ivt[VECTOR_RETURN] = stubs + STUB_VECTORS * STUB_BYTES;
	mode_idtr.limit = 256 * 4 - 1;
	mode_idtr.base = 0;
}

static void fill_tss(void)
{
	u64 base = (u64)&tss;

	tss.esp0 = (u32)(u64)mode_stack_top;
	tss.ss0 = KERNEL_DS;
	tss.iomap = sizeof(tss);
	gdt[TSS32 / 8] = (sizeof(tss) - 1) | (base & 0xffffff) << 16 |
			 (u64)TSS_AVAILABLE << 40 | (base >> 24 & 0xff) << 56;
}

static void set_paging(enum mode_paging paging)
{
	u32 cr4 = (u32)read_cr4() & ~(u32)CR4_PAE;

	mode_cr0 = paging == MODE_UNPAGED ? 0 : CR0_PG;
	mode_cr3 = 0;
	if (paging == MODE_PAGING_32) {
		cr4 |= CR4_PSE;
		for (u32 i = 0; i < 1024; i++)
			directory32[i] =
				i << 22 | PTE_PS | PTE_US | PTE_RW | PTE_P;
		mode_cr3 = (u32)(u64)directory32;
	} else if (paging == MODE_PAGING_PAE) {
		cr4 |= CR4_PAE;
		for (u32 i = 0; i < 4; i++)
			pdpt_pae[i] = (u64)&boot_pd[512 * i] | PTE_P;
		mode_cr3 = (u32)(u64)pdpt_pae;
	}
	mode_cr4 = cr4;
}

u32 mode_run(enum mode mode, enum mode_paging paging, const void *code,
	     size_t bytes, struct mode_regs *regs)
{
	const struct mode_entry *entry = &entries[mode];
	u8 *low = address(LOW_BASE);
	struct mode_regs *shared = address(LOW_BASE);
	u64 slot = entry->low ? (u64)(low_slot - low_blob + LOW_ORIGIN)
			      : (u64)mode_slot32;
	u8 *to = address(entry->low ? (LOW_SEGMENT << 4) + slot : slot);

	if (bytes > MODE_CODE_BYTES)
		report_abort("%lu bytes of code do not fit", bytes);
	memcpy(low, low_blob, (size_t)(low_blob_end - low_blob));
	memset(to, 0x90, MODE_CODE_BYTES);
	memcpy(to, code, bytes);
	*shared = *regs;
	shared->vector = 0;
	fill_tss();
	mode_is_real = mode == MODE_REAL;
	if (mode_is_real)
		fill_ivt();
	else
		fill_idt(entry->gates_16);
	set_paging(paging);
	mode_cs = entry->cs;
	mode_ss = entry->ss;
	mode_esp = entry->low ? LOW_ORIGIN + LOW_BYTES
			      : (u32)(u64)mode_stack_top - STACK_OFFSET;
	mode_eflags = entry->eflags;
	mode_eip = entry->low ? (u32)(low_enter - low_blob + LOW_ORIGIN)
			      : (u32)(u64)mode_code32;
	mode_enter();
	idt_load_tr();
	idt_load();
	*regs = *shared;
	regs->offset -= (u32)slot;
	return regs->vector;
}
