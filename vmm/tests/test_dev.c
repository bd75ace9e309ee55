/* SPDX-License-Identifier: Apache-2.0 */
/* vmm/dev_*.c, through the bus's table. */
#include <poll.h>
#include <string.h>

#include "dev.h"
#include "suites.h"

static void no_kick(void *user, unsigned int except)
{
	(void)user;
	(void)except;
}

struct fixture {
	struct bus bus;
	struct stop stop;
	struct dev_serial serial;
	struct dev_power power;
	struct dev_pci pci;
	struct dev_fwcfg fwcfg;
};

static void setup(struct fixture *f)
{
	bus_init(&f->bus);
	CU_ASSERT_EQUAL_FATAL(stop_init(&f->stop, no_kick, NULL), 0);
	/* No VM: OUT2 stays off, so that IRQ 4 does. */
	CU_ASSERT_EQUAL(dev_serial_add(&f->bus, &f->serial, -1, &f->stop), 0);
	CU_ASSERT_EQUAL(dev_debugexit_add(&f->bus, &f->stop), 0);
	CU_ASSERT_EQUAL(dev_power_add(&f->bus, &f->power, &f->stop), 0);
	CU_ASSERT_EQUAL(dev_pci_add(&f->bus, &f->pci), 0);
	CU_ASSERT_EQUAL(dev_fwcfg_add(&f->bus, &f->fwcfg, MIB(5120), 3), 0);
}

static void teardown(struct fixture *f)
{
	dev_serial_fini(&f->serial);
	stop_fini(&f->stop);
	bus_fini(&f->bus);
}

static const struct bus_dev *dev_at(struct fixture *f, uint16_t port)
{
	for (size_t i = 0; i < f->bus.n; i++)
		if (port >= f->bus.devs[i].first &&
		    port < f->bus.devs[i].first + f->bus.devs[i].n)
			return &f->bus.devs[i];
	CU_FAIL_FATAL("no device has this port");
	return NULL;
}

static void out(struct fixture *f, uint16_t port, unsigned int bytes,
		uint32_t value)
{
	const struct bus_dev *dev = dev_at(f, port);

	dev->write(dev->user, port - dev->first, bytes, value);
}

static uint32_t in(struct fixture *f, uint16_t port, unsigned int bytes)
{
	const struct bus_dev *dev = dev_at(f, port);

	return dev->read(dev->user, port - dev->first, bytes);
}

static uint8_t inb(struct fixture *f, uint16_t port)
{
	return (uint8_t)in(f, port, 1);
}

static void serial_registers(void)
{
	struct fixture f;

	setup(&f);
	CU_ASSERT_EQUAL(inb(&f, 0x3fd), 0x60);
	CU_ASSERT_EQUAL(inb(&f, 0x3fa), 0x01);
	CU_ASSERT_EQUAL(inb(&f, 0x3fe), 0xb0);
	out(&f, 0x3ff, 1, 0x5a);
	CU_ASSERT_EQUAL(inb(&f, 0x3ff), 0x5a);
	out(&f, 0x3f9, 1, 0xff);
	CU_ASSERT_EQUAL(inb(&f, 0x3f9), 0x0f);
	/* Enabling the transmitter's interrupt raises it; IIR clears it. */
	CU_ASSERT_EQUAL(inb(&f, 0x3fa), 0x02);
	CU_ASSERT_EQUAL(inb(&f, 0x3fa), 0x01);
	out(&f, 0x3fa, 1, 0x01);
	CU_ASSERT_EQUAL(inb(&f, 0x3fa), 0xc1);
	out(&f, 0x3fb, 1, 0x83);
	out(&f, 0x3f8, 2, 0x010c);
	CU_ASSERT_EQUAL(in(&f, 0x3f8, 2) & 0xffff, 0x010c);
	out(&f, 0x3fb, 1, 0x03);
	CU_ASSERT_EQUAL(inb(&f, 0x3f9), 0x0f);
	teardown(&f);
}

static void serial_loopback(void)
{
	struct fixture f;
	const char *text;

	setup(&f);
	out(&f, 0x3fc, 1, 0x1a);
	CU_ASSERT_EQUAL(inb(&f, 0x3fe), 0x90);
	capture_begin(1);
	out(&f, 0x3f8, 1, 'x');
	out(&f, 0x3fc, 1, 0x02);
	out(&f, 0x3f8, 1, 'y');
	text = capture_end();
	CU_ASSERT_STRING_EQUAL(text, "y");
	CU_ASSERT_EQUAL(inb(&f, 0x3fd), 0x61);
	CU_ASSERT_EQUAL(inb(&f, 0x3f8), 'x');
	CU_ASSERT_EQUAL(inb(&f, 0x3fd), 0x60);
	teardown(&f);
}

static void serial_input(void)
{
	struct fixture f;

	setup(&f);
	/* Not before the guest asks for interrupts on reception. */
	CU_ASSERT_FALSE(dev_serial_room(&f.serial));
	out(&f, 0x3f9, 1, 0x01);
	CU_ASSERT_TRUE(dev_serial_room(&f.serial));
	dev_serial_give(&f.serial, 'i');
	CU_ASSERT_FALSE(dev_serial_room(&f.serial));
	CU_ASSERT_EQUAL(inb(&f, 0x3fd), 0x61);
	CU_ASSERT_EQUAL(inb(&f, 0x3fa), 0x04);
	CU_ASSERT_EQUAL(inb(&f, 0x3f8), 'i');
	CU_ASSERT_EQUAL(inb(&f, 0x3fd), 0x60);
	CU_ASSERT_EQUAL(inb(&f, 0x3fa), 0x01);
	CU_ASSERT_TRUE(dev_serial_room(&f.serial));
	/* In loopback it would be taken for what the guest has sent. */
	out(&f, 0x3fc, 1, 0x10);
	CU_ASSERT_FALSE(dev_serial_room(&f.serial));
	teardown(&f);
}

/* Room that comes is told once: the descriptor is readable. */
static void serial_room(void)
{
	struct fixture f;
	struct pollfd fd = { .events = POLLIN };

	setup(&f);
	fd.fd = f.serial.room_fd;
	CU_ASSERT_EQUAL(poll(&fd, 1, 0), 0);
	out(&f, 0x3f9, 1, 0x01);
	CU_ASSERT_EQUAL(poll(&fd, 1, 0), 1);
	CU_ASSERT_TRUE(dev_serial_room(&f.serial));
	CU_ASSERT_EQUAL(poll(&fd, 1, 0), 0);
	dev_serial_give(&f.serial, 'i');
	CU_ASSERT_EQUAL(poll(&fd, 1, 0), 0);
	inb(&f, 0x3f8);
	CU_ASSERT_EQUAL(poll(&fd, 1, 0), 1);
	teardown(&f);
}

static void acpi_pm1(void)
{
	struct fixture f;

	setup(&f);
	/* No event; SCI_EN is always set; what is written reads back. */
	CU_ASSERT_EQUAL(in(&f, 0x600, 2) & 0xffff, 0);
	CU_ASSERT_EQUAL(in(&f, 0x604, 2) & 0xffff, 0x0001);
	out(&f, 0x602, 2, 0x0120);
	CU_ASSERT_EQUAL(in(&f, 0x602, 2) & 0xffff, 0x0120);
	CU_ASSERT_EQUAL(in(&f, 0x600, 4), 0x01200000);
	out(&f, 0x600, 4, 0x0000ffff);
	CU_ASSERT_EQUAL(in(&f, 0x600, 4), 0);
	out(&f, 0x604, 2, 0x1400);
	CU_ASSERT_EQUAL(in(&f, 0x604, 2) & 0xffff, 0x1401);
	CU_ASSERT_FALSE(stop_has_ended(&f.stop));
	teardown(&f);
}

static void pci(void)
{
	struct fixture f;

	setup(&f);
	CU_ASSERT_EQUAL(in(&f, 0xcfc, 4), UINT32_MAX);
	out(&f, 0xcf8, 4, 0x80000000);
	CU_ASSERT_EQUAL(in(&f, 0xcf8, 4), 0x80000000);
	CU_ASSERT_EQUAL(in(&f, 0xcfc, 4), 0x00081b36);
	CU_ASSERT_EQUAL(in(&f, 0xcfe, 2) & 0xffff, 0x0008);
	out(&f, 0xcf8, 4, 0x80000008);
	CU_ASSERT_EQUAL(inb(&f, 0xcff), 0x06);
	out(&f, 0xcf8, 4, 0x80000010);
	CU_ASSERT_EQUAL(in(&f, 0xcfc, 4), 0);
	/* Another function, another device, another bus: nobody. */
	for (uint32_t bit = 8; bit < 24; bit++) {
		out(&f, 0xcf8, 4, 0x80000000 | 1u << bit);
		CU_ASSERT_EQUAL(in(&f, 0xcfc, 4), UINT32_MAX);
	}
	/* CF9H is the reset register, which a byte at CF8H is not. */
	out(&f, 0xcf8, 1, 0x06);
	CU_ASSERT_FALSE(stop_has_ended(&f.stop));
	teardown(&f);
}

/* What one write comes to: the status, or -1 if the VM goes on. */
static int status_after(uint16_t port, unsigned int bytes, uint32_t value)
{
	struct fixture f;
	int status = -1;

	setup(&f);
	out(&f, port, bytes, value);
	if (stop_has_ended(&f.stop))
		status = stop_status(&f.stop);
	teardown(&f);
	return status;
}

static void ends(void)
{
	CU_ASSERT_EQUAL(status_after(0xf4, 1, 0), 1);
	CU_ASSERT_EQUAL(status_after(0xf4, 1, 21), 43);
	CU_ASSERT_EQUAL(status_after(0xf4, 2, 42), 85);
	CU_ASSERT_EQUAL(status_after(0xf4, 4, 0xffffffff), 255);
	CU_ASSERT_EQUAL(status_after(0xf4, 4, 0x80), 1);
	CU_ASSERT_EQUAL(status_after(0x64, 1, 0xfe), 0);
	CU_ASSERT_EQUAL(status_after(0x64, 1, 0xaa), -1);
	CU_ASSERT_EQUAL(status_after(0xcf9, 1, 0x06), 0);
	CU_ASSERT_EQUAL(status_after(0xcf9, 1, 0x02), -1);
	CU_ASSERT_EQUAL(status_after(0x604, 2, 0x2000), 0);
	CU_ASSERT_EQUAL(status_after(0x604, 2, 0x0001), -1);
}

static uint64_t item(struct fixture *f, uint16_t key)
{
	uint64_t value = 0;

	out(f, 0x510, 2, key);
	for (unsigned int i = 0; i < 8; i++)
		value |= (uint64_t)inb(f, 0x511) << 8 * i;
	/* Beyond the end there are zeros. */
	CU_ASSERT_EQUAL(inb(f, 0x511), 0);
	return value;
}

static void fwcfg(void)
{
	struct fixture f;

	setup(&f);
	CU_ASSERT_EQUAL(item(&f, 0x00), 0x554d4551);
	CU_ASSERT_EQUAL(item(&f, 0x01), 1);
	CU_ASSERT_EQUAL(item(&f, 0x03), MIB(5120));
	CU_ASSERT_EQUAL(item(&f, 0x05), 3);
	CU_ASSERT_EQUAL(item(&f, 0x0f), 3);
	CU_ASSERT_EQUAL(item(&f, 0x11), 0);
	CU_ASSERT_EQUAL(item(&f, 0xffff), 0);
	/* Only a 16-bit write selects. */
	out(&f, 0x510, 2, 0x05);
	out(&f, 0x510, 1, 0x03);
	CU_ASSERT_EQUAL(inb(&f, 0x511), 3);
	CU_ASSERT_EQUAL(in(&f, 0x510, 2), UINT32_MAX);
	teardown(&f);
}

static CU_TestInfo tests[] = {
	{ "16550: registers, divisor latch, IIR", serial_registers },
	{ "16550: loopback keeps what is sent", serial_loopback },
	{ "16550: a byte given is read, then there is room", serial_input },
	{ "16550: room is told by a descriptor", serial_room },
	{ "ACPI's PM1: no event, always enabled", acpi_pm1 },
	{ "PCI: a host bridge and nobody else", pci },
	{ "debug-exit, reset and power-off end the VM", ends },
	{ "fw_cfg: items, and zeros beyond them", fwcfg },
	CU_TEST_INFO_NULL,
};

CU_SuiteInfo suite_dev = { .pName = "dev", .pTests = tests };
