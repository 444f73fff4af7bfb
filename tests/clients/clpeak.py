#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""An unmodified third-party benchmark, clpeak from the distribution, on the golden model (`make test-clpeak`). Its figures are those of a
simulation: that there is one of each is tested. Left out: half, which is software here and takes clpeak's 10^9 operations a
kernel hours; double, which is not offered."""
import os
import re
import shutil
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import tap
from tap import BUILD, Skip, expect, test_for

WIDTHS = ("", "2", "4", "8", "16")
FIGURES = {
    "kernel-latency": ["Kernel launch latency"],
    "transfer-bandwidth": ["enqueueWriteBuffer", "enqueueReadBuffer", "enqueueWriteBuffer non-blocking", "enqueueReadBuffer non-blocking",
                           "enqueueMapBuffer(for read)", "memcpy from mapped ptr", "enqueueUnmap(after write)", "memcpy to mapped ptr"],
    "global-bandwidth": ["float" + width for width in WIDTHS],
    "compute-sp": ["float" + width for width in WIDTHS],
    "compute-integer": ["int" + width for width in WIDTHS],
    "compute-intfast": ["int" + width for width in WIDTHS],
}


@test_for(**{name: name for name in FIGURES})
def all_figures_are_printed(name):
    if not shutil.which("clpeak"):
        raise Skip("clpeak is not installed; make test-clpeak does that")
    nothing = os.path.join(os.path.abspath(BUILD), "tests/no-rtl")  # only the golden model is a device then
    os.makedirs(nothing, exist_ok=True)
    environment = {**os.environ, "HEDDLE_RTL_DIR": nothing}
    run = subprocess.run(["clpeak", "--" + name], env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                         stderr=subprocess.PIPE, text=True)
    expect((0, ""), (run.returncode, run.stderr), f"exit status and messages of clpeak --{name}")
    print("".join(f"# {line}\n" for line in run.stdout.splitlines() if line.strip()), end="")
    found = dict(re.findall(r"^\s*(\S.*?)\s*: (\d+\.\d+)", run.stdout, re.M))
    expect([], [figure for figure in FIGURES[name] if figure not in found], "figures that are not there")
    if name != "kernel-latency":  # that is the device's own time, which begins when it is told to
        expect([], [figure for figure in FIGURES[name] if not float(found[figure]) > 0], "figures that are zero")


if __name__ == "__main__":
    tap.run("clpeak")
