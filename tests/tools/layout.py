#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""C files are laid out as `make format` does it. `make lint` looks at more, and takes minutes."""
import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import tap
from tap import expect, test


def not_laid_out(paths):
    found = subprocess.run(["clang-format-22", "--dry-run", *paths], cwd=tap.TOP, capture_output=True, text=True, timeout=600)
    return sorted({line.split(":")[0] for line in found.stderr.splitlines() if "clang-format-violations" in line})


@test
def c_files_are_laid_out_as_make_format_does_it():
    paths = tap.files("*.c", "*.h", "*.cpp", "*.hpp")  # C_FILES of the Makefile
    expect(True, len(paths) > 100, "whether there are files")
    expect([], not_laid_out(paths), "files that `make format` would change")


@test
def what_is_not_laid_out_is_seen():
    path = os.path.join(tap.BUILD, "tests", "layout.c")
    with open(path, "w") as file:
        file.write("int  layout( void ){return 1;}\n")
    expect([os.path.relpath(path, tap.TOP)], not_laid_out([os.path.relpath(path, tap.TOP)]), "files that `make format` would change")


tap.run("layout")
