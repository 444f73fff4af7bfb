# SPDX-License-Identifier: Apache-2.0
# Profiles and timelines: what `heddle run --profile` and `--trace` write, against the performance counters, the other device, and what is known of the kernels.
OBSERVE_DIR := $(BUILD)/tests/observe
$(OBSERVE_DIR)/%.o: C_DEFINES += -DBUILD='"$(BUILD)"'
$(OBSERVE_DIR)/profile: $(OBSERVE_DIR)/profile.o $(OBSERVE_DIR)/tool.o | $(HEDDLE_TOOL) $(HOST_LIBRARY) $(BUILD)/bin/scan $(BUILD)/bin/sycl-reduce
	$(LINK) $^ -o $@ -lcriterion -ljansson
TESTS += $(OBSERVE_DIR)/profile $(foreach shape,HEDDLE_SIM_LANES=4$(comma)HEDDLE_SIM_UNITS=3 HEDDLE_SIM_LANES=1,$(OBSERVE_DIR)/profile$(comma)$(shape))
TESTS_LONG += $(OBSERVE_DIR)/profile$(comma)HEDDLE_SIM_LANES=32  # forty seconds of a processor
$(OBSERVE_DIR)/trace: $(OBSERVE_DIR)/trace.o $(OBSERVE_DIR)/tool.o | $(HEDDLE_TOOL) $(HOST_LIBRARY)
	$(LINK) $^ -o $@ -lcriterion -ljansson
TESTS += $(OBSERVE_DIR)/trace $(OBSERVE_DIR)/trace,HEDDLE_SIM_LANES=4$(comma)HEDDLE_SIM_UNITS=3
$(OBSERVE_DIR)/report: $(OBSERVE_DIR)/report.o $(OBSERVE_DIR)/tool.o | $(HEDDLE_TOOL) $(HOST_LIBRARY)
	$(LINK) $^ -o $@ -lcriterion -ljansson
TESTS += $(OBSERVE_DIR)/report

# They have a device made that records waveforms, and keep it in $(OBSERVE_DIR)/waves-cache.
tests/observe/programs.py tests/observe/waves.py tests/observe/konata.py: | $(HEDDLE_TOOL) $(HOST_LIBRARY) $(BUILD)/bin/scan $(BUILD)/lib/heddle/rtl-L8-S4.so
TESTS += tests/observe/programs.py tests/observe/waves.py tests/observe/konata.py tests/observe/konata.py$(comma)HEDDLE_SIM_LANES=4$(comma)HEDDLE_SIM_UNITS=3

# What needs a browser is skipped in `make test` where there is none.
.PHONY: test-report
test-report: ## The page of `heddle run --report` in headless Chromium (installs it)
	@.ci/setup --packages chromium
	@+$(MAKE) --no-print-directory test ONLY=observe/report

# The same of kernel pipelines.
OBSERVED_OBJECTS := $(patsubst %,$(OBSERVE_DIR)/pipelines.objects/%.o,pipelines sift)
$(OBSERVED_OBJECTS): $(OBSERVE_DIR)/pipelines.objects/%.o: $(HLS_PRODUCTS)
	@mkdir -p $(@D)
	$(call quietly,heddlec) $(BUILD)/bin/heddlec -c -cl-std=CL3.0 $(filter %.cl,$(filter-out $(HLS_PRODUCTS),$^)) -o $@
$(OBSERVE_DIR)/pipelines.objects/pipelines.o: tests/observe/pipelines.cl
$(OBSERVE_DIR)/pipelines.objects/sift.o: host/examples/sift.cl
$(OBSERVE_DIR)/pipelines.hw/kernels.json: $(OBSERVED_OBJECTS)
	@mkdir -p $(@D)
	$(call quietly,heddlec) $(BUILD)/bin/heddlec --hardware --lanes 4 --slots 16 --copies looped=2 $^ -o $(@D)
$(OBSERVE_DIR)/pipelines.so: $(OBSERVE_DIR)/pipelines.hw/kernels.json $(PIPELINES_FROM)
	$(call quietly,verilator) $(call pipelines_device,$(<D),$(BUILD)/tests/pipeline/devices,4,$@)
$(OBSERVE_DIR)/pipelines: $(OBSERVE_DIR)/pipelines.o $(OBSERVE_DIR)/tool.o | $(OBSERVE_DIR)/pipelines.so $(HEDDLE_TOOL) $(HOST_LIBRARY) $(BUILD)/bin/sift
	$(LINK) $^ -o $@ -lcriterion -ljansson
TESTS += $(OBSERVE_DIR)/pipelines
