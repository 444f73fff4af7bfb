# SPDX-License-Identifier: Apache-2.0
# What every tool is linked with.
TOOL_OUTPUT := $(BUILD)/contract/tool/output.o
$(patsubst %,$(BUILD)/bin/%,heddle heddlec heddle-sycl-link heddle-board heddle-ulx3s-25f heddle-hx8k heddle-icebreaker heddle-icebreaker-8 heddle-hx8k-made \
  heddle-icebreaker-made heddle-tangnano20k heddle-tangnano20k-made heddle-ulx3s-usb heddle-orangecrab heddle-usb-board heddle-jtag-target heddle-pcie-card scan quicksort sift blur rotate): $(TOOL_OUTPUT)
