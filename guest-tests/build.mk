# SPDX-License-Identifier: Apache-2.0
# Freestanding guests: 64-bit objects, wrapped as ELF32 for multiboot 1.

GUEST_LIB_SRCS := \
	guest-tests/lib/apic.c \
	guest-tests/lib/arch.c \
	guest-tests/lib/args.c \
	guest-tests/lib/count.S \
	guest-tests/lib/counter.c \
	guest-tests/lib/entry.S \
	guest-tests/lib/idt.c \
	guest-tests/lib/irq.c \
	guest-tests/lib/main.c \
	guest-tests/lib/mode.c \
	guest-tests/lib/mode_entry.S \
	guest-tests/lib/page.c \
	guest-tests/lib/pmu.c \
	guest-tests/lib/pmu_amd.c \
	guest-tests/lib/pmu_intel.c \
	guest-tests/lib/pmu_msr.c \
	guest-tests/lib/print.c \
	guest-tests/lib/regs.S \
	guest-tests/lib/report.c \
	guest-tests/lib/smp.c \
	guest-tests/lib/smp_entry.S \
	guest-tests/lib/snippet.c \
	guest-tests/lib/start.S \
	guest-tests/lib/user.c \
	guest-tests/lib/user_entry.S

# One source file each.
GUEST_TESTS := \
	alias_v6 \
	amd_cpuid \
	amd_events \
	amd_global \
	amd_hwcr \
	amd_merge \
	amd_uncore \
	arch_events \
	bad_frame_stack \
	count_exact \
	cpuid_shape \
	debugctl_misc \
	demo \
	enable_bits \
	exact_entries \
	exit_codes \
	fault_loop \
	freeze \
	gp_handler_is_rdpmc \
	gpdb \
	idt_in_mmio \
	msr_exist \
	msr_reserved \
	msr_width \
	overflow \
	perf_metrics \
	pmi \
	problems \
	pvclock_msr \
	qualifiers \
	rdpmc_index \
	rdpmc_modes \
	rdpmc_msr \
	rdpmc_prefixed \
	rdpmc_priv \
	rdpmc_straddle \
	regs_on_fault \
	reset_state \
	running_write \
	smp \
	status_set \
	topdown \
	triple_fault \
	unmap_idt \
	user_disable

# But for this one, which has more.
GUEST_PROBLEMS_SRCS := \
	guest-tests/problems_access.c \
	guest-tests/problems_amd.c \
	guest-tests/problems_both.c \
	guest-tests/problems_count.c \
	guest-tests/problems_repeat.c

GUEST_OUT := $(O)/guest-tests
GUEST_CPPFLAGS := -Iguest-tests
GUEST_CFLAGS := -std=gnu11 -O2 -g -m64 -ffreestanding -fno-pic \
	-mcmodel=small -mno-red-zone -mgeneral-regs-only \
	-fno-stack-protector -fno-asynchronous-unwind-tables -fcf-protection=none
GUEST_LDFLAGS := -m64 -static -nostdlib -Wl,--build-id=none \
	-Wl,-z,max-page-size=4096 -Wl,-z,noexecstack \
	-Wl,-T,guest-tests/lib/link.lds

guest_obj = $(patsubst guest-tests/%,$(GUEST_OUT)/obj/%.o,$(basename $1))

GUEST_LIB_OBJS := $(call guest_obj,$(GUEST_LIB_SRCS))
GUEST_PROBLEMS_OBJS := $(call guest_obj,$(GUEST_PROBLEMS_SRCS))
GUEST_ELFS := $(GUEST_TESTS:%=$(GUEST_OUT)/%.elf)
GUEST_OBJS := $(GUEST_LIB_OBJS) $(GUEST_PROBLEMS_OBJS) \
	$(GUEST_TESTS:%=$(GUEST_OUT)/obj/%.o)

guest-tests: $(GUEST_ELFS) $(GUEST_OUT)/tests.cfg ## the conformance guests

$(GUEST_OUT)/obj/%.o: guest-tests/%.c guest-tests/build.mk
	$(call say,CC,$<)
	@mkdir -p $(@D)
	$(Q)$(CC) $(GUEST_CPPFLAGS) -MMD -MP $(WARN) $(GUEST_CFLAGS) -c -o $@ $<

$(GUEST_OUT)/obj/%.o: guest-tests/%.S guest-tests/build.mk
	$(call say,AS,$<)
	@mkdir -p $(@D)
	$(Q)$(CC) $(GUEST_CPPFLAGS) -MMD -MP $(GUEST_CFLAGS) -c -o $@ $<

$(GUEST_OUT)/%.elf64: $(GUEST_OUT)/obj/%.o $(GUEST_LIB_OBJS) \
		guest-tests/lib/link.lds
	$(call say,LD,$@)
	$(Q)$(CC) $(GUEST_LDFLAGS) -o $@ $(filter %.o,$^)

$(GUEST_OUT)/problems.elf64: $(GUEST_PROBLEMS_OBJS)

# Loaders of multiboot 1 want ELF32.
$(GUEST_OUT)/%.elf: $(GUEST_OUT)/%.elf64
	$(Q)objcopy -O elf32-i386 --strip-debug $< $@

$(GUEST_OUT)/tests.cfg: guest-tests/tests.cfg
	@mkdir -p $(@D)
	$(Q)cp $< $@

.SECONDARY: $(GUEST_OBJS) $(GUEST_TESTS:%=$(GUEST_OUT)/%.elf64)
.PHONY: guest-tests
-include $(GUEST_OBJS:.o=.d)
