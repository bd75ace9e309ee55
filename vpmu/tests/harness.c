/* SPDX-License-Identifier: Apache-2.0 */
/* A vPMU with one vCPU, on the exact or the mock backend, and allocations that
 * fail on demand. */
#include <stdio.h>
#include <string.h>

#include "tests/harness.h"

const char *const harness_models[] = {
	"intel-p5", "intel-p55c", "intel-p6", "intel-netburst", "intel-v1",
	"intel-v2", "intel-v3",	  "intel-v4", "intel-v5",	"intel-v6",
	"amd-k7",   "amd-f15h",	  "amd-f17h", "amd-v2",		"amd-zen5",
	"none",	    NULL,
};

static int good_allocations = -1;

void *__real_calloc(size_t n, size_t size);
void *__wrap_calloc(size_t n, size_t size);

void *__wrap_calloc(size_t n, size_t size)
{
	if (!good_allocations)
		return NULL;
	if (good_allocations > 0)
		good_allocations--;
	return __real_calloc(n, size);
}

void harness_fail_allocation(int n)
{
	good_allocations = n;
}

static void log_line(void *user, const char *line)
{
	struct harness *h = user;

	snprintf(h->log, sizeof(h->log), "%s", line);
	h->logged++;
}

static void open_with(struct harness *h, const char *model,
		      const struct vpmu_backend_ops *backend)
{
	const struct vpmu_config config = {
		.size = sizeof(config),
		.model = model,
		.backend = backend,
		.backend_user = &h->host,
		.log = log_line,
		.log_user = h,
	};

	CU_ASSERT_EQUAL_FATAL(vpmu_create(&h->pmu, &config), 0);
	CU_ASSERT_EQUAL_FATAL(vpmu_vcpu_create(&h->vcpu, h->pmu, 0), 0);
}

void harness_open(struct harness *h, const char *model)
{
	memset(h, 0, sizeof(*h));
	open_with(h, model, vpmu_backend_exact());
}

void harness_open_mock(struct harness *h, const char *model)
{
	memset(h, 0, sizeof(*h));
	for (int i = 0; i < VPMU_MEAN_COUNT; i++)
		h->host.health[i] = VPMU_HEALTH_HARDWARE;
	open_with(h, model, vpmu_backend_mock());
}

void harness_open_bare(struct harness *h, const char *model)
{
	memset(h, 0, sizeof(*h));
	open_with(h, model, NULL);
}

void harness_close(struct harness *h)
{
	vpmu_vcpu_destroy(h->vcpu);
	vpmu_destroy(h->pmu);
}

uint64_t rdmsr(struct harness *h, uint32_t msr)
{
	uint64_t value = 0;

	CU_ASSERT_EQUAL(vpmu_rdmsr(h->vcpu, msr, &value), VPMU_HANDLED);
	return value;
}

enum vpmu_result wrmsr(struct harness *h, uint32_t msr, uint64_t value)
{
	return vpmu_wrmsr(h->vcpu, msr, value);
}

uint64_t rdpmc(struct harness *h, uint32_t ecx)
{
	const struct vpmu_mode kernel = { .cpl = 0, .pe = 1 };
	uint64_t value = UINT64_MAX;

	if (vpmu_rdpmc(h->vcpu, ecx, &kernel, &value) != VPMU_HANDLED)
		return UINT64_MAX;
	return value;
}

void retire(struct harness *h, unsigned int n, uint8_t cpl)
{
	while (n--)
		vpmu_retire(h->vcpu, 0, cpl);
}

void wrmsr_retired(struct harness *h, uint32_t msr, uint64_t value)
{
	vpmu_retire_begin(h->vcpu);
	CU_ASSERT_EQUAL(wrmsr(h, msr, value), VPMU_HANDLED);
	vpmu_retire(h->vcpu, 0, 0);
}

struct vpmu_counter_info counter(struct harness *h, const char *name)
{
	struct vpmu_counter_info info = { .size = sizeof(info) };

	for (uint32_t i = 0; !vpmu_counter_info(h->vcpu, i, &info); i++)
		if (!strcmp(info.name, name))
			return info;
	CU_FAIL("no such counter");
	return info;
}
