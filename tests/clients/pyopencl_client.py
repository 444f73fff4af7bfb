#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""An unmodified third-party client, pyopencl from PyPI with the ICD loader it brings, on both devices."""
import os
import subprocess
import sys
import tempfile

os.environ["PYOPENCL_NO_CACHE"] = "1"
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import tap  # first: it says where the ICD loader looks
from tap import expect, expect_in, test, test_for

import numpy
import pyopencl
import pyopencl.array

DEVICES = {"sim": "Heddle sim", "model": "Heddle model"}


def platform():
    found = [p for p in pyopencl.get_platforms() if p.name == "Heddle"]
    expect(1, len(found), "number of platforms named Heddle")
    return found[0]


def context(beginning):
    found = [d for d in platform().get_devices() if d.name.startswith(beginning)]
    expect(1, len(found), f"number of devices that begin with {beginning}")
    return pyopencl.Context(found)


@test
def devices_are_listed_the_rtl_first():
    names = [d.name for d in platform().get_devices()]
    expect(2, len(names), f"number of devices in {names}")
    expect_in("Heddle sim", names[0], "first device")
    expect_in("Heddle model", names[1], "second device")


@test_for(**DEVICES)
def program_with_a_work_group_scan(beginning):
    ctx = context(beginning)
    queue = pyopencl.CommandQueue(ctx)
    data = numpy.array([3, 1, 7, 0, 4, 1, 6, 3], dtype=numpy.int32)
    program = pyopencl.Program(ctx, """
        kernel void scan(global const int *in, global int *out) {
          out[get_global_id(0)] = work_group_scan_inclusive_add(in[get_global_id(0)]);
        }""").build("-cl-std=CL3.0")
    flags = pyopencl.mem_flags
    source = pyopencl.Buffer(ctx, flags.READ_ONLY | flags.COPY_HOST_PTR, hostbuf=data)
    target = pyopencl.Buffer(ctx, flags.WRITE_ONLY, data.nbytes)
    program.scan(queue, (8,), (8,), source, target)
    result = numpy.empty_like(data)
    pyopencl.enqueue_copy(queue, result, target)
    expect([3, 4, 11, 11, 15, 16, 22, 25], result.tolist(), "scan of [3 1 7 0 4 1 6 3]")


@test_for(**DEVICES)
def arrays_add_and_multiply(beginning):
    queue = pyopencl.CommandQueue(context(beginning))
    rng = numpy.random.default_rng(1)
    a = rng.integers(-2**31, 2**31, 500, dtype=numpy.int32)
    b = rng.integers(-2**31, 2**31, 500, dtype=numpy.int32)
    da, db = pyopencl.array.to_device(queue, a), pyopencl.array.to_device(queue, b)
    expect((a + b * 3 - a * b).tolist(), (da + db * 3 - da * db).get().tolist(), "a + 3 b - a b")
    f = rng.standard_normal(200).astype(numpy.float32)
    df = pyopencl.array.to_device(queue, f)
    expect((f * f + f).tolist(), (df * df + df).get().tolist(), "f f + f in float")


@test_for(**DEVICES)
def bad_program_raises_with_clangs_message(beginning):
    ctx = context(beginning)
    try:
        pyopencl.Program(ctx, "kernel void k(global int *x) { x[0] = missing; }").build()
    except pyopencl.RuntimeError as error:
        expect_in("use of undeclared identifier 'missing'", str(error), "exception")
    else:
        raise AssertionError("build of a bad program: expected an exception, got none")


def times_three(ctx, program):
    """What the program's kernel k makes of 0 to 7."""
    queue = pyopencl.CommandQueue(ctx)
    data = numpy.arange(8, dtype=numpy.int32)
    flags = pyopencl.mem_flags
    buffer = pyopencl.Buffer(ctx, flags.READ_WRITE | flags.COPY_HOST_PTR, hostbuf=data)
    pyopencl.Kernel(program, "k")(queue, (8,), None, buffer)
    pyopencl.enqueue_copy(queue, data, buffer)
    return data.tolist()


@test_for(**DEVICES)
def programs_are_compiled_with_headers_and_linked(beginning):
    ctx = context(beginning)
    header = pyopencl.Program(ctx, "#define FACTOR 3\n")
    scale = pyopencl.Program(ctx, "#include <factor.h>\nint scale(int x) { return x * FACTOR; }")
    scale.compile(headers=[("factor.h", header)])
    user = pyopencl.Program(ctx, """
        int scale(int);
        kernel void k(global int *x) { x[get_global_id(0)] = scale(x[get_global_id(0)]); }""")
    user.compile()
    program = pyopencl.link_program(ctx, [scale, user])
    expect([3 * i for i in range(8)], times_three(ctx, program), "3 i from two programs")


@test_for(**DEVICES)
def spirv_is_a_program(beginning):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "k.cl")
        with open(path, "w") as file:
            file.write("kernel void k(global int *x) { x[get_global_id(0)] *= 3; }")
        subprocess.run(["clang-22", "--target=spirv32-unknown-unknown", "-x", "cl", "-cl-std=CL3.0", "-c", path, "-o",
                        path + ".spv"], check=True)
        with open(path + ".spv", "rb") as file:
            il = file.read()
    ctx = context(beginning)
    expect([3 * i for i in range(8)], times_three(ctx, pyopencl.Program(ctx, il).build()), "3 i from SPIR-V")


@test_for(**DEVICES)
def memory_is_copied_and_mapped(beginning):
    ctx = context(beginning)
    queue = pyopencl.CommandQueue(ctx)
    data = numpy.arange(1000, dtype=numpy.uint32)
    buffer = pyopencl.Buffer(ctx, pyopencl.mem_flags.READ_WRITE, data.nbytes)
    pyopencl.enqueue_copy(queue, buffer, data)
    pyopencl.enqueue_fill_buffer(queue, buffer, numpy.uint32(7), 40, 400)
    data[10:110] = 7
    mapped, _ = pyopencl.enqueue_map_buffer(queue, buffer, pyopencl.map_flags.READ, 0, data.shape, data.dtype)
    expect(data.tolist(), mapped.tolist(), "mapped buffer")
    mapped.base.release(queue)


@test_for(**DEVICES)
def profiling_gives_times(beginning):
    ctx = context(beginning)
    queue = pyopencl.CommandQueue(ctx, properties=pyopencl.command_queue_properties.PROFILING_ENABLE)
    program = pyopencl.Program(ctx, "kernel void k(global int *x) { x[get_global_id(0)] = get_global_id(0); }").build()
    event = program.k(queue, (64,), None, pyopencl.Buffer(ctx, pyopencl.mem_flags.READ_WRITE, 256))
    event.wait()
    if not event.profile.end > event.profile.start:
        raise AssertionError(f"profiling: expected end after start, got {event.profile.start}, {event.profile.end}")


if __name__ == "__main__":
    tap.run("pyopencl")
