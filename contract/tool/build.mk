# SPDX-License-Identifier: Apache-2.0
# What every tool is linked with.
TOOL_OUTPUT := $(BUILD)/contract/tool/output.o
TOOL_VERSION := $(BUILD)/contract/tool/version.o
TOOLS := $(patsubst %,$(BUILD)/bin/%,heddle heddle-sycl-link heddle-board heddle-ulx3s-25f heddle-hx8k heddle-icebreaker heddle-icebreaker-8 heddle-hx8k-made \
  heddle-icebreaker-made heddle-tangnano20k heddle-tangnano20k-made heddle-ulx3s-usb heddle-orangecrab heddle-usb-board heddle-jtag-target heddle-pcie-card scan quicksort sift blur rotate)
# What ends in a constructor ends as output.o has it, so that one comes first.
$(TOOLS): $(TOOL_OUTPUT) $(TOOL_VERSION)
$(BUILD)/bin/heddlec: $(TOOL_OUTPUT)
