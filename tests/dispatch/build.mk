# SPDX-License-Identifier: Apache-2.0
# Dispatches as the walker and the command processor take them: the same suites on RTL and golden model.
DISPATCH_TESTS := waiting
TESTS += $(DISPATCH_TESTS:%=$(BUILD)/tests/dispatch_%$(comma)HEDDLE_TEST_DEVICE=model)

$(BUILD)/tests/dispatch/%.o: C_DEFINES += -DBUILD='"$(BUILD)"'
$(DISPATCH_TESTS:%=$(BUILD)/tests/dispatch_%): $(BUILD)/tests/dispatch_%: $(BUILD)/tests/dispatch/%.o \
  $(BUILD)/tests/dispatch/chosen.o $(MODEL_LIBRARY)
	$(LINK) $^ -lcriterion -ldl -lm -o $@
