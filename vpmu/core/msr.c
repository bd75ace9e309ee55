/* SPDX-License-Identifier: Apache-2.0 */
/* RDMSR and WRMSR: find the register, check its bits, call its row's hook. */
#include <stdio.h>
#include <string.h>

#include "core/internal.h"

const struct vpmu_msr *vpmu_msr_find(const struct vpmu *pmu, uint32_t index)
{
	const struct vpmu_msr *base = pmu->msrs;

	for (uint32_t n = pmu->nmsrs; n > 1;) {
		uint32_t half = n / 2;

		if (base[half].index <= index)
			base += half;
		n -= half;
	}
	return pmu->nmsrs && base->index == index ? base : NULL;
}

static enum vpmu_result absent(uint32_t msr)
{
	return vpmu_namespace_owns(msr) ? VPMU_FAULT : VPMU_NOT_MINE;
}

int vpmu_owns_msr(const struct vpmu *pmu, uint32_t msr)
{
	return vpmu_msr_find(pmu, msr) || vpmu_namespace_owns(msr);
}

/* A '#' in the row's name, or its end, is where the number goes. */
static void name_instance(const struct vpmu_msr *m, char *buf, size_t len)
{
	const char *name = m->row->name;
	int head = (int)strcspn(name, "#");

	snprintf(buf, len, "%.*s%u%s", head, name, m->instance,
		 name[head] ? name + head + 1 : "");
}

void vpmu_msr_name(const struct vpmu *pmu, uint32_t msr, char *buf, size_t len)
{
	const struct vpmu_msr *m = vpmu_msr_find(pmu, msr);

	if (!m)
		snprintf(buf, len, "%s", "");
	else if (m->row->n == 1)
		snprintf(buf, len, "%s", m->row->name);
	else
		name_instance(m, buf, len);
}

enum vpmu_result vpmu_rdmsr(struct vpmu_vcpu *vcpu, uint32_t msr,
			    uint64_t *value)
{
	const struct vpmu_msr *m;

	if (!vcpu || !value)
		return VPMU_ERROR;
	m = vpmu_msr_find(vcpu->pmu, msr);
	if (!m)
		return absent(msr);
	*value = m->row->read(vcpu, m);
	return VPMU_HANDLED;
}

static enum vpmu_result write(struct vpmu_vcpu *v, uint32_t msr, uint64_t value)
{
	const struct vpmu_msr *m = vpmu_msr_find(v->pmu, msr);

	if (!m)
		return absent(msr);
	if (!m->row->write)
		return VPMU_FAULT;
	if (value & ~m->writable && !(m->row->flags & MSR_DROPS))
		return VPMU_FAULT;
	return m->row->write(v, m, value & m->writable);
}

enum vpmu_result vpmu_wrmsr(struct vpmu_vcpu *vcpu, uint32_t msr,
			    uint64_t value)
{
	enum vpmu_result ret;

	if (!vcpu)
		return VPMU_ERROR;
	ret = write(vcpu, msr, value);
	if (ret == VPMU_HANDLED)
		vpmu_pmi_freeze(vcpu);
	else /* an instruction that faults does not retire */
		vcpu->begun = false;
	return ret;
}

/* ------------------------------------------------- hooks of several models */

uint64_t vpmu_msr_read_counter(struct vpmu_vcpu *vcpu,
			       const struct vpmu_msr *msr)
{
	return vpmu_program_read(vcpu, msr->unit);
}

uint64_t vpmu_msr_read_select(struct vpmu_vcpu *vcpu,
			      const struct vpmu_msr *msr)
{
	return vcpu->counters[msr->unit].select;
}

uint64_t vpmu_msr_read_reg(struct vpmu_vcpu *vcpu, const struct vpmu_msr *msr)
{
	return vcpu->reg[msr->unit];
}

/* Overflows that the backend has not told yet belong to it. */
uint64_t vpmu_msr_read_status(struct vpmu_vcpu *vcpu,
			      const struct vpmu_msr *msr)
{
	(void)msr;
	vpmu_program_sync(vcpu, vcpu->running);
	return vcpu->reg[REG_GLOBAL_STATUS];
}

uint64_t vpmu_msr_read_zero(struct vpmu_vcpu *vcpu, const struct vpmu_msr *msr)
{
	(void)vcpu;
	(void)msr;
	return 0;
}

enum vpmu_result vpmu_msr_write_counter(struct vpmu_vcpu *vcpu,
					const struct vpmu_msr *msr,
					uint64_t value)
{
	vpmu_program_write(vcpu, msr->unit, value);
	return VPMU_HANDLED;
}

/* EDX is ignored, bit 31 of EAX fills the rest of the counter. */
enum vpmu_result vpmu_msr_write_sext32(struct vpmu_vcpu *vcpu,
				       const struct vpmu_msr *msr,
				       uint64_t value)
{
	vpmu_program_write(vcpu, msr->unit,
			   (uint64_t)(int64_t)(int32_t)(uint32_t)value);
	return VPMU_HANDLED;
}

enum vpmu_result vpmu_msr_write_select(struct vpmu_vcpu *vcpu,
				       const struct vpmu_msr *msr,
				       uint64_t value)
{
	struct vpmu_counter *c = &vcpu->counters[msr->unit];

	if (c->select == value)
		return VPMU_HANDLED;
	c->select = value;
	vpmu_program_control(vcpu, BIT(msr->unit));
	return VPMU_HANDLED;
}

enum vpmu_result vpmu_msr_write_reg(struct vpmu_vcpu *vcpu,
				    const struct vpmu_msr *msr, uint64_t value)
{
	vcpu->reg[msr->unit] = value;
	return VPMU_HANDLED;
}

enum vpmu_result vpmu_msr_write_ignored(struct vpmu_vcpu *vcpu,
					const struct vpmu_msr *msr,
					uint64_t value)
{
	(void)vcpu;
	(void)msr;
	(void)value;
	return VPMU_HANDLED;
}

enum vpmu_result vpmu_msr_write_enables(struct vpmu_vcpu *vcpu,
					const struct vpmu_msr *msr,
					uint64_t value)
{
	vcpu->reg[msr->unit] = value;
	vpmu_program_refresh(vcpu);
	return VPMU_HANDLED;
}

/* Write 1 to clear. Overflows that happened before are cleared as well. */
enum vpmu_result vpmu_msr_clear_status(struct vpmu_vcpu *vcpu,
				       const struct vpmu_msr *msr,
				       uint64_t value)
{
	(void)msr;
	vpmu_program_sync(vcpu, vcpu->running);
	vcpu->reg[REG_GLOBAL_STATUS] &= ~value;
	vpmu_program_refresh(vcpu);
	return VPMU_HANDLED;
}

/* Write 1 to set, without an interrupt; CTR_FRZ set thus freezes. */
enum vpmu_result vpmu_msr_set_status(struct vpmu_vcpu *vcpu,
				     const struct vpmu_msr *msr, uint64_t value)
{
	(void)msr;
	vcpu->reg[REG_GLOBAL_STATUS] |= value;
	vpmu_program_refresh(vcpu);
	return VPMU_HANDLED;
}
