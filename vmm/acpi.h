/* SPDX-License-Identifier: Apache-2.0 */
/* The ACPI tables that tell an operating system of this machine. */
#ifndef VMM_ACPI_H
#define VMM_ACPI_H

#include "util.h"

/* In the area that is searched for the RSDP, which comes first. */
#define ACPI_BASE 0xe0000
#define ACPI_BYTES 4096

struct acpi {
	uint8_t bytes[ACPI_BYTES];
	size_t used;
};

/* For up to VM_MAX_CPUS CPUs, whose APIC ids are 0, 1, ... */
void acpi_build(struct acpi *acpi, unsigned int cpus);

#endif /* VMM_ACPI_H */
