#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Programs that end in another way than by exit: files of observers are written all the same, and whole."""
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


tap.run("ending")
