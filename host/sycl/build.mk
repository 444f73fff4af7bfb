# SPDX-License-Identifier: Apache-2.0
# SYCL: $(BUILD)/bin/heddle-sycl++, the headers in $(BUILD)/include/heddle-sycl, the run-time library
# $(BUILD)/lib/libheddle-sycl.a. heddle-sycl-link, which heddle-sycl++ runs, is of hls/sycl.
# The run-time library and the headers. They are read by clang only: they use what it has for SYCL.
SYCL_CXX := clang++-22
SYCL_HEADERS := $(patsubst host/sycl/include/%,%,$(wildcard host/sycl/include/*/*.hpp host/sycl/include/*/*/*.hpp host/sycl/include/*/*/*/*.hpp))
SYCL_CXX_FLAGS := -std=c++17 -Xclang -fsycl-is-host -DHEDDLE_SYCL_UNIT=0 -O2 -g $(PREFIX_MAP) -fPIC -Wall -Wextra -Wno-unused-parameter -Werror \
  -DCL_TARGET_OPENCL_VERSION=300 -I. -Ihost/include -Ihost/sycl/include
SYCL_RUNTIME := $(BUILD)/lib/libheddle-sycl.a

$(BUILD)/host/sycl/runtime/%.o: host/sycl/runtime/%.cpp
	@mkdir -p $(@D)
	$(call quietly,c++) $(SYCL_CXX) $(SYCL_CXX_FLAGS) -MMD -MP -c $< -o $@

$(SYCL_RUNTIME): $(patsubst %.cpp,$(BUILD)/%.o,$(wildcard host/sycl/runtime/*.cpp))
	@mkdir -p $(@D)
	@echo '  ar $@'; rm -f $@; ar rcs $@ $^

$(BUILD)/include/heddle-sycl/%.hpp: host/sycl/include/%.hpp
	@mkdir -p $(@D)
	@cp $< $@

$(BUILD)/bin/heddle-sycl++: host/sycl/heddle-sycl++
	@mkdir -p $(@D)
	@cp $< $@

SYCL_PRODUCTS := $(BUILD)/bin/heddle-sycl-link $(BUILD)/bin/heddle-sycl++ $(SYCL_RUNTIME) $(SYCL_HEADERS:%=$(BUILD)/include/heddle-sycl/%)

# As a user compiles them.
SYCL_EXAMPLES := $(patsubst host/sycl/examples/%.cpp,$(BUILD)/bin/sycl-%,$(wildcard host/sycl/examples/*.cpp))
$(BUILD)/bin/sycl-%: host/sycl/examples/%.cpp host/sycl/examples/example.hpp $(BUILD)/host/tools/checkout.o $(TOOL_VERSION) $(SYCL_PRODUCTS) $(HLS_PRODUCTS)
	$(call quietly,sycl) $(BUILD)/bin/heddle-sycl++ -O2 -Wall -Wextra -Werror $< $(BUILD)/host/tools/checkout.o $(TOOL_VERSION) -o $@

.PHONY: sycl
sycl: $(SYCL_PRODUCTS) $(HLS_PRODUCTS) $(SYCL_EXAMPLES)
all: sycl
INSTALLED += $(foreach program,heddle-sycl++ heddle-sycl-link,755$(comma)$(BUILD)/bin/$(program)$(comma)$(PREFIX)/bin/$(program))
INSTALLED += 644,$(SYCL_RUNTIME),$(PREFIX)/lib/libheddle-sycl.a
INSTALLED += $(foreach file,$(SYCL_HEADERS),644$(comma)$(BUILD)/include/heddle-sycl/$(file)$(comma)$(PREFIX)/include/heddle-sycl/$(file))
