#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Seventy kernels of the field (corpus/), each written from a published description: they give what that says on the golden model, most of them
can be hardware, and with HEDDLE_TEST_LONG they give the same on Verilated pipelines.

HEDDLE_CORPUS chooses kernels (`sha1 fft2`), and has their pipelines tested, too. What cannot be hardware is listed with its reason.
"""
import functools
import glob
import os
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
CORPUS = os.path.join(HERE, "corpus")
sys.path[:0] = [os.path.dirname(HERE), HERE, CORPUS]
import tap
import devices

FOLDER = tempfile.mkdtemp(prefix="corpus-")
LANES, SLOTS = 4, 16
PIPELINES_AT_LEAST = 70
MOST_PIPELINES = 13  # of a device
CHOSEN = os.environ.get("HEDDLE_CORPUS", "").split()


def cases():
    """{name: function that makes the case}"""
    import codes
    import hashes
    import matrices
    import orders
    import pictures
    import searches
    import simulations
    return {make.__name__: make for module in (hashes, codes, orders, searches, pictures, matrices, simulations) for make in module.CASES}


CASES = {name: make for name, make in cases().items() if not CHOSEN or name in CHOSEN}


class Device(devices.Device):
    """That runs kernels of the folder."""

    def run(self, name, case):
        """Runs a kernel; fails unless it leaves what it should."""
        from case import Out, Value
        import numpy
        cl = self.cl
        with open(os.path.join(CORPUS, name + ".cl"), encoding="ascii") as file:
            kernel = cl.Kernel(cl.Program(self.context, file.read()).build(["-cl-std=CL3.0"]), name)
        outs, kept = [], []  # a kernel does not keep its buffers
        for index, argument in enumerate(case.arguments):
            if isinstance(argument, Value):
                argument = argument.elements
            elif isinstance(argument, (Out, numpy.ndarray)):
                before = argument.before if isinstance(argument, Out) else numpy.ascontiguousarray(argument)
                buffer = cl.Buffer(self.context, cl.mem_flags.READ_WRITE | cl.mem_flags.COPY_HOST_PTR, hostbuf=before)
                if isinstance(argument, Out):
                    outs.append((index, argument, buffer))
                kept.append(buffer)
                argument = buffer
            kernel.set_arg(index, argument)
        cl.enqueue_nd_range_kernel(self.queue, kernel, case.sizes, case.local)
        for index, out, buffer in outs:
            got = numpy.empty_like(out.expected)
            cl.enqueue_copy(self.queue, got, buffer)
            tap.expect(None, out.differs(got), f"what is wrong in argument {index} of {name}")


@tap.test
def each_kernel_of_the_folder_has_a_case():
    tap.expect(sorted(os.path.basename(path)[:-3] for path in glob.glob(os.path.join(CORPUS, "*.cl"))), sorted(cases()), "kernels of the folder")


@tap.test_for(**CASES)
def on_the_model_a_kernel_gives_what_its_description_says(make):
    name = make.__name__
    if "model" not in opened:
        opened["model"] = Device("model")
    opened["model"].run(name, make())


opened = {}


@functools.cache
def compiled():
    """The pipelines of the kernels by name, and why the others are none."""
    pipelines, refused = {}, {}
    for name in CASES:
        made, reasons = devices.compile_program(os.path.join(CORPUS, name + ".cl"), os.path.join(FOLDER, name), LANES, SLOTS)
        pipelines.update({name: pipeline for pipeline in made.values()})
        refused.update(reasons)
    return pipelines, refused


@tap.test
def most_can_be_hardware():
    pipelines, refused = compiled()
    for name, reason in refused.items():
        print(f"# no pipeline of {name}: {reason}")
    print(f"# {len(pipelines)} of {len(CASES)} are hardware")
    tap.expect(len(CASES), len(pipelines) + len(refused), "pipelines and kernels that have a reason")
    if not CHOSEN:
        tap.expect(True, len(pipelines) >= PIPELINES_AT_LEAST, f"whether {len(pipelines)} are {PIPELINES_AT_LEAST} at least")


def run_on_pipelines(names):
    """In a process of its own: what devices there are is asked once."""
    device = devices.make_device([compiled()[0][name] for name in names], os.path.join(FOLDER, f"device-{names[0]}"), LANES=LANES, SLOTS=SLOTS, UNITS=0)
    environment = {name: value for name, value in os.environ.items() if not name.startswith("HEDDLE_SIM_")}
    environment.update(HEDDLE_HARDWARE=device, HEDDLE_SIM_SLOTS=str(SLOTS), HEDDLE_CORPUS_DEVICE="sim", HEDDLE_CORPUS=" ".join(names))
    return subprocess.run([sys.executable, os.path.abspath(__file__)], env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True,
                          timeout=1800)


def on_pipelines_they_give_the_same():
    names = sorted(compiled()[0])
    for at in range(0, len(names), MOST_PIPELINES):
        done = run_on_pipelines(names[at:at + MOST_PIPELINES])
        print("".join(f"# on its pipeline: {line}\n" for line in done.stdout.splitlines()), end="", flush=True)
        tap.expect(0, done.returncode, f"exit status of the kernels on their pipelines; {done.stderr}")


if os.environ.get("HEDDLE_TEST_LONG") or CHOSEN:
    tap.test(on_pipelines_they_give_the_same)


def run_on_the_device_there_is():
    """What run_on_pipelines starts."""
    device, failed = Device("sim"), 0
    for name, make in CASES.items():
        try:
            device.run(name, make())
            print(f"ok - {name}")
        except Exception as error:  # whatever it is belongs to this kernel
            failed = 1
            print(f"not ok - {name}: {error}")
    return failed


if os.environ.get("HEDDLE_CORPUS_DEVICE"):
    sys.exit(run_on_the_device_there_is())
try:
    tap.run("corpus")
finally:
    shutil.rmtree(FOLDER, ignore_errors=True)
