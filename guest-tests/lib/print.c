// SPDX-License-Identifier: Apache-2.0
/* Text on COM1, through a FIFO's worth of buffer; knows nothing of tests. */
#include "lib/print.h"

#include "lib/io.h"

#define COM1 0x3f8
#define COM1_IER (COM1 + 1)
#define COM1_FCR (COM1 + 2)
#define COM1_LCR (COM1 + 3)
#define COM1_LSR (COM1 + 5)
#define LCR_8N1 0x03
#define FCR_CLEAR_AND_ENABLE 0x07
#define LSR_THRE 0x20
/* THRE says that the 16-byte FIFO of a 16550 is empty. */
#define FIFO_BYTES 16

static char fifo[FIFO_BYTES];
static size_t fifo_used;

/* Where characters go: COM1, or a buffer. */
struct sink {
	char *buf; /* NULL: COM1 */
	size_t size;
	size_t used;
};

struct field {
	unsigned int width;
	bool left;
	bool is_long;
	char pad;
};

void print_init(void)
{
	outb(COM1_IER, 0);
	outb(COM1_LCR, LCR_8N1);
	outb(COM1_FCR, FCR_CLEAR_AND_ENABLE);
}

void print_flush(void)
{
	if (!fifo_used)
		return;
	while (!(inb(COM1_LSR) & LSR_THRE))
		;
	for (size_t i = 0; i < fifo_used; i++)
		outb(COM1, (u8)fifo[i]);
	fifo_used = 0;
}

static void put(struct sink *sink, char c)
{
	if (sink->buf) {
		if (sink->used + 1 < sink->size)
			sink->buf[sink->used++] = c;
		return;
	}
	fifo[fifo_used++] = c;
	if (fifo_used == FIFO_BYTES || c == '\n')
		print_flush();
}

static void put_field(struct sink *sink, const char *text, size_t length,
		      const struct field *field)
{
	if (!field->left)
		for (size_t i = length; i < field->width; i++)
			put(sink, field->pad);
	for (size_t i = 0; i < length; i++)
		put(sink, text[i]);
	if (field->left)
		for (size_t i = length; i < field->width; i++)
			put(sink, ' ');
}

static void put_number(struct sink *sink, u64 value, unsigned int base,
		       const struct field *field)
{
	char digits[20];
	size_t first = sizeof(digits);

	do {
		digits[--first] = "0123456789abcdef"[value % base];
		value /= base;
	} while (value);
	put_field(sink, digits + first, sizeof(digits) - first, field);
}

static void put_string(struct sink *sink, const char *text,
		       const struct field *field)
{
	size_t length = 0;

	while (text[length])
		length++;
	put_field(sink, text, length, field);
}

static const char *parse_field(const char *format, struct field *field)
{
	*field = (struct field){ .pad = ' ' };
	if (*format == '-') {
		field->left = true;
		format++;
	} else if (*format == '0') {
		field->pad = '0';
		format++;
	}
	for (; *format >= '0' && *format <= '9'; format++)
		field->width =
			field->width * 10 + (unsigned int)(*format - '0');
	if (*format == 'l') {
		field->is_long = true;
		format++;
	}
	return format;
}

static void format_number(struct sink *sink, const struct field *field,
			  unsigned int base, va_list *args)
{
	u64 value;

	if (field->is_long)
		value = va_arg(*args, u64);
	else
		value = va_arg(*args, u32);
	put_number(sink, value, base, field);
}

static void format_to(struct sink *sink, const char *format, va_list *args)
{
	struct field field;
	char c;

	for (; *format; format++) {
		if (*format != '%') {
			put(sink, *format);
			continue;
		}
		format = parse_field(format + 1, &field);
		switch (*format) {
		case 's':
			put_string(sink, va_arg(*args, const char *), &field);
			break;
		case 'c':
			c = (char)va_arg(*args, int);
			put_field(sink, &c, 1, &field);
			break;
		case 'u':
			format_number(sink, &field, 10, args);
			break;
		case 'x':
			format_number(sink, &field, 16, args);
			break;
		default:
			put(sink, *format);
		}
	}
}

void print_va(const char *format, va_list args)
{
	struct sink sink = { .buf = NULL };
	va_list copy;

	va_copy(copy, args);
	format_to(&sink, format, &copy);
	va_end(copy);
}

void print(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	print_va(format, args);
	va_end(args);
}

void print_to_va(char *buf, size_t size, const char *format, va_list args)
{
	struct sink sink = { .buf = buf, .size = size };
	va_list copy;

	va_copy(copy, args);
	format_to(&sink, format, &copy);
	va_end(copy);
	buf[sink.used] = '\0';
}

void print_to(char *buf, size_t size, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	print_to_va(buf, size, format, args);
	va_end(args);
}
