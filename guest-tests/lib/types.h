/* SPDX-License-Identifier: Apache-2.0 */
/* Integer types and small macros. */
#ifndef LIB_TYPES_H
#define LIB_TYPES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;

#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))
#define BIT(n) (UINT64_C(1) << (n))
/* The low n bits, n 0..64. */
#define MASK(n) ((n) >= 64 ? UINT64_MAX : BIT(n) - 1)

void *memset(void *to, int byte, size_t bytes);
void *memcpy(void *restrict to, const void *restrict from, size_t bytes);

#endif /* LIB_TYPES_H */
