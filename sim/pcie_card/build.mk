# SPDX-License-Identifier: Apache-2.0
# heddle-pcie-card: a card on the PCIe of a QEMU guest.
PCIE_CARD := $(BUILD)/bin/heddle-pcie-card
$(PCIE_CARD): $(patsubst %,$(BUILD)/sim/pcie_card/%.o,pcie_card ivshmem) $(BUILD)/sim/link/options.o $(SIM_PCIE_LINK) $(MODEL_LIBRARY)
	@mkdir -p $(@D)
	$(LINK) $^ -o $@ -lm -lpthread -ldl
all: $(PCIE_CARD)
