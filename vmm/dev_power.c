/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The ways in which a PC is reset or switched off; each ends the VM cleanly:
 * the keyboard controller's command FEH, bit 2 of CF9H, and SLP_EN in the
 * register that is PM1a_CNT on QEMU's q35.
 */
#include "dev.h"

#define KBD_PORT 0x64
#define KBD_RESET 0xfe
#define RST_CNT 0xcf9
#define RST_CPU 0x04
#define PM1A_CNT 0x604
#define SLP_EN 0x2000

static void kbd_write(void *user, uint16_t port, unsigned int bytes,
		      uint32_t value)
{
	(void)port;
	(void)bytes;
	if ((value & 0xff) == KBD_RESET)
		stop_end(user, STATUS_OK);
}

/* Status: input buffer empty, so that nobody waits for it. */
static uint32_t kbd_read(void *user, uint16_t port, unsigned int bytes)
{
	(void)user;
	(void)port;
	(void)bytes;
	return 0;
}

static void rst_write(void *user, uint16_t port, unsigned int bytes,
		      uint32_t value)
{
	(void)port;
	(void)bytes;
	if (value & RST_CPU)
		stop_end(user, STATUS_OK);
}

static void pm1a_write(void *user, uint16_t port, unsigned int bytes,
		       uint32_t value)
{
	if (port == 0 && bytes >= 2 && (value & SLP_EN))
		stop_end(user, STATUS_OK);
}

int dev_power_add(struct bus *bus, struct stop *stop)
{
	const struct bus_dev devs[] = {
		{ KBD_PORT, 1, kbd_read, kbd_write, stop },
		{ RST_CNT, 1, NULL, rst_write, stop },
		{ PM1A_CNT, 2, NULL, pm1a_write, stop },
	};

	for (size_t i = 0; i < ARRAY_SIZE(devs); i++)
		if (bus_add(bus, &devs[i]))
			return -1;
	return 0;
}
