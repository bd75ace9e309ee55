/* SPDX-License-Identifier: Apache-2.0 */
/* Reading image files, choosing the loader, and who has which guest memory. */
#include "load.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "msg.h"

static int check_file(int fd, const char *name, size_t *bytes)
{
	struct stat st;

	if (fstat(fd, &st))
		return msg_err("%s: %m", name);
	if (S_ISDIR(st.st_mode))
		return msg_err("%s: is a directory; name a file", name);
	if (!S_ISREG(st.st_mode) || !st.st_size)
		return msg_err("%s: empty, or not a regular file", name);
	if ((uint64_t)st.st_size > LOAD_MAX_FILE)
		return msg_err("%s: larger than %" PRIu64 " MiB", name,
			       LOAD_MAX_FILE >> 20);
	*bytes = (size_t)st.st_size;
	return 0;
}

static int read_all(int fd, struct load_file *file)
{
	size_t done = 0;
	ssize_t n;

	while (done < file->bytes) {
		n = read(fd, file->data + done, file->bytes - done);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return msg_err("%s: read: %m", file->name);
		if (!n)
			return msg_err("%s: has become shorter while "
				       "it was read",
				       file->name);
		done += (size_t)n;
	}
	return 0;
}

int load_read(struct load_file *file, const char *name)
{
	/* O_NONBLOCK: a FIFO must not keep us waiting. */
	int fd = open(name, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	int ret;

	*file = (struct load_file){ .name = name };
	if (fd < 0)
		return msg_err("%s: %m", name);
	ret = check_file(fd, name, &file->bytes);
	if (!ret) {
		file->data = malloc(file->bytes);
		ret = file->data ? read_all(fd, file) : msg_err("%s: %m", name);
	}
	close(fd);
	if (ret) {
		free(file->data);
		file->data = NULL;
	}
	return ret;
}

void *load_claim(struct load *load, gpa_t gpa, uint64_t bytes, const char *what)
{
	const char *name = load->file.name;
	void *p = ram_ptr(load->ram, gpa, bytes);

	if (!p) {
		msg_err("image: %s: %s: %" PRIu64 " bytes at %" PRIx64
			"H are not all RAM; give more --mem",
			name, what, bytes, gpa);
		return NULL;
	}
	for (size_t i = 0; i < load->nranges; i++) {
		const struct load_range *r = &load->ranges[i];

		if (gpa >= r->end || r->first >= gpa + bytes)
			continue;
		msg_err("image: %s: %s at %" PRIx64 "H overlaps %s at %" PRIx64
			"H",
			name, what, gpa, r->what, r->first);
		return NULL;
	}
	if (load->nranges == LOAD_MAX_RANGES) {
		msg_err("image: %s: more than %d segments and modules", name,
			LOAD_MAX_RANGES);
		return NULL;
	}
	load->ranges[load->nranges++] =
		(struct load_range){ gpa, gpa + bytes, what };
	return p;
}

bool load_claimed(const struct load *load, gpa_t gpa, const char *what)
{
	for (size_t i = 0; i < load->nranges; i++) {
		const struct load_range *r = &load->ranges[i];

		if (!strcmp(r->what, what) && gpa >= r->first && gpa < r->end)
			return true;
	}
	return false;
}

gpa_t load_end(const struct load *load)
{
	gpa_t end = RAM_UPPER;

	for (size_t i = 0; i < load->nranges; i++)
		if (load->ranges[i].end > end)
			end = load->ranges[i].end;
	return (end + PAGE_BYTES - 1) & ~(PAGE_BYTES - 1);
}

size_t load_memory_map(const struct ram *ram, struct load_map *map)
{
	const struct load_map all[LOAD_MAP_MAX] = {
		{ 0, RAM_LOW_END, LOAD_MAP_RAM },
		{ RAM_LOW_END, RAM_UPPER - RAM_LOW_END, LOAD_MAP_RESERVED },
		{ RAM_UPPER, ram->low.bytes - RAM_UPPER, LOAD_MAP_RAM },
		{ ram->high.gpa, ram->high.bytes, LOAD_MAP_RAM },
	};
	size_t n = 0;

	for (size_t i = 0; i < ARRAY_SIZE(all); i++)
		if (all[i].bytes)
			map[n++] = all[i];
	return n;
}

static int load_kernel(struct load *load, struct load_entry *entry)
{
	if (load_multiboot_header(&load->file) >= 0)
		return load_multiboot(load, entry);
	if (load_is_elf(&load->file))
		return load_elf64(load, entry);
	if (load_is_linux(&load->file))
		return load_linux(load, entry);
	return load_flat(load, entry);
}

int load_guest(const struct ram *ram, const struct load_request *request,
	       struct load_entry *entry)
{
	struct load load = { .ram = ram, .request = request };
	int ret = load_read(&load.file, request->kernel);

	if (ret)
		return ret;
	*entry = (struct load_entry){ 0 };
	ret = load_kernel(&load, entry);
	free(load.file.data);
	return ret;
}
