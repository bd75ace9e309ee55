/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The smallest use of libvpmu: no hypervisor, just a guest's accesses played
 * to it. An emulated Ice Lake counts ten instructions, four of them branches.
 *
 * Exit status: 0 if the guest read what it should.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "vpmu.h"

#define IA32_PERFEVTSEL0 0x186
#define IA32_PERFEVTSEL1 0x187
#define INST_RETIRED 0x4300c0 /* EN, OS, USR; event C0H, unit mask 00H */
#define BR_INST_RETIRED 0x4300c4

static int play(struct vpmu_vcpu *vcpu)
{
	const struct vpmu_mode kernel = { .cpl = 0, .pe = 1 };
	uint64_t instructions, branches;

	/* IA32_PERF_GLOBAL_CTRL enables both counters after RESET. */
	if (vpmu_wrmsr(vcpu, IA32_PERFEVTSEL0, INST_RETIRED) ||
	    vpmu_wrmsr(vcpu, IA32_PERFEVTSEL1, BR_INST_RETIRED))
		return -1;
	for (int i = 0; i < 10; i++)
		vpmu_retire(vcpu, i < 4 ? VPMU_OCCURS(VPMU_MEAN_BRANCHES) : 0,
			    0);
	if (vpmu_rdpmc(vcpu, 0, &kernel, &instructions) ||
	    vpmu_rdpmc(vcpu, 1, &kernel, &branches))
		return -1;
	printf("%" PRIu64 " instructions, %" PRIu64 " branches\n", instructions,
	       branches);
	/* Such a processor has no ninth counter. */
	if (vpmu_rdpmc(vcpu, 8, &kernel, &instructions) != VPMU_FAULT)
		return -1;
	return instructions == 10 && branches == 4 ? 0 : -1;
}

int main(void)
{
	const struct vpmu_config config = {
		.size = sizeof(config),
		.model = "intel-v5",
		.backend = vpmu_backend_exact(),
	};
	struct vpmu_vcpu *vcpu;
	struct vpmu *pmu;
	int ret;

	if (vpmu_create(&pmu, &config)) {
		fprintf(stderr, "hello_vpmu: %s\n", vpmu_reason(pmu));
		vpmu_destroy(pmu);
		return EXIT_FAILURE;
	}
	ret = vpmu_vcpu_create(&vcpu, pmu, 0);
	if (!ret) {
		ret = play(vcpu);
		vpmu_vcpu_destroy(vcpu);
	}
	vpmu_destroy(pmu);
	return ret ? EXIT_FAILURE : EXIT_SUCCESS;
}
