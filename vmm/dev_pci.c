/* SPDX-License-Identifier: Apache-2.0 */
/*
 * PCI by "Configuration Mechanism #1": a host bridge and nothing behind it.
 * Linux holds a machine without PCI for broken.
 */
#include "dev.h"

#define CONFIG_ADDRESS 0xcf8
#define CONFIG_DATA 0xcfc
#define NR_DATA 4

#define ENABLE 0x80000000u
#define ADDRESS_BITS (ENABLE | 0x00fffffc)
#define FUNCTION 0x00ffff00u /* bus, device and function; the bridge's is 0 */

/* Of the bridge's registers, those that are not 0. */
#define REG_ID 0x00
#define REG_CLASS 0x08
#define BRIDGE_ID 0x00081b36 /* QEMU's generic host bridge */
#define BRIDGE_CLASS 0x06000000 /* host bridge, revision 0 */

static uint32_t config(uint32_t address)
{
	if (!(address & ENABLE) || (address & FUNCTION))
		return UINT32_MAX;
	switch (address & 0xfc) {
	case REG_ID:
		return BRIDGE_ID;
	case REG_CLASS:
		return BRIDGE_CLASS;
	default:
		return 0;
	}
}

static uint32_t address_read(void *user, uint16_t port, unsigned int bytes)
{
	const struct dev_pci *pci = user;

	(void)port;
	return bytes == 4 ? pci->address : UINT32_MAX;
}

static void address_write(void *user, uint16_t port, unsigned int bytes,
			  uint32_t value)
{
	struct dev_pci *pci = user;

	(void)port;
	if (bytes == 4)
		pci->address = value & ADDRESS_BITS;
}

static uint32_t data_read(void *user, uint16_t port, unsigned int bytes)
{
	const struct dev_pci *pci = user;

	(void)bytes;
	return config(pci->address) >> 8 * port;
}

int dev_pci_add(struct bus *bus, struct dev_pci *pci)
{
	const struct bus_dev devs[] = {
		{ CONFIG_ADDRESS, 1, address_read, address_write, pci },
		{ CONFIG_DATA, NR_DATA, data_read, NULL, pci },
	};

	*pci = (struct dev_pci){ 0 };
	for (size_t i = 0; i < ARRAY_SIZE(devs); i++)
		if (bus_add(bus, &devs[i]))
			return -1;
	return 0;
}
