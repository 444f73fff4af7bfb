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
  sim/serial_board/board.cpp sim/serial_board/serial_pins.h $(wildcard sim/rtl/*.h)
	$(call quietly,verilator) $(call verilate,$(@D),board,$(BOARD_PARAMETERS:%=-G%) $(call board_cover,--coverage-line),\
	  $(RTL_SOURCES) sim/serial_board/board.v,sim/serial_board/board.cpp,$(BOARD_PARAMETERS:%=-D%) -DVM_COVERAGE=$(or $(call board_cover,1),0))
	@cd $(@D) && ar rcs block.a *.o

$(BOARD_SIMULATED): $(BUILD)/sim/serial_board/block.a $(VERILATED_RUNTIME)
$(BOARD_COVERED): $(BUILD)/sim/serial_board-cover/block.a $(VERILATED_RUNTIME)
$(BOARD_SIMULATED) $(BOARD_COVERED):
	@mkdir -p $(@D)
	$(call quietly,ld) $(RTL_CXX) $^ -o $@ -lpthread
