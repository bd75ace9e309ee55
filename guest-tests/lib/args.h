/* SPDX-License-Identifier: Apache-2.0 */
/* The words of the multiboot command line. */
#ifndef LIB_ARGS_H
#define LIB_ARGS_H

#include "lib/types.h"

/* `info` is what EBX held at entry. Copies the command line. */
void args_init(u32 magic, u32 info);
/* Is `word` one of the words? */
bool args_has(const char *word);
/* The number in the word "key=number" (decimal, or 0x...), or `otherwise`. */
u64 args_number(const char *key, u64 otherwise);
/* Is there a word "key=value"? */
bool args_is(const char *key, const char *value);

#endif /* LIB_ARGS_H */
