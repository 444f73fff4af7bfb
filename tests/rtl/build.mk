# SPDX-License-Identifier: Apache-2.0
# Tests of single modules of rtl/, Verilated, in Criterion.

# load_store with small memories, so that random addresses meet.
LOAD_STORE_LANES := 1 4 8 32
LOAD_STORE_DEFINES = -DLANES=$* -DSLOT_BITS=3 -DGLOBAL_LOG2=13 -DLOCAL_LOG2=12 -DROW_LOG2=$(strip $(if $(filter 8,$*),5,\
  $(if $(filter 16,$*),6,$(if $(filter 32,$*),7,4))))
TESTS += $(LOAD_STORE_LANES:%=$(BUILD)/tests/rtl/load_store-L%)

$(BUILD)/tests/rtl/load_store-L%: tests/rtl/load_store.c tests/rtl/load_store_device.cpp tests/rtl/load_store_device.h \
  $(wildcard rtl/memory/*.v)
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
