# SPDX-License-Identifier: Apache-2.0
# Third-party OpenCL clients, unmodified, on both devices.
TESTS += tests/clients/pyopencl_client.py tests/clients/clinfo.py

.PHONY: test-piglit
test-piglit: all ## piglit's OpenCL profile on the golden model; some minutes. Installs the distribution's piglit, 2 GB
	@.ci/setup --packages piglit
	@tests/run --logs $(BUILD)/tests/logs --timeout 7200 tests/clients/piglit.py
