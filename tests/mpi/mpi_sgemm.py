#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`make test-mpi`: host/examples/mpi_sgemm on 1, 2 and 4 ranks of this machine, each with a simulated device of its own."""
import os
import signal
import subprocess
import time

import ranks as mpi_ranks
import tap
from tap import expect, expect_in, test, test_for

NAME = "mpi_sgemm"
SIZE = 64
RIGHT = "all elements are right"


@test_for(one=1, two=2, four=4)
def elements_are_right_on_the_golden_model(ranks):
    status, said = mpi_ranks.mpi(ranks, NAME, "--device", "model", str(SIZE))
    expect(0, status, said)
    expect_in(RIGHT, said, "its own comparison")


@test
def device_time_falls_with_the_ranks():
    mpi_ranks.expect_device_time_to_fall(NAME, SIZE, RIGHT)


def ranks_with_a_device(mpirun):
    """Processes of mpirun that have Heddle's library by now, so they are behind MPI_Init: Open MPI's mpirun waits for ever
    for a process that is killed while it says to it that it is there."""
    found = []
    with open(f"/proc/{mpirun}/task/{mpirun}/children") as children:
        for child in children.read().split():
            try:
                with open(f"/proc/{child}/maps") as maps:
                    found += [int(child)] if "libheddle.so" in maps.read() else []
            except (FileNotFoundError, ProcessLookupError):
                pass
    return found


@test
def a_rank_that_is_killed_ends_all_with_a_message():
    """The others would wait in MPI_Gather for ever."""
    with subprocess.Popen([*mpi_ranks.MPIRUN, "-np", "4", mpi_ranks.program(NAME), "--device", "sim", "256"], cwd=tap.TOP, text=True,
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT) as mpirun:
        try:
            end = time.monotonic() + 60
            while len(ranks_with_a_device(mpirun.pid)) < 4 and time.monotonic() < end:
                time.sleep(0.05)
            found = ranks_with_a_device(mpirun.pid)
            expect(4, len(found), "ranks that have a device")
            os.kill(found[-1], signal.SIGKILL)
            said, _ = mpirun.communicate(timeout=60)
        finally:
            mpirun.kill()
    expect(True, mpirun.returncode != 0, "exit status of mpirun")
    expect_in("exited on signal 9 (Killed)", said, "what mpirun says")
    expect(False, RIGHT in said, "whether it says that all is right")


@test
def a_rank_without_a_device_ends_all_with_a_message():
    """A simulated machine has two devices: ranks 2 and 3 find none."""
    status, said = mpi_ranks.mpi(4, NAME, "--device", "each", str(SIZE))
    expect(True, status != 0, "exit status of mpirun")
    expect_in("mpi_sgemm: ", said, "what the rank said")


@test_for(ranks=("64", 3, "SIZE must be a multiple of 3: 1 for each rank"), work_group=("48", 1, "SIZE must be a multiple of 32"))
def a_size_that_does_not_divide_is_an_error(case):
    size, ranks, what = case
    status, said = mpi_ranks.mpi(ranks, NAME, size)
    expect(True, status != 0, "exit status of mpirun")
    expect_in(what, said, "what it says")


tap.run(NAME)
