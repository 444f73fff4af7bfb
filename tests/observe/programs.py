#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Programs that are observed by the environment alone: how they end, and which commands they give."""
import json
import os
import signal
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import tap
from tap import expect, expect_in, test
from waveforms import DEVICE, Waves

# `end` is what the program does when its kernel has had a fault.
PROGRAM = """
import os, resource, signal, sys
import numpy, pyopencl
resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
device = next(d for p in pyopencl.get_platforms() if p.name == "Heddle" for d in p.get_devices() if "sim" in d.name)
context = pyopencl.Context([device])
queue = pyopencl.CommandQueue(context)
program = pyopencl.Program(context, "kernel void far(global int *o, int n) { o[get_global_id(0) + n] = 1; }").build()
program.far(queue, (64,), (8,), pyopencl.Buffer(context, pyopencl.mem_flags.READ_WRITE, 256), numpy.int32(0x10000000))
queue.finish()
END
"""


def ended(end, **environment):
    done = subprocess.run([sys.executable, "-c", PROGRAM.replace("END", end)], text=True, capture_output=True, timeout=300,
                          stdin=subprocess.DEVNULL, env={**os.environ, **DEVICE, **environment})
    return done.returncode, done.stderr


@test
def a_program_that_aborts_leaves_its_files():
    with tempfile.TemporaryDirectory() as folder:
        files = {name: os.path.join(folder, name) for name in ("profile.json", "trace.json", "page.html", "log.txt")}
        status, err = ended("os.abort()", HEDDLE_PROFILE=files["profile.json"], HEDDLE_TRACE=files["trace.json"],
                            HEDDLE_REPORT=files["page.html"], HEDDLE_KONATA=files["log.txt"])
        expect(-signal.SIGABRT, status, f"the end of the program ({err})")
        texts = {}
        for name, path in files.items():
            expect(True, os.path.exists(path), f"{name} is there ({err})")
            with open(path, encoding="utf-8") as file:
                texts[name] = file.read()
        expect(["far"], [kernel["kernel"] for kernel in json.loads(texts["profile.json"])["kernels"]], "kernels in the profile")
        expect(True, any(event["name"] == "far" for event in json.loads(texts["trace.json"])["traceEvents"]), "the kernel in the timeline")
        expect("</html>", texts["page.html"].strip()[-7:], "the end of the page")
        expect("Kanata\t0004", texts["log.txt"].split("\n", 1)[0], "the first line of the log")


@test
def a_program_that_aborts_leaves_the_waveforms_of_its_fault():
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "waves.fst")
        status, err = ended("os.abort()", HEDDLE_WAVE=path, HEDDLE_WAVE_BEFORE_FAULT="50")
        expect(-signal.SIGABRT, status, f"the end of the program ({err})")
        expect_in("heddle: waveforms of cycles", err, "what is said")
        waves = Waves(path)
        expect(True, 50 <= len(waves.cycles()) <= 151, f"cycles that are recorded, {len(waves.cycles())}")


@test
def a_handler_of_the_program_stays():
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "profile.json")
        # Python gives SIGABRT a handler of C, which lets abort() end the program.
        status, err = ended("os.abort()", PYTHONFAULTHANDLER="1", HEDDLE_PROFILE=path)
        expect(-signal.SIGABRT, status, f"the end of the program ({err})")
        expect_in("Fatal Python error: Aborted", err, "what the program's handler says")
        expect(False, os.path.exists(path), "a file that was not asked of the exit")


@test
def memory_that_is_damaged_ends_the_program_soon():
    with tempfile.TemporaryDirectory() as folder:
        # The C library aborts, with the lock of its memory held where it likes.
        end = "import ctypes; c = ctypes.CDLL(None); c.free.argtypes = [ctypes.c_void_p]; c.free(id(queue) + 8)"
        status, err = ended(end, HEDDLE_PROFILE=os.path.join(folder, "profile.json"))
        expect(True, status in (-signal.SIGABRT, -signal.SIGSEGV), f"the end of the program, {status} ({err})")


SUB_DEVICE = """
import pyopencl
device = next(d for p in pyopencl.get_platforms() if p.name == "Heddle" for d in p.get_devices() if "sim" in d.name)
part = device.create_sub_devices([pyopencl.device_partition_property.EQUALLY, 1])[0]
context = pyopencl.Context([part])
queue = pyopencl.CommandQueue(context)
program = pyopencl.Program(context, "kernel void k(global int *o) { for (int i = 0; i < 50; i++) o[get_global_id(0)] += i; }").build()
program.k(queue, (512,), (8,), pyopencl.Buffer(context, pyopencl.mem_flags.READ_WRITE, 2048))
queue.finish()
"""


@test
def units_that_a_sub_device_leaves_alone_are_no_fault_of_the_kernel():
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "profile.json")
        environment = {"HEDDLE_SIM_LANES": "4", "HEDDLE_SIM_UNITS": "3", "HEDDLE_PROFILE": path}
        done = subprocess.run([sys.executable, "-c", SUB_DEVICE], env={**os.environ, **environment}, text=True, capture_output=True, timeout=300)
        expect((0, ""), (done.returncode, done.stderr), "the program")
        with open(path, encoding="utf-8") as file:
            kernel = json.load(file)["kernels"][0]
        expect(3 * kernel["cycles"], kernel["unit_cycles"], "cycles of all units")
        expect(True, 2 * kernel["cycles"] <= kernel["empty"] < 2.1 * kernel["cycles"], "cycles of units that are not the sub-device's")
        expect_in("are for a sub-device, which has some of the units", " ".join(kernel["advice"]), "advice")


@test
def built_in_functions_have_the_names_that_they_were_written_with():
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "profile.json")
        status, _, err = tap.command(os.path.join(tap.BUILD, "tests/opencl/device_enqueue"), "--filter",
                                     "device_enqueue/block_has_what_it_captures", HEDDLE_PROFILE=path)
        expect(0, status, f"exit status ({err})")
        with open(path, encoding="utf-8") as file:
            kernels = json.load(file)["kernels"]
        names = {name for kernel in kernels for line in kernel["lines"] if line["functions"] for name in line["functions"].split(", ")}
        expect(True, "get_default_queue" in names, f"functions, {names}")
        expect(set(), {name for name in names if "." in name}, "names with an ending of the linker's")


@test
def a_program_that_wants_no_messages_has_none_of_pipelines_that_are_made():
    # Lanes that cannot be: what is said before is of interest alone.
    for log, said in (("error", True), ("off", False)):
        _, _, err = tap.command("bin/heddle", "info", HEDDLE_HARDWARE="host/examples/scan.cl", HEDDLE_HARDWARE_OPTIONS="--lanes=5", HEDDLE_LOG=log)
        expect(said, "heddle: making pipelines of" in err, f"with HEDDLE_LOG={log} a line that pipelines are made ({err})")


@test
def two_variables_with_one_file_leave_the_first_of_them():
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "same.json")
        link = os.path.join(folder, "link.json")
        os.symlink("same.json", link)
        open(path, "w", encoding="utf-8").close()
        for other in (path, link, os.path.join(folder, "..", os.path.basename(folder), "same.json")):
            status, err = ended("sys.exit(0)", HEDDLE_TRACE=path, HEDDLE_REPORT=other)
            expect(0, status, f"the end of the program ({err})")
            expect_in("HEDDLE_REPORT: HEDDLE_TRACE writes the same file", err, "what is said")
            with open(path, encoding="utf-8") as file:
                expect(True, "traceEvents" in json.load(file), "the timeline is there")


# ---- commands

def commands_of(suite, name):
    """The spans of a timeline of a test that runs as it is: (track, name, start, end), in nanoseconds."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "trace.json")
        status, _, err = tap.command(os.path.join(tap.BUILD, "tests/opencl", suite), "--filter", f"{suite}/{name}", HEDDLE_TRACE=path)
        expect(0, status, f"exit status of {suite} ({err})")
        with open(path, encoding="utf-8") as file:
            events = json.load(file)["traceEvents"]
    tracks = {event["tid"]: event["args"]["name"] for event in events if event["name"] == "thread_name"}
    spans = [(tracks[event["tid"]], event["name"], round(event["ts"] * 1000), round((event["ts"] + event["dur"]) * 1000))
             for event in events if event["ph"] == "X"]
    return [span for span in spans if span[0].startswith("queue") or span[0] == "dispatches"]


def inside(span, whole):
    return span[2] >= whole[2] - 2 and span[3] <= whole[3] + 2  # times are rounded


@test
def what_a_command_buffer_runs_is_inside_of_it():
    spans = commands_of("command_buffers", "commands_do_what_they_do_one_by_one")
    wholes = [span for span in spans if span[1] == "command buffer"]
    expect(True, len(wholes) > 0, f"command buffers in {spans}")
    for whole in wholes:
        parts = [span for span in spans if span[0] == whole[0] and span != whole and inside(span, whole)]
        expect(True, len(parts) > 1, f"commands inside of {whole}")
        expect(whole[3] - whole[2], sum(end - start for _, _, start, end in parts), f"time of the commands inside of {whole}: {parts}")
    kernels = sorted(span[2:] for span in spans if span[0] == "dispatches")
    expect(True, len(kernels) > 0, "dispatches")
    commands = [span for span in spans if span[0] != "dispatches"]
    for kernel in kernels:
        expect(True, any(abs(span[2] - kernel[0]) < 3 and abs(span[3] - kernel[1]) < 3 for span in commands), f"a command of {kernel} in {commands}")


@test
def commands_have_names_of_what_they_do():
    for suite, name, wanted in (("svm", "commands_move_bytes_as_memcpy_and_memset_do", {"copy memory", "fill memory"}),
                                ("svm", "is_given_back_at_once_or_by_a_command", {"free memory"}),
                                ("usm", "commands_fill_and_copy_between_all_kinds_and_the_host", {"copy memory", "fill memory"})):
        names = {span[1] for span in commands_of(suite, name)}
        expect(set(), (wanted - names) | ({"command"} & names), f"names that are missing, or none, of {suite}: {names}")


tap.run("observed_programs")
