#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A whole SoC with Heddle on a board: a ULX3S-85F with VexRiscv, LiteDRAM on the board's SDRAM, a serial port, LiteX's BIOS, and four integer lanes.

`make litex-ulx3s` calls it with all that it needs. Called by hand it needs LiteX, litex-boards, pythondata-cpu-vexriscv and what LiteX compiles its BIOS with
(pythondata-software-picolibc and -compiler-rt, meson, ninja, a RISC-V GCC), and yosys, nextpnr-ecp5 and ecppack in PATH. What the tools say is in
OUT/tools.log; figures go to OUT/figures.json. Exit status: 0 the clock is reached, 1 it is not, or a tool failed.
"""
import argparse
import json
import os
import re
import subprocess
import sys
import time

from heddle_litex import CONTROL_BYTES, Heddle
from litex.soc.integration.builder import Builder
from litex.soc.integration.soc import SoCRegion
from litex_boards.targets.radiona_ulx3s import BaseSoC


class SoC(BaseSoC):
    """The SoC of litex-boards, and the lines of README.md."""

    def __init__(self, lanes=4, slots=8, **options):
        super().__init__(**options)
        self.heddle = Heddle(self.platform, self.sys_clk_freq, base=0x41000000, lanes=lanes, slots=slots, fpu=0)
        for axi in self.heddle.memory:
            self.heddle.connect(self, axi)
        self.bus.add_slave("heddle", self.heddle.control, SoCRegion(0x90000000, CONTROL_BYTES, cached=False))
        self.irq.add("heddle")


def figures(said, mhz):
    """Of what nextpnr says: cells that are used, and the slowest clock, as routed."""
    used = {cell: int(count) for cell, count in re.findall(r"Info:\s+(\w+):\s+(\d+)/\s*\d+", said)}
    clocks = dict(re.findall(r"Max frequency for clock\s+'(\S+)': ([\d.]+) MHz", said))  # each is said again when it is routed
    return {"lut4": used["TRELLIS_COMB"], "ff": used["TRELLIS_FF"], "ebr": used.get("DP16KD", 0), "dsp": used.get("MULT18X18D", 0),
            "fmax_mhz": min(float(reached) for reached in clocks.values()), "clock_mhz": mhz}


def run_tools(folder, log, progress=30):
    """Runs LiteX's script of Yosys, nextpnr and ecppack; says now and then what they said last. Returns its status."""
    start = time.monotonic()
    with open(log, "w", encoding="utf-8") as out, subprocess.Popen(["bash", "build_ulx3s.sh"], cwd=folder, stdin=subprocess.DEVNULL, stdout=out,
                                                                   stderr=subprocess.STDOUT) as tools:
        while True:
            try:
                return tools.wait(progress)
            except subprocess.TimeoutExpired:
                with open(log, encoding="utf-8", errors="replace") as text:
                    lines = [line.strip() for line in text.readlines()[-20:] if line.strip()]
                print(f"  {time.monotonic() - start:5.0f} s  {lines[-1][:110] if lines else ''}", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", default="build/litex-ulx3s", help="folder for what is made")
    parser.add_argument("--clock", type=float, default=50, help="MHz (default: 50)")
    parser.add_argument("--lanes", type=int, default=4)
    parser.add_argument("--slots", type=int, default=8)
    parser.add_argument("--seed", type=int, default=1, help="of nextpnr")
    parser.add_argument("--sources", action="store_true", help="ends when the BIOS, the Verilog and the scripts of the tools are there")
    options = parser.parse_args()
    out = os.path.abspath(options.out)
    soc = SoC(lanes=options.lanes, slots=options.slots, device="LFE5U-85F", sys_clk_freq=options.clock * 1e6, cpu_type="vexriscv",
              cpu_variant="standard", integrated_rom_size=0x10000, l2_size=0)
    Builder(soc, output_dir=out, csr_json=os.path.join(out, "csr.json")).build(run=False, build_name="ulx3s", seed=options.seed)
    if options.sources:
        return 0
    log = os.path.join(out, "tools.log")
    status = run_tools(os.path.join(out, "gateware"), log)
    with open(log, encoding="utf-8", errors="replace") as text:
        said = text.read()
    if status != 0:
        print(f"the tools failed with status {status}; the end of {log}:\n" + "\n".join(said.splitlines()[-10:]), file=sys.stderr)
        return 1
    made = figures(said, options.clock)
    with open(os.path.join(out, "figures.json"), "w", encoding="utf-8") as file:
        json.dump(made, file, indent=2)
    print("{lut4} LUT4, {ff} FF, {ebr} EBR, {dsp} DSP, {fmax_mhz:.2f} MHz for {clock_mhz:g}".format(**made))
    return 0 if made["fmax_mhz"] >= options.clock else 1


if __name__ == "__main__":
    sys.exit(main())
