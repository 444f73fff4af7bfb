# SPDX-License-Identifier: Apache-2.0
"""What `make flash` does for boards whose bootloader takes DFU over the board's own USB: dfu-util hands it the bitstream, which it
writes into the board's flash."""
import os
import shutil

from board_files import Failure
from flash_ecp5 import check  # noqa: F401: such boards here have an ECP5

SUFFIX, ALWAYS_STAYS, DONE = ".bit", True, "the bootloader of {} has written it, and starts it"


def command(path, board, _):
    loader = shutil.which("dfu-util")
    if loader is None:
        raise Failure("dfu-util is not installed; the package dfu-util has it, and `make flash` installs that")
    return [loader, "--device", "," + board["dfu"], "--alt", "0", "--reset", "--download", os.path.relpath(path)]


def judge(status, lines, *_):
    """Raises Failure unless the bootloader took all of it."""
    if any("No DFU capable USB device available" in line for line in lines):
        raise Failure("no bootloader answers. Hold the board's button while you plug it in or, if Heddle runs on it, until the LED goes out\n"
                      "and on again; and may you use it (as root, or with a udev rule)?")
    if status != 0 or "Done!" not in lines:
        raise Failure(f"dfu-util failed with status {status}: {lines[-1] if lines else 'it said nothing'}")
