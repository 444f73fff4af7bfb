#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Loads a board's bitstream and says whether the board works with it: with openFPGALoader (flash_ecp5.py), iceprog where an iCE40 is
(flash_ice40.py), again openFPGALoader where a Gowin FPGA is (flash_gowin.py), or dfu-util where a bootloader takes DFU (flash_dfu.py). Called by `make flash`.

Exit status: 0 the chip said DONE, 1 it did not or could not be reached, 2 the call was wrong.
"""
import argparse
import json
import os
import re
import subprocess
import sys
import threading

import flash_dfu
import flash_ecp5
import flash_gowin
import flash_ice40
from board_files import Failure, boards

# Each of the four has
#   SUFFIX, ALWAYS_STAYS, DONE          of a bitstream's file; whether it is in the flash however it is called; what is said of a board that works
#   check(path, name, board)            raises Failure unless the file is a bitstream for the board
#   command(path, board, call)          the program to run; call is what was asked for: spi, and with xvc host and port
#   judge(status, lines, board, call)   raises Failure unless what the program said means that the board works
SECONDS = 600  # that a load may take; one over a real cable takes under 60


def way_to(board, xvc):
    """A bootloader is passed by when there is a cable to the chip itself."""
    if board.get("family"):
        return {"ice40": flash_ice40, "gowin": flash_gowin}[board["family"]]
    return flash_dfu if "dfu" in board and not xvc else flash_ecp5


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
    if options.xvc:
        where = re.fullmatch(r"([\w.:-]+):(\d+)", options.xvc)
        if not where:
            print(f"flash: --xvc wants HOST:PORT, not '{options.xvc}'", file=sys.stderr)
            return 2
        options.host, options.port = where.groups()
    with open(known[options.board]) as text:
        board = json.load(text)
    way = way_to(board, options.xvc)
    if options.xvc and way in (flash_ice40, flash_gowin):
        print(f"flash: {options.board} has {'an iCE40' if way is flash_ice40 else 'a Gowin FPGA'}, which no virtual cable (XVC) reaches", file=sys.stderr)
        return 2
    path = options.bitstream or os.path.join(options.made, options.board, options.board + way.SUFFIX)
    stays = options.spi or way.ALWAYS_STAYS
    try:
        if not os.path.exists(path):
            raise Failure(f"{path} is not there; `make bitstream BOARD={options.board}` makes it")
        way.check(path, options.board, board)
        command = way.command(path, board, options)
        print(f"flash: {options.board}, {path}, {os.path.getsize(path)} bytes, to the {'flash' if stays else 'chip'}", flush=True)
        status, lines = run(command)
        way.judge(status, lines, board, options)
    except (Failure, OSError) as failure:
        print(f"flash: {failure}", file=sys.stderr)
        return 1
    print(f"flash: DONE: {way.DONE.format(options.board)}" + ("" if stays else " until power goes"), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
