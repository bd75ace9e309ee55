/* SPDX-License-Identifier: Apache-2.0 */
/* vmm/stop.c, by threads that play vCPUs. */
#include <sched.h>
#include <stdatomic.h>
#include <time.h>

#include "stop.h"
#include "suites.h"

#define VCPUS 4
#define HOLDS 200 /* by each */

struct crowd {
	struct stop stop;
	atomic_int in_guest;
	atomic_int broken; /* how often somebody was in the guest while held */
	atomic_int kicks;
	atomic_bool kicked[VCPUS];
	struct vcpu_thread {
		struct crowd *crowd;
		unsigned int index;
		unsigned int holds;
		bool kickable;
		pthread_t thread;
	} vcpus[VCPUS];
};

static void kick(void *user, unsigned int except)
{
	struct crowd *c = user;

	atomic_fetch_add(&c->kicks, 1);
	for (unsigned int i = 0; i < VCPUS; i++)
		if (i != except && c->vcpus[i].kickable)
			atomic_store(&c->kicked[i], true);
}

/* As KVM_RUN: stays until kicked, or a while. */
static void guest(struct crowd *c, unsigned int index)
{
	atomic_fetch_add(&c->in_guest, 1);
	for (int i = 0; i < 20 && !atomic_load(&c->kicked[index]); i++)
		sched_yield();
	atomic_store(&c->kicked[index], false);
	atomic_fetch_sub(&c->in_guest, 1);
}

static void *vcpu(void *user)
{
	struct vcpu_thread *v = user;
	struct crowd *c = v->crowd;

	stop_join(&c->stop, &v->kickable);
	while (stop_pass(&c->stop, v->index)) {
		if (v->holds) {
			v->holds--;
			stop_hold(&c->stop, v->index);
			for (int i = 0; i < 5; i++) {
				if (atomic_load(&c->in_guest))
					atomic_fetch_add(&c->broken, 1);
				sched_yield();
			}
			stop_release(&c->stop);
		}
		guest(c, v->index);
	}
	stop_leave(&c->stop, &v->kickable);
	return NULL;
}

static void start(struct crowd *c, unsigned int holds)
{
	*c = (struct crowd){ 0 };
	CU_ASSERT_EQUAL_FATAL(stop_init(&c->stop, kick, c), 0);
	for (unsigned int i = 0; i < VCPUS; i++)
		c->vcpus[i] = (struct vcpu_thread){ .crowd = c,
						    .index = i,
						    .holds = holds };
	for (unsigned int i = 0; i < VCPUS; i++)
		CU_ASSERT_EQUAL_FATAL(pthread_create(&c->vcpus[i].thread, NULL,
						     vcpu, &c->vcpus[i]),
				      0);
}

/* What the VM ended with. */
static int join(struct crowd *c)
{
	int status;

	for (unsigned int i = 0; i < VCPUS; i++)
		pthread_join(c->vcpus[i].thread, NULL);
	CU_ASSERT_TRUE(stop_wait_left(&c->stop, 0));
	status = stop_status(&c->stop);
	stop_fini(&c->stop);
	return status;
}

static void all_hold_at_once(void)
{
	const struct timespec tick = { .tv_nsec = 1000000 };
	bool busy = true;
	struct crowd c;

	start(&c, HOLDS);
	for (int i = 0; i < 20000 && busy; i++) {
		nanosleep(&tick, NULL);
		busy = atomic_load(&c.kicks) < VCPUS * HOLDS;
	}
	CU_ASSERT_FALSE(busy);
	stop_end(&c.stop, 5);
	CU_ASSERT_EQUAL(join(&c), 5);
	CU_ASSERT_EQUAL(atomic_load(&c.broken), 0);
}

static void first_status_counts(void)
{
	struct crowd c;

	start(&c, 0);
	stop_end(&c.stop, 43);
	stop_end(&c.stop, 8);
	CU_ASSERT_EQUAL(join(&c), 43);
}

static void ending_while_held(void)
{
	struct crowd c;

	start(&c, 1000000);
	stop_end(&c.stop, 6);
	CU_ASSERT_EQUAL(join(&c), 6);
	CU_ASSERT_EQUAL(atomic_load(&c.broken), 0);
}

static void waits_no_longer_than_said(void)
{
	bool flag = false;
	struct crowd c = { 0 };

	CU_ASSERT_EQUAL_FATAL(stop_init(&c.stop, kick, &c), 0);
	stop_join(&c.stop, &flag);
	CU_ASSERT_TRUE(flag);
	CU_ASSERT_FALSE(stop_wait_left(&c.stop, 1100));
	stop_leave(&c.stop, &flag);
	CU_ASSERT_FALSE(flag);
	CU_ASSERT_TRUE(stop_wait_left(&c.stop, 0));
	stop_fini(&c.stop);
}

static CU_TestInfo tests[] = {
	{ "four who hold at once take turns, and nobody runs meanwhile",
	  all_hold_at_once },
	{ "the first status counts", first_status_counts },
	{ "the end comes through while vCPUs are held", ending_while_held },
	{ "waiting for those who do not leave has an end",
	  waits_no_longer_than_said },
	CU_TEST_INFO_NULL,
};

CU_SuiteInfo suite_stop = { .pName = "stop", .pTests = tests };
