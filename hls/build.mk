# SPDX-License-Identifier: Apache-2.0
# heddlec and its data: $(BUILD)/bin/heddlec, $(BUILD)/share/heddle/*.
HLS_DATA := $(BUILD)/share/heddle
HLS_LLVM_INCLUDE = $(shell $(LLVM_CONFIG) --includedir)
HLS_LLVM_LIBRARIES = $(shell $(LLVM_CONFIG) --ldflags --libs)

HLS_OBJECTS := $(patsubst %.c,$(BUILD)/%.o,$(wildcard hls/*.c))
$(BUILD)/hls/%.o: C_DEFINES += -isystem $(HLS_LLVM_INCLUDE)

$(BUILD)/bin/heddlec: $(HLS_OBJECTS)
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $^ $(HLS_LLVM_LIBRARIES) -o $@

# The built-in library in OpenCL C: compiled as heddlec compiles kernels, but optimised, since it is so only once.
HLS_FEATURE_NAMES = $(shell printf '\#include "hls/features.h"\nHEDDLE_EXTENSIONS HEDDLE_FEATURES' | \
  $(CC) -E -P -I. - | tr -d '"')
hls_space := $(subst ,, )
HLS_CL_EXTENSIONS = -all$(subst $(hls_space),,$(patsubst %,$(comma)+%,$(HLS_FEATURE_NAMES)))
HLS_CL_FLAGS = -target spir-unknown-unknown -x cl -cl-std=CL3.0 -U__SPIR__ -Xclang -cl-ext=$(HLS_CL_EXTENSIONS) \
  -O2 -fno-builtin -fomit-frame-pointer -I. -Wall -Wextra -Werror -Wno-unused-parameter

HLS_LIB_BITCODE := $(patsubst %.cl,$(BUILD)/%.bc,$(wildcard hls/lib/*.cl))
$(BUILD)/hls/lib/%.bc: hls/lib/%.cl hls/features.h
	@mkdir -p $(@D)
	$(CLANG) $(HLS_CL_FLAGS) -MMD -MP -MF $(@:.bc=.d) -MT $@ -c -emit-llvm $< -o $@

$(HLS_DATA)/builtins.bc: $(HLS_LIB_BITCODE)
	@mkdir -p $(@D)
	llvm-link-22 $^ -o $@

# The run-time library: what code generation calls. libgcc brings soft floating point and 64-bit arithmetic.
HLS_RISCV_GCC := riscv64-unknown-elf-gcc
HLS_LIBGCC = $(shell $(HLS_RISCV_GCC) -march=rv32im -mabi=ilp32 -print-libgcc-file-name)
$(HLS_DATA)/runtime.a:
	@mkdir -p $(@D)
	llvm-objcopy-22 --strip-debug $(HLS_LIBGCC) $@

$(HLS_DATA)/%.h: hls/lib/%.h
	@mkdir -p $(@D)
	cp $< $@

$(HLS_DATA)/%.ld: hls/%.ld
	@mkdir -p $(@D)
	cp $< $@

HLS_PRODUCTS := $(BUILD)/bin/heddlec \
  $(addprefix $(HLS_DATA)/,builtins.bc runtime.a heddle.h device.ld)
all: $(HLS_PRODUCTS)
