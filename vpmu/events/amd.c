/* SPDX-License-Identifier: Apache-2.0 */
/* AMD's encodings by generation: unit mask << 8 | event, bits 35:32 as they
 * are in PERF_CTL. */
#include "models/model.h"

/* clang-format off */
/* BKDGs of families 0Fh to 16h, "Performance Counter Events". */
static const struct vpmu_event_row k7[] = {
	{ 0x0076, VPMU_MEAN_CYCLES },
	{ 0x00c0, VPMU_MEAN_INSTRUCTIONS },
	{ 0x00c2, VPMU_MEAN_BRANCHES },
	{ 0x00c3, VPMU_MEAN_BRANCH_MISSES },
	{ 0x00c4, VPMU_MEAN_TAKEN_BRANCHES },
	{ 0x077d, VPMU_MEAN_LLC_REFERENCES },
	{ 0x077e, VPMU_MEAN_LLC_MISSES },
	{ 0x00d0, VPMU_MEAN_STALLED_FRONTEND },
	{ 0x00d1, VPMU_MEAN_STALLED_BACKEND },
};

/* PPR for family 17h models 00h-0Fh, "Performance Monitor Counters". */
static const struct vpmu_event_row zen1[] = {
	{ 0x0076, VPMU_MEAN_CYCLES },
	{ 0x00c0, VPMU_MEAN_INSTRUCTIONS },
	{ 0x00c2, VPMU_MEAN_BRANCHES },
	{ 0x00c3, VPMU_MEAN_BRANCH_MISSES },
	{ 0x00c4, VPMU_MEAN_TAKEN_BRANCHES },
	{ 0xff60, VPMU_MEAN_LLC_REFERENCES },
	{ 0x0964, VPMU_MEAN_LLC_MISSES },
	{ 0x0287, VPMU_MEAN_STALLED_FRONTEND },
	{ 0x0187, VPMU_MEAN_STALLED_BACKEND },
};
/* clang-format on */

const struct vpmu_event_table vpmu_events_amd_k7 = ROWS(k7);
const struct vpmu_event_table vpmu_events_amd_zen1 = ROWS(zen1);
