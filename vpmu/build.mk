# SPDX-License-Identifier: Apache-2.0
VPMU_SRCS := \
	vpmu/backend/exact.c \
	vpmu/backend/perf.c \
	vpmu/backend/uncore.c \
	vpmu/core/config.c \
	vpmu/core/counter.c \
	vpmu/core/cpuid.c \
	vpmu/core/msr.c \
	vpmu/core/package.c \
	vpmu/core/pmi.c \
	vpmu/core/program.c \
	vpmu/core/rdpmc.c \
	vpmu/core/reset.c \
	vpmu/core/retire.c \
	vpmu/core/vpmu.c \
	vpmu/events/amd.c \
	vpmu/events/event.c \
	vpmu/events/intel.c \
	vpmu/events/intel_netburst.c \
	vpmu/events/intel_p5.c \
	vpmu/models/amd.c \
	vpmu/models/amd_cpuid.c \
	vpmu/models/amd_shape.c \
	vpmu/models/amd_uncore.c \
	vpmu/models/hidden.c \
	vpmu/models/identity.c \
	vpmu/models/intel_arch.c \
	vpmu/models/intel_common.c \
	vpmu/models/intel_cpuid.c \
	vpmu/models/intel_netburst.c \
	vpmu/models/intel_p5.c \
	vpmu/models/intel_p6.c \
	vpmu/models/intel_shape.c \
	vpmu/models/list.c \
	vpmu/models/namespace.c \
	vpmu/models/none.c \
	vpmu/models/shape.c

VPMU_KVM_SRCS := \
	vpmu/kvm/cpuid.c \
	vpmu/kvm/debug.c \
	vpmu/kvm/decode.c \
	vpmu/kvm/frame.c \
	vpmu/kvm/kvm.c \
	vpmu/kvm/lvtpc.c \
	vpmu/kvm/msr_filter.c \
	vpmu/kvm/probe.c \
	vpmu/kvm/rdpmc_trap.c \
	vpmu/kvm/regs.c \
	vpmu/kvm/run.c \
	vpmu/kvm/step.c \
	vpmu/kvm/walk.c

VPMU_TEST_SRCS := \
	vpmu/backend/mock.c \
	vpmu/tests/harness.c \
	vpmu/tests/kvm_harness.c \
	vpmu/tests/main.c \
	vpmu/tests/test_amd_count.c \
	vpmu/tests/test_amd_cpuid.c \
	vpmu/tests/test_amd_package.c \
	vpmu/tests/test_amd_rdpmc.c \
	vpmu/tests/test_amd_registers.c \
	vpmu/tests/test_config.c \
	vpmu/tests/test_counter.c \
	vpmu/tests/test_cpuid.c \
	vpmu/tests/test_intel_netburst.c \
	vpmu/tests/test_intel_p5.c \
	vpmu/tests/test_intel_p6.c \
	vpmu/tests/test_kvm_cpuid.c \
	vpmu/tests/test_kvm_decode.c \
	vpmu/tests/test_kvm_frame.c \
	vpmu/tests/test_kvm_walk.c \
	vpmu/tests/test_models.c \
	vpmu/tests/test_msr.c \
	vpmu/tests/test_perf.c \
	vpmu/tests/test_uncore.c \
	vpmu/tests/test_pmi.c \
	vpmu/tests/test_program.c \
	vpmu/tests/test_rdpmc.c \
	vpmu/tests/test_registers.c \
	vpmu/tests/test_reset.c \
	vpmu/tests/test_retire.c \
	vpmu/tests/test_vpmu.c

VPMU_EXAMPLES := \
	vpmu/examples/hello_vpmu.c \
	vpmu/examples/mini_kvm.c

# The harness makes the nth allocation fail.
$(O)/vpmu-tests: private LDFLAGS_ALL += -Wl,--wrap=calloc
