#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Kernels that were once no pipeline, or another than the golden model's: each is carried out as random_kernels.py does it."""
import os
import shutil
import struct
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.dirname(HERE), HERE]
import tap
import pipelines
import values

LANES, SLOTS, ITEMS = 4, 8, 40
DIVERGENT_COLLECTIVE = 6  # contract/DEVICE.md
KERNELS = {
    "a_constant_may_be_a_nan_for_all_the_compiler_knows": "out[i] = as_uint(fmin(as_float(in[i]), 2.5f)) ^ as_uint(fmax((float)n, -1.5f));",
    "a_loop_whose_bound_another_carried_value_gives_has_barriers": """
        local uint l[32];
        uint lid = get_local_id(0), bound = n, later = n, next = get_sub_group_id(), rounds = 0;
        for (uint c = 0; c <= bound; c++) {
          if (c == 1) { l[lid] = in[i]; barrier(CLK_LOCAL_MEM_FENCE); rounds += l[lid ^ 1]; }
          bound = later; later = (next & 7) | 2;
          next = next * 3 + 1;
          rounds += 1000;
        }
        out[i] = rounds;""",
    "loops_in_loops_have_barriers": """
        local uint l[32];
        uint lid = get_local_id(0), x = in[i];
        #pragma nounroll
        for (uint c = 0; c < 3; c++) {
          #pragma nounroll
          for (uint d = 0; d < 2 + c; d++) {
            l[lid] = x;
            barrier(CLK_LOCAL_MEM_FENCE);
            x += l[lid ^ 1] * 3;
            barrier(CLK_LOCAL_MEM_FENCE);
          }
        }
        out[i] = x;""",
    "a_count_of_rounds_stays_as_it_was_when_a_lane_left": """
        uint x = in[i] & 255 | 1, rounds = 0;
        while (x != 1 && rounds < n * 40) {
          x = x & 1 ? 3 * x + 1 : x / 2;
          rounds++;
        }
        out[i] = rounds;""",
    "a_carried_value_begins_alike_and_ends_apart": """
        uint last = n, sum = 0;
        #pragma nounroll
        for (uint c = 0; c < n; c++) {
          sum += last * (c + 1);
          last = last * 5 ^ in[(i + c) & 31];
        }
        out[i] = sum;""",
    "quotients_and_roots_of_floats_are_the_models_bit_for_bit": """
        float x = as_float(in[i]), y = as_float(in[i ^ 1]);
        out[i] = as_uint(x / y) ^ as_uint(sqrt(x)) * 3 ^ as_uint(1.0f / (float)(i + 1)) * 5 ^ as_uint(sqrt((float)n) / 3.0f) * 7;""",
    "who_takes_no_branch_stores_nothing": "if (in[i] & 1) out[i] = (uint)((int)(short)in[i] * 3);",
    "zeros_are_counted_from_the_top": "out[i] = clz(in[i]) * 100 + ctz(in[i]) * 10000 + popcount(in[i]);",
    "minima_of_some_work_items_of_a_sub_group": """
        uint x = 7;
        if (in[i] & 2) x = sub_group_non_uniform_reduce_min(in[i] | 1);
        out[i] = x ^ sub_group_reduce_min(in[i] | 3) ^ work_group_scan_exclusive_min(in[i] | 5);""",
    "bits_of_a_sub_group": """
        uint x = in[i];
        x = sub_group_reduce_and(x | 0xF0F0) ^ sub_group_scan_inclusive_or(x) ^ sub_group_scan_exclusive_xor(x) ^ sub_group_reduce_xor(x * 3);
        out[i] = x + sub_group_scan_exclusive_and(in[i]) + sub_group_reduce_or(in[i] & 0xF0F0);""",
    "bits_of_a_work_group": """
        ulong wide = (ulong)in[i] << 17 | i;
        wide = work_group_reduce_xor(wide) ^ work_group_scan_inclusive_and(wide | 0xFF00FF) ^ work_group_scan_exclusive_or(wide);
        out[i] = (uint)(wide ^ wide >> 32) + work_group_reduce_and(in[i]) + work_group_scan_exclusive_and(in[i]);""",
    "bits_of_some_work_items_of_a_sub_group": """
        uint x = 7;
        if (in[i] & 4)
          x = sub_group_non_uniform_reduce_and(in[i]) ^ sub_group_non_uniform_scan_inclusive_xor(in[i]) ^ sub_group_non_uniform_scan_exclusive_or(in[i]);
        else
          x = sub_group_non_uniform_reduce_xor((ulong)in[i] << 9) >> 8 ^ sub_group_non_uniform_scan_exclusive_and(in[i]);
        out[i] = x;""",
    "scans_of_a_work_group_exclude_their_own": "out[i] = work_group_scan_exclusive_add(in[i]) ^ work_group_scan_exclusive_max(in[i] >> 3);",
    "shuffles_from_who_is_not_there_give_zero": """
        uint x = 9;
        if (in[i] & 4) x = sub_group_shuffle_xor(in[i], 1) + 1;
        out[i] = x;""",
}
# clang declares bitwise collectives of active work-items only; the library has those of whole groups, too.
BITWISE = "".join(f"{type} __attribute__((overloadable, convergent)) {group}_{mode}_{operation}({type}); "
                  for group in ("sub_group", "work_group") for mode in ("reduce", "scan_inclusive", "scan_exclusive")
                  for operation in ("and", "or", "xor") for type in ("uint", "ulong"))
HALF = '_Pragma("OPENCL EXTENSION cl_khr_fp16 : enable") '
# Collectives that lanes come to although they have missed one: the source line that the fault has, and what is not so.
DIVERGENT = {
    "two_arms_have_a_collective_each": (4, """
        if (in[i] & 1) out[i] = sub_group_reduce_add(i);
        else out[i] = sub_group_scan_inclusive_max(i + 1);"""),
    "a_lane_skips_one_and_comes_to_the_next": (5, """
        uint x = 1;
        if ((in[i] >> 3) & 1) x = sub_group_reduce_max(i);
        out[i] = sub_group_reduce_add(x);"""),
    "lanes_leave_a_loop_of_collectives_in_different_rounds": (6, """
        uint x = i;
        #pragma nounroll
        for (uint k = 0; k <= (i & 3); k++) x += sub_group_reduce_add(k);
        out[i] = sub_group_scan_inclusive_add(x);"""),
    "a_lane_comes_back_from_a_loop_inside": (8, """
        uint x = i;
        #pragma nounroll
        for (uint k = 0; k < n; k++) {
          #pragma nounroll
          for (uint l = 0; l < (i & 1) + 1; l++) x += sub_group_reduce_add(l);
          x += sub_group_reduce_max(k);
        }
        out[i] = x;"""),
    "a_lane_skips_a_barrier_of_the_sub_group": (4, """
        if (i & 1) sub_group_barrier(CLK_LOCAL_MEM_FENCE);
        out[i] = sub_group_reduce_add(i);"""),
    "a_lane_skips_a_barrier_and_comes_to_a_sum_of_the_work_group": (4, """
        if (i & 1) barrier(CLK_LOCAL_MEM_FENCE);
        out[i] = work_group_reduce_add(i);"""),
    "a_sub_group_skips_a_barrier": (4, """
        if (get_sub_group_id() == 0) barrier(CLK_LOCAL_MEM_FENCE);
        out[i] = work_group_reduce_add(i);"""),
    "sub_groups_leave_a_loop_of_barriers_in_different_rounds": (6, """
        uint x = i;
        #pragma nounroll
        for (uint k = 0; k <= get_sub_group_id(); k++) { x += k; barrier(CLK_LOCAL_MEM_FENCE); }
        out[i] = work_group_reduce_add(x);"""),
}
KERNELS.update({
    "who_has_returned_is_not_missed": """
        if (in[i] & 1) return;
        uint x = sub_group_reduce_add(i);
        if (in[i] & 2) return;
        out[i] = x + sub_group_scan_inclusive_max(i) + work_group_reduce_add(i);""",
    "who_skips_the_last_collective_is_not_missed": """
        uint x = sub_group_reduce_add(i);
        if (in[i] & 1) x += sub_group_reduce_max(i);
        out[i] = x;""",
    "who_leaves_a_loop_to_the_end_is_not_missed": """
        uint x = i;
        #pragma nounroll
        for (uint k = 0; k <= (i & 3); k++) x += sub_group_reduce_add(k) + work_group_reduce_max(k);
        out[i] = x;""",
    "whole_sub_groups_may_go_their_own_ways": """
        uint x = i;
        if (get_sub_group_id() & 1) x += sub_group_reduce_add(i);
        else x += sub_group_reduce_max(i);
        #pragma nounroll
        for (uint k = 0; k < get_sub_group_id(); k++) x += sub_group_reduce_add(k);
        out[i] = x + work_group_reduce_add(x);""",
    "a_branch_of_all_work_items_has_barriers": """
        local uint l[16];
        uint lid = get_local_id(0), x = i;
        if (n == 3) { l[lid] = x; barrier(CLK_LOCAL_MEM_FENCE); x += l[lid ^ 1]; }
        else { l[lid] = n; barrier(CLK_LOCAL_MEM_FENCE); x -= l[lid ^ 2]; }
        out[i] = x + work_group_reduce_add(i);""",
})
KERNELS.update(values.KERNELS)
FOLDER = tempfile.mkdtemp(prefix="pipelines-")
made, failed = {}, {}
program = []


def lanes_of(name):
    return values.lanes(name) if name in values.KERNELS else LANES


def make():
    """One program of those kernels that the tests to be run need; a kernel that cannot be hardware fails its own test."""
    for name, body in {**KERNELS, **{name: body for name, (_, body) in DIVERGENT.items()}}.items():
        if len(sys.argv) > 1 and name not in sys.argv[1] and sys.argv[1] not in name:
            continue
        source = f"{HALF}{BITWISE}kernel void k(global const uint *in, global uint *out, uint n) {{\nuint i = get_global_id(0);\n{body}\n}}\n"
        try:
            made[name] = pipelines.compile_kernel(source, os.path.join(FOLDER, name), lanes_of(name), SLOTS * LANES // lanes_of(name), os.environ.get("HEDDLE_PIPELINE_HEDDLEC") or "bin/heddlec")
        except (pipelines.Refused, AssertionError) as problem:
            failed[name] = problem
    return pipelines.verilate(list(made.values()), FOLDER)


def dispatch(name, seed=1):
    if not program:
        program.append(make())
    if name in failed:
        raise AssertionError(f"{name}: {failed[name]}")
    words = [0, 1, 0x7FC00000, 0x7F800001, 0xFFC00000, 0x80000000, 0x3F800000, 0x40400000] + [i * seed * 0x9E3779B9 & 0xFFFFFFFF for i in range(ITEMS - 8)]
    memory = struct.pack(f"<{2 * ITEMS}I", *words, *[0] * ITEMS)
    job = {"log2": lanes_of(name).bit_length() - 1, "dimensions": 1, "global": [ITEMS, 1, 1], "local": [16, 1, 1], "offset": [0, 0, 0], "latency": 20, "busy": 30, "seed": 1}
    return pipelines.dispatch(program[0], made[name], job, [pipelines.BUFFERS, pipelines.BUFFERS + 4 * ITEMS, 3], memory, os.path.join(FOLDER, name, "job"))


@tap.test_for(**{name: name for name in KERNELS})
def a_pipeline_is_what_the_model_is(name):
    for seed in (1, 3, 5, 7) if name in values.KERNELS else (1,):
        line, same = dispatch(name, seed)
        tap.expect(True, same, f"whether memory is the model's (words of {seed}: {line})")
        tap.expect_in("the same", line, "what became of it")


@tap.test_for(**{name: name for name in DIVERGENT})
def a_pipeline_has_the_models_fault_and_its_line(name):
    line, same = dispatch(name)
    tap.expect(True, same, f"whether the fault is the model's ({line})")
    tap.expect_in(f"reason {DIVERGENT_COLLECTIVE}", line, "the fault")
    tap.expect(DIVERGENT[name][0], made[name].lines[int(line.split()[-1])], "its source line")


try:
    tap.run("directed")
finally:
    shutil.rmtree(FOLDER, ignore_errors=True)
