#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Can each mistake of planted.py still be planted? What it replaces stands in its file exactly once, and its suite is one that
`make test` runs. Whether the suite finds it is for plant.py."""
import collections
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.dirname(HERE), HERE]
import tap
from plant import entries_of_make_test
from planted import PLANTED

ENTRIES = entries_of_make_test()


@tap.test_for(**PLANTED)
def its_text_stands_once(mistake):
    with open(os.path.join(tap.TOP, mistake.file)) as source:
        text = source.read()
    tap.expect(1, text.count(mistake.text), f"how often {mistake.file} has {mistake.text!r} (planted.py needs a new text)")
    tap.expect(False, mistake.replacement == mistake.text, "whether the mistake is none")
    tap.expect(True, mistake.suite in ENTRIES, f"whether make test runs {mistake.suite}")


@tap.test
def every_part_has_mistakes():
    parts = collections.Counter(mistake.file.split("/")[0] for mistake in PLANTED.values())
    parts += collections.Counter("/".join(mistake.file.split("/")[:2]) for mistake in PLANTED.values())
    for part, least in {"host/cl": 20, "host/device": 5, "host/transport": 5, "host/sycl": 5, "hls": 10, "firmware": 3, "rtl/pipeline": 10}.items():
        if parts[part] < least:
            raise AssertionError(f"{part}: {parts[part]} mistakes are planted, expected {least} at least")


tap.run("plantable_everywhere")
