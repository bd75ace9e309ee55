/* SPDX-License-Identifier: Apache-2.0 */
/* core/package.c: the counters that all vCPUs share. Each vCPU has a mock host
 * of its own; at the end, each has a thread of its own. */
#include <pthread.h>
#include <string.h>

#include "tests/harness.h"

#define VCPUS 4
#define TOP48 UINT64_C(0xffffffffffff)
#define FLAG BIT(48)
#define UMC_EN BIT(31)

struct package {
	struct vpmu *pmu;
	struct vpmu_vcpu *vcpu[VCPUS];
	struct mock_host host[VCPUS];
	struct vpmu_backend_ops ops;
};

static int open_vcpu(void *user, uint32_t vcpu, uint32_t nslots, void **priv)
{
	struct mock_host *hosts = user;

	(void)nslots;
	*priv = &hosts[vcpu];
	return 0;
}

static void open_package(struct package *p, const char *model)
{
	struct vpmu_config config = {
		.size = sizeof(config),
		.model = model,
	};

	memset(p, 0, sizeof(*p));
	for (int i = 0; i < VCPUS; i++)
		for (int m = 0; m < VPMU_MEAN_COUNT; m++)
			p->host[i].health[m] = VPMU_HEALTH_HARDWARE;
	p->ops = *vpmu_backend_mock();
	p->ops.open = open_vcpu;
	config.backend = &p->ops;
	config.backend_user = p->host;
	CU_ASSERT_EQUAL_FATAL(vpmu_create(&p->pmu, &config), 0);
	for (uint32_t i = 0; i < VCPUS; i++)
		CU_ASSERT_EQUAL_FATAL(vpmu_vcpu_create(&p->vcpu[i], p->pmu, i),
				      0);
}

static void close_package(struct package *p)
{
	for (int i = 0; i < VCPUS; i++)
		vpmu_vcpu_destroy(p->vcpu[i]);
	vpmu_destroy(p->pmu);
}

static uint64_t get(struct package *p, int i, uint32_t msr)
{
	uint64_t value = UINT64_MAX;

	CU_ASSERT_EQUAL(vpmu_rdmsr(p->vcpu[i], msr, &value), VPMU_HANDLED);
	return value;
}

static void put(struct package *p, int i, uint32_t msr, uint64_t value)
{
	CU_ASSERT_EQUAL(vpmu_wrmsr(p->vcpu[i], msr, value), VPMU_HANDLED);
}

static uint64_t pmc(struct vpmu_vcpu *vcpu, uint32_t ecx)
{
	const struct vpmu_mode kernel = { .cpl = 0, .pe = 1 };
	uint64_t value = UINT64_MAX;

	vpmu_rdpmc(vcpu, ecx, &kernel, &value);
	return value;
}

/* The slot of the counter called `name`, as vCPU i's host sees it. */
static struct mock_slot *slot_of(struct package *p, int i, const char *name)
{
	struct vpmu_counter_info info = { .size = sizeof(info) };

	for (uint32_t k = 0; !vpmu_counter_info(p->vcpu[i], k, &info); k++)
		if (!strcmp(info.name, name))
			return &p->host[i].slots[k];
	CU_FAIL_FATAL("no such counter");
	return NULL;
}

static struct vpmu_counter_info info_of(struct package *p, int i,
					const char *name)
{
	struct vpmu_counter_info info = { .size = sizeof(info) };

	for (uint32_t k = 0; !vpmu_counter_info(p->vcpu[i], k, &info); k++)
		if (!strcmp(info.name, name))
			break;
	return info;
}

/* ---------------------------------------------------------- one set for all */

struct range_row {
	int line;
	const char *model;
	uint32_t first;
	uint32_t n; /* pairs of a selector and a counter */
	uint64_t ctl; /* without En */
};

/* clang-format off */
static const struct range_row ranges[] = {
	{ __LINE__, "amd-f15h", 0xc0010240, 4, 0x1e0 },
	{ __LINE__, "amd-f17h", 0xc0010230, 6, UINT64_C(0xff0f000000000104) },
	{ __LINE__, "amd-f17h", 0xc0010240, 4, 0x3807 },
	{ __LINE__, "amd-v2", 0xc0010230, 6, UINT64_C(0x0300c00000000104) },
	{ __LINE__, "amd-v2", 0xc0010240, 16, 0x1f },
	{ __LINE__, "amd-v2", 0xc0010800, 32, 0x10a },
	{ __LINE__, "amd-zen5", 0xc0010800, 32, 0x10a },
};
/* clang-format on */

static void same_registers(void)
{
	struct package p;

	for (size_t r = 0; r < ARRAY_SIZE(ranges); r++) {
		const struct range_row *row = &ranges[r];

		open_package(&p, row->model);
		for (uint32_t k = 0; k < 2 * row->n; k++) {
			uint64_t value = k & 1 ? 0x1000 + k : row->ctl;
			int writer = (int)(k / 2 % VCPUS);

			put(&p, writer, row->first + k, value);
			for (int i = 0; i < VCPUS; i++)
				CHECK_AT(row->line,
					 get(&p, i, row->first + k) == value);
		}
		/* Each is a register of its own. */
		for (uint32_t k = 0; k < 2 * row->n; k++)
			CHECK_AT(row->line,
				 get(&p, 0, row->first + k) ==
					 (k & 1 ? 0x1000 + k : row->ctl));
		close_package(&p);
	}
}

static void core_is_not_shared(void)
{
	struct package p;

	open_package(&p, "amd-zen5,effreq=1");
	put(&p, 0, 0xc0010200, 0xc0);
	put(&p, 0, 0xc0010201, 5);
	put(&p, 0, 0xc0000301, 1);
	put(&p, 0, 0xc0000303, 1);
	put(&p, 0, 0xc00000e9, 7);
	put(&p, 0, 0xc0010015, BIT(27));
	CU_ASSERT_EQUAL(get(&p, 1, 0xc0010200), 0);
	CU_ASSERT_EQUAL(get(&p, 1, 0xc0010201), 0);
	CU_ASSERT_EQUAL(get(&p, 1, 0xc0000301), 0x3f);
	CU_ASSERT_EQUAL(get(&p, 1, 0xc0000300), 0);
	CU_ASSERT_EQUAL(get(&p, 1, 0xc00000e9), 0);
	CU_ASSERT_EQUAL(get(&p, 1, 0xc0010015), BIT(24));
	close_package(&p);
}

/* --------------------------------------------------------------- counting */

struct unit_row {
	int line;
	const char *model;
	const char *name;
	uint32_t ctl;
	uint64_t enable;
	uint64_t select;
	enum vpmu_unit unit;
	uint32_t ecx; /* UINT32_MAX: none */
};

/* clang-format off */
static const struct unit_row units[] = {
	{ __LINE__, "amd-f15h", "NB_CTR3", 0xc0010246, EN, 0x1e0, VPMU_UNIT_NB, 9 },
	{ __LINE__, "amd-f17h", "NB_CTR0", 0xc0010240, EN, 0x3807, VPMU_UNIT_NB, 6 },
	{ __LINE__, "amd-f17h", "L3_CTR5", 0xc001023a, EN, UINT64_C(0xff0f000000000104), VPMU_UNIT_L3, 15 },
	{ __LINE__, "amd-v2", "NB_CTR4", 0xc0010248, EN, 0x2f0f00ff1f, VPMU_UNIT_NB, 16 },
	{ __LINE__, "amd-v2", "NB_CTR15", 0xc001025e, EN, 0x1f, VPMU_UNIT_NB, 27 },
	{ __LINE__, "amd-v2", "L3_CTR0", 0xc0010230, EN, UINT64_C(0x0300c00000000104), VPMU_UNIT_L3, 10 },
	{ __LINE__, "amd-v2", "UMC_CTR0", 0xc0010800, UMC_EN, 0x10a, VPMU_UNIT_UMC, UINT32_MAX },
	{ __LINE__, "amd-v2", "UMC_CTR31", 0xc001083e, UMC_EN, 0x00a, VPMU_UNIT_UMC, UINT32_MAX },
};
/* clang-format on */

static void owner_counts(struct package *p, const struct unit_row *row)
{
	uint32_t ctr = row->ctl + 1;
	struct mock_slot *a = slot_of(p, 0, row->name);
	struct mock_slot *b = slot_of(p, 1, row->name);

	put(p, 0, row->ctl, row->select);
	CHECK_AT(row->line, !a->starts);
	put(p, 0, row->ctl, row->select | row->enable);
	CHECK_AT(row->line, a->running && !b->starts);
	CHECK_AT(row->line, a->event.unit == row->unit);
	CHECK_AT(row->line, a->event.select == row->select);
	CHECK_AT(row->line, a->event.user && a->event.kernel);
	CHECK_AT(row->line, a->period == 0);
	a->pending = 5;
	/* Another sees what has been brought so far. */
	CHECK_AT(row->line, get(p, 1, ctr) == 0);
	CHECK_AT(row->line, get(p, 0, ctr) == 5);
	CHECK_AT(row->line, get(p, 1, ctr) == 5);
	a->pending = 2;
	vpmu_sync(p->vcpu[0]);
	CHECK_AT(row->line, get(p, 2, ctr) == 7);
	a->pending = 3;
	CHECK_AT(row->line, info_of(p, 0, row->name).value == 10);
	if (row->ecx != UINT32_MAX) {
		a->pending = 4;
		CHECK_AT(row->line, pmc(p->vcpu[1], row->ecx) == 10);
		CHECK_AT(row->line, pmc(p->vcpu[0], row->ecx) == 14);
		CHECK_AT(row->line, pmc(p->vcpu[1], row->ecx) == 14);
	}
	/* Its write forgets what was counted before; another's is added to. */
	a->pending = 9;
	put(p, 0, ctr, 100);
	CHECK_AT(row->line, get(p, 0, ctr) == 100);
	put(p, 1, ctr, 200);
	a->pending = 1;
	CHECK_AT(row->line, get(p, 0, ctr) == 201);
	/* Stopping brings the rest. */
	a->pending = 6;
	put(p, 0, row->ctl, row->select);
	CHECK_AT(row->line, !a->running);
	CHECK_AT(row->line, get(p, 1, ctr) == 207);
}

static void counting(void)
{
	struct package p;

	for (size_t r = 0; r < ARRAY_SIZE(units); r++) {
		open_package(&p, units[r].model);
		owner_counts(&p, &units[r]);
		CHECK_AT(units[r].line, p.vcpu[0]->reg[REG_GLOBAL_STATUS] == 0);
		CHECK_AT(units[r].line, !vpmu_take_pmi(p.vcpu[0]));
		close_package(&p);
	}
}

static void ownership_moves(void)
{
	struct package p;

	for (size_t r = 0; r < ARRAY_SIZE(units); r++) {
		const struct unit_row *row = &units[r];
		uint32_t ctr = row->ctl + 1, starts;
		struct mock_slot *a, *b;

		open_package(&p, row->model);
		a = slot_of(&p, 0, row->name);
		b = slot_of(&p, 1, row->name);
		put(&p, 0, row->ctl, row->select | row->enable);
		a->pending = 5;
		get(&p, 0, ctr);
		put(&p, 1, row->ctl, row->select | row->enable);
		CHECK_AT(row->line, b->running);
		/* What the old owner counts no longer counts. */
		a->pending = 1000;
		b->pending = 2;
		CHECK_AT(row->line, get(&p, 1, ctr) == 7);
		vpmu_sync(p.vcpu[0]);
		CHECK_AT(row->line, get(&p, 1, ctr) == 7);
		a->pending = 1000;
		CHECK_AT(row->line, get(&p, 0, ctr) == 7);
		CHECK_AT(row->line, !a->running);
		CHECK_AT(row->line,
			 info_of(&p, 0, row->name).health == VPMU_HEALTH_IDLE);
		/* The way back, by the very value it wrote before. */
		put(&p, 0, row->ctl, row->select | row->enable);
		CHECK_AT(row->line, a->running && a->starts == 2);
		a->pending = 3;
		b->pending = 1000;
		CHECK_AT(row->line, get(&p, 0, ctr) == 10);
		/* And before it has looked: what it counted meanwhile, while
		 * another owned it, is not counted. */
		put(&p, 1, row->ctl, row->select | row->enable);
		a->pending = 1000;
		put(&p, 0, row->ctl, row->select | row->enable);
		CHECK_AT(row->line, get(&p, 0, ctr) == 10);
		a->pending = 1;
		CHECK_AT(row->line, get(&p, 0, ctr) == 11);
		put(&p, 1, row->ctl, row->select | row->enable);
		a->pending = 1000;
		put(&p, 0, row->ctl, row->select);
		CHECK_AT(row->line, get(&p, 0, ctr) == 11);
		put(&p, 0, row->ctl, row->select | row->enable);
		/* One that stops it owns it as well. */
		put(&p, 1, row->ctl, row->select);
		CHECK_AT(row->line, !b->running);
		a->pending = 1000;
		put(&p, 0, ctr, 1);
		CHECK_AT(row->line, !a->running);
		CHECK_AT(row->line, get(&p, 2, ctr) == 1);
		/* Nothing starts it again but a write of the selector. */
		starts = a->starts;
		vpmu_wrmsr(p.vcpu[0], 0xc0000301, 0);
		vpmu_wrmsr(p.vcpu[0], 0xc0000301, 0x3f);
		vpmu_set_nested(p.vcpu[0], 1, 0);
		vpmu_reset(p.vcpu[0], VPMU_RESET_INIT);
		CHECK_AT(row->line, !a->running && a->starts == starts);
		close_package(&p);
	}
}

/* Neither PerfCntrGlobalCtl nor a freeze stops them, nor GuestOnly's rules. */
static void ungated(void)
{
	struct package p;
	struct mock_slot *a;

	open_package(&p, "amd-v2,svm=1");
	a = slot_of(&p, 0, "NB_CTR0");
	put(&p, 0, 0xc0000301, 0);
	put(&p, 0, 0xc0010240, EN | 0x1f);
	CU_ASSERT_EQUAL(a->running, 1);
	put(&p, 0, 0xc0000303, BIT(59));
	vpmu_set_nested(p.vcpu[0], 1, 1);
	CU_ASSERT_EQUAL(a->running, 1);
	CU_ASSERT_EQUAL(a->starts, 1);
	a->pending = 3;
	CU_ASSERT_EQUAL(get(&p, 0, 0xc0010241), 3);
	close_package(&p);
}

/* --------------------------------------------------------------- overflow */

struct overflow_row {
	int line;
	const char *model;
	const char *name;
	uint32_t ctl;
	uint64_t enable;
	uint64_t once; /* from the top - 1, after 3 */
	uint64_t twice; /* and after 5 more */
};

/* clang-format off */
static const struct overflow_row overflows[] = {
	{ __LINE__, "amd-f15h", "NB_CTR0", 0xc0010240, EN, 1, 6 },
	{ __LINE__, "amd-v2", "NB_CTR15", 0xc001025e, EN, 1, 6 },
	{ __LINE__, "amd-f17h", "L3_CTR0", 0xc0010230, EN, FLAG | 1, FLAG | 6 },
	{ __LINE__, "amd-v2", "L3_CTR5", 0xc001023a, EN, FLAG | 1, FLAG | 6 },
	{ __LINE__, "amd-v2", "UMC_CTR0", 0xc0010800, UMC_EN, FLAG | TOP48, FLAG | TOP48 },
	{ __LINE__, "amd-v2", "UMC_CTR31", 0xc001083e, UMC_EN, FLAG | TOP48, FLAG | TOP48 },
};
/* clang-format on */

static void overflow(void)
{
	struct package p;

	for (size_t r = 0; r < ARRAY_SIZE(overflows); r++) {
		const struct overflow_row *row = &overflows[r];
		uint32_t ctr = row->ctl + 1;
		struct mock_slot *a;

		open_package(&p, row->model);
		a = slot_of(&p, 0, row->name);
		put(&p, 0, ctr, TOP48 - 1);
		put(&p, 0, row->ctl, row->enable | BIT(20) | 1);
		a->pending = 1;
		CHECK_AT(row->line, get(&p, 0, ctr) == TOP48);
		a->pending = 2;
		CHECK_AT(row->line, get(&p, 0, ctr) == row->once);
		a->pending = 5;
		CHECK_AT(row->line, get(&p, 0, ctr) == row->twice);
		CHECK_AT(row->line, get(&p, 1, ctr) == row->twice);
		/* A write clears the flag, or sets it. */
		put(&p, 1, ctr, 0);
		a->pending = 4;
		CHECK_AT(row->line, get(&p, 0, ctr) == 4);
		put(&p, 1, ctr, FLAG | 4);
		a->pending = 4;
		CHECK_AT(row->line,
			 get(&p, 0, ctr) == (8 | (row->once & FLAG)));
		CHECK_AT(row->line, !vpmu_take_pmi(p.vcpu[0]));
		CHECK_AT(row->line, p.vcpu[0]->reg[REG_GLOBAL_STATUS] == 0);
		close_package(&p);
	}
}

/* ---------------------------------------------------------- life of a vCPU */

static void later_vcpus(void)
{
	struct package p;
	struct mock_slot *a;

	open_package(&p, "amd-v2");
	vpmu_vcpu_destroy(p.vcpu[3]);
	a = slot_of(&p, 0, "NB_CTR2");
	put(&p, 0, 0xc0010244, EN | 0x1f);
	put(&p, 0, 0xc0010245, 50);
	CU_ASSERT_EQUAL_FATAL(vpmu_vcpu_create(&p.vcpu[3], p.pmu, 3), 0);
	CU_ASSERT_EQUAL(get(&p, 3, 0xc0010244), EN | 0x1f);
	CU_ASSERT_EQUAL(get(&p, 3, 0xc0010245), 50);
	a->pending = 5;
	CU_ASSERT_EQUAL(get(&p, 0, 0xc0010245), 55);
	/* The owner's end brings the rest, and takes nothing away. */
	a->pending = 6;
	vpmu_vcpu_destroy(p.vcpu[0]);
	CU_ASSERT_EQUAL(a->running, 0);
	CU_ASSERT_EQUAL(get(&p, 3, 0xc0010244), EN | 0x1f);
	CU_ASSERT_EQUAL(get(&p, 3, 0xc0010245), 61);
	CU_ASSERT_EQUAL_FATAL(vpmu_vcpu_create(&p.vcpu[0], p.pmu, 0), 0);
	CU_ASSERT_EQUAL(get(&p, 0, 0xc0010245), 61);
	close_package(&p);
}

static void resets(void)
{
	struct package p;
	struct mock_slot *a;

	open_package(&p, "amd-v2");
	a = slot_of(&p, 0, "L3_CTR1");
	put(&p, 0, 0xc0010232, EN | 0x104);
	put(&p, 1, 0xc0010233, FLAG | 50);
	put(&p, 1, 0xc0010800, UMC_EN | 0xa);
	for (int i = 0; i < VCPUS; i++)
		vpmu_reset(p.vcpu[i], VPMU_RESET_INIT);
	CU_ASSERT_EQUAL(get(&p, 2, 0xc0010232), EN | 0x104);
	CU_ASSERT_EQUAL(get(&p, 2, 0xc0010233), FLAG | 50);
	CU_ASSERT_EQUAL(a->running, 1);
	a->pending = 1;
	CU_ASSERT_EQUAL(get(&p, 0, 0xc0010233), FLAG | 51);
	/* Another's RESET clears them, and what the owner counts is lost. */
	vpmu_reset(p.vcpu[2], VPMU_RESET_POWER);
	CU_ASSERT_EQUAL(get(&p, 1, 0xc0010232), 0);
	CU_ASSERT_EQUAL(get(&p, 1, 0xc0010233), 0);
	CU_ASSERT_EQUAL(get(&p, 0, 0xc0010800), 0);
	a->pending = 1000;
	CU_ASSERT_EQUAL(get(&p, 0, 0xc0010233), 0);
	CU_ASSERT_EQUAL(a->running, 0);
	/* And its own. */
	put(&p, 0, 0xc0010232, EN | 0x104);
	a->pending = 1000;
	vpmu_reset(p.vcpu[0], VPMU_RESET_POWER);
	CU_ASSERT_EQUAL(a->running, 0);
	CU_ASSERT_EQUAL(get(&p, 0, 0xc0010233), 0);
	close_package(&p);
}

/* An event that nobody counts stands still and says so, until written. */
static void health(void)
{
	struct harness h;

	harness_open(&h, "amd-v2");
	wrmsr(&h, 0xc0010240, EN | 0x1f);
	retire(&h, 5, 0);
	CU_ASSERT_EQUAL(rdpmc(&h, 6), 0);
	CU_ASSERT_EQUAL(vpmu_wants_retire(h.vcpu), 0);
	CU_ASSERT_EQUAL(counter(&h, "NB_CTR0").health, VPMU_HEALTH_UNAVAILABLE);
	wrmsr(&h, 0xc0010240, 0);
	CU_ASSERT_EQUAL(counter(&h, "NB_CTR0").health, VPMU_HEALTH_UNAVAILABLE);
	wrmsr(&h, 0xc0010241, 0);
	CU_ASSERT_EQUAL(counter(&h, "NB_CTR0").health, VPMU_HEALTH_IDLE);
	harness_close(&h);
}

/* ---------------------------------------------------------------- threads */

#define ROUNDS 20000
#define LAST UINT64_C(3000000)
#define TWIN UINT64_C(0x1000001)

/* Both halves of 48 bits are the same: a torn value shows. */
static uint64_t twin(uint64_t x)
{
	return (x & 0xffffff) * TWIN;
}

static bool torn(uint64_t value)
{
	return (value & 0xffffff) != (value >> 24 & 0xffffff);
}

/* All begin together. */
struct start {
	pthread_barrier_t barrier;
	_Atomic bool done; /* by the one that the others wait for */
};

struct worker {
	pthread_t thread;
	struct start *start;
	struct package *p;
	struct vpmu_vcpu *vcpu;
	uint32_t i;
	uint64_t x; /* xorshift64 */
	unsigned int torn;
	unsigned int lost;
	unsigned int failed;
};

static uint64_t dice(struct worker *w)
{
	w->x ^= w->x << 13;
	w->x ^= w->x >> 7;
	w->x ^= w->x << 17;
	return w->x;
}

static uint64_t load(struct worker *w, uint32_t msr)
{
	uint64_t value = 0;

	w->failed += vpmu_rdmsr(w->vcpu, msr, &value) != VPMU_HANDLED;
	return value;
}

static void store(struct worker *w, uint32_t msr, uint64_t value)
{
	w->failed += vpmu_wrmsr(w->vcpu, msr, value) != VPMU_HANDLED;
}

/* Each look at a running counter finds one event more, in both halves. */
static enum vpmu_health twin_read(void *priv, uint32_t slot, uint64_t *delta)
{
	struct mock_host *host = priv;

	host->slots[slot].reads++;
	*delta = TWIN;
	return VPMU_HEALTH_HARDWARE;
}

static void run_threads(struct package *p, void *(*body)(void *),
			struct worker workers[VCPUS])
{
	struct start start = { .done = false };

	pthread_barrier_init(&start.barrier, NULL, VCPUS);
	for (uint32_t i = 0; i < VCPUS; i++) {
		workers[i] = (struct worker){
			.start = &start,
			.p = p,
			.vcpu = p->vcpu[i],
			.i = i,
			.x = i + 1,
		};
		CU_ASSERT_EQUAL_FATAL(pthread_create(&workers[i].thread, NULL,
						     body, &workers[i]),
				      0);
	}
	for (int i = 0; i < VCPUS; i++) {
		pthread_join(workers[i].thread, NULL);
		CU_ASSERT_EQUAL(workers[i].failed, 0);
		CU_ASSERT_EQUAL(workers[i].torn, 0);
		CU_ASSERT_EQUAL(workers[i].lost, 0);
	}
	pthread_barrier_destroy(&start.barrier);
}

/* All write and read the same stopped counters and selectors: L3 0, NB 4, UMC 0
 * by RDMSR, the first two by RDPMC; NB 5's selector in bits 35:32 and 3:0. */
static void *hammer(void *arg)
{
	static const uint32_t msrs[] = { 0xc0010231, 0xc0010249, 0xc0010801 };
	struct worker *w = arg;

	pthread_barrier_wait(&w->start->barrier);
	for (int n = 0; n < ROUNDS; n++) {
		uint64_t x = dice(w);
		uint64_t select;

		store(w, msrs[x % 3], twin(x >> 8));
		w->torn += torn(load(w, msrs[(x >> 4) % 3]));
		w->torn += torn(pmc(w->vcpu, 10));
		w->torn += torn(pmc(w->vcpu, 16));
		x = x >> 32 & 0xf;
		store(w, 0xc001024a, x << 32 | x);
		select = load(w, 0xc001024a);
		w->torn += (select >> 32) != (select & 0xf);
	}
	return NULL;
}

static void never_torn(void)
{
	struct worker workers[VCPUS];
	struct package p;

	open_package(&p, "amd-v2");
	run_threads(&p, hammer, workers);
	close_package(&p);
}

/* vCPU i owns NB i; all look at all. */
static void *count_and_look(void *arg)
{
	struct worker *w = arg;

	pthread_barrier_wait(&w->start->barrier);
	store(w, 0xc0010240 + 2 * w->i, EN | 0x1f);
	for (int n = 0; n < ROUNDS; n++)
		for (uint32_t i = 0; i < VCPUS; i++) {
			uint64_t value = dice(w) & 1
						 ? pmc(w->vcpu, 6 + i)
						 : load(w, 0xc0010241 + 2 * i);

			w->torn += torn(value);
		}
	store(w, 0xc0010240 + 2 * w->i, 0);
	return NULL;
}

static void totals(void)
{
	struct worker workers[VCPUS];
	struct package p;

	open_package(&p, "amd-v2");
	/* A copy of the ops is what the library calls. */
	p.pmu->ops.read = twin_read;
	run_threads(&p, count_and_look, workers);
	for (int i = 0; i < VCPUS; i++) {
		char name[] = {
			'N', 'B', '_', 'C', 'T', 'R', (char)('0' + i), 0
		};
		uint64_t looks = slot_of(&p, i, name)->reads;

		CU_ASSERT_TRUE(looks >= ROUNDS);
		CU_ASSERT_EQUAL(get(&p, 0, 0xc0010241 + 2 * (uint32_t)i),
				twin(looks));
	}
	close_package(&p);
}

/* vCPU 0's counter goes up while vCPU 1 raises its upper half: neither loses
 * what the other does. The others take turns to own another, which runs. */
static void raise_upper_half(struct worker *w)
{
	for (uint64_t n = 1; n <= LAST; n++) {
		store(w, 0xc0010241, n << 24);
		w->lost += load(w, 0xc0010241) < n << 24;
	}
	atomic_store(&w->start->done, true);
}

static void *count_and_write(void *arg)
{
	struct worker *w = arg;

	if (w->i == 0)
		store(w, 0xc0010240, EN | 0x1f);
	pthread_barrier_wait(&w->start->barrier);
	if (w->i == 1) {
		raise_upper_half(w);
		return NULL;
	}
	for (uint64_t n = 0; !atomic_load(&w->start->done); n++) {
		if (w->i == 0) {
			load(w, 0xc0010241);
			continue;
		}
		if (n >= ROUNDS)
			break; /* leave the processors to those two */
		store(w, 0xc0010242, EN | (n & 0xff));
		w->torn += torn(load(w, 0xc0010243));
		if (!(n & 0xff))
			store(w, 0xc0010243, 0);
	}
	return NULL;
}

static enum vpmu_health one_read(void *priv, uint32_t slot, uint64_t *delta)
{
	struct mock_host *host = priv;

	host->slots[slot].reads++;
	/* Slot order: core 0 to 5, L3 0 to 5, NB. */
	*delta = slot == 12 ? 1 : TWIN;
	return VPMU_HEALTH_HARDWARE;
}

static void writes_are_not_lost(void)
{
	struct worker workers[VCPUS];
	struct package p;

	open_package(&p, "amd-v2");
	CU_ASSERT_PTR_EQUAL(slot_of(&p, 0, "NB_CTR0"), &p.host[0].slots[12]);
	p.pmu->ops.read = one_read;
	run_threads(&p, count_and_write, workers);
	CU_ASSERT_TRUE(get(&p, 1, 0xc0010241) >= LAST << 24);
	close_package(&p);
}

/* Everything at once, RESET and INIT too: for the sanitizer. */
static void *storm(void *arg)
{
	struct worker *w = arg;

	pthread_barrier_wait(&w->start->barrier);
	for (int n = 0; n < ROUNDS; n++) {
		uint64_t x = dice(w);
		uint32_t msr = (uint32_t[]){ 0xc0010230, 0xc0010240, 0xc0010800,
					     0xc0010200 }[x & 3] +
			       (uint32_t)(x >> 2) % 12;
		struct vpmu_counter_info info = { .size = sizeof(info) };

		if (x & 0x100)
			store(w, msr, dice(w));
		else
			load(w, msr);
		pmc(w->vcpu, (uint32_t)(x >> 16) % 28);
		vpmu_counter_info(w->vcpu, (uint32_t)(x >> 24) % 60, &info);
		if (!(x & 0xff00))
			vpmu_reset(w->vcpu, x & 0x10 ? VPMU_RESET_POWER
						     : VPMU_RESET_INIT);
		vpmu_set_nested(w->vcpu, x & 0x20, x & 0x40);
		vpmu_sync(w->vcpu);
	}
	return NULL;
}

static void storms(void)
{
	struct worker workers[VCPUS];
	struct package p;

	open_package(&p, "amd-v2,svm=1");
	p.pmu->ops.read = twin_read;
	run_threads(&p, storm, workers);
	close_package(&p);
}

static CU_TestInfo tests[] = {
	{ "vCPUs see the same shared registers", same_registers },
	{ "and each its own core registers", core_is_not_shared },
	{ "the owner counts, and brings it when it looks", counting },
	{ "who writes the selector owns the counter", ownership_moves },
	{ "neither GlobalCtl nor a freeze stops them", ungated },
	{ "NB wraps, L3 flags it, UMC stops at the top", overflow },
	{ "a vCPU's beginning and end clear nothing", later_vcpus },
	{ "RESET clears them, INIT does not", resets },
	{ "what nobody counts says so until written", health },
	{ "threads: no value is torn", never_torn },
	{ "threads: totals are right", totals },
	{ "threads: no write is lost", writes_are_not_lost },
	{ "threads: a storm with RESET (problem 56)", storms },
	CU_TEST_INFO_NULL,
};

CU_SuiteInfo suite_amd_package = { .pName = "amd/package", .pTests = tests };
