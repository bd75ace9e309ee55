/* SPDX-License-Identifier: Apache-2.0 */
/* The host's perf devices for counters outside the core. */
#ifndef VPMU_BACKEND_UNCORE_H
#define VPMU_BACKEND_UNCORE_H

#include <stdint.h>

#include "vpmu.h"

/* L3, northbridge or fabric, and up to eight memory controllers. */
#define VPMU_UNCORE_DEVICES 16

struct vpmu_uncore_device {
	uint32_t unit; /* enum vpmu_unit; CORE: there is none */
	uint32_t layouts; /* bitmap of enum vpmu_layout that it understands */
	uint32_t instance;
	uint32_t type; /* of struct perf_event_attr */
	int cpu; /* one that the device counts on */
};

/*
 * Look for them in `dir`, which is as /sys/bus/event_source/devices. Fills
 * device[0..VPMU_UNCORE_DEVICES) and returns how many there are.
 */
uint32_t vpmu_uncore_find(const char *dir, struct vpmu_uncore_device *device);

/* The one that counts `event`, or NULL. */
const struct vpmu_uncore_device *
vpmu_uncore_for(const struct vpmu_uncore_device *device, uint32_t n,
		const struct vpmu_event *event);

#endif
