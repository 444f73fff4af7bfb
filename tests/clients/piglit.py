#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""piglit's OpenCL profile, as the distribution has it, on the golden model. What fails is known, and why (`make test-piglit`)."""
import bz2
import functools
import glob
import json
import os
import shutil
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import tap
from tap import BUILD, Skip, expect, test, test_for

KNOWN = {
    "api@clgetcommandqueueinfo": "asks a host queue for CL_QUEUE_SIZE, for which OpenCL 3.0 has CL_INVALID_COMMAND_QUEUE",
    "api@clcreateprogramwithbinary": "makes a kernel of a program that was not built; OpenCL 3.0: CL_INVALID_PROGRAM_EXECUTABLE",
    "api@clgetextensionfunctionaddressforplatform": "asks for a platform that is none, which the ICD loader answers",
    "api@clgetdeviceinfo": "wants OpenCL C 1.1 of a device that has 1.2, and double precision",
    "program@build@vector-data-types": "uses double, which is not offered unless HEDDLE_DOUBLE=1",
    "program@build@include-directories": "the package does not have the header that it includes",
    "program@build@fail@warnings-as-errors": "wants a warning about an unknown extension; off, since clang 22 gives it for those of sub-groups, too",
    "program@execute@amdgcn-f32-inline-immediates": "wants subnormals flushed by -cl-denorms-are-zero, which only permits it",
}


@functools.cache
def results():
    """Of every test by name: pass, fail, skip, crash, ...; piglit runs once."""
    if not shutil.which("piglit"):
        raise Skip("piglit is not installed; make test-piglit does that")
    folder = os.path.join(os.path.abspath(BUILD), "tests/piglit")
    nothing = os.path.join(folder, "no-rtl")  # only the golden model is a device then
    os.makedirs(nothing, exist_ok=True)
    subprocess.run(["piglit", "run", "cl", "-o", "-c", "--timeout", "600", os.path.join(folder, "results")], check=True,
                   env={**os.environ, "HEDDLE_RTL_DIR": nothing}, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
    [path] = glob.glob(os.path.join(folder, "results/results.json*"))
    with (bz2.open if path.endswith("bz2") else open)(path) as file:
        return {name: entry["result"] for name, entry in json.load(file)["tests"].items()}


@test
def all_tests_are_there_and_pass_but_those_with_a_known_reason():
    found = results()
    expect(True, len(found) > 600, f"more than 600 programs ({len(found)})")
    failed = {name: result for name, result in found.items() if result not in ("pass", "skip") and name not in KNOWN}
    counts = {result: list(found.values()).count(result) for result in sorted(set(found.values()))}
    print(f"# {len(found)} programs: {counts}")
    expect({}, failed, "programs that do not pass")


@test_for(**{name: name for name in KNOWN})
def it_fails_for_the_reason_that_is_known(name):
    print(f"# {name}: {KNOWN[name]}")
    expect("fail", results().get(name), f"{name} ({KNOWN[name]})")


if __name__ == "__main__":
    tap.run("piglit")
