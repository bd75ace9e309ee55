/* SPDX-License-Identifier: Apache-2.0 */
/* Port I/O and MMIO exits to device calls. */
#include "bus.h"

#include <string.h>

#include "msg.h"

void bus_init(struct bus *bus)
{
	bus->n = 0;
	pthread_mutex_init(&bus->lock, NULL);
}

void bus_fini(struct bus *bus)
{
	pthread_mutex_destroy(&bus->lock);
}

int bus_add(struct bus *bus, const struct bus_dev *dev)
{
	for (size_t i = 0; i < bus->n; i++) {
		const struct bus_dev *other = &bus->devs[i];

		if (dev->first < other->first + other->n &&
		    other->first < dev->first + dev->n)
			return msg_err("bus: ports %xH and %xH: overlap",
				       dev->first, other->first);
	}
	if (bus->n == BUS_MAX_DEVS)
		return msg_err("bus: port %xH: too many devices", dev->first);
	bus->devs[bus->n++] = *dev;
	return 0;
}

static const struct bus_dev *find(const struct bus *bus, uint16_t port)
{
	for (size_t i = 0; i < bus->n; i++)
		if ((uint16_t)(port - bus->devs[i].first) < bus->devs[i].n)
			return &bus->devs[i];
	return NULL;
}

/* One element; `data` is little-endian, as this machine is. */
static void access_port(const struct bus_dev *dev, const struct kvm_run *run,
			uint8_t *data)
{
	uint16_t port = dev ? run->io.port - dev->first : 0;
	uint32_t value = UINT32_MAX;

	if (run->io.direction == KVM_EXIT_IO_OUT) {
		value = 0;
		memcpy(&value, data, run->io.size);
		if (dev && dev->write)
			dev->write(dev->user, port, run->io.size, value);
		return;
	}
	if (dev && dev->read)
		value = dev->read(dev->user, port, run->io.size);
	memcpy(data, &value, run->io.size);
}

void bus_lock(struct bus *bus)
{
	pthread_mutex_lock(&bus->lock);
}

void bus_unlock(struct bus *bus)
{
	pthread_mutex_unlock(&bus->lock);
}

void bus_pio(struct bus *bus, struct kvm_run *run)
{
	const struct bus_dev *dev = find(bus, run->io.port);
	uint8_t *data = (uint8_t *)run + run->io.data_offset;

	bus_lock(bus);
	for (uint32_t i = 0; i < run->io.count; i++, data += run->io.size)
		access_port(dev, run, data);
	bus_unlock(bus);
}

void bus_mmio(struct kvm_run *run)
{
	if (!run->mmio.is_write)
		memset(run->mmio.data, 0xff, sizeof(run->mmio.data));
}
