/* SPDX-License-Identifier: Apache-2.0 */
/*
 * AMD's shared counters backed by a host's perf devices: the devices are files
 * that the tests write, behind each opens the software clock of this thread.
 */
#include <CUnit/CUnit.h>
#include <errno.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "core/internal.h"
#include "tests/suites.h"

#define L3_CTL0 0xc0010230
#define L3_CTR0 0xc0010231
#define UMC_CTL13 0xc001081a
#define CTL_EN BIT(22)
#define L3_MISSES 0x0104

struct file {
	const char *device, *name, *text;
};

/* A Zen 1 with its L3 on CPU 8, a Zen 4's memory controller 3. */
static const struct file zen[] = {
	{ "amd_l3", "type", "11\n" },
	{ "amd_l3", "cpumask", "8,16\n" },
	{ "amd_l3", "format/slicemask", "config:48-51\n" },
	{ "amd_umc_3", "type", "33\n" },
	{ "amd_umc_3", "cpumask", "0\n" },
	{ "amd_umc_3", "format/rdwrmask", "config:8-9\n" },
	{ NULL, NULL, NULL },
};

struct host {
	char dir[64];
	struct vpmu_perf *perf;
	int refuse; /* what a device's event gets, negative */
	struct perf_event_attr attr; /* of the last such event */
	int tid, cpu;
	int opens;
};

static void make_dir(const struct host *host, const char *device,
		     const char *below)
{
	char path[128];

	snprintf(path, sizeof(path), "%s/%s%s", host->dir, device, below);
	if (mkdir(path, 0700) && errno != EEXIST)
		CU_FAIL_FATAL("mkdir");
}

static void make_files(struct host *host, const struct file *file)
{
	char path[160];
	FILE *to;

	strcpy(host->dir, "/tmp/vpmu-uncore-XXXXXX");
	if (!mkdtemp(host->dir))
		CU_FAIL_FATAL("mkdtemp");
	for (; file->device; file++) {
		make_dir(host, file->device, "");
		make_dir(host, file->device, "/format");
		snprintf(path, sizeof(path), "%s/%s/%s", host->dir,
			 file->device, file->name);
		to = fopen(path, "w");
		if (!to)
			CU_FAIL_FATAL("fopen");
		fputs(file->text, to);
		fclose(to);
	}
}

static int open_event(void *user, const void *attr_ptr, int tid, int cpu)
{
	const struct perf_event_attr *attr = attr_ptr;
	struct perf_event_attr clock = { .size = sizeof(clock),
					 .type = PERF_TYPE_SOFTWARE,
					 .config = PERF_COUNT_SW_TASK_CLOCK,
					 .disabled = 1,
					 .read_format = attr->read_format };
	struct host *host = user;

	if (attr->type < PERF_TYPE_MAX)
		return -ENOENT;
	if (host->refuse)
		return host->refuse;
	host->attr = *attr;
	host->tid = tid;
	host->cpu = cpu;
	host->opens++;
	return (int)syscall(SYS_perf_event_open, &clock, 0, -1, -1,
			    PERF_FLAG_FD_CLOEXEC);
}

static void begin_files(struct host *host, const struct file *files,
			uint32_t flags)
{
	struct vpmu_perf_config c = { .size = sizeof(c),
				      .open_event = open_event,
				      .user = host,
				      .flags = flags,
				      .devices = host->dir };

	make_files(host, files);
	CU_ASSERT_EQUAL_FATAL(vpmu_perf_create(&host->perf, &c), 0);
}

static void begin(struct host *host, uint32_t flags)
{
	begin_files(host, zen, flags);
}

static void end(struct host *host)
{
	char command[96];

	vpmu_perf_destroy(host->perf);
	snprintf(command, sizeof(command), "rm -r %s", host->dir);
	CU_ASSERT_EQUAL(system(command), 0);
}

static struct vpmu_event event(enum vpmu_unit unit, enum vpmu_layout layout,
			       uint32_t instance)
{
	return (struct vpmu_event){ .size = sizeof(struct vpmu_event),
				    .select = L3_MISSES,
				    .unit = (uint8_t)unit,
				    .layout = (uint8_t)layout,
				    .instance = instance,
				    .user = 1,
				    .kernel = 1 };
}

static enum vpmu_health start(struct host *host, struct vpmu_event e)
{
	const struct vpmu_backend_ops *ops = vpmu_backend_perf();
	enum vpmu_health health;
	void *priv;

	CU_ASSERT_EQUAL_FATAL(ops->open(host->perf, 0, 1, &priv), 0);
	host->opens = 0;
	health = ops->start(priv, 0, &e, 0);
	ops->close(priv);
	return health;
}

static bool says(const struct host *host, enum vpmu_unit unit, const char *what)
{
	return strstr(vpmu_perf_describe_unit(host->perf, unit), what);
}

static void off_unless_asked(void)
{
	struct host host = { .refuse = 0 };

	begin(&host, 0);
	CU_ASSERT_EQUAL(host.opens, 0);
	CU_ASSERT_TRUE(says(&host, VPMU_UNIT_L3, "switched off"));
	CU_ASSERT_EQUAL(start(&host, event(VPMU_UNIT_L3, VPMU_LAYOUT_F17H, 0)),
			VPMU_HEALTH_UNAVAILABLE);
	CU_ASSERT_EQUAL(host.opens, 0);
	end(&host);
}

static void found_and_passed_on(void)
{
	struct host host = { .refuse = 0 };

	begin(&host, VPMU_PERF_UNCORE);
	CU_ASSERT_TRUE(says(&host, VPMU_UNIT_L3, "neighbours"));
	CU_ASSERT_TRUE(says(&host, VPMU_UNIT_NB, "no such perf device"));
	CU_ASSERT_EQUAL(start(&host, event(VPMU_UNIT_L3, VPMU_LAYOUT_F17H, 0)),
			VPMU_HEALTH_HARDWARE);
	CU_ASSERT_EQUAL(host.attr.type, 11);
	CU_ASSERT_EQUAL(host.attr.config, L3_MISSES);
	CU_ASSERT_EQUAL(host.tid, -1);
	CU_ASSERT_EQUAL(host.cpu, 8);
	CU_ASSERT_FALSE(host.attr.exclude_host || host.attr.exclude_guest ||
			host.attr.exclude_user || host.attr.exclude_kernel ||
			host.attr.sample_period);
	CU_ASSERT_EQUAL(start(&host, event(VPMU_UNIT_UMC, VPMU_LAYOUT_V2, 3)),
			VPMU_HEALTH_HARDWARE);
	CU_ASSERT_EQUAL(host.attr.type, 33);
	CU_ASSERT_EQUAL(host.cpu, 0);
	end(&host);
}

/* Selectors are laid out in another way there, or it is another one. */
static void others_are_refused(void)
{
	struct host host = { .refuse = 0 };

	begin(&host, VPMU_PERF_UNCORE);
	CU_ASSERT_EQUAL(start(&host, event(VPMU_UNIT_L3, VPMU_LAYOUT_F19H, 0)),
			VPMU_HEALTH_UNAVAILABLE);
	CU_ASSERT_EQUAL(start(&host, event(VPMU_UNIT_NB, VPMU_LAYOUT_V2, 0)),
			VPMU_HEALTH_UNAVAILABLE);
	CU_ASSERT_EQUAL(start(&host, event(VPMU_UNIT_UMC, VPMU_LAYOUT_V2, 2)),
			VPMU_HEALTH_UNAVAILABLE);
	CU_ASSERT_EQUAL(start(&host,
			      event((enum vpmu_unit)9, VPMU_LAYOUT_V2, 0)),
			VPMU_HEALTH_UNAVAILABLE);
	CU_ASSERT_EQUAL(host.opens, 0);
	end(&host);
}

static void refusal_says_what_to_do(void)
{
	struct host host = { .refuse = -EACCES };

	begin(&host, VPMU_PERF_UNCORE);
	CU_ASSERT_TRUE(
		says(&host, VPMU_UNIT_L3, "kernel.perf_event_paranoid to 0"));
	CU_ASSERT_EQUAL(start(&host, event(VPMU_UNIT_L3, VPMU_LAYOUT_F17H, 0)),
			VPMU_HEALTH_UNAVAILABLE);
	CU_ASSERT_PTR_NOT_NULL(
		strstr(vpmu_perf_describe_unit(host.perf, VPMU_UNIT_CORE),
		       "no such unit"));
	CU_ASSERT_PTR_NOT_NULL(
		strstr(vpmu_perf_describe_unit(host.perf, (enum vpmu_unit)99),
		       "no such unit"));
	end(&host);
}

/* Files that say nothing useful are as none. */
static void odd_files(void)
{
	static const struct file rows[][4] = {
		{ { "amd_l3", "type", "" },
		  { "amd_l3", "cpumask", "0\n" },
		  { "amd_l3", "format/slicemask", "config:48-51\n" } },
		{ { "amd_l3", "type", "-3\n" },
		  { "amd_l3", "cpumask", "0\n" },
		  { "amd_l3", "format/slicemask", "config:48-51\n" } },
		{ { "amd_l3", "type", "99999999999999999999\n" },
		  { "amd_l3", "cpumask", "0\n" },
		  { "amd_l3", "format/slicemask", "config:48-51\n" } },
		{ { "amd_l3", "type", "8\n" },
		  { "amd_l3", "format/slicemask", "config:48-51\n" } },
		{ { "amd_l3", "type", "8\n" },
		  { "amd_l3", "cpumask", "\n" },
		  { "amd_l3", "format/slicemask", "config:48-51\n" } },
		{ { "amd_l3", "type", "8\n" },
		  { "amd_l3", "cpumask", "0\n" },
		  { "amd_l3", "format/slicemask", "config:48-50\n" } },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct host host = { .refuse = 0 };

		begin_files(&host, rows[i], VPMU_PERF_UNCORE);
		CU_ASSERT_TRUE(
			says(&host, VPMU_UNIT_L3, "no such perf device"));
		end(&host);
	}
}

static void wrong_flags(void)
{
	struct vpmu_perf_config c = { .size = sizeof(c), .flags = 2 };
	struct vpmu_perf *perf = NULL;

	CU_ASSERT_EQUAL(vpmu_perf_create(&perf, &c), -EINVAL);
	CU_ASSERT_PTR_NULL(perf);
}

static uint64_t read_of(struct vpmu_vcpu *v, uint32_t msr)
{
	uint64_t value = 0;

	CU_ASSERT_EQUAL(vpmu_rdmsr(v, msr, &value), VPMU_HANDLED);
	return value;
}

/* From the guest's WRMSR to the device and back, seen by another vCPU. */
static void from_guest_to_device(void)
{
	struct host host = { .refuse = 0 };
	struct vpmu_config c = { .size = sizeof(c),
				 .model = "amd-f17h",
				 .backend = vpmu_backend_perf() };
	struct vpmu_vcpu *a, *b;
	struct vpmu *pmu;
	uint64_t value;

	begin(&host, VPMU_PERF_UNCORE);
	c.backend_user = host.perf;
	CU_ASSERT_EQUAL_FATAL(vpmu_create(&pmu, &c), 0);
	CU_ASSERT_EQUAL_FATAL(vpmu_vcpu_create(&a, pmu, 0), 0);
	CU_ASSERT_EQUAL_FATAL(vpmu_vcpu_create(&b, pmu, 1), 0);
	CU_ASSERT_EQUAL(vpmu_wrmsr(a, L3_CTL0, L3_MISSES | CTL_EN),
			VPMU_HANDLED);
	CU_ASSERT_EQUAL(host.attr.config, L3_MISSES);
	for (volatile int i = 0; i < 1000000; i++)
		;
	value = read_of(a, L3_CTR0);
	CU_ASSERT_TRUE(value > 0);
	CU_ASSERT_EQUAL(read_of(b, L3_CTR0), value);
	CU_ASSERT_EQUAL(vpmu_wrmsr(b, L3_CTL0, 0), VPMU_HANDLED);
	value = read_of(b, L3_CTR0);
	for (volatile int i = 0; i < 1000000; i++)
		;
	CU_ASSERT_EQUAL(read_of(a, L3_CTR0), value);
	vpmu_vcpu_destroy(a);
	vpmu_vcpu_destroy(b);
	vpmu_destroy(pmu);
	end(&host);
}

/* Counter 13 is the second of memory controller 3. */
static void controllers_by_number(void)
{
	struct host host = { .refuse = 0 };
	struct vpmu_config c = { .size = sizeof(c),
				 .model = "amd-v2",
				 .backend = vpmu_backend_perf() };
	struct vpmu_vcpu *v;
	struct vpmu *pmu;

	begin(&host, VPMU_PERF_UNCORE);
	c.backend_user = host.perf;
	CU_ASSERT_EQUAL_FATAL(vpmu_create(&pmu, &c), 0);
	CU_ASSERT_EQUAL_FATAL(vpmu_vcpu_create(&v, pmu, 0), 0);
	CU_ASSERT_EQUAL(vpmu_wrmsr(v, UMC_CTL13, 0x30a | BIT(31)),
			VPMU_HANDLED);
	CU_ASSERT_EQUAL(host.attr.type, 33);
	CU_ASSERT_EQUAL(host.attr.config, 0x30a);
	vpmu_vcpu_destroy(v);
	vpmu_destroy(pmu);
	end(&host);
}

static CU_TestInfo tests[] = {
	{ "off unless asked for", off_unless_asked },
	{ "found by layout, the selector passed on", found_and_passed_on },
	{ "no device of another generation", others_are_refused },
	{ "a refusal says what to do", refusal_says_what_to_do },
	{ "odd files are as none", odd_files },
	{ "unknown flags are refused", wrong_flags },
	{ "from the guest's WRMSR to the device", from_guest_to_device },
	{ "memory controllers by number", controllers_by_number },
	CU_TEST_INFO_NULL,
};

CU_SuiteInfo suite_uncore = { .pName = "backend/uncore", .pTests = tests };
