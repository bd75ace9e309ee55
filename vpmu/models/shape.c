/* SPDX-License-Identifier: Apache-2.0 */
/* Facts about shapes that several families share, and empty tables. */
#include "core/internal.h"

uint64_t vpmu_shape_one(const struct vpmu_shape *shape)
{
	(void)shape;
	return 1;
}

uint64_t vpmu_shape_any_bit(const struct vpmu_shape *shape, uint32_t instance)
{
	(void)shape;
	(void)instance;
	return UINT64_MAX;
}

uint32_t vpmu_shape_gp_width(const struct vpmu_shape *shape)
{
	return shape->gp_width;
}

uint64_t vpmu_shape_gp_bits(const struct vpmu_shape *shape, uint32_t instance)
{
	(void)instance;
	return vpmu_low_bits(shape->gp_width);
}

bool vpmu_shape_ungated(const struct vpmu_shape *shape)
{
	(void)shape;
	return false;
}

enum vpmu_freeze vpmu_shape_no_freeze(const struct vpmu_shape *shape)
{
	(void)shape;
	return FREEZE_NONE;
}

const struct vpmu_cpuid_table vpmu_cpuid_nothing = { NULL, 0 };
const struct vpmu_field_table vpmu_fields_none = { NULL, 0, "" };
const struct vpmu_rule_table vpmu_rules_none = { NULL, 0 };
