/* SPDX-License-Identifier: Apache-2.0 */
/*
 * libFuzzer target: a guest that does anything at all to its PMU. The first
 * byte picks the model, then each operation takes what it needs. After a fault
 * every register must read as before.
 */
#include <stdlib.h>
#include <string.h>

#include "vpmu.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct input {
	const uint8_t *data;
	size_t size;
};

static uint64_t take(struct input *in, size_t n)
{
	uint64_t value = 0;

	if (n > in->size)
		n = in->size;
	memcpy(&value, in->data, n);
	in->data += n;
	in->size -= n;
	return value;
}

/* The namespaces, and addresses beside them. */
static uint32_t take_msr(struct input *in)
{
	static const uint32_t bases[] = { 0, 0x1800, 0xc0000000, 0xc0010000 };
	uint64_t r = take(in, 3);

	return bases[r & 3] + (uint32_t)(r >> 2 & 0xfff);
}

/* What a guest could see of the registers, folded into one number. */
static uint64_t digest(struct vpmu_vcpu *v)
{
	static const uint32_t ranges[][2] = {
		{ 0xc1, 0xce },
		{ 0x186, 0x193 },
		{ 0x309, 0x310 },
		{ 0x38d, 0x392 },
		{ 0x1d9, 0x1d9 },
		{ 0xc0010000, 0xc0010007 },
		{ 0xc0010200, 0xc001020b },
	};
	uint64_t sum = 0, value;

	for (size_t r = 0; r < sizeof(ranges) / sizeof(*ranges); r++)
		for (uint32_t m = ranges[r][0]; m <= ranges[r][1]; m++)
			if (vpmu_rdmsr(v, m, &value) == VPMU_HANDLED)
				sum = sum * 31 + value;
	return sum;
}

static void step(struct vpmu_vcpu *v, struct input *in)
{
	uint64_t op = take(in, 1), value = 0, before;
	struct vpmu_mode mode = { .cpl = op >> 4 & 3,
				  .pe = op >> 6 & 1,
				  .pce = op >> 7 & 1 };

	switch (op & 7) {
	case 0:
	case 1:
		before = digest(v);
		if (vpmu_wrmsr(v, take_msr(in), take(in, 8)) != VPMU_HANDLED &&
		    digest(v) != before)
			abort();
		break;
	case 2:
		vpmu_rdmsr(v, take_msr(in), &value);
		break;
	case 3:
		vpmu_rdpmc(v, (uint32_t)take(in, 4), &mode, &value);
		break;
	case 4:
		for (uint64_t n = take(in, 1); n; n--)
			vpmu_retire(v, (uint32_t)op << 1, mode.cpl);
		break;
	case 5:
		vpmu_retire_begin(v);
		vpmu_wrmsr(v, take_msr(in), take(in, 8));
		vpmu_retire(v, 0, mode.cpl);
		break;
	case 6:
		vpmu_take_pmi(v);
		vpmu_retire_missed(v);
		break;
	default:
		vpmu_reset(v, op & 8 ? VPMU_RESET_INIT : VPMU_RESET_POWER);
		break;
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct input in = { data, size };
	struct vpmu_model_info info = { .size = sizeof(info) };
	struct vpmu_config config = { .size = sizeof(config),
				      .backend = vpmu_backend_exact() };
	struct vpmu_vcpu *v;
	struct vpmu *pmu;

	if (vpmu_model_info((uint32_t)take(&in, 1), &info))
		return 0;
	config.model = info.name;
	if (vpmu_create(&pmu, &config) || vpmu_vcpu_create(&v, pmu, 0))
		abort();
	while (in.size)
		step(v, &in);
	vpmu_vcpu_destroy(v);
	vpmu_destroy(pmu);
	return 0;
}
