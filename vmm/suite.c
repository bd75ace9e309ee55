/* SPDX-License-Identifier: Apache-2.0 */
/* Parsing tests.cfg: lines of `[name]` and `key = value`. */
#include "suite.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "load.h"
#include "msg.h"
#include "opt.h"
#include "vm.h"

#define BLANKS " \t"

/* Where the parser is. */
struct parser {
	const char *path;
	unsigned int line;
	struct suite *suite;
	struct suite_case *now; /* NULL before the first [name] */
	uint64_t seen; /* keys of this case, by index into keys[] */
};

static int bad(const struct parser *p, const char *what, const char *why)
{
	return msg_err("%s:%u: '%s': %s", p->path, p->line, what, why);
}

static int set_string(const char **to, const char *value)
{
	*to = value;
	return 0;
}

static int set_program(struct suite_case *c, const char *value)
{
	/* A name, not a path: it is looked for beside tests.cfg. */
	return strchr(value, '/') ? -1 : set_string(&c->program, value);
}

static int set_args(struct suite_case *c, const char *value)
{
	return set_string(&c->args, value);
}

static int set_models(struct suite_case *c, const char *value)
{
	return set_string(&c->models, value);
}

static int set_groups(struct suite_case *c, const char *value)
{
	return set_string(&c->groups, value);
}

static int set_count(struct suite_case *c, const char *value)
{
	static const char *const counts[] = { "auto", "exact", NULL };
	int i = opt_choice(value, counts);

	c->exact = i == 1;
	return i < 0 ? -1 : 0;
}

static int set_cpus(struct suite_case *c, const char *value)
{
	return opt_number(value, 1, VM_MAX_CPUS, &c->cpus);
}

static int set_mem(struct suite_case *c, const char *value)
{
	return opt_number(value, 1, UINT64_MAX >> 20, &c->mem_mib);
}

static int set_timeout(struct suite_case *c, const char *value)
{
	return opt_number(value, 1, 86400, &c->timeout_s);
}

static int set_expect(struct suite_case *c, const char *value)
{
	static const struct {
		const char *name;
		int status;
	} names[] = {
		{ "pass", 1 },
		{ "triple-fault", STATUS_TRIPLE_FAULT },
		{ "timeout", STATUS_TIMEOUT },
	};
	uint64_t status;

	c->summary = !strcmp(value, "pass");
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		if (strcmp(value, names[i].name))
			continue;
		c->status = names[i].status;
		return 0;
	}
	if (strncmp(value, "exit ", 5) ||
	    opt_number(value + 5 + strspn(value + 5, BLANKS), 0, 255, &status))
		return -1;
	c->status = (int)status;
	return 0;
}

static const struct {
	const char *name;
	int (*set)(struct suite_case *c, const char *value);
	const char *wanted;
} keys[] = {
	{ "program", set_program, "a file name without '/'" },
	{ "args", set_args, "words" },
	{ "models", set_models, "globs" },
	{ "groups", set_groups, "names" },
	{ "count", set_count, "auto or exact" },
	{ "cpus", set_cpus, "a number of CPUs" },
	{ "mem", set_mem, "a number of MiB" },
	{ "timeout", set_timeout, "a number of seconds" },
	{ "expect", set_expect, "pass, triple-fault, timeout or exit N" },
};

static char *trim(char *s)
{
	size_t n;

	s += strspn(s, BLANKS);
	for (n = strlen(s); n && strchr(BLANKS "\r", s[n - 1]); n--)
		;
	s[n] = '\0';
	return s;
}

static int end_case(struct parser *p)
{
	if (!p->now || p->now->program)
		return 0;
	p->line = p->now->line;
	return bad(p, p->now->name, "the case has no program");
}

static int begin_case(struct parser *p, char *line)
{
	char *end = strchr(line, ']');
	struct suite *suite = p->suite;
	struct suite_case *cases;
	const char *name;

	if (!end || end[1])
		return bad(p, line, "not of the form [name]");
	*end = '\0';
	name = trim(line + 1);
	if (!*name)
		return bad(p, "[]", "the name is empty");
	for (size_t i = 0; i < suite->n; i++)
		if (!strcmp(suite->cases[i].name, name))
			return bad(p, name, "there is such a case already");
	cases = realloc(suite->cases, (suite->n + 1) * sizeof(*cases));
	if (!cases)
		return msg_err("%s: %m", p->path);
	suite->cases = cases;
	p->now = &cases[suite->n++];
	p->seen = 0;
	*p->now = (struct suite_case){ .name = name,
				       .line = p->line,
				       .args = "",
				       .models = "*",
				       .groups = "",
				       .cpus = 1,
				       .mem_mib = 64,
				       .timeout_s = 60,
				       .summary = true,
				       .status = 1 };
	return 0;
}

static int set_key(struct parser *p, char *line)
{
	char *value = strchr(line, '=');
	const char *key;

	if (!value)
		return bad(p, line, "neither [name] nor key = value");
	if (!p->now)
		return bad(p, line, "before the first [name]");
	*value++ = '\0';
	key = trim(line);
	value = trim(value);
	for (size_t i = 0; i < ARRAY_SIZE(keys); i++) {
		if (strcmp(key, keys[i].name))
			continue;
		if (p->seen & UINT64_C(1) << i)
			return bad(p, key, "is set twice");
		p->seen |= UINT64_C(1) << i;
		if (*value && !keys[i].set(p->now, value))
			return 0;
		return msg_err("%s:%u: %s: '%s' will not do; give %s", p->path,
			       p->line, key, value, keys[i].wanted);
	}
	return bad(p, key, "unknown key");
}

static int parse_line(struct parser *p, char *line)
{
	line = trim(line);
	if (!*line || *line == '#')
		return 0;
	if (*line != '[')
		return set_key(p, line);
	return end_case(p) ? -1 : begin_case(p, line);
}

static char *read_text(const char *path)
{
	struct load_file file;
	char *text;

	if (load_read(&file, path))
		return NULL;
	text = realloc(file.data, file.bytes + 1);
	if (!text) {
		msg_err("%s: %m", path);
		free(file.data);
		return NULL;
	}
	text[file.bytes] = '\0';
	return text;
}

int suite_read(struct suite *suite, const char *path)
{
	struct parser p = { .path = path, .suite = suite };
	char *rest, *line;
	int ret = 0;

	*suite = (struct suite){ .text = read_text(path) };
	rest = suite->text;
	if (!rest)
		return -1;
	while (!ret && (line = strsep(&rest, "\n"))) {
		p.line++;
		ret = parse_line(&p, line);
	}
	if (!ret)
		ret = end_case(&p);
	if (ret)
		suite_fini(suite);
	return ret;
}

void suite_fini(struct suite *suite)
{
	free(suite->cases);
	free(suite->text);
	*suite = (struct suite){ 0 };
}

bool suite_matches(const char *globs, const char *name)
{
	char glob[128];
	size_t n;

	for (;; globs += n) {
		globs += strspn(globs, BLANKS);
		n = strcspn(globs, BLANKS);
		if (!n)
			return false;
		if (n >= sizeof(glob))
			continue;
		memcpy(glob, globs, n);
		glob[n] = '\0';
		if (!fnmatch(glob, name, 0))
			return true;
	}
}
