/* SPDX-License-Identifier: Apache-2.0 */
/* Capturing output, and files that live in memory. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "suites.h"

#define MAX_FILES 8

static int captured_fd = -1, saved_fd, capture_fd;
static char text[65536];

static int files[MAX_FILES];
static char paths[MAX_FILES][32];
static size_t nfiles;

static int must(int value, const char *what)
{
	if (value < 0) {
		perror(what);
		exit(EXIT_FAILURE);
	}
	return value;
}

void capture_begin(int fd)
{
	fflush(NULL);
	captured_fd = fd;
	saved_fd = must(dup(fd), "dup");
	capture_fd = must(memfd_create("capture", MFD_CLOEXEC), "memfd_create");
	must(dup2(capture_fd, fd), "dup2");
}

const char *capture_end(void)
{
	ssize_t n;

	fflush(NULL);
	must(dup2(saved_fd, captured_fd), "dup2");
	n = must((int)pread(capture_fd, text, sizeof(text) - 1, 0), "pread");
	text[n] = '\0';
	close(saved_fd);
	close(capture_fd);
	return text;
}

bool one_line_with(const char *said, const char *part, int line)
{
	const char *newline = strchr(said, '\n');

	if (newline && !newline[1] && strstr(said, part))
		return true;
	printf("\nline %d: wanted one line with '%s', got:\n%s", line, part,
	       said);
	return false;
}

const char *temp_file(const void *bytes, size_t n)
{
	int fd = must(memfd_create("image", MFD_CLOEXEC), "memfd_create");

	if (nfiles == MAX_FILES || write(fd, bytes, n) != (ssize_t)n)
		must(-1, "temp_file");
	files[nfiles] = fd;
	snprintf(paths[nfiles], sizeof(paths[0]), "/proc/self/fd/%d", fd);
	return paths[nfiles++];
}

void temp_close(void)
{
	while (nfiles)
		close(files[--nfiles]);
}
