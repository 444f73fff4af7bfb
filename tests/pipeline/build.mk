# SPDX-License-Identifier: Apache-2.0
# Random kernels as pipelines, beside the golden model. Twenty of them are one Verilated program, which is most of the time it takes; a kernel that
# is what it was when it passed is not in it (passed.py tests that).
PIPELINE_TESTS := tests/pipeline/directed.py tests/pipeline/local_arrays.py tests/pipeline/windows.py tests/pipeline/rounds.py tests/pipeline/interleaved.py tests/pipeline/hazards.py tests/pipeline/rows.py tests/pipeline/branches.py tests/pipeline/modules.py tests/pipeline/random_kernels.py \
  tests/pipeline/passed.py
TESTS += $(PIPELINE_TESTS)
$(PIPELINE_TESTS): $(MODEL_LIBRARY) $(VERILATED_RUNTIME) $(HLS_PRODUCTS)

# Every built-in function, compiled.
TESTS += tests/pipeline/builtins.py
tests/pipeline/builtins.py: $(HLS_PRODUCTS)

# Suites of tests/opencl, whose kernels are recorded and become pipelines.
$(BUILD)/tests/pipeline/recorder.so: tests/pipeline/recorder.c
	@mkdir -p $(@D)
	$(call quietly,ld) $(CC) $(C_ALL) -fPIC -shared $< -ldl -o $@

TESTS += tests/pipeline/suites.py
tests/pipeline/suites.py: $(BUILD)/tests/pipeline/recorder.so $(HLS_PRODUCTS) $(HOST_ICD) $(OPENCL_SUITES:%=$(BUILD)/tests/opencl/%) $(BUILD)/tests/bench/kernels $(BUILD)/bin/scan $(BUILD)/bin/blur

# Seventy kernels of the field: on the model, which of them can be hardware, and in `make test-long` as pipelines.
TESTS += tests/pipeline/corpus.py
tests/pipeline/corpus.py: $(HLS_PRODUCTS) $(HOST_ICD)

# Images of every format, by every sampler, on a device that is Verilated once.
TESTS += tests/pipeline/images.py
tests/pipeline/images.py: $(HLS_PRODUCTS) $(HOST_ICD)

# Random networks of kernels with channels, on a device that has them as chains and on the model.
TESTS += tests/pipeline/networks.py
tests/pipeline/networks.py: $(HLS_PRODUCTS) $(HOST_ICD)

# OpenCL programs on a Verilated device without a programmable unit.
TESTS += $(BUILD)/tests/pipeline/programs
$(BUILD)/tests/pipeline/programs.hw/kernels.json: tests/pipeline/programs.cl $(HLS_PRODUCTS)
	@mkdir -p $(@D)
	$(call quietly,heddlec) $(BUILD)/bin/heddlec --hardware -cl-std=CL3.0 $< -o $(@D)

# Pipelines as options make them: copies, and rounds of loops in one.
TESTS += $(BUILD)/tests/pipeline/shapes
$(BUILD)/tests/pipeline/shapes.hw/kernels.json: tests/pipeline/shapes.cl $(HLS_PRODUCTS)
	@mkdir -p $(@D)
	$(call quietly,heddlec) $(BUILD)/bin/heddlec --hardware -cl-std=CL3.0 --unroll 4 --copies 3 --copies work_alone=1 --copies stream_alone=1 --copies sums_by_round=1 $< -o $(@D)

$(BUILD)/tests/pipeline/programs.so $(BUILD)/tests/pipeline/shapes.so: %.so: %.hw/kernels.json $(PIPELINES_FROM)
	$(call quietly,verilator) $(call pipelines_device,$(<D),$(BUILD)/tests/pipeline/devices,8,$@)

# The same with kernels whose pipes are on the chip.
TESTS += $(BUILD)/tests/pipeline/chains
CHAINS := sift.numbers=test.numbers gradients.gradients=lengths.gradients lengths.values=edges.values many.triples=few.triples send.pairs=receive.pairs \
  bring.words=pass.words pass.sums=keep.sums \
  stray.numbers=collect.numbers
$(BUILD)/tests/pipeline/chains.hw/kernels.json: tests/pipeline/chains.cl $(HLS_PRODUCTS)
	@mkdir -p $(@D)
	$(call quietly,heddlec) $(BUILD)/bin/heddlec --hardware -cl-std=CL3.0 --slots 16 $(CHAINS:%=--pipe %) $< -o $(@D)

$(BUILD)/tests/pipeline/chains.so: $(BUILD)/tests/pipeline/chains.hw/kernels.json $(PIPELINES_FROM)
	$(call quietly,verilator) $(call pipelines_device,$(<D),$(BUILD)/tests/pipeline/devices,4,$@)

# Kernels with several pipes, which are found by their names.
$(BUILD)/tests/pipeline/forks.hw/kernels.json: tests/pipeline/forks.cl $(HLS_PRODUCTS)
	@mkdir -p $(@D)
	$(call quietly,heddlec) $(BUILD)/bin/heddlec --hardware -cl-std=CL3.0 --slots 16 $< -o $(@D)

$(BUILD)/tests/pipeline/forks.so: $(BUILD)/tests/pipeline/forks.hw/kernels.json $(PIPELINES_FROM)
	$(call quietly,verilator) $(call pipelines_device,$(<D),$(BUILD)/tests/pipeline/devices,4,$@)
$(BUILD)/tests/pipeline/chains: | $(BUILD)/tests/pipeline/forks.so

# Channels of Intel's SDK, which are pipes on the chip, too.
TESTS += $(BUILD)/tests/pipeline/channels
$(BUILD)/tests/pipeline/channels.hw/kernels.json: tests/pipeline/channels.cl $(HLS_PRODUCTS)
	@mkdir -p $(@D)
	$(call quietly,heddlec) $(BUILD)/bin/heddlec --hardware $< -o $(@D)

$(BUILD)/tests/pipeline/autorun.hw/kernels.json $(BUILD)/tests/pipeline/prints.hw/kernels.json: $(BUILD)/%.hw/kernels.json: %.cl $(HLS_PRODUCTS)
	@mkdir -p $(@D)
	$(call quietly,heddlec) $(BUILD)/bin/heddlec --hardware $< -o $(@D)

$(BUILD)/tests/pipeline/channels.so $(BUILD)/tests/pipeline/autorun.so $(BUILD)/tests/pipeline/prints.so: %.so: %.hw/kernels.json $(PIPELINES_FROM)
	$(call quietly,verilator) $(call pipelines_device,$(<D),$(BUILD)/tests/pipeline/devices,4,$@)
$(BUILD)/tests/pipeline/channels: | $(BUILD)/tests/pipeline/autorun.so $(BUILD)/tests/pipeline/prints.so

# And beside a programmable unit, where a kernel alone has its pipe in memory.
CHAINS_BESIDE_UNIT := $(BUILD)/tests/pipeline/chains-beside-unit.so
TESTS_LONG += $(BUILD)/tests/pipeline/chains$(comma)HEDDLE_SIM_LANES=4$(comma)HEDDLE_CHAINS_DEVICE=$(CHAINS_BESIDE_UNIT)
test-long: $(CHAINS_BESIDE_UNIT)
$(CHAINS_BESIDE_UNIT): $(BUILD)/tests/pipeline/chains.hw/kernels.json $(PIPELINES_FROM)
	@mkdir -p $(BUILD)/tests/pipeline/devices
	$(call quietly,verilator) cp "$$(sim/rtl/hardware.sh $(<D) $(BUILD)/tests/pipeline/devices LANES=4 SLOTS=32 UNITS=1 BANKS=1 GLOBAL_LOG2=28 PROCESSOR=0)" $@

$(BUILD)/tests/pipeline/%.o: C_DEFINES += -DBUILD='"$(BUILD)"'
$(BUILD)/tests/pipeline/programs $(BUILD)/tests/pipeline/shapes $(BUILD)/tests/pipeline/chains $(BUILD)/tests/pipeline/channels: %: %.o | %.so $(HOST_ICD)
	$(LINK) $< -lcriterion -lOpenCL -o $@
