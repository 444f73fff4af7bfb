#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Random kernels (kernels.py) as pipelines leave memory as the golden model does, bit for bit, with random memory latency and back pressure.

HEDDLE_FUZZ_SEED=17 runs one seed alone, and keeps what was made of it. Else 20 seeds, or 1,000 with HEDDLE_TEST_LONG, from 1;
HEDDLE_PIPELINE_KERNELS and HEDDLE_PIPELINE_SEED choose how many, and the first. HEDDLE_PIPELINE_HEDDLEC is another compiler.

A seed of which heddlec makes the same as in an earlier run that passed, with the same library, bench and model, is not Verilated again (Passed in
pipelines.py): a run that was ended goes on where it was, and a change of the compiler costs the kernels that it changes.
"""
import os
import random
import shutil
import struct
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.dirname(HERE), HERE]
import tap
import kernels
import pipelines

BATCH = 20  # kernels in one Verilated program: compiling it is what takes the time
SEEDS = pipelines.Seeds("random_kernels", few=20, many=1000, batch=BATCH)
# How operators are shared.
SHARES = ((), ("--share",), ("--share=32",))
compiled, refused, as_before = [], [], []


def buffers(maker):
    """What is in memory, and the kernel's arguments."""
    r = random.Random(maker.seed + 1)
    items = 512
    sizes = (4 * kernels.IN_WORDS, 16 * items, 16 * items, 8 * items, 4 * items, 64, 12 * items)
    memory, arguments = b"", []
    for size in sizes:
        arguments.append(pipelines.BUFFERS + len(memory))
        size += r.randrange(8) * 4  # rows begin anywhere
        memory += struct.pack(f"<{size // 4}I", *(r.choice((r.randrange(1 << 32), r.randrange(256), 0, 0xFFFFFFFF)) for _ in range(size // 4)))
        memory += bytes(-len(memory) % 4)
    return memory, arguments


class Batch:
    """Seeds that share a Verilated program, made when the first of them is run."""

    def __init__(self, seeds):
        self.seeds, self.made, self.failed, self.program, self.passed, self.dispatches = seeds, None, {}, None, {}, {}
        self.folder = os.path.join(SEEDS.folder, str(seeds[0]))

    def make(self):
        self.made = {}
        for seed in self.seeds:
            maker = kernels.Maker(seed)
            try:
                self.made[seed] = (maker, pipelines.compile_kernel(maker.source, os.path.join(self.folder, str(seed)), maker.lanes, maker.slots, options=SHARES[seed % len(SHARES)]))
            except (pipelines.Refused, AssertionError) as problem:
                self.failed[seed] = problem
        for seed, (maker, kernel) in self.made.items():
            memory, arguments = buffers(maker)
            self.dispatches[seed] = [(job, arguments + job["values"], memory) for job in maker.dispatches()]
            self.passed[seed] = pipelines.Passed(kernel, self.dispatches[seed])
        new = [kernel for seed, (_, kernel) in self.made.items() if SEEDS.is_alone or not self.passed[seed]]
        if new:
            self.program = pipelines.verilate(new, self.folder)

    def run(self, seed):
        if self.made is None:
            self.make()
        again = SEEDS.again(seed)
        problem = self.failed.get(seed)
        if isinstance(problem, pipelines.Refused):
            refused.append(seed)
            print(f"# seed {seed} cannot be hardware: {problem}", flush=True)
            return
        compiled.append(seed)
        if problem:
            raise AssertionError(f"{again}\n{problem}")
        _, kernel = self.made[seed]
        if kernel.number is None and self.passed[seed]:
            as_before.append(seed)
            return
        if self.program is None:
            raise AssertionError(f"{again}\nit was not Verilated")
        for number, (job, arguments, memory) in enumerate(self.dispatches[seed]):
            path = os.path.join(self.folder, str(seed), f"job{number}")
            line, same = pipelines.dispatch(self.program, kernel, job, arguments, memory, path)
            if SEEDS.is_alone:
                print(f"# {job}: {line}", flush=True)
            if not same:
                raise AssertionError(f"{again}\ndispatch {number} of {job}: {line}")
        self.passed[seed].keep()


batches = {seed: batch for at in range(0, len(SEEDS.all), BATCH) for batch in [Batch(SEEDS.all[at:at + BATCH])] for seed in batch.seeds}


@tap.test_for(**{f"seed {seed}": seed for seed in SEEDS.all})
def leaves_memory_as_the_model_does(seed):
    batch = batches[seed]
    try:
        batch.run(seed)
    finally:
        if seed == batch.seeds[-1] and not SEEDS.is_alone:
            shutil.rmtree(batch.folder, ignore_errors=True)


if not SEEDS.is_alone:
    @tap.test
    def few_kernels_are_refused():
        if len(refused) * 10 > len(refused) + len(compiled):
            raise AssertionError(f"{len(refused)} of {len(refused) + len(compiled)} kernels cannot be hardware: {refused}")

try:
    tap.run("random_kernels")
finally:
    if as_before:
        print(f"# {len(as_before)} of {len(SEEDS.all)} kernels are what they were when they passed")
    SEEDS.end()
