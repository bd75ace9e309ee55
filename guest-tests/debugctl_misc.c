// SPDX-License-Identifier: Apache-2.0
/* The PMU's bits of IA32_DEBUGCTL and IA32_MISC_ENABLE. */
#include "lib/main.h"
#include "lib/msr.h"
#include "lib/pmu.h"
#include "lib/report.h"

#define MISC_PERFMON_AVAILABLE BIT(7)
#define MISC_BTS_UNAVAILABLE BIT(11)
#define MISC_PEBS_UNAVAILABLE BIT(12)

/* IA32_DEBUGCTL: taken and kept, taken and dropped; all else faults. */
static u64 kept, dropped;

static void note_debugctl(struct sweep *sweep, u64 old, u64 value)
{
	bool legal = !(value & ~(kept | dropped));
	u32 want_vector = legal ? 0 : VECTOR_GP;
	u64 want = legal ? value & kept : old;
	u32 vector;
	u64 got;

	wrmsr(IA32_DEBUGCTL, old);
	vector = wrmsr_safe(IA32_DEBUGCTL, value);
	got = rdmsr(IA32_DEBUGCTL);
	sweep_note(sweep, vector == want_vector, "wrote %lxh: %s, want %s",
		   value, vector_name(vector), vector_name(want_vector));
	sweep_note(sweep, got == want, "wrote %lxh: %lxh, want %lxh", value,
		   got, want);
}

static void check_debugctl(void)
{
	struct sweep sweep = { 0 };

	kept = pmu_msr_find(IA32_DEBUGCTL)->writable;
	dropped = DEBUGCTL_LBR | DEBUGCTL_BTF;
	report_eq(rdmsr(IA32_DEBUGCTL), 0, "debugctl_misc: IA32_DEBUGCTL is 0");
	for (u32 bit = 0; bit < 64; bit++) {
		note_debugctl(&sweep, 0, BIT(bit));
		note_debugctl(&sweep, kept, BIT(bit));
	}
	sweep_report(&sweep, "debugctl_misc: IA32_DEBUGCTL, bit by bit");
	sweep = (struct sweep){ 0 };
	note_debugctl(&sweep, 0, kept);
	note_debugctl(&sweep, 0, kept | dropped);
	note_debugctl(&sweep, kept, 0);
	note_debugctl(&sweep, kept, UINT64_MAX);
	wrmsr(IA32_DEBUGCTL, 0);
	sweep_report(&sweep, "debugctl_misc: IA32_DEBUGCTL, all at once");
}

/* Write what is there with these bits changed. */
static void check_misc_write(u64 change, u32 want, const char *name)
{
	u64 old = rdmsr(IA32_MISC_ENABLE);

	report_vector(wrmsr_safe(IA32_MISC_ENABLE, old ^ change), want,
		      "debugctl_misc: IA32_MISC_ENABLE, %s", name);
	report_eq(rdmsr(IA32_MISC_ENABLE), old,
		  "debugctl_misc: IA32_MISC_ENABLE, %s: unchanged", name);
}

static void check_misc_enable(void)
{
	/* clang-format off */
	static const struct {
		const char *name;
		u64 change;
		u32 vector;
	} writes[] = {
		{ "as it was", 0, 0 },
		{ "bit 7", MISC_PERFMON_AVAILABLE, 0 },
		{ "bit 11", MISC_BTS_UNAVAILABLE, VECTOR_GP },
		{ "bit 12", MISC_PEBS_UNAVAILABLE, VECTOR_GP },
		{ "bits 7 and 11", MISC_PERFMON_AVAILABLE | MISC_BTS_UNAVAILABLE, VECTOR_GP },
		{ "bits 7 and 12", MISC_PERFMON_AVAILABLE | MISC_PEBS_UNAVAILABLE, VECTOR_GP },
		{ "bits 11 and 12", MISC_BTS_UNAVAILABLE | MISC_PEBS_UNAVAILABLE, VECTOR_GP },
	};
	/* clang-format on */
	u64 ones = MISC_PERFMON_AVAILABLE | MISC_BTS_UNAVAILABLE |
		   MISC_PEBS_UNAVAILABLE;

	report_eq(rdmsr(IA32_MISC_ENABLE) & ones, ones,
		  "debugctl_misc: IA32_MISC_ENABLE has bits 7, 11 and 12");
	for (size_t i = 0; i < ARRAY_SIZE(writes); i++)
		check_misc_write(writes[i].change, writes[i].vector,
				 writes[i].name);
}

void test_main(void)
{
	if (!pmu_present_or_skip("debugctl_misc"))
		return;
	check_debugctl();
	check_misc_enable();
}
