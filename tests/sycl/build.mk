# SPDX-License-Identifier: Apache-2.0
# Tests of SYCL: Criterion suites in C++ that heddle-sycl++ compiles as it does a user's program, on RTL and golden model.
SYCL_TESTS := sub_group groups hierarchical pipes items indices buffers images kernels sizes runtime interop work_groups reductions maths marrays common_interface cycles
$(SYCL_TESTS:%=$(BUILD)/tests/sycl_%): $(BUILD)/tests/sycl_%: tests/sycl/%.cpp tests/sycl/suite.hpp $(SYCL_PRODUCTS) $(HLS_PRODUCTS)
	@mkdir -p $(@D)
	$(call quietly,sycl) $(BUILD)/bin/heddle-sycl++ -O1 -Wall -Wextra -Werror -I. $< $(filter %.o,$^) -o $@ -lcriterion -lOpenCL
$(BUILD)/tests/sycl_images: $(BUILD)/tests/hls/image_reference.o

# The kernels of hardware.cpp and hardware_pipes.cpp as pipelines, and the devices of them: one has at most 15.
SYCL_HARDWARE := $(BUILD)/tests/sycl_hardware $(BUILD)/tests/sycl_hardware_pipes
$(BUILD)/tests/sycl_hardware: HARDWARE_OPTIONS := --copies histogram=2
$(SYCL_HARDWARE): $(BUILD)/tests/sycl_%: tests/sycl/%.cpp tests/sycl/hardware.hpp tests/sycl/suite.hpp $(SYCL_PRODUCTS) $(HLS_PRODUCTS)
	@mkdir -p $(@D)
	$(call quietly,sycl) $(BUILD)/bin/heddle-sycl++ -O1 -Wall -Wextra -Werror -I. -DDEVICE_OF_KERNELS='"$@"' --hardware $(HARDWARE_OPTIONS) $< -o $@ -lcriterion -lOpenCL
$(SYCL_HARDWARE:%=%.so): %.so: % $(PIPELINES_FROM)
	$(call quietly,verilator) $(call pipelines_device,$*.hw,$(BUILD)/tests/pipeline/devices,8,$@)
TESTS += $(SYCL_HARDWARE)
test test-long: $(SYCL_HARDWARE:%=%.so)

SYCL_DEVICES := sim model
TESTS += $(foreach test,$(filter-out cycles maths marrays,$(SYCL_TESTS)),$(foreach device,$(SYCL_DEVICES),$(BUILD)/tests/sycl_$(test)$(comma)HEDDLE_SYCL_DEVICE=$(device)))
# With checks of kernels: the suites have no mistakes with memory.
TESTS += $(foreach test,buffers groups hierarchical images sub_group reductions items,$(BUILD)/tests/sycl_$(test)$(comma)HEDDLE_SYCL_DEVICE=model$(comma)HEDDLE_CHECK=1)
TESTS += $(BUILD)/tests/sycl_cycles$(comma)HEDDLE_SYCL_DEVICE=sim
# The golden model with 32 lanes has work-groups of 1,024.
TESTS += $(BUILD)/tests/sycl_work_groups$(comma)HEDDLE_SYCL_DEVICE=model$(comma)HEDDLE_SIM_LANES=32
# The functions themselves are tested on RTL by tests/maths: here it would take a minute.
TESTS += $(foreach test,maths marrays,$(BUILD)/tests/sycl_$(test)$(comma)HEDDLE_SYCL_DEVICE=model)
TESTS += tests/sycl/diagnostics.py
TESTS += tests/sycl/default_size.py
TESTS += tests/sycl/examples.py tests/sycl/checks.py
TESTS += tests/sycl/programs.py
