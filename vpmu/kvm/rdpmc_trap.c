/* SPDX-License-Identifier: Apache-2.0 */
/*
 * RDPMC by breakpoint. KVM answers RDPMC with #GP and no exit, so a breakpoint
 * sits on the first instruction of the guest's own #GP handler: if the pushed
 * frame points at an RDPMC that the core allows, the frame is unwound and the
 * guest goes on with its result; else the handler runs, untouched. RDPMCs met
 * more than once get a breakpoint of their own, which fires before them.
 */
#include <string.h>

#include "kvm/internal.h"

#define MAX_INSN 15
/* How much hotter a site must be than an armed one to take its place. */
#define SITE_MARGIN 16

static struct vpmu_mode mode_now(const struct vpmu_kvm_vcpu *v, uint8_t cpl)
{
	const struct kvm_sregs *s = &v->run->s.regs.sregs;

	return (struct vpmu_mode){
		.cpl = cpl,
		.pe = !!(s->cr0 & CR0_PE),
		.pce = !!(s->cr4 & CR4_PCE),
	};
}

/* RDPMC in the mode given; on success RAX and RDX are set. */
static enum vpmu_result rdpmc(struct vpmu_kvm_vcpu *v, uint8_t cpl)
{
	struct kvm_regs *r = &v->run->s.regs.regs;
	struct vpmu_mode mode = mode_now(v, cpl);
	enum vpmu_result ret;
	uint64_t value;

	ret = vpmu_rdpmc(v->pmu, (uint32_t)r->rcx, &mode, &value);
	if (ret != VPMU_HANDLED)
		return ret;
	r->rax = value & UINT32_MAX;
	r->rdx = value >> 32;
	vpmu_kvm_dirty(v, KVM_SYNC_X86_REGS);
	return VPMU_HANDLED;
}

/*
 * The instruction behind STI ends its interrupt shadow; KVM does not know that
 * one has run. To look costs an ioctl, so the byte in front must be STI's.
 */
static void end_sti_shadow(struct vpmu_kvm_vcpu *v, uint64_t linear)
{
	struct kvm_vcpu_events ev;
	uint8_t before;

	if (!(v->run->s.regs.regs.rflags & RFLAGS_IF) ||
	    !vpmu_kvm_read(v, linear - 1, &before, 1) || before != 0xfb ||
	    vpmu_kvm_ioctl(v, KVM_GET_VCPU_EVENTS, &ev, "KVM_GET_VCPU_EVENTS"))
		return;
	ev.interrupt.shadow = 0;
	ev.flags = KVM_VCPUEVENT_VALID_SHADOW;
	vpmu_kvm_ioctl(v, KVM_SET_VCPU_EVENTS, &ev, "KVM_SET_VCPU_EVENTS");
}

enum vpmu_result vpmu_kvm_rdpmc_ahead(struct vpmu_kvm_vcpu *v, unsigned int len)
{
	struct kvm_sync_regs *s = &v->run->s.regs;
	enum vpmu_result ret = rdpmc(v, vpmu_kvm_cpl(v));

	if (ret != VPMU_HANDLED)
		return ret;
	end_sti_shadow(v, vpmu_kvm_linear_rip(v));
	s->regs.rip = (s->regs.rip + len) & vpmu_kvm_rip_mask(&s->sregs.cs);
	s->regs.rflags &= ~RFLAGS_RF;
	return ret;
}

/* ---------------------------------------------------------------- sites */

static struct site *find_site(struct vpmu_kvm_vcpu *v, uint64_t linear)
{
	for (int i = 0; i < NR_SITES; i++)
		if (v->sites[i].hits && v->sites[i].linear == linear)
			return &v->sites[i];
	return NULL;
}

static struct site *coldest(struct vpmu_kvm_vcpu *v)
{
	struct site *cold = &v->sites[0];

	for (int i = 1; i < NR_SITES; i++)
		if (v->sites[i].hits < cold->hits)
			cold = &v->sites[i];
	return cold;
}

/* An RDPMC was met at its #GP. A site met again may get a register. */
static void note_site(struct vpmu_kvm_vcpu *v, uint64_t linear)
{
	struct site *s = find_site(v, linear);

	if (s) {
		s->hits += s->hits < UINT32_MAX;
		v->slots_stale = true;
		return;
	}
	s = coldest(v);
	if (s->hits > SITE_MARGIN) { /* let the newcomer prove itself */
		s->hits -= 1;
		return;
	}
	v->slots_stale |= s->armed;
	*s = (struct site){ .linear = linear, .hits = 1 };
}

/* The hottest sites, with a bonus for those that are armed already. */
static struct site *hottest(struct vpmu_kvm_vcpu *v, const bool *taken)
{
	struct site *best = NULL;
	uint64_t best_score = 1;

	for (int i = 0; i < NR_SITES; i++) {
		struct site *s = &v->sites[i];
		uint64_t score = s->hits + (s->armed ? SITE_MARGIN : 0ull);

		if (!taken[i] && s->hits > 1 && score > best_score) {
			best = s;
			best_score = score;
		}
	}
	return best;
}

static void add_sites(struct vpmu_kvm_vcpu *v)
{
	bool taken[NR_SITES] = { false };
	int room = 0;

	for (int i = 0; i < NR_DR; i++)
		room += v->slots[i].owner == DR_FREE;
	while (room--) {
		struct site *s = hottest(v, taken);

		if (!s)
			break;
		taken[s - v->sites] = true;
		vpmu_kvm_slot_add(v, DR_SITE, s->linear);
	}
	for (int i = 0; i < NR_SITES; i++)
		v->sites[i].armed = taken[i];
}

/* ---------------------------------------------------------------- enter */

/* Most entries find what is armed still right: only the gate is looked at. */
int vpmu_kvm_trap_enter(struct vpmu_kvm_vcpu *v)
{
	uint64_t handler = vpmu_kvm_gp_handler(v);

	v->step.deliver = -1; /* entered and done with, if it was anything */
	vpmu_kvm_debugregs(v);
	if (v->armed_valid && !v->slots_stale && !v->inject_db)
		return 0;
	v->slots_stale = v->unarmed; /* that is for one entry only */
	vpmu_kvm_slots_clear(v);
	if (handler)
		vpmu_kvm_slot_add(v, DR_GP, handler);
	vpmu_kvm_slots_guest(v, NR_DR - 1);
	add_sites(v);
	return vpmu_kvm_arm(v, v->unarmed ? KVM_GUESTDBG_SINGLESTEP : 0);
}

/* ----------------------------------------------------------------- exit */

/* The emulated RDPMC was single-stepped by the guest: it is owed its #DB. */
static int owe_guest_tf(struct vpmu_kvm_vcpu *v)
{
	if (!(v->run->s.regs.regs.rflags & RFLAGS_TF))
		return 0;
	return vpmu_kvm_inject_db(v, DR6_BS);
}

/*
 * RF lets the instruction under a breakpoint execute. KVM's instruction
 * emulator, which runs real mode on some hosts, does not look at RF: there the
 * breakpoint is taken away for one step.
 */
static int step_over_breakpoint(struct vpmu_kvm_vcpu *v)
{
	if (v->run->s.regs.regs.rflags & RFLAGS_RF) {
		v->unarmed = true;
		v->unarmed_at = v->run->debug.arch.pc;
		v->slots_stale = true;
		return 0;
	}
	v->run->s.regs.regs.rflags |= RFLAGS_RF;
	vpmu_kvm_dirty(v, KVM_SYNC_X86_REGS);
	return 0;
}

static unsigned int rdpmc_at(struct vpmu_kvm_vcpu *v, uint64_t rip,
			     const struct kvm_segment *cs, bool v8086)
{
	uint64_t linear = vpmu_kvm_linear(cs, rip);
	uint8_t bytes[MAX_INSN];
	size_t n = vpmu_kvm_read_some(v, linear, bytes, sizeof(bytes));
	unsigned int len = vpmu_kvm_is_rdpmc(bytes, n, cs, v8086);

	/* Beyond the segment's limit it is #GP of another kind. */
	return !cs->l && rip + len > (uint64_t)cs->limit + 1 ? 0 : len;
}

static uint8_t frame_cpl(const struct vpmu_kvm_vcpu *v, const struct frame *f)
{
	if (!(v->run->s.regs.sregs.cr0 & CR0_PE))
		return 0;
	return f->rflags & RFLAGS_VM ? 3 : f->cs & 3;
}

bool vpmu_kvm_unwind_rdpmc(struct vpmu_kvm_vcpu *v)
{
	struct kvm_sync_regs *s = &v->run->s.regs;
	struct kvm_segment cs;
	struct kvm_regs old = s->regs;
	struct frame f;
	unsigned int len;
	uint64_t linear;

	if (!vpmu_kvm_frame_read(v, VECTOR_GP, &f) || f.error ||
	    !vpmu_kvm_frame_cs(v, &f, &cs))
		return false;
	len = rdpmc_at(v, f.rip, &cs, f.rflags & RFLAGS_VM);
	if (!len || rdpmc(v, frame_cpl(v, &f)) != VPMU_HANDLED)
		return false;
	linear = vpmu_kvm_linear(&cs, f.rip);
	f.rip += len;
	if (!vpmu_kvm_frame_unwind(v, &f, &cs)) {
		s->regs = old;
		return false;
	}
	end_sti_shadow(v, linear);
	note_site(v, linear);
	v->stats.rdpmc_gp++;
	return true;
}

static int site_hit(struct vpmu_kvm_vcpu *v)
{
	const struct kvm_sync_regs *s = &v->run->s.regs;
	bool v8086 = s->regs.rflags & RFLAGS_VM;
	unsigned int len = rdpmc_at(v, s->regs.rip, &s->sregs.cs, v8086);
	struct site *site = find_site(v, vpmu_kvm_linear_rip(v));

	if (site)
		site->hits += site->hits < UINT32_MAX;
	if (!len) { /* other code by now, or another address space */
		if (site)
			site->hits = 0;
		v->slots_stale = true;
		return step_over_breakpoint(v);
	}
	if (vpmu_kvm_rdpmc_ahead(v, len) != VPMU_HANDLED)
		return step_over_breakpoint(v); /* its #GP comes by itself */
	v->stats.rdpmc_site++;
	return owe_guest_tf(v);
}

/* ICEBP raises #DB with no bit of DR6 set, and RIP still at it (a trap). */
static bool is_icebp(struct vpmu_kvm_vcpu *v)
{
	uint8_t byte;

	return vpmu_kvm_read(v, vpmu_kvm_linear_rip(v), &byte, 1) &&
	       byte == 0xf1;
}

/* No breakpoint of ours and no bit of the guest's: ICEBP, or a stale slot. */
static int other_db(struct vpmu_kvm_vcpu *v)
{
	if (!is_icebp(v))
		return step_over_breakpoint(v);
	v->run->s.regs.regs.rip++;
	vpmu_kvm_dirty(v, KVM_SYNC_X86_REGS);
	return vpmu_kvm_inject_db(v, 0);
}

/*
 * The WRMSR that ended stepping was itself being stepped: where its trap was
 * already pending (VMX, seen on Bochs) it comes after TF is gone.
 */
static bool is_late_step(const struct vpmu_kvm_vcpu *v)
{
	return v->step.just_left && !v->step.guest_tf;
}

/* KVM_EXIT_DEBUG while not stepping. */
int vpmu_kvm_trap_debug(struct vpmu_kvm_vcpu *v)
{
	uint64_t foreign = vpmu_kvm_foreign_dr6(v);
	bool stepped = v->run->debug.arch.dr6 & DR6_BS &&
		       (v->unarmed || is_late_step(v));

	if (stepped)
		foreign &= ~DR6_BS;

	v->unarmed = false;
	if (vpmu_kvm_slot_hit(v, DR_GP) && vpmu_kvm_unwind_rdpmc(v))
		return owe_guest_tf(v);
	if (foreign || stepped)
		v->debugregs_stale = true;
	if (stepped && !foreign)
		return 0;
	if (foreign)
		return vpmu_kvm_inject_db(v, foreign);
	if (vpmu_kvm_slot_hit(v, DR_GP))
		return step_over_breakpoint(v);
	if (vpmu_kvm_slot_hit(v, DR_SITE))
		return site_hit(v);
	return other_db(v);
}
