# SPDX-License-Identifier: Apache-2.0
# The programs of `make demo`, others, and the demo itself.
EXAMPLES := $(BUILD)/bin/scan $(BUILD)/bin/blur $(BUILD)/bin/quicksort
EXAMPLE_KERNELS := $(patsubst host/examples/%,$(BUILD)/share/heddle/%,$(wildcard host/examples/*.cl))

$(BUILD)/bin/scan $(BUILD)/bin/quicksort: $(BUILD)/bin/%: $(BUILD)/host/examples/%.o $(TOOL_COMMON)
	@mkdir -p $(@D)
	$(LINK) $^ -o $@ -lOpenCL -lpthread

$(BUILD)/bin/blur: $(BUILD)/host/examples/blur.o $(BUILD)/host/examples/picture.o $(TOOL_COMMON)
	@mkdir -p $(@D)
	$(LINK) $^ -o $@ -lOpenCL -lpng -lpthread

$(BUILD)/share/heddle/%.cl: host/examples/%.cl
	@mkdir -p $(@D)
	cp $< $@

all: $(EXAMPLES) $(EXAMPLE_KERNELS)

IMAGE ?= host/examples/scene.png
RADIUS ?= 9
DEVICE ?= sim
demo: all
	@echo
	@$(BUILD)/bin/scan --device '$(DEVICE)'
	@echo
	@$(BUILD)/bin/blur '$(IMAGE)' --radius '$(RADIUS)' --device '$(DEVICE)' --output $(BUILD)/demo
