#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Do the tables of tests have every name of the OpenCL headers? A promise over all entry points or all queries is one
test over a table; a name that a newer header has and no table knows fails here, and so does a clEnqueue… that the
library answers and command_table.c leaves out."""
import glob
import os
import re
import sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import tap

HEADER = "/usr/include/CL/cl.h"

# What this device has nothing of; tests/host/api.c (what_the_device_lacks_fails_as_specified) has their codes.
NOT_OFFERED = re.compile(r"NativeKernel")
# They have no wait list and no event, or only one of them: wait_lists.c has tests of their own for them.
WITHOUT_LIST = {"clEnqueueMarker", "clEnqueueBarrier", "clEnqueueWaitForEvents"}


def text_of(*paths):
    texts = []
    for path in paths:
        with open(os.path.join(tap.TOP, path)) as file:
            texts.append(file.read())
    return "\n".join(texts)


def calls(prefix):
    """Functions that the header declares."""
    with open(HEADER) as file:
        return sorted(set(re.findall(rf"\b({prefix}\w*)\(", file.read())))


def queries():
    """{section of the header: its names}, of every cl_…_info that a clGet…Info takes."""
    with open(HEADER) as file:
        sections = re.split(r"^/\* (cl_\w+)[^\n]*\*/$", file.read(), flags=re.MULTILINE)
    found = {name: re.findall(r"^#define (CL_\w+)\s+0x", body, re.MULTILINE)
             for name, body in zip(sections[1::2], sections[2::2]) if name.endswith("_info")}
    found.pop("cl_kernel_exec_info")  # is set, not asked
    return found


def expect_all(names, text, where):
    missing = [name for name in names if not re.search(rf"\b{name}\b", text)]
    if missing:
        raise AssertionError(f"not in {where}: {', '.join(missing)}")


@tap.test
def every_query_has_its_answer_in_a_table():
    found = queries()
    if len(found) < 15 or sum(map(len, found.values())) < 200:
        raise AssertionError(f"{HEADER} is not read as it was: {({name: len(of) for name, of in found.items()})}")
    text = text_of("tests/opencl/queries.c", "tests/host/device_queries.c", "tests/opencl/features.c", "tests/opencl/il.c")
    for section, names in found.items():
        expect_all(names, text, f"queries.c or device_queries.c ({section})")


@tap.test
def every_query_of_heddle_has_its_answer_in_a_table():
    names = re.findall(r"^#define (CL_\w+_HEDDLE) 0x", text_of("host/include/CL/cl_heddle.h"), re.MULTILINE)
    text = text_of(*(os.path.relpath(path, tap.TOP) for path in glob.glob(os.path.join(tap.TOP, "tests/*/*.c"))))
    expect_all([name for name in names if name != "CL_VENDOR_ID_HEDDLE"], text, "tests")


@tap.test
def every_command_is_in_the_table_of_commands():
    names = [name for name in calls("clEnqueue") if not NOT_OFFERED.search(name)]
    if len(names) < 15:
        raise AssertionError(f"{HEADER} declares only {names}")
    expect_all([name for name in names if name not in WITHOUT_LIST], text_of("tests/opencl/command_table.c"), "command_table.c")
    expect_all(WITHOUT_LIST, text_of("tests/opencl/wait_lists.c"), "wait_lists.c")


@tap.test
def every_call_that_makes_or_takes_objects_is_in_references():
    names = calls("clCreate") + calls("clSet") + calls("clRetain") + calls("clRelease") + ["clCloneKernel", "clLinkProgram",
                                                                                           "clBuildProgram", "clCompileProgram"]
    text = text_of("tests/opencl/references.c", "tests/opencl/command_table.c", "tests/host/api.c")
    pasted = set(re.findall(r"MAKES\(\w+, (\w+),", text))
    names = [name for name in names if re.sub(r"^cl(Retain|Release)", "", name) not in pasted]
    # They make and take no object.
    left_out = {"clSetCommandQueueProperty", "clSetProgramSpecializationConstant"}
    expect_all([name for name in names if name not in left_out], text, "references.c")


tap.run("every_name")
