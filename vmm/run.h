/* SPDX-License-Identifier: Apache-2.0 */
/* One guest from start to end. */
#ifndef VMM_RUN_H
#define VMM_RUN_H

#include <stdbool.h>
#include <stdint.h>

#include "load.h"

struct run_config {
	const char *pmu;
	int count; /* enum pmu_count */
	int uncore; /* enum pmu_uncore */
	int trap; /* enum vpmu_kvm_trap */
	uint64_t cpus;
	uint64_t mem_mib;
	uint64_t timeout_s; /* 0: none */
	struct load_request load;
	bool stats, verbose;
};

/* The exit status. Signals INT and TERM end the guest. */
int run_guest(const struct run_config *config);

#endif /* VMM_RUN_H */
