#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""HEDDLE_SERIAL with a list of ports: each is a device of its own, in the order of the list."""
import os
import re
import select
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import tap
from tap import command, expect, expect_in, test

ROW, SUMS = "3,1,7,0,4,1,6,3", "3 4 11 11 15 16 22 25"


class Boards:
    """Simulated boards while a `with` lasts; .ports are theirs."""

    def __init__(self, *programs):
        self.programs = programs

    def __enter__(self):
        self.running = [subprocess.Popen([os.path.join(tap.BUILD, "bin", program)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
                        for program in self.programs]
        self.ports = []
        for board in self.running:
            expect(True, bool(select.select([board.stdout], [], [], 60)[0]), "the board names its port")
            self.ports.append(re.search(r"/dev/\S+", board.stdout.readline())[0])
        return self

    def __exit__(self, *_):
        for board in self.running:
            board.stdin.close()
            board.wait(60)


def scan_on(device, **environment):
    return command("bin/heddle", "run", "--device", str(device), "host/examples/scan.cl", "-g", "8", "-l", "8", ROW, "zeros(8)", "zeros(8)",
                   **environment)


@test
def each_port_of_the_list_is_a_device_that_computes():
    with Boards("heddle-board", "heddle-board") as boards:
        for number in (0, 1):
            status, out, err = scan_on(number, HEDDLE_SERIAL=",".join(boards.ports))
            expect(0, status, err)
            expect_in(SUMS.split(), [re.findall(r"-?\d+", line)[-8:] for line in out.splitlines()], "scan on device %d" % number)


@test
def more_ports_than_there_is_room_for_are_refused_and_none_is_left_out_silently():
    ports = [f"/dev/no-port-{number}" for number in range(17)]
    for most, words in ((16, "there is no /dev/no-port-15"), (17, "HEDDLE_SERIAL names more than 16 ports")):
        status, out, err = command("bin/heddle", "info", HEDDLE_SERIAL=",".join(ports[:most]))
        expect((0, 16), (status, len(re.findall(r"^\d+: Heddle board", out, re.M))), f"boards of {most} ports, {err}")
        expect_in(words, out, f"what is said of {most} ports")


@test
def both_are_listed_before_the_simulated_devices():
    with Boards("heddle-board", "heddle-board") as boards:
        status, out, err = command("bin/heddle", "info", HEDDLE_SERIAL=",".join(boards.ports))
        expect(0, status, err)
        kinds = re.findall(r"Heddle (board|sim|model) \(", out)
        expect(["board", "board"], kinds[:2], "the first devices of " + out)
        expect(2, kinds.count("board"), "boards of " + out)


@test
def a_port_that_is_not_there_leaves_the_other_in_use():
    with Boards("heddle-board") as boards:
        ports = f"{boards.ports[0]},/dev/no_such_port"
        status, _, err = scan_on(0, HEDDLE_SERIAL=ports)
        expect(0, status, err)
        status, _, err = scan_on(1, HEDDLE_SERIAL=ports)
        expect(True, status != 0, "exit status on a port that is not there")
        expect_in("/dev/no_such_port", err, "what it says")


tap.run("serial_ports")
