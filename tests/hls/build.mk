# SPDX-License-Identifier: Apache-2.0
# Tests of heddlec and of its built-in library, the latter run on the golden model.
HLS_TESTS := isa options diagnostics kernel_file layout work_items maths conversions integers runtime fuzz
HLS_TEST_HELPERS := $(addprefix $(BUILD)/tests/hls/,compiler.o kernel_file_reader.o device.o)
TESTS += $(HLS_TESTS:%=$(BUILD)/tests/hls_%)

$(BUILD)/tests/hls/%.o: C_DEFINES += -DBUILD='"$(BUILD)"'
LINT_INCLUDES += -DBUILD=\"$(BUILD)\"
$(HLS_TESTS:%=$(BUILD)/tests/hls_%): $(BUILD)/tests/hls_%: $(BUILD)/tests/hls/%.o $(HLS_TEST_HELPERS) $(MODEL_LIBRARY) \
  | $(HLS_PRODUCTS)
	$(LINK) $(filter %.o %.a,$^) -lcriterion -lm -o $@
