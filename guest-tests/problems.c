// SPDX-License-Identifier: Apache-2.0
/* One of the problems that virtual PMUs had, by the word `problem=N`. */
#include "problems.h"

#include "lib/args.h"
#include "lib/main.h"
#include "lib/pmu.h"
#include "lib/report.h"

enum needs {
	NO_PMU,
	PMU,
	EXACT, /* and that it is counted exactly */
};

/* VENDOR_OTHER: the same for all. */
static const struct problem {
	u32 number;
	enum needs needs;
	enum pmu_vendor vendor;
	void (*run)(void);
} problems[] = {
	{ 1, PMU, VENDOR_INTEL, problem_rdpmc_unknown_index },
	{ 2, PMU, VENDOR_AMD, problem_amd_ecx_bits },
	{ 3, NO_PMU, VENDOR_OTHER, problem_no_pmu_faults },
	{ 8, PMU, VENDOR_INTEL, problem_rdpmc_equals_msr },
	{ 11, PMU, VENDOR_AMD, problem_host_only_bit },
	{ 14, PMU, VENDOR_INTEL, problem_lbr_absent },
	{ 16, PMU, VENDOR_INTEL, problem_global_ctrl_reset },
	{ 17, PMU, VENDOR_INTEL, problem_status_read_only },
	{ 17, PMU, VENDOR_AMD, problem_status_write_ignored },
	{ 18, PMU, VENDOR_AMD, problem_status_set },
	{ 20, PMU, VENDOR_INTEL, problem_evtsel_reserved },
	{ 21, PMU, VENDOR_INTEL, problem_fixed_ctrl_reserved },
	{ 23, NO_PMU, VENDOR_OTHER, problem_k7_selectors_fault },
	{ 25, PMU, VENDOR_INTEL, problem_global_ctrl_by_version },
	{ 28, EXACT, VENDOR_INTEL, problem_in_txcp },
	{ 33, EXACT, VENDOR_OTHER, problem_branches_with_exits },
	{ 34, PMU, VENDOR_INTEL, problem_freeze_while_smm },
	{ 35, EXACT, VENDOR_INTEL, problem_reproducible },
	{ 37, EXACT, VENDOR_INTEL, problem_unadvertised_event },
	{ 39, EXACT, VENDOR_INTEL, problem_slots },
	{ 41, EXACT, VENDOR_INTEL, problem_cmask_inv_edge },
	{ 43, EXACT, VENDOR_OTHER, problem_lvtpc_mask },
	{ 49, EXACT, VENDOR_INTEL, problem_overflow_bits },
	{ 50, EXACT, VENDOR_INTEL, problem_no_int_status_set },
	{ 58, NO_PMU, VENDOR_OTHER, problem_hidden },
};

static const struct problem *find(u64 number)
{
	for (size_t i = 0; i < ARRAY_SIZE(problems); i++) {
		const struct problem *p = &problems[i];

		if (p->number == number &&
		    (p->vendor == VENDOR_OTHER || p->vendor == pmu.vendor))
			return p;
	}
	return NULL;
}

static bool met(enum needs needs)
{
	switch (needs) {
	case NO_PMU:
		if (pmu.present)
			report_skip("there is a PMU", "problems");
		return !pmu.present;
	case PMU:
		return pmu_present_or_skip("problems");
	default:
		return pmu_exact_or_skip("problems");
	}
}

void test_main(void)
{
	u64 number = args_number("problem", 0);
	const struct problem *problem = find(number);

	if (!problem)
		report_abort("problems: no problem=%lu of this vendor", number);
	if (met(problem->needs))
		problem->run();
}
