/* SPDX-License-Identifier: Apache-2.0 */
/* Intel's architectural performance monitoring, shared by the files that
 * describe its registers, its CPUID leaves and its rules. */
#ifndef VPMU_MODELS_INTEL_H
#define VPMU_MODELS_INTEL_H

#include "core/internal.h"

/* The number of IA32_FIXED_CTR0: its bit in the global registers. */
#define FIXED 32
/* The fixed counter that PERF_METRICS divides up. */
#define FIXED_SLOTS 3
/* IA32_PMC14 would be CFH, IA32_CORE_CAPABILITIES. */
#define MOST_GP 14
/* FIXED_CTR_CTRL has 4 bits for each; from bit 32 on it has other uses. */
#define MOST_FIXED 8

extern const struct vpmu_cpuid_table vpmu_intel_arch_cpuid;
extern const struct vpmu_field_table vpmu_intel_arch_fields;
extern const struct vpmu_rule_table vpmu_intel_arch_rules;

#endif
