/* SPDX-License-Identifier: Apache-2.0 */
/* IA32_MISC_ENABLE and IA32_DEBUGCTL, which Intel processors with any PMU, or
 * none, have: the PMU owns some of their bits. */
#include "core/internal.h"

#define MISC_ENABLE_FAST_STRINGS BIT(0)
#define MISC_ENABLE_PERFMON_AVAILABLE BIT(7)
#define MISC_ENABLE_BTS_UNAVAILABLE BIT(11)
#define MISC_ENABLE_PEBS_UNAVAILABLE BIT(12)

/* Bits that are no concern of a PMU are kept as written, without effect: TCC,
 * prefetchers, TM2, Enhanced SpeedStep and its lock, MONITOR, CPUID limit,
 * xTPR, XD, DCU and IP prefetchers, turbo. */
#define MISC_ENABLE_OTHERS                                                   \
	(BIT(3) | BIT(9) | BIT(13) | BIT(16) | BIT(18) | BIT(19) | BIT(20) | \
	 BIT(22) | BIT(23) | BIT(34) | BIT(37) | BIT(38) | BIT(39))

uint64_t vpmu_intel_misc_bits(const struct vpmu_shape *shape, uint32_t instance)
{
	(void)shape;
	(void)instance;
	return MISC_ENABLE_FAST_STRINGS | MISC_ENABLE_PERFMON_AVAILABLE |
	       MISC_ENABLE_BTS_UNAVAILABLE | MISC_ENABLE_PEBS_UNAVAILABLE |
	       MISC_ENABLE_OTHERS;
}

uint64_t vpmu_intel_misc_reset(const struct vpmu_shape *shape)
{
	return MISC_ENABLE_FAST_STRINGS | MISC_ENABLE_BTS_UNAVAILABLE |
	       MISC_ENABLE_PEBS_UNAVAILABLE |
	       (shape->version || shape->gp ? MISC_ENABLE_PERFMON_AVAILABLE
					    : 0);
}

/* PERFMON_AVAILABLE keeps its value without a fault; the two "unavailable"
 * bits fault when a write would change them. */
enum vpmu_result vpmu_intel_write_misc(struct vpmu_vcpu *vcpu,
				       const struct vpmu_msr *msr,
				       uint64_t value)
{
	uint64_t *reg = &vcpu->reg[msr->unit];

	if ((value ^ *reg) &
	    (MISC_ENABLE_BTS_UNAVAILABLE | MISC_ENABLE_PEBS_UNAVAILABLE))
		return VPMU_FAULT;
	*reg = (value & ~MISC_ENABLE_PERFMON_AVAILABLE) |
	       (*reg & MISC_ENABLE_PERFMON_AVAILABLE);
	return VPMU_HANDLED;
}

uint64_t vpmu_intel_debugctl_bits(const struct vpmu_shape *shape,
				  uint32_t instance)
{
	uint64_t bits = DEBUGCTL_LBR | DEBUGCTL_BTF;

	(void)instance;
	if (shape->pdcm && shape->version >= 2)
		bits |= DEBUGCTL_FREEZE_LBRS_ON_PMI |
			DEBUGCTL_FREEZE_PERFMON_ON_PMI;
	/* Kept, without effect: no SMI comes to a guest of a userspace. */
	if (shape->freeze_smm)
		bits |= DEBUGCTL_FREEZE_WHILE_SMM;
	return bits;
}

/* There is no branch record: LBR and BTF may be written and read 0. */
enum vpmu_result vpmu_intel_write_debugctl(struct vpmu_vcpu *vcpu,
					   const struct vpmu_msr *msr,
					   uint64_t value)
{
	vcpu->reg[msr->unit] = value & ~(DEBUGCTL_LBR | DEBUGCTL_BTF);
	return VPMU_HANDLED;
}
