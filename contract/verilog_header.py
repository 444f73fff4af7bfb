#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes contract/device_map.vh, the numbers of contract/device_map.h, csrs.h, collectives.h and version.h as Verilog macros, each a plain number of 32 bits.

  verilog_header.py            writes it
  verilog_header.py --check    only says whether it is up to date; exit status 1 if not

Every enumerator, every macro with a value and every operator of collectives becomes one. It is checked in, so that no tool that reads the RTL has to make it first.
"""
import os
import re
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
SOURCES, HEADER = [os.path.join(HERE, name) for name in ("device_map.h", "csrs.h", "collectives.h", "version.h")], os.path.join(HERE, "device_map.vh")
TOP = """// SPDX-License-Identifier: Apache-2.0
// Made by contract/verilog_header.py from contract/device_map.h, csrs.h, collectives.h and version.h, which say what these numbers are. Not to be edited.
`ifndef HEDDLE_DEVICE_MAP_VH
`define HEDDLE_DEVICE_MAP_VH
"""


def value_of(text, known):
    """A constant expression of numbers, names that are known, shifts, sums and products."""
    plain = re.sub(r"\b(0[xX][0-9a-fA-F]+|\d+)[uUlL]*\b", r"\1", text)
    plain = re.sub(r"\b[A-Z_]\w*\b", lambda name: str(known[name[0]]), plain)
    if not re.fullmatch(r"[0-9a-fA-FxX\s()+*<|-]+", plain):
        raise ValueError(text)
    return eval(plain, {"__builtins__": {}})  # digits and operators only


def numbers(text):
    """[(name, value)] in the order of the file."""
    text = re.sub(r"/\*.*?\*/", "", re.sub(r"//[^\n]*", "", text), flags=re.S)
    known = {}
    pattern = r"^#define[ \t]+(HEDDLE_\w+)[ \t]+([^\n\"]+)$|\benum\b[^{;]*\{([^}(]*)\}|^ *X\(([A-Z]\w*), \w+, (\d+), __VA_ARGS__\)"
    for item in re.finditer(pattern, text, flags=re.M):
        if item[4]:
            known["HEDDLE_OP_" + item[4]] = int(item[5])
            continue
        if item[1]:
            known[item[1]] = value_of(item[2].strip(), known)
            continue
        following = 0
        for entry in filter(None, (part.strip() for part in item[3].split(","))):
            name, _, value = (part.strip() for part in entry.partition("="))
            known[name] = value_of(value, known) if value else following
            following = known[name] + 1
    return known.items()


def all_numbers():
    """{name: value} of all sources."""
    known = {}
    for source in SOURCES:
        with open(source, encoding="utf-8") as file:
            text = file.read()
        known.update(numbers(text))
        version = re.search(r'^#define HEDDLE_VERSION "([0-9.]+)"', text, re.M)
        if version:
            parts = [int(part) for part in version[1].split(".")] + [0, 0]
            if known["HEDDLE_VERSION_NUMBER"] != parts[0] << 16 | parts[1] << 8 | parts[2]:
                sys.exit(f"contract/version.h: HEDDLE_VERSION is {version[1]}, HEDDLE_VERSION_NUMBER {known['HEDDLE_VERSION_NUMBER']:#08x}")
    return known


def hexadecimal(value):
    """A number that Verilog would take for a negative one, with its width."""
    return f"32'h{value & 0xFFFFFFFF:08X}"


def header():
    lines = [f"`define {name} {value if value < 1 << 31 else hexadecimal(value)}" for name, value in all_numbers().items()]
    return TOP + "\n".join(lines) + "\n`endif\n"


def main():
    if sys.argv[1:] not in ([], ["--check"]):
        sys.exit(__doc__)
    made = header()
    if sys.argv[1:]:
        with open(HEADER, encoding="utf-8") as file:
            if file.read() != made:
                sys.exit("contract/device_map.vh is not what contract/device_map.h, csrs.h, collectives.h and version.h say: run contract/verilog_header.py")
        return
    with open(HEADER, "w", encoding="utf-8") as file:
        file.write(made)


if __name__ == "__main__":
    main()
