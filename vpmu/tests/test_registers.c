/* SPDX-License-Identifier: Apache-2.0 */
/* The models' registers: exactly which there are, and which of their bits. Once
 * from tables written by hand from the manuals, once from the rows. */
#include <string.h>

#include "tests/harness.h"

/* ------------------------------------------- by hand, from the manuals */

/* Registers first .. last exist, and no other. */
struct exists_row {
	int line;
	const char *model;
	uint32_t first;
	uint32_t last;
	uint32_t stride;
};

/* clang-format off */
static const struct exists_row existing[] = {
	{ __LINE__, "intel-v2", 0x0c1, 0x0c2, 1 },
	{ __LINE__, "intel-v2", 0x186, 0x187, 1 },
	{ __LINE__, "intel-v2", 0x1a0, 0x1a0, 1 },
	{ __LINE__, "intel-v2", 0x1d9, 0x1d9, 1 },
	{ __LINE__, "intel-v2", 0x309, 0x30b, 1 },
	{ __LINE__, "intel-v2", 0x345, 0x345, 1 },
	{ __LINE__, "intel-v2", 0x38d, 0x390, 1 },
	{ __LINE__, "intel-v5", 0x0c1, 0x0c8, 1 },
	{ __LINE__, "intel-v5", 0x186, 0x18d, 1 },
	{ __LINE__, "intel-v5", 0x1a0, 0x1a0, 1 },
	{ __LINE__, "intel-v5", 0x1d9, 0x1d9, 1 },
	{ __LINE__, "intel-v5", 0x309, 0x30c, 1 },
	{ __LINE__, "intel-v5", 0x329, 0x329, 1 },
	{ __LINE__, "intel-v5", 0x345, 0x345, 1 },
	{ __LINE__, "intel-v5", 0x38d, 0x392, 1 },
	{ __LINE__, "intel-v5", 0x4c1, 0x4c8, 1 },
	{ __LINE__, "amd-k7", 0x1d9, 0x1d9, 1 },
	{ __LINE__, "amd-k7", 0xc0010000, 0xc0010007, 1 },
	{ __LINE__, "amd-f17h", 0x1d9, 0x1d9, 1 },
	{ __LINE__, "amd-f17h", 0xc0010000, 0xc0010007, 1 },
	{ __LINE__, "amd-f17h", 0xc0010200, 0xc001020b, 1 },
	{ __LINE__, "amd-f17h", 0xc0010230, 0xc001023b, 1 },
	{ __LINE__, "amd-f17h", 0xc0010240, 0xc0010247, 1 },
	{ __LINE__, "none", 0x1a0, 0x1a0, 1 },
	{ __LINE__, "none", 0x1d9, 0x1d9, 1 },
	/* Overrides */
	{ __LINE__, "intel-v5,gp=1,fixed=0,fw_write=0,pdcm=0", 0x0c1, 0x0c1, 1 },
	{ __LINE__, "intel-v5,gp=1,fixed=0,fw_write=0,pdcm=0", 0x186, 0x186, 1 },
	{ __LINE__, "intel-v5,gp=1,fixed=0,fw_write=0,pdcm=0", 0x1a0, 0x1a0, 1 },
	{ __LINE__, "intel-v5,gp=1,fixed=0,fw_write=0,pdcm=0", 0x1d9, 0x1d9, 1 },
	{ __LINE__, "intel-v5,gp=1,fixed=0,fw_write=0,pdcm=0", 0x38d, 0x392, 1 },
};

/* All that can be written as one bit and read back; others fault or drop. */
struct bits_row {
	int line;
	const char *model;
	uint32_t msr;
	uint64_t writable;
	bool drops;
};

#define CTL UINT64_C(0x0000000fffd7ffff)

static const struct bits_row bits[] = {
	{ __LINE__, "intel-v2", 0x186, 0x00000000ffdfffff, false },
	{ __LINE__, "intel-v2", 0x187, 0x00000000ffdfffff, false },
	{ __LINE__, "intel-v2", 0x309, 0x000000ffffffffff, false },
	{ __LINE__, "intel-v2", 0x30b, 0x000000ffffffffff, false },
	{ __LINE__, "intel-v2", 0x38d, 0x0000000000000bbb, false },
	{ __LINE__, "intel-v2", 0x38f, 0x0000000700000003, false },
	{ __LINE__, "intel-v5", 0x186, 0x00000000ffdfffff, false },
	{ __LINE__, "intel-v5", 0x188, 0x00000000ffdfffff, false },
	{ __LINE__, "intel-v5", 0x18d, 0x00000000ffdfffff, false },
	{ __LINE__, "intel-v5", 0x4c1, 0x0000ffffffffffff, false },
	{ __LINE__, "intel-v5", 0x4c8, 0x0000ffffffffffff, false },
	{ __LINE__, "intel-v5,width=40", 0x4c1, 0x000000ffffffffff, false },
	{ __LINE__, "intel-v5", 0x309, 0x0000ffffffffffff, false },
	{ __LINE__, "intel-v5", 0x38d, 0x000000000000bbbb, false },
	{ __LINE__, "intel-v5", 0x38f, 0x0001000f000000ff, false },
	{ __LINE__, "intel-v5,gp=4,fixed=3", 0x38f, 0x000000070000000f, false },
	{ __LINE__, "amd-k7", 0xc0010000, CTL, true },
	{ __LINE__, "amd-k7", 0xc0010003, CTL, true },
	{ __LINE__, "amd-k7", 0xc0010004, 0x0000ffffffffffff, true },
	{ __LINE__, "amd-k7", 0xc0010007, 0x0000ffffffffffff, true },
	{ __LINE__, "amd-k7", 0x1d9, 0x3c, true },
	{ __LINE__, "amd-f17h", 0xc0010000, CTL, true },
	{ __LINE__, "amd-f17h", 0xc0010200, CTL, true },
	{ __LINE__, "amd-f17h", 0xc001020a, CTL, true },
	{ __LINE__, "amd-f17h", 0xc0010201, 0x0000ffffffffffff, true },
	{ __LINE__, "amd-f17h", 0xc001020b, 0x0000ffffffffffff, true },
};

/* Write 1 to clear or set: these bits are accepted, each reads 0. */
static const struct bits_row write_only[] = {
	{ __LINE__, "intel-v2", 0x390, 0xc000000700000003, false },
	{ __LINE__, "intel-v5", 0x390, 0xec01000f000000ff, false },
	{ __LINE__, "intel-v5", 0x391, 0x6c01000f000000ff, false },
	{ __LINE__, "intel-v5,gp=2,fixed=1", 0x391, 0x6c00000100000003, false },
};

static const struct {
	int line;
	const char *model;
	uint32_t msr;
	uint64_t value; /* that it always reads */
} read_only[] = {
	{ __LINE__, "intel-v2", 0x345, 0 },
	{ __LINE__, "intel-v2", 0x38e, 0 },
	{ __LINE__, "intel-v5", 0x345, 0xb000 },
	{ __LINE__, "intel-v5,fw_write=0", 0x345, 0x9000 },
	{ __LINE__, "intel-v5", 0x38e, 0 },
	{ __LINE__, "intel-v5", 0x392, 0 },
};
/* clang-format on */

static bool listed(const char *model, uint32_t msr)
{
	for (size_t i = 0; i < ARRAY_SIZE(existing); i++) {
		const struct exists_row *row = &existing[i];

		if (!strcmp(row->model, model) && msr >= row->first &&
		    msr <= row->last)
			return true;
	}
	return false;
}

static void existence_of(struct harness *h, const char *model, uint32_t base)
{
	for (uint32_t msr = base; msr < base + 0x2000; msr++) {
		enum vpmu_result want = VPMU_HANDLED;
		uint64_t value = 0xa5;
		char name[40];

		if (!listed(model, msr))
			want = vpmu_owns_msr(h->pmu, msr) ? VPMU_FAULT
							  : VPMU_NOT_MINE;
		if (vpmu_rdmsr(h->vcpu, msr, &value) != want ||
		    (want == VPMU_HANDLED && !vpmu_owns_msr(h->pmu, msr)) ||
		    (want != VPMU_HANDLED && value != 0xa5) ||
		    (want != VPMU_HANDLED && wrmsr(h, msr, 0) != want))
			CHECK_AT(msr, false);
		vpmu_msr_name(h->pmu, msr, name, sizeof(name));
		CU_ASSERT_EQUAL(name[0] != 0, want == VPMU_HANDLED);
	}
}

static void existence(void)
{
	struct harness h;

	for (size_t i = 0; i < ARRAY_SIZE(existing); i++) {
		const char *model = existing[i].model;

		if (i && !strcmp(model, existing[i - 1].model))
			continue;
		harness_open(&h, model);
		existence_of(&h, model, 0);
		existence_of(&h, model, 0xc0000000);
		existence_of(&h, model, 0xc0010000);
		harness_close(&h);
	}
}

/* Problem 24: both vendors' namespaces are ours on each model, no more. */
static void ownership(void)
{
	/* clang-format off */
	static const struct {
		int line;
		uint32_t msr;
		int owned;
	} rows[] = {
		{ __LINE__, 0x10, 0 },
		{ __LINE__, 0x11, 1 }, { __LINE__, 0x13, 1 },
		{ __LINE__, 0x14, 0 },
		{ __LINE__, 0x1b, 0 },
		{ __LINE__, 0xc0, 0 }, { __LINE__, 0xc1, 1 },
		{ __LINE__, 0xc8, 1 }, { __LINE__, 0xcf, 0 },
		{ __LINE__, 0xe7, 1 }, { __LINE__, 0xe8, 1 },
		{ __LINE__, 0xfe, 0 },
		{ __LINE__, 0x185, 0 }, { __LINE__, 0x186, 1 },
		{ __LINE__, 0x18d, 1 }, { __LINE__, 0x198, 0 },
		{ __LINE__, 0x1a0, 1 }, { __LINE__, 0x1d9, 1 },
		{ __LINE__, 0x277, 0 }, { __LINE__, 0x2ff, 0 },
		{ __LINE__, 0x300, 1 }, { __LINE__, 0x309, 1 },
		{ __LINE__, 0x30f, 1 }, { __LINE__, 0x311, 1 },
		{ __LINE__, 0x329, 1 }, { __LINE__, 0x345, 1 },
		{ __LINE__, 0x360, 1 }, { __LINE__, 0x371, 1 },
		{ __LINE__, 0x38d, 1 }, { __LINE__, 0x392, 1 },
		{ __LINE__, 0x3f1, 1 }, { __LINE__, 0x4c1, 1 },
		{ __LINE__, 0x600, 1 }, { __LINE__, 0x6e0, 0 },
		{ __LINE__, 0x800, 0 }, { __LINE__, 0x834, 0 },
		{ __LINE__, 0x1900, 1 }, { __LINE__, 0x1980, 1 },
		{ __LINE__, 0x40000000, 0 }, { __LINE__, 0x4b564d00, 0 },
		{ __LINE__, 0xc0000080, 0 },
		{ __LINE__, 0xc00000e7, 1 }, { __LINE__, 0xc00000e9, 1 },
		{ __LINE__, 0xc0000300, 1 }, { __LINE__, 0xc0000303, 1 },
		{ __LINE__, 0xc0010000, 1 }, { __LINE__, 0xc0010007, 1 },
		{ __LINE__, 0xc0010010, 0 }, { __LINE__, 0xc0010016, 0 },
		{ __LINE__, 0xc0010200, 1 }, { __LINE__, 0xc001020b, 1 },
		{ __LINE__, 0xc0010230, 1 }, { __LINE__, 0xc001023b, 1 },
		{ __LINE__, 0xc0010240, 1 }, { __LINE__, 0xc001025f, 1 },
		{ __LINE__, 0xc0010280, 1 }, { __LINE__, 0xc0010800, 1 },
		{ __LINE__, 0xffffffff, 0 },
	};
	/* clang-format on */
	struct harness h;

	for (const char *const *model = harness_models; *model; model++) {
		harness_open(&h, *model);
		for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
			CHECK_AT(rows[i].line,
				 vpmu_owns_msr(h.pmu, rows[i].msr) ==
					 rows[i].owned);
		harness_close(&h);
	}
}

static void one_bit(struct harness *h, const struct bits_row *row,
		    unsigned int b)
{
	enum vpmu_result ret = wrmsr(h, row->msr, BIT(b));
	bool writable = row->writable & BIT(b);

	if (writable) {
		CHECK_AT(row->line, ret == VPMU_HANDLED);
		CHECK_AT(row->line, rdmsr(h, row->msr) == BIT(b));
	} else if (row->drops) {
		CHECK_AT(row->line, ret == VPMU_HANDLED);
		CHECK_AT(row->line, rdmsr(h, row->msr) == 0);
	} else {
		CHECK_AT(row->line, ret == VPMU_FAULT);
		CHECK_AT(row->line, rdmsr(h, row->msr) == 0);
	}
	CHECK_AT(row->line, wrmsr(h, row->msr, 0) == VPMU_HANDLED);
}

static void bit_by_bit(void)
{
	struct harness h;

	for (size_t i = 0; i < ARRAY_SIZE(bits); i++) {
		harness_open(&h, bits[i].model);
		wrmsr(&h, bits[i].msr, 0);
		for (unsigned int b = 0; b < 64; b++)
			one_bit(&h, &bits[i], b);
		CHECK_AT(bits[i].line, wrmsr(&h, bits[i].msr,
					     bits[i].writable) == VPMU_HANDLED);
		CHECK_AT(bits[i].line,
			 rdmsr(&h, bits[i].msr) == bits[i].writable);
		harness_close(&h);
	}
}

static void status_registers(void)
{
	struct harness h;

	for (size_t i = 0; i < ARRAY_SIZE(write_only); i++) {
		const struct bits_row *row = &write_only[i];

		harness_open(&h, row->model);
		for (unsigned int b = 0; b < 64; b++) {
			bool ok = row->writable & BIT(b);

			CHECK_AT(row->line,
				 wrmsr(&h, row->msr, BIT(b)) ==
					 (ok ? VPMU_HANDLED : VPMU_FAULT));
			CHECK_AT(row->line, rdmsr(&h, row->msr) == 0);
		}
		harness_close(&h);
	}
}

static void read_only_registers(void)
{
	struct harness h;

	for (size_t i = 0; i < ARRAY_SIZE(read_only); i++) {
		uint32_t msr = read_only[i].msr;

		harness_open(&h, read_only[i].model);
		CHECK_AT(read_only[i].line,
			 rdmsr(&h, msr) == read_only[i].value);
		CHECK_AT(read_only[i].line, wrmsr(&h, msr, 0) == VPMU_FAULT);
		CHECK_AT(read_only[i].line,
			 wrmsr(&h, msr, read_only[i].value) == VPMU_FAULT);
		CHECK_AT(read_only[i].line,
			 rdmsr(&h, msr) == read_only[i].value);
		harness_close(&h);
	}
}

/* ------------------------------------- generated: each row of each model */

/* Does it read what was written, as selectors, counters and enables do? */
static bool plain(const struct vpmu_msr *m)
{
	return m->row->read == vpmu_msr_read_select ||
	       m->row->read == vpmu_msr_read_counter ||
	       m->row->read == vpmu_package_read_select ||
	       m->row->read == vpmu_package_read_counter ||
	       m->row->write == vpmu_msr_write_enables;
}

static uint64_t expect(const struct harness *h, const struct vpmu_msr *m,
		       uint64_t value)
{
	if (m->row->write == vpmu_msr_write_sext32)
		value = (uint64_t)(int64_t)(int32_t)value;
	if (m->row->read == vpmu_msr_read_counter)
		value &= h->pmu->counters[m->unit].mask;
	return value;
}

static void four_questions(struct harness *h, const struct vpmu_msr *m)
{
	uint64_t before = rdmsr(h, m->index);

	for (unsigned int b = 0; b < 64; b++) {
		bool good = m->row->write &&
			    (m->writable & BIT(b) || m->row->flags & MSR_DROPS);
		/* Bits that must not change keep their value. */
		enum vpmu_result ret = wrmsr(h, m->index, before ^ BIT(b));

		if (good && m->row->write == vpmu_intel_write_misc)
			good = b != 11 && b != 12;
		CHECK_AT(m->index, ret == (good ? VPMU_HANDLED : VPMU_FAULT));
		if (!good)
			CHECK_AT(m->index, rdmsr(h, m->index) == before);
		if (good && plain(m))
			CHECK_AT(m->index, rdmsr(h, m->index) ==
						   expect(h, m,
							  (before ^ BIT(b)) &
								  m->writable));
		if (m->row->write)
			CHECK_AT(m->index,
				 wrmsr(h, m->index, before) == VPMU_HANDLED);
	}
}

static void each_row(void)
{
	struct harness h;

	for (const char *const *model = harness_models; *model; model++) {
		harness_open(&h, *model);
		for (uint32_t i = 0; i < h.pmu->nmsrs; i++)
			four_questions(&h, &h.pmu->msrs[i]);
		harness_close(&h);
	}
}

static CU_TestInfo tests[] = {
	{ "exactly the listed registers exist", existence },
	{ "both namespaces are owned, no more (problem 24)", ownership },
	{ "bit by bit: writable reads back, reserved faults", bit_by_bit },
	{ "390H and 391H bit by bit, both read 0", status_registers },
	{ "345H, 38EH, 392H fault on any write", read_only_registers },
	{ "four questions to each row of each model", each_row },
	CU_TEST_INFO_NULL,
};

CU_SuiteInfo suite_registers = { .pName = "models/registers", .pTests = tests };
