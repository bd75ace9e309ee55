/* SPDX-License-Identifier: Apache-2.0 */
/* The guest's memory, and the one way to it. */
#ifndef VMM_RAM_H
#define VMM_RAM_H

#include "util.h"

/* Below 4 GiB there is RAM up to here at most: devices live above it. */
#define RAM_HOLE GIB(3)
#define RAM_HIGH GIB(4)
/* Between conventional memory and 1 MiB, PCs have no RAM. */
#define RAM_LOW_END 0xa0000
#define RAM_UPPER MIB(1)

struct ram_region {
	gpa_t gpa;
	uint64_t bytes; /* 0: there is no such region */
	uint8_t *host;
};

struct ram {
	struct ram_region low, high;
	uint8_t *map; /* both regions, low first */
	uint64_t bytes;
};

/* Zeroed memory of so many MiB. 0, or -1 with a message. */
int ram_init(struct ram *ram, uint64_t mib);
void ram_fini(struct ram *ram);
/* Where [gpa, gpa + bytes) is in this process; NULL if not all of it is RAM
 * of one region. */
void *ram_ptr(const struct ram *ram, gpa_t gpa, uint64_t bytes);

#endif /* VMM_RAM_H */
