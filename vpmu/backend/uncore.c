/* SPDX-License-Identifier: Apache-2.0 */
/*
 * AMD's shared counters on a host: perf devices amd_nb, amd_df, amd_l3 and
 * amd_umc_N. A guest's selector is passed on as it is, which needs a device
 * whose selector has the same layout: a file of its format directory tells.
 */
#include "backend/uncore.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define LAYOUT(name) (UINT32_C(1) << VPMU_LAYOUT_##name)
#define MOST_INSTANCES 8

struct kind {
	uint32_t unit;
	uint32_t layouts;
	const char *device;
	uint32_t instances; /* 0: the name has no number */
	const char *field; /* in format/ */
	const char *place;
};

/* Linux, arch/x86/events/amd/uncore.c. */
/* clang-format off */
static const struct kind kinds[] = {
	{ VPMU_UNIT_NB, LAYOUT(F15H), "amd_nb", 0, "event", "config:0-7,32-35" },
	{ VPMU_UNIT_NB, LAYOUT(F17H) | LAYOUT(F19H), "amd_df", 0, "event", "config:0-7,32-35,59-60" },
	{ VPMU_UNIT_NB, LAYOUT(V2), "amd_df", 0, "event", "config:0-7,32-37" },
	{ VPMU_UNIT_L3, LAYOUT(F17H), "amd_l3", 0, "slicemask", "config:48-51" },
	{ VPMU_UNIT_L3, LAYOUT(F19H) | LAYOUT(V2), "amd_l3", 0, "coreid", "config:42-44" },
	{ VPMU_UNIT_UMC, LAYOUT(V2), "amd_umc", MOST_INSTANCES, "rdwrmask", "config:8-9" },
};
/* clang-format on */

/* The first line of dir/device/file, without its end. */
static int read_line(const char *dir, const char *device, const char *file,
		     char *buf, size_t len)
{
	char path[256];
	ssize_t n;
	int fd;

	if (snprintf(path, sizeof(path), "%s/%s/%s", dir, device, file) >=
	    (int)sizeof(path))
		return -ENAMETOOLONG;
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	n = read(fd, buf, len - 1);
	close(fd);
	buf[n > 0 ? n : 0] = '\0';
	buf[strcspn(buf, "\n")] = '\0';
	return n > 0 ? 0 : -EIO;
}

/* The number at the start of a line ("8", "0,64", "0-3"), or -1. */
static int number_of(const char *line)
{
	char *end;
	long value = strtol(line, &end, 10);

	return end != line && value >= 0 && value <= INT32_MAX ? (int)value
							       : -1;
}

static int look(const char *dir, const struct kind *kind, uint32_t instance,
		struct vpmu_uncore_device *found)
{
	char name[32], line[64], field[32];
	int type;

	snprintf(name, sizeof(name), kind->instances ? "%s_%u" : "%s",
		 kind->device, instance);
	snprintf(field, sizeof(field), "format/%s", kind->field);
	if (read_line(dir, name, field, line, sizeof(line)) ||
	    strcmp(line, kind->place) ||
	    read_line(dir, name, "type", line, sizeof(line)))
		return -ENOENT;
	type = number_of(line);
	found->cpu = -1;
	if (!read_line(dir, name, "cpumask", line, sizeof(line)))
		found->cpu = number_of(line);
	if (type < 0 || found->cpu < 0)
		return -ENOENT;
	found->unit = kind->unit;
	found->layouts = kind->layouts;
	found->instance = instance;
	found->type = (uint32_t)type;
	return 0;
}

uint32_t vpmu_uncore_find(const char *dir, struct vpmu_uncore_device *device)
{
	uint32_t n = 0;

	for (size_t k = 0; k < sizeof(kinds) / sizeof(*kinds); k++) {
		uint32_t most = kinds[k].instances ? kinds[k].instances : 1;

		for (uint32_t i = 0; i < most && n < VPMU_UNCORE_DEVICES; i++)
			n += !look(dir, &kinds[k], i, &device[n]);
	}
	return n;
}

const struct vpmu_uncore_device *
vpmu_uncore_for(const struct vpmu_uncore_device *device, uint32_t n,
		const struct vpmu_event *event)
{
	for (uint32_t i = 0; i < n; i++)
		if (device[i].unit == event->unit &&
		    device[i].layouts >> event->layout & 1 &&
		    device[i].instance == event->instance)
			return &device[i];
	return NULL;
}
