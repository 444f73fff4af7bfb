#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What heddle-usb-board says to wrong options and to sockets and ports that are none."""
import os
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from tap import command, expect, expect_in, run, test, test_for  # noqa: E402


@test
def help_says_what_qemu_needs():
    status, out, _ = command("bin/heddle-usb-board", "--help")
    expect(0, status, "exit status")
    expect_in("-device usb-redir,chardev=heddle", out, "help")


@test_for(speed=(["--speed", "warp", "s"], "--speed wants full or high, not warp"),
          lanes=(["--lanes", "33", "s"], "--lanes wants a number from 1 to 32, not 33"),
          memory=(["--memory", "-1", "s"], "--memory wants a number of MiB from 1 to 1024, not -1"),
          no_socket=([], "name one socket"),
          long_path=(["x" * 108], "at most 107 bytes"))
def wrong_options_are_named(case):
    words, what = case
    status, _, said = command("bin/heddle-usb-board", *words)
    expect(2, status, "exit status")
    expect_in(what, said, "error")


@test
def lanes_that_no_device_has_are_refused():
    status, _, said = command("bin/heddle-usb-board", "--lanes", "3", "s")
    expect(1, status, "exit status")
    expect_in("no device: ", said, "error")


@test
def socket_without_qemu_is_named():
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "usb")
        status, _, said = command("bin/heddle-usb-board", path)
    expect(1, status, "exit status")
    expect_in(f"no QEMU at {path}: No such file or directory", said, "error")


@test
def port_that_is_not_there_is_named():
    status, _, said = command("bin/heddle-usb-board", "--port", "/dev/no-such-port", "s")
    expect(1, status, "exit status")
    expect_in("no device at /dev/no-such-port: No such file or directory", said, "error")


run("usb_board")
