# SPDX-License-Identifier: Apache-2.0
# `make fuzz`: what reads binaries and SPIR-V of any origin and answers on a link, against inputs that libFuzzer makes of real ones, with
# AddressSanitizer and UBSan. Each target is a file here; $(BUILD)/fuzz/TARGET has its program, seeds, the inputs that reached
# something new, and what failed.
FUZZ_TARGETS := binary il link
FUZZ := $(BUILD)/fuzz
FUZZ_SOURCES := host/environment.c $(patsubst %,host/device/%.c,kernel_file kernel_notes printf_layout) $(patsubst %,contract/%.c,object_file fat_binary spirv half error) \
  host/transport/frames.c $(filter-out hls/il_bit_fields.c hls/il_blocks.c hls/il_images.c,$(wildcard hls/il_*.c))
N ?= 200000

$(FUZZ_TARGETS:%=$(FUZZ)/%/fuzz): $(FUZZ)/%/fuzz: tests/fuzz/%.c $(FUZZ_SOURCES) $(wildcard host/device/*.h contract/*.h)
	@mkdir -p $(@D)/seeds $(@D)/corpus
	$(call quietly,clang) $(CLANG) -O1 -g -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=all $(C_STANDARD) $(C_DEFINES) -I. \
	  $(filter %.c,$^) -lmd -lz -o $@

# Seeds: kernel files, an object file and a library; modules of clang's.
FUZZ_KERNELS := $(wildcard host/examples/*.cl tests/tools/*.cl)
$(FUZZ)/binary/seeds/made: $(FUZZ_KERNELS) $(HLS_PRODUCTS) $(HEDDLE_TOOL) | $(FUZZ)/binary/fuzz
	@echo '  heddlec $(@D)'
	@for file in $(FUZZ_KERNELS); do name=$(@D)/$$(basename $$file .cl); \
	  $(BUILD)/bin/heddlec -cl-std=CL3.0 $$file -o $$name.elf && $(BUILD)/bin/heddlec -c -cl-std=CL3.0 $$file -o $$name.o || exit 1; done
	@$(BUILD)/bin/heddlec --link -create-library $(@D)/scan.o -o $(@D)/scan.lib
	@$(BUILD)/bin/heddle pack -o $(@D)/scan.fat $(@D)/scan.elf ulx3s-85f=$(@D)/scan.o hx8k=$(@D)/scan.lib && touch $@
$(FUZZ)/il/seeds/made: $(FUZZ_KERNELS) | $(FUZZ)/il/fuzz
	@echo '  clang $(@D)'
	@for file in scan sift; do $(CLANG) --target=spirv32 -cl-std=CL3.0 -O1 -c host/examples/$$file.cl -o $(@D)/$$file.spv || exit 1; done; touch $@
# A script that opens the link and reads, and one that is answered wrongly.
$(FUZZ)/link/seeds/made: | $(FUZZ)/link/fuzz
	@printf '\001\000\000\100\001\000\001\000\252' >$(@D)/reads; \
	  printf '\001\000\000\100\120\001\001\001\001\003\001\000\002\001\000' >$(@D)/late; touch $@

# A few of them in every `make test`, which also shows that they are built.
TESTS += tests/fuzz/readers.py
tests/fuzz/readers.py: $(foreach target,$(FUZZ_TARGETS),$(FUZZ)/$(target)/fuzz $(FUZZ)/$(target)/seeds/made)

.PHONY: fuzz
fuzz: $(foreach target,$(FUZZ_TARGETS),$(FUZZ)/$(target)/fuzz $(FUZZ)/$(target)/seeds/made) $(BUILD)/tests/host_lying_boards ## Feed the readers of binaries, SPIR-V and a link with N inputs each [N=200000]
	@for target in $(FUZZ_TARGETS); do echo "  fuzz $$target"; log=$(FUZZ)/$$target/log; \
	  (cd $(FUZZ)/$$target && ./fuzz -runs=$(N) -max_len=65536 -timeout=10 -rss_limit_mb=2048 -print_final_stats=1 corpus seeds) > $$log 2>&1 \
	    || { tail -n 40 $$log; echo "$$target: the input is in $(FUZZ)/$$target; run $(FUZZ)/$$target/fuzz with it"; exit 1; }; \
	  grep -E 'stat::number_of_executed_units|DONE' $$log | tail -n 2; done
	@echo '  boards that lie'; HEDDLE_TEST_LONG=1 $(BUILD)/tests/host_lying_boards
