# SPDX-License-Identifier: Apache-2.0
# Boards: pins, the script that makes bitstreams, and one of them simulated.
TESTS += tests/boards/boards.py
test test-long: $(BOARDS_SIMULATED:%=$(BUILD)/bin/heddle-%)

.PHONY: test-boards
test-boards: all $(NETLISTS) ## A kernel on the netlist of a bitstream, through the board's pins: makes it, and one that is wrong [BOARD=ulx3s-85f SET="LANES=4 FPU=0" CLOCK=60]
	@tests/run --timeout 3600 --logs $(BUILD)/tests/logs tests/boards/netlist.py,HEDDLE_TEST_NETLIST=$(NETLIST) $(BOARDS_USB)
