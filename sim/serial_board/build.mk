# SPDX-License-Identifier: Apache-2.0
# heddle-board: a simulated board behind a pseudo-terminal.
BOARD_PARAMETERS := DIVISOR=4
BOARD_SIMULATED := $(BUILD)/bin/heddle-board

all: $(BOARD_SIMULATED)

$(BUILD)/sim/serial_board/block.a: $(RTL_SOURCES) sim/serial_board/board.v sim/serial_board/board.cpp sim/serial_board/serial_pins.h
	$(call quietly,verilator) $(call verilate,$(@D),board,$(BOARD_PARAMETERS:%=-G%),$(RTL_SOURCES) sim/serial_board/board.v,sim/serial_board/board.cpp,$(BOARD_PARAMETERS:%=-D%))
	@cd $(@D) && ar rcs block.a *.o

$(BOARD_SIMULATED): $(BUILD)/sim/serial_board/block.a $(VERILATED_RUNTIME)
	@mkdir -p $(@D)
	$(call quietly,ld) $(RTL_CXX) $^ -o $@ -lpthread
