#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`make test-mpi`: host/examples/mpi_scan on 1, 2 and 4 ranks of this machine, each with a simulated device of its own."""
import os
import re
import select
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import tap
from tap import expect, expect_in, test, test_for

PROGRAM = os.path.join(tap.BUILD, "bin/mpi_scan")
# More ranks than processors, as root in a container, over loopback alone.
MPIRUN = ("mpirun", "--allow-run-as-root", "--oversubscribe", "--mca", "btl", "self,vader", "--bind-to", "none")
COUNT = 16384
SCALES = 1.1  # most of 1/ranks of one rank's device time


def mpi_scan(ranks, *words, **environment):
    """(exit status, what all ranks printed)"""
    done = subprocess.run([*MPIRUN, "-np", str(ranks), PROGRAM, *words], cwd=tap.TOP, env={**os.environ, **environment}, text=True,
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=280)
    return done.returncode, done.stdout


def device_time(ranks):
    """Cycles of the slowest rank's simulated RTL."""
    status, said = mpi_scan(ranks, "--device", "sim", str(COUNT))
    expect(0, status, said)
    expect_in("all sums are right", said, "its own comparison")
    expect(ranks, len(re.findall(r"^rank \d+: ", said, re.M)), "lines of ranks")
    return int(re.search(r"device time (\d+) cycles", said)[1])


@test_for(one=1, two=2, four=4, eight=8)
def sums_are_right_on_the_golden_model(ranks):
    status, said = mpi_scan(ranks, "--device", "model")
    expect(0, status, said)
    expect_in("all sums are right", said, "its own comparison")


@test
def device_time_falls_with_the_ranks():
    times = {ranks: device_time(ranks) for ranks in (1, 2, 4)}
    print("# device time by ranks: " + ", ".join(f"{ranks}: {time}" for ranks, time in times.items()))
    for ranks, time in times.items():
        expect(True, time <= SCALES * times[1] / ranks, f"device time of {ranks} ranks, {time}, is at most {SCALES} / {ranks} of {times[1]}")


@test
def a_rank_that_fails_ends_all():
    """A simulated machine has two devices. Ranks 2 and 3 find none, and the others, which would wait in MPI_Exscan, end with them."""
    status, said = mpi_scan(4, "--device", "each")
    expect(True, status != 0, "exit status of mpirun")
    expect_in("mpi_scan: ", said, "what the rank said")


@test
def ranks_have_serial_boards_of_their_own():
    boards = [subprocess.Popen([os.path.join(tap.BUILD, "bin/heddle-board")], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
              for _ in range(2)]
    try:
        ports = []
        for board in boards:
            expect(True, bool(select.select([board.stdout], [], [], 60)[0]), "heddle-board names its port")
            ports.append(re.search(r"/dev/pts/\d+", board.stdout.readline())[0])
        words = [["-np", "1", "-x", "HEDDLE_SERIAL=" + port, PROGRAM, "--device", "0", "256"] for port in ports]
        done = subprocess.run([*MPIRUN, *words[0], ":", *words[1]], cwd=tap.TOP, text=True, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, timeout=280)
    finally:
        for board in boards:
            board.stdin.close()
            board.wait(60)
    expect(0, done.returncode, done.stdout)
    expect_in("all sums are right", done.stdout, "its own comparison")


@test
def a_count_that_does_not_divide_is_an_error():
    status, said = mpi_scan(2, "1000")
    expect(True, status != 0, "exit status of mpirun")
    expect_in("COUNT must be a multiple of 64", said, "what it says")


tap.run("mpi_scan")
