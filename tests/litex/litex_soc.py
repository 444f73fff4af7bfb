#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`make test-litex`: the program of program.c on the CPU of the simulated SoC, and what it says."""
import os
import re
import shutil
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import tap
from tap import expect, test

LITEX = os.path.join(os.path.abspath(tap.BUILD), "tests/litex")
WORDS = int(os.environ.get("HEDDLE_LITEX_WORDS", "16384"))
MOST = 20 + WORDS // 2000  # million cycles
_said = []


def run():
    """What the program says, by the words before its colon."""
    if not _said:
        folder = os.path.join(LITEX, "run")
        os.makedirs(folder, exist_ok=True)
        program = os.path.join(LITEX, f"program-{WORDS}")
        subprocess.run(["riscv64-unknown-elf-objcopy", "-O", "binary", program, os.path.join(folder, "program.bin")], check=True)
        with open(os.path.join(folder, "program.bin"), "rb") as file:
            image = file.read()
        image += bytes(-len(image) % 4)
        with open(os.path.join(folder, "top_rom.init"), "w", encoding="utf-8") as file:
            file.write("\n".join(f"{int.from_bytes(image[i:i + 4], 'little'):08x}" for i in range(0, len(image), 4)))
        with open(os.path.join(folder, "top_sram.init"), "w", encoding="utf-8") as file:
            file.write("0")
        done = subprocess.run([os.path.join(LITEX, "bench"), str(MOST)], cwd=folder, capture_output=True, text=True, timeout=3600)
        print("".join(f"# {line}\n" for line in done.stdout.splitlines()), end="", flush=True)
        _said.append((done.returncode, dict(re.findall(r"^(.*): (\d+)$", done.stdout, re.M)), done.stdout + done.stderr))
    return _said[0]


@test
def a_program_on_the_cpu_runs_a_kernel_out_of_shared_dram():
    status, said, text = run()
    expect(0, status, text)
    expect((str(WORDS), "0"), (said["words"], said["wrong words"]), "words of the kernel's result, and wrong ones")


@test
def the_words_of_the_buffers_do_not_go_over_control():
    """Control has registers alone. However long the buffers are, a few are written; those that are read say whether the device still works."""
    status, said, text = run()
    expect(0, status, text)
    expect(True, 0 < int(said["registers written for it"]) <= 16, f"{said['registers written for it']} registers written")


shutil.rmtree(os.path.join(LITEX, "run"), ignore_errors=True)
tap.run("litex_soc")
