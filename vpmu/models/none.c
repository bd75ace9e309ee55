/* SPDX-License-Identifier: Apache-2.0 */
/*
 * No PMU: each register and each RDPMC faults. IA32_MISC_ENABLE and
 * IA32_DEBUGCTL stay, as processors without a PMU have them too.
 */
#include "core/internal.h"

/* clang-format off */
static const struct vpmu_msr_row msrs[] = {
	{ 0x1a0, 1, 1, vpmu_shape_one, vpmu_intel_misc_bits, vpmu_intel_misc_reset, vpmu_msr_read_reg, vpmu_intel_write_misc, REG_MISC_ENABLE, 0, "IA32_MISC_ENABLE", "SDM 4, Architectural MSRs" },
	{ 0x1d9, 1, 1, vpmu_shape_one, vpmu_intel_debugctl_bits, NULL, vpmu_msr_read_reg, vpmu_intel_write_debugctl, REG_DEBUGCTL, MSR_INIT, "IA32_DEBUGCTL", "SDM 3B, IA32_DEBUGCTL MSR" },
};
/* clang-format on */

const struct vpmu_family vpmu_family_none = {
	.msrs = ROWS(msrs),
	.cpuid = &vpmu_cpuid_nothing,
	.fields = &vpmu_fields_none,
	.rules = &vpmu_rules_none,
	.freeze = vpmu_shape_no_freeze,
};
