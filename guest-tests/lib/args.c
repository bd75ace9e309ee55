// SPDX-License-Identifier: Apache-2.0
/* The words of the multiboot command line. */
#include "lib/args.h"

#include "lib/report.h"

#define MULTIBOOT_LOADED 0x2badb002
#define INFO_CMDLINE 0x4

struct multiboot_info {
	u32 flags;
	u32 mem_lower;
	u32 mem_upper;
	u32 boot_device;
	u32 cmdline;
};

static char words[512];

void args_init(u32 magic, u32 info_address)
{
	const struct multiboot_info *info = (const void *)(u64)info_address;
	const char *from;

	if (magic != MULTIBOOT_LOADED)
		report_abort("EAX was %xh at entry, not %xh of multiboot",
			     magic, MULTIBOOT_LOADED);
	if (!(info->flags & INFO_CMDLINE))
		return;
	from = (const char *)(u64)info->cmdline;
	for (size_t i = 0; i + 1 < sizeof(words) && from[i]; i++)
		words[i] = from[i];
}

/* What follows `prefix` in the word at `word`, or NULL. */
static const char *after(const char *word, const char *prefix)
{
	while (*prefix)
		if (*word++ != *prefix++)
			return NULL;
	return word;
}

static bool ends(const char *p)
{
	return *p == '\0' || *p == ' ';
}

/* What follows the first word that starts with `prefix`; it ends there if
 * `whole`. */
static const char *find(const char *prefix, bool whole)
{
	const char *p = words, *rest;

	while (*p) {
		rest = after(p, prefix);
		if (rest && (!whole || ends(rest)))
			return rest;
		while (!ends(p))
			p++;
		while (*p == ' ')
			p++;
	}
	return NULL;
}

bool args_has(const char *word)
{
	return find(word, true) != NULL;
}

bool args_is(const char *key, const char *value)
{
	char word[64];

	print_to(word, sizeof(word), "%s=%s", key, value);
	return args_has(word);
}

static u32 digit_of(char c)
{
	if (c >= '0' && c <= '9')
		return (u32)(c - '0');
	if (c >= 'a' && c <= 'f')
		return (u32)(c - 'a' + 10);
	return 16;
}

u64 args_number(const char *key, u64 otherwise)
{
	char prefix[32];
	const char *p, *hex;
	u32 base = 10;
	u64 value = 0;

	print_to(prefix, sizeof(prefix), "%s=", key);
	p = find(prefix, false);
	if (!p || ends(p))
		return otherwise;
	hex = after(p, "0x");
	if (hex) {
		p = hex;
		base = 16;
	}
	for (; digit_of(*p) < base; p++)
		value = value * base + digit_of(*p);
	return ends(p) ? value : otherwise;
}
