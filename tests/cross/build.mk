# SPDX-License-Identifier: Apache-2.0
# Cross-compiled libraries: what they have in place of packages (in make test), and the whole, under qemu-user (make test-cross).
CROSS_HASHES := $(BUILD)/tests/cross/hashes
$(BUILD)/tests/cross/own_%.o: host/cross/%.c
	@mkdir -p $(@D)
	$(call quietly,cc) $(CC) $(C_ALL) $(patsubst %,-D%,$(foreach name,SHA256Init SHA256Update SHA256Final crc32,$(name)=cross_$(name))) -c $< -o $@
$(CROSS_HASHES): %: %.o $(patsubst %,$(BUILD)/tests/cross/own_%.o,sha256 crc32)
	$(LINK) $^ -o $@ -lcriterion -lmd -lz
TESTS += $(CROSS_HASHES)

# $(BUILD)/no-compiler-HOST is what make HEDDLE_NO_COMPILER=1 HOST=… makes. The stem is the host.
$(BUILD)/no-compiler-%/tests/cross/program: tests/cross/program.c $(SETUP)
	@+$(MAKE) --no-print-directory HEDDLE_NO_COMPILER=1 HOST=$* BUILD=$(BUILD)/no-compiler-$*
	@mkdir -p $(@D) $(BUILD)/no-compiler-$*/host/cross-loader
	@ln -sf ../cross/libOpenCL.so $(BUILD)/no-compiler-$*/host/cross-loader/libOpenCL.so.1
	$(call quietly,ld) $*-gcc -O2 $(C_STANDARD) $(C_WARNINGS) $(C_DEFINES) -idirafter /usr/include $< -o $@ -ldl

.PHONY: test-cross
test-cross: all $(HOSTS:%=$(BUILD)/no-compiler-%/tests/cross/program) ## The embedded library for aarch64 and riscv64, under qemu-user. Installs cross compilers (280 MB)
	@tests/run --logs $(BUILD)/tests/logs $(HOSTS:%=tests/cross/cross.py$(comma)HEDDLE_TEST_HOST=%)
