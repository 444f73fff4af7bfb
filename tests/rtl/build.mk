# SPDX-License-Identifier: Apache-2.0
# Tests of single modules of rtl/, Verilated, in Criterion.

# load_store with small memories, so that random addresses meet.
LOAD_STORE_LANES := 1 4 8 32
LOAD_STORE_DEFINES = -DLANES=$* -DSLOT_BITS=3 -DGLOBAL_LOG2=13 -DLOCAL_LOG2=12 -DROW_LOG2=$(strip $(if $(filter 8,$*),5,\
  $(if $(filter 16,$*),6,$(if $(filter 32,$*),7,4))))
TESTS += $(LOAD_STORE_LANES:%=$(BUILD)/tests/rtl/load_store-L%)

$(BUILD)/tests/rtl/load_store-L%: tests/rtl/load_store.c tests/rtl/load_store_device.cpp tests/rtl/load_store_device.h \
  tests/rtl/reservation.h tests/amo.h $(wildcard rtl/memory/*.v)
	@mkdir -p $(BUILD)/tests/rtl/work-L$*
	@echo '  verilator load_store LANES=$*'
	$(if $(V),,@) $(VERILATOR) --cc --quiet-stats --top-module load_store -O3 --x-initial unique --noassert \
	  $(subst -DGLOBAL_LOG2,-GPLACE_BITS,$(subst -DL,-GL,$(subst -DS,-GS,$(subst -DR,-GR,$(LOAD_STORE_DEFINES))))) \
	  --Mdir $(BUILD)/tests/rtl/work-L$* $(filter rtl/memory/%.v,$^)
	$(if $(V),,@) cd $(BUILD)/tests/rtl/work-L$* && $(RTL_CXX) -O1 -fPIC -I. -I$(CURDIR) -isystem $(VERILATOR_ROOT)/include \
	  -isystem $(VERILATOR_ROOT)/include/vltstd -DVM_SC=0 -DVM_TRACE=0 -DVM_COVERAGE=0 -DVM_TIMING=0 $(LOAD_STORE_DEFINES) -c \
	  Vload_store*.cpp $(VERILATOR_ROOT)/include/verilated.cpp $(VERILATOR_ROOT)/include/verilated_threads.cpp \
	  $(CURDIR)/tests/rtl/load_store_device.cpp
	$(if $(V),,@) $(CC) $(CFLAGS) $(C_STANDARD) $(C_WARNINGS) -I. $(LOAD_STORE_DEFINES) -c $< -o $(BUILD)/tests/rtl/work-L$*/load_store.o
	$(if $(V),,@) $(RTL_CXX) $(BUILD)/tests/rtl/work-L$*/*.o -o $@ -lcriterion -lpthread

# A Verilated block is $(BUILD)/tests/rtl/<name>/block.a, made of <block>.v by `rtl_block`:
# its name, its top module, its parameters as -G…, the shim's file and what the shim is told as -D….
RTL_BLOCK_FLAGS = -std=c++17 -O2 -I. -I$(CURDIR) -isystem $(VERILATOR_ROOT)/include -isystem $(VERILATOR_ROOT)/include/vltstd \
  -DVERILATOR=1 -DVM_COVERAGE=0 -DVM_SC=0 -DVM_TIMING=0 -DVM_TRACE=0 -DVM_TRACE_FST=0 -DVM_TRACE_VCD=0 -DVM_TRACE_SAIF=0

define rtl_block
$(BUILD)/tests/rtl/$(1)/block.a: $(RTL_SOURCES) $(4) $(4:.cpp=.h)
	@rm -rf $$(@D); mkdir -p $$(@D)
	@echo '  verilator $(1)'
	$$(if $$(V),,@) $$(VERILATOR) --cc --quiet-stats --top-module $(2) -O3 --x-assign fast --x-initial unique --noassert \
	  -Wno-fatal -Wno-MULTITOP $(3) --prefix Vblock --Mdir $$(@D) $(RTL_SOURCES)
	$$(if $$(V),,@) cd $$(@D) && for file in Vblock*.cpp $$(VERILATOR_ROOT)/include/verilated.cpp \
	  $$(VERILATOR_ROOT)/include/verilated_threads.cpp $(CURDIR)/$(4); do \
	  $$(RTL_CXX) $$(RTL_BLOCK_FLAGS) $(5) -c $$$$file || exit 1; done && ar rcs block.a *.o
endef

# The cache: small with rows of 32 bytes, so that lines are evicted; the default; rows of 16 and of 128 bytes.
CACHE_SHAPES := 12-5-6 16-5-6 13-4-6 14-7-7
cache_part = $(word $(2),$(subst -, ,$(1)))
$(foreach s,$(CACHE_SHAPES),$(eval $(call rtl_block,cache-$(s),cache,-GPLACE_BITS=20 -GCACHE_LOG2=$(call cache_part,$(s),1) \
  -GROW_LOG2=$(call cache_part,$(s),2) -GLINE_LOG2=$(call cache_part,$(s),3) -GOWNER_BITS=3 -GLABEL_BITS=10,tests/rtl/cache_block.cpp,\
  -DCACHE_LOG2=$(call cache_part,$(s),1) -DROW_LOG2=$(call cache_part,$(s),2) -DLINE_LOG2=$(call cache_part,$(s),3))))

CACHE_TESTS := $(CACHE_SHAPES:%=$(BUILD)/tests/rtl_cache-%)
$(CACHE_TESTS): $(BUILD)/tests/rtl_cache-%: $(BUILD)/tests/rtl/cache.o $(BUILD)/tests/rtl/cache-%/block.a
	$(call quietly,ld) $(CXX) $(CFLAGS) $^ -lcriterion -lpthread -o $@
TESTS += $(CACHE_TESTS)

# Lanes with the decoder, through lane_bench.v.
LANE_TEST_DIR := $(BUILD)/tests/rtl
LANE_TESTS := float integer
LANE_TEST_SOURCES := $(filter-out rtl/lane/register_file.v,$(wildcard rtl/lane/*.v)) rtl/unit/decode.v rtl/unit/delay.v \
  tests/rtl/lane_bench.v tests/rtl/register_file.v
TESTS += $(LANE_TESTS:%=$(BUILD)/tests/rtl_%)

$(LANE_TEST_DIR)/lane_bench.a: $(LANE_TEST_SOURCES) tests/rtl/lane_bench.cpp tests/rtl/lane_bench.h
	@rm -rf $(LANE_TEST_DIR)/lane_bench; mkdir -p $(LANE_TEST_DIR)/lane_bench
	@echo '  verilator lane_bench'
	$(if $(V),,@) $(VERILATOR) --cc --quiet-stats --top-module lane_bench -O3 --x-assign fast --x-initial unique --noassert \
	  --Mdir $(LANE_TEST_DIR)/lane_bench $(LANE_TEST_SOURCES)
	$(if $(V),,@) cd $(LANE_TEST_DIR)/lane_bench && for file in V*.cpp $(VERILATOR_ROOT)/include/verilated.cpp \
	  $(VERILATOR_ROOT)/include/verilated_threads.cpp $(CURDIR)/tests/rtl/lane_bench.cpp; do \
	  case $$file in *Slow*) level=-O0;; *) level=-O2;; esac; \
	  $(RTL_CXX) $$level $(RTL_SIM_FLAGS) -c $$file || exit 1; done
	$(if $(V),,@) rm -f $@; ar rcs $@ $(LANE_TEST_DIR)/lane_bench/*.o

$(LANE_TEST_DIR)/float_reference.o: C_ALL += -frounding-math
$(LANE_TESTS:%=$(BUILD)/tests/rtl_%): $(BUILD)/tests/rtl_%: $(LANE_TEST_DIR)/%.o $(LANE_TEST_DIR)/float_reference.o \
  $(LANE_TEST_DIR)/lane_bench.a
	$(call quietly,ld) $(RTL_CXX) $^ -o $@ -lcriterion -lm -lpthread
