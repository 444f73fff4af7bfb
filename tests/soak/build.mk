# SPDX-License-Identifier: Apache-2.0
# The soak: random calls of several threads. As a suite a few thousand calls in `make test`, 100,000 in `make test-long` and
# `make soak`. The library's objects are those of tests/host, with AddressSanitizer, LeakSanitizer and UBSan, and free() is ours.
SOAK := $(BUILD)/tests/soak
SOAK_OBJECTS := $(patsubst %.c,$(HOST_TEST_DIR)/%.o,$(wildcard tests/soak/*.c) host/tools/error_name.c)
TESTS += $(SOAK)

$(SOAK): $(SOAK_OBJECTS) $(HOST_TEST_LIBRARY) $(MODEL_LIBRARY)
	@mkdir -p $(@D)
	$(LINK) $(HOST_TEST_CFLAGS) -Wl,--wrap=free $^ -o $@ -lcriterion -lmd -lz -ldl -lpthread -lm

SEED ?= 1
CALLS ?= 100000
THREADS ?= 4
.PHONY: soak
soak: all $(SOAK) ## Random OpenCL calls, right and wrong, from several threads [SEED=1 CALLS=100000 THREADS=4]
	@folder=$$(mktemp -d) && trap 'rm -rf "$$folder"' EXIT && \
	  TMPDIR=$$folder HEDDLE_SOAK_SEED=$(SEED) HEDDLE_SOAK_CALLS=$(CALLS) HEDDLE_SOAK_THREADS=$(THREADS) $(SOAK)
