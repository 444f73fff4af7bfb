#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Loops whose rounds are interleaved (docs/decisions/pipeline-interleaved.md) leave memory as the golden model does, bit for bit, with random memory latency and
back pressure: kernels that are written, and random ones. Of those that are written it is also told whether rounds are interleaved.

HEDDLE_FUZZ_SEED=17 runs one random kernel alone, and keeps what was made of it. Else there are 12, or 300 with HEDDLE_TEST_LONG; HEDDLE_PIPELINE_KERNELS and
HEDDLE_PIPELINE_SEED choose how many, and the first.
"""
import os
import random
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.dirname(HERE), HERE]
import tap
import pipelines

SEEDS = pipelines.Seeds("interleaved", few=12, many=300, batch=12)
PROGRAMS = pipelines.Programs(SEEDS.folder)
HEAD = ("__attribute__((reqd_work_group_size(1, 1, 1)))\n"
        "kernel void k(global const uint *restrict in, global uint *restrict out, global uint *both, uint n) {\n")

COLLATZ = "uint x = in[i & 255] % 1000 + 1, c = 0; while (x != 1 && c < 60) { x = x & 1 ? 3 * x + 1 : x >> 1; c++; }"
FOLLOW = "uint p = in[i & 255], c = 0; while ((p & 7) != 3 && c < 20) { p = in[p & 255] + c; c++; }"

WRITTEN = {
    "an_array_of_structures_of_each_round": "for (uint i = 0; i < n; i++) { struct { uint a, b; ushort c; } t[8]; uint x = in[i & 255], s = 0; for (uint k = 0; k < 8; k++) { t[k].a = x >> k; t[k].b = k; t[k].c = x; }\n"
        "for (uint k = 0; k < (x & 15); k++) { t[(s + k) & 7].a += s ^ k; t[x >> k & 7].b += 5; t[s & 7].c += k; s += t[k * 3 & 7].a + t[k & 7].b * 3 + t[(k + s) & 7].c; } out[i] = s; }",
    "rounds_of_an_inner_loop_that_are_long_and_short": "for (uint i = 0; i < n; i++) { " + COLLATZ + " out[i] = c; }",
    "a_list_in_memory_is_followed": "for (uint i = 0; i < n; i++) { " + FOLLOW + " out[i] = p ^ c; }",
    "a_search_in_a_table_of_its_own": "uint t[64]; for (uint k = 0; k < 64; k++) t[k] = k * k * n + (in[k] & 7);\n"
        "for (uint i = 0; i < n; i++) { uint x = in[i & 255] & 4095, lo = 0, hi = 64; while (lo < hi) { uint m = (lo + hi) / 2; if (t[m] < x) lo = m + 1; else hi = m; } out[i] = lo; }",
    "a_table_that_is_read_inside_and_outside": "uint t[32]; for (uint k = 0; k < 32; k++) t[k] = in[k] & 31;\n"
        "for (uint i = 0; i < n; i++) { uint x = t[i & 31], c = 0; while (x != 0 && c < 9) { x = t[x]; c++; } out[i] = c + t[(i + c) & 31]; }\nout[1000] = t[n & 31];",
    "sums_of_floats_of_each_round": "for (uint i = 0; i < n; i++) { float s = 0; uint e = in[i & 255] & 7; for (uint k = 0; k < e; k++) s += as_float(in[(i + k) & 255] & 0x3FFFFFFF); out[i] = as_uint(s); }",
    "newton": "for (uint i = 0; i < n; i++) { float a = as_float(in[i & 255] & 0x3FFFFFFF) + 1, x = a; for (uint k = 0; k < 6; k++) x = 0.5f * (x + a / x); out[i] = as_uint(x); }",
    "mandelbrot": "for (uint i = 0; i < n; i++) { float cr = (i & 15) * 0.2f - 2, ci = (i >> 4) * 0.1f - 1, a = 0, b = 0; uint k = 0;\n"
        "while (k < 20 && a * a + b * b < 4) { float t = a * a - b * b + cr; b = 2 * a * b + ci; a = t; k++; } out[i] = k; }",
    "three_loops": "for (uint y = 0; y < (n & 7); y++) for (uint i = 0; i < 20; i++) { " + FOLLOW + " out[y * 20 + i] = p + c; }",
    "two_loops_one_behind_another": "for (uint i = 0; i < n; i++) { " + FOLLOW + " " + COLLATZ.replace("c ", "d ").replace("c++", "d++").replace("c <", "d <") + " out[i] = p + c * d; }",
    "a_loop_in_a_loop_in_the_loop": "for (uint i = 0; i < n; i++) { uint s = 0; for (uint k = 0; k < (i & 3); k++) { uint x = in[(i + k) & 255]; while (x > 9) { x /= 3; s++; } s += x; } out[i] = s; }",
    "values_from_outside_are_the_work_items": "uint a = in[n & 255], b = in[7] % 5 + 2; uint m = a; while (m > 100) m /= b;\n"
        "for (uint i = 0; i < n; i++) { uint x = in[i & 255], c = m; while (x > a % 77 && c < 90) { x /= b; c += m & 3 | 1; } out[i] = c ^ x ^ a; }\nout[999] = a * m;",
    "loads_between_and_behind": "for (uint i = 0; i < n; i++) { " + FOLLOW + " uint q = in[(p ^ c) & 255]; out[i] = q + c; both[i] = in[q & 255]; }",
    "a_round_that_stores_now_and_then": "for (uint i = 0; i < n; i++) { " + FOLLOW + " if (p & 1) out[i] = c; if ((p & 6) == 4) both[i * 2] = p; }",
    "an_inner_loop_that_is_not_always_entered": "for (uint i = 0; i < n; i++) { uint c = i; if (in[i & 255] & 1) { " + FOLLOW.replace("c = 0", "e = 0").replace("+ c", "+ e").replace("c <", "e <").replace("c++", "e++") + " c += p; } out[i] = c; }",
    "a_counter_that_goes_down_by_three": "for (int i = n; i > 0; i -= 3) { " + FOLLOW + " out[i] = p; }",
    "what_the_counter_leaves": "uint i = 0; for (; i * i < n * 5; i++) { " + FOLLOW + " out[i] = p + c; } out[800] = i;",
    "two_loops_of_rounds": "for (uint i = 0; i < n; i++) { " + FOLLOW + " out[i] = p; }\nfor (uint i = 0; i < n; i++) { " + COLLATZ + " out[i + 400] = c; }",
    "one_loop_after_a_sum": "uint s = 0; for (uint i = 0; i < n; i++) s += in[i & 255]; for (uint i = 0; i < n; i++) { " + FOLLOW + " out[i] = p + s; }",
    "stores_that_are_known_to_be_apart": "for (uint i = 0; i < n; i++) { " + FOLLOW + " both[2 * i] = p; both[2 * i + 1] = c; }",
    "what_the_round_itself_has_stored": "for (uint i = 0; i < n; i++) { " + FOLLOW + " both[i] = p; uint q = both[i] & 255; while (q > 20) q -= 7; out[i] = q; }",
    "bytes": "global uchar *b = (global uchar *)out; for (uint i = 0; i < n; i++) { " + FOLLOW + " b[i] = p + c; }",
    "a_loop_that_ends_in_its_middle": "for (uint i = 0; i < n; i++) { uint x = in[i & 255], r = 99; for (uint k = 0; k < 12; k++) { if ((in[(x + k) & 255] & 15) == 5) { r = k; break; } } out[i] = r; }",
    "a_row_between_two_words_of_memory": "for (uint i = 0; i < n; i++) { uint s = 0; for (uint e = in[i & 255] & 63; e < (in[(i + 1) & 255] & 63); e++) s += in[e * 3 & 255] * e; out[i] = s; }",
    "the_end_of_a_row_is_the_beginning_of_the_next": "for (uint i = 0; i < n; i++) { uint s = 0; for (uint e = in[i] & 63; e < (in[i + 1] & 63); e++) s += in[e * 3 & 255] * e; out[i] = s; }",
    "rows_that_begin_at_the_fifth": "for (int i = 5; i < (int)n; i++) { uint s = 0; for (uint e = in[i] & 63; e < (in[i + 1] & 63); e++) s += in[e * 3 & 255] * e; out[i] = s; }",
    "rows_of_bytes_by_two": "global const uchar *b = (global const uchar *)in; for (uint i = 0; i < n; i += 2) { uint s = 0; for (uint e = b[i + 3] & 63; e < (b[i + 5] & 63); e++) s += in[e * 3 & 255] * e; out[i] = s; }",
    "an_array_of_each_round": "for (uint i = 0; i < n; i++) { uint t[8]; uint x = in[i & 255], s = 0; for (uint k = 0; k < 8; k++) t[k] = x >> k;\n"
        "for (uint k = 0; k < (x & 15); k++) { t[(s + k) & 7] += s ^ k; s += t[k * 3 & 7]; } out[i] = s; }",
    "a_stack_of_each_round": "for (uint i = 0; i < n; i++) { uint stack[16]; uint top = 0, s = 0; stack[top++] = in[i & 255] & 255;\n"
        "while (top != 0 && s < 40) { uint x = stack[--top]; s += 1 + (x & 3); if (x > 7 && top < 13) { stack[top++] = x >> 1; stack[top++] = in[x & 255] & 7; } } out[i] = s; }",
    "an_array_of_each_round_and_one_of_all": "uint all[16]; for (uint k = 0; k < 16; k++) all[k] = in[k] & 15; for (uint i = 0; i < n; i++) { uint own[16]; for (uint k = 0; k < 16; k++) own[k] = 0;\n"
        "uint x = in[i & 255]; while (x != 0) { own[all[x & 15]]++; x >>= 3; } uint best = 0; for (uint k = 0; k < 16; k++) best = max(best, own[k] * 16 + k); out[i] = best; }",
    "an_array_of_an_inner_round": "for (uint i = 0; i < n; i++) { uint s = 0; for (uint j = 0; j < (in[i & 255] & 3); j++) { uint t[8]; for (uint k = 0; k < 8; k++) t[k] = s + k * j;\n"
        "uint at = 0; for (uint k = 0; k < 5 + j; k++) { t[at] += 3; at = t[(at + k) & 7] & 7; } s += t[at] + at; } out[i] = s; }",
    "a_count_of_what_inner_loops_find": "uint c = 0; for (uint i = 0; i < n; i++) { uint p = in[i & 255], k = 0; while ((p & 7) != 3 && k < 20) { p = in[p & 255] + k; if (p & 1) c++; k++; } } out[0] = c;",
    "a_sum_inside_and_outside_of_inner_loops": "int s = 5; for (uint i = 0; i < n; i++) { uint p = in[i & 255], k = 0; s -= p & 15; while ((p & 7) != 3 && k < 20) { p = in[p & 255] + k; s += p >> 3; k++; } s += k; if (k > 9) s -= 100; } out[0] = s;",
    "a_sum_of_a_loop_in_a_loop_in_the_loop": "ulong s = n; for (uint i = 0; i < n; i++) for (uint j = 0; j < (in[i & 255] & 3); j++) { uint x = in[(i + j) & 255]; while (x > 9) { x /= 3; s += x; } s -= j; } out[0] = s; out[1] = s >> 32;",
    "sums_of_two_loops_behind_each_other": "uint s = 0; for (uint i = 0; i < n; i++) { uint p = in[i & 255], k = 0; while ((p & 7) != 3 && k < 20) { p = in[p & 255] + k; s += p; k++; } while (p > 5) { p >>= 2; s -= p; } } out[0] = s;",
    "ivdep_of_a_loop_is_of_accesses_in_loops_in_it": "\n#pragma ivdep\nfor (uint i = 0; i < n; i++) { uint x = in[i & 255]; for (uint k = 0; k <= (in[(i + 3) & 255] & 1); k++) { x = x * x + k; both[i * 2 + k] = x; } }",
    "rows_that_inner_loops_store": "for (uint i = 0; i < n; i++) { uint x = in[i & 255]; for (uint k = 0; k < 5; k++) { x = x * 3 + in[(x + k) & 255]; out[i * 5 + k] = x; } }",
    "rows_that_are_stored_where_they_were_loaded": "for (uint i = 0; i < (n & 63); i++) { uint x = i; for (uint k = 0; k < 8; k++) { x = x * 5 + both[i * 8 + k]; both[i * 8 + k] = x; } }",
    "what_a_row_has_stored_is_loaded_by_the_row": "for (uint i = 0; i < (n & 63); i++) for (uint j = 0; j < 8; j++) { uint x = in[(i * 8 + j) & 255]; for (uint k = 0; k < j; k++) x = x * 7 + both[i * 8 + k]; both[i * 8 + j] = x; }",
    "rows_of_a_size_that_the_kernel_is_given": "uint m = n & 7; for (uint i = 0; i < n; i++) { uint x = i; for (uint k = 0; k < m; k++) { x = x * 3 + in[(x + k) & 255]; out[i * m + k] = x; } }",
    "rows_of_a_size_by_ints_without_their_edges": "int m = n & 15; for (int i = 1; i < (int)(n & 63) - 1; i++) { uint x = i; for (int k = 1; k < m - 1; k++) { x = x * 3 + in[(x + k) & 255]; out[i * m + k] += x; } }",
    "rows_by_a_pointer_that_walks": "uint m = n & 7; for (uint i = 0; i < n; i++) { global uint *row = out + i * m; uint x = i; for (uint k = 0; k < m; k++) { x = x * 3 + in[(x + k) & 255]; *row++ = x; } }",
    "columns_that_inner_loops_store": "uint m = n & 15; for (uint c = 0; c < m; c++) { uint x = c; for (uint i = 0; i < (n & 31); i++) { x = x * 3 + in[(x + i) & 255]; out[i * m + c] = x; } }",
    "columns_of_rows_of_a_known_size": "for (uint c = 0; c < 12; c++) { uint x = c; for (uint i = 0; i < (n & 63); i++) { x = x * 3 + in[(x + i) & 255]; out[i * 12 + c] = x; } }",
    "words_of_a_row_that_the_data_chooses": "for (uint i = 0; i < (n & 63); i++) { uint x = in[i & 255]; for (uint k = 0; k < (x & 7); k++) { x = in[(x + k) & 255]; both[i * 8 + (x & 7)] = x + k; } }",
    "columns_of_rows_that_the_data_chooses": "for (uint c = 0; c < 4; c++) { uint x = in[c]; for (uint k = 0; k < (n & 15); k++) { x = in[(x + k) & 255]; out[(x & 127) * 4 + c] += x; } }",
    "columns_of_rows_of_four_that_the_data_chooses": "for (uint c = 0; c < 4; c++) { uint x = in[c]; for (uint k = 0; k < (n & 15); k++) { x = in[(x + k) & 255]; out[x % (n | 64) * 4 + c] += x; } }",
    "columns_of_any_number_of_rows_of_four": "for (uint c = 0; c < 4; c++) { uint x = c; for (uint i = 0; i < n; i++) { x = x * 3 + in[(x + i) & 255]; out[i * 4 + c] = x; } }",
    "rows_of_a_known_size_that_are_filled_in_part": "uint m = n & 15; for (uint i = 0; i < (n & 31); i++) { uint x = i; for (uint k = 0; k < m; k++) { x = x * 3 + in[(x + k) & 255]; both[i * 16 + k] += x; } }",
    "rows_that_end_early": "uint m = n & 7; for (uint i = 0; i < n; i++) { uint x = i; for (uint k = 0; k < m; k++) { x = x * 3 + in[(x + k) & 255]; out[i * m + k] = x; if ((x & 7) == 3) break; } }",
    "rows_of_what_is_found": "for (uint i = 0; i < (n & 63); i++) { uint c = 0, x = in[i & 255]; for (uint k = 0; k < 8; k++) { x = in[(x + k) & 255]; if (x & 1) both[i * 8 + c++] = x; } }",
    "rows_of_what_is_found_and_their_end": "for (uint i = 0; i < (n & 31); i++) { uint c = 0, x = in[i & 255]; for (uint k = 0; k < 8; k++) { x = in[(x + k) & 255]; if (x & 1) both[i * 9 + c++] = x; } both[i * 9 + c] = 77; }",
    "rows_of_one_or_two_words_a_round": "for (uint i = 0; i < (n & 31); i++) { global uint *p = out + i * 16; uint x = in[i & 255]; for (uint k = 0; k < 8; k++) { x = in[(x + k) & 255]; if (x & 1) *p++ = x; *p++ = ~x; } }",
    "rows_of_runs": "for (uint i = 0; i < (n & 15); i++) { uint at = i * 28; for (uint k = 0; k < 4; k++) { uint v = in[(i * 4 + k) & 255]; for (uint c = 0; c < (v & 7); c++) both[at++] = v >> 3; } }",
    "rows_of_a_size_that_are_filled_by_what_is_found": "uint m = n & 7; for (uint i = 0; i < n; i++) { uint c = 0, x = in[i & 255]; for (uint k = 0; k < m; k++) { x = in[(x + k) & 255]; while (x > 99) x = x / 7; if (x & 1) out[i * m + c++] = x; } }",
    "two_words_of_each_element_of_a_row": "uint m = n & 7; for (uint i = 0; i < (n & 63); i++) { uint x = i; for (uint k = 0; k < m; k++) { x = x * 3 + in[(x + k) & 255]; out[(i * m + k) * 2] = x; out[(i * m + k) * 2 + 1] = ~x; } }",
    "each_second_row": "uint m = n & 7; for (uint i = 0; i < (n & 63); i += 2) { uint x = i; for (uint k = 0; k < m; k++) { x = x * 3 + in[(x + k) & 255]; out[i * m + k] = x; out[i * m + k + m] += x; } }",
    "rows_of_bytes_that_are_stored": "global uchar *b = (global uchar *)out; uint m = n & 15; for (uint i = 0; i < n; i++) { uint x = i; for (uint k = 0; k < m; k++) { x = x * 3 + in[(x + k) & 255]; b[i * m + k] = x; } }",
    "rows_that_inner_loops_go_back_through": "int m = (n & 3) + 3; for (uint i = 0; i < (n & 63); i++) { uint x = i; for (int k = m - 1; k >= 0; k--) { x = x * 3 + in[(x + k) & 255]; out[i * m + k] = x; } }",
    "rows_that_a_count_goes_back_through": "uint m = (n & 3) + 3; for (uint i = 0; i < (n & 63); i++) { uint x = i, k = m; while (k--) { x = x * 3 + in[(x + k) & 255]; out[i * m + k] = x; } }",
    "rows_by_a_pointer_beside_a_count": "uint m = (n & 3) + 3; for (uint i = 0; i < (n & 63); i++) { global uint *row = out + i * m; uint x = i; for (uint k = m; k > 0; k--) { x = x * 3 + in[(x + k) & 255]; *row++ = x; } }",
    "rows_that_are_stored_from_their_end": "int m = (n & 3) + 3; for (uint i = 0; i < (n & 63); i++) { uint x = i; for (int k = 0; k < m; k++) { x = x * 3 + in[(x + k) & 255]; out[i * m + (m - 1 - k)] = x; } }",
    "columns_from_below": "for (uint c = 0; c < 12; c++) { uint x = c; for (int r = (int)(n & 31) - 2; r >= 0; r--) { x = in[(x + out[(r + 1) * 12 + c]) & 255]; out[r * 12 + c] += x; } }",
    "columns_of_a_size_from_below": "int m = (n & 7) + 3; for (int c = 0; c < m; c++) { uint x = c; for (int r = (int)(n & 31) - 2; r >= 0; r--) { x = in[(x + out[(r + 1) * m + c]) & 255]; out[r * m + c] += x; } }",
    "columns_of_which_a_row_takes_the_one_above": "int m = (n & 7) + 3; for (int c = 0; c < m; c++) for (int r = 1; r < (int)(n & 31); r++) out[r * m + c] += in[out[(r - 1) * m + c] & 255];",
    "words_of_which_the_load_alone_has_rows": "for (uint i = 0; i < 30; i++) { uint x = i; for (uint k = 1; k < 10; k++) x = in[(x + both[i + 32 * k]) & 255]; both[i] = x; }",
    "rows_of_a_triangle": "for (uint i = 0; i < (n & 31); i++) { uint x = i; for (uint k = 0; k <= i && k < 16; k++) { x = x * 3 + in[(x + k) & 255]; out[i * 16 + k] = x; } }",
    "systems_that_are_solved_from_below": "int m = in[3] & 7; for (int s = 0; s < (int)(n & 15); s++) for (int i = m - 1; i >= 0; i--) { uint x = in[(s * m + i) & 255];\n"
        "for (int k = i + 1; k < m; k++) x = x * 3 + both[s * m + k] * in[(i * m + k) & 255]; both[s * m + i] = x; }",
    "a_search_in_the_round_that_stores_in_the_middle": "for (uint i = 0; i < n; i++) { uint x = in[i & 255]; for (uint k = 0; k < 8; k++) if ((in[(x + k) & 255] & 7) == 3) { out[i * 2] = k; out[i * 2 + 1] = x; break; } }",
    "a_sum_of_all_rounds": "uint s = n; for (uint i = 0; i < n; i++) { " + FOLLOW + " s += p - c; } out[0] = s;",
    "how_many_are_found": "uint s = 0; for (uint i = 0; i < n; i++) { uint x = in[i & 255]; for (uint k = 0; k < 12; k++) if ((in[(x + k) & 255] & 15) == 5) { s++; break; } } out[1] = s;",
    "the_least_and_the_largest": "uint least = 5000; int most = -7; for (uint i = 0; i < n; i++) { " + FOLLOW + " least = min(least, p); most = max(most, (int)p); } out[2] = least; out[3] = most;",
    "bits_of_all_rounds": "uint x = 0, o = n, a = ~0u; for (uint i = 0; i < n; i++) { " + FOLLOW + " x ^= p; o |= c; a &= p | 15; out[i] = p; } out[900] = x; out[901] = o; out[902] = a;",
    "a_sum_of_some_rounds": "uint s = 3; for (uint i = 0; i < n; i++) { " + FOLLOW + " if (p & 2) s += c + 5; s -= p & 3; if (c > 4) { s += 9; if (p & 4) s -= c; } } out[0] = s;",
    "a_sum_of_64_bits": "ulong s = 0; for (uint i = 0; i < n; i++) { " + FOLLOW + " s += (ulong)p * (c + 7); } out[0] = s; out[1] = s >> 32;",
    "a_sum_that_goes_on": "uint s = 1; for (uint y = 0; y < (n & 3); y++) { for (uint i = 0; i < n; i++) { " + FOLLOW + " s += p; } out[y] = s; } out[9] = s;",
    "the_least_distance_of_floats_by_bits": "uint best = ~0u; for (uint i = 0; i < n; i++) { float d = 1; for (uint k = 0; k < (in[i & 255] & 7) + 1; k++) { float q = as_float(in[(i + k) & 255] & 0x3FFFFFFF); d += q * q; } best = min(best, as_uint(d)); } out[0] = best;",
}

# Rounds that need each other stay in their order.
IN_ORDER = {
    "a_hash_of_all_rounds": "uint s = 0; for (uint i = 0; i < n; i++) { " + FOLLOW + " s = s * 3 + p; } out[0] = s;",
    "a_sum_that_rounds_store": "uint s = 0; for (uint i = 0; i < n; i++) { " + FOLLOW + " s += p; out[i] = s; }",
    "a_sum_and_its_double": "uint s = 1; for (uint i = 0; i < n; i++) { " + FOLLOW + " s = s + (s & p); } out[0] = s;",
    "a_sum_and_bits": "uint s = 1; for (uint i = 0; i < n; i++) { " + FOLLOW + " s = (s + p) ^ c; } out[0] = s;",
    "what_is_taken_from_the_total": "uint s = 1; for (uint i = 0; i < n; i++) { " + FOLLOW + " s = p - s; } out[0] = s;",
    "the_least_and_then_the_largest": "uint s = 100; for (uint i = 0; i < n; i++) { " + FOLLOW + " s = max(min(s, p), c); } out[0] = s;",
    "the_place_of_the_least": "uint s = ~0u, at = 0; for (uint i = 0; i < n; i++) { " + FOLLOW + " if (p < s) { s = p; at = i; } } out[0] = s; out[1] = at;",
    "a_sum_of_floats": "float s = 0; for (uint i = 0; i < n; i++) { " + FOLLOW + " s += (float)(p & 255); } out[0] = as_uint(s);",
    "a_sum_that_saturates": "uint s = 0; for (uint i = 0; i < n; i++) { " + FOLLOW + " s = add_sat(s, p); } out[0] = s;",
    "a_sum_that_a_round_begins_with": "uint s = 0; for (uint i = 0; i < n; i++) { uint p = in[i & 255] + s, c = 0; while ((p & 7) != 3 && c < 20) { p = in[p & 255] + c; c++; } s += p; } out[0] = s;",
    "an_inner_loop_says_whether_rounds_go_on": "for (uint i = 0; i < n; i++) { " + FOLLOW + " out[i] = p; if (c == 7) break; }",
    "what_the_round_before_stored": "for (uint i = 0; i < n; i++) { uint p = both[i], c = 0; while ((p & 7) != 3 && c < 9) { p = in[p & 255]; c++; } both[i + 1] = p; }",
    "what_a_round_long_before_stored": "for (uint i = 0; i < n; i++) { uint p = both[i], c = 0; while ((p & 7) != 3 && c < 9) { p = in[p & 255]; c++; } both[i + 190] = p; }",
    "rows_whose_ends_are_stored": "uint row = both[0]; for (uint i = 0; i < n; i++) { uint next = both[i + 1], s = 0; both[i + 1] = 7; for (uint e = row & 15; e < (next & 15); e++) s += in[e * 3 & 255] * e; out[i] = s; row = next; }",
    "stores_that_meet_300_rounds_later": "for (uint i = 0; i < n; i++) { " + FOLLOW + " out[i] = p; out[i + 300] = c; }",
    "stores_to_one_place": "for (uint i = 0; i < n; i++) { " + FOLLOW + " out[i >> 1] = p; }",
    "stores_that_the_data_places": "for (uint i = 0; i < n; i++) { " + FOLLOW + " out[p & 255] = i; }",
    "stores_in_the_inner_loop": "for (uint i = 0; i < n; i++) { uint p = in[i & 255], c = 0; while ((p & 7) != 3 && c < 20) { p = in[p & 255] + c; out[c] = p; c++; } }",
    "ivdep_of_a_loop_is_not_of_loops_around_it": "for (uint i = 0; i < (n & 15); i++) {\n#pragma ivdep\nfor (uint k = 0; k < (in[i & 255] & 31); k++) both[k] = both[k] * 3 + in[(i + k) & 255]; }",
    "rows_that_share_a_word": "for (uint i = 0; i < n; i++) { uint x = in[i & 255]; for (uint k = 0; k < 5; k++) { x = x * 3 + in[(x + k) & 255]; out[i * 4 + k] = x; } }",
    "rows_of_a_size_that_share_a_word": "uint m = n & 7; for (uint i = 0; i < n; i++) { uint x = i; for (uint k = 0; k <= m; k++) { x = x * 3 + in[(x + k) & 255]; out[i * m + k] = x; } }",
    "rows_of_a_known_size_that_may_be_too_short": "uint m = n & 15; for (uint i = 0; i < (n & 31); i++) { uint x = i; for (uint k = 0; k < m; k++) { x = x * 3 + in[(x + k) & 255]; both[i * 14 + k] += x; } }",
    "rows_that_end_early_or_late": "uint m = n & 7; for (uint i = 0; i < (n & 63); i++) { uint x = i; for (uint k = 0; k < m + 1; k++) { x = x * 3 + in[(x + k) & 255]; out[i * m + k] = x; if ((x & 7) == 3) break; } }",
    "rows_of_what_is_found_and_their_end_beyond": "for (uint i = 0; i < (n & 31); i++) { uint c = 0, x = in[i & 255]; for (uint k = 0; k < 8; k++) { x = in[(x + k) & 255]; if (x & 1) both[i * 8 + c++] = x; } both[i * 8 + c] = 77; }",
    "rows_of_one_or_two_words_a_round_that_share_one": "for (uint i = 0; i < (n & 31); i++) { global uint *p = out + i * 15; uint x = in[i & 255]; for (uint k = 0; k < 8; k++) { x = in[(x + k) & 255]; if (x & 1) *p++ = x; *p++ = ~x; } }",
    "rows_of_runs_that_may_be_too_long": "for (uint i = 0; i < (n & 15); i++) { uint at = i * 27; for (uint k = 0; k < 4; k++) { uint v = in[(i * 4 + k) & 255]; for (uint c = 0; c < (v & 7); c++) both[at++] = v >> 3; } }",
    "a_counter_that_goes_back_now_and_then": "for (uint i = 0; i < (n & 31); i++) { uint c = 0, x = in[i & 255]; for (uint k = 0; k < 8; k++) { x = in[(x + k) & 255]; if (x & 1) c--; else c++; both[64 + i * 8 + (int)c] = x; } }",
    "rows_of_another_size": "uint m = n & 7, o = n >> 1 & 7; for (uint i = 0; i < (n & 63); i++) { uint x = i; for (uint k = 0; k < o; k++) { x = x * 3 + in[(x + k) & 255]; out[i * m + k] = x; } }",
    "rows_that_may_have_no_size": "uint m = n & 7; for (uint i = 0; i < (n & 63); i++) { uint x = i, k = 0; do { x = x * 3 + in[(x + k) & 255]; out[i * m + k] = x; } while (++k < m); }",
    "rows_that_begin_a_word_behind_their_end": "uint m = n & 7; for (uint i = 0; i < (n & 63); i++) { uint x = i; for (uint k = 0; k < m; k++) { x = in[(x + both[i * m + k + 1]) & 255]; both[i * m + k] = x; } }",
    "the_row_above": "uint m = (n & 7) + 1; for (uint i = 1; i < (n & 31); i++) { uint x = i; for (uint k = 0; k < m; k++) { x = x * 3 + both[(i - 1) * m + k]; both[i * m + k] = x; } }",
    "the_row_three_rows_above": "uint m = (n & 7) + 1; for (uint i = 3; i < (n & 31); i++) { uint x = i; for (uint k = 0; k < m; k++) { x = x * 3 + both[i * m + k - m * 3]; both[i * m + k] = x; } }",
    "columns_of_a_row_that_is_too_short": "for (uint c = 0; c < 13; c++) { uint x = c; for (uint i = 0; i < (n & 63); i++) { x = x * 3 + in[(x + i) & 255]; out[i * 12 + c] = x; } }",
    "columns_of_rows_of_another_size": "uint m = n & 7, o = n >> 1 & 7; for (uint c = 0; c < o; c++) { uint x = c; for (uint i = 0; i < (n & 31); i++) { x = x * 3 + in[(x + i) & 255]; out[i * m + c] = x; } }",
    "words_that_the_data_chooses_beyond_the_row": "for (uint i = 0; i < (n & 31); i++) { uint x = in[i & 255]; for (uint k = 0; k < (x & 7); k++) { x = in[(x + k) & 255]; both[i * 8 + (x & 15)] = x + k; } }",
    "columns_of_three_that_the_data_chooses": "for (uint c = 0; c < 3; c++) { uint x = in[c]; for (uint k = 0; k < (n & 15); k++) { x = in[(x + k) & 255]; out[x % (n | 64) * 3 + c] += x; } }",
    "a_column_of_four_and_one_beside_it": "for (uint c = 0; c < 4; c++) { uint x = in[c]; for (uint k = 0; k < (n & 15); k++) { x = in[(x + k) & 255]; out[(x & 127) * 4 + c + 1] += x; out[(x >> 3 & 63) * 4 + c] = x; } }",
    "an_index_of_bits_that_meet": "for (uint c = 0; c < 12; c++) { uint x = in[c]; for (uint i = 0; i < (n & 63); i++) { x = x * 3 + in[(x + i) & 255]; out[c | i * 12] = x; } }",
    "a_counter_that_two_loops_walk": "uint m = n & 7; for (uint i = 0; i < (n & 31); i++) { uint x = i; for (uint j = 0; j < m; j++) for (uint k = 0; k < m; k++) { x = x * 3 + in[(x + k) & 255]; out[i * m + j + k] = x; } }",
    "a_pointer_that_walks_on": "global uint *at = out; for (uint i = 0; i < n; i++) { uint x = in[i & 255]; for (uint k = 0; k < (x & 3); k++) { x = in[(x + k) & 255]; *at++ = x; } }",
    "a_pointer_of_either_of_two": "global uint *at = n & 1 ? out : both; for (uint i = 0; i < (n & 63); i++) { uint x = both[i * 8]; for (uint k = 0; k < 4; k++) { x = x * 3 + in[(x + k) & 255]; at[i * 4 + k] = x; } }",
    "rows_and_the_word_behind_that_inner_loops_go_back_through": "int m = (n & 3) + 3; for (uint i = 0; i < (n & 63); i++) { uint x = i; for (int k = m; k >= 0; k--) { x = x * 3 + in[(x + k) & 255]; out[i * m + k] = x; } }",
    "rows_that_may_have_no_size_and_go_back": "int m = n & 3; for (uint i = 0; i < (n & 63); i++) { uint x = i; int k = m - 1; do { x = x * 3 + in[(x + k) & 255]; both[64 + i * m + k] = x; } while (--k >= 0); }",
    "rows_that_a_count_goes_back_through_by_a_word_too_many": "uint m = (n & 3) + 3; for (uint i = 0; i < (n & 63); i++) { uint x = i, k = m + 1; while (k--) { x = x * 3 + in[(x + k) & 255]; out[i * m + k] = x; } }",
    "rows_by_a_pointer_beside_a_count_that_is_one_more": "uint m = (n & 3) + 3; for (uint i = 0; i < (n & 63); i++) { global uint *row = out + i * m; uint x = i; for (int k = m; k >= 0; k--) { x = x * 3 + in[(x + k) & 255]; *row++ = x; } }",
    "rows_that_are_stored_from_the_next_ones_first": "int m = (n & 3) + 3; for (uint i = 0; i < (n & 63); i++) { uint x = i; for (int k = 0; k < m; k++) { x = x * 3 + in[(x + k) & 255]; out[i * m + (m - k)] = x; if (k == 0) out[i * m] ^= x; } }",
    "columns_from_below_and_beside": "for (uint c = 0; c < 12; c++) { uint x = c; for (int r = (int)(n & 31) - 2; r >= 0; r--) { x = in[(x + out[(r + 1) * 12 + c + 1]) & 255]; out[r * 12 + c] += x; } }",
    "columns_of_a_size_from_below_and_beside": "int m = (n & 7) + 3; for (int c = 0; c < m; c++) { uint x = c; for (int r = (int)(n & 31) - 2; r >= 0; r--) { x = in[(x + out[(r + 1) * m + c + 1]) & 255]; out[r * m + c] += x; } }",
    "rows_of_a_triangle_that_is_too_wide": "for (uint i = 0; i < (n & 31); i++) { uint x = i; for (uint k = 0; k <= i && k < 17; k++) { x = x * 3 + in[(x + k) & 255]; out[i * 16 + k] = x; } }",
    "systems_that_take_a_word_of_the_next_one": "int m = in[3] & 7; for (int s = 0; s < (int)(n & 15); s++) for (int i = m - 1; i >= 0; i--) { uint x = in[(s * m + i) & 255];\n"
        "for (int k = i + 1; k <= m; k++) x = x * 3 + both[s * m + k] * in[(i * m + k) & 255]; both[s * m + i] = x; }",
    "rows_that_begin_before_their_first": "int m = (n & 7) + 2; for (int s = 0; s < (int)(n & 15); s++) for (int i = 0; i < m; i++) { uint x = in[(s * m + i) & 255];\n"
        "for (int k = i - 1; k < m; k++) x = x * 3 + both[64 + s * m + k]; both[64 + s * m + i] = x; }",
    "a_row_that_begins_where_the_data_says": "int m = (n & 7) + 2; for (int s = 0; s < (int)(n & 15); s++) { uint x = s; for (int k = (int)in[s] >> 28; k < m; k++) { x = x * 3 + both[64 + s * m + k]; both[64 + s * m + k] = x; } }",
    "columns_that_only_the_load_has_rows_of": "for (uint i = 0; i < 30; i++) { uint x = i; for (uint j = 0; j < (n & 1) + 1; j++) { for (uint k = 1; k < 10; k++) x = in[(x + both[i + 32 * k]) & 255]; both[i + 300 * j] = x; } }",
    "a_sum_that_an_inner_loop_looks_at": "uint s = 0; for (uint i = 0; i < n; i++) { uint p = in[i & 255], k = 0; while ((p & 7) != 3 && k < 20) { p = in[p & 255] + k; s += p; if (s & 1) k++; k++; } } out[0] = s;",
    "a_sum_that_begins_anew": "uint s = 0; for (uint i = 0; i < n; i++) { uint p = in[i & 255], k = 0; if (p & 16) s = 0; while ((p & 7) != 3 && k < 20) { p = in[p & 255] + k; s += p; k++; } } out[0] = s;",
    "a_sum_that_an_inner_loop_doubles": "uint s = 1; for (uint i = 0; i < n; i++) { uint p = in[i & 255], k = 0; while ((p & 7) != 3 && k < 20) { p = in[p & 255] + k; s += s + p; k++; } } out[0] = s;",
    "a_sum_that_is_stored_in_each_round": "uint s = 1; for (uint i = 0; i < n; i++) { uint p = in[i & 255], k = 0; while ((p & 7) != 3 && k < 20) { p = in[p & 255] + k; s += p; k++; } out[i] = s; } out[900] = s;",
    "what_the_next_round_takes_beside_a_total": "uint s = 0, before = n; for (uint i = 0; i < n; i++) { " + FOLLOW + " uint q = (p >> 3) + c; out[i] = before; s += q; before = q; } out[900] = s;",
    "what_the_last_round_leaves_beside_a_total": "uint s = 0, last = 3; for (uint i = 0; i < n; i++) { " + FOLLOW + " uint q = (p >> 3) + c; s += q; last = q; out[i] = c; } out[900] = s; out[901] = last;",
    "what_was_there_before_the_last_sum": "uint s = 0, last = 3; for (uint i = 0; i < n; i++) { " + FOLLOW + " last = s; s += p; } out[900] = s; out[901] = last;",
    "an_array_that_rounds_of_two_loops_share": "for (uint i = 0; i < (n & 15); i++) { uint t[16]; for (uint k = 0; k < 16; k++) t[k] = both[k + i]; uint s = 0;\n"
        "for (uint k = 0; k < n; k++) { s += t[k & 15]; t[in[k & 255] & 15] = s; } both[i & 3] = s + t[3]; }",
    "an_array_that_rounds_set": "uint l[64]; for (uint k = 0; k < 64; k++) l[k] = k; for (uint i = 0; i < n; i++) { " + FOLLOW + " l[p & 63] += c; } for (uint k = 0; k < 64; k++) out[k] = l[k];",
    "what_the_last_round_leaves": "uint last = 5; for (uint i = 0; i < n; i++) { " + FOLLOW + " out[i] = p; last = c; } out[900] = last;",
}


# Line of the source, reason, and the body: one round has an index or an address that is none.
OUTSIDE = {
    "an_index_of_an_array": (4, 5, "uint t[16]; for (uint k = 0; k < 16; k++) t[k] = in[k] & 15;\n"
        "for (uint i = 0; i < n; i++) { uint x = i == 30 ? 9000000 : in[i & 255] & 15, c = 0; while (c < 9) { x = t[x]; c += 1 + (x & 1); } out[i] = c; }"),
    "an_address_of_no_buffer": (4, 4, "\nfor (uint i = 0; i < n; i++) { uint p = in[i & 255], c = 0; while ((p & 7) != 3 && c < 20) { p = in[i == 30 ? 0x20000000 : p & 255] + c; c++; } out[i] = p; }"),
}


class Random:
    """A loop of rounds that do not need each other, with loops in it."""

    def __init__(self, seed):
        self.r = random.Random(f"interleaved {seed}")
        self.slots = self.r.choice((16, 16, 32, 64))
        self.counters = 0
        text = "uint t[32]; for (uint k = 0; k < 32; k++) t[k] = in[k] ^ k * n;\n" if self.r.random() < 0.5 else ""
        self.table = bool(text)
        text += "uint base = in[n & 255] & 1023;\n"
        self.total = self.r.choice(("", "+=", "-=", "^=", "|=", "&="))
        if self.total:
            text += "uint total = n * 77;\n"
        if self.r.random() < 0.3:
            text += "while (base > 40) base -= base >> 2;\n"
        step = self.r.choice((1, 1, 2, 3))
        head = self.r.choice((f"for (uint i = 0; i < n; i += {step})", f"for (int i = (int)n - 1; i >= 0; i -= {step})"))
        self.values = ["i", "base", "n"]
        begin = f"uint a = {self.loaded()}, b = {self.expression()};"
        self.own = self.r.random() < 0.4
        self.stores = self.r.random() < 0.5
        if self.own:
            begin += f"\nuint own[8]; for (uint k = 0; k < 8; k++) own[k] = a + k * {self.r.choice(('b', 'i', '3'))};"
        body = "".join(self.statement(0) for _ in range(self.r.randrange(2, 5)))
        text += f"{head} {{ {begin}\n{body}out[i] = a ^ b * 3;{self.more()} }}\n"
        if self.r.random() < 0.3:
            text += "out[1001] = base;\n"
        if self.total:
            text += "out[1002] = total;\n"
        self.source = HEAD + text + "}\n"

    def more(self):
        return self.r.choice(("", " both[i * 2] = a;", " if (a & 4) both[i] = b;", " both[i + 9] = in[(a + b) & 255];"))

    def loaded(self):
        return self.r.choice(("in[i & 255]", "in[(i * 7 + base) & 255]", "in[in[i & 255] & 255]") + (("t[i & 31]",) if self.table else ()))

    def expression(self):
        value = lambda: self.r.choice(self.values)
        return self.r.choice((f"{value()} + {value()}", f"{value()} * {self.r.randrange(1, 99)}", f"{value()} ^ {value()} >> {self.r.randrange(1, 9)}",
                              f"as_uint(as_float({value()} & 0x3FFFFFFF) * 1.5f + 2.0f)", self.loaded()))

    def statement(self, depth):
        target = self.r.choice("ab")
        if depth < 2 and self.r.random() < 0.5:
            return self.loop(depth)
        self.values = [*self.values[:3], "a", "b"]
        kind = self.r.randrange(8)
        if kind >= 6 and self.total:
            return f"total {self.total} {self.expression()};\n"
        if kind == 4 and self.own:
            return f"own[{self.r.choice('ab')} & 7] = {self.expression()};\n"
        if kind == 5 and self.own:
            return f"{target} += own[({self.r.choice('ab')} + {self.r.randrange(8)}) & 7];\n"
        if kind == 0:
            return f"{target} = in[({self.r.choice('ab')} + {self.r.randrange(9)}) & 255];\n"
        if kind == 1 and self.table:
            return f"{target} ^= t[{self.r.choice('ab')} & 31];\n"
        if kind == 2:
            return f"if ({self.r.choice('ab')} & {1 << self.r.randrange(4)}) {{ {self.statement(2)} }}\n"
        return f"{target} = {self.expression()};\n"

    def loop(self, depth):
        self.counters += 1
        c = f"c{self.counters}"
        self.values = [*self.values[:3], "a", "b"]
        body = "".join(self.statement(depth + 1) for _ in range(self.r.randrange(1, 3)))
        most = self.r.choice(("(a & 7)", "(b & 3)", "5", "(i & 3)"))
        if self.stores and self.r.random() < 0.6:
            index = self.r.choice((f"({c} & 1)", "(a & 1)", f"min({c}, 1u)", "(b >> 31)", "1", f"{c}"))
            where = self.r.choice((f"both[i * 2 + {index}]", f"out[i * 3 + 401 + {index}]", f"both[min(i * 2 + {index}, 511u)]"))
            body += self.r.choice((f"{where} = a ^ {c};\n", f"{where} += b;\n", f"if (b & 1) {where} = a;\n"))
        end = self.r.choice(("", f" if ((a & 31) == {self.r.randrange(32)}) break;"))
        return f"{{ uint m{self.counters} = {most}; for (uint {c} = 0; {c} < m{self.counters}; {c}++) {{ {body}a += b ^ {c};{end} }} }}\n"


def compare(program, name, seed):
    PROGRAMS.compare_loops(program, name, seed, (0, 1, 2, 40, 200))


def of_cases(test, cases):
    chosen = {name: body for name, body in cases.items() if tap.is_chosen(f"{test.__name__}[{name}]")}
    return PROGRAMS.verilated({name: (HEAD + body + "\n}\n", 1, 16) for name, body in chosen.items()})


if not SEEDS.is_alone:
    @tap.test_for(**{name: name for name in WRITTEN})
    def rounds_that_end_in_any_order_leave_what_the_model_leaves(name):
        program = of_cases(rounds_that_end_in_any_order_leave_what_the_model_leaves, WRITTEN)
        tap.expect(2 if name == "two_loops_of_rounds" else 1, PROGRAMS.interleaved(name), "loops whose rounds are interleaved")
        compare(program, name, 1)

    @tap.test_for(**{name: name for name in IN_ORDER})
    def rounds_that_need_each_other_stay_in_their_order(name):
        program = of_cases(rounds_that_need_each_other_stay_in_their_order, IN_ORDER)
        tap.expect(0, PROGRAMS.interleaved(name), "loops whose rounds are interleaved")
        compare(program, name, 1)


    @tap.test_for(**{name: name for name in OUTSIDE})
    def an_index_or_address_that_is_none_in_one_of_many_rounds_is_a_fault_with_its_line(name):
        program = of_cases(an_index_or_address_that_is_none_in_one_of_many_rounds_is_a_fault_with_its_line, {name: case[2] for name, case in OUTSIDE.items()})
        tap.expect(1, PROGRAMS.interleaved(name), "loops whose rounds are interleaved")
        line, reason, _ = OUTSIDE[name]
        pipelines.expect_fault(PROGRAMS.dispatch_loop(program, name, 1, 40), PROGRAMS.kernel(name), reason, line)


interleaved = []


@tap.test_for(**{f"seed {seed}": seed for seed in SEEDS.all})
def a_random_nest_is_what_the_model_makes_of_it(seed):
    def arguments_of(one):
        kernel = Random(one)
        return kernel.source, 1, kernel.slots

    def check(program, name):
        interleaved.append(PROGRAMS.interleaved(name))
        compare(program, name, seed)

    pipelines.run_random(SEEDS, PROGRAMS, seed, arguments_of, check)


if not SEEDS.is_alone:
    @tap.test
    def rounds_of_many_random_nests_are_interleaved():
        count = len(SEEDS.all)
        print(f"# of {count} kernels {sum(map(bool, interleaved))} have a loop whose rounds are interleaved")
        if sum(map(bool, interleaved)) * 3 < count:
            raise AssertionError(f"of {count} kernels only {sum(map(bool, interleaved))} have a loop whose rounds are interleaved")

try:
    tap.run("interleaved")
finally:
    SEEDS.end()
