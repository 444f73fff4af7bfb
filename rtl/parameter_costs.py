#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes docs/results/parameter-costs.md: what each parameter of heddle.v costs on an ECP5.

Called by `make parameter-costs`. Synthesises a small device with Yosys, then the same device with one parameter changed
at a time, and counts cells. A shape that was counted from the same sources is not synthesised again: its figures are in
--work. Hierarchy is kept; a flat design is some per cent smaller. Exit status is Yosys's.
"""
import argparse
import datetime
import hashlib
import json
import os
import subprocess
import sys

from synth_check import COLUMNS, counted, synthesise

# Two lanes: a shape takes Yosys half a minute. The rest is what boards/device_parameters.vh has.
BASE = {"LANES": 2, "SLOTS": 8, "UNITS": 1, "BANKS": 1, "GLOBAL_LOG2": 25, "LOCAL_LOG2": 13, "FETCH_CACHE_LOG2": 11,
        "CACHE_LOG2": 13, "MUL": 1, "DIV": 1, "FPU": 0, "BITMANIP": 1, "ATOMIC": 1, "PROCESSOR": 0, "COMPACT": 0}
CHANGES = [{"LANES": 4}, {"LANES": 8}, {"SLOTS": 16}, {"UNITS": 2}, {"BANKS": 2, "CACHE_LOG2": 14}, {"GLOBAL_LOG2": 30},
           {"LOCAL_LOG2": 15}, {"FETCH_CACHE_LOG2": 13}, {"CACHE_LOG2": 16}, {"DIV": 0}, {"MUL": 0, "DIV": 0}, {"FPU": 1},
           {"BITMANIP": 0}, {"ATOMIC": 0}, {"PROCESSOR": 1}, {"COMPACT": 1}]


def words(parameters):
    """NAME=value of each parameter."""
    return " ".join(f"{name}={value}" for name, value in parameters.items())


def cost_of(options, sources_hash, change):
    """The columns of the base with a change, from --work or from Yosys; None: synthesis failed."""
    parameters = {**BASE, **change}
    name = hashlib.sha256((sources_hash + words(parameters)).encode()).hexdigest()[:16]
    kept = os.path.join(options.work, name + ".json")
    if not os.path.exists(kept):
        print(f"  yosys {words(change) or 'base'}", flush=True)
        status, report = synthesise(options.yosys, os.path.join(options.work, name), parameters, options.sources, "-noabc9 ")
        if status != 0:
            return None
        with open(kept, "w") as out:
            json.dump(counted(report)[1], out)
    with open(kept) as text:
        return json.load(text)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--yosys", default="yosys")
    parser.add_argument("--work", default="build/parameter-costs", help="folder for Yosys's files, below the current one")
    parser.add_argument("--write", metavar="FILE", required=True, help="the page")
    parser.add_argument("sources", nargs="+")
    options = parser.parse_args()
    digest = hashlib.sha256()
    headers = [os.path.join(folder, name) for folder, _, names in os.walk("rtl") for name in names if name.endswith(".vh")]
    for path in sorted(options.sources + headers + ["contract/device_map.vh"]):
        digest.update(open(path, "rb").read())
    base = cost_of(options, digest.hexdigest(), {})
    costs = [(change, base and cost_of(options, digest.hexdigest(), change)) for change in CHANGES]
    if not base or not all(cost for _, cost in costs):
        return 1

    version = subprocess.run([options.yosys, "-V"], capture_output=True, text=True, check=True).stdout.split()
    lines = ["# What each parameter costs", "",
             f"Generated on {datetime.date.today()} by `make parameter-costs`, with Yosys {version[1]} for ECP5. It is heddle.v with",
             "hierarchy kept; a flat design is some per cent smaller. Each row after the first is the difference that one change",
             "makes to the first. LUT4: tables of four inputs, also those in carry chains and in small RAM. EBR: block RAM of 18 Kbit.",
             "DSP: multipliers of 18 bits. Ranges: [rtl/PORTS.md](../../rtl/PORTS.md).", "",
             "| shape | " + " | ".join(COLUMNS) + " |", "|---|" + "---|" * len(COLUMNS),
             f"| base: {words(BASE)} | " + " | ".join(f"{base.get(c, 0):,}" for c in COLUMNS) + " |"]
    for change, cost in costs:
        cells = [cost.get(c, 0) - base.get(c, 0) for c in COLUMNS]
        lines.append(f"| {words(change)} | " + " | ".join(f"{c:+,}" if c else "0" for c in cells) + " |")
    with open(options.write, "w") as page:
        page.write("\n".join(lines) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
