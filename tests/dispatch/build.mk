# SPDX-License-Identifier: Apache-2.0
# Dispatches as the walker and the command processor take them: the same suites on RTL and golden model.
DISPATCH_TESTS := waiting link
TESTS += $(foreach v,HEDDLE_TEST_DEVICE=model HEDDLE_SIM_LANES=8 HEDDLE_SIM_LANES=1 HEDDLE_SIM_LANES=32 HEDDLE_SIM_LANES=4$(comma)HEDDLE_SIM_UNITS=3,\
  $(DISPATCH_TESTS:%=$(BUILD)/tests/dispatch_%$(comma)$(v)))

$(BUILD)/tests/dispatch/%.o: C_DEFINES += -DBUILD='"$(BUILD)"'
$(DISPATCH_TESTS:%=$(BUILD)/tests/dispatch_%): $(BUILD)/tests/dispatch_%: $(BUILD)/tests/dispatch/%.o \
  $(BUILD)/tests/dispatch/chosen.o $(MODEL_LIBRARY)
	$(LINK) $^ -lcriterion -ldl -lm -o $@
