# SPDX-License-Identifier: Apache-2.0
# Tests of heddlec and of its built-in library, the latter run on the golden model.
HLS_TESTS := hardware hardware_report hardware_fit isa defined stack options objects diagnostics kernel_file layout work_items maths conversions half half_functions double double_maths double_vectors integers extended_integers runtime runtime_double soft_double fuzz together pipes device_queue images element_order indexed
HLS_TEST_HELPERS := $(addprefix $(BUILD)/tests/hls/,compiler.o kernel_file_reader.o code_order.o device.o halves.o doubles.o random.o expressions.o truths.o vector_functions.o image_reference.o) $(BUILD)/contract/image_format.o
TESTS += $(HLS_TESTS:%=$(BUILD)/tests/hls_%)
# And in software what the default ISA does in hardware.
HLS_SOFT_TESTS := maths conversions half half_functions integers defined extended_integers
TESTS += $(BUILD)/tests/hls_double$(comma)HEDDLE_TEST_ISA=rv32i_zicsr
TESTS += $(HLS_SOFT_TESTS:%=$(BUILD)/tests/hls_%$(comma)HEDDLE_TEST_ISA=rv32i_zicsr) $(BUILD)/tests/hls_integers$(comma)HEDDLE_TEST_ISA=rv32im_zicsr
# A smaller selection on the Verilated device.
TESTS += $(BUILD)/tests/hls_images$(comma)HEDDLE_TEST_RTL=$(BUILD)/lib/heddle/rtl-L8-S32.so
$(BUILD)/tests/hls_images: | $(BUILD)/lib/heddle/rtl-L8-S32.so
TESTS_LONG += $(BUILD)/tests/hls_images$(comma)HEDDLE_TEST_ISA=rv32i_zicsr
TESTS_LONG += $(patsubst %,$(BUILD)/tests/hls_%$(comma)HEDDLE_TEST_ISA=rv32im_zicsr,$(filter-out integers,$(HLS_SOFT_TESTS)))

# Every overload of every built-in function, called once.
TESTS += tests/hls/overloads.py

# Random SPIR-V.
TESTS += tests/hls/spirv_modules.py

$(BUILD)/tests/hls/%.o: C_DEFINES += -DBUILD='"$(BUILD)"'
LINT_INCLUDES += -DBUILD=\"$(BUILD)\"
$(BUILD)/tests/hls_objects: $(patsubst %,$(BUILD)/contract/%.o,object_file error)
$(HLS_TESTS:%=$(BUILD)/tests/hls_%): $(BUILD)/tests/hls_%: $(BUILD)/tests/hls/%.o $(HLS_TEST_HELPERS) $(MODEL_LIBRARY) \
  | $(HLS_PRODUCTS)
	$(LINK) $(filter %.o %.a,$^) -lcriterion -lmd -lm -ldl -o $@
