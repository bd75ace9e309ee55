/* SPDX-License-Identifier: Apache-2.0 */
/* Facts about shapes that several families share. */
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
