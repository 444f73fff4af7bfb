# SPDX-License-Identifier: Apache-2.0
# A device on the bus of a QEMU guest's processor: a plugin of QEMU. (sim/link and sim/model say what these files are, further on.)
BUS_DEVICE := $(BUILD)/sim/bus_device/bus_device.so
$(BUS_DEVICE): $(BUILD)/sim/bus_device/bus_device.o $(BUILD)/sim/link/bus_model.o $(BUILD)/lib/libheddle_model.a
	$(LINK) -shared -Wl,-Bsymbolic $^ -o $@ -lm -lpthread
