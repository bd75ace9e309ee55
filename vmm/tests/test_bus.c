/* SPDX-License-Identifier: Apache-2.0 */
/* vmm/bus.c: port and MMIO exits. */
#include <string.h>

#include "bus.h"
#include "suites.h"

/* A device that remembers what it was asked. */
struct recorder {
	uint16_t port;
	unsigned int bytes, calls;
	uint32_t value;
};

static void record_write(void *user, uint16_t port, unsigned int bytes,
			 uint32_t value)
{
	struct recorder *r = user;

	*r = (struct recorder){ port, bytes, r->calls + 1, value };
}

static uint32_t record_read(void *user, uint16_t port, unsigned int bytes)
{
	struct recorder *r = user;

	*r = (struct recorder){ port, bytes, r->calls + 1, 0 };
	return 0x11223344 + r->calls;
}

/* A struct kvm_run and the page that data_offset points into. */
static union {
	struct kvm_run run;
	uint8_t bytes[2 * 4096];
} area;

#define DATA (area.bytes + 4096)

static void access_port(struct bus *bus, int direction, uint16_t port,
			unsigned int size, unsigned int count)
{
	area.run.io.direction = (uint8_t)direction;
	area.run.io.port = port;
	area.run.io.size = (uint8_t)size;
	area.run.io.count = count;
	area.run.io.data_offset = 4096;
	bus_pio(bus, &area.run);
}

static void setup(struct bus *bus, struct recorder *r)
{
	const struct bus_dev dev = { 0x100, 4, record_read, record_write, r };

	*r = (struct recorder){ 0 };
	bus_init(bus);
	CU_ASSERT_EQUAL_FATAL(bus_add(bus, &dev), 0);
}

static void writes_reach_the_device(void)
{
	struct recorder r;
	struct bus bus;

	setup(&bus, &r);
	memcpy(DATA, "\x78\x56\x34\x12", 4);
	access_port(&bus, KVM_EXIT_IO_OUT, 0x103, 2, 1);
	CU_ASSERT_EQUAL(r.port, 3);
	CU_ASSERT_EQUAL(r.bytes, 2);
	CU_ASSERT_EQUAL(r.value, 0x5678);
	bus_fini(&bus);
}

static void strings_are_split(void)
{
	struct recorder r;
	struct bus bus;

	setup(&bus, &r);
	memcpy(DATA, "abc", 3);
	access_port(&bus, KVM_EXIT_IO_OUT, 0x100, 1, 3);
	CU_ASSERT_EQUAL(r.calls, 3);
	CU_ASSERT_EQUAL(r.value, 'c');
	access_port(&bus, KVM_EXIT_IO_IN, 0x100, 4, 2);
	CU_ASSERT_EQUAL(memcmp(DATA, "\x48\x33\x22\x11\x49\x33\x22\x11", 8), 0);
	bus_fini(&bus);
}

static void nobody_answers_ones(void)
{
	struct recorder r;
	struct bus bus;

	setup(&bus, &r);
	memset(DATA, 0, 8);
	access_port(&bus, KVM_EXIT_IO_IN, 0x104, 2, 1);
	access_port(&bus, KVM_EXIT_IO_IN, 0xff, 1, 1);
	CU_ASSERT_EQUAL(memcmp(DATA, "\xff\xff\0\0", 4), 0);
	access_port(&bus, KVM_EXIT_IO_OUT, 0xffff, 4, 1);
	CU_ASSERT_EQUAL(r.calls, 0);
	bus_fini(&bus);
}

static void ports_belong_to_one(void)
{
	static const struct bus_dev taken[] = { { .first = 0x103, .n = 1 },
						{ .first = 0xff, .n = 2 },
						{ .first = 0x90, .n = 0x100 } };
	static const struct bus_dev beside = { .first = 0x104, .n = 1 };
	struct recorder r;
	struct bus bus;

	setup(&bus, &r);
	for (size_t i = 0; i < ARRAY_SIZE(taken); i++) {
		capture_begin(2);
		CU_ASSERT_EQUAL(bus_add(&bus, &taken[i]), -1);
		CU_ASSERT(one_line_with(capture_end(), "overlap", __LINE__));
	}
	CU_ASSERT_EQUAL(bus_add(&bus, &beside), 0);
	bus_fini(&bus);
}

static void mmio_reads_ones(void)
{
	struct kvm_run run = { .mmio = { .len = 8 } };

	bus_mmio(&run);
	CU_ASSERT_EQUAL(memcmp(run.mmio.data,
			       "\xff\xff\xff\xff\xff\xff\xff\xff", 8),
			0);
	run.mmio.is_write = 1;
	run.mmio.data[0] = 1;
	bus_mmio(&run);
	CU_ASSERT_EQUAL(run.mmio.data[0], 1);
}

static CU_TestInfo tests[] = {
	{ "a write reaches the device with its width",
	  writes_reach_the_device },
	{ "string I/O is an access per element", strings_are_split },
	{ "ports of nobody read all ones", nobody_answers_ones },
	{ "a port belongs to one device", ports_belong_to_one },
	{ "MMIO of nobody reads all ones", mmio_reads_ones },
	CU_TEST_INFO_NULL,
};

CU_SuiteInfo suite_bus = { .pName = "bus", .pTests = tests };
