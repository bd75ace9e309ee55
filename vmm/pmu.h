/* SPDX-License-Identifier: Apache-2.0 */
/* The VM's vPMU, made from the command line; what it counts is libvpmu's. */
#ifndef VMM_PMU_H
#define VMM_PMU_H

#include <stdio.h>

#include "ram.h"
#include "stop.h"
#include "vpmu_kvm.h"

enum pmu_count { PMU_COUNT_AUTO, PMU_COUNT_PERF, PMU_COUNT_EXACT };
extern const char *const pmu_count_names[]; /* indexed by enum pmu_count */
enum pmu_uncore { PMU_UNCORE_OFF, PMU_UNCORE_HOST };
extern const char *const pmu_uncore_names[]; /* by enum pmu_uncore */
extern const char *const pmu_trap_names[]; /* by enum vpmu_kvm_trap */

struct pmu {
	struct vpmu *vpmu;
	struct vpmu_perf *perf;
	struct vpmu_kvm *kvm;
	const struct ram *ram;
	struct stop *stop;
};

struct pmu_config {
	const char *model;
	enum pmu_count count;
	enum pmu_uncore uncore;
	int signal;
};

/* `signal` interrupts a vCPU's thread when it must look at its counters. 0, or
 * -1 with a message: then `model` is wrong, or memory has run out. */
int pmu_init(struct pmu *pmu, const struct pmu_config *config);
/* Before the first vCPU; `stop` is NULL if there will be one only. 0, or -1
 * with a message. */
int pmu_attach(struct pmu *pmu, enum vpmu_kvm_trap trap, int kvm_fd, int vm_fd,
	       const struct ram *ram, struct stop *stop);
void pmu_fini(struct pmu *pmu);
/* What a vCPU has counted and what that took, for --stats. */
void pmu_print_stats(struct vpmu_kvm_vcpu *vcpu, unsigned int index, FILE *to);

#endif /* VMM_PMU_H */
