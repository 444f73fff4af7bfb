#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes docs/results/parameter-costs.md: what each parameter of heddle.v costs on an ECP5.

Called by `make parameter-costs`. One design holds a small device and copies of it, in each of which one parameter is
changed. Hierarchy is kept, so Yosys maps a module that several of them share once. Cells are counted in each device.
Exit status is Yosys's.
"""
import argparse
import datetime
import os
import subprocess
import sys

from synth_check import COLUMNS, counted, modules_of, run_yosys

# Two lanes, and what boards/device_parameters.vh has for small boards.
BASE = {"LANES": 2, "SLOTS": 8, "UNITS": 1, "BANKS": 1, "GLOBAL_LOG2": 25, "LOCAL_LOG2": 13, "FETCH_CACHE_LOG2": 11,
        "CACHE_LOG2": 13, "MUL": 1, "DIV": 1, "FPU": 0, "BITMANIP": 1, "ATOMIC": 1, "PROCESSOR": 0, "COMPACT": 0}
ECP5_NAMES = {"LUT": "LUT4", "FF": "FF", "RAM": "EBR", "DSP": "DSP"}
SHAPES = [{}, {"LANES": 4}, {"SLOTS": 16}, {"UNITS": 2}, {"BANKS": 2, "CACHE_LOG2": 14}, {"LOCAL_LOG2": 15},
          {"FETCH_CACHE_LOG2": 13}, {"CACHE_LOG2": 15}, {"MUL": 0, "DIV": 0}, {"DIV": 0}, {"FPU": 1}, {"BITMANIP": 0},
          {"ATOMIC": 0}, {"PROCESSOR": 1}, {"COMPACT": 1}]


def words(parameters):
    """NAME=value of each parameter."""
    return " ".join(f"{name}={value}" for name, value in parameters.items())


def design():
    """Verilog: a module for each shape, and one that has them all."""
    modules = []
    for number, shape in enumerate(SHAPES):
        settings = ", ".join(f".{name}({value})" for name, value in {**BASE, **shape}.items())
        modules.append(f"module shape_{number} (input clk);\n  (* keep *) heddle #({settings}) device (.clk(clk));\nendmodule\n")
    instances = "".join(f"  (* keep *) shape_{number} s{number} (.clk(clk));\n" for number in range(len(SHAPES)))
    return "".join(modules) + f"module shapes (input clk);\n{instances}endmodule\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--yosys", default="yosys")
    parser.add_argument("--work", default="build/parameter-costs", help="folder for Yosys's files, below the current one")
    parser.add_argument("--write", metavar="FILE", required=True, help="the page")
    parser.add_argument("sources", nargs="+")
    options = parser.parse_args()

    os.makedirs(options.work, exist_ok=True)
    report, source = os.path.join(options.work, "stat.json"), os.path.join(options.work, "shapes.v")
    with open(source, "w") as out:
        out.write(design())
    # Tables of four inputs without the wider multiplexers of an ECP5, as boards are mapped; plain ABC is quick.
    status = run_yosys(options.yosys, os.path.join(options.work, "yosys.log"),
                       f"read_verilog -I. {' '.join(options.sources)} {source}; "
                       f"synth_ecp5 -noflatten -run :map_luts -top shapes; abc -lut 4; clean; tee -o {report} stat -json")
    if status != 0:
        return status
    modules = modules_of(report)
    costs = [counted(modules, f"shape_{number}")[1] for number in range(len(SHAPES))]

    version = subprocess.run([options.yosys, "-V"], capture_output=True, text=True, check=True).stdout.split()
    lines = ["# What each parameter costs", "",
             f"Generated on {datetime.date.today()} by `make parameter-costs`, with Yosys {version[1]} for ECP5. The first row is a small",
             "device. Each other row is what one change adds to it. LUT4: tables of four inputs, also those in carry chains and in",
             "distributed RAM. FF: flip-flops. EBR: block RAM of 18 Kbit. DSP: multipliers of 18 bits. Hierarchy is kept and ABC9 is",
             "not used, so a board's own figures ([boards](boards.md)) are some per cent smaller. A flat",
             "design also removes what a constant of another module makes useless, which ATOMIC=0 mostly is. Ranges:",
             "[rtl/PORTS.md](../../rtl/PORTS.md).", "",
             "| shape | " + " | ".join(ECP5_NAMES[column] for column in COLUMNS) + " |", "|---|" + "---|" * len(COLUMNS),
             f"| {words(BASE)} | " + " | ".join(f"{costs[0][c]:,}" for c in COLUMNS) + " |"]
    for shape, cost in zip(SHAPES[1:], costs[1:]):
        differences = [cost[c] - costs[0][c] for c in COLUMNS]
        lines.append(f"| {words(shape)} | " + " | ".join(f"{d:+,}" if d else "0" for d in differences) + " |")
    with open(options.write, "w") as page:
        page.write("\n".join(lines) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
