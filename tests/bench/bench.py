#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures the simulated devices, compares exact cycle counts with tests/baseline.json and figures with targets.json.

  bench.py --write build/bench.json     measure everything, print figures and targets (make bench)
  bench.py --baseline                   measure cycle counts and agree to them, also in docs/results/collectives.md (make baseline)
  bench.py                              a test: measured cycle counts equal the agreed ones; prints TAP. `make test` leaves
                                        what takes minutes to simulate to `make test-long` (HEDDLE_TEST_LONG): see Shapes

Names are those of tests/bench/README.md. Cycle counts (.cycles, .latency, .slots) repeat exactly on every machine; sim.* and
host.* are wall-clock figures of this machine and are never compared.
"""
import argparse
import dataclasses
import datetime
import json
import math
import os
import re
import subprocess
import sys

import pipelines

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BUILD = os.path.join(TOP, os.environ.get("BUILD", "build"))
BENCH = os.path.join(BUILD, "tests/bench/bench")
WORK_GROUP = os.path.join(BUILD, "tests/bench/work_group")
HOST = os.path.join(BUILD, "tests/bench/host")
DISPATCH = os.path.join(BUILD, "tests/bench/dispatch")
HEDDLE = os.path.join(BUILD, "bin/heddle")
TABLE_IN = os.path.join(TOP, "docs/results/collectives.md")
BASELINE = os.path.join(TOP, "tests/baseline.json")
TARGETS = os.path.join(TOP, "tests/bench/targets.json")
EXACT = (".cycles", ".latency", ".slots", ".bytes_per_cycle")
# The kernel that shows what several units are worth, at the default lanes.
UNITS_KERNEL = "sgemm"
# Kernels at their small size, on units of so few lanes and slots that several are soon compiled: how work-groups are handed out
# and how units share memory is in these counts on every commit.
SMALL_KERNELS, SMALL_LANES, SMALL_SLOTS = ("sgemm", "sgemv", "spmv", "mandelbrot"), 1, 4


@dataclasses.dataclass
class Shapes:
    """Which devices are measured, and what on them; what a device is measured with has its number of lanes behind .S."""

    lanes: dict  # what is measured at so many lanes; None: the default, 8
    workload_lanes: tuple  # of the kernels of tests/bench/kernels
    units: tuple  # of UNITS_KERNEL
    small_units: tuple  # of SMALL_KERNELS
    pipelines: tuple  # devices of pipelines.KERNELS

    def has(self, name):
        """Whether a figure is of one of these devices, or of no shape."""
        lanes, units = (int(match[1]) if (match := re.search(rf"\.{letter}(\d+)(\.|$)", name)) else None for letter in "SU")
        if ".small.S" in name:
            return units in self.small_units
        if units:
            return units in self.units
        if name.startswith("pipeline."):
            return any(name.split(".")[1] == kernel.name and kernel.device in self.pipelines for kernel in pipelines.KERNELS)
        if not lanes:
            return True
        if lanes in ALL.workload_lanes:
            return lanes in self.workload_lanes
        return MEASURED_BY[name.split(".")[0]] in self.lanes.get(None if lanes == 8 else lanes, ())


MEASURED_BY = {"alu": "collectives", "sub_group": "collectives", "work_group": "work-groups", "kernel": "kernels"}
EVERYTHING = ("collectives", "work-groups", "kernels")
ALL = Shapes(lanes={None: EVERYTHING, 32: EVERYTHING}, workload_lanes=(4, 16), units=(1, 2, 4, 8), small_units=(4, 8),
             pipelines=("pipelines", "workloads", "shared", "unrolled", "slots_128"))
OF_COMMIT = Shapes(lanes={None: EVERYTHING, 32: ("kernels",)}, workload_lanes=(4,), units=(), small_units=(4,), pipelines=("pipelines",))
# What `heddle run` gets for each kernel of tests/bench/pipelines; those of tests/bench/kernels are run by bench.c, with their checks.
PIPELINE_RUNS = {
    "sha256": ("-k", "sha256", "-g", "4096", "random(65536)", "zeros(32768)"),
    "sha256_plain": ("-k", "sha256_plain", "-g", "4096", "random(65536)", "zeros(32768)"),
    "sha256_of_4": ("-k", "sha256", "-g", "4096", "random(65536)", "zeros(32768)"),
    "fir_4_taps": ("-k", "fir_4_taps", "-g", "4096", "-l", "64", "random(4160)", "random(16)", "zeros(4096)"),
    "stencil3d_tile": ("-k", "stencil3d_tile", "-g", "32,32,32", "-l", "32,4,1", "random(32768)", "zeros(32768)", "n=32"),
    "sub_group_scan_inclusive_add": ("-k", "sub_group_scan", "-g", "4096", "-l", "64", "range(4096)", "zeros(4096)"),
    "work_group_scan_inclusive_add": ("-k", "work_group_scan", "-g", "4096", "-l", "64", "range(4096)", "zeros(4096)"),
    "mandelbrot": ("-k", "mandelbrot", "-g", "64,64", "zeros(4096)", "left=-2.0", "top=-1.25", "pixel=0.0390625", "most=64")}


def measure_pipeline(kernel, environment):
    """Cycles of whole dispatches of one kernel as a pipeline."""
    if kernel.name not in PIPELINE_RUNS:
        run = subprocess.run([BENCH, "workloads", "sim", kernel.name], cwd=TOP, env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True)
        found = re.search(rf"^kernel\.{kernel.name}\.S{kernel.lanes}\.cycles (\d+)$", run.stdout, re.M)
        if run.returncode != 0 or not found:
            raise SystemExit(f"bench pipelines: {kernel.name} at {kernel.lanes} lanes failed:\n{run.stderr}{run.stdout}")
        return int(found[1])
    command = [HEDDLE, "run", "--json", "-q", f"tests/bench/{kernel.source}", *PIPELINE_RUNS[kernel.name]]
    run = subprocess.run(command, cwd=TOP, env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    if run.returncode != 0:
        raise SystemExit(f"bench pipelines: {' '.join(command)} failed:\n{run.stderr}{run.stdout}")
    said = json.loads(run.stdout)
    if said["lanes"] != kernel.lanes:
        raise SystemExit(f"bench pipelines: {kernel.name} ran on {said['lanes']} lanes, expected {kernel.lanes}")
    return said["cycles"]


def measure_pipelines(devices):
    """Cycles of whole dispatches on the devices of pipelines: {name: number}."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("HEDDLE_SIM_")}
    figures = {}
    for kernel in pipelines.KERNELS:
        if kernel.device in devices:
            environment["HEDDLE_HARDWARE"] = os.path.join(BUILD, f"tests/bench/{kernel.device}.so")
            figures[f"pipeline.{kernel.name}.L{kernel.lanes}.cycles"] = measure_pipeline(kernel, environment)
    return figures


def measure(what, device, lanes=None, units=None, slots=None):
    """One run of tests/bench/bench: {name: number}; of so many units, with .U<units> behind the number of lanes."""
    environment = dict(os.environ)
    environment.pop("HEDDLE_SIM_LANES", None)
    environment.pop("HEDDLE_SIM_SLOTS", None)
    environment.pop("HEDDLE_SIM_UNITS", None)
    if lanes:
        environment["HEDDLE_SIM_LANES"] = str(lanes)
    if units:
        environment["HEDDLE_SIM_UNITS"] = str(units)
    if slots:
        environment["HEDDLE_SIM_SLOTS"] = str(slots)
    show_progress = sys.stderr.isatty()
    if show_progress:
        print(f"\r\033[K{what} on {device}, {lanes or 'default'} lanes, {units or 1} units", file=sys.stderr)
    command = [BENCH, what, device] + (list(SMALL_KERNELS) if what == "small" else [UNITS_KERNEL] if units else [])
    if what == "work-groups":
        shape = (str(lanes or 8), "32")
        command = [WORK_GROUP, os.path.join(BUILD, "lib/heddle/rtl-trace-L{}-S{}.so".format(*shape)), *shape]
    if what == "dispatches":
        command = [DISPATCH, os.path.join(BUILD, "lib/heddle/rtl-L8-S32-P.so")]
    if what == "host":
        command = [HOST, device]
    run = subprocess.run(command, cwd=TOP, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                         stderr=None if show_progress else subprocess.PIPE, text=True)
    if run.returncode != 0:
        raise SystemExit(f"bench {what} {device} (lanes {lanes or 'default'}) failed:\n{run.stderr or ''}{run.stdout}")
    figures = {}
    for line in run.stdout.splitlines():
        name, value = line.split()
        if not lanes:  # what the default device has only one of
            name = name.replace("alu.add.S8.", "alu.add.")
        if units:
            kernel, last = name.rsplit(".", 1)
            name = f"{kernel}.U{units}.{last}"
        figures[name] = float(value) if "." in value else int(value)
    return figures


def all_figures(with_speed, shapes=ALL):
    figures = measure("memory", "sim")
    figures.update(measure("dispatches", "sim"))
    for lanes, measured in shapes.lanes.items():
        for what in measured:
            figures.update(measure(what, "sim", lanes))
    for lanes in shapes.workload_lanes:
        figures.update(measure("workloads", "sim", lanes))
    for count in shapes.units:
        figures.update(measure("workloads", "sim", units=count))
    for count in shapes.small_units:
        figures.update(measure("small", "sim", SMALL_LANES, count, SMALL_SLOTS))
    figures.update(measure_pipelines(shapes.pipelines))
    kernel = f"kernel.{UNITS_KERNEL}.S8"
    for count in shapes.units:
        figures[f"{kernel}.U{count}.speedup"] = round(figures[f"{kernel}.U1.cycles"] / figures[f"{kernel}.U{count}.cycles"], 3)
    if with_speed:
        figures.update(measure("speed", "sim"))
        figures.update(measure("speed", "model"))
        figures.update(measure("host", "model"))
    return dict(sorted(figures.items()))


def exact(figures):
    return {name: value for name, value in figures.items() if name.endswith(EXACT)}


def load(path):
    with open(path) as file:
        return json.load(file)


def save(path, figures):
    with open(path, "w") as file:
        json.dump(figures, file, indent=2)
        file.write("\n")


def targets():
    """[(name, bound, whether the bound is the most)]"""
    read = load(TARGETS)
    return [(name, bound, True) for name, bound in read["at_most"].items()] + \
           [(name, bound, False) for name, bound in read["at_least"].items()]


def is_met(figures, name, bound, is_most):
    got = figures.get(name)
    return got is not None and (got <= bound if is_most else got >= bound)


def missed(figures, shapes):
    """A line for each target that is not met, with where the cycles go; the targets count only for their memory."""
    memory = load(TARGETS)["memory"]
    lines = [f"{name}: the targets are for {value}, the device has {figures.get(name)}"
             for name, value in memory.items() if figures.get(name) != value]
    for name, bound, is_most in targets():
        if shapes.has(name) and not is_met(figures, name, bound, is_most):
            lines.append(f"{name}: expected at {'most' if is_most else 'least'} {bound:,}, got {figures.get(name)}; "
                         f"of all cycles {breakdown(figures, name.rsplit('.', 1)[0])}")
    return lines


def breakdown(figures, kernel):
    parts = (("issue", "ipc"), ("memory wait", "memory_wait"), ("conflict", "conflict"), ("idle", "idle"))
    return ", ".join(f"{label} {100 * figures[f'{kernel}.{part}']:.1f} %" for label, part in parts
                     if f"{kernel}.{part}" in figures)


def share(figures, name):
    """Per cent, of the cycles of all units."""
    units = re.search(r"\.U(\d+)\.ipc$", name)
    return f"{100 * figures[name] / (int(units[1]) if units else 1):.1f}" if name in figures else "-"


def target_words(figures, kernel):
    words = []
    for name, bound, is_most in targets():
        if name.rsplit(".", 1)[0] == kernel:
            what = f"{bound:,}" if name.endswith(".cycles") else f"{name.rsplit('.', 1)[1]} {bound}"
            words.append(f"{'<=' if is_most else '>='} {what} {'met' if is_met(figures, name, bound, is_most) else 'MISSED'}")
    return ", ".join(words)


def show_kernels(figures):
    """A table of the whole kernels: a row each, per cent of all cycles, and the target where there is one."""
    line, latency, interval, cache = (figures[f"memory.{name}"] for name in ("line_bytes", "latency", "interval", "cache_bytes"))
    print(f"External memory: {line}-byte lines, {latency} cycles, a line every {interval} cycles; device cache: {cache} bytes")
    row = "{:26} {:>12} {:>7} {:>8} {:>9} {:>6} {:>7} {:>7}  {}".format
    print(row("kernel", "cycles", "issue %", "memory %", "conflict %", "idle %", "lanes %", "hits %", "target"))
    for name in figures:
        kernel, _, last = name.rpartition(".")
        if kernel.startswith("kernel.") and last == "cycles":
            print(row(kernel.removeprefix("kernel."), f"{figures[name]:,}",
                      *(share(figures, f"{kernel}.{part}")
                        for part in ("ipc", "memory_wait", "conflict", "idle", "efficiency", "cache_hits")),
                      target_words(figures, kernel)).rstrip())


def show_rest(figures):
    rest = {name: value for name, value in figures.items() if not name.startswith(("kernel.", "memory."))}
    width = max(map(len, rest))
    for name, value in rest.items():
        print(f"{name:{width}}  {value}")


def tap(number, ok, name, *details):
    print(f"{'ok' if ok else 'not ok'} {number} - {name}")
    for line in details:
        print(f"  {line}")


def passes(name):
    """How many passes through the pipeline the design gives an instruction of a sub-group."""
    _, function, kind, size = name.split(".")[:4]
    if kind == "f32" and function.endswith("_add"):
        return math.log2(int(size[1:])) + 1
    return 2 if kind == "i64" else 1


def add_latency(measured, size):
    return measured["alu.add.S32.latency" if size == "S32" else "alu.add.latency"]


def sub_group_promises(measured):
    """Lines for slots that are more than a function's passes, and for latencies that are not as many times that of add. Of
    functions that are made of several instructions there are no figures of slots, and nothing is promised."""
    slow, late = [], []
    for name, value in measured.items():
        if not name.startswith("sub_group.") or name.rsplit(".", 1)[0] + ".slots" not in measured:
            continue
        add = add_latency(measured, name.split(".")[3])
        if name.endswith(".slots") and value > passes(name) + 0.05:
            slow.append(f"{name}: expected at most {passes(name)} and the 0.05 of the measurement, got {value}")
        if name.endswith(".latency") and value != passes(name) * add:
            late.append(f"{name}: expected {passes(name)} times the {add} of add, got {value}")
    return slow, late


def work_group_promises(measured):
    late = []
    for name, value in measured.items():
        if name.startswith("work_group.") and name.endswith(".latency"):
            items, size = (int(part[1:]) for part in name.split(".")[3:5])
            bound = 2 * items // size + 2 * add_latency(measured, f"S{size}") + 8
            if value > bound:
                late.append(f"{name}: expected at most {bound}, got {value}")
    return late


def table(agreed):
    """The cycles of each function and type in Markdown, between the marks of docs/results/collectives.md."""
    types, sizes = {"i32": "int, uint", "i64": "long, ulong", "f32": "float", "f16": "half"}, ("S8", "S32")
    rows = {}
    for name, value in agreed.items():
        part = name.split(".")
        if part[0] in ("sub_group", "work_group"):
            items = part[3] if part[0] == "work_group" else ""
            rows.setdefault((part[0], part[1], items), {})[(part[2], part[-2], part[-1])] = value

    def cell(row, kind, size):
        # Where there is an exact latency, the reading of the clock by each sub-group is left out.
        slots, latency = row.get((kind, size, "slots")), row.get((kind, size, "latency"), row.get((kind, size, "cycles")))
        if latency is None:
            return ""
        return f"{slots:.2f}, {round(latency)}" if slots else f"{round(latency)}"

    lines = ["| function | " + " | ".join(f"{name}, 8 lanes | 32" for name in types.values()) + " |", "|---" * 9 + "|"]
    for (group, function, items), row in sorted(rows.items(), key=lambda r: (r[0][0], r[0][1], len(r[0][2]), r[0][2])):
        title = f"{group}_{function}" + (f", {items[1:]} work-items" if items else "")
        lines.append(f"| {title} | " + " | ".join(cell(row, kind, size) for kind in types for size in sizes) + " |")
    return "\n".join(lines) + "\n"


TABLE = re.compile(r"(<!-- cycles, by make baseline -->\n).*?(<!-- end -->)", re.S)


def with_table(text, agreed):
    return TABLE.sub(lambda marks: marks.group(1) + table(agreed) + marks.group(2), text)


def dated(text):
    return re.sub(r"Measured on \d{4}-\d\d-\d\d", f"Measured on {datetime.date.today()}", text, count=1)


def compare():
    shapes = ALL if os.environ.get("HEDDLE_TEST_LONG") else OF_COMMIT
    figures = all_figures(with_speed=False, shapes=shapes)
    everything = load(BASELINE)
    agreed = {name: value for name, value in everything.items() if shapes.has(name)}
    measured = exact(figures)
    differences = []
    for name in sorted(agreed.keys() | measured.keys()):
        expected, got = agreed.get(name), measured.get(name)
        if expected != got:
            change = f" ({(got - expected) / expected:+.1%})" if expected and got else ""
            differences.append(f"{name}: expected {expected}, got {got}{change}")
    if differences:
        differences.append("a change that is meant is agreed to with `make baseline`, and shows in review")
    print("1..6")
    tap(1, not differences, "bench::cycle_counts_equal_the_baseline", *differences)

    # The promise of the design: one issue slot and the latency of add; two of 64 bits, log2(S) + 1 for sums of floats.
    slow, late = sub_group_promises(measured)
    tap(2, not slow, "bench::a_collective_takes_its_issue_slots_and_no_more", *slow)
    tap(3, not late, "bench::a_collective_has_the_latency_of_add_for_each_slot", *late)
    over = missed(figures, shapes)
    tap(4, not over, "bench::kernels_meet_their_targets", *over)
    group_late = work_group_promises(measured)
    tap(5, not group_late, "bench::a_work_group_collective_takes_two_issues_a_sub_group_and_two_latencies", *group_late)
    with open(TABLE_IN) as file:
        text = file.read()
    tap(6, TABLE.search(text) is not None and with_table(text, everything) == text,
        "bench::the_table_of_cycles_in_docs_results_is_the_baseline's", "make baseline writes it")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--write", metavar="FILE")
    parser.add_argument("--baseline", action="store_true")
    options = parser.parse_args()
    if options.write:
        figures = all_figures(with_speed=True)
        save(options.write, figures)
        show_rest(figures)
        print()
        show_kernels(figures)
        print(f"\nTargets: {load(TARGETS)['source']}.")
    elif options.baseline:
        figures = all_figures(with_speed=False)
        save(BASELINE, exact(figures))
        with open(TABLE_IN) as file:
            text = file.read()
        with open(TABLE_IN, "w") as file:
            file.write(dated(with_table(text, exact(figures))))
        show_kernels(figures)
    else:
        compare()


if __name__ == "__main__":
    sys.exit(main())
