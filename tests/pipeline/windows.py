#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Loads of pipelines that read through a window of words on the chip (rtl/pipeline/load_window.v), or through a line that each lane keeps
(lane_lines.v): kernels with two, four and eight lanes leave the memory that the golden model leaves, or its fault; and the report says which loads
these are.
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
# the report says go through windows, and all that are in it; lanes; loads that go through lanes' lines.
Case = collections.namedtuple("Case", "body size local windows loads lanes lines", defaults=((512, 1, 1), (16, 1, 1), 3, 3, (4,), 0))
BOTH, FEW = (4, 8), (2, 4)

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
        out[i] = sum;""", windows=4, loads=8, lines=4),
    "each_lane_goes_through_a_row_of_its_own": Case("""
        uint at = (i & 31) * 31, sum = 0;
        #pragma nounroll
        for (uint k = 0; k < 31; k++) sum = sum * 3 + in[at + k];
        out[i] = sum;""", windows=0, loads=1, lines=1, lanes=FEW),
    "each_lane_goes_back_through_a_row_of_its_own": Case("""
        uint at = (i & 31) * 31 + 30, sum = 0;
        #pragma nounroll
        for (uint k = 0; k < 31; k++) sum = sum * 3 + in[at - k];
        out[i] = sum;""", windows=0, loads=1, lines=1, lanes=FEW),
    "three_words_of_each_lane_that_go_on_in_the_next_line": Case("""
        uint at = (i & 15) * 61, sum = 0;
        #pragma nounroll
        for (uint k = 0; k < 20; k++, at += 3) sum = sum * 3 + in[at] + in[at + 1] * 5 + in[at + 2] * 7;
        out[i] = sum;""", windows=0, loads=3, lines=3),
    "four_words_of_each_lane_that_begin_anywhere": Case("""
        uint at = (i & 15) * 59, sum = 0;
        #pragma nounroll
        for (uint k = 0; k < 19; k++, at += 3) sum = sum * 3 + in[at + 1] + in[at] * 5 + in[at + 3] * 7 + in[at + 2] * 9;
        out[i] = sum;""", windows=0, loads=4, lines=4),
    "two_rows_of_each_lane": Case("""
        uint at = (i & 15) * 30, sum = 0;
        #pragma nounroll
        for (uint k = 0; k < 30; k++) sum = sum * 3 + in[at + k] + in[at + k + 512] * 5;
        out[i] = sum;""", windows=0, loads=2, lines=2, lanes=FEW),
    "rows_that_unrolled_rounds_go_through": Case("""
        uint at = (i & 15) * 60, sum = 0;
        #pragma unroll 4
        for (uint k = 0; k < 60; k++) sum = sum * 3 + in[at + k];
        out[i] = sum;""", windows=0, loads=4, lines=4),
    "words_of_all_lanes_in_unrolled_rounds": Case("""
        uint sum = 0;
        #pragma unroll 4
        for (uint k = 0; k < 40; k++) sum = sum * 3 + in[k] + in[(k + 3) & 63];
        out[i] = sum + in[i + 1];""", windows=7, loads=8),
    "rows_of_few_words": Case("""
        uint at = (i & 31) * 31, sum = 0;
        #pragma nounroll
        for (uint k = 0; k < 7; k++) sum = sum * 3 + in[at + k];
        out[i] = sum;""", windows=0, loads=1, lines=0),
    "rows_of_lanes_that_leave_the_loop_apart": Case("""
        uint at = in[i] & 511, end = at + (in[i + 1] & 31), sum = 0;
        for (; at < end; at++) sum = sum * 3 + in[at];
        out[i] = sum;""", windows=0, lines=1, lanes=FEW),
    "rows_that_only_some_lanes_read": Case("""
        uint at = (i & 31) * 31, sum = i;
        #pragma nounroll
        for (uint k = 0; k < 31; k++) {
          if ((sum & 3) != 0) sum = sum * 3 + in[at + k];
          sum += k + (sum >> 3);
        }
        out[i] = sum;""", windows=0, loads=1, lines=1),
    "two_loads_that_read_one_row": Case("""
        uint at = (i & 31) * 31, sum = 0;
        #pragma nounroll
        for (uint k = 0; k < 15; k++) sum = sum * 3 + in[at + k] + in[at + k * 2] * 5;
        out[i] = sum;""", windows=0, loads=2, lines=0),
    "four_rows_of_each_lane": Case("""
        uint at = (i & 7) * 30, sum = 0;
        #pragma nounroll
        for (uint k = 0; k < 30; k++) sum = sum * 3 + in[at + k] + in[at + k + 256] * 5 + in[at + k + 512] * 7 + in[at + k + 768] * 9;
        out[i] = sum;""", windows=0, loads=4, lines=4, lanes=(2,)),
    "words_that_a_row_of_each_lane_says": Case("""
        uint at = (i & 31) * 31, sum = 0;
        #pragma nounroll
        for (uint k = 0; k < 31; k++) sum = sum * 3 + out[512 + (in[at + k] & 511)];
        out[i] = sum;""", windows=0, loads=2, lines=1, lanes=FEW),
    "rows_that_a_store_of_the_round_before_may_have_changed": Case("""
        uint at = i * 2, sum = 0;
        #pragma nounroll
        for (uint k = 0; k < 2; k++) {
          sum = sum * 3 + out[at + k] + 1;
          out[at + k] = sum;
        }""", windows=0, loads=1, lines=0),
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
# `in` ends where memory ends: there is no line behind the last one.
AT_THE_END = {
    "neighbours_up_to_the_last_word_of_memory": Case("""
        int x = n - 512 + i;
        out[i] = in[x - 1] + in[x] * 3 + in[min(x + 1, n - 1)] * 5;""", windows=2, lanes=BOTH),
    "the_same_words_of_all_lanes_up_to_the_last_one_of_memory": Case("""
        uint sum = 0;
        #pragma nounroll
        for (uint k = 9; k < 40; k++) sum = sum * 3 + in[n - 39 + k - 1] + in[n - 39 + k - 2] * 5 + in[n - 1 - k - i];
        out[i] = sum + i;""", windows=3),
    "vectors_up_to_the_last_one_of_memory": Case("""
        global const uint4 *a = (global const uint4 *)in;
        uint sum = 0;
        #pragma nounroll
        for (uint k = 1; k < 12; k++) {
          uint4 p = a[n / 4 - 1 - k - i / 2], q = a[n / 4 - 12 + k];
          sum = sum * 5 + p.x * q.x + p.y * q.y + p.z * q.z + p.w * q.w;
        }
        out[i] = sum;""", (256, 1, 1), windows=4, loads=8),
    "rows_up_to_the_last_word_of_memory": Case("""
        uint at = n - (i & 15) * 32 - 32, sum = 0;
        #pragma nounroll
        for (uint k = 0; k < 32; k++) sum = sum * 3 + in[at + k];
        out[i] = sum;""", windows=0, loads=1, lines=1, lanes=FEW),
    "words_of_each_lane_up_to_the_last_one_of_memory": Case("""
        uint at = n - (i & 15) * 60 - 60, sum = 0;
        #pragma nounroll
        for (uint k = 0; k < 20; k++, at += 3) sum = sum * 3 + in[at] + in[at + 1] * 5 + in[at + 2] * 7;
        out[i] = sum;""", windows=0, loads=3, lines=3),
}
# Loads behind the end of memory: the reason of the fault, its source line, and the rest as above.
BEHIND_THE_END = {
    "neighbours_one_of_which_is_behind_the_end": (UNMAPPED, 4, Case("""
        int x = n - 512 + i;
        out[i] = in[x] + in[x + 1] * 3 + in[x - 1] * 5;""", lanes=BOTH)),
    "a_vector_that_is_behind_the_end": (UNMAPPED, 7, Case("""
        global const uint4 *a = (global const uint4 *)in;
        uint sum = 0;
        #pragma nounroll
        for (uint k = 0; k < 12; k++) {
          uint4 p = a[i & 15], q = a[n / 4 - 11 + k];
          sum = sum * 5 + p.x * q.x + p.y * q.y + p.z * q.z + p.w * q.w;
        }
        out[i] = sum;""")),
    "a_vector_that_goes_on_behind_the_end": (UNMAPPED, 7, Case("""
        uint sum = 0;
        #pragma nounroll
        for (uint k = 0; k < 12; k++) {
          uint at = n - 46 + k * 4;
          sum = sum * 5 + in[at] + in[at + 1] * 3 + in[at + 2] * 5 + in[i + k];
        }
        out[i] = sum;""")),
    "a_row_of_a_lane_that_goes_on_behind_the_end": (UNMAPPED, 5, Case("""
        uint at = n - (i & 15) * 32 - 32, sum = 0;
        #pragma nounroll
        for (uint k = 0; k < 34; k++) sum = sum * 3 + in[at + k];
        out[i] = sum;""")),
    "words_of_a_lane_that_go_on_behind_the_end": (UNMAPPED, 5, Case("""
        uint at = n - (i & 15) * 62 - 62, sum = 0;
        #pragma nounroll
        for (uint k = 0; k < 21; k++, at += 3) sum = sum * 3 + in[at] + in[at + 1] * 5 + in[at + 2] * 7;
        out[i] = sum;""")),
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
    "a_word_of_a_lanes_row_between_addresses": (MISALIGNED, 5, Case("""
        uint at = (i & 31) * 31, sum = 0;
        #pragma nounroll
        for (uint k = 0; k < 31; k++) sum += *(global const uint *)((global const char *)in + (at + k) * 4 + (k == 7 && i == 77));
        out[i] = sum;""")),
}
HEAD = "kernel void k(global const uint *in, global uint *out, int n) {\n"
IDS = "uint i = get_global_id(0);"
OUT, IN = pipelines.BUFFERS, pipelines.BUFFERS + 4 * WORDS
IN_AT_THE_END = pipelines.END - 4 * WORDS
FOLDER = tempfile.mkdtemp(prefix="windows-")
PROGRAMS = pipelines.Programs(FOLDER)


def cases(of):
    return {f"{name},{lanes}": (name, case, lanes) for name, case in of.items() for lanes in case.lanes}


def name_of(label):
    return label.split(",")[0]


def dispatch(label, case, lanes):
    chosen = {}
    for test, group in TESTS.items():
        for one, (_, its_case, its_lanes) in cases(group).items():
            if tap.is_chosen(f"{test.__name__}[{one}]"):
                chosen[one] = f"{HEAD}{IDS}{its_case.body}\n}}\n", its_lanes, 32
    program = PROGRAMS.verilated(chosen)
    words = [i * 0x9E3779B9 + (i >> 3) & 0xFFFFFFFF for i in range(WORDS)]
    memory = struct.pack(f"<{2 * WORDS}I", *[0] * WORDS, *words)
    start = IN_AT_THE_END if name_of(label) in {**AT_THE_END, **BEHIND_THE_END} else IN
    return PROGRAMS.dispatch(program, label, pipelines.job(case.size, case.local, lanes, dimensions=3), [start, OUT, WORDS], memory)


READS = {**CASES, **AT_THE_END}
FAULTS = {**OUTSIDE, **BEHIND_THE_END}


@tap.test_for(**cases(READS))
def a_pipeline_is_what_the_model_is(case):
    name, case, lanes = case
    label = f"{name},{lanes}"
    pipelines.expect_same(dispatch(label, case, lanes), f"at {lanes} lanes")
    if case.windows is not None:
        loads = [line for line in PROGRAMS.report(label).splitlines() if " load" in line and "bytes, global memory" in line]
        through, lines, every = (sum(int(line.split()[2]) for line in loads if how in line) for how in ("through a window", "through lines", ""))
        tap.expect((case.windows, case.lines, case.loads), (through, lines, every), f"loads through windows, through lanes' lines, and all ({loads})")


@tap.test_for(**cases({name: case for name, (_, _, case) in FAULTS.items()}))
def a_load_outside_memory_is_the_models_fault_and_has_its_line(case):
    name, case, lanes = case
    label = f"{name},{lanes}"
    outcome = dispatch(label, case, lanes)
    reason, source_line, _ = FAULTS[name]
    pipelines.expect_fault(outcome, PROGRAMS.kernel(label), reason, source_line)


TESTS = {a_pipeline_is_what_the_model_is: READS,
         a_load_outside_memory_is_the_models_fault_and_has_its_line: {name: case for name, (_, _, case) in FAULTS.items()}}

try:
    tap.run("windows")
finally:
    shutil.rmtree(FOLDER, ignore_errors=True)
