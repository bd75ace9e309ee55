/* SPDX-License-Identifier: Apache-2.0 */
/* core/msr.c and the hooks: what reads and writes do. */
#include <string.h>

#include "tests/harness.h"

/* SDM 3B: by C1H bits 63:32 are ignored and bit 31 is copied up to the width;
 * by other addresses all of the width is written, and more faults. */
static void counter_writes(void)
{
	/* clang-format off */
	static const struct {
		int line;
		const char *model;
		uint32_t msr;
		uint64_t written;
		uint32_t other; /* address of the same counter */
		uint64_t read;
	} rows[] = {
		{ __LINE__, "intel-v1", 0xc2, 0x80000000, 0xc2, 0xff80000000 },
		{ __LINE__, "intel-v2", 0xc2, 0x80000000, 0xc2, 0xff80000000 },
		{ __LINE__, "intel-v3", 0xc4, 0x80000000, 0x4c4, 0xffff80000000 },
		{ __LINE__, "intel-v4", 0xc1, 0xffffffff7fffffff, 0x4c1, 0x7fffffff },
		{ __LINE__, "intel-v5", 0xc1, 0xffffff0123456789, 0x4c1, 0x23456789 },
		{ __LINE__, "intel-v5", 0xc1, 0x80000000, 0x4c1, 0xffff80000000 },
		{ __LINE__, "intel-v5,width=40", 0xc1, 0x80000000, 0x4c1, 0xff80000000 },
		{ __LINE__, "intel-v5,width=33", 0xc1, 0x80000000, 0x4c1, 0x180000000 },
		{ __LINE__, "intel-v5,width=33", 0xc1, 0xffffffff7fffffff, 0x4c1, 0x7fffffff },
		{ __LINE__, "intel-v5", 0x4c1, 0x923456789abc, 0xc1, 0x923456789abc },
		{ __LINE__, "intel-v5", 0x4c1, 0x80000000, 0xc1, 0x80000000 },
		{ __LINE__, "intel-v6", 0xca, 0x80000000, 0x1924, 0xffff80000000 },
		{ __LINE__, "intel-v6", 0x1900, 0x80000000, 0xc1, 0x80000000 },
		{ __LINE__, "intel-v6", 0x1924, 0x923456789abc, 0x4ca, 0x923456789abc },
		{ __LINE__, "intel-v6", 0x30c, 0x923456789abc, 0x198c, 0x923456789abc },
		{ __LINE__, "intel-v6", 0x1980, 0x80000000, 0x309, 0x80000000 },
		{ __LINE__, "intel-v6", 0x18f, 0x5300c0, 0x1925, 0x5300c0 },
		{ __LINE__, "intel-v6", 0x1901, 0xff1000c700c4, 0x186, 0xff1000c700c4 },
		{ __LINE__, "intel-v6,fw_write=0", 0x1900, 0x80000000, 0xc1, 0x80000000 },
	};
	static const struct {
		int line;
		const char *model;
		uint32_t msr;
		uint64_t written;
	} faults[] = {
		{ __LINE__, "intel-v5", 0x4c1, BIT(48) },
		{ __LINE__, "intel-v5", 0x4c1, UINT64_MAX },
		{ __LINE__, "intel-v5,width=33", 0x4c1, BIT(33) },
		{ __LINE__, "intel-v3", 0x309, BIT(48) },
		{ __LINE__, "intel-v3,fixed_width=40", 0x309, BIT(40) },
		{ __LINE__, "intel-v6", 0x1900, BIT(48) },
		{ __LINE__, "intel-v6", 0x1980, BIT(63) },
		{ __LINE__, "intel-v6", 0x1901, BIT(19) },
	};
	/* clang-format on */
	struct harness h;

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		harness_open(&h, rows[i].model);
		CHECK_AT(rows[i].line,
			 !wrmsr(&h, rows[i].msr, rows[i].written));
		CHECK_AT(rows[i].line, rdmsr(&h, rows[i].msr) == rows[i].read);
		CHECK_AT(rows[i].line,
			 rdmsr(&h, rows[i].other) == rows[i].read);
		harness_close(&h);
	}
	for (size_t i = 0; i < ARRAY_SIZE(faults); i++) {
		harness_open(&h, faults[i].model);
		CHECK_AT(faults[i].line, !wrmsr(&h, faults[i].msr, 0xc4));
		CHECK_AT(faults[i].line,
			 wrmsr(&h, faults[i].msr, faults[i].written) ==
				 VPMU_FAULT);
		CHECK_AT(faults[i].line, rdmsr(&h, faults[i].msr) == 0xc4);
		harness_close(&h);
	}
}

/* Problem 11: "unchecked MSR access error: WRMSR to 0xc0010200". */
static void amd_selector_never_faults(void)
{
	/* clang-format off */
	static const struct {
		int line;
		uint64_t written;
		uint64_t read;
	} rows[] = {
		{ __LINE__, 0x0000020000530076, 0x0000000000530076 },
		{ __LINE__, 0x0000020000110076, 0x0000000000110076 },
		{ __LINE__, 0x0000010000530076, 0x0000000000530076 },
		{ __LINE__, 0xffffffffffffffff, 0x0000000fffd7ffff },
		{ __LINE__, 0xfffffff000280000, 0 },
	};
	/* clang-format on */
	struct harness h;

	harness_open(&h, "amd-f17h");
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		CHECK_AT(rows[i].line, wrmsr(&h, 0xc0010200, rows[i].written) ==
					       VPMU_HANDLED);
		CHECK_AT(rows[i].line, rdmsr(&h, 0xc0010200) == rows[i].read);
		CHECK_AT(rows[i].line, rdmsr(&h, 0xc0010000) == rows[i].read);
	}
	harness_close(&h);
}

static void amd_aliases(void)
{
	struct harness h;

	harness_open(&h, "amd-f17h");
	for (uint32_t n = 0; n < 4; n++) {
		wrmsr(&h, 0xc0010000 + n, 0xc0 + n);
		CU_ASSERT_EQUAL(rdmsr(&h, 0xc0010200 + 2 * n), 0xc0 + n);
		wrmsr(&h, 0xc0010201 + 2 * n, 0x1000 + n);
		CU_ASSERT_EQUAL(rdmsr(&h, 0xc0010004 + n), 0x1000 + n);
	}
	harness_close(&h);
	harness_open(&h, "amd-k7");
	CU_ASSERT_EQUAL(wrmsr(&h, 0xc0010200, 0), VPMU_FAULT);
	/* What a Linux guest probes at boot. */
	CU_ASSERT_EQUAL(wrmsr(&h, 0xc0010007, 0xffff), VPMU_HANDLED);
	CU_ASSERT_EQUAL(rdmsr(&h, 0xc0010007), 0xffff);
	harness_close(&h);
}

/* Problem 17, Intel's side. */
static void status_is_read_only(void)
{
	static const char *const models[] = { "intel-v2", "intel-v3",
					      "intel-v4", "intel-v5",
					      "intel-v6" };
	struct harness h;

	for (size_t i = 0; i < ARRAY_SIZE(models); i++) {
		harness_open(&h, models[i]);
		wrmsr(&h, 0xc1, UINT64_MAX);
		wrmsr(&h, 0x186, EN | OS | 0xc0);
		retire(&h, 1, 0);
		CU_ASSERT_EQUAL(wrmsr(&h, 0x38e, 0), VPMU_FAULT);
		CU_ASSERT_EQUAL(wrmsr(&h, 0x38e, 1), VPMU_FAULT);
		CU_ASSERT_EQUAL(wrmsr(&h, 0x390, BIT(20) | 1), VPMU_FAULT);
		CU_ASSERT_EQUAL(rdmsr(&h, 0x38e), 1);
		CU_ASSERT_EQUAL(wrmsr(&h, 0x390, 1), VPMU_HANDLED);
		CU_ASSERT_EQUAL(rdmsr(&h, 0x38e), 0);
		CU_ASSERT_EQUAL(rdmsr(&h, 0x390), 0);
		harness_close(&h);
	}
	harness_open(&h, "intel-v5");
	CU_ASSERT_EQUAL(wrmsr(&h, 0x38e, 0), VPMU_FAULT);
	CU_ASSERT_EQUAL(wrmsr(&h, 0x391, 0x0000000100000001), VPMU_HANDLED);
	CU_ASSERT_EQUAL(rdmsr(&h, 0x38e), 0x0000000100000001);
	CU_ASSERT_EQUAL(wrmsr(&h, 0x390, BIT(8)), VPMU_FAULT);
	CU_ASSERT_EQUAL(rdmsr(&h, 0x38e), 0x0000000100000001);
	CU_ASSERT_EQUAL(wrmsr(&h, 0x390, 1), VPMU_HANDLED);
	CU_ASSERT_EQUAL(rdmsr(&h, 0x38e), BIT(32));
	CU_ASSERT_EQUAL(rdmsr(&h, 0x390), 0);
	CU_ASSERT_EQUAL(rdmsr(&h, 0x391), 0);
	harness_close(&h);
}

/* Problem 20. A write that faults leaves what was there. */
static void intel_selector_reserved(void)
{
	/* clang-format off */
	static const struct {
		int line;
		const char *model;
		uint32_t msr;
		uint64_t bit;
		bool ok;
	} rows[] = {
		{ __LINE__, "intel-v1", 0x186, BIT(21), false },
		{ __LINE__, "intel-v3", 0x186, BIT(21), true },
		{ __LINE__, "intel-v3,any_thread=0", 0x186, BIT(21), false },
		{ __LINE__, "intel-v4", 0x186, BIT(21), true },
		{ __LINE__, "intel-v5", 0x186, BIT(21), false },
		{ __LINE__, "intel-v6", 0x186, BIT(21), false },
		{ __LINE__, "intel-v5", 0x186, BIT(32), false },
		{ __LINE__, "intel-v5", 0x188, BIT(33), false },
		{ __LINE__, "intel-v5,tsx=1", 0x186, BIT(32), true },
		{ __LINE__, "intel-v5,tsx=1", 0x188, BIT(33), true },
		{ __LINE__, "intel-v5,tsx=1", 0x187, BIT(33), false },
		{ __LINE__, "intel-v5,tsx=1", 0x18d, BIT(33), false },
		{ __LINE__, "intel-v5", 0x186, BIT(36), false },
		{ __LINE__, "intel-v6", 0x186, BIT(36), true },
		{ __LINE__, "intel-v6", 0x186, BIT(37), false },
		{ __LINE__, "intel-v6", 0x186, BIT(38), false },
		{ __LINE__, "intel-v6", 0x186, BIT(39), false },
		{ __LINE__, "intel-v6", 0x186, BIT(47), true },
		{ __LINE__, "intel-v6", 0x186, BIT(48), false },
		/* Any event may be selected. */
		{ __LINE__, "intel-v5", 0x186, 0xffff, true },
	};
	/* clang-format on */
	struct harness h;

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		const uint64_t before = 0x4300c0;
		uint64_t value = before | rows[i].bit;

		harness_open(&h, rows[i].model);
		CHECK_AT(rows[i].line, !wrmsr(&h, rows[i].msr, before));
		CHECK_AT(rows[i].line,
			 wrmsr(&h, rows[i].msr, value) ==
				 (rows[i].ok ? VPMU_HANDLED : VPMU_FAULT));
		CHECK_AT(rows[i].line, rdmsr(&h, rows[i].msr) ==
					       (rows[i].ok ? value : before));
		harness_close(&h);
	}
}

/* Problem 21. */
static void fixed_control_reserved(void)
{
	struct harness h;

	harness_open(&h, "intel-v2");
	for (unsigned int b = 0; b < 64; b++) {
		bool ok = b < 12 && b % 4 != 2;

		CU_ASSERT_EQUAL(wrmsr(&h, 0x38d, BIT(b)),
				ok ? VPMU_HANDLED : VPMU_FAULT);
	}
	harness_close(&h);
}

static void misc_enable(void)
{
	struct harness h;

	harness_open(&h, "intel-v5");
	CU_ASSERT_EQUAL(rdmsr(&h, 0x1a0), 0x1881);
	CU_ASSERT_EQUAL(wrmsr(&h, 0x1a0, 0x1801), VPMU_HANDLED);
	CU_ASSERT_EQUAL(rdmsr(&h, 0x1a0), 0x1881);
	CU_ASSERT_EQUAL(wrmsr(&h, 0x1a0, 0x1081), VPMU_FAULT);
	CU_ASSERT_EQUAL(wrmsr(&h, 0x1a0, 0x0881), VPMU_FAULT);
	CU_ASSERT_EQUAL(wrmsr(&h, 0x1a0, 0x1880 | BIT(22)), VPMU_HANDLED);
	CU_ASSERT_EQUAL(rdmsr(&h, 0x1a0), 0x1880 | BIT(22));
	CU_ASSERT_EQUAL(wrmsr(&h, 0x1a0, 0x1881 | BIT(63)), VPMU_FAULT);
	harness_close(&h);
	harness_open(&h, "none");
	CU_ASSERT_EQUAL(rdmsr(&h, 0x1a0), 0x1801);
	CU_ASSERT_EQUAL(wrmsr(&h, 0x1a0, 0x1881), VPMU_HANDLED);
	CU_ASSERT_EQUAL(rdmsr(&h, 0x1a0), 0x1801);
	harness_close(&h);
}

static void debugctl(void)
{
	struct harness h;

	/* Problem 34: what PCAP[12] enumerates is kept. */
	harness_open(&h, "intel-v3");
	CU_ASSERT_EQUAL(rdmsr(&h, 0x345) & BIT(12), BIT(12));
	CU_ASSERT_EQUAL(wrmsr(&h, 0x1d9, BIT(14)), VPMU_HANDLED);
	CU_ASSERT_EQUAL(rdmsr(&h, 0x1d9), BIT(14));
	harness_close(&h);
	harness_open(&h, "intel-v2");
	CU_ASSERT_EQUAL(rdmsr(&h, 0x345) & BIT(12), 0);
	CU_ASSERT_EQUAL(wrmsr(&h, 0x1d9, BIT(14)), VPMU_FAULT);
	harness_close(&h);

	harness_open(&h, "intel-v5");
	CU_ASSERT_EQUAL(wrmsr(&h, 0x1d9, 0x1803), VPMU_HANDLED);
	CU_ASSERT_EQUAL(rdmsr(&h, 0x1d9), 0x1800);
	CU_ASSERT_EQUAL(wrmsr(&h, 0x1d9, BIT(6)), VPMU_FAULT);
	CU_ASSERT_EQUAL(wrmsr(&h, 0x1d9, BIT(13)), VPMU_FAULT);
	CU_ASSERT_EQUAL(rdmsr(&h, 0x1d9), 0x1800);
	harness_close(&h);
	harness_open(&h, "intel-v5,fw_write=0,pdcm=0");
	CU_ASSERT_EQUAL(wrmsr(&h, 0x1d9, BIT(12)), VPMU_FAULT);
	CU_ASSERT_EQUAL(wrmsr(&h, 0x1d9, BIT(11)), VPMU_FAULT);
	CU_ASSERT_EQUAL(wrmsr(&h, 0x1d9, 1), VPMU_HANDLED);
	harness_close(&h);
	harness_open(&h, "amd-f17h");
	CU_ASSERT_EQUAL(wrmsr(&h, 0x1d9, UINT64_MAX), VPMU_HANDLED);
	CU_ASSERT_EQUAL(rdmsr(&h, 0x1d9), 0x3c);
	harness_close(&h);
	harness_open(&h, "none");
	CU_ASSERT_EQUAL(wrmsr(&h, 0x1d9, 3), VPMU_HANDLED);
	CU_ASSERT_EQUAL(rdmsr(&h, 0x1d9), 0);
	harness_close(&h);
}

static void in_use(void)
{
	/* clang-format off */
	static const struct {
		int line;
		const char *model;
		uint32_t msr;
		uint64_t value;
		uint64_t in_use;
	} rows[] = {
		{ __LINE__, "intel-v4", 0x186, 0x00c0, BIT(0) },
		{ __LINE__, "intel-v4", 0x189, 0x0080, BIT(3) },
		/* It goes by the event select alone. */
		{ __LINE__, "intel-v4", 0x186, EN | OS | USR | 0xff00, 0 },
		{ __LINE__, "intel-v4", 0x186, INT, BIT(63) },
		{ __LINE__, "intel-v4", 0x189, INT | 0xc0, BIT(63) | BIT(3) },
		{ __LINE__, "intel-v4", 0x38d, 0x321, 0x700000000 },
		{ __LINE__, "intel-v4", 0x38d, 0x444, 0 },
		{ __LINE__, "intel-v4", 0x38d, 0x080, BIT(63) },
		{ __LINE__, "intel-v5", 0x18d, 0x00c0, BIT(7) },
		{ __LINE__, "intel-v5", 0x38d, 0x9000, BIT(63) | BIT(35) },
		{ __LINE__, "intel-v6", 0x1925, 0x00c0, BIT(9) },
		{ __LINE__, "intel-v6", 0x38d, 0x4000, 0 },
		{ __LINE__, "intel-v6", 0x38d, 0x1000, BIT(35) },
		{ __LINE__, "intel-v6,user_disable=1", 0x38d, BIT(33) | BIT(45), 0 },
		{ __LINE__, "intel-v6,user_disable=1", 0x186, BIT(37), 0 },
		{ __LINE__, "intel-v5,gp=14,fixed=8", 0x193, 0x00c0, BIT(13) },
		{ __LINE__, "intel-v5,gp=14,fixed=8", 0x38d, 0x20000000, BIT(39) },
		{ __LINE__, "intel-v5,gp=14,fixed=8", 0x38d, 0x80000000, BIT(63) },
		{ __LINE__, SPARSE, 0x18a, 0x00c0, BIT(4) },
		{ __LINE__, SPARSE, 0x191d, INT | 0xc0, BIT(63) | BIT(7) },
		{ __LINE__, SPARSE, 0x38d, 0x201, BIT(32) | BIT(34) },
		{ __LINE__, SPARSE, 0x38d, 0x800, BIT(63) },
	};
	/* clang-format on */
	struct harness h;

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		harness_open(&h, rows[i].model);
		CHECK_AT(rows[i].line, rdmsr(&h, 0x392) == 0);
		CHECK_AT(rows[i].line, !wrmsr(&h, rows[i].msr, rows[i].value));
		CHECK_AT(rows[i].line, rdmsr(&h, 0x392) == rows[i].in_use);
		wrmsr(&h, rows[i].msr, 0);
		CHECK_AT(rows[i].line, rdmsr(&h, 0x392) == 0);
		harness_close(&h);
	}
	/* Counters add up. */
	harness_open(&h, SPARSE);
	wrmsr(&h, 0x18a, 0xc0);
	wrmsr(&h, 0x18d, INT | 0xc0);
	wrmsr(&h, 0x38d, 0x100);
	CU_ASSERT_EQUAL(rdmsr(&h, 0x392), BIT(63) | BIT(34) | BIT(7) | BIT(4));
	harness_close(&h);
}

/* Problem 14: the LBR format is 0, and there is no LBR register. */
static void no_lbr(void)
{
	static const uint32_t msrs[] = {
		0x40,  0x47,  0x60,  0x67,   0x1c8,  0x1c9,  0x680,  0x69f,
		0x6c0, 0x6df, 0xdc0, 0x14ce, 0x14cf, 0x1500, 0x1600, 0x1200,
	};
	struct harness h;
	uint64_t value;

	for (const char *const *model = harness_models; *model; model++) {
		harness_open(&h, *model);
		if (!vpmu_rdmsr(h.vcpu, 0x345, &value))
			CU_ASSERT_EQUAL(value & 0x3f, 0);
		for (size_t i = 0; i < ARRAY_SIZE(msrs); i++) {
			CHECK_AT(msrs[i], vpmu_rdmsr(h.vcpu, msrs[i], &value) ==
						  VPMU_FAULT);
			CHECK_AT(msrs[i], wrmsr(&h, msrs[i], 0) == VPMU_FAULT);
		}
		harness_close(&h);
	}
}

/* Problems 23 and 58: no PMU, so K7 selectors fault and FreeBSD lets go. */
static void no_pmu_faults(void)
{
	static const uint32_t msrs[] = {
		0xc0010000, 0xc0010004, 0xc0010007, 0xc0010200,
		0xc001020b, 0xc0000300, 0xc1,	    0x186,
		0x309,	    0x345,	0x38f,	    0x4c1,
	};
	struct harness h;
	uint64_t value;

	harness_open(&h, "none");
	CU_ASSERT_EQUAL(wrmsr(&h, 0xc0010000, 0x430076), VPMU_FAULT);
	for (size_t i = 0; i < ARRAY_SIZE(msrs); i++) {
		CU_ASSERT_EQUAL(vpmu_rdmsr(h.vcpu, msrs[i], &value),
				VPMU_FAULT);
		CU_ASSERT_EQUAL(wrmsr(&h, msrs[i], 0), VPMU_FAULT);
	}
	harness_close(&h);
}

/* Problem 25. */
static void global_ctrl_exists(void)
{
	static const char *const models[] = { "intel-v2", "intel-v3",
					      "intel-v4", "intel-v5",
					      "intel-v6" };
	struct harness h;
	uint64_t value;

	for (size_t i = 0; i < ARRAY_SIZE(models); i++) {
		harness_open(&h, models[i]);
		CU_ASSERT_EQUAL(wrmsr(&h, 0x38f, 3), VPMU_HANDLED);
		CU_ASSERT_EQUAL(rdmsr(&h, 0x38f), 3);
		harness_close(&h);
	}
	harness_open(&h, "intel-v1");
	for (uint32_t msr = 0x38d; msr <= 0x392; msr++) {
		CHECK_AT(msr, vpmu_rdmsr(h.vcpu, msr, &value) == VPMU_FAULT);
		CHECK_AT(msr, wrmsr(&h, msr, 0) == VPMU_FAULT);
	}
	harness_close(&h);
}

static void names(void)
{
	/* clang-format off */
	static const struct {
		int line;
		const char *model;
		uint32_t msr;
		const char *name;
	} rows[] = {
		{ __LINE__, "intel-v5", 0xc1, "IA32_PMC0" },
		{ __LINE__, "intel-v5", 0x18d, "IA32_PERFEVTSEL7" },
		{ __LINE__, "intel-v5", 0x30c, "IA32_FIXED_CTR3" },
		{ __LINE__, "intel-v5", 0x38f, "IA32_PERF_GLOBAL_CTRL" },
		{ __LINE__, "intel-v5", 0x390, "IA32_PERF_GLOBAL_STATUS_RESET" },
		{ __LINE__, "intel-v2", 0x390, "IA32_PERF_GLOBAL_OVF_CTRL" },
		{ __LINE__, "intel-v2", 0x391, "" },
		{ __LINE__, "intel-v1", 0xc2, "IA32_PMC1" },
		{ __LINE__, "intel-v1", 0x38f, "" },
		{ __LINE__, "intel-v3", 0x390, "IA32_PERF_GLOBAL_OVF_CTRL" },
		{ __LINE__, "intel-v4", 0x390, "IA32_PERF_GLOBAL_STATUS_RESET" },
		{ __LINE__, "intel-v4", 0x391, "IA32_PERF_GLOBAL_STATUS_SET" },
		{ __LINE__, "intel-v4", 0x392, "IA32_PERF_GLOBAL_INUSE" },
		{ __LINE__, "intel-v6", 0xc4, "IA32_PMC3" },
		{ __LINE__, "intel-v6", 0xca, "IA32_PMC9" },
		{ __LINE__, "intel-v6", 0x4ca, "IA32_A_PMC9" },
		{ __LINE__, "intel-v6", 0x329, "MSR_PERF_METRICS" },
		{ __LINE__, "intel-v6", 0x345, "IA32_PERF_CAPABILITIES" },
		{ __LINE__, "intel-v6", 0x38d, "IA32_FIXED_CTR_CTRL" },
		{ __LINE__, "intel-v6", 0x190c, "IA32_PMC_GP3_CTR" },
		{ __LINE__, "intel-v6", 0x190d, "IA32_PMC_GP3_CFG_A" },
		{ __LINE__, "intel-v6", 0x1988, "IA32_PMC_FX2_CTR" },
		{ __LINE__, "intel-v6", 0x190e, "" },
		{ __LINE__, "intel-v6", 0x190f, "" },
		{ __LINE__, "intel-v6", 0x1981, "" },
		{ __LINE__, "intel-v6", 0x1990, "" },
		{ __LINE__, "intel-v6,gp=14", 0x1934, "IA32_PMC_GP13_CTR" },
		{ __LINE__, "intel-v5", 0x1900, "" },
		{ __LINE__, SPARSE, 0xc5, "IA32_PMC4" },
		{ __LINE__, SPARSE, 0xc4, "" },
		{ __LINE__, SPARSE, 0x191d, "IA32_PMC_GP7_CFG_A" },
		{ __LINE__, "amd-f17h", 0xc001020b, "PERF_CTR5" },
		{ __LINE__, "amd-k7", 0xc0010003, "PERF_LEGACY_CTL3" },
		{ __LINE__, "amd-k7", 0xc1, "" },
	};
	/* clang-format on */
	struct harness h;
	char buf[40];

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		harness_open(&h, rows[i].model);
		vpmu_msr_name(h.pmu, rows[i].msr, buf, sizeof(buf));
		CHECK_AT(rows[i].line, !strcmp(buf, rows[i].name));
		harness_close(&h);
	}
	harness_open(&h, "intel-v5");
	vpmu_msr_name(h.pmu, 0xc1, buf, 5);
	CU_ASSERT_STRING_EQUAL(buf, "IA32");
	vpmu_msr_name(h.pmu, 0xc1, NULL, 0);
	harness_close(&h);
	harness_open(&h, "intel-v6");
	vpmu_msr_name(h.pmu, 0x190c, buf, 14);
	CU_ASSERT_STRING_EQUAL(buf, "IA32_PMC_GP3_");
	harness_close(&h);
}

static void hostile_arguments(void)
{
	struct harness h;
	uint64_t value;

	harness_open(&h, "intel-v5");
	CU_ASSERT_EQUAL(vpmu_rdmsr(NULL, 0xc1, &value), VPMU_ERROR);
	CU_ASSERT_EQUAL(vpmu_rdmsr(h.vcpu, 0xc1, NULL), VPMU_ERROR);
	CU_ASSERT_EQUAL(vpmu_wrmsr(NULL, 0xc1, 0), VPMU_ERROR);
	CU_ASSERT_EQUAL(wrmsr(&h, 0xffffffff, 0), VPMU_NOT_MINE);
	harness_close(&h);
}

static CU_TestInfo tests[] = {
	{ "C1H sign-extends bit 31, others write all or fault",
	  counter_writes },
	{ "PERF_CTL never faults (problem 11)", amd_selector_never_faults },
	{ "C001_0200H.. alias C001_0000H..", amd_aliases },
	{ "38EH faults, 390H reserved faults (problem 17)",
	  status_is_read_only },
	{ "PERFEVTSEL reserved bits (problem 20)", intel_selector_reserved },
	{ "FIXED_CTR_CTRL reserved bits (problem 21)", fixed_control_reserved },
	{ "1A0H: bit 7 stays, 11 and 12 fault", misc_enable },
	{ "1D9H: freeze bits, LBR and BTF dropped (problem 34)", debugctl },
	{ "392H follows selectors and controls", in_use },
	{ "no LBR (problem 14)", no_lbr },
	{ "no PMU: selectors fault (problems 23, 58)", no_pmu_faults },
	{ "38FH exists from version 2 on (problem 25)", global_ctrl_exists },
	{ "names as in the manuals", names },
	{ "NULL is an error", hostile_arguments },
	CU_TEST_INFO_NULL,
};

CU_SuiteInfo suite_msr = { .pName = "core/msr", .pTests = tests };
