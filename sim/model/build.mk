# SPDX-License-Identifier: Apache-2.0
# The golden model: a static library that the host library and tests link.
# For embedded hosts without the checker of kernels, which is for those who write them, and on one thread.
MODEL_SOURCES := $(filter-out $(if $(NO_COMPILER),sim/model/check% sim/model/parallel.c),$(wildcard sim/model/*.c))
MODEL_OBJECTS := $(MODEL_SOURCES:%.c=$(BUILD)/%.o)
MODEL_LIBRARY := $(BUILD)/lib/libheddle_model.a

# Floats: nothing is fused that the program does not fuse. float.c changes the host's rounding mode;
# the interpreter only ever rounds to nearest even, as the compiler does, and is free to make vectors.
$(MODEL_OBJECTS): C_ALL += -ffp-contract=off -fno-math-errno
$(BUILD)/sim/model/float.o: C_ALL += -frounding-math
$(BUILD)/sim/model/execute%.o: C_ALL += -fno-trapping-math

ifdef NO_COMPILER
$(MODEL_OBJECTS): C_ALL += -DMODEL_WITHOUT_CHECKS -DMODEL_ONE_THREAD
endif

# For embedded hosts it is small rather than fast: one interpreter for sub-groups of every size, without AVX. So it is with
# sanitizers, which would take minutes to compile the others, and for the few x86-64 hosts without AVX2.
ifneq ($(NO_COMPILER)$(SANITIZE),)
$(MODEL_OBJECTS): C_ALL += -DMODEL_SMALL
else ifeq ($(shell uname -m),x86_64)
$(BUILD)/sim/model/execute.o: C_ALL += -DMODEL_SMALL
$(BUILD)/sim/model/execute_avx2.o: C_ALL += -mavx2 -mfma
endif

$(MODEL_LIBRARY): $(MODEL_OBJECTS)
	@mkdir -p $(@D)
	@rm -f $@
	$(call quietly,ar) $(AR) rcs $@ $^

all: $(MODEL_LIBRARY)
