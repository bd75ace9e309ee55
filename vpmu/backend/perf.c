/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Counting by host perf events: hardware ones where the host grants them, the
 * software clock for cycle-like meanings where it does not. What neither can
 * count is unavailable and says why.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "backend/uncore.h"
#include "core/internal.h"

/* ------------------------------------------------------ what can be counted */

/*
 * The host's name of a meaning, and whether a thread's nanoseconds can stand
 * for it. Meanings without a row have no portable perf event.
 */
struct host_event {
	enum vpmu_meaning meaning;
	uint64_t config; /* PERF_TYPE_HARDWARE */
	bool clock;
};

/* clang-format off */
static const struct host_event host_events[] = {
	{ VPMU_MEAN_CYCLES,           PERF_COUNT_HW_CPU_CYCLES, true },
	{ VPMU_MEAN_INSTRUCTIONS,     PERF_COUNT_HW_INSTRUCTIONS, false },
	{ VPMU_MEAN_REF_CYCLES,       PERF_COUNT_HW_REF_CPU_CYCLES, true },
	{ VPMU_MEAN_LLC_REFERENCES,   PERF_COUNT_HW_CACHE_REFERENCES, false },
	{ VPMU_MEAN_LLC_MISSES,       PERF_COUNT_HW_CACHE_MISSES, false },
	{ VPMU_MEAN_BRANCHES,         PERF_COUNT_HW_BRANCH_INSTRUCTIONS, false },
	{ VPMU_MEAN_BRANCH_MISSES,    PERF_COUNT_HW_BRANCH_MISSES, false },
	{ VPMU_MEAN_TSC_CYCLES,       PERF_COUNT_HW_REF_CPU_CYCLES, true },
	{ VPMU_MEAN_STALLED_FRONTEND, PERF_COUNT_HW_STALLED_CYCLES_FRONTEND, false },
	{ VPMU_MEAN_STALLED_BACKEND,  PERF_COUNT_HW_STALLED_CYCLES_BACKEND, false },
};
/* clang-format on */

/* How a meaning is counted here. */
struct counting {
	enum vpmu_health health;
	uint32_t type; /* perf_event_attr.type */
	uint64_t config;
	char text[120];
};

struct vpmu_perf {
	struct vpmu_perf_config config;
	struct counting how[VPMU_MEAN_COUNT];
	struct counting unit[VPMU_UNIT_COUNT];
	struct vpmu_uncore_device device[VPMU_UNCORE_DEVICES];
	uint32_t ndevices;
};

static int open_event(const struct vpmu_perf *perf,
		      const struct perf_event_attr *attr, int tid, int cpu)
{
	long fd;

	if (perf->config.open_event)
		return perf->config.open_event(perf->config.user, attr, tid,
					       cpu);
	fd = syscall(SYS_perf_event_open, attr, tid, cpu, -1,
		     PERF_FLAG_FD_CLOEXEC);
	return fd < 0 ? -errno : (int)fd;
}

static void fill_attr(struct perf_event_attr *attr, const struct counting *how,
		      bool user, bool kernel, uint64_t period)
{
	memset(attr, 0, sizeof(*attr));
	attr->size = sizeof(*attr);
	attr->type = how->type;
	attr->config = how->config;
	attr->disabled = 1;
	attr->exclude_host = 1; /* guest only, where the host can */
	attr->read_format =
		PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
	if (how->health == VPMU_HEALTH_HARDWARE) {
		attr->exclude_user = !user;
		attr->exclude_kernel = !kernel;
		attr->pinned = 1;
	}
	attr->sample_period = period;
	attr->wakeup_events = period ? 1 : 0;
}

static int try_counting(const struct vpmu_perf *perf,
			const struct counting *how)
{
	struct perf_event_attr attr;
	int fd;

	fill_attr(&attr, how, true, true, 0);
	fd = open_event(perf, &attr, 0, -1);
	if (fd < 0)
		return fd;
	close(fd);
	return 0;
}

static const char *why_not(int err)
{
	switch (-err) {
	case EACCES:
	case EPERM:
		return "not permitted: lower kernel.perf_event_paranoid or "
		       "grant CAP_PERFMON";
	case ENOENT:
	case EOPNOTSUPP:
	case ENODEV:
		return "this host has no hardware counter for it";
	case ENOSYS:
		return "perf_event_open(2) is not there";
	case EMFILE:
	case ENFILE:
		return "too many open files: raise the limit";
	default:
		return strerror(-err);
	}
}

static void describe(struct counting *how, enum vpmu_health health,
		     const char *by, const char *why)
{
	how->health = health;
	snprintf(how->text, sizeof(how->text), "%s%s%s", by, why[0] ? "; " : "",
		 why);
}

static void find_counting(struct vpmu_perf *perf, const struct host_event *e)
{
	struct counting *how = &perf->how[e->meaning];
	const char *why;
	int err;

	how->health = VPMU_HEALTH_HARDWARE;
	how->type = PERF_TYPE_HARDWARE;
	how->config = e->config;
	err = try_counting(perf, how);
	if (!err) {
		describe(how, VPMU_HEALTH_HARDWARE, "hardware counter", "");
		return;
	}
	why = why_not(err);
	how->type = PERF_TYPE_SOFTWARE;
	how->config = PERF_COUNT_SW_TASK_CLOCK;
	how->health = VPMU_HEALTH_APPROXIMATE;
	if (e->clock && !try_counting(perf, how))
		describe(how, VPMU_HEALTH_APPROXIMATE,
			 "software clock (ns of the thread)", why);
	else
		describe(how, VPMU_HEALTH_UNAVAILABLE, "not counted", why);
}

/* A device counts by CPU, for all that runs there, with no filter. */
static void fill_device_attr(struct perf_event_attr *attr,
			     const struct vpmu_uncore_device *device,
			     uint64_t select)
{
	memset(attr, 0, sizeof(*attr));
	attr->size = sizeof(*attr);
	attr->type = device->type;
	attr->config = select;
	attr->disabled = 1;
	attr->read_format =
		PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
}

static void try_device(struct vpmu_perf *perf,
		       const struct vpmu_uncore_device *device)
{
	struct counting *unit = &perf->unit[device->unit];
	struct perf_event_attr attr;
	int fd;

	fill_device_attr(&attr, device, 0);
	fd = open_event(perf, &attr, -1, device->cpu);
	if (fd < 0) {
		describe(unit, VPMU_HEALTH_UNAVAILABLE, "not counted",
			 fd == -EACCES || fd == -EPERM
				 ? "not permitted: set "
				   "kernel.perf_event_paranoid to 0 or less, "
				   "or grant CAP_PERFMON"
				 : why_not(fd));
		return;
	}
	close(fd);
	describe(unit, VPMU_HEALTH_HARDWARE, "the host's counters",
		 "they show its neighbours' activity");
}

static void find_units(struct vpmu_perf *perf)
{
	const char *dir = perf->config.devices;
	bool on = perf->config.flags & VPMU_PERF_UNCORE;

	for (size_t i = 0; i < VPMU_UNIT_COUNT; i++)
		describe(&perf->unit[i], VPMU_HEALTH_UNAVAILABLE, "not counted",
			 on ? "this host has no such perf device"
			    : "switched off");
	if (!on)
		return;
	perf->ndevices = vpmu_uncore_find(
		dir ? dir : "/sys/bus/event_source/devices", perf->device);
	for (uint32_t i = 0; i < perf->ndevices; i++)
		try_device(perf, &perf->device[i]);
}

int vpmu_perf_create(struct vpmu_perf **out, const struct vpmu_perf_config *c)
{
	struct vpmu_perf *perf;
	int ret;

	if (!out || !c)
		return -EINVAL;
	*out = NULL;
	perf = calloc(1, sizeof(*perf));
	if (!perf)
		return -ENOMEM;
	ret = vpmu_copy_in(&perf->config, sizeof(perf->config), c);
	if (!ret && perf->config.flags & ~VPMU_PERF_UNCORE)
		ret = -EINVAL;
	if (ret) {
		free(perf);
		return ret;
	}
	for (size_t i = 0; i < VPMU_MEAN_COUNT; i++)
		describe(&perf->how[i], VPMU_HEALTH_UNAVAILABLE, "not counted",
			 "perf has no such event");
	for (size_t i = 0; i < ARRAY_SIZE(host_events); i++)
		find_counting(perf, &host_events[i]);
	find_units(perf);
	*out = perf;
	return 0;
}

void vpmu_perf_destroy(struct vpmu_perf *perf)
{
	free(perf);
}

const char *vpmu_perf_describe(const struct vpmu_perf *perf,
			       enum vpmu_meaning meaning)
{
	if ((unsigned int)meaning >= VPMU_MEAN_COUNT)
		return "not counted; no such meaning";
	return perf->how[meaning].text;
}

const char *vpmu_perf_describe_unit(const struct vpmu_perf *perf,
				    enum vpmu_unit unit)
{
	if (unit == VPMU_UNIT_CORE || (unsigned int)unit >= VPMU_UNIT_COUNT)
		return "not counted; no such unit";
	return perf->unit[unit].text;
}

/* ------------------------------------------------------------- the backend */

/* A slot's host event; kept open, and reused while it fits. */
struct slot {
	int fd; /* -1: none */
	struct vpmu_event event;
	bool sampling;
	uint64_t last; /* value at the last read */
	enum vpmu_health health;
};

struct vcpu {
	const struct vpmu_perf *perf;
	int tid;
	uint32_t nslots;
	struct slot slots[];
};

static enum vpmu_health perf_probe(void *user, enum vpmu_meaning meaning)
{
	const struct vpmu_perf *perf = user;

	if ((unsigned int)meaning >= VPMU_MEAN_COUNT)
		return VPMU_HEALTH_UNAVAILABLE;
	return perf->how[meaning].health;
}

static int perf_open(void *user, uint32_t vcpu, uint32_t nslots, void **priv)
{
	struct vcpu *v = calloc(1, sizeof(*v) + nslots * sizeof(v->slots[0]));

	(void)vcpu;
	if (!v)
		return -ENOMEM;
	v->perf = user;
	v->tid = (int)syscall(SYS_gettid);
	v->nslots = nslots;
	for (uint32_t i = 0; i < nslots; i++)
		v->slots[i].fd = -1;
	*priv = v;
	return 0;
}

static void drop(struct slot *s)
{
	if (s->fd >= 0)
		close(s->fd);
	s->fd = -1;
}

static void perf_close(void *priv)
{
	struct vcpu *v = priv;

	for (uint32_t i = 0; i < v->nslots; i++)
		drop(&v->slots[i]);
	free(v);
}

/* Have the signal sent to the vCPU's thread, not to any of the process. */
static int route_signal(const struct vcpu *v, int fd)
{
	struct f_owner_ex owner = { .type = F_OWNER_TID, .pid = v->tid };
	int flags = fcntl(fd, F_GETFL);

	if (flags < 0 || fcntl(fd, F_SETOWN_EX, &owner) ||
	    fcntl(fd, F_SETSIG, v->perf->config.signal) ||
	    fcntl(fd, F_SETFL, flags | O_ASYNC))
		return -errno;
	return 0;
}

static const struct vpmu_uncore_device *device_of(const struct vcpu *v,
						  const struct vpmu_event *e)
{
	return vpmu_uncore_for(v->perf->device, v->perf->ndevices, e);
}

static int open_slot(const struct vcpu *v, struct slot *s,
		     const struct vpmu_event *e, uint64_t period)
{
	const struct vpmu_uncore_device *device = NULL;
	struct perf_event_attr attr;

	if (e->unit == VPMU_UNIT_CORE) {
		fill_attr(&attr, &v->perf->how[e->meaning], e->user, e->kernel,
			  period);
		s->fd = open_event(v->perf, &attr, v->tid, -1);
	} else {
		device = device_of(v, e);
		fill_device_attr(&attr, device, e->select);
		s->fd = open_event(v->perf, &attr, -1, device->cpu);
	}
	if (s->fd < 0)
		return s->fd;
	if (period && route_signal(v, s->fd)) {
		drop(s);
		return -EIO;
	}
	s->event = *e;
	s->sampling = period != 0;
	return 0;
}

static bool fits(const struct slot *s, const struct vpmu_event *e,
		 uint64_t period)
{
	const struct vpmu_event *now = &s->event;

	if (s->fd < 0 || s->sampling != (period != 0) || now->unit != e->unit)
		return false;
	if (e->unit == VPMU_UNIT_CORE)
		return now->meaning == e->meaning && !now->user == !e->user &&
		       !now->kernel == !e->kernel;
	return now->select == e->select;
}

/* The value so far; false if the event was starved out (read gives 0 bytes). */
static bool value_of(const struct slot *s, uint64_t *value, bool *starved)
{
	uint64_t buf[3]; /* value, time enabled, time running */

	if (read(s->fd, buf, sizeof(buf)) != (ssize_t)sizeof(buf))
		return false;
	*value = buf[0];
	*starved = buf[2] < buf[1];
	return true;
}

/* CMASK, INV and E need the host's own selector: no portable event has them. */
static enum vpmu_health countable(const struct vcpu *v,
				  const struct vpmu_event *e)
{
	if (e->unit != VPMU_UNIT_CORE)
		return e->unit < VPMU_UNIT_COUNT && device_of(v, e)
			       ? v->perf->unit[e->unit].health
			       : VPMU_HEALTH_UNAVAILABLE;
	if (e->meaning >= VPMU_MEAN_COUNT || e->cmask || e->inv || e->edge ||
	    e->eq)
		return VPMU_HEALTH_UNAVAILABLE;
	return v->perf->how[e->meaning].health;
}

static enum vpmu_health perf_start(void *priv, uint32_t slot,
				   const struct vpmu_event *e, uint64_t period)
{
	struct vcpu *v = priv;
	struct slot *s = &v->slots[slot];
	enum vpmu_health health = countable(v, e);
	bool starved;

	if (!v->perf->config.signal)
		period = 0;
	s->health = VPMU_HEALTH_UNAVAILABLE;
	if (health == VPMU_HEALTH_UNAVAILABLE) {
		drop(s);
		return s->health;
	}
	if (!fits(s, e, period)) {
		drop(s);
		if (open_slot(v, s, e, period))
			return s->health;
	}
	if ((period && ioctl(s->fd, PERF_EVENT_IOC_PERIOD, &period)) ||
	    ioctl(s->fd, PERF_EVENT_IOC_ENABLE, 0)) {
		drop(s);
		return s->health;
	}
	s->health = health;
	if (!value_of(s, &s->last, &starved))
		s->health = VPMU_HEALTH_STARVED;
	return s->health;
}

static void perf_stop(void *priv, uint32_t slot)
{
	struct vcpu *v = priv;
	struct slot *s = &v->slots[slot];

	if (s->fd >= 0)
		ioctl(s->fd, PERF_EVENT_IOC_DISABLE, 0);
}

static enum vpmu_health perf_read(void *priv, uint32_t slot, uint64_t *delta)
{
	struct vcpu *v = priv;
	struct slot *s = &v->slots[slot];
	uint64_t value;
	bool starved = false;

	*delta = 0;
	if (s->fd < 0)
		return VPMU_HEALTH_UNAVAILABLE;
	if (!value_of(s, &value, &starved))
		return VPMU_HEALTH_STARVED;
	*delta = value - s->last;
	s->last = value;
	return starved ? VPMU_HEALTH_STARVED : s->health;
}

const struct vpmu_backend_ops *vpmu_backend_perf(void)
{
	static const struct vpmu_backend_ops ops = {
		.size = sizeof(ops),
		.name = "perf",
		.probe = perf_probe,
		.open = perf_open,
		.close = perf_close,
		.start = perf_start,
		.stop = perf_stop,
		.read = perf_read,
	};

	return &ops;
}
