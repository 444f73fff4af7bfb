#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Every overload of every built-in function that clang's own header of OpenCL C declares for this device, double among
them, is called once: it compiles, links, and leaves nothing undefined; vectors of three elements and more with `make
test-long` only. All names of the text are there (declarations.py)."""
import os
import re
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.dirname(HERE), HERE]
import tap
from declarations import HEDDLEC, MACROS, NAMES, OPAQUE, all_declarations, call, conversions, is_wide, section_of
from tap import expect, test, test_for

CALLS_OF_A_KERNEL, CALLS_OF_A_PROGRAM = 64, 1024


def source_of(calls):
    text = ["#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n"]
    for first in range(0, len(calls), CALLS_OF_A_KERNEL):
        lines = "\n".join(call(*entry) for entry in calls[first:first + CALLS_OF_A_KERNEL])
        arguments = "".join(f", {kind} {name}" for kind, name in OPAQUE.items() if re.search(rf"\b{name}\b", lines))
        text.append(f"kernel void k{first}(global char *p, local char *l, constant char *c{arguments}) {{\n  __private char v[128];\n{lines}\n}}\n")
    return "".join(text)


def compiles(calls):
    run = subprocess.run([HEDDLEC, "--double", "-cl-std=CL3.0", "--time-limit", "600", "-", "-o", os.devnull], input=source_of(calls),
                         stderr=subprocess.PIPE, text=True)
    errors = [line for line in run.stderr.splitlines() if "error" in line]
    return run.returncode, errors[:10]


@test
def all_names_of_the_text_are_declared():
    declared = {name for _, name, _ in all_declarations()} | MACROS
    wanted = {name for names in NAMES.values() for name in names.split()} | set(conversions())
    expect([], sorted(wanted - declared), "names that clang's header does not declare")


@test_for(**{name: name for name in [*NAMES, "conversions", "others"]})
def every_overload_compiles_and_links(section):
    calls = [entry for entry in all_declarations() if section_of(entry[1]) == section]
    chosen = [entry for entry in calls if os.environ.get("HEDDLE_TEST_LONG") or not is_wide(entry)]
    expect(True, bool(chosen), f"overloads of {section}")
    for first in range(0, len(chosen), CALLS_OF_A_PROGRAM):
        expect((0, []), compiles(chosen[first:first + CALLS_OF_A_PROGRAM]), f"heddlec for {section}, from overload {first}")
    print(f"# {len(chosen)} of {len(calls)} overloads")


@test
def functions_that_the_header_does_not_declare_compile_and_link():
    source = """kernel void k(global int *p, local int *l) {
      generic int *g = p; global int *a = to_global(g); g = l; local int *b = to_local(g); private int *c = to_private(g);
      printf("%d %d %d\\n", a != 0, b != 0, c != 0);
      p[0] = vec_step(int3) + as_int(1.0f); }"""
    run = subprocess.run([HEDDLEC, "-cl-std=CL3.0", "-", "-o", os.devnull], input=source, stderr=subprocess.PIPE, text=True)
    expect((0, ""), (run.returncode, run.stderr), "heddlec")


if __name__ == "__main__":
    tap.run("overloads")
