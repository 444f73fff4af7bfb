#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""rtl/pcie in Icarus Verilog with cocotbext-pcie: what became of each test of promises.py, in TAP."""
import glob
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))
import cocotb_runs
import tap

if __name__ == "__main__":
    sources = sorted(path for folder in ("common", "pcie") for path in glob.glob(os.path.join(tap.TOP, "rtl", folder, "*.v")))
    cocotb_runs.run("pcie", [cocotb_runs.Run(HERE, "promises", sources + [os.path.join(HERE, "bench.v")], "bench")])
