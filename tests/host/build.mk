# SPDX-License-Identifier: Apache-2.0
# Tests of the host side. The library's objects are linked in; a fake device stands in for the golden model, so no compiler
# and no simulator is needed. Everything is built a second time with AddressSanitizer and UBSan.
HOST_TEST_CFLAGS := $(if $(SANITIZE),,-fsanitize=address,undefined -fno-sanitize-recover=all)
HOST_TEST_DIR := $(BUILD)/tests/host
HOST_TEST_LIBRARY := $(HOST_SOURCES:%.c=$(HOST_TEST_DIR)/%.o) $(HOST_FIRMWARE)
HOST_TEST_HELPERS := $(HOST_TEST_DIR)/tests/host/elf_builder.o $(HOST_TEST_DIR)/tests/host/fake_device.o
HOST_TESTS := lying_boards kernel_file object_file fat_binary spirv cache allocator driver api device_queries errors pipes ndrange printf figures device_queue
HOST_TESTS += boxes schedule chains
TESTS += $(HOST_TESTS:%=$(BUILD)/tests/host_%)

$(BUILD)/tests/host_figures: $(TOOL_COMMON)
$(BUILD)/tests/host_device_queries: $(HOST_TEST_DIR)/tests/query_table.o
$(BUILD)/tests/host_errors: $(HOST_TEST_DIR)/host/tools/error_name.o
$(HOST_TEST_DIR)/host/observe/report.o: host/observe/report.html
$(HOST_TEST_DIR)/%.o: %.c
	@mkdir -p $(@D)
	$(call quietly,cc) $(CC) $(C_ALL) -Ihost/include $(HOST_TEST_CFLAGS) -c $< -o $@

$(HOST_TESTS:%=$(BUILD)/tests/host_%): $(BUILD)/tests/host_%: $(HOST_TEST_DIR)/tests/host/%.o $(HOST_TEST_HELPERS) \
  $(HOST_TEST_LIBRARY)
	$(LINK) $(HOST_TEST_CFLAGS) $^ -o $@ -lcriterion -lmd -lz -ldl -lpthread -lm

# Commands need a device that runs kernels: the golden model, with and without a command processor.
TESTS += $(foreach p,0 1,$(BUILD)/tests/host_commands$(comma)HEDDLE_SIM_PROCESSOR=$(p))
$(BUILD)/tests/host_commands: $(HOST_TEST_DIR)/tests/host/commands.o $(HOST_TEST_LIBRARY) $(MODEL_LIBRARY)
	$(LINK) $(HOST_TEST_CFLAGS) $^ -o $@ -lcriterion -lmd -lz -ldl -lpthread -lm
