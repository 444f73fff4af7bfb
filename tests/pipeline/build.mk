# SPDX-License-Identifier: Apache-2.0
# Random kernels as pipelines, beside the golden model. Twenty of them are one Verilated program, which is most of the time it takes.
PIPELINE_TESTS := tests/pipeline/directed.py tests/pipeline/random_kernels.py
TESTS += $(PIPELINE_TESTS)
$(PIPELINE_TESTS): $(MODEL_LIBRARY) $(VERILATED_RUNTIME) $(HLS_PRODUCTS)
