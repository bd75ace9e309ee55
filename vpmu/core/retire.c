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

/* Those that count the instruction at hand, and by what. */
static uint64_t counting(const struct vpmu_vcpu *v)
{
	return v->begun ? v->begun_running : v->running;
}

static bool is_saved(const struct vpmu_vcpu *v, uint32_t id)
{
	return v->begun && v->saved & BIT(id);
}

static const struct vpmu_control *control_of(const struct vpmu_vcpu *v,
					     uint32_t id)
{
	return is_saved(v, id) ? &v->counters[id].old : &v->counters[id].now;
}

uint32_t vpmu_wants_occurred(const struct vpmu_vcpu *vcpu)
{
	uint64_t set = counting(vcpu);
	uint32_t wanted = 0;

	if (!(vcpu->pmu->ops.flags & VPMU_BACKEND_PUSHED))
		return 0;
	FOR_EACH_COUNTER(id, set)
	wanted |= VPMU_OCCURS(control_of(vcpu, id)->meaning);
	return wanted & COUNTER_ASKED;
}

void vpmu_occur(struct vpmu_vcpu *vcpu, enum vpmu_meaning meaning, uint32_t n)
{
	if ((unsigned int)meaning >= VPMU_MEAN_COUNT ||
	    !(vpmu_wants_occurred(vcpu) & VPMU_OCCURS(meaning)))
		return;
	if (n > UINT32_MAX - vcpu->occurrences[meaning])
		n = UINT32_MAX - vcpu->occurrences[meaning];
	vcpu->occurrences[meaning] += n;
	vcpu->occurred |= VPMU_OCCURS(meaning);
}

static void forget_occurrences(struct vpmu_vcpu *v)
{
	for (; v->occurred; v->occurred &= v->occurred - 1)
		v->occurrences[__builtin_ctz(v->occurred)] = 0;
}

/* How often it happened: once by the mask, and as often as told before. */
static uint32_t times(const struct vpmu_vcpu *v, uint32_t meaning,
		      uint32_t occurred)
{
	uint32_t n = vpmu_counter_events(meaning, occurred);
	uint32_t told = v->occurrences[meaning];

	return told > UINT32_MAX - n ? UINT32_MAX : told + n;
}

static void retire_one(struct vpmu_vcpu *v, uint32_t id, uint32_t occurred,
		       uint8_t cpl)
{
	struct vpmu_counter *c = &v->counters[id];
	bool saved = is_saved(v, id);
	const struct vpmu_control *control = control_of(v, id);
	uint32_t n = times(v, control->meaning, occurred);

	n = vpmu_counter_qualify(control, n, cpl,
				 saved ? &c->old_asserted : &c->asserted);
	if (n)
		vpmu_program_count(v, id, n, control->pmi);
}

void vpmu_retire(struct vpmu_vcpu *vcpu, uint32_t occurred, uint8_t cpl)
{
	uint64_t set = counting(vcpu);

	if (!(vcpu->pmu->ops.flags & VPMU_BACKEND_PUSHED))
		return;
	FOR_EACH_COUNTER(id, set)
	retire_one(vcpu, id, occurred, cpl);
	forget_occurrences(vcpu);
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
