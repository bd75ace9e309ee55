// SPDX-License-Identifier: Apache-2.0
/* RDPMC and RDMSR read the same number, for every counter and many values. */
#include "lib/counter.h"
#include "lib/main.h"
#include "lib/msr.h"
#include "lib/rdpmc.h"
#include "lib/report.h"

static const u64 values[] = {
	0,
	1,
	0x7fffffff,
	0xffffffff80000000,
	0xfffffffffffffffe,
	UINT64_MAX,
	0x23456789,
	0xffffffff89abcdef,
};

static void check(const struct counter *c)
{
	struct sweep sweep = { 0 };

	for (size_t i = 0; i < ARRAY_SIZE(values); i++) {
		u64 want = values[i] & MASK(c->width);
		u64 by_rdpmc = ~want;
		u64 by_rdmsr;
		u32 vector;

		counter_write(c, values[i]);
		vector = rdpmc_safe(c->rdpmc, &by_rdpmc);
		by_rdmsr = rdmsr(c->msr);
		sweep_note(&sweep, !vector, "rdpmc(%xh): %s, want a value",
			   c->rdpmc, vector_name(vector));
		sweep_note(&sweep, by_rdmsr == want, "rdmsr %lxh, want %lxh",
			   by_rdmsr, want);
		sweep_note(&sweep, by_rdpmc == want, "rdpmc %lxh, want %lxh",
			   by_rdpmc, want);
	}
	counter_write(c, 0);
	sweep_report(&sweep, "rdpmc_msr: %s %u, stopped", c->name, c->number);
}

/* No counter is another's alias: each holds its own value. */
static void check_distinct(void)
{
	struct sweep sweep = { 0 };
	struct counter c;
	u64 got = 0;

	for (u32 i = 0; i < counter_total(); i++) {
		c = counter_get(i);
		counter_write(&c, 0x1000 + i);
	}
	for (u32 i = 0; i < counter_total(); i++) {
		c = counter_get(i);
		(void)rdpmc_safe(c.rdpmc, &got);
		sweep_note(&sweep, got == 0x1000 + i,
			   "rdpmc(%xh): %lxh, want %xh", c.rdpmc, got,
			   0x1000 + i);
	}
	sweep_report(&sweep, "rdpmc_msr: each counter has its own value");
}

void test_main(void)
{
	if (!pmu_present_or_skip("rdpmc_msr"))
		return;
	counter_stop_all();
	for (u32 i = 0; i < counter_total(); i++) {
		struct counter c = counter_get(i);

		check(&c);
	}
	check_distinct();
}
