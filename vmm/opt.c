/* SPDX-License-Identifier: Apache-2.0 */
/* Options as tables: getopt_long() and the help text from one array. */
#include "opt.h"

#include <getopt.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "msg.h"
#include "util.h"

#define MAX_OPTS 24
#define HELP_COLUMN 24

int opt_number(const char *s, uint64_t min, uint64_t max, uint64_t *value)
{
	uint64_t n = 0;

	if (!*s || (s[0] == '0' && s[1]))
		return -1;
	for (; *s; s++) {
		unsigned int digit = (unsigned int)(*s - '0');

		if (digit > 9 || n > (UINT64_MAX - digit) / 10)
			return -1;
		n = n * 10 + digit;
	}
	if (n < min || n > max)
		return -1;
	*value = n;
	return 0;
}

int opt_choice(const char *s, const char *const *choices)
{
	for (int i = 0; choices[i]; i++)
		if (!strcmp(s, choices[i]))
			return i;
	return -1;
}

static int wrong(const struct opt_table *table, const struct opt *opt,
		 const char *value)
{
	char wanted[128];
	size_t n = 0;

	if (opt->kind == OPT_NUMBER) {
		snprintf(wanted, sizeof(wanted),
			 "a decimal number from %" PRIu64 " to %" PRIu64,
			 opt->min, opt->max);
	} else {
		for (size_t i = 0; opt->choices[i]; i++)
			n += (size_t)snprintf(wanted + n, sizeof(wanted) - n,
					      "%s%s", i ? ", " : "one of ",
					      opt->choices[i]);
	}
	return msg_err("%s: --%s: '%s' will not do; give %s", table->command,
		       opt->name, value, wanted);
}

static int set(const struct opt_table *table, const struct opt *opt,
	       void *config, const char *value)
{
	void *field = (char *)config + opt->offset;
	struct opt_list *list = field;

	switch (opt->kind) {
	case OPT_FLAG:
		*(bool *)field = true;
		return 0;
	case OPT_STRING:
		*(const char **)field = value;
		return 0;
	case OPT_NUMBER:
		if (opt_number(value, opt->min, opt->max, field))
			return wrong(table, opt, value);
		return 0;
	case OPT_CHOICE:
		*(int *)field = opt_choice(value, opt->choices);
		if (*(int *)field < 0)
			return wrong(table, opt, value);
		return 0;
	case OPT_LIST:
		if (list->n == OPT_LIST_MAX)
			return msg_err("%s: --%s: given more than %d times",
				       table->command, opt->name, OPT_LIST_MAX);
		list->item[list->n++] = value;
		return 0;
	}
	return -1;
}

static void print_help(const struct opt_table *table)
{
	printf("usage: pmuvm %s [OPTION]...\n%s\n\n", table->command,
	       table->summary);
	for (size_t i = 0; i < table->n; i++) {
		const struct opt *opt = &table->opts[i];
		int n = printf("  --%s%s%s", opt->name, opt->arg ? " " : "",
			       opt->arg ? opt->arg : "");

		printf("%*s%s\n", n < HELP_COLUMN ? HELP_COLUMN - n : 1, "",
		       opt->help);
	}
	printf("  --help%*sthis list\n", HELP_COLUMN - 8, "");
}

static int refuse(const struct opt_table *table, int c, char **argv)
{
	return msg_err("%s: %s: %s; see 'pmuvm %s --help'", table->command,
		       argv[optind - 1],
		       c == ':' ? "lacks its argument"
				: "unknown, ambiguous or given a value",
		       table->command);
}

enum opt_result opt_parse(const struct opt_table *table, int argc, char **argv,
			  void *config)
{
	struct option longopts[MAX_OPTS + 2] = { 0 };
	int c, index;

	for (size_t i = 0; i < table->n; i++) {
		longopts[i].name = table->opts[i].name;
		longopts[i].has_arg = table->opts[i].kind != OPT_FLAG;
	}
	longopts[table->n].name = "help";
	optind = 0;
	opterr = 0;
	while ((c = getopt_long(argc, argv, ":", longopts, &index)) == 0) {
		if ((size_t)index == table->n) {
			print_help(table);
			return OPT_HELP;
		}
		if (set(table, &table->opts[index], config, optarg))
			return OPT_ERROR;
	}
	if (c != -1)
		return (enum opt_result)refuse(table, c, argv);
	if (optind < argc)
		return (enum opt_result)msg_err(
			"%s: '%s': unexpected argument; see 'pmuvm %s --help'",
			table->command, argv[optind], table->command);
	return OPT_GO;
}
