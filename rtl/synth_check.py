#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Synthesises the device for ECP5 with Yosys and prints what each module takes.

Called by `make synth-check`. Hierarchy is kept, so that cells can be counted by module; a flat design is some per cent
smaller. A module with parameters appears once for each set of them that is used. Exit status is Yosys's.
"""
import argparse
import collections
import json
import os
import re
import subprocess
import sys
import time

LUT_OF = {"LUT4": 1, "$lut": 1, "CCU2C": 2, "TRELLIS_DPR16X4": 4}  # four-input tables that a cell occupies
COLUMNS = ("LUT4", "FF", "EBR", "DSP")


def cost(cells):
    """The columns' values of a dictionary of cells."""
    row = collections.Counter()
    for cell, count in cells.items():
        row["LUT4"] += LUT_OF.get(cell, 0) * count
        row["FF"] += count if cell == "TRELLIS_FF" else 0
        row["EBR"] += count if cell == "DP16KD" else 0
        row["DSP"] += count if cell == "MULT18X18D" else 0
    return row


def plain(name):
    """A module's name without Yosys's decoration for parameters."""
    found = re.match(r"\$paramod(?:\$[0-9a-f]+)?\\(\w+)", name)
    return found.group(1) if found else name


def modules_of(report):
    """The modules of Yosys's `stat -json` of a hierarchical design, by name."""
    with open(report) as text:
        return {name.lstrip("\\"): module for name, module in json.load(text)["modules"].items()}


def counted(modules, top):
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


def run_yosys(yosys, log, script):
    """Yosys's status; what it says goes to the log, whose end is printed if it fails."""
    with open(log, "w") as out:
        status = subprocess.run([yosys, "-p", script], stdout=out, stderr=subprocess.STDOUT).returncode
    if status != 0:
        sys.stderr.write(f"synthesis failed; the end of {log}:\n" + "".join(open(log).readlines()[-10:]))
    return status


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--yosys", default="yosys")
    parser.add_argument("--work", default="build/synth", help="folder for Yosys's files, below the current one")
    parser.add_argument("--lanes", type=int, default=8)
    parser.add_argument("--slots", type=int, default=16)
    parser.add_argument("sources", nargs="+")
    options = parser.parse_args()

    print(f"Yosys: LANES={options.lanes} SLOTS={options.slots} (the very first call prepares Yosys, about 100 s)", flush=True)
    start = time.monotonic()
    os.makedirs(options.work, exist_ok=True)
    report = os.path.join(options.work, "stat.json")
    status = run_yosys(options.yosys, os.path.join(options.work, "yosys.log"),
                       f"read_verilog -I. {' '.join(options.sources)}; "
                       f"chparam -set LANES {options.lanes} -set SLOTS {options.slots} heddle; "
                       f"synth_ecp5 -noflatten -top heddle; tee -o {report} stat -json")
    if status != 0:
        return status

    modules = modules_of(report)
    rows, total = counted(modules, next(name for name in modules if plain(name) == "heddle"))
    rows.sort(key=lambda row: -row[2]["LUT4"] * row[1])
    print(f"{'module':20}{'times':>6}" + "".join(f"{c:>8}" for c in COLUMNS) + f"{'LUT4 in all':>13}")
    for name, times, own in rows:
        print(f"{name:20}{times:6}" + "".join(f"{own[c]:8}" for c in COLUMNS) + f"{own['LUT4'] * times:13}")
    print(f"{'device':26}" + "".join(f"{total[c]:8}" for c in COLUMNS) +
          f"{total['LUT4']:13}   {total['LUT4'] / options.lanes:.0f} LUT4 a lane; {time.monotonic() - start:.0f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main())
