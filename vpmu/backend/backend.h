/* SPDX-License-Identifier: Apache-2.0 */
/* The mock backend of the tests: a host whose counters they turn by hand. */
#ifndef VPMU_BACKEND_BACKEND_H
#define VPMU_BACKEND_BACKEND_H

#include "vpmu.h"

#define MOCK_SLOTS 64

struct mock_slot {
	struct vpmu_event event;
	uint64_t period;
	uint64_t pending; /* what the next read() returns */
	enum vpmu_health health; /* what start() and read() return */
	uint32_t starts;
	uint32_t stops;
	uint32_t reads;
	int running;
};

/* `user` of vpmu_backend_mock(); zero it, then set what the test needs. */
struct mock_host {
	enum vpmu_health health[VPMU_MEAN_COUNT]; /* what probe() returns */
	int open_result;
	uint32_t opens;
	uint32_t closes;
	uint32_t nslots;
	struct mock_slot slots[MOCK_SLOTS];
};

const struct vpmu_backend_ops *vpmu_backend_mock(void);

#endif
