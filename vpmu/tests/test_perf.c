/* SPDX-License-Identifier: Apache-2.0 */
/*
 * vpmu/backend/perf.c against the host's real software clock, and against
 * hosts that refuse: open_event stands between.
 */
#include <CUnit/CUnit.h>
#include <errno.h>
#include <linux/perf_event.h>
#include <signal.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "tests/suites.h"
#include "vpmu.h"

/* A host without hardware counters, whatever this one has. */
struct host {
	int hardware_error; /* what hardware events get, negative */
	int software_error; /* 0: passed to the kernel */
	int opens;
};

static int open_event(void *user, const void *attr_ptr, int tid, int cpu)
{
	const struct perf_event_attr *attr = attr_ptr;
	struct host *host = user;

	if (attr->type == PERF_TYPE_HARDWARE)
		return host->hardware_error;
	if (host->software_error)
		return host->software_error;
	host->opens++;
	return (int)syscall(SYS_perf_event_open, attr, tid, cpu, -1,
			    PERF_FLAG_FD_CLOEXEC);
}

static struct vpmu_perf *create(struct host *host, uint32_t signal)
{
	struct vpmu_perf_config c = { .size = sizeof(c),
				      .signal = signal,
				      .open_event = open_event,
				      .user = host };
	struct vpmu_perf *perf = NULL;

	CU_ASSERT_EQUAL_FATAL(vpmu_perf_create(&perf, &c), 0);
	return perf;
}

static struct vpmu_event cycles(void)
{
	return (struct vpmu_event){ .size = sizeof(struct vpmu_event),
				    .meaning = VPMU_MEAN_CYCLES,
				    .user = 1,
				    .kernel = 1 };
}

static void spin(void)
{
	for (volatile int i = 0; i < 1000000; i++)
		;
}

static void clock_stands_for_cycles_only(void)
{
	const struct vpmu_backend_ops *ops = vpmu_backend_perf();
	struct host host = { .hardware_error = -ENOENT };
	struct vpmu_perf *perf = create(&host, 0);

	CU_ASSERT_EQUAL(ops->probe(perf, VPMU_MEAN_CYCLES),
			VPMU_HEALTH_APPROXIMATE);
	CU_ASSERT_EQUAL(ops->probe(perf, VPMU_MEAN_REF_CYCLES),
			VPMU_HEALTH_APPROXIMATE);
	CU_ASSERT_EQUAL(ops->probe(perf, VPMU_MEAN_INSTRUCTIONS),
			VPMU_HEALTH_UNAVAILABLE);
	CU_ASSERT_EQUAL(ops->probe(perf, VPMU_MEAN_BRANCHES),
			VPMU_HEALTH_UNAVAILABLE);
	CU_ASSERT_EQUAL(ops->probe(perf, (enum vpmu_meaning)99),
			VPMU_HEALTH_UNAVAILABLE);
	CU_ASSERT_PTR_NOT_NULL(strstr(
		vpmu_perf_describe(perf, VPMU_MEAN_CYCLES), "software clock"));
	vpmu_perf_destroy(perf);
}

static void refusals_say_what_to_do(void)
{
	struct host host = { .hardware_error = -EACCES,
			     .software_error = -EACCES };
	struct vpmu_perf *perf = create(&host, 0);

	for (int i = 1; i < VPMU_MEAN_COUNT; i++)
		CU_ASSERT_EQUAL(
			vpmu_backend_perf()->probe(perf, (enum vpmu_meaning)i),
			VPMU_HEALTH_UNAVAILABLE);
	CU_ASSERT_PTR_NOT_NULL(
		strstr(vpmu_perf_describe(perf, VPMU_MEAN_CYCLES),
		       "kernel.perf_event_paranoid"));
	vpmu_perf_destroy(perf);
}

static void counts_reads_stops(void)
{
	const struct vpmu_backend_ops *ops = vpmu_backend_perf();
	struct host host = { .hardware_error = -ENOENT };
	struct vpmu_perf *perf = create(&host, 0);
	struct vpmu_event e = cycles();
	uint64_t delta = 0;
	void *priv;

	CU_ASSERT_EQUAL_FATAL(ops->open(perf, 0, 2, &priv), 0);
	CU_ASSERT_EQUAL(ops->start(priv, 1, &e, 0), VPMU_HEALTH_APPROXIMATE);
	spin();
	CU_ASSERT_EQUAL(ops->read(priv, 1, &delta), VPMU_HEALTH_APPROXIMATE);
	CU_ASSERT_TRUE(delta > 0);
	ops->stop(priv, 1);
	ops->read(priv, 1, &delta);
	spin();
	ops->read(priv, 1, &delta);
	CU_ASSERT_EQUAL(delta, 0);
	CU_ASSERT_EQUAL(ops->read(priv, 0, &delta), VPMU_HEALTH_UNAVAILABLE);
	ops->close(priv);
	vpmu_perf_destroy(perf);
}

static void same_event_is_not_reopened(void)
{
	const struct vpmu_backend_ops *ops = vpmu_backend_perf();
	struct host host = { .hardware_error = -ENOENT };
	struct vpmu_perf *perf = create(&host, 0);
	struct vpmu_event e = cycles();
	void *priv;
	int before;

	CU_ASSERT_EQUAL_FATAL(ops->open(perf, 0, 1, &priv), 0);
	before = host.opens;
	for (int i = 0; i < 10; i++) {
		ops->start(priv, 0, &e, 0);
		ops->stop(priv, 0);
	}
	CU_ASSERT_EQUAL(host.opens - before, 1);
	ops->close(priv);
	vpmu_perf_destroy(perf);
}

static void what_it_cannot_honour_is_unavailable(void)
{
	const struct vpmu_backend_ops *ops = vpmu_backend_perf();
	struct host host = { .hardware_error = -ENOENT };
	struct vpmu_perf *perf = create(&host, 0);
	struct vpmu_event e = cycles();
	void *priv;

	CU_ASSERT_EQUAL_FATAL(ops->open(perf, 0, 1, &priv), 0);
	e.cmask = 2;
	CU_ASSERT_EQUAL(ops->start(priv, 0, &e, 0), VPMU_HEALTH_UNAVAILABLE);
	e = cycles();
	e.meaning = VPMU_MEAN_BRANCHES;
	CU_ASSERT_EQUAL(ops->start(priv, 0, &e, 0), VPMU_HEALTH_UNAVAILABLE);
	host.software_error = -EMFILE; /* later than at probe time */
	e = cycles();
	CU_ASSERT_EQUAL(ops->start(priv, 0, &e, 0), VPMU_HEALTH_UNAVAILABLE);
	ops->stop(priv, 0);
	ops->close(priv);
	vpmu_perf_destroy(perf);
}

static volatile sig_atomic_t signals;

static void on_signal(int number)
{
	(void)number;
	signals = signals + 1;
}

static void a_period_signals_the_thread(void)
{
	const struct vpmu_backend_ops *ops = vpmu_backend_perf();
	struct host host = { .hardware_error = -ENOENT };
	int number = SIGRTMIN + 3;
	struct vpmu_perf *perf = create(&host, (uint32_t)number);
	struct sigaction act = { .sa_handler = on_signal }, old;
	struct vpmu_event e = cycles();
	void *priv;

	sigaction(number, &act, &old);
	signals = 0;
	CU_ASSERT_EQUAL_FATAL(ops->open(perf, 0, 1, &priv), 0);
	CU_ASSERT_EQUAL(ops->start(priv, 0, &e, 1000000),
			VPMU_HEALTH_APPROXIMATE);
	for (int i = 0; i < 1000 && !signals; i++)
		spin();
	CU_ASSERT_TRUE(signals > 0);
	ops->close(priv);
	vpmu_perf_destroy(perf);
	sigaction(number, &old, NULL);
}

static void config_sizes(void)
{
	struct {
		struct vpmu_perf_config c;
		uint64_t tail;
	} big = { .c.size = sizeof(big) };
	struct vpmu_perf_config none = { .size = 0 };
	struct vpmu_perf *perf = NULL;

	CU_ASSERT_EQUAL(vpmu_perf_create(&perf, &big.c), 0);
	vpmu_perf_destroy(perf);
	big.tail = 1;
	CU_ASSERT_EQUAL(vpmu_perf_create(&perf, &big.c), -E2BIG);
	CU_ASSERT_EQUAL(vpmu_perf_create(&perf, &none), -EINVAL);
	CU_ASSERT_EQUAL(vpmu_perf_create(NULL, &none), -EINVAL);
	vpmu_perf_destroy(NULL);
}

static CU_TestInfo tests[] = {
	{ "without hardware the clock stands for cycles, and only for them",
	  clock_stands_for_cycles_only },
	{ "EACCES: unavailable, and the text says what to do",
	  refusals_say_what_to_do },
	{ "counts while running, stands still when stopped",
	  counts_reads_stops },
	{ "the same event is opened once", same_event_is_not_reopened },
	{ "CMASK, unknown meanings and EMFILE are unavailable",
	  what_it_cannot_honour_is_unavailable },
	{ "a period signals the thread", a_period_signals_the_thread },
	{ "config sizes", config_sizes },
	CU_TEST_INFO_NULL,
};

CU_SuiteInfo suite_perf = { .pName = "backend/perf", .pTests = tests };
