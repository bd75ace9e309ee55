/* SPDX-License-Identifier: Apache-2.0 */
/* core/config.c: "MODEL[,FIELD=N]...". */
#include <errno.h>
#include <string.h>

#include "tests/harness.h"

struct good_row {
	int line;
	const char *text;
	uint32_t gp, gp_width, fixed, fixed_width;
};

struct bad_row {
	int line;
	const char *text;
	const char *reason; /* how it begins */
};

/* clang-format off */
static const struct good_row good[] = {
	{ __LINE__, "intel-v2", 2, 40, 3, 40 },
	{ __LINE__, "intel-v5", 8, 48, 4, 48 },
	{ __LINE__, "amd-k7", 4, 48, 0, 0 },
	{ __LINE__, "amd-f17h", 6, 48, 0, 0 },
	{ __LINE__, "none", 0, 0, 0, 0 },
	{ __LINE__, "intel-v5,gp=4,width=40", 4, 40, 4, 48 },
	{ __LINE__, "intel-v5,gp=0x4,width=0X28", 4, 40, 4, 48 },
	{ __LINE__, "intel-v5,gp=1", 1, 48, 4, 48 },
	{ __LINE__, "intel-v5,gp=14", 14, 48, 4, 48 },
	{ __LINE__, "intel-v5,gp=0008", 8, 48, 4, 48 },
	{ __LINE__, "intel-v5,fixed=8", 8, 48, 8, 48 },
	{ __LINE__, "intel-v5,fixed=0,fixed_width=33", 8, 48, 0, 33 },
	{ __LINE__, "intel-v2,fw_write=1", 2, 40, 3, 40 },
	{ __LINE__, "intel-v5,pdcm=0,fw_write=0", 8, 48, 4, 48 },
	{ __LINE__, "amd-k7,gp=4,width=48", 4, 48, 0, 0 },
	{ __LINE__, "amd-f17h,gp=6", 6, 48, 0, 0 },
};

static const struct bad_row bad[] = {
	{ __LINE__, NULL, "no model given" },
	{ __LINE__, "", "no model given" },
	{ __LINE__, ",", ",: no model given" },
	{ __LINE__, "intel", "intel: no such model" },
	{ __LINE__, "intel-v55", "intel-v55: no such model" },
	{ __LINE__, "INTEL-V5", "INTEL-V5: no such model" },
	{ __LINE__, " intel-v5", " intel-v5: no such model" },
	{ __LINE__, "intel-v5,", "intel-v5,: \"\": must be FIELD=N" },
	{ __LINE__, "intel-v5,gp", "intel-v5,gp: \"gp\": must be FIELD=N" },
	{ __LINE__, "intel-v5,gp=", "intel-v5,gp=: gp: \"\" is not a number" },
	{ __LINE__, "intel-v5,=4", "intel-v5,=4: : no such field; intel-v5 has: version, gp" },
	{ __LINE__, "intel-v5,gp=4,", "intel-v5,gp=4,: \"\": must be FIELD=N" },
	{ __LINE__, "intel-v5,,gp=4", "intel-v5,,gp=4: \"\": must be FIELD=N" },
	{ __LINE__, "intel-v5,gp=4,gp=4", "intel-v5,gp=4,gp=4: gp: given twice" },
	{ __LINE__, "intel-v5,gp=-1", "intel-v5,gp=-1: gp: \"-1\" is not a number" },
	{ __LINE__, "intel-v5,gp=+1", "intel-v5,gp=+1: gp: \"+1\" is not a number" },
	{ __LINE__, "intel-v5,gp= 1", "intel-v5,gp= 1: gp: \" 1\" is not a number" },
	{ __LINE__, "intel-v5,gp=1 ", "intel-v5,gp=1 : gp: \"1 \" is not a number" },
	{ __LINE__, "intel-v5,gp=4x", "intel-v5,gp=4x: gp: \"4x\" is not a number" },
	{ __LINE__, "intel-v5,gp=0x", "intel-v5,gp=0x: gp: \"0x\" is not a number" },
	{ __LINE__, "intel-v5,gp=a", "intel-v5,gp=a: gp: \"a\" is not a number" },
	{ __LINE__, "intel-v5,gp=4=4", "intel-v5,gp=4=4: gp: \"4=4\" is not a number" },
	{ __LINE__, "intel-v5,gp=99", "intel-v5,gp=99: gp: 99 is not in 0..32 (" },
	{ __LINE__, "intel-v5,gp=4294967300", "intel-v5,gp=4294967300: gp: 4294967300 is not in 0..32 (" },
	{ __LINE__, "intel-v5,gp=18446744073709551620", "intel-v5,gp=18446744073709551620: gp: 18446744073709551620 is not in 0..32 (" },
	{ __LINE__, "intel-v5,gp=0x10000000000000001", "intel-v5,gp=0x10000000000000001: gp: 0x10000000000000001 is not in" },
	{ __LINE__, "intel-v5,gp=0", "intel-v5,gp=0: gp: 0, but version > 0" },
	{ __LINE__, "intel-v5,gp=15", "intel-v5,gp=15: gp: more than 14" },
	{ __LINE__, "intel-v5,fixed=9", "intel-v5,fixed=9: fixed: 9 is not in 0..8 (" },
	{ __LINE__, "intel-v5,width=32", "intel-v5,width=32: width: 32 is not in 33..48 (" },
	{ __LINE__, "intel-v5,width=49", "intel-v5,width=49: width: 49 is not in 33..48 (" },
	{ __LINE__, "intel-v5,fixed_width=64", "intel-v5,fixed_width=64: fixed_width: 64 is not in 33..48 (" },
	{ __LINE__, "intel-v5,fw_write=2", "intel-v5,fw_write=2: fw_write: 2 is not in 0..1 (" },
	{ __LINE__, "intel-v5,pdcm=0,fw_write=1", "intel-v5,pdcm=0,fw_write=1: fw_write: 1, but without pdcm=1" },
	{ __LINE__, "intel-v5,stepping=6", "intel-v5,stepping=6: stepping: no such field" },
	{ __LINE__, "intel-v5,GP=4", "intel-v5,GP=4: GP: no such field" },
	{ __LINE__, "amd-k7,fixed=1", "amd-k7,fixed=1: fixed: no such field; amd-k7 has: version, gp, width" },
	{ __LINE__, "amd-k7,gp=6", "amd-k7,gp=6: gp: without PerfCtrExtCore" },
	{ __LINE__, "amd-f17h,gp=4", "amd-f17h,gp=4: gp: PerfCtrExtCore without PerfMonV2" },
	{ __LINE__, "amd-f17h,gp=7", "amd-f17h,gp=7: gp: 7 is not in 1..6 (" },
	{ __LINE__, "amd-f17h,width=47", "amd-f17h,width=47: width: counters are 48 bits wide" },
	{ __LINE__, "none,gp=1", "none,gp=1: gp: no such field; none has: none" },
	{ __LINE__, "intel\x7f", "intel?: no such model" },
	{ __LINE__, "intel-v5\n", "intel-v5?: no such model" },
	{ __LINE__, "intel-v5,gp=\x1b[0m", "intel-v5,gp=?[0m: gp: \"?[0m\" is not a number" },
};
/* clang-format on */

static int create(struct vpmu **pmu, const char *text)
{
	const struct vpmu_config config = {
		.size = sizeof(config),
		.model = text,
	};

	return vpmu_create(pmu, &config);
}

static void accepted(void)
{
	for (size_t i = 0; i < ARRAY_SIZE(good); i++) {
		struct vpmu_model_info info = { .size = sizeof(info) };
		struct vpmu *pmu;

		CHECK_AT(good[i].line, !create(&pmu, good[i].text));
		CHECK_AT(good[i].line, !*vpmu_reason(pmu));
		CHECK_AT(good[i].line, !vpmu_info(pmu, &info));
		CHECK_AT(good[i].line, info.gp == good[i].gp);
		CHECK_AT(good[i].line, info.gp_width == good[i].gp_width);
		CHECK_AT(good[i].line, info.fixed == good[i].fixed);
		CHECK_AT(good[i].line, info.fixed_width == good[i].fixed_width);
		vpmu_destroy(pmu);
	}
}

static void refused(void)
{
	for (size_t i = 0; i < ARRAY_SIZE(bad); i++) {
		struct vpmu *pmu;

		CHECK_AT(bad[i].line, create(&pmu, bad[i].text) == -EINVAL);
		CHECK_AT(bad[i].line, !strncmp(vpmu_reason(pmu), bad[i].reason,
					       strlen(bad[i].reason)));
		vpmu_destroy(pmu);
	}
}

/* One line that fits, however long the text. */
static void long_text(void)
{
	static char text[100000];
	static const size_t lengths[] = { 40,  47,   48,   49,
					  200, 4095, 4096, sizeof(text) - 1 };
	struct vpmu *pmu;

	for (size_t i = 0; i < ARRAY_SIZE(lengths); i++) {
		memset(text, '9', sizeof(text));
		memcpy(text, "intel-v5,gp=", 12);
		text[lengths[i]] = 0;
		CU_ASSERT_EQUAL(create(&pmu, text), -EINVAL);
		CU_ASSERT_PTR_NOT_NULL(strstr(vpmu_reason(pmu), ": "));
		CU_ASSERT_TRUE(strlen(vpmu_reason(pmu)) < REASON_BYTES);
		vpmu_destroy(pmu);
		memset(text, ',', 20);
		CU_ASSERT_EQUAL(create(&pmu, text), -EINVAL);
		vpmu_destroy(pmu);
	}
}

/* Each rule has a shape that breaks it, and says where it is written. */
static void rules_cite(void)
{
	const struct vpmu_model *model;

	for (uint32_t m = 0; (model = vpmu_model_at(m)); m++) {
		for (size_t i = 0; i < model->family->rules->n; i++) {
			CU_ASSERT_TRUE(*model->family->rules->rows[i].message);
			CU_ASSERT_TRUE(*model->family->rules->rows[i].manual);
		}
		for (size_t i = 0; i < model->family->fields->n; i++)
			CU_ASSERT_PTR_NOT_NULL(
				strstr(model->family->fields->names,
				       model->family->fields->rows[i].name));
	}
}

static CU_TestInfo tests[] = {
	{ "good texts give the shape they say", accepted },
	{ "bad texts give -EINVAL and say what and why", refused },
	{ "long texts are quoted in part", long_text },
	{ "rules cite a manual, fields are described", rules_cite },
	CU_TEST_INFO_NULL,
};

CU_SuiteInfo suite_config = { .pName = "core/config", .pTests = tests };
