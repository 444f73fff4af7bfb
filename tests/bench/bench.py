#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures the simulated devices, compares exact cycle counts with tests/baseline.json and figures with targets.json.

  bench.py --write build/bench.json     measure everything, print figures and targets (make bench)
  bench.py --baseline                   measure cycle counts and agree to them (make baseline)
  bench.py                              a test: measured cycle counts equal the agreed ones; prints TAP (make test)

Names are those of tests/README.md. Cycle counts (.cycles, .latency, .slots) repeat exactly on every machine; sim.* are
wall-clock figures of this machine and are never compared.
"""
import argparse
import json
import os
import subprocess
import sys

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BENCH = os.path.join(TOP, os.environ.get("BUILD", "build"), "tests/bench/bench")
BASELINE = os.path.join(TOP, "tests/baseline.json")
TARGETS = os.path.join(TOP, "tests/bench/targets.json")
EXACT = (".cycles", ".latency", ".slots")
# Lanes at which the kernels of tests/bench/kernels are measured; the shapes beside the default for the rest.
WORKLOAD_LANES = (4, 16)
OTHER_LANES = (None, 32)


def measure(what, device, lanes=None):
    """One run of tests/bench/bench: {name: number}."""
    environment = dict(os.environ)
    environment.pop("HEDDLE_SIM_LANES", None)
    environment.pop("HEDDLE_SIM_SLOTS", None)
    if lanes:
        environment["HEDDLE_SIM_LANES"] = str(lanes)
    show_progress = sys.stderr.isatty()
    if show_progress:
        print(f"\r\033[K{what} on {device}, {lanes or 'default'} lanes", file=sys.stderr)
    run = subprocess.run([BENCH, what, device], cwd=TOP, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                         stderr=None if show_progress else subprocess.PIPE, text=True)
    if run.returncode != 0:
        raise SystemExit(f"bench {what} {device} (lanes {lanes or 'default'}) failed:\n{run.stderr or ''}{run.stdout}")
    figures = {}
    for line in run.stdout.splitlines():
        name, value = line.split()
        if not lanes:  # what the default device has only one of
            name = name.replace("alu.add.S8.", "alu.add.").replace("dispatch.empty.S8.", "dispatch.empty.")
        figures[name] = float(value) if "." in value else int(value)
    return figures


def all_figures(with_speed):
    figures = measure("memory", "sim")
    for lanes in OTHER_LANES:
        for what in ("collectives", "kernels"):
            figures.update(measure(what, "sim", lanes))
    for lanes in WORKLOAD_LANES:
        figures.update(measure("workloads", "sim", lanes))
    if with_speed:
        figures.update(measure("speed", "sim"))
        figures.update(measure("speed", "model"))
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


def missed(figures):
    """A line for each target that is not met, with where the cycles go; the targets count only for their memory."""
    memory = load(TARGETS)["memory"]
    lines = [f"{name}: the targets are for {value}, the device has {figures.get(name)}"
             for name, value in memory.items() if figures.get(name) != value]
    for name, bound, is_most in targets():
        if not is_met(figures, name, bound, is_most):
            lines.append(f"{name}: expected at {'most' if is_most else 'least'} {bound:,}, got {figures.get(name)}; "
                         f"of all cycles {breakdown(figures, name.rsplit('.', 1)[0])}")
    return lines


def breakdown(figures, kernel):
    parts = (("issue", "ipc"), ("memory wait", "memory_wait"), ("conflict", "conflict"), ("idle", "idle"))
    return ", ".join(f"{label} {100 * figures[f'{kernel}.{part}']:.1f} %" for label, part in parts
                     if f"{kernel}.{part}" in figures)


def share(figures, name):
    return f"{100 * figures[name]:.1f}" if name in figures else "-"


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


def is_one_slot(name):
    """Has this function of a sub-group an instruction? Sums of floats and all of long are trees of shuffles."""
    return name.startswith("sub_group.") and ".i64." not in name and not ("_add.f32." in name)


def compare():
    figures = all_figures(with_speed=False)
    agreed = load(BASELINE)
    measured = exact(figures)
    differences = []
    for name in sorted(agreed.keys() | measured.keys()):
        expected, got = agreed.get(name), measured.get(name)
        if expected != got:
            change = f" ({(got - expected) / expected:+.1%})" if expected and got else ""
            differences.append(f"{name}: expected {expected}, got {got}{change}")
    if differences:
        differences.append("a change that is meant is agreed to with `make baseline`, and shows in review")
    print("1..4")
    tap(1, not differences, "bench::cycle_counts_equal_the_baseline", *differences)

    # The promise of the design: a sub-group collective is one issue slot, with the latency of add.
    slow = []
    for name, value in measured.items():
        if is_one_slot(name) and name.endswith(".slots") and value > 1.05:
            slow.append(f"{name}: expected at most 1.05, got {value}")
    tap(2, not slow, "bench::a_collective_takes_one_issue_slot", *slow)
    late = []
    for name, value in measured.items():
        add = measured["alu.add.S32.latency" if ".S32." in name else "alu.add.latency"]
        if is_one_slot(name) and name.endswith(".latency") and value != add:
            late.append(f"{name}: expected {add} as for add, got {value}")
    tap(3, not late, "bench::a_collective_has_the_latency_of_add", *late)
    over = missed(figures)
    tap(4, not over, "bench::kernels_meet_their_targets", *over)


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
        show_kernels(figures)
    else:
        compare()


if __name__ == "__main__":
    sys.exit(main())
