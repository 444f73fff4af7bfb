# SPDX-License-Identifier: Apache-2.0
# A program that runs kernels with planted mistakes, for any checker of OpenCL programs (tests/checks/compare.py).
$(BUILD)/tests/run_planted: $(BUILD)/tests/checks/run_planted.o
	$(LINK) $^ -o $@ -lOpenCL
