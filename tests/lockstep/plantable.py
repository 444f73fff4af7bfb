#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Can each bug of planted.py still be planted? What it replaces stands in the RTL exactly once, and the test that is to find it is
there. Whether lockstep finds it is for plant.py."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.dirname(HERE), HERE]
import tap
from planted import PLANTED

DIRECTED = ""
for name in ("directed.c", "rights.c"):
    with open(os.path.join(HERE, name)) as tests:
        DIRECTED += tests.read()


@tap.test_for(**PLANTED)
def its_text_stands_once(bug):
    with open(os.path.join(tap.TOP, "rtl", bug.file)) as source:
        text = source.read()
    tap.expect(1, text.count(bug.text), f"how often rtl/{bug.file} has {bug.text!r} (planted.py needs a new text)")
    tap.expect(False, bug.replacement == bug.text, "whether the bug is none")
    tap.expect(True, not bug.test or f"Test(lockstep, {bug.test}," in DIRECTED, f"whether directed.c or rights.c has the test {bug.test}")


tap.run("plantable")
