/* SPDX-License-Identifier: Apache-2.0 */
/*
 * vpmu.h - a virtual performance-monitoring unit, without a hypervisor.
 *
 * One struct vpmu describes the PMU of a VM: which model it shows (Intel's or
 * AMD's, of what generation, with how many counters) and what counts for it.
 * One struct vpmu_vcpu holds the registers of one virtual CPU. The hypervisor
 * hands over the guest's RDPMC, RDMSR, WRMSR and CPUID; the library answers
 * with a value or a fault, exactly as the modelled silicon would. Nothing here
 * knows KVM: see vpmu_kvm.h for the glue that does.
 *
 * THREADS
 *	A struct vpmu is immutable once created: any thread may read it. A
 *	struct vpmu_vcpu belongs to the thread that runs that virtual CPU; no
 *	call that takes one is safe from another thread. Different vCPUs need
 *	no lock between them.
 *
 * OWNERSHIP
 *	What vpmu_*create() returns is the caller's, to be given back by the
 *	matching destroy, vCPUs before their struct vpmu. destroy(NULL) does
 *	nothing. Strings and structs passed in are copied; ops tables and
 *	`user` pointers must outlive the handle. Strings passed out live as
 *	long as the handle they came from; names of constants live for ever.
 *
 * RESULTS
 *	Calls made for the guest return enum vpmu_result: check everything,
 *	then change state, so after VPMU_FAULT nothing has moved. Calls made
 *	for the embedder return 0 or a negative errno, and vpmu_reason() says
 *	in one line what was wrong, where, and what to do.
 *
 * ALLOCATION
 *	Only vpmu_create() and vpmu_vcpu_create() allocate. No call takes a
 *	lock, prints, exits, aborts or installs a signal handler.
 *
 * SIZES
 *	Config and info structs start with `size`, set by the caller to
 *	sizeof(struct ...). A larger struct than the library knows is accepted
 *	if its unknown tail is zero (else -E2BIG); a smaller one as well, its
 *	missing tail counting as zero.
 */
#ifndef VPMU_H
#define VPMU_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define VPMU_API __attribute__((visibility("default")))
#else
#define VPMU_API
#endif

#define VPMU_VERSION_MAJOR 0
#define VPMU_VERSION_MINOR 1

struct vpmu;
struct vpmu_vcpu;

/* What a call made for the guest came to. */
enum vpmu_result {
	/* Done; the instruction retires and RIP moves on. */
	VPMU_HANDLED = 0,
	/* The guest gets #GP(0); no register and no counter has changed. */
	VPMU_FAULT = 1,
	/* Not a register of any PMU: the embedder deals with it. */
	VPMU_NOT_MINE = 2,
	/* Wrong arguments or an impossible state; logged once. */
	VPMU_ERROR = 3,
};

enum vpmu_vendor {
	VPMU_VENDOR_NONE = 0, /* identity and vendor as the host's */
	VPMU_VENDOR_INTEL = 1,
	VPMU_VENDOR_AMD = 2,
};

/*
 * What an event encoding means, whatever the vendor. Encodings are mapped to a
 * meaning by the guest's vendor, and a meaning to what the host can count.
 */
enum vpmu_meaning {
	VPMU_MEAN_NOTHING = 0, /* an encoding that nothing here knows */
	VPMU_MEAN_CYCLES = 1, /* core cycles, not halted */
	VPMU_MEAN_INSTRUCTIONS = 2, /* instructions retired */
	VPMU_MEAN_REF_CYCLES = 3, /* 3CH/01H: reference cycles, not halted */
	VPMU_MEAN_LLC_REFERENCES = 4,
	VPMU_MEAN_LLC_MISSES = 5,
	VPMU_MEAN_BRANCHES = 6, /* branch instructions retired */
	VPMU_MEAN_BRANCH_MISSES = 7,
	VPMU_MEAN_TAKEN_BRANCHES = 8,
	VPMU_MEAN_TSC_CYCLES = 9, /* not halted, at the rate of the TSC */
	VPMU_MEAN_SLOTS = 10, /* topdown slots */
	VPMU_MEAN_BACKEND_BOUND = 11,
	VPMU_MEAN_BAD_SPECULATION = 12,
	VPMU_MEAN_FRONTEND_BOUND = 13,
	VPMU_MEAN_RETIRING = 14,
	VPMU_MEAN_LBR_INSERTS = 15,
	VPMU_MEAN_STALLED_FRONTEND = 16,
	VPMU_MEAN_STALLED_BACKEND = 17,
	VPMU_MEAN_V_PIPE = 18, /* P5: instructions executed in the V pipe */
	VPMU_MEAN_DATA_READS = 19, /* reads of memory, not of code */
	VPMU_MEAN_DATA_WRITES = 20,
	VPMU_MEAN_DATA_ACCESSES = 21, /* either of these */
	VPMU_MEAN_IO_CYCLES = 22, /* bus cycles to the I/O space */
	VPMU_MEAN_SEGMENT_LOADS = 23, /* writes of segment registers */
	VPMU_MEAN_INTERRUPTS = 24, /* hardware interrupts taken, NMI as well */
	VPMU_MEAN_FLOPS = 25, /* floating-point operations */
	VPMU_MEAN_BREAKPOINT0 = 26, /* matches of DR0, enabled or not */
	VPMU_MEAN_BREAKPOINT1 = 27,
	VPMU_MEAN_BREAKPOINT2 = 28,
	VPMU_MEAN_BREAKPOINT3 = 29,
	VPMU_MEAN_COUNT = 30,
};

/* How far the number in a counter can be believed. */
enum vpmu_health {
	/* Not enabled: nothing is being counted, the value stands still. */
	VPMU_HEALTH_IDLE = 0,
	/* Every event counted once, reproducible to the last digit. */
	VPMU_HEALTH_EXACT = 1,
	/* A hardware counter of the host counts. */
	VPMU_HEALTH_HARDWARE = 2,
	/* A stand-in counts (a software clock), or a stretch was missed. */
	VPMU_HEALTH_APPROXIMATE = 3,
	/* The host has such a counter but did not give it all the time. */
	VPMU_HEALTH_STARVED = 4,
	/* Nothing can count this: the counter stands still. */
	VPMU_HEALTH_UNAVAILABLE = 5,
};

/* ------------------------------------------------------------ backends */

/* Where a counter sits; those not of a core count for a whole package. */
enum vpmu_unit {
	VPMU_UNIT_CORE = 0,
	VPMU_UNIT_L3 = 1, /* AMD's L3 cache */
	VPMU_UNIT_NB = 2, /* AMD's northbridge or data fabric */
	VPMU_UNIT_UMC = 3, /* AMD's memory controllers */
	VPMU_UNIT_COUNT = 4,
};

/* Whose layout the selector of a counter outside the core has. */
enum vpmu_layout {
	VPMU_LAYOUT_F15H = 0,
	VPMU_LAYOUT_F17H = 1, /* to Zen 2 */
	VPMU_LAYOUT_F19H = 2, /* Zen 3 */
	VPMU_LAYOUT_V2 = 3, /* PerfMonV2: Zen 4 on */
	VPMU_LAYOUT_COUNT = 4,
};

/* What one virtual counter is asked to count. */
struct vpmu_event {
	uint32_t size;
	uint32_t meaning; /* enum vpmu_meaning */
	uint32_t vendor; /* enum vpmu_vendor: whose encoding `select` is */
	uint32_t cmask; /* 0..255, the selector's CMASK field */
	/* Event and unit mask as in the selector; 0 if fixed. */
	uint64_t select;
	uint8_t user; /* count at CPL 1..3 */
	uint8_t kernel; /* count at CPL 0 */
	uint8_t edge;
	uint8_t inv;
	uint8_t fixed; /* a fixed counter: no selector */
	uint8_t eq; /* CMASK compares for equality */
	uint8_t unit; /* enum vpmu_unit; not CORE: `select` is all of it */
	uint8_t layout; /* enum vpmu_layout, if not CORE */
	uint32_t instance; /* which of several such units */
	uint32_t reserved;
};

/* The embedder feeds events by vpmu_retire(); read() is not called. */
#define VPMU_BACKEND_PUSHED 0x1u

/*
 * Who counts. All calls come from the vCPU's thread, except probe(), which
 * comes from vpmu_create(). `slot` is 0..nslots-1, one per virtual counter.
 */
struct vpmu_backend_ops {
	uint32_t size;
	uint32_t flags; /* VPMU_BACKEND_* */
	const char *name;
	/* Can this meaning be counted at all? EXACT, HARDWARE, APPROXIMATE or
	 * UNAVAILABLE. Decides the "event not available" bits of CPUID. */
	enum vpmu_health (*probe)(void *user, enum vpmu_meaning meaning);
	/* Prepare a vCPU. 0 or -errno; *priv is passed to the calls below. Both
	 * this and close() may be NULL; priv is NULL then. */
	int (*open)(void *user, uint32_t vcpu, uint32_t nslots, void **priv);
	void (*close)(void *priv);
	/* Start counting from 0. `period`: 0, or how many events until the
	 * embedder's thread must be interrupted to call vpmu_sync(). Returns
	 * the health. Starting a running slot replaces its event. */
	enum vpmu_health (*start)(void *priv, uint32_t slot,
				  const struct vpmu_event *event,
				  uint64_t period);
	/* Stop; what was counted since the last read is lost: read first. */
	void (*stop)(void *priv, uint32_t slot);
	/* Events since start or the last read, and the present health. */
	enum vpmu_health (*read)(void *priv, uint32_t slot, uint64_t *delta);
};

/* Exact counting, fed by vpmu_retire(); no `user`. Never NULL. */
VPMU_API const struct vpmu_backend_ops *vpmu_backend_exact(void);

/*
 * Host perf events. `user` is a struct vpmu_perf from vpmu_perf_create(). The
 * vCPU must be created on the thread that will run it. Hardware events where
 * the host grants them; else software clocks for cycle-like events only
 * (health APPROXIMATE: nanoseconds of the thread's time stand for cycles).
 */
VPMU_API const struct vpmu_backend_ops *vpmu_backend_perf(void);

struct vpmu_perf;

struct vpmu_perf_config {
	uint32_t size;
	/* Signal sent to the vCPU's thread when a period has passed, so that
	 * it leaves the guest and calls vpmu_sync(); 0: none, no periods. */
	uint32_t signal;
	/* Replaces perf_event_open(2), for sandboxes and tests; returns an fd
	 * or -errno. NULL: the system call. `attr` is a struct
	 * perf_event_attr; either `tid` or `cpu` is -1. */
	int (*open_event)(void *user, const void *attr, int tid, int cpu);
	void *user;
	uint32_t flags; /* VPMU_PERF_* */
	uint32_t reserved; /* 0 */
	/* Where the host's perf devices are described; NULL:
	 * /sys/bus/event_source/devices. Needed in vpmu_perf_create() only. */
	const char *devices;
};

/*
 * Count AMD's L3, fabric and memory controller counters by those of the host,
 * if it is an AMD of the same generation and permits. They count what all of
 * the host does, so a guest sees the activity of its neighbours.
 */
#define VPMU_PERF_UNCORE 0x1u

/* 0 or -ENOMEM, -EINVAL, -E2BIG. Finds out by trying what the host counts. */
VPMU_API int vpmu_perf_create(struct vpmu_perf **perf,
			      const struct vpmu_perf_config *config);
VPMU_API void vpmu_perf_destroy(struct vpmu_perf *perf);
/* How `meaning` is counted on this host, one line in English, and why not. */
VPMU_API const char *vpmu_perf_describe(const struct vpmu_perf *perf,
					enum vpmu_meaning meaning);
/* How the counters of a unit outside the core are, the same way. */
VPMU_API const char *vpmu_perf_describe_unit(const struct vpmu_perf *perf,
					     enum vpmu_unit unit);

/* ----------------------------------------------------------- lifecycle */

struct vpmu_config {
	uint32_t size;
	uint32_t flags; /* must be 0 */
	/*
	 * "MODEL[,FIELD=N]...", see vpmu_model_info(): for example
	 * "intel-v5,gp=4,width=40". Fields: gp (counters), fixed, width,
	 * fixed_width (bits), fw_write, pdcm (0 or 1), and those that the
	 * model's description lists. Numbers are decimal or 0x hexadecimal.
	 */
	const char *model;
	const struct vpmu_backend_ops *backend; /* NULL: nothing counts */
	void *backend_user;
	/* One line without newline, for a human; may be NULL. Called from the
	 * thread that made the call which found something to say. */
	void (*log)(void *user, const char *line);
	void *log_user;
};

/*
 * Create the PMU of a VM. On failure *pmu is a handle that is good only for
 * vpmu_reason() and vpmu_destroy() - or NULL for -ENOMEM, -EFAULT.
 * -EINVAL: unknown model or field, bad number, or a shape that breaks one of
 * the rules of Intel's or AMD's manual, named by vpmu_reason(). -E2BIG: see
 * SIZES.
 */
VPMU_API int vpmu_create(struct vpmu **pmu, const struct vpmu_config *config);
VPMU_API void vpmu_destroy(struct vpmu *pmu);
/* Why the last setup call on this handle failed; "" if none did. */
VPMU_API const char *vpmu_reason(const struct vpmu *pmu);
/* (major << 16) | minor of the library that is linked. */
VPMU_API uint32_t vpmu_version(void);

/* `index` (0..) is passed on to the backend. 0, -ENOMEM or the backend's. */
VPMU_API int vpmu_vcpu_create(struct vpmu_vcpu **vcpu, struct vpmu *pmu,
			      uint32_t index);
VPMU_API void vpmu_vcpu_destroy(struct vpmu_vcpu *vcpu);

enum vpmu_reset {
	VPMU_RESET_POWER = 0, /* power-up and RESET */
	VPMU_RESET_INIT = 1, /* INIT: counters and selectors survive */
};
VPMU_API void vpmu_reset(struct vpmu_vcpu *vcpu, enum vpmu_reset kind);

/*
 * AMD with the field svm: EFER.SVME of this vCPU, and whether it runs a guest
 * of its own (between VMRUN and #VMEXIT); 0: no. GuestOnly and HostOnly of
 * PERF_CTL are judged by what was told last; 0, 0 after creation.
 */
VPMU_API void vpmu_set_nested(struct vpmu_vcpu *vcpu, int svme, int guest_mode);

/* -------------------------------------------------------------- models */

struct vpmu_model_info {
	uint32_t size;
	uint32_t vendor; /* enum vpmu_vendor */
	const char *name; /* "intel-v5" */
	const char *summary; /* one line: which processor this is like */
	const char *fields; /* the FIELD names that may be overridden */
	uint32_t family;
	uint32_t model;
	uint32_t stepping;
	uint32_t version; /* CPUID.0AH:EAX[7:0]; AMD: 1, or 2 with PerfMonV2 */
	uint32_t gp; /* general-purpose (AMD: core) counters */
	uint32_t gp_width; /* bits */
	uint32_t fixed;
	uint32_t fixed_width; /* bits */
};

/* The `index`th model (0..) as it is without overrides; -ENOENT past the end,
 * -EINVAL, -E2BIG. */
VPMU_API int vpmu_model_info(uint32_t index, struct vpmu_model_info *info);
/* The shape of this VM's PMU, overrides included. */
VPMU_API int vpmu_info(const struct vpmu *pmu, struct vpmu_model_info *info);
/* 1 if the local APIC of such a processor sets the LVTPC mask bit when it
 * delivers a performance-monitoring interrupt (Intel), else 0 (AMD). */
VPMU_API int vpmu_lvtpc_masks(const struct vpmu *pmu);

/* --------------------------------------------------------------- guest */

struct vpmu_cpuid_regs {
	uint32_t eax, ebx, ecx, edx;
};

/*
 * Turn what the host offers in `regs` for this leaf into what the guest shall
 * see. VPMU_HANDLED: regs may have changed; VPMU_NOT_MINE: it has nothing to
 * do with identity or PMU.
 */
VPMU_API enum vpmu_result vpmu_cpuid(const struct vpmu *pmu, uint32_t leaf,
				     uint32_t subleaf,
				     struct vpmu_cpuid_regs *regs);
/* The `index`th (leaf, subleaf) that vpmu_cpuid() handles, in ascending order;
 * the guest must be given each of them. -ENOENT past the end. */
VPMU_API int vpmu_cpuid_leaf(const struct vpmu *pmu, uint32_t index,
			     uint32_t *leaf, uint32_t *subleaf);

/* 1 if accesses to this MSR must be brought to the library, which is so for
 * the registers of both vendors' PMUs: those that the model lacks fault. */
VPMU_API int vpmu_owns_msr(const struct vpmu *pmu, uint32_t msr);
/* The manual's name of the MSR on this model ("IA32_PMC0"), copied to
 * buf[len], or "" if the model has none. */
VPMU_API void vpmu_msr_name(const struct vpmu *pmu, uint32_t msr, char *buf,
			    size_t len);

/* The embedder has checked CPL 0 for these two, as every processor does. */
VPMU_API enum vpmu_result vpmu_rdmsr(struct vpmu_vcpu *vcpu, uint32_t msr,
				     uint64_t *value);
VPMU_API enum vpmu_result vpmu_wrmsr(struct vpmu_vcpu *vcpu, uint32_t msr,
				     uint64_t value);

/* The state of the processor that the privilege rule of RDPMC needs. */
struct vpmu_mode {
	uint8_t cpl; /* 0..3; virtual-8086 mode: 3; real mode: 0 */
	uint8_t pe; /* CR0.PE */
	uint8_t pce; /* CR4.PCE */
	uint8_t reserved; /* 0 */
};

/* VPMU_HANDLED: EAX = value bits 31:0, EDX = 63:32, and RAX, RDX bits 63:32
 * become 0. VPMU_FAULT: #GP(0). VPMU_NOT_MINE: this processor has no such
 * instruction, so #UD (Pentium without MMX; SDM 2B, "RDPMC"). */
VPMU_API enum vpmu_result vpmu_rdpmc(struct vpmu_vcpu *vcpu, uint32_t ecx,
				     const struct vpmu_mode *mode,
				     uint64_t *value);

/* ------------------------------------------------------------ counting */

/* 1 while at least one counter is enabled and its backend is fed by
 * vpmu_retire(): the embedder must then observe every instruction. */
VPMU_API int vpmu_wants_retire(const struct vpmu_vcpu *vcpu);

/* Bit of an enum vpmu_meaning in the mask of vpmu_retire(). */
#define VPMU_OCCURS(meaning) (UINT32_C(1) << (meaning))

/*
 * One instruction has retired that began at `cpl`. `occurred`: what happened
 * besides, once each: VPMU_OCCURS() of BRANCHES, TAKEN_BRANCHES, and V_PIPE to
 * BREAKPOINT3. The instruction, its one cycle and its slots are implied. Order:
 * an instruction that writes a PMU register is retired by the configuration in
 * force when it began.
 */
VPMU_API void vpmu_retire(struct vpmu_vcpu *vcpu, uint32_t occurred,
			  uint8_t cpl);
/*
 * Which of V_PIPE to BREAKPOINT3 some running counter counts: a mask of
 * VPMU_OCCURS(), 0 if none or if the backend is not fed. The embedder must tell
 * what of these occurs, with vpmu_retire() or vpmu_occur(); the others need not
 * be found out. (SDM 3B, "Pentium Processor Performance Monitoring Events".)
 */
VPMU_API uint32_t vpmu_wants_occurred(const struct vpmu_vcpu *vcpu);
/*
 * `meaning` occurred `n` times, any uint32_t, in the instruction, and thus the
 * cycle, that the next vpmu_retire() reports: several calls add up. What comes
 * between two instructions, as an interrupt does, is counted with the second.
 * Meanings that vpmu_wants_occurred() does not ask for are ignored.
 */
VPMU_API void vpmu_occur(struct vpmu_vcpu *vcpu, enum vpmu_meaning meaning,
			 uint32_t n);
/* For the order rule: remember now which counters run, retire by that. Call
 * before vpmu_wrmsr() when the WRMSR itself is to be retired afterwards. */
VPMU_API void vpmu_retire_begin(struct vpmu_vcpu *vcpu);
/* Instructions went by unobserved: running exact counters turn APPROXIMATE
 * until they are next written. */
VPMU_API void vpmu_retire_missed(struct vpmu_vcpu *vcpu);

/* Take over what the backend has counted, and detect overflows. */
VPMU_API void vpmu_sync(struct vpmu_vcpu *vcpu);
/* 1 if a performance-monitoring interrupt is due; asking takes it. */
VPMU_API int vpmu_take_pmi(struct vpmu_vcpu *vcpu);

struct vpmu_counter_info {
	uint32_t size;
	uint32_t health; /* enum vpmu_health */
	uint32_t meaning; /* enum vpmu_meaning of what is selected */
	uint32_t width; /* bits */
	uint64_t value;
	char name[16]; /* "PMC0", "FIXED_CTR1", "PERF_CTR5" */
};
/* The `index`th counter of the vCPU; -ENOENT past the end, -EINVAL, -E2BIG. */
VPMU_API int vpmu_counter_info(struct vpmu_vcpu *vcpu, uint32_t index,
			       struct vpmu_counter_info *info);
VPMU_API const char *vpmu_meaning_name(enum vpmu_meaning meaning);
VPMU_API const char *vpmu_health_name(enum vpmu_health health);

#ifdef __cplusplus
}
#endif
#endif /* VPMU_H */
