// SPDX-License-Identifier: Apache-2.0
/* One of the problems that virtual PMUs had, by the word `problem=N`. */
#include "problems.h"

#include "lib/args.h"
#include "lib/main.h"
#include "lib/pmu.h"
#include "lib/report.h"

static const struct problem {
	u32 number;
	bool counts; /* needs a VMM that counts exactly */
	void (*run)(void);
} problems[] = {
	{ 1, false, problem_rdpmc_unknown_index },
	{ 8, false, problem_rdpmc_equals_msr },
	{ 14, false, problem_lbr_absent },
	{ 16, false, problem_global_ctrl_reset },
	{ 17, false, problem_status_read_only },
	{ 20, false, problem_evtsel_reserved },
	{ 21, false, problem_fixed_ctrl_reserved },
	{ 25, false, problem_global_ctrl_by_version },
	{ 28, true, problem_in_txcp },
	{ 34, false, problem_freeze_while_smm },
	{ 35, true, problem_reproducible },
	{ 37, true, problem_unadvertised_event },
	{ 39, true, problem_slots },
	{ 41, true, problem_cmask_inv_edge },
	{ 49, true, problem_overflow_bits },
	{ 50, true, problem_no_int_status_set },
};

static const struct problem *find(u64 number)
{
	for (size_t i = 0; i < ARRAY_SIZE(problems); i++)
		if (problems[i].number == number)
			return &problems[i];
	return NULL;
}

void test_main(void)
{
	u64 number = args_number("problem", 0);
	const struct problem *problem = find(number);

	if (!problem)
		report_abort("problems: no problem=%lu", number);
	if (problem->counts ? pmu_exact_or_skip("problems")
			    : pmu_present_or_skip("problems"))
		problem->run();
}
