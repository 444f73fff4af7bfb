#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Does lockstep find mistakes? Plants each bug of planted.py in a copy of rtl/, builds that device, and runs random
programs on it and on the golden model until one differs, or the one directed test that the bug names. `make plant`; with words:
the bugs whose name holds one.

Fails when a bug is not found, when the text that a bug replaces does not stand in its file exactly once, and when the RTL as
it is differs. PROGRAMS, LANES and SLOTS are read from the environment; as many bugs at a time as there are processors, or JOBS.
"""
import concurrent.futures
import os
import re
import shutil
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.dirname(HERE), HERE]
import tap
from planted import PLANTED

LANES = int(os.environ.get("LANES") or 4)
SLOTS = int(os.environ.get("SLOTS") or 8)
PROGRAMS = int(os.environ.get("PROGRAMS") or 1500)
JOBS = int(os.environ.get("JOBS") or os.cpu_count())
WORK = os.path.join(tap.BUILD, "plant")
RUNTIME = os.path.join(tap.BUILD, "sim/rtl/verilated.a")  # Verilator's, the same for all


def plant(bug, rtl):
    """Copies rtl/ to the folder, with the bug (None: without)."""
    shutil.rmtree(rtl, ignore_errors=True)
    shutil.copytree(os.path.join(WORK, "rtl"), rtl, ignore=shutil.ignore_patterns("*.md", "*.py", "*.mk", "boards", "ddr3", "pcie", "small"))
    if bug is None:
        return
    path = os.path.join(rtl, bug.file)
    with open(path) as source:
        text = source.read()
    if text.count(bug.text) != 1:
        raise AssertionError(f"rtl/{bug.file}: {bug.text!r} stands there {text.count(bug.text)} times; planted.py needs a new text")
    with open(path, "w") as source:
        source.write(text.replace(bug.text, bug.replacement))


def find(name, bug):
    """Returns what to print. AssertionError: the bug was not found; without a bug: a difference was."""
    folder = os.path.join(WORK, name)
    plant(bug, os.path.join(folder, "rtl"))
    start = time.monotonic()
    units = bug.units if bug else 1
    device = os.path.join(folder, "lib/heddle", f"rtl-trace-L{LANES}-S{SLOTS}" + (f"-U{units}" if units > 1 else "") + ".so")
    sources = [os.path.join(at, file) for at, _, files in os.walk(os.path.join(folder, "rtl")) for file in sorted(files)
               if file.endswith(".v")]
    # A make above would hand down its jobs and variables.
    environment = {key: value for key, value in os.environ.items() if key not in ("MAKEFLAGS", "MFLAGS", "MAKEOVERRIDES")}
    built = subprocess.run(["make", "-j1", f"BUILD={folder}", "RTL_SOURCES=" + " ".join(sources), f"VERILOG_TOPS={folder} .", "RTL_OPTIMISE=-O1",
                            f"VERILATED_RUNTIME={RUNTIME}", device], cwd=tap.TOP, env=environment, capture_output=True, text=True)
    if built.returncode:
        raise AssertionError(f"{name} does not build:\n" + (built.stdout + built.stderr)[-2000:])
    built_in, start = time.monotonic() - start, time.monotonic()
    ran = subprocess.run([os.path.join(tap.BUILD, "tests/lockstep/lockstep"), "--jobs", "1", "--color=never", "--filter",
                          f"lockstep/{bug.test if bug and bug.test else 'random_*'}"],
                         cwd=tap.TOP, capture_output=True, text=True, timeout=1800,
                         env={**environment, "HEDDLE_LOCKSTEP_RTL": device, "HEDDLE_SIM_LANES": str(LANES), "HEDDLE_SIM_SLOTS": str(SLOTS), "HEDDLE_SIM_UNITS": str(units),
                              "HEDDLE_LOCKSTEP_PROGRAMS": str(PROGRAMS), "HEDDLE_LOCKSTEP_SEED": "1", "HEDDLE_LOCKSTEP_FAILURES": "1"})
    took = f"{time.monotonic() - start:.1f} s (built in {built_in:.0f} s)"
    seeds = re.findall(r"again: make lockstep SEED=(\d+)", ran.stderr)
    if bug is None:
        if ran.returncode:
            raise AssertionError("the RTL without a bug differs:\n" + ran.stderr[-2000:])
        return f"no difference in {PROGRAMS} programs, {took}"
    if not ran.returncode:
        raise AssertionError(f"not found in {PROGRAMS} programs, {took}: {bug.what}")
    if bug.test:
        if f"lockstep::{bug.test}" not in ran.stderr + ran.stdout:
            raise AssertionError(f"{bug.test} was not run:\n" + ran.stderr[-2000:])
        shutil.rmtree(folder, ignore_errors=True)
        return f"found by {bug.test} in {took}: {bug.what}"
    if not seeds:
        raise AssertionError(f"lockstep failed, but not by a difference:\n" + ran.stderr[-2000:])
    shutil.rmtree(folder, ignore_errors=True)
    return f"found by SEED={min(map(int, seeds))} in {took}: {bug.what}"


def main():
    wanted = [re.sub(r"^lockstep_finds\[(.*)\]$", r"\1", word) for word in sys.argv[1:]]
    sys.argv[1:] = []  # tap.run need not choose again
    bugs = {name: bug for name, bug in PLANTED.items() if not wanted or any(word in name for word in wanted)}
    shutil.rmtree(WORK, ignore_errors=True)
    shutil.copytree(os.path.join(tap.TOP, "rtl"), os.path.join(WORK, "rtl"))  # as it is now, whatever changes meanwhile
    pool = concurrent.futures.ThreadPoolExecutor(JOBS)
    runs = {name: pool.submit(find, name, bug) for name, bug in {**({} if wanted else {"rtl_as_it_is": None}), **bugs}.items()}
    found = []

    @tap.test_for(**{name: name for name in runs})
    def lockstep_finds(name):
        print(f"# {runs[name].result()}", flush=True)
        found.append(name)

    try:
        tap.run("plant")
    finally:
        print(f"# {len([name for name in found if name in bugs])} of {len(bugs)} planted bugs found", flush=True)


if __name__ == "__main__":
    main()
