// SPDX-License-Identifier: Apache-2.0
/* PERF_METRICS as a register: MSR 329H and RDPMC of type 2000H. */
#include "lib/control.h"
#include "lib/counter.h"
#include "lib/main.h"
#include "lib/msr.h"
#include "lib/rdpmc.h"
#include "lib/report.h"
#include "lib/user.h"

#define SLOTS 3 /* the fixed counter that belongs to it */
#define MSR_SLOTS (IA32_FIXED_CTR0 + SLOTS)

#define METRICS_VALUE UINT64_C(0xfedcba9876543210)
#define SLOTS_VALUE UINT64_C(0x123456789) /* 33 bits, the least there are */

static u32 rdpmc_user(u32 index, u64 *value, bool pce)
{
	u32 vector;

	pce_set(pce);
	vector = user_rdpmc(index, value);
	pce_set(false);
	return vector;
}

static void check_absent(void)
{
	u64 value = 0;

	report_vector(rdmsr_safe(MSR_PERF_METRICS, &value), VECTOR_GP,
		      "perf_metrics: not offered, rdmsr(329h)");
	report_vector(wrmsr_safe(MSR_PERF_METRICS, 0), VECTOR_GP,
		      "perf_metrics: not offered, wrmsr(329h)");
	report_vector(rdpmc_safe(RDPMC_METRICS, &value), VECTOR_GP,
		      "perf_metrics: not offered, rdpmc(20000000h)");
}

/* Bit 48 of the global registers exists where PERF_METRICS does. */
static void check_global_bit(void)
{
	static const struct {
		u32 msr, version;
	} registers[] = {
		{ IA32_PERF_GLOBAL_CTRL, 2 },
		{ IA32_PERF_GLOBAL_OVF_CTRL, 2 },
		{ IA32_PERF_GLOBAL_STATUS_SET, 4 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(registers); i++) {
		u32 msr = registers[i].msr;

		if (pmu.version < registers[i].version)
			continue;
		report_vector(wrmsr_safe(msr, GLOBAL_METRICS),
			      pmu.metrics ? 0 : VECTOR_GP,
			      "perf_metrics: bit 48 of %xh", msr);
	}
	if (!pmu_has_global())
		return;
	report_eq(rdmsr(IA32_PERF_GLOBAL_CTRL) & GLOBAL_METRICS,
		  pmu.metrics ? GLOBAL_METRICS : 0,
		  "perf_metrics: bit 48 of 38fh afterwards");
	wrmsr(IA32_PERF_GLOBAL_CTRL, 0);
}

/* Bit 14 of 38DH was counter 3's ANY bit before it cleared PERF_METRICS. */
static void check_control_bit(void)
{
	bool any = pmu.any_thread && pmu.fixed_map & BIT(SLOTS);
	u32 want = any || pmu.metrics_clear ? 0 : VECTOR_GP;

	if (!pmu_has_global())
		return;
	report_vector(wrmsr_safe(IA32_FIXED_CTR_CTRL, FIXED_METRICS_CLEAR),
		      want, "perf_metrics: bit 14 of 38dh");
	wrmsr(IA32_FIXED_CTR_CTRL, 0);
}

static void note_read(struct sweep *sweep, u32 vector, u64 got, u64 want,
		      const char *how)
{
	sweep_note(sweep, !vector && got == want, "%s: %lxh (%s), want %lxh",
		   how, got, vector_name(vector), want);
}

/* Any 64-bit value is kept, and read the same by all. */
static void check_value(struct sweep *sweep, u64 value)
{
	u32 vector = wrmsr_safe(MSR_PERF_METRICS, value);
	u64 got = ~value;

	sweep_note(sweep, !vector, "wrote %lxh: %s", value,
		   vector_name(vector));
	vector = rdmsr_safe(MSR_PERF_METRICS, &got);
	note_read(sweep, vector, got, value, "RDMSR");
	got = ~value;
	vector = rdpmc_safe(RDPMC_METRICS, &got);
	note_read(sweep, vector, got, value, "RDPMC");
	got = ~value;
	vector = rdpmc_user(RDPMC_METRICS, &got, true);
	note_read(sweep, vector, got, value, "RDPMC at CPL 3");
	got = ~value;
	vector = rdpmc_user(RDPMC_METRICS, &got, false);
	sweep_note(sweep, vector == VECTOR_GP, "RDPMC at CPL 3, PCE=0: %s",
		   vector_name(vector));
}

static void check_values(void)
{
	struct sweep sweep = { 0 };

	check_value(&sweep, 0);
	check_value(&sweep, METRICS_VALUE);
	check_value(&sweep, UINT64_MAX);
	for (u32 bit = 0; bit < 64; bit++)
		check_value(&sweep, BIT(bit));
	sweep_report(&sweep, "perf_metrics: any value, written and read");
}

/* How to read, and whether that clears when clearing is on. */
struct reading {
	const char *name;
	u32 (*read)(u64 *value);
	u32 vector;
	u64 value;
	bool clears;
};

static u32 by_rdpmc(u64 *value)
{
	return rdpmc_safe(RDPMC_METRICS, value);
}

static u32 by_rdpmc_user(u64 *value)
{
	return rdpmc_user(RDPMC_METRICS, value, true);
}

static u32 by_rdpmc_denied(u64 *value)
{
	return rdpmc_user(RDPMC_METRICS, value, false);
}

static u32 by_rdpmc_bad_index(u64 *value)
{
	return rdpmc_safe(RDPMC_METRICS | 1, value);
}

static u32 by_rdpmc_slots(u64 *value)
{
	return rdpmc_safe(RDPMC_FIXED + SLOTS, value);
}

static u32 by_rdmsr(u64 *value)
{
	return rdmsr_safe(MSR_PERF_METRICS, value);
}

static u32 by_rdmsr_slots(u64 *value)
{
	return rdmsr_safe(MSR_SLOTS, value);
}

/* clang-format off */
static const struct reading readings[] = {
	{ "rdpmc(20000000h)", by_rdpmc, 0, METRICS_VALUE, true },
	{ "rdpmc(20000000h) at CPL 3", by_rdpmc_user, 0, METRICS_VALUE, true },
	{ "rdpmc(20000000h) at CPL 3, PCE=0", by_rdpmc_denied, VECTOR_GP, 0, false },
	{ "rdpmc(20000001h)", by_rdpmc_bad_index, VECTOR_GP, 0, false },
	{ "rdpmc(40000003h)", by_rdpmc_slots, 0, SLOTS_VALUE, false },
	{ "rdmsr(329h)", by_rdmsr, 0, METRICS_VALUE, false },
	{ "rdmsr(30ch)", by_rdmsr_slots, 0, SLOTS_VALUE, false },
};
/* clang-format on */

static void check_reading(const struct reading *r, bool enabled)
{
	bool cleared = enabled && r->clears;
	struct sweep sweep = { 0 };
	u64 value = 0;
	u32 vector;

	wrmsr(MSR_SLOTS, SLOTS_VALUE);
	wrmsr(MSR_PERF_METRICS, METRICS_VALUE);
	wrmsr(IA32_FIXED_CTR_CTRL, enabled ? FIXED_METRICS_CLEAR : 0);
	vector = r->read(&value);
	wrmsr(IA32_FIXED_CTR_CTRL, 0);
	sweep_note(&sweep, vector == r->vector, "%s, want %s",
		   vector_name(vector), vector_name(r->vector));
	note_read(&sweep, 0, value, r->value, "value");
	note_read(&sweep, 0, rdmsr(MSR_PERF_METRICS),
		  cleared ? 0 : METRICS_VALUE, "329H afterwards");
	note_read(&sweep, 0, rdmsr(MSR_SLOTS), cleared ? 0 : SLOTS_VALUE,
		  "30CH afterwards");
	sweep_report(&sweep, "perf_metrics: %s, bit 14 %u", r->name, enabled);
}

void test_main(void)
{
	if (!pmu_present_or_skip("perf_metrics"))
		return;
	counter_stop_all();
	check_global_bit();
	check_control_bit();
	if (!pmu.metrics) {
		check_absent();
		return;
	}
	check_values();
	for (size_t i = 0; i < ARRAY_SIZE(readings); i++) {
		check_reading(&readings[i], false);
		if (pmu.metrics_clear)
			check_reading(&readings[i], true);
	}
	if (!pmu.metrics_clear)
		report_skip("IA32_PERF_CAPABILITIES[19] is 0",
			    "perf_metrics: clearing");
	wrmsr(MSR_PERF_METRICS, 0);
	wrmsr(MSR_SLOTS, 0);
}
