// SPDX-License-Identifier: Apache-2.0
/* Writes `value` to the debug-exit port, `size` (1, 2, 4) bytes wide. */
#include "lib/args.h"
#include "lib/io.h"
#include "lib/main.h"
#include "lib/report.h"

#define PORT_DEBUG_EXIT 0xf4

void test_main(void)
{
	u32 value = (u32)args_number("value", 0);
	u64 size = args_number("size", 4);

	if (size == 1)
		outb(PORT_DEBUG_EXIT, (u8)value);
	else if (size == 2)
		outw(PORT_DEBUG_EXIT, (u16)value);
	else
		outl(PORT_DEBUG_EXIT, value);
	report_abort("a write of %lu bytes did not exit", size);
}
