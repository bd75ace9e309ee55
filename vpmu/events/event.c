/* SPDX-License-Identifier: Apache-2.0 */
/* Looking up an encoding, and what meanings and healths are called. */
#include "events/event.h"

const struct vpmu_event_table vpmu_events_none = { NULL, 0 };

static const struct vpmu_event_row *find(const struct vpmu_event_table *table,
					 size_t n, uint64_t select,
					 uint32_t counter)
{
	for (size_t i = 0; i < n && i < table->n; i++) {
		const struct vpmu_event_row *row = &table->rows[i];

		if (row->select == select &&
		    (!row->counters || row->counters >> counter & 1))
			return row;
	}
	return NULL;
}

enum vpmu_meaning vpmu_event_find(const struct vpmu_event_table *table,
				  size_t n, uint64_t select, uint32_t counter)
{
	const struct vpmu_event_row *row = find(table, n, select, counter);

	return row ? row->meaning : VPMU_MEAN_NOTHING;
}

const char *vpmu_event_name(const struct vpmu_event_table *table,
			    uint64_t select, uint32_t counter)
{
	const struct vpmu_event_row *row =
		find(table, table->n, select, counter);

	return row ? row->name : NULL;
}

const char *vpmu_meaning_name(enum vpmu_meaning meaning)
{
	static const char *const names[] = {
		[VPMU_MEAN_NOTHING] = "nothing",
		[VPMU_MEAN_CYCLES] = "cycles",
		[VPMU_MEAN_INSTRUCTIONS] = "instructions",
		[VPMU_MEAN_REF_CYCLES] = "ref-cycles",
		[VPMU_MEAN_LLC_REFERENCES] = "llc-references",
		[VPMU_MEAN_LLC_MISSES] = "llc-misses",
		[VPMU_MEAN_BRANCHES] = "branches",
		[VPMU_MEAN_BRANCH_MISSES] = "branch-misses",
		[VPMU_MEAN_TAKEN_BRANCHES] = "taken-branches",
		[VPMU_MEAN_TSC_CYCLES] = "tsc-cycles",
		[VPMU_MEAN_SLOTS] = "slots",
		[VPMU_MEAN_BACKEND_BOUND] = "backend-bound",
		[VPMU_MEAN_BAD_SPECULATION] = "bad-speculation",
		[VPMU_MEAN_FRONTEND_BOUND] = "frontend-bound",
		[VPMU_MEAN_RETIRING] = "retiring",
		[VPMU_MEAN_LBR_INSERTS] = "lbr-inserts",
		[VPMU_MEAN_STALLED_FRONTEND] = "stalled-frontend",
		[VPMU_MEAN_STALLED_BACKEND] = "stalled-backend",
		[VPMU_MEAN_V_PIPE] = "v-pipe-instructions",
		[VPMU_MEAN_DATA_READS] = "data-reads",
		[VPMU_MEAN_DATA_WRITES] = "data-writes",
		[VPMU_MEAN_DATA_ACCESSES] = "data-accesses",
		[VPMU_MEAN_IO_CYCLES] = "io-cycles",
		[VPMU_MEAN_SEGMENT_LOADS] = "segment-loads",
		[VPMU_MEAN_INTERRUPTS] = "interrupts",
		[VPMU_MEAN_FLOPS] = "flops",
		[VPMU_MEAN_BREAKPOINT0] = "breakpoint-0",
		[VPMU_MEAN_BREAKPOINT1] = "breakpoint-1",
		[VPMU_MEAN_BREAKPOINT2] = "breakpoint-2",
		[VPMU_MEAN_BREAKPOINT3] = "breakpoint-3",
	};

	_Static_assert(sizeof(names) / sizeof(*names) == VPMU_MEAN_COUNT,
		       "a meaning lacks its name");
	return (unsigned int)meaning < VPMU_MEAN_COUNT ? names[meaning] : "?";
}

const char *vpmu_health_name(enum vpmu_health health)
{
	static const char *const names[] = {
		[VPMU_HEALTH_IDLE] = "idle",
		[VPMU_HEALTH_EXACT] = "exact",
		[VPMU_HEALTH_HARDWARE] = "hardware",
		[VPMU_HEALTH_APPROXIMATE] = "approximate",
		[VPMU_HEALTH_STARVED] = "starved",
		[VPMU_HEALTH_UNAVAILABLE] = "unavailable",
	};

	return (unsigned int)health < sizeof(names) / sizeof(*names)
		       ? names[health]
		       : "?";
}
