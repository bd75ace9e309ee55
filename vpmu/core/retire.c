/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The exact count: the embedder reports each instruction as it retires.
 *
 * The order rule. An instruction retires after it has executed, so a WRMSR to
 * the value of a running counter is itself counted on top of what it wrote (the
 * counter then reads value + 1), and RDPMC and RDMSR read what retired before
 * them. Whether a WRMSR that changes the configuration is counted is decided by
 * the configuration in force when it began: that which starts a counter is not,
 * that which stops it is. vpmu_retire_begin() keeps the set of running
 * counters; program.c keeps the control of one that is rewritten.
 */
#include "core/internal.h"

int vpmu_wants_retire(const struct vpmu_vcpu *vcpu)
{
	return vcpu->running && vcpu->pmu->ops.flags & VPMU_BACKEND_PUSHED;
}

void vpmu_retire_begin(struct vpmu_vcpu *vcpu)
{
	vcpu->begun = true;
	vcpu->begun_running = vcpu->running;
	vcpu->begun_enables = vcpu->reg[REG_GLOBAL_CTRL];
	vcpu->saved = 0;
}

static void retire_one(struct vpmu_vcpu *v, uint32_t id, uint32_t occurred,
		       uint8_t cpl)
{
	struct vpmu_counter *c = &v->counters[id];
	bool saved = v->begun && v->saved & BIT(id);
	const struct vpmu_control *control = saved ? &c->old : &c->now;
	uint32_t n = vpmu_counter_events(control->meaning, occurred);

	n = vpmu_counter_qualify(control, n, cpl,
				 saved ? &c->old_asserted : &c->asserted);
	if (n)
		vpmu_program_count(v, id, n, control->pmi);
}

void vpmu_retire(struct vpmu_vcpu *vcpu, uint32_t occurred, uint8_t cpl)
{
	uint64_t set = vcpu->begun ? vcpu->begun_running : vcpu->running;

	if (!(vcpu->pmu->ops.flags & VPMU_BACKEND_PUSHED))
		return;
	FOR_EACH_COUNTER(id, set)
	retire_one(vcpu, id, occurred, cpl);
	vcpu->begun = false;
	vpmu_pmi_freeze(vcpu);
}

void vpmu_retire_missed(struct vpmu_vcpu *vcpu)
{
	uint64_t set = vcpu->running;

	if (!(vcpu->pmu->ops.flags & VPMU_BACKEND_PUSHED))
		return;
	if (vcpu->begun)
		set |= vcpu->begun_running;
	vcpu->begun = false;
	FOR_EACH_COUNTER(id, set)
	{
		struct vpmu_counter *c = &vcpu->counters[id];

		if (c->taint < VPMU_HEALTH_APPROXIMATE)
			c->taint = VPMU_HEALTH_APPROXIMATE;
	}
}
