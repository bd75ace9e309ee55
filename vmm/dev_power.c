/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The ways in which a PC is reset or switched off; each ends the VM cleanly:
 * the keyboard controller's command FEH, bit 2 of CF9H, and SLP_EN in ACPI's
 * PM1a_CNT, which is where QEMU's q35 has it. No event is ever signalled.
 */
#include "dev.h"

#define KBD_PORT 0x64
#define KBD_RESET 0xfe

/* "PM1 Event Grouping" and "PM1 Control Grouping": offsets from PM1a_EVT */
enum { PM1_STS = 0, PM1_EN = 2, PM1_CNT = 4, PM1_BYTES = 6 };
#define SCI_EN 0x0001
#define SLP_EN 0x2000
#define CNT_BITS 0x1c02 /* BM_RLD and SLP_TYP */

_Static_assert(DEV_PM1A_EVT + PM1_CNT == DEV_PM1A_CNT, "one block");

static void kbd_write(void *user, uint16_t port, unsigned int bytes,
		      uint32_t value)
{
	struct dev_power *p = user;

	(void)port;
	(void)bytes;
	if ((value & 0xff) == KBD_RESET)
		stop_end(p->stop, STATUS_OK);
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
	struct dev_power *p = user;

	(void)port;
	(void)bytes;
	if (value & DEV_RST_CPU)
		stop_end(p->stop, STATUS_OK);
}

/* All of PM1, as it is read: no status is pending. */
static uint64_t pm1_value(const struct dev_power *p)
{
	return (uint64_t)p->pm1_en << 8 * PM1_EN |
	       (uint64_t)(p->pm1_cnt | SCI_EN) << 8 * PM1_CNT;
}

static uint32_t pm1_read(void *user, uint16_t port, unsigned int bytes)
{
	(void)bytes;
	return (uint32_t)(pm1_value(user) >> 8 * port);
}

static void pm1_write(void *user, uint16_t port, unsigned int bytes,
		      uint32_t value)
{
	struct dev_power *p = user;

	if (port == PM1_STS && bytes == 4)
		p->pm1_en = (uint16_t)(value >> 16);
	if (bytes < 2)
		return;
	if (port == PM1_EN)
		p->pm1_en = (uint16_t)value;
	if (port != PM1_CNT)
		return;
	p->pm1_cnt = value & CNT_BITS;
	if (value & SLP_EN)
		stop_end(p->stop, STATUS_OK);
}

int dev_power_add(struct bus *bus, struct dev_power *power, struct stop *stop)
{
	const struct bus_dev devs[] = {
		{ KBD_PORT, 1, kbd_read, kbd_write, power },
		{ DEV_RST_CNT, 1, NULL, rst_write, power },
		{ DEV_PM1A_EVT, PM1_BYTES, pm1_read, pm1_write, power },
	};

	*power = (struct dev_power){ .stop = stop };
	for (size_t i = 0; i < ARRAY_SIZE(devs); i++)
		if (bus_add(bus, &devs[i]))
			return -1;
	return 0;
}
