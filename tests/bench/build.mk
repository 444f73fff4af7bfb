# SPDX-License-Identifier: Apache-2.0
# Figures of the simulated devices: build/bench.json, and the agreed cycle counts in tests/baseline.json. The kernels that
# are measured are also a test: RTL, golden model and CPU agree on their results.
BENCH := $(BUILD)/tests/bench/bench
BENCH_WORK_GROUP := $(BUILD)/tests/bench/work_group
BENCH_TRACED := $(BUILD)/lib/heddle/rtl-trace-L8-S32.so
BENCH_DISPATCH := $(BUILD)/tests/bench/dispatch
BENCH_HOST := $(BUILD)/tests/bench/host
BENCH_KERNELS := $(BUILD)/tests/bench/kernels
BENCH_THREADS := $(BUILD)/tests/bench/threads
BENCH_COMMON := $(BUILD)/tests/bench/workload.o $(BUILD)/tests/bench/run_problem.o $(TOOL_COMMON)

$(BENCH): $(BUILD)/tests/bench/bench.o $(BENCH_COMMON)
	$(LINK) $^ -o $@ -lOpenCL -lpthread -lm

$(BENCH_HOST): $(BUILD)/tests/bench/host.o $(TOOL_COMMON)
	$(LINK) $^ -o $@ -lOpenCL -lpthread

$(BENCH_KERNELS) $(BENCH_THREADS): $(BUILD)/tests/bench/%: $(BUILD)/tests/bench/%.o $(BENCH_COMMON)
	$(LINK) $^ -o $@ -lcriterion -lOpenCL -lpthread -lm

$(BENCH_WORK_GROUP): $(BUILD)/tests/bench/work_group.o $(TOOL_COMMON)
	$(LINK) $^ -o $@ -lOpenCL -ldl

$(BENCH_DISPATCH): $(BUILD)/tests/bench/dispatch.o $(FIRMWARE_OBJECT) $(TOOL_COMMON)
	$(LINK) $^ -o $@ -lOpenCL -ldl

# Several units: `make test` measures small kernels on four small ones; the rest takes longer to compile than to measure.
BENCH_SMALL_UNITS := $(BUILD)/lib/heddle/rtl-L1-S4-U4.so
BENCH_LONG := $(patsubst %,$(BUILD)/lib/heddle/rtl-%.so,L8-S32-U2 L8-S32-U4 L8-S32-U8 L1-S4-U8 trace-L32-S32)
# Kernels as pipelines: all of them in one device, without a programmable unit.
BENCH_PIPELINES := $(BUILD)/tests/bench/pipelines
$(BENCH_PIPELINES).hw/kinds.txt: $(wildcard tests/bench/pipelines/*.cl) $(HLS_PRODUCTS)
	@mkdir -p $(dir $(@D))
	$(call quietly,heddlec) $(BUILD)/bin/heddlec --hardware tests/bench/pipelines/all.cl -o $(@D) > /dev/null
$(BENCH_PIPELINES).so: $(BENCH_PIPELINES).hw/kinds.txt $(PIPELINES_FROM)
	$(call quietly,verilator) $(call pipelines_device,$(<D),$(BENCH_PIPELINES).cache,4,$@)

# The kernels of tests/bench/kernels as pipelines: one whose lanes share operators, two with rounds of loops in one,
# three with more sub-groups in flight, beside two that are written for pipelines (pipelines.py): they take a minute to
# compile. A device has fifteen at most.
BENCH_WORKLOADS := $(BUILD)/tests/bench/workloads
BENCH_SHARED := $(BUILD)/tests/bench/shared
BENCH_UNROLLED := $(BUILD)/tests/bench/unrolled
BENCH_SLOTS_128 := $(BUILD)/tests/bench/slots_128
BENCH_AS_PIPELINES := $(filter-out arithmetic mandelbrot nbody fir stencil3d reduction scan sgemm,$(basename $(notdir $(wildcard tests/bench/kernels/*.cl))))
$(BENCH_WORKLOADS).hw/kinds.txt: $(BENCH_AS_PIPELINES:%=tests/bench/kernels/%.cl) $(addprefix tests/bench/pipelines/,sha256.cl sha256_of_4.cl) $(HLS_PRODUCTS)
	@mkdir -p $(@D)
	@for file in $(filter-out %/sha256.cl,$(filter tests/%.cl,$^)); do echo "#include \"$(CURDIR)/$$file\""; done > $(BENCH_WORKLOADS).cl
	$(call quietly,heddlec) $(BUILD)/bin/heddlec --hardware $(BENCH_WORKLOADS).cl -o $(@D) > /dev/null
$(BENCH_SHARED).hw/kinds.txt: tests/bench/kernels/nbody.cl $(HLS_PRODUCTS)
	@mkdir -p $(@D)
	$(call quietly,heddlec) $(BUILD)/bin/heddlec --hardware --share tests/bench/kernels/nbody.cl -o $(@D) > /dev/null
$(BENCH_UNROLLED).hw/kinds.txt: tests/bench/kernels/fir.cl tests/bench/kernels/stencil3d.cl $(HLS_PRODUCTS)
	@mkdir -p $(@D)
	@for file in $(filter tests/%.cl,$^); do echo "#include \"$(CURDIR)/$$file\""; done > $(BENCH_UNROLLED).cl
	$(call quietly,heddlec) $(BUILD)/bin/heddlec --hardware --unroll 4 --slots 128 $(BENCH_UNROLLED).cl -o $(@D) > /dev/null
$(BENCH_SLOTS_128).hw/kinds.txt: $(addprefix tests/bench/kernels/,reduction.cl scan.cl sgemm.cl) \
  $(addprefix tests/bench/pipelines/,fir_4_taps.cl stencil3d_tile.cl) $(HLS_PRODUCTS)
	@mkdir -p $(@D)
	@for file in $(filter tests/%.cl,$^); do echo "#include \"$(CURDIR)/$$file\""; done > $(BENCH_SLOTS_128).cl
	$(call quietly,heddlec) $(BUILD)/bin/heddlec --hardware --slots 128 $(BENCH_SLOTS_128).cl -o $(@D) > /dev/null
$(BENCH_WORKLOADS).so $(BENCH_SHARED).so $(BENCH_UNROLLED).so $(BENCH_SLOTS_128).so: %.so: %.hw/kinds.txt $(PIPELINES_FROM)
	$(call quietly,verilator) $(call pipelines_device,$(<D),$(BENCH_PIPELINES).cache,4,$@)
BENCH_PIPELINE_DEVICES := $(BENCH_WORKLOADS).so $(BENCH_SHARED).so $(BENCH_UNROLLED).so $(BENCH_SLOTS_128).so

BENCH_PROGRAMS := $(BENCH_PIPELINES).so $(BENCH) $(BENCH_WORK_GROUP) $(BENCH_DISPATCH) $(BENCH_TRACED) $(BENCH_SMALL_UNITS)
test-long: $(BENCH_LONG) $(BENCH_PIPELINE_DEVICES)
tests/bench/bench.py: $(BENCH_PROGRAMS)
TESTS += tests/bench/bench.py $(BENCH_KERNELS)$(comma)HEDDLE_SIM_LANES=4 $(BENCH_THREADS)
TESTS_LONG += $(foreach l,8 16 32,$(BENCH_KERNELS)$(comma)HEDDLE_SIM_LANES=$(l))

bench: all $(BENCH_PROGRAMS) $(BENCH_HOST) $(BENCH_LONG) $(BENCH_PIPELINE_DEVICES) $(RTL_TESTED)
	@$(PYTHON) tests/bench/bench.py --write $(BUILD)/bench.json

baseline: all $(BENCH_PROGRAMS) $(BENCH_LONG) $(BENCH_PIPELINE_DEVICES) $(RTL_TESTED)
	@$(PYTHON) tests/bench/bench.py --baseline

.PHONY: pipelines
pipelines: all ## Synthesise kernel pipelines, compare with heddlec's estimates: build/pipelines.json [ROUTE=1 for the clock, TABLE=1 for docs/results]
	@$(PYTHON) tests/bench/pipelines.py --write $(BUILD)/pipelines.json $(if $(ROUTE),--route) $(if $(TABLE),--table)
	@$(PYTHON) tests/bench/pipelines.py --write $(BUILD)/pipelines.json --parts $(if $(TABLE),--table)
