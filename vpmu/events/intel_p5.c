/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The Pentium's event numbers, CESR[5:0]: SDM 3B, "Performance Monitoring
 * Events for Intel Pentium Processors". Those that need a cache, a TLB, a bus
 * or a predictor to tell mean nothing here, but have their names.
 */
#include "models/model.h"

#define CTR0 BIT32(0)
#define CTR1 BIT32(1)

/*
 * INSTRUCTIONS_EXECUTED: on silicon the entries of interrupts and exceptions
 * count, too; here instructions alone. TAKEN_BRANCH_OR_BTB_HIT: branches that
 * are taken, as by a target buffer that knows all of these and no others.
 */
#define COMMON                                                                 \
	{ 0x00, VPMU_MEAN_DATA_READS, 0, "DATA_READ" },                        \
		{ 0x01, VPMU_MEAN_DATA_WRITES, 0, "DATA_WRITE" },              \
		{ 0x02, VPMU_MEAN_NOTHING, 0, "DATA_TLB_MISS" },               \
		{ 0x03, VPMU_MEAN_NOTHING, 0, "DATA_READ_MISS" },              \
		{ 0x04, VPMU_MEAN_NOTHING, 0, "DATA_WRITE_MISS" },             \
		{ 0x05, VPMU_MEAN_NOTHING, 0,                                  \
		  "WRITE_HIT_TO_M_OR_E_STATE_LINES" },                         \
		{ 0x06, VPMU_MEAN_NOTHING, 0,                                  \
		  "DATA_CACHE_LINES_WRITTEN_BACK" },                           \
		{ 0x07, VPMU_MEAN_NOTHING, 0, "EXTERNAL_SNOOPS" },             \
		{ 0x08, VPMU_MEAN_NOTHING, 0,                                  \
		  "EXTERNAL_DATA_CACHE_SNOOP_HITS" },                          \
		{ 0x09, VPMU_MEAN_NOTHING, 0,                                  \
		  "MEMORY_ACCESSES_IN_BOTH_PIPES" },                           \
		{ 0x0a, VPMU_MEAN_NOTHING, 0, "BANK_CONFLICTS" },              \
		{ 0x0b, VPMU_MEAN_NOTHING, 0, "MISALIGNED_DATA_REFERENCES" },  \
		{ 0x0c, VPMU_MEAN_NOTHING, 0, "CODE_READ" },                   \
		{ 0x0d, VPMU_MEAN_NOTHING, 0, "CODE_TLB_MISS" },               \
		{ 0x0e, VPMU_MEAN_NOTHING, 0, "CODE_CACHE_MISS" },             \
		{ 0x0f, VPMU_MEAN_SEGMENT_LOADS, 0,                            \
		  "ANY_SEGMENT_REGISTER_LOADED" },                             \
		{ 0x12, VPMU_MEAN_BRANCHES, 0, "BRANCHES" },                   \
		{ 0x13, VPMU_MEAN_NOTHING, 0, "BTB_HITS" },                    \
		{ 0x14, VPMU_MEAN_TAKEN_BRANCHES, 0,                           \
		  "TAKEN_BRANCH_OR_BTB_HIT" },                                 \
		{ 0x15, VPMU_MEAN_NOTHING, 0, "PIPELINE_FLUSHES" },            \
		{ 0x16, VPMU_MEAN_INSTRUCTIONS, 0, "INSTRUCTIONS_EXECUTED" },  \
		{ 0x17, VPMU_MEAN_V_PIPE, 0, "INSTRUCTIONS_EXECUTED_V_PIPE" }, \
		{ 0x18, VPMU_MEAN_NOTHING, 0, "BUS_CYCLE_DURATION" },          \
		{ 0x19, VPMU_MEAN_NOTHING, 0,                                  \
		  "WRITE_BUFFER_FULL_STALL_DURATION" },                        \
		{ 0x1a, VPMU_MEAN_NOTHING, 0,                                  \
		  "DATA_MEMORY_READ_STALL_DURATION" },                         \
		{ 0x1b, VPMU_MEAN_NOTHING, 0,                                  \
		  "STALL_ON_WRITE_TO_E_OR_M_STATE_LINE" },                     \
		{ 0x1c, VPMU_MEAN_NOTHING, 0, "LOCKED_BUS_CYCLE" },            \
		{ 0x1d, VPMU_MEAN_IO_CYCLES, 0, "IO_READ_OR_WRITE_CYCLE" },    \
		{ 0x1e, VPMU_MEAN_NOTHING, 0, "NONCACHEABLE_MEMORY_READS" },   \
		{ 0x1f, VPMU_MEAN_NOTHING, 0, "PIPELINE_AGI_STALLS" },         \
		{ 0x22, VPMU_MEAN_FLOPS, 0, "FLOPS" },                         \
		{ 0x23, VPMU_MEAN_BREAKPOINT0, 0, "BREAKPOINT_MATCH_ON_DR0" }, \
		{ 0x24, VPMU_MEAN_BREAKPOINT1, 0, "BREAKPOINT_MATCH_ON_DR1" }, \
		{ 0x25, VPMU_MEAN_BREAKPOINT2, 0, "BREAKPOINT_MATCH_ON_DR2" }, \
		{ 0x26, VPMU_MEAN_BREAKPOINT3, 0, "BREAKPOINT_MATCH_ON_DR3" }, \
		{ 0x27, VPMU_MEAN_INTERRUPTS, 0, "HARDWARE_INTERRUPTS" },      \
		{ 0x28, VPMU_MEAN_DATA_ACCESSES, 0, "DATA_READ_OR_WRITE" },    \
	{                                                                      \
		0x29, VPMU_MEAN_NOTHING, 0, "DATA_READ_MISS_OR_WRITE_MISS"     \
	}

/* clang-format off */
static const struct vpmu_event_row p5[] = {
	COMMON,
};

/* From 2AH on each counter has its own. */
static const struct vpmu_event_row p55c[] = {
	COMMON,
	{ 0x2a, VPMU_MEAN_NOTHING, CTR0, "BUS_OWNERSHIP_LATENCY" },
	{ 0x2a, VPMU_MEAN_NOTHING, CTR1, "BUS_OWNERSHIP_TRANSFERS" },
	{ 0x2b, VPMU_MEAN_NOTHING, CTR0, "MMX_INSTRUCTIONS_EXECUTED_U_PIPE" },
	{ 0x2b, VPMU_MEAN_NOTHING, CTR1, "MMX_INSTRUCTIONS_EXECUTED_V_PIPE" },
	{ 0x2c, VPMU_MEAN_NOTHING, CTR0, "CACHE_M_STATE_LINE_SHARING" },
	{ 0x2c, VPMU_MEAN_NOTHING, CTR1, "CACHE_LINE_SHARING" },
	{ 0x2d, VPMU_MEAN_NOTHING, CTR0, "EMMS_INSTRUCTIONS_EXECUTED" },
	{ 0x2d, VPMU_MEAN_NOTHING, CTR1, "TRANSITIONS_BETWEEN_MMX_AND_FP" },
	{ 0x2e, VPMU_MEAN_NOTHING, CTR0, "BUS_UTILIZATION_DUE_TO_PROCESSOR_ACTIVITY" },
	{ 0x2e, VPMU_MEAN_NOTHING, CTR1, "WRITES_TO_NONCACHEABLE_MEMORY" },
	{ 0x2f, VPMU_MEAN_NOTHING, CTR0, "SATURATING_MMX_INSTRUCTIONS_EXECUTED" },
	{ 0x2f, VPMU_MEAN_NOTHING, CTR1, "SATURATIONS_PERFORMED" },
	{ 0x30, VPMU_MEAN_CYCLES, CTR0, "NUMBER_OF_CYCLES_NOT_IN_HALT_STATE" },
	{ 0x30, VPMU_MEAN_NOTHING, CTR1, "DATA_CACHE_TLB_MISS_STALL_DURATION" },
	{ 0x31, VPMU_MEAN_NOTHING, CTR0, "MMX_INSTRUCTION_DATA_READS" },
	{ 0x31, VPMU_MEAN_NOTHING, CTR1, "MMX_INSTRUCTION_DATA_READ_MISSES" },
	{ 0x32, VPMU_MEAN_NOTHING, CTR0, "FLOATING_POINT_STALLS_DURATION" },
	{ 0x32, VPMU_MEAN_TAKEN_BRANCHES, CTR1, "TAKEN_BRANCHES" },
	{ 0x33, VPMU_MEAN_NOTHING, CTR0, "D1_STARVATION_AND_FIFO_IS_EMPTY" },
	{ 0x33, VPMU_MEAN_NOTHING, CTR1, "D1_STARVATION_AND_ONE_INSTRUCTION_IN_FIFO" },
	{ 0x34, VPMU_MEAN_NOTHING, CTR0, "MMX_INSTRUCTION_DATA_WRITES" },
	{ 0x34, VPMU_MEAN_NOTHING, CTR1, "MMX_INSTRUCTION_DATA_WRITE_MISSES" },
	{ 0x35, VPMU_MEAN_NOTHING, CTR0, "PIPELINE_FLUSHES_DUE_TO_WRONG_BRANCH_PREDICTIONS" },
	{ 0x35, VPMU_MEAN_NOTHING, CTR1, "... RESOLVED_IN_WB_STAGE" },
	{ 0x36, VPMU_MEAN_NOTHING, CTR0, "MISALIGNED_DATA_MEMORY_REFERENCE_ON_MMX" },
	{ 0x36, VPMU_MEAN_NOTHING, CTR1, "PIPELINE_STALL_FOR_MMX_DATA_MEMORY_READS" },
	/* The manual says counter 1 of both; taken: as the others. */
	{ 0x37, VPMU_MEAN_NOTHING, CTR0, "MISPREDICTED_OR_UNPREDICTED_RETURNS" },
	{ 0x37, VPMU_MEAN_NOTHING, CTR1, "PREDICTED_RETURNS" },
	{ 0x38, VPMU_MEAN_NOTHING, CTR0, "MMX_MULTIPLY_UNIT_INTERLOCK" },
	{ 0x38, VPMU_MEAN_NOTHING, CTR1, "MOVD_MOVQ_STORE_STALL_DUE_TO_PREVIOUS_MMX" },
	{ 0x39, VPMU_MEAN_NOTHING, CTR0, "RETURNS" },
	{ 0x3a, VPMU_MEAN_NOTHING, CTR0, "BTB_FALSE_ENTRIES" },
	{ 0x3a, VPMU_MEAN_NOTHING, CTR1, "BTB_MISS_PREDICTION_ON_NOT_TAKEN_BRANCH" },
	{ 0x3b, VPMU_MEAN_NOTHING, CTR0, "FULL_WRITE_BUFFER_STALL_DURATION_IN_MMX" },
	{ 0x3b, VPMU_MEAN_NOTHING, CTR1, "STALL_ON_MMX_WRITE_TO_E_OR_M_STATE_LINE" },
};
/* clang-format on */

const struct vpmu_event_table vpmu_events_intel_p5 = ROWS(p5);
const struct vpmu_event_table vpmu_events_intel_p55c = ROWS(p55c);
