/* SPDX-License-Identifier: Apache-2.0 */
/* AMD's encodings by generation: unit mask << 8 | event, bits 35:32 as they
 * are in PERF_CTL. */
#include "models/model.h"

/* clang-format off */
/* BKDGs of families 0Fh to 16h, "Performance Counter Events". */
static const struct vpmu_event_row k7[] = {
	{ 0x0076, VPMU_MEAN_CYCLES, 0, NULL },
	{ 0x00c0, VPMU_MEAN_INSTRUCTIONS, 0, NULL },
	{ 0x00c2, VPMU_MEAN_BRANCHES, 0, NULL },
	{ 0x00c3, VPMU_MEAN_BRANCH_MISSES, 0, NULL },
	{ 0x00c4, VPMU_MEAN_TAKEN_BRANCHES, 0, NULL },
	{ 0x077d, VPMU_MEAN_LLC_REFERENCES, 0, NULL },
	{ 0x077e, VPMU_MEAN_LLC_MISSES, 0, NULL },
	{ 0x00d0, VPMU_MEAN_STALLED_FRONTEND, 0, NULL },
	{ 0x00d1, VPMU_MEAN_STALLED_BACKEND, 0, NULL },
};

/* BKDG for family 15h models 00h-0Fh; an event counts in the counters of its
 * unit only (Linux, arch/x86/events/amd/core.c, has the classes). */
#define F15H_CU_DE 0x07
static const struct vpmu_event_row f15h[] = {
	{ 0x0076, VPMU_MEAN_CYCLES, F15H_CU_DE, NULL },
	{ 0x00c0, VPMU_MEAN_INSTRUCTIONS, 0, NULL },
	{ 0x00c2, VPMU_MEAN_BRANCHES, 0, NULL },
	{ 0x00c3, VPMU_MEAN_BRANCH_MISSES, 0, NULL },
	{ 0x00c4, VPMU_MEAN_TAKEN_BRANCHES, 0, NULL },
	{ 0x077d, VPMU_MEAN_LLC_REFERENCES, F15H_CU_DE, NULL },
	{ 0x077e, VPMU_MEAN_LLC_MISSES, F15H_CU_DE, NULL },
	{ 0x00d0, VPMU_MEAN_STALLED_FRONTEND, F15H_CU_DE, NULL },
	{ 0x00d1, VPMU_MEAN_STALLED_BACKEND, F15H_CU_DE, NULL },
};

/* PPR for family 17h models 00h-0Fh, "Performance Monitor Counters". */
static const struct vpmu_event_row zen1[] = {
	{ 0x0076, VPMU_MEAN_CYCLES, 0, NULL },
	{ 0x00c0, VPMU_MEAN_INSTRUCTIONS, 0, NULL },
	{ 0x00c2, VPMU_MEAN_BRANCHES, 0, NULL },
	{ 0x00c3, VPMU_MEAN_BRANCH_MISSES, 0, NULL },
	{ 0x00c4, VPMU_MEAN_TAKEN_BRANCHES, 0, NULL },
	{ 0xff60, VPMU_MEAN_LLC_REFERENCES, 0, NULL },
	{ 0x0964, VPMU_MEAN_LLC_MISSES, 0, NULL },
	{ 0x0287, VPMU_MEAN_STALLED_FRONTEND, 0, NULL },
	{ 0x0187, VPMU_MEAN_STALLED_BACKEND, 0, NULL },
};

/* PPR for family 19h model 11h, and of family 1Ah. */
static const struct vpmu_event_row zen4[] = {
	{ 0x0076, VPMU_MEAN_CYCLES, 0, NULL },
	{ 0x00c0, VPMU_MEAN_INSTRUCTIONS, 0, NULL },
	{ 0x00c2, VPMU_MEAN_BRANCHES, 0, NULL },
	{ 0x00c3, VPMU_MEAN_BRANCH_MISSES, 0, NULL },
	{ 0x00c4, VPMU_MEAN_TAKEN_BRANCHES, 0, NULL },
	{ 0xff60, VPMU_MEAN_LLC_REFERENCES, 0, NULL },
	{ 0x0964, VPMU_MEAN_LLC_MISSES, 0, NULL },
	{ 0x00a9, VPMU_MEAN_STALLED_FRONTEND, 0, NULL },
	{ 0x100000120, VPMU_MEAN_REF_CYCLES, 0, NULL },
};
/* clang-format on */

const struct vpmu_event_table vpmu_events_amd_k7 = ROWS(k7);
const struct vpmu_event_table vpmu_events_amd_f15h = ROWS(f15h);
const struct vpmu_event_table vpmu_events_amd_zen1 = ROWS(zen1);
const struct vpmu_event_table vpmu_events_amd_zen4 = ROWS(zen4);
