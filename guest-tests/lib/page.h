/* SPDX-License-Identifier: Apache-2.0 */
/* Changing the identity map, 4 KiB at a time. */
#ifndef LIB_PAGE_H
#define LIB_PAGE_H

#include "lib/types.h"

#define PAGE_BYTES 4096

/* Make the page at `address` (below 4 GiB) present or not. */
void page_present(u64 address, bool present);
/* Map the page at `address` to the physical page at `physical`. */
void page_map(u64 address, u64 physical);

#endif /* LIB_PAGE_H */
