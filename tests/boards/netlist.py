#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The netlist that a bitstream is made from runs a sub-group kernel, through the board's pins, for the host library as it is; so does what was placed
and routed of one; and either with a LUT that is wrong does not. For `make test-boards`, which builds all four and names the two designs, which may be
the same: HEDDLE_TEST_NETLIST and HEDDLE_TEST_ROUTED."""
import os
import sys

sys.path[:0] = [os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."), os.path.dirname(os.path.abspath(__file__))]
import simulated
import tap
from simulated import Board, expect_kernel
from tap import test_for

PATIENCE = {"HEDDLE_LINK_PATIENCE": "100"}
MOST_SECONDS = 3000


def board(kind, damaged=""):
    variable, routed = kind
    name = os.environ[variable]
    with open(os.path.join(tap.BUILD, "boards", name, name + ".parameters")) as text:
        simulated.LANES = int(dict(word.split("=") for word in text.read().split())["LANES"])
    return Board(f"sim/netlist/{name}{routed}{damaged}/heddle-board", "--speed")


KINDS = {"as_yosys_made_it": ("HEDDLE_TEST_NETLIST", ""), "as_it_is_placed_and_routed": ("HEDDLE_TEST_ROUTED", "-routed")}


@test_for(**KINDS)
def a_netlist_runs_a_sub_group_kernel(kind):
    with board(kind) as there:
        expect_kernel(there.run_kernel(MOST_SECONDS, **PATIENCE))
    print("# " + there.last_words)


@test_for(**KINDS)
def a_netlist_with_one_wrong_lut_is_found_out(kind):
    with board(kind, "-damaged") as there:
        status, out, _ = there.run_kernel(MOST_SECONDS, **PATIENCE)
    if status == 0 and all(line in out for line in simulated.expected()):
        raise AssertionError("the kernel's results are right, although a LUT is wrong")


tap.run("netlist")
