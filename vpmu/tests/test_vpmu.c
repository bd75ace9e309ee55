/* SPDX-License-Identifier: Apache-2.0 */
/* core/vpmu.c: handles, sizes, allocation, several VMs. */
#include <errno.h>
#include <string.h>

#include "tests/harness.h"

static struct vpmu_config config_of(const char *model)
{
	return (struct vpmu_config){
		.size = sizeof(struct vpmu_config),
		.model = model,
		.backend = vpmu_backend_exact(),
	};
}

static void version(void)
{
	CU_ASSERT_EQUAL(vpmu_version(), 0x00000001);
}

static void null_handles(void)
{
	struct vpmu_config config = config_of("intel-v5");
	struct vpmu *pmu = (struct vpmu *)&config;

	CU_ASSERT_EQUAL(vpmu_create(NULL, &config), -EFAULT);
	CU_ASSERT_EQUAL(vpmu_create(&pmu, NULL), -EFAULT);
	CU_ASSERT_PTR_NULL(pmu);
	CU_ASSERT_TRUE(*vpmu_reason(NULL));
	vpmu_destroy(NULL);
	vpmu_vcpu_destroy(NULL);
}

/* SIZES in vpmu.h. */
static void config_sizes(void)
{
	struct {
		struct vpmu_config config;
		uint64_t tail[4];
	} big = { .config = config_of("intel-v5") };
	struct vpmu_model_info info = { .size = sizeof(info) };
	struct vpmu *pmu;

	big.config.size = sizeof(big);
	CU_ASSERT_EQUAL(vpmu_create(&pmu, &big.config), 0);
	vpmu_destroy(pmu);
	big.tail[3] = UINT64_C(1) << 63;
	CU_ASSERT_EQUAL(vpmu_create(&pmu, &big.config), -E2BIG);
	CU_ASSERT_TRUE(*vpmu_reason(pmu));
	vpmu_destroy(pmu);
	/* Up to the model: no backend, no log. */
	big.config.size = offsetof(struct vpmu_config, backend);
	CU_ASSERT_EQUAL(vpmu_create(&pmu, &big.config), 0);
	CU_ASSERT_EQUAL(vpmu_info(pmu, &info), 0);
	CU_ASSERT_STRING_EQUAL(info.name, "intel-v5");
	vpmu_destroy(pmu);
	for (uint32_t size = 0; size < 4; size++) {
		big.config.size = size;
		CU_ASSERT_EQUAL(vpmu_create(&pmu, &big.config), -EINVAL);
		CU_ASSERT_PTR_NOT_NULL(strstr(vpmu_reason(pmu), "size"));
		vpmu_destroy(pmu);
	}
	big.config = config_of("intel-v5");
	big.config.flags = 1;
	CU_ASSERT_EQUAL(vpmu_create(&pmu, &big.config), -EINVAL);
	CU_ASSERT_STRING_EQUAL(vpmu_reason(pmu), "config: flags must be 0");
	vpmu_destroy(pmu);
}

static void info_sizes(void)
{
	struct {
		struct vpmu_counter_info info;
		uint64_t tail[2];
	} big = { .info.size = sizeof(big) };
	struct harness h;

	harness_open(&h, "intel-v5");
	wrmsr(&h, 0xc1, 42);
	CU_ASSERT_EQUAL(vpmu_counter_info(h.vcpu, 0, &big.info), 0);
	CU_ASSERT_EQUAL(big.info.size, sizeof(big));
	CU_ASSERT_EQUAL(big.info.value, 42);
	big.tail[0] = 1;
	CU_ASSERT_EQUAL(vpmu_counter_info(h.vcpu, 0, &big.info), -E2BIG);
	memset(&big, 0xff, sizeof(big));
	big.info.size = offsetof(struct vpmu_counter_info, width);
	CU_ASSERT_EQUAL(vpmu_counter_info(h.vcpu, 0, &big.info), 0);
	CU_ASSERT_EQUAL(big.info.health, VPMU_HEALTH_IDLE);
	CU_ASSERT_EQUAL(big.info.width, UINT32_MAX); /* not reached */
	big.info.size = 0;
	CU_ASSERT_EQUAL(vpmu_counter_info(h.vcpu, 0, &big.info), -EINVAL);
	CU_ASSERT_EQUAL(vpmu_counter_info(h.vcpu, 0, NULL), -EINVAL);
	CU_ASSERT_EQUAL(vpmu_counter_info(NULL, 0, &big.info), -EINVAL);
	CU_ASSERT_EQUAL(vpmu_info(NULL, NULL), -EINVAL);
	harness_close(&h);
}

/* The caller's structs may lie anywhere. */
static void unaligned(void)
{
	const struct vpmu_config config = config_of("amd-k7");
	struct vpmu_model_info info = { .size = sizeof(info) };
	char buf[sizeof(config) + sizeof(info) + 1];
	struct vpmu *pmu;

	memcpy(buf + 1, &config, sizeof(config));
	CU_ASSERT_EQUAL(vpmu_create(&pmu, (void *)(buf + 1)), 0);
	memcpy(buf + 1, &info, sizeof(info));
	CU_ASSERT_EQUAL(vpmu_info(pmu, (void *)(buf + 1)), 0);
	memcpy(&info, buf + 1, sizeof(info));
	CU_ASSERT_EQUAL(info.gp, 4);
	vpmu_destroy(pmu);
}

static void backend_checks(void)
{
	struct vpmu_backend_ops ops = *vpmu_backend_mock();
	struct mock_host host = { .open_result = -EPERM };
	struct vpmu_config config = config_of("intel-v5");
	struct vpmu_vcpu *vcpu;
	struct vpmu *pmu;

	config.backend = &ops;
	config.backend_user = &host;
	ops.read = NULL;
	CU_ASSERT_EQUAL(vpmu_create(&pmu, &config), -EINVAL);
	CU_ASSERT_TRUE(*vpmu_reason(pmu));
	vpmu_destroy(pmu);
	ops.read = vpmu_backend_mock()->read;
	ops.flags = 2;
	CU_ASSERT_EQUAL(vpmu_create(&pmu, &config), -EINVAL);
	vpmu_destroy(pmu);
	ops.flags = 0;
	ops.size = 0;
	CU_ASSERT_EQUAL(vpmu_create(&pmu, &config), -EINVAL);
	vpmu_destroy(pmu);
	ops.size = sizeof(ops);
	CU_ASSERT_EQUAL(vpmu_create(&pmu, &config), 0);
	CU_ASSERT_EQUAL(vpmu_vcpu_create(&vcpu, pmu, 0), -EPERM);
	CU_ASSERT_PTR_NULL(vcpu);
	vpmu_destroy(pmu);
}

/* Whichever allocation fails, nothing leaks and nothing is left behind. */
static void failing_allocations(void)
{
	struct vpmu_config config = config_of("amd-f17h");
	int ret = -ENOMEM;
	int n;

	for (n = 0; ret && n < 100; n++) {
		struct vpmu_vcpu *vcpu = NULL;
		struct vpmu *pmu = NULL;

		harness_fail_allocation(n);
		ret = vpmu_create(&pmu, &config);
		CU_ASSERT_EQUAL(pmu != NULL, !ret);
		if (!ret)
			ret = vpmu_vcpu_create(&vcpu, pmu, 0);
		harness_fail_allocation(-1);
		CU_ASSERT_TRUE(!ret || ret == -ENOMEM);
		CU_ASSERT_EQUAL(vcpu != NULL, !ret);
		vpmu_vcpu_destroy(vcpu);
		vpmu_destroy(pmu);
	}
	/* The handle, what vCPUs share, its registers, the vCPU; then none. */
	CU_ASSERT_EQUAL(n, 5);
	CU_ASSERT_EQUAL(ret, 0);
}

/* No call made for the guest allocates. */
static void guest_path_does_not_allocate(void)
{
	struct harness h;

	for (const char *const *model = harness_models; *model; model++) {
		harness_open(&h, *model);
		harness_fail_allocation(0);
		for (uint32_t i = 0; i < h.pmu->nmsrs; i++) {
			wrmsr(&h, h.pmu->msrs[i].index,
			      h.pmu->msrs[i].writable);
			rdmsr(&h, h.pmu->msrs[i].index);
		}
		retire(&h, 5, 0);
		rdpmc(&h, 0);
		vpmu_sync(h.vcpu);
		vpmu_reset(h.vcpu, VPMU_RESET_POWER);
		harness_fail_allocation(-1);
		harness_close(&h);
	}
}

/* Problem 56: nothing is shared between VMs, whatever lives how long. */
static void two_vms(void)
{
	struct harness a, b;

	harness_open(&a, "intel-v5");
	harness_open(&b, "amd-f17h");
	wrmsr(&a, 0x186, EN | OS | 0xc0);
	wrmsr(&b, 0xc0010200, EN | OS | 0xc0);
	retire(&a, 3, 0);
	retire(&b, 5, 0);
	CU_ASSERT_EQUAL(rdpmc(&a, 0), 3);
	CU_ASSERT_EQUAL(rdpmc(&b, 0), 5);
	CU_ASSERT_EQUAL(wrmsr(&a, 0xc0010200, 0), VPMU_FAULT);
	CU_ASSERT_EQUAL(wrmsr(&b, 0x186, 0), VPMU_FAULT);
	harness_close(&a);
	CU_ASSERT_EQUAL(rdpmc(&b, 0), 5);
	harness_open(&a, "none");
	CU_ASSERT_EQUAL(rdpmc(&a, 0), UINT64_MAX);
	retire(&b, 1, 0);
	CU_ASSERT_EQUAL(rdpmc(&b, 0), 6);
	harness_close(&b);
	harness_close(&a);
}

static void two_vcpus(void)
{
	struct vpmu_vcpu *second;
	struct harness h;
	uint64_t value;

	harness_open(&h, "intel-v5");
	CU_ASSERT_EQUAL_FATAL(vpmu_vcpu_create(&second, h.pmu, 1), 0);
	wrmsr(&h, 0x186, EN | OS | 0xc0);
	retire(&h, 3, 0);
	CU_ASSERT_EQUAL(vpmu_rdmsr(second, 0x186, &value), VPMU_HANDLED);
	CU_ASSERT_EQUAL(value, 0);
	CU_ASSERT_EQUAL(vpmu_wants_retire(second), 0);
	vpmu_vcpu_destroy(second);
	CU_ASSERT_EQUAL(rdpmc(&h, 0), 3);
	harness_close(&h);
}

static void counter_names(void)
{
	struct vpmu_counter_info info = { .size = sizeof(info) };
	struct harness h;

	harness_open(&h, "intel-v2");
	CU_ASSERT_EQUAL(vpmu_counter_info(h.vcpu, 1, &info), 0);
	CU_ASSERT_STRING_EQUAL(info.name, "PMC1");
	CU_ASSERT_EQUAL(info.width, 40);
	CU_ASSERT_EQUAL(vpmu_counter_info(h.vcpu, 4, &info), 0);
	CU_ASSERT_STRING_EQUAL(info.name, "FIXED_CTR2");
	CU_ASSERT_EQUAL(vpmu_counter_info(h.vcpu, 5, &info), -ENOENT);
	harness_close(&h);
	harness_open(&h, "amd-f17h");
	CU_ASSERT_EQUAL(vpmu_counter_info(h.vcpu, 5, &info), 0);
	CU_ASSERT_STRING_EQUAL(info.name, "PERF_CTR5");
	harness_close(&h);
	harness_open(&h, "none");
	CU_ASSERT_EQUAL(vpmu_counter_info(h.vcpu, 0, &info), -ENOENT);
	harness_close(&h);
}

static void names(void)
{
	for (int i = 0; i < VPMU_MEAN_COUNT; i++)
		CU_ASSERT_TRUE(strlen(vpmu_meaning_name((enum vpmu_meaning)i)) >
			       1);
	for (int i = 0; i <= VPMU_HEALTH_UNAVAILABLE; i++)
		CU_ASSERT_TRUE(strlen(vpmu_health_name((enum vpmu_health)i)) >
			       1);
	CU_ASSERT_STRING_EQUAL(vpmu_meaning_name((enum vpmu_meaning)99), "?");
	CU_ASSERT_STRING_EQUAL(vpmu_meaning_name((enum vpmu_meaning) - 1), "?");
	CU_ASSERT_STRING_EQUAL(vpmu_health_name((enum vpmu_health)99), "?");
	CU_ASSERT_STRING_EQUAL(vpmu_health_name(VPMU_HEALTH_STARVED),
			       "starved");
}

/* A storm of random accesses: only the four results, and state stays sound. */
static void random_accesses(void)
{
	static const uint32_t bases[] = { 0,	      0xc0,	  0x180,
					  0x300,      0x380,	  0x4c0,
					  0xc0010000, 0xc0010200, 0xc0000300 };
	uint64_t x = UINT64_C(0x9e3779b97f4a7c15);
	struct harness h;

	for (const char *const *model = harness_models; *model; model++) {
		harness_open(&h, *model);
		for (int i = 0; i < 100000; i++) {
			uint64_t value;
			uint32_t msr;

			/* xorshift64 */
			x ^= x << 13;
			x ^= x >> 7;
			x ^= x << 17;
			msr = bases[x % ARRAY_SIZE(bases)] +
			      (uint32_t)(x >> 32) % 32;
			value = x & 0x100 ? x : x & 0xffffff;
			vpmu_retire_begin(h.vcpu);
			if (wrmsr(&h, msr, value) > VPMU_NOT_MINE)
				CU_FAIL("not a result for the guest");
			vpmu_retire(h.vcpu, (uint32_t)x, x & 3);
			rdpmc(&h, (uint32_t)(x >> 20));
			vpmu_take_pmi(h.vcpu);
			if (h.vcpu->running & ~h.vcpu->enabled ||
			    h.vcpu->enabled & ~h.vcpu->local ||
			    h.vcpu->local & ~h.pmu->exists)
				CU_FAIL("running, enabled, local disagree");
		}
		harness_close(&h);
	}
}

static CU_TestInfo tests[] = {
	{ "version", version },
	{ "NULL handles", null_handles },
	{ "sizes of the config struct", config_sizes },
	{ "sizes of the info structs", info_sizes },
	{ "unaligned structs", unaligned },
	{ "a backend lacking a call is refused", backend_checks },
	{ "each allocation may fail", failing_allocations },
	{ "the guest's calls do not allocate", guest_path_does_not_allocate },
	{ "VMs share nothing (problem 56)", two_vms },
	{ "vCPUs share nothing", two_vcpus },
	{ "counters are named and numbered", counter_names },
	{ "meanings and healths have names", names },
	{ "a storm of random accesses", random_accesses },
	CU_TEST_INFO_NULL,
};

CU_SuiteInfo suite_vpmu = { .pName = "core/vpmu", .pTests = tests };
