/* SPDX-License-Identifier: Apache-2.0 */
/* A stop-watch for guests: EEH starts a span, EFH ends it, EDH does nothing. */
#include <inttypes.h>
#include <stdio.h>
#include <time.h>

#include "dev.h"

#define PORT_NOTHING 0xed
#define NR_PORTS 3
enum { NOTHING, BEGIN, END };

static uint64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

static void bench_write(void *user, uint16_t port, unsigned int bytes,
			uint32_t value)
{
	struct dev_bench *b = user;

	(void)bytes;
	if (port == BEGIN) {
		b->current = (uint8_t)value;
		b->running = true;
		b->begun_ns = now_ns();
	} else if (port == END && b->running) {
		b->total_ns[b->current] += now_ns() - b->begun_ns;
		b->spans[b->current]++;
		b->running = false;
	}
}

int dev_bench_add(struct bus *bus, struct dev_bench *bench)
{
	const struct bus_dev dev = { .first = PORT_NOTHING,
				     .n = NR_PORTS,
				     .write = bench_write,
				     .user = bench };

	*bench = (struct dev_bench){ 0 };
	return bus_add(bus, &dev);
}

void dev_bench_print(const struct dev_bench *bench)
{
	for (size_t i = 0; i < ARRAY_SIZE(bench->spans); i++)
		if (bench->spans[i])
			fprintf(stderr,
				"bench: %zu ns=%" PRIu64 " spans=%" PRIu64 "\n",
				i, bench->total_ns[i], bench->spans[i]);
}
