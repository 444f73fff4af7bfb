# SPDX-License-Identifier: Apache-2.0
# Dispatches as the walker and the command processor take them: the same suites on RTL and golden model.
DISPATCH_TESTS := waiting link
TESTS += $(foreach v,HEDDLE_TEST_DEVICE=model HEDDLE_SIM_LANES=8 HEDDLE_SIM_LANES=1 HEDDLE_SIM_LANES=4$(comma)HEDDLE_SIM_UNITS=3,\
  $(DISPATCH_TESTS:%=$(BUILD)/tests/dispatch_%$(comma)$(v))) $(BUILD)/tests/dispatch_link$(comma)HEDDLE_SIM_LANES=32
TESTS_LONG += $(BUILD)/tests/dispatch_waiting$(comma)HEDDLE_SIM_LANES=32

# On devices of one, three and eight units.
TESTS += $(foreach v,HEDDLE_TEST_DEVICE=model HEDDLE_TEST_DEVICE=model$(comma)HEDDLE_SIM_UNITS=8 HEDDLE_SIM_LANES=8 HEDDLE_SIM_LANES=4$(comma)HEDDLE_SIM_UNITS=3,\
  $(BUILD)/tests/dispatch_units$(comma)$(v))

# On devices with a command processor.
DISPATCH_PROCESSOR_TESTS := commands random_commands
TESTS += $(foreach v,HEDDLE_TEST_DEVICE=model HEDDLE_SIM_LANES=8$(comma)HEDDLE_COMMANDS=500,$(DISPATCH_PROCESSOR_TESTS:%=$(BUILD)/tests/dispatch_%$(comma)$(v)) \
  $(DISPATCH_TESTS:%=$(BUILD)/tests/dispatch_%$(comma)HEDDLE_SIM_PROCESSOR=1$(comma)$(v)))
TESTS_LONG += $(BUILD)/tests/dispatch_random_commands$(comma)HEDDLE_SIM_LANES=8$(comma)HEDDLE_COMMANDS=1000

# On a device that has kinds of compute unit of tests besides a programmable unit, and on one that has only those.
TESTS += $(BUILD)/tests/dispatch_kinds$(comma)HEDDLE_SIM_LANES=4$(comma)HEDDLE_SIM_SLOTS=4$(comma)HEDDLE_SIM_UNITS=1$(comma)HEDDLE_DISPATCH_RTL=$(BUILD)/lib/heddle/rtl-L4-S4-K.so \
  $(BUILD)/tests/dispatch_kinds$(comma)HEDDLE_SIM_LANES=4$(comma)HEDDLE_SIM_SLOTS=4$(comma)HEDDLE_SIM_UNITS=0$(comma)HEDDLE_DISPATCH_RTL=$(BUILD)/lib/heddle/rtl-L4-S4-U0-K.so
test test-long: $(BUILD)/lib/heddle/rtl-L4-S4-K.so $(BUILD)/lib/heddle/rtl-L4-S4-U0-K.so

# On devices whose external memory fails.
TESTS += $(foreach v,HEDDLE_SIM_LANES=8 HEDDLE_SIM_LANES=1 HEDDLE_SIM_LANES=4$(comma)HEDDLE_SIM_UNITS=3,$(BUILD)/tests/dispatch_memory_error$(comma)$(v))

DISPATCH_COMMON := $(BUILD)/tests/dispatch/chosen.o $(BUILD)/tests/dispatch/ring.o $(FIRMWARE_OBJECT)
$(BUILD)/tests/dispatch/%.o: C_DEFINES += -DBUILD='"$(BUILD)"'
$(patsubst %,$(BUILD)/tests/dispatch_%,$(DISPATCH_TESTS) $(DISPATCH_PROCESSOR_TESTS) kinds memory_error units): $(BUILD)/tests/dispatch_%: $(BUILD)/tests/dispatch/%.o \
  $(DISPATCH_COMMON) $(MODEL_LIBRARY)
	$(LINK) $^ -lcriterion -ldl -lm -o $@
