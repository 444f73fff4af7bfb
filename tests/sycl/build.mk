# SPDX-License-Identifier: Apache-2.0
# Tests of SYCL: Criterion suites in C++ that heddle-sycl++ compiles as it does a user's program, on RTL and golden model.
SYCL_TESTS := sub_group groups kernels
$(SYCL_TESTS:%=$(BUILD)/tests/sycl_%): $(BUILD)/tests/sycl_%: tests/sycl/%.cpp tests/sycl/suite.hpp $(SYCL_PRODUCTS) $(HLS_PRODUCTS)
	@mkdir -p $(@D)
	$(call quietly,sycl) $(BUILD)/bin/heddle-sycl++ -O1 -Wall -Wextra -Werror -I. $< -o $@ -lcriterion

TESTS += $(foreach test,$(SYCL_TESTS),$(foreach device,sim model,$(BUILD)/tests/sycl_$(test)$(comma)HEDDLE_SYCL_DEVICE=$(device)))
TESTS += tests/sycl/diagnostics.py
