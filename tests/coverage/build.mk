# SPDX-License-Identifier: Apache-2.0
# Line coverage of rtl/ by lockstep, the OpenCL suites and those of links, on devices that count.
SHAPES ?= L1-S32 L4-S32 L8-S4 L8-S32-P L32-S32 L4-S8-U3
COVERAGE_DEVICES := $(SHAPES:%=$(BUILD)/lib/heddle/rtl-cover-%.so)

# Expanded once more when all folders' build.mk have been read: three of these are later ones'.
.SECONDEXPANSION:
coverage: all $(COVERAGE_DEVICES) $$(LOCKSTEP) $$(OPENCL_PROGRAMS) $(patsubst %,$(BUILD)/tests/dispatch_%,waiting link commands) \
  $$(LINK_COVERED) $$(TRANSPORT_SERIAL) $$(BOARD_COVERED) $$(SDRAM_COVERED) $$(DDR3_COVERED) ## Which lines of rtl/ the tests carry out: build/coverage/index.html [SHAPES="L4-S32"]
	SHAPES="$(SHAPES)" $(PYTHON) tests/coverage/coverage.py
.PHONY: coverage
