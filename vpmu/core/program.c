/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which counters run, and bringing what the backend has counted into their
 * values. Registers have been decoded by the model's hooks before this.
 */
#include <string.h>

#include "core/internal.h"

static bool pushed(const struct vpmu_vcpu *v)
{
	return v->pmu->ops.flags & VPMU_BACKEND_PUSHED;
}

static const char *event_name(const struct vpmu_vcpu *v, uint32_t id)
{
	const struct vpmu_control *control = &v->counters[id].now;
	const char *name =
		vpmu_event_name(v->pmu->model->events, control->select, id);

	return name ? name
		    : vpmu_meaning_name((enum vpmu_meaning)control->meaning);
}

static void tell(struct vpmu_vcpu *v, uint32_t id, enum vpmu_health health)
{
	const struct vpmu_control *control = &v->counters[id].now;
	uint32_t bit = BIT32(control->meaning);
	char name[16];

	if (v->logged & bit)
		return;
	v->logged |= bit;
	vpmu_counter_name(v->pmu, id, name, sizeof(name));
	vpmu_log(v->pmu, "%s is to count %s (event bits %llxH): %s, %s", name,
		 event_name(v, id), (unsigned long long)control->select,
		 vpmu_health_name(health),
		 health == VPMU_HEALTH_STARVED
			 ? "the host counts it part of the time only"
			 : "it stands still");
}

static void note_health(struct vpmu_vcpu *v, uint32_t id,
			enum vpmu_health health)
{
	struct vpmu_counter *c = &v->counters[id];

	c->health = (uint8_t)health;
	if (health < VPMU_HEALTH_STARVED)
		return;
	if (c->taint < health)
		c->taint = (uint8_t)health;
	tell(v, id, health);
}

static void start(struct vpmu_vcpu *v, uint32_t id)
{
	const struct vpmu_counter_desc *desc = &v->pmu->counters[id];
	struct vpmu_counter *c = &v->counters[id];
	const struct vpmu_event event = {
		.size = sizeof(event),
		.meaning = c->now.meaning,
		.vendor = v->pmu->model->vendor,
		.cmask = c->now.cmask,
		.select = c->now.select,
		.user = !!(c->now.cpls & CPLS_USR),
		.kernel = !!(c->now.cpls & CPLS_OS),
		.edge = c->now.edge,
		.inv = !!(c->now.compare & COMPARE_INV),
		.eq = !!(c->now.compare & COMPARE_EQ),
		.fixed = desc->row->fixed,
		.unit = desc->row->unit,
		.layout = (uint8_t)v->pmu->shape.layout,
		.instance = desc->row->each
				    ? (id - desc->row->first) / desc->row->each
				    : 0,
	};
	uint64_t period = c->now.pmi ? desc->mask - c->value + 1 : 0;
	enum vpmu_health health = VPMU_HEALTH_UNAVAILABLE;

	if (v->pmu->ops.start)
		health = v->pmu->ops.start(v->priv, desc->slot, &event, period);
	if (health == VPMU_HEALTH_UNAVAILABLE)
		v->running &= ~BIT(id);
	else
		v->running |= BIT(id);
	note_health(v, id, health);
}

static void sync_one(struct vpmu_vcpu *v, uint32_t id)
{
	uint64_t delta = 0;
	bool overflow;

	if (pushed(v) || !(v->running & BIT(id)))
		return;
	note_health(v, id,
		    v->pmu->ops.read(v->priv, v->pmu->counters[id].slot,
				     &delta));
	overflow = delta > v->pmu->counters[id].mask - v->counters[id].value;
	vpmu_program_count(v, id, delta, v->counters[id].now.pmi);
	/* The period that was asked for ends at this overflow; the next one is
	 * as long as the way to the next. */
	if (overflow && v->counters[id].now.pmi)
		start(v, id);
}

static void stop(struct vpmu_vcpu *v, uint32_t id)
{
	if (!(v->running & BIT(id)))
		return;
	sync_one(v, id);
	v->pmu->ops.stop(v->priv, v->pmu->counters[id].slot);
	v->running &= ~BIT(id);
}

/* Count `delta` events; `pmi`: whether an overflow interrupts. */
void vpmu_program_count(struct vpmu_vcpu *vcpu, uint32_t counter,
			uint64_t delta, bool pmi)
{
	const struct vpmu_counter_desc *desc = &vcpu->pmu->counters[counter];

	if (desc->row->unit != VPMU_UNIT_CORE) {
		vpmu_package_count(vcpu, counter, delta);
		return;
	}
	if (delta && desc->row->counted)
		desc->row->counted(vcpu, counter);
	if (!vpmu_counter_add(&vcpu->counters[counter].value, desc->mask,
			      delta))
		return;
	if (desc->row->carry && !desc->row->carry(vcpu, counter))
		return;
	/* SDM 3B, "IA32_PERF_GLOBAL_STATUS"; APM 2, "PerfCntrGlobalStatus":
	 * set whether or not the overflow interrupts. */
	vcpu->reg[REG_GLOBAL_STATUS] |= BIT(counter) & vcpu->pmu->gated;
	if (pmi)
		vpmu_pmi_raise(vcpu);
}

static uint64_t gates(const struct vpmu_vcpu *v)
{
	uint64_t open = v->reg[REG_GLOBAL_CTRL] & v->pmu->gated;

	if (v->reg[REG_GLOBAL_STATUS] & GLOBAL_STATUS_CTR_FRZ)
		open = 0;
	return open | ~v->pmu->gated;
}

/* Start and stop what the global registers have let in or shut out. */
void vpmu_program_refresh(struct vpmu_vcpu *vcpu)
{
	uint64_t enabled = vcpu->local & gates(vcpu);
	uint64_t leave = vcpu->enabled & ~enabled;
	uint64_t enter = enabled & ~vcpu->enabled;

	vcpu->enabled = enabled;
	FOR_EACH_COUNTER(id, leave)
	stop(vcpu, id);
	FOR_EACH_COUNTER(id, enter)
	start(vcpu, id);
}

static void change(struct vpmu_vcpu *v, uint32_t id,
		   const struct vpmu_control *control)
{
	struct vpmu_counter *c = &v->counters[id];

	stop(v, id);
	v->enabled &= ~BIT(id);
	if (v->begun && !(v->saved & BIT(id))) {
		c->old = c->now;
		c->old_asserted = c->asserted;
		v->saved |= BIT(id);
	}
	c->now = *control;
	c->asserted = false;
	if (control->enable && control->cpls)
		v->local |= BIT(id);
	else
		v->local &= ~BIT(id);
}

/* The registers that control these counters were written: decode them anew. */
void vpmu_program_control(struct vpmu_vcpu *vcpu, uint64_t counters)
{
	_Static_assert(sizeof(struct vpmu_control) == 16, "no padding");

	FOR_EACH_COUNTER(id, counters)
	{
		struct vpmu_control control = { .enable = false };

		vcpu->pmu->counters[id].row->control(vcpu, id, &control);
		if (memcmp(&control, &vcpu->counters[id].now, sizeof(control)))
			change(vcpu, id, &control);
	}
	vpmu_program_refresh(vcpu);
}

/* Take over what the backend has counted for those of `counters` that run. */
void vpmu_program_sync(struct vpmu_vcpu *vcpu, uint64_t counters)
{
	counters &= vcpu->running;
	if (!counters || pushed(vcpu))
		return;
	FOR_EACH_COUNTER(id, counters)
	sync_one(vcpu, id);
	vpmu_pmi_freeze(vcpu);
}

uint64_t vpmu_program_read(struct vpmu_vcpu *vcpu, uint32_t counter)
{
	vpmu_program_sync(vcpu, BIT(counter));
	return vcpu->counters[counter].value;
}

/*
 * The guest writes a counter, which may be running. What was counted before
 * comes first, as it may overflow; then a new way to the next overflow begins.
 */
void vpmu_program_write(struct vpmu_vcpu *vcpu, uint32_t counter,
			uint64_t value)
{
	struct vpmu_counter *c = &vcpu->counters[counter];

	sync_one(vcpu, counter);
	c->value = value & vcpu->pmu->counters[counter].mask;
	c->taint = VPMU_HEALTH_IDLE;
	if (c->now.pmi && vcpu->running & BIT(counter))
		start(vcpu, counter);
}

void vpmu_program_shut(struct vpmu_vcpu *vcpu, uint32_t counter)
{
	vcpu->pmu->ops.stop(vcpu->priv, vcpu->pmu->counters[counter].slot);
	vcpu->running &= ~BIT(counter);
	vcpu->enabled &= ~BIT(counter);
	vcpu->local &= ~BIT(counter);
	vcpu->counters[counter].select = 0;
	vcpu->counters[counter].now = (struct vpmu_control){ .enable = false };
}

/* Stop all, as they are. */
void vpmu_program_stop(struct vpmu_vcpu *vcpu)
{
	uint64_t running = vcpu->running;

	FOR_EACH_COUNTER(id, running)
	stop(vcpu, id);
	vcpu->local = 0;
	vcpu->enabled = 0;
}

void vpmu_sync(struct vpmu_vcpu *vcpu)
{
	vpmu_program_sync(vcpu, vcpu->running);
}
