// SPDX-License-Identifier: Apache-2.0
/* Version 6: 1900H+ and 1980H+ are other addresses of the same registers. */
#include "lib/counter.h"
#include "lib/main.h"
#include "lib/msr.h"
#include "lib/rdpmc.h"
#include "lib/report.h"

/* Bit 31 set, so that sign extension would show; bit 47 too. */
#define WIDE UINT64_C(0x9abc87654321)
/* Its own sign extension. */
#define NARROW UINT64_C(0x12345678)
/* Two settings of a selector, without EN. */
#define SELECTED UINT64_C(0x114fc0)
#define ANOTHER UINT64_C(0x02002e)

/* The addresses of one counter, the first of them the legacy one. */
struct addresses {
	u32 msr[3];
	u32 count;
	u64 width_mask;
};

static struct addresses addresses_of(const struct counter *c)
{
	struct addresses a = { .count = 2, .width_mask = MASK(c->width) };

	if (c->fixed) {
		a.msr[0] = IA32_FIXED_CTR0 + c->number;
		a.msr[1] = IA32_PMC_FX_CTR(c->number);
		return a;
	}
	a.msr[0] = IA32_PMC0 + c->number;
	a.msr[1] = IA32_PMC_GP_CTR(c->number);
	if (pmu.fw_write)
		a.msr[a.count++] = IA32_A_PMC0 + c->number;
	return a;
}

static void note_all(struct sweep *sweep, const struct counter *c,
		     const struct addresses *a, u32 written, u64 want)
{
	u64 got;

	for (u32 i = 0; i < a->count; i++) {
		got = rdmsr(a->msr[i]);
		sweep_note(sweep, got == want,
			   "written at %xh, %xh reads %lxh, want %lxh", written,
			   a->msr[i], got, want);
	}
	got = ~want;
	(void)rdpmc_safe(c->rdpmc, &got);
	sweep_note(sweep, got == want,
		   "written at %xh, RDPMC reads %lxh, want %lxh", written, got,
		   want);
}

/* What is written at one address is read at all. */
static void check_storage(const struct counter *c)
{
	struct addresses a = addresses_of(c);
	struct sweep sweep = { 0 };

	for (u32 i = 0; i < a.count; i++) {
		bool narrow = a.msr[i] == IA32_PMC0 + c->number;
		u64 value = (narrow ? NARROW : WIDE) & a.width_mask;

		wrmsr(a.msr[(i + 1) % a.count], 0);
		wrmsr(a.msr[i], value + i);
		note_all(&sweep, c, &a, a.msr[i], value + i);
	}
	wrmsr(a.msr[0], 0);
	sweep_report(&sweep, "alias_v6: %s %u, one register", c->name,
		     c->number);
}

/* The alias takes the whole width, extends no sign, and faults above. */
static void check_width(const struct counter *c)
{
	struct addresses a = addresses_of(c);
	struct sweep sweep = { 0 };

	for (u32 bit = 0; bit < 64; bit++) {
		u64 value = BIT(bit);
		u32 want = value & ~a.width_mask ? VECTOR_GP : 0;
		u32 got;

		wrmsr(a.msr[0], NARROW);
		got = wrmsr_safe(a.msr[1], value);
		sweep_note(&sweep, got == want, "wrmsr(%xh, %lxh): %s",
			   a.msr[1], value, vector_name(got));
		note_all(&sweep, c, &a, a.msr[1], want ? NARROW : value);
	}
	wrmsr(a.msr[0], 0);
	sweep_report(&sweep, "alias_v6: %s %u, bit by bit", c->name, c->number);
}

static void check_selector(u32 n)
{
	u32 legacy = IA32_PERFEVTSEL0 + n;
	u32 alias = IA32_PMC_GP_CFG_A(n);

	wrmsr(legacy, SELECTED);
	report_eq(rdmsr(alias), SELECTED,
		  "alias_v6: selector %u, written at %xh", n, legacy);
	wrmsr(alias, ANOTHER);
	report_eq(rdmsr(legacy), ANOTHER,
		  "alias_v6: selector %u, written at %xh", n, alias);
	report_vector(wrmsr_safe(alias, EVTSEL_ANY), VECTOR_GP,
		      "alias_v6: selector %u, reserved bit at %xh", n, alias);
	report_eq(rdmsr(legacy), ANOTHER, "alias_v6: selector %u, after that",
		  n);
	wrmsr(alias, 0);
}

static u32 alias_of(const struct counter *c)
{
	return addresses_of(c).msr[1];
}

/* No two counters have the same alias. */
static void check_distinct(void)
{
	struct sweep sweep = { 0 };
	struct counter c;
	u64 got;

	for (u32 i = 0; i < counter_total(); i++) {
		c = counter_get(i);
		wrmsr(alias_of(&c), 0x1000 + i);
	}
	for (u32 i = 0; i < counter_total(); i++) {
		c = counter_get(i);
		got = rdmsr(c.msr);
		sweep_note(&sweep, got == 0x1000 + i, "%s %u: %lxh, want %xh",
			   c.name, c.number, got, 0x1000 + i);
		wrmsr(alias_of(&c), 0);
	}
	sweep_report(&sweep, "alias_v6: each counter has its own");
}

void test_main(void)
{
	if (!pmu_present_or_skip("alias_v6"))
		return;
	if (pmu.version < 6) {
		report_skip("not version 6", "alias_v6");
		return;
	}
	counter_stop_all();
	for (u32 i = 0; i < counter_total(); i++) {
		struct counter c = counter_get(i);

		check_storage(&c);
		check_width(&c);
		if (!c.fixed)
			check_selector(c.number);
	}
	check_distinct();
}
