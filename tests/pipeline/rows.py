#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Random loops of one work-item whose inner loop stores rows, columns or what the data chooses, and loads the like: rounds may need each other, by a word.
They leave memory as the golden model does, whether heddlec has found that rounds are apart (hls/pipeline/dependence.c) or not.

HEDDLE_FUZZ_SEED=17 runs one kernel alone, and keeps what was made of it. Else there are 16, or 400 with HEDDLE_TEST_LONG; HEDDLE_PIPELINE_KERNELS and
HEDDLE_PIPELINE_SEED choose how many, and the first.
"""
import os
import random
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.dirname(HERE), HERE]
import tap
import pipelines

IN, BOTH = 256, 512  # words of the buffers
SEEDS = pipelines.Seeds("rows", few=16, many=400, batch=16)
PROGRAMS = pipelines.Programs(SEEDS.folder)
HEAD = ("__attribute__((reqd_work_group_size(1, 1, 1)))\n"
        "kernel void k(global const uint *restrict in, global uint *both, uint n) {\nuint m = n & 7, o = n >> 3 & 7;\n")
ARGUMENTS = (0, 3, 13, 31, 47, 62)  # n


class Rows:
    """Mostly of a kind: an index of rows, of columns, or that the data chooses, and loops that just fit it, or are one too many."""

    def __init__(self, seed):
        self.r = random.Random(f"rows {seed}")
        pick = self.r.choice
        self.slots, self.size = pick((16, 32)), pick((3, 4, 5, 8, 12))
        s = self.size
        # Index; how far the inner loop may go, and the outer one.
        index, most, end = pick(((("i * m + k", "k + m * i", "(i * m + k) * 2", "i * m + m + k"), ("m",), ("(n & 15)", "m", "o", "12")),
                                 ((f"i * {s} + k", f"i * {s} | k", f"(i << {(s - 1).bit_length()} | k)"), (f"{s}", "(x & 3)"), ("(n & 15)", "m", "12")),
                                 (("k * m + i", "(k * m + i) * 2", "m * k + i"), ("m", "o", "(n & 7)", "7"), ("m",)),
                                 ((f"i * {s} + c", f"i * {s + 1} + c", f"c + i * {s - 1}"), (f"{s}",), ("(n & 15)", "m", "12")),
                                 (("i * m + c", "(i * m + c) * 2"), ("m",), ("(n & 15)", "m", "12")),
                                 ((f"k * {s} + i", f"k * {s} | i", f"(k << {(s - 1).bit_length()}) + i"), ("m", "o", "7", "(x & 3)"), (f"{s}",)),
                                 ((f"i * 4 + (x & 3)", f"i * 8 + (x & 7)", f"i * {s} + min(x, {s - 1}u)", f"i * 4 + (x >> 30)"), ("m", "o", "(x & 3)"), ("(n & 15)", "m", "12")),
                                 ((f"(x & 15) * {s} + i", f"x % (m + 9) * {s} + i", "x % (m + 9) * 16 + i"), ("m", "o", "(x & 3)"), (f"{s}",))))
        self.index = pick(index)
        most, end = pick(most) + pick(("", "", "", " + 1")), pick(end) + pick(("", "", "", "", " + 1"))
        first, step = pick((0, 0, 0, 1, 2)), pick((1, 1, 1, 2))
        outer = pick((f"for (uint i = {first}; i < {end}; i += {step})", f"for (int i = {first}; i < (int)({end}); i += {step})",
                      f"for (int i = (int)({end}) - 1; i >= {first}; i -= {step})") [:pick((2, 2, 2, 3))])
        inner = pick((f"for (uint k = 0; k < {most}; k++)", f"for (int k = {pick('01')}; k < (int)({most}); k++)", f"for (int k = {pick('01')}; k < (int)({most}) - 1; k++)",
                      f"for (uint k = {pick('01')}; k < {most} && k < 9; k++)", f"for (uint k = 0; k <= i && k < {most}; k++)", f"for (int k = (int)({most}) - {pick('112')}; k >= {pick('001')}; k--)",
                      f"for (int k = {most}; k > {pick('01')}; k--)", f"for (uint k = {most}; k-- > {pick('01')};)", f"for (int k = i{pick(('', ' + 1', ' - 1'))}; k < (int)({most}); k++)"))
        stores = "".join(self.store() for _ in range(pick((1, 1, 2))))
        stores += pick(("", "", "", "if ((x & 7) == 5) break;\n")) + pick(("c++;\n", "if (x & 1) c++;\n", "c += x & 1;\n", "c = x & 2 ? c + 1 : c;\n"))
        end = pick(("", "", f" both[{self.index}] = 99;")) if "k" not in self.index and "x" not in self.index else ""
        self.source = HEAD + f"{outer} {{ uint x = in[i & 255], c = 0;\n{inner} {{ x = in[(x + k) & 255];\n{stores}}}{end} }}\n}}\n"

    def at(self):
        index = self.index.replace("k", "(m - 1 - k)") if self.r.random() < 0.1 and "* k" not in self.index else self.index
        return index + self.r.choice(("", "", "", "", "", "", " + 1", " + 4", " + m"))

    def store(self):
        at = self.at()
        return self.r.choice((f"both[{at}] = x;\n", f"both[{at}] += x;\n", f"x = in[(x + both[{self.at()}]) & 255]; both[{at}] = x;\n",
                              f"x = in[(x + both[{at}]) & 255]; both[{at}] = x;\n", f"if (x & 1) both[{at}] = x;\n"))


interleaved = []


@tap.test_for(**{f"seed {seed}": seed for seed in SEEDS.all})
def rows_and_columns_are_what_the_model_makes_of_them(seed):
    def arguments_of(one):
        kernel = Rows(one)
        return kernel.source, 1, kernel.slots

    def check(program, name):
        interleaved.append(PROGRAMS.interleaved(name) > 0)
        for number, n in enumerate(ARGUMENTS):
            job = pipelines.job([1], [1], **pipelines.memory(seed, number), seed=seed + number)
            arguments = [pipelines.BUFFERS, pipelines.BUFFERS + 4 * IN, n]
            outcome = PROGRAMS.dispatch(program, name, job, arguments, pipelines.random_words(seed + number, IN + BOTH))
            pipelines.expect_same(outcome, f"with n = {n}")

    pipelines.run_random(SEEDS, PROGRAMS, seed, arguments_of, check)


if not SEEDS.is_alone:
    @tap.test
    def rounds_of_some_are_interleaved_and_of_some_not():
        count, some = len(interleaved), sum(interleaved)
        print(f"# of {count} kernels {some} have a loop whose rounds are interleaved")
        tap.expect(True, count < 16 or count / 8 < some < count * 7 / 8, "whether between an eighth and seven eighths are")

try:
    tap.run("rows")
finally:
    SEEDS.end()
