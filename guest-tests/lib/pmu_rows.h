/* SPDX-License-Identifier: Apache-2.0 */
/* Tables of registers, which pmu_msr.c unfolds by unit. */
#ifndef LIB_PMU_ROWS_H
#define LIB_PMU_ROWS_H

#include "lib/pmu.h"

/* A row is `units` registers, first + stride * unit. */
struct msr_row {
	u32 first;
	u32 stride;
	const char *name;
	enum pmu_msr_kind kind;
	u32 (*units)(void); /* bitmap */
	u64 (*writable)(u32 unit);
	u64 (*maybe)(u32 unit); /* NULL: no bit in doubt */
};

extern const struct msr_row intel_rows[];
extern const u32 intel_row_count;
extern const struct msr_row amd_rows[];
extern const u32 amd_row_count;

#endif /* LIB_PMU_ROWS_H */
