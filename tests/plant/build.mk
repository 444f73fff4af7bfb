# SPDX-License-Identifier: Apache-2.0
# Mistakes planted in host, hls, firmware, transports, SYCL headers and rtl/pipeline, each of which one suite of `make test` must
# find; those in the rest of the RTL are lockstep's (tests/lockstep).
TESTS += tests/plant/plantable.py
TESTS_LONG += tests/plant/plant.py
.PHONY: plant plant-parts test-names
plant: all $(LOCKSTEP) $(VERILATED_RUNTIME) ## Plant mistakes in copies of the project; tests must find each [ONLY=words JOBS=1; RTL: PROGRAMS=1500 LANES=4 SLOTS=8]
	@status=0; JOBS=$(JOBS) $(PYTHON) tests/plant/plant.py $(ONLY) || status=1; \
	  JOBS=$(JOBS) LANES=$(LANES) SLOTS=$(SLOTS) PROGRAMS=$(PROGRAMS) $(PYTHON) tests/lockstep/plant.py $(ONLY) || status=1; exit $$status

# What suites on the golden model need besides themselves: no simulated device is compiled in the copies.
plant-parts: host $(HLS_PRODUCTS)

# What make test runs, an entry a line.
test-names:
	@printf '%s\n' $(TESTS)
