/* SPDX-License-Identifier: Apache-2.0 */
/* core/program.c: what a sampling backend is asked, and what becomes of its
 * answers. */
#include <string.h>

#include "tests/harness.h"

#define TOP48 UINT64_C(0xffffffffffff)

/* The slots are those of vpmu_counter_info(): PMC0.., then FIXED_CTR0... */
static struct mock_slot *slot_of(struct harness *h, unsigned int i)
{
	return &h->host.slots[i];
}

static void slots(void)
{
	struct harness h;

	harness_open_mock(&h, "intel-v5");
	CU_ASSERT_EQUAL(h.host.opens, 1);
	CU_ASSERT_EQUAL(h.host.nslots, 12);
	wrmsr(&h, 0x38f, 0xf000000ff);
	wrmsr(&h, 0x18d, EN | OS | 0xc0);
	wrmsr(&h, 0x38d, 0x1000);
	CU_ASSERT_EQUAL(slot_of(&h, 7)->running, 1);
	CU_ASSERT_EQUAL(slot_of(&h, 7)->event.fixed, 0);
	CU_ASSERT_EQUAL(slot_of(&h, 11)->running, 1);
	CU_ASSERT_EQUAL(slot_of(&h, 11)->event.fixed, 1);
	CU_ASSERT_EQUAL(slot_of(&h, 11)->event.meaning, VPMU_MEAN_SLOTS);
	harness_close(&h);
	CU_ASSERT_EQUAL(h.host.closes, 1);
	CU_ASSERT_EQUAL(slot_of(&h, 7)->running, 0);
}

static void event_fields(void)
{
	const struct vpmu_event *e;
	struct harness h;

	harness_open_mock(&h, "intel-v5");
	wrmsr(&h, 0x186, EN | USR | EDGE | INV | CMASK(3) | 0x412e);
	e = &slot_of(&h, 0)->event;
	CU_ASSERT_EQUAL(e->size, sizeof(*e));
	CU_ASSERT_EQUAL(e->meaning, VPMU_MEAN_LLC_MISSES);
	CU_ASSERT_EQUAL(e->vendor, VPMU_VENDOR_INTEL);
	CU_ASSERT_EQUAL(e->cmask, 3);
	CU_ASSERT_EQUAL(e->select, 0x412e);
	CU_ASSERT_EQUAL(e->user, 1);
	CU_ASSERT_EQUAL(e->kernel, 0);
	CU_ASSERT_EQUAL(e->edge, 1);
	CU_ASSERT_EQUAL(e->inv, 1);
	harness_close(&h);
	harness_open_mock(&h, "amd-f17h");
	wrmsr(&h, 0xc0010200, EN | OS | 0x0100000000 | 0x0187);
	e = &slot_of(&h, 0)->event;
	CU_ASSERT_EQUAL(e->vendor, VPMU_VENDOR_AMD);
	CU_ASSERT_EQUAL(e->meaning, VPMU_MEAN_NOTHING);
	CU_ASSERT_EQUAL(e->select, 0x100000187);
	harness_close(&h);
}

static void reads_are_taken_over(void)
{
	struct harness h;

	harness_open_mock(&h, "intel-v5");
	wrmsr(&h, 0xc1, 100);
	wrmsr(&h, 0x186, EN | OS | 0xc0);
	slot_of(&h, 0)->pending = 7;
	CU_ASSERT_EQUAL(rdpmc(&h, 0), 107);
	slot_of(&h, 0)->pending = 5;
	CU_ASSERT_EQUAL(rdmsr(&h, 0xc1), 112);
	slot_of(&h, 0)->pending = 1;
	vpmu_sync(h.vcpu);
	slot_of(&h, 0)->pending = 1;
	wrmsr(&h, 0x186, OS | 0xc0);
	CU_ASSERT_EQUAL(slot_of(&h, 0)->running, 0);
	CU_ASSERT_EQUAL(rdpmc(&h, 0), 114);
	harness_close(&h);
}

/* A stopped counter costs no call of the backend. */
static void stopped_is_not_read(void)
{
	struct harness h;
	uint32_t reads;

	harness_open_mock(&h, "intel-v5");
	rdpmc(&h, 0);
	rdmsr(&h, 0xc1);
	rdmsr(&h, 0x38e);
	vpmu_sync(h.vcpu);
	CU_ASSERT_EQUAL(slot_of(&h, 0)->reads, 0);
	wrmsr(&h, 0x186, EN | OS | 0xc0);
	wrmsr(&h, 0x186, OS | 0xc0);
	reads = slot_of(&h, 0)->reads;
	slot_of(&h, 0)->pending = 99;
	CU_ASSERT_EQUAL(rdpmc(&h, 0), 0);
	CU_ASSERT_EQUAL(slot_of(&h, 0)->reads, reads);
	/* Nor does reading one counter read another. */
	wrmsr(&h, 0x186, EN | OS | 0xc0);
	wrmsr(&h, 0x187, EN | OS | 0xc0);
	rdpmc(&h, 0);
	CU_ASSERT_EQUAL(slot_of(&h, 1)->reads, 0);
	harness_close(&h);
}

static void same_value_is_no_change(void)
{
	struct harness h;

	harness_open_mock(&h, "intel-v5");
	wrmsr(&h, 0x186, EN | OS | 0xc0);
	wrmsr(&h, 0x186, EN | OS | 0xc0);
	wrmsr(&h, 0x38f, 0xff);
	CU_ASSERT_EQUAL(slot_of(&h, 0)->starts, 1);
	CU_ASSERT_EQUAL(slot_of(&h, 0)->stops, 0);
	/* A disabled selector starts nothing. */
	wrmsr(&h, 0x187, OS | 0xc0);
	wrmsr(&h, 0x187, OS | 0xc4);
	CU_ASSERT_EQUAL(slot_of(&h, 1)->starts, 0);
	harness_close(&h);
}

static void running_write(void)
{
	struct harness h;

	harness_open_mock(&h, "intel-v5");
	wrmsr(&h, 0x186, EN | OS | 0xc0);
	slot_of(&h, 0)->pending = 50; /* before the write: forgotten */
	wrmsr(&h, 0xc1, 1000);
	CU_ASSERT_EQUAL(rdpmc(&h, 0), 1000);
	slot_of(&h, 0)->pending = 3;
	CU_ASSERT_EQUAL(rdpmc(&h, 0), 1003);
	/* What overflowed before the write has overflowed. */
	wrmsr(&h, 0x4c1, TOP48);
	slot_of(&h, 0)->pending = 2;
	wrmsr(&h, 0x4c1, 5);
	CU_ASSERT_EQUAL(rdpmc(&h, 0), 5);
	CU_ASSERT_EQUAL(rdmsr(&h, 0x38e), 1);
	harness_close(&h);
}

static void periods(void)
{
	struct harness h;

	harness_open_mock(&h, "intel-v5");
	/* Without INT nobody waits for the overflow. */
	wrmsr(&h, 0x4c1, TOP48 - 9);
	wrmsr(&h, 0x186, EN | OS | 0xc0);
	CU_ASSERT_EQUAL(slot_of(&h, 0)->period, 0);
	wrmsr(&h, 0x186, EN | OS | INT | 0xc0);
	CU_ASSERT_EQUAL(slot_of(&h, 0)->period, 10);
	/* A new value is a new way to the top. */
	wrmsr(&h, 0x4c1, TOP48);
	CU_ASSERT_EQUAL(slot_of(&h, 0)->period, 1);
	slot_of(&h, 0)->pending = 3;
	vpmu_sync(h.vcpu);
	CU_ASSERT_EQUAL(vpmu_take_pmi(h.vcpu), 1);
	CU_ASSERT_EQUAL(rdmsr(&h, 0x38e), 1);
	CU_ASSERT_EQUAL(rdpmc(&h, 0), 2);
	/* After the overflow it is nearly all the way. */
	CU_ASSERT_EQUAL(slot_of(&h, 0)->period, TOP48 - 1);
	harness_close(&h);
}

/* Status reads bring in overflows that nobody has noticed yet. */
static void status_is_current(void)
{
	struct harness h;

	harness_open_mock(&h, "intel-v5");
	wrmsr(&h, 0x4c1, TOP48);
	wrmsr(&h, 0x186, EN | OS | 0xc0);
	slot_of(&h, 0)->pending = 1;
	CU_ASSERT_EQUAL(rdmsr(&h, 0x38e), 1);
	wrmsr(&h, 0x390, 1);
	wrmsr(&h, 0x4c1, TOP48);
	slot_of(&h, 0)->pending = 1;
	wrmsr(&h, 0x390, 1); /* it happened before: cleared */
	CU_ASSERT_EQUAL(rdmsr(&h, 0x38e), 0);
	harness_close(&h);
}

static void large_deltas(void)
{
	struct harness h;

	harness_open_mock(&h, "intel-v5");
	wrmsr(&h, 0x186, EN | OS | INT | 0xc0);
	slot_of(&h, 0)->pending = (UINT64_C(5) << 48) + 3;
	CU_ASSERT_EQUAL(rdpmc(&h, 0), 3);
	CU_ASSERT_EQUAL(vpmu_take_pmi(h.vcpu), 1);
	CU_ASSERT_EQUAL(vpmu_take_pmi(h.vcpu), 0);
	slot_of(&h, 0)->pending = UINT64_MAX;
	CU_ASSERT_EQUAL(rdpmc(&h, 0), 2);
	harness_close(&h);
}

/* Stopping for the freeze reads the others, which may overflow as well. */
static void freeze_reads_the_others(void)
{
	struct harness h;

	harness_open_mock(&h, "intel-v5");
	wrmsr(&h, 0x1d9, BIT(12));
	wrmsr(&h, 0x4c1, TOP48);
	wrmsr(&h, 0x4c2, TOP48);
	wrmsr(&h, 0x186, EN | OS | INT | 0xc0);
	wrmsr(&h, 0x187, EN | OS | INT | 0xc0);
	slot_of(&h, 0)->pending = 1;
	slot_of(&h, 1)->pending = 4;
	CU_ASSERT_EQUAL(rdpmc(&h, 0), 0);
	CU_ASSERT_EQUAL(slot_of(&h, 0)->running, 0);
	CU_ASSERT_EQUAL(slot_of(&h, 1)->running, 0);
	CU_ASSERT_EQUAL(rdmsr(&h, 0x38e), BIT(59) | 3);
	CU_ASSERT_EQUAL(rdpmc(&h, 1), 3);
	CU_ASSERT_EQUAL(vpmu_take_pmi(h.vcpu), 1);
	wrmsr(&h, 0x390, BIT(59) | 3);
	CU_ASSERT_EQUAL(slot_of(&h, 0)->running, 1);
	CU_ASSERT_EQUAL(slot_of(&h, 1)->running, 1);
	harness_close(&h);
}

/* A WRMSR that stops a counter may find that it has overflowed. */
static void freeze_by_wrmsr(void)
{
	struct harness h;

	harness_open_mock(&h, "intel-v5");
	wrmsr(&h, 0x1d9, BIT(12));
	wrmsr(&h, 0x4c1, TOP48);
	wrmsr(&h, 0x186, EN | OS | INT | 0xc0);
	wrmsr(&h, 0x187, EN | OS | 0xc0);
	slot_of(&h, 0)->pending = 1;
	wrmsr(&h, 0x186, 0);
	CU_ASSERT_EQUAL(slot_of(&h, 1)->running, 0);
	CU_ASSERT_EQUAL(rdmsr(&h, 0x38e), BIT(59) | 1);
	harness_close(&h);
}

static void info_is_current(void)
{
	struct harness h;

	harness_open_mock(&h, "intel-v5");
	wrmsr(&h, 0x186, EN | OS | 0xc0);
	slot_of(&h, 0)->pending = 9;
	CU_ASSERT_EQUAL(counter(&h, "PMC0").value, 9);
	harness_close(&h);
}

static void starved(void)
{
	struct harness h;

	harness_open_mock(&h, "intel-v5");
	wrmsr(&h, 0x186, EN | OS | 0xc0);
	CU_ASSERT_EQUAL(counter(&h, "PMC0").health, VPMU_HEALTH_HARDWARE);
	CU_ASSERT_EQUAL(h.logged, 0);
	slot_of(&h, 0)->health = VPMU_HEALTH_STARVED;
	slot_of(&h, 0)->pending = 3;
	CU_ASSERT_EQUAL(rdpmc(&h, 0), 3);
	CU_ASSERT_EQUAL(counter(&h, "PMC0").health, VPMU_HEALTH_STARVED);
	/* Told once; it does not recover until it is written. */
	CU_ASSERT_EQUAL(h.logged, 1);
	CU_ASSERT_PTR_NOT_NULL(strstr(h.log, "PMC0"));
	CU_ASSERT_PTR_NOT_NULL(strstr(h.log, "instructions"));
	slot_of(&h, 0)->health = VPMU_HEALTH_HARDWARE;
	CU_ASSERT_EQUAL(counter(&h, "PMC0").health, VPMU_HEALTH_STARVED);
	wrmsr(&h, 0xc1, 0);
	CU_ASSERT_EQUAL(counter(&h, "PMC0").health, VPMU_HEALTH_HARDWARE);
	CU_ASSERT_EQUAL(h.logged, 1);
	harness_close(&h);
}

static void unavailable(void)
{
	struct harness h;

	harness_open_mock(&h, "intel-v5");
	h.host.health[VPMU_MEAN_CYCLES] = VPMU_HEALTH_UNAVAILABLE;
	wrmsr(&h, 0x186, EN | OS | 0x3c);
	slot_of(&h, 0)->pending = 1000;
	CU_ASSERT_EQUAL(rdpmc(&h, 0), 0);
	CU_ASSERT_EQUAL(slot_of(&h, 0)->reads, 0);
	CU_ASSERT_EQUAL(counter(&h, "PMC0").health, VPMU_HEALTH_UNAVAILABLE);
	wrmsr(&h, 0x187, EN | OS | 0x3c);
	CU_ASSERT_EQUAL(h.logged, 1);
	/* An event that works takes its place. */
	wrmsr(&h, 0x186, EN | OS | 0xc0);
	wrmsr(&h, 0xc1, 0);
	slot_of(&h, 0)->pending = 5;
	CU_ASSERT_EQUAL(rdpmc(&h, 0), 5);
	CU_ASSERT_EQUAL(counter(&h, "PMC0").health, VPMU_HEALTH_HARDWARE);
	harness_close(&h);
}

/* Problem 37: 0AH:EBX says that it is not available, which is no word about
 * the encoding: it is accepted, and counts as soon as the host does. */
static void unadvertised(void)
{
	struct vpmu_cpuid_regs regs = { 0, 0, 0, 0 };
	struct harness h;

	harness_open_mock(&h, "intel-v5");
	h.pmu->available[VPMU_MEAN_BRANCHES] = VPMU_HEALTH_UNAVAILABLE;
	h.host.health[VPMU_MEAN_BRANCHES] = VPMU_HEALTH_UNAVAILABLE;
	vpmu_cpuid(h.pmu, 0xa, 0, &regs);
	CU_ASSERT_EQUAL(regs.ebx, BIT(5));
	CU_ASSERT_EQUAL(wrmsr(&h, 0x186, EN | OS | 0xc4), VPMU_HANDLED);
	CU_ASSERT_EQUAL(rdmsr(&h, 0x186), EN | OS | 0xc4);
	CU_ASSERT_EQUAL(counter(&h, "PMC0").health, VPMU_HEALTH_UNAVAILABLE);
	h.host.health[VPMU_MEAN_BRANCHES] = VPMU_HEALTH_HARDWARE;
	wrmsr(&h, 0x186, 0);
	wrmsr(&h, 0xc1, 0);
	CU_ASSERT_EQUAL(wrmsr(&h, 0x186, EN | OS | 0xc4), VPMU_HANDLED);
	slot_of(&h, 0)->pending = 7;
	CU_ASSERT_EQUAL(rdpmc(&h, 0), 7);
	CU_ASSERT_EQUAL(counter(&h, "PMC0").health, VPMU_HEALTH_HARDWARE);
	harness_close(&h);
}

/* What a version 6 selector says more; a bit that is none of the counting's
 * business restarts nothing. */
static void fields_of_v6(void)
{
	const struct vpmu_event *e;
	struct harness h;

	harness_open_mock(&h, "intel-v6,tsx=1,user_disable=1");
	CU_ASSERT_EQUAL(h.host.nslots, 14);
	wrmsr(&h, 0x186,
	      EN | OS | BIT(36) | CMASK(2) | UINT64_C(0xa500000000c0));
	e = &slot_of(&h, 0)->event;
	CU_ASSERT_EQUAL(e->eq, 1);
	CU_ASSERT_EQUAL(e->inv, 0);
	CU_ASSERT_EQUAL(e->cmask, 2);
	CU_ASSERT_EQUAL(e->select, UINT64_C(0xa500000000c0));
	CU_ASSERT_EQUAL(e->meaning, VPMU_MEAN_NOTHING);
	wrmsr(&h, 0x186, EN | OS | INV | CMASK(2) | 0xc0);
	CU_ASSERT_EQUAL(e->eq, 0);
	CU_ASSERT_EQUAL(e->inv, 1);
	wrmsr(&h, 0x188, EN | OS | BIT(32) | 0xc0);
	e = &slot_of(&h, 2)->event;
	CU_ASSERT_EQUAL(e->select, BIT(32) | 0xc0);
	wrmsr(&h, 0x187, EN | OS | 0xc0);
	wrmsr(&h, 0x187, EN | OS | BIT(37) | 0xc0);
	CU_ASSERT_EQUAL(slot_of(&h, 1)->starts, 1);
	wrmsr(&h, 0x38f, BIT(35));
	wrmsr(&h, 0x38d, 0x3000);
	wrmsr(&h, 0x38d, 0x7000 | BIT(45));
	CU_ASSERT_EQUAL(slot_of(&h, 13)->starts, 1);
	harness_close(&h);
	/* Slots are numbered without the holes. */
	harness_open_mock(&h, SPARSE);
	CU_ASSERT_EQUAL(h.host.nslots, 6);
	wrmsr(&h, 0x38f, 0x500000093);
	wrmsr(&h, 0x18d, EN | OS | 0xc0);
	wrmsr(&h, 0x38d, 0x100);
	CU_ASSERT_EQUAL(slot_of(&h, 3)->running, 1);
	CU_ASSERT_EQUAL(slot_of(&h, 5)->running, 1);
	CU_ASSERT_EQUAL(slot_of(&h, 5)->event.meaning, VPMU_MEAN_TSC_CYCLES);
	harness_close(&h);
}

static void no_backend(void)
{
	struct harness h;

	harness_open_bare(&h, "amd-f17h");
	wrmsr(&h, 0xc0010200, EN | OS | INT | 0xc0);
	retire(&h, 3, 0);
	vpmu_sync(h.vcpu);
	CU_ASSERT_EQUAL(rdpmc(&h, 0), 0);
	CU_ASSERT_EQUAL(vpmu_wants_retire(h.vcpu), 0);
	CU_ASSERT_EQUAL(counter(&h, "PERF_CTR0").health,
			VPMU_HEALTH_UNAVAILABLE);
	CU_ASSERT_EQUAL(h.logged, 1);
	harness_close(&h);
}

static CU_TestInfo tests[] = {
	{ "slots are numbered as counters are", slots },
	{ "the backend is told meaning, encoding, qualifiers", event_fields },
	{ "deltas add up over reads, sync and stop", reads_are_taken_over },
	{ "a stopped counter is not read", stopped_is_not_read },
	{ "writing the same restarts nothing", same_value_is_no_change },
	{ "writing a running counter", running_write },
	{ "periods end at the overflow", periods },
	{ "38EH shows overflows nobody noticed yet", status_is_current },
	{ "deltas of more than one turn", large_deltas },
	{ "freezing reads the other counters", freeze_reads_the_others },
	{ "a stopping WRMSR may freeze the others", freeze_by_wrmsr },
	{ "vpmu_counter_info() reads the backend", info_is_current },
	{ "a starved counter says so", starved },
	{ "an unavailable event stands still", unavailable },
	{ "an unadvertised event is accepted (problem 37)", unadvertised },
	{ "UMASK2, EQ, IN_TX reach the backend", fields_of_v6 },
	{ "without a backend nothing counts", no_backend },
	CU_TEST_INFO_NULL,
};

CU_SuiteInfo suite_program = { .pName = "core/program", .pTests = tests };
