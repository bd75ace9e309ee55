// SPDX-License-Identifier: Apache-2.0
/* Each bit of each PMU register: legal, or reserved. */
#include "lib/counter.h"
#include "lib/main.h"
#include "lib/msr.h"
#include "lib/pmu.h"
#include "lib/report.h"

/* Intel faults on a reserved bit, AMD drops it. */
static bool reserved_faults(void)
{
	return pmu.vendor == VENDOR_INTEL;
}

static void note_vector(struct sweep *sweep, const struct pmu_msr *m, u64 value,
			u32 got, u32 want)
{
	sweep_note(sweep, got == want, "wrmsr(%xh, %lxh): %s, want %s", m->msr,
		   value, vector_name(got), vector_name(want));
}

static void note_value(struct sweep *sweep, const struct pmu_msr *m, u64 value,
		       u64 want)
{
	u64 got = rdmsr(m->msr) & ~m->maybe;

	sweep_note(sweep, got == (want & ~m->maybe),
		   "%xh after writing %lxh: %lxh, want %lxh", m->msr, value,
		   got, want);
}

/* `old` is in the register. */
static void check_write(struct sweep *sweep, const struct pmu_msr *m, u64 old,
			u64 value)
{
	u64 reserved = value & ~(m->writable | m->maybe);
	bool fault_wanted = reserved && reserved_faults();
	u32 vector = wrmsr_safe(m->msr, value);
	bool in_doubt = value & m->maybe && reserved_faults();

	if (!in_doubt)
		note_vector(sweep, m, value, vector,
			    fault_wanted ? VECTOR_GP : 0);
	note_value(sweep, m, value, vector ? old : value & m->writable);
}

/* A register that keeps what is written: from 0 and from another value, one
 * bit at a time, then all legal bits and all bits. */
static void check_rw(const struct pmu_msr *m)
{
	/* A selector is left without EN, so that nothing runs. */
	u64 other = m->writable & 0x5555;
	struct sweep sweep = { 0 };

	for (u32 bit = 0; bit < 64; bit++) {
		wrmsr(m->msr, other);
		check_write(&sweep, m, other, BIT(bit));
	}
	wrmsr(m->msr, 0);
	check_write(&sweep, m, 0, m->writable & ~m->maybe);
	check_write(&sweep, m, m->writable & ~m->maybe, UINT64_MAX);
	wrmsr(m->msr, 0);
	sweep_report(&sweep, "msr_reserved: %s %u, bit by bit", m->name,
		     m->unit);
}

/* A register that reads as 0 or as the hardware says. */
static void check_command(const struct pmu_msr *m)
{
	struct sweep sweep = { 0 };
	u64 before = rdmsr(m->msr);

	for (u32 bit = 0; bit < 64; bit++) {
		u64 value = BIT(bit);
		u32 want = 0;

		if (value & m->maybe)
			continue;
		if (m->kind == MSR_RO)
			want = VECTOR_GP;
		if (m->kind == MSR_W1 && !(value & m->writable) &&
		    reserved_faults())
			want = VECTOR_GP;
		note_vector(&sweep, m, value, wrmsr_safe(m->msr, value), want);
		note_value(&sweep, m, value, before);
	}
	sweep_report(&sweep, "msr_reserved: %s, bit by bit", m->name);
}

/* No value of EDX:EAX faults; EDX does not matter. */
static void check_sext(const struct pmu_msr *m)
{
	struct sweep sweep = { 0 };

	for (u32 bit = 0; bit < 64; bit++) {
		u64 value = BIT(bit);
		u64 stored = (u64)(int64_t)(int32_t)value & m->writable;

		note_vector(&sweep, m, value, wrmsr_safe(m->msr, value), 0);
		note_value(&sweep, m, value, stored);
	}
	wrmsr(m->msr, 0);
	sweep_report(&sweep, "msr_reserved: %s %u, bit by bit", m->name,
		     m->unit);
}

/* It counts on while it is looked at, so a value is near what was written. */
#define NEAR BIT(20)
static void check_running(const struct pmu_msr *m)
{
	struct sweep sweep = { 0 };

	for (u32 bit = 0; bit < 64; bit++) {
		u64 value = BIT(bit);
		u32 want = m->kind == MSR_RUNS_RO ? VECTOR_GP : 0;
		u32 vector = wrmsr_safe(m->msr, value);
		u64 got = rdmsr(m->msr);

		note_vector(&sweep, m, value, vector, want);
		sweep_note(&sweep, want || got - value < NEAR,
			   "%xh after writing %lxh: %lxh", m->msr, value, got);
	}
	sweep_report(&sweep, "msr_reserved: %s, bit by bit", m->name);
}

static void check(const struct pmu_msr *m)
{
	switch (m->kind) {
	case MSR_RW:
		check_rw(m);
		break;
	case MSR_SEXT32:
		check_sext(m);
		break;
	case MSR_RUNS:
	case MSR_RUNS_RO:
		check_running(m);
		break;
	case MSR_OTHERS:
		break;
	case MSR_RO:
	case MSR_RO_IGNORED:
	case MSR_W1:
		check_command(m);
		break;
	}
}

void test_main(void)
{
	if (!pmu_present_or_skip("msr_reserved"))
		return;
	/* Nothing shall run, whatever the selectors are told. */
	if (pmu_has_global())
		wrmsr(pmu_global_ctrl_msr(), 0);
	for (u32 i = 0; i < pmu_msr_count; i++)
		check(&pmu_msrs[i]);
	if (pmu_has_global())
		report_eq(rdmsr(pmu_global_ctrl_msr()), 0,
			  "msr_reserved: nothing left enabled");
}
