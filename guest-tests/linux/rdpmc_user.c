/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A program for a Linux guest: reads its counters by RDPMC, as perf_event_open
 * describes for cap_user_rdpmc, and is not allowed to without an event. Static;
 * prints as the bare-metal guests do.
 *
 * usage: rdpmc_user [exact]	exact: counts must be the same each time
 */
#include <linux/perf_event.h>
#include <setjmp.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#define TIMES 10

static unsigned int passed, failed;

static void report(bool good, const char *rule)
{
	printf("%s %s\n", good ? "PASS" : "FAIL", rule);
	passed += good;
	failed += !good;
}

static uint64_t rdpmc(uint32_t index)
{
	uint32_t low, high;

	__asm__ volatile("rdpmc" : "=a"(low), "=d"(high) : "c"(index));
	return low | (uint64_t)high << 32;
}

static sigjmp_buf on_fault;

static void fault(int signal)
{
	siglongjmp(on_fault, signal);
}

/* The signal that RDPMC ends in; 0: none. */
static int rdpmc_signal(uint32_t index)
{
	int signal = sigsetjmp(on_fault, 1);

	if (!signal)
		rdpmc(index);
	return signal;
}

static int open_event(uint64_t config)
{
	struct perf_event_attr attr = {
		.size = sizeof(attr),
		.type = PERF_TYPE_HARDWARE,
		.config = config,
		.pinned = 1,
		.exclude_kernel = 1,
	};

	return (int)syscall(SYS_perf_event_open, &attr, 0, -1, -1, 0);
}

#define barrier() __asm__ volatile("" ::: "memory")

/* As linux/perf_event.h has it. */
static uint64_t read_page(const volatile struct perf_event_mmap_page *page)
{
	uint32_t seq, index;
	uint64_t count;

	do {
		seq = page->lock;
		barrier();
		index = page->index;
		count = (uint64_t)page->offset;
		if (page->cap_user_rdpmc && index) {
			unsigned int unused = 64u - page->pmc_width;

			count += (uint64_t)((int64_t)(rdpmc(index - 1)
						      << unused) >>
					    unused);
		}
		barrier();
	} while (page->lock != seq);
	return count;
}

static uint64_t read_fd(int fd)
{
	uint64_t count = 0;

	return read(fd, &count, sizeof(count)) == sizeof(count) ? count : 0;
}

/* 2 n instructions. */
static void spin(uint64_t n)
{
	__asm__ volatile("1: dec %0; jnz 1b" : "+r"(n));
}

static uint64_t cost(const struct perf_event_mmap_page *page, uint64_t n)
{
	uint64_t before = read_page(page);

	spin(n);
	return read_page(page) - before;
}

static void check_values(int fd, const struct perf_event_mmap_page *page,
			 bool exact)
{
	bool between = true, same = true, counts = true;
	uint64_t first = 0;

	for (int i = 0; i < TIMES; i++) {
		uint64_t a = read_page(page), b = read_fd(fd),
			 c = read_page(page);

		between = between && a <= b && b <= c && a;
		if (!i)
			first = b - a;
		same = same && b - a == first;
		counts = counts && cost(page, 1000) - cost(page, 500) == 1000;
	}
	report(between, "read(2) lies between two RDPMCs around it");
	if (!exact)
		return;
	report(same, "... by the same number of instructions each time");
	report(counts, "RDPMC counts a loop's instructions exactly");
	ioctl(fd, PERF_EVENT_IOC_DISABLE, 0);
	report(read_page(page) == read_fd(fd),
	       "the mapped page equals read(2) once it is disabled");
}

int main(int argc, char **argv)
{
	bool exact = argc > 1 && !strcmp(argv[1], "exact");
	size_t bytes = (size_t)sysconf(_SC_PAGESIZE);
	struct perf_event_mmap_page *page;
	int fd;

	signal(SIGSEGV, fault);
	report(rdpmc_signal(0) == SIGSEGV, "RDPMC without an event: SIGSEGV");
	fd = open_event(PERF_COUNT_HW_INSTRUCTIONS);
	report(fd >= 0, "perf_event_open(instructions)");
	report(rdpmc_signal(0) == SIGSEGV, "not mapped yet: SIGSEGV");
	page = mmap(NULL, bytes, PROT_READ, MAP_SHARED, fd, 0);
	report(page != MAP_FAILED && page->cap_user_rdpmc && page->index,
	       "the mapped page has cap_user_rdpmc and an index");
	if (page == MAP_FAILED || !page->index)
		goto out;
	report(!rdpmc_signal(page->index - 1), "its counter can be read");
	report(rdpmc_signal(64) == SIGSEGV, "RDPMC(64): SIGSEGV");
	check_values(fd, page, exact);
	munmap(page, bytes);
	report(rdpmc_signal(0) == SIGSEGV, "unmapped again: SIGSEGV");
out:
	printf("SUMMARY: %u passed, %u failed\n", passed, failed);
	return failed || !passed;
}
