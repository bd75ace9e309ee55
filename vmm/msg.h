/* SPDX-License-Identifier: Apache-2.0 */
/* What pmuvm says on stderr: one line each, from any thread. */
#ifndef VMM_MSG_H
#define VMM_MSG_H

/*
 * "pmuvm: what: where: why; what to do". Returns -1, so that a function can
 * end in it. %m is the errno at the time of the call.
 */
__attribute__((format(printf, 1, 2))) int msg_err(const char *fmt, ...);
/* Something to know that ends nothing. */
__attribute__((format(printf, 1, 2))) void msg_note(const char *fmt, ...);

#endif /* VMM_MSG_H */
