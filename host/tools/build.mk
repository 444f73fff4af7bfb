# SPDX-License-Identifier: Apache-2.0
# The `heddle` command. What TOOL_COMMON names also serves the examples and the tests.
HEDDLE_TOOL := $(BUILD)/bin/heddle
TOOL_OBJECTS := $(filter-out $(TOOL_COMMON),$(patsubst %.c,$(BUILD)/%.o,$(wildcard host/tools/*.c)))

$(HEDDLE_TOOL): $(TOOL_OBJECTS) $(TOOL_COMMON) $(BUILD)/host/cl/cache_folder.o $(BUILD)/host/environment.o \
  $(BUILD)/contract/error.o
	@mkdir -p $(@D)
	$(LINK) $^ -o $@ -lOpenCL -lpthread -lm

all: $(HEDDLE_TOOL)
INSTALLED += 755,$(HEDDLE_TOOL),$(PREFIX)/bin/heddle
