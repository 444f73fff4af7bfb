# SPDX-License-Identifier: Apache-2.0
# heddlec and its data: $(BUILD)/bin/heddlec, $(BUILD)/share/heddle/*.
HLS_DATA := $(BUILD)/share/heddle
HLS_LLVM_INCLUDE = $(shell $(LLVM_CONFIG) --includedir)
HLS_LLVM_LIBRARIES = $(shell $(LLVM_CONFIG) --ldflags --libs)

HLS_OBJECTS := $(patsubst %.c,$(BUILD)/%.o,$(wildcard hls/*.c hls/pipeline/*.c))
$(BUILD)/hls/%.o: C_DEFINES += -isystem $(HLS_LLVM_INCLUDE)
LINT_INCLUDES += -isystem $(HLS_LLVM_INCLUDE)

# What reads ISA strings, object files and SPIR-V, and keeps child processes small, is the library's too.
$(BUILD)/bin/heddlec: $(HLS_OBJECTS) $(patsubst %,$(BUILD)/contract/%.o,isa object_file spirv error half jail output_file program words work_folder boards)
	@mkdir -p $(@D)
	$(LINK) $^ $(HLS_LLVM_LIBRARIES) -lmd -lm -o $@

# The built-in library in OpenCL C: compiled as heddlec compiles kernels, but optimised, since it is so only once. -fwrapv: sums
# and products of integers wrap (mad_hi, mul24, collectives), where C leaves those of signed ones undefined.
HLS_FEATURE_NAMES := $(shell sed -n 's/^[^/]*"\(.*\)".*/\1/p' contract/features.h)
hls_space := $(subst ,, )
HLS_CL_EXTENSIONS = -all$(subst $(hls_space),,$(patsubst %,$(comma)+%,$(HLS_FEATURE_NAMES)))
HLS_CL_FLAGS = -target spir-unknown-unknown -x cl -cl-std=CL3.0 -U__SPIR__ -Xclang -cl-ext=$(HLS_CL_EXTENSIONS) \
  -O2 -fwrapv -fomit-frame-pointer -I. -Wall -Wextra -Werror -Wno-unused-parameter

HLS_LIB_BITCODE := $(patsubst %.cl,$(BUILD)/%.bc,$(filter-out hls/lib/pipes_on_chip.cl,$(wildcard hls/lib/*.cl)))
$(BUILD)/hls/lib/%.bc: hls/lib/%.cl contract/features.h hls/build.mk
	@mkdir -p $(@D)
	$(call quietly,clang) $(CLANG) $(HLS_CL_FLAGS) -MMD -MP -MF $(@:.bc=.d) -MT $@ -c -emit-llvm $< -o $@

$(BUILD)/hls/lib/totals.bc: hls/lib/totals.ll
	@mkdir -p $(@D)
	@echo '  llvm-as $@'; { echo 'target datalayout = "$(HLS_SPIR_LAYOUT)"'; cat $<; } | llvm-as-22 - -o $@

# Their accesses are to memory of any type.
$(BUILD)/hls/lib/half_memory.bc $(BUILD)/hls/lib/images.bc: HLS_CL_FLAGS += -fno-strict-aliasing

# libclc's maths functions, from SPIR-V. They lose LLVM 15's spelling of the data layout on the way; libclc.sed says what else
# is changed.
HLS_LIBCLC := /usr/lib/clc/spirv-mesa3d-.spv
HLS_SPIR_LAYOUT := e-p:32:32-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-G1
$(BUILD)/hls/lib/libclc.bc: $(HLS_LIBCLC) hls/lib/libclc.sed hls/build.mk
	@mkdir -p $(@D)
	@echo '  llvm-spirv $@'; llvm-spirv-15 -r $< -o $@.old
	@llvm-dis-22 $@.old -o - | sed -E -e 's/^target datalayout.*/target datalayout = "$(HLS_SPIR_LAYOUT)"/' \
	    -f hls/lib/libclc.sed | llvm-as-22 - -o $@
	@rm $@.old

# Ours over libclc's.
HLS_LIB := $(BUILD)/hls/lib
$(HLS_LIB)/all.bc: $(HLS_LIB)/libclc.bc $(HLS_LIB)/totals.bc $(HLS_LIB_BITCODE)
	@echo '  llvm-link $@'; llvm-link-22 $(filter-out $(HLS_LIB_BITCODE),$^) $(addprefix --override=,$(HLS_LIB_BITCODE)) -o $@

# Of that several libraries: one for double, so that kernels without it need not load what takes or gives one, and the parts of
# hls/lib/builtins.parts. opt grumbles that it has no code generator for spir; it needs none. What is interrupted leaves no
# half library in its place.
HLS_PARTS := $(sort $(shell sed -n 's/^\(builtins-[^ ]*\) .*/\1/p' hls/lib/builtins.parts))
HLS_LIBRARIES := $(addprefix $(HLS_DATA)/,builtins.bc $(HLS_PARTS) builtins-double.bc)
HLS_API = -v parts=hls/lib/builtins.parts -v part=$(@F)
$(HLS_DATA)/builtins-double.bc: HLS_API := -v double=1
$(HLS_LIBRARIES): $(HLS_DATA)/%.bc: $(HLS_LIB)/all.bc hls/lib/api.awk hls/lib/builtins.parts
	@mkdir -p $(@D)
	@llvm-nm-22 --defined-only --format=just-symbols $< | awk $(HLS_API) -f hls/lib/api.awk > $(HLS_LIB)/$*.api
	@echo '  opt $@'; opt-22 -passes='internalize,globaldce,default<O2>' -internalize-public-api-file=$(HLS_LIB)/$*.api \
	    $< -o $@.new 2> $(HLS_LIB)/$*.log || { cat $(HLS_LIB)/$*.log; false; }
	@mv $@.new $@

# The same for kernel pipelines, in a folder of their own: what would be instructions of the device are calls that
# hls/pipeline makes circuits of, loops stay loops, pipes are on the chip, and there is nothing of device queues, which
# pipelines do not have.
HLS_PIPELINE_LIB := $(BUILD)/hls/lib-pipeline
HLS_PIPELINE_DATA := $(HLS_DATA)/pipeline
HLS_PIPELINE_SOURCES := $(filter-out hls/lib/pipes.cl hls/lib/device_queue.cl,$(wildcard hls/lib/*.cl))
HLS_PIPELINE_BITCODE := $(HLS_PIPELINE_SOURCES:hls/lib/%.cl=$(HLS_PIPELINE_LIB)/%.bc)
HLS_PIPELINE_LIBRARIES := $(addprefix $(HLS_PIPELINE_DATA)/,builtins.bc $(HLS_PARTS) builtins-double.bc)
HLS_KEEP_LOOPS := -disable-loop-idiom-all -vectorize-slp=false -vectorize-loops=false
$(HLS_PIPELINE_LIB)/%.bc: hls/lib/%.cl contract/features.h hls/build.mk
	@mkdir -p $(@D)
	$(call quietly,clang) $(CLANG) $(HLS_CL_FLAGS) -DHEDDLE_PIPELINE=1 -fno-unroll-loops $(addprefix -mllvm ,$(HLS_KEEP_LOOPS)) \
	    -MMD -MP -MF $(@:.bc=.d) -MT $@ -c -emit-llvm $< -o $@

$(HLS_PIPELINE_LIB)/half_memory.bc $(HLS_PIPELINE_LIB)/images.bc: HLS_CL_FLAGS += -fno-strict-aliasing

$(HLS_PIPELINE_LIB)/all.bc: $(HLS_LIB)/libclc.bc $(HLS_PIPELINE_BITCODE)
	@echo '  llvm-link $@'; llvm-link-22 $< $(addprefix --override=,$(HLS_PIPELINE_BITCODE)) -o $@

$(HLS_PIPELINE_LIBRARIES): $(HLS_PIPELINE_DATA)/%.bc: $(HLS_PIPELINE_LIB)/all.bc hls/lib/api.awk hls/lib/builtins.parts
	@mkdir -p $(@D)
	@llvm-nm-22 --defined-only --format=just-symbols $< | awk $(HLS_API) -f hls/lib/api.awk > $(HLS_PIPELINE_LIB)/$*.api
	@echo '  opt $@'; opt-22 -passes='internalize,globaldce,default<O2>' -disable-loop-unrolling $(HLS_KEEP_LOOPS) \
	    -internalize-public-api-file=$(HLS_PIPELINE_LIB)/$*.api $< -o $@.new 2> $(HLS_PIPELINE_LIB)/$*.log || \
	    { cat $(HLS_PIPELINE_LIB)/$*.log; false; }
	@mv $@.new $@

$(HLS_PIPELINE_DATA)/builtins-double.bc: HLS_API := -v double=1

# What they compute doubles with, in C.
HLS_SOFT_DOUBLE := $(HLS_PIPELINE_DATA)/soft-double.bc
$(HLS_SOFT_DOUBLE): hls/lib/pipeline/soft_double.c hls/build.mk
	@mkdir -p $(@D)
	$(call quietly,clang) $(CLANG) -target spir-unknown-unknown -x c -std=gnu2x -ffreestanding -O2 -I. -Wall -Wextra -Werror \
	    $(addprefix -mllvm ,$(HLS_KEEP_LOOPS)) -c -emit-llvm $< -o $@

# The run-time library: what code generation calls. libgcc brings soft floating point and 64-bit arithmetic. -Os lays code
# out as heddlec does for kernels. For devices with M, and for those without.
HLS_RISCV_GCC := riscv64-unknown-elf-gcc
HLS_RUNTIME_SOURCES := $(wildcard hls/lib/runtime/*.c)
# $(call hls_runtime,SUFFIX,ISA)
define hls_runtime
$(BUILD)/hls/lib/runtime$(1)/%.o: hls/lib/runtime/%.c hls/build.mk
	@mkdir -p $$(@D)
	$$(call quietly,clang) $(CLANG) --target=riscv32-unknown-elf -march=$(2) -mabi=ilp32 -mcmodel=medany -mrelax -Os -std=c11 -ffreestanding \
	    -fno-builtin -fno-jump-tables -I. -Wall -Wextra -Werror -MMD -MP -c $$< -o $$@

$(HLS_DATA)/runtime$(1).a: $(HLS_RUNTIME_SOURCES:hls/lib/runtime/%.c=$(BUILD)/hls/lib/runtime$(1)/%.o)
	@mkdir -p $$(@D)
	@echo '  ar $$@'; llvm-objcopy-22 --strip-debug $$(shell $(HLS_RISCV_GCC) -march=$(2) -mabi=ilp32 -print-libgcc-file-name) $$@
	@llvm-ar-22 rcs $$@ $$^
endef
$(eval $(call hls_runtime,,rv32im))
$(eval $(call hls_runtime,-i,rv32i))

$(HLS_DATA)/%.h: hls/lib/%.h
	@mkdir -p $(@D)
	@cp $< $@

$(HLS_DATA)/source/of/a/program/heddle-source.cl $(HLS_DATA)/builtins.parts: $(HLS_DATA)/%: hls/lib/%
	@mkdir -p $(@D)
	@cp $< $@

$(HLS_DATA)/%.ld: hls/%.ld
	@mkdir -p $(@D)
	@cp $< $@

HLS_PRODUCTS := $(BUILD)/bin/heddlec $(HLS_LIBRARIES) $(HLS_PIPELINE_LIBRARIES) $(HLS_SOFT_DOUBLE) \
  $(addprefix $(HLS_DATA)/,builtins.parts runtime.a runtime-i.a heddle.h channels.h include/ihc_apint.h \
    source/of/a/program/heddle-source.cl device.ld)
all: $(HLS_PRODUCTS)
# Where the installed library looks for them, and heddlec for its data.
INSTALLED += 755,$(BUILD)/bin/heddlec,$(PREFIX)/bin/heddlec
INSTALLED += $(foreach file,$(filter $(HLS_DATA)/%,$(HLS_PRODUCTS)),644$(comma)$(file)$(comma)$(PREFIX)/share/heddle/$(file:$(HLS_DATA)/%=%))
