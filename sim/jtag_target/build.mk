# SPDX-License-Identifier: Apache-2.0
# heddle-jtag-target: an ECP5 to flash when there is none.
JTAG_TARGET := $(BUILD)/bin/heddle-jtag-target
$(JTAG_TARGET): $(patsubst %.c,$(BUILD)/%.o,$(wildcard sim/jtag_target/*.c))
	@mkdir -p $(@D)
	$(LINK) $^ -o $@
all: $(JTAG_TARGET)
