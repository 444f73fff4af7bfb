# SPDX-License-Identifier: Apache-2.0
# The golden model: a static library that the host library and tests link.
MODEL_SOURCES := $(wildcard sim/model/*.c)
MODEL_OBJECTS := $(MODEL_SOURCES:%.c=$(BUILD)/%.o)
MODEL_LIBRARY := $(BUILD)/lib/libheddle_model.a

# Floats: nothing is fused or computed by the compiler that the program does not say. The interpreter never looks at the
# host's exception flags, float.c does.
$(MODEL_OBJECTS): C_ALL += -ffp-contract=off -frounding-math -fno-math-errno
$(BUILD)/sim/model/execute%.o: C_ALL += -fno-trapping-math

ifeq ($(shell uname -m),x86_64)
$(BUILD)/sim/model/execute_avx2.o: C_ALL += -mavx2 -mfma
endif

$(MODEL_LIBRARY): $(MODEL_OBJECTS)
	@mkdir -p $(@D)
	@rm -f $@
	$(call quietly,ar) ar rcs $@ $^

all: $(MODEL_LIBRARY)
