// SPDX-License-Identifier: Apache-2.0
/* Two CPUs (word `cpus=2`): counters outside the core are one set for both. */
#include "lib/args.h"
#include "lib/counter.h"
#include "lib/main.h"
#include "lib/msr.h"
#include "lib/rdpmc.h"
#include "lib/report.h"
#include "lib/smp.h"

#define MAX_REGS 160
#define MSR_ONLY 0xffffffff
#define L3_RDPMC 10
#define NB_RDPMC 6
#define DF_RDPMC 12 /* from the fifth on */

/* All registers of the three kinds, and what they are told. */
static struct reg {
	const struct pmu_msr *m;
	u32 ecx; /* MSR_ONLY: RDPMC does not read it */
	bool counter;
	u64 value, got, by_rdpmc;
} regs[MAX_REGS];
static u32 reg_count;
static u64 core_there[32];

static u32 rdpmc_index(const struct pmu_msr *m)
{
	switch (m->msr - 2 * m->unit) {
	case L3_PERF_CTR0:
		return L3_RDPMC + m->unit;
	case NB_PERF_CTR0:
		return (m->unit < 4 ? NB_RDPMC : DF_RDPMC) + m->unit;
	default:
		return MSR_ONLY;
	}
}

static void find_regs(void)
{
	for (u32 i = 0; i < pmu_msr_count && reg_count < MAX_REGS; i++) {
		const struct pmu_msr *m = &pmu_msrs[i];

		switch (m->msr - 2 * m->unit) {
		case L3_PERF_CTL0:
		case L3_PERF_CTR0:
		case NB_PERF_CTL0:
		case NB_PERF_CTR0:
		case UMC_PERF_CTL0:
		case UMC_PERF_CTR0:
			regs[reg_count++] = (struct reg){
				.m = m,
				.ecx = rdpmc_index(m),
				.counter = m->msr & 1,
			};
		}
	}
}

/* Another value in each, all legal, and no selector enabled. */
static void choose(u64 seed)
{
	for (u32 i = 0; i < reg_count; i++) {
		struct reg *r = &regs[i];
		u64 value = (seed + i) * UINT64_C(0x9e3779b97f4a7c15);

		r->value = value & r->m->writable;
		if (!r->counter)
			r->value &= ~(EVTSEL_EN | UMC_CTL_EN);
	}
}

static void write_all(void)
{
	for (u32 i = 0; i < reg_count; i++)
		wrmsr(regs[i].m->msr, regs[i].value);
}

static void read_all(void)
{
	for (u32 i = 0; i < reg_count; i++) {
		struct reg *r = &regs[i];

		r->got = rdmsr(r->m->msr);
		if (r->ecx != MSR_ONLY)
			r->by_rdpmc = rdpmc(r->ecx);
	}
}

static void compare(const char *what)
{
	struct sweep msr = { 0 }, index = { 0 };

	for (u32 i = 0; i < reg_count; i++) {
		const struct reg *r = &regs[i];
		u64 want = r->value & MASK(48);

		sweep_note(&msr, r->got == r->value, "%xh: %lxh, want %lxh",
			   r->m->msr, r->got, r->value);
		/* Bit 48, Overflow, is the MSR's alone. */
		if (r->ecx != MSR_ONLY)
			sweep_note(&index, r->by_rdpmc == want,
				   "rdpmc(%xh): %lxh, want %lxh", r->ecx,
				   r->by_rdpmc, want);
	}
	sweep_report(&msr, "amd_uncore: %s, RDMSR", what);
	sweep_report(&index, "amd_uncore: %s, RDPMC", what);
}

static void check_shared(void)
{
	choose(1);
	write_all();
	read_all();
	compare("written and read here");
	smp_call(read_all);
	compare("written here, read there");
	choose(1000);
	smp_call(write_all);
	read_all();
	compare("written there, read here");
	smp_call(read_all);
	compare("written and read there");
	smp_start();
	read_all();
	compare("after INIT there");
	smp_call(read_all);
	compare("after INIT there, read there");
}

/* The flag that an overflow would leave, set and cleared by hand. */
static void check_overflow_bit(void)
{
	struct sweep sweep = { 0 };

	for (u32 i = 0; i < reg_count; i++) {
		struct reg *r = &regs[i];
		u64 want;

		if (!r->counter)
			continue;
		want = r->m->writable & BIT(48);
		wrmsr(r->m->msr, BIT(48));
		sweep_note(&sweep, rdmsr(r->m->msr) == want,
			   "%xh: %lxh, want %lxh", r->m->msr, rdmsr(r->m->msr),
			   want);
		if (r->ecx != MSR_ONLY)
			sweep_note(&sweep, !rdpmc(r->ecx), "rdpmc(%xh): %lxh",
				   r->ecx, rdpmc(r->ecx));
		wrmsr(r->m->msr, 0);
	}
	sweep_report(&sweep, "amd_uncore: bit 48");
}

static void run_block(void)
{
	count_run(pmu_evtsel_msr(0), 0, block_nops);
}

/* Nothing that they could count happens in the machine of an exact count. */
static void check_idle(void)
{
	for (u32 i = 0; i < reg_count; i++)
		regs[i].value = regs[i].counter ? i : regs[i].m->writable;
	write_all();
	run_block();
	smp_call(run_block);
	read_all();
	compare("enabled, nothing to count");
	for (u32 i = 0; i < reg_count; i++)
		regs[i].value = 0;
	write_all();
	smp_call(read_all);
	compare("all 0 again");
}

static void write_core(void)
{
	for (u32 n = 0; n < pmu.gp; n++)
		wrmsr(pmu_counter_msr(n), 0x2000 + n);
}

static void read_core(void)
{
	for (u32 n = 0; n < pmu.gp; n++)
		core_there[n] = rdmsr(pmu_counter_msr(n));
}

static void check_core(void)
{
	struct sweep sweep = { 0 };

	for (u32 n = 0; n < pmu.gp; n++)
		wrmsr(pmu_counter_msr(n), 0x1000 + n);
	smp_call(write_core);
	smp_call(read_core);
	for (u32 n = 0; n < pmu.gp; n++) {
		sweep_note(&sweep, rdmsr(pmu_counter_msr(n)) == 0x1000 + n,
			   "here, %u: %lxh", n, rdmsr(pmu_counter_msr(n)));
		sweep_note(&sweep, core_there[n] == 0x2000 + n,
			   "there, %u: %lxh", n, core_there[n]);
	}
	sweep_report(&sweep, "amd_uncore: core counters are each CPU's own");
}

void test_main(void)
{
	if (!pmu_present_or_skip("amd_uncore") ||
	    !pmu_rdpmc_or_fail("amd_uncore"))
		return;
	if (args_number("cpus", 1) != 2) {
		report_skip("no word `cpus=2`", "amd_uncore");
		return;
	}
	smp_start();
	check_core();
	find_regs();
	if (!reg_count) {
		report_skip("CPUID offers none", "amd_uncore: shared");
		return;
	}
	check_shared();
	check_overflow_bit();
	if (pmu_exact_or_skip("amd_uncore: counting"))
		check_idle();
}
