/* SPDX-License-Identifier: Apache-2.0 */
/* The devices of the port bus; each is a file. */
#ifndef VMM_DEV_H
#define VMM_DEV_H

#include <stdbool.h>

#include "bus.h"
#include "stop.h"

/*
 * 16550 at 3F8H: what the guest sends goes to fd 1 at once. What it is given,
 * byte by byte, waits until it has asked for interrupts on reception: earlier,
 * a driver that sets up the device would lose it.
 */
struct dev_serial {
	int vm_fd; /* for IRQ 4 */
	int room_fd; /* an eventfd: there is room again */
	struct bus *bus;
	struct stop *stop;
	bool line; /* level of IRQ 4 */
	bool room; /* a byte can be given */
	bool thre_pending; /* transmitter-empty interrupt not yet seen */
	uint8_t ier, lcr, mcr, scr, fcr;
	uint8_t divisor[2];
	uint8_t rbr;
	bool received; /* `rbr` holds a byte */
};
/* 0, or -1 with a message; dev_serial_fini() either way. */
int dev_serial_add(struct bus *bus, struct dev_serial *serial, int vm_fd,
		   struct stop *stop);
void dev_serial_fini(struct dev_serial *serial);
/* From any thread: is there room for a byte; and this is it. */
bool dev_serial_room(struct dev_serial *serial);
void dev_serial_give(struct dev_serial *serial, uint8_t byte);

/* F4H: ends the VM with status (v << 1) | 1, as QEMU's isa-debug-exit. */
int dev_debugexit_add(struct bus *bus, struct stop *stop);

/* 64H, CF9H: reset; 600H to 605H: ACPI's PM1, whose SLP_EN is power-off, where
 * QEMU's q35 has it. Reset and power-off both end the VM. */
#define DEV_RST_CNT 0xcf9
#define DEV_RST_CPU 0x04
#define DEV_PM1A_EVT 0x600
#define DEV_PM1A_CNT 0x604
struct dev_power {
	struct stop *stop;
	uint16_t pm1_en, pm1_cnt;
};
int dev_power_add(struct bus *bus, struct dev_power *power, struct stop *stop);

/* CF8H, CFCH to CFFH: PCI's configuration space, with a host bridge only. */
struct dev_pci {
	uint32_t address;
};
int dev_pci_add(struct bus *bus, struct dev_pci *pci);

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
