/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Exact counting: one KVM_EXIT_DEBUG per instruction, each fed to the core.
 *
 * KVM_GUESTDBG_SINGLESTEP sets TF. The processor clears TF when it enters a
 * handler, which would then run unseen to its IRET; so each entry that can be
 * foreseen gets a breakpoint on the handler's first instruction, and stepping
 * goes on inside. Interrupts are held off by KVM_GUESTDBG_BLOCKIRQ and let in
 * when it is known which one comes. RDPMC never executes: it is emulated ahead.
 * What could not be seen is told by vpmu_retire_missed().
 */
#include <time.h>

#include "kvm/internal.h"

/* Steps between two looks at pending interrupts: each costs two ioctls. */
#define LOOK_EVERY 32
#define HALT_POLL_NS 200000
#define MSR_SFMASK 0xc0000084u

/* ------------------------------------------------------------- retiring */

static void retire(struct vpmu_kvm_vcpu *v, const struct insn *insn)
{
	v->stats.steps++;
	vpmu_retire(v->pmu, insn->occurred, insn->cpl);
}

static void missed(struct vpmu_kvm_vcpu *v)
{
	v->stats.missed++;
	vpmu_retire_missed(v->pmu);
}

/*
 * MOV SS and the instruction behind it are one step: retire that one too. It
 * was not prepared for, so what may have entered a handler is missed.
 */
static void retire_shadowed(struct vpmu_kvm_vcpu *v, const struct insn *first)
{
	struct insn second = { .rip = first->next };

	vpmu_kvm_decode(v, &second);
	if (!second.len || second.flags & (INSN_ENTERS | INSN_HLT)) {
		missed(v);
		return;
	}
	retire(v, &second);
	/* What it did to TF is seen to by after_tf(). */
	v->step.insn.flags_bytes = second.flags_bytes;
	v->step.insn.new_tf = second.new_tf;
}

/* The instruction has run, and RIP is where it led. */
static void retire_pending(struct vpmu_kvm_vcpu *v)
{
	const struct insn *insn = &v->step.insn;
	uint64_t rip = v->run->s.regs.regs.rip;

	if (!v->step.pending)
		return;
	/*
	 * One more iteration of REP - or it has not run at all: VMX (seen on
	 * Bochs) may deliver the trap of an instruction that exited once again,
	 * late, or a trap for one that an EPT violation cut short.
	 */
	if (rip == insn->rip && !insn->to_itself)
		return;
	v->step.pending = false;
	if (!insn->len) {
		missed(v);
		return;
	}
	retire(v, insn);
	if (rip == insn->next || insn->flags & (INSN_BRANCH | INSN_ENTERS))
		return;
	if (insn->flags & INSN_LOADS_SS)
		retire_shadowed(v, insn);
	else
		missed(v);
}

/* ------------------------------------------------------------------- TF */

static bool write_tf(struct vpmu_kvm_vcpu *v, uint64_t linear, bool tf)
{
	uint16_t flags;

	if (!vpmu_kvm_read(v, linear, &flags, sizeof(flags)))
		return false;
	flags = (uint16_t)((flags & ~RFLAGS_TF) | (tf ? RFLAGS_TF : 0));
	return vpmu_kvm_write(v, linear, &flags, sizeof(flags));
}

/* PUSHF has pushed the TF that KVM set: put the guest's own there. */
static void fix_pushed_flags(struct vpmu_kvm_vcpu *v)
{
	if (!write_tf(v, vpmu_kvm_linear_stack(v, 0), v->step.guest_tf))
		missed(v);
}

static void fix_r11(struct vpmu_kvm_vcpu *v)
{
	struct kvm_regs *r = &v->run->s.regs.regs;

	r->r11 = (r->r11 & ~RFLAGS_TF) | (v->step.guest_tf ? RFLAGS_TF : 0);
	vpmu_kvm_dirty(v, KVM_SYNC_X86_REGS);
}

/* SYSCALL, to where SFMASK has cleared TF - else no breakpoint was needed. */
static void fix_syscall(struct vpmu_kvm_vcpu *v)
{
	uint64_t mask = 0;

	fix_r11(v);
	vpmu_kvm_get_msr(v, MSR_SFMASK, &mask);
	if (mask & RFLAGS_TF)
		v->step.guest_tf = false;
}

/* What the finished instruction did to TF, and the #DB that a set TF brings. */
static int after_tf(struct vpmu_kvm_vcpu *v)
{
	const struct insn *insn = &v->step.insn;
	bool was = v->step.guest_tf;

	if (insn->flags_bytes)
		fix_pushed_flags(v);
	if (insn->flags & INSN_FLAGS_TO_R11)
		fix_r11(v);
	if (insn->new_tf != TF_KEEP)
		v->step.guest_tf = insn->new_tf == TF_SET;
	return was ? vpmu_kvm_inject_db(v, DR6_BS) : 0;
}

/* ------------------------------------------------------------------ enter */

/* HLT: wait for an interrupt as KVM would, but knowing which one comes. */
static void wait_halted(struct vpmu_kvm_vcpu *v)
{
	const struct timespec poll = { .tv_nsec = HALT_POLL_NS };
	volatile uint8_t *kicked = &v->run->immediate_exit;

	while (v->step.deliver < 0 && !*kicked) {
		v->step.deliver = (int16_t)vpmu_kvm_next_vector(v);
		if (v->step.deliver < 0 && nanosleep(&poll, NULL))
			break;
	}
	if (v->step.deliver >= 0)
		v->step.halted = false;
}

/*
 * Is there something to let in? Each look costs ioctls, so not at each step,
 * but always when the guest has just set IF: it may be about to clear it.
 */
static void look_for_interrupts(struct vpmu_kvm_vcpu *v)
{
	bool open = v->run->s.regs.regs.rflags & RFLAGS_IF;

	if (v->step.deliver >= 0)
		return;
	if (open && !v->step.was_open)
		v->step.countdown = 0;
	v->step.was_open = open;
	if (v->step.halted) {
		wait_halted(v);
	} else if (v->step.countdown) {
		v->step.countdown--;
	} else {
		v->step.deliver = (int16_t)vpmu_kvm_next_vector(v);
		v->step.countdown = LOOK_EVERY;
	}
	v->step.window = v->step.deliver >= 0;
}

/* The RDPMC at RIP, with what the processor would do behind it. */
static int rdpmc_ahead(struct vpmu_kvm_vcpu *v)
{
	struct insn *insn = &v->step.insn;

	if (vpmu_kvm_rdpmc_ahead(v, insn->len) != VPMU_HANDLED) {
		v->step.deliver = VECTOR_GP;
		return vpmu_kvm_inject_gp(v);
	}
	v->stats.rdpmc_step++;
	retire(v, insn);
	*insn = (struct insn){ .rip = v->run->s.regs.regs.rip };
	vpmu_kvm_decode(v, insn);
	if (v->step.guest_tf)
		return vpmu_kvm_inject_db(v, DR6_BS);
	return vpmu_take_pmi(v->pmu) ? vpmu_kvm_deliver_pmi(v) : 0;
}

static void add_handler(struct vpmu_kvm_vcpu *v, enum dr_owner owner,
			int vector)
{
	uint64_t linear;

	if (vector >= 0 && vpmu_kvm_gate(v, (unsigned int)vector, &linear))
		vpmu_kvm_slot_add(v, owner, linear);
}

/* Any instruction may be undefined, by CPUID or the processor's mode. */
static int own_vector(const struct insn *insn)
{
	return insn->vector >= 0 ? insn->vector : VECTOR_UD;
}

static void choose_slots(struct vpmu_kvm_vcpu *v)
{
	const struct insn *insn = &v->step.insn;

	vpmu_kvm_debugregs(v);
	vpmu_kvm_slots_clear(v);
	add_handler(v, DR_GP, VECTOR_GP);
	add_handler(v, DR_PF, VECTOR_PF);
	if (v->step.deliver >= 0)
		add_handler(v, DR_NEXT, v->step.deliver);
	else if (insn->target)
		vpmu_kvm_slot_add(v, DR_NEXT, insn->target);
	else
		add_handler(v, DR_NEXT, own_vector(insn));
	vpmu_kvm_slots_guest(v, 1);
}

static int arm(struct vpmu_kvm_vcpu *v)
{
	uint32_t control = KVM_GUESTDBG_SINGLESTEP;

	if (v->kvm->probe.block_irq && !v->step.window)
		control |= KVM_GUESTDBG_BLOCKIRQ;
	return vpmu_kvm_arm(v, control);
}

/*
 * RIP has a breakpoint of ours: it was met, or is the handler just entered. RF
 * steps off it; where that did not help, see rdpmc_trap.c, it is left out.
 */
static void step_off_breakpoint(struct vpmu_kvm_vcpu *v)
{
	struct kvm_regs *r = &v->run->s.regs.regs;
	uint64_t linear = vpmu_kvm_linear_rip(v);
	bool again = r->rflags & RFLAGS_RF;

	for (int i = 0; i < NR_DR; i++) {
		struct dr_slot *slot = &v->slots[i];

		if (slot->owner == DR_FREE || slot->owner == DR_GUEST ||
		    slot->linear != linear)
			continue;
		if (again)
			slot->owner = DR_FREE;
		r->rflags |= RFLAGS_RF;
		vpmu_kvm_dirty(v, KVM_SYNC_X86_REGS);
	}
}

/* What was under way or to be let in is over; look for interrupts next. */
static void start_afresh(struct vpmu_kvm_vcpu *v)
{
	v->step.pending = false;
	v->step.deliver = -1;
	v->step.window = false;
	v->step.countdown = 0;
}

static void begin(struct vpmu_kvm_vcpu *v)
{
	if (v->step.on)
		return;
	v->step.on = true;
	v->step.halted = false;
	v->step.was_open = false;
	start_afresh(v);
	v->step.guest_tf = v->run->s.regs.regs.rflags & RFLAGS_TF;
	v->step.insn = (struct insn){ .vector = -1 };
	if (!v->kvm->probe.block_irq)
		missed(v); /* interrupts come unforeseen */
}

int vpmu_kvm_step_enter(struct vpmu_kvm_vcpu *v)
{
	struct insn *insn = &v->step.insn;
	int ret;

	begin(v);
	v->unarmed = false;
	if (v->completing) { /* the debug exit behind it belongs to `insn` */
		choose_slots(v);
		return arm(v);
	}
	if (!v->step.pending || insn->rip != v->run->s.regs.regs.rip) {
		*insn = (struct insn){ .rip = v->run->s.regs.regs.rip };
		vpmu_kvm_decode(v, insn);
	}
	look_for_interrupts(v);
	while (insn->flags & INSN_RDPMC && v->step.deliver < 0 &&
	       !v->run->immediate_exit) {
		ret = rdpmc_ahead(v);
		if (ret)
			return ret;
		look_for_interrupts(v);
	}
	v->step.pending = true;
	choose_slots(v);
	step_off_breakpoint(v);
	return arm(v);
}

/* Nothing to count any more: back to breakpoints. */
int vpmu_kvm_step_leave(struct vpmu_kvm_vcpu *v)
{
	int ret;

	if (!v->step.on)
		return vpmu_kvm_trap_enter(v);
	v->step.on = false;
	v->step.pending = false;
	v->step.just_left = true;
	v->slots_stale = true;
	ret = vpmu_kvm_trap_enter(v);
	if (ret || !v->step.guest_tf)
		return ret;
	/* KVM takes TF away with the step: the guest's own goes back. */
	v->run->s.regs.regs.rflags |= RFLAGS_TF;
	vpmu_kvm_dirty(v, KVM_SYNC_X86_REGS);
	return 0;
}

/* ------------------------------------------------------------------- exit */

/* Where several vectors share a handler: does the frame fit this one? */
static bool frame_fits(struct vpmu_kvm_vcpu *v, unsigned int vector)
{
	const struct insn *insn = &v->step.insn;
	bool behind = v->step.deliver < 0 && insn->flags & INSN_ENTERS;
	struct frame f;

	return vpmu_kvm_frame_read(v, vector, &f) &&
	       f.rip == (behind ? insn->next : insn->rip);
}

static bool entered(struct vpmu_kvm_vcpu *v, unsigned int *vector)
{
	const struct dr_slot *gp = vpmu_kvm_slot_hit(v, DR_GP);
	const struct dr_slot *pf = vpmu_kvm_slot_hit(v, DR_PF);

	if (vpmu_kvm_slot_hit(v, DR_NEXT)) {
		*vector = v->step.deliver >= 0
				  ? (unsigned int)v->step.deliver
				  : (unsigned int)own_vector(&v->step.insn);
		if ((!gp && !pf) || frame_fits(v, *vector))
			return true;
	}
	*vector = gp ? VECTOR_GP : VECTOR_PF;
	return gp || pf;
}

/*
 * A handler has been entered. INT n and its like have retired; a fault or an
 * interrupt came instead of the instruction, which begins again later.
 */
static void on_entry(struct vpmu_kvm_vcpu *v, unsigned int vector)
{
	const struct insn *insn = &v->step.insn;
	struct frame f;
	bool by_insn = v->step.pending && v->step.deliver < 0 &&
		       insn->flags & INSN_ENTERS &&
		       vpmu_kvm_slot_hit(v, DR_NEXT) && vector != VECTOR_GP &&
		       vector != VECTOR_PF;

	if (by_insn)
		retire(v, insn);
	start_afresh(v);
	if (by_insn && insn->target) { /* pushes no frame */
		if (insn->flags & INSN_FLAGS_TO_R11)
			fix_syscall(v);
		return;
	}
	if (!vpmu_kvm_frame_read(v, vector, &f) ||
	    !write_tf(v, f.flags_at, v->step.guest_tf))
		missed(v);
	v->step.guest_tf = false;
}

/*
 * An interrupt was let in, but not its handler met: an interrupt shadow held it
 * off - or another handler has run unseen, if it is no longer pending.
 */
static void not_delivered(struct vpmu_kvm_vcpu *v)
{
	if (v->step.window && v->run->if_flag &&
	    vpmu_kvm_next_vector(v) != v->step.deliver)
		missed(v);
	if (v->step.window)
		v->step.countdown = 0;
	v->step.deliver = -1;
	v->step.window = false;
}

/* The breakpoint that was to be stepped off, again: RF did not help. */
static bool same_breakpoint(const struct vpmu_kvm_vcpu *v)
{
	return v->step.pending && v->step.deliver < 0 &&
	       v->step.insn.rip == v->run->s.regs.regs.rip &&
	       v->run->s.regs.regs.rflags & RFLAGS_RF;
}

/*
 * An RDPMC has executed, in the shadow of MOV SS or of a STI that kept an
 * interrupt off, and has been unwound. MOV SS retires with it.
 */
static void on_shadowed_rdpmc(struct vpmu_kvm_vcpu *v)
{
	if (v->step.pending) {
		retire(v, &v->step.insn);
		if (v->step.insn.flags & INSN_LOADS_SS)
			retire(v, &v->step.insn);
	}
	start_afresh(v);
	if (!v->step.guest_tf) /* the frame had the TF that KVM set */
		v->run->s.regs.regs.rflags &= ~RFLAGS_TF;
}

int vpmu_kvm_step_debug(struct vpmu_kvm_vcpu *v)
{
	uint64_t foreign = vpmu_kvm_foreign_dr6(v);
	unsigned int vector;
	bool halts = v->step.insn.flags & INSN_HLT;
	bool was_pending = v->step.pending;
	int ret;

	if (v->step.insn.flags & INSN_WRITES_DR)
		v->debugregs_stale = true;
	if (!(v->run->debug.arch.dr6 & DR6_BS) && entered(v, &vector)) {
		if (vector == VECTOR_GP && vpmu_kvm_unwind_rdpmc(v))
			on_shadowed_rdpmc(v);
		else if (!same_breakpoint(v))
			on_entry(v, vector);
		return 0;
	}
	not_delivered(v);
	retire_pending(v);
	if (was_pending && !v->step.pending) {
		v->step.halted = halts;
		ret = after_tf(v);
		if (ret)
			return ret;
	}
	return foreign ? vpmu_kvm_inject_db(v, foreign) : 0;
}

void vpmu_kvm_step_other(struct vpmu_kvm_vcpu *v)
{
	if (v->completing)
		return;
	/* HLT without an in-kernel APIC ends in KVM_EXIT_HLT, not DEBUG. */
	if (v->step.pending && v->step.insn.len &&
	    v->run->s.regs.regs.rip == v->step.insn.next)
		retire_pending(v);
	else if (v->step.pending &&
		 v->run->s.regs.regs.rip != v->step.insn.rip) {
		v->step.pending = false;
		missed(v);
	}
}

/*
 * The WRMSR has been carried out, and KVM will step over it: it retires now,
 * by what was counting when it began, for that may be over.
 */
void vpmu_kvm_step_wrmsr(struct vpmu_kvm_vcpu *v)
{
	if (!v->step.on || !v->step.pending)
		return;
	v->step.pending = false;
	retire(v, &v->step.insn);
	/* It was in the shadow of the MOV SS that the step began with. */
	if (v->run->s.regs.regs.rip != v->step.insn.rip)
		retire(v, &v->step.insn);
}
