/* SPDX-License-Identifier: Apache-2.0 */
/* The devices of the port bus; each is a file. */
#ifndef VMM_DEV_H
#define VMM_DEV_H

#include <stdbool.h>

#include "bus.h"
#include "stop.h"

/* 16550 at 3F8H: what the guest sends goes to fd 1 at once. */
struct dev_serial {
	int vm_fd; /* for IRQ 4 */
	struct stop *stop;
	bool line; /* level of IRQ 4 */
	bool thre_pending; /* transmitter-empty interrupt not yet seen */
	uint8_t ier, lcr, mcr, scr, fcr;
	uint8_t divisor[2];
	uint8_t loopback;
	bool received; /* `loopback` holds a byte */
};
int dev_serial_add(struct bus *bus, struct dev_serial *serial, int vm_fd,
		   struct stop *stop);

/* F4H: ends the VM with status (v << 1) | 1, as QEMU's isa-debug-exit. */
int dev_debugexit_add(struct bus *bus, struct stop *stop);

/* 64H, CF9H: reset; 604H: power-off as on QEMU's q35. Both end the VM. */
int dev_power_add(struct bus *bus, struct stop *stop);

/* 510H and 511H: what QEMU tells its firmware. */
struct dev_fwcfg {
	uint64_t ram_bytes;
	uint16_t cpus;
	uint16_t key;
	size_t offset;
};
int dev_fwcfg_add(struct bus *bus, struct dev_fwcfg *fwcfg, uint64_t ram_bytes,
		  unsigned int cpus);

#endif /* VMM_DEV_H */
