/* SPDX-License-Identifier: Apache-2.0 */
/* The guest's own exit status, as QEMU's isa-debug-exit forms it. */
#include "dev.h"

#define PORT 0xf4
#define NR_PORTS 4

static void debugexit_write(void *user, uint16_t port, unsigned int bytes,
			    uint32_t value)
{
	(void)port;
	(void)bytes;
	stop_end(user, (int)((value << 1 | 1) & 0xff));
}

static uint32_t debugexit_read(void *user, uint16_t port, unsigned int bytes)
{
	(void)user;
	(void)port;
	(void)bytes;
	return 0;
}

int dev_debugexit_add(struct bus *bus, struct stop *stop)
{
	const struct bus_dev dev = { .first = PORT,
				     .n = NR_PORTS,
				     .read = debugexit_read,
				     .write = debugexit_write,
				     .user = stop };

	return bus_add(bus, &dev);
}
