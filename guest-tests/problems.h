/* SPDX-License-Identifier: Apache-2.0 */
/* What broke for users of virtual PMUs: a function each, by its number. */
#ifndef PROBLEMS_H
#define PROBLEMS_H

/* problems_access.c: what faults, and what registers read. */
void problem_rdpmc_unknown_index(void);
void problem_rdpmc_equals_msr(void);
void problem_lbr_absent(void);
void problem_global_ctrl_reset(void);
void problem_status_read_only(void);
void problem_evtsel_reserved(void);
void problem_fixed_ctrl_reserved(void);
void problem_global_ctrl_by_version(void);
void problem_freeze_while_smm(void);

/* problems_count.c: what is counted, and what interrupts. */
void problem_in_txcp(void);
void problem_unadvertised_event(void);
void problem_slots(void);
void problem_cmask_inv_edge(void);
void problem_overflow_bits(void);
void problem_no_int_status_set(void);

/* problems_repeat.c: the same again, with interrupts inside. */
void problem_reproducible(void);

/* problems_amd.c: AMD's, and those of a machine without a PMU. */
void problem_amd_ecx_bits(void);
void problem_no_pmu_faults(void);
void problem_host_only_bit(void);
void problem_status_write_ignored(void);
void problem_status_set(void);
void problem_k7_selectors_fault(void);
void problem_hidden(void);

/* problems_both.c: what the vendors do alike, or just not. */
void problem_branches_with_exits(void);
void problem_lvtpc_mask(void);

#endif /* PROBLEMS_H */
