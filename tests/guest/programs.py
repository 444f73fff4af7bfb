#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What heddle-usb-board and heddle-pcie-card say to wrong options, and to sockets, ports and files that are none."""
import os
import socket
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from tap import command, expect, expect_in, run, test, test_for  # noqa: E402

USB, PCIE = "bin/heddle-usb-board", "bin/heddle-pcie-card"


@test_for(usb=(USB, "-device usb-redir,chardev=heddle"), pcie=(PCIE, "-device ivshmem-doorbell,chardev=card,vectors=1"))
def help_says_what_qemu_needs(case):
    program, what = case
    status, out, _ = command(program, "--help")
    expect(0, status, "exit status")
    expect_in(what, out, "help")


@test_for(speed=([USB, "--speed", "warp", "s"], "--speed wants full or high, not warp"),
          lanes=([USB, "--lanes", "33", "s"], "--lanes wants a number from 1 to 32, not 33"),
          memory=([PCIE, "--memory", "-1", "s"], "--memory wants a number of MiB from 1 to 1024, not -1"),
          usb_without_socket=([USB], "name one socket"),
          pcie_without_socket=([PCIE], "name one socket"),
          usb_with_long_path=([USB, "x" * 108], "at most 107 bytes"),
          pcie_with_long_path=([PCIE, "x" * 108], "at most 107 bytes"))
def wrong_options_are_named(case):
    words, what = case
    status, _, said = command(*words)
    expect(2, status, "exit status")
    expect_in(what, said, "error")


@test_for(usb=(USB,), pcie=(PCIE,))
def lanes_that_no_device_has_are_refused(case):
    status, _, said = command(*case, "--lanes", "3", "s")
    expect(1, status, "exit status")
    expect_in("no device: ", said, "error")


@test
def verilated_device_that_is_not_there_is_said():
    status, _, said = command(PCIE, "--verilated", "/no/such.so", "s")
    expect(1, status, "exit status")
    expect_in("no device: no Verilated device", said, "error")


@test
def usb_socket_without_qemu_is_named():
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "usb")
        status, _, said = command(USB, path)
    expect(1, status, "exit status")
    expect_in(f"no QEMU at {path}: No such file or directory", said, "error")


@test
def usb_port_that_is_not_there_is_named():
    status, _, said = command(USB, "--port", "/dev/no-such-port", "s")
    expect(1, status, "exit status")
    expect_in("no device at /dev/no-such-port: No such file or directory", said, "error")


@test
def pcie_socket_of_another_process_is_left_alone():
    with tempfile.TemporaryDirectory() as folder, socket.socket(socket.AF_UNIX) as other:
        path = os.path.join(folder, "pcie")
        other.bind(path)
        other.listen()
        status, _, said = command(PCIE, path)
        expect(True, os.path.exists(path), "the socket is there")
    expect(1, status, "exit status")
    expect_in(f"{path}: Address already in use", said, "error")


@test
def pcie_socket_that_is_left_over_is_used_again_and_removed():
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "pcie")
        with socket.socket(socket.AF_UNIX) as other:
            other.bind(path)
        status, out, _ = command(PCIE, path)  # its standard input has ended
        expect((0, f"waiting at {path}\n", False), (status, out, os.path.exists(path)), "status, output, and whether it is there")


@test
def pcie_card_touches_no_file_that_is_no_socket():
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "pcie")
        with open(path, "w") as file:
            file.write("precious")
        status, _, said = command(PCIE, path)
        with open(path) as file:
            expect("precious", file.read(), "the file")
    expect(1, status, "exit status")
    expect_in("Address already in use", said, "error")


run("programs")
