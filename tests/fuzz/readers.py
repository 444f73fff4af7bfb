#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Two thousand inputs for each reader of bytes of any origin, the same each time; `make fuzz` has more, and others."""
import os
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import tap
from tap import expect, test_for

INPUTS = 2000


@test_for(binary="binary", il="il", link="link")
def a_reader_survives_what_is_made_of_real_inputs(target):
    folder = os.path.join(tap.BUILD, "fuzz", target)
    with tempfile.TemporaryDirectory() as found:
        done = subprocess.run([os.path.join(folder, "fuzz"), f"-runs={INPUTS}", "-seed=1", "-max_len=65536", "-timeout=10",
                               "-rss_limit_mb=2048", ".", os.path.join(folder, "seeds")],
                              cwd=found, stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace", timeout=300)
        expect(0, done.returncode, f"{target}; `make fuzz` keeps an input that fails:\n{done.stderr[-4000:]}")
        tap.expect_in(f"Done {INPUTS} runs", done.stderr, target)


tap.run("readers")
