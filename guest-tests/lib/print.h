/* SPDX-License-Identifier: Apache-2.0 */
/* Text on COM1. */
#ifndef LIB_PRINT_H
#define LIB_PRINT_H

#include <stdarg.h>

#include "lib/types.h"

void print_init(void);
void print_flush(void);

#define PRINT_FORMAT(string, first) \
	__attribute__((format(printf, string, first)))

/*
 * A subset of printf(3): %s %c %u %x %lu %lx %%, with a width, '-' or '0'
 * before it.
 */
void print(const char *format, ...) PRINT_FORMAT(1, 2);
void print_va(const char *format, va_list args) PRINT_FORMAT(1, 0);
/* The same into buf[size], always terminated. */
void print_to(char *buf, size_t size, const char *format, ...)
	PRINT_FORMAT(3, 4);
void print_to_va(char *buf, size_t size, const char *format, va_list args)
	PRINT_FORMAT(3, 0);

#endif /* LIB_PRINT_H */
