/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Interrupt gates and exception frames in long, protected, virtual-8086 and
 * real mode (SDM 3A, "Interrupt and Exception Handling"; APM 2, "Exceptions and
 * Interrupts"). The only file that knows how they look.
 */
#include <string.h>

#include "kvm/internal.h"

#define GATE_IS_32 BIT(3) /* of the type: a 32-bit gate, else 16-bit */

static bool long_mode(const struct kvm_sregs *s)
{
	return s->efer & EFER_LMA;
}

static bool real_mode(const struct kvm_sregs *s)
{
	return !(s->cr0 & CR0_PE);
}

static unsigned int gate_bytes(const struct kvm_sregs *s)
{
	if (real_mode(s))
		return 4;
	return long_mode(s) ? 16 : 8;
}

/* The raw gate: 16 bytes in long mode, 8 in protected mode. */
static bool read_gate(struct vpmu_kvm_vcpu *v, unsigned int vector,
		      uint64_t gate[2])
{
	const struct kvm_sregs *s = &v->run->s.regs.sregs;
	unsigned int size = gate_bytes(s);

	gate[1] = 0;
	return vector * size + size - 1 <= s->idt.limit &&
	       vpmu_kvm_read(v, s->idt.base + vector * size, gate, size) &&
	       (gate[0] & BIT(47));
}

static bool real_mode_handler(struct vpmu_kvm_vcpu *v, unsigned int vector,
			      uint64_t *linear)
{
	const struct kvm_sregs *s = &v->run->s.regs.sregs;
	uint16_t ivt[2];

	if (vector * 4 + 3 > s->idt.limit ||
	    !vpmu_kvm_read(v, s->idt.base + vector * 4, ivt, sizeof(ivt)))
		return false;
	*linear = ((uint64_t)ivt[1] << 4) + ivt[0];
	return true;
}

/* The linear address of the first instruction of the vector's handler. */
bool vpmu_kvm_gate(struct vpmu_kvm_vcpu *v, unsigned int vector,
		   uint64_t *linear)
{
	const struct kvm_sregs *s = &v->run->s.regs.sregs;
	struct kvm_segment cs;
	uint64_t gate[2];

	if (real_mode(s))
		return real_mode_handler(v, vector, linear);
	if (!read_gate(v, vector, gate))
		return false;
	*linear = (gate[0] & 0xffff) | (gate[0] >> 32 & 0xffff0000);
	if (long_mode(s)) {
		*linear |= gate[1] << 32;
		return true;
	}
	if (!(gate[0] >> 40 & GATE_IS_32))
		*linear &= UINT16_MAX;
	if (!vpmu_kvm_load_segment(v, gate[0] >> 16 & UINT16_MAX, &cs))
		return false;
	*linear = (*linear + cs.base) & UINT32_MAX;
	return true;
}

static bool memo_holds(const struct vpmu_kvm_vcpu *v)
{
	const struct kvm_sregs *s = &v->run->s.regs.sregs;
	const struct gate_memo *m = &v->memo;

	return m->gate && m->idt_base == s->idt.base &&
	       m->idt_limit == s->idt.limit && m->cr0 == s->cr0 &&
	       m->cr3 == s->cr3 && m->cr4 == s->cr4 && m->efer == s->efer &&
	       !memcmp(m->raw, m->gate, m->bytes);
}

static void fill_memo(struct vpmu_kvm_vcpu *v)
{
	const struct kvm_sregs *s = &v->run->s.regs.sregs;
	unsigned int bytes = gate_bytes(s);
	struct gate_memo *m = &v->memo;
	uint64_t before = m->linear;

	*m = (struct gate_memo){ .idt_base = s->idt.base,
				 .idt_limit = s->idt.limit,
				 .cr0 = s->cr0,
				 .cr3 = s->cr3,
				 .cr4 = s->cr4,
				 .efer = s->efer,
				 .bytes = (uint8_t)bytes };
	m->gate = vpmu_kvm_pointer(v, s->idt.base + VECTOR_GP * bytes, bytes);
	if (m->gate)
		memcpy(m->raw, m->gate, bytes);
	if (!vpmu_kvm_gate(v, VECTOR_GP, &m->linear))
		m->linear = 0;
	if (m->linear != before)
		v->slots_stale = true;
}

uint64_t vpmu_kvm_gp_handler(struct vpmu_kvm_vcpu *v)
{
	if (!memo_holds(v))
		fill_memo(v);
	return v->memo.linear;
}

static bool pop(struct vpmu_kvm_vcpu *v, struct frame *f, uint64_t *at,
		uint64_t *value)
{
	*value = 0;
	if (!vpmu_kvm_read(v, vpmu_kvm_linear_stack(v, *at), value, f->bytes))
		return false;
	*at += f->bytes;
	return true;
}

static bool pop_selector(struct vpmu_kvm_vcpu *v, struct frame *f, uint64_t *at,
			 uint16_t *selector)
{
	uint64_t value;

	if (!pop(v, f, at, &value))
		return false;
	*selector = (uint16_t)value;
	return true;
}

/* Vectors 8, 10..14, 17, 21 push an error code, except in real mode. */
static bool has_error(unsigned int vector)
{
	return vector < 32 && (UINT32_C(0x00227d00) >> vector & 1);
}

static bool frame_bytes(struct vpmu_kvm_vcpu *v, unsigned int vector,
			struct frame *f)
{
	const struct kvm_sregs *s = &v->run->s.regs.sregs;
	uint64_t gate[2];

	f->bytes = long_mode(s) ? 8 : 2;
	if (real_mode(s) || long_mode(s))
		return true;
	if (!read_gate(v, vector, gate))
		return false;
	if (gate[0] >> 40 & GATE_IS_32)
		f->bytes = 4;
	return true;
}

static bool pop_outer(struct vpmu_kvm_vcpu *v, struct frame *f, uint64_t *at)
{
	if (!pop(v, f, at, &f->rsp) || !pop_selector(v, f, at, &f->ss))
		return false;
	if (!(f->rflags & RFLAGS_VM))
		return true;
	for (int i = 0; i < 4; i++)
		if (!pop_selector(v, f, at, &f->data[i]))
			return false;
	return true;
}

/*
 * Read the frame at the stack pointer, which the processor has just pushed for
 * `vector`. Nothing of the guest can make this more than wrong: what follows
 * checks it again.
 */
bool vpmu_kvm_frame_read(struct vpmu_kvm_vcpu *v, unsigned int vector,
			 struct frame *f)
{
	const struct kvm_sync_regs *s = &v->run->s.regs;
	uint64_t at = 0;

	memset(f, 0, sizeof(*f));
	if (!frame_bytes(v, vector, f))
		return false;
	if (!real_mode(&s->sregs) && has_error(vector) &&
	    !pop(v, f, &at, &f->error))
		return false;
	if (!pop(v, f, &at, &f->rip) || !pop_selector(v, f, &at, &f->cs))
		return false;
	f->flags_at = vpmu_kvm_linear_stack(v, at);
	if (!pop(v, f, &at, &f->rflags))
		return false;
	if (f->bytes == 2) /* bits 31:16 were not pushed; VM cannot be set */
		f->rflags |= s->regs.rflags & UINT64_C(0xffff0000) & ~RFLAGS_RF;
	if (real_mode(&s->sregs)) {
		f->rsp = (s->regs.rsp & ~UINT64_C(0xffff)) |
			 ((s->regs.rsp + at) & UINT16_MAX);
		f->ss = s->sregs.ss.selector;
		return true;
	}
	f->outer = long_mode(&s->sregs) || (f->rflags & RFLAGS_VM) ||
		   (f->cs & 3) != vpmu_kvm_cpl(v);
	if (f->outer)
		return pop_outer(v, f, &at);
	f->rsp = s->regs.rsp + at;
	f->ss = s->sregs.ss.selector;
	return true;
}

/* SDM 3A, "Virtual-8086 Mode": what the processor puts into the segments. */
static void segment_8086(struct kvm_segment *seg, uint16_t selector)
{
	*seg = (struct kvm_segment){
		.base = (uint64_t)selector << 4,
		.limit = 0xffff,
		.selector = selector,
		.type = 3,
		.s = 1,
		.dpl = 3,
		.present = 1,
	};
}

bool vpmu_kvm_frame_cs(struct vpmu_kvm_vcpu *v, const struct frame *f,
		       struct kvm_segment *cs)
{
	const struct kvm_sregs *s = &v->run->s.regs.sregs;

	if (real_mode(s)) {
		*cs = s->cs;
		cs->selector = f->cs;
		cs->base = (uint64_t)f->cs << 4;
		return true;
	}
	if (f->rflags & RFLAGS_VM) {
		segment_8086(cs, f->cs);
		return true;
	}
	if (f->cs == s->cs.selector) {
		*cs = s->cs;
		return true;
	}
	return vpmu_kvm_load_segment(v, f->cs, cs) && (cs->type & 8) &&
	       !(cs->l && (cs->db || !long_mode(s)));
}

/*
 * SS carries the CPL: on AMD KVM takes it from SS.DPL. A null SS is legal in
 * 64-bit code below CPL 3, and is what an inner handler was entered with.
 */
static bool frame_ss(struct vpmu_kvm_vcpu *v, const struct frame *f,
		     const struct kvm_segment *cs, struct kvm_segment *ss)
{
	uint8_t cpl = f->cs & 3;

	if (!(f->ss & ~3u)) {
		*ss = (struct kvm_segment){ .selector = f->ss,
					    .dpl = cpl,
					    .type = 3,
					    .s = 1,
					    .unusable = 1 };
		return cs->l && cpl != 3;
	}
	return vpmu_kvm_load_segment(v, f->ss, ss) && ss->dpl == cpl &&
	       (ss->type & 10) == 2;
}

static void unwind_8086(struct kvm_sregs *s, const struct frame *f)
{
	struct kvm_segment *data[4] = { &s->es, &s->ds, &s->fs, &s->gs };

	segment_8086(&s->ss, f->ss);
	for (int i = 0; i < 4; i++)
		segment_8086(data[i], f->data[i]);
}

/* The stack segment to return to; frames without one keep the present. */
static bool outer_ss(struct vpmu_kvm_vcpu *v, const struct frame *f,
		     const struct kvm_segment *cs, struct kvm_segment *ss)
{
	if (f->ss == ss->selector && (f->cs & 3) == vpmu_kvm_cpl(v))
		return true;
	return frame_ss(v, f, cs, ss);
}

bool vpmu_kvm_frame_unwind(struct vpmu_kvm_vcpu *v, const struct frame *f,
			   const struct kvm_segment *cs)
{
	struct kvm_sync_regs *s = &v->run->s.regs;
	struct kvm_segment ss = s->sregs.ss;
	bool v8086 = f->rflags & RFLAGS_VM;

	if (f->outer && !v8086 && !outer_ss(v, f, cs, &ss))
		return false;
	if (v8086 || f->cs != s->sregs.cs.selector ||
	    f->ss != s->sregs.ss.selector)
		vpmu_kvm_dirty(v, KVM_SYNC_X86_SREGS);
	if (v8086)
		unwind_8086(&s->sregs, f);
	else
		s->sregs.ss = ss;
	s->sregs.cs = *cs;
	s->regs.rip = f->rip & vpmu_kvm_rip_mask(cs);
	s->regs.rsp = f->rsp;
	/* RF was for going on at the RDPMC, which is behind us. */
	s->regs.rflags = (f->rflags & ~RFLAGS_RF) | RFLAGS_FIXED;
	vpmu_kvm_dirty(v, KVM_SYNC_X86_REGS);
	return true;
}
