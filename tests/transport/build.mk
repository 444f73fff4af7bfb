# SPDX-License-Identifier: Apache-2.0
# Devices behind a link, simulated at their pins: as an OpenCL program sees them, and the link alone.
TRANSPORT_SERIAL := $(BUILD)/tests/transport/serial
$(TRANSPORT_SERIAL): %: %.o $(BUILD)/tests/transport/simulated_board.o $(OPENCL_COMMON)
	$(LINK) $^ -o $@ -lcriterion -lOpenCL -lmd -lm
$(TRANSPORT_SERIAL): | $(BUILD)/bin/heddle-board
TESTS += $(TRANSPORT_SERIAL)

# The link, with rows of 16 and of 32 bytes.
LINK_ROWS := 4 5
LINK_TESTS := $(LINK_ROWS:%=$(BUILD)/tests/transport_link-%)
link_parameters = GLOBAL_LOG2=20 ROW_LOG2=$(1) DIVISOR=4
$(foreach r,$(LINK_ROWS),$(eval $(BUILD)/tests/transport/link-$(r)/block.a: $(wildcard rtl/link/*.v) tests/transport/link_bench.v \
  tests/transport/link_bench.cpp tests/transport/link_bench.h sim/serial_board/serial_pins.h))
$(LINK_ROWS:%=$(BUILD)/tests/transport/link-%/block.a): $(BUILD)/tests/transport/link-%/block.a:
	$(call quietly,verilator) $(call verilate,$(@D),link_bench,--prefix Vblock $(patsubst %,-G%,$(call link_parameters,$*)),\
	  $(wildcard rtl/link/*.v) tests/transport/link_bench.v,tests/transport/link_bench.cpp,$(patsubst %,-D%,$(call link_parameters,$*)))
	@cd $(@D) && ar rcs block.a *.o
$(LINK_ROWS:%=$(BUILD)/tests/transport/link-%.o): $(BUILD)/tests/transport/link-%.o: tests/transport/link.c
	@mkdir -p $(@D)
	$(call quietly,cc) $(CC) $(C_ALL) $(patsubst %,-D%,$(call link_parameters,$*)) -c $< -o $@
$(LINK_TESTS): $(BUILD)/tests/transport_link-%: $(BUILD)/tests/transport/link-%.o $(BUILD)/host/transport/frames.o $(BUILD)/host/device/error.o \
  $(BUILD)/tests/transport/link-%/block.a $(VERILATED_RUNTIME)
	$(call quietly,ld) $(RTL_CXX) $^ -o $@ -lcriterion -lz -lm -lpthread
TESTS += $(LINK_TESTS)
LINT_INCLUDES += -DGLOBAL_LOG2=20 -DROW_LOG2=5 -DDIVISOR=4
