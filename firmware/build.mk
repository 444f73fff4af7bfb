# SPDX-License-Identifier: Apache-2.0
# The command processor's program: $(BUILD)/firmware/firmware.bin, and image.o that holds it for the host library and tests.
# -O2 rather than -Os: the way of a dispatch is some instructions shorter, and there is room.
FIRMWARE := $(BUILD)/firmware
FIRMWARE_OBJECT := $(FIRMWARE)/image.o
FIRMWARE_FLAGS := -march=rv32i_zicsr -mabi=ilp32 -O2 -std=c11 -ffreestanding -fno-builtin \
  -fno-jump-tables -fno-asynchronous-unwind-tables -I. -Wall -Wextra -Werror
# By LLVM, or by GNU tools where none of LLVM is wanted (5 % longer).
FIRMWARE_CC := $(if $(NO_COMPILER),riscv64-unknown-elf-gcc,$(CLANG) --target=riscv32-unknown-elf)
FIRMWARE_LD := $(if $(NO_COMPILER),riscv64-unknown-elf-ld -m elf32lriscv,ld.lld-22)
FIRMWARE_OBJCOPY := $(if $(NO_COMPILER),riscv64-unknown-elf-objcopy,llvm-objcopy-22)

$(FIRMWARE)/%.riscv.o: firmware/%.c firmware/build.mk
	@mkdir -p $(@D)
	$(call quietly,cc) $(FIRMWARE_CC) $(FIRMWARE_FLAGS) -MMD -MP -MF $(@:.o=.d) -MT $@ -c $< -o $@

# The reader of device queues is the driver's, too. Here it reaches memory by loads and stores.
$(FIRMWARE)/enqueued.riscv.o: FIRMWARE_FLAGS += -include firmware/enqueued_memory.h
$(FIRMWARE)/%.riscv.o: contract/%.c firmware/build.mk
	@mkdir -p $(@D)
	$(call quietly,cc) $(FIRMWARE_CC) $(FIRMWARE_FLAGS) -MMD -MP -MF $(@:.o=.d) -MT $@ -c $< -o $@

# The linker refuses what does not fit.
$(FIRMWARE)/firmware.elf: $(FIRMWARE)/main.riscv.o $(FIRMWARE)/enqueued.riscv.o $(FIRMWARE)/transfer.riscv.o firmware/firmware.ld
	$(call quietly,ld) $(FIRMWARE_LD) --fatal-warnings -T firmware/firmware.ld $(filter %.o,$^) -o $@

$(FIRMWARE)/firmware.bin: $(FIRMWARE)/firmware.elf
	$(call quietly,objcopy) $(FIRMWARE_OBJCOPY) -O binary $< $@

$(FIRMWARE_OBJECT): $(FIRMWARE)/firmware.bin
$(FIRMWARE_OBJECT): C_ALL += -DFIRMWARE_IMAGE='"$(FIRMWARE)/firmware.bin"'
LINT_INCLUDES += -DFIRMWARE_IMAGE=\"\"
