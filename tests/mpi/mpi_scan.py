#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`make test-mpi`: host/examples/mpi_scan on 1, 2 and 4 ranks of this machine, each with a simulated device of its own."""
import os
import re
import select
import subprocess

import ranks as mpi_ranks
import tap
from tap import expect, expect_in, test, test_for

NAME = "mpi_scan"
COUNT = 16384
RIGHT = "all sums are right"


def mpi_scan(ranks, *words, **environment):
    return mpi_ranks.mpi(ranks, NAME, *words, **environment)


@test_for(one=1, two=2, four=4, eight=8)
def sums_are_right_on_the_golden_model(ranks):
    status, said = mpi_scan(ranks, "--device", "model")
    expect(0, status, said)
    expect_in(RIGHT, said, "its own comparison")


@test
def device_time_falls_with_the_ranks():
    mpi_ranks.expect_device_time_to_fall(NAME, COUNT, RIGHT)


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
        words = [["-np", "1", "-x", "HEDDLE_SERIAL=" + port, mpi_ranks.program(NAME), "--device", "0", "256"] for port in ports]
        done = subprocess.run([*mpi_ranks.MPIRUN, *words[0], ":", *words[1]], cwd=tap.TOP, text=True, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, timeout=280)
    finally:
        for board in boards:
            board.stdin.close()
            board.wait(60)
    expect(0, done.returncode, done.stdout)
    expect_in(RIGHT, done.stdout, "its own comparison")


@test
def a_count_that_does_not_divide_is_an_error():
    status, said = mpi_scan(2, "1000")
    expect(2, status, "exit status of mpirun")
    expect_in("COUNT must be a multiple of 64", said, "what it says")


@test_for(letters="64x", none="", below="-64", option="--devices", large="16777280", device="--device")
def a_word_that_it_does_not_know_is_an_error(word):
    status, said = mpi_scan(2, word)
    expect(2, status, "exit status of mpirun")
    expect_in(f"mpi_scan: what is '{word}'?", said, "what it says")


tap.run("mpi_scan")
