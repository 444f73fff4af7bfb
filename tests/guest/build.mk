# SPDX-License-Identifier: Apache-2.0
# libheddle.so in a QEMU guest, and boards outside it that a real kernel stands between.
GUEST := $(BUILD)/tests/guest
GUEST_PACKAGES := $(GUEST)/packages
GUEST_SUITES := $(GUEST)/usb $(GUEST)/pcie

# What no other job needs, and few have; the kernel is only unpacked.
$(GUEST_PACKAGES): tests/guest/build.mk
	@.ci/setup --packages qemu-system-x86 busybox-static cpio kmod
	@mkdir -p $(@D) && touch $@
$(GUEST)/kernel/ready: tests/guest/fetch_kernel | $(GUEST_PACKAGES)
	@tests/guest/fetch_kernel $(@D)
	@touch $@

# For devices without floating point, too.
$(GUEST)/kernels.elf: tests/guest/kernels.cl tests/guest/build.mk $(BUILD)/bin/heddlec
	@mkdir -p $(@D)
	$(call quietly,heddlec) $(BUILD)/bin/heddlec -cl-std=CL3.0 --isa rv32ima_zicsr $< -o $@

GUEST_COMMON := tests/guest/guest tests/transport/board_checks tests/opencl/harness host/tools/checkout host/tools/error_name
$(GUEST_SUITES): %: %.o $(GUEST_COMMON:%=$(BUILD)/%.o)
	$(LINK) $^ -o $@ -lcriterion -lOpenCL -lmd -lm
$(GUEST)/usb: $(BUILD)/host/transport/usb_list.o

$(GUEST)/initramfs: tests/guest/initramfs.py tests/guest/init $(GUEST_SUITES) $(GUEST)/kernels.elf $(HOST_LIBRARY) $(GUEST)/kernel/ready
	$(call quietly,cpio) $(PYTHON) $< $@ $(GUEST)/kernel $(BUILD) $(GUEST_SUITES)

# The library for aarch64 in a guest whose processor has a device on its bus.
GUEST_ARM := $(GUEST)/aarch64
GUEST_ARM_HOST := $(BUILD)/no-compiler-aarch64-linux-gnu
$(GUEST_ARM)/packages: tests/guest/build.mk
	@.ci/setup --packages qemu-system-arm cpio gcc-aarch64-linux-gnu libc6-dev-arm64-cross
	@mkdir -p $(@D) && touch $@
$(GUEST_ARM)/kernel/ready: tests/guest/uio/fetch tests/guest/uio/heddle_uio.c | $(GUEST_ARM)/packages
	@tests/guest/uio/fetch $(@D)
	@touch $@
$(GUEST_ARM)/program: tests/guest/uio/program.c | $(GUEST_ARM)/packages
	@mkdir -p $(@D)
	$(call quietly,ld) aarch64-linux-gnu-gcc -O2 $(C_STANDARD) $(C_WARNINGS) $(C_DEFINES) -idirafter /usr/include $< -o $@ -ldl
.PHONY: guest-arm-library
guest-arm-library: | $(GUEST_ARM)/packages
	@+$(MAKE) --no-print-directory HEDDLE_NO_COMPILER=1 HOST=aarch64-linux-gnu BUILD=$(GUEST_ARM_HOST)
$(GUEST_ARM)/initramfs: tests/guest/uio/initramfs.py tests/guest/uio/init $(GUEST_ARM)/program $(GUEST)/kernels.elf $(GUEST_ARM)/kernel/ready guest-arm-library
	$(call quietly,cpio) $(PYTHON) $< $@ $(GUEST_ARM)/kernel $(GUEST_ARM_HOST)/lib/libheddle.so $(GUEST_ARM)/program $(GUEST)/kernels.elf
# It needs the headers of a kernel.
LINT_LEFT_OUT += tests/guest/uio/heddle_uio.c

.PHONY: test-guest test-guest-uio
test-guest-uio: $(GUEST_ARM)/initramfs $(BUS_DEVICE) ## Of test-guest, the device on the bus of an aarch64 guest's processor
	@tests/run --logs $(BUILD)/tests/logs --jobs 1 --timeout 900 tests/guest/uio.py
test-guest: all $(GUEST)/initramfs $(GUEST_ARM)/initramfs $(BUS_DEVICE) $(USB_BOARD) $(PCIE_CARD) ## The library in a QEMU guest, boards outside; some minutes. Installs QEMU, fetches Debian's kernel
	@tests/run --logs $(BUILD)/tests/logs --jobs 1 --timeout 900 tests/guest/programs.py tests/guest/usb.py tests/guest/pcie.py tests/guest/uio.py
