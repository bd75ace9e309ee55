/* SPDX-License-Identifier: Apache-2.0 */
/* Port I/O and MMIO: finds the device; knows no device. */
#ifndef VMM_BUS_H
#define VMM_BUS_H

#include <linux/kvm.h>
#include <pthread.h>

#include "util.h"

/*
 * A device on the port bus. Calls are serialised by the bus; `port` counts
 * from the device's first port, `bytes` is 1, 2 or 4.
 */
struct bus_dev {
	uint16_t first;
	uint16_t n;
	uint32_t (*read)(void *user, uint16_t port, unsigned int bytes);
	void (*write)(void *user, uint16_t port, unsigned int bytes,
		      uint32_t value);
	void *user;
};

#define BUS_MAX_DEVS 16

struct bus {
	struct bus_dev devs[BUS_MAX_DEVS];
	size_t n;
	pthread_mutex_t lock;
};

void bus_init(struct bus *bus);
void bus_fini(struct bus *bus);
/* Before the first vCPU runs. 0; -1 if the ports are taken or the bus full. */
int bus_add(struct bus *bus, const struct bus_dev *dev);
/* What nobody answers reads as all ones, and ignores writes. */
void bus_pio(struct bus *bus, struct kvm_run *run);
void bus_mmio(struct kvm_run *run);
/* For a device that is also called from elsewhere. */
void bus_lock(struct bus *bus);
void bus_unlock(struct bus *bus);

#endif /* VMM_BUS_H */
