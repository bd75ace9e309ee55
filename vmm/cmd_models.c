/* SPDX-License-Identifier: Apache-2.0 */
/* pmuvm models: what there is to choose from. */
#include <stdio.h>
#include <string.h>

#include "cmd.h"
#include "opt.h"
#include "vpmu.h"

static const struct opt_table table = {
	.command = "models",
	.summary = "List the models of --pmu, and the fields that can be "
		   "overridden: --pmu MODEL,FIELD=N.",
};

static const char *vendor_name(uint32_t vendor)
{
	switch (vendor) {
	case VPMU_VENDOR_INTEL:
		return "Intel";
	case VPMU_VENDOR_AMD:
		return "AMD";
	default:
		return "-";
	}
}

static void print_counters(uint32_t n, uint32_t width, int column)
{
	char text[24] = "-";

	if (n)
		snprintf(text, sizeof(text), "%u x %u", n, width);
	printf("%-*s", column, text);
}

static void print_model(const struct vpmu_model_info *info)
{
	char identity[32] = "-";

	if (info->vendor)
		snprintf(identity, sizeof(identity), "%02xH/%02xH/%u",
			 info->family, info->model, info->stepping);
	printf("%-16s%-8s%-12s%-9u", info->name, vendor_name(info->vendor),
	       identity, info->version);
	print_counters(info->gp, info->gp_width, 10);
	print_counters(info->fixed, info->fixed_width, 8);
	puts(info->summary);
}

/* Models that share their fields follow each other. */
static void print_fields(void)
{
	struct vpmu_model_info info = { .size = sizeof(info) };
	const char *fields = "";

	for (uint32_t i = 0; !vpmu_model_info(i, &info); i++) {
		if (!strcmp(fields, info.fields)) {
			if (*fields)
				printf(" %s", info.name);
			continue;
		}
		if (*fields)
			printf(":\n    %s\n", fields);
		fields = info.fields;
		if (*fields)
			printf("\nfields of %s", info.name);
	}
	if (*fields)
		printf(":\n    %s\n", fields);
}

int cmd_models(int argc, char **argv)
{
	struct vpmu_model_info info = { .size = sizeof(info) };

	switch (opt_parse(&table, argc, argv, NULL)) {
	case OPT_HELP:
		return STATUS_OK;
	case OPT_ERROR:
		return STATUS_USAGE;
	case OPT_GO:
		break;
	}
	printf("%-16s%-8s%-12s%-9s%-10s%-8s%s\n", "model", "vendor",
	       "fam/mod/st", "version", "counters", "fixed", "like");
	for (uint32_t i = 0; !vpmu_model_info(i, &info); i++)
		print_model(&info);
	print_fields();
	return STATUS_OK;
}
