# SPDX-License-Identifier: Apache-2.0
# Heddle in a LiteX SoC: the lines of the README make a design; and, by itself because it takes minutes and a CPU and a C library of its own, a
# program on that SoC's CPU.
TESTS += tests/litex/package.py

LITEX := $(BUILD)/tests/litex
LITEX_CPU := pythondata-cpu-vexriscv==1.0.1.post407
LITEX_WORDS ?= 16384
LITEX_PATHS = PYTHONPATH=integration/litex:tests/litex:$(LITEX)/python PYTHONDONTWRITEBYTECODE=1

# The SoC: Verilog, its files, and the address of `console`.
$(LITEX)/soc/top.v: $(wildcard integration/litex/heddle_litex/*.py) integration/litex/README.md tests/litex/soc.py heddle.core $(SETUP)
	@[ -d $(LITEX)/python ] || $(VENV)/bin/pip install --quiet --disable-pip-version-check --no-deps --target $(LITEX)/python $(LITEX_CPU)
	$(call quietly,litex) $(LITEX_PATHS) $(PYTHON) tests/litex/soc.py $(@D)
$(LITEX)/bench: $(LITEX)/soc/top.v $(RTL_SOURCES) $(AXI_SOURCES) $(RTL_HEADERS) tests/litex/bench.cpp $(VERILATED_RUNTIME)
	$(call quietly,verilator) $(call verilate,$(LITEX)/bench.verilated,top,-Wno-fatal -Wno-lint -Wno-style -Wno-COMBDLY -Wno-INITIALDLY,\
	  $(LITEX)/soc/top.v $$(cat $(LITEX)/soc/files),tests/litex/bench.cpp,-w)
	$(if $(V),,@) $(RTL_CXX) $(LITEX)/bench.verilated/*.o $(VERILATED_RUNTIME) -o $@ -lpthread

# The program: the driver of the host library, without an operating system.
LITEX_SOURCES := $(filter-out $(patsubst %,host/device/%.c,printf_lines printf_records printf_format text reconfigure),$(wildcard host/device/*.c)) \
  contract/error.c contract/enqueued.c contract/isa.c host/environment.c host/observe/nobody.c host/transport/bus.c firmware/image.c integration/litex/bare_metal/system.c \
  integration/litex/bare_metal/start.S tests/litex/kernel.S tests/litex/program.c
LITEX_CC := riscv64-unknown-elf-gcc --specs=picolibc.specs -march=rv32i -mabi=ilp32 -Os -std=gnu11 -ffunction-sections -fdata-sections \
  -Iintegration/litex/bare_metal -I. -include lacks.h -D_GNU_SOURCE
$(LITEX)/scan.elf: tests/litex/scan.cl $(BUILD)/bin/heddlec
	@mkdir -p $(@D)
	$(BUILD)/bin/heddlec --isa rv32ima_zicsr_zba_zbb $< -o $@
$(LITEX)/program-%: $(LITEX_SOURCES) $(wildcard integration/litex/bare_metal/*) $(LITEX)/scan.elf $(LITEX)/soc/top.v $(FIRMWARE_OBJECT)
	@.ci/setup --packages picolibc-riscv64-unknown-elf >/dev/null
	$(call quietly,riscv32) $(LITEX_CC) -DFIRMWARE_IMAGE='"$(FIRMWARE)/firmware.bin"' -DKERNEL_FILE='"$(LITEX)/scan.elf"' -DLITEX_WORDS=$* \
	  -DLITEX_CONSOLE=$$(cat $(LITEX)/soc/console) -nostartfiles -Wl,--gc-sections -T integration/litex/bare_metal/program.ld $(LITEX_SOURCES) -o $@

.PHONY: test-litex
test-litex: $(LITEX)/bench $(LITEX)/program-$(LITEX_WORDS) ## Run a kernel from a program on the CPU of a simulated LiteX SoC [LITEX_WORDS=262144]
	@HEDDLE_LITEX_WORDS=$(LITEX_WORDS) $(PYTHON) tests/litex/litex_soc.py
LINT_INCLUDES += -DLITEX_CONSOLE=0xF0000800 -DLITEX_WORDS=16384

# The same on a board: LiteX's own SoC of the ULX3S, with its BIOS, through Yosys and nextpnr. Half an hour of a processor and more.
LITEX_BOARD := $(BUILD)/litex-ulx3s
LITEX_BOARD_PYTHON := $(LITEX_CPU) litex-boards==2023.12 pythondata-software-picolibc==1.7.9.post181 pythondata-software-compiler-rt==0.0.post6206
.PHONY: litex-ulx3s
litex-ulx3s: $(SETUP) ## A LiteX SoC on a ULX3S-85F with VexRiscv, LiteDRAM and four integer lanes: bitstream and figures in build/litex-ulx3s [LITEX_OPTIONS="--clock 50 --seed 1"]
	@.ci/setup --packages meson ninja-build >/dev/null
	@[ -d $(LITEX_BOARD)/python ] || $(PYTHON) -m pip install --quiet --disable-pip-version-check --no-deps --target $(LITEX_BOARD)/python $(LITEX_BOARD_PYTHON)
	@mkdir -p $(LITEX_BOARD)/bin
	@for tool in yosys nextpnr-ecp5 ecppack; do ln -sf $(abspath $(VENV))/bin/yowasp-$$tool $(LITEX_BOARD)/bin/$$tool; done
	@PATH=$(abspath $(LITEX_BOARD))/bin:$(abspath $(VENV))/bin:$$PATH PYTHONPATH=$(abspath integration/litex):$(abspath $(LITEX_BOARD))/python PYTHONDONTWRITEBYTECODE=1 \
	  $(PYTHON) integration/litex/ulx3s.py --out $(LITEX_BOARD) $(LITEX_OPTIONS)
