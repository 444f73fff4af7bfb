#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures the simulated devices and compares exact cycle counts with tests/baseline.json.

  bench.py --write build/bench.json     measure everything (make bench)
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
EXACT = (".cycles", ".latency", ".slots")


def measure(what, device, lanes=None):
    """One run of tests/bench/bench: {name: number}."""
    environment = dict(os.environ)
    environment.pop("HEDDLE_SIM_LANES", None)
    environment.pop("HEDDLE_SIM_SLOTS", None)
    if lanes:
        environment["HEDDLE_SIM_LANES"] = str(lanes)
    run = subprocess.run([BENCH, what, device], cwd=TOP, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                         stderr=subprocess.PIPE, text=True)
    if run.returncode != 0:
        raise SystemExit(f"bench {what} {device} (lanes {lanes or 'default'}) failed:\n{run.stderr}{run.stdout}")
    figures = {}
    for line in run.stdout.splitlines():
        name, value = line.split()
        if not lanes:  # what the default device has only one of
            name = name.replace("alu.add.S8.", "alu.add.").replace("dispatch.empty.S8.", "dispatch.empty.")
        figures[name] = float(value) if "." in value else int(value)
    return figures


def all_figures(with_speed):
    figures = {}
    for lanes in (None, 32):
        for what in ("collectives", "kernels"):
            figures.update(measure(what, "sim", lanes))
    if with_speed:
        figures.update(measure("speed", "sim"))
        figures.update(measure("speed", "model"))
    return dict(sorted(figures.items()))


def exact(figures):
    return {name: value for name, value in figures.items() if name.endswith(EXACT)}


def save(path, figures):
    with open(path, "w") as file:
        json.dump(figures, file, indent=2)
        file.write("\n")


def show(figures):
    width = max(map(len, figures))
    for name, value in figures.items():
        print(f"{name:{width}}  {value}")


def tap(number, ok, name, *details):
    print(f"{'ok' if ok else 'not ok'} {number} - {name}")
    for line in details:
        print(f"  {line}")


def compare():
    figures = all_figures(with_speed=False)
    with open(BASELINE) as file:
        agreed = json.load(file)
    measured = exact(figures)
    differences = []
    for name in sorted(agreed.keys() | measured.keys()):
        expected, got = agreed.get(name), measured.get(name)
        if expected != got:
            change = f" ({(got - expected) / expected:+.1%})" if expected and got else ""
            differences.append(f"{name}: expected {expected}, got {got}{change}")
    if differences:
        differences.append("a change that is meant is agreed to with `make baseline`, and shows in review")
    print("1..3")
    tap(1, not differences, "bench::cycle_counts_equal_the_baseline", *differences)

    # The promise of the design: a sub-group collective is one issue slot, with the latency of add.
    slow = []
    for name, value in measured.items():
        if name.startswith("sub_group.") and name.endswith(".slots") and value > 1.05:
            slow.append(f"{name}: expected at most 1.05, got {value}")
    tap(2, not slow, "bench::a_collective_takes_one_issue_slot", *slow)
    late = []
    for name, value in measured.items():
        add = measured["alu.add.S32.latency" if ".S32." in name else "alu.add.latency"]
        if name.startswith("sub_group.") and name.endswith(".latency") and value != add:
            late.append(f"{name}: expected {add} as for add, got {value}")
    tap(3, not late, "bench::a_collective_has_the_latency_of_add", *late)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--write", metavar="FILE")
    parser.add_argument("--baseline", action="store_true")
    options = parser.parse_args()
    if options.write:
        figures = all_figures(with_speed=True)
        save(options.write, figures)
        show(figures)
    elif options.baseline:
        figures = exact(all_figures(with_speed=False))
        save(BASELINE, figures)
        show(figures)
    else:
        compare()


if __name__ == "__main__":
    sys.exit(main())
