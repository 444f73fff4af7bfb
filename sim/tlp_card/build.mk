# SPDX-License-Identifier: Apache-2.0
# The Verilated card, and a root complex for it: small, so that it is built and runs quickly.
TLP_CARD_PARAMETERS := LANES=2 SLOTS=4 GLOBAL_LOG2=20
TLP_CARD_SOURCES := $(RTL_SOURCES) $(wildcard rtl/pcie/*.v) rtl/boards/pcie_device.v
TLP_CARD_BLOCK := $(BUILD)/sim/tlp_card/block/block.a
$(TLP_CARD_BLOCK): $(TLP_CARD_SOURCES) sim/tlp_card/endpoint.cpp sim/tlp_card/endpoint.h
	$(call quietly,verilator) $(call verilate,$(@D),pcie_device,--prefix Vblock $(TLP_CARD_PARAMETERS:%=-G%),\
	  $(TLP_CARD_SOURCES),sim/tlp_card/endpoint.cpp,)
	@cd $(@D) && ar rcs block.a *.o

# What to link with $(RTL_CXX) for it.
TLP_CARD := $(BUILD)/sim/tlp_card/root_complex.o $(TLP_CARD_BLOCK) $(VERILATED_RUNTIME)
