# SPDX-License-Identifier: Apache-2.0
# OpenCL suites: each runs on both devices, at every number of lanes.
OPENCL_SUITES := active_sets atomics collectives collective_types ndrange barriers control_flow arithmetic \
  sub_group_info faults build_errors memory events kernel_clock intel_subgroups forward_progress work_item_progress features double printf \
  pipes device_enqueue in_flight threads transfers images image_kernels random_images svm usm isolation shift_registers channels channel_waits odd_integers
# The same for double, which the library offers where HEDDLE_DOUBLE says so.
OPENCL_DOUBLE := active_sets collective_types intel_subgroups
# What is the host's and the compiler's matter: on the model only.
OPENCL_MODEL_ONLY := linking linking_errors headers binaries wrong_binaries cache cache_folder il limits queries feature_text
OPENCL_MODEL_ONLY += uniform_work_groups image_errors
# Promises of the host over a table of all commands.
OPENCL_TABLES := wait_lists event_callbacks references
# Extensions.
OPENCL_MODEL_ONLY += fork extension_calls extended_async_copies spirv_extensions spirv_images command_buffers
OPENCL_MODEL_ONLY += build_options log check
# Which need devices of several units.
OPENCL_UNITS := sub_devices
OPENCL_PIECES := $(OPENCL_MODEL_ONLY) $(OPENCL_UNITS) no_compiler
OPENCL_PROGRAMS := $(OPENCL_PIECES:%=$(BUILD)/tests/opencl/%) $(OPENCL_TABLES:%=$(BUILD)/tests/opencl/%) $(OPENCL_SUITES:%=$(BUILD)/tests/opencl/%) $(OPENCL_DOUBLE:%=$(BUILD)/tests/opencl/double_%)
OPENCL_COMMON := $(BUILD)/tests/opencl/harness.o $(BUILD)/tests/opencl/reference.o $(BUILD)/host/tools/checkout.o \
  $(BUILD)/host/tools/error_name.o
OPENCL_LANES := 1 2 4 8 16 32

$(OPENCL_PROGRAMS): %: %.o $(OPENCL_COMMON)
	$(LINK) $^ -o $@ -lcriterion -lOpenCL -lmd -lm

$(OPENCL_PIECES:%=$(BUILD)/tests/opencl/%): $(BUILD)/tests/opencl/pieces.o
$(BUILD)/tests/opencl/build_options: LINK += -rdynamic  # it has a function for the library, too
$(BUILD)/tests/opencl/cache $(BUILD)/tests/opencl/cache_folder: $(BUILD)/tests/opencl/own_cache.o
$(patsubst %,$(BUILD)/tests/opencl/%,$(OPENCL_TABLES) queries usm): $(BUILD)/tests/opencl/command_table.o
$(BUILD)/tests/opencl/queries: $(BUILD)/tests/query_table.o
# Hostile ones have headers that fit.
$(BUILD)/tests/opencl/binaries: $(patsubst %,$(BUILD)/contract/%.o,object_file error)

# The library for embedded hosts, beside the one for all others, and what it says, needs and does.
OPENCL_NO_COMPILER := $(BUILD)/no-compiler
.PHONY: no-compiler
no-compiler:
	@+$(MAKE) --no-print-directory HEDDLE_NO_COMPILER=1 BUILD=$(OPENCL_NO_COMPILER) host

$(BUILD)/tests/opencl/no_compiler: | no-compiler
$(BUILD)/tests/opencl/no_compiler.o: C_ALL += -DNO_COMPILER='"$(OPENCL_NO_COMPILER)"'
LINT_INCLUDES += -DNO_COMPILER=\"\"
TESTS += $(foreach v,sim model model$(comma)HEDDLE_SIM_LANES=32,$(BUILD)/tests/opencl/no_compiler$(comma)HEDDLE_TEST_DEVICE=$(v))

$(BUILD)/tests/opencl/double_%.o: tests/opencl/%.c
	@mkdir -p $(@D)
	$(call quietly,cc) $(CC) $(C_ALL) -DONLY_DOUBLE=1 -c $< -o $@

# What depends on the number of lanes runs at all of them; the rest at the default.
OPENCL_EVERY_LANES := active_sets atomics collectives collective_types ndrange barriers control_flow sub_group_info \
  intel_subgroups forward_progress work_item_progress
OPENCL_ONCE := $(filter-out $(OPENCL_EVERY_LANES),$(OPENCL_SUITES))
# Of images and pipes the RTL takes each way once, in `make test`.
OPENCL_ONCE_SHORT := images pipes
TESTS += $(foreach d,sim model,$(foreach s,$(OPENCL_ONCE),$(BUILD)/tests/opencl/$(s)$(comma)HEDDLE_TEST_DEVICE=$(d)$(if $(and $(filter sim,$(d)),$(filter $(OPENCL_ONCE_SHORT),$(s))),$(comma)HEDDLE_TEST_SHORT=short)))
opencl_at = $(2:%=$(BUILD)/tests/opencl/%$(comma)HEDDLE_TEST_DEVICE=$(1))
opencl_every_lanes := $(foreach d,sim model,$(foreach l,$(OPENCL_LANES),$(call opencl_at,$(d)$(comma)HEDDLE_SIM_LANES=$(l),$(OPENCL_EVERY_LANES))))
# The RTL with many lanes is slow: some take it one to four minutes each, and are smaller in `make test`. (At 8 lanes collectives are run whole
# with few slots, below.)
OPENCL_SHORT := $(call opencl_at,sim$(comma)HEDDLE_SIM_LANES=8,active_sets collectives) $(foreach l,16 32,$(call opencl_at,sim$(comma)HEDDLE_SIM_LANES=$(l),collectives))
OPENCL_LONG := $(call opencl_at,sim$(comma)HEDDLE_SIM_LANES=16,active_sets intel_subgroups forward_progress work_item_progress atomics ndrange collective_types) \
  $(call opencl_at,sim$(comma)HEDDLE_SIM_LANES=32,active_sets intel_subgroups forward_progress work_item_progress atomics ndrange collective_types)
# Shapes between others that `make test` has: 2 lanes of the RTL are there without multiplier, too (below), and between 1 and 4 lanes.
OPENCL_LONG += $(call opencl_at,sim$(comma)HEDDLE_SIM_LANES=2,active_sets intel_subgroups work_item_progress atomics collectives collective_types) \
  $(call opencl_at,model$(comma)HEDDLE_SIM_LANES=16,active_sets intel_subgroups collective_types)
TESTS += $(filter-out $(OPENCL_SHORT) $(OPENCL_LONG),$(opencl_every_lanes)) $(OPENCL_SHORT:%=%$(comma)HEDDLE_TEST_SHORT=short)
TESTS_LONG += $(OPENCL_LONG)
# Where the device moves all bytes, and where the host does.
TESTS += $(foreach d,sim model,$(BUILD)/tests/opencl/transfers$(comma)HEDDLE_TEST_DEVICE=$(d)$(comma)HEDDLE_DEVICE_TRANSFERS=1)
TESTS += $(BUILD)/tests/opencl/transfers$(comma)HEDDLE_TEST_DEVICE=model$(comma)HEDDLE_DEVICE_TRANSFERS=0
TESTS += $(foreach s,command_buffers events memory references wait_lists,$(BUILD)/tests/opencl/$(s)$(comma)HEDDLE_TEST_DEVICE=model$(comma)HEDDLE_DEVICE_TRANSFERS=1)
# Where the host starts each kernel: no command processor.
TESTS += $(BUILD)/tests/opencl/command_buffers$(comma)HEDDLE_TEST_DEVICE=model$(comma)HEDDLE_SIM_PROCESSOR=0
TESTS += $(foreach s,events faults in_flight memory,$(BUILD)/tests/opencl/$(s)$(comma)HEDDLE_TEST_DEVICE=sim$(comma)HEDDLE_SIM_PROCESSOR=0)
TESTS += $(foreach s,$(OPENCL_MODEL_ONLY) $(OPENCL_TABLES),$(BUILD)/tests/opencl/$(s)$(comma)HEDDLE_TEST_DEVICE=model)
TESTS += $(foreach s,wait_lists event_callbacks references,$(BUILD)/tests/opencl/$(s)$(comma)HEDDLE_TEST_DEVICE=model$(comma)HEDDLE_SIM_PROCESSOR=0)
TESTS += tests/opencl/every_name.py tests/opencl/channel_rounds.py
# Binaries that are wrong for one device and right for another.
TESTS += $(foreach v,model$(comma)HEDDLE_SIM_LANES=32 sim$(comma)HEDDLE_SIM_LANES=2$(comma)HEDDLE_SIM_ISA=rv32i,$(BUILD)/tests/opencl/wrong_binaries$(comma)HEDDLE_TEST_DEVICE=$(v))
# On devices without multiplier, floating point, atomics.
opencl_isa = $(2:%=$(BUILD)/tests/opencl/%$(comma)HEDDLE_TEST_DEVICE=sim$(comma)HEDDLE_SIM_LANES=2$(comma)HEDDLE_SIM_ISA=$(1))
TESTS += $(call opencl_isa,rv32i,active_sets arithmetic control_flow memory atomics collective_types features) \
  $(call opencl_isa,rv32im,arithmetic control_flow memory atomics features)
TESTS_LONG += $(call opencl_isa,rv32im,active_sets collective_types)
# More than 32 sub-groups in a work-group.
TESTS += $(BUILD)/tests/opencl/collective_types$(comma)HEDDLE_TEST_DEVICE=model$(comma)HEDDLE_SIM_LANES=4$(comma)HEDDLE_SIM_SLOTS=64
# And with few slots: work-groups of at most 32 work-items.
TESTS += $(foreach s,collectives ndrange barriers,$(BUILD)/tests/opencl/$(s)$(comma)HEDDLE_TEST_DEVICE=sim$(comma)HEDDLE_SIM_LANES=8$(comma)HEDDLE_SIM_SLOTS=4)
# And with several compute units, which share global memory, ids and what goes wrong.
OPENCL_THREE_UNITS := HEDDLE_SIM_LANES=4$(comma)HEDDLE_SIM_UNITS=3
TESTS += $(foreach d,model sim,$(call opencl_at,$(d)$(comma)$(OPENCL_THREE_UNITS),atomics collectives ndrange barriers forward_progress faults memory))
TESTS += $(call opencl_at,model$(comma)$(OPENCL_THREE_UNITS),printf pipes device_enqueue) $(call opencl_at,sim$(comma)$(OPENCL_THREE_UNITS)$(comma)HEDDLE_TEST_SHORT=short,pipes)
TESTS_LONG += $(call opencl_at,sim$(comma)$(OPENCL_THREE_UNITS),printf device_enqueue)
TESTS += $(foreach v,model model$(comma)HEDDLE_SIM_UNITS=8$(comma)HEDDLE_SIM_PROCESSOR=0 model$(comma)HEDDLE_SIM_LANES=4$(comma)HEDDLE_SIM_UNITS=3 sim$(comma)HEDDLE_SIM_LANES=4$(comma)HEDDLE_SIM_UNITS=3,\
  $(OPENCL_UNITS:%=$(BUILD)/tests/opencl/%$(comma)HEDDLE_TEST_DEVICE=$(v)))
TESTS += $(BUILD)/tests/opencl/references$(comma)HEDDLE_TEST_DEVICE=model$(comma)HEDDLE_SIM_UNITS=3
# Kernels that use pipes, and kernels that enqueue kernels, in small and large sub-groups; many that contend take the RTL long.
TESTS += $(foreach v,sim$(comma)HEDDLE_SIM_LANES=1 model$(comma)HEDDLE_SIM_LANES=1 model$(comma)HEDDLE_SIM_LANES=4 model$(comma)HEDDLE_SIM_LANES=32,$(BUILD)/tests/opencl/pipes$(comma)HEDDLE_TEST_DEVICE=$(v))
TESTS += $(foreach v,sim$(comma)HEDDLE_SIM_LANES=1 sim$(comma)HEDDLE_SIM_LANES=2 model$(comma)HEDDLE_SIM_LANES=1 model$(comma)HEDDLE_SIM_LANES=32,$(BUILD)/tests/opencl/device_enqueue$(comma)HEDDLE_TEST_DEVICE=$(v))
# Devices too small for a command processor.
TESTS += $(foreach s,events faults memory printf device_enqueue,$(BUILD)/tests/opencl/$(s)$(comma)HEDDLE_TEST_DEVICE=model$(comma)HEDDLE_SIM_PROCESSOR=0)
# With checks of kernels (HEDDLE_CHECK): the suites are free of mistakes with memory, but for those that need the RTL beside the model.
# A minute and a half of a processor are collectives of every type and active sets, which compile much and have no memory of their own.
OPENCL_CHECKED_LONG := collective_types active_sets
TESTS += $(foreach s,$(filter-out sub_group_info pipes faults build_errors double $(OPENCL_CHECKED_LONG),$(OPENCL_SUITES)) command_buffers extended_async_copies,$(call opencl_at,model$(comma)HEDDLE_CHECK=1,$(s)))
TESTS_LONG += $(call opencl_at,model$(comma)HEDDLE_CHECK=1,$(OPENCL_CHECKED_LONG))
# Features with double among them, and without atomics.
TESTS += $(foreach s,features feature_text,$(BUILD)/tests/opencl/$(s)$(comma)HEDDLE_TEST_DEVICE=model$(comma)HEDDLE_DOUBLE=1)
TESTS += $(BUILD)/tests/opencl/feature_text$(comma)HEDDLE_TEST_DEVICE=sim$(comma)HEDDLE_SIM_LANES=2$(comma)HEDDLE_SIM_ISA=rv32i
# Where many lanes print at once, doubles too; and without atomics.
TESTS += $(BUILD)/tests/opencl/printf$(comma)HEDDLE_TEST_DEVICE=model$(comma)HEDDLE_SIM_LANES=32$(comma)HEDDLE_DOUBLE=1
TESTS += $(BUILD)/tests/opencl/printf$(comma)HEDDLE_TEST_DEVICE=sim$(comma)HEDDLE_SIM_LANES=2$(comma)HEDDLE_SIM_ISA=rv32i
# Double: on the model at the most lanes, which has all sub-group sizes, and some shapes of the RTL, which is slow at it.
TESTS += $(foreach v,HEDDLE_TEST_DEVICE=model$(comma)HEDDLE_SIM_LANES=32 HEDDLE_TEST_DEVICE=sim$(comma)HEDDLE_SIM_LANES=8 HEDDLE_TEST_DEVICE=sim$(comma)HEDDLE_SIM_LANES=2$(comma)HEDDLE_SIM_ISA=rv32i,$(foreach s,$(OPENCL_DOUBLE),$(BUILD)/tests/opencl/double_$(s)$(comma)$(v)$(comma)HEDDLE_DOUBLE=1))

# Hostile strings of build options, more of them than in `make test`.
.PHONY: soak-options
soak-options: all $(BUILD)/tests/opencl/build_options ## Builds with OPTIONS random hostile strings of build options [OPTIONS=400]
	@folder=$$(mktemp -d) && trap 'rm -rf "$$folder"' EXIT && \
	  TMPDIR=$$folder HEDDLE_TEST_DEVICE=model HEDDLE_TEST_OPTIONS=$(or $(OPTIONS),400) $(BUILD)/tests/opencl/build_options \
	  --filter 'build_options/random*'
