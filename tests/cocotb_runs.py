# SPDX-License-Identifier: Apache-2.0
"""Modules of the RTL in Icarus Verilog with cocotb: runs each file of tests once, for all that are asked for, and says in TAP what became of
each. Called by tests/pcie/pcie.py and tests/axi/axi.py."""
import ast
import os
import subprocess
import sys
import xml.etree.ElementTree

import tap
from cocotb_tools.runner import get_runner


class Run:
    """A file of tests, `folder`/`module`.py, on a design. `name` stands behind the names of its tests where a file has several runs."""

    def __init__(self, folder, module, sources, toplevel, parameters=None, name=""):
        self.folder, self.module, self.sources, self.toplevel, self.parameters = folder, module, sources, toplevel, parameters or {}
        self.name, self.results = name, {}
        self.work = os.path.join(tap.BUILD, "tests", os.path.basename(folder), *([name] if name else []))
        with open(os.path.join(folder, module + ".py"), encoding="utf-8") as file:
            functions = [f for f in ast.parse(file.read()).body if isinstance(f, ast.AsyncFunctionDef) and f.decorator_list]
        self.tests = [f.name for f in functions if isinstance(f.decorator_list[0], ast.Call) and f.decorator_list[0].func.attr == "test"]

    def full_name(self, test):
        return f"{test}[{self.name}]" if self.name else test

    def simulate(self):
        """Fills `results`: what went wrong, or None, by test."""
        wanted = [test for test in self.tests if len(sys.argv) < 2 or sys.argv[1] in self.full_name(test)]
        results, log = os.path.join(self.work, "results.xml"), os.path.join(self.work, "log")
        os.environ.update(COCOTB_LOG_LEVEL=os.environ.get("COCOTB_LOG_LEVEL", "WARNING"), PYTHONDONTWRITEBYTECODE="1")
        if self.folder not in sys.path:
            sys.path.insert(0, self.folder)  # where the simulator finds the tests
        runner = get_runner("icarus")
        if os.path.exists(results):
            os.remove(results)
        try:
            runner.build(sources=self.sources, hdl_toplevel=self.toplevel, build_dir=self.work, parameters=self.parameters,
                         build_args=["-g2005", "-I" + tap.TOP], timescale=("1ns", "1ps"), always=True, log_file=os.path.join(self.work, "build.log"))
            runner.test(hdl_toplevel=self.toplevel, test_module=self.module, build_dir=self.work, test_dir=self.work, results_xml=results,
                        seed=1, test_filter="(" + "|".join(wanted) + ")$", log_file=log)
        except (SystemExit, subprocess.CalledProcessError, RuntimeError) as stopped:
            print(f"# the simulation: {stopped}")  # what came of it is in the results
        if os.path.exists(results):
            for case in xml.etree.ElementTree.parse(results).iter("testcase"):
                problem = case.find("failure") if case.find("failure") is not None else case.find("error")
                text = None if problem is None else (problem.text or problem.get("message") or problem.get("error_msg") or "it failed")
                self.results[case.get("name")] = text
        for test in wanted:
            self.results.setdefault(test, "it did not run")

    def check(self, test):
        if not self.results:
            self.simulate()
        if self.results[test] is not None:
            raise AssertionError(f"{self.results[test]}\n(more in {os.path.relpath(os.path.join(self.work, 'log'), tap.TOP)})")


def run(suite, runs):
    for each in runs:
        for test in each.tests:
            def check(each=each, test=test):
                each.check(test)
            check.__name__ = each.full_name(test)
            tap.test(check)
    tap.run(suite)
