# SPDX-License-Identifier: Apache-2.0
# Third-party OpenCL clients, unmodified, on both devices.
TESTS += tests/clients/pyopencl_client.py tests/clients/clinfo.py
