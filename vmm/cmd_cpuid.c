/* SPDX-License-Identifier: Apache-2.0 */
/* pmuvm cpuid: the leaves that a model sets, as a guest will see them. */
#include <fcntl.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "caps.h"
#include "cmd.h"
#include "msg.h"
#include "opt.h"
#include "pmu.h"

#define MAX_ENTRIES 256 /* KVM_MAX_CPUID_ENTRIES */

struct config {
	const char *pmu;
	bool host;
};

/* clang-format off */
static const struct opt opts[] = {
	{ .name = "pmu", .kind = OPT_STRING, .offset = offsetof(struct config, pmu), .arg = "MODEL",
	  .help = "MODEL[,FIELD=N]... (intel-v5)" },
	{ .name = "host", .kind = OPT_FLAG, .offset = offsetof(struct config, host),
	  .help = "on top of what this KVM supports, not of zeros" },
};
/* clang-format on */

static const struct opt_table table = {
	.command = "cpuid",
	.summary = "Show the CPUID leaves that a model sets, when it counts "
		   "exactly.",
	.opts = opts,
	.n = ARRAY_SIZE(opts),
};

static struct kvm_cpuid2 *host_cpuid(void)
{
	struct kvm_cpuid2 *cpuid;
	int fd = caps_open_kvm();

	if (fd < 0)
		return NULL;
	cpuid = calloc(1, sizeof(*cpuid) +
				  MAX_ENTRIES * sizeof(cpuid->entries[0]));
	if (!cpuid) {
		msg_err("CPUID: %m");
	} else {
		cpuid->nent = MAX_ENTRIES;
		if (ioctl(fd, KVM_GET_SUPPORTED_CPUID, cpuid)) {
			msg_err("KVM: KVM_GET_SUPPORTED_CPUID: %m");
			free(cpuid);
			cpuid = NULL;
		}
	}
	close(fd);
	return cpuid;
}

static struct vpmu_cpuid_regs base_of(const struct kvm_cpuid2 *host,
				      uint32_t leaf, uint32_t subleaf)
{
	for (uint32_t i = 0; host && i < host->nent; i++) {
		const struct kvm_cpuid_entry2 *e = &host->entries[i];

		if (e->function == leaf &&
		    (!(e->flags & KVM_CPUID_FLAG_SIGNIFCANT_INDEX) ||
		     e->index == subleaf))
			return (struct vpmu_cpuid_regs){ e->eax, e->ebx, e->ecx,
							 e->edx };
	}
	return (struct vpmu_cpuid_regs){ 0 };
}

static void print_leaves(const struct vpmu *vpmu, const struct kvm_cpuid2 *host)
{
	uint32_t leaf, subleaf;

	puts("leaf     sub      eax      ebx      ecx      edx");
	for (uint32_t i = 0; !vpmu_cpuid_leaf(vpmu, i, &leaf, &subleaf); i++) {
		struct vpmu_cpuid_regs r = base_of(host, leaf, subleaf);

		vpmu_cpuid(vpmu, leaf, subleaf, &r);
		printf("%08" PRIx32 " %08" PRIx32 " %08" PRIx32 " %08" PRIx32
		       " %08" PRIx32 " %08" PRIx32 "\n",
		       leaf, subleaf, r.eax, r.ebx, r.ecx, r.edx);
	}
}

int cmd_cpuid(int argc, char **argv)
{
	struct config config = { .pmu = "intel-v5" };
	struct pmu_config pmu_config = { .count = PMU_COUNT_EXACT };
	struct kvm_cpuid2 *host = NULL;
	int status = STATUS_OK;
	struct pmu pmu;

	switch (opt_parse(&table, argc, argv, &config)) {
	case OPT_HELP:
		return STATUS_OK;
	case OPT_ERROR:
		return STATUS_USAGE;
	case OPT_GO:
		break;
	}
	pmu_config.model = config.pmu;
	if (pmu_init(&pmu, &pmu_config))
		status = STATUS_USAGE;
	else if (config.host && !(host = host_cpuid()))
		status = STATUS_ERROR;
	else
		print_leaves(pmu.vpmu, host);
	free(host);
	pmu_fini(&pmu);
	return status;
}
