#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The examples of SYCL run on both devices, and compiled in one step or in two they are the same."""
import os
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import tap
from tap import command, expect, expect_in, test, test_for

EXAMPLES = {"sub_group_loop": "1000 elements, each visited once", "reduce": "sum 4290560, expected 4290560", "histogram": " 15 ",
            "sort": "1024 pairs sorted"}


@test_for(sim="sim", model="model")
def examples_print_what_they_should(device):
    for name, part in EXAMPLES.items():
        status, out, err = command(f"bin/sycl-{name}", HEDDLE_SYCL_DEVICE=device)
        expect((0, ""), (status, err), f"exit status and messages of {name}")
        expect_in(part, out, f"output of {name}")
        expect(False, "wrong" in out, f"whether {name} found something wrong in {out}")


@test
def compiled_in_two_steps_a_program_is_the_same():
    with tempfile.TemporaryDirectory() as folder:
        path, program = os.path.join(folder, "reduce.o"), os.path.join(folder, "reduce")
        checkout = os.path.join(tap.BUILD, "host/tools/checkout.o")
        for words in (("-c", "-O2", "-g", "-fPIC", "-MD", "host/sycl/examples/reduce.cpp", "-o", path), (path, checkout, "-o", program)):
            expect((0, "", ""), command("bin/heddle-sycl++", *words), f"exit status, output and messages of {words}")
        with open(os.path.join(folder, "reduce.d"), encoding="utf-8") as file:
            expect_in("heddle-sycl/sycl/sycl.hpp", file.read(), "dependencies")
        # And from a library of object files.
        library = os.path.join(folder, "libreduce.a")
        expect(0, command("ar", "rcs", library, path)[0], "exit status of ar")
        ways = {"2": (library,), "3": ("-L" + folder, "-lreduce"), "4": ("-L", folder, "-l", "reduce"), "5": ("-L/nowhere", "-L" + folder, "-l:libreduce.a")}
        for end, words in ways.items():
            words = ("-Wl,--whole-archive", *words, "-Wl,--no-whole-archive", checkout)
            expect((0, "", ""), command("bin/heddle-sycl++", "-o", program + end, *words), f"the link of {words}")
        # A shared library of that name comes first, and has its kernels itself, if it has any.
        expect((0, "", ""), command("bin/heddle-sycl++", "-shared", "-o", os.path.join(folder, "libreduce.so"), path, checkout), "the shared library")
        for end, words in {"6": ("-lreduce",), "7": ("-Wl,-Bstatic", "-lreduce", "-Wl,-Bdynamic")}.items():
            words = ("-L" + folder, "-Wl,-rpath," + folder, *words, checkout)
            expect((0, "", ""), command("bin/heddle-sycl++", "-o", program + end, *words), f"the link of {words}")
        for made in [program, *(program + end for end in "234567")]:
            status, out, err = command(made, HEDDLE_SYCL_DEVICE="model")
            expect((0, EXAMPLES["reduce"] + "\n", ""), (status, out, err), "exit status, output and messages")


# Of host and device: what debuggers read, and where a kernel faults, in a function that it calls.
@test_for(release=("-O2",), debug=("-g", "-O0"))
def debug_information_is_of_the_users_source(flags):
    with tempfile.TemporaryDirectory() as folder:
        path, program = os.path.join(folder, "faulty.cpp"), os.path.join(folder, "faulty")
        with open(path, "w", encoding="ascii") as file:
            file.write("""#include <sycl/sycl.hpp>
static void put(int *p, int i) {
  p[i == 5 ? 0x10000000 : 0] = 1;
}
int main() {
  sycl::queue q;
  int *p = sycl::malloc_device<int>(8, q);
  q.parallel_for<class Faulty>(sycl::nd_range<1>(8, 8), [=](sycl::nd_item<1> item) {
    put(p, item.get_global_id(0));
  });
  q.wait_and_throw();
}
""")
        expect((0, "", ""), command("bin/heddle-sycl++", *flags, path, "-o", program), "exit status, output and messages")
        _, _, err = command(program, HEDDLE_SYCL_DEVICE="model")
        for part in ("kernel 'Faulty' (", "faulty.cpp:8), submitted at ", "access to unmapped memory, ", "faulty.cpp:3, "):
            expect_in(part, err, "what is told of the fault")
        if "-g" in flags:
            _, units, _ = command("llvm-dwarfdump-22", "--debug-info", "--show-children", "--name=main", "--show-parents", program)
            for part in (f'DW_AT_name\t("{path}")', f'DW_AT_decl_file\t("{path}")', "DW_AT_decl_line\t(5)"):
                expect_in(part, units, "debug information")


@test
def a_device_that_is_not_there_is_an_error_that_says_so():
    status, _, err = command("bin/sycl-reduce", HEDDLE_SYCL_DEVICE="nowhere")
    expect(1, status, "exit status")
    expect_in("no device meets the selection", err, "message")
    status, _, err = command("bin/sycl-reduce", OCL_ICD_VENDORS="/nowhere/")
    expect_in("there is no Heddle device", err, "message")


@test
def examples_tell_how_they_are_used_and_find_the_checkout_by_themselves():
    environment = {name: value for name, value in os.environ.items() if name != "OCL_ICD_VENDORS"}
    for name in EXAMPLES:
        program = os.path.join(tap.BUILD, f"bin/sycl-{name}")
        done = subprocess.run([program, "--help"], env=environment, capture_output=True, text=True, timeout=60)
        expect((0, f"usage: sycl-{name}", ""), (done.returncode, done.stdout.split("\n")[0], done.stderr), "help")
        expect(2, subprocess.run([program, "more"], env=environment, capture_output=True, timeout=60).returncode, "an argument")
    done = subprocess.run([program], env={**environment, "HEDDLE_SYCL_DEVICE": "model"}, capture_output=True, text=True, timeout=60)
    expect((0, ""), (done.returncode, done.stderr), f"{name} without OCL_ICD_VENDORS")


tap.run("sycl_examples")
