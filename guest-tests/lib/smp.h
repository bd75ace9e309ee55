/* SPDX-License-Identifier: Apache-2.0 */
/* A second CPU, which runs what it is told, one function at a time. */
#ifndef LIB_SMP_H
#define LIB_SMP_H

#include "lib/types.h"

/*
 * INIT and SIPI to all other CPUs, in xAPIC mode; returns when the first of
 * them is up, again if it was before. There must be exactly one.
 */
void smp_start(void);
/* Run fn() there, with interrupts off, and wait. It must not use the _safe
 * calls: the exception tables serve one CPU. */
void smp_call(void (*fn)(void));

#endif /* LIB_SMP_H */
