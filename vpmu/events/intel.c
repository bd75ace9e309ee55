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

/* SDM 3B, "Performance Monitoring Events for P6 Family Processors": those with
 * a meaning. L2_RQSTS' unit mask names MESI states; I is a miss. */
static const struct vpmu_event_row p6[] = {
	{ 0x0006, VPMU_MEAN_SEGMENT_LOADS, 0, "SEGMENT_REG_LOADS" },
	{ 0x0043, VPMU_MEAN_DATA_ACCESSES, 0, "DATA_MEM_REFS" },
	{ 0x0079, VPMU_MEAN_CYCLES, 0, "CPU_CLK_UNHALTED" },
	{ 0x00a2, VPMU_MEAN_STALLED_BACKEND, 0, "RESOURCE_STALLS" },
	{ 0x00c0, VPMU_MEAN_INSTRUCTIONS, 0, "INST_RETIRED" },
	{ 0x00c1, VPMU_MEAN_FLOPS, BIT32(0), "FLOPS" },
	{ 0x00c4, VPMU_MEAN_BRANCHES, 0, "BR_INST_RETIRED" },
	{ 0x00c5, VPMU_MEAN_BRANCH_MISSES, 0, "BR_MISS_PRED_RETIRED" },
	{ 0x00c8, VPMU_MEAN_INTERRUPTS, 0, "HW_INT_RX" },
	{ 0x00c9, VPMU_MEAN_TAKEN_BRANCHES, 0, "BR_TAKEN_RETIRED" },
	{ 0x012e, VPMU_MEAN_LLC_MISSES, 0, "L2_RQSTS" },
	{ 0x0f2e, VPMU_MEAN_LLC_REFERENCES, 0, "L2_RQSTS" },
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
const struct vpmu_event_table vpmu_events_intel_p6 = ROWS(p6);
const struct vpmu_event_table vpmu_events_intel_core = ROWS(core);
const struct vpmu_event_table vpmu_events_intel_core2 = ROWS(core2);
const struct vpmu_event_table vpmu_events_intel_haswell = ROWS(haswell);
const struct vpmu_event_table vpmu_events_intel_fixed = ROWS(fixed);
