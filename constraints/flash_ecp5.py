# SPDX-License-Identifier: Apache-2.0
"""What `make flash` does for boards with an ECP5: openFPGALoader, through the board's own cable or a virtual one.

Its exit status does not tell: it is 0 when the chip never raises DONE. So its report of the chip's status register is read."""
import re
import shutil

from board_files import Failure

SUFFIX, ALWAYS_STAYS, DONE = ".bit", False, "{} works with it"

# IDCODEs of the chips that a device of nextpnr stands for (FPGA-TN-02039). The loader prints them without the version.
CHIPS = {
    "12k": {0x21111043: "LFE5U-12F"},
    "25k": {0x41111043: "LFE5U-25F", 0x21111043: "LFE5U-12F"},
    "45k": {0x41112043: "LFE5U-45F"},
    "85k": {0x41113043: "LFE5U-85F"},
}
NAMES = {idcode: name for chips in CHIPS.values() for idcode, name in chips.items()}
PREAMBLE, VERIFY_ID = b"\xff\xff\xbd\xb3", b"\xe2\0\0\0"


def idcode_of(path):
    """Of the chip that a bitstream says it is for."""
    with open(path, "rb") as file:
        bytes_ = file.read()
    preamble = bytes_.find(PREAMBLE)
    at = bytes_.find(VERIFY_ID, preamble)
    if preamble < 0 or at < 0 or len(bytes_) < at + 8:
        raise Failure(f"{path} is no bitstream of an ECP5")
    return int.from_bytes(bytes_[at + 4:at + 8], "big")


def check(path, name, board):
    """Raises Failure unless the bitstream is for one of the chips that the board may have."""
    expected, wanted = CHIPS[board["device"]], idcode_of(path)
    if wanted not in expected:
        raise Failure(f"{path} is for {NAMES.get(wanted, 'another chip')} (IDCODE 0x{wanted:08X}), but {name} has {' or '.join(expected.values())}")


def open_fpga_loader():
    """Path of openFPGALoader."""
    loader = shutil.which("openFPGALoader")
    if loader is None:
        raise Failure("openFPGALoader is not installed; `make setup` installs it")
    return loader


def no_chip(where, lines):
    """The failure when it found no chip there, with what it said last."""
    return Failure(f"no chip answers through {where}: {lines[-1] if lines else 'the loader said nothing'}\n"
                   "Is it plugged in and powered, and may you use it (as root, or with the loader's udev rule)?")


def command(path, board, call):
    cable = ["--cable", "xvc-client", "--ip", call.host, "--port", call.port] if call.xvc else ["--board", board["loader"]]
    return [open_fpga_loader(), *cable, "--verbose", "--file-type", "bit", *(["--write-flash", "--verify"] if call.spi else []), path]


def judge(status, lines, board, call):
    """Raises Failure unless the loader's report of the chip's status, after the load, says DONE and no error."""
    expected = CHIPS[board["device"]]
    found = [int(match.group(1), 16) for match in (re.match(r"idcode (0x[0-9a-f]+)$", line) for line in lines) if match]
    if not found:
        raise no_chip(f"the virtual cable at {call.xvc}" if call.xvc else "the board's USB cable", lines)
    if all(code & 0x0FFFFFFF != idcode & 0x0FFFFFFF for code in found for idcode in expected):
        names = {code & 0x0FFFFFFF: name for code, name in NAMES.items()}
        raise Failure(f"another chip is there: {names.get(found[0] & 0x0FFFFFFF, 'an unknown one')} (IDCODE 0x{found[0]:08X}); "
                      f"this bitstream is for {' or '.join(expected.values())}")
    mismatch = [line for line in lines if line.startswith("bitstream has 0x")]
    if mismatch:
        raise Failure(f"another chip is there: {mismatch[0]}")
    if "displayReadReg" not in lines:
        raise Failure(f"the loader did not begin: {lines[-1]}")
    last = len(lines) - 1 - lines[::-1].index("displayReadReg")
    errors = [line for line in lines[last:] if line.endswith(" ERR")]
    refreshed = [line for line in lines if line.startswith("Refresh:")]
    if errors:
        raise Failure(f"the chip refused the bitstream: {', '.join(errors)}")
    if status != 0 and not refreshed:
        raise Failure(f"the loader failed with status {status}: {lines[-1]}")
    if refreshed != ["Refresh: DONE"] if refreshed else "Done Flag" not in lines[last:]:
        raise Failure("the bitstream was sent, but the chip's DONE stays low: it does not work with it.\n"
                      "Power the board off and on, then try again; a shorted DONE pin or a weak supply looks like this, too")
