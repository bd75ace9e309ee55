/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a counter adds: pure arithmetic on numbers, knowing no register and no
 * backend.
 *
 * The exact count's machine is an ideal one: each instruction takes one cycle,
 * and fills all four issue slots of that cycle, so that slots split into
 * retiring alone (the other topdown classes are not counted at all).
 */
#include "core/internal.h"

#define SLOTS_PER_CYCLE 4

/* How often `meaning` happened as one instruction retired, of which `occurred`
 * says what happened once. */
uint32_t vpmu_counter_events(enum vpmu_meaning meaning, uint32_t occurred)
{
	static const uint8_t always[VPMU_MEAN_COUNT] = {
		[VPMU_MEAN_CYCLES] = 1,
		[VPMU_MEAN_INSTRUCTIONS] = 1,
		[VPMU_MEAN_REF_CYCLES] = 1,
		[VPMU_MEAN_TSC_CYCLES] = 1,
		[VPMU_MEAN_SLOTS] = SLOTS_PER_CYCLE,
		[VPMU_MEAN_RETIRING] = SLOTS_PER_CYCLE,
	};
	const uint32_t told = VPMU_OCCURS(VPMU_MEAN_BRANCHES) |
			      VPMU_OCCURS(VPMU_MEAN_TAKEN_BRANCHES) |
			      COUNTER_ASKED;

	if ((unsigned int)meaning >= VPMU_MEAN_COUNT)
		return 0;
	return always[meaning] +
	       (occurred & told & VPMU_OCCURS(meaning) ? 1 : 0);
}

/* EQ's arithmetic is known by its name only (unverified). */
static bool compare(const struct vpmu_control *control, uint32_t n)
{
	bool met = control->compare & COMPARE_EQ ? n == control->cmask
						 : n >= control->cmask;

	return met != (bool)(control->compare & COMPARE_INV);
}

/*
 * What is added in a cycle of `n` occurrences at `cpl`: privilege filter,
 * CMASK, INV and EQ compare, edge detector, in that order. (SDM 3B,
 * "Architectural Performance Monitoring Version 1", IA32_PERFEVTSELx fields;
 * APM 2, "Performance Event-Select Registers".) A cycle at the other privilege
 * is no cycle of this counter's: not even an inverted compare counts it.
 */
uint32_t vpmu_counter_qualify(const struct vpmu_control *control, uint32_t n,
			      uint8_t cpl, bool *asserted)
{
	bool last = *asserted;

	if (!(control->cpls >> (cpl & 3) & 1)) {
		*asserted = false;
		return 0;
	}
	if (control->cmask)
		n = compare(control, n);
	if (!control->edge)
		return n;
	*asserted = n != 0;
	return n && !last;
}

/* Add modulo the counter's width; true if it carried out of the top bit. More
 * than one carry in a large delta still is one overflow: status is sticky. */
bool vpmu_counter_add(uint64_t *value, uint64_t mask, uint64_t delta)
{
	bool carry = delta > mask - *value;

	*value = (*value + delta) & mask;
	return carry;
}
