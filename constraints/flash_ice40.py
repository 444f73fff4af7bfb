# SPDX-License-Identifier: Apache-2.0
"""What `make flash` does for boards with an iCE40: iceprog writes the board's flash, from which the chip loads itself, and reads
it back. (The chip's own memory can only be written with jumpers set otherwise than boards are sold.)"""
import os
import shutil

from board_files import Failure

SUFFIX, ALWAYS_STAYS, DONE = ".bin", True, "{} works with it"

# Bits across and down a quarter of the configuration memory, which tell a bitstream's device.
DEVICES = {(871, 272): "hx8k", (691, 336): "up5k"}
PREAMBLE = b"\x7e\xaa\x99\x7e"
BANK_WIDTH, BANK_HEIGHT, COMMAND = 6, 7, 0
WRITES = (1, 3)  # commands that configuration bits follow
WAKE_UP = b"\x01\x06"  # the last one


def device_of(path):
    """That a bitstream is for; None: none that a board here has."""
    with open(path, "rb") as file:
        bytes_ = file.read()
    at = bytes_.find(PREAMBLE) + len(PREAMBLE)
    size = {}
    if at < len(PREAMBLE):
        raise Failure(f"{path} is no bitstream of an iCE40")
    if not bytes_.rstrip(b"\0").endswith(WAKE_UP):
        raise Failure(f"{path} is cut off: an iCE40 would not wake up with it")
    while at < len(bytes_):  # an opcode and the length of what follows, four bits each
        opcode, length = bytes_[at] >> 4, bytes_[at] & 15
        value = int.from_bytes(bytes_[at + 1:at + 1 + length], "big")
        if opcode == COMMAND and value in WRITES:
            break
        size[opcode] = value
        at += 1 + length
    return DEVICES.get((size.get(BANK_WIDTH), size.get(BANK_HEIGHT)))


def check(path, name, board):
    """Raises Failure unless the file is a bitstream for the board's device."""
    device = device_of(path)
    if device != board["device"]:
        raise Failure(f"{path} is for {'an iCE40 ' + device if device else 'another chip'}, but {name} has an iCE40 {board['device']}")


def command(path, *_):
    loader = shutil.which("iceprog")
    if loader is None:
        raise Failure("iceprog is not installed; the package fpga-icestorm has it, and `make setup` installs that")
    return [loader, os.path.relpath(path)]


def judge(status, lines, *_):
    """Raises Failure unless the flash held what was written and the chip came up with it."""
    text = "\n".join(lines)
    if "Can't find iCE FTDI USB device" in text:
        raise Failure("no board answers: there is no FT2232H on USB that you may use.\n"
                      "Is it plugged in and powered, and may you use it (as root, or with a udev rule)?")
    if "Found difference between flash and file!" in text:
        raise Failure("the flash does not hold what was written: it is worn out or write-protected, or the jumpers are set for the chip")
    if status != 0 or "VERIFY OK" not in lines:
        raise Failure(f"iceprog failed with status {status}: {lines[-1] if lines else 'it said nothing'}")
    if [line for line in lines if line.startswith("cdone:")][-1:] != ["cdone: high"]:
        raise Failure("the flash holds the bitstream, but the chip's CDONE stays low: it does not work with it.\n"
                      "Are the jumpers set so that the chip loads itself from the flash? Power the board off and on, then try again")
