#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Every program in build/bin answers --help and --version: with its own name, on standard output, with status 0, and without a device."""
import os
import re
import sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import tap

PROGRAMS = sorted(name for name in os.listdir(os.path.join(tap.BUILD, "bin")) if os.access(os.path.join(tap.BUILD, "bin", name), os.X_OK))


@tap.test
def every_program_answers_help_with_its_own_name():
    tap.expect(True, len(PROGRAMS) >= 15, f"programs, {PROGRAMS}")
    for name in PROGRAMS:
        status, said, error = tap.command("bin/" + name, "--help", OCL_ICD_VENDORS="/nowhere/")
        tap.expect((0, ""), (status, error), f"exit status and messages of {name} --help")
        tap.expect_in(name, said.split("\n")[0], f"first line of {name} --help")


@tap.test
def every_program_answers_version_with_its_name_and_that_of_heddle():
    with open(os.path.join(tap.TOP, "contract/version.h"), encoding="utf-8") as text:
        version = re.search(r'#define HEDDLE_VERSION "(.*)"', text.read())[1]
    for name in PROGRAMS:
        status, said, error = tap.command("bin/" + name, "--version", OCL_ICD_VENDORS="/nowhere/")
        tap.expect((0, ""), (status, error), f"exit status and messages of {name} --version")
        tap.expect(f"{name} {version}", said.split(",")[0].rstrip("\n"), f"{name} --version")


@tap.test
def every_program_refuses_an_option_that_it_has_not():
    for name in PROGRAMS:
        status, _, error = tap.command("bin/" + name, "--no-such-option", OCL_ICD_VENDORS="/nowhere/")
        tap.expect(True, status not in (0, 134), f"exit status {status} of {name}")
        tap.expect(False, "bin/" + name in error, f"{name} says where it is: {error!r}")
        # One whose usage is a line says that; heddle-sycl++ is clang, which first asks for a file.
        said = [words for words in ("no-such-option", "usage: " + name, "no input files") if words in error]
        tap.expect(True, bool(said), f"{name} names the option: {error!r}")


@tap.test
def simulated_boards_take_numbers_alone():
    for option in ("--flip-every", "--seed"):
        for text in ("-1", "abc", "", "+1", " 1", "1x", "99999999999999999999"):
            status, _, error = tap.command("bin/heddle-board", option, text)
            tap.expect((2, f"heddle-board: {option} wants a number from 0 on, not '{text}'\n"), (status, error), f"{option} '{text}'")


tap.run("help")
