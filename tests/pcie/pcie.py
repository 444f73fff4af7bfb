#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""rtl/pcie in Icarus Verilog with cocotbext-pcie: runs promises.py, once for all tests that are asked for, and says in TAP what
became of each."""
import ast
import glob
import os
import subprocess
import sys
import xml.etree.ElementTree

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))
import tap  # noqa: E402
from cocotb_tools.runner import get_runner  # noqa: E402

WORK = os.path.join(tap.BUILD, "tests/pcie")
_results = {}


def simulate():
    """Results by name: what went wrong, or None."""
    with open(os.path.join(HERE, "promises.py"), encoding="utf-8") as file:
        names = [f.name for f in ast.parse(file.read()).body if isinstance(f, ast.AsyncFunctionDef) and f.decorator_list]
    if _results:
        return names
    wanted = [name for name in names if len(sys.argv) < 2 or sys.argv[1] in name]
    results, log = os.path.join(WORK, "results.xml"), os.path.join(WORK, "log")
    sources = sorted(path for folder in ("common", "pcie") for path in glob.glob(os.path.join(tap.TOP, "rtl", folder, "*.v"))) + [os.path.join(HERE, "bench.v")]
    os.environ.update(COCOTB_LOG_LEVEL=os.environ.get("COCOTB_LOG_LEVEL", "WARNING"), PYTHONDONTWRITEBYTECODE="1")
    sys.path.insert(0, HERE)  # where the simulator finds the tests
    runner = get_runner("icarus")
    if os.path.exists(results):
        os.remove(results)
    try:
        runner.build(sources=sources, hdl_toplevel="bench", build_dir=WORK, build_args=["-g2005"], timescale=("1ns", "1ps"),
                     always=True, log_file=os.path.join(WORK, "build.log"))
        runner.test(hdl_toplevel="bench", test_module="promises", build_dir=WORK, test_dir=WORK, results_xml=results, seed=1,
                    test_filter="(" + "|".join(wanted) + ")$", log_file=log)
    except (SystemExit, subprocess.CalledProcessError, RuntimeError) as stopped:
        print(f"# the simulation: {stopped}")  # what came of it is in the results
    if os.path.exists(results):
        for case in xml.etree.ElementTree.parse(results).iter("testcase"):
            problem = case.find("failure") if case.find("failure") is not None else case.find("error")
            text = None if problem is None else (problem.text or problem.get("message") or problem.get("error_msg") or "it failed")
            _results[case.get("name")] = text
    for name in wanted:
        _results.setdefault(name, "it did not run")
    return names


def promise(name):
    def check():
        simulate()
        if _results[name] is not None:
            raise AssertionError(f"{_results[name]}\n(more in {os.path.relpath(os.path.join(WORK, 'log'), tap.TOP)})")
    check.__name__ = name
    tap.test(check)


if __name__ == "__main__":
    with open(os.path.join(HERE, "promises.py"), encoding="utf-8") as source:
        for function in ast.parse(source.read()).body:
            if isinstance(function, ast.AsyncFunctionDef) and function.decorator_list and function.decorator_list[0].func.attr == "test":
                promise(function.name)
    tap.run("pcie")
