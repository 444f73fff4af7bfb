# SPDX-License-Identifier: Apache-2.0
"""The few lines that every test script shares: tests register themselves, run() runs them and prints TAP for tests/run."""
import fnmatch
import os
import subprocess
import sys
import traceback

TOP = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
BUILD = os.path.join(TOP, os.environ.get("BUILD", "build"))
_tests = []
# By hand as under make: the checkout's Heddle and nothing else.
os.environ.setdefault("HEDDLE_CACHE_BYTES", "0")  # what the compiler does now is tested
os.environ.setdefault("OCL_ICD_VENDORS", os.path.join(os.path.abspath(BUILD), "etc/OpenCL/vendors/"))


class Skip(Exception):
    """Raised by a test that cannot run here, with the reason."""


def test(function):
    """Registers a test; its name is the promise it keeps."""
    _tests.append((function.__name__, function, ()))
    return function


def test_for(**cases):
    """Registers a test once for each case, called with the case's value: @test_for(sim=..., model=...)."""
    def register(function):
        for name, value in cases.items():
            _tests.append((f"{function.__name__}[{name}]", function, (value,)))
        return function
    return register


def expect(expected, got, what):
    if expected != got:
        raise AssertionError(f"{what}: expected {expected!r}, got {got!r}")


def expect_in(part, text, what):
    if part not in text:
        raise AssertionError(f"{what}: expected {part!r} in it, got {text!r}")


def command(*words, **environment):
    """Runs a program of the checkout; returns (exit status, standard output, standard error)."""
    done = subprocess.run([os.path.join(BUILD, words[0]), *words[1:]] if words[0].startswith("bin/") else list(words), cwd=TOP,
                          env={**os.environ, **environment}, stdin=subprocess.DEVNULL, capture_output=True, text=True,
                          timeout=300)
    return done.returncode, done.stdout, done.stderr


def files(*patterns):
    """Of the project, as git's patterns say: those that git knows or would take, so that a new file is checked before it is committed. Of a tree
    that `make dist` made all."""
    if os.path.exists(os.path.join(TOP, ".git")):
        found = subprocess.run(["git", "-c", "safe.directory=" + TOP, "ls-files", "--cached", "--others", "--exclude-standard", "--", *patterns], cwd=TOP,
                               capture_output=True, text=True, check=True).stdout.split()
    else:
        found = [os.path.relpath(os.path.join(folder, name), TOP) for top in sorted(os.listdir(TOP)) if top not in ("build", ".venv")
                 for folder, _, names in os.walk(os.path.join(TOP, top)) for name in names]
        found += [name for name in os.listdir(TOP) if os.path.isfile(os.path.join(TOP, name))]
        found = [path for path in found if any(fnmatch.fnmatchcase(path, pattern) for pattern in patterns)]
    return [path for path in found if os.path.exists(os.path.join(TOP, path))]


def is_chosen(name):
    """Whether a test is to run: its name holds the word given on the command line (all tests without one)."""
    return len(sys.argv) < 2 or sys.argv[1] in name


def run(suite):
    """Runs the registered tests that are chosen."""
    chosen = [entry for entry in _tests if is_chosen(entry[0])]
    print(f"1..{len(chosen)}")
    failed = False
    for number, (name, function, arguments) in enumerate(chosen, 1):
        try:
            function(*arguments)
            print(f"ok {number} - {suite}::{name}", flush=True)
        except Skip as reason:
            print(f"ok {number} - {suite}::{name} # SKIP {reason}", flush=True)
        except Exception as problem:
            failed = True
            lines = str(problem).splitlines() if isinstance(problem, AssertionError) and str(problem) else \
                traceback.format_exc().splitlines()
            print(f"not ok {number} - {suite}::{name}")
            for line in lines:
                print("  " + line)
            print(f"  alone: .venv/bin/python {os.path.relpath(sys.argv[0], TOP)} '{name}'", flush=True)
    sys.exit(failed)
