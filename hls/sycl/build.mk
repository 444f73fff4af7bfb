# SPDX-License-Identifier: Apache-2.0
# $(BUILD)/bin/heddle-sycl-link. What looks at LLVM IR and writes object files is heddlec's.
SYCL_LINK_OBJECTS := $(patsubst %.c,$(BUILD)/%.o,$(wildcard hls/sycl/*.c))

$(BUILD)/bin/heddle-sycl-link: $(SYCL_LINK_OBJECTS) $(patsubst %,$(BUILD)/%.o,hls/ir hls/more_arguments hls/loop_options hls/kernel_hints hls/checks hls/checks_indices hls/checks_returns hls/checks_variables hls/counters hls/object hls/scratch hls/child hls/data hls/strings \
  $(patsubst %,contract/%,object_file error isa jail program work_folder))
	@mkdir -p $(@D)
	$(LINK) $^ $(HLS_LLVM_LIBRARIES) -lmd -o $@
