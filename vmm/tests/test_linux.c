/* SPDX-License-Identifier: Apache-2.0 */
/* vmm/load_linux.c and vmm/acpi.c: what a kernel finds, and images that are no
 * kernels. Offsets: "The Linux/x86 Boot Protocol", "ACPI Specification". */
#include <stdlib.h>

#include "acpi.h"
#include "image.h"
#include "suites.h"

#define RAM_MIB 8
#define CPUS 3

/* setup_sects = 1, so that the kernel begins at 400H. */
#define KERNEL_AT 0x400
#define KERNEL_BYTES 0x1000
#define KERNEL_PREF 0x200000
#define KERNEL_INIT 0x100000
#define CMDLINE_SIZE 100
#define PARAMS 0x9000

struct bzimage {
	uint8_t bytes[KERNEL_AT + KERNEL_BYTES];
};

struct field {
	uint32_t at, bytes;
	uint64_t value;
};

/* clang-format off */
static const struct field good[] = {
	{ 0x1f1, 1, 1 },			/* setup_sects */
	{ 0x1f4, 4, KERNEL_BYTES / 16 },	/* syssize */
	{ 0x1fe, 2, 0xaa55 },			/* boot_flag */
	{ 0x200, 2, 0x6aeb },			/* jump */
	{ 0x202, 4, 0x53726448 },		/* header */
	{ 0x206, 2, 0x20c },			/* version */
	{ 0x211, 1, 1 },			/* loadflags: LOADED_HIGH */
	{ 0x22c, 4, 0x7fffffff },		/* initrd_addr_max */
	{ 0x236, 2, 1 },			/* xloadflags: XLF_KERNEL_64 */
	{ 0x238, 4, CMDLINE_SIZE },		/* cmdline_size */
	{ 0x258, 8, KERNEL_PREF },		/* pref_address */
	{ 0x260, 4, KERNEL_INIT },		/* init_size */
};

/* The good image with one field changed is refused, saying this. */
static const struct {
	int line;
	struct field field;
	const char *says;
} damages[] = {
	{ __LINE__, { 0x1f1, 1, 255 }, "setup_sects is beyond the end" },
	/* 0 means 4 */
	{ __LINE__, { 0x1f1, 1, 0 }, "syssize is beyond the end" },
	{ __LINE__, { 0x1f1, 1, 9 }, "setup_sects is beyond the end" },
	{ __LINE__, { 0x1f4, 4, KERNEL_BYTES / 16 + 1 }, "syssize is beyond the end" },
	{ __LINE__, { 0x1f4, 4, 0xffffffff }, "syssize is beyond the end" },
	{ __LINE__, { 0x1fe, 2, 0 }, "AA55H" },
	{ __LINE__, { 0x206, 2, 0x20b }, "no 64-bit entry" },
	{ __LINE__, { 0x206, 2, 0 }, "no 64-bit entry" },
	{ __LINE__, { 0x211, 1, 0 }, "no 64-bit entry" },
	{ __LINE__, { 0x236, 2, 0xfffe }, "no 64-bit entry" },
	{ __LINE__, { 0x238, 4, 0 }, "--append: 1 bytes; this kernel takes 0" },
	{ __LINE__, { 0x258, 8, 0 }, "overlaps" },
	{ __LINE__, { 0x258, 8, 0x8fff }, "overlaps" },
	{ __LINE__, { 0x258, 8, 0xa000 }, "overlaps" },
	{ __LINE__, { 0x258, 8, 0xe0fff }, "overlaps" },
	{ __LINE__, { 0x258, 8, MIB(RAM_MIB) }, "not all RAM" },
	{ __LINE__, { 0x258, 8, MIB(RAM_MIB) - KERNEL_INIT + 1 }, "not all RAM" },
	{ __LINE__, { 0x258, 8, GIB(4) }, "beyond 4 GiB" },
	{ __LINE__, { 0x258, 8, GIB(4) - KERNEL_INIT + 1 }, "beyond 4 GiB" },
	{ __LINE__, { 0x258, 8, UINT64_MAX }, "beyond 4 GiB" },
	{ __LINE__, { 0x258, 8, UINT64_MAX - KERNEL_INIT + 1 }, "beyond 4 GiB" },
	{ __LINE__, { 0x260, 4, 0xffffffff }, "beyond 4 GiB" },
	{ __LINE__, { 0x260, 4, MIB(RAM_MIB) - KERNEL_PREF + 1 }, "not all RAM" },
};
/* clang-format on */

static struct ram ram;

static int init(void)
{
	return ram_init(&ram, RAM_MIB);
}

static int fini(void)
{
	ram_fini(&ram);
	return 0;
}

static void put(struct bzimage *image, const struct field *f)
{
	memcpy(image->bytes + f->at, &f->value, f->bytes);
}

static struct bzimage make(void)
{
	struct bzimage image;

	for (size_t i = 0; i < sizeof(image.bytes); i++)
		image.bytes[i] = (uint8_t)(i * 5 + 3);
	for (size_t i = 0; i < ARRAY_SIZE(good); i++)
		put(&image, &good[i]);
	return image;
}

/* Load it; what it printed. */
static const char *load(const void *bytes, size_t n, const char *initrd,
			const char *append, struct load_entry *entry)
{
	const struct load_request request = { .kernel = temp_file(bytes, n),
					      .initrd = initrd,
					      .append = append,
					      .cpus = CPUS };
	const char *says;
	int ret;

	capture_begin(2);
	ret = load_guest(&ram, &request, entry);
	says = capture_end();
	temp_close();
	CU_ASSERT_EQUAL(ret, *says ? -1 : 0);
	return says;
}

static uint64_t in_ram(gpa_t gpa, uint32_t bytes)
{
	const void *p = ram_ptr(&ram, gpa, bytes);
	uint64_t value = 0;

	CU_ASSERT_PTR_NOT_NULL_FATAL(p);
	memcpy(&value, p, bytes);
	return value;
}

static uint64_t param(uint32_t at, uint32_t bytes)
{
	return in_ram(PARAMS + at, bytes);
}

static void entry_state(void)
{
	struct bzimage image = make();
	struct load_entry entry;
	const char *says = load(&image, sizeof(image), NULL, "a=b c", &entry);

	CU_ASSERT_STRING_EQUAL(says, "");
	CU_ASSERT_EQUAL(entry.mode, LOAD_LONG64);
	CU_ASSERT_EQUAL(entry.rip, KERNEL_PREF + 0x200);
	CU_ASSERT_EQUAL(entry.rsi, PARAMS);
	/* BOOT_CS and BOOT_DS, and what their descriptors are. */
	CU_ASSERT_EQUAL(entry.cs, 0x10);
	CU_ASSERT_EQUAL(entry.ds, 0x18);
	CU_ASSERT_EQUAL(entry.gdt_limit, 0x1f);
	CU_ASSERT_EQUAL(in_ram(entry.gdt + 0x10, 8), 0x00af9b000000ffff);
	CU_ASSERT_EQUAL(in_ram(entry.gdt + 0x18, 8), 0x00cf93000000ffff);
	CU_ASSERT_FALSE(memcmp(ram_ptr(&ram, KERNEL_PREF, KERNEL_BYTES),
			       image.bytes + KERNEL_AT, KERNEL_BYTES));
}

static void parameters(void)
{
	struct bzimage image = make();
	struct load_entry entry;

	CU_ASSERT_STRING_EQUAL(load(&image, sizeof(image), NULL, "a=b", &entry),
			       "");
	/* The header is the image's; the sentinel before it is not. */
	CU_ASSERT_EQUAL(param(0x1ef, 1), 0);
	CU_ASSERT_EQUAL(param(0x202, 4), 0x53726448);
	CU_ASSERT_EQUAL(param(0x258, 8), KERNEL_PREF);
	CU_ASSERT_EQUAL(param(0x210, 1), 0xff);
	CU_ASSERT_EQUAL(param(0x218, 4), 0);
	CU_ASSERT_EQUAL(param(0x21c, 4), 0);
	CU_ASSERT_EQUAL(param(0x070, 8), ACPI_BASE);
	CU_ASSERT_STRING_EQUAL(ram_ptr(&ram, param(0x228, 4), 4), "a=b");
	/* Memory: conventional, reserved, upper. */
	CU_ASSERT_EQUAL(param(0x1e8, 1), 3);
	CU_ASSERT_EQUAL(param(0x2d0, 8), 0);
	CU_ASSERT_EQUAL(param(0x2d8, 8), 0xa0000);
	CU_ASSERT_EQUAL(param(0x2e0, 4), 1);
	CU_ASSERT_EQUAL(param(0x2e4, 8), 0xa0000);
	CU_ASSERT_EQUAL(param(0x2f4, 4), 2);
	CU_ASSERT_EQUAL(param(0x2f8, 8), 0x100000);
	CU_ASSERT_EQUAL(param(0x300, 8), MIB(RAM_MIB) - 0x100000);
}

static void command_line(void)
{
	struct bzimage image = make();
	struct load_entry entry;
	char line[CMDLINE_SIZE + 2];

	CU_ASSERT_STRING_EQUAL(load(&image, sizeof(image), NULL, NULL, &entry),
			       "");
	CU_ASSERT_STRING_EQUAL(ram_ptr(&ram, param(0x228, 4), 32),
			       "console=ttyS0 panic=-1");
	memset(line, 'x', sizeof(line));
	line[CMDLINE_SIZE + 1] = '\0';
	CU_ASSERT(one_line_with(load(&image, sizeof(image), NULL, line, &entry),
				"--append: 101 bytes; this kernel takes 100",
				__LINE__));
	line[CMDLINE_SIZE] = '\0';
	CU_ASSERT_STRING_EQUAL(load(&image, sizeof(image), NULL, line, &entry),
			       "");
	CU_ASSERT_STRING_EQUAL(ram_ptr(&ram, param(0x228, 4), 128), line);
}

/* However large the image says that a command line may be, one that would
 * reach beyond conventional memory is refused. */
static void command_line_limit(void)
{
	struct bzimage image = make();
	struct load_entry entry;
	size_t n = 0x10000;
	char *line = calloc(1, n + 1);

	CU_ASSERT_PTR_NOT_NULL_FATAL(line);
	put(&image, &(struct field){ 0x238, 4, 0xffffffff });
	memset(line, 'x', n);
	CU_ASSERT(one_line_with(load(&image, sizeof(image), NULL, line, &entry),
				"takes 65535", __LINE__));
	line[n - 1] = '\0';
	CU_ASSERT_STRING_EQUAL(load(&image, sizeof(image), NULL, line, &entry),
			       "");
	free(line);
}

/* What is between the end of the kernel and the end of RAM. */
#define ROOM (MIB(RAM_MIB) - KERNEL_PREF - KERNEL_INIT)

static const char *load_initrd(const struct bzimage *image, size_t bytes)
{
	struct load_entry entry;
	uint8_t *data = malloc(bytes);
	const char *says;

	CU_ASSERT_PTR_NOT_NULL_FATAL(data);
	memset(data, 0x5a, bytes);
	says = load(image, sizeof(*image), temp_file(data, bytes), "", &entry);
	free(data);
	return says;
}

static void initrd(void)
{
	struct bzimage image = make();

	CU_ASSERT_STRING_EQUAL(load_initrd(&image, 0x1234), "");
	CU_ASSERT_EQUAL(param(0x218, 4), MIB(RAM_MIB) - 0x2000);
	CU_ASSERT_EQUAL(param(0x21c, 4), 0x1234);
	CU_ASSERT_EQUAL(in_ram(MIB(RAM_MIB) - 0x2000 + 0x1233, 1), 0x5a);
	/* Not above what the kernel can reach. */
	put(&image, &(struct field){ 0x22c, 4, 0x3fffff });
	CU_ASSERT_STRING_EQUAL(load_initrd(&image, 0x1234), "");
	CU_ASSERT_EQUAL(param(0x218, 4), 0x400000 - 0x2000);
}

static void initrd_too_large(void)
{
	struct bzimage image = make();

	CU_ASSERT_STRING_EQUAL(load_initrd(&image, ROOM), "");
	CU_ASSERT_EQUAL(param(0x218, 4), KERNEL_PREF + KERNEL_INIT);
	CU_ASSERT(one_line_with(load_initrd(&image, ROOM + 1), "do not fit",
				__LINE__));
	put(&image, &(struct field){ 0x22c, 4, 0 });
	CU_ASSERT(
		one_line_with(load_initrd(&image, 1), "do not fit", __LINE__));
}

static void one_field_wrong(void)
{
	struct load_entry entry;

	for (size_t i = 0; i < ARRAY_SIZE(damages); i++) {
		struct bzimage image = make();

		put(&image, &damages[i].field);
		CU_ASSERT(one_line_with(load(&image, sizeof(image), NULL, "x",
					     &entry),
					damages[i].says, damages[i].line));
	}
}

/* Whatever is wrong: it is loaded, or there is one line. */
static void orderly(const void *bytes, size_t n)
{
	struct load_entry entry;
	const char *says = load(bytes, n, NULL, NULL, &entry);

	CU_ASSERT(!*says || one_line_with(says, "pmuvm: ", __LINE__));
}

static void truncated(void)
{
	struct bzimage image = make();
	struct load_entry entry;

	/* From the magic on it is a kernel that lacks something. */
	for (size_t n = 0x206; n < KERNEL_AT + 0x201; n++)
		CU_ASSERT(one_line_with(load(&image, n, NULL, "x", &entry),
					"bzImage", __LINE__));
	/* The last paragraph need not be full. */
	CU_ASSERT_STRING_EQUAL(
		load(&image, sizeof(image) - 15, NULL, "x", &entry), "");
	CU_ASSERT(one_line_with(load(&image, sizeof(image) - 16, NULL, "x",
				     &entry),
				"syssize", __LINE__));
}

static void each_byte_wrong(void)
{
	static const uint8_t values[] = { 0x00, 0x01, 0x7f, 0x80, 0xff };

	for (size_t at = 0x1f1; at < 0x290; at++)
		for (size_t i = 0; i < ARRAY_SIZE(values); i++) {
			struct bzimage image = make();

			image.bytes[at] = values[i];
			orderly(&image, sizeof(image));
		}
}

/* ------------------------------------------------------------------- ACPI */

static struct acpi acpi;

static const uint8_t *acpi_at(uint64_t gpa, size_t bytes)
{
	CU_ASSERT_FATAL(gpa >= ACPI_BASE &&
			gpa + bytes <= ACPI_BASE + sizeof(acpi.bytes));
	return acpi.bytes + (gpa - ACPI_BASE);
}

static uint64_t acpi_value(uint64_t gpa, size_t bytes)
{
	uint64_t value = 0;

	memcpy(&value, acpi_at(gpa, bytes), bytes);
	return value;
}

static uint8_t sum(uint64_t gpa, size_t bytes)
{
	const uint8_t *p = acpi_at(gpa, bytes);
	uint8_t s = 0;

	while (bytes--)
		s += *p++;
	return s;
}

/* A table with this signature, and sound; its length. */
static size_t table(uint64_t gpa, const char *signature)
{
	size_t bytes = acpi_value(gpa + 4, 4);

	CU_ASSERT_FALSE(memcmp(acpi_at(gpa, 4), signature, 4));
	CU_ASSERT_EQUAL(sum(gpa, bytes), 0);
	return bytes;
}

static uint64_t xsdt_entry(unsigned int i)
{
	uint64_t xsdt = acpi_value(ACPI_BASE + 24, 8);

	CU_ASSERT_EQUAL(table(xsdt, "XSDT"), 36 + 2 * 8);
	return acpi_value(xsdt + 36 + i * 8, 8);
}

static void acpi_tables(void)
{
	uint64_t fadt, dsdt;

	acpi_build(&acpi, 1);
	CU_ASSERT_FALSE(memcmp(acpi.bytes, "RSD PTR ", 8));
	CU_ASSERT_EQUAL(sum(ACPI_BASE, 20), 0);
	CU_ASSERT_EQUAL(sum(ACPI_BASE, 36), 0);
	fadt = xsdt_entry(0);
	CU_ASSERT_EQUAL(table(fadt, "FACP"), 268);
	dsdt = acpi_value(fadt + 140, 8);
	CU_ASSERT_EQUAL(acpi_value(fadt + 40, 4), dsdt);
	CU_ASSERT_EQUAL(table(dsdt, "DSDT"), 36 + 14);
	/* PM1a_EVT, PM1a_CNT, the reset register and its value: dev_power. */
	CU_ASSERT_EQUAL(acpi_value(fadt + 56, 4), 0x600);
	CU_ASSERT_EQUAL(acpi_value(fadt + 64, 4), 0x604);
	CU_ASSERT_EQUAL(acpi_value(fadt + 116, 1), 1);
	CU_ASSERT_EQUAL(acpi_value(fadt + 120, 8), 0xcf9);
	CU_ASSERT_EQUAL(acpi_value(fadt + 128, 1), 4);
	CU_ASSERT_EQUAL(acpi_value(fadt + 152, 8), 0x600);
	CU_ASSERT_EQUAL(acpi_value(fadt + 176, 8), 0x604);
}

static void acpi_cpus(void)
{
	static const unsigned int counts[] = { 1, 2, 64 };

	for (size_t i = 0; i < ARRAY_SIZE(counts); i++) {
		unsigned int n = counts[i];
		uint64_t madt;

		acpi_build(&acpi, n);
		madt = xsdt_entry(1);
		CU_ASSERT_EQUAL(table(madt, "APIC"), 44 + 12 + 10 + 6 + n * 8);
		/* The last: a local APIC, enabled, of this id. */
		CU_ASSERT_EQUAL(acpi_value(madt + 72 + (n - 1) * 8, 8),
				0x0000000100000800 | (n - 1) << 16 |
					(uint64_t)(n - 1) << 24);
	}
}

static CU_TestInfo tests[] = {
	{ "bzImage: long mode, kernel at its address", entry_state },
	{ "boot parameters: header, memory, ACPI", parameters },
	{ "command line: default, longest, too long", command_line },
	{ "command line: not beyond conventional memory", command_line_limit },
	{ "initrd: as high as possible", initrd },
	{ "initrd that does not fit: one line", initrd_too_large },
	{ "one field wrong: one line that says what", one_field_wrong },
	{ "truncated anywhere: one line", truncated },
	{ "any byte of the header wrong: loaded or one line", each_byte_wrong },
	{ "ACPI: tables, checksums, registers", acpi_tables },
	{ "ACPI: each CPU is in the MADT", acpi_cpus },
	CU_TEST_INFO_NULL,
};

CU_SuiteInfo suite_linux = { .pName = "linux",
			     .pInitFunc = init,
			     .pCleanupFunc = fini,
			     .pTests = tests };
