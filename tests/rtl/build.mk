# SPDX-License-Identifier: Apache-2.0
# Tests of single modules of rtl/, Verilated, in Criterion; and of heddle.core.
TESTS += tests/rtl/fusesoc.py

# $(call rtl_block,NAME,MODULE,PARAMETERS,SOURCES,DRIVER): $(BUILD)/tests/rtl/NAME/block.a is a module, Verilated as Vblock, and
# the C++ that drives it, tests/rtl/DRIVER.cpp, which is told the parameters too.
define rtl_block
$(BUILD)/tests/rtl/$(1)/block.a: $(4) tests/rtl/$(5).cpp tests/rtl/$(5).h
	$$(call quietly,verilator) $$(call verilate,$$(@D),$(2),--prefix Vblock $(3:%=-G%),$(4),tests/rtl/$(5).cpp,$(3:%=-D%))
	@cd $$(@D) && ar rcs block.a *.o
endef
LINK_BLOCK = $(call quietly,ld) $(RTL_CXX) $^ -o $@ -lcriterion -lm -lpthread

# load_store with small memories, so that random addresses meet. A beat is 16 bytes at least, and a word for each lane. LANES, and -C for a
# compact one.
LOAD_STORE_LANES := 1 4 8 32 4-C
LOAD_STORE_TESTS := $(LOAD_STORE_LANES:%=$(BUILD)/tests/rtl/load_store-L%)
LOAD_STORE_BEAT_8 := 5
LOAD_STORE_BEAT_32 := 7
compact_or_not = COMPACT=$(if $(filter C,$(1)),1,0)
load_store_parameters = LANES=$(firstword $(subst -, ,$(1))) $(call compact_or_not,$(subst -, ,$(1))) SLOT_BITS=3 ADDRESS_BITS=13 LOCAL_LOG2=12 BEAT_LOG2=$(or $(LOAD_STORE_BEAT_$(1)),4)
$(foreach l,$(LOAD_STORE_LANES),$(eval $(call rtl_block,load_store/L$(l),load_store,$(call load_store_parameters,$(l)),\
  $(wildcard rtl/memory/*.v rtl/common/*.v),load_store_device)))

$(BUILD)/tests/rtl/load_store-L%.o: tests/rtl/load_store.c
	@mkdir -p $(@D)
	$(call quietly,cc) $(CC) $(C_ALL) $(patsubst %,-D%,$(call load_store_parameters,$*)) -c $< -o $@
$(LOAD_STORE_TESTS): $(BUILD)/tests/rtl/load_store-L%: $(BUILD)/tests/rtl/load_store-L%.o \
  $(BUILD)/tests/rtl/load_store/L%/block.a $(VERILATED_RUNTIME)
	$(LINK_BLOCK)
TESTS += $(LOAD_STORE_TESTS)

# The cache: small with beats of 32 bytes, so that lines are evicted; the default; beats of 16 and of 128 bytes; a compact one.
CACHE_SHAPES := 12-5-6 16-5-6 13-4-6 14-7-7 13-4-6-C
CACHE_TESTS := $(CACHE_SHAPES:%=$(BUILD)/tests/rtl_cache-%)
cache_parameters = ADDRESS_BITS=20 CACHE_LOG2=$(word 1,$(1)) BEAT_LOG2=$(word 2,$(1)) LINE_LOG2=$(word 3,$(1)) OWNER_BITS=3 LABEL_BITS=10 $(call compact_or_not,$(1))
$(foreach s,$(CACHE_SHAPES),$(eval $(call rtl_block,cache-$(s),cache,$(call cache_parameters,$(subst -, ,$(s))),\
  $(wildcard rtl/memory/*.v rtl/common/*.v),cache_block)))

# What the tests of the cache and of its banks share; their drivers take requests as it has them.
CACHE_REFERENCE := $(patsubst %,$(BUILD)/tests/rtl/%.o,beat_reference memory_channel)
$(CACHE_TESTS): $(BUILD)/tests/rtl_cache-%: $(BUILD)/tests/rtl/cache.o $(CACHE_REFERENCE) $(BUILD)/tests/rtl/cache-%/block.a \
  $(VERILATED_RUNTIME)
	$(LINK_BLOCK)
TESTS += $(CACHE_TESTS)

# Banks of the cache behind several units, each bank small: UNITS, BANKS, CACHE_LOG2, BEAT_LOG2. Units and banks that do not match, one of
# each, as many of both, all units at one bank, and that compact.
BANKS_SHAPES := 3-4-14-5 1-1-12-5 2-2-13-4 4-1-12-4 4-1-12-4-C
BANKS_TESTS := $(BANKS_SHAPES:%=$(BUILD)/tests/rtl_banks-%)
banks_parameters = UNITS=$(word 1,$(1)) BANKS=$(word 2,$(1)) CACHE_LOG2=$(word 3,$(1)) BEAT_LOG2=$(word 4,$(1)) LINE_LOG2=6 ADDRESS_BITS=20 \
  SLOT_BITS=2 LABEL_BITS=10 $(call compact_or_not,$(1))
$(foreach s,$(BANKS_SHAPES),$(eval $(call rtl_block,banks-$(s),cache_banks,$(call banks_parameters,$(subst -, ,$(s))),\
  $(wildcard rtl/memory/*.v rtl/common/*.v),banks_block)))

$(BANKS_TESTS): $(BUILD)/tests/rtl_banks-%: $(BUILD)/tests/rtl/banks.o $(CACHE_REFERENCE) $(BUILD)/tests/rtl/banks-%/block.a \
  $(VERILATED_RUNTIME)
	$(LINK_BLOCK)
TESTS += $(BANKS_TESTS)
$(CACHE_SHAPES:%=$(BUILD)/tests/rtl/cache-%/block.a) $(BANKS_SHAPES:%=$(BUILD)/tests/rtl/banks-%/block.a): tests/rtl/beat_reference.h

# Lanes with the decoder, through lane_bench.v.
LANE_TESTS := $(patsubst %,$(BUILD)/tests/rtl_%,float integer)
$(eval $(call rtl_block,lane_bench,lane_bench,,$(filter-out rtl/lane/register_file.v,$(wildcard rtl/lane/*.v)) $(wildcard rtl/unit/decode*.v) \
  rtl/common/delay.v tests/rtl/lane_bench.v tests/rtl/register_file.v,lane_bench))

# Compact lanes, as small chips have them: Zmmul alone, and a shift is a product.
LANES_COMPACT := DIV=0 FPU=0 BITMANIP=0 COMPACT=1
$(eval $(call rtl_block,lane_compact,lane_bench,$(LANES_COMPACT),$(filter-out rtl/lane/register_file.v,$(wildcard rtl/lane/*.v)) $(wildcard rtl/unit/decode*.v) \
  rtl/common/delay.v tests/rtl/lane_bench.v tests/rtl/register_file.v,lane_bench))
$(BUILD)/tests/rtl/integer_compact.o: tests/rtl/integer.c
	@mkdir -p $(@D)
	$(call quietly,cc) $(CC) $(C_ALL) -DCOMPACT -c $< -o $@
$(BUILD)/tests/rtl_integer_compact: $(BUILD)/tests/rtl/integer_compact.o $(BUILD)/tests/rtl/lane_compact/block.a $(VERILATED_RUNTIME)
	$(LINK_BLOCK)
TESTS += $(BUILD)/tests/rtl_integer_compact

$(BUILD)/tests/rtl/float_reference.o: C_ALL += -frounding-math
$(LANE_TESTS): $(BUILD)/tests/rtl_%: $(BUILD)/tests/rtl/%.o $(BUILD)/tests/rtl/float_reference.o \
  $(BUILD)/tests/rtl/lane_bench/block.a $(VERILATED_RUNTIME)
	$(LINK_BLOCK)
TESTS += $(LANE_TESTS)

# How kernel pipelines launch sub-groups: LANES, log2 of the slots. Places for several work-groups; lanes of one; few slots, many lanes;
# with a third number that many cycles from a token to the next, with a fourth one LATE.
SUB_GROUPS_SHAPES := 4-4 1-2 16-3 4-4-4 4-4-1-0
SUB_GROUPS_TESTS := $(SUB_GROUPS_SHAPES:%=$(BUILD)/tests/rtl_sub_groups-%)
sub_groups_parameters = LANES=$(word 1,$(1)) SLOT_BITS=$(word 2,$(1)) INTERVAL=$(or $(word 3,$(1)),1) LATE=$(or $(word 4,$(1)),1) LOCAL_LOG2=10
$(foreach s,$(SUB_GROUPS_SHAPES),$(eval $(call rtl_block,sub_groups-$(s),sub_groups,$(call sub_groups_parameters,$(subst -, ,$(s))),\
  rtl/pipeline/sub_groups.v rtl/pipeline/token_queue.v,sub_groups_block)))
$(BUILD)/tests/rtl/sub_groups-%.o: tests/rtl/sub_groups.c
	@mkdir -p $(@D)
	$(call quietly,cc) $(CC) $(C_ALL) $(patsubst %,-D%,$(call sub_groups_parameters,$(subst -, ,$*))) -c $< -o $@
$(SUB_GROUPS_TESTS): $(BUILD)/tests/rtl_sub_groups-%: $(BUILD)/tests/rtl/sub_groups-%.o $(BUILD)/tests/rtl/sub_groups-%/block.a \
  $(VERILATED_RUNTIME)
	$(LINK_BLOCK)
TESTS += $(SUB_GROUPS_TESTS)

# How pipelines of one work-item launch them: LATE and ONCE.
ONE_BY_ONE_SHAPES := 0-0 1-0 0-1
ONE_BY_ONE_TESTS := $(ONE_BY_ONE_SHAPES:%=$(BUILD)/tests/rtl_one_by_one-%)
one_by_one_parameters = SLOT_BITS=4 LATE=$(word 1,$(1)) ONCE=$(word 2,$(1))
$(foreach s,$(ONE_BY_ONE_SHAPES),$(eval $(call rtl_block,one_by_one-$(s),one_by_one,$(call one_by_one_parameters,$(subst -, ,$(s))),\
  rtl/pipeline/one_by_one.v,one_by_one_block)))
$(BUILD)/tests/rtl/one_by_one-%.o: tests/rtl/one_by_one.c
	@mkdir -p $(@D)
	$(call quietly,cc) $(CC) $(C_ALL) $(patsubst %,-D%,$(call one_by_one_parameters,$(subst -, ,$*))) -c $< -o $@
$(ONE_BY_ONE_TESTS): $(BUILD)/tests/rtl_one_by_one-%: $(BUILD)/tests/rtl/one_by_one-%.o $(BUILD)/tests/rtl/one_by_one-%/block.a \
  $(VERILATED_RUNTIME)
	$(LINK_BLOCK)
TESTS += $(ONE_BY_ONE_TESTS)

# The operators of kernel pipelines, through operators_bench.v.
$(eval $(call rtl_block,operators,operators_bench,,$(patsubst %,rtl/pipeline/%.v,float_operator float_in_turn float_multiply float_fused mantissa_product multiplied_shift float_divide float_root float_normal float_scan lane_scan lane_operator \
  value_delay divide multiply multiply_wide) rtl/lane/float_unit.v rtl/common/float_add.v rtl/common/delay.v tests/rtl/operators_bench.v,operators_block))
$(BUILD)/tests/rtl_operators: $(BUILD)/tests/rtl/operators.o $(BUILD)/tests/rtl/float_reference.o $(BUILD)/tests/rtl/operators/block.a \
  $(VERILATED_RUNTIME)
	$(LINK_BLOCK)
TESTS += $(BUILD)/tests/rtl_operators

# What the suites of memory controllers share.
MEMORY_BLOCK := tests/rtl/memory_block.h tests/rtl/memory_ports.h
MEMORY_CONTROLLER := $(BUILD)/tests/rtl/memory_controller.o

# The SDRAM controller with a chip at its pins: clock in kHz, CAS latency, log2 of a beat's bytes.
SDRAM_SHAPES := 75000-3-4 75000-3-5 100000-3-4 62500-2-4 133000-3-7
SDRAM_TESTS := $(SDRAM_SHAPES:%=$(BUILD)/tests/rtl_sdram-%)
SDRAM_COVERED := $(BUILD)/tests/rtl_sdram-cover-75000-3-5
sdram_parameters = CLOCK_KHZ=$(word 1,$(1)) CAS_LATENCY=$(word 2,$(1)) BEAT_LOG2=$(word 3,$(1))
SDRAM_SOURCES := rtl/sdram/sdram.v rtl/common/line_queue.v $(wildcard rtl/boards/ecp5/*.v) $(patsubst %,sim/serial_board/ecp5/%.v,OFS1P3DX IFS1P3DX) \
  tests/rtl/sdram_bench.v
$(foreach s,$(SDRAM_SHAPES),$(eval $(call rtl_block,sdram-$(s),sdram_bench,$(call sdram_parameters,$(subst -, ,$(s))),\
  $(SDRAM_SOURCES),sdram_block)))
$(SDRAM_SHAPES:%=$(BUILD)/tests/rtl/sdram-%/block.a): sim/sdram/sdram_chip.h $(MEMORY_BLOCK)
$(BUILD)/tests/rtl/sdram-%.o: tests/rtl/sdram.c
	@mkdir -p $(@D)
	$(call quietly,cc) $(CC) $(C_ALL) $(patsubst %,-D%,$(call sdram_parameters,$(subst -, ,$(*:cover-%=%)))) -c $< -o $@
$(SDRAM_TESTS) $(SDRAM_COVERED): $(BUILD)/tests/rtl_sdram-%: $(BUILD)/tests/rtl/sdram-%.o $(MEMORY_CONTROLLER) $(BUILD)/sim/sdram/sdram_chip.o \
  $(BUILD)/tests/rtl/sdram-%/block.a $(VERILATED_RUNTIME)
	$(LINK_BLOCK)
TESTS += $(SDRAM_TESTS)

# The same once more, counting lines, for make coverage.
$(BUILD)/tests/rtl/sdram-cover-75000-3-5/block.a: $(SDRAM_SOURCES) $(wildcard tests/rtl/sdram_block.*) sim/sdram/sdram_chip.h $(MEMORY_BLOCK) sim/rtl/coverage.h
	$(call quietly,verilator) $(call verilate,$(@D),sdram_bench,--prefix Vblock --coverage-line $(patsubst %,-G%,$(call sdram_parameters,75000 3 5)),\
	  $(SDRAM_SOURCES),tests/rtl/sdram_block.cpp,$(patsubst %,-D%,$(call sdram_parameters,75000 3 5)) -DVM_COVERAGE=1)
	@cd $(@D) && ar rcs block.a *.o
LINT_INCLUDES += -DCLOCK_KHZ=75000 -DCAS_LATENCY=3 -DINTERVAL=1 -DSUBTRACT=0 -DOPERATION=2

# Memory in DDR3, with litedram's core and a chip behind its PHY: log2 of a beat's bytes. cover-5 counts lines, for make coverage.
DDR3_ROWS := 4 5 7
DDR3_TESTS := $(DDR3_ROWS:%=$(BUILD)/tests/rtl_ddr3-%)
DDR3_COVERED := $(BUILD)/tests/rtl_ddr3-cover-5
DDR3_ALL := $(DDR3_ROWS) cover-5
DDR3_MODEL := $(BUILD)/rtl/ddr3/ddr3_core_model.v
DDR3_SOURCES := $(wildcard rtl/ddr3/*.v) sim/ddr3/ddr3_phy_model.v
ddr3_beat = $(*:cover-%=%)
ddr3_cover = $(if $(findstring cover,$*),$(1))
$(DDR3_MODEL): rtl/ddr3/ddr3_core.py constraints/orangecrab/orangecrab-85f.json $(SETUP)
	@mkdir -p $(@D)
	$(call quietly,litedram) $(PYTHON) $< --model constraints/orangecrab/orangecrab-85f.json 48000 $@
# Migen writes `<=` where no clock is; Verilator takes it as `=`. Blocks that count lines are not split, so loops seem to be in them.
DDR3_WARNINGS := -Wno-lint -Wno-COMBDLY -Wno-INITIALDLY
$(DDR3_ALL:%=$(BUILD)/tests/rtl/ddr3-%/block.a): $(BUILD)/tests/rtl/ddr3-%/block.a: $(DDR3_SOURCES) $(DDR3_MODEL) rtl/common/line_queue.v \
  $(wildcard tests/rtl/ddr3_b*) $(MEMORY_BLOCK) sim/ddr3/ddr3_chip.h sim/rtl/coverage.h
	$(call quietly,verilator) $(call verilate,$(@D),ddr3_bench,--prefix Vblock $(DDR3_WARNINGS) $(call ddr3_cover,--coverage-line -Wno-UNOPTFLAT) -GBEAT_LOG2=$(ddr3_beat),\
	  $(DDR3_SOURCES) $(DDR3_MODEL) rtl/common/line_queue.v tests/rtl/ddr3_bench.v,tests/rtl/ddr3_block.cpp,\
	  -DBEAT_LOG2=$(ddr3_beat) -DVM_COVERAGE=$(or $(call ddr3_cover,1),0))
	@cd $(@D) && ar rcs block.a *.o
$(DDR3_ALL:%=$(BUILD)/tests/rtl/ddr3-%.o): $(BUILD)/tests/rtl/ddr3-%.o: tests/rtl/ddr3.c
	@mkdir -p $(@D)
	$(call quietly,cc) $(CC) $(C_ALL) -DBEAT_LOG2=$(ddr3_beat) -c $< -o $@
$(DDR3_TESTS) $(DDR3_COVERED): $(BUILD)/tests/rtl_ddr3-%: $(BUILD)/tests/rtl/ddr3-%.o $(MEMORY_CONTROLLER) $(BUILD)/sim/ddr3/ddr3_chip.o \
  $(BUILD)/tests/rtl/ddr3-%/block.a $(VERILATED_RUNTIME)
	$(LINK_BLOCK)
TESTS += $(DDR3_TESTS)

# Shapes that cannot work, and the contract's Verilog header.
TESTS += tests/rtl/shapes.py tests/rtl/synth_check.py

# The adder of kernel pipelines: sums, and differences.
FLOAT_ADD_TESTS := $(foreach s,0 1,$(BUILD)/tests/rtl_float_add-$(s))
$(foreach s,0 1,$(eval $(call rtl_block,float_add-$(s),float_add,SUBTRACT=$(s),rtl/common/float_add.v,float_add_block)))
$(BUILD)/tests/rtl/float_add-%.o: tests/rtl/float_add.c
	@mkdir -p $(@D)
	$(call quietly,cc) $(CC) $(C_ALL) -DSUBTRACT=$* -c $< -o $@
$(FLOAT_ADD_TESTS): $(BUILD)/tests/rtl_float_add-%: $(BUILD)/tests/rtl/float_add-%.o $(BUILD)/tests/rtl/float_reference.o \
  $(BUILD)/tests/rtl/float_add-%/block.a $(VERILATED_RUNTIME)
	$(LINK_BLOCK)
TESTS += $(FLOAT_ADD_TESTS)

# The multipliers of kernel pipelines: products, and products and sums, also with shifts by multipliers.
FLOAT_PRODUCTS := 2 2-M 3 3-M
FLOAT_PRODUCT_TESTS := $(FLOAT_PRODUCTS:%=$(BUILD)/tests/rtl_float_product-%)
float_product_parameters = OPERATION=$(firstword $(subst -, ,$(1))) MULTIPLIED_SHIFTS=$(if $(filter %-M,$(1)),1,0)
$(foreach o,$(FLOAT_PRODUCTS),$(eval $(call rtl_block,float_product-$(o),float_operator,$(call float_product_parameters,$(o)),\
  $(patsubst %,rtl/pipeline/%.v,float_operator float_multiply float_fused mantissa_product multiplied_shift) rtl/lane/float_unit.v rtl/common/float_add.v,float_product_block)))
$(BUILD)/tests/rtl/float_product-%.o: tests/rtl/float_product.c
	@mkdir -p $(@D)
	$(call quietly,cc) $(CC) $(C_ALL) -DOPERATION=$(firstword $(subst -, ,$*)) -c $< -o $@
$(FLOAT_PRODUCT_TESTS): $(BUILD)/tests/rtl_float_product-%: $(BUILD)/tests/rtl/float_product-%.o $(BUILD)/tests/rtl/float_reference.o \
  $(BUILD)/tests/rtl/float_product-%/block.a $(VERILATED_RUNTIME)
	$(LINK_BLOCK)
TESTS += $(FLOAT_PRODUCT_TESTS)
