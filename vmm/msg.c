/* SPDX-License-Identifier: Apache-2.0 */
/* One-line messages on stderr, each written at once. */
#include "msg.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define LINE_BYTES 1024

/* A file name may hold anything; the message stays one line. */
static void make_printable(char *s)
{
	for (; *s; s++)
		if ((unsigned char)*s < ' ' || *s == 0x7f)
			*s = '?';
}

static void say(const char *prefix, const char *fmt, va_list ap)
{
	char line[LINE_BYTES];
	int err = errno;
	size_t n;

	n = (size_t)snprintf(line, sizeof(line), "%s", prefix);
	errno = err;
	vsnprintf(line + n, sizeof(line) - n - 1, fmt, ap);
	make_printable(line);
	n = strlen(line);
	line[n++] = '\n';
	/* There is no place to report a failure of this. */
	while (write(STDERR_FILENO, line, n) < 0 && errno == EINTR)
		;
}

int msg_err(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	say("pmuvm: ", fmt, ap);
	va_end(ap);
	return -1;
}

void msg_note(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	say("pmuvm: note: ", fmt, ap);
	va_end(ap);
}
