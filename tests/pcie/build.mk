# SPDX-License-Identifier: Apache-2.0
# rtl/pcie, packet by packet, in Icarus Verilog.
TESTS += tests/pcie/pcie.py
