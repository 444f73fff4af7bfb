# SPDX-License-Identifier: Apache-2.0
# Boards: pins, the script that makes bitstreams, and one of them simulated.
TESTS += tests/boards/boards.py
test test-long: $(BOARDS_SIMULATED:%=$(BUILD)/bin/heddle-%)

# What is flashed: of a board with a small device the HX8K's bitstream, turned back into Verilog, and the iCEBreaker's netlist, whose
# single-port RAM has no way back; of the others the netlist that the bitstream is made from, and USB's pins. Simulated netlists are slow to answer.
TESTED_SMALL := $(if $(BOARD),$(filter $(SMALL_SIMULATED),$(BOARD)),$(SMALL_SIMULATED))
TESTED_LARGE := $(if $(and $(BOARD),$(TESTED_SMALL)),,yes)
.PHONY: test-boards
test-boards: all $(TESTED_SMALL:%=$(BUILD)/bin/heddle-%-made) $(if $(TESTED_LARGE),$(NETLISTS) $(BUILD)/tests/transport/usb_board $(BUILD)/tests/transport/usb_orangecrab) $(BUILD)/tests/transport/small_pins ## Kernels on bitstreams and netlists, through the boards' pins; makes them first [BOARD=name; of an ECP5 SET= CLOCK=]
	@tests/run --timeout 3600 --jobs 1 --logs $(BUILD)/tests/logs \
	  $(if $(TESTED_SMALL),$(BUILD)/tests/transport/small_pins$(comma)HEDDLE_BOARDS_AS=made$(comma)HEDDLE_LINK_PATIENCE=100$(comma)HEDDLE_BOARDS='$(TESTED_SMALL)') \
	  $(if $(TESTED_LARGE),tests/boards/netlist.py$(comma)HEDDLE_TEST_NETLIST=$(NETLIST) $(BOARDS_USB))
