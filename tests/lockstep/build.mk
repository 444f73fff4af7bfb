# SPDX-License-Identifier: Apache-2.0
# Lockstep of the Verilated RTL, built with its trace, and the golden model.
LOCKSTEP := $(BUILD)/tests/lockstep/lockstep
LOCKSTEP_LANES := 1 4 8 32
# And with several units, which few slots make fill up.
LOCKSTEP_UNITS := HEDDLE_SIM_LANES=4$(comma)HEDDLE_SIM_SLOTS=8$(comma)HEDDLE_SIM_UNITS=3
# And a compact device, as boards with small chips have it.
LOCKSTEP_COMPACT := $(BUILD)/lib/heddle/rtl-trace-L4-S4-rv32ima.so
LOCKSTEP_DEVICES := $(LOCKSTEP_LANES:%=$(BUILD)/lib/heddle/rtl-trace-L%-S32.so) $(BUILD)/lib/heddle/rtl-trace-L4-S8-U3.so $(LOCKSTEP_COMPACT)
TESTS += $(LOCKSTEP_LANES:%=$(LOCKSTEP)$(comma)HEDDLE_SIM_LANES=%) $(LOCKSTEP)$(comma)$(LOCKSTEP_UNITS) \
  $(LOCKSTEP)$(comma)HEDDLE_SIM_LANES=4$(comma)HEDDLE_SIM_SLOTS=4$(comma)HEDDLE_LOCKSTEP_RTL=$(LOCKSTEP_COMPACT)

$(BUILD)/tests/lockstep/%.o: C_DEFINES += -DBUILD='"$(BUILD)"'
$(LOCKSTEP): $(patsubst %,$(BUILD)/tests/lockstep/%.o,lockstep directed rights pair program arithmetic memory waiting faulty record) $(MODEL_LIBRARY)
	$(LINK) $^ -o $@ -lcriterion -ldl -lm

test test-long: $(LOCKSTEP_DEVICES)

# LANES, SLOTS, UNITS, SEED and N are the user's.
lockstep: $(LOCKSTEP) $(BUILD)/lib/heddle/rtl-trace-L$(or $(LANES),8)-S$(or $(SLOTS),32)$(addprefix -U,$(filter-out 1,$(UNITS))).so
	HEDDLE_SIM_LANES=$(or $(LANES),8) HEDDLE_SIM_SLOTS=$(or $(SLOTS),32) HEDDLE_SIM_UNITS=$(or $(UNITS),1) HEDDLE_LOCKSTEP_SEED=$(or $(SEED),1) \
	  HEDDLE_LOCKSTEP_PROGRAMS=$(or $(N),100) $(LOCKSTEP) --jobs 1

TESTS += tests/lockstep/plantable.py
# Bugs planted in copies of the RTL, each of which lockstep must find. A minute or two of compiling for each.
TESTS_LONG += tests/lockstep/plant.py
tests/lockstep/plant.py: $(LOCKSTEP) $(VERILATED_RUNTIME)
