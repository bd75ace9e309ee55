/* SPDX-License-Identifier: Apache-2.0 */
/*
 * NetBurst's events: SDM 3B, "Performance Monitoring Events for Processors
 * Based on Intel NetBurst Microarchitecture". An event is a number and a mask
 * of bits in one of a few ESCRs; those with a meaning here.
 */
#include "models/model.h"

#define FSB_ESCR NETBURST_ESCR(0x3a2)
#define CRU_ESCR01 NETBURST_ESCR(0x3b8)
#define CRU_ESCR23 NETBURST_ESCR(0x3cc)

#define EVENT(number, mask) ((uint64_t)(number) << 25 | (uint64_t)(mask) << 9)

/*
 * instr_retired: mask bits NBOGUSNTAG, NBOGUSTAG, BOGUSNTAG, BOGUSTAG. Nothing
 * is tagged here, and what is bogus does not retire, so bit 0 decides.
 * branch_retired: MMNP, MMNM, MMTP, MMTM - not taken or taken, predicted or
 * mispredicted. mispred_branch_retired: NBOGUS. global_power_events: running.
 */
/* clang-format off */
static const struct vpmu_event_row netburst[] = {
	{ FSB_ESCR | EVENT(0x13, 0x1), VPMU_MEAN_CYCLES, 0, "global_power_events" },
	{ CRU_ESCR01 | EVENT(0x02, 0x1), VPMU_MEAN_INSTRUCTIONS, 0, "instr_retired" },
	{ CRU_ESCR01 | EVENT(0x02, 0x3), VPMU_MEAN_INSTRUCTIONS, 0, "instr_retired" },
	{ CRU_ESCR01 | EVENT(0x02, 0x5), VPMU_MEAN_INSTRUCTIONS, 0, "instr_retired" },
	{ CRU_ESCR01 | EVENT(0x02, 0x7), VPMU_MEAN_INSTRUCTIONS, 0, "instr_retired" },
	{ CRU_ESCR01 | EVENT(0x02, 0x9), VPMU_MEAN_INSTRUCTIONS, 0, "instr_retired" },
	{ CRU_ESCR01 | EVENT(0x02, 0xb), VPMU_MEAN_INSTRUCTIONS, 0, "instr_retired" },
	{ CRU_ESCR01 | EVENT(0x02, 0xd), VPMU_MEAN_INSTRUCTIONS, 0, "instr_retired" },
	{ CRU_ESCR01 | EVENT(0x02, 0xf), VPMU_MEAN_INSTRUCTIONS, 0, "instr_retired" },
	{ CRU_ESCR01 | EVENT(0x03, 0x1), VPMU_MEAN_BRANCH_MISSES, 0, "mispred_branch_retired" },
	{ CRU_ESCR23 | EVENT(0x06, 0xf), VPMU_MEAN_BRANCHES, 0, "branch_retired" },
	{ CRU_ESCR23 | EVENT(0x06, 0xc), VPMU_MEAN_TAKEN_BRANCHES, 0, "branch_retired" },
	{ CRU_ESCR23 | EVENT(0x06, 0xa), VPMU_MEAN_BRANCH_MISSES, 0, "branch_retired" },
};
/* clang-format on */

const struct vpmu_event_table vpmu_events_intel_netburst = ROWS(netburst);
