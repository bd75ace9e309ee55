/* SPDX-License-Identifier: Apache-2.0 */
/* The subcommands. argv[0] is the command's name; each returns the process'
 * exit status, an enum status or the guest's own. */
#ifndef VMM_CMD_H
#define VMM_CMD_H

#include "util.h"

int cmd_run(int argc, char **argv);
int cmd_test(int argc, char **argv);
int cmd_models(int argc, char **argv);
int cmd_cpuid(int argc, char **argv);
int cmd_probe(int argc, char **argv);

#endif /* VMM_CMD_H */
