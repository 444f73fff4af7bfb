#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Every built-in function can be hardware, but those that are listed here with what heddlec says of them; functions of images are not
among them. Each overload is a kernel of its own, of one lane: scalars, of the functions of maths those of float; with `make test-long`
vectors of two and half, too."""
import collections
import os
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.dirname(HERE), HERE, os.path.join(os.path.dirname(HERE), "hls")]
import tap
from declarations import HEDDLEC, all_declarations, call, is_wide, section_of

LONG = os.environ.get("HEDDLE_TEST_LONG")
KERNELS_OF_A_PROGRAM = 200
CLOCK = "clock"
# By section: what heddlec says, of which functions. A function has an overload that is refused.
REFUSED = {
    "maths": {}, "integer": {}, "common": {}, "geometric": {}, "relational": {}, "conversions": {}, "work_group": {}, "work_item": {},
    "sub_groups": {}, "vector_data": {}, "synchronization": {}, "async_copy": {}, "atomic": {},
}


def is_chosen(entry):
    kinds = " ".join([entry[0], *entry[2]])
    if "double" in kinds or is_wide(entry) or "generic" in kinds:
        return False
    if LONG or section_of(entry[1]) == "vector_data":
        return True
    if section_of(entry[1]) == "maths" and "half" in kinds:
        return False
    if entry[1].startswith("convert_"):
        return entry[2][0] in ("float", "half", "long", "uchar") and not re.search(r"2|rt[enz]|ushort|uint|uchar", entry[1])
    return not re.search(r"[a-z]2\b", kinds)


def overloads(section):
    found = []
    for entry in all_declarations():
        of = section_of(entry[1])
        if re.match(r"sub_group_|intel_sub_group_", entry[1]) and of == "others":
            of = "sub_groups"
        if of == section and is_chosen(entry):
            found.append(entry)
    return found


def refused(calls, folder):
    """{function: [what heddlec says of an overload]}"""
    source = "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n" + "".join(
        f"kernel void k{i}(global char *p, local char *l, constant char *c) {{ private char v[16]; {call(*entry)} }}\n" for i, entry in enumerate(calls))
    done = subprocess.run([HEDDLEC, "--hardware", "-", "--lanes", "1", "-cl-std=CL3.0", "--time-limit", "600", "-o", os.path.join(folder, "made.hw")],
                          input=source, stderr=subprocess.PIPE, text=True)
    said = collections.defaultdict(list)
    for place, kernel, why in re.findall(r"^(.*?)error: kernel 'k(\d+)' cannot be hardware: (.*)$", done.stderr, re.MULTILINE):
        name = calls[int(kernel)][1]
        said[name].append(why)
        tap.expect(int(kernel) + 2, int((re.search(r":(\d+):", place) or [0, 0])[1]), f"the line of {name}, of which heddlec says {why!r}")
    if done.returncode != 0 and len(said) == 0:
        raise AssertionError(f"heddlec ends with {done.returncode}:\n{done.stderr[-3000:]}")
    return said


@tap.test_for(**{section: section for section in REFUSED})
def every_function_can_be_hardware_but_those_listed(section):
    calls = overloads(section)
    tap.expect(True, len(calls) > 3, f"whether {section} has functions")
    got = collections.defaultdict(set)
    with tempfile.TemporaryDirectory(prefix="builtins-") as folder:
        for first in range(0, len(calls), KERNELS_OF_A_PROGRAM):
            for name, reasons in refused(calls[first:first + KERNELS_OF_A_PROGRAM], folder).items():
                for why in reasons:
                    got[next((known for known in (CLOCK,) if known in why), why)].add(name)
    tap.expect(REFUSED[section], dict(got), f"functions of {section} that cannot be hardware, by what heddlec says")
    print(f"# {len(calls)} overloads")


@tap.test_for(clock=("global ulong *x", "x[0] = clock_read_device();", 2, "it reads the clock of the device"),
              pipe=("read_only pipe int p, global int *x", "read_pipe(p, x);", 2, "a pipe that it uses is not on the chip"),
              reservation=("read_only pipe int p, global int *x", "read_pipe(p, reserve_read_pipe(p, 1), 0, x);", 2,
                           "function 'reserve_read_pipe' is not there in hardware"),
              a_block=("queue_t q, global int *x", "enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), ^{ x[0] = 1; });", 2, "function 'ndrange_1D'"))
def a_refusal_says_line_and_construct_in_the_words_of_opencl_c(case):
    parameters, body, line, why = case
    with tempfile.TemporaryDirectory(prefix="builtins-") as folder:
        done = subprocess.run([HEDDLEC, "--hardware", "-", "--lanes", "1", "-cl-std=CL3.0", "-o", os.path.join(folder, "made.hw")],
                              input=f"kernel void g({parameters}) {{\n{body} }}\n", stderr=subprocess.PIPE, text=True)
    tap.expect(1, done.returncode, "exit code")
    tap.expect_in("error: kernel 'g' cannot be hardware: " + why, done.stderr, "what heddlec says")
    tap.expect_in(f":{line}:", done.stderr, "its line")
    tap.expect(False, "llvm" in done.stderr, f"whether it has a name of the compiler's ({done.stderr})")


if __name__ == "__main__":
    tap.run("builtins")
