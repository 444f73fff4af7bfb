#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Turns the bitstream of a board with an iCE40 back into Verilog: iceunpack, icebox_vlog, and what Verilator wants on top.

The result has a module of the board's name with its pins, as the top-level module has them, so that what simulates that simulates the bitstream.
Called by `make test`. Only for chips whose cells icebox_vlog knows: no PLL, SPRAM or DSP. Exit status: that of the tool that failed, if one did.
"""
import argparse
import os
import re
import subprocess
import sys


def ports_of(header):
    """(direction, name) of each port of icebox_vlog's module, names as they stand there."""
    return re.findall(r"(input|output)\s+(\\\S+\s|\w+)", header)


def plain(text):
    """Ports are declared again as wires or registers, which Verilog only allows behind a list of names."""
    header = re.search(r"module chip \((.*?)\);\n", text, re.S)
    ports = ports_of(header.group(1))
    start = "module chip (" + ", ".join(name for _, name in ports) + ");\n"
    start += "".join(f"{direction} {name};\n" for direction, name in ports)
    return ports, text[:header.start()] + start + text[header.end():]


def wrapper(board, ports):
    """The module that has the board's name, with vectors for what the chip has as pins."""
    widths, connections = {}, []
    for direction, name in ports:
        bare = name.strip().lstrip("\\")
        vector = re.fullmatch(r"(\w+)\[(\d+)\]", bare)
        base, index = (vector[1], int(vector[2])) if vector else (bare, None)
        kind, width = widths.get(base, (direction, 0))
        widths[base] = (kind, max(width, index + 1) if vector else None)
        connections.append(f".{name} ({bare})")
    declared = ", ".join(f"{kind} wire {f'[{width - 1}:0] ' if width else ''}{base}" for base, (kind, width) in widths.items())
    return f"module {board} ({declared});\n  chip chip ({', '.join(connections)});\nendmodule\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tools", default=".venv/bin", help="folder of yowasp-iceunpack")
    parser.add_argument("--pcf", required=True, help="the board's pins")
    parser.add_argument("board", help="its name, which the module gets")
    parser.add_argument("bitstream")
    parser.add_argument("verilog", help="the file to write")
    options = parser.parse_args()
    unpacked = options.verilog + ".asc"
    for words, out in (([os.path.join(options.tools, "yowasp-iceunpack"), options.bitstream, unpacked], None),
                       (["icebox_vlog", "-s", "-l", "-p", options.pcf, unpacked], options.verilog)):
        try:
            done = subprocess.run(words, stdout=subprocess.PIPE, text=True)
        except OSError as error:
            print(f"readback: {words[0]}: {error.strerror}; `make setup` installs it", file=sys.stderr)
            return 1
        if done.returncode != 0:
            print(f"readback: {words[0]} failed with status {done.returncode}", file=sys.stderr)
            return done.returncode
        if out:
            ports, text = plain(done.stdout)
            with open(out, "w") as file:
                file.write(text + wrapper(options.board, ports))
    return 0


if __name__ == "__main__":
    sys.exit(main())
