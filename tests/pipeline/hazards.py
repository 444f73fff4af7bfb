#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Loops whose rounds may come to the same words, which only the data say, and overlap nevertheless (docs/decisions/pipeline-hazards.md): they leave memory as the
golden model does, bit for bit, with random memory latency and back pressure. Kernels that are written, of which it is also told whether addresses are compared,
and random ones, in which rounds meet often.

HEDDLE_FUZZ_SEED=17 runs one random kernel alone, and keeps what was made of it. Else there are 12, or 400 with HEDDLE_TEST_LONG; HEDDLE_PIPELINE_KERNELS and
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

SEEDS = pipelines.Seeds("hazards", few=12, many=400, batch=12)
PROGRAMS = pipelines.Programs(SEEDS.folder)
HEAD = ("__attribute__((reqd_work_group_size(1, 1, 1)))\n"
        "kernel void k(global const uint *restrict in, global uint *restrict out, global uint *both, uint n) {\n")
FLOAT = "as_float(in[i & 255] & 0x41FFFFFF)"

# Words that are claimed and checked; the body.
WRITTEN = {
    "a_histogram_in_memory": ((1, 1), "for (uint i = 0; i < n; i++) out[in[i & 255] & 15]++;"),
    "all_rounds_come_to_one_word": ((1, 1), "for (uint i = 0; i < n; i++) out[in[i & 255] & (n >> 9)] += i;"),
    "a_histogram_of_floats": ((1, 1), "global float *f = (global float *)out; for (uint i = 0; i < 64; i++) f[i] = i; for (uint i = 0; i < n; i++) f[in[i & 255] & 63] += " + FLOAT + ";"),
    "the_larger_of_two_is_kept": ((1, 1), "for (uint i = 0; i < n; i++) { uint k = in[i & 255] & 31, x = in[i * 7 & 255]; if (x > out[k]) out[k] = x; }"),
    "a_histogram_of_bytes": ((1, 1), "global uchar *b = (global uchar *)out; for (uint i = 0; i < n; i++) b[in[i & 255] & 15] += i;"),
    "a_histogram_of_halves_of_words": ((1, 1), "global ushort *b = (global ushort *)out; for (uint i = 0; i < n; i++) b[in[i & 255] & 15] ^= i * 77;"),
    "words_of_64_bits": ((2, 2), "global ulong *w = (global ulong *)out; for (uint i = 0; i < n; i++) w[in[i & 255] & 15] += (ulong)i << 31;"),
    "vectors_of_two": ((2, 2), "global uint2 *w = (global uint2 *)out; for (uint i = 0; i < n; i++) w[in[i & 255] & 15] += (uint2)(i, in[i & 255]);"),
    "two_fields_of_a_structure": ((2, 2), "global struct { uint a, b; } *t = out; for (uint i = 0; i < n; i++) { uint k = in[i & 255] & 15; t[k].a += i; t[k].b ^= t[k].a; }"),
    "pointers_that_may_be_alike": ((1, 1), "global uint *p = both + (n & 7); for (uint i = 0; i < n; i++) both[i] = p[i] * 3 + i;"),
    "a_pointer_behind_another": ((1, 1), "global uint *p = both + (n & 7); for (uint i = 0; i < n; i++) p[i + 2] = both[i] * 3 + i;"),
    "two_pointers_that_may_be_a_third": ((1, 2), "global uint *p = both + (n & 7), *q = both + (n >> 3 & 7); for (uint i = 0; i < n; i++) both[i + 4] = p[i] * 3 + q[2 * i];"),
    "a_distance_that_is_not_known": ((1, 1), "for (uint i = 0; i < n; i++) out[i + n] = out[i] + 1;"),
    "what_was_stored_some_rounds_before": ((1, 1), "for (uint i = 5; i < n; i++) out[i] = out[i - 5] * 3 + in[i & 255];"),
    "words_change_places": ((2, 2), "for (uint i = 0; i < n; i++) { uint k = i & 63, j = in[i & 255] & 63; uint x = out[k], y = out[j]; out[k] = y ^ i; out[j] = x; }"),
    "a_store_in_front_of_a_load": ((1, 1), "for (uint i = 0; i < n; i++) { uint k = in[i & 255] & 31; out[k] = i; both[i] = out[in[i * 3 & 255] & 31]; }"),
    "a_load_behind_everything": ((2, 1), "for (uint i = 0; i < n; i++) { uint k = in[i & 255] & 31; out[k] += i; uint x = in[i * 5 & 255]; both[i] = out[x & 31] + x; }"),
    "a_store_long_behind_another": ((2, 1), "for (uint i = 0; i < n; i++) { uint k = in[i & 255] & 7, j = in[i * 3 & 255] & 7, x = out[k]; out[k] = x + i; out[j] = in[in[x & 255] & 255] + i; }"),
    "a_store_in_some_rounds_known_before": ((1, 1), "for (uint i = 0; i < n; i++) { uint x = in[i & 255]; if (x & 1) out[x >> 1 & 7] += x; }"),
    "a_load_in_some_rounds_known_before": ((1, 1), "for (uint i = 0; i < n; i++) { uint x = in[i & 255], y = i; if (x & 1) y = out[x >> 1 & 7]; out[x >> 4 & 7] = y + 1; }"),
    "loads_of_tables_are_no_matter": ((1, 1), "for (uint i = 0; i < n; i++) { uint k = in[in[i & 255] & 255] & 31; out[k] = out[k] * in[k] + 1; }"),
    "a_table_of_a_hash": ((1, 1), "for (uint i = 0; i < n; i++) { uint x = in[i & 255] & 63, h = x * 0x9E3779B1u >> 27; uint had = out[h]; out[h] = had == 0 ? x + 1 : had + 256; }"),
    "a_carried_sum_beside_it": ((1, 1), "uint s = n; for (uint i = 0; i < n; i++) { s = s * 5 + in[i & 255]; out[in[i * 3 & 255] & 15] += s; } both[0] = s;"),
    "the_address_is_a_carried_value": ((1, 1), "uint s = n; for (uint i = 0; i < n; i++) { s = s * 1664525 + 1013904223; out[s >> 27] += i; } both[0] = s;"),
    "a_private_array_beside_it": ((1, 1), "uint t[16]; for (uint i = 0; i < 16; i++) t[i] = i * n; for (uint i = 0; i < n; i++) { uint k = in[i & 255] & 15; t[k] += i; out[in[i * 3 & 255] & 15] += t[k]; }"),
    "a_private_array_gives_the_address": ((1, 1), "uint t[16]; for (uint i = 0; i < 16; i++) t[i] = in[i] & 31; for (uint i = 0; i < n; i++) out[t[i & 15]] += i;"),
    "a_list_of_edges": ((1, 2), "for (uint i = 0; i < n; i++) { uint a = in[i & 255] & 31, b = in[i & 255] >> 5 & 31; out[b] += out[a] + 1; }"),
    "two_loops_behind_each_other": ((1, 1), "for (uint i = 0; i < n; i++) out[in[i & 255] & 15]++; for (uint i = 0; i < n; i++) out[in[i & 255] & 31] += 5;"),
    "a_loop_in_a_loop_as_one": ((1, 1), "for (uint y = 0; y < 6; y++) for (uint x = 0; x < (n & 31); x++) out[in[(y * 32 + x) & 255] & 15] += y + x;"),
    "rows_of_a_matrix_of_few_elements": ((1, 1), "for (uint i = 0; i < n; i++) { uint r = in[i & 255] & 15, c = in[i & 255] >> 4 & 255; out[r] += in[c] * (i + 1); }"),
    "rounds_in_one": ((4, 4), "\n#pragma unroll 4\nfor (uint i = 0; i < (n & 124); i++) out[in[i & 255] & 15] += i;"),
}
# No address is compared: the body, and a word of the report.
NOT_COMPARED = {
    "rounds_do_not_meet": ("for (uint i = 0; i < n; i++) out[i] += in[i & 255];", "overlap: the next begins"),
    "rounds_always_meet": ("for (uint i = 1; i < n; i++) { if (in[i & 255] & 1) both[i] = both[i - 1] * 3 + 1; }", "what one right in front of it has stored"),
    "the_address_is_what_is_loaded": ("uint p = n & 31; for (uint i = 0; i < n; i++) { p = both[p & 31]; both[p & 31] = p + i; }", "a store may be to what a later round loads"),
    "an_address_is_known_too_late": ("for (uint i = 0; i < n; i++) both[both[i] & 31] = i;", "a store may be to what a later round loads"),
    "too_many_words": ("global uint8 *w = (global uint8 *)out; for (uint i = 0; i < n; i++) w[in[i & 255] & 15] += (uint8)(i);", "a store may be to what a later round loads"),
    "ivdep": ("\n#pragma ivdep\nfor (uint i = 0; i < n; i++) out[in[i & 255] & 1023] = out[(in[i & 255] + 1) & 1023] & 0;", "overlap: the next begins"),
    "atomics": ("for (uint i = 0; i < n; i++) atomic_add(&out[in[i & 255] & 15], i);", "it has an atomic"),
}


def compare(program, name, seed):
    PROGRAMS.compare_loops(program, name, seed, (0, 1, 3, 40, 200))


def compared(name):
    """Of each loop: words that are claimed, and checked."""
    found = re.findall(r"\bhazards #\(.*?\.CLAIMED\(\{(.*?)\}\), \.CHECKED\(\{(.*?)\}\)", PROGRAMS.verilog(name))
    return [tuple(words.count("'b1") for words in one) for one in found]


class Random:
    """A loop of one work-item that changes words of memory, few enough to meet often, at places which the data say."""
    def __init__(self, seed):
        r = self.r = random.Random(seed)
        self.slots = r.choice((2, 4, 16, 32, 64))
        self.type = r.choice(("uint", "uint", "uint", "uchar", "ushort", "float", "ulong"))
        self.names, lines = [], []
        places = [f"(in[(i * {r.randrange(1, 8)} + {r.randrange(9)}) & 255] >> {r.randrange(9)} & {r.choice((0, 1, 3, 7, 15, 63))})" for _ in range(r.randrange(1, 3))]
        places += r.choice(([], [f"(i * {r.randrange(1, 7)} & {r.choice((7, 15, 63))})"], ["(s >> 28)"]))
        for _ in range(r.randrange(1, 5)):
            lines.append(self.statement(r.choice(places), r.choice(places)))
        body = " ".join(lines)
        t = self.type
        self.source = (HEAD + f"global {t} *a = (global {t} *)out, *b = {r.choice(('a', 'a', f'(global {t} *)both', f'a + (n & {r.choice((1, 3, 7))})'))};\n"
                       f"uint s = n; {t} c = 1; {t} o[32]; for (uint k = 0; k < 32; k++) o[k] = k * n;\n"
                       + (f"for (uint j = 0; j < {r.randrange(1, 5)}; j++) " if r.random() < 0.2 else "")
                       + f"for (uint i = 0; i < n; i++) {{ s = s * 1664525u + in[i & 255]; {body} }}\nboth[500] = s; both[501] = (uint)c; for (uint k = 0; k < 32; k++) a[200 + k] = o[k];\n}}\n")

    def statement(self, to, of):
        r, t = self.r, self.type
        a, b = r.choice("ab"), r.choice("ab")
        value = r.choice(("i", "s", r.choice(self.names) if self.names else "(s ^ i)"))
        kind = r.randrange(6)
        condition = r.choice(("", "", "", "if (s & 64) ", "if (in[i & 255] & 4) "))
        # An array of its own, whose elements take long to be changed.
        if r.random() < 0.25:
            return f"{condition}o[{to} & 31] = o[{of} & 31] * ({t})5 + ({t})({value} & 0xFF);" if value[0] != "x" or t != "float" else f"{condition}o[{to} & 31] += {value};"
        if kind == 0:
            self.names.append(f"x{len(self.names)}")
            return f"{t} {self.names[-1]} = {a}[{of}];"
        if kind == 1:
            return f"{condition}{a}[{to}] = ({t}){value};"
        if kind == 2:
            return f"if ({a}[{of}] > ({t})(in[i & 255] & 255)) {b}[{to}] = ({t})({value} & 127);"
        if kind == 3:
            return f"{condition}c += {a}[{of}] * ({t})3;"
        operator = r.choice(("+=", "-=", "*=") if t == "float" else ("+=", "^=", "|=", "-="))
        return f"{condition}{a}[{to}] {operator} ({t})({value} & 0xFF);" if value[0] != "x" or t != "float" else f"{condition}{a}[{to}] += {value};"


if not SEEDS.is_alone:
    @tap.test_for(**{name: name for name in WRITTEN})
    def rounds_that_may_meet_are_what_the_model_makes_of_them(name):
        test = rounds_that_may_meet_are_what_the_model_makes_of_them
        chosen = {one: (HEAD + WRITTEN[one][1] + "\n}\n", 1, 16) for one in WRITTEN if tap.is_chosen(f"{test.__name__}[{one}]")}
        program = PROGRAMS.verilated(chosen)
        tap.expect({WRITTEN[name][0]}, set(compared(name)), "words that are claimed, and checked")
        tap.expect_in("later, or where it meets one in front of it, behind that", PROGRAMS.report(name), "the report")
        compare(program, name, 1)

    @tap.test_for(**{name: name for name in NOT_COMPARED})
    def addresses_are_not_compared_without_need_or_use(name):
        body, said = NOT_COMPARED[name]
        PROGRAMS.compile(name, HEAD + body + "\n}\n", 1, 16)
        tap.expect([], compared(name), "words that are claimed, and checked")
        tap.expect_in(said, PROGRAMS.report(name), "the report")


meeting = []


@tap.test_for(**{f"seed {seed}": seed for seed in SEEDS.all})
def a_random_loop_is_what_the_model_makes_of_it(seed):
    def arguments_of(one):
        kernel = Random(one)
        return kernel.source, 1, kernel.slots

    def check(program, name):
        meeting.extend(compared(name)[:1])
        compare(program, name, seed)

    pipelines.run_random(SEEDS, PROGRAMS, seed, arguments_of, check)


if not SEEDS.is_alone:
    @tap.test
    def addresses_of_many_random_loops_are_compared():
        count = len(SEEDS.all)
        print(f"# of {count} kernels {len(meeting)} compare addresses")
        if len(meeting) * 3 < count:
            raise AssertionError(f"of {count} kernels only {len(meeting)} compare addresses")

try:
    tap.run("hazards")
finally:
    SEEDS.end()
