# SPDX-License-Identifier: Apache-2.0
# One make for all rooms; each lists its sources in its own build.mk.
#
#   V=1              show commands          O=dir        build there (build)
#   SAN=address,...  sanitizers             WERROR=0     warnings stay warnings
#   CC CFLAGS LDFLAGS PREFIX DESTDIR        as everywhere

O ?= build
PREFIX ?= /usr/local
CFLAGS ?= -O2 -g
WERROR ?= 1
VERSION := 0.1

Q := $(if $(filter 1,$(V)),,@)
say = $(if $(filter 1,$(V)),,@printf '  %-7s %s\n' $1 $2)

WARN := -Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes \
	-Wcast-qual -Wwrite-strings -Wundef -Wvla \
	$(if $(filter 1,$(WERROR)),-Werror)
SANFLAGS := $(if $(SAN),-fsanitize=$(SAN) -fno-sanitize-recover=all \
	-fno-omit-frame-pointer)
INC := -Ivpmu/include -Ivpmu -Ivmm
CPPFLAGS_ALL = -D_GNU_SOURCE -DPMUVM_VERSION='"$(VERSION)"' $(INC) $(CPPFLAGS)
CFLAGS_ALL = -std=gnu11 -fvisibility=hidden $(WARN) $(SANFLAGS) $(CFLAGS)
LDFLAGS_ALL = $(SANFLAGS) $(LDFLAGS)
LIBS := -lZydis -lZycore -lpthread

.DEFAULT_GOAL := all
.DELETE_ON_ERROR:
.SUFFIXES:

include vpmu/build.mk
include vmm/build.mk
include guest-tests/build.mk
include tools/build.mk
include tools/fuzz.mk

# ------------------------------------------------------------------ objects

obj = $(patsubst %.c,$(O)/$2/%.o,$1)

$(O)/obj/%.o: %.c
	$(call say,CC,$<)
	@mkdir -p $(@D)
	$(Q)$(CC) $(CPPFLAGS_ALL) -MMD -MP $(CFLAGS_ALL) -c -o $@ $<

$(O)/pic/%.o: %.c
	$(call say,CC,'$< (pic)')
	@mkdir -p $(@D)
	$(Q)$(CC) $(CPPFLAGS_ALL) -MMD -MP $(CFLAGS_ALL) -fPIC -c -o $@ $<

# A change of flags rebuilds everything; an unchanged set nothing.
FLAGS_NOW := $(CC) $(CPPFLAGS_ALL) $(CFLAGS_ALL) $(LDFLAGS_ALL)
$(O)/flags: FORCE
	@mkdir -p $(@D)
	@printf '%s\n' $(call quote,$(FLAGS_NOW)) | cmp -s - $@ || \
		printf '%s\n' $(call quote,$(FLAGS_NOW)) > $@
quote = '$(subst ','\'',$1)'

ALL_OBJS := $(call obj,$(VPMU_SRCS) $(VPMU_KVM_SRCS) $(VPMU_TEST_SRCS) \
		$(VPMU_EXAMPLES) $(VMM_SRCS) $(VMM_TEST_SRCS) $(TOOLS_SRCS),obj) \
	$(call obj,$(VPMU_SRCS) $(VPMU_KVM_SRCS),pic)
$(ALL_OBJS): $(O)/flags
-include $(ALL_OBJS:.o=.d)

# ---------------------------------------------------------------- libraries

# clang links its sanitizers' runtime into programs only.
comma := ,
ZDEFS := $(if $(SAN),,-Wl$(comma)-z$(comma)defs)

LIBS_BUILT := $(O)/libvpmu.a $(O)/libvpmu-kvm.a \
	$(O)/libvpmu.so.0 $(O)/libvpmu-kvm.so.0

$(O)/libvpmu.a: $(call obj,$(VPMU_SRCS),obj)
$(O)/libvpmu-kvm.a: $(call obj,$(VPMU_KVM_SRCS),obj)
%.a:
	$(call say,AR,$@)
	$(Q)rm -f $@ && $(AR) rcs $@ $^

$(O)/libvpmu.so.0: $(call obj,$(VPMU_SRCS),pic) vpmu/libvpmu.map
	$(call say,LD,$@)
	$(Q)$(CC) $(LDFLAGS_ALL) -shared -Wl,-soname,$(@F) \
		-Wl,--version-script=vpmu/libvpmu.map $(ZDEFS) \
		-o $@ $(filter %.o,$^)
	$(Q)ln -sf $(@F) $(O)/libvpmu.so

$(O)/libvpmu-kvm.so.0: $(call obj,$(VPMU_KVM_SRCS),pic) $(O)/libvpmu.so.0 \
		vpmu/libvpmu-kvm.map
	$(call say,LD,$@)
	$(Q)$(CC) $(LDFLAGS_ALL) -shared -Wl,-soname,$(@F) \
		-Wl,--version-script=vpmu/libvpmu-kvm.map $(ZDEFS) \
		-o $@ $(filter %.o,$^) $(O)/libvpmu.so.0 -lZydis -lZycore
	$(Q)ln -sf $(@F) $(O)/libvpmu-kvm.so

# ----------------------------------------------------------------- programs

ARCHIVES := $(O)/libvpmu-kvm.a $(O)/libvpmu.a

define program
$1: $2 $(ARCHIVES)
	$$(call say,LD,$$@)
	@mkdir -p $$(@D)
	$$(Q)$$(CC) $$(LDFLAGS_ALL) -o $$@ $$(filter %.o,$$^) $$(ARCHIVES) \
		$$(LIBS) $3
endef

EXAMPLES := $(patsubst vpmu/examples/%.c,$(O)/examples/%,$(VPMU_EXAMPLES))
TESTS := $(O)/vpmu-tests $(O)/vmm-tests

$(eval $(call program,$(O)/bench,$(call obj,$(TOOLS_SRCS),obj),))
$(eval $(call program,$(O)/pmuvm,$(call obj,$(VMM_SRCS),obj),))
$(eval $(call program,$(O)/vpmu-tests,$(call obj,$(VPMU_TEST_SRCS),obj),-lcunit))
$(eval $(call program,$(O)/vmm-tests,$(call obj,$(VMM_TEST_SRCS) \
	$(filter-out vmm/main.c,$(VMM_SRCS)),obj),-lcunit))
$(foreach e,$(VPMU_EXAMPLES),$(eval $(call program,$(e:vpmu/%.c=$(O)/%),$(e:%.c=$(O)/obj/%.o),)))

# ------------------------------------------------------------------ targets

all: $(LIBS_BUILT) $(O)/pmuvm $(O)/bench $(EXAMPLES) guest-tests ## build everything

check: all $(TESTS) ## CUnit suites and examples: seconds, no KVM
	$(Q)tools/check $(O)

run: ## install what is missing, build, show a guest using its PMU
	$(Q)tools/need build
	$(Q)+$(MAKE) --no-print-directory all
	$(Q)tools/demo $(O)

test: ## install what is missing, build, test everything
	$(Q)tools/need build test
	$(Q)+$(MAKE) --no-print-directory all $(TESTS)
	$(Q)tools/test $(O)

bench: ## cost of each exit, as ratios: a table and build/bench.json
	$(Q)tools/need build
	$(Q)+$(MAKE) --no-print-directory all
	$(Q)tools/bench $(O)

lint: ## format, shell scripts, headers = maps = man pages = help
	$(Q)tools/lint $(O)

PC = sed -e 's|@PREFIX@|$(PREFIX)|' -e 's|@VERSION@|$(VERSION)|'
install: $(LIBS_BUILT) $(O)/pmuvm ## into $(DESTDIR)$(PREFIX)
	$(Q)install -d $(DESTDIR)$(PREFIX)/bin $(DESTDIR)$(PREFIX)/include \
		$(DESTDIR)$(PREFIX)/lib/pkgconfig \
		$(DESTDIR)$(PREFIX)/share/man/man1 \
		$(DESTDIR)$(PREFIX)/share/man/man3 \
		$(DESTDIR)$(PREFIX)/share/man/man7
	$(Q)install $(O)/pmuvm tools/kvm-anywhere $(DESTDIR)$(PREFIX)/bin
	$(Q)install -m 644 vpmu/include/*.h $(DESTDIR)$(PREFIX)/include
	$(Q)for lib in libvpmu libvpmu-kvm; do \
		install -m 644 $(O)/$$lib.a $(O)/$$lib.so.0 \
			$(DESTDIR)$(PREFIX)/lib && \
		ln -sf $$lib.so.0 $(DESTDIR)$(PREFIX)/lib/$$lib.so && \
		$(PC) vpmu/$$lib.pc.in > \
			$(DESTDIR)$(PREFIX)/lib/pkgconfig/$$lib.pc || exit 1; \
	done
	$(Q)for s in 1 3 7; do install -m 644 vpmu/man/*.$$s \
		$(DESTDIR)$(PREFIX)/share/man/man$$s || exit 1; done

uninstall: ## take away what install put there
	$(Q)cd $(DESTDIR)$(PREFIX) && rm -f bin/pmuvm bin/kvm-anywhere \
		include/vpmu.h include/vpmu_kvm.h \
		lib/libvpmu.* lib/libvpmu-kvm.* \
		lib/pkgconfig/libvpmu.pc lib/pkgconfig/libvpmu-kvm.pc
	$(Q)for f in vpmu/man/*.[137]; do \
		rm -f $(DESTDIR)$(PREFIX)/share/man/man$${f##*.}/$${f##*/}; done

clean: ## remove the build directory
	$(Q)rm -rf $(O)

help: ## this list
	@sed -n 's/^\([a-z]*\):.*## \(.*\)/  make \1\t\2/p' $(MAKEFILE_LIST) | \
		expand -t 20
	@sed -n '/^#   /s/^#/ /p' Makefile

FORCE:
.PHONY: all check run test bench lint install uninstall clean help FORCE
