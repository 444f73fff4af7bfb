#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What branches that exclude each other do alike is done once (hls/pipeline/exclusive.h), and leaves memory as the golden model does, bit for bit: kernels
that are written, of which it is also told how much is left, and random ones.

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

IN, ITEMS, OWN = 256, 16, 64  # words of `in`; work-items, and words of `out` that each has
SLOTS = 128  # with fewer, what takes less room is slower, as fewer sub-groups hide the latency of memory
SEEDS = pipelines.Seeds("branches", few=16, many=400, batch=16)
PROGRAMS = pipelines.Programs(SEEDS.folder)

TASK = "__attribute__((reqd_work_group_size(1, 1, 1)))\n"
HEAD = "kernel void k(global const uint *restrict in, global uint *restrict out, uint n) {\nconst uint id = get_global_id(0);\n"
INTERPRETER = ("uint r[8]; for (uint i = 0; i < 8; i++) r[i] = i * n + id; for (uint i = 0; i < n; i++) { uint w = in[i & 255], d = w & 7, a = w >> 3 & 7, b = w >> 6 & 7;\n"
               "switch (w >> 9 & 7) { case 0: r[d] = r[a] + r[b]; break; case 1: r[d] = r[a] - r[b]; break; case 2: r[d] = r[a] * r[b]; break;\n"
               "case 3: r[d] = r[a] ^ r[b]; break; case 4: r[d] = r[a] >> (r[b] & 31); break; case 5: r[d] = w; break; case 6: if (r[a] & 1) r[d] += 5; break; default: r[a] = r[d]; } }\n"
               "for (uint i = 0; i < 8; i++) out[id * 64 + i] = r[i];")

# Name: how much exclusive branches do alike and how much is left of that, None where nothing is, or ... where that does not matter; lanes, 0: a kernel of one work-item; the body.
WRITTEN = {
    "an_interpreter_of_one_work_item": ((21, 3), 0, INTERPRETER),
    "an_interpreter_a_lane": ((21, 3), 4, INTERPRETER),
    "divisions_of_three_cases": ((3, 1), 2, "uint x = in[id], y = in[id + 16] | 1, q = 7; switch (n & 3) { case 0: q = x / y; break; case 1: q = y / (x | 1); break; case 2: q = (x + n) / (y >> 3 | 1); }\n"
                                            "out[id * 64] = q;"),
    "a_division_and_a_remainder_stay_two": ((2, 1), 1, "uint x = in[id], y = in[id + 16] | 1, q = 7; switch (n & 3) { case 0: q = x / y; break; case 1: q = y % (x | 1); break; case 2: q = (x + n) / (y >> 3 | 1); }\n"
                                                       "out[id * 64] = q;"),
    "sums_of_floats_of_two_branches": ((4, 2), 2, "float x = as_float(in[id] & 0x3FFFFFFF), y = as_float(in[id + 9] & 0x3FFFFFFF), s; if (in[id + 3] & 1) s = (x + y) * x; else s = (y + 2.5f) * n;\n"
                                                  "out[id * 64] = as_uint(s);"),
    "what_is_volatile_does_not_pass_others": (..., 0, "uint a[4]; for (uint i = 0; i < 4; i++) a[i] = in[i + id]; volatile uint *v = a; uint x = in[id] & 3, s = 0; for (uint i = 0; i < n; i++) { uint w = in[i & 255];\n"
                                                    "switch (w >> 4 & 3) { case 0: a[x] = 5; s += v[x]; v[w & 3] = 9; s += a[i & 3]; break; case 1: s += a[x]; a[s & 3] = 7; s += a[w & 3]; break;\n"
                                                    "case 2: s ^= a[s & 3]; a[w & 3] = s; break; default: a[w & 3] += a[i & 3]; s += a[s & 3]; } }\n"
                                                    "out[id * 64] = s; for (uint i = 0; i < 4; i++) out[id * 64 + 1 + i] = a[i];"),
    "a_function_of_three_pieces": ((6, 3), 2, "float x = as_float(in[id] & 0x3FFFFFFF), near = fma(x, fma(x, 0.1f, 0.2f), 0.3f), mid = fma(fma(0.7f, x, 0.6f), x, 0.5f), far = fma(x, fma(x, 0.9f, n), id);\n"
                                              "out[id * 64] = as_uint(x < 0.25f ? near : x < 1.0f ? mid : far);"),
    "signs_and_bits_of_two_results": ((2, 1), 1, "float x = as_float(in[id] & 0x3FFFFFFF), y = as_float(in[id + 9] & 0x3FFFFFFF), a = -fabs(x * y), b = -fabs(y * 2.5f);\n"
                                                 "out[id * 64] = in[id + 3] & 1 ? as_uint(a) : as_uint(b);"),
    "what_a_branch_does_twice_stays_two": ((4, 2), 1, "uint a[5]; for (uint i = 0; i < 5; i++) a[i] = in[i + id]; uint s; if (n & 1) s = a[in[id] % 5] - 3 * a[in[id + 1] % 5]; else s = a[in[id + 2] % 5] ^ a[n % 5];\n"
                                                      "out[id * 64] = s + a[id % 5];"),
    "a_load_does_not_pass_a_store_of_its_branch": ((4, 2), 1, "uint a[4]; for (uint i = 0; i < 4; i++) a[i] = in[i + id]; uint x = in[id] & 3, s = 0; if (n & 1) { a[x] = 5; s = a[in[id + 1] & 3]; } else { s = a[x]; a[in[id + 2] & 3] = s + 1; s += a[id & 3]; }\n"
                                                              "out[id * 64] = s; for (uint i = 0; i < 4; i++) out[id * 64 + 1 + i] = a[i];"),
}


class Random:
    """A kernel whose branches have much to do with two private arrays; every third is one of one work-item."""

    def __init__(self, seed):
        self.r = random.Random(seed)
        self.is_task, self.lanes = seed % 3 == 0, self.r.choice((1, 2, 2, 4))
        self.words = (self.r.randrange(2, 12), self.r.randrange(2, 20))
        self.types = ("uint", self.r.choice(("uint", "float", "ushort", "uchar", "ulong")))
        self.loops, self.budget, self.in_loop = 0, self.r.randrange(8, 22), 0
        body = []
        self.block(body, 0)
        self.budget = 8
        self.block(body, 0)
        setup = f"uint v0 = in[id & 255], v1 = n, v2 = in[(id + 7) & 255], v3 = id; float f0 = n, f1 = as_float(in[id & 255] & 0x3FFFFFFF);\n{self.types[0]} a[{self.words[0]}]; {self.types[1]} b[{self.words[1]}];\n"
        setup += "".join(f"for (uint i = 0; i < {w}; i++) {name}[i] = in[(i + id) & 255];\n" for name, w in zip("ab", self.words))
        end = "".join(f"for (uint i = 0; i < {w}; i++) out[id * {OWN} + {at} + i] = {self.as_uint(name + '[i]', type)};\n"
                      for name, w, at, type in (("a", self.words[0], 0, self.types[0]), ("b", self.words[1], 16, self.types[1])))
        end += "".join(f"out[id * {OWN} + {40 + i}] = {value};\n" for i, value in enumerate(("v0", "v1", "v2", "v3", "as_uint(f0)", "as_uint(f1)")))
        self.source = (TASK if self.is_task else "") + HEAD + setup + "\n".join(body) + "\n" + end + "}\n"

    def as_uint(self, text, type):
        return f"as_uint({text})" if type == "float" else f"(uint)({text} >> 3)" if type == "ulong" else f"(uint){text}"

    def variable(self):
        return self.r.choice(("v0", "v1", "v2", "v3"))

    def index(self, which):
        words = self.words[which]
        return self.r.choice((f"{self.variable()} % {words}", f"(({self.variable()} >> {self.r.randrange(9)}) % {words})", str(self.r.randrange(words))))

    def uint(self, depth=1):
        kind = self.r.randrange(10)
        if depth == 0 or kind < 2:
            return self.r.choice((self.variable(), self.variable(), str(self.r.randrange(99)), "n", f"in[{self.variable()} & 255]"))
        if kind < 5:
            which = self.r.randrange(2)
            return self.as_uint(f"{'ab'[which]}[{self.index(which)}]", self.types[which])
        if kind == 5:
            return self.r.choice((f"({self.uint(0)} / ({self.variable()} | 1))", f"({self.uint(0)} % ({self.variable()} & 255 | 1))", f"(uint)((int){self.uint(0)} / (int)({self.variable()} | 1))"))
        return f"({self.uint(depth - 1)} {self.r.choice('+-*^&|')} {self.uint(depth - 1)})"

    def float(self):
        x = self.r.choice(("f0", "f1", f"(float){self.variable()}", "1.5f"))
        if self.r.randrange(3) == 0:
            k = [self.r.choice(("f0", "f1", "(float)v1", "0.25f", "3.5f")) for _ in range(4)]
            return f"({self.condition()} ? fma({x}, {k[0]} * {k[1]}, 1.5f) : fma({k[2]} * {k[3]}, {x}, {k[0]}))"
        return f"{x} {self.r.choice('+-*+/')} {self.r.choice(('f0', 'f1', '0.75f'))}" if self.r.randrange(8) else f"sqrt(fabs({x}))"

    def statement(self, body, depth):
        self.budget -= 1
        kind = self.r.randrange(12)
        if depth < 4 and self.budget > 0 and kind < 5:
            return self.branch(body, depth) if kind < 3 else self.switch(body, depth) if kind == 3 else self.loop(body, depth)
        if kind < 8:
            which = self.r.randrange(2)
            value = self.float() if self.types[which] == "float" else self.uint()
            body.append(f"{'ab'[which]}[{self.index(which)}] {self.r.choice(('=', '=', '+='))} {value};")
        elif kind == 8:
            body.append(f"{self.r.choice(('f0', 'f1'))} = {self.float()};")
        elif kind == 9 and self.in_loop:
            body.append(f"if ({self.condition()}) {self.r.choice(('break', 'continue'))};")
        elif kind == 10:
            body.append(f"out[id * {OWN} + 50 + ({self.variable()} & 7)] = {self.uint()};")
        else:
            body.append(f"{self.variable()} {self.r.choice(('=', '+=', '^='))} {self.uint()};")

    def condition(self):
        return f"({self.uint()} >> {self.r.randrange(6)} & {self.r.choice((1, 3))}) {self.r.choice(('==', '!='))} {self.r.randrange(2)}"

    def block(self, body, depth):
        for _ in range(self.r.randrange(1, 4)):
            self.statement(body, depth)

    def inner(self, body, depth):
        body.append("{")
        self.block(body, depth + 1)
        body.append("}")

    def branch(self, body, depth):
        body.append(f"if ({self.condition()})")
        self.inner(body, depth)
        while self.r.randrange(3):
            if self.r.randrange(3) == 0:
                body.append("else")
                self.inner(body, depth)
                return
            body.append(f"else if ({self.condition()})")
            self.inner(body, depth)

    def switch(self, body, depth):
        in_loop, self.in_loop = self.in_loop, 0
        body.append(f"switch ({self.uint()} & 7) {{")
        for i in range(self.r.randrange(2, 7)):
            body.append(f"case {i}:")
            self.inner(body, depth)
            if self.r.randrange(5):
                body.append("break;")
        body.append("}")
        self.in_loop = in_loop

    def loop(self, body, depth):
        self.loops += 1
        c = f"c{self.loops}"
        body.append(f"for (uint {c} = 0; {c} < ({self.uint(0)} & {self.r.choice((1, 3, 7))}) + {self.r.randrange(2)}; {c}++)")
        self.in_loop += 1
        self.inner(body, depth)
        self.in_loop -= 1


def compare(program, name, seed, is_task):
    lanes = PROGRAMS.kernel(name).lanes
    for number, n in enumerate((0, 1, 6, 37)):
        job = pipelines.job([4 if is_task else ITEMS], [1 if is_task else 4], 1 if is_task else lanes,
                            **pipelines.memory(seed, number), seed=seed + number)
        arguments = [pipelines.BUFFERS, pipelines.BUFFERS + 4 * IN, n]
        pipelines.expect_same(PROGRAMS.dispatch(program, name, job, arguments, pipelines.random_words(seed + number, IN + ITEMS * OWN)), f"with n = {n}")


def joined_in(name):
    """How much of what exclusive branches do the report says is done once, and how much is left of it; None: nothing."""
    found = re.search(r"exclude each other: (\d+) accesses and operations are (\d+)", PROGRAMS.report(name))
    return found and (int(found.group(1)), int(found.group(2)))


def arguments_of(name):
    """Those of Programs.compile()."""
    _, lanes, body = WRITTEN[name]
    return (HEAD if lanes else TASK + HEAD) + body + "\n}\n", max(lanes, 1), SLOTS


if not SEEDS.is_alone:
    @tap.test_for(**{name: name for name in WRITTEN})
    def branches_do_once_what_they_do_alike(name):
        chosen = [one for one in WRITTEN if tap.is_chosen(f"{branches_do_once_what_they_do_alike.__name__}[{one}]")]
        program = PROGRAMS.verilated({one: arguments_of(one) for one in chosen})
        if WRITTEN[name][0] is not ...:
            tap.expect(WRITTEN[name][0], joined_in(name), "how much of what branches do is one with others', and how much is left of it")
        compare(program, name, 1, WRITTEN[name][1] == 0)

    @tap.test_for(**{name: name for name in WRITTEN if name.startswith("an_interpreter")})
    def an_array_of_many_accesses_keeps_a_memory_of_its_own(name):
        if name not in PROGRAMS.made:
            PROGRAMS.compile(name, *arguments_of(name))
        if "private memory" in PROGRAMS.report(name):
            raise AssertionError(f"{name}: its array is behind the memory port:\n{PROGRAMS.report(name)}")


joined = []


@tap.test_for(**{f"seed {seed}": seed for seed in SEEDS.all})
def random_branches_leave_memory_as_the_model_does(seed):
    def random_arguments_of(one):
        kernel = Random(one)
        return kernel.source, 1 if kernel.is_task else kernel.lanes, SLOTS

    def check(program, name):
        joined.extend([seed] if joined_in(name) else [])
        compare(program, name, seed, Random(seed).is_task)

    pipelines.run_random(SEEDS, PROGRAMS, seed, random_arguments_of, check)


if not SEEDS.is_alone:
    @tap.test
    def many_random_kernels_have_such_branches():
        if len(joined) * 5 < len(SEEDS.all):
            raise AssertionError(f"of {len(SEEDS.all)} kernels only {len(joined)} have branches that do something alike")

try:
    tap.run("branches")
finally:
    SEEDS.end()
