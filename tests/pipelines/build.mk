# SPDX-License-Identifier: Apache-2.0
# Kernels as pipelines: programs on a Verilated device without a programmable unit.
TESTS += $(BUILD)/tests/pipelines_programs
$(BUILD)/tests/pipelines/programs.hw/kernels.json: tests/pipelines/programs.cl $(HLS_PRODUCTS)
	@mkdir -p $(@D)
	$(call quietly,heddlec) $(BUILD)/bin/heddlec --hardware -cl-std=CL3.0 $< -o $(@D)

$(BUILD)/tests/pipelines/programs.so: $(BUILD)/tests/pipelines/programs.hw/kernels.json $(RTL_SOURCES) $(RTL_HEADERS) sim/rtl/hardware.sh sim/rtl/device.cpp
	@mkdir -p $(BUILD)/tests/pipelines/cache
	$(call quietly,verilator) cp "$$(sim/rtl/hardware.sh $(<D) $(BUILD)/tests/pipelines/cache LANES=8 SLOTS=32 UNITS=0 BANKS=1 GLOBAL_LOG2=28 PROCESSOR=0)" $@

$(BUILD)/tests/pipelines/%.o: C_DEFINES += -DBUILD='"$(BUILD)"'
$(BUILD)/tests/pipelines_programs: $(BUILD)/tests/pipelines/programs.o | $(BUILD)/tests/pipelines/programs.so $(HOST_ICD)
	$(LINK) $^ -lcriterion -lOpenCL -o $@
