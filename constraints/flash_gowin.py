# SPDX-License-Identifier: Apache-2.0
"""What `make flash` does for boards with a Gowin FPGA: openFPGALoader, through the board's own cable, an FT2232 to it. That of Debian 12 knows
the chip and not this board, so it is told the cable."""
import os
import re

from board_files import Failure
from flash_ecp5 import no_chip, open_fpga_loader

SUFFIX, ALWAYS_STAYS, DONE = ".fs", False, "{} works with it"

# IDCODEs of the chips (UG290), by apicula's names.
CHIPS = {"GW2A-18C": 0x0000081B}
ID_LINE = re.compile(r"^00000110([01]{24})([01]{32})$", re.M)  # a check of the chip: a command, 24 bits, the IDCODE


def check(path, name, board):
    """Raises Failure unless the bitstream is for the board's chip."""
    with open(path, "rb") as file:
        found = ID_LINE.search(file.read(4096).decode("ascii", "replace"))
    if not found:
        raise Failure(f"{path} is no bitstream of a Gowin FPGA")
    if int(found[2], 2) != CHIPS[board["package"]]:
        raise Failure(f"{path} is for another chip (IDCODE 0x{int(found[2], 2):08X}), but {name} has a {board['package']}")


def command(path, _, call):
    return [open_fpga_loader(), "--cable", "ft2232", *(["--write-flash"] if call.spi else []), os.path.relpath(path)]


def judge(status, lines, *_):
    """Raises Failure unless the loader says that the chip, or its flash, took all of it."""
    said = [line for line in lines if re.match(r"(SRAM Flash|CRC check)\s*:", line)]
    if not said:
        raise no_chip("the board's USB cable", lines)
    if status != 0 or any(not line.endswith("Success") for line in said):
        raise Failure(f"the chip did not take the bitstream (status {status}): {', '.join(said)}")
