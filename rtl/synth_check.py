#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Synthesises the device with Yosys for FPGAs of one family, prints what each module takes, and judges every warning.

Called by `make synth-check`. Hierarchy is kept, so that cells can be counted by module, and that lanes, which are equal, are mapped once; a flat design is
some per cent smaller. A module with parameters appears once for each set of them that is used. LUTs are mapped by ABC, module by module: ABC9, which
Yosys's scripts use, writes out the whole design for each module, which takes more than all else; it makes better clocks, which nobody asks for here.

Exit status: 0 there is no warning, or each is one that EXPLAINED has; 1 there is another one; else Yosys's.
"""
import argparse
import collections
import json
import os
import re
import subprocess
import sys
import time

COLUMNS = ("LUT", "FF", "RAM", "DSP")


class Target:
    """A family of FPGAs: Yosys's script for it, what stands there instead of ABC9, and which of its cells count as what, by regular expressions.
    `only_block` is the script's step for block RAM of a family that has no RAM of LUTs: what the RTL asks to be that, which Yosys would refuse, is anything."""

    def __init__(self, script, luts, after="map_cells:", options="-noflatten", only_block=None, lut=(), ff="", ram="", dsp=""):
        self.script, self.luts, self.after, self.options, self.only_block = script, luts, after, options, only_block
        self.cells = [("LUT", re.compile(cell), count) for cell, count in lut] + [(what, re.compile(cell), 1) for what, cell in
                                                                                  (("FF", ff), ("RAM", ram), ("DSP", dsp))]

    def commands(self, top):
        call = f"{self.script} {self.options} -top {top} -run"
        memories = f"{call} begin:{self.only_block}; setattr -unset ram_style t:$mem_v2; {call} {self.only_block}:map_luts" if self.only_block else f"{call} begin:map_luts"
        return f"{memories}; {self.luts}; clean; {call} {self.after}"

    def cost(self, cells):
        """The columns' values of a dictionary of cells. A LUT is a table of four inputs, or of six where the family has those."""
        row = collections.Counter()
        for cell, number in cells.items():
            for what, kind, count in self.cells:
                if kind.fullmatch(cell):
                    row[what] += count * number
        return row


TARGETS = {
    "ecp5": Target("synth_ecp5", "abc -lut 4", options="-noflatten -nowidelut", lut=((r"LUT4|\$lut", 1), ("CCU2C", 2), ("TRELLIS_DPR16X4", 4)),
                   ff="TRELLIS_FF", ram="DP16KD|PDPW16KD", dsp="MULT18X18D"),
    "ice40": Target("synth_ice40", "check -latchonly -assert; abc -lut 4; ice40_wrapcarry -unwrap; techmap -map +/ice40/ff_map.v; clean; opt_lut -tech ice40",
                    only_block="map_ram", lut=(("SB_LUT4", 1),), ff="SB_DFF.*", ram="SB_RAM40_4K.*", dsp="SB_MAC16"),
    "gowin": Target("synth_gowin", "abc -lut 4", options="-noflatten -noiopads", lut=(("LUT[1-4]|ALU", 1), ("RAM16SDP[124]", 4)), ff="DFF.*",
                    ram="SPX?9?|DPX?9?B?|SDPX?9?B?|pROM.*", dsp="MULT.*"),
    "xilinx": Target("synth_xilinx", "opt_expr -mux_undef -noclkinv; abc -lut 6; clean; xilinx_srl -fixed -minlen 3; techmap -map +/xilinx/lut_map.v "
                     "-map +/xilinx/cells_map.v -D LUT_WIDTH=6; xilinx_dffopt; opt_lut_ins -tech xilinx", after="finalize:",
                     options="-noiopad -noclkbuf", lut=(("LUT[1-6]|INV|SRL.*", 1), ("RAM32M|RAM64M", 4), ("RAM.*X1D", 2)), ff="FD[RSCP]E.*", ram="RAMB(18|36)E1",
                     dsp="DSP48E1"),
    "gatemate": Target("synth_gatemate", "abc -lut 4", options="-noflatten -noiopad -noclkbuf", only_block="map_bram",
                       lut=(("CC_LUT[1-4]|CC_ADDF|CC_MX[24]", 1),), ff="CC_DFF",
                       ram="CC_BRAM_[24]0K", dsp="CC_MULT"),
}

# Warnings that are no reason to change anything, by what they say, and why. CONFLICT is judged by conflict() besides.
CONFLICT = re.compile(r"Drivers conflicting with a constant 1'[01x] driver")
EXPLAINED = (
    (re.compile(r"Replacing memory \\\S+ with list of registers"), "an array that is read or written whole, as the steps of a sum: wires or registers, and no memory"),
    (re.compile(r"^/share/\S+: Warning: Range .* out of bounds"), "Yosys's own library for this family, in what it leaves out for narrower memories"),
    (CONFLICT, "the variable of a `for` in several always blocks: the loops are unrolled, and nothing reads what it is at their ends"),
    (re.compile(r"Yosys has only limited support for tri-state"), "a pad that goes both ways"),
)
CREATED = re.compile(r"^Creating register for signal `(?:.*)\.\\([^']+)' using process `(?:.*)\$proc\$([^:]+):\d+\$\d+'\.\n +created \$\w+ cell `(\S+)'", re.M)


def conflict(following, created):
    """Whether the drivers that conflict are registers of a variable of a loop, and no others: of one that its file declares as an integer."""
    drivers = []
    for line in following:
        found = re.match(r" +port \S+ of cell (\S+) ", line)
        if not found:
            break
        drivers.append(found[1])
    for driver in set(drivers):
        name, path = created.get(driver, (None, None))
        if not name or not os.path.exists(path):
            return False
        with open(path) as text:
            if not re.search(rf"\binteger\b[^;]*\b{re.escape(name)}\b[^;]*;", text.read()):
                return False
    return bool(drivers)


def judged(said):
    """Of all that Yosys said: how often each explanation stands for a warning, and the warnings that have none."""
    lines = said.splitlines()
    created = {cell: (name, path) for name, path, cell in CREATED.findall(said)}
    explained, others = collections.Counter(), []
    for at, line in enumerate(lines):
        if not re.match(r"(/\S+: )?Warning: ", line):
            continue
        reason = next((reason for words, reason in EXPLAINED if words.search(line) and
                       (words is not CONFLICT or conflict(lines[at + 1:at + 100], created))), None)
        if reason:
            explained[reason] += 1
        else:
            others.append(line)
    return explained, others


def plain(name):
    """A module's name without Yosys's decoration for parameters."""
    found = re.match(r"\$paramod(?:\$[0-9a-f]+)?\\(\w+)", name)
    return found.group(1) if found else name


def modules_of(report):
    """The modules of Yosys's `stat -json` of a hierarchical design, by name."""
    with open(report) as text:
        return {name.lstrip("\\"): module for name, module in json.load(text)["modules"].items()}


def counted(modules, top, cost=TARGETS["ecp5"].cost):
    """(module, times, cost of one) for each module in the one named `top`, and the cost of all."""
    counts = collections.Counter()  # how often each module is there

    def visit(name, times):
        counts[name] += times
        for cell, number in modules[name]["num_cells_by_type"].items():
            if cell in modules:
                visit(cell, times * number)

    visit(top, 1)
    rows, total = [], collections.Counter()
    for name, times in counts.items():
        own = cost(modules[name]["num_cells_by_type"])
        rows.append((plain(name), times, own))
        for column in COLUMNS:
            total[column] += own[column] * times
    return rows, total


def last_pass(log):
    """What Yosys is at: the last pass that its log begins."""
    with open(log, errors="replace") as text:
        found = re.findall(r"^[\d.]+\. (Executing [\w ()]+)", text.read()[-200000:], re.M)
    return found[-1] if found else "reading"


def run_yosys(yosys, log, script, progress=20):
    """Yosys's status; what it says goes to the log, whose end is printed if it fails. So often, in seconds, it is said what Yosys is at."""
    start = time.monotonic()
    with open(log, "w") as out:
        process = subprocess.Popen([yosys, "-p", script], stdout=out, stderr=subprocess.STDOUT)
        try:
            while True:
                try:
                    status = process.wait(progress)
                    break
                except subprocess.TimeoutExpired:
                    print(f"  {time.monotonic() - start:5.0f} s  {last_pass(log)}", flush=True)
        finally:
            if process.poll() is None:
                process.terminate()
                process.wait()
    if status != 0:
        with open(log) as text:
            sys.stderr.write(f"synthesis failed; the end of {log}:\n" + "".join(text.readlines()[-10:]))
    return status


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--yosys", default="yosys")
    parser.add_argument("--work", default="build/synth", help="folder for Yosys's files, below the current one")
    parser.add_argument("--target", choices=TARGETS, default="ecp5")
    parser.add_argument("--lanes", type=int, default=2)
    parser.add_argument("--slots", type=int, default=4)
    parser.add_argument("sources", nargs="+")
    options = parser.parse_args()

    print(f"Yosys for {options.target}: LANES={options.lanes} SLOTS={options.slots} (the very first call prepares Yosys, about 100 s)", flush=True)
    start = time.monotonic()
    target = TARGETS[options.target]
    work = os.path.join(options.work, options.target)
    os.makedirs(work, exist_ok=True)
    report, log = os.path.join(work, "stat.json"), os.path.join(work, "yosys.log")
    status = run_yosys(options.yosys, log, f"read_verilog -I. {' '.join(options.sources)}; "
                       f"chparam -set LANES {options.lanes} -set SLOTS {options.slots} heddle; "
                       f"{target.commands('heddle')}; tee -o {report} stat -json")
    if status != 0:
        return status

    modules = modules_of(report)
    rows, total = counted(modules, next(name for name in modules if plain(name) == "heddle"), target.cost)
    rows.sort(key=lambda row: -row[2]["LUT"] * row[1])
    print(f"{'module':20}{'times':>6}" + "".join(f"{c:>8}" for c in COLUMNS) + f"{'LUT in all':>13}")
    for name, times, own in rows:
        print(f"{name:20}{times:6}" + "".join(f"{own[c]:8}" for c in COLUMNS) + f"{own['LUT'] * times:13}")
    print(f"{'device':26}" + "".join(f"{total[c]:8}" for c in COLUMNS) +
          f"{total['LUT']:13}   {total['LUT'] / options.lanes:.0f} LUT a lane; {time.monotonic() - start:.0f} s")
    with open(log, errors="replace") as text:
        explained, others = judged(text.read())
    for reason, count in explained.items():
        print(f"{count} warning{'s' if count > 1 else ''}: {reason}")
    for line in others:
        print(f"not explained: {line}", file=sys.stderr)
    return 1 if others else 0


if __name__ == "__main__":
    sys.exit(main())
