# SPDX-License-Identifier: Apache-2.0
# Bitstreams of boards. Minutes for a small device, half an hour and more for a large one.
# With what a board's file says; and with what the call says instead. SEED of the call only: lockstep has a default of its own.
BITSTREAM_AS_FILED = $(PYTHON) constraints/bitstream.py --tools $(VENV)/bin --out $(BUILD)/boards
BITSTREAM = $(BITSTREAM_AS_FILED) $(if $(CLOCK),--clock $(CLOCK)) $(if $(filter-out file,$(origin SEED)),--seed $(SEED)) \
  $(SET:%=--set %) $(if $(KERNELS),--kernels $(KERNELS) --heddlec $(BUILD)/bin/heddlec) \
  $(if $(KERNEL_OPTIONS),--kernel-options '$(KERNEL_OPTIONS)')

# Place and route for Gowin FPGAs comes when a board that has one is asked for.
GOWIN := $(VENV)/heddle-gowin
$(GOWIN): .ci/requirements-gowin.txt $(SETUP)
	$(call quietly,pip) $(PYTHON) -m pip install --quiet --disable-pip-version-check --no-input --no-deps -r $<
	@touch $@
GOWIN_BOARDS := $(basename $(notdir $(wildcard $(addsuffix *.json,$(dir $(wildcard constraints/*/*.cst))))))

.PHONY: bitstream boards flash setup-gowin
setup-gowin: $(GOWIN)

bitstream: $(SETUP) $(if $(filter $(GOWIN_BOARDS),$(BOARD)),$(GOWIN)) $(if $(KERNELS),$(HLS_PRODUCTS)) ## Make the bitstream of a board: build/boards [BOARD=name CLOCK=MHz SEED=n SET="LANES=4 FPU=0" KERNELS=file.cl, or a folder of heddlec --hardware: with pipelines of its kernels, SET="UNITS=0" without a programmable unit]
	@[ -n "$(BOARD)" ] || { echo 'make bitstream BOARD=name; there are:' >&2; $(BITSTREAM) --list >&2; exit 2; }
	@$(BITSTREAM) $(BOARD)

boards: $(SETUP) $(GOWIN) ## The bitstreams of all boards that are not made yet, and their figures: build/boards.json [JOBS=n at a time, as many as there are processors]
	@$(BITSTREAM) --jobs $(or $(JOBS),$(shell nproc))

flash: $(SETUP) ## Load the bitstream of a board into it [BOARD=name SPI=1 to stay when power goes XVC=host:port]
	@[ -n "$(BOARD)" ] || { echo 'make flash BOARD=name; there are:' >&2; $(BITSTREAM) --list >&2; exit 2; }
	@! grep -qs '"dfu"' constraints/*/$(BOARD).json || .ci/setup --packages dfu-util
	@$(PYTHON) constraints/flash.py --made $(BUILD)/boards $(if $(XVC),--xvc $(XVC)) $(if $(SPI),--spi) $(BOARD)
