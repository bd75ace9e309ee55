/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Intel's architectural events and fixed counters, and what they count where
 * each instruction takes one cycle and fills the four slots of that cycle.
 */
#ifndef LIB_ARCH_H
#define LIB_ARCH_H

#include "lib/counter.h"
#include "lib/types.h"

#define ARCH_SLOTS_PER_CYCLE 4

struct arch_event {
	const char *name;
	u32 select; /* unit mask << 8 | event */
	u32 each; /* for each instruction */
	bool branches; /* for each branch instead */
};

/* In the order of CPUID.0AH:EBX. */
#define ARCH_EVENTS 13
#define ARCH_EVENT_SLOTS 7
#define ARCH_EVENT_RETIRING 11
extern const struct arch_event arch_events[ARCH_EVENTS];

/* Does CPUID offer event i: leaf 23H where there is one, or else leaf 0AH? */
bool arch_offered(u32 i);
/* What it counts in a block of so many instructions, if it is offered. */
u64 arch_expected(u32 i, u64 instructions, u64 branches);

/* Fixed counters whose event is defined, and what counter i counts for each
 * instruction. */
#define ARCH_FIXED 7
#define FIXED_SLOTS 3
u32 arch_fixed_each(u32 i);

/* HLE or RTM: there are IN_TX and IN_TXCP. */
bool arch_tsx(void);
/* The GP counter of the highest number. */
u32 arch_last_gp(void);

/* Count `block`, and count_run() around it, with `start` in the control. */
u64 arch_measure(const struct counter *c, u64 start, void (*block)(void));

#endif /* LIB_ARCH_H */
