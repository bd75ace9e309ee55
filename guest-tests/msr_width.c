// SPDX-License-Identifier: Apache-2.0
/* How wide counters are, and what a write makes of the bits above. */
#include "lib/main.h"
#include "lib/msr.h"
#include "lib/pmu.h"
#include "lib/report.h"

static const u64 values[] = {
	0,
	1,
	0x7fffffff,
	0x80000000,
	0xffffffff,
	0x100000000,
	0x123456789abcdef0,
	0xffffff0123456789,
	0xffffffff80000000,
	0x7fffffffffffffff,
	0x8000000000000000,
	UINT64_MAX,
};

static u64 sign_extended(u64 value)
{
	return (u64)(int64_t)(int32_t)value;
}

/* C1H+: EAX sign-extended to the width, EDX ignored. */
static void check_narrow(u32 n)
{
	struct sweep sweep = { 0 };

	for (size_t i = 0; i < ARRAY_SIZE(values); i++) {
		u64 want = sign_extended(values[i]) & MASK(pmu.gp_width);
		u64 got;

		wrmsr(IA32_PMC0 + n, values[i]);
		got = rdmsr(IA32_PMC0 + n);
		sweep_note(&sweep, got == want, "wrote %lxh: %lxh, want %lxh",
			   values[i], got, want);
	}
	wrmsr(IA32_PMC0 + n, 0);
	sweep_report(&sweep, "msr_width: IA32_PMC %u is sign-extended", n);
}

/* A register that takes all of its width; what is above faults or goes. */
static void check_full(u32 msr, u32 width, bool faults, const char *name, u32 n)
{
	struct sweep sweep = { 0 };
	u64 held = 0;

	wrmsr(msr, 0);
	for (size_t i = 0; i < ARRAY_SIZE(values); i++) {
		u32 want = faults && values[i] & ~MASK(width) ? VECTOR_GP : 0;
		u32 vector = wrmsr_safe(msr, values[i]);
		u64 got = rdmsr(msr);

		if (!want)
			held = values[i] & MASK(width);
		sweep_note(&sweep, vector == want, "wrote %lxh: %s, want %s",
			   values[i], vector_name(vector), vector_name(want));
		sweep_note(&sweep, got == held, "wrote %lxh: %lxh, want %lxh",
			   values[i], got, held);
	}
	wrmsr(msr, 0);
	sweep_report(&sweep, "msr_width: %s %u takes %u bits", name, n, width);
}

/* Two addresses of one register. */
static void check_alias(u32 a, u32 b, u64 value, const char *name, u32 n)
{
	wrmsr(a, value);
	report_eq(rdmsr(b), value, "msr_width: %s %u, written at %xh", name, n,
		  a);
	wrmsr(b, value >> 1);
	report_eq(rdmsr(a), value >> 1, "msr_width: %s %u, written at %xh",
		  name, n, b);
	wrmsr(a, 0);
}

static void check_gp(u32 n)
{
	check_narrow(n);
	if (pmu.version >= 6)
		check_full(IA32_PMC_GP_CTR(n), pmu.gp_width, true,
			   "IA32_PMC_GP_CTR", n);
	if (!pmu.fw_write)
		return;
	check_full(IA32_A_PMC0 + n, pmu.gp_width, true, "IA32_A_PMC", n);
	check_alias(IA32_A_PMC0 + n, IA32_PMC0 + n, 0x12345678, "IA32_PMC", n);
}

static void check_fixed(u32 n)
{
	check_full(IA32_FIXED_CTR0 + n, pmu.fixed_width, true, "IA32_FIXED_CTR",
		   n);
	if (pmu.version >= 6)
		check_full(IA32_PMC_FX_CTR(n), pmu.fixed_width, true,
			   "IA32_PMC_FX_CTR", n);
}

static void check_intel(void)
{
	for (u32 n = 0; n < 32; n++) {
		if (pmu.gp_map & BIT(n))
			check_gp(n);
		if (pmu.fixed_map & BIT(n))
			check_fixed(n);
	}
	if (!pmu.fw_write)
		report_skip("IA32_PERF_CAPABILITIES[13] is 0",
			    "msr_width: full-width writes");
}

static void check_amd(void)
{
	for (u32 n = 0; n < pmu.gp; n++)
		check_full(pmu_counter_msr(n), pmu.gp_width, false, "PERF_CTR",
			   n);
	if (!pmu.ext_core) {
		report_skip("no PerfCtrExtCore", "msr_width: aliases");
		return;
	}
	for (u32 n = 0; n < 4; n++) {
		check_full(PERF_LEGACY_CTR0 + n, pmu.gp_width, false,
			   "PERF_LEGACY_CTR", n);
		check_alias(PERF_LEGACY_CTR0 + n, PERF_CTR0 + 2 * n,
			    0x123456789abc, "PERF_CTR", n);
		check_alias(PERF_LEGACY_CTL0 + n, PERF_CTL0 + 2 * n, 0xfe,
			    "PERF_CTL", n);
	}
}

void test_main(void)
{
	if (!pmu_present_or_skip("msr_width"))
		return;
	if (pmu.vendor == VENDOR_INTEL)
		check_intel();
	else
		check_amd();
}
