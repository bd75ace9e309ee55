/* SPDX-License-Identifier: Apache-2.0 */
/* What the instruction at RIP is, by Zydis: the only file that knows it. */
#include <Zydis/Zydis.h>
#include <string.h>

#include "kvm/internal.h"

#define MAX_INSN 15
#define MSR_LSTAR 0xc0000082u
#define MSR_SYSENTER_EIP 0x176u

static void init(ZydisDecoder *d, const struct kvm_segment *cs, bool v8086)
{
	if (cs->l)
		ZydisDecoderInit(d, ZYDIS_MACHINE_MODE_LONG_64,
				 ZYDIS_STACK_WIDTH_64);
	else if (cs->db && !v8086)
		ZydisDecoderInit(d, ZYDIS_MACHINE_MODE_LEGACY_32,
				 ZYDIS_STACK_WIDTH_32);
	else
		ZydisDecoderInit(d, ZYDIS_MACHINE_MODE_LEGACY_16,
				 ZYDIS_STACK_WIDTH_16);
}

unsigned int vpmu_kvm_is_rdpmc(const uint8_t *bytes, size_t len,
			       const struct kvm_segment *cs, bool v8086)
{
	ZydisDecodedInstruction z;
	ZydisDecoder d;

	if (len >= 2 && bytes[0] == 0x0f && bytes[1] == 0x33)
		return 2;
	init(&d, cs, v8086);
	if (!ZYAN_SUCCESS(ZydisDecoderDecodeInstruction(&d, ZYAN_NULL, bytes,
							len, &z)) ||
	    z.mnemonic != ZYDIS_MNEMONIC_RDPMC)
		return 0;
	return z.length;
}

/* SDM 2A, "Instruction Format", table of condition codes. */
static bool condition(uint8_t cc, uint64_t flags)
{
	bool cf = flags & RFLAGS_CF, zf = flags & RFLAGS_ZF;
	bool less = !(flags & RFLAGS_SF) != !(flags & RFLAGS_OF);
	const bool holds[8] = {
		flags & RFLAGS_OF,
		cf,
		zf,
		cf || zf,
		flags & RFLAGS_SF,
		flags & RFLAGS_PF,
		less,
		zf || less,
	};

	return holds[cc >> 1 & 7] != (cc & 1);
}

static uint64_t count_register(const ZydisDecodedInstruction *z, uint64_t rcx)
{
	if (z->address_width == 64)
		return rcx;
	return rcx & (z->address_width == 32 ? UINT32_MAX : UINT16_MAX);
}

static bool taken(const struct vpmu_kvm_vcpu *v,
		  const ZydisDecodedInstruction *z)
{
	const struct kvm_regs *r = &v->run->s.regs.regs;
	uint64_t count = count_register(z, r->rcx);
	bool last = count == 1;

	switch (z->mnemonic) {
	case ZYDIS_MNEMONIC_LOOP:
		return !last;
	case ZYDIS_MNEMONIC_LOOPE:
		return !last && (r->rflags & RFLAGS_ZF);
	case ZYDIS_MNEMONIC_LOOPNE:
		return !last && !(r->rflags & RFLAGS_ZF);
	case ZYDIS_MNEMONIC_JCXZ:
	case ZYDIS_MNEMONIC_JECXZ:
	case ZYDIS_MNEMONIC_JRCXZ:
		return count == 0;
	default:
		return condition(z->opcode & 0xf, r->rflags);
	}
}

/* ModRM and SIB number the registers so. */
static uint64_t register_value(const struct kvm_regs *r, unsigned int number)
{
	const uint64_t values[16] = { r->rax, r->rcx, r->rdx, r->rbx,
				      r->rsp, r->rbp, r->rsi, r->rdi,
				      r->r8,  r->r9,  r->r10, r->r11,
				      r->r12, r->r13, r->r14, r->r15 };

	return values[number & 15];
}

/* Where a near branch goes; one through memory: unknown, and not to itself. */
static uint64_t leads_to(struct vpmu_kvm_vcpu *v,
			 const ZydisDecodedInstruction *z,
			 const struct insn *insn)
{
	const struct kvm_sync_regs *s = &v->run->s.regs;
	uint64_t mask = vpmu_kvm_rip_mask(&s->sregs.cs), to = ~insn->rip;

	if (z->raw.imm[0].is_relative)
		to = insn->next + (uint64_t)z->raw.imm[0].value.s;
	else if (z->opcode == 0xff && z->raw.modrm.mod == 3)
		to = register_value(&s->regs,
				    z->raw.modrm.rm | z->raw.rex.B << 3);
	else if (z->mnemonic == ZYDIS_MNEMONIC_RET)
		vpmu_kvm_read(v, vpmu_kvm_linear_stack(v, 0), &to,
			      s->sregs.cs.l ? 8 : 4);
	return to & mask;
}

static void branch(struct vpmu_kvm_vcpu *v, const ZydisDecodedInstruction *z,
		   struct insn *insn)
{
	insn->flags |= INSN_BRANCH;
	insn->to_itself = leads_to(v, z, insn) == insn->rip;
	insn->occurred = VPMU_OCCURS(VPMU_MEAN_BRANCHES);
	if (z->meta.category != ZYDIS_CATEGORY_COND_BR || taken(v, z))
		insn->occurred |= VPMU_OCCURS(VPMU_MEAN_TAKEN_BRANCHES);
}

/* The image of the flags that POPF or IRET is about to load, `at` bytes up. */
static uint8_t popped_tf(struct vpmu_kvm_vcpu *v, unsigned int at)
{
	uint16_t flags = 0;

	vpmu_kvm_read(v, vpmu_kvm_linear_stack(v, at), &flags, sizeof(flags));
	return flags & RFLAGS_TF ? TF_SET : TF_CLEAR;
}

/* How an instruction matters to single step. Sorted by nothing but sense. */
struct rule {
	uint16_t mnemonic; /* ZydisMnemonic */
	uint8_t flags; /* INSN_* */
	int16_t vector; /* that it may raise, apart from #GP and #PF */
	uint32_t target_msr;
	uint64_t efer; /* without this bit it is #UD */
};

/* clang-format off */
static const struct rule rules[] = {
	{ ZYDIS_MNEMONIC_RDPMC,    INSN_RDPMC, -1, 0, 0 },
	{ ZYDIS_MNEMONIC_HLT,      INSN_HLT, -1, 0, 0 },
	{ ZYDIS_MNEMONIC_INT3,     INSN_ENTERS | INSN_BRANCH, 3, 0, 0 },
	{ ZYDIS_MNEMONIC_INTO,     INSN_ENTERS | INSN_BRANCH, 4, 0, 0 },
	{ ZYDIS_MNEMONIC_BOUND,    0, 5, 0, 0 },
	{ ZYDIS_MNEMONIC_UD0,      0, 6, 0, 0 },
	{ ZYDIS_MNEMONIC_UD1,      0, 6, 0, 0 },
	{ ZYDIS_MNEMONIC_UD2,      0, 6, 0, 0 },
	{ ZYDIS_MNEMONIC_DIV,      0, 0, 0, 0 },
	{ ZYDIS_MNEMONIC_IDIV,     0, 0, 0, 0 },
	{ ZYDIS_MNEMONIC_AAM,      0, 0, 0, 0 },
	{ ZYDIS_MNEMONIC_SYSCALL,  INSN_ENTERS | INSN_FLAGS_TO_R11, -1, MSR_LSTAR, EFER_SCE },
	{ ZYDIS_MNEMONIC_SYSENTER, INSN_ENTERS, -1, MSR_SYSENTER_EIP, 0 },
};
/* clang-format on */

static void apply_rule(struct vpmu_kvm_vcpu *v,
		       const ZydisDecodedInstruction *z, struct insn *insn)
{
	for (size_t i = 0; i < sizeof(rules) / sizeof(*rules); i++) {
		if (rules[i].mnemonic != z->mnemonic)
			continue;
		if (rules[i].efer & ~v->run->s.regs.sregs.efer)
			return;
		insn->flags |= rules[i].flags;
		insn->vector = rules[i].vector;
		if (rules[i].target_msr)
			vpmu_kvm_get_msr(v, rules[i].target_msr, &insn->target);
		return;
	}
}

static void flags_traffic(struct vpmu_kvm_vcpu *v,
			  const ZydisDecodedInstruction *z, struct insn *insn)
{
	unsigned int word = z->operand_width / 8;

	switch (z->mnemonic) {
	case ZYDIS_MNEMONIC_PUSHF:
	case ZYDIS_MNEMONIC_PUSHFD:
	case ZYDIS_MNEMONIC_PUSHFQ:
		insn->flags_bytes = (uint8_t)word;
		break;
	case ZYDIS_MNEMONIC_POPF:
	case ZYDIS_MNEMONIC_POPFD:
	case ZYDIS_MNEMONIC_POPFQ:
		insn->new_tf = popped_tf(v, 0);
		break;
	case ZYDIS_MNEMONIC_IRET:
	case ZYDIS_MNEMONIC_IRETD:
	case ZYDIS_MNEMONIC_IRETQ:
		insn->new_tf = popped_tf(v, 2 * word);
		break;
	case ZYDIS_MNEMONIC_SYSRET:
		insn->new_tf =
			v->run->s.regs.regs.r11 & RFLAGS_TF ? TF_SET : TF_CLEAR;
		break;
	default:
		break;
	}
}

/* MOV SS and POP SS put the single-step trap off until after the next one. */
static bool loads_ss(const ZydisDecodedInstruction *z)
{
	if (z->opcode_map == ZYDIS_OPCODE_MAP_DEFAULT && z->opcode == 0x8e)
		return z->raw.modrm.reg == 2;
	return z->opcode_map == ZYDIS_OPCODE_MAP_DEFAULT && z->opcode == 0x17;
}

static void classify(struct vpmu_kvm_vcpu *v, const ZydisDecodedInstruction *z,
		     const uint8_t *bytes, struct insn *insn)
{
	switch (z->meta.category) {
	case ZYDIS_CATEGORY_COND_BR:
	case ZYDIS_CATEGORY_UNCOND_BR:
	case ZYDIS_CATEGORY_CALL:
	case ZYDIS_CATEGORY_RET:
	case ZYDIS_CATEGORY_INTERRUPT:
	case ZYDIS_CATEGORY_SYSCALL:
	case ZYDIS_CATEGORY_SYSRET:
		branch(v, z, insn);
		break;
	default:
		break;
	}
	apply_rule(v, z, insn);
	flags_traffic(v, z, insn);
	if (z->mnemonic == ZYDIS_MNEMONIC_INT) {
		insn->flags |= INSN_ENTERS;
		insn->vector = bytes[z->length - 1];
	}
	if (loads_ss(z))
		insn->flags |= INSN_LOADS_SS;
	if (z->opcode_map == ZYDIS_OPCODE_MAP_0F && z->opcode == 0x23)
		insn->flags |= INSN_WRITES_DR;
	/* CR0.TS or CR0.EM: #NM instead of whatever it does. */
	if (v->run->s.regs.sregs.cr0 & (CR0_TS | CR0_EM) &&
	    z->meta.isa_set != ZYDIS_ISA_SET_I86 && insn->vector < 0)
		insn->vector = 7;
}

/* Describe the instruction at insn->rip; insn->len stays 0 if it cannot be. */
void vpmu_kvm_decode(struct vpmu_kvm_vcpu *v, struct insn *insn)
{
	const struct kvm_sync_regs *s = &v->run->s.regs;
	const struct kvm_segment *cs = &s->sregs.cs;
	uint64_t linear =
		cs->l ? insn->rip : (cs->base + insn->rip) & UINT32_MAX;
	uint8_t bytes[MAX_INSN];
	ZydisDecodedInstruction z;
	ZydisDecoder d;
	size_t n;

	insn->vector = -1;
	insn->cpl = vpmu_kvm_cpl(v);
	n = vpmu_kvm_read_some(v, linear, bytes, sizeof(bytes));
	init(&d, cs, s->regs.rflags & RFLAGS_VM);
	if (!ZYAN_SUCCESS(ZydisDecoderDecodeInstruction(&d, ZYAN_NULL, bytes, n,
							&z))) {
		insn->vector = 6; /* #UD, or #PF if cut short by a hole */
		return;
	}
	insn->len = z.length;
	insn->next = (insn->rip + z.length) & vpmu_kvm_rip_mask(cs);
	classify(v, &z, bytes, insn);
}
