# SPDX-License-Identifier: Apache-2.0
# Figures of the simulated devices: build/bench.json, and the agreed cycle counts in tests/baseline.json. The kernels that
# are measured are also a test: RTL, golden model and CPU agree on their results.
BENCH := $(BUILD)/tests/bench/bench
BENCH_KERNELS := $(BUILD)/tests/bench/kernels
BENCH_COMMON := $(BUILD)/tests/bench/workload.o $(BUILD)/tests/bench/run_problem.o $(TOOL_COMMON)

$(BENCH): $(BUILD)/tests/bench/bench.o $(BENCH_COMMON)
	$(LINK) $^ -o $@ -lOpenCL -lpthread -lm

$(BENCH_KERNELS): $(BUILD)/tests/bench/kernels.o $(BENCH_COMMON)
	$(LINK) $^ -o $@ -lcriterion -lOpenCL -lpthread -lm

tests/bench/bench.py: $(BENCH)
TESTS += tests/bench/bench.py $(foreach l,4 16,$(BENCH_KERNELS)$(comma)HEDDLE_SIM_LANES=$(l))
TESTS_LONG += $(foreach l,8 32,$(BENCH_KERNELS)$(comma)HEDDLE_SIM_LANES=$(l))

bench: all $(BENCH) $(RTL_TESTED)
	@$(PYTHON) tests/bench/bench.py --write $(BUILD)/bench.json

baseline: all $(BENCH) $(RTL_TESTED)
	@$(PYTHON) tests/bench/bench.py --baseline
