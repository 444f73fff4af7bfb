#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Shapes that cannot work stop elaboration with a message, and those at the limits do not: Verilator reads the RTL with the parameters of
each. And contract/device_map.vh says what contract/device_map.h does."""
import glob
import os
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import tap

ROOT = glob.glob(os.path.join(tap.TOP, ".venv/lib/python3*/site-packages/verilator"))[0]
FOLDERS = ("", "common", "dispatch", "group", "lane", "memory", "unit")
AXI = sorted(glob.glob(os.path.join(tap.TOP, "rtl/axi/axi_*.v"))) + [os.path.join(tap.TOP, "rtl/common/skid.v")]
SOURCES = sorted(path for folder in FOLDERS for path in glob.glob(os.path.join(tap.TOP, "rtl", folder, "*.v")))


def elaborate(top, **parameters):
    """(exit status, what Verilator says)"""
    needed = SOURCES if top in ("heddle", "compute_unit") else AXI if top == "axi_memory" else [path for path in SOURCES if os.path.basename(path) == top + ".v"]
    # Of a shape that cannot work warnings come, too; only errors count.
    done = subprocess.run([os.path.join(ROOT, "bin/verilator"), "--lint-only", "--quiet-stats", "-Wno-fatal", "-Wno-lint", "-I.", "--top-module", top,
                           *(f"-G{name}={value}" for name, value in parameters.items()), *needed],
                          cwd=tap.TOP, env={**os.environ, "VERILATOR_ROOT": ROOT}, capture_output=True, text=True)
    return done.returncode, done.stdout + done.stderr


BAD = {
    "LANES_0": ({"LANES": 0}, "heddle_LANES_must_be"),
    "LANES_12": ({"LANES": 12}, "heddle_LANES_must_be"),
    "LANES_64": ({"LANES": 64}, "heddle_LANES_must_be"),
    "SLOTS_2": ({"SLOTS": 2}, "heddle_SLOTS_must_be"),
    "SLOTS_48": ({"SLOTS": 48}, "heddle_SLOTS_must_be"),
    "UNITS_9": ({"UNITS": 9}, "heddle_UNITS_must_be_0_to_8"),
    "no_units": ({"UNITS": 0, "ALL_UNITS": 0}, "heddle_UNITS_and_KIND_TABLE_must_make_1_to_15_units"),
    "BANKS_3": ({"BANKS": 3}, "heddle_BANKS_must_be"),
    "GLOBAL_LOG2_32": ({"GLOBAL_LOG2": 32}, "heddle_GLOBAL_LOG2_must_be_16_to_31"),
    "GLOBAL_LOG2_31_with_PROCESSOR": ({"GLOBAL_LOG2": 31, "PROCESSOR": 1}, "heddle_GLOBAL_LOG2_must_be_30_at_most"),
    "LOCAL_LOG2_9": ({"LOCAL_LOG2": 9}, "heddle_LOCAL_LOG2_must_be_10_to_20"),
    "CACHE_LOG2_19": ({"CACHE_LOG2": 19}, "heddle_CACHE_LOG2_must_be"),
    "CACHE_LOG2_12_in_2_banks": ({"CACHE_LOG2": 12, "BANKS": 2}, "heddle_CACHE_LOG2_must_be"),
    "CACHE_as_large_as_memory": ({"CACHE_LOG2": 16, "GLOBAL_LOG2": 16}, "heddle_CACHE_LOG2_must_be"),
    "FETCH_CACHE_as_large_as_memory": ({"FETCH_CACHE_LOG2": 17, "GLOBAL_LOG2": 17}, "heddle_FETCH_CACHE_LOG2_must_be"),
    "DIV_without_MUL": ({"MUL": 0, "FPU": 0}, "heddle_DIV_needs_MUL"),
    "FPU_without_DIV": ({"DIV": 0}, "heddle_FPU_needs_DIV"),
}
GOOD = {
    "the_smallest": {"LANES": 1, "SLOTS": 4, "GLOBAL_LOG2": 16, "LOCAL_LOG2": 10, "CACHE_LOG2": 12, "FETCH_CACHE_LOG2": 10, "MUL": 0, "DIV": 0, "FPU": 0},
    "many_slots": {"LANES": 2, "SLOTS": 64, "GLOBAL_LOG2": 31, "LOCAL_LOG2": 20, "CACHE_LOG2": 18},
    "eight_units": {"LANES": 1, "SLOTS": 4, "UNITS": 8, "ALL_UNITS": 8, "BANKS": 8, "CACHE_LOG2": 15, "FPU": 0, "GLOBAL_LOG2": 30, "PROCESSOR": 1},
}


@tap.test_for(**BAD)
def a_shape_that_cannot_work_stops_elaboration_with_a_message(case):
    parameters, message = case
    status, said = elaborate("shape_check", **parameters)
    tap.expect(True, status != 0, f"that Verilator refuses {parameters}")
    tap.expect(True, message in said, f"the message {message} in what Verilator says:\n{said[-1500:]}")


@tap.test_for(**GOOD)
def a_shape_at_the_limits_does_not(parameters):
    status, said = elaborate("shape_check", **parameters)
    tap.expect(0, status, f"Verilator's exit status for {parameters}:\n{said[-1500:]}")


@tap.test
def a_device_checks_its_shape():
    status, said = elaborate("heddle", SLOTS=2)
    tap.expect(True, status != 0 and BAD["SLOTS_2"][1] in said, said[-1500:])


AXI_BAD = {
    "bus_wider_than_a_beat": ({"DATA_LOG2": 6}, "DATA_LOG2_must_be_BEAT_LOG2_at_most"),
    "no_ids": ({"ID_BITS": 0}, "ID_BITS_must_be_1_or_more"),
    "one_read_in_flight": ({"READS_LOG2": 0, "ID_BITS": 1}, "READS_LOG2_and_WRITES_LOG2_must_be_1_or_more"),
    "one_write_in_flight": ({"WRITES_LOG2": 0}, "READS_LOG2_and_WRITES_LOG2_must_be_1_or_more"),
    "a_bus_smaller_than_memory": ({"AXI_ADDRESS_BITS": 27}, "AXI_ADDRESS_BITS_must_be_ADDRESS_BITS_to_64"),
    "memory_across_its_size": ({"BASE": "64'h8000000"}, "BASE_must_be_a_multiple_of_the_bytes_of_global_memory"),
    "memory_beyond_the_bus": ({"BASE": "64'h100000000"}, "BASE_must_be_within_AXI_ADDRESS_BITS"),
}


@tap.test_for(**AXI_BAD)
def a_channel_on_axi_that_cannot_work_stops_elaboration_with_a_message(case):
    parameters, message = case
    status, said = elaborate("axi_memory", **parameters)
    tap.expect(True, status != 0, f"that Verilator refuses {parameters}")
    tap.expect(True, "axi_memory_" + message in said, f"the message {message} in what Verilator says:\n{said[-1500:]}")


@tap.test_for(at_the_end_of_the_bus={"BASE": "64'hF0000000"}, of_64_bits={"BASE": "64'hFFFFFFFFF0000000", "AXI_ADDRESS_BITS": 64})
def a_channel_on_axi_at_the_limits_does_not(parameters):
    status, said = elaborate("axi_memory", **parameters)
    tap.expect(0, status, said[-1500:])


@tap.test_for(lines_of_32_beats=(4, 9), lines_smaller_than_a_beat=(7, 6))
def a_line_queue_that_does_not_hold_a_line_stops_elaboration(case):
    status, said = elaborate("line_queue", BEAT_LOG2=case[0], LINE_LOG2=case[1])
    tap.expect(True, status != 0 and "line_queue_LINE_LOG2_must_be" in said, said[-1500:])


@tap.test_for(lines_of_a_beat=(7, 7), lines_of_16_beats=(4, 8))
def a_line_queue_that_holds_one_does_not(case):
    status, said = elaborate("line_queue", BEAT_LOG2=case[0], LINE_LOG2=case[1])
    tap.expect(0, status, said[-1500:])


@tap.test
def labels_that_are_too_short_for_a_unit_stop_elaboration():
    status, said = elaborate("compute_unit", LABEL_BITS=62)
    tap.expect(True, status != 0 and "compute_unit_LABEL_BITS_or_OWNER_BITS_too_small" in said, said[-1500:])


@tap.test_for(a_pipeline=1, test_units=255, unknown=2)
def a_kind_of_unit_that_is_not_there_stops_elaboration(kind):
    status, said = elaborate("compute_unit", KIND=kind)
    tap.expect(True, status != 0 and "compute_unit_KIND_is" in said, said[-1500:])


@tap.test
def the_contracts_verilog_header_says_what_its_c_header_does():
    done = subprocess.run([sys.executable, os.path.join(tap.TOP, "contract/verilog_header.py"), "--check"], capture_output=True, text=True)
    tap.expect(0, done.returncode, done.stderr)


tap.run("shapes")
