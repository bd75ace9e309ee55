/* SPDX-License-Identifier: Apache-2.0 */
/* libFuzzer target: any file as --kernel. Refused or loaded, nothing else. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "load.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define RAM_MIB 32

static const char *write_image(const uint8_t *data, size_t size)
{
	static char name[] = "/tmp/fuzz-image-XXXXXX";
	static int fd = -1;

	if (fd < 0) {
		fd = mkstemp(name);
		if (fd < 0)
			abort();
		/* The messages of refused images. */
		if (!freopen("/dev/null", "w", stderr))
			abort();
	}
	if (ftruncate(fd, 0) || pwrite(fd, data, size, 0) != (ssize_t)size)
		abort();
	return name;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct ram ram;
	static bool ready;
	struct load_request request = { .append = "fuzz" };
	struct load_entry entry;

	if (!ready && ram_init(&ram, RAM_MIB))
		abort();
	ready = true;
	request.kernel = write_image(data, size);
	load_guest(&ram, &request, &entry);
	return 0;
}
