/* SPDX-License-Identifier: Apache-2.0 */
/* How verdicts are printed: text, TAP 13, JSON. */
#include <stdio.h>
#include <string.h>

#include "verdict.h"

#define TAIL_LINES 8

static const char *const kind_names[] = {
	[VERDICT_PASS] = "PASS",
	[VERDICT_FAIL] = "FAIL",
	[VERDICT_SKIP] = "SKIP",
};

/* ---------------------------------------------- what a failed guest printed */

static size_t count_lines(const char *text)
{
	size_t n = 0;

	for (; *text; text++)
		n += *text == '\n' || !text[1];
	return n;
}

static bool starts_with(const char *s, const char *prefix)
{
	return !strncmp(s, prefix, strlen(prefix));
}

/* Its FAIL and ABORT lines, and the last few. */
static void each_line(const char *text, size_t tail,
		      void (*print)(const char *line, size_t len))
{
	size_t left = count_lines(text);

	while (*text) {
		size_t len = strcspn(text, "\n");

		if (left-- <= tail || starts_with(text, "FAIL") ||
		    starts_with(text, "ABORT"))
			print(text, len);
		text += len;
		text += *text == '\n';
	}
}

static void each_output_line(const struct verdict *v,
			     void (*print)(const char *line, size_t len))
{
	if (v->kind != VERDICT_FAIL)
		return;
	if (v->job.out)
		each_line(v->job.out, TAIL_LINES, print);
	if (v->job.err)
		each_line(v->job.err, TAIL_LINES, print);
}

/* --------------------------------------------------------------------- text */

static void text_begin(size_t n)
{
	(void)n;
}

static void text_line(const char *line, size_t len)
{
	printf("  | %.*s\n", (int)len, line);
}

static void text_one(const struct verdict *v, size_t number)
{
	(void)number;
	printf("%s %s %s (%.1f s)%s%s\n", kind_names[v->kind], v->model,
	       v->test->name, v->job.seconds, *v->why ? ": " : "", v->why);
	each_output_line(v, text_line);
}

static void text_end(const struct verdict_totals *t)
{
	printf("%zu passed, %zu failed", t->passed, t->failed);
	if (t->skipped)
		printf(", %zu skipped", t->skipped);
	putchar('\n');
}

/* ---------------------------------------------------------------------- TAP */

static void tap_begin(size_t n)
{
	printf("TAP version 13\n1..%zu\n", n);
}

static void tap_line(const char *line, size_t len)
{
	printf("# %.*s\n", (int)len, line);
}

static void tap_one(const struct verdict *v, size_t number)
{
	printf("%sok %zu - %s %s", v->kind == VERDICT_FAIL ? "not " : "",
	       number, v->model, v->test->name);
	if (v->kind == VERDICT_SKIP)
		printf(" # SKIP %s", v->why);
	putchar('\n');
	if (v->kind == VERDICT_FAIL)
		printf("# %s\n", v->why);
	each_output_line(v, tap_line);
}

static void tap_end(const struct verdict_totals *t)
{
	printf("# %zu passed, %zu failed, %zu skipped\n", t->passed, t->failed,
	       t->skipped);
}

/* --------------------------------------------------------------------- JSON */

/* Bytes that are not ASCII are taken as Latin-1: the result is valid. */
static void json_chars(const char *s, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		unsigned char c = (unsigned char)s[i];

		if (c == '"' || c == '\\')
			printf("\\%c", c);
		else if (c < ' ' || c >= 0x7f)
			printf("\\u%04x", c);
		else
			putchar(c);
	}
}

static void json_string(const char *key, const char *s)
{
	printf("\"%s\": \"", key);
	json_chars(s, strlen(s));
	printf("\", ");
}

static void json_begin(size_t n)
{
	(void)n;
	printf("[");
}

static void json_line(const char *line, size_t len)
{
	json_chars(line, len);
	printf("\\n");
}

static void json_one(const struct verdict *v, size_t number)
{
	printf("%s\n  {", number == 1 ? "" : ",");
	json_string("model", v->model);
	json_string("case", v->test->name);
	json_string("verdict", kind_names[v->kind]);
	json_string("why", v->why);
	printf("\"output\": \"");
	each_output_line(v, json_line);
	printf("\", \"seconds\": %.3f}", v->job.seconds);
}

static void json_end(const struct verdict_totals *t)
{
	(void)t;
	printf("\n]\n");
}

const struct verdict_format verdict_formats[] = {
	{ "text", text_begin, text_one, text_end },
	{ "tap", tap_begin, tap_one, tap_end },
	{ "json", json_begin, json_one, json_end },
};

const char *const verdict_format_names[] = { "text", "tap", "json", NULL };
