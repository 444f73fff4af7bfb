# SPDX-License-Identifier: Apache-2.0
# rtl/axi by itself in Icarus Verilog; then suites on simulated devices whose memory and control go over it.
TESTS += tests/axi/axi.py

AXI_DEVICES := $(BUILD)/lib/heddle/axi
AXI_SHAPE := HEDDLE_TEST_DEVICE=sim$(comma)HEDDLE_RTL_DIR=$(AXI_DEVICES)$(comma)HEDDLE_SIM_LANES=4$(comma)HEDDLE_SIM_SLOTS=8
# $(call axi_dispatch,SUITES,DEVICE)
axi_dispatch = $(foreach s,$(1),$(BUILD)/tests/dispatch_$(s)$(comma)HEDDLE_DISPATCH_ON_BUS=1$(comma)HEDDLE_DISPATCH_RTL=$(AXI_DEVICES)/$(2)$(comma)HEDDLE_SIM_LANES=4$(comma)HEDDLE_SIM_SLOTS=8)
TESTS += $(foreach s,memory ndrange,$(BUILD)/tests/opencl/$(s)$(comma)$(AXI_SHAPE)) \
  $(BUILD)/tests/opencl/memory$(comma)$(AXI_SHAPE)$(comma)HEDDLE_SIM_UNITS=2 \
  $(call axi_dispatch,memory_error waiting,rtl-L4-S8.so) \
  $(call axi_dispatch,memory_error,rtl-L4-S8-U2.so)$(comma)HEDDLE_SIM_UNITS=2 \
  $(call axi_dispatch,random_commands,rtl-L4-S8-P.so)$(comma)HEDDLE_SIM_PROCESSOR=1$(comma)HEDDLE_COMMANDS=200
TESTS_LONG += $(call axi_dispatch,commands,rtl-L4-S8-P.so)$(comma)HEDDLE_SIM_PROCESSOR=1 \
  $(foreach s,collectives atomics,$(BUILD)/tests/opencl/$(s)$(comma)$(AXI_SHAPE)$(comma)HEDDLE_SIM_UNITS=2)
test test-long: $(patsubst %,$(AXI_DEVICES)/rtl-L4-S8%,.so -P.so -U2.so)
