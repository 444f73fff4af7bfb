#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""docs/how-to/ci.md: the repository on that page is made as it stands there, and its test passes, and fails with a wrong kernel."""
import os
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import tap

PAGE = os.path.join(tap.TOP, "docs/how-to/ci.md")
# A file: its path in bold, whatever is said of it, and its text between fences.
FILE = re.compile(r"^\*\*(\S+)\*\*[^`]*(?:`[^`\n]+`[^`]*)*^```\w+\n(.*?)^```", re.M | re.S)


def run(change=lambda text: text):
    """Exit status and output of the page's test, with its kernel changed."""
    with open(PAGE) as page:
        files = dict(FILE.findall(page.read()))
    with tempfile.TemporaryDirectory(prefix="ci-page-") as folder:
        for path, text in files.items():
            os.makedirs(os.path.join(folder, os.path.dirname(path)), exist_ok=True)
            with open(os.path.join(folder, path), "w") as file:
                file.write(change(text) if path.endswith(".cl") else text)
        done = subprocess.run(["sh", "tests/saxpy.sh"], cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                              env={**os.environ, "PATH": os.path.join(os.path.abspath(tap.BUILD), "bin") + ":" + os.environ["PATH"]}, timeout=300)
    return done.returncode, done.stdout


@tap.test
def its_repository_tests_a_kernel_on_both_devices():
    status, said = run()
    tap.expect((0, True), (status, said.endswith(" cycles\n")), f"exit status and cycles, of {said!r}")


@tap.test
def its_test_fails_where_the_kernel_is_wrong_or_slower():
    for change, why, what in ((("a * x[i]", "a + x[i]"), "\n> ", "a wrong kernel"),
                              (("y[i] = a", "for (int k = 0; k < 9; k++) barrier(CLK_GLOBAL_MEM_FENCE); y[i] = a"), "AssertionError", "a slower kernel")):
        status, said = run(lambda text: text.replace(*change))
        tap.expect((1, True), (status, why in said), f"{what}: exit status, and {why!r} in {said!r}")


tap.run("ci_page")
