/* SPDX-License-Identifier: Apache-2.0 */
/* pmuvm: a small KVM VMM whose guests have a virtual PMU. */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cmd.h"
#include "msg.h"

static const struct {
	const char *name;
	int (*run)(int argc, char **argv);
	const char *help;
} commands[] = {
	{ "run", cmd_run, "run a guest" },
	{ "test", cmd_test, "run the conformance guests on the models" },
	{ "models", cmd_models, "list the models of --pmu" },
	{ "cpuid", cmd_cpuid, "show the CPUID leaves that a model sets" },
	{ "probe", cmd_probe, "show what this host offers" },
};

static int print_help(void)
{
	puts("usage: pmuvm COMMAND [OPTION]...\n"
	     "A small KVM VMM whose guests have a virtual PMU.\n");
	for (size_t i = 0; i < ARRAY_SIZE(commands); i++)
		printf("  %-10s%s\n", commands[i].name, commands[i].help);
	puts("\n  pmuvm COMMAND --help    the command's options\n"
	     "  pmuvm --version         the version\n");
	puts("Exit status: what the guest wrote to port F4H as (v << 1) | 1;\n"
	     "0 success, power-off or reset; 1 a test failed;\n"
	     "2 wrong argument; 4 error of the VMM, image or host;\n"
	     "6 triple fault; 8 timeout.");
	return STATUS_OK;
}

static int run_command(int argc, char **argv)
{
	const char *name = argc > 1 ? argv[1] : NULL;

	if (!name) {
		msg_err("no command; see 'pmuvm --help'");
		return STATUS_USAGE;
	}
	if (!strcmp(name, "--help") || !strcmp(name, "-h"))
		return print_help();
	if (!strcmp(name, "--version")) {
		puts("pmuvm " PMUVM_VERSION);
		return STATUS_OK;
	}
	for (size_t i = 0; i < ARRAY_SIZE(commands); i++)
		if (!strcmp(name, commands[i].name))
			return commands[i].run(argc - 1, argv + 1);
	msg_err("'%s': no such command; see 'pmuvm --help'", name);
	return STATUS_USAGE;
}

/*
 * A standard descriptor that is closed would become /dev/kvm or the like, and
 * be printed to. Read-only, so that printing there still fails.
 */
static int hold_standard_fds(void)
{
	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
		if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", O_RDONLY) != fd)
			return -1;
	return 0;
}

int main(int argc, char **argv)
{
	int status;

	if (hold_standard_fds())
		return STATUS_ERROR;
	status = run_command(argc, argv);
	if (fflush(stdout) || ferror(stdout)) {
		msg_err("standard output: %m");
		return STATUS_ERROR;
	}
	return status;
}
