#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Loads a board's bitstream and says whether the board works with it: with openFPGALoader, iceprog where an iCE40 is
(flash_ice40.py), or dfu-util where a bootloader takes DFU (flash_dfu.py). Called by `make flash`.

openFPGALoader's own exit status does not tell: it is 0 when the chip never raises DONE. So its report of the chip's status
register is read. Exit status: 0 the chip said DONE, 1 it did not or could not be reached, 2 the call was wrong.
"""
import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import threading

import flash_dfu
import flash_ice40
from bitstream import Failure, boards

# IDCODEs of the chips that a device of nextpnr stands for (FPGA-TN-02039). The loader prints them without the version.
CHIPS = {
    "12k": {0x21111043: "LFE5U-12F"},
    "25k": {0x41111043: "LFE5U-25F", 0x21111043: "LFE5U-12F"},
    "45k": {0x41112043: "LFE5U-45F"},
    "85k": {0x41113043: "LFE5U-85F"},
}
NAMES = {idcode: name for chips in CHIPS.values() for idcode, name in chips.items()}
PREAMBLE, VERIFY_ID = b"\xff\xff\xbd\xb3", b"\xe2\0\0\0"
SECONDS = 600  # that a load may take; one over a real cable takes under 60


def idcode_of(path):
    """Of the chip that a bitstream says it is for."""
    with open(path, "rb") as file:
        bytes_ = file.read()
    preamble = bytes_.find(PREAMBLE)
    at = bytes_.find(VERIFY_ID, preamble)
    if preamble < 0 or at < 0 or len(bytes_) < at + 8:
        raise Failure(f"{path} is no bitstream of an ECP5")
    return int.from_bytes(bytes_[at + 4:at + 8], "big")


def run(command):
    """Runs the loader, shows what it says, and returns its exit status and all its lines."""
    lines, said = [], b""
    process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    limit = threading.Timer(SECONDS, process.kill)  # a loader that hangs says nothing, so reading would not end
    limit.start()
    try:
        while chunk := process.stdout.read1():
            said += chunk
            if sys.stderr.isatty():
                sys.stderr.buffer.write(chunk)
                sys.stderr.flush()
        status = process.wait()
    finally:
        limit.cancel()
        process.kill()
    for line in re.split(r"[\r\n]+", said.decode(errors="replace")):
        if line.strip() and "%" not in line:
            lines.append(re.sub(r"\x1b\[[0-9;]*m", "", line).strip())
    return status, lines


def judge(status, lines, expected, xvc):
    """Raises Failure unless the loader's report of the chip's status, after the load, says DONE and no error."""
    found = [int(match.group(1), 16) for match in (re.match(r"idcode (0x[0-9a-f]+)$", line) for line in lines) if match]
    if not found:
        where = f"the virtual cable at {xvc}" if xvc else "the board's USB cable"
        raise Failure(f"no chip answers through {where}: {lines[-1] if lines else 'the loader said nothing'}\n"
                      "Is it plugged in and powered, and may you use it (as root, or with the loader's udev rule)?")
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


def expected_of(path, name, board):
    """The chips that the board may have, by IDCODE; Failure unless the bitstream is for one of them."""
    expected, wanted = CHIPS[board["device"]], idcode_of(path)
    if wanted not in expected:
        raise Failure(f"{path} is for {NAMES.get(wanted, 'another chip')} (IDCODE 0x{wanted:08X}), but {name} has {' or '.join(expected.values())}")
    return expected


def command_of(path, board, where, spi):
    """Of openFPGALoader; `where` is the match of a virtual cable's host and port, or None."""
    loader = shutil.which("openFPGALoader")
    if loader is None:
        raise Failure("openFPGALoader is not installed; `make setup` installs it")
    cable = ["--cable", "xvc-client", "--ip", where.group(1), "--port", where.group(2)] if where else ["--board", board["loader"]]
    return [loader, *cable, "--verbose", "--file-type", "bit", *(["--write-flash", "--verify"] if spi else []), path]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--made", default="build/boards", help="folder of bitstreams (default: build/boards)")
    parser.add_argument("--bitstream", metavar="FILE", help="instead of the one that `make bitstream` made")
    parser.add_argument("--spi", action="store_true", help="write the board's flash, so that it stays when power goes; an iCE40's, and that behind a bootloader, always is")
    parser.add_argument("--xvc", metavar="HOST:PORT", help="through a virtual cable (XVC) instead of the board's own")
    parser.add_argument("board", help="one of: " + ", ".join(boards()))
    options = parser.parse_args()
    known = boards()
    if options.board not in known:
        print(f"flash: no board is called {options.board}; there are: {', '.join(known)}", file=sys.stderr)
        return 2
    where = re.fullmatch(r"([\w.:-]+):(\d+)", options.xvc) if options.xvc else None
    if options.xvc and not where:
        print(f"flash: --xvc wants HOST:PORT, not '{options.xvc}'", file=sys.stderr)
        return 2
    with open(known[options.board]) as text:
        board = json.load(text)
    is_ice40 = board.get("family") == "ice40"
    if is_ice40 and options.xvc:
        print(f"flash: {options.board} has an iCE40, which no virtual cable (XVC) reaches", file=sys.stderr)
        return 2
    is_dfu = "dfu" in board and not options.xvc
    path = options.bitstream or os.path.join(options.made, options.board, options.board + (".bin" if is_ice40 else ".bit"))
    stays = options.spi or is_ice40 or is_dfu
    try:
        if not os.path.exists(path):
            raise Failure(f"{path} is not there; `make bitstream BOARD={options.board}` makes it")
        if is_ice40:
            flash_ice40.check(path, options.board, board)
            command = flash_ice40.command(path)
        else:
            expected = expected_of(path, options.board, board)
            command = flash_dfu.command(path, board) if is_dfu else command_of(path, board, where, options.spi)
        print(f"flash: {options.board}, {path}, {os.path.getsize(path)} bytes, to the {'flash' if stays else 'chip'}", flush=True)
        status, lines = run(command)
        if is_ice40:
            flash_ice40.judge(status, lines)
        elif is_dfu:
            flash_dfu.judge(status, lines)
        else:
            judge(status, lines, expected, options.xvc)
    except (Failure, OSError) as failure:
        print(f"flash: {failure}", file=sys.stderr)
        return 1
    if is_dfu:
        print(f"flash: DONE: the bootloader of {options.board} has written it, and starts it", flush=True)
    else:
        print(f"flash: DONE: {options.board} works with it" + ("" if stays else " until power goes"), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
