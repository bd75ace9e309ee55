/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The core's private structs: a model unfolded for one VM, and the registers
 * of one vCPU.
 */
#ifndef VPMU_CORE_INTERNAL_H
#define VPMU_CORE_INTERNAL_H

#include <stdatomic.h>

#include "models/model.h"

#define GLOBAL_STATUS_LBR_FRZ BIT(58)
#define GLOBAL_STATUS_CTR_FRZ BIT(59)
#define DEBUGCTL_LBR BIT(0)
#define DEBUGCTL_BTF BIT(1)
#define DEBUGCTL_FREEZE_LBRS_ON_PMI BIT(11)
#define DEBUGCTL_FREEZE_PERFMON_ON_PMI BIT(12)
#define DEBUGCTL_FREEZE_WHILE_SMM BIT(14)

/* One register of this VM: a row's instance. */
struct vpmu_msr {
	uint32_t index;
	uint16_t unit; /* a counter's number or an enum vpmu_reg */
	uint16_t instance;
	uint64_t writable;
	uint64_t reset;
	const struct vpmu_msr_row *row;
};

/* One counter of this VM; row is NULL where there is none. */
struct vpmu_counter_desc {
	const struct vpmu_counter_row *row;
	uint64_t mask; /* the low `width` bits */
	uint32_t width;
	uint32_t slot; /* the backend's number for it */
};

/* One register pair that all vCPUs share; see package.c. */
struct vpmu_shared {
	_Atomic uint64_t value;
	_Atomic uint64_t select;
	_Atomic(const struct vpmu_vcpu *) owner;
};

struct vpmu_package {
	struct vpmu_shared counters[VPMU_COUNTERS];
};

#define REASON_BYTES 256

struct vpmu {
	const struct vpmu_model *model;
	struct vpmu_shape shape;
	struct vpmu_backend_ops ops; /* all NULL: nothing counts */
	void *backend_user;
	void (*log)(void *user, const char *line);
	void *log_user;
	enum vpmu_health available[VPMU_MEAN_COUNT];
	enum vpmu_freeze freeze;
	uint64_t exists; /* counters */
	uint64_t gated; /* those with bits in the global registers */
	uint32_t nslots;
	struct vpmu_counter_desc counters[VPMU_COUNTERS];
	struct vpmu_package *package; /* NULL: nothing is shared */
	struct vpmu_msr *msrs; /* those that exist, sorted */
	uint32_t nmsrs;
	char reason[REASON_BYTES];
};

struct vpmu_counter {
	uint64_t value;
	uint64_t select; /* the selector register, if it has one */
	struct vpmu_control now;
	struct vpmu_control old; /* see vpmu_retire_begin() */
	/* The edge detector's last condition, for `now` and for `old`. */
	bool asserted;
	bool old_asserted;
	uint8_t health; /* while it is enabled */
	uint8_t taint; /* worst health since the value was last written */
};

struct vpmu_vcpu {
	const struct vpmu *pmu;
	void *priv; /* the backend's */
	uint64_t reg[REG_COUNT];
	/* Bitmaps of counters. */
	uint64_t local; /* enabled by their own register */
	uint64_t enabled; /* by the global registers as well */
	uint64_t running; /* and something counts them */
	/* When vpmu_retire_begin() was called. */
	uint64_t begun_running;
	uint64_t begun_enables; /* REG_GLOBAL_CTRL */
	uint64_t saved; /* whose `old` holds the control of that time */
	uint32_t logged; /* bitmap of meanings whose bad health was told */
	/* What vpmu_occur() has told since the last vpmu_retire(). */
	uint32_t occurred; /* bitmap of meanings that are not 0 below */
	uint32_t occurrences[VPMU_MEAN_COUNT];
	bool begun;
	bool freeze_due;
	bool pmi;
	bool svme; /* EFER.SVME */
	bool guest_mode; /* between VMRUN and #VMEXIT */
	struct vpmu_counter counters[VPMU_COUNTERS];
};

/* For each counter in a bitmap; `bits` is used up. */
#define FOR_EACH_COUNTER(id, bits)                                             \
	for (uint32_t id; (bits) && (id = (uint32_t)__builtin_ctzll(bits), 1); \
	     (bits) &= (bits)-1)

/* vpmu.c */
void vpmu_log(const struct vpmu *pmu, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
void vpmu_counter_name(const struct vpmu *pmu, uint32_t counter, char *buf,
		       size_t len);
/* 0, -EINVAL or -E2BIG: `src` is a struct that starts with its size. */
int vpmu_copy_in(void *dst, size_t known, const void *src);
int vpmu_copy_out(void *dst, const void *src, size_t known);

/* config.c: fill pmu->model and ->shape, or the reason why not. */
int vpmu_config_parse(struct vpmu *pmu, const char *text);

/* counter.c: arithmetic, no registers */

/* The meanings that vpmu_wants_occurred() asks for: V_PIPE to BREAKPOINT3. */
#define COUNTER_ASKED                              \
	(VPMU_OCCURS(VPMU_MEAN_BREAKPOINT3 + 1u) - \
	 VPMU_OCCURS(VPMU_MEAN_V_PIPE))
uint32_t vpmu_counter_events(enum vpmu_meaning meaning, uint32_t occurred);
uint32_t vpmu_counter_qualify(const struct vpmu_control *control, uint32_t n,
			      uint8_t cpl, bool *asserted);
bool vpmu_counter_add(uint64_t *value, uint64_t mask, uint64_t delta);

/* program.c: which counters run, and what they have counted */
void vpmu_program_control(struct vpmu_vcpu *vcpu, uint64_t counters);
void vpmu_program_refresh(struct vpmu_vcpu *vcpu);
void vpmu_program_sync(struct vpmu_vcpu *vcpu, uint64_t counters);
uint64_t vpmu_program_read(struct vpmu_vcpu *vcpu, uint32_t counter);
void vpmu_program_write(struct vpmu_vcpu *vcpu, uint32_t counter,
			uint64_t value);
void vpmu_program_count(struct vpmu_vcpu *vcpu, uint32_t counter,
			uint64_t delta, bool pmi);
/* Stop one, and drop what it has counted since it was last looked at. */
void vpmu_program_shut(struct vpmu_vcpu *vcpu, uint32_t counter);
void vpmu_program_stop(struct vpmu_vcpu *vcpu);

/* package.c: counters that all vCPUs share, and their rows' hooks */
void vpmu_package_reset(const struct vpmu *pmu);
void vpmu_package_count(struct vpmu_vcpu *vcpu, uint32_t counter,
			uint64_t delta);
uint64_t vpmu_package_value(struct vpmu_vcpu *vcpu, uint32_t counter);
uint64_t vpmu_package_rdpmc(struct vpmu_vcpu *vcpu, uint32_t counter,
			    uint8_t cpl);
uint64_t vpmu_package_read_counter(struct vpmu_vcpu *vcpu,
				   const struct vpmu_msr *msr);
enum vpmu_result vpmu_package_write_counter(struct vpmu_vcpu *vcpu,
					    const struct vpmu_msr *msr,
					    uint64_t value);
uint64_t vpmu_package_read_select(struct vpmu_vcpu *vcpu,
				  const struct vpmu_msr *msr);
enum vpmu_result vpmu_package_write_select(struct vpmu_vcpu *vcpu,
					   const struct vpmu_msr *msr,
					   uint64_t value);

/* reset.c: without the registers that vCPUs share */
void vpmu_reset_vcpu(struct vpmu_vcpu *vcpu, enum vpmu_reset kind);

/* pmi.c */
void vpmu_pmi_raise(struct vpmu_vcpu *vcpu);
void vpmu_pmi_freeze(struct vpmu_vcpu *vcpu);

/* msr.c: the register at `index`, or NULL; and the hooks that models share */
const struct vpmu_msr *vpmu_msr_find(const struct vpmu *pmu, uint32_t index);
uint64_t vpmu_msr_read_counter(struct vpmu_vcpu *vcpu,
			       const struct vpmu_msr *msr);
uint64_t vpmu_msr_read_select(struct vpmu_vcpu *vcpu,
			      const struct vpmu_msr *msr);
uint64_t vpmu_msr_read_reg(struct vpmu_vcpu *vcpu, const struct vpmu_msr *msr);
uint64_t vpmu_msr_read_status(struct vpmu_vcpu *vcpu,
			      const struct vpmu_msr *msr);
uint64_t vpmu_msr_read_zero(struct vpmu_vcpu *vcpu, const struct vpmu_msr *msr);
enum vpmu_result vpmu_msr_write_counter(struct vpmu_vcpu *vcpu,
					const struct vpmu_msr *msr,
					uint64_t value);
enum vpmu_result vpmu_msr_write_sext32(struct vpmu_vcpu *vcpu,
				       const struct vpmu_msr *msr,
				       uint64_t value);
enum vpmu_result vpmu_msr_write_select(struct vpmu_vcpu *vcpu,
				       const struct vpmu_msr *msr,
				       uint64_t value);
enum vpmu_result vpmu_msr_write_reg(struct vpmu_vcpu *vcpu,
				    const struct vpmu_msr *msr, uint64_t value);
enum vpmu_result vpmu_msr_write_ignored(struct vpmu_vcpu *vcpu,
					const struct vpmu_msr *msr,
					uint64_t value);
enum vpmu_result vpmu_msr_write_enables(struct vpmu_vcpu *vcpu,
					const struct vpmu_msr *msr,
					uint64_t value);
enum vpmu_result vpmu_msr_clear_status(struct vpmu_vcpu *vcpu,
				       const struct vpmu_msr *msr,
				       uint64_t value);
enum vpmu_result vpmu_msr_set_status(struct vpmu_vcpu *vcpu,
				     const struct vpmu_msr *msr,
				     uint64_t value);

#endif
