# SPDX-License-Identifier: Apache-2.0
# The `heddle` command. What TOOL_COMMON names also serves the examples and the tests.
HEDDLE_TOOL := $(BUILD)/bin/heddle
TOOL_SOURCES := $(filter-out $(if $(NO_COMPILER),%/png_file.c %/png_samples.c,%/no_png_file.c),$(wildcard host/tools/*.c))
TOOL_OBJECTS := $(filter-out $(TOOL_COMMON),$(TOOL_SOURCES:%.c=$(BUILD)/%.o))

$(HEDDLE_TOOL): $(TOOL_OBJECTS) $(TOOL_COMMON) $(patsubst %,$(BUILD)/host/%.o,cl/cache_folder cl/child cl/source_line observe/json observe/lines observe/source_text observe/disassembly observe/instruction environment device/kernel_file device/kernel_notes device/printf_layout) \
  $(patsubst %,$(BUILD)/contract/%.o,error fat_binary boards half jail output_file product program words work_folder) $(if $(HOST),$(BUILD)/host/cross/sha256.o $(BUILD)/host/cross/libOpenCL.so)
	@mkdir -p $(@D)
	$(LINK) $^ -o $@ $(if $(NO_COMPILER),,-lpng) $(if $(HOST),,-lOpenCL -lmd) -lpthread -lm

# What `heddle flash` runs: beside heddlec's data. In a checkout that is the checkout.
HEDDLE_FLASH := $(wildcard constraints/flash*.py constraints/board_files.py constraints/*/*.json)
$(BUILD)/share/heddle/constraints:
	@mkdir -p $(@D)
	@ln -sfn $(CURDIR)/constraints $@
all: $(BUILD)/share/heddle/constraints
ifneq ($(realpath $(BUILD)/share/heddle/constraints),$(realpath constraints))
.PHONY: $(BUILD)/share/heddle/constraints
endif
INSTALLED += $(foreach file,$(HEDDLE_FLASH),644$(comma)$(file)$(comma)$(PREFIX)/share/heddle/$(file))

all: $(HEDDLE_TOOL)
INSTALLED += 755,$(HEDDLE_TOOL),$(PREFIX)/bin/heddle
