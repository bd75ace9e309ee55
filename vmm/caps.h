/* SPDX-License-Identifier: Apache-2.0 */
/* What of KVM we use, and what its lack costs. */
#ifndef VMM_CAPS_H
#define VMM_CAPS_H

#include <stdbool.h>
#include <stddef.h>

struct cap {
	int cap; /* KVM_CAP_* */
	const char *name;
	bool required;
	const char *without; /* what its lack costs */
};

extern const struct cap caps[];
extern const size_t caps_n;

/* An open /dev/kvm of the right API version, or -1 with a message. */
int caps_open_kvm(void);
/* 0, or -1 with a message about the first required one that is missing. */
int caps_check(int kvm_fd);

#endif /* VMM_CAPS_H */
