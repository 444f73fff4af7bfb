#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Loops whose rounds overlap (docs/decisions/pipeline-rounds.md) leave memory as the golden model does, bit for bit, with random memory latency and back
pressure: kernels that are written, and random ones. Of those that are written it is also told how far rounds are apart, or why they do not overlap.

HEDDLE_FUZZ_SEED=17 runs one random kernel alone, and keeps what was made of it. Else there are 16, or 400 with HEDDLE_TEST_LONG; HEDDLE_PIPELINE_KERNELS and
HEDDLE_PIPELINE_SEED choose how many, and the first.
"""
import os
import random
import re
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.dirname(HERE), HERE]
import tap
import pipelines

SEEDS = pipelines.Seeds("rounds", few=16, many=400, batch=16)
PROGRAMS = pipelines.Programs(SEEDS.folder)
TASK = "kernel void k(global const uint *restrict in, global uint *restrict out, global uint *both, uint n) {\n"
HEAD = "__attribute__((reqd_work_group_size(1, 1, 1)))\n" + TASK

# So many sums take turns, as rounds of one would have to wait for each other.
PARTIAL_SUMS = ("float w[{0}]; for (uint k = 0; k < {0}; k++) w[k] = k; for (uint i = 0; i < n; i++) {{\n"
                "float x = w[0] + as_float(in[i & 255] & 0x3FFFFFFF); for (uint k = 0; k < {1}; k++) w[k] = w[k + 1]; w[{1}] = x; }}\n"
                "float s = 0; for (uint k = 0; k < {0}; k++) {{ s += w[k]; out[k] = as_uint(w[k]); }} out[200] = as_uint(s);")

# Name: cycles from a round to the next, of all loops or of each that overlaps, or None; the body. `in` and `out` are restrict, `both` is not.
WRITTEN = {
    "a_stack_of_structures": (None, "typedef struct { uchar n, from, to, via, state; } frame; frame st[12]; int top = 0; uint moves = 0; st[0] = (frame){n & 7, 0, 1, 2, 0};\n"
        "while (top >= 0) { frame f = st[top]; if (f.n == 0) { top--; continue; }\n"
        "if (f.state == 0) { st[top].state = 1; st[++top] = (frame){f.n - 1, f.from, f.via, f.to, 0}; }\n"
        "else if (f.state == 1) { out[moves & 1023] = f.from << 4 | f.to; moves++; st[top].state = 2; st[++top] = (frame){f.n - 1, f.via, f.to, f.from, 0}; } else top--; } both[0] = moves;"),
    "structures_of_fields_of_several_sizes": ((1, 2), "struct { uchar a; ushort b; uint c; ulong d; } t[10]; for (uint i = 0; i < 10; i++) { t[i].a = i; t[i].b = n; t[i].c = i * n; t[i].d = 7; }\n"
        "for (uint i = 0; i < n; i++) { uint x = in[i & 255], j = x % 10, k = (x >> 4) % 10; out[i] = t[k].a + t[k].b * 3 + t[k].c + (uint)(t[k].d >> 7); t[j].a = x; t[j].b += x; t[j].c ^= x; t[j].d = (ulong)x * n; }"),
    "rows_whose_elements_are_named_by_number": ((1, 2), "uint m[9][5]; for (uint i = 0; i < 9; i++) { m[i][0] = i; m[i][1] = n; m[i][2] = i * n; m[i][3] = 3; m[i][4] = in[i]; }\n"
        "for (uint i = 0; i < n; i++) { uint x = in[i & 255], r = x % 9; out[i] = m[r][0] ^ m[r][1] * 3 ^ m[r][2] * 5 ^ m[r][3] * 7 ^ m[r][4] * 9; uint w = i % 9; m[w][0] = x; m[w][1] = x + 1; m[w][2] = x + 2; m[w][3] = x + 3; m[w][4] = x + 4; }"),
    "structures_before_and_behind": ((1, 3), "struct { uint a, b, c; } t[16]; for (int i = 0; i < 16; i++) { t[i].a = i; t[i].b = i * 3; t[i].c = n; }\n"
        "for (int i = 1; i < (int)n; i++) { int j = i % 14 + 1; uint x = t[j - 1].b + t[j + 1].c * 3 + t[j].a; out[i] = x; t[j + 1].a = x; t[j - 1].c = in[i & 255]; t[j].b = x ^ i; }"),
    "an_array_of_three_times_an_index": ((1, 2), "uint t[48]; for (int i = 0; i < 16; i++) { t[i * 3] = i; t[i * 3 + 1] = i * n; t[i * 3 + 2] = n; }\n"
        "for (uint i = 0; i < n; i++) { uint x = in[i & 255], j = x & 15; out[i] = t[j * 3] + t[j * 3 + 1] * 3 + t[j * 3 + 2] * 5; uint w = i & 15; t[w * 3] = x; t[w * 3 + 1] = x ^ n; t[w * 3 + 2] = x + n; }"),
    "an_array_of_an_index_whose_lowest_bits_are_none": ((1, 5), "uint t[32]; for (uint i = 0; i < 32; i += 4) { t[i] = i; t[i + 1] = n; t[i + 2] = i * n; t[i + 3] = 5; }\n"
        "for (uint i = 0; i < n; i++) { uint x = in[i & 255], j = x & 28; x += t[j] + t[j | 1] * 3 + t[j + 2] * 5 + t[j | 3] * 7; out[i] = x; t[j | 1] = x; t[(x & 0x1C) + 3] = i; t[(x >> 7 & 7) * 4] ^= x; }"),
    "an_array_whose_index_wraps_around": ((1, 1), "uint t[36]; for (uint i = 0; i < 12; i++) { t[i * 3] = i; t[i * 3 + 1] = i * n; t[i * 3 + 2] = n; }\n"
        "for (uint i = 0; i < n; i++) { uint x = in[i & 255], q = x % 36 * 0xAAAAAAABu ^ n >> 20, w = i % 12; x ^= t[q * 3] * 5; out[i] = x; t[w * 3] += x; t[w * 3 + 1] = x; t[w * 3 + 2] ^= i; }"),
    "an_array_that_an_unrolled_loop_walks": ((1, 5), "uint t[64];\n#pragma unroll 8\nfor (uint i = 0; i < 64; i++) t[i] = in[i] * n;\nuint s = 0;\n"
        "#pragma unroll 8\nfor (uint i = 0; i < 64; i++) s = s * 3 ^ t[i]; out[0] = s;"),
    "fields_beside_some_that_are_accessed_together": (None, "union { struct { ushort a, b; uint c, d; } f; ulong w; } t[8]; for (uint i = 0; i < 8; i++) { t[i].w = i * n; t[i].f.d = i; }\n"
        "for (uint i = 0; i < n; i++) { uint x = in[i & 255], j = x & 7; t[j].f.a = x; t[j].f.c += t[j].f.b; t[x >> 3 & 7].f.d ^= i; out[i] = (uint)(t[j].w >> 13) + t[x >> 5 & 7].f.d; }"),
    "a_sum_of_integers": (1, "uint s = n; for (uint i = 0; i < n; i++) s += in[i & 255]; out[0] = s;"),
    "a_store_a_round": (1, "for (uint i = 0; i < n; i++) out[i] = in[i & 255] * 3 + i;"),
    "words_that_are_passed_on": (1, "uint a = 1, b = 2, c = 3; for (uint i = 0; i < n; i++) { c = b; b = a; a = in[i & 255]; out[i] = a * 3 + b * 5 - c; }"),
    "a_sum_of_floats_in_its_order": (7, "float s = 0; for (uint i = 0; i < n; i++) s += as_float(in[i & 255] & 0x3FFFFFFF); out[0] = as_uint(s);"),
    "a_check_sum_modulo_a_prime": (1, "uint a = 1, b = 0; for (uint i = 0; i < n; i++) { a = (a + (in[i & 255] & 255)) % 65521; b = (b + a) % 65521; out[i] = b << 16 | a; }"),
    "a_check_sum_of_two_bytes_a_round": (2, "uint a = 1, b = 0; for (uint i = 0; i < n; i++) { uint x = in[i & 255] & 255, y = in[i & 255] >> 8 & 255;\n"
        "b = (b + a + a + x + x + y) % 65521; a = (a + x + y) % 65521; out[i] = b << 16 | a; }"),
    "quotients_of_what_is_small": (1, "uint r = n % 1000; for (uint i = 0; i < n; i++) { uint x = in[i & 255], a = x % 1000, b = (x >> 10) % 1000; ulong c = x % 1000, d = b;\n"
        "uint all = (a + b) / 1000 + (a + b) % 1000 * 2 + (a + b + b) / 1000 * 3 + (a + b + b) % 1000 * 5 + (a + b + b + b) / 1000 * 7 + (a + b + b + b) % 1000 * 11;\n"
        "all += (x & 4095) / 1365 * 13 + (x & 4095) % 1365 * 17 + (x & 255) / 100 * 19 + (x & 255) % 64 + (x >> 28) % 5 * 23 + (x >> 28) / 4 * 29 + (x >> 30) % 3 + (x & 7) / 9;\n"
        "all += (uint)((c + d) % 1000) * 31 + (uint)((c + d) / 999) * 37 + (uchar)(x & 15) % (uchar)11 + min(x, 39u) % 10; r = (r + a) % 1000; out[i] = all ^ r << 20; }"),
    "bits_that_are_turned_and_set": (1, "uint s = n, t = 5; for (uint i = 0; i < n; i++) { uint x = in[i & 255]; s = x & 4 ? s ^ 0x12345678u : s; t = (x & 0x80000000u) == 0 ? t : t | 0x10u << (i & 3);\n"
        "ulong l = (ulong)s << 20 | t; l = (l & 1ul << 40) != 0 ? l : l ^ 0xF0F0F0F0F0ul; s = (s & 8) == 8 ? s | 0x100u : s; s = s << 1 ^ s >> 31; out[i] = (uint)(l >> 8) + s; t = t >> 1; }"),
    "products_that_are_sums": (2, "uint h = 5381, g = n; ulong l = n; for (uint i = 0; i < n; i++) { h = h * 33 + in[i & 255]; g = g * 31 ^ i; l = l * 17 + (l >> 60);\n"
        "int s = (int)in[i & 255]; uchar c = (uchar)s; out[i] = h ^ (uint)l ^ (uint)(l >> 32) ^ (uint)(s * 5) ^ (uint)(s * -3) ^ g * 0x80010000u ^ g * 0x7FFFFFFFu ^ g * 0xFFFFFFFFu ^ g * 0x30u ^ (uchar)(c * (uchar)129)\n"
        "^ (uint)((ulong)s * 0x8000000000000001ul >> 32) ^ (uint)((ulong)g * 0x100000001ul >> 31) ^ (uint)((ulong)g * 0x3FFFFFFFFul >> 30) ^ (uint)(((ushort)g) * (ushort)24); }"),
    "a_histogram_whose_bins_come_again_at_once": (1, "uint h[64]; for (uint i = 0; i < 64; i++) h[i] = i; for (uint i = 0; i < n; i++) h[in[i & 255] & 3]++;\n"
        "for (uint i = 0; i < 64; i++) out[i] = h[i];"),
    "a_histogram_beside_a_shift_register": (1, "uint h[16], w[4]; for (uint i = 0; i < 16; i++) h[i] = i; for (uint k = 0; k < 4; k++) w[k] = 0;\n"
        "for (uint i = 0; i < n; i++) { h[in[i & 255] & 15]++; for (uint k = 0; k < 3; k++) w[k] = w[k + 1]; w[3] = in[i & 255]; out[100 + i] = w[0]; }\n"
        "for (uint i = 0; i < 16; i++) out[i] = h[i];"),
    "two_lines_beside_a_window": (1, "uint lines[2][32]; int w[3][3]; for (uint i = 0; i < 2; i++) for (uint k = 0; k < 32; k++) lines[i][k] = i ^ k; for (uint i = 0; i < 9; i++) w[i / 3][i % 3] = 0;\n"
        "for (uint y = 0; y < 5; y++) for (uint x = 0; x < 32; x++) { for (uint r = 0; r < 3; r++) for (uint c = 0; c < 2; c++) w[r][c] = w[r][c + 1];\n"
        "w[0][2] = lines[0][x]; w[1][2] = lines[1][x]; w[2][2] = in[y * 32 + x] + n; lines[0][x] = w[1][2]; lines[1][x] = w[2][2];\n"
        "out[y * 32 + x] = abs(w[0][0] + 2 * w[1][0] + w[2][0] - w[0][2] - 2 * w[1][2] - w[2][2]); }"),
    "a_pointer_that_goes_around_an_array": (None, "uint h[16]; for (uint i = 0; i < 16; i++) h[i] = i; uint *p = h;\n"
        "for (uint i = 0; i < n; i++) { out[i] = *p; *p = in[i & 255]; p = p == h + 15 ? h : p + 1; }"),
    "a_histogram_of_some_rounds": (1, "ushort h[512]; for (uint i = 0; i < 512; i++) h[i] = 0; for (uint i = 0; i < n; i++) { uint x = in[i & 255]; if (x & 16) h[x & 7] += x >> 9; }\n"
        "for (uint i = 0; i < 512; i++) out[i] = h[i];"),
    "histograms_of_rows_that_begin_anew": (1, "uchar h[16]; for (uint r = 0; r < 5; r++) { for (uint i = 0; i < 16; i++) h[i] = r; for (uint i = 0; i < n; i++) h[in[(i + r) & 255] & 7]--;\n"
        "for (uint i = 0; i < 16; i++) out[16 * r + i] = h[i]; }"),
    "a_histogram_of_a_picture": (1, "uint h[2][32]; for (uint i = 0; i < 64; i++) h[i >> 5][i & 31] = 0; for (uint y = 0; y < 7; y++) for (uint x = 0; x < n; x++) h[1][in[(y * 9 + x) & 255] & 3] += y + 1;\n"
        "for (uint i = 0; i < 64; i++) out[i] = h[i >> 5][i & 31];"),
    "largest_and_mixed_of_each_bin": (1, "ulong h[16]; uint g[16]; for (uint i = 0; i < 16; i++) { h[i] = n; g[i] = i; } for (uint i = 0; i < n; i++) { uint x = in[i & 255];\n"
        "h[x & 15] ^= (ulong)x << 13; g[x & 1] = max(g[x & 1], x); out[100 + i] = g[x & 1]; } for (uint i = 0; i < 16; i++) out[i] = (uint)(h[i] >> 20) ^ g[i];"),
    "a_bin_that_is_read_twice_is_not_passed_on": ((1, 3, 1), "uint h[16]; for (uint i = 0; i < 16; i++) h[i] = i; for (uint i = 0; i < n; i++) { uint x = in[i & 255] & 15; h[x] += h[x ^ 1]; }\n"
        "for (uint i = 0; i < 16; i++) out[i] = h[i];"),
    "a_bin_of_a_product": ((1, 1, 1), "uint h[16]; for (uint i = 0; i < 16; i++) h[i] = i; for (uint i = 0; i < n; i++) { uint x = in[i & 255] & 3; h[x] = h[x] * in[i & 255] + 1; }\n"
        "for (uint i = 0; i < 16; i++) out[i] = h[i];"),
    "a_row_of_comparisons": (1, "uint v[12]; for (uint k = 0; k < 12; k++) v[k] = ~0u; for (uint i = 0; i < n; i++) { uint y = in[i & 255];\n"
        "for (uint k = 0; k < 12; k++) { uint lower = min(v[k], y); y = max(v[k], y); v[k] = lower; } } for (uint k = 0; k < 12; k++) out[k] = v[k];"),
    "sums_of_sums": (1, "ulong a = n, b = 2, c = 3, d = 4; for (uint i = 0; i < n; i++) { a += in[i & 255]; b += a; c += b; d += c ^ b;\n"
        "out[i] = (uint)(d >> 7); } out[900] = (uint)a ^ (uint)(b >> 32) ^ (uint)c;"),
    "feedbacks_of_floats_one_behind_the_other": (14, "float a = 0, b = 0, c = 1; for (uint i = 0; i < n; i++) { a = a * 0.5f + as_float(in[i & 255] & 0x3FFFFFFF);\n"
        "b = b * 0.25f + a; c = (c - b) * 0.125f; out[i] = as_uint(c); }"),
    "two_that_go_into_each_other": (2, "uint a = n, b = 1; for (uint i = 0; i < n; i++) { uint old = a; a = a * 5 + b + in[i & 255]; b = (b ^ old) * 3 + (a >> 3); out[i] = b; } out[900] = a;"),
    "a_row_with_a_way_back_from_its_end": (4, "uint v[6]; for (uint k = 0; k < 6; k++) v[k] = k * n; for (uint i = 0; i < n; i++) { uint y = in[i & 255] + v[5];\n"
        "for (uint k = 0; k < 6; k++) { uint next = v[k] + y; y = max(v[k], y) ^ k; v[k] = next; } out[i] = y; }"),
    "a_row_behind_a_shift_register": (1, "uint w[5], m[5]; for (uint k = 0; k < 5; k++) { w[k] = k; m[k] = n; } for (uint i = 0; i < n; i++) {\n"
        "for (uint k = 4; k > 0; k--) w[k] = w[k - 1]; w[0] = in[i & 255]; uint y = w[4]; for (uint k = 0; k < 5; k++) { uint lower = min(m[k], y + w[k]); y = max(m[k], y) + w[4 - k];\n"
        "m[k] = lower; } out[i] = y; } for (uint k = 0; k < 5; k++) out[900 + k] = m[k] ^ w[k];"),
    "eight_partial_sums_of_floats": (1, PARTIAL_SUMS.format(8, 7)),
    "four_partial_sums_of_floats": (2, PARTIAL_SUMS.format(4, 3)),
    "two_partial_sums_of_floats": ((4, 7), PARTIAL_SUMS.format(2, 1)),
    "a_shift_register_of_forty_words": (1, PARTIAL_SUMS.format(40, 39)),
    "a_filter_with_feedback_from_nine_and_twelve_rounds_ago": (2, "float w[12]; for (uint k = 0; k < 12; k++) w[k] = k; for (uint i = 0; i < n; i++) {\n"
        "float x = w[0] * 0.5f + w[3] + as_float(in[i & 255] & 0x3FFFFFFF); for (uint k = 0; k < 11; k++) w[k] = w[k + 1]; w[11] = x; out[i] = as_uint(x); }\n"
        "for (uint k = 0; k < 12; k++) out[500 + k] = as_uint(w[k]);"),
    "a_filter_that_shows_the_newest_word_too": (1, "float w[9]; for (uint k = 0; k < 9; k++) w[k] = k; for (uint i = 0; i < n; i++) {\n"
        "float x = w[0] + as_float(in[i & 255] & 0x3FFFFFFF); for (uint k = 0; k < 8; k++) w[k] = w[k + 1]; w[8] = x; out[i] = as_uint(w[7]); }"),
    "a_sum_of_integers_beside_partial_sums": (1, "uint c = n; " + PARTIAL_SUMS.format(8, 7).replace("w[7] = x;", "w[7] = x; c += in[i & 255] >> 3;") + " out[300] = c;"),
    "values_that_change_places": (1, "uint a = n, b = 5, c = 9; for (uint i = 0; i < n; i++) { uint t = a; a = b; b = c; c = t; out[i] = a * 3 + b + in[i & 255]; } out[300] = a * 7 + b;"),
    "what_is_stored_is_loaded_in_the_same_round": (1, "for (uint i = 0; i < n; i++) out[i] = out[i] ^ in[i & 255];"),
    "what_comes_later_is_loaded_before": (1, "for (uint i = 0; i < n; i++) out[i] = out[i + 1] + 1;"),
    "a_branch_in_a_round": (1, "uint s = 0; for (uint i = 0; i < n; i++) { uint x = in[i & 255]; if (x & 1) s += x; else out[i] = s; } out[1000] = s;"),
    "two_loops_and_one_around": (1, "uint s = 0; for (uint k = 0; k < 3; k++) { for (uint i = 0; i < n; i++) s += in[i & 255] << k;\n"
                                    "out[k] = s; for (uint i = 0; i < n; i++) out[8 + i] = s + i * k; }"),
    "no_memory_in_the_loop": (1, "uint a = 1, b = n; for (uint i = 0; i < n; i++) { a = a * 5 + 1; b ^= a; } out[0] = a; out[1] = b;"),
    "a_carried_value_that_nothing_needs_later": (1, "uint last = 7; for (uint i = 0; i < n; i++) { uint x = in[i & 255]; if (x & 1) last = x; } out[0] = last;"),
    "rounds_that_load_nothing_keep_their_order": (1, "uint s = 0; for (uint i = 0; i < n; i++) { uint x = i; if ((i & 3) == 0) x = in[i & 255]; s = (s << 1 ^ s) + x; } out[0] = s;"),
    "what_was_stored_some_rounds_before_is_loaded": (1, "for (uint i = 5; i < n; i++) out[i] = out[i - 5] * 3 + in[i & 255];"),
    "what_was_stored_longer_ago_than_rounds_overlap_is_loaded": (1, "for (uint i = 20; i < n; i++) out[i] = out[i - 20] * 3 + in[i & 255];"),
    "a_distance_that_is_not_known": (1, "for (uint i = 0; i < n; i++) out[i + n] = out[i] + 1;"),
    "pointers_that_may_be_alike": (1, "for (uint i = 0; i < n; i++) both[i] = *(global const uint *)(in[0] == 7 ? both + i + 1 : in + i) + 1;"),
    "a_local_array_and_a_barrier_beside_the_loop": (1, "local uint l[8]; for (uint i = 0; i < 8; i++) l[i] = in[i] + n; barrier(CLK_LOCAL_MEM_FENCE); uint s = l[n & 7];\n"
                                                       "for (uint i = 0; i < n; i++) { s += in[i & 255]; out[i] = s; } l[n & 7] = s; barrier(CLK_LOCAL_MEM_FENCE); out[1000] = l[3];"),
    "words_of_64_bits_and_bytes": (1, "ulong s = n; global const uchar *bytes = (global const uchar *)in; for (uint i = 0; i < n; i++) { s += bytes[i & 1023]; out[i] = s; }\n"
                                      "out[900] = s >> 32;"),
    "the_end_depends_on_what_is_loaded": (None, "uint i = 0; while (i < n && (in[i & 255] & 7) != 3) i++; out[0] = i;"),
    "an_index_that_is_loaded": (None, "uint at = 0; for (uint i = 0; i < n; i++) { at = in[at & 255]; } out[0] = at;"),
    "a_histogram": (1, "for (uint i = 0; i < n; i++) out[in[i & 255] & 15]++;"),
    "a_histogram_in_private_memory": (1, "uint h[16]; for (uint i = 0; i < 16; i++) h[i] = i; for (uint i = 0; i < n; i++) h[in[i & 255] & 15] += i;\n"
                                         "for (uint i = 0; i < 16; i++) out[i] = h[i];"),
    "a_histogram_in_local_memory": (1, "local uint h[64]; for (uint i = 0; i < 64; i++) h[i] = 0; for (uint i = 0; i < n; i++) h[in[i & 255] & 63]++;\n"
                                       "for (uint i = 0; i < 64; i++) out[i] = h[i];"),
    "a_line_of_what_was_read_before": (1, "uchar line[32]; for (uint i = 0; i < 32; i++) line[i] = i; uint s = 0;\n"
                                          "for (uint i = 0; i < n; i++) { uint old = line[i & 31], x = in[i & 255]; line[i & 31] = x; out[i] = old * 3 + x; }"),
    "what_was_set_a_round_before_is_read": ((2,), "uint l[64]; l[0] = n; for (uint i = 0; i < n; i++) { uint x = l[i & 63]; l[(i + 1) & 63] = x ^ in[i & 255]; out[i] = x; }"),
    "what_was_set_four_rounds_before_is_read": ((1, 3), "uint l[64]; for (uint i = 0; i < 64; i++) l[i] = i * n;\n"
                                                   "for (uint i = 0; i < n; i++) { uint x = l[i & 63]; l[(i + 4) & 63] = x * x * (x + in[i & 255]) * x; out[i] = x; }"),
    "what_was_set_eight_rounds_before_is_read": ((1, 2), "uint l[64]; for (uint i = 0; i < 64; i++) l[i] = i * n;\n"
                                                         "for (uint i = 0; i < n; i++) { uint x = l[i & 63]; l[(i + 8) & 63] = x * x * (x + in[i & 255]) * x; out[i] = x; }"),
    "an_array_of_floats_that_are_added_to": ((1, 1, 1), "float h[8]; for (uint i = 0; i < 8; i++) h[i] = i; for (uint i = 0; i < n; i++) h[in[i & 255] & 7] += 0.5f;\n"
                                                 "for (uint i = 0; i < 8; i++) out[i] = as_uint(h[i]);"),
    "a_sum_beside_an_array": (1, "local uint l[16]; uint s = n; for (uint i = 0; i < 16; i++) l[i] = i; for (uint i = 0; i < n; i++) { s += l[i & 15] * in[i & 255]; l[i & 15] = i; } out[0] = s;"),
    "an_array_whose_elements_are_no_power_of_two": ((1, 1, 1), "uint l[12]; for (uint i = 0; i < 12; i++) l[i] = i; for (uint i = 0; i < n; i++) l[in[i & 255] % 12]++;\n"
                                                        "for (uint i = 0; i < 12; i++) out[i] = l[i];"),
    "an_array_without_a_loop_that_overlaps": (None, "uint l[16]; uint i = 0; do { l[i & 15] = in[i & 255]; i++; } while (i < n && (in[i & 255] & 7) != 3); uint s = 0;\n"
                                                    "for (uint k = 0; k < i && (l[k & 15] & 12) != 4; k++) { s = s * 3 + l[k & 15]; l[k & 15] = k; } out[0] = s; out[1] = l[0];"),
    "an_array_that_an_outer_loop_sets": ((6,), "local ushort l[32]; for (uint k = 0; k < 4; k++) { l[k] = n + k; uint s = 0;\n"
                                               "for (uint i = 0; i < n; i++) { s = s * 3 + l[i & k] + in[i & 255]; } l[k ^ 1] = s; out[k] = s + l[k]; }"),
    "a_long_shift_register_of_zeros": ((1, 1, 1), "uint r[150]; for (uint k = 0; k < 150; k++) r[k] = 0;\nfor (uint i = 0; i < n; i++) {\n#pragma unroll\nfor (int k = 149; k > 0; k--) r[k] = r[k - 1];\n"
        "r[0] = in[i & 255]; out[i] = r[0] + r[1] * 3 + r[70] * 5 + r[149] * 7; }"),
    "a_long_shift_register_towards_its_beginning": ((1, 1, 1), "float r[100];\n#pragma unroll\nfor (uint k = 0; k < 100; k++) r[k] = 0;\nfor (uint i = 0; i < n; i++) {\n#pragma unroll\nfor (uint k = 0; k < 99; k++) r[k] = r[k + 1];\n"
        "r[99] = as_float(in[i & 255] & 0x3FFFFFFF); out[i] = as_uint(r[0] + r[98]) ^ as_uint(r[40]); }"),
    "a_long_shift_register_whose_first_word_stays": (1, "uint r[90];\n#pragma unroll\nfor (uint k = 0; k < 90; k++) r[k] = 0;\nr[0] = n;\nfor (uint i = 0; i < n; i++) {\n#pragma unroll\nfor (uint k = 89; k > 0; k--) r[k] = r[k - 1];\n"
        "if (in[i & 255] & 1) r[0] = in[i & 255]; out[i] = r[89] + r[1]; }"),
    "three_lines_of_a_picture_in_a_shift_register": (1, "uchar r[2 * 40 + 3];\n#pragma unroll\nfor (uint k = 0; k < 83; k++) r[k] = 0;\nfor (uint i = 0; i < n; i++) {\n#pragma unroll\nfor (uint k = 82; k > 0; k--) r[k] = r[k - 1];\n"
        "r[0] = in[i & 255]; uint s = 0;\n#pragma unroll\nfor (uint y = 0; y < 3; y++)\n#pragma unroll\nfor (uint x = 0; x < 3; x++) s += r[40 * y + x] * (3 * y + x + 1);\nout[i] = s; }"),
    "two_long_shift_registers_in_one_loop": (1, "ushort a[80]; uint b[80];\n#pragma unroll\nfor (uint k = 0; k < 80; k++) a[k] = b[k] = 0;\nfor (uint i = 0; i < n; i++) {\n#pragma unroll\nfor (uint k = 79; k > 0; k--) { a[k] = a[k - 1]; b[k] = b[k - 1]; }\n"
        "a[0] = in[i & 255] >> 3; b[0] = a[79] + in[i & 255]; out[i] = b[79] ^ a[50]; }"),
    "a_long_shift_register_by_two": (1, "uint r[130];\n#pragma unroll\nfor (uint k = 0; k < 130; k++) r[k] = 0;\nfor (uint i = 0; i < n; i++) {\n#pragma unroll\nfor (uint k = 129; k > 1; k--) r[k] = r[k - 2];\n"
        "r[1] = in[i & 255]; r[0] = in[(i + 7) & 255] * 3; out[i] = r[128] * 5 + r[129] + r[65]; }"),
    "a_long_shift_register_that_moves_twice_a_round": ((1, 2), "uint r[90];\n#pragma unroll\nfor (uint k = 0; k < 90; k++) r[k] = 0;\nfor (uint i = 0; i < n; i++) {\n#pragma unroll\nfor (uint t = 0; t < 2; t++) {\n#pragma unroll\nfor (uint k = 89; k > 0; k--) r[k] = r[k - 1];\n"
        "r[0] = in[(i + t) & 255]; }\nout[i] = r[88] * 5 + r[89]; }"),
    "a_long_shift_register_that_moves_now_and_then": (1, "uint r[90];\n#pragma unroll\nfor (uint k = 0; k < 90; k++) r[k] = 0;\nfor (uint i = 0; i < n; i++) { uint x = in[i & 255]; if (x & 3) {\n#pragma unroll\nfor (uint k = 89; k > 0; k--) r[k] = r[k - 1];\n"
        "r[0] = x; }\nout[i] = r[89] + r[30]; }"),
    "a_long_shift_register_with_feedback": ((1, 1, 1, 1), "uint r[100];\n#pragma unroll\nfor (uint k = 0; k < 100; k++) r[k] = 0;\nr[7] = 5;\nfor (uint i = 0; i < n; i++) { uint x = r[99] * 3 + r[60] + in[i & 255];\n#pragma unroll\nfor (uint k = 99; k > 0; k--) r[k] = r[k - 1];\n"
        "r[0] = x; out[i] = x ^ r[61]; }\nout[1000] = r[5] + r[80];"),
    "a_long_shift_register_in_two_loops": ((1, 1, 1), "uint r[70];\n#pragma unroll\nfor (uint k = 0; k < 70; k++) r[k] = 0;\nfor (uint y = 0; y < 3; y++) for (uint i = 0; i < (n & 63); i++) {\n#pragma unroll\nfor (uint k = 69; k > 0; k--) r[k] = r[k - 1];\n"
        "r[0] = in[i] + y; out[y * 64 + i] = r[69] * 3 + r[35]; }"),
    "a_long_shift_register_that_is_read_in_many_places": ((1,), "uint r[200]; for (uint i = 0; i < n; i++) {\n#pragma unroll\nfor (uint k = 199; k > 0; k--) r[k] = i == 0 ? 0 : r[k - 1];\nr[0] = in[i & 255]; uint s = 0;\n"
        "#pragma unroll\nfor (uint k = 0; k < 200; k += 18) s = s * 3 + r[k];\nout[i] = s; }"),
    "a_long_shift_register_with_many_rings": (1, "uint r[240];\n#pragma unroll\nfor (uint k = 0; k < 240; k++) r[k] = 0;\nfor (uint i = 0; i < n; i++) {\n#pragma unroll\nfor (uint k = 239; k > 0; k--) r[k] = r[k - 1];\nr[0] = in[i & 255]; uint s = 0;\n"
        "#pragma unroll\nfor (uint k = 0; k < 240; k += 18) s = s * 3 + r[k];\nout[i] = s; }"),
    "three_shift_registers_in_one_array": (1, "uint r[96];\n#pragma unroll\nfor (uint k = 0; k < 96; k++) r[k] = 0;\nfor (uint i = 0; i < n; i++) {\n#pragma unroll\nfor (uint k = 31; k > 0; k--) { r[k] = r[k - 1]; r[32 + k] = r[32 + k - 1]; r[64 + k] = r[64 + k - 1]; }\n"
        "r[0] = in[i & 255]; r[32] = r[31]; r[64] = r[63] + 1; out[i] = r[95] + r[40] * 3 + r[10]; }"),
    "two_shift_registers_in_one_array": (1, "uint r[128];\n#pragma unroll\nfor (uint k = 0; k < 128; k++) r[k] = 0;\nfor (uint i = 0; i < n; i++) {\n#pragma unroll\nfor (uint k = 63; k > 0; k--) r[k] = r[k - 1];\n#pragma unroll\nfor (uint k = 127; k > 64; k--) r[k] = r[k - 1];\n"
        "r[0] = in[i & 255]; r[64] = r[63] * 3; out[i] = r[127] + r[20]; }"),
    "a_long_shift_register_with_an_index_is_not_one": ((1, 2), "uint r[64];\n#pragma unroll\nfor (uint k = 0; k < 64; k++) r[k] = 0;\nfor (uint i = 0; i < n; i++) {\n#pragma unroll\nfor (uint k = 63; k > 0; k--) r[k] = r[k - 1];\n"
        "r[0] = in[i & 255]; out[i] = r[in[i & 255] & 63]; }"),
    "a_long_array_that_one_word_goes_through_is_none": (1, "uint r[64]; for (uint i = 0; i < n; i++) {\n#pragma unroll\nfor (uint k = 0; k < 64; k++) r[k] = in[k] + i;\n#pragma unroll\nfor (uint k = 1; k < 64; k++) r[k] = r[k - 1];\nout[i] = r[63] + r[20]; }"),
    "a_ring_whose_index_begins_again": (1, "uint l[50]; for (uint i = 0; i < 50; i++) l[i] = i; uint x = 0;\nfor (uint i = 0; i < n; i++) { uint old = l[x]; l[x] = in[i & 255]; out[i] = old + in[i & 255]; x = x == 49 ? 0 : x + 1; }"),
    "a_ring_whose_index_is_compared_first": (1, "uint l[21]; for (uint i = 0; i < 21; i++) l[i] = i; uint x = n & 7;\nfor (uint i = 0; i < n; i++) { uint old = l[x]; l[x] = in[i & 255]; out[i] = old; if (++x >= 21) x = 0; }"),
    "a_ring_that_is_short_for_a_sum_of_floats": ((1, 2, 1), "float l[4]; for (uint i = 0; i < 4; i++) l[i] = i; uint x = 0;\nfor (uint i = 0; i < n; i++) { l[x] += as_float(in[i & 255] & 0x3FFFFFFF); x = x < 3 ? x + 1 : 0; }\nfor (uint i = 0; i < 4; i++) out[i] = as_uint(l[i]);"),
    "a_ring_of_ten_sums_of_floats": ((1, 1, 1), "float l[10]; for (uint i = 0; i < 10; i++) l[i] = i; uint x = 0;\nfor (uint i = 0; i < n; i++) { l[x] += as_float(in[i & 255] & 0x3FFFFFFF); x = x < 9 ? x + 1 : 0; }\nfor (uint i = 0; i < 10; i++) out[i] = as_uint(l[i]);"),
    "a_ring_whose_index_stands_still_now_and_then": ((1, 8, 1), "float l[10]; for (uint i = 0; i < 10; i++) l[i] = i; uint x = 0;\nfor (uint i = 0; i < n; i++) { l[x] += as_float(in[i & 255] & 0x3FFFFFFF); if (in[i & 255] & 1) x = x < 9 ? x + 1 : 0; }\nfor (uint i = 0; i < 10; i++) out[i] = as_uint(l[i]);"),
    "a_ring_that_is_read_one_place_on": ((1, 3), "uint l[16]; for (uint i = 0; i < 16; i++) l[i] = i; uint x = 0;\nfor (uint i = 0; i < n; i++) { uint old = l[(x + 15) & 15]; l[x] = in[i & 255] + old; out[i] = old; x = x == 15 ? 0 : x + 1; }"),
    "ivdep_says_that_a_distance_is_long": (1, "\n#pragma ivdep\nfor (uint i = 0; i < n; i++) both[i + 200 + (n & 1)] = both[i] + 1;"),
    "ivdep_says_that_pointers_are_not_alike": (1, "\n  #  pragma ivdep // for all\nfor (uint i = 0; i < n; i++) both[i] = *(global const uint *)(in[0] == 7 ? both + i + 256 : in + i) + 1;"),
    "ivdep_twice_is_ivdep": (1, "\n#pragma ivdep\n\n#pragma ivdep // again\nfor (uint i = 0; i < n; i++) both[i + 200 + (n & 1)] = both[i] + 1;"),
    "ivdep_with_a_comment": (1, "\n#pragma ivdep /* of all */ // memory\nfor (uint i = 0; i < n; i++) both[i + 200 + (n & 1)] = both[i] + 1;"),
    "ivdep_of_one_array_is_not_of_another": ((1, 3, 1), "uint l[64], m[64]; for (uint i = 0; i < 64; i++) l[i] = m[i] = i * n;\n#pragma ivdep array(l)\n#pragma ivdep array (l)\n"
                                             "for (uint i = 0; i < n; i++) { l[i & 63] += in[i & 255]; m[in[i & 255] & 3] = m[in[i & 255] & 3] * 3 + in[i & 255]; }\nfor (uint i = 0; i < 64; i++) out[i] = l[i] + m[i];"),
    "safelen_is_not_for_ever": ((1, 3, 1), "uint l[4] = {1, 2, 3, 4};\n#pragma ivdep safelen(4)\nfor (uint i = 0; i < n; i++) l[in[i & 255] & 3] = l[in[i & 255] & 3] * 3 + in[i & 255];\nfor (uint i = 0; i < 4; i++) out[i] = l[i];"),
    "ivdep_and_unroll": (1, "\n#pragma unroll 2\n#pragma ivdep\nfor (uint i = 0; i < n; i++) both[i + 200 + (n & 1)] = both[i] + 1;"),
    "ivdep_for_an_array": (1, "uint l[64]; for (uint i = 0; i < 64; i++) l[i] = i * n;\n#pragma ivdep\nfor (uint i = 0; i < min(n, 64u); i++) l[(i ^ n) & 63] = l[(i ^ n) & 63] * 3 + in[i];\n"
                              "for (uint i = 0; i < 64; i++) out[i] = l[i];"),
    "ivdep_of_columns_is_not_of_rows": ((1,), "for (uint r = 0; r < 6; r++)\n#pragma ivdep\nfor (uint k = 0; k < (n & 31); k++) out[k ^ r] = out[k ^ r] * 3 + in[r * 32 + k];"),
    "sums_of_what_was_stored_before": (1, "for (uint i = 1; i < n; i++) both[i] += both[i - 1] * 3;"),
    "sums_of_bytes_that_were_stored_before": (1, "global uchar *b = (global uchar *)both; for (uint i = 1; i < n; i++) b[i] += b[i - 1] * 3;"),
    "a_mean_of_floats_where_it_stands": (20, "global float *f = (global float *)both; for (uint i = 1; i < n; i++) f[i] = (f[i - 1] + f[i] + f[i + 1]) * 0.25f;"),
    "what_was_stored_before_is_stored_over": (None, "for (uint i = 2; i < n; i++) { both[i] = both[i - 1] + i; both[i - (in[i & 255] & 1)] = i * 3; }"),
    "a_byte_of_what_was_stored_before_is_stored_over": (None, "global uchar *b = (global uchar *)both; for (uint i = 2; i < n; i++) { b[i * 4 - 3] = i * 3; both[i] = both[i - 1] * 3 + i; }"),
    "what_was_stored_before_from_above": (1, "for (int i = 300; i > (int)n; i--) both[i] = both[i + 1] * 5 + i;"),
    "what_was_stored_two_words_before_by_two": (1, "for (uint i = 2; i < n; i += 2) both[i] = both[i - 2] * 5 + in[i & 255];"),
    "what_was_set_before_in_an_array": ((1, 1), "uint t[64]; uint m = n & 63; t[0] = n; for (uint i = 1; i < m; i++) t[i] = t[i - 1] * 3 + in[i]; for (uint i = 0; i < m; i++) out[i] = t[i];"),
    "what_was_stored_before_in_rows": (1, "for (uint y = 0; y < 5; y++) for (uint x = 1; x < (n & 31); x++) both[y * 40 + x] ^= both[y * 40 + x - 1] * 3 + in[x];"),
    "ivdep_of_rows_is_not_of_columns": (None, "\n#pragma ivdep\nfor (uint r = 0; r < 6; r++) for (uint k = 0; k < (n & 31); k++) out[r * 64 + (k & 3)] = out[r * 64 + (k & 3) + (n & 1)] * 3 + in[k];"),
    "vectors": (1, "global const uint4 *v = (global const uint4 *)in; global uint4 *w = (global uint4 *)out; for (uint i = 0; i < (n & 63); i++) w[i] = v[i] * 3 + i;"),
    "vectors_anywhere": (1, "for (uint i = 0; i < (n & 63); i++) vstore4(vload4(i, in + 3) + i, i, out + 1 + (n & 1));"),
    "vectors_of_three_and_two": (1, "for (uint i = 0; i < (n & 63); i++) { vstore3(vload3(i, in) + i, i, out); vstore2(vload2(i, in) ^ n, i, out + 300); }"),
    "vectors_of_eight_in_some_rounds": (1, "for (uint i = 0; i < (n & 31); i++) { if (in[i] & 1) vstore8(vload8(i & 15, in) + i, i, out); else out[700 + i] = i; }"),
    "products_say_whether_a_round_follows": (22, "uint s = 0; for (uint i = 0; i < n; i++) { float cr = (i & 15) * 0.2f - 2, ci = (i >> 4) * 0.1f - 1, a = 0, b = 0; uint k = 0;\n"
        "while (k < 20 && a * a + b * b < 4) { float t = a * a - b * b + cr; b = 2 * a * b + ci; a = t; k++; } s = s * 3 + k; out[i] = s; }"),
    "structures": (1, "typedef struct { uint a; ushort b, c; uint d; } S; global const S *s = (global const S *)in; global S *t = (global S *)out;\n"
                      "for (uint i = 0; i < (n & 63); i++) { S x = s[i]; x.b += x.c; x.d ^= x.a; t[i] = x; }"),
    "bytes_beside_words": (1, "for (uint i = 0; i < (n & 63); i++) { uint x = vload4(i, in).z; vstore4((uchar4)(x, x >> 3, i, 7), i, (global uchar *)out); vstore2((uint2)(x, i), i, out + 300); }"),
    "longs": (1, "global const ulong *v = (global const ulong *)in; global ulong *w = (global ulong *)out; for (uint i = 0; i < (n & 63); i++) w[i] = v[i] * 3 + i;"),
    "four_rounds_in_one": (1, "\n#pragma unroll 4\nfor (uint i = 0; i < n; i++) out[i] = in[i & 127] + in[128 + (i & 127)];"),
    "four_rounds_in_one_of_what_they_load": (1, "\n#pragma unroll 4\nfor (uint i = 0; i < (n & 127); i++) out[i] = out[i] * 3 + in[i];"),
    "four_rounds_in_one_that_store_what_the_next_loads": ((4, 1), "\n#pragma unroll 4\nfor (uint i = 0; i < (n & 127); i++) out[i + 1] = out[i] * 3 + in[i];"),
    "four_rounds_in_one_that_store_what_a_later_one_loads": (2, "\n#pragma unroll 4\nfor (uint i = 0; i < (n & 127); i++) out[i + 2] = out[i] * 3 + in[i];"),
    "four_rounds_in_one_that_load_what_a_later_one_stores": (1, "\n#pragma unroll 4\nfor (uint i = 0; i < (n & 127); i++) out[i] = out[i + 2] * 3 + in[i];"),
    "four_rounds_in_one_of_pointers_that_may_be_alike": (1, "global uint *p = both + (n & 1) + 1;\n#pragma unroll 4\nfor (uint i = 0; i < (n & 127); i++) both[i] = p[i] * 3 + both[i + 4];"),
    "four_rounds_in_one_that_load_what_another_pointer_has_stored": (1, "global uint *p = both + (n & 1) + 1;\n#pragma unroll 4\nfor (uint i = 0; i < (n & 127); i++) both[i + 2] = p[i] * 3 + in[i];"),
    "four_rounds_in_one_with_bytes_of_words": (1, "global uchar *b = (global uchar *)out;\n#pragma unroll 4\nfor (uint i = 0; i < (n & 127); i++) { b[i * 4 + 5] = in[i]; out[300 + i] = out[i + 1]; }"),
    "four_rounds_in_one_of_which_some_store": (1, "\n#pragma unroll 4\nfor (uint i = 0; i < (n & 127); i++) { uint x = in[i]; if (x & 1) out[i] = x; out[300 + i] = x * 3; }"),
    "loads_behind_two_stores_of_one_word": (1, "for (uint i = 0; i < (n & 63); i++) { out[i] = in[i]; out[i] = in[i + 64] + 1; out[i + 100] = out[i] + out[i + 1]; }"),
    "local_memory_in_rounds_in_one": (None, "local uint l[64]; for (uint i = 0; i < 64; i++) l[i] = in[i]; ((local uchar *)l)[n & 255] = 5;\n#pragma unroll 4\nfor (uint i = 0; i < (n & 63); i++) out[i] = l[i] * 3 + l[i ^ 1];"),
    "rounds_that_are_more_than_1024_cycles_apart": (1261, "uint s = in[3]; for (uint i = 0; i < (n & 15); i++) {\n#pragma unroll\nfor (int k = 0; k < 36; k++) s = (s * 37u + i) % (n + 65481);\n} out[0] = s;"),
    "and_those_behind_a_load": (1402, "uint s = 5; for (uint i = 0; i < (n & 15); i++) { s += in[i];\n#pragma unroll\nfor (int k = 0; k < 40; k++) s = (s * 37u + i) % (n + 65481);\nout[i] = s; }"),
    "rows_and_columns": (1, "for (uint i = 0; i < (n & 15); i++) for (uint k = 0; k < 24; k++) out[i * 32 + k] = in[(i * 24 + k) & 255] * 3 + i;"),
    "rows_and_columns_whose_numbers_are_arguments": (1, "for (uint i = 0; i < (n & 31); i++) for (uint k = 0; k < n >> 3; k++) out[i * 32 + k] = in[(i * 25 + k) & 255] * 3 + i;"),
    "a_sum_over_rows_and_columns": (1, "uint s = n; for (uint i = 0; i < (n & 31); i++) for (uint k = 0; k < n >> 3; k++) s = (s << 1 ^ s) + in[(i * 25 + k) & 255]; out[0] = s;"),
    "a_sum_of_each_row": (1, "for (uint i = 0; i < (n & 31); i++) { uint s = i; for (uint k = 0; k < n >> 3; k++) s = (s << 1 ^ s) + in[(i * 25 + k) & 255]; out[i >> 1] = s; }"),
    "a_sum_of_each_row_and_of_all": (2, "uint all = n; for (uint i = 0; i < (n & 31); i++) { uint s = all; for (uint k = 0; k < n >> 3; k++) s = s + in[(i * 25 + k) & 255]; out[i] = s; all ^= s; } out[100] = all;"),
    "a_product_of_matrices": (1, "uint m = n & 15; for (uint i = 0; i < m; i++) for (uint j = 0; j < m; j++) { uint s = 0;\n"
                                 "for (uint k = 0; k < m; k++) s += in[(i * m + k) & 255] * in[(k * m + j + 64) & 255]; out[i * m + j] = s; }"),
    "four_loops": (1, "uint s = 1; for (uint i = 0; i < min(n, 3u); i++) for (uint j = 0; j < 3; j++) for (uint k = 0; k < min(n, 7u); k++) for (uint l = 0; l < 2; l++)\n"
                      "{ s = s * 2 + in[(i * 64 + j * 16 + k * 2 + l) & 255]; out[(i * 3 + j) * 8 + k] = s; }"),
    "columns_whose_end_depends_on_where_they_begin": (4, "uint s = n; for (uint i = 0; i < (in[1] & 15); i++) for (uint k = i; k < min(i + 3, 9u); k++) s = s * 2 + in[(k * 3) & 255]; out[0] = s;"),
    "columns_that_begin_behind_the_row": (2, "for (uint i = 0; i < (n & 31); i++) for (uint k = i + 1; k < (n & 31); k++) out[i * 32 + k] = in[(i * k) & 255] + k;"),
    "rows_that_are_left_early": (3, "for (uint i = 0; i < 9; i++) { uint s = i; for (uint k = 0; k < n; k++) { s += in[(i * 7 + k) & 255]; if (k == i * 3) break; } out[i] = s; }"),
    "what_comes_before_and_behind_columns": (2, "for (uint i = 0; i < (n & 31); i++) { uint a = in[i]; for (uint k = 0; k < (n & 15); k++) a = a * 2 + in[(i + k * 3) & 255];\n"
                                                "out[i] = a; if (a & 1) out[64 + i] = i; }"),
    "rows_of_which_some_have_no_columns": (1, "for (uint i = 0; i < (n & 31); i++) { uint s = 5; if (i & 1) for (uint k = 0; k < 5; k++) s = s * 2 + in[(i * 5 + k) & 255]; out[i] = s; }"),
    "a_tile_by_columns": (1, "local uint t[8][8]; for (uint i = 0; i < 8; i++) for (uint k = 0; k < 8; k++) t[i][k] = in[i * 8 + k] + n;\n"
                             "for (uint i = 0; i < 8; i++) for (uint k = 0; k < 8; k++) out[i * 8 + k] = t[k][i];"),
    "sums_of_rows_of_floats_beside_their_maximum": (7, "float most = 0; for (uint i = 0; i < (n & 15); i++) { float s = 0; for (uint k = 0; k < 16; k++) { float x = as_float(in[(i * 16 + k) & 255] & 0x3FFFFFFF); s += x; }\n"
                                                       "most = fmax(most, s); out[i] = as_uint(s); } out[100] = as_uint(most);"),
    "columns_whose_number_is_loaded": ((3,), "for (uint i = 0; i < 9; i++) { uint s = i; for (uint k = 0; k < (in[i] & 7); k++) s += in[(i * 7 + k) & 255]; out[i] = s; }"),
    "rows_of_what_is_stored_in_the_row_before": ((1,), "for (uint i = 1; i < 9; i++) for (uint k = 0; k < (n & 31); k++) out[i * 32 + k] = out[i * 32 + k - 32] + in[k];"),
    "columns_that_would_come_further_apart": ((1, 1), "local uint l[64]; for (uint i = 0; i < 64; i++) l[i] = i; uint s = n; for (uint i = 0; i < 4; i++) { for (uint k = 0; k < n; k++) s += in[(k + i) & 255]; l[s & 63] += s; out[i] = l[i] % 1000003; }"),
    "nests_of_which_one_is_better_as_one_and_another_is_not": ((1, 1, 1), "local uint l[64]; for (uint i = 0; i < 64; i++) l[i] = i; uint s = n; for (uint i = 0; i < 4; i++) { for (uint k = 0; k < n; k++) s += in[(k + i) & 255];\n"
        "l[s & 63] += s; out[i] = l[i] % 1000003; }\nfor (uint i = 0; i < (n & 15); i++) for (uint k = 0; k < 24; k++) out[100 + i * 32 + k] = in[(i * 24 + k) & 255] * 3 + i;"),
    "shortest_ways_in_a_local_array": ((1, 3, 1), "local uint d[12][12]; for (uint i=0;i<12;i++) for (uint j=0;j<12;j++) d[i][j]=in[(i*12+j)&255]&1023;\n"
        "for (uint k=0;k<12;k++) for (uint i=0;i<12;i++) for (uint j=0;j<12;j++) { uint t=d[i][k]+d[k][j]; if (t<d[i][j]) d[i][j]=t;\n"
        "} for (uint i=0;i<12;i++) for (uint j=0;j<12;j++) out[i*12+j]=d[i][j];"),
    "an_alignment_of_two_sequences": ((4, 5, 1), "local int h[17][17]; for (int i=0;i<17;i++) { h[i][0]=-i; h[0][i]=-i;\n"
        "} for (int i=1;i<17;i++) for (int j=1;j<17;j++) { int m=h[i-1][j-1]+((in[i]&3)==(in[64+j]&3)?1:-1);\n"
        "int a=max(h[i-1][j]-1,h[i][j-1]-1); h[i][j]=max(m,a); } for (int i=0;i<17;i++) for (int j=0;j<17;j++) out[i*17+j]=h[i][j];"),
    "neighbours_in_a_picture": (1, "for (int y=1;y<15;y++) for (int x=1;x<15;x++) { int s=0;\n"
        "for (int dy=-1;dy<=1;dy++) for (int dx=-1;dx<=1;dx++) if (dx|dy) s+=in[(y+dy)*16+x+dx]&1; int c=in[y*16+x]&1;\n"
        "out[y*16+x]=(s==3)||(c&&s==2); }"),
    "counters_that_go_down": (2, "for (int i=9;i>=0;i--) for (int j=7;j>i-4;j-=2) out[i*16+j+8]=in[(i*j)&255]+j;"),
    "loops_that_end_behind_a_round": (1, "uint i=0; do { uint j=0; do { out[i*8+j]=in[(i*8+j)&255]+n; j++; } while (j<(n&7)); i++; } while (i<5);"),
    "rounds_that_are_left_and_gone_on_with": ((2,), "for (uint i=0;i<20;i++) { if (in[i]&1) continue; uint s=0; for (uint j=0;j<10;j++) { if ((j^i)&2) continue; s+=in[(i+j)&255];\n"
        "if (j>n) break; } out[i]=s; if (s==7) break; }"),
    "butterflies_of_floats": ((1, 25, 1), "float re[16], im[16]; for (uint i=0;i<16;i++) { re[i]=(float)(in[i]&255); im[i]=0;\n"
        "} for (uint s=1;s<16;s*=2) for (uint k=0;k<16;k+=2*s) for (uint j=0;j<s;j++) { float wr=1.0f-j*0.125f, wi=j*0.0625f;\n"
        "float tr=re[k+j+s]*wr-im[k+j+s]*wi, ti=re[k+j+s]*wi+im[k+j+s]*wr; float ur=re[k+j], ui=im[k+j]; re[k+j]=ur+tr; im[k+j]=ui+ti;\n"
        "re[k+j+s]=ur-tr; im[k+j+s]=ui-ti; } for (uint i=0;i<16;i++) { out[i]=as_uint(re[i]); out[16+i]=as_uint(im[i]); }"),
    "counters_of_eight_bits": (1, "for (uchar i=0;i<10;i++) for (char j=-5;j<5;j++) out[i*16+j+5]=in[(i+j)&255]-j;"),
    "counters_of_64_bits": (2, "for (long i=0;i<10;i++) for (long j=0;j<(long)(n&15);j++) out[i*16+j]=in[(i+j)&255]-j;"),
    "a_check_sum_bit_by_bit": (1, "uint crc=~0u; for (uint i=0;i<min(n,60u);i++) { crc^=in[i]&255; for (int b=0;b<8;b++) crc=crc&1?(crc>>1)^0xEDB88320u:crc>>1;\n"
        "out[i]=crc; } out[900]=~crc;"),
    "the_end_depends_on_an_array": ((1,), "uint l[16]; for (uint i = 0; i < 16; i++) l[i] = in[i] & 15; uint at = n & 15; for (uint i = 0; i < 40 && l[at] != 3; i++) { at = (at + 1) & 15; l[at ^ 5] = i & 15; } out[0] = at;"),
}

# How operators are shared by random kernels.
SHARES = ((), (), ("--share=4",), ("--share=32",))

# Operations share operators: name: cycles from a round to the next; options; the body.
FLOAT = "as_float(in[{}] & 0x41FFFFFF)"
SHARED = {
    "terms_of_a_sum_share_and_the_sum_does_not": (7, (), "float s = 0; for (uint i = 0; i < n; i++) { float x = " + FLOAT.format("i & 255") +
        "; s += x * x * 0.5f - (x + 1) * (x - 2) * x; out[i] = as_uint(s); }"),
    "the_memory_port_keeps_rounds_apart": (3, (), "for (uint i = 0; i < n; i++) { float x = " + FLOAT.format("i & 255") + ", y = " + FLOAT.format("i * 7 & 255") +
        ";\nout[i] = as_uint(fma(x, y, 1.0f) * fma(y, y, x) * fma(x, x, 3.0f)); }"),
    "all_that_a_round_does_is_carried_on": (None, ("--share=16",), "float x = 1; for (uint i = 0; i < n; i++) { x = x * 0.5f + 1 / x + x * x * 0.001f - x * 0.01f * x; out[i] = as_uint(x); }"),
    "rounds_wait_for_their_turns": (4, ("--share=4",), "for (uint i = 0; i < n; i++) { float x = " + FLOAT.format("i & 255") + ", y = i;\n"
        "y = fma(x, y, 2.0f) * fma(x, x, y) * fma(y, y, x) * (x + y) * (x - y) * (y + 1); out[i] = as_uint(y) ^ as_uint(sqrt(x) / (y + 2)); }"),
    "products_of_integers_are_carried_on": (None, ("--share=8",), "ulong s = n, t = 5; for (uint i = 0; i < n; i++) { s = s * 6364136223846793005ul + 1442695040888963407ul;\n"
        "t = mul_hi(s, t | 1) * (s ^ i) + t; out[i] = (uint)(t >> 32) * (uint)s ^ in[i & 255] * (uint)t; }"),
    "partial_sums_in_a_shift_register": (None, ("--share=4",), PARTIAL_SUMS.format(8, 7).replace("x = w[0] +", "x = w[0] * 0.5f + w[3] * 0.25f + w[5] * 0.125f +")),
    "an_array_beside_what_is_shared": (None, ("--share=8",), "float h[16]; for (uint i = 0; i < 16; i++) h[i] = i; for (uint i = 0; i < n; i++) { float x = " +
        FLOAT.format("i & 255") + "; uint k = in[i & 255] & 15;\nh[k] = h[k] * 0.5f + x * x * x + x * 3; } for (uint i = 0; i < 16; i++) out[i] = as_uint(h[i]);"),
    "a_branch_and_a_division": (None, ("--share=16",), "uint s = 1; for (uint i = 0; i < n; i++) { uint x = in[i & 255]; if (x & 1) s += x / (i + 3) + s % 7; else s ^= x % (i + 5) * (x / 3 + s);\n"
        "out[i] = s; }"),
    "products_that_say_whether_a_round_follows_come_first": (None, ("--share=8",), "uint s = 0; for (uint i = 0; i < n; i++) { float cr = (i & 15) * 0.2f - 2, ci = (i >> 4) * 0.1f - 1, a = 0, b = 0; uint k = 0;\n"
        "while (k < 20 && a * a + b * b < 4) { float t = a * a - b * b + cr; b = 2 * a * b + ci; a = t; k++; } s = s * 3 + k; out[i] = s ^ as_uint(fma(a, 1.5f, fma(b, 2.5f, fma(a, b, 0.25f)))); }"),
    "slots_for_fewer_rounds_than_are_under_way": (None, ("--share=32",), "float s = 0; for (uint i = 0; i < n; i++) { float x = " + FLOAT.format("i & 255") +
        ";\ns = s * 0.5f + exp(x * 0.01f) * log(x + 3) + x * x; out[i] = as_uint(s); }"),
}

# With fewer slots memory's latency keeps rounds further apart than what is asked of these, other loops are one, or rounds are interleaved.
MANY_SLOTS = ("columns_that_would_come_further_apart", "nests_of_which_one_is_better_as_one_and_another_is_not", "a_sum_of_each_row", "a_product_of_matrices",
              "rows_that_are_left_early", "rows_of_which_some_have_no_columns", "columns_whose_number_is_loaded", "neighbours_in_a_picture")

# Those that several work-items may run, as none changes what another one loads.
OF_MANY = ("a_sum_of_integers", "a_store_a_round", "words_that_are_passed_on", "two_loops_and_one_around", "rounds_that_load_nothing_keep_their_order",
           "an_array_without_a_loop_that_overlaps", "a_histogram_in_local_memory")


class Random:
    """A kernel with loops that carry values, load and store."""

    def __init__(self, seed):
        self.r, self.depth, self.names = random.Random(seed), 0, []
        # A load of what may have been stored keeps rounds apart; without any, more loops are one.
        self.has_loads_of_stored = self.r.random() < 0.5
        self.ints = [f"a{i}" for i in range(self.r.randint(1, 3))]
        self.floats = [f"f{i}" for i in range(self.r.randint(0, 2))]
        text = "".join(f"uint {name} = {self.r.choice(['n', 'in[3]', str(self.r.randrange(100)), 'both[1]'])};\n" for name in self.ints)
        text += "".join(f"float {name} = {self.r.choice(['1.5f', 'as_float(in[5])', '0.0f'])};\n" for name in self.floats)
        self.arrays = []
        for i in range(self.r.choice((0, 0, 1, 1, 2))):
            name, elements = f"l{i}", self.r.choice((8, 16, 64))
            text += f"{self.r.choice(('uint', 'uint', 'uchar', 'local uint', 'local ushort'))} {name}[{elements}];\nfor (uint z = 0; z < {elements}; z++) {name}[z] = z * 7 + n;\n"
            self.arrays.append((name, elements))
        # Shift registers: type, and the words by name, the oldest first.
        self.registers = [(kind, [f"{kind[0]}r{i}_{k}" for k in range(self.r.randint(2, 10))]) for i, kind in enumerate(self.r.choice(
            ((), (), ("uint",), ("float",), ("float", "uint"))))]
        text += "".join(f"{kind} {name} = {k + 2};\n" for kind, words in self.registers for k, name in enumerate(words))
        text += self.loop(self.r.random() < 0.5)
        if self.r.random() < 0.3:
            text += self.loop(False)
        text += "".join(f"out[{980 + k}] ^= {'as_uint' if kind == 'float' else ''}({name});\n" for kind, words in self.registers for k, name in enumerate(words))
        text += "".join(f"out[{1000 + i}] = {name};\n" for i, name in enumerate(self.ints))
        text += "".join(f"out[{1010 + i}] = as_uint({name});\n" for i, name in enumerate(self.floats))
        for name, elements in self.arrays:
            text += f"for (uint z = 0; z < {elements}; z += 3) out[900 + z] = {name}[z];\n"
        self.source = HEAD + text + "}\n"
        self.slots = self.r.choice((4, 8, 16, 64))

    def loop(self, has_inner):
        r, counter = self.r, f"i{len(self.names)}"
        self.names.append(counter)
        step, bound = r.choice((1, 1, 1, 2, 3)), r.choice(("n", "n / 2", "n + 3", "20", "1", "3") if len(self.names) == 1 else ("(n & 7)", "n / 16", "3", "9", "1", f"{self.names[0]} + 1", f"{self.names[-2]} * 2", "(in[9] & 7)"))
        if has_inner:
            around = self.names[:-1]
            first, bound = r.choice(("0", "0", "1", *around)), r.choice(("3", "4", "n", "(n & 3)", "(in[7] & 3)", *(f"{name} + 2" for name in around)))
            text = f"for (uint {counter} = {first}; {counter} < min((uint)({bound}), 5u); {counter}{r.choice(('++', '++', ' += 2'))}) {{\n" + self.statements(r.choice((0, 0, 1, 2)))
            text += self.loop(len(self.names) < 3 and r.random() < 0.3) + self.statements(r.choice((0, 0, 1, 2)))
            if r.random() < 0.1:
                text += f"if ({self.integer()} == {r.randrange(9)}) {r.choice(('break', 'continue'))};\n"
        else:
            text = f"{r.choice(['', '', '#pragma unroll 2', '#pragma unroll 4', '#pragma unroll 1'])}\nfor (uint {counter} = {r.choice(('0', '0', '1') if len(self.names) == 1 else ('0', '0', '1', self.names[0], self.names[-2]))}; {counter} < {bound}; {counter} += {step}) {{\n"
            text += self.statements(r.randint(1, 5)) + "".join(self.shift(*one) for one in self.registers if r.random() < 0.9)
            if r.random() < 0.1:
                text += f"if ({self.integer()} == {r.randrange(9)}) break;\n"
        self.names.pop()
        return text + "}\n"

    def shift(self, kind, words):
        new = self.real() if kind == "float" else self.integer()
        old = self.r.choice((words[0], words[0], words[0], self.r.choice(words)))
        new = self.r.choice((new, f"{old} + {new}", f"{old} + {new}", f"{old} * 3 + {new}"))
        return "".join(f"{to} = {source};\n" for to, source in zip(words, words[1:])) + f"{words[-1]} = {new};\n" if new.find(words[0]) < 0 else \
            f"{{ {kind} made = {new};\n" + "".join(f"{to} = {source};\n" for to, source in zip(words, words[1:])) + f"{words[-1]} = made; }}\n"

    def statements(self, count):
        return "".join(self.statement() for _ in range(count))

    def statement(self):
        r, kind, i = self.r, self.r.random(), self.names[-1]
        if kind < 0.1 and self.depth < 2:
            self.depth += 1
            text = f"if ({self.integer()} & {r.randrange(1, 8)}) {{\n{self.statements(r.randint(1, 2))}}}\n"
            self.depth -= 1
            return text
        if kind < 0.35:
            return f"out[{r.choice((1, 1, 2, 4))} * {i} + {r.randrange(8)}] = {self.integer()};\n"
        if kind < 0.38:
            return r.choice((f"vstore4((uint4)({self.integer()}, {self.integer()}, {i}, 7), {i}, out + {r.randrange(3)});\n",
                             f"vstore2((uint2)({self.integer()}, {i}), {i}, out + {r.randrange(300)});\n"))
        if kind < 0.42 and self.has_loads_of_stored:
            return f"both[{i} + {r.randrange(4)}] = {self.integer()};\n"
        if kind < 0.6 and self.floats:
            name = r.choice(self.floats)
            return f"{name} = {r.choice((f'{name} + {self.real()}', f'fma({self.real()}, {self.real()}, {name})', f'fmin({name}, {self.real()})', self.real()))};\n"
        if kind < 0.75 and self.arrays:
            return f"{self.element()} {r.choice(('=', '=', '+=', '^='))} {self.integer()};\n"
        name = r.choice(self.ints)
        return f"{name} = {r.choice((f'{name} + {self.integer()}', f'{name} ^ {self.integer()}', f'max({name}, {self.integer()})', f'{name} * 3 + {self.integer()}', self.integer()))};\n"

    def element(self):
        name, elements = self.r.choice(self.arrays)
        i, other = self.names[-1], self.r.choice(self.ints)
        index = self.r.choice((i, f"{i} + {self.r.randrange(1, 9)}", f"{i} * 3 + 1", f"{other}", f"in[{i} & 255]", f"({other} >> 3) + {i}", f"{self.r.randrange(elements)}"))
        return f"{name}[({index}) & {elements - 1}]"

    def integer(self):
        r, i = self.r, self.names[-1]
        if self.arrays and r.random() < 0.25:
            return f"(uint){self.element()}"
        if self.registers and r.random() < 0.15:
            kind, words = r.choice(self.registers)
            return f"as_uint({r.choice(words)})"
        stored = (f"out[{i} + {r.randrange(4)}]", f"both[{i} + {r.randrange(5)}]") if self.has_loads_of_stored else ()
        if r.random() < 0.1:
            return r.choice((f"vload4({i} & 31, in + {r.randrange(9)}).{r.choice('xyzw')}", f"in[({i} & 127) + {r.randrange(9)}]", f"(vload3({i} & 31, in).x ^ vload3({i} & 31, in).z)"))
        return r.choice((f"in[({i} * {r.randrange(1, 5)} + {r.randrange(9)}) & 255]", f"in[({r.choice(self.ints)} + {i}) & 255]", *stored,
                         r.choice(self.ints), r.choice(self.ints), i, f"({r.choice(self.ints)} >> {r.randrange(1, 9)})", f"({i} * {r.randrange(99)}u)"))

    def real(self):
        return self.r.choice((f"as_float(in[({self.names[-1]} + {self.r.randrange(9)}) & 255])", f"(float){self.integer()}", self.r.choice(self.floats or ["1.25f"]), "0.75f"))


# Of kernels that do not say that they have one work-item: cycles from a round to the next, slots, and the body. All work-items do the same.
TASKS = {
    "a_sum": (1, 16, "uint s = n; for (uint i = 0; i < n; i++) s += in[i & 255]; out[0] = s;"),
    "a_filter_with_few_slots": (1, 4, "uint a = 1, b = 2; for (uint i = 0; i < n; i++) { b = a; a = in[i & 255]; out[i] = a * 3 + b; }"),
    "two_slots": (1, 2, "uint s = n; for (uint i = 0; i < n; i++) s += in[i & 255]; out[0] = s;"),
    "a_task_with_a_histogram_in_local_memory": ((1, 1, 1), 16, "local uint h[16]; for (uint i = 0; i < 16; i++) h[i] = 0; for (uint i = 0; i < n; i++) h[in[i & 255] & 15]++;\n"
                                    "for (uint i = 0; i < 16; i++) out[i] = h[i];"),
    "a_task_with_a_histogram_in_private_memory": ((1, 1, 1), 8, "uint h[16]; for (uint i = 0; i < 16; i++) h[i] = i; for (uint i = 0; i < n; i++) h[in[i & 255] & 15]++;\n"
                                      "for (uint i = 0; i < 16; i++) out[i] = h[i];"),
    "private_memory_of_all_slots_that_is_no_more_than_a_beat": ((), 2, "uint own[2] = {n, 5}; uchar *bytes = (uchar *)own; for (uint i = 0; i < n; i++) bytes[in[i & 255] & 7] += in[i & 255] >> 3; out[0] = own[0] ^ own[1];"),
    "the_size_of_the_range": (1, 16, "uint s = n; for (uint i = 0; i < get_global_size(0); i++) s += in[i & 255]; out[0] = s * get_work_dim();"),
    "a_fence": (1, 16, "uint s = n; for (uint i = 0; i < n; i++) s += in[i & 255]; out[0] = s; mem_fence(CLK_GLOBAL_MEM_FENCE); out[1] = n;"),
}
# An index outside an array in a loop whose rounds overlap: the line and the reason of the fault (contract/DEVICE.md). The line of `kernel` is 2, or of a
# task 1.
INDEX_OUTSIDE = ("uint l[16]; for (uint i = 0; i < 16; i++) l[i] = i;\nfor (uint i = 0; i < n; i++) l[i == 30 ? 9000000 : in[i & 255] & 15] += i;\n"
                 "for (uint i = 0; i < 16; i++) out[i] = l[i];")
CONSTANT_HEAD = HEAD.replace("global uint *both", "constant uint *c")
OUTSIDE = {
    "private": (HEAD, 4, 5, INDEX_OUTSIDE),
    "private_of_a_task": (TASK, 3, 5, INDEX_OUTSIDE),
    "local": (HEAD, 4, 4, "local " + INDEX_OUTSIDE),
    "constant": (CONSTANT_HEAD, 3, 3, "for (uint i = 0; i < n; i++) { uint x = in[i & 255]; if (i == 30) x += c[0x8000000]; out[i] = x; }"),
}
# Words of constant memory that some rounds alone need: cycles from a round to the next, and the body.
CONSTANTS = {
    "of_a_loop": (1, "for (uint i = 0; i < n; i++) { uint x = in[i & 255]; if (x & 1) x = x * c[3] + c[4]; out[i] = x; }"),
    "of_a_nest": (1, "for (uint y = 0; y < (n & 15); y++) for (uint x = 1; x < (n & 31); x++) out[y * 32 + x] = in[y * 16 + x & 255] * c[0] + in[y * 16 + x - 1 & 255] * c[1];"),
    "of_loops_behind_each_other": ((1, 1), "for (uint i = 0; i < n; i++) out[i] = in[i & 255] * c[7]; uint s = 0; for (uint i = 0; i < n; i++) s += i & 2 ? in[i & 255] : c[9]; out[800] = s;"),
}
# These are for several work-items, or may be.
NO_TASKS = {
    "an_id": "for (uint i = get_global_id(0); i < n; i++) out[i] = in[i & 255];",
    "a_size_of_a_work_group": "for (uint i = 0; i < n; i++) out[i] = in[i & 255] * get_local_size(0);",
    "a_barrier": "for (uint i = 0; i < n; i++) { out[i] = in[i & 255]; barrier(CLK_GLOBAL_MEM_FENCE); }",
    "a_sum_of_a_sub_group": "for (uint i = 0; i < n; i++) out[i] = sub_group_reduce_add(in[i & 255]);",
    "an_atomic": "for (uint i = 0; i < n; i++) atomic_add(&out[i], 1u);",
    "no_loop": "out[0] = n;",
}


def compare(program, name, seed, work_items, work_group=1):
    PROGRAMS.compare_loops(program, name, seed, (0, 1, 2, 40, 200), work_items, work_group)


def intervals(name):
    """Of the loops whose rounds overlap."""
    return [int(number) for number in re.findall(r"\brounds #\(.*?\.INTERVAL\((\d+)\)", PROGRAMS.verilog(name))]


def of_one_work_item(body, slots=16, lanes=1):
    return HEAD + body + "\n}\n", lanes, slots


def of_several(body, slots=16, lanes=1):
    return TASK + body + "\n}\n", lanes, slots


def program_of(test, cases, arguments_of):
    """The program of the kernels of one test, as far as they are chosen; arguments_of(case) are those of Programs.compile()."""
    return PROGRAMS.verilated({name: arguments_of(case) for name, case in cases.items() if tap.is_chosen(f"{test.__name__}[{name}]")})


def expect_intervals(name, interval):
    tap.expect(list(interval) if isinstance(interval, tuple) else [interval], intervals(name), "cycles from a round to the next, of each loop")


if not SEEDS.is_alone:
    @tap.test_for(**{name: name for name in WRITTEN})
    def a_loop_is_what_the_model_makes_of_it(name):
        program = program_of(a_loop_is_what_the_model_makes_of_it, WRITTEN, lambda case: of_one_work_item(case[1], 128 if case in map(WRITTEN.get, MANY_SLOTS) else 16))
        interval, found = WRITTEN[name][0], intervals(name)
        tap.expect(interval is not None, bool(found), "whether rounds overlap")
        if isinstance(interval, tuple):
            expect_intervals(name, interval)
        elif found:
            tap.expect({interval}, set(found), "cycles from a round to the next")
        compare(program, name, 1, 3 if name in OF_MANY else 1)

    @tap.test_for(**{name: name for name in SHARED})
    def a_loop_whose_operations_share_operators_is_what_the_model_makes_of_it(name):
        test = a_loop_whose_operations_share_operators_is_what_the_model_makes_of_it
        # Unasked sharing costs nothing, and few slots would wait longer.
        program = program_of(test, SHARED, lambda case: (*of_one_work_item(case[2], 16 if case[1] else 64), case[1]))
        tap.expect_in("operations share", PROGRAMS.report(name), "the report")
        if SHARED[name][0]:
            expect_intervals(name, SHARED[name][0])
        tap.expect(True, bool(intervals(name)), "whether rounds overlap")
        compare(program, name, 1, 1)

    @tap.test_for(**{name: name for name in TASKS})
    def a_kernel_whose_work_items_would_do_the_same_is_one_of_one_work_item(name):
        program = program_of(a_kernel_whose_work_items_would_do_the_same_is_one_of_one_work_item, TASKS, lambda case: of_several(case[2], case[1]))
        interval, slots, _ = TASKS[name]
        expect_intervals(name, interval)
        # Work-items of one work-group share a local array without a barrier: what it has then is not said.
        for work_items, work_group in ((1, 1), (3, 1)) + (((5, 2), (2 * slots - 1, slots)) if "local" not in name else ()):
            compare(program, name, 1, work_items, work_group)

    @tap.test_for(**{name: name for name in OUTSIDE})
    def an_index_outside_an_array_in_rounds_that_overlap_is_the_models_fault_and_has_its_line(name):
        test = an_index_outside_an_array_in_rounds_that_overlap_is_the_models_fault_and_has_its_line
        program = program_of(test, OUTSIDE, lambda case: (case[0] + case[3] + "\n}\n", 1, 16))
        _, source_line, reason, _ = OUTSIDE[name]
        tap.expect(True, bool(intervals(name)), "whether rounds overlap")
        pipelines.expect_fault(PROGRAMS.dispatch_loop(program, name, 1, 40), PROGRAMS.kernel(name), reason, source_line)

    @tap.test_for(**{name: name for name in CONSTANTS})
    def rounds_overlap_although_some_alone_need_a_word_of_constant_memory(name):
        test = rounds_overlap_although_some_alone_need_a_word_of_constant_memory
        program = program_of(test, CONSTANTS, lambda case: (CONSTANT_HEAD + case[1] + "\n}\n", 1, 16))
        expect_intervals(name, CONSTANTS[name][0])
        compare(program, name, 1, 1)

    @tap.test_for(**{name: name for name in NO_TASKS})
    def a_kernel_of_several_work_items_has_several_lanes(name):
        PROGRAMS.compile(name, *of_several(NO_TASKS[name], lanes=4))
        tap.expect_in(".LANES(4)", PROGRAMS.verilog(name), "the pipeline")


overlapping, nests = [], []


@tap.test_for(**{f"seed {seed}": seed for seed in SEEDS.all})
def a_random_loop_is_what_the_model_makes_of_it(seed):
    def arguments_of(one):
        kernel = Random(one)
        return kernel.source, 1, kernel.slots, SHARES[one % len(SHARES)]

    def check(program, name):
        overlapping.extend(intervals(name)[:1])
        nests.extend(re.findall(r"rounds of the \d+ loops .*, as one, overlap", PROGRAMS.report(name))[:1])
        compare(program, name, seed, 1)

    pipelines.run_random(SEEDS, PROGRAMS, seed, arguments_of, check)


if not SEEDS.is_alone:
    @tap.test
    def rounds_of_many_random_loops_overlap():
        count = len(SEEDS.all)
        print(f"# of {count} kernels {len(overlapping)} have a loop whose rounds overlap, {len(nests)} loops around each other that are one")
        if len(overlapping) * 4 < count:
            raise AssertionError(f"of {count} kernels only {len(overlapping)} have a loop whose rounds overlap")
        if len(nests) * 40 < count:
            raise AssertionError(f"of {count} kernels only {len(nests)} have loops around each other that are one")

try:
    tap.run("rounds")
finally:
    SEEDS.end()
