#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The netlist that a bitstream is made from runs a sub-group kernel, through the board's pins, for the host library as it is; so does what was placed
and routed of one; and either with a LUT that is wrong does not. For `make test-boards`, which builds all four and names the two designs, which may be
the same: HEDDLE_TEST_NETLIST and HEDDLE_TEST_ROUTED. With HEDDLE_TEST_KERNELS they have pipelines of that source file, and run one of its kernels; what
that leaves must be what the golden model leaves."""
import json
import os
import re
import sys

sys.path[:0] = [os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."), os.path.dirname(os.path.abspath(__file__))]
import simulated
import tap
from simulated import Board
from tap import command, expect, expect_in, test_for

PATIENCE = {"HEDDLE_LINK_PATIENCE": "100"}
MOST_SECONDS = 3000


# For kernels as hardware, by source file: what `heddle run` is told. Few work-items, in two work-groups of several sub-groups.
KERNELS = os.environ.get("HEDDLE_TEST_KERNELS")
RUN = {"sha256.cl": ("-g", "6", "-l", "3", "random(96,0,1000000000)", "zeros(48)"),
       "sub_group_scan_inclusive_add.cl": ("-g", "22", "-l", "11", "random(22,-1000,1000)", "zeros(22)"),
       "work_group_scan_inclusive_add.cl": ("-g", "22", "-l", "11", "random(22,-1000,1000)", "zeros(22)"),
       "sobel.cl": ("-g", "12,6", "-l", "6,3", "random(112,0,256)", "zeros(72)", "14")}


def board(kind, damaged=""):
    variable, routed = kind
    name = os.environ[variable]
    folder = os.path.join(tap.BUILD, "boards", name)
    with open(os.path.join(folder, name + ".parameters")) as text:
        simulated.LANES = int(dict(word.split("=") for word in text.read().split())["LANES"])
    if KERNELS:
        with open(os.path.join(folder, "kernels.hw", "kernels.json")) as text:
            simulated.LANES = json.load(text)["kernels"][0]["lanes"]
    return Board(f"sim/netlist/{name}{routed}{damaged}/heddle-board", "--speed")


def run(there):
    """Status, output and messages of the kernel on the board; and what its output has to hold."""
    if not KERNELS:
        return there.run_kernel(MOST_SECONDS, **PATIENCE), simulated.expected()
    words = ("bin/heddle", "run", KERNELS, *RUN[os.path.basename(KERNELS)])
    status, out, err = command(*words, "--device", "model", HEDDLE_SIM_LANES=str(simulated.LANES))
    expect((0, ""), (status, err), "the kernel on the model")
    return there.run(words, MOST_SECONDS, **PATIENCE), [line + "\n" for line in out.splitlines() if re.match(r" *\d+: |\w+ = ", line)]


KINDS = {"as_yosys_made_it": ("HEDDLE_TEST_NETLIST", ""), "as_it_is_placed_and_routed": ("HEDDLE_TEST_ROUTED", "-routed")}


@test_for(**KINDS)
def a_netlist_runs_a_sub_group_kernel(kind):
    with board(kind) as there:
        (status, out, err), lines = run(there)
    expect(0, status, f"exit status of heddle run ({err!r})")
    expect(True, err == "" if not KERNELS else "runs on its pipeline" in err, f"messages of heddle run, {err!r}, are those that there should be")
    expect(True, bool(lines), "there are lines to compare")
    for line in lines:
        expect_in(line, out, "what the kernel left")
    print("# " + there.last_words)


@test_for(**KINDS)
def a_netlist_with_one_wrong_lut_is_found_out(kind):
    with board(kind, "-damaged") as there:
        (status, out, _), lines = run(there)
    if status == 0 and all(line in out for line in lines):
        raise AssertionError("the kernel's results are right, although a LUT is wrong")


tap.run("netlist")
