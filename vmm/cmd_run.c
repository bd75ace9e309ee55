/* SPDX-License-Identifier: Apache-2.0 */
/* pmuvm run: options to a struct run_config. */
#include <stddef.h>

#include "cmd.h"
#include "msg.h"
#include "opt.h"
#include "run.h"
#include "vm.h"

#define FIELD(name) offsetof(struct run_config, name)
/* What a time limit may be: about a century. */
#define MAX_TIMEOUT_S UINT32_MAX

/* clang-format off */
static const struct opt opts[] = {
	{ .name = "pmu", .kind = OPT_STRING, .offset = FIELD(pmu), .arg = "MODEL",
	  .help = "MODEL[,FIELD=N]..., see 'pmuvm models' (intel-v5)" },
	{ .name = "count", .kind = OPT_CHOICE, .offset = FIELD(count), .arg = "WHO",
	  .help = "auto, perf or exact: who counts (auto: perf on hardware, else exact)",
	  .choices = pmu_count_names },
	{ .name = "uncore", .kind = OPT_CHOICE, .offset = FIELD(uncore), .arg = "WHO",
	  .help = "off, or host: AMD's L3, fabric and memory controller counters show the whole host's (off)",
	  .choices = pmu_uncore_names },
	{ .name = "trap", .kind = OPT_CHOICE, .offset = FIELD(trap), .arg = "HOW",
	  .help = "auto, gp or step: how RDPMC is trapped (auto)",
	  .choices = pmu_trap_names },
	{ .name = "cpus", .kind = OPT_NUMBER, .offset = FIELD(cpus), .arg = "N",
	  .help = "how many CPUs (1)", .min = 1, .max = VM_MAX_CPUS },
	{ .name = "mem", .kind = OPT_NUMBER, .offset = FIELD(mem_mib), .arg = "MIB",
	  .help = "memory in MiB (128)", .min = 1, .max = UINT64_MAX >> 20 },
	{ .name = "kernel", .kind = OPT_STRING, .offset = FIELD(load.kernel), .arg = "FILE",
	  .help = "Linux bzImage, multiboot 1, ELF64 or flat image" },
	{ .name = "initrd", .kind = OPT_STRING, .offset = FIELD(load.initrd), .arg = "LIST",
	  .help = "Linux: FILE; multiboot: FILE[ ARGS][,FILE[ ARGS]]..." },
	{ .name = "append", .kind = OPT_STRING, .offset = FIELD(load.append), .arg = "STR",
	  .help = "the guest's command line (Linux: console=ttyS0 panic=-1)" },
	{ .name = "timeout", .kind = OPT_NUMBER, .offset = FIELD(timeout_s), .arg = "S",
	  .help = "end the guest after so many seconds, with status 8",
	  .min = 1, .max = MAX_TIMEOUT_S },
	{ .name = "stats", .kind = OPT_FLAG, .offset = FIELD(stats),
	  .help = "at the end, print counters and exits of each vCPU" },
	{ .name = "verbose", .kind = OPT_FLAG, .offset = FIELD(verbose),
	  .help = "say what is being run, and how" },
};
/* clang-format on */

static const struct opt_table table = {
	.command = "run",
	.summary = "Run a guest. Its COM1 is standard input and output.",
	.opts = opts,
	.n = ARRAY_SIZE(opts),
};

int cmd_run(int argc, char **argv)
{
	struct run_config config = { .pmu = "intel-v5",
				     .cpus = 1,
				     .mem_mib = 128 };

	switch (opt_parse(&table, argc, argv, &config)) {
	case OPT_HELP:
		return STATUS_OK;
	case OPT_ERROR:
		return STATUS_USAGE;
	case OPT_GO:
		break;
	}
	if (!config.load.kernel) {
		msg_err("run: --kernel: is missing; name an image");
		return STATUS_USAGE;
	}
	return run_guest(&config);
}
