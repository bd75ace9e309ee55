/* SPDX-License-Identifier: Apache-2.0 */
/* The VM's vPMU, made from the command line. */
#include "pmu.h"

#include <inttypes.h>
#include <stddef.h>
#include <string.h>

#include "msg.h"

const char *const pmu_count_names[] = { "auto", "perf", "exact", NULL };
const char *const pmu_uncore_names[] = { "off", "host", NULL };
const char *const pmu_trap_names[] = { "auto", "gp", "step", NULL };

static void on_log(void *user, const char *line)
{
	(void)user;
	msg_note("%s", line);
}

static int open_perf(struct pmu *pmu, const struct pmu_config *c)
{
	struct vpmu_perf_config config = { .size = sizeof(config),
					   .signal = (uint32_t)c->signal };
	int ret;

	if (c->uncore == PMU_UNCORE_HOST)
		config.flags |= VPMU_PERF_UNCORE;
	ret = vpmu_perf_create(&pmu->perf, &config);
	return ret ? msg_err("--count perf: %s", strerror(-ret)) : 0;
}

/* AUTO: the host's hardware counters if it has them, else exact. */
static int choose_backend(struct pmu *pmu, const struct pmu_config *c,
			  struct vpmu_config *config)
{
	const struct vpmu_backend_ops *perf = vpmu_backend_perf();

	config->backend = vpmu_backend_exact();
	if (c->count == PMU_COUNT_EXACT)
		return 0;
	if (open_perf(pmu, c))
		return -1;
	if (c->count == PMU_COUNT_AUTO &&
	    perf->probe(pmu->perf, VPMU_MEAN_INSTRUCTIONS) !=
		    VPMU_HEALTH_HARDWARE)
		return 0;
	config->backend = perf;
	config->backend_user = pmu->perf;
	if (c->uncore == PMU_UNCORE_HOST)
		msg_note("--uncore host: the guest sees what all of this host "
			 "does to its caches and memory");
	return 0;
}

int pmu_init(struct pmu *pmu, const struct pmu_config *c)
{
	struct vpmu_config config = { .size = sizeof(config),
				      .model = c->model,
				      .log = on_log };
	int ret;

	*pmu = (struct pmu){ 0 };
	if (choose_backend(pmu, c, &config))
		return -1;
	ret = vpmu_create(&pmu->vpmu, &config);
	if (!ret)
		return 0;
	return msg_err("--pmu: %s; see 'pmuvm models'",
		       pmu->vpmu ? vpmu_reason(pmu->vpmu) : strerror(-ret));
}

static void *guest_mem(void *user, uint64_t gpa, uint64_t len)
{
	const struct pmu *pmu = user;

	return ram_ptr(pmu->ram, gpa, len);
}

static void stop_others(void *user, uint32_t vcpu, int stop)
{
	const struct pmu *pmu = user;

	if (stop)
		stop_hold(pmu->stop, vcpu);
	else
		stop_release(pmu->stop);
}

int pmu_attach(struct pmu *pmu, enum vpmu_kvm_trap trap, int kvm_fd, int vm_fd,
	       const struct ram *ram, struct stop *stop)
{
	struct vpmu_kvm_config config = {
		.size = sizeof(config),
		.trap = trap,
		.kvm_fd = kvm_fd,
		.vm_fd = vm_fd,
		.pmu = pmu->vpmu,
		.mem = guest_mem,
		.stop_others = stop ? stop_others : NULL,
		.user = pmu,
	};
	int ret;

	pmu->ram = ram;
	pmu->stop = stop;
	ret = vpmu_kvm_create(&pmu->kvm, &config);
	if (!ret)
		return 0;
	return msg_err("--trap %s: %s; see 'pmuvm probe'", pmu_trap_names[trap],
		       pmu->kvm ? vpmu_kvm_reason(pmu->kvm) : strerror(-ret));
}

void pmu_fini(struct pmu *pmu)
{
	vpmu_kvm_destroy(pmu->kvm);
	vpmu_destroy(pmu->vpmu);
	vpmu_perf_destroy(pmu->perf);
}

static const struct {
	const char *name;
	size_t offset;
} stats_fields[] = {
	{ "rdpmc_gp", offsetof(struct vpmu_kvm_stats, rdpmc_gp) },
	{ "rdpmc_site", offsetof(struct vpmu_kvm_stats, rdpmc_site) },
	{ "rdpmc_step", offsetof(struct vpmu_kvm_stats, rdpmc_step) },
	{ "rdmsr", offsetof(struct vpmu_kvm_stats, rdmsr) },
	{ "wrmsr", offsetof(struct vpmu_kvm_stats, wrmsr) },
	{ "steps", offsetof(struct vpmu_kvm_stats, steps) },
	{ "missed", offsetof(struct vpmu_kvm_stats, missed) },
	{ "pmis", offsetof(struct vpmu_kvm_stats, pmis) },
	{ "pmis_masked", offsetof(struct vpmu_kvm_stats, pmis_masked) },
	{ "foreign_db", offsetof(struct vpmu_kvm_stats, foreign_db) },
};

static void print_counters(struct vpmu_vcpu *vcpu, unsigned int index, FILE *to)
{
	struct vpmu_counter_info info = { .size = sizeof(info) };

	for (uint32_t i = 0; !vpmu_counter_info(vcpu, i, &info); i++)
		fprintf(to,
			"vcpu %u: %-12s %20" PRIu64 "  %2u bits  %-12s %s\n",
			index, info.name, info.value, info.width,
			vpmu_health_name((enum vpmu_health)info.health),
			vpmu_meaning_name((enum vpmu_meaning)info.meaning));
}

void pmu_print_stats(struct vpmu_kvm_vcpu *vcpu, unsigned int index, FILE *to)
{
	struct vpmu_kvm_stats stats = { .size = sizeof(stats) };
	uint64_t value;

	print_counters(vpmu_kvm_vcpu_pmu(vcpu), index, to);
	if (vpmu_kvm_stats(vcpu, &stats))
		return;
	for (size_t i = 0; i < ARRAY_SIZE(stats_fields); i++) {
		memcpy(&value, (const char *)&stats + stats_fields[i].offset,
		       sizeof(value));
		fprintf(to, "vcpu %u: %-12s %20" PRIu64 "\n", index,
			stats_fields[i].name, value);
	}
}
