/* SPDX-License-Identifier: Apache-2.0 */
/* What every file of the VMM may need; knows nothing of the others. */
#ifndef VMM_UTIL_H
#define VMM_UTIL_H

#include <stddef.h>
#include <stdint.h>

#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))
#define KIB(n) ((uint64_t)(n) << 10)
#define MIB(n) ((uint64_t)(n) << 20)
#define GIB(n) ((uint64_t)(n) << 30)
#define PAGE_BYTES UINT64_C(4096)

/* A guest-physical address, which is never a pointer. */
typedef uint64_t gpa_t;

/* The exit statuses of pmuvm; a guest's debug-exit status is odd. */
enum status {
	STATUS_OK = 0, /* also: the guest has powered off or reset */
	STATUS_FAILED = 1, /* pmuvm test: a case has failed */
	STATUS_USAGE = 2, /* a wrong argument */
	STATUS_ERROR = 4, /* of the VMM, the image or the host */
	STATUS_TRIPLE_FAULT = 6,
	STATUS_TIMEOUT = 8,
	STATUS_SIGNAL = 128, /* + the number of the signal */
};

#endif /* VMM_UTIL_H */
