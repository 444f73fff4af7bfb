# SPDX-License-Identifier: Apache-2.0
# make flash, with a simulated chip. The bitstreams configure nothing; one is compressed.
FLASH_TEST := $(BUILD)/tests/flash/flash
TESTS += $(FLASH_TEST)
$(FLASH_TEST): $(FLASH_TEST).o
	$(LINK) $^ -o $@ -lcriterion
$(FLASH_TEST).o: C_ALL += -DFLASH_BUILD='"$(BUILD)"' -DFLASH_PYTHON='"$(PYTHON)"'
LINT_INCLUDES += -DFLASH_BUILD=\"\" -DFLASH_PYTHON=\"\"
FLASH_BITSTREAMS := $(BUILD)/tests/flash/compressed.bit $(BUILD)/tests/flash/plain.bit
$(FLASH_TEST): | $(FLASH_BITSTREAMS) $(BUILD)/bin/heddle-jtag-target
$(FLASH_BITSTREAMS): $(SETUP)
	@mkdir -p $(@D); echo '.device LFE5U-25F' > $@.config
	$(call quietly,ecppack) $(VENV)/bin/yowasp-ecppack $(if $(findstring compressed,$@),--compress) $@.config $@ 2> $@.log || { cat $@.log; exit 1; }
