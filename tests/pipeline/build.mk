# SPDX-License-Identifier: Apache-2.0
# Random kernels as pipelines, beside the golden model. Twenty of them are one Verilated program, which is most of the time it takes.
TESTS += tests/pipeline/random_kernels.py
tests/pipeline/random_kernels.py: $(MODEL_LIBRARY) $(VERILATED_RUNTIME) $(HLS_PRODUCTS)
