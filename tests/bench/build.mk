# SPDX-License-Identifier: Apache-2.0
# Figures of the simulated devices: build/bench.json, and the agreed cycle counts in tests/baseline.json.
BENCH := $(BUILD)/tests/bench/bench

$(BENCH): $(BUILD)/tests/bench/bench.o $(TOOL_COMMON)
	$(LINK) $^ -o $@ -lOpenCL -lpthread

tests/bench/bench.py: $(BENCH)
TESTS += tests/bench/bench.py

bench: all $(BENCH) $(RTL_TESTED)
	$(PYTHON) tests/bench/bench.py --write $(BUILD)/bench.json

baseline: all $(BENCH) $(RTL_TESTED)
	$(PYTHON) tests/bench/bench.py --baseline
