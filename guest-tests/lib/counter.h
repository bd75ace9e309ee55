/* SPDX-License-Identifier: Apache-2.0 */
/* Driving one counter, general-purpose or fixed, of either vendor. */
#ifndef LIB_COUNTER_H
#define LIB_COUNTER_H

#include "lib/pmu.h"
#include "lib/types.h"

struct counter {
	const char *name; /* "IA32_PMC", without the number */
	u32 number;
	bool fixed;
	u32 ctl; /* MSR that starts and stops it */
	u32 msr; /* MSR that holds it, written in full */
	u32 rdpmc; /* its ECX */
	u32 width;
	u32 status_bit; /* in the global status */
	u64 start; /* written to ctl to count at CPL 0 and CPL > 0 */
	u64 interrupt; /* bit of ctl that asks for a PMI */
	u64 os, usr; /* bits of ctl that select the CPL */
};

/* All counters there are, by rising number: the GP ones, programmed to count
 * instructions, then the fixed ones. */
u32 counter_total(void);
u32 counter_total_gp(void);
struct counter counter_get(u32 i);
/* How many of the first of them count instructions: the GP ones and fixed
 * counter 0. */
u32 counter_count(void);
/* GP counter n with the event of that encoding. */
struct counter counter_gp(u32 n, u32 event);
struct counter counter_fixed(u32 i);

/* Stop all counters, enable them globally, clear status, zero this one. */
void counter_prepare(const struct counter *c);
void counter_stop_all(void);
/* Write all its bits, whatever the vendor's rule for narrow writes is; with
 * 32-bit writes only, `value` must be the sign extension of its low half. */
void counter_write(const struct counter *c, u64 value);

/* count.S */
void count_run(u32 ctl, u64 start, void (*block)(void));
u64 count_read_rdpmc(u32 ctl, u64 start, void (*block)(void), u32 index);
u64 count_read_rdmsr(u32 ctl, u64 start, void (*block)(void), u32 msr);
void count_write(u32 ctl, u64 start, u32 msr, u64 value);

/* What count_run() adds to its block, stopping WRMSR included. */
#define COUNT_RUN_INSNS 5
#define COUNT_RUN_BRANCHES 1
/* What precedes the read in count_read_*(), besides the block. */
#define COUNT_READ_INSNS 2
/* count_write(): before its WRMSR; from that one to the end, both included. */
#define COUNT_WRITE_BEFORE 5
#define COUNT_WRITE_AFTER 7

/* The blocks in count.S and their hand count, RET included. */
struct block {
	const char *name;
	void (*run)(void);
	u32 instructions;
	u32 branches;
	u32 taken;
};
extern const struct block blocks[];
extern const u32 block_count;

void block_empty(void);
void block_nops(void);
#define BLOCK_NOPS_INSNS 11

#endif /* LIB_COUNTER_H */
