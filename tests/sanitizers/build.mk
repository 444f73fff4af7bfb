# SPDX-License-Identifier: Apache-2.0
# `make test-asan` and `make test-tsan`: the host library, the golden model and suites of both, built a second and third time by
# gcc with AddressSanitizer, LeakSanitizer and UBSan, or with ThreadSanitizer, each in a folder of its own. Kernels are compiled
# by the heddlec that is there; everything runs on the golden model. No report is tolerated (README.md).
SANITIZE_FLAGS_asan := -fsanitize=address,undefined -fno-sanitize-recover=all
SANITIZE_FLAGS_tsan := -fsanitize=thread

.PHONY: test-asan test-tsan test-sanitized
test-asan: ## Suites of the host on the golden model with AddressSanitizer, LeakSanitizer and UBSan [ONLY=pattern]
test-tsan: ## The same with ThreadSanitizer [ONLY=pattern]
test-asan test-tsan: test-%: all
	@mkdir -p $(BUILD)/$*/bin $(BUILD)/$*/lib
	@ln -sfn ../../bin/heddlec $(BUILD)/$*/bin/heddlec; ln -sfn ../../lib/heddle $(BUILD)/$*/lib/heddle
	@+$(MAKE) --no-print-directory BUILD=$(BUILD)/$* SANITIZE=$* CFLAGS='-O1 -g -fno-omit-frame-pointer $(SANITIZE_FLAGS_$*)' test-sanitized

# What is the RTL's or the kernels' alone is left out.
SANITIZED_OPENCL := $(filter-out binaries,$(OPENCL_MODEL_ONLY)) $(OPENCL_SUITES)
SANITIZED_HOST := $(HOST_TESTS:%=$(BUILD)/tests/host_%) $(BUILD)/tests/host_commands
# (These have one thread.)
ifneq ($(SANITIZE),tsan)
SANITIZED_MODEL := $(MODEL_TESTS:%=$(BUILD)/tests/model_%)
SANITIZED_DISPATCH := $(patsubst %,$(BUILD)/tests/dispatch_%,$(DISPATCH_TESTS) $(DISPATCH_PROCESSOR_TESTS))
endif
SANITIZED_SOAK := $(BUILD)/tests/soak
SANITIZED_PROGRAMS := $(SANITIZED_OPENCL:%=$(BUILD)/tests/opencl/%) $(SANITIZED_HOST) $(SANITIZED_SOAK) $(SANITIZED_MODEL) $(SANITIZED_DISPATCH)
SANITIZED := $(SANITIZED_OPENCL:%=$(BUILD)/tests/opencl/%$(comma)HEDDLE_TEST_DEVICE=model) $(SANITIZED_HOST) $(SANITIZED_SOAK) $(SANITIZED_MODEL) \
  $(SANITIZED_DISPATCH:%=%$(comma)HEDDLE_TEST_DEVICE=model)

# LeakSanitizer has to look before libraries end.
ifeq ($(SANITIZE),asan)
SANITIZE_AT_EXIT := $(BUILD)/tests/sanitizers/at_exit.o
$(SANITIZED_PROGRAMS): LINK_ALSO := $(SANITIZE_AT_EXIT)
$(SANITIZED_PROGRAMS): | $(SANITIZE_AT_EXIT)
endif

# ThreadSanitizer has no room for Criterion: criterion/criterion.h stands for it.
ifeq ($(SANITIZE),tsan)
C_ALL += -Itests/sanitizers
SANITIZE_RUNNER := $(BUILD)/tests/sanitizers/runner.o
$(SANITIZED_PROGRAMS): LINK_ALSO := $(SANITIZE_RUNNER)
$(SANITIZED_PROGRAMS): | $(SANITIZE_RUNNER)
endif

# What it has to find, lest it find nothing for another reason.
SANITIZE_PLANTED := $(BUILD)/tests/sanitizers/planted
SANITIZE_PLANTED_asan := leak overflow undefined
SANITIZE_PLANTED_tsan := race
$(SANITIZE_PLANTED): $(BUILD)/tests/sanitizers/planted.o $(SANITIZE_AT_EXIT)
	$(LINK) $^ -o $@ -lpthread

# Criterion does not see a report of what comes when a test has passed: each goes to a file, and there must be none.
SANITIZE_REPORTS := $(abspath $(BUILD))/reports
sanitize_options = suppressions=$(CURDIR)/tests/sanitizers/$(1):print_suppressions=0:log_path=$(SANITIZE_REPORTS)/report
test-sanitized: $(HOST_LIBRARY) $(HOST_ICD) $(SANITIZED_PROGRAMS) $(SANITIZE_PLANTED)
	@for bug in $(SANITIZE_PLANTED_$(SANITIZE)); do ! $(SANITIZE_PLANTED) $$bug 2> /dev/null || { echo "a planted $$bug is not found"; exit 1; }; done
	@rm -rf $(SANITIZE_REPORTS); mkdir -p $(SANITIZE_REPORTS)
	@ASAN_OPTIONS=strict_string_checks=1:detect_stack_use_after_return=1:log_path=$(SANITIZE_REPORTS)/report \
	  UBSAN_OPTIONS=print_stacktrace=1:log_path=$(SANITIZE_REPORTS)/report LSAN_OPTIONS=$(call sanitize_options,leaks) \
	  TSAN_OPTIONS=$(call sanitize_options,races):second_deadlock_stack=1 \
	  tests/run $(if $(ONLY),--only '$(ONLY)') --logs $(BUILD)/tests/logs $(SANITIZED)
	@if [ -n "$$(ls $(SANITIZE_REPORTS))" ]; then head -n 60 $(SANITIZE_REPORTS)/*; echo "$$(ls $(SANITIZE_REPORTS) | wc -l) reports, in $(SANITIZE_REPORTS)"; exit 1; fi
	@echo 'no sanitizer has anything to report'

# gcc sees more, and worse, in what it has instrumented: that it is clean is the other build's matter.
ifdef SANITIZE
C_ALL += -Wno-error -Wno-format-zero-length
endif
