# SPDX-License-Identifier: Apache-2.0
# Third-party OpenCL clients, unmodified, on both devices; and kernels of others' benchmark suites, written anew.
TESTS += tests/clients/pyopencl_client.py tests/clients/clinfo.py tests/clients/workloads.py

.PHONY: test-piglit
test-piglit: all ## piglit's OpenCL profile on the golden model; some minutes. Installs the distribution's piglit, 2 GB
	@.ci/setup --packages piglit
	@tests/run --logs $(BUILD)/tests/logs --timeout 7200 tests/clients/piglit.py

# In a Python of its own, with what those tests need beside pyopencl and numpy as .ci/requirements.txt has them.
PYOPENCL_TESTS := $(BUILD)/tests/pyopencl
$(PYOPENCL_TESTS)/ready: .ci/requirements.txt tests/clients/build.mk
	@rm -rf $(@D) && mkdir -p $(@D)
	@echo '  pip $(@D)'; $(PYTHON) -m venv $(@D)/venv
	@$(@D)/venv/bin/pip -q --disable-pip-version-check install -c .ci/requirements.txt pyopencl numpy pytest==9.2.0 mako==1.4.3
	@$(@D)/venv/bin/pip -q --disable-pip-version-check download -c .ci/requirements.txt --no-deps --no-binary pyopencl -d $(@D) pyopencl
	@tar -C $(@D) -xzf $(@D)/pyopencl-*.tar.gz
	@touch $@

.PHONY: test-pyopencl
test-pyopencl: all $(PYOPENCL_TESTS)/ready ## pyopencl's own tests on the golden model, with double; about a quarter of an hour. Fetches them from PyPI
	@tests/run --logs $(BUILD)/tests/logs --timeout 7200 tests/clients/pyopencl_tests.py

.PHONY: test-clpeak
test-clpeak: all ## The benchmark clpeak on the golden model, but for half; about ten minutes. Installs the distribution's
	@.ci/setup --packages clpeak
	@tests/run --logs $(BUILD)/tests/logs --timeout 7200 tests/clients/clpeak.py
