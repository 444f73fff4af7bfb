#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What HEDDLE_CHECK and Oclgrind find in kernels with planted mistakes (planted.h), and how long both take. Prints the
table of docs/results/checks.md. Needs the package oclgrind; `make build/tests/run_planted` makes the program."""
import os
import re
import resource
import subprocess
import sys

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PROGRAM = os.path.join(TOP, "build/tests/run_planted")
OCLGRIND = ["oclgrind", "--data-races", "--uninitialized"]
SECONDS = 300


def heddle(*words):
    environment = {**os.environ, "OCL_ICD_VENDORS": os.path.join(TOP, "build/etc/OpenCL/vendors/"), "HEDDLE_CHECK": "1",
                   "PLANTED_OPTIONS": " -cl-std=CL3.0"}
    return run([PROGRAM, *words], environment)


def oclgrind(*words):
    environment = {**os.environ}
    environment.pop("OCL_ICD_VENDORS", None)
    text, seconds = run([*OCLGRIND, PROGRAM, *words], environment)
    # Its compiler counts warnings.
    return "\n".join(line for line in text.splitlines() if line and "warning" not in line), seconds


def run(words, environment):
    """What a program says, or why it says nothing, and the processor time that it took."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    try:
        done = subprocess.run(words, env=environment, capture_output=True, text=True, timeout=SECONDS)
        text = done.stdout + done.stderr
        if done.returncode < 0:
            text = f"killed by signal {-done.returncode}"
    except subprocess.TimeoutExpired:
        text = "does not end"
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return text.strip(), after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def verdict(with_mistake, without):
    missing = re.search(r"Undefined external function: (\w+)", without + with_mistake)
    if missing:
        return f"cannot run it: no {missing.group(1)}"
    if "run_planted:" in with_mistake + without:
        return "cannot run it"
    if with_mistake == "does not end" or with_mistake.startswith("killed"):
        return with_mistake
    found = "found" if with_mistake else "not found"
    return found + (", and reported where there is none" if without else "")


def main():
    names = subprocess.run([PROGRAM, "--list"], capture_output=True, text=True, check=True).stdout.split()
    print("| planted | Heddle | Oclgrind |\n|---|---|---|")
    for name in names:
        cells = [verdict(checker(name, "1")[0], checker(name, "0")[0]) for checker in (heddle, oclgrind)]
        print(f"| {name.replace('_', ' ')} | {' | '.join(cells)} |", flush=True)
    size = sys.argv[1] if len(sys.argv) > 1 else "64"
    for title, checker in (("Heddle", heddle), ("Oclgrind", oclgrind)):
        text, seconds = checker("--matrix", size)
        print(f"{title}: matrices of {size} x {size}: {seconds:.2f} s of processor time {text}")


if __name__ == "__main__":
    main()
