# SPDX-License-Identifier: Apache-2.0
# The worst error of each maths function. Few points of each are a test of tests/hls, which takes its references from here.
MATHS := $(BUILD)/tests/maths/measure
POINTS ?= 262144
DOUBLE_POINTS ?= 8192

$(MATHS): $(patsubst %,$(BUILD)/tests/maths/%.o,measure float double) $(TOOL_COMMON)
	$(LINK) $^ -o $@ -lOpenCL -lpthread -lm

.PHONY: test-maths
test-maths: all $(MATHS) ## The worst error of each maths function against its limit: build/maths.json [POINTS=262144 DOUBLE_POINTS=8192 ONLY=sin]
	@$(MATHS) $(BUILD)/maths.json $(POINTS) $(DOUBLE_POINTS) $(if $(ONLY),'$(ONLY)')
