/* SPDX-License-Identifier: Apache-2.0 */
/*
 * AMD's counters outside the core: L3 cache, northbridge or data fabric,
 * memory controllers. A VM is one package, so there is one set of each.
 */
#include "models/amd.h"

#define CTL_EN BIT(22)
#define UMC_CTL_EN BIT(31)

uint64_t vpmu_amd_has_l3(const struct vpmu_shape *shape)
{
	return vpmu_low_bits(shape->l3);
}

uint64_t vpmu_amd_has_nb(const struct vpmu_shape *shape)
{
	return vpmu_low_bits(shape->nb);
}

uint64_t vpmu_amd_has_umc(const struct vpmu_shape *shape)
{
	return vpmu_low_bits(shape->umc * UMC_COUNTERS);
}

uint32_t vpmu_amd_shared_width(const struct vpmu_shape *shape)
{
	(void)shape;
	return CTR_BITS;
}

bool vpmu_amd_ungated(const struct vpmu_shape *shape)
{
	(void)shape;
	return false;
}

/*
 * The selectors' fields by generation, as Linux's amd_uncore driver lays them
 * out. Others are dropped (unverified: sources differ on whether some fault).
 */
static const struct {
	uint64_t nb, l3;
} ctl_bits[VPMU_LAYOUT_COUNT] = {
	[VPMU_LAYOUT_F15H] = { UINT64_C(0x000001ff0050ffff), 0 },
	[VPMU_LAYOUT_F17H] = { UINT64_C(0x1800000f0040ffff),
			       UINT64_C(0xff0f00000040ffff) },
	[VPMU_LAYOUT_F19H] = { UINT64_C(0x1800000f0040ffff),
			       UINT64_C(0x0307dc000040ffff) },
	[VPMU_LAYOUT_V2] = { UINT64_C(0x0000003f0f40ffff),
			     UINT64_C(0x0307dc000040ffff) },
};

uint64_t vpmu_amd_l3_ctl_bits(const struct vpmu_shape *shape, uint32_t instance)
{
	(void)instance;
	return ctl_bits[shape->layout].l3;
}

uint64_t vpmu_amd_nb_ctl_bits(const struct vpmu_shape *shape, uint32_t instance)
{
	(void)instance;
	return ctl_bits[shape->layout].nb;
}

uint64_t vpmu_amd_umc_ctl_bits(const struct vpmu_shape *shape,
			       uint32_t instance)
{
	(void)shape;
	(void)instance;
	return UINT64_C(0x800003ff);
}

uint64_t vpmu_amd_ctr_bits(const struct vpmu_shape *shape, uint32_t instance)
{
	(void)shape;
	(void)instance;
	return vpmu_low_bits(CTR_BITS);
}

/* With bit 48, Overflow. */
uint64_t vpmu_amd_flagged_ctr_bits(const struct vpmu_shape *shape,
				   uint32_t instance)
{
	(void)shape;
	(void)instance;
	return vpmu_low_bits(CTR_BITS + 1);
}

static void control_of(const struct vpmu_vcpu *v, uint32_t counter,
		       uint64_t enable, struct vpmu_control *control)
{
	uint64_t ctl = v->counters[counter].select;

	control->select = ctl & ~enable;
	control->enable = ctl & enable;
	/* They know no privilege levels. */
	control->cpls = CPLS_ALL;
}

/* What they count is known to a host of the same generation only. */
void vpmu_amd_shared_control(const struct vpmu_vcpu *vcpu, uint32_t counter,
			     struct vpmu_control *control)
{
	control_of(vcpu, counter, CTL_EN, control);
}

void vpmu_amd_umc_control(const struct vpmu_vcpu *vcpu, uint32_t counter,
			  struct vpmu_control *control)
{
	control_of(vcpu, counter, UMC_CTL_EN, control);
}
