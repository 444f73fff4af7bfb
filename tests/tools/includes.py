#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Which folder may include which. Folders share files in contract/ alone; otherwise a change in one would reach all."""
import glob
import os
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import tap
from tap import expect, files, test

# A file may include files of its own folder, of contract/, and of the folders that stand here. The longest name that its
# path begins with counts. Where a name ends in a file, that one file is meant.
MAY_INCLUDE = {
    "contract": [],
    "firmware": [],                              # runs on the device: knows it by contract/device_map.h
    "rtl": [],
    "sim": ["rtl"],                              # sim/rtl is the RTL, Verilated; the model reads contract/ alone
    "integration": [],
    "hls": [],                                   # the host runs heddlec as a process
    "host": [],
    "host/cl": ["host/environment.h", "host/include", "host/device", "host/transport", "host/observe/observe.h",
                "host/observe/waves.h"],
    "host/cl/calls": ["host/c_numbers.h", "host/cl", "host/include", "host/device/device_queue.h"],
    "host/device": ["host/c_numbers.h", "host/environment.h", "host/transport/transport.h", "host/observe/observe.h"],
    "host/observe": ["host/c_numbers.h", "host/environment.h", "host/device", "host/cl/child.h", "host/cl/source_line.h"],
    "host/transport": ["host/environment.h", "host/observe/observe.h", "host/observe/waves.h"],
    "host/tools": ["host/include", "host/cl/cache_folder.h", "host/observe/disassembly.h", "host/observe/json.h", "host/observe/lines.h",
                   "host/observe/source_text.h", "host/device/kernel_file.h"],
    "host/examples": ["host/include", "host/tools"],
    "host/sycl": ["host/include"],               # stands on the OpenCL API, as any program
    "tests": ["firmware", "hls", "host", "rtl", "sim"],
}

# What a folder's build.mk may take from another to link or to Verilate. What is not here crosses a process boundary.
MAY_BUILD_FROM = {
    "contract": [],
    "firmware": [],
    "hls": [],
    "host": ["firmware/image.o"],                # the image that it loads; the model comes as a library, see below
    "sim": ["rtl", "constraints", "firmware/small"],
}
MODEL = "libheddle_model.a"                      # the golden model: the host library links it, as do tests and sim's boards
MODEL_USERS = ["host/build.mk", "sim/", "tests/"]


def folder_of(path, table):
    return max((name for name in table if path.startswith(name + "/")), key=len, default=None)


def is_in(path, names):
    return any(path == name or path.startswith(name + "/") for name in names)


def is_allowed(path, included):
    """Whether the file `path` may include `included`; both begin at the top of the tree."""
    folder = folder_of(included, MAY_INCLUDE)
    own = folder_of(path, MAY_INCLUDE)
    return own is None or folder is None or folder == own or is_in(included, ["contract"] + MAY_INCLUDE[own])


def text_of(path):
    with open(os.path.join(tap.TOP, path)) as text:
        return text.read()


def place_of(path, name):
    """The file of the tree that an include names; None: it is of the system, of a library, or generated."""
    for folder in ("", os.path.dirname(path), "host/include", "host/sycl/include"):
        place = os.path.normpath(os.path.join(folder, name))
        if os.path.isfile(os.path.join(tap.TOP, place)):
            return place
    return None


def includes():
    """(file, line, what it includes) of C, C++, OpenCL C and Verilog."""
    for path in files("*.c", "*.h", "*.cpp", "*.hpp", "*.cl", "*.v", "*.vh"):
        for number, line in enumerate(text_of(path).splitlines(), 1):
            found = re.match(r'\s*[#`]\s*include\s+["<]([^">]+)[">]', line)
            place = found and place_of(path, found[1])
            if place:
                yield path, number, place


@test
def folders_include_contract_and_what_the_table_names():
    found = list(includes())
    expect(True, len(found) > 1000, "includes were found")
    wrong = [f"{path}:{number}: {folder_of(path, MAY_INCLUDE)} may not include {included}"
             for path, number, included in found if not is_allowed(path, included)]
    expect([], wrong, "move what both need to contract/, or see MAY_INCLUDE in tests/tools/includes.py")


@test
def the_table_has_every_folder_with_code_and_no_row_that_nobody_needs():
    used = {(folder_of(path, MAY_INCLUDE), included) for path, _, included in includes()}
    missing = {path.split("/")[0] for path, _, _ in includes()} - set(MAY_INCLUDE)
    idle = [f"{folder}: {name}" for folder, names in MAY_INCLUDE.items() for name in names
            if folder != "tests" and not any(own == folder and is_in(included, [name]) for own, included in used)]
    expect(([], []), (sorted(missing), idle), "folders without a row, entries that nothing uses")


@test
def loops_between_folders_would_be_found():
    for path, included in (("hls/kernel.c", "host/device/kernel_file.h"), ("host/sycl/runtime/kernel.cpp", "hls/ir.h"),
                           ("contract/enqueued.h", "firmware/device.h"), ("firmware/main.c", "host/device/driver.h"),
                           ("host/transport/sim.c", "sim/model/model.h"), ("sim/link/link_model.c", "host/transport/frames.h"),
                           ("host/transport/usb.h", "host/device/driver.h"), ("host/cl/queue.c", "host/cl/calls/clFlush.c"),
                           ("rtl/unit/unit.v", "sim/rtl/test_unit.v"), ("sim/model/device.c", "tests/amo.h")):
        expect(False, is_allowed(path, included), f"{path} may include {included}")


@test
def what_is_built_comes_from_folders_that_the_table_names():
    wrong = []
    for path in files("*.mk"):
        folder = path.split("/")[0]
        lines = [line for line in text_of(path).splitlines() if not line.lstrip().startswith("#")]
        if folder in MAY_BUILD_FROM:
            # Sources and objects, not commands or data that a recipe runs or installs (bin/, lib/, share/, .py).
            named = set(re.findall(r"(?<![\w./-])(?:\$\(BUILD\)/)?((?:firmware|rtl|sim|hls|host|tests)/[\w./*%-]*)", "\n".join(lines)))
            wrong += [f"{path}: {name}" for name in sorted(named)
                      if name.split("/")[0] != folder and not is_in(name, MAY_BUILD_FROM[folder])]
        if MODEL in "\n".join(lines) or "$(MODEL_LIBRARY)" in "\n".join(lines):
            wrong += [] if path.startswith(tuple(MODEL_USERS)) else [f"{path}: {MODEL}"]
    expect([], wrong, "see MAY_BUILD_FROM in tests/tools/includes.py")


@test
def a_header_of_the_library_declares_what_the_file_of_its_name_defines():
    wrong = []
    function = r"^(?!static|typedef|return|else|#)[A-Za-z_][\w *]*?[ *](heddle_\w+)\([^;{{}}]*\)\s*{end}"
    defined = {}
    for path in glob.glob(os.path.join(tap.TOP, "host/cl/*.c")):
        for name in re.findall(function.format(end=r"\{"), text_of(path), re.M):
            defined.setdefault(name, set()).add(os.path.basename(path)[:-2])
    expect(True, len(defined) > 100, "functions were found")
    stand_ins = {"no_compiler"}  # defines what other files do, for a library without a compiler
    for path in sorted(glob.glob(os.path.join(tap.TOP, "host/cl/*.h"))):
        header = os.path.basename(path)[:-2]
        for name in re.findall(function.format(end=";"), re.sub(r"//.*", "", text_of(path)), re.M):
            if defined.get(name, set()) - stand_ins != {header}:
                wrong.append(f"host/cl/{header}.h: {name} is defined in {sorted(defined.get(name, set()))}")
    expect([], wrong, "declare it in the header of the file that defines it")


tap.run("includes")
