// SPDX-License-Identifier: Apache-2.0
/* The local APIC, as memory (xAPIC) or as MSRs (x2APIC). */
#include "lib/apic.h"

#include "lib/cpuid.h"
#include "lib/msr.h"

#define XAPIC_BASE 0xfee00000
#define X2APIC_MSR0 0x800
#define IA32_APIC_BASE 0x1b
#define APIC_BASE_ENABLE BIT(11)
#define APIC_BASE_X2APIC BIT(10)
#define SVR_ENABLE 0x100
#define SVR_VECTOR 0xff
#define F1_ECX_X2APIC BIT(21)

static bool x2apic;

u32 apic_read(u32 reg)
{
	if (x2apic)
		return (u32)rdmsr(X2APIC_MSR0 + reg / 16);
	return *(volatile u32 *)(u64)(XAPIC_BASE + reg);
}

void apic_write(u32 reg, u32 value)
{
	if (x2apic)
		wrmsr(X2APIC_MSR0 + reg / 16, value);
	else
		*(volatile u32 *)(u64)(XAPIC_BASE + reg) = value;
}

void apic_enable(void)
{
	wrmsr(IA32_APIC_BASE, rdmsr(IA32_APIC_BASE) | APIC_BASE_ENABLE);
	apic_write(APIC_SVR, SVR_ENABLE | SVR_VECTOR);
}

bool apic_enable_x2apic(void)
{
	if (!(cpuid(1, 0).ecx & F1_ECX_X2APIC))
		return false;
	wrmsr(IA32_APIC_BASE,
	      rdmsr(IA32_APIC_BASE) | APIC_BASE_ENABLE | APIC_BASE_X2APIC);
	x2apic = true;
	apic_write(APIC_SVR, SVR_ENABLE | SVR_VECTOR);
	return true;
}
