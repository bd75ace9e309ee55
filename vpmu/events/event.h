/* SPDX-License-Identifier: Apache-2.0 */
/* What an event encoding means: tables by vendor and generation. */
#ifndef VPMU_EVENTS_EVENT_H
#define VPMU_EVENTS_EVENT_H

#include <stddef.h>
#include <stdint.h>

#include "vpmu.h"

/* The event bits of a selector, as the register has them. */
struct vpmu_event_row {
	uint64_t select;
	enum vpmu_meaning meaning;
	uint32_t counters; /* bitmap of those that can count it; 0: all */
	const char *name; /* the manual's, for the log; NULL: the meaning's */
};

struct vpmu_event_table {
	const struct vpmu_event_row *rows;
	size_t n;
};

/* Event select and unit mask: Intel's with UMASK2 and IN_TX, and AMD's with
 * its bits 35:32. */
#define INTEL_EVENT_BITS UINT64_C(0x0000ff010000ffff)
#define AMD_EVENT_BITS UINT64_C(0xf0000ffff)

/* Row i is bit i of CPUID.0AH:EBX. */
extern const struct vpmu_event_table vpmu_events_intel_arch;
/* What a generation has besides. */
extern const struct vpmu_event_table vpmu_events_intel_core;
extern const struct vpmu_event_table vpmu_events_intel_core2;
extern const struct vpmu_event_table vpmu_events_intel_haswell;
/* What fixed counter i counts; select is not used. */
extern const struct vpmu_event_table vpmu_events_intel_fixed;

extern const struct vpmu_event_table vpmu_events_intel_p5;
extern const struct vpmu_event_table vpmu_events_intel_p55c;
extern const struct vpmu_event_table vpmu_events_intel_p6;
/* Select: ESCR bits 30:9, and the address of the even one of an ESCR pair. */
#define NETBURST_EVENT_BITS UINT64_C(0x7ffffe00)
#define NETBURST_ESCR(msr) ((uint64_t)((msr) & ~1u) << 32)
extern const struct vpmu_event_table vpmu_events_intel_netburst;

extern const struct vpmu_event_table vpmu_events_amd_k7;
extern const struct vpmu_event_table vpmu_events_amd_f15h;
extern const struct vpmu_event_table vpmu_events_amd_zen1;
extern const struct vpmu_event_table vpmu_events_amd_zen4;

/* Of a model without counters. */
extern const struct vpmu_event_table vpmu_events_none;

/* The manual's name of an event, which may have no meaning here; or NULL. */
const char *vpmu_event_name(const struct vpmu_event_table *table,
			    uint64_t select, uint32_t counter);
/* NOTHING if none of the first `n` rows has it, or not for this counter. */
enum vpmu_meaning vpmu_event_find(const struct vpmu_event_table *table,
				  size_t n, uint64_t select, uint32_t counter);

#endif
