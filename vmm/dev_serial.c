/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A 16550: what is sent goes to standard output at once; what is received comes
 * byte by byte, and the device says when there is room for the next one.
 * Register and bit names: PC16550D data sheet.
 */
#include <errno.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "dev.h"
#include "msg.h"

#define COM1 0x3f8
#define COM1_IRQ 4

enum {
	REG_DATA,
	REG_IER,
	REG_IIR_FCR,
	REG_LCR,
	REG_MCR,
	REG_LSR,
	REG_MSR,
	REG_SCR,
	NR_REGS
};

#define IER_RDA 0x01
#define IER_THRE 0x02
#define IER_BITS 0x0f
#define IIR_NONE 0x01
#define IIR_THRE 0x02
#define IIR_RDA 0x04
#define IIR_FIFO 0xc0
#define FCR_ENABLE 0x01
#define LCR_DLAB 0x80
#define MCR_OUT2 0x08
#define MCR_LOOP 0x10
#define MCR_BITS 0x1f
#define LSR_DR 0x01
#define LSR_THRE 0x20
#define LSR_TEMT 0x40
/* Carrier, data set ready, clear to send: there is somebody. */
#define MSR_READY 0xb0

static uint8_t interrupt_id(const struct dev_serial *s)
{
	if ((s->ier & IER_RDA) && s->received)
		return IIR_RDA;
	if ((s->ier & IER_THRE) && s->thre_pending)
		return IIR_THRE;
	return IIR_NONE;
}

static bool has_room(const struct dev_serial *s)
{
	return (s->ier & IER_RDA) && !(s->mcr & MCR_LOOP) && !s->received;
}

static void update_room(struct dev_serial *s)
{
	const uint64_t one = 1;
	bool room = has_room(s);

	/* Fails only if the counter is full: then it is readable anyway. */
	if (room && !s->room && write(s->room_fd, &one, sizeof(one)) < 0)
		return;
	s->room = room;
}

/* OUT2 gates the interrupt on a PC. */
static void update_line(struct dev_serial *s)
{
	bool line = interrupt_id(s) != IIR_NONE && (s->mcr & MCR_OUT2);
	struct kvm_irq_level irq = { .irq = COM1_IRQ, .level = line };

	if (line == s->line)
		return;
	s->line = line;
	if (ioctl(s->vm_fd, KVM_IRQ_LINE, &irq)) {
		msg_err("KVM: KVM_IRQ_LINE: %m");
		stop_end(s->stop, STATUS_ERROR);
	}
}

/* The reader may be slow: a vCPU that is kicked for good gives up on it. */
static void put(struct dev_serial *s, uint8_t byte)
{
	while (write(STDOUT_FILENO, &byte, 1) != 1) {
		if (errno == EINTR && !stop_has_ended(s->stop))
			continue;
		if (errno != EINTR) {
			msg_err("serial: standard output: %m");
			stop_end(s->stop, STATUS_ERROR);
		}
		return;
	}
}

static void transmit(struct dev_serial *s, uint8_t byte)
{
	if (s->mcr & MCR_LOOP) {
		s->rbr = byte;
		s->received = true;
	} else {
		put(s, byte);
	}
	s->thre_pending = true;
}

static uint8_t receive(struct dev_serial *s)
{
	if (!s->received)
		return 0;
	s->received = false;
	return s->rbr;
}

static uint8_t read_iir(struct dev_serial *s)
{
	uint8_t id = interrupt_id(s);

	if (id == IIR_THRE)
		s->thre_pending = false;
	return id | (s->fcr & FCR_ENABLE ? IIR_FIFO : 0);
}

/* In loopback the modem outputs come back: DTR, RTS, OUT1, OUT2 as DSR, CTS,
 * RI, DCD. */
static uint8_t read_msr(const struct dev_serial *s)
{
	uint8_t mcr = s->mcr;

	if (!(mcr & MCR_LOOP))
		return MSR_READY;
	return (uint8_t)((mcr & 0x0c) << 4 | (mcr & 0x02) << 3 |
			 (mcr & 0x01) << 5);
}

static uint8_t read_reg(struct dev_serial *s, uint16_t reg)
{
	bool dlab = s->lcr & LCR_DLAB;

	switch (reg) {
	case REG_DATA:
		return dlab ? s->divisor[0] : receive(s);
	case REG_IER:
		return dlab ? s->divisor[1] : s->ier;
	case REG_IIR_FCR:
		return read_iir(s);
	case REG_LCR:
		return s->lcr;
	case REG_MCR:
		return s->mcr;
	case REG_LSR:
		return LSR_THRE | LSR_TEMT | (s->received ? LSR_DR : 0);
	case REG_MSR:
		return read_msr(s);
	default:
		return s->scr;
	}
}

static void write_ier(struct dev_serial *s, uint8_t value)
{
	/* Enabling it raises it, as the transmitter is always empty. */
	if (value & ~s->ier & IER_THRE)
		s->thre_pending = true;
	s->ier = value & IER_BITS;
}

static void write_reg(struct dev_serial *s, uint16_t reg, uint8_t value)
{
	bool dlab = s->lcr & LCR_DLAB;

	switch (reg) {
	case REG_DATA:
	case REG_IER:
		if (dlab)
			s->divisor[reg] = value;
		else if (reg == REG_DATA)
			transmit(s, value);
		else
			write_ier(s, value);
		break;
	case REG_IIR_FCR:
		s->fcr = value;
		break;
	case REG_LCR:
		s->lcr = value;
		break;
	case REG_MCR:
		s->mcr = value & MCR_BITS;
		break;
	case REG_SCR:
		s->scr = value;
		break;
	}
}

/* A wider access goes to consecutive registers. */
static uint32_t serial_read(void *user, uint16_t port, unsigned int bytes)
{
	struct dev_serial *s = user;
	uint32_t value = UINT32_MAX;

	for (unsigned int i = 0; i < bytes && port + i < NR_REGS; i++) {
		uint32_t byte = read_reg(s, (uint16_t)(port + i));

		value = (value & ~(0xffu << 8 * i)) | byte << 8 * i;
	}
	update_line(s);
	update_room(s);
	return value;
}

static void serial_write(void *user, uint16_t port, unsigned int bytes,
			 uint32_t value)
{
	struct dev_serial *s = user;

	for (unsigned int i = 0; i < bytes && port + i < NR_REGS; i++)
		write_reg(s, (uint16_t)(port + i), (uint8_t)(value >> 8 * i));
	update_line(s);
	update_room(s);
}

bool dev_serial_room(struct dev_serial *serial)
{
	uint64_t count;
	bool room;

	bus_lock(serial->bus);
	/* Until it is lost again, it need not be told. */
	if (read(serial->room_fd, &count, sizeof(count)) < 0)
		count = 0;
	room = has_room(serial);
	bus_unlock(serial->bus);
	return room;
}

void dev_serial_give(struct dev_serial *serial, uint8_t byte)
{
	bus_lock(serial->bus);
	serial->rbr = byte;
	serial->received = true;
	update_line(serial);
	update_room(serial);
	bus_unlock(serial->bus);
}

int dev_serial_add(struct bus *bus, struct dev_serial *serial, int vm_fd,
		   struct stop *stop)
{
	const struct bus_dev dev = { .first = COM1,
				     .n = NR_REGS,
				     .read = serial_read,
				     .write = serial_write,
				     .user = serial };

	*serial =
		(struct dev_serial){ .vm_fd = vm_fd, .bus = bus, .stop = stop };
	serial->room_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (serial->room_fd < 0)
		return msg_err("eventfd: %m");
	return bus_add(bus, &dev);
}

void dev_serial_fini(struct dev_serial *serial)
{
	if (serial->room_fd >= 0)
		close(serial->room_fd);
}
