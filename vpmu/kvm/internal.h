/* SPDX-License-Identifier: Apache-2.0 */
/* The glue's private structs; what a counter means is none of its business. */
#ifndef VPMU_KVM_INTERNAL_H
#define VPMU_KVM_INTERNAL_H

#include <stdbool.h>
#include <stdint.h>

#include "vpmu_kvm.h"

#define BIT(n) (UINT64_C(1) << (n))

#define CR0_PE BIT(0)
#define CR0_TS BIT(3)
#define CR0_EM BIT(2)
#define CR0_AM BIT(18)
#define CR0_PG BIT(31)
#define CR4_PSE BIT(4)
#define CR4_PAE BIT(5)
#define CR4_PCE BIT(8)
#define CR4_LA57 BIT(12)
#define EFER_SCE BIT(0)
#define EFER_LMA BIT(10)
#define RFLAGS_CF BIT(0)
#define RFLAGS_FIXED BIT(1)
#define RFLAGS_PF BIT(2)
#define RFLAGS_ZF BIT(6)
#define RFLAGS_SF BIT(7)
#define RFLAGS_TF BIT(8)
#define RFLAGS_IF BIT(9)
#define RFLAGS_OF BIT(11)
#define RFLAGS_RF BIT(16)
#define RFLAGS_VM BIT(17)
#define RFLAGS_AC BIT(18)
#define DR6_BN 0xfu
#define DR6_BD BIT(13)
#define DR6_BS BIT(14)

#define VECTOR_DB 1
#define VECTOR_NMI 2
#define VECTOR_UD 6
#define VECTOR_GP 13
#define VECTOR_PF 14

#define NR_DR 4

struct vpmu_kvm {
	struct vpmu_kvm_config config;
	struct vpmu_kvm_probe probe;
	enum vpmu_kvm_trap trap;
	char reason[192];
};

/* An address that RDPMC was met at: a candidate for a debug register. */
struct site {
	uint64_t linear;
	uint32_t hits;
	bool armed;
};

#define NR_SITES 8

/* Who put an address into a debug register. */
enum dr_owner {
	DR_FREE,
	DR_GP, /* the guest's #GP handler */
	DR_PF, /* its #PF handler; stepping only */
	DR_NEXT, /* where the stepped instruction may enter; stepping only */
	DR_SITE, /* an RDPMC */
	DR_GUEST, /* the guest's own breakpoint, number guest_index */
};

struct dr_slot {
	uint64_t linear;
	uint8_t owner; /* enum dr_owner */
	uint8_t guest_index;
	uint8_t rw_len; /* DR7's R/W and LEN fields of the guest's */
};

/* The instruction that is being stepped. */
struct insn {
	uint64_t rip; /* as in RIP, not linear */
	uint64_t next; /* RIP behind it */
	uint32_t occurred; /* VPMU_OCCURS() */
	uint8_t len; /* 0: could not be read or decoded */
	uint8_t cpl;
	uint8_t flags; /* INSN_* */
	int16_t vector; /* that it may enter, or -1 */
	uint64_t target; /* linear, of SYSCALL and SYSENTER; 0: none */
	bool to_itself; /* a near branch whose target it is */
	uint8_t flags_bytes; /* PUSHF: size of what it pushes */
	uint8_t new_tf; /* TF after it: TF_* */
};

#define INSN_RDPMC 0x01u
#define INSN_BRANCH 0x02u /* RIP may go anywhere */
#define INSN_ENTERS 0x04u /* retires although it enters a handler */
#define INSN_LOADS_SS 0x08u /* the next one is not trapped separately */
#define INSN_HLT 0x10u
#define INSN_FLAGS_TO_R11 0x20u /* SYSCALL */
#define INSN_WRITES_DR 0x40u

enum { TF_KEEP, TF_CLEAR, TF_SET };

struct step {
	bool on; /* KVM_GUESTDBG_SINGLESTEP is wanted */
	bool pending; /* `insn` has begun and is not yet retired */
	bool guest_tf; /* the guest's own TF, which KVM hides */
	bool halted;
	bool just_left; /* stepping ended at the last entry */
	bool window; /* interrupts let in during this step */
	bool was_open; /* IF at the last look */
	int16_t deliver; /* the vector that the next KVM_RUN enters; -1 */
	uint32_t countdown; /* steps until interrupts are looked at */
	struct insn insn;
};

/*
 * The #GP handler as last looked up: right as long as the registers that lead
 * to the gate and its bytes are the same. Page tables and descriptors are
 * followed again after each exit to the VMM.
 */
struct gate_memo {
	uint64_t linear; /* of the handler; 0: none was found */
	uint64_t idt_base, cr0, cr3, cr4, efer;
	const void *gate; /* in guest memory; NULL: no memo */
	uint8_t bytes; /* of the gate */
	uint16_t idt_limit;
	uint8_t raw[16];
};

struct vpmu_kvm_vcpu {
	struct vpmu_kvm *kvm;
	struct vpmu_vcpu *pmu;
	struct kvm_run *run;
	int fd;
	uint32_t index;
	bool regs_valid; /* run->s.regs holds the vCPU's registers */
	bool completing; /* the instruction at RIP ends in the next KVM_RUN */
	bool debugregs_stale; /* the guest's DRs may have changed */
	bool armed_valid; /* KVM has what `armed` says */
	bool inject_db; /* with the next KVM_SET_GUEST_DEBUG */
	bool unarmed; /* leave unarmed_at out: RF did not step off it */
	uint64_t unarmed_at;
	struct kvm_guest_debug armed;
	struct kvm_debugregs guest_dr;
	struct dr_slot slots[NR_DR];
	struct gate_memo memo;
	bool slots_stale; /* what else slots[] come from has changed */
	struct site sites[NR_SITES];
	struct step step;
	struct vpmu_kvm_stats stats;
};

/* kvm.c */
void vpmu_kvm_fail(struct vpmu_kvm *kvm, const char *what, int err);
int vpmu_kvm_ioctl(struct vpmu_kvm_vcpu *v, unsigned long request, void *arg,
		   const char *name);

/* msr_filter.c */
int vpmu_kvm_filter(struct vpmu_kvm *kvm);

/* walk.c: guest memory by linear address */
bool vpmu_kvm_read(struct vpmu_kvm_vcpu *v, uint64_t linear, void *buf,
		   size_t len);
bool vpmu_kvm_write(struct vpmu_kvm_vcpu *v, uint64_t linear, const void *buf,
		    size_t len);
/* Where they are in this process, if in one page; else NULL. */
const void *vpmu_kvm_pointer(struct vpmu_kvm_vcpu *v, uint64_t linear,
			     size_t len);
/* How many of len bytes could be read. */
size_t vpmu_kvm_read_some(struct vpmu_kvm_vcpu *v, uint64_t linear, void *buf,
			  size_t len);

/* regs.c: the registers in run->s.regs */
int vpmu_kvm_fetch(struct vpmu_kvm_vcpu *v);
int vpmu_kvm_flush(struct vpmu_kvm_vcpu *v);
void vpmu_kvm_dirty(struct vpmu_kvm_vcpu *v, uint64_t which);
/* 0 and *value, or -errno. */
int vpmu_kvm_get_msr(struct vpmu_kvm_vcpu *v, uint32_t index, uint64_t *value);
int vpmu_kvm_set_msr(struct vpmu_kvm_vcpu *v, uint32_t index, uint64_t value);
uint8_t vpmu_kvm_cpl(const struct vpmu_kvm_vcpu *v);
/* The linear address of `rip` in that code segment, and of RIP itself. */
uint64_t vpmu_kvm_linear(const struct kvm_segment *cs, uint64_t rip);
uint64_t vpmu_kvm_linear_rip(const struct vpmu_kvm_vcpu *v);
/* ... of what is `at` bytes up the stack. */
uint64_t vpmu_kvm_linear_stack(const struct vpmu_kvm_vcpu *v, uint64_t at);
uint64_t vpmu_kvm_rip_mask(const struct kvm_segment *cs);
bool vpmu_kvm_load_segment(struct vpmu_kvm_vcpu *v, uint16_t selector,
			   struct kvm_segment *seg);

/* frame.c: exception frames, the only place that knows their layout */
struct frame {
	uint64_t rip, rflags, rsp;
	uint64_t flags_at; /* linear address of the pushed flags */
	uint64_t error;
	uint16_t cs, ss;
	uint16_t data[4]; /* ES, DS, FS, GS; virtual-8086 mode only */
	uint8_t bytes; /* of one push */
	bool outer; /* RSP and SS were pushed */
};
bool vpmu_kvm_gate(struct vpmu_kvm_vcpu *v, unsigned int vector,
		   uint64_t *linear);
/* The same for #GP, from the memo if that still holds; 0: there is none. */
uint64_t vpmu_kvm_gp_handler(struct vpmu_kvm_vcpu *v);
bool vpmu_kvm_frame_read(struct vpmu_kvm_vcpu *v, unsigned int vector,
			 struct frame *f);
/* The code segment that the frame returns to. */
bool vpmu_kvm_frame_cs(struct vpmu_kvm_vcpu *v, const struct frame *f,
		       struct kvm_segment *cs);
/* Return as IRET would, to f->rip; false: cannot, nothing has changed. */
bool vpmu_kvm_frame_unwind(struct vpmu_kvm_vcpu *v, const struct frame *f,
			   const struct kvm_segment *cs);

/* decode.c: the only place that knows Zydis */
void vpmu_kvm_decode(struct vpmu_kvm_vcpu *v, struct insn *insn);
/* Length of the RDPMC in bytes[len] under this code segment, or 0. */
unsigned int vpmu_kvm_is_rdpmc(const uint8_t *bytes, size_t len,
			       const struct kvm_segment *cs, bool v8086);

/* debug.c: KVM_SET_GUEST_DEBUG and the debug registers */
void vpmu_kvm_slots_clear(struct vpmu_kvm_vcpu *v);
void vpmu_kvm_slot_add(struct vpmu_kvm_vcpu *v, enum dr_owner owner,
		       uint64_t linear);
void vpmu_kvm_slots_guest(struct vpmu_kvm_vcpu *v, unsigned int max);
/* Read the guest's debug registers again if they may have changed. */
void vpmu_kvm_debugregs(struct vpmu_kvm_vcpu *v);
int vpmu_kvm_arm(struct vpmu_kvm_vcpu *v, uint32_t control);
/* The slot of this owner that the debug exit names, or NULL. */
const struct dr_slot *vpmu_kvm_slot_hit(const struct vpmu_kvm_vcpu *v,
					enum dr_owner owner);
/* DR6 bits that are the guest's own: breakpoints, BS unless we step. */
uint64_t vpmu_kvm_foreign_dr6(const struct vpmu_kvm_vcpu *v);
int vpmu_kvm_inject_db(struct vpmu_kvm_vcpu *v, uint64_t dr6);
int vpmu_kvm_inject_gp(struct vpmu_kvm_vcpu *v);

/* rdpmc_trap.c */
int vpmu_kvm_trap_enter(struct vpmu_kvm_vcpu *v);
int vpmu_kvm_trap_debug(struct vpmu_kvm_vcpu *v);
/* At the #GP handler: true if it was an RDPMC and has been dealt with. */
bool vpmu_kvm_unwind_rdpmc(struct vpmu_kvm_vcpu *v);
/* Emulate the RDPMC at RIP, `len` bytes long, before it executes. */
enum vpmu_result vpmu_kvm_rdpmc_ahead(struct vpmu_kvm_vcpu *v,
				      unsigned int len);

/* step.c */
int vpmu_kvm_step_enter(struct vpmu_kvm_vcpu *v);
/* Stop stepping, if it was on, and arm the breakpoints. */
int vpmu_kvm_step_leave(struct vpmu_kvm_vcpu *v);
int vpmu_kvm_step_debug(struct vpmu_kvm_vcpu *v);
/* Any other exit while stepping. */
void vpmu_kvm_step_other(struct vpmu_kvm_vcpu *v);
/* The WRMSR at hand is done and has been carried out. */
void vpmu_kvm_step_wrmsr(struct vpmu_kvm_vcpu *v);

/* lvtpc.c */
int vpmu_kvm_deliver_pmi(struct vpmu_kvm_vcpu *v);
/* The vector that the local APIC or NMI would enter now, or -1. */
int vpmu_kvm_next_vector(struct vpmu_kvm_vcpu *v);

#endif /* VPMU_KVM_INTERNAL_H */
