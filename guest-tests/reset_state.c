// SPDX-License-Identifier: Apache-2.0
/* What the registers hold before anybody has written them. */
#include "lib/apic.h"
#include "lib/control.h"
#include "lib/main.h"
#include "lib/msr.h"
#include "lib/pmu.h"
#include "lib/rdpmc.h"
#include "lib/report.h"

/*
 * All GP (AMD: core) counters are enabled globally, so that software which
 * knows only the older generation finds them working.
 */
static u64 reset_value(const struct pmu_msr *m)
{
	if (pmu_has_global() && m->msr == pmu_global_ctrl_msr())
		return MASK(pmu.gp);
	return 0;
}

static void note_rdpmc(struct sweep *sweep, u32 ecx)
{
	u64 value = 0;
	u32 vector = rdpmc_safe(ecx, &value);

	sweep_note(sweep, !vector && !value, "rdpmc(%xh): %lxh (%s), want 0",
		   ecx, value, vector_name(vector));
}

static void check_rdpmc(void)
{
	struct sweep sweep = { 0 };

	for (u32 n = 0; n < 32; n++) {
		if (pmu.gp_map & BIT(n))
			note_rdpmc(&sweep, n);
		if (pmu.fixed_map & BIT(n))
			note_rdpmc(&sweep, RDPMC_FIXED + n);
	}
	sweep_report(&sweep, "reset_state: counters by RDPMC");
}

static void check_msrs(void)
{
	struct sweep sweep = { 0 };

	for (u32 i = 0; i < pmu_msr_count; i++) {
		const struct pmu_msr *m = &pmu_msrs[i];
		u64 want = reset_value(m);
		u64 got = 0;
		u32 vector;

		if (m->msr == IA32_PERF_CAPABILITIES || m->kind == MSR_RUNS ||
		    m->kind == MSR_RUNS_RO || m->kind == MSR_OTHERS)
			continue;
		vector = rdmsr_safe(m->msr, &got);
		sweep_note(&sweep, !vector && got == want,
			   "%s %u: %lxh (%s), want %lxh", m->name, m->unit, got,
			   vector_name(vector), want);
	}
	sweep_report(&sweep, "reset_state: MSRs");
}

void test_main(void)
{
	report(!(read_cr4() & CR4_PCE), "reset_state: CR4.PCE is 0");
	if (!pmu_present_or_skip("reset_state"))
		return;
	check_msrs();
	check_rdpmc();
	report_eq(apic_read(APIC_LVTPC), LVT_MASKED,
		  "reset_state: LVTPC is masked");
}
