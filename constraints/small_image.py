#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes what the block RAMs of a board with a small device begin with: capability block and firmware (firmware/small).

Called by bitstream.py and, for the simulated board, by make. Writes PREFIX.0.hex, PREFIX.1.hex and so on, a file for each of the banks that the
board's file names, and PREFIX.elf. Exit status is that of the tool that failed, if one did.
"""
import json
import os
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
SOURCES = ("main.c", "collective.c", "capability.c")
FLAGS = ("--target=riscv32-unknown-elf -march=rv32i -mabi=ilp32 -Os -std=c11 -ffreestanding -fno-builtin -fno-jump-tables "
         "-fno-asynchronous-unwind-tables -Wall -Wextra -Werror").split()


def make(board, parameters, khz, prefix):
    """Of a board's file, with these parameters of its top-level module. Raises CalledProcessError."""
    first = parameters.get("GLOBAL_BYTES", board.get("global_bytes"))
    end = max(start + 4 * words for start, words in board["image"])
    folder = os.path.join(ROOT, "firmware", "small")
    defines = [f"-DSMALL_LANES={parameters['LANES']}", f"-DSMALL_SLOTS={parameters['SLOTS']}", f"-DSMALL_GLOBAL_BYTES={first}",
               f"-DSMALL_CLOCK_KHZ={khz}"]
    objects = []
    for source in SOURCES:
        objects.append(f"{prefix}.{source[:-2]}.o")
        subprocess.run(["clang-22", *FLAGS, "-I" + ROOT, *defines, "-c", os.path.join(folder, source), "-o", objects[-1]], check=True)
    subprocess.run(["ld.lld-22", "--fatal-warnings", f"--defsym=SMALL_FIRMWARE_AT={first}", f"--defsym=SMALL_FIRMWARE_BYTES={end - first}",
                    "-T", os.path.join(folder, "small.ld"), *objects, "-o", prefix + ".elf"], check=True)
    memory = bytearray(end)
    for section, start in ((".capability", 0), (".text", first)):
        subprocess.run(["llvm-objcopy-22", "-O", "binary", f"--only-section={section}", prefix + ".elf", prefix + ".section"], check=True)
        with open(prefix + ".section", "rb") as file:
            content = file.read()
        memory[start:start + len(content)] = content
    os.remove(prefix + ".section")
    for number, (start, words) in enumerate(board["image"]):
        with open(f"{prefix}.{number}.hex", "w") as out:
            for at in range(start, start + 4 * words, 4):
                out.write(f"{int.from_bytes(memory[at:at + 4], 'little'):08x}\n")


def main():
    path, prefix = sys.argv[1:]
    with open(path) as text:
        board = json.load(text)
    try:
        make(board, board["parameters"], round(1000 * board["clock_mhz"]), prefix)
    except subprocess.CalledProcessError as failure:
        return failure.returncode
    return 0


if __name__ == "__main__":
    sys.exit(main())
