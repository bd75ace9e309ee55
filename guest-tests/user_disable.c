// SPDX-License-Identifier: Apache-2.0
/* RDPMC user disable: per counter, RDPMC at CPL > 0 gives 0. */
#include "lib/control.h"
#include "lib/counter.h"
#include "lib/main.h"
#include "lib/msr.h"
#include "lib/rdpmc.h"
#include "lib/report.h"
#include "lib/user.h"

#define VALUE UINT64_C(0x12345678)

static u64 disable_bit(const struct counter *c)
{
	return c->fixed ? FIXED_USER_DISABLE(c->number) : EVTSEL_USER_DISABLE;
}

static void note_kernel(struct sweep *sweep, const struct counter *c, u64 want)
{
	u64 value = ~want;
	u32 vector = rdpmc_safe(c->rdpmc, &value);

	sweep_note(sweep, !vector && value == want,
		   "%s %u, CPL 0: %lxh (%s), want %lxh", c->name, c->number,
		   value, vector_name(vector), want);
	value = rdmsr(c->msr);
	sweep_note(sweep, value == want, "%s %u, RDMSR: %lxh, want %lxh",
		   c->name, c->number, value, want);
}

static void note_user(struct sweep *sweep, const struct counter *c, bool pce,
		      u64 want)
{
	u32 want_vector = pce ? 0 : VECTOR_GP;
	u64 value = ~want;
	u32 vector;

	pce_set(pce);
	vector = user_rdpmc(c->rdpmc, &value);
	pce_set(false);
	sweep_note(sweep, vector == want_vector,
		   "%s %u, CPL 3, PCE %u: %s, want %s", c->name, c->number, pce,
		   vector_name(vector), vector_name(want_vector));
	sweep_note(sweep, !pce || value == want,
		   "%s %u, CPL 3: %lxh, want %lxh", c->name, c->number, value,
		   want);
}

static u64 value_of(u32 i)
{
	return VALUE + i;
}

/* The i-th counter is disabled, all others are not. */
static void check_counter(u32 i)
{
	struct counter disabled = counter_get(i);
	struct sweep sweep = { 0 };

	wrmsr(disabled.ctl, disable_bit(&disabled));
	for (u32 j = 0; j < counter_total(); j++) {
		struct counter c = counter_get(j);

		note_kernel(&sweep, &c, value_of(j));
		note_user(&sweep, &c, true, j == i ? 0 : value_of(j));
		note_user(&sweep, &c, false, 0);
	}
	wrmsr(disabled.ctl, 0);
	note_user(&sweep, &disabled, true, value_of(i));
	sweep_report(&sweep, "user_disable: %s %u", disabled.name,
		     disabled.number);
}

static void check_reserved(void)
{
	struct sweep sweep = { 0 };

	for (u32 i = 0; i < counter_total(); i++) {
		struct counter c = counter_get(i);
		u32 vector = wrmsr_safe(c.ctl, disable_bit(&c));

		sweep_note(&sweep, vector == VECTOR_GP, "%s %u: %s, want #GP",
			   c.name, c.number, vector_name(vector));
	}
	sweep_report(&sweep, "user_disable: not offered, its bits fault");
}

void test_main(void)
{
	if (!pmu_present_or_skip("user_disable"))
		return;
	counter_stop_all();
	if (!pmu.user_disable) {
		check_reserved();
		return;
	}
	for (u32 i = 0; i < counter_total(); i++) {
		struct counter c = counter_get(i);

		counter_write(&c, value_of(i));
	}
	for (u32 i = 0; i < counter_total(); i++)
		check_counter(i);
}
