#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""rtl/axi in Icarus Verilog with cocotbext-axi: what became of each test of memory.py, in several shapes, and of control.py, in TAP."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))
import cocotb_runs
import tap

# log2 of a beat, a line, the bus; lines and beats in flight; bits of an ID.
SHAPES = {
    "16_bytes": dict(BEAT_LOG2=4, LINE_LOG2=6, DATA_LOG2=4, READS_LOG2=4, WRITES_LOG2=4, ID_BITS=4),
    "bus_of_8_bytes": dict(BEAT_LOG2=5, LINE_LOG2=6, DATA_LOG2=3, READS_LOG2=3, WRITES_LOG2=2, ID_BITS=6),
    "two_ids": dict(BEAT_LOG2=5, LINE_LOG2=6, DATA_LOG2=5, READS_LOG2=4, WRITES_LOG2=4, ID_BITS=1),
    "line_is_beat": dict(BEAT_LOG2=7, LINE_LOG2=7, DATA_LOG2=7, READS_LOG2=1, WRITES_LOG2=1, ID_BITS=2),
}


def sources(*names):
    return [os.path.join(tap.TOP, name) for name in names]


if __name__ == "__main__":
    memory = sources("rtl/common/skid.v", *(f"rtl/axi/axi_{name}.v" for name in ("lines", "reader", "writer", "memory")))
    control = sources("rtl/axi/axi_control.v", "rtl/axi/axi_sync.v", "tests/axi/control_bench.v")
    runs = [cocotb_runs.Run(HERE, "memory", memory, "axi_memory", {"ADDRESS_BITS": 16, "AXI_ADDRESS_BITS": 40, "BASE": "64'h1200000000", **shape}, name)
            for name, shape in SHAPES.items()]
    cocotb_runs.run("axi", runs + [cocotb_runs.Run(HERE, "control", control, "control_bench", name="control")])
