#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Small programs as others write them: six in three styles (buffers, pointers, SYCL 1.2.1), and fourteen in the manner of
tutorials and of vendors' samples. Each checks what it computes."""
import os
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import tap
from tap import command, expect, test_for

FOLDER = tempfile.TemporaryDirectory()
PROGRAMS = ("vector add", "matrix multiply", "Mandelbrot", "N-body", "histogram", "prefix sum")


def compiled(name, *options):
    """The path of a program of tests/sycl/programs, compiled without a message."""
    program = os.path.join(FOLDER.name, name)
    expect((0, "", ""), command("bin/heddle-sycl++", "-O2", *options, source_of(name), "-o", program),
           "exit status, output and messages of the compiler")
    return program


def source_of(name):
    return os.path.join(tap.TOP, f"tests/sycl/programs/{name}.cpp")


def expect_right(program, parts):
    for device in ("sim", "model"):
        expect((0, "".join(f"{part}: right\n" for part in parts), ""), command(program, HEDDLE_SYCL_DEVICE=device),
               f"exit status, output and messages on {device}")


@test_for(buffers="buffers", usm="usm", sycl_1_2_1="sycl_1_2_1")
def six_programs_compile_unchanged_and_are_right(style):
    expect_right(compiled(style), PROGRAMS)


TUTORIALS = ("reductions", "heat", "gamma correction", "transpose", "breadth-first search", "linked list", "errors")
SAMPLES = ("histogram", "cosine transform", "Black-Scholes", "prefix sum", "sparse matrix", "Monte Carlo", "bitonic sort")


@test_for(tutorials=("tutorials", TUTORIALS, 1), samples=("samples", SAMPLES, 0))
def fourteen_programs_compile_unchanged_and_are_right(style):
    name, programs, faults = style
    program = compiled(name, "-Wall")
    for device in ("sim", "model"):
        status, output, messages = command(program, HEDDLE_SYCL_DEVICE=device)
        expect((0, "".join(f"{name}: right\n" for name in programs), faults),
               (status, output, messages.count("access to unmapped memory")), f"exit status, output and faults on {device}")
        expect(faults, messages.count("\n"), f"lines of messages on {device}: {messages}")


FPGA = ("vector add", "loops and memories", "loads and stores", "pipes")


@tap.test
def programs_for_intels_fpgas_compile_without_warnings_and_are_right():
    program = compiled("fpga", "-Wall")
    expect_right(program, FPGA)
    status, _, messages = command("bin/heddle-sycl++", "-O2", "-DHOST_PIPES", "-c", source_of("fpga"), "-o", program + ".o")
    expect(1, status, "exit status of the compiler where pipes to the host are used")
    tap.expect_in("pipes between host and kernels are not supported", messages, "what it says")


tap.run("sycl_programs")
