# SPDX-License-Identifier: Apache-2.0
# heddle-usb-board: a board on the USB of a QEMU guest. `make test-guest` installs libusbredirparser-dev, which it needs, and
# builds it; `make` does not.
USB_BOARD := $(BUILD)/bin/heddle-usb-board
$(USB_BOARD): $(patsubst %,$(BUILD)/sim/usb_board/%.o,usb_board redir descriptors) $(BUILD)/sim/link/options.o $(SIM_BYTE_LINK) $(MODEL_LIBRARY)
	@mkdir -p $(@D)
	$(LINK) $^ -o $@ -lusbredirparser -lz -lm -lpthread -ldl
USB_BOARD_PACKAGES := $(BUILD)/sim/usb_board/packages
$(USB_BOARD_PACKAGES): sim/usb_board/build.mk
	@.ci/setup --packages libusbredirparser-dev
	@mkdir -p $(@D) && touch $@
$(BUILD)/sim/usb_board/redir.o: | $(USB_BOARD_PACKAGES)
LINT_LEFT_OUT += $(if $(wildcard /usr/include/usbredirparser.h),,sim/usb_board/redir.c)
