/* SPDX-License-Identifier: Apache-2.0 */
/* Options as tables: parsing and help text both come from one array. */
#ifndef VMM_OPT_H
#define VMM_OPT_H

#include <stddef.h>
#include <stdint.h>

enum opt_kind {
	OPT_FLAG, /* bool */
	OPT_STRING, /* const char * into argv */
	OPT_NUMBER, /* uint64_t, min..max */
	OPT_CHOICE, /* int: which of choices[] */
	OPT_LIST, /* struct opt_list: may be given again and again */
};

#define OPT_LIST_MAX 32

struct opt_list {
	const char *item[OPT_LIST_MAX];
	size_t n;
};

struct opt {
	const char *name;
	enum opt_kind kind;
	size_t offset; /* of the field in the command's struct */
	const char *arg; /* what the help calls the argument */
	const char *help;
	uint64_t min, max;
	const char *const *choices; /* NULL-terminated */
};

struct opt_table {
	const char *command;
	const char *summary;
	const struct opt *opts;
	size_t n;
};

enum opt_result {
	OPT_ERROR = -1, /* one line has been printed */
	OPT_GO = 0,
	OPT_HELP = 1, /* help was asked for and printed */
};

/* argv[0] is the command's own name. `config` holds the defaults. */
enum opt_result opt_parse(const struct opt_table *table, int argc, char **argv,
			  void *config);
/*
 * Decimal digits and nothing else: no sign, space, 0x, leading 0. 0, or -1 if
 * it is no such number or not in min..max.
 */
int opt_number(const char *s, uint64_t min, uint64_t max, uint64_t *value);
/* The index of s in the NULL-terminated array, or -1. */
int opt_choice(const char *s, const char *const *choices);

#endif /* VMM_OPT_H */
