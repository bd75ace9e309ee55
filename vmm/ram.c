/* SPDX-License-Identifier: Apache-2.0 */
/* The guest's memory: one mapping, two regions around the hole below 4 GiB. */
#include "ram.h"

#include <inttypes.h>
#include <stddef.h>
#include <sys/mman.h>

#include "msg.h"

int ram_init(struct ram *ram, uint64_t mib)
{
	uint64_t low;

	*ram = (struct ram){ 0 };
	if (!mib || mib > (PTRDIFF_MAX >> 20))
		return msg_err("--mem: %" PRIu64 " MiB: no process can map "
			       "that much; give less",
			       mib);
	ram->map = mmap(NULL, MIB(mib), PROT_READ | PROT_WRITE,
			MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (ram->map == MAP_FAILED) {
		ram->map = NULL;
		return msg_err("--mem: %" PRIu64 " MiB: mmap: %m; give less",
			       mib);
	}
	ram->bytes = MIB(mib);
	low = ram->bytes < RAM_HOLE ? ram->bytes : RAM_HOLE;
	ram->low = (struct ram_region){ 0, low, ram->map };
	if (ram->bytes > low)
		ram->high = (struct ram_region){ RAM_HIGH, ram->bytes - low,
						 ram->map + low };
	return 0;
}

void ram_fini(struct ram *ram)
{
	if (ram->map)
		munmap(ram->map, ram->bytes);
	*ram = (struct ram){ 0 };
}

static void *region_ptr(const struct ram_region *region, gpa_t gpa,
			uint64_t bytes)
{
	uint64_t offset = gpa - region->gpa;

	if (gpa < region->gpa || offset >= region->bytes ||
	    bytes > region->bytes - offset)
		return NULL;
	return region->host + offset;
}

void *ram_ptr(const struct ram *ram, gpa_t gpa, uint64_t bytes)
{
	void *p = region_ptr(&ram->low, gpa, bytes);

	return p ? p : region_ptr(&ram->high, gpa, bytes);
}
