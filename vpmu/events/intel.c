/* SPDX-License-Identifier: Apache-2.0 */
/* Intel's encodings: the architectural events and what generations add. */
#include "models/model.h"

/* SDM 3B, "Architectural Performance Monitoring Version 1", pre-defined
 * events; the order is that of CPUID.0AH:EBX. */
/* clang-format off */
static const struct vpmu_event_row arch[] = {
	{ 0x003c, VPMU_MEAN_CYCLES, 0, NULL },
	{ 0x00c0, VPMU_MEAN_INSTRUCTIONS, 0, NULL },
	{ 0x013c, VPMU_MEAN_REF_CYCLES, 0, NULL },
	{ 0x4f2e, VPMU_MEAN_LLC_REFERENCES, 0, NULL },
	{ 0x412e, VPMU_MEAN_LLC_MISSES, 0, NULL },
	{ 0x00c4, VPMU_MEAN_BRANCHES, 0, NULL },
	{ 0x00c5, VPMU_MEAN_BRANCH_MISSES, 0, NULL },
	{ 0x01a4, VPMU_MEAN_SLOTS, 0, NULL },
	{ 0x02a4, VPMU_MEAN_BACKEND_BOUND, 0, NULL },
	{ 0x0073, VPMU_MEAN_BAD_SPECULATION, 0, NULL },
	{ 0x019c, VPMU_MEAN_FRONTEND_BOUND, 0, NULL },
	{ 0x02c2, VPMU_MEAN_RETIRING, 0, NULL },
	{ 0x01e4, VPMU_MEAN_LBR_INSERTS, 0, NULL },
};

/* Br_Taken_Ret, which the P6 has as BR_TAKEN_RETIRED (unverified). */
static const struct vpmu_event_row core[] = {
	{ 0x00c9, VPMU_MEAN_TAKEN_BRANCHES, 0, NULL },
};

/* BR_INST_RETIRED.TAKEN: taken, predicted (04H) or mispredicted (08H). */
static const struct vpmu_event_row core2[] = {
	{ 0x0cc4, VPMU_MEAN_TAKEN_BRANCHES, 0, NULL },
};

/* BR_INST_RETIRED.NEAR_TAKEN, Haswell to Alder Lake's P-cores, and taken to
 * have stayed there since (unverified). */
static const struct vpmu_event_row haswell[] = {
	{ 0x20c4, VPMU_MEAN_TAKEN_BRANCHES, 0, NULL },
};

/* SDM 3B, "Fixed-function Performance Counters". */
static const struct vpmu_event_row fixed[] = {
	{ 0, VPMU_MEAN_INSTRUCTIONS, 0, NULL },
	{ 0, VPMU_MEAN_CYCLES, 0, NULL },
	{ 0, VPMU_MEAN_TSC_CYCLES, 0, NULL },
	{ 0, VPMU_MEAN_SLOTS, 0, NULL },
	{ 0, VPMU_MEAN_BAD_SPECULATION, 0, NULL },
	{ 0, VPMU_MEAN_FRONTEND_BOUND, 0, NULL },
	{ 0, VPMU_MEAN_RETIRING, 0, NULL },
};
/* clang-format on */

const struct vpmu_event_table vpmu_events_intel_arch = ROWS(arch);
const struct vpmu_event_table vpmu_events_intel_core = ROWS(core);
const struct vpmu_event_table vpmu_events_intel_core2 = ROWS(core2);
const struct vpmu_event_table vpmu_events_intel_haswell = ROWS(haswell);
const struct vpmu_event_table vpmu_events_intel_fixed = ROWS(fixed);
