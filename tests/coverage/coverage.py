#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Which lines of rtl/ do the tests carry out? Runs lockstep and OpenCL suites on Verilated devices that count, at several
LANES, adds up the counts and writes build/coverage/index.html. `make coverage`; with --page only: the page from counts that are there.

Fails when a test fails, when less than 95 % of the lines were carried out, and when one that was not stands without a reason in
explained.txt. A line counts when a statement, a branch or a case begins or goes on there; continuous assignments, which are
always at work, do not. It was carried out when every statement on it was, in some instance on some device.
"""
import collections
import concurrent.futures
import glob
import html
import os
import re
import shutil
import subprocess
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from tap import BUILD, TOP

OUT = os.path.join(BUILD, "coverage")
COUNTS = os.path.join(OUT, "counts")
DEVICES = os.path.join(OUT, "devices")
EXPLAINED = os.path.join(TOP, "tests/coverage/explained.txt")
LEAST = 95.0
STATEMENTS = {"block", "case", "if", "else", "elsif"}  # kinds of Verilator's points; the others are halves of ?:

SHAPES = (os.environ.get("SHAPES") or "L1-S32 L4-S32 L8-S4 L8-S32-P L32-S32 L4-S8-U3").split()
SUITES = ("collectives", "ndrange", "barriers", "control_flow")
MORE_SUITES = ("faults", "memory", "arithmetic", "events", "in_flight", "sub_group_info")  # at the default shape
DISPATCH = ("dispatch_waiting", "dispatch_link", "dispatch_commands")
TRANSPORT = ("transport_link-cover-5", "transport/serial", "rtl_sdram-cover-75000-3-5", "rtl_ddr3-cover-5")  # the link, the board with everything, memory
# (program, shape)
RUNS = [("lockstep/lockstep", shape) for shape in SHAPES] + [(f"opencl/{suite}", shape) for shape in SHAPES for suite in SUITES] + \
       [(program, "L8-S32-P") for program in [f"opencl/{suite}" for suite in MORE_SUITES] + list(DISPATCH) if "L8-S32-P" in SHAPES] + \
       [(program, "L8-S32-P") for program in TRANSPORT]


def run(entry):
    program, shape = entry
    device = os.path.join(BUILD, f"lib/heddle/rtl-cover-{shape}.so")
    sizes = {part[0]: part[1:] for part in shape.split("-")}
    environment = {**os.environ, "HEDDLE_COVERAGE": COUNTS, "HEDDLE_RTL_DIR": DEVICES, "HEDDLE_LOCKSTEP_RTL": device, "HEDDLE_DISPATCH_RTL": device, "HEDDLE_TEST_DEVICE": "sim",
                   "HEDDLE_TEST_BOARD": os.path.join(BUILD, "sim/serial_board-cover/heddle-board"),
                   "HEDDLE_SIM_LANES": sizes["L"], "HEDDLE_SIM_SLOTS": sizes["S"], "HEDDLE_SIM_UNITS": sizes.get("U", "1")}
    if program in TRANSPORT:  # the board says its own lanes
        del environment["HEDDLE_SIM_LANES"], environment["HEDDLE_SIM_SLOTS"], environment["HEDDLE_SIM_UNITS"]
    start = time.monotonic()
    done = subprocess.run([os.path.join(BUILD, "tests", program), "--jobs", "1", "--color=never"], cwd=TOP, env=environment,
                          stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=3600)
    return f"{program} {shape}", done, time.monotonic() - start


def run_all():
    shutil.rmtree(OUT, ignore_errors=True)
    os.makedirs(COUNTS)
    os.makedirs(DEVICES)
    for shape in SHAPES:
        os.symlink(os.path.join(BUILD, f"lib/heddle/rtl-cover-{shape}.so"), os.path.join(DEVICES, f"rtl-{shape}.so"))
    failed = []
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for name, done, took in pool.map(run, RUNS):
            print(f"  {name}: {'ok' if done.returncode == 0 else 'failed'}, {took:.0f} s", flush=True)
            if done.returncode:
                print(done.stderr[-3000:])
                failed.append(name)
    return failed


def lines_of(text):
    """'12,14-16' as numbers."""
    for part in text.split(","):
        first, _, last = part.partition("-")
        yield from range(int(first), int(last or first) + 1)


def read_counts():
    """{file: {line: {point: count}}}, one point for each statement and branch, summed over all runs."""
    files = collections.defaultdict(lambda: collections.defaultdict(collections.Counter))
    parsed = {}
    paths = glob.glob(os.path.join(COUNTS, "*.dat"))
    for path in paths:
        with open(path, errors="replace") as data:
            for record in data:
                if not record.startswith("C '"):
                    continue
                key, count = record[3:].rsplit("' ", 1)
                if key not in parsed:
                    fields = dict(part.split("\2", 1) for part in key.split("\1") if "\2" in part)
                    kept = fields.get("o") in STATEMENTS and fields.get("S")
                    parsed[key] = (fields["f"], (fields["l"], fields["n"], fields["o"]), list(lines_of(fields["S"]))) if kept else None
                if parsed[key]:
                    file, point, lines = parsed[key]
                    for line in lines:
                        files[file][line][point] += int(count)
    return files, len(paths)


def read_explained():
    """{(file, line text): reason}"""
    explained = {}
    with open(EXPLAINED) as text:
        for line in text:
            if line.strip() and not line.startswith("#"):
                file, code, reason = (part.strip() for part in line.split(" ## "))
                explained[file, code] = reason
    return explained


STYLE = """body{font-family:sans-serif;margin:2em}table{border-collapse:collapse}td,th{padding:.1em .8em;text-align:right}
td:first-child,th:first-child{text-align:left}pre{line-height:1.25;font-size:90%}.no{background:#ffc9c9}.why{background:#ffe9b8}.n{color:#777}
i{color:#a33;font-style:normal}"""


def page(files, explained, runs):
    """Writes the page; returns (percent, [uncovered lines without a reason], [explanations that no line needs])."""
    rows, sources, unexplained, used, total, hit = [], [], [], set(), 0, 0
    for path in sorted(glob.glob(os.path.join(TOP, "rtl/*.v")) + glob.glob(os.path.join(TOP, "rtl/*/*.v"))):
        name = os.path.relpath(path, TOP)
        counts = {line: min(points.values()) for line, points in files.get(name, {}).items()}
        covered = sum(count > 0 for count in counts.values())
        total, hit = total + len(counts), hit + covered
        percent = f"{100 * covered / len(counts):.1f} %" if counts else "assignments only"
        rows.append(f"<tr><td><a href='#{name}'>{name}</a></td><td>{len(counts)}</td><td>{covered}</td><td>{percent}</td></tr>")
        shown = []
        with open(path) as source:
            for number, text in enumerate(source.read().splitlines(), 1):
                count, kind, note = counts.get(number), "", ""
                if count == 0:
                    reason = explained.get((name, text.strip()))
                    kind, note = ("why", f"  <i>{html.escape(reason)}</i>") if reason else ("no", "")
                    if reason:
                        used.add((name, text.strip()))
                    else:
                        unexplained.append(f"{name}:{number}: {text.strip()}")
                shown.append(f"<span class='n'>{number:5} {'' if count is None else count:>11}</span>  "
                             f"<span class='{kind}'>{html.escape(text)}</span>{note}")
        sources.append(f"<h2 id='{name}'>{name}</h2><pre>" + "\n".join(shown) + "</pre>")
    percent = 100 * hit / max(total, 1)
    with open(os.path.join(OUT, "index.html"), "w") as out:
        out.write(f"<!doctype html><meta charset='utf-8'><title>Heddle: lines of rtl/ that tests carry out</title><style>{STYLE}</style>"
                  f"<h1>Lines of rtl/ that tests carry out: {percent:.1f} %</h1><p>{hit} of {total} lines, counted by {runs} simulated devices. Before each line "
                  "how often it was carried out, in all instances on all devices. <span class='no'>Never</span>; <span class='why'>never, for a reason</span>."
                  "</p><table><tr><th>file<th>lines<th>carried out<th></tr>" + "\n".join(rows) + "</table>" + "\n".join(sources))
    return percent, hit, total, unexplained, sorted(set(explained) - used)


def main():
    start = time.monotonic()
    failed = [] if "--page" in sys.argv[1:] else run_all()
    files, runs = read_counts()
    percent, hit, total, unexplained, unneeded = page(files, read_explained(), runs)
    for line in unexplained:
        print(f"not carried out: {line}")
    for file, code in unneeded:
        print(f"note: carried out or gone, so tests/coverage/explained.txt need not explain it: {file}: {code}")
    print(f"{percent:.1f} % of rtl/: {hit} of {total} lines carried out, {len(unexplained)} not and without a reason; "
          f"{time.monotonic() - start:.0f} s; {os.path.relpath(OUT, TOP)}/index.html")
    for name in failed:
        print(f"failed: {name}")
    sys.exit(bool(failed or unexplained or percent < LEAST))


if __name__ == "__main__":
    main()
