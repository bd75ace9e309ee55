/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A flat image: loaded where a BIOS puts a boot sector, entered in real mode
 * at 0000:7C00 with a stack below it.
 */
#include <string.h>

#include "load.h"
#include "msg.h"

#define FLAT_BASE 0x7c00
#define FLAT_MAX (RAM_LOW_END - FLAT_BASE)

int load_flat(struct load *load, struct load_entry *entry)
{
	const struct load_file *file = &load->file;
	void *to;

	if (load->request->append || load->request->initrd)
		return msg_err("image: %s: a flat image takes no --append and "
			       "no --initrd; leave them out",
			       file->name);
	if (file->bytes > FLAT_MAX)
		return msg_err(
			"image: %s: neither multiboot, ELF64 nor bzImage, "
			"and larger than a flat image may be, %d bytes",
			file->name, FLAT_MAX);
	to = load_claim(load, FLAT_BASE, file->bytes, "flat image");
	if (!to)
		return -1;
	memcpy(to, file->data, file->bytes);
	*entry = (struct load_entry){ .mode = LOAD_REAL16,
				      .rip = FLAT_BASE,
				      .rsp = FLAT_BASE,
				      .format = "flat" };
	return 0;
}
