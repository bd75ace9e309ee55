# SPDX-License-Identifier: Apache-2.0
VMM_SRCS := \
	vmm/acpi.c \
	vmm/bus.c \
	vmm/caps.c \
	vmm/cmd_cpuid.c \
	vmm/cmd_models.c \
	vmm/cmd_probe.c \
	vmm/cmd_run.c \
	vmm/cmd_test.c \
	vmm/dev_debugexit.c \
	vmm/dev_fwcfg.c \
	vmm/dev_pci.c \
	vmm/dev_power.c \
	vmm/dev_serial.c \
	vmm/input.c \
	vmm/job.c \
	vmm/load.c \
	vmm/load_elf.c \
	vmm/load_flat.c \
	vmm/load_info.c \
	vmm/load_linux.c \
	vmm/load_long.c \
	vmm/load_multiboot.c \
	vmm/main.c \
	vmm/msg.c \
	vmm/opt.c \
	vmm/pmu.c \
	vmm/ram.c \
	vmm/run.c \
	vmm/stop.c \
	vmm/suite.c \
	vmm/topology.c \
	vmm/vcpu.c \
	vmm/vcpu_report.c \
	vmm/vcpu_setup.c \
	vmm/verdict.c \
	vmm/verdict_format.c \
	vmm/vm.c

VMM_TEST_SRCS := \
	vmm/tests/harness.c \
	vmm/tests/image.c \
	vmm/tests/main.c \
	vmm/tests/test_bus.c \
	vmm/tests/test_dev.c \
	vmm/tests/test_linux.c \
	vmm/tests/test_load.c \
	vmm/tests/test_load_bad.c \
	vmm/tests/test_opt.c \
	vmm/tests/test_ram.c \
	vmm/tests/test_stop.c \
	vmm/tests/test_suite.c \
	vmm/tests/test_topology.c \
	vmm/tests/test_verdict.c
