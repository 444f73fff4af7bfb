# SPDX-License-Identifier: Apache-2.0
# The OpenCL library: $(BUILD)/lib/libheddle.so, and the ICD file that names it for OCL_ICD_VENDORS.
HOST_SOURCES := $(wildcard host/*.c host/cl/*.c host/cl/calls/*.c host/device/*.c host/observe/*.c host/transport/*.c contract/*.c)
# With HEDDLE_NO_COMPILER=1 what only a compiler needs is replaced: the library then starts no process and writes no file.
HOST_WITH_COMPILER := $(patsubst %,host/cl/%.c,compiler cache cache_key cache_folder child hardware reconfigure source_line) \
  $(patsubst %,contract/%.c,jail program words work_folder) $(filter-out host/observe/nobody.c,$(wildcard host/observe/*.c))
HOST_SOURCES := $(filter-out $(if $(NO_COMPILER),$(HOST_WITH_COMPILER),host/cl/no_compiler.c host/observe/nobody.c),$(HOST_SOURCES))
HOST_OBJECTS := $(HOST_SOURCES:%.c=$(BUILD)/%.o)
HOST_MODEL := $(BUILD)/lib/libheddle_model.a
HOST_FIRMWARE = $(BUILD)/firmware/image.o
HOST_LIBRARY := $(BUILD)/lib/libheddle.so
HOST_ICD := $(BUILD)/etc/OpenCL/vendors/heddle.icd

# Only what the ICD loader looks up by name is visible (HEDDLE_EXPORT in host/cl); -Bsymbolic because the loader has functions
# of the same names, and ours are to call ours.
$(HOST_OBJECTS): C_ALL += -fvisibility=hidden -Ihost/include
# For small hosts what nobody calls is left out, and tables to unwind the stack, which C has no need of: a debugger reads
# those of -g.
ifdef NO_COMPILER
C_ALL += -ffunction-sections -fdata-sections -fno-asynchronous-unwind-tables -fno-unwind-tables -DHEDDLE_NO_TIMELINE
HOST_LINK := -Wl,--gc-sections
endif

$(BUILD)/host/observe/report.o: host/observe/report.html

$(HOST_LIBRARY): $(HOST_OBJECTS) $(HOST_FIRMWARE) $(HOST_MODEL) $(if $(HOST),$(BUILD)/host/cross/sha256.o $(BUILD)/host/cross/crc32.o)
	@mkdir -p $(@D)
	$(LINK) -shared -Wl,-z,defs -Wl,-Bsymbolic -Wl,--exclude-libs,ALL -Wl,-soname,libheddle.so $(HOST_LINK) $^ -o $@ -Wl,--as-needed $(if $(HOST),-l:libatomic.a,-lmd -lz) -ldl -lpthread -lm

$(HOST_ICD): $(HOST_LIBRARY) $(NAMED_FOLDER)
	@mkdir -p $(@D)
	@echo $(abspath $(HOST_LIBRARY)) > $@

.PHONY: host
host: $(HOST_LIBRARY) $(HOST_ICD)
all: host

INSTALLED += 755,$(HOST_LIBRARY),$(LIBDIR)/libheddle.so $(foreach header,cl_heddle.h cl_ext_intelfpga.h,644$(comma)host/include/CL/$(header)$(comma)$(PREFIX)/include/$(if $(filter cl_heddle.h,$(header)),,heddle/)CL/$(header))
