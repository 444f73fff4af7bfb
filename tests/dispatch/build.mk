# SPDX-License-Identifier: Apache-2.0
# Dispatches as the walker and the command processor take them: the same suites on RTL and golden model.
DISPATCH_TESTS := waiting commands random_commands
DISPATCH_COMMON := $(BUILD)/tests/dispatch/chosen.o $(BUILD)/tests/dispatch/ring.o $(FIRMWARE_OBJECT)
TESTS += $(DISPATCH_TESTS:%=$(BUILD)/tests/dispatch_%$(comma)HEDDLE_TEST_DEVICE=model) \
  $(BUILD)/tests/dispatch_waiting$(comma)HEDDLE_TEST_DEVICE=model$(comma)HEDDLE_SIM_PROCESSOR=1

$(BUILD)/tests/dispatch/%.o: C_DEFINES += -DBUILD='"$(BUILD)"'
$(DISPATCH_TESTS:%=$(BUILD)/tests/dispatch_%): $(BUILD)/tests/dispatch_%: $(BUILD)/tests/dispatch/%.o \
  $(DISPATCH_COMMON) $(MODEL_LIBRARY)
	$(LINK) $^ -lcriterion -ldl -lm -o $@
