# SPDX-License-Identifier: Apache-2.0
# `make fuzz`: each libFuzzer target for FUZZ_TIME seconds (clang only).
FUZZ_TIME ?= 60
FUZZERS := \
	config \
	image \
	msr

fuzz_config_SRCS := $(VPMU_SRCS)
fuzz_image_SRCS := $(filter vmm/load%.c vmm/ram.c vmm/msg.c,$(VMM_SRCS))
fuzz_msr_SRCS := $(VPMU_SRCS)

$(FUZZERS:%=$(O)/fuzz/%): $(O)/fuzz/%: tools/fuzz/fuzz_%.c $(VPMU_SRCS) \
		$(VMM_SRCS)
	$(call say,CLANG,$@)
	@mkdir -p $(@D)
	$(Q)clang -g -O1 -std=gnu11 -fsanitize=fuzzer,address,undefined \
		$(CPPFLAGS_ALL) -o $@ $< $(fuzz_$*_SRCS)

fuzz: $(FUZZERS:%=$(O)/fuzz/%) ## each fuzzer for FUZZ_TIME=60 seconds
	$(Q)for f in $(FUZZERS); do \
		mkdir -p $(O)/fuzz/$$f.corpus && \
		$(O)/fuzz/$$f -max_total_time=$(FUZZ_TIME) -max_len=4096 \
			-print_final_stats=1 -artifact_prefix=$(O)/fuzz/ \
			$(O)/fuzz/$$f.corpus tools/fuzz/corpus/$$f || exit 1; \
	done
.PHONY: fuzz
