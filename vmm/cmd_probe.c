/* SPDX-License-Identifier: Apache-2.0 */
/* pmuvm probe: what this host offers, and what each missing thing costs. */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "caps.h"
#include "cmd.h"
#include "msg.h"
#include "opt.h"
#include "pmu.h"

static const struct opt_table table = {
	.command = "probe",
	.summary = "Show what this host offers a guest and its PMU. Exit "
		   "status 0: a guest can run.",
};

/* True: all that is required is there. */
static bool print_caps(int kvm_fd)
{
	bool all = true;

	for (size_t i = 0; i < caps_n; i++) {
		int value = ioctl(kvm_fd, KVM_CHECK_EXTENSION, caps[i].cap);

		printf("  %-32s", caps[i].name);
		if (value > 0) {
			printf("%d\n", value);
			continue;
		}
		printf("missing%s: %s\n", caps[i].required ? ", REQUIRED" : "",
		       caps[i].without);
		all &= !caps[i].required;
	}
	return all;
}

static const char *yes(uint32_t value)
{
	return value ? "yes" : "no";
}

/* True: RDPMC can be trapped. */
static bool print_trap(int kvm_fd)
{
	struct vpmu_kvm_probe p = { .size = sizeof(p) };
	int ret = vpmu_kvm_probe(kvm_fd, &p);

	puts("\nRDPMC, tried in a scratch VM");
	if (ret) {
		printf("  could not be tried: %s\n", strerror(-ret));
		return false;
	}
	if (p.rdpmc_vector)
		printf("  RDPMC(0) without us             vector %u\n",
		       p.rdpmc_vector);
	else
		puts("  RDPMC(0) without us             was answered");
	printf("  breakpoint on the #GP handler   %s\n"
	       "  breakpoint on the instruction   %s\n"
	       "  single step                     %s\n"
	       "  filtered MSRs exit              %s\n"
	       "  interrupts can be held off      %s\n"
	       "  KVM's own PMU can be off        %s\n"
	       "  trap                            %s: %s\n",
	       yes(p.gp_breakpoint), yes(p.site_breakpoint), yes(p.single_step),
	       yes(p.msr_filter), yes(p.block_irq),
	       p.pmu_capability ? "yes" : "it has none, or cannot",
	       p.trap ? pmu_trap_names[p.trap] : "none", p.reason);
	return p.trap && p.msr_filter;
}

static bool print_kvm(void)
{
	bool good;
	int fd;

	puts("KVM");
	fd = caps_open_kvm();
	if (fd < 0) {
		puts("  no usable /dev/kvm: no guest can run here");
		return false;
	}
	good = print_caps(fd);
	good &= print_trap(fd);
	close(fd);
	return good;
}

static void print_uncore(const struct vpmu_perf *perf)
{
	static const struct {
		const char *name;
		enum vpmu_unit unit;
	} units[] = {
		{ "AMD L3", VPMU_UNIT_L3 },
		{ "AMD northbridge, data fabric", VPMU_UNIT_NB },
		{ "AMD memory controllers", VPMU_UNIT_UMC },
	};

	puts("\nWhat it counts outside the core (--uncore host)");
	for (size_t i = 0; i < ARRAY_SIZE(units); i++)
		printf("  %-32s%s\n", units[i].name,
		       vpmu_perf_describe_unit(perf, units[i].unit));
}

static void print_perf(void)
{
	struct vpmu_perf_config config = { .size = sizeof(config),
					   .flags = VPMU_PERF_UNCORE };
	struct vpmu_perf *perf;
	int ret = vpmu_perf_create(&perf, &config);

	puts("\nWhat perf counts on this host (--count perf)");
	if (ret) {
		printf("  could not be tried: %s\n", strerror(-ret));
		return;
	}
	for (int i = VPMU_MEAN_CYCLES; i < VPMU_MEAN_COUNT; i++) {
		enum vpmu_meaning meaning = (enum vpmu_meaning)i;

		printf("  %-32s%s\n", vpmu_meaning_name(meaning),
		       vpmu_perf_describe(perf, meaning));
	}
	print_uncore(perf);
	vpmu_perf_destroy(perf);
}

int cmd_probe(int argc, char **argv)
{
	struct utsname host;
	bool good;

	switch (opt_parse(&table, argc, argv, NULL)) {
	case OPT_HELP:
		return STATUS_OK;
	case OPT_ERROR:
		return STATUS_USAGE;
	case OPT_GO:
		break;
	}
	if (uname(&host)) {
		msg_err("uname: %m");
		return STATUS_ERROR;
	}
	printf("%s %s\n\n", host.sysname, host.release);
	good = print_kvm();
	print_perf();
	printf("\na guest with a vPMU %s run here\n", good ? "can" : "cannot");
	return good ? STATUS_OK : STATUS_ERROR;
}
