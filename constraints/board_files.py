# SPDX-License-Identifier: Apache-2.0
"""What those who make bitstreams and those who load them share: the boards' files, and how a failure is told. Installed beside flash.py, so it needs
nothing else of the checkout."""
import glob
import os

HERE = os.path.dirname(os.path.abspath(__file__))


class Failure(Exception):
    """What went wrong, in one line or a few, for the person who called."""


def boards():
    """The path of each board's file, by name."""
    return {os.path.basename(path)[:-5]: path for path in sorted(glob.glob(os.path.join(HERE, "*", "*.json")))}
