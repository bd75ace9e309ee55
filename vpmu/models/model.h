/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a processor model is made of: a shape (numbers), and rows that say which
 * registers, indices, CPUID fields and rules such a shape has. Rows hold facts,
 * named hooks hold behaviour; the core only walks them.
 */
#ifndef VPMU_MODELS_MODEL_H
#define VPMU_MODELS_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "events/event.h"
#include "vpmu.h"

#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))
#define BIT(n) (UINT64_C(1) << (n))
#define BIT32(n) (UINT32_C(1) << (n))

/* The low `n` bits; all for n >= 64. */
static inline uint64_t vpmu_low_bits(uint32_t n)
{
	return n < 64 ? BIT(n) - 1 : UINT64_MAX;
}

/* The numbers of a PMU; what a configuration may override is in field rows. */
struct vpmu_shape {
	uint32_t version; /* CPUID.0AH:EAX[7:0]; AMD: 1, PerfMonV2: 2 */
	uint32_t gp; /* general-purpose (AMD: core) counters */
	uint32_t gp_width;
	uint32_t fixed;
	uint32_t fixed_width;
	/* Bitmaps of counters that exist besides the first gp, fixed ones. */
	uint32_t gp_map;
	uint32_t fixed_map;
	uint32_t arch_events; /* CPUID.0AH:EAX[31:24] */
	/* Intel's features, each 0 or 1. */
	uint32_t any_thread; /* AnyThread is not deprecated */
	uint32_t pdcm; /* IA32_PERF_CAPABILITIES exists */
	uint32_t fw_write; /* its bit 13: IA32_A_PMCx exist */
	uint32_t freeze_smm; /* its bit 12: FREEZE_WHILE_SMM */
	uint32_t metrics; /* its bit 15: PERF_METRICS */
	uint32_t metrics_clear; /* its bit 19: RDPMC_METRICS_CLEAR */
	uint32_t tsx; /* IN_TX, IN_TXCP */
	uint32_t umask2; /* CPUID.23H.0:EBX[0] */
	uint32_t eq; /* ... [1] */
	uint32_t user_disable; /* ... [2]: RDPMC user disable */
	/* AMD's: each 0 or 1, where nothing else is said. */
	uint32_t ext_core; /* PerfCtrExtCore */
	uint32_t nb; /* northbridge or data fabric counters */
	uint32_t l3; /* L3 counters */
	uint32_t umc; /* memory controllers, of 4 counters each */
	uint32_t layout; /* enum vpmu_layout, of these three's selectors */
	uint32_t freeze; /* LbrAndPmcFreeze */
	uint32_t merge; /* event FFFH widens the counter below */
	uint32_t precise_retire; /* PMC2 PreciseRetire */
	uint32_t irperf; /* InstRetCntMsr: IRPerfCount */
	uint32_t effreq; /* EffFreq, EffFreqRO: MPERF, APERF */
	uint32_t ptsc; /* PerfTsc */
	uint32_t svm; /* GuestOnly, HostOnly */
};

/* Bitmaps of the counters that exist. */
static inline uint64_t vpmu_shape_gp(const struct vpmu_shape *s)
{
	return vpmu_low_bits(s->gp) | s->gp_map;
}

static inline uint64_t vpmu_shape_fixed(const struct vpmu_shape *s)
{
	return vpmu_low_bits(s->fixed) | s->fixed_map;
}

struct vpmu;
struct vpmu_vcpu;
struct vpmu_msr;

/*
 * A counter is named by its number 0..63, which is its bit in the global
 * control and status registers where it has one.
 */
#define VPMU_COUNTERS 64u

/* Registers that are not per counter. */
enum vpmu_reg {
	REG_GLOBAL_CTRL,
	REG_GLOBAL_STATUS,
	REG_FIXED_CTR_CTRL,
	REG_PERF_METRICS,
	REG_DEBUGCTL,
	REG_MISC_ENABLE,
	REG_HWCR,
	REG_CESR,
	/* NetBurst's ESCRs, in the order of their addresses, with gaps. */
	REG_ESCR,
	REG_COUNT = REG_ESCR + 66,
};

enum vpmu_msr_flags {
	/* Reserved bits are dropped; without it they fault. */
	MSR_DROPS = 0x1,
	/* INIT puts the reset value back; without it INIT changes nothing. */
	MSR_INIT = 0x2,
};

/* `n` registers at first, first + stride, ...; instance i acts on unit + i,
 * which is a counter's number or an enum vpmu_reg, as its hooks take it. */
struct vpmu_msr_row {
	uint32_t first;
	uint16_t stride;
	uint16_t n;
	/* Bitmap of the instances that a shape has. */
	uint64_t (*exists)(const struct vpmu_shape *shape);
	/* Bits that a write to an instance may set; NULL: none. */
	uint64_t (*writable)(const struct vpmu_shape *shape, uint32_t instance);
	/* Value after RESET; NULL: 0. */
	uint64_t (*reset)(const struct vpmu_shape *shape);
	uint64_t (*read)(struct vpmu_vcpu *vcpu, const struct vpmu_msr *msr);
	/* Gets writable bits only; NULL: a write faults. */
	enum vpmu_result (*write)(struct vpmu_vcpu *vcpu,
				  const struct vpmu_msr *msr, uint64_t value);
	uint16_t unit;
	uint16_t flags;
	const char *name;
	const char *manual;
};

/* How CMASK compares: at least as many in the cycle, or as these bits say. */
#define COMPARE_INV 0x1u /* the opposite */
#define COMPARE_EQ 0x2u /* exactly as many */

/* What the bits for kernel and user select. */
#define CPLS_OS 0x1u
#define CPLS_USR 0xeu
#define CPLS_ALL 0xfu

/* What a counter is told to do, decoded from its registers. */
struct vpmu_control {
	uint64_t select; /* event bits of the selector, 0 if fixed */
	uint8_t meaning; /* enum vpmu_meaning */
	uint8_t cmask;
	bool enable;
	uint8_t cpls; /* bitmap of those it counts at: CPLS_* */
	bool edge;
	uint8_t compare; /* COMPARE_* */
	bool pmi;
	uint8_t unused; /* 0; without it there were padding */
};

/* Counters first .. first + n - 1. */
enum vpmu_overflow {
	OVERFLOW_WRAPS,
	/* Bit `width` of the register says so; or the counter stops there. */
	OVERFLOW_FLAGGED,
	OVERFLOW_SATURATES,
};

struct vpmu_counter_row {
	uint16_t first;
	uint16_t n;
	uint64_t (*exists)(const struct vpmu_shape *shape);
	uint32_t (*width)(const struct vpmu_shape *shape);
	/* Whether they have bits in the global registers. */
	bool (*gated)(const struct vpmu_shape *shape);
	void (*control)(const struct vpmu_vcpu *vcpu, uint32_t counter,
			struct vpmu_control *control);
	/* What else a count of it moves; NULL: nothing. */
	void (*counted)(struct vpmu_vcpu *vcpu, uint32_t counter);
	/* Takes the carry out of the top bit and returns whether it goes on
	 * from there as an overflow; NULL: it does. */
	bool (*carry)(struct vpmu_vcpu *vcpu, uint32_t counter);
	bool fixed;
	uint8_t unit; /* enum vpmu_unit; not CORE: shared by all vCPUs */
	uint8_t each; /* counters of one such unit; 0: all of them */
	uint8_t overflow; /* enum vpmu_overflow, of shared ones */
	const char *name;
};

/* RDPMC: ECX = first .. first + n - 1 reads counter, counter + 1, ... */
struct vpmu_rdpmc_row {
	uint32_t first;
	uint16_t n;
	uint16_t counter;
	/* Bitmap of the indices that a shape has; NULL: as the counters. */
	uint64_t (*exists)(const struct vpmu_shape *shape);
	/* What the guest gets to see; NULL: the counter. */
	uint64_t (*read)(struct vpmu_vcpu *vcpu, uint32_t counter, uint8_t cpl);
	const char *manual;
};

/* CPUID_ALL: each of the four. */
enum vpmu_cpuid_reg { CPUID_EAX, CPUID_EBX, CPUID_ECX, CPUID_EDX, CPUID_ALL };

/* A subleaf that stands for each. */
#define ANY_SUBLEAF UINT32_MAX

/* The bits `mask` of a register become those of value(), or of `set`. */
struct vpmu_cpuid_row {
	uint32_t leaf;
	uint32_t subleaf;
	enum vpmu_cpuid_reg reg;
	uint32_t mask;
	uint32_t set;
	uint32_t (*value)(const struct vpmu *pmu, uint32_t offered);
	const char *what;
};

struct vpmu_cpuid_table {
	const struct vpmu_cpuid_row *rows;
	size_t n;
};

/* A number that "FIELD=N" overrides. */
struct vpmu_field_row {
	const char *name;
	size_t offset; /* in struct vpmu_shape */
	/* The offset of one that becomes 0 with it, unless given; or 0. */
	size_t resets;
	uint32_t min;
	uint32_t max;
	const char *why; /* the range, with its manual section */
};

struct vpmu_field_table {
	const struct vpmu_field_row *rows;
	size_t n;
	const char *names; /* for people */
};

/*
 * A rule of the manual that a shape may break. Where an override takes the
 * ground from a preset's field, that becomes `instead`; a field that was given
 * is refused.
 */
struct vpmu_rule_row {
	bool (*broken)(const struct vpmu_shape *shape);
	size_t offset; /* of the field to change */
	uint32_t instead;
	const char *message; /* starts with the field to change */
	const char *manual;
};

struct vpmu_rule_table {
	const struct vpmu_rule_row *rows;
	size_t n;
};

enum vpmu_freeze {
	FREEZE_NONE,
	FREEZE_LEGACY, /* a PMI clears the global enables */
	FREEZE_STREAMLINED, /* a PMI sets the status bits CTR_FRZ, LBR_FRZ */
};

#define TABLE(type)                      \
	struct {                         \
		const struct type *rows; \
		size_t n;                \
	}
#define ROWS(array)                        \
	{                                  \
		(array), ARRAY_SIZE(array) \
	}

/* What the models of one kind share. */
struct vpmu_family {
	TABLE(vpmu_msr_row) msrs; /* sorted */
	TABLE(vpmu_counter_row) counters; /* sorted */
	TABLE(vpmu_rdpmc_row) rdpmc;
	const struct vpmu_cpuid_table *cpuid;
	const struct vpmu_cpuid_table *identity; /* NULL: the host's */
	const struct vpmu_field_table *fields;
	const struct vpmu_rule_table *rules;
	enum vpmu_freeze (*freeze)(const struct vpmu_shape *shape);
	/* The APIC sets LVTPC's mask when it delivers a PMI. */
	bool lvtpc_masks;
	/* There is no such instruction: RDPMC is #UD. */
	bool no_rdpmc;
};

struct vpmu_model {
	const char *name;
	const char *summary;
	enum vpmu_vendor vendor;
	uint32_t cpu_family;
	uint32_t cpu_model;
	uint32_t stepping;
	uint32_t max_leaf; /* at least */
	uint32_t max_ext_leaf; /* at least */
	/* Of a hybrid processor, which CPU this is: CPUID.1AH:EAX[31:24]. */
	uint32_t core_type;
	const struct vpmu_family *family;
	/* Encodings of this generation, besides the architectural ones. */
	const struct vpmu_event_table *events;
	struct vpmu_shape shape;
};

/* The model called name[0..len), or NULL. */
const struct vpmu_model *vpmu_model_find(const char *name, size_t len);
/* The `index`th, or NULL past the end. */
const struct vpmu_model *vpmu_model_at(uint32_t index);
/*
 * What a model's author may have got wrong: rows out of order or overlapping,
 * names used twice, a reset value with unwritable bits, registers outside the
 * namespaces. NULL, or the name of the offending row.
 */
const char *vpmu_model_check(const struct vpmu_model *model);

/* 1 if either vendor has, or had, a PMU register there. */
bool vpmu_namespace_owns(uint32_t msr);
/* 1 if a model may have a register there, which else is another's. */
bool vpmu_namespace_lends(uint32_t msr);

extern const struct vpmu_family vpmu_family_none;
extern const struct vpmu_family vpmu_family_intel_p5;
extern const struct vpmu_family vpmu_family_intel_p55c;
extern const struct vpmu_family vpmu_family_intel_p6;
extern const struct vpmu_family vpmu_family_intel_netburst;
extern const struct vpmu_family vpmu_family_intel_arch;
extern const struct vpmu_family vpmu_family_amd;

/* Of each model: features of PMUs that are not offered. */
extern const struct vpmu_cpuid_table vpmu_cpuid_hidden;
/* Vendor strings, signatures, largest leaves. */
extern const struct vpmu_cpuid_table vpmu_cpuid_intel;
extern const struct vpmu_cpuid_table vpmu_cpuid_amd;

/* What models have whose shape is fixed, and of which CPUID says nothing. */
extern const struct vpmu_cpuid_table vpmu_cpuid_nothing;
extern const struct vpmu_field_table vpmu_fields_none;
extern const struct vpmu_rule_table vpmu_rules_none;

/* Answers about shapes: a register exists, all general-purpose counters are of
 * this width, nothing has a global enable, nothing freezes. */
uint64_t vpmu_shape_one(const struct vpmu_shape *shape);
uint32_t vpmu_shape_gp_width(const struct vpmu_shape *shape);
bool vpmu_shape_ungated(const struct vpmu_shape *shape);
enum vpmu_freeze vpmu_shape_no_freeze(const struct vpmu_shape *shape);
/* Writable: the bits of a counter; all. */
uint64_t vpmu_shape_gp_bits(const struct vpmu_shape *shape, uint32_t instance);
uint64_t vpmu_shape_any_bit(const struct vpmu_shape *shape, uint32_t instance);

/* IA32_MISC_ENABLE and IA32_DEBUGCTL, which no guest is without. */
uint64_t vpmu_intel_misc_bits(const struct vpmu_shape *shape,
			      uint32_t instance);
uint64_t vpmu_intel_misc_reset(const struct vpmu_shape *shape);
uint64_t vpmu_intel_debugctl_bits(const struct vpmu_shape *shape,
				  uint32_t instance);
enum vpmu_result vpmu_intel_write_misc(struct vpmu_vcpu *vcpu,
				       const struct vpmu_msr *msr,
				       uint64_t value);
enum vpmu_result vpmu_intel_write_debugctl(struct vpmu_vcpu *vcpu,
					   const struct vpmu_msr *msr,
					   uint64_t value);

#endif
