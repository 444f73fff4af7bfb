#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Loads of pipelines that read through a window of words on the chip (rtl/pipeline/load_window.v): kernels with four and eight lanes leave
the memory that the golden model leaves, or its fault; and the report says which loads these are.
"""
import collections
import os
import shutil
import struct
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.dirname(HERE), HERE]
import tap
import pipelines

MISALIGNED, UNMAPPED = 2, 3  # contract/DEVICE.md
WORDS = 1024  # of each buffer
# A kernel: its body, in which `i` is the work-item's id in x and `n` the words of `in`; the range, and work-items of a work-group; loads that
# the report says go through windows, and all that are in it; lanes.
Case = collections.namedtuple("Case", "body size local windows loads lanes", defaults=((512, 1, 1), (16, 1, 1), 3, 3, (4,)))
BOTH = 4, 8

CASES = {
    "neighbours_with_clamps": Case("""
        int x = i;
        out[i] = in[clamp(x - 1, 0, n - 1)] + in[clamp(x, 0, n - 1)] * 3 + in[clamp(x + 1, 0, n - 1)] * 5;""", lanes=BOTH),
    "neighbours_of_any_order": Case("""
        out[i] = in[i + 5] * 3 + in[i] * 7 + in[i + 2];"""),
    "neighbours_in_rows_that_begin_anywhere": Case("""
        uint y = get_global_id(1), at = y * 61 + i;
        uint sum = 0;
        #pragma nounroll
        for (uint row = 0; row < 3; row++, at += 61)
          sum = sum * 3 + in[at] + in[at + 1] * 5 + in[at + 2] * 7;
        out[y * 59 + i] = sum;""", (59, 8, 1), (59, 1, 1), lanes=BOTH),
    "neighbours_that_few_lanes_want": Case("""
        uint sum = 0;
        if (in[i * 2 & 1023] & 1) sum = in[i] + in[i + 1] * 3;
        out[i] = sum + 1;""", windows=2),
    "neighbours_of_lanes_that_are_far_apart": Case("""
        uint at = (i * 37) & 511;
        out[i] = in[at] + in[at + 1] * 3 + in[at + 3] * 5;""", windows=0),
    "neighbours_of_lanes_that_turn_out_to_be_far_apart": Case("""
        uint at = min(i * 1u, 1000u);
        if (i & 32) at = (at * 37) & 511;
        out[i] = in[at] + in[at + 1] * 3 + in[at + 3] * 5;""", windows=None),
    "the_same_word_of_all_lanes_round_for_round": Case("""
        uint sum = 0;
        #pragma nounroll
        for (uint k = 0; k < 40; k++) sum = sum * 3 + in[k * 5] + in[(k * 5 + 3) & 63] + in[k * 7 + i];
        out[i] = sum + i;""", windows=2, loads=3),
    "vectors_of_all_lanes_beside_those_of_each": Case("""
        global const uint4 *a = (global const uint4 *)in;
        uint sum = 0;
        #pragma nounroll
        for (uint k = 0; k < 12; k++) {
          uint4 p = a[(i & 15) * 12 + k], q = a[k];
          sum = sum * 5 + p.x * q.x + p.y * q.y + p.z * q.z + p.w * q.w;
        }
        out[i] = sum;""", windows=4, loads=8),
    "more_lines_than_there_is_room_for": Case("""
        uint sum = 0;
        #pragma nounroll
        for (uint k = 0; k < 24; k++) sum = sum * 3 + in[(k * 1237 + get_group_id(0) * 64) & 0xFFFF] + in[(k * 4096 + i) & 0xFFFF];
        out[i] = sum + i;""", windows=1, loads=2, lanes=BOTH),
    "lanes_leave_the_loop_apart": Case("""
        uint sum = 0, most = in[i] & 15;
        for (uint k = 0; k <= most; k++) sum = sum * 3 + in[k + get_group_id(0)] + in[i + k] * 5 + in[i + k + 1];
        out[i] = sum;""", windows=3, loads=4),
    "what_a_store_before_it_may_have_changed": Case("""
        out[i] = i * 7;
        barrier(CLK_GLOBAL_MEM_FENCE);
        uint l = get_local_id(0), at = i - l;
        out[i + 512] = out[i] + out[at + min(l + 1, 15u)] * 3 + out[at + min(l + 2, 15u)];""", windows=0, loads=3),
    "what_a_store_of_the_round_before_may_have_changed": Case("""
        uint sum = i;
        global uint *own = out + i * 2;
        #pragma nounroll
        for (uint k = 0; k < 5; k++) {
          sum += own[0] * 3 + own[1];
          own[k & 1] = sum;
        }
        own[0] = sum;""", windows=0, loads=2),
    "what_is_volatile": Case("""
        global const volatile uint *from = in;
        uint sum = 0;
        #pragma nounroll
        for (uint k = 0; k < 5; k++) sum = sum * 3 + from[k];
        out[i] = sum;""", windows=0, loads=1),
    "neighbours_beside_what_is_volatile": Case("""
        uint flag = *(global const volatile uint *)in;
        out[i] = in[i] + in[i + 1] * 3 + in[i + 2] * 5 + flag;""", windows=0, loads=4),
}
# Loads outside of memory: the reason of the fault, its source line, the work-item, and the rest as above.
OUTSIDE = {
    "neighbours_where_there_is_no_address": (UNMAPPED, 4, Case("""
        uint at = i == 77 ? 0x8000000 : i;
        out[i] = in[at] + in[at + 1] + in[at + 2];""", lanes=BOTH)),
    "a_word_of_all_lanes_between_addresses": (MISALIGNED, 6, Case("""
        uint sum = 0;
        #pragma nounroll
        for (uint k = 0; k < 9; k++)
          sum += *(global const uint *)((global const char *)in + k * 4 + (k == 7)) + in[i + k];
        out[i] = sum;""")),
}
HEAD = "kernel void k(global const uint *in, global uint *out, int n) {\n"
IDS = "uint i = get_global_id(0);"
OUT, IN = pipelines.BUFFERS, pipelines.BUFFERS + 4 * WORDS
FOLDER = tempfile.mkdtemp(prefix="windows-")
made, failed, program = {}, {}, []


def cases(of):
    return {f"{name},{lanes}": (name, case, lanes) for name, case in of.items() for lanes in case.lanes}


def make():
    for name, case, lanes in list(cases(CASES).values()) + list(cases({name: case for name, (_, _, case) in OUTSIDE.items()}).values()):
        label = f"{name},{lanes}"
        if len(sys.argv) > 1 and f"[{label}]" not in sys.argv[1]:
            continue
        try:
            made[label] = pipelines.compile_kernel(f"{HEAD}{IDS}{case.body}\n}}\n", os.path.join(FOLDER, label), lanes, 32,
                                                   os.environ.get("HEDDLE_PIPELINE_HEDDLEC") or "bin/heddlec")
        except (pipelines.Refused, AssertionError) as problem:
            failed[label] = problem
    return pipelines.verilate(list(made.values()), FOLDER)


def dispatch(label, case, lanes):
    if not program:
        program.append(make())
    if label in failed:
        raise AssertionError(f"{label}: {failed[label]}")
    words = [i * 0x9E3779B9 + (i >> 3) & 0xFFFFFFFF for i in range(WORDS)]
    memory = struct.pack(f"<{2 * WORDS}I", *[0] * WORDS, *words)
    job = {"log2": lanes.bit_length() - 1, "dimensions": 3, "global": list(case.size), "local": list(case.local), "offset": [0, 0, 0], "latency": 20, "busy": 30, "seed": 1}
    return pipelines.dispatch(program[0], made[label], job, [IN, OUT, WORDS], memory, os.path.join(FOLDER, label, "job"))


@tap.test_for(**cases(CASES))
def a_pipeline_is_what_the_model_is(case):
    name, case, lanes = case
    label = f"{name},{lanes}"
    line, same = dispatch(label, case, lanes)
    tap.expect(True, same, f"whether memory is the model's ({line})")
    tap.expect_in("the same", line, "what became of it")
    if case.windows is not None:
        with open(os.path.join(FOLDER, label, "kernel.hw/report.txt")) as file:
            report = file.read()
        loads = [line for line in report.splitlines() if " load" in line and "bytes, global memory" in line]
        through = sum(int(line.split()[2]) for line in loads if "through a window" in line)
        tap.expect((case.windows, case.loads), (through, sum(int(line.split()[2]) for line in loads)), f"loads through windows, and all ({loads})")


@tap.test_for(**cases({name: case for name, (_, _, case) in OUTSIDE.items()}))
def a_load_outside_memory_is_the_models_fault_and_has_its_line(case):
    name, case, lanes = case
    label = f"{name},{lanes}"
    line, same = dispatch(label, case, lanes)
    tap.expect(True, same, f"whether the fault is the model's ({line})")
    tap.expect_in(f"reason {OUTSIDE[name][0]};", line, "the fault")
    tap.expect(OUTSIDE[name][1], made[label].lines[int(line.split()[-1])], "its source line")


try:
    tap.run("windows")
finally:
    shutil.rmtree(FOLDER, ignore_errors=True)
