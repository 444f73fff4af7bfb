# SPDX-License-Identifier: Apache-2.0
# What links a simulated device behind a link: these objects and $(MODEL_LIBRARY), -lm, -ldl; for the byte link -lz and -lpthread, too.
SIM_BYTE_LINK := $(patsubst %,$(BUILD)/sim/link/%.o,link_model model_board sim_board)
SIM_PCIE_LINK := $(patsubst %,$(BUILD)/sim/link/%.o,pcie_model sim_board)
SIM_BUS_LINK := $(BUILD)/sim/link/bus_model.o
