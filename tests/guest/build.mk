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

.PHONY: test-guest
test-guest: all $(GUEST)/initramfs $(USB_BOARD) $(PCIE_CARD) ## The library in a QEMU guest, boards outside; some minutes. Installs QEMU, fetches Debian's kernel
	@tests/run --logs $(BUILD)/tests/logs --jobs 1 --timeout 900 tests/guest/programs.py tests/guest/usb.py tests/guest/pcie.py
