/* SPDX-License-Identifier: Apache-2.0 */
/* "MODEL[,FIELD=N]...": a shape, its overrides, and the rules it must keep. */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "core/internal.h"

/* No more of the caller's text than this is quoted back. */
#define QUOTED 48

struct parser {
	struct vpmu *pmu;
	const char *text;
	uint32_t seen; /* bitmap of field rows */
};

/* A piece of the text. */
struct token {
	const char *at;
	int len;
};

static int refuse(struct parser *p, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

static int refuse(struct parser *p, const char *format, ...)
{
	char *reason = p->pmu->reason;
	va_list args;
	int len;

	len = snprintf(reason, REASON_BYTES, "%.*s%s", QUOTED, p->text,
		       *p->text ? ": " : "");
	va_start(args, format);
	vsnprintf(reason + len, REASON_BYTES - (size_t)len, format, args);
	va_end(args);
	/* One line, whatever the caller's text held. */
	for (char *c = reason; *c; c++)
		if ((unsigned char)*c < ' ' || *c == 0x7f)
			*c = '?';
	return -EINVAL;
}

static int quoted(int len)
{
	return len < QUOTED ? len : QUOTED;
}

static int digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	if (c >= 'A' && c <= 'F')
		return c - 'A' + 10;
	return 16;
}

/* Decimal, or hexadecimal after 0x: digits only, no sign, no blank. */
static bool number(struct token t, uint64_t *value)
{
	int base = 10;

	if (t.len > 2 && t.at[0] == '0' && (t.at[1] | 0x20) == 'x') {
		base = 16;
		t.at += 2;
		t.len -= 2;
	}
	*value = 0;
	for (int i = 0; i < t.len; i++) {
		if (digit(t.at[i]) >= base)
			return false;
		*value = *value * (uint64_t)base + (uint64_t)digit(t.at[i]);
		if (*value > UINT32_MAX)
			*value = UINT32_MAX; /* beyond any field's range */
	}
	return t.len > 0;
}

static const struct vpmu_field_row *find_field(const struct vpmu_family *family,
					       struct token name)
{
	for (size_t i = 0; i < family->fields->n; i++) {
		const struct vpmu_field_row *row = &family->fields->rows[i];

		if (strlen(row->name) == (size_t)name.len &&
		    !memcmp(row->name, name.at, (size_t)name.len))
			return row;
	}
	return NULL;
}

static uint32_t *field_at(struct parser *p, size_t offset)
{
	return (uint32_t *)(void *)((char *)&p->pmu->shape + offset);
}

/* Was the field at `offset` given by the caller? */
static bool given(const struct parser *p, size_t offset)
{
	const struct vpmu_family *family = p->pmu->model->family;

	for (size_t i = 0; i < family->fields->n; i++)
		if (family->fields->rows[i].offset == offset)
			return p->seen & BIT32(i);
	return false;
}

static int set_field(struct parser *p, struct token name, struct token text)
{
	const struct vpmu_family *family = p->pmu->model->family;
	const struct vpmu_field_row *row = find_field(family, name);
	const char *names = family->fields->names;
	uint64_t value;
	uint32_t bit;

	if (!row)
		return refuse(p, "%.*s: no such field; %s has: %s",
			      quoted(name.len), name.at, p->pmu->model->name,
			      *names ? names : "none");
	bit = BIT32(row - family->fields->rows);
	if (p->seen & bit)
		return refuse(p, "%s: given twice", row->name);
	p->seen |= bit;
	if (!number(text, &value))
		return refuse(p, "%s: \"%.*s\" is not a number", row->name,
			      quoted(text.len), text.at);
	if (value < row->min || value > row->max)
		return refuse(p, "%s: %.*s is not in %u..%u (%s)", row->name,
			      quoted(text.len), text.at, row->min, row->max,
			      row->why);
	*field_at(p, row->offset) = (uint32_t)value;
	if (row->resets && !given(p, row->resets))
		*field_at(p, row->resets) = 0;
	return 0;
}

static int override(struct parser *p, struct token item)
{
	const char *equals = memchr(item.at, '=', (size_t)item.len);
	struct token name = item, value = { NULL, 0 };

	if (!equals)
		return refuse(p, "\"%.*s\": must be FIELD=N", quoted(item.len),
			      item.at);
	name.len = (int)(equals - item.at);
	value.at = equals + 1;
	value.len = item.len - name.len - 1;
	return set_field(p, name, value);
}

static int check_rules(struct parser *p)
{
	const struct vpmu_family *family = p->pmu->model->family;

	for (size_t i = 0; i < family->rules->n; i++) {
		const struct vpmu_rule_row *row = &family->rules->rows[i];

		if (!row->broken(&p->pmu->shape))
			continue;
		if (given(p, row->offset))
			return refuse(p, "%s (%s)", row->message, row->manual);
		*field_at(p, row->offset) = row->instead;
	}
	return 0;
}

/* Longer than any sensible text; keeps lengths within an int. */
#define TEXT_MAX 4096

int vpmu_config_parse(struct vpmu *pmu, const char *text)
{
	struct parser p = { .pmu = pmu, .text = text ? text : "" };
	const char *at;
	size_t len;

	if (strnlen(p.text, TEXT_MAX) == TEXT_MAX)
		return refuse(&p, "longer than %d characters", TEXT_MAX - 1);
	len = strcspn(p.text, ",");
	pmu->model = vpmu_model_find(p.text, len);
	if (!pmu->model)
		return refuse(&p, "%s",
			      len ? "no such model, see vpmu_model_info()"
				  : "no model given");
	pmu->shape = pmu->model->shape;
	for (at = p.text + len; *at; at += len) {
		int ret;

		at++;
		len = strcspn(at, ",");
		ret = override(&p, (struct token){ at, (int)len });
		if (ret)
			return ret;
	}
	return check_rules(&p);
}
