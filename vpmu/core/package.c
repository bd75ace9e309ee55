/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Counters of the package: one set of registers for all vCPUs, each register
 * one atomic word, so that any vCPU may access any of them without a lock.
 *
 * The vCPU that wrote a selector last owns the counter: its backend counts, and
 * brings what it has counted whenever this vCPU looks. Other vCPUs see what has
 * been brought. A vCPU that finds it owns a counter no longer stops counting.
 */
#include "core/internal.h"

static struct vpmu_shared *shared(const struct vpmu_vcpu *v, uint32_t counter)
{
	return &v->pmu->package->counters[counter];
}

static bool owns(const struct vpmu_vcpu *v, uint32_t counter)
{
	return atomic_load(&shared(v, counter)->owner) == v;
}

/* All of what has counted without the owner is its own business. */
static void bring(struct vpmu_vcpu *v, uint32_t counter)
{
	if (!(v->running & BIT(counter)))
		return;
	if (owns(v, counter))
		vpmu_program_sync(v, BIT(counter));
	else
		vpmu_program_shut(v, counter);
}

static uint64_t add(const struct vpmu_counter_desc *desc, uint64_t old,
		    uint64_t delta)
{
	uint64_t flag =
		desc->row->overflow == OVERFLOW_WRAPS ? 0 : BIT(desc->width);
	uint64_t value = old & desc->mask;
	bool carry = vpmu_counter_add(&value, desc->mask, delta);

	if (carry && desc->row->overflow == OVERFLOW_SATURATES)
		value = desc->mask;
	return value | (old & flag) | (carry ? flag : 0);
}

void vpmu_package_count(struct vpmu_vcpu *vcpu, uint32_t counter,
			uint64_t delta)
{
	const struct vpmu_counter_desc *desc = &vcpu->pmu->counters[counter];
	_Atomic uint64_t *value = &shared(vcpu, counter)->value;
	uint64_t old = atomic_load(value);

	if (!delta || !owns(vcpu, counter))
		return;
	while (!atomic_compare_exchange_weak(value, &old,
					     add(desc, old, delta)))
		;
}

uint64_t vpmu_package_value(struct vpmu_vcpu *vcpu, uint32_t counter)
{
	bring(vcpu, counter);
	return atomic_load(&shared(vcpu, counter)->value);
}

uint64_t vpmu_package_rdpmc(struct vpmu_vcpu *vcpu, uint32_t counter,
			    uint8_t cpl)
{
	(void)cpl;
	return vpmu_package_value(vcpu, counter) &
	       vcpu->pmu->counters[counter].mask;
}

uint64_t vpmu_package_read_counter(struct vpmu_vcpu *vcpu,
				   const struct vpmu_msr *msr)
{
	return vpmu_package_value(vcpu, msr->unit);
}

enum vpmu_result vpmu_package_write_counter(struct vpmu_vcpu *vcpu,
					    const struct vpmu_msr *msr,
					    uint64_t value)
{
	bring(vcpu, msr->unit);
	atomic_store(&shared(vcpu, msr->unit)->value, value);
	vcpu->counters[msr->unit].taint = VPMU_HEALTH_IDLE;
	return VPMU_HANDLED;
}

uint64_t vpmu_package_read_select(struct vpmu_vcpu *vcpu,
				  const struct vpmu_msr *msr)
{
	return atomic_load(&shared(vcpu, msr->unit)->select);
}

enum vpmu_result vpmu_package_write_select(struct vpmu_vcpu *vcpu,
					   const struct vpmu_msr *msr,
					   uint64_t value)
{
	struct vpmu_shared *s = shared(vcpu, msr->unit);

	bring(vcpu, msr->unit);
	atomic_store(&s->select, value);
	atomic_store(&s->owner, vcpu);
	vcpu->counters[msr->unit].select = value;
	vpmu_program_control(vcpu, BIT(msr->unit));
	return VPMU_HANDLED;
}

/* RESET of the package. */
void vpmu_package_reset(const struct vpmu *pmu)
{
	if (!pmu->package)
		return;
	for (uint32_t i = 0; i < VPMU_COUNTERS; i++) {
		struct vpmu_shared *s = &pmu->package->counters[i];

		atomic_store(&s->owner, NULL);
		atomic_store(&s->select, 0);
		atomic_store(&s->value, 0);
	}
}
