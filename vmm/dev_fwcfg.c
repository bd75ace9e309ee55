/* SPDX-License-Identifier: Apache-2.0 */
/* QEMU's firmware configuration device, as far as test images read it. */
#include <string.h>

#include "dev.h"

#define PORT 0x510 /* key; data at the next one */

enum {
	KEY_SIGNATURE = 0x00,
	KEY_ID = 0x01,
	KEY_RAM_SIZE = 0x03,
	KEY_NB_CPUS = 0x05,
	KEY_MAX_CPUS = 0x0f,
};

#define ID_TRADITIONAL 1u /* no DMA */

/* Copies the key's value to buf; how many bytes it has. */
static size_t value_of(const struct dev_fwcfg *f, uint8_t buf[8])
{
	const uint32_t id = ID_TRADITIONAL;
	const struct {
		uint16_t key;
		const void *data;
		size_t bytes;
	} items[] = {
		{ KEY_SIGNATURE, "QEMU", 4 },
		{ KEY_ID, &id, sizeof(id) },
		{ KEY_RAM_SIZE, &f->ram_bytes, sizeof(f->ram_bytes) },
		{ KEY_NB_CPUS, &f->cpus, sizeof(f->cpus) },
		{ KEY_MAX_CPUS, &f->cpus, sizeof(f->cpus) },
	};

	for (size_t i = 0; i < ARRAY_SIZE(items); i++) {
		if (items[i].key != f->key)
			continue;
		memcpy(buf, items[i].data, items[i].bytes);
		return items[i].bytes;
	}
	return 0;
}

static void fwcfg_write(void *user, uint16_t port, unsigned int bytes,
			uint32_t value)
{
	struct dev_fwcfg *f = user;

	if (port != 0 || bytes != 2)
		return;
	f->key = (uint16_t)value;
	f->offset = 0;
}

/* Beyond the end of the value: zeros. */
static uint32_t fwcfg_read(void *user, uint16_t port, unsigned int bytes)
{
	struct dev_fwcfg *f = user;
	uint8_t value[8];

	if (port != 1 || bytes != 1)
		return UINT32_MAX;
	if (f->offset >= value_of(f, value))
		return 0;
	return value[f->offset++];
}

int dev_fwcfg_add(struct bus *bus, struct dev_fwcfg *fwcfg, uint64_t ram_bytes,
		  unsigned int cpus)
{
	const struct bus_dev dev = { .first = PORT,
				     .n = 2,
				     .read = fwcfg_read,
				     .write = fwcfg_write,
				     .user = fwcfg };

	*fwcfg = (struct dev_fwcfg){ .ram_bytes = ram_bytes,
				     .cpus = (uint16_t)cpus };
	return bus_add(bus, &dev);
}
