# SPDX-License-Identifier: Apache-2.0
# Tests of the golden model, and its speed figure.
MODEL_TESTS := atomics collectives device faults scalar_judge threads units walker
MODEL_TEST_HELPERS := $(BUILD)/tests/model/machine.o
TESTS += $(MODEL_TESTS:%=$(BUILD)/tests/model_%) $(MODEL_TESTS:%=$(BUILD)/tests/model_%$(comma)HEDDLE_MODEL_PORTABLE=1)

$(MODEL_TESTS:%=$(BUILD)/tests/model_%): $(BUILD)/tests/model_%: $(BUILD)/tests/model/%.o $(MODEL_TEST_HELPERS) \
  $(MODEL_LIBRARY)
	$(LINK) $^ -lcriterion -lm -o $@

MODEL_MIPS_KERNELS := $(BUILD)/tests/model/mips_kernels
$(MODEL_MIPS_KERNELS).bin: tests/model/mips_kernels.c
	@mkdir -p $(@D)
	$(CLANG) --target=riscv32-unknown-elf -march=rv32im_zicsr -mabi=ilp32 -O2 -ffreestanding -fno-builtin \
	  -Wall -Wextra -Werror -c $< -o $(MODEL_MIPS_KERNELS).elf.o
	ld.lld-22 --no-relax --section-start=.entry=0x10000 -Ttext=0x11000 -e entry_vecadd $(MODEL_MIPS_KERNELS).elf.o -o $(MODEL_MIPS_KERNELS).elf
	llvm-objcopy-22 -O binary $(MODEL_MIPS_KERNELS).elf $@

$(BUILD)/tests/model/mips.o: $(MODEL_MIPS_KERNELS).bin
$(BUILD)/tests/model/mips.o: C_ALL += -DMIPS_KERNELS='"$(MODEL_MIPS_KERNELS).bin"'

$(BUILD)/tests/model_mips: $(BUILD)/tests/model/mips.o $(MODEL_LIBRARY)
	$(LINK) $^ -lm -o $@
