# SPDX-License-Identifier: Apache-2.0
# The golden model: a static library that the host library and tests link.
MODEL_SOURCES := $(wildcard sim/model/*.c)
MODEL_OBJECTS := $(MODEL_SOURCES:%.c=$(BUILD)/%.o)
MODEL_LIBRARY := $(BUILD)/lib/libheddle_model.a

ifeq ($(shell uname -m),x86_64)
$(BUILD)/sim/model/execute_avx2.o: C_ALL += -mavx2
endif

$(MODEL_LIBRARY): $(MODEL_OBJECTS)
	@mkdir -p $(@D)
	@rm -f $@
	$(call quietly,ar) ar rcs $@ $^

all: $(MODEL_LIBRARY)
