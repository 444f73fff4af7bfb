# SPDX-License-Identifier: Apache-2.0
# Tests of the golden model, and its speed figure.
MODEL_TEST_KERNELS := $(BUILD)/tests/model/mips_kernels

$(MODEL_TEST_KERNELS).bin: tests/model/mips_kernels.c
	@mkdir -p $(@D)
	$(CLANG) --target=riscv32-unknown-elf -march=rv32im_zicsr -mabi=ilp32 -O2 -ffreestanding -fno-builtin \
	  -Wall -Wextra -Werror -ffunction-sections -c $< -o $(MODEL_TEST_KERNELS).elf.o
	ld.lld-22 --no-relax -Ttext=0x10000 -e entry_vecadd \
	  $(MODEL_TEST_KERNELS).elf.o -o $(MODEL_TEST_KERNELS).elf
	llvm-objcopy-22 -O binary $(MODEL_TEST_KERNELS).elf $@

$(BUILD)/tests/model/mips.o: $(MODEL_TEST_KERNELS).bin
$(BUILD)/tests/model/mips.o: C_ALL += -DMIPS_KERNELS='"$(MODEL_TEST_KERNELS).bin"'

$(BUILD)/tests/model_mips: $(BUILD)/tests/model/mips.o $(MODEL_LIBRARY)
	$(CC) $(CFLAGS) $^ -o $@
