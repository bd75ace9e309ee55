// SPDX-License-Identifier: Apache-2.0
/* Problems of AMD's PMU, and of its absence. */
#include "problems.h"

#include "lib/counter.h"
#include "lib/cpuid.h"
#include "lib/msr.h"
#include "lib/pmu.h"
#include "lib/rdpmc.h"
#include "lib/report.h"

#define ALL_A5 UINT64_C(0xa5a5a5a5a5a5a5a5)
#define HG_ONLY (PERF_CTL_GUEST_ONLY | PERF_CTL_HOST_ONLY)
/* 76H, OS, USR, Int, En: as Linux writes it, and FreeBSD without Int. */
#define LINUX_CYCLES UINT64_C(0x530076)
#define FREEBSD_CYCLES UINT64_C(0x430076)

/* --------------------------------------------------------- 2: ECX[31:30] */

void problem_amd_ecx_bits(void)
{
	static const u32 types[] = { 0x40000000, 0x80000000, 0xc0000000 };
	struct sweep high = { 0 }, low = { 0 };
	u64 value = 0;

	for (size_t k = 0; k < ARRAY_SIZE(types); k++)
		for (u32 n = 0; n < 64; n++) {
			u32 vector = rdpmc_safe(types[k] | n, &value);

			sweep_note(&high, vector == VECTOR_GP, "rdpmc(%xh): %s",
				   types[k] | n, vector_name(vector));
		}
	sweep_report(&high, "problem 2: ECX[31:30] are not ignored");
	for (u32 n = 0; n < 64; n++) {
		u32 want = pmu_rdpmc_valid(n) ? 0 : VECTOR_GP;
		u32 vector = rdpmc_safe(n, &value);

		sweep_note(&low, vector == want, "rdpmc(%xh): %s, want %s", n,
			   vector_name(vector), vector_name(want));
	}
	sweep_report(&low, "problem 2: counters that there are");
}

/* -------------------------------------------- 3, 23, 58: there is no PMU */

void problem_no_pmu_faults(void)
{
	static const u32 indices[] = {
		0,  1,	2,  3,	4,  5,	6,   9,		 10,
		15, 16, 27, 28, 31, 64, 255, 0x40000000, 0x80000000,
	};
	struct sweep sweep = { 0 };
	u64 value = 0;

	report_vector(rdpmc_safe(0, &value), VECTOR_GP, "problem 3: rdpmc(0)");
	for (size_t i = 0; i < ARRAY_SIZE(indices); i++) {
		u64 rcx = ALL_A5 << 32 | indices[i];
		struct rdpmc_regs regs = {
			.rax = ALL_A5,
			.rcx = rcx,
			.rdx = ~ALL_A5,
		};
		u32 vector = rdpmc_regs(&regs);

		sweep_note(&sweep, vector == VECTOR_GP, "rdpmc(%xh): %s",
			   indices[i], vector_name(vector));
		sweep_note(&sweep,
			   regs.rax == ALL_A5 && regs.rcx == rcx &&
				   regs.rdx == ~ALL_A5,
			   "rdpmc(%xh): rax=%lxh rcx=%lxh rdx=%lxh", indices[i],
			   regs.rax, regs.rcx, regs.rdx);
	}
	sweep_report(&sweep, "problem 3: all fault, registers unchanged");
}

static void note_absent(struct sweep *sweep, u32 msr, u64 value)
{
	u64 got = 0;
	u32 vector = rdmsr_safe(msr, &got);

	sweep_note(sweep, vector == VECTOR_GP, "R(%xh): %s", msr,
		   vector_name(vector));
	vector = wrmsr_safe(msr, value);
	sweep_note(sweep, vector == VECTOR_GP, "W(%xh, %lxh): %s", msr, value,
		   vector_name(vector));
}

void problem_k7_selectors_fault(void)
{
	struct sweep sweep = { 0 };

	for (u32 n = 0; n < 4; n++) {
		note_absent(&sweep, PERF_LEGACY_CTL0 + n, FREEBSD_CYCLES);
		note_absent(&sweep, PERF_LEGACY_CTR0 + n, 0xabcd);
	}
	sweep_report(&sweep, "problem 23: no PMU, the K7's registers fault");
}

void problem_hidden(void)
{
	struct cpuid perf = cpuid_checked(0x80000022, 0);
	struct sweep sweep = { 0 };

	for (u32 msr = 0xc0010000; msr <= 0xc0010007; msr++)
		note_absent(&sweep, msr, 0);
	for (u32 msr = 0xc0010200; msr <= 0xc001020b; msr++)
		note_absent(&sweep, msr, 0);
	sweep_report(&sweep, "problem 58: the core registers fault");
	report_eq(cpuid_checked(0x80000001, 0).ecx &
			  (BIT(23) | BIT(24) | BIT(28)),
		  0, "problem 58: 8000_0001H:ECX[23, 24, 28]");
	report_eq(perf.eax | perf.ebx | perf.ecx | perf.edx, 0,
		  "problem 58: 8000_0022H");
}

/* ------------------------------------------- 11: any value to a selector */

static void note_selector(struct sweep *sweep, const struct pmu_msr *m,
			  u64 value, u64 hg)
{
	u32 vector = wrmsr_safe(m->msr, value);
	u64 want = value & (m->writable | hg);
	u64 got = rdmsr(m->msr);

	wrmsr(m->msr, 0);
	sweep_note(sweep, !vector, "W(%xh, %lxh): %s", m->msr, value,
		   vector_name(vector));
	sweep_note(sweep, got == want, "W(%xh, %lxh) reads %lxh, want %lxh",
		   m->msr, value, got, want);
}

/* The two bits are kept together, or dropped together. */
static void check_selector(const struct pmu_msr *m)
{
	static const u64 values[] = {
		0x20000530076,	    0x10000530076,	0x30000530076,
		0x20000110076,	    0xffffffff00000000, 0x8000000000000000,
		0xfffffff000280000, UINT64_MAX,
	};
	struct sweep sweep = { 0 };
	u64 hg;

	wrmsr(m->msr, HG_ONLY);
	hg = rdmsr(m->msr);
	sweep_note(&sweep, !hg || hg == HG_ONLY, "bits 41:40 read %lxh", hg);
	for (size_t i = 0; i < ARRAY_SIZE(values); i++)
		note_selector(&sweep, m, values[i], hg);
	for (u32 b = 0; b < 64; b++) {
		note_selector(&sweep, m, BIT(b), hg);
		note_selector(&sweep, m, LINUX_CYCLES | BIT(b), hg);
	}
	sweep_report(&sweep, "problem 11: %s %u takes any value", m->name,
		     m->unit);
}

void problem_host_only_bit(void)
{
	for (u32 i = 0; i < pmu_msr_count; i++) {
		const struct pmu_msr *m = &pmu_msrs[i];
		u32 msr = m->msr - 2 * m->unit;

		if (msr == PERF_CTL0 || m->msr - m->unit == PERF_LEGACY_CTL0)
			check_selector(m);
	}
}

/* --------------------------------------------- 17, 18: status and its set */

/* False, after a look at what version 1 does. */
static bool has_status(u32 number, u32 msr)
{
	u64 value = 0;

	if (pmu.v2)
		return true;
	report_vector(wrmsr_safe(msr, 1), VECTOR_GP,
		      "problem %u: W(%xh), no PerfMonV2", number, msr);
	report_vector(rdmsr_safe(msr, &value), VECTOR_GP,
		      "problem %u: R(%xh), no PerfMonV2", number, msr);
	return false;
}

void problem_status_write_ignored(void)
{
	static const u64 values[] = { 0, 1, UINT64_MAX, BIT(63) };

	if (!has_status(17, AMD_GLOBAL_STATUS))
		return;
	for (u64 before = 0; before < 2; before++) {
		wrmsr(AMD_GLOBAL_STATUS_CLR, UINT64_MAX);
		wrmsr(AMD_GLOBAL_STATUS_SET, before);
		for (size_t i = 0; i < ARRAY_SIZE(values); i++) {
			report_vector(wrmsr_safe(AMD_GLOBAL_STATUS, values[i]),
				      0, "problem 17: W(C0000300H, %lxh)",
				      values[i]);
			report_eq(rdmsr(AMD_GLOBAL_STATUS), before,
				  "problem 17: R(C0000300H) after %lxh",
				  values[i]);
		}
	}
	/* As Linux clears it, and as a cloud's hypervisor would not have it. */
	report_vector(wrmsr_safe(AMD_GLOBAL_STATUS_CLR, UINT64_MAX), 0,
		      "problem 17: W(C0000302H, ~0)");
	report_vector(wrmsr_safe(AMD_GLOBAL_STATUS_CLR, 0x040000000000001f), 0,
		      "problem 17: W(C0000302H) of bit 58");
	report_eq(rdmsr(AMD_GLOBAL_STATUS_CLR), 0, "problem 17: R(C0000302H)");
}

void problem_status_set(void)
{
	struct sweep sweep = { 0 };
	u64 value = 0;

	if (!has_status(18, AMD_GLOBAL_STATUS_SET))
		return;
	for (u32 n = 0; n < pmu.gp; n++) {
		u32 vector = wrmsr_safe(AMD_GLOBAL_STATUS_SET, BIT(n));

		sweep_note(&sweep, !vector, "W(C0000303H, %lxh): %s", BIT(n),
			   vector_name(vector));
		sweep_note(&sweep, rdmsr(AMD_GLOBAL_STATUS) == BIT(n),
			   "set %u: %lxh", n, rdmsr(AMD_GLOBAL_STATUS));
		wrmsr(AMD_GLOBAL_STATUS_CLR, BIT(n));
		sweep_note(&sweep, !rdmsr(AMD_GLOBAL_STATUS),
			   "cleared %u: %lxh", n, rdmsr(AMD_GLOBAL_STATUS));
	}
	sweep_report(&sweep, "problem 18: set and cleared");
	report_vector(rdmsr_safe(AMD_GLOBAL_STATUS_SET, &value), 0,
		      "problem 18: R(C0000303H)");
	report_eq(value, 0, "problem 18: R(C0000303H)");
}
