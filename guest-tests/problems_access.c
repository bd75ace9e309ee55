// SPDX-License-Identifier: Apache-2.0
/* Problems of access: what faults, and what registers read. */
#include "problems.h"

#include "lib/arch.h"
#include "lib/counter.h"
#include "lib/cpuid.h"
#include "lib/msr.h"
#include "lib/pmu.h"
#include "lib/rdpmc.h"
#include "lib/report.h"

#define PCAP_LBR_FORMAT 0x3f
#define EVTSEL_IN_TXCP BIT(33)
#define F7_EDX_ARCH_LBR BIT(19)

/* ------------------------------------------------------------ 1: indices */

static void check_rdpmc(u32 ecx, bool valid)
{
	u64 value = 0;

	report_vector(rdpmc_safe(ecx, &value), valid ? 0 : VECTOR_GP,
		      "problem 1: rdpmc(%xh)", ecx);
}

static void note_indices(u32 type, u32 map, const char *name)
{
	struct sweep sweep = { 0 };

	for (u32 x = 0; x <= 256; x++) {
		bool valid = x < 32 && map & BIT(x);
		u64 value = 0;
		u32 vector = rdpmc_safe(type + x, &value);

		sweep_note(&sweep, vector == (valid ? 0 : VECTOR_GP),
			   "rdpmc(%xh): %s", type + x, vector_name(vector));
	}
	sweep_report(&sweep, "problem 1: %s", name);
}

void problem_rdpmc_unknown_index(void)
{
	check_rdpmc(0, true);
	check_rdpmc(64, false);
	check_rdpmc(arch_last_gp() + 1, false);
	check_rdpmc(0x0000ffff, false);
	check_rdpmc(RDPMC_FAST, false);
	check_rdpmc(RDPMC_FAST | RDPMC_FIXED, false);
	check_rdpmc(RDPMC_FIXED | RDPMC_METRICS, false);
	check_rdpmc(0x00010000, false);
	check_rdpmc(RDPMC_METRICS, pmu.metrics);
	check_rdpmc(RDPMC_METRICS + 1, false);
	note_indices(0, pmu.gp_map, "general-purpose");
	note_indices(RDPMC_FIXED, pmu.fixed_map, "fixed");
}

/* -------------------------------------------------------- 8: RDPMC = MSR */

static const u64 patterns[] = {
	UINT64_C(0xff0123456789),
	UINT64_C(0x80000000),
	UINT64_C(0xffffffff),
	UINT64_C(0xaaaa55555555),
	0,
};

/* A write to `msr` is to be read as `want`, by RDPMC and from each of `msrs`,
 * as far as there are such. */
static void note_write(struct sweep *sweep, u32 msr, u64 value, u64 want,
		       u32 ecx, const u32 *msrs)
{
	u64 got;

	wrmsr(msr, value);
	got = rdpmc(ecx);
	sweep_note(sweep, got == want,
		   "W(%xh, %lxh), rdpmc(%xh): %lxh, want %lxh", msr, value, ecx,
		   got, want);
	for (; *msrs; msrs++) {
		if (!pmu_msr_find(*msrs))
			continue;
		got = rdmsr(*msrs);
		sweep_note(sweep, got == want,
			   "W(%xh, %lxh), R(%xh): %lxh, want %lxh", msr, value,
			   *msrs, got, want);
	}
}

static void note_gp(struct sweep *sweep, u32 n, u64 pattern)
{
	const u32 msrs[] = { IA32_PMC0 + n, IA32_A_PMC0 + n, IA32_PMC_GP_CTR(n),
			     0 };
	u64 width = MASK(pmu.gp_width);

	note_write(sweep, msrs[0], pattern, (u64)(int32_t)pattern & width, n,
		   msrs);
	for (size_t i = 1; msrs[i]; i++)
		if (pmu_msr_find(msrs[i]))
			note_write(sweep, msrs[i], pattern & width,
				   pattern & width, n, msrs);
}

static void note_fixed(struct sweep *sweep, u32 i, u64 pattern)
{
	const u32 msrs[] = { IA32_FIXED_CTR0 + i, IA32_PMC_FX_CTR(i), 0 };
	u64 value = pattern & MASK(pmu.fixed_width);

	for (size_t k = 0; msrs[k]; k++)
		if (pmu_msr_find(msrs[k]))
			note_write(sweep, msrs[k], value, value,
				   RDPMC_FIXED + i, msrs);
}

void problem_rdpmc_equals_msr(void)
{
	struct sweep gp = { 0 }, fixed = { 0 };

	if (!pmu_rdpmc_or_fail("problem 8"))
		return;
	for (size_t k = 0; k < ARRAY_SIZE(patterns); k++) {
		for (u32 n = 0; n < 32; n++) {
			if (pmu.gp_map & BIT(n))
				note_gp(&gp, n, patterns[k]);
			if (pmu.fixed_map & BIT(n))
				note_fixed(&fixed, n, patterns[k]);
		}
	}
	sweep_report(&gp, "problem 8: general-purpose");
	sweep_report(&fixed, "problem 8: fixed");
}

/* ---------------------------------------------------------------- 14: LBR */

/* LBR_SELECT, LBR_TOS, FROM_IP, TO_IP, INFO; ARCH_LBR_CTL, DEPTH, FROM, TO,
 * INFO. */
static const u32 lbr_msrs[] = {
	0x1c8,	0x1c9,	0x680,	0x6c0,	0xdc0,
	0x14ce, 0x14cf, 0x1500, 0x1600, 0x1200,
};

void problem_lbr_absent(void)
{
	struct sweep sweep = { 0 };
	u32 format = pmu.capabilities & PCAP_LBR_FORMAT;

	report(format == 0 || format == PCAP_LBR_FORMAT,
	       "problem 14: IA32_PERF_CAPABILITIES[5:0] says none");
	report(!(cpuid_checked(7, 0).edx & F7_EDX_ARCH_LBR),
	       "problem 14: CPUID says no architectural LBR");
	report_eq(cpuid_checked(0x1c, 0).eax | cpuid_checked(0x1c, 0).ebx |
			  cpuid_checked(0x1c, 0).ecx,
		  0, "problem 14: leaf 1CH is 0");
	for (size_t i = 0; i < ARRAY_SIZE(lbr_msrs); i++) {
		u64 value = 0;
		u32 read = rdmsr_safe(lbr_msrs[i], &value);
		u32 write = wrmsr_safe(lbr_msrs[i], 0);

		sweep_note(&sweep, read == VECTOR_GP && write == VECTOR_GP,
			   "%xh: read %s, write %s", lbr_msrs[i],
			   vector_name(read), vector_name(write));
	}
	sweep_report(&sweep, "problem 14: its MSRs fault");
}

/* ------------------------------------------------- 16, 17, 25: the globals */

void problem_global_ctrl_reset(void)
{
	u64 value = 0;

	if (pmu.version < 2) {
		report_vector(rdmsr_safe(IA32_PERF_GLOBAL_CTRL, &value),
			      VECTOR_GP, "problem 16: not in version 1");
		return;
	}
	/* As 0AH:EAX counts them: not those that only leaf 23H tells of. */
	report_eq(rdmsr(IA32_PERF_GLOBAL_CTRL),
		  MASK(cpuid(0x0a, 0).eax >> 8 & 0xff),
		  "problem 16: GLOBAL_CTRL after RESET");
}

void problem_status_read_only(void)
{
	const struct pmu_msr *clear = pmu_msr_find(IA32_PERF_GLOBAL_OVF_CTRL);
	struct sweep sweep = { 0 };

	report_vector(wrmsr_safe(IA32_PERF_GLOBAL_STATUS, 0), VECTOR_GP,
		      "problem 17: W(38EH, 0)");
	report(!clear == (pmu.version < 2), "problem 17: 390H by version");
	if (!clear) {
		report_vector(wrmsr_safe(IA32_PERF_GLOBAL_OVF_CTRL, 0),
			      VECTOR_GP, "problem 17: W(390H, 0)");
		return;
	}
	if (pmu.version >= 4)
		wrmsr(IA32_PERF_GLOBAL_STATUS_SET, 1);
	report_eq(rdmsr(IA32_PERF_GLOBAL_STATUS), pmu.version >= 4,
		  "problem 17: R(38EH)");
	report_eq(rdmsr(IA32_PERF_GLOBAL_OVF_CTRL), 0, "problem 17: R(390H)");
	for (u32 b = 0; b < 64; b++) {
		u32 want = clear->writable & BIT(b) ? 0 : VECTOR_GP;
		u32 vector = wrmsr_safe(IA32_PERF_GLOBAL_OVF_CTRL, BIT(b));

		if (!(clear->maybe & BIT(b)))
			sweep_note(&sweep, vector == want, "bit %u: %s", b,
				   vector_name(vector));
	}
	sweep_report(&sweep, "problem 17: reserved bits of 390H");
	report_eq(rdmsr(IA32_PERF_GLOBAL_STATUS), 0,
		  "problem 17: status cleared");
}

void problem_global_ctrl_by_version(void)
{
	u32 want = pmu.version >= 2 ? 0 : VECTOR_GP;
	u64 value = 0;

	report_vector(rdmsr_safe(IA32_PERF_GLOBAL_CTRL, &value), want,
		      "problem 25: R(38FH) in version %u", pmu.version);
	report_vector(wrmsr_safe(IA32_PERF_GLOBAL_CTRL, 0), want,
		      "problem 25: W(38FH, 0) in version %u", pmu.version);
	report_vector(wrmsr_safe(IA32_PERF_GLOBAL_CTRL, 1), want,
		      "problem 25: W(38FH, 1) in version %u", pmu.version);
}

/* ------------------------------------------------- 20, 21: reserved bits */

/* Each bit alone: legal ones read back, others fault and change nothing. */
static void note_bits(struct sweep *sweep, u32 msr, u64 legal)
{
	for (u32 b = 0; b < 64; b++) {
		bool ok = legal & BIT(b);
		u32 vector;

		wrmsr(msr, 0);
		vector = wrmsr_safe(msr, BIT(b));
		sweep_note(sweep, vector == (ok ? 0 : VECTOR_GP),
			   "%xh bit %u: %s", msr, b, vector_name(vector));
		sweep_note(sweep, rdmsr(msr) == (ok ? BIT(b) : 0),
			   "%xh bit %u reads %lxh", msr, b, rdmsr(msr));
	}
	wrmsr(msr, 0);
}

static void check_bits(u32 number, u32 msr)
{
	const struct pmu_msr *m = pmu_msr_find(msr);
	struct sweep sweep = { 0 };

	note_bits(&sweep, msr, m->writable);
	sweep_report(&sweep, "problem %u: %s %u", number, m->name, m->unit);
}

static void check_bit(u32 n, u64 bit, bool legal, const char *name)
{
	u32 msr = IA32_PERFEVTSEL0 + n;

	report_vector(wrmsr_safe(msr, bit), legal ? 0 : VECTOR_GP,
		      "problem 20: W(%xh) of %s in version %u", msr, name,
		      pmu.version);
	wrmsr(msr, 0);
}

void problem_evtsel_reserved(void)
{
	for (u32 n = 0; n < 32; n++) {
		if (!(pmu.gp_map & BIT(n)))
			continue;
		check_bits(20, IA32_PERFEVTSEL0 + n);
		check_bit(n, EVTSEL_ANY, pmu.any_thread, "AnyThread");
		check_bit(n, EVTSEL_IN_TXCP, arch_tsx() && n == 2, "IN_TXCP");
	}
}

void problem_fixed_ctrl_reserved(void)
{
	if (pmu.version >= 2)
		check_bits(21, IA32_FIXED_CTR_CTRL);
	else
		report_vector(wrmsr_safe(IA32_FIXED_CTR_CTRL, 0), VECTOR_GP,
			      "problem 21: W(38DH, 0) in version 1");
}

/* ---------------------------------------------------------------- 34: SMM */

void problem_freeze_while_smm(void)
{
	bool has = pmu.freeze_smm;
	u64 old = rdmsr(IA32_DEBUGCTL);
	u32 vector = wrmsr_safe(IA32_DEBUGCTL, old | DEBUGCTL_FREEZE_SMM);

	report_vector(vector, has ? 0 : VECTOR_GP,
		      "problem 34: W(1D9H) of FREEZE_WHILE_SMM");
	report_eq(rdmsr(IA32_DEBUGCTL), has ? old | DEBUGCTL_FREEZE_SMM : old,
		  "problem 34: R(1D9H) after that");
	wrmsr(IA32_DEBUGCTL, old);
	report_eq(rdmsr(IA32_DEBUGCTL), old, "problem 34: R(1D9H) cleared");
}
