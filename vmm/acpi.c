/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The ACPI tables ("ACPI Specification", 5.0): RSDP, XSDT, FADT, MADT, and a
 * DSDT that knows how to switch off. What they name is in dev.h and KVM.
 */
#include "acpi.h"

#include <string.h>

#include "dev.h"
#include "vm.h"

#define SCI_IRQ 9
#define LAPIC_ADDR 0xfee00000u
#define IOAPIC_ADDR 0xfec00000u

struct rsdp {
	char signature[8];
	uint8_t checksum; /* of the first 20 bytes */
	char oem[6];
	uint8_t revision;
	uint32_t rsdt;
	uint32_t length;
	uint64_t xsdt;
	uint8_t checksum_all;
	uint8_t reserved[3];
} __attribute__((packed));

struct header {
	char signature[4];
	uint32_t length;
	uint8_t revision;
	uint8_t checksum; /* the table's bytes add up to 0 */
	char oem[6], oem_table[8];
	uint32_t oem_revision;
	char creator[4];
	uint32_t creator_revision;
} __attribute__((packed));

struct xsdt {
	struct header h;
	uint64_t tables[2];
} __attribute__((packed));

/* "Generic Address Structure" */
struct gas {
	uint8_t space, bits, offset, access;
	uint64_t address;
} __attribute__((packed));

#define SPACE_IO 1

struct fadt {
	struct header h;
	uint32_t facs, dsdt;
	uint8_t reserved, profile;
	uint16_t sci_int;
	uint32_t smi_cmd; /* 0: always in ACPI mode */
	uint8_t mode_commands[4];
	uint32_t pm1a_evt, pm1b_evt, pm1a_cnt, pm1b_cnt, pm2_cnt, pm_tmr, gpe0,
		gpe1;
	uint8_t pm1_evt_len, pm1_cnt_len, pm2_cnt_len, pm_tmr_len, gpe0_len,
		gpe1_len, gpe1_base, cst_cnt;
	uint16_t c2_latency, c3_latency, flush_size, flush_stride;
	uint8_t duty_offset, duty_width, day_alarm, month_alarm, century;
	uint16_t boot_arch;
	uint8_t reserved2;
	uint32_t flags;
	struct gas reset_reg;
	uint8_t reset_value;
	uint16_t arm_boot_arch;
	uint8_t minor;
	uint64_t x_facs, x_dsdt;
	struct gas x_pm1a_evt, x_pm1b_evt, x_pm1a_cnt, x_pm1b_cnt, x_pm2_cnt,
		x_pm_tmr, x_gpe0, x_gpe1, sleep_control, sleep_status;
} __attribute__((packed));

_Static_assert(sizeof(struct rsdp) == 36, "RSDP, revision 2");
_Static_assert(sizeof(struct header) == 36, "System Description Table Header");
_Static_assert(sizeof(struct fadt) == 268, "FADT, revision 5");

/* IA-PC Boot Architecture Flags: no VGA, no CMOS clock; and no 8042. */
#define BOOT_NO_VGA (1u << 2)
#define BOOT_NO_RTC (1u << 5)
/* Fixed Feature Flags */
#define FADT_WBINVD (1u << 0)
#define FADT_PROC_C1 (1u << 2)
#define FADT_NO_PWR_BUTTON (1u << 4)
#define FADT_NO_SLP_BUTTON (1u << 5)
#define FADT_RESET_REG (1u << 10)
/* Of entering C2 or C3: there is none. */
#define NO_C2 101
#define NO_C3 1001

struct madt_lapic {
	uint8_t type, length, uid, apic_id;
	uint32_t flags;
} __attribute__((packed));

struct madt_ioapic {
	uint8_t type, length, id, reserved;
	uint32_t address, gsi_base;
} __attribute__((packed));

/* An ISA interrupt that is not edge-triggered. */
struct madt_override {
	uint8_t type, length, bus, source;
	uint32_t gsi;
	uint16_t flags;
} __attribute__((packed));

struct madt_nmi {
	uint8_t type, length, uid;
	uint16_t flags;
	uint8_t lint;
} __attribute__((packed));

struct madt {
	struct header h;
	uint32_t lapic, flags;
	struct madt_ioapic ioapic;
	struct madt_override sci;
	struct madt_nmi nmi;
	struct madt_lapic cpus[VM_MAX_CPUS];
} __attribute__((packed));

#define MADT_PCAT_COMPAT 1u /* there are 8259s */
#define LAPIC_ENABLED 1u
#define LEVEL_HIGH 0xd
#define ALL_CPUS 0xff

/* Name (_S5, Package (4) { 5, 5, 0, 0 }): SLP_TYPa and SLP_TYPb */
static const uint8_t aml[] = { 0x08, '_',  'S',	 '5',  '_',  0x12, 0x08,
			       0x04, 0x0a, 0x05, 0x0a, 0x05, 0x00, 0x00 };

static uint8_t checksum(const void *data, size_t bytes)
{
	const uint8_t *p = data;
	uint8_t sum = 0;

	while (bytes--)
		sum += *p++;
	return (uint8_t)-sum;
}

static struct header header(const char *signature, size_t bytes,
			    uint8_t revision)
{
	struct header h = { .length = (uint32_t)bytes,
			    .revision = revision,
			    .oem = "PMUVM",
			    .oem_table = "PMUVM",
			    .oem_revision = 1,
			    .creator = "PMUV",
			    .creator_revision = 1 };

	memcpy(h.signature, signature, sizeof(h.signature));
	return h;
}

/* Where it is for the guest. */
static gpa_t append(struct acpi *acpi, const void *data, size_t bytes)
{
	gpa_t at = ACPI_BASE + acpi->used;

	memcpy(acpi->bytes + acpi->used, data, bytes);
	acpi->used += (bytes + 15) & ~(size_t)15;
	return at;
}

/* ... and with its checksum. */
static gpa_t append_table(struct acpi *acpi, void *table, size_t bytes)
{
	struct header *h = table;

	h->checksum = checksum(table, bytes);
	return append(acpi, table, bytes);
}

static gpa_t append_dsdt(struct acpi *acpi)
{
	struct {
		struct header h;
		uint8_t aml[sizeof(aml)];
	} __attribute__((packed)) dsdt = {
		.h = header("DSDT", sizeof(dsdt), 2),
	};

	memcpy(dsdt.aml, aml, sizeof(aml));
	return append_table(acpi, &dsdt, sizeof(dsdt));
}

static struct gas io(uint16_t port, uint8_t bytes)
{
	return (struct gas){ .space = SPACE_IO,
			     .bits = bytes * 8,
			     .access = bytes > 2 ? 2 : bytes,
			     .address = port };
}

static gpa_t append_fadt(struct acpi *acpi, gpa_t dsdt)
{
	struct fadt fadt = {
		.h = header("FACP", sizeof(fadt), 5),
		.dsdt = (uint32_t)dsdt,
		.sci_int = SCI_IRQ,
		.pm1a_evt = DEV_PM1A_EVT,
		.pm1a_cnt = DEV_PM1A_CNT,
		.pm1_evt_len = 4,
		.pm1_cnt_len = 2,
		.c2_latency = NO_C2,
		.c3_latency = NO_C3,
		.boot_arch = BOOT_NO_VGA | BOOT_NO_RTC,
		.flags = FADT_WBINVD | FADT_PROC_C1 | FADT_NO_PWR_BUTTON |
			 FADT_NO_SLP_BUTTON | FADT_RESET_REG,
		.reset_reg = io(DEV_RST_CNT, 1),
		.reset_value = DEV_RST_CPU,
		.x_dsdt = dsdt,
		.x_pm1a_evt = io(DEV_PM1A_EVT, 4),
		.x_pm1a_cnt = io(DEV_PM1A_CNT, 2),
	};

	return append_table(acpi, &fadt, sizeof(fadt));
}

static gpa_t append_madt(struct acpi *acpi, unsigned int cpus)
{
	size_t bytes = offsetof(struct madt, cpus[cpus]);
	struct madt madt = {
		.h = header("APIC", bytes, 3),
		.lapic = LAPIC_ADDR,
		.flags = MADT_PCAT_COMPAT,
		.ioapic = { 1, sizeof(madt.ioapic), 0, 0, IOAPIC_ADDR, 0 },
		.sci = { 2, sizeof(madt.sci), 0, SCI_IRQ, SCI_IRQ, LEVEL_HIGH },
		.nmi = { 4, sizeof(madt.nmi), ALL_CPUS, 0, 1 },
	};

	for (unsigned int i = 0; i < cpus; i++)
		madt.cpus[i] = (struct madt_lapic){ 0, sizeof(madt.cpus[0]),
						    (uint8_t)i, (uint8_t)i,
						    LAPIC_ENABLED };
	return append_table(acpi, &madt, bytes);
}

void acpi_build(struct acpi *acpi, unsigned int cpus)
{
	struct rsdp rsdp = { .signature = { "RSD PTR " },
			     .oem = "PMUVM",
			     .revision = 2,
			     .length = sizeof(rsdp) };
	struct xsdt xsdt = { .h = header("XSDT", sizeof(xsdt), 1) };

	*acpi = (struct acpi){ 0 };
	append(acpi, &rsdp, sizeof(rsdp));
	xsdt.tables[0] = append_fadt(acpi, append_dsdt(acpi));
	xsdt.tables[1] = append_madt(acpi, cpus);
	rsdp.xsdt = append_table(acpi, &xsdt, sizeof(xsdt));
	rsdp.checksum = checksum(&rsdp, offsetof(struct rsdp, length));
	rsdp.checksum_all = checksum(&rsdp, sizeof(rsdp));
	memcpy(acpi->bytes, &rsdp, sizeof(rsdp));
}
