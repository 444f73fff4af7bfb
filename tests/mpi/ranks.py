# SPDX-License-Identifier: Apache-2.0
"""What mpi_scan.py and mpi_sgemm.py share: MPI programs on this machine, and how their device time falls with the ranks."""
import os
import re
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import tap
from tap import expect, expect_in

# More ranks than processors, as root in a container, over loopback alone.
MPIRUN = ("mpirun", "--allow-run-as-root", "--oversubscribe", "--mca", "btl", "self,vader", "--bind-to", "none")
SECONDS = 280
SCALES = 1.1  # most of 1/ranks of one rank's device time


def program(name):
    return os.path.join(tap.BUILD, "bin", name)


def mpi(ranks, name, *words, **environment):
    """(exit status, what all ranks printed)"""
    done = subprocess.run([*MPIRUN, "-np", str(ranks), program(name), *words], cwd=tap.TOP, env={**os.environ, **environment}, text=True,
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=SECONDS)
    return done.returncode, done.stdout


def device_time(ranks, name, size, right):
    """Cycles of the slowest rank's simulated RTL."""
    status, said = mpi(ranks, name, "--device", "sim", str(size))
    expect(0, status, said)
    expect_in(right, said, "its own comparison")
    expect(ranks, len(re.findall(r"^rank \d+: ", said, re.M)), "lines of ranks")
    return int(re.search(r"device time (\d+) cycles", said)[1])


def expect_device_time_to_fall(name, size, right):
    times = {ranks: device_time(ranks, name, size, right) for ranks in (1, 2, 4)}
    print("# device time by ranks: " + ", ".join(f"{ranks}: {time}" for ranks, time in times.items()))
    for ranks, time in times.items():
        expect(True, time <= SCALES * times[1] / ranks, f"device time of {ranks} ranks, {time}, is at most {SCALES} / {ranks} of {times[1]}")
