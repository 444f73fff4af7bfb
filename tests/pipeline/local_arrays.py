#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Local arrays that pipelines have memories of their own for (rtl/pipeline/local_array.v): kernels with one, two and four lanes leave the
memory that the golden model leaves, or its fault; and the report says which arrays these are.

Each kernel has a pattern of accesses, with a local size that is required or not, in dispatches whose last work-groups are smaller.
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

UNMAPPED, OUTSIDE_LOCAL = 3, 4  # contract/DEVICE.md
WORDS = 512  # of each buffer
# A kernel: its body, in which `i` is the work-item's linear global id and `l` its linear local one; work-items of a work-group; ranges;
# whether the size is required; lanes; what the report says of its arrays, if it is not that they have memories of their own; the size of
# sub-groups, if it is not that of the lanes.
Case = collections.namedtuple("Case", "body local ranges required lanes says sub_group", defaults=((1, 2, 4), None, None))
ALL, FOUR = (1, 2, 4), (4,)

CASES = {
    "a_tile_with_a_border_is_read_by_neighbours": Case("""
        local uint tile[6][10];
        uint at = y * 16 + x;
        tile[ly][lx] = in[at];
        if (lx < 2) tile[ly][8 + lx] = in[at + 8];
        if (ly < 2) tile[4 + ly][lx] = in[at + 64];
        if (lx < 2 && ly < 2) tile[4 + ly][8 + lx] = in[at + 72];
        barrier(CLK_LOCAL_MEM_FENCE);
        out[i] = tile[ly][lx] + tile[ly + 1][lx] * 3 + tile[ly + 2][lx] * 5 + tile[ly][lx + 2] * 7 + tile[ly + 1][lx + 2] * 11
               + tile[ly + 2][lx + 2] * 13 + tile[ly][lx + 1] * 17 + tile[ly + 2][lx + 1] * 19;""", (8, 4, 1), ((16, 8, 1), (8, 4, 3)), True),
    "a_tile_whose_last_work_groups_end_within_a_sub_group": Case("""
        local ushort tile[4][8];
        tile[ly][lx] = in[i];
        barrier(CLK_LOCAL_MEM_FENCE);
        out[i] = tile[ly][lx] * 3 + (lx > 0 ? tile[ly][lx - 1] : 7) + (ly > 0 ? tile[ly - 1][lx] : 9);""", (8, 4, 1), ((14, 7, 1), (9, 9, 2), (3, 3, 3)), True),
    "a_tile_is_transposed": Case("""
        local uint tile[8][8];
        tile[ly][lx] = in[i];
        barrier(CLK_LOCAL_MEM_FENCE);
        out[i] = tile[lx][ly] + i;""", (8, 8, 1), ((16, 8, 1),), True),
    "a_tile_is_transposed_with_a_local_size_that_is_not_known": Case("""
        local uint tile[8][9];
        tile[ly][lx] = in[i];
        barrier(CLK_LOCAL_MEM_FENCE);
        uint n0 = get_local_size(0), n1 = get_local_size(1);
        out[i] = tile[l % n1][l / n1] + tile[ly][n0 - 1 - lx] * 3;""", (6, 5, 1), ((12, 10, 1), (13, 7, 2)), False),
    "a_window_slides_over_neighbours": Case("""
        local float part[48];
        part[l] = (float)(in[i] >> 20);
        if (l < 16) part[32 + l] = (float)(in[i + 32] >> 20);
        barrier(CLK_LOCAL_MEM_FENCE);
        float sum = 0;
        #pragma nounroll
        for (uint k = 0; k < 16; k++) sum += part[l + k] * (float)(k + 1);
        out[i] = as_uint(sum);""", (32, 1, 1), ((128, 1, 1), (96, 1, 1)), True),
    "neighbours_whose_first_one_is_always_in_one_bank": Case("""
        local uint part[80];
        for (uint k = l; k < 80; k += get_local_size(0)) part[k] = in[i - l + k];
        barrier(CLK_LOCAL_MEM_FENCE);
        part[l] += i;
        if ((int)l < 16) part[64 + l] ^= in[i + 64];
        barrier(CLK_LOCAL_MEM_FENCE);
        uint sum = 0;
        #pragma unroll 4
        for (int k = 0; k < 16; k++) sum = sum * 3 + part[l + k];
        #pragma nounroll
        for (uint k = 3; k < 15; k += 4) sum = sum * 5 + part[l + k];
        #pragma nounroll
        for (uint k = 0; k != 12; k += 6) sum = sum * 7 + part[l + k];
        if (l & 1) sum += part[l + 5] * 9 + part[l + 14] * 11;
        out[i] = sum;""", (64, 1, 1), ((192, 1, 1), (150, 1, 1)), True),
    "neighbours_of_work_groups_that_are_no_multiple_of_the_lanes": Case("""
        local uint part[2][16];
        for (uint k = l; k < 16; k += get_local_size(0)) { part[0][k] = in[i - l + k]; part[1][k] = i - l + k; }
        barrier(CLK_LOCAL_MEM_FENCE);
        uint sum = part[0][l + 1] + part[0][l + 8] * 5;
        #pragma nounroll
        for (uint k = 0; k < 2; k++) sum = sum * 7 + part[k][l ^ 0];
        out[i] = sum;""", (7, 1, 1), ((21, 1, 1), (25, 1, 1)), True),
    "neighbours_of_sub_groups_that_are_smaller_than_the_lanes": Case("""
        local uint part[24];
        for (uint k = l; k < 24; k += get_local_size(0)) part[k] = in[i - l + k];
        barrier(CLK_LOCAL_MEM_FENCE);
        uint sum = 0;
        #pragma nounroll
        for (uint k = 0; k < 8; k += 4) sum = sum * 3 + part[l + k + 1];
        out[i] = sum + part[l + 4] + get_sub_group_size();""", (16, 1, 1), ((32, 1, 1), (37, 1, 1)), True, FOUR, None, 2),
    "a_sum_by_halves": Case("""
        local uint part[32];
        part[l] = in[i];
        barrier(CLK_LOCAL_MEM_FENCE);
        #pragma nounroll
        for (uint half_size = 16; half_size > 0; half_size /= 2) {
          if (l < half_size) part[l] += part[l + half_size];
          barrier(CLK_LOCAL_MEM_FENCE);
        }
        out[i] = part[0] ^ part[l] * 3;""", (32, 1, 1), ((64, 1, 1),), False),
    "stores_go_to_any_elements_and_several_to_one_bank": Case("""
        local uint bins[64];
        for (uint k = l; k < 64; k += get_local_size(0)) bins[k] = k;
        barrier(CLK_LOCAL_MEM_FENCE);
        bins[l * 4 & 63] = in[i];
        if (in[i] & 1) bins[(l * 4 & 63) + 1] = i;
        barrier(CLK_LOCAL_MEM_FENCE);
        out[i] = bins[in[i] & 63] + bins[l * 4 & 63] * 3 + bins[(l * 4 + 1) & 63] * 5 + bins[63];""", (16, 1, 1), ((48, 1, 1), (40, 1, 1)), False),
    "counts_of_work_items_of_their_own": Case("""
        local uchar counts[16][16];
        #pragma nounroll
        for (uint k = 0; k < 16; k++) counts[k][l] = 0;
        #pragma nounroll
        for (uint k = 0; k < 20; k++) counts[in[(i * 3 + k) & 511] & 15][l]++;
        barrier(CLK_LOCAL_MEM_FENCE);
        uint sum = 0;
        #pragma nounroll
        for (uint k = 0; k < 16; k++) sum = sum * 7 + counts[l][k];
        out[i] = sum;""", (16, 1, 1), ((48, 1, 1),), True),
    "two_arrays_change_places_in_a_loop_with_barriers": Case("""
        local uint a[32], b[32];
        a[l] = in[i]; b[l] = 0;
        #pragma nounroll
        for (uint k = 1; k < 32; k *= 2) {
          barrier(CLK_LOCAL_MEM_FENCE);
          b[l] = a[l] + (l >= k ? a[l - k] : 0);
          barrier(CLK_LOCAL_MEM_FENCE);
          a[l] = b[l];
        }
        out[i] = a[l] + b[31 - l];""", (32, 1, 1), ((64, 1, 1),), True),
    "one_array_in_two_halves": Case("""
        local uint both[2][32];
        both[0][l] = in[i];
        uint from = 0;
        #pragma nounroll
        for (uint k = 1; k < 32; k *= 2) {
          barrier(CLK_LOCAL_MEM_FENCE);
          both[1 - from][l] = both[from][l] + both[from][l ^ k] * 3;
          from = 1 - from;
        }
        out[i] = both[from][l];""", (32, 1, 1), ((96, 1, 1),), True),
    "a_loop_that_lanes_leave_apart_reads_neighbours": Case("""
        local uint part[64];
        part[l] = in[i]; part[l + 32] = in[i] * 3;
        barrier(CLK_LOCAL_MEM_FENCE);
        uint sum = 0;
        for (uint k = l; k < (in[i] & 31) + 16; k += 3) sum = sum * 5 + part[k];
        out[i] = sum;""", (32, 1, 1), ((64, 1, 1),), True),
    "a_loop_ends_in_one_sub_group_before_another": Case("""
        local uint part[32];
        uint x = in[i] & 3, sum = 0;
        #pragma nounroll
        for (uint k = 0; k <= x + get_group_id(0); k++) {
          part[l] = k * 5 + i;
          mem_fence(CLK_LOCAL_MEM_FENCE);
          sum += part[l] * 3 + k;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        out[i] = sum + part[l ^ 7];""", (32, 1, 1), ((64, 1, 1),), False),
    "sub_groups_have_their_own_part": Case("""
        local uint part[64];
        uint own = get_sub_group_id() * get_max_sub_group_size() + get_sub_group_local_id();
        part[own] = in[i];
        sub_group_barrier(CLK_LOCAL_MEM_FENCE);
        out[i] = part[own] + part[own - get_sub_group_local_id()] * 3;""", (8, 2, 1), ((16, 4, 1), (11, 3, 1)), True),
    "vectors_and_structures_of_equal_elements": Case("""
        struct two { uint a, b; };
        local uint4 four[16];
        local struct two pairs[16];
        four[l] = (uint4)(in[i], i, in[i] >> 3, 7);
        pairs[l].a = i; pairs[l].b = in[i];
        barrier(CLK_LOCAL_MEM_FENCE);
        uint4 x = four[l ^ 1];
        struct two p = pairs[15 - l];
        out[i] = x.x + x.y * 3 + x.z * 5 + x.w * 7 + p.a * 11 + p.b * 13;""", (16, 1, 1), ((32, 1, 1),), True),
    "indices_of_parts_of_the_local_id": Case("""
        local uint tile[8][8];
        tile[l >> 3][l & 7] = in[i];
        barrier(CLK_LOCAL_MEM_FENCE);
        uint sum = 0;
        #pragma nounroll
        for (uint k = 0; k < 8; k++) sum += tile[l >> 3][k] * tile[k][l & 7];
        out[i] = sum;""", (64, 1, 1), ((128, 1, 1),), True),
    "an_index_of_few_bits_wraps": Case("""
        local uint part[512];
        #pragma nounroll
        for (uint k = 0; k < 8; k++) part[l + 32 * k] = in[i] * k;
        barrier(CLK_LOCAL_MEM_FENCE);
        int at = (char)(l + get_group_id(0) * 50 + 109);
        out[i] = part[at + 128] + part[128 + (char)(at + 3)] * 3;""", (32, 1, 1), ((128, 1, 1),), True),
    "a_work_item_reads_before_and_behind_its_own_stores": Case("""
        local uint part[32];
        part[l] = in[i];
        uint x = part[l];
        part[l] = x * 3 + 1;
        x += part[l];
        if (x & 1) part[l] = x;
        x ^= part[l] << 1;
        barrier(CLK_LOCAL_MEM_FENCE);
        x += part[31 - l];
        barrier(CLK_LOCAL_MEM_FENCE);
        part[31 - l] = x;
        barrier(CLK_LOCAL_MEM_FENCE);
        out[i] = part[l] + x;""", (32, 1, 1), ((96, 1, 1),), True),
    "collectives_of_the_work_group_between_accesses": Case("""
        local int part[32];
        part[l] = in[i] & 0xFFFF;
        int all = work_group_reduce_add(part[l]);
        barrier(CLK_LOCAL_MEM_FENCE);
        part[31 - l] = work_group_scan_inclusive_add(part[l]) + all;
        barrier(CLK_LOCAL_MEM_FENCE);
        out[i] = part[l];""", (32, 1, 1), ((64, 1, 1),), False),
    "numbers_that_one_work_item_leaves_for_all": Case("""
        local uint first, last;
        if (l == 0) first = in[i];
        if (l == get_local_size(0) - 1) last = in[i];
        barrier(CLK_LOCAL_MEM_FENCE);
        out[i] = first + last * 3 + l;""", (16, 1, 1), ((48, 1, 1), (40, 1, 1)), False, FOUR),
    "arrays_in_the_memory_port_beside_one_of_its_own": Case("""
        local uint own[16], counts[4];
        if (l < 4) counts[l] = 0;
        own[l] = in[i];
        barrier(CLK_LOCAL_MEM_FENCE);
        atomic_add(&counts[own[15 - l] & 3], own[l] & 15);
        barrier(CLK_LOCAL_MEM_FENCE);
        out[i] = counts[l & 3] + own[l ^ 1];""", (16, 1, 1), ((48, 1, 1),), True, FOUR, ("k.own: 16 elements", "k.counts is in the memory port: it is atomic")),
    "what_a_generic_pointer_may_be_is_in_the_memory_port": Case("""
        local uint own[16];
        own[l] = i;
        out[i] = 5;
        uint *p = in[i] & 4 ? (uint *)&own[l] : (uint *)&out[i];
        *p += 9;
        out[i] += own[l] * 3;""", (16, 1, 1), ((32, 1, 1),), True, FOUR, ("k.own is in the memory port: a pointer to it may point to something else",)),
    "so_many_reads_of_any_elements_that_lanes_store_in_turns": Case("""
        local uint part[64];
        for (uint k = l; k < 64; k += get_local_size(0)) part[k] = k * 7;
        barrier(CLK_LOCAL_MEM_FENCE);
        part[l * 4 + (in[i] & 3)] = i;
        barrier(CLK_LOCAL_MEM_FENCE);
        uint x = in[i], sum = 0;
        #pragma unroll
        for (uint k = 0; k < 8; k++) { x = x * 1664525 + 1013904223; sum = sum * 3 + part[x >> 26]; }
        out[i] = sum + part[l + 1];""", (16, 1, 1), ((32, 1, 1),), False, FOUR, ("k.part: 64 elements of 32 bits for 8 work-groups, 1 bank,",)),
    "a_large_array_that_is_read_anywhere": Case("""
        local uint large[4096];
        for (uint k = l; k < 4096; k += get_local_size(0)) large[k] = k * 7;
        barrier(CLK_LOCAL_MEM_FENCE);
        large[in[i] & 31 | l << 5] = i;
        barrier(CLK_LOCAL_MEM_FENCE);
        out[i] = large[in[i] & 31 | l << 5] + large[in[i ^ 1] >> 9 & 15];""", (16, 1, 1), ((32, 1, 1),), False, FOUR, ("k.large is in the memory port: it takes too many block RAMs",)),
}
# Accesses outside an array: the reason of the fault, which is that of the address, the source line, and the rest as above.
OUTSIDE = {
    "a_load_above_a_local_array": (OUTSIDE_LOCAL, 7, Case("""
        local uint part[16];
        part[l] = in[i];
        barrier(CLK_LOCAL_MEM_FENCE);
        out[i] = 1;
        out[i] = part[l * 4096] + part[in[i] & 15];""", (16, 1, 1), ((32, 1, 1),), True)),
    "a_load_below_a_local_array": (UNMAPPED, 6, Case("""
        local uint part[16];
        part[l] = in[i];
        barrier(CLK_LOCAL_MEM_FENCE);
        out[i] = part[(int)l * -4096] + part[in[i] & 15];""", (16, 1, 1), ((32, 1, 1),), False)),
    "a_store_above_a_local_array": (OUTSIDE_LOCAL, 5, Case("""
        local ushort part[16];
        part[l] = i;
        part[l + (in[i | 3] & 3) * 4096] = in[i];
        barrier(CLK_LOCAL_MEM_FENCE);
        out[i] = part[l];""", (16, 1, 1), ((32, 1, 1),), True)),
}
HEAD = "kernel void k(global const uint *in, global uint *out) {\n"
IDS = ("uint x = get_global_id(0), y = get_global_id(1), lx = get_local_id(0), ly = get_local_id(1); "
       "uint i = (get_global_id(2) * get_global_size(1) + y) * get_global_size(0) + x; "
       "uint l = (get_local_id(2) * get_local_size(1) + ly) * get_local_size(0) + lx;")
FLAT = "uint i = get_global_id(0), l = get_local_id(0);"
FOLDER = tempfile.mkdtemp(prefix="local-arrays-")
PROGRAMS = pipelines.Programs(FOLDER)


def source_of(case):
    required = f"__attribute__((reqd_work_group_size({', '.join(map(str, case.local))}))) " if case.required else ""
    required += f"__attribute__((intel_reqd_sub_group_size({case.sub_group}))) " if case.sub_group else ""
    return f"{required}{HEAD}{FLAT if case.local[1] == 1 else IDS}{case.body}\n}}\n"


def cases(of):
    return {f"{name},{lanes}": (name, case, lanes) for name, case in of.items() for lanes in case.lanes}


def slots_of(case, lanes):
    """Two work-groups are there at once."""
    slots = 2
    while slots * lanes < 2 * case.local[0] * case.local[1] * case.local[2]:
        slots *= 2
    return slots


def dispatch(label, case, lanes, size):
    chosen = {}
    for test, group in TESTS.items():
        for one, (_, its_case, its_lanes) in cases(group).items():
            if tap.is_chosen(f"{test.__name__}[{one}]"):
                chosen[one] = source_of(its_case), its_lanes, slots_of(its_case, its_lanes)
    program = PROGRAMS.verilated(chosen)
    words = [i * 0x9E3779B9 + (i >> 3) & 0xFFFFFFFF for i in range(WORDS)]
    memory = struct.pack(f"<{2 * WORDS}I", *words, *[0] * WORDS)
    job = pipelines.job(size, case.local, case.sub_group or lanes, dimensions=3)
    return PROGRAMS.dispatch(program, label, job, [pipelines.BUFFERS, pipelines.BUFFERS + 4 * WORDS], memory)


@tap.test_for(**cases(CASES))
def a_pipeline_is_what_the_model_is(case):
    name, case, lanes = case
    label = f"{name},{lanes}"
    for size in case.ranges:
        pipelines.expect_same(dispatch(label, case, lanes, size), f"range {size}")
    report = PROGRAMS.report(label)
    for part in case.says or ("local arrays with memories of their own",):
        tap.expect_in(part, report, "the report")
    if not case.says:
        tap.expect(False, "is in the memory port" in report, "whether an array is in the memory port")


@tap.test_for(**cases({name: case for name, (_, _, case) in OUTSIDE.items()}))
def an_access_outside_a_local_array_is_the_models_fault_and_has_its_line(case):
    name, case, lanes = case
    label = f"{name},{lanes}"
    outcome = dispatch(label, case, lanes, case.ranges[0])
    reason, source_line, _ = OUTSIDE[name]
    pipelines.expect_fault(outcome, PROGRAMS.kernel(label), reason, source_line)


TESTS = {a_pipeline_is_what_the_model_is: CASES,
         an_access_outside_a_local_array_is_the_models_fault_and_has_its_line: {name: case for name, (_, _, case) in OUTSIDE.items()}}

try:
    tap.run("local_arrays")
finally:
    shutil.rmtree(FOLDER, ignore_errors=True)
