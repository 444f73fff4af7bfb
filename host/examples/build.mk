# SPDX-License-Identifier: Apache-2.0
# The examples, and the demo, which runs three of them.
EXAMPLES := $(BUILD)/bin/scan $(BUILD)/bin/blur $(BUILD)/bin/rotate $(BUILD)/bin/quicksort $(BUILD)/bin/sift
EXAMPLE_KERNELS := $(patsubst host/examples/%,$(BUILD)/share/heddle/%,$(wildcard host/examples/*.cl))

$(patsubst %,$(BUILD)/bin/%,scan quicksort sift): $(BUILD)/bin/%: $(BUILD)/host/examples/%.o $(TOOL_COMMON)
	@mkdir -p $(@D)
	$(LINK) $^ -o $@ -lOpenCL -lpthread

$(patsubst %,$(BUILD)/bin/%,blur rotate): $(BUILD)/bin/%: $(BUILD)/host/examples/%.o $(BUILD)/host/examples/picture_request.o $(BUILD)/host/tools/png_samples.o \
    $(BUILD)/contract/output_file.o $(BUILD)/host/examples/stages.o $(TOOL_COMMON)
	@mkdir -p $(@D)
	$(LINK) $^ -o $@ -lOpenCL -lpng -lpthread -lm
$(BUILD)/bin/blur: $(BUILD)/host/examples/picture.o

$(BUILD)/share/heddle/%.cl: host/examples/%.cl
	@mkdir -p $(@D)
	cp $< $@

all: $(EXAMPLES) $(EXAMPLE_KERNELS)

IMAGE ?= host/examples/scene.png
RADIUS ?= 9
ANGLE ?= 20
DEVICE ?= sim
demo: all
	@echo
	@$(BUILD)/bin/scan --device '$(DEVICE)'
	@echo
	@$(BUILD)/bin/blur '$(IMAGE)' --radius '$(RADIUS)' --device '$(DEVICE)' --output $(BUILD)/demo
	@echo
	@$(BUILD)/bin/rotate '$(IMAGE)' --angle '$(ANGLE)' --device '$(DEVICE)' --output $(BUILD)/demo
