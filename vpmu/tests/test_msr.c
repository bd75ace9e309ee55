/* SPDX-License-Identifier: Apache-2.0 */
/* core/msr.c and the hooks: what reads and writes do. */
#include <string.h>

#include "tests/harness.h"

static void legacy_counter_write(void)
{
	struct harness h;

	harness_open(&h, "intel-v5");
	/* SDM 3B: bits 63:32 are ignored, bit 31 is copied up. */
	wrmsr(&h, 0xc1, UINT64_C(0xffffff0123456789));
	CU_ASSERT_EQUAL(rdmsr(&h, 0xc1), 0x23456789);
	wrmsr(&h, 0xc1, 0x80000000);
	CU_ASSERT_EQUAL(rdmsr(&h, 0xc1), UINT64_C(0xffff80000000));
	CU_ASSERT_EQUAL(rdmsr(&h, 0x4c1), UINT64_C(0xffff80000000));
	harness_close(&h);

	harness_open(&h, "intel-v2");
	wrmsr(&h, 0xc2, 0x80000000);
	CU_ASSERT_EQUAL(rdmsr(&h, 0xc2), UINT64_C(0xff80000000));
	harness_close(&h);
}

static void full_width_write(void)
{
	struct harness h;

	harness_open(&h, "intel-v5");
	CU_ASSERT_EQUAL(wrmsr(&h, 0x4c1, UINT64_C(0x923456789abc)),
			VPMU_HANDLED);
	CU_ASSERT_EQUAL(wrmsr(&h, 0x4c1, BIT(48)), VPMU_FAULT);
	CU_ASSERT_EQUAL(wrmsr(&h, 0x4c1, UINT64_MAX), VPMU_FAULT);
	CU_ASSERT_EQUAL(rdmsr(&h, 0xc1), UINT64_C(0x923456789abc));
	harness_close(&h);
	harness_open(&h, "intel-v5,fw_write=0");
	CU_ASSERT_EQUAL(wrmsr(&h, 0x4c1, 0), VPMU_FAULT);
	harness_close(&h);
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
	struct harness h;

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

/* Problem 20. */
static void intel_selector_reserved(void)
{
	struct harness h;

	harness_open(&h, "intel-v5");
	CU_ASSERT_EQUAL(wrmsr(&h, 0x186, 0x5300c0), VPMU_HANDLED);
	CU_ASSERT_EQUAL(wrmsr(&h, 0x186, BIT(21)), VPMU_FAULT);
	CU_ASSERT_EQUAL(wrmsr(&h, 0x188, BIT(33)), VPMU_FAULT);
	CU_ASSERT_EQUAL(wrmsr(&h, 0x186, 0x5300c0 | BIT(32)), VPMU_FAULT);
	CU_ASSERT_EQUAL(rdmsr(&h, 0x186), 0x5300c0);
	/* Any event may be selected. */
	CU_ASSERT_EQUAL(wrmsr(&h, 0x186, 0xffff), VPMU_HANDLED);
	harness_close(&h);
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
	struct harness h;

	harness_open(&h, "intel-v5");
	CU_ASSERT_EQUAL(rdmsr(&h, 0x392), 0);
	wrmsr(&h, 0x187, 0xc0);
	CU_ASSERT_EQUAL(rdmsr(&h, 0x392), BIT(1));
	wrmsr(&h, 0x38d, 0x0201);
	CU_ASSERT_EQUAL(rdmsr(&h, 0x392), BIT(1) | BIT(32) | BIT(34));
	wrmsr(&h, 0x38d, 0x0080);
	CU_ASSERT_EQUAL(rdmsr(&h, 0x392), BIT(1) | BIT(63));
	wrmsr(&h, 0x38d, 0);
	wrmsr(&h, 0x187, INT);
	CU_ASSERT_EQUAL(rdmsr(&h, 0x392), BIT(63));
	harness_close(&h);
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
	struct harness h;

	harness_open(&h, "intel-v2");
	CU_ASSERT_EQUAL(rdmsr(&h, 0x38f), 3);
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
	{ "C1H sign-extends bit 31 and ignores EDX", legacy_counter_write },
	{ "4C1H bit 48 faults, counter unchanged", full_width_write },
	{ "PERF_CTL never faults (problem 11)", amd_selector_never_faults },
	{ "C001_0200H.. alias C001_0000H..", amd_aliases },
	{ "38EH faults, 390H reserved faults (problem 17)",
	  status_is_read_only },
	{ "PERFEVTSEL reserved bits (problem 20)", intel_selector_reserved },
	{ "FIXED_CTR_CTRL reserved bits (problem 21)", fixed_control_reserved },
	{ "1A0H: bit 7 stays, 11 and 12 fault", misc_enable },
	{ "1D9H: freeze bits with PDCM, LBR and BTF dropped", debugctl },
	{ "392H follows selectors and controls", in_use },
	{ "no PMU: selectors fault (problems 23, 58)", no_pmu_faults },
	{ "38FH exists from version 2 on (problem 25)", global_ctrl_exists },
	{ "names as in the manuals", names },
	{ "NULL is an error", hostile_arguments },
	CU_TEST_INFO_NULL,
};

CU_SuiteInfo suite_msr = { .pName = "core/msr", .pTests = tests };
