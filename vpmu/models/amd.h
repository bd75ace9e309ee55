/* SPDX-License-Identifier: Apache-2.0 */
/* AMD's performance monitoring, shared by the files that describe its core
 * registers, its shared ones, its CPUID leaves and its rules. */
#ifndef VPMU_MODELS_AMD_H
#define VPMU_MODELS_AMD_H

#include "core/internal.h"

/* The numbers of the counters; of the core's, the global registers' bits. */
#define CORE 0
#define IRPERF 6
#define MPERF 7
#define L3 8
#define APERF 14
#define PTSC 15
#define NB 16
#define UMC 32

#define MOST_CORE 6
#define MOST_LEGACY 4
#define MOST_L3 6
#define MOST_NB 16
#define MOST_UMC 32
#define UMC_COUNTERS 4 /* of each memory controller */

/* All but PERF_CTR's are this wide. */
#define CTR_BITS 48

/* Bitmaps of the counters that exist. */
uint64_t vpmu_amd_has_l3(const struct vpmu_shape *shape);
uint64_t vpmu_amd_has_nb(const struct vpmu_shape *shape);
uint64_t vpmu_amd_has_umc(const struct vpmu_shape *shape);
uint32_t vpmu_amd_shared_width(const struct vpmu_shape *shape);
bool vpmu_amd_ungated(const struct vpmu_shape *shape);

/* What their selectors and counters take. */
uint64_t vpmu_amd_l3_ctl_bits(const struct vpmu_shape *shape,
			      uint32_t instance);
uint64_t vpmu_amd_nb_ctl_bits(const struct vpmu_shape *shape,
			      uint32_t instance);
uint64_t vpmu_amd_umc_ctl_bits(const struct vpmu_shape *shape,
			       uint32_t instance);
uint64_t vpmu_amd_ctr_bits(const struct vpmu_shape *shape, uint32_t instance);
uint64_t vpmu_amd_flagged_ctr_bits(const struct vpmu_shape *shape,
				   uint32_t instance);

void vpmu_amd_shared_control(const struct vpmu_vcpu *vcpu, uint32_t counter,
			     struct vpmu_control *control);
void vpmu_amd_umc_control(const struct vpmu_vcpu *vcpu, uint32_t counter,
			  struct vpmu_control *control);

extern const struct vpmu_cpuid_table vpmu_amd_cpuid;
extern const struct vpmu_field_table vpmu_amd_fields;
extern const struct vpmu_rule_table vpmu_amd_rules;

#endif
