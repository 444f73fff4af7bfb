# SPDX-License-Identifier: Apache-2.0
"""Sizes that pages name, held to what is built: for tests/tools/sizes.py and tests/cross/cross.py."""
import os
import re
import subprocess
import tempfile

import tap

OFF = 0.03  # of the size; more is another size to a reader


def stripped_kib(path, strip="strip"):
    with tempfile.TemporaryDirectory(prefix="sizes-") as folder:
        stripped = os.path.join(folder, "stripped")
        subprocess.run([strip, "-o", stripped, path], check=True)
        return os.path.getsize(stripped) / 1024


def expect_named(page, pattern, kib):
    """The page's number in KiB, the group of the pattern, is the measured one."""
    with open(os.path.join(tap.TOP, page), encoding="utf-8") as text:
        found = re.search(pattern, text.read())
    tap.expect(True, bool(found), f"{page} names a size: {pattern}")
    tap.expect(True, abs(int(found[1]) - kib) <= OFF * kib, f"{page} says {found[1]} KiB, measured are {kib:.1f}: whether they agree")
