#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What passed before is run again as soon as anything of it is another (Passed in pipelines.py)."""
import copy
import os
import shutil
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.dirname(HERE), HERE]
import tap
import pipelines

SOURCE = "kernel void k(global uint *out) { out[get_global_id(0)] = get_global_id(0) * 3; }\n"
FOLDER = tempfile.mkdtemp(prefix="passed-")
JOBS = [({"latency": 5, "seed": 1}, [pipelines.BUFFERS], bytes(16))]


def compiled(name, source=SOURCE, slots=4):
    return pipelines.compile_kernel(source, os.path.join(FOLDER, name), 2, slots)


def path(kernel, jobs=None):
    return pipelines.Passed(kernel, jobs or JOBS).path


def differs(what, one, other):
    if one == other:
        raise AssertionError(f"{what}: expected another file than {one}, got the same")


def same(what, one, other):
    if one != other:
        raise AssertionError(f"{what}: expected {one}, got {other}")


@tap.test
def the_same_kernel_of_another_folder_is_the_same():
    same("compiled to folders a and b", path(compiled("a")), path(compiled("b")))


@tap.test
def another_source_size_or_dispatch_is_another():
    kernel = compiled("a")
    first = path(kernel)
    differs("* 5 in place of * 3", first, path(compiled("c", SOURCE.replace("3", "5"))))
    differs("8 slots in place of 4", first, path(compiled("d", slots=8)))
    job, arguments, memory = JOBS[0]
    differs("another latency", first, path(kernel, [({**job, "latency": 6}, arguments, memory)]))
    differs("another argument", first, path(kernel, [(job, [pipelines.BUFFERS + 4], memory)]))
    differs("another memory", first, path(kernel, [(job, arguments, memory[:-1] + b"\1")]))
    differs("one dispatch more", first, path(kernel, JOBS * 2))


@tap.test
def another_byte_of_verilog_or_of_the_model_s_program_is_another():
    kernel = compiled("a")
    first = path(kernel)
    changed = copy.copy(kernel)
    changed.bytes = kernel.bytes[:kernel.entry] + bytes([kernel.bytes[kernel.entry] ^ 0x80]) + kernel.bytes[kernel.entry + 1:]
    differs("an instruction of the kernel file", first, path(changed))
    with open(kernel.modules[0], "a") as file:
        file.write(" ")
    differs("a byte of the Verilog", first, path(kernel))


@tap.test
def a_module_of_the_library_counts_where_it_is_reached():
    kernel = compiled("a")
    with open(kernel.modules[0]) as file:
        reached = pipelines.reached(file.read())
    first = path(kernel)
    modules = pipelines.library("rtl")
    for name in ("pipeline_unit", "coalescer", "float_root"):
        where, text = modules[name]
        try:
            modules[name] = (where, text + " ")
            (differs if where in reached else same)(f"a byte of {name}.v", first, path(kernel))
        finally:
            modules[name] = (where, text)
    for name, wanted in (("pipeline_unit", True), ("coalescer", True), ("float_root", False)):
        same(f"{name}.v reached from a kernel without floats", wanted, modules[name][0] in reached)


@tap.test
def only_what_was_kept_has_passed_and_afresh_runs_it_again():
    passed = pipelines.Passed(compiled("a"), JOBS + [FOLDER])
    before = bool(passed)
    passed.keep()
    try:
        after = bool(passed)
        os.environ["HEDDLE_PIPELINE_AFRESH"] = "1"
        afresh = bool(passed)
    finally:
        os.environ.pop("HEDDLE_PIPELINE_AFRESH", None)
        os.unlink(passed.path)
    same("before it was kept, after, and with HEDDLE_PIPELINE_AFRESH", (False, True, False), (before, after, afresh))


try:
    tap.run("passed")
finally:
    shutil.rmtree(FOLDER, ignore_errors=True)
