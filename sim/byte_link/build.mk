# SPDX-License-Identifier: Apache-2.0
# What links a board with a byte link that is the golden model: these objects, $(MODEL_LIBRARY), -lz and -lpthread.
BYTE_LINK_OBJECTS := $(patsubst %,$(BUILD)/sim/byte_link/%.o,link_model model_board)
