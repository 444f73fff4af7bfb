#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""pyopencl's own tests, from its source package, on the golden model with double (`make test-pyopencl`). What fails or is
skipped is known, and why."""
import functools
import glob
import os
import re
import subprocess
import sys
import xml.etree.ElementTree

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import tap
from tap import BUILD, Skip, expect, test, test_for

FOLDER = os.path.join(os.path.abspath(BUILD), "tests/pyopencl")
KNOWN = {
    "test_get_info": "wants answers of cl_khr_mipmap_image from samplers, which the device does not offer: CL_INVALID_VALUE",
    "test_xdg_cache_home": "gives platformdirs a relative folder in XDG_CACHE_HOME, which it ignores: no matter of a device",
}
# What a skipped test says, and what that is.
SKIPPED = {
    "fine-grain SVM": "fine-grained shared memory, an optional feature",
    "AMD-specific": "a test of another platform's",
    "scipy": "the test compares with scipy, which is not installed for it",
    "pyfmmlib": "the test compares with pyfmmlib, which is no package of PyPI's",
}


@functools.cache
def results():
    """Of every test with its parameters: (pass, fail or skip; what it says). pytest runs once."""
    python = os.path.join(FOLDER, "venv/bin/python")
    sources = glob.glob(os.path.join(FOLDER, "pyopencl-*/test"))
    if not os.path.exists(python) or len(sources) != 1:
        raise Skip("pyopencl's tests are not there; make test-pyopencl fetches them")
    nothing, report = os.path.join(FOLDER, "no-rtl"), os.path.join(FOLDER, "results.xml")
    os.makedirs(nothing, exist_ok=True)
    if os.path.exists(report):
        os.remove(report)
    # Only the golden model is a device; its kernels may take long, and pyopencl's caches are its own.
    environment = {**os.environ, "HEDDLE_RTL_DIR": nothing, "HEDDLE_DOUBLE": "1", "HEDDLE_BUDGET_CYCLES": "0",
                   "XDG_CACHE_HOME": os.path.join(FOLDER, "cache")}
    with open(os.path.join(FOLDER, "log.txt"), "w") as log:
        subprocess.run([python, "-m", "pytest", "-p", "no:cacheprovider", "-v", "--durations=20", "--junit-xml=" + report], cwd=sources[0],
                       env=environment, stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT)
    if not os.path.exists(report):
        raise AssertionError(f"pytest wrote no report; see {log.name}")
    found = {}
    for case in xml.etree.ElementTree.parse(report).getroot().iter("testcase"):
        name = re.sub(r"<context factory .*?'>>-?", "", case.get("name")).replace("[]", "").replace("-]", "]")
        bad = next((part for part in case if part.tag in ("failure", "error")), None)
        skipped = case.find("skipped")
        result = ("fail", bad.get("message")) if bad is not None else ("skip", skipped.get("message")) if skipped is not None else ("pass", "")
        while name in found:
            name += "'"
        found[name] = result
    return found


@test
def all_tests_are_there_and_pass_but_those_with_a_known_reason():
    found = results()
    counts = {kind: sum(result == kind for result, _ in found.values()) for kind in ("pass", "fail", "skip")}
    print(f"# {len(found)} tests: {counts}")
    expect(True, len(found) >= 300, f"300 tests or more ({len(found)})")
    failed = {name: message[:300] for name, (result, message) in found.items() if result == "fail" and name not in KNOWN}
    expect({}, failed, "tests that fail")


@test
def skipped_tests_say_a_known_reason():
    unknown = {name: message for name, (result, message) in results().items()
               if result == "skip" and not any(word in message for word in SKIPPED)}
    expect({}, unknown, "tests that are skipped")


@test_for(**{name: name for name in KNOWN})
def it_fails_for_the_reason_that_is_known(name):
    print(f"# {name}: {KNOWN[name]}")
    expect("fail", results().get(name, ("", ""))[0], f"{name} ({KNOWN[name]})")


if __name__ == "__main__":
    tap.run("pyopencl_tests")
