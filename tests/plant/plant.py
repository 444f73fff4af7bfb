#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Do the tests of `make test` notice mistakes? Plants each mistake of planted.py in a copy of the project, builds what
depends on it there, and runs the one suite that should find it. `make plant`; with words: the mistakes whose name or file
holds one.

Fails when the suite passes with the mistake or fails without it, when the text that a mistake replaces does not stand in
its file exactly once, when the mistake does not build, and when the suite is none that `make test` runs. JOBS copies of the
project are used at a time (default 1).
"""
import importlib.machinery
import importlib.util
import os
import queue
import re
import shutil
import subprocess
import sys
import threading
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.dirname(HERE), HERE]
import tap
from planted import PLANTED

JOBS = int(os.environ.get("JOBS") or 1)
WORK = os.path.join(tap.BUILD, "plant-trees")
TIMEOUT = 300  # seconds of one suite: a mistake may make it hang, which is found, too


def runner():
    """tests/run, which knows how a program of `make test` is run and what its report says."""
    loader = importlib.machinery.SourceFileLoader("run", os.path.join(tap.TOP, "tests/run"))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("run", loader))
    loader.exec_module(module)
    return module


def environment_of(tree):
    # A make above would hand down its jobs and variables, and this project's library.
    kept = {key: value for key, value in os.environ.items() if key not in ("MAKEFLAGS", "MFLAGS", "MAKEOVERRIDES", "MAKELEVEL")}
    return {**kept, "OCL_ICD_VENDORS": os.path.join(tree, "build/etc/OpenCL/vendors/"), "HEDDLE_CACHE_BYTES": "0"}


def entries_of_make_test():
    """{name as tests/run shows it: entry}"""
    listed = subprocess.run(["make", "--no-print-directory", "-s", "test-names"], cwd=tap.TOP, env=environment_of(tap.TOP),
                            capture_output=True, text=True, check=True).stdout.split()
    run = runner()
    return {run.Run(entry).name: entry for entry in listed}


class Tree:
    """A copy of the project, of what git knows or would take, with what was built."""

    def __init__(self, number):
        self.path = os.path.join(WORK, str(number))
        files = subprocess.run(["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"], cwd=tap.TOP, check=True,
                               capture_output=True, text=True).stdout.split("\0")
        for name in filter(None, files):
            source, target = os.path.join(tap.TOP, name), os.path.join(self.path, name)
            if os.path.lexists(source):
                os.makedirs(os.path.dirname(target), exist_ok=True)
                shutil.copy2(source, target, follow_symlinks=False)
        shutil.copytree(tap.BUILD, os.path.join(self.path, "build"), symlinks=True,
                        ignore=lambda folder, names: [n for n in names if n.startswith("plant") or n == "logs"])
        # It names the library by its path.
        os.remove(os.path.join(self.path, "build/etc/OpenCL/vendors/heddle.icd"))
        if not os.path.lexists(os.path.join(self.path, ".venv")):
            os.symlink(os.path.realpath(os.path.join(tap.TOP, ".venv")), os.path.join(self.path, ".venv"))

    def make(self, entry):
        program = entry.split(",")[0]
        targets = ["plant-parts", program] if program.startswith("build/") else ["all"]
        # Files are copied with their times: what is up to date there is up to date here. Set-up has been done.
        made = subprocess.run(["make", "-j2", "-o", ".venv/heddle-setup.mk", *targets], cwd=self.path, env=environment_of(self.path),
                              stdin=subprocess.DEVNULL, capture_output=True, text=True)
        if made.returncode:
            raise AssertionError("it does not build:\n" + (made.stdout + made.stderr)[-2000:])

    def run(self, entry, test):
        """The names of tests that failed, of all of the entry or of those that hold `test`."""
        logs = os.path.join(self.path, "build/plant-logs")
        os.makedirs(logs, exist_ok=True)
        module = runner()
        module.TOP = self.path  # where programs are started
        done = module.Run(entry).execute(logs, TIMEOUT, environment_of(self.path), test)
        if not done.passed and not done.failed:
            raise AssertionError(f"{entry}: no test was run")
        return [f"{name}: {(details or [''])[0].strip()[:200]}" for name, details in done.failed]

    def write(self, file, text):
        with open(os.path.join(self.path, file), "w") as target:
            target.write(text)

    def find(self, mistake, entry, passes):
        """Returns what to print. AssertionError: the mistake was not found. `passes`: (suite, test) seen to pass without one."""
        with open(os.path.join(self.path, mistake.file)) as source:
            text = source.read()
        if text.count(mistake.text) != 1:
            raise AssertionError(f"{mistake.file}: {mistake.text!r} stands there {text.count(mistake.text)} times; planted.py needs a new text")
        if (entry, mistake.test) not in passes:
            self.make(entry)
            failed = self.run(entry, mistake.test)
            if failed:
                raise AssertionError(f"{mistake.suite} fails without a mistake: {failed[0]}")
            passes.add((entry, mistake.test))
        start = time.monotonic()
        self.write(mistake.file, text.replace(mistake.text, mistake.replacement))
        try:
            self.make(entry)
            failed = self.run(entry, mistake.test)
        finally:
            self.write(mistake.file, text)  # newer than what was built of it: it is built again
        if not failed:
            raise AssertionError(f"{mistake.suite} passes with it ({time.monotonic() - start:.0f} s): {mistake.what}")
        return f"{mistake.file}: {mistake.what}: found in {time.monotonic() - start:.0f} s by {failed[0]}"


def find_all(mistakes, entries):
    """{name: what to print, or the exception}, found by JOBS threads, each with a copy of its own."""
    # Mistakes of one suite follow each other, so that it is seen to pass once.
    left, results = queue.Queue(), {}
    for name in sorted(mistakes, key=lambda name: mistakes[name].suite):
        left.put(name)

    def work(number):
        try:
            tree, passes = Tree(number), set()
        except Exception as problem:
            while not left.empty():
                results[left.get()] = problem
            return
        while True:
            try:
                name = left.get_nowait()
            except queue.Empty:
                return
            try:
                results[name] = tree.find(mistakes[name], entries[mistakes[name].suite], passes)
            except Exception as problem:
                results[name] = problem
            print(f"# {name}: {results[name]}", flush=True)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(min(JOBS, len(mistakes)))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return results


def main():
    words = [re.sub(r"^a_suite_finds\[(.*)\]$", r"\1", word) for word in sys.argv[1:]]
    sys.argv[1:] = []  # tap.run need not choose again
    mistakes = {name: mistake for name, mistake in PLANTED.items()
                if not words or any(word in name or word in mistake.file for word in words)}
    entries = entries_of_make_test()
    unknown = {mistake.suite for mistake in mistakes.values()} - entries.keys()
    if unknown:
        raise SystemExit(f"make test runs no {', '.join(sorted(unknown))}")
    shutil.rmtree(WORK, ignore_errors=True)
    results = find_all(mistakes, entries)

    @tap.test_for(**{name: name for name in mistakes})
    def a_suite_finds(name):
        if isinstance(results[name], Exception):
            raise results[name]

    try:
        tap.run("plant")
    finally:
        found = len([result for result in results.values() if isinstance(result, str)])
        print(f"# {found} of {len(mistakes)} planted mistakes found", flush=True)
        if found == len(mistakes):
            shutil.rmtree(WORK, ignore_errors=True)


if __name__ == "__main__":
    main()
