// SPDX-License-Identifier: Apache-2.0
/* Verdicts: lines PASS, FAIL, SKIP, a SUMMARY, and the exit code. */
#include "lib/report.h"

#include "lib/io.h"
#include "lib/print.h"

#define PORT_DEBUG_EXIT 0xf4

static u64 passed, failed, skipped;

const char *vector_name(u32 vector)
{
	static const char *const names[] = {
		"none", "#DB", "NMI", "#BP", "#OF", "#BR", "#UD",
		"#NM",	"#DF", "9",   "#TS", "#NP", "#SS", "#GP",
		"#PF",	"15",  "#MF", "#AC", "#MC", "#XM",
	};

	return vector < ARRAY_SIZE(names) ? names[vector] : "other vector";
}

void debug_exit(u32 code)
{
	print_flush();
	outl(PORT_DEBUG_EXIT, code);
	for (;;)
		asm volatile("cli; hlt");
}

static void PRINT_FORMAT(2, 0) verdict(bool ok, const char *name, va_list args)
{
	print(ok ? "PASS " : "FAIL ");
	print_va(name, args);
	if (ok)
		passed++;
	else
		failed++;
}

void report(bool ok, const char *name, ...)
{
	va_list args;

	va_start(args, name);
	verdict(ok, name, args);
	va_end(args);
	print(ok ? "\n" : ": does not hold\n");
}

void report_why(bool ok, const char *why, const char *name, ...)
{
	va_list args;

	va_start(args, name);
	verdict(ok, name, args);
	va_end(args);
	if (ok)
		print("\n");
	else
		print(": %s\n", why);
}

void report_eq(u64 got, u64 want, const char *name, ...)
{
	va_list args;

	va_start(args, name);
	verdict(got == want, name, args);
	va_end(args);
	if (got == want)
		print("\n");
	else
		print(": wrong value (got %lxh want %lxh)\n", got, want);
}

void report_count(u64 got, u64 want, const char *name, ...)
{
	va_list args;

	va_start(args, name);
	verdict(got == want, name, args);
	va_end(args);
	if (got == want)
		print("\n");
	else
		print(": wrong count (got %lu want %lu)\n", got, want);
}

void report_vector(u32 got, u32 want, const char *name, ...)
{
	va_list args;

	va_start(args, name);
	verdict(got == want, name, args);
	va_end(args);
	if (got == want)
		print("\n");
	else
		print(": wrong exception (got %s want %s)\n", vector_name(got),
		      vector_name(want));
}

void report_skip(const char *why, const char *name, ...)
{
	va_list args;

	print("SKIP ");
	va_start(args, name);
	print_va(name, args);
	va_end(args);
	print(": %s\n", why);
	skipped++;
}

void report_summary(void)
{
	print("SUMMARY: %lu passed, %lu failed, %lu skipped\n", passed, failed,
	      skipped);
	debug_exit(failed ? EXIT_FAILED : EXIT_PASSED);
}

void report_abort(const char *format, ...)
{
	va_list args;

	print("ABORT ");
	va_start(args, format);
	print_va(format, args);
	va_end(args);
	print("\n");
	debug_exit(EXIT_ABORTED);
}

void sweep_note(struct sweep *sweep, bool ok, const char *format, ...)
{
	va_list args;

	sweep->checks++;
	if (ok)
		return;
	if (sweep->wrong++ == 0) {
		va_start(args, format);
		print_to_va(sweep->first, sizeof(sweep->first), format, args);
		va_end(args);
	}
}

void sweep_report(const struct sweep *sweep, const char *name, ...)
{
	va_list args;

	va_start(args, name);
	verdict(!sweep->wrong, name, args);
	va_end(args);
	if (sweep->wrong)
		print(": %u of %u wrong, first: %s\n", sweep->wrong,
		      sweep->checks, sweep->first);
	else
		print(" (%u checks)\n", sweep->checks);
}
