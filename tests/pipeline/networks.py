#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Random networks of kernels with channels between them, as programs for Intel's SDK for FPGAs have them: ways part and meet again, packets have many types,
some channels get one in every second or third round, some kernels are autorun. What comes out is what this file computes from the same lists: on a device that
has the kernels as chains, where they are enqueued in any order, and on the golden model, where channels are memory.

HEDDLE_FUZZ_SEED=17 runs one network alone, and keeps its source. HEDDLE_TEST_LONG makes 60 of them instead of a device of 15 kernels.
"""
import os
import random
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.dirname(HERE), HERE]
import tap

ALONE = os.environ.get("HEDDLE_FUZZ_SEED")
COUNT = 60 if os.environ.get("HEDDLE_TEST_LONG") else 4
MOST_KERNELS = 15  # of a device
LARGE = 2000  # networks of this number and above have many kernels
FOLDER = os.path.join(tap.BUILD, "tests/pipeline", f"networks-{ALONE}") if ALONE else tempfile.mkdtemp(prefix="networks-")
ROUNDS = (1, 37, 150)

# Of a packet: bits of an element, elements.
TYPES = {"uint": (32, 1), "ushort": (16, 1), "ulong": (64, 1), "uchar": (8, 1), "uint2": (32, 2), "ushort4": (16, 4)}
ALL_BITS = (1 << 64) - 1


class Channel:
    def __init__(self, r, number, writer, reader):
        self.number, self.writer, self.reader = number, writer, reader
        self.type = r.choice(list(TYPES))
        self.depth = r.choice((0, 1, 2, 8, 100, 300))
        self.every = r.choice((1, 1, 1, 2, 3))  # so many rounds have a packet
        self.packets = []

    def value_of(self, x):
        """What a writer sends of its sum."""
        bits, elements = TYPES[self.type]
        return [x >> self.number % 7 + 3 * e & (1 << bits) - 1 for e in range(elements)]

    def value_text(self):
        _, elements = TYPES[self.type]
        element = self.type.rstrip("24")
        return f"({self.type})(" + ", ".join(f"({element})(x >> {self.number % 7 + 3 * e})" for e in range(elements)) + ")"

    @staticmethod
    def word_of(packet):
        """What a reader makes of it."""
        word = 0
        for e, element in enumerate(packet):
            word ^= element << 7 * e
        return word & ALL_BITS

    def word_text(self):
        _, elements = TYPES[self.type]
        return "v" if elements == 1 else "(" + " ^ ".join(f"((ulong)v.s{e} << {7 * e})" for e in range(elements)) + ")"


class Kernel:
    def __init__(self, r, name, channels, number):
        self.name = name
        self.reads = [channel for channel in channels if channel.reader == number]
        self.writes = [channel for channel in channels if channel.writer == number]
        r.shuffle(self.reads)
        r.shuffle(self.writes)
        self.is_autorun = bool(self.reads and self.writes) and r.random() < 0.4
        self.keeps = not self.is_autorun or r.random() < 0.5  # what it has computed, from round to round
        self.start, self.factor, self.mix, self.step = (r.randrange(1, 1 << 16) | 1 for _ in range(4))
        for channel in (self.reads + self.writes) * self.is_autorun:
            channel.every = 1

    def source(self):
        arguments = [] if self.is_autorun else ["uint n"]
        if not self.reads:
            arguments.append("global const uint *restrict in")
        if not self.writes:
            arguments.append("global ulong *restrict out")
        lines = ["__attribute__((max_global_work_dim(0)))" + "\n__attribute__((autorun))" * self.is_autorun,
                 f"kernel void {self.name}({', '.join(arguments)}) {{", f"  ulong state = {self.start};",
                 "  for (uint i = 0; i < n; i++) {" if not self.is_autorun else "  while (1) {" if self.keeps else "  {",
                 f"    ulong x = state * {self.factor}{'' if self.reads else ' + in[i]'};"]
        for channel in self.reads:
            lines.append(f"    {guard(channel)}{{ {channel.type} v = read_channel_intel({name_of(self, channel)}); x = x * {self.mix} + {channel.word_text()}; }}")
        for channel in self.writes:
            lines.append(f"    {guard(channel)}write_channel_intel({name_of(self, channel)}, {channel.value_text()});")
        if not self.writes:
            lines.append("    out[i] = x;")
        if self.keeps:
            lines.append(f"    state = (state ^ (x >> 5)) + {self.step};")
        return "\n".join([*lines, "  }", "}", ""])

    def carry_out(self, rounds, data):
        """The sums of all rounds. What it sends is in the channels then."""
        state, sums = self.start, []
        taken = {channel: iter(channel.packets) for channel in self.reads}
        for i in range(rounds):
            x = state * self.factor + (0 if self.reads else data[i]) & ALL_BITS
            for channel in self.reads:
                if i % channel.every == 0:
                    x = x * self.mix + Channel.word_of(next(taken[channel])) & ALL_BITS
            for channel in self.writes:
                if i % channel.every == 0:
                    channel.packets.append(channel.value_of(x))
            sums.append(x)
            if self.keeps:
                state = (state ^ x >> 5) + self.step & ALL_BITS
        return sums


def guard(channel):
    return f"if (i % {channel.every} == 0) " if channel.every > 1 else ""


def name_of(kernel, channel):
    return f"{kernel.name.split('_')[0]}_c{channel.number}"


class Network:
    """Kernels in an order in which each reads of those before it."""

    def __init__(self, seed):
        r = random.Random(seed)
        count = r.randint(2, 6) if seed < LARGE else r.randint(9, MOST_KERNELS)
        self.seed, self.name, self.channels = seed, f"n{seed}", []
        for reader in range(1, count):
            self.add(r, r.randrange(reader), reader)
        for _ in range(r.randint(0, count)):
            writer = r.randrange(count - 1)
            if sum(channel.writer == writer for channel in self.channels) < 5 and len(self.channels) < 2 * count:
                self.add(r, writer, r.randint(writer + 1, count - 1))
        self.kernels = [Kernel(r, f"{self.name}_k{k}", self.channels, k) for k in range(count)]

    def add(self, r, writer, reader):
        self.channels.append(Channel(r, len(self.channels), writer, reader))

    def source(self):
        lines = [f"channel {channel.type} {self.name}_c{channel.number}" + f" __attribute__((depth({channel.depth})))" * (channel.depth != 0) + ";"
                 for channel in self.channels]
        return "\n".join(lines + [""] + [kernel.source() for kernel in self.kernels])

    def carry_out(self, rounds, data):
        """{kernel that stores: what}"""
        for channel in self.channels:
            channel.packets = []
        sums = {kernel.name: kernel.carry_out(rounds, data) for kernel in self.kernels}
        return {kernel.name: sums[kernel.name] for kernel in self.kernels if not kernel.writes}


def batches(seeds):
    """As many networks as a device has room for, and so on."""
    all_of_them, room = [], 0
    for seed in seeds:
        network = Network(seed)
        if len(network.kernels) > room:
            all_of_them.append([])
            room = MOST_KERNELS
        all_of_them[-1].append(network)
        room -= len(network.kernels)
    return all_of_them


BATCHES = batches([int(ALONE)] if ALONE else range(1, 1 + COUNT))
if not ALONE and COUNT == 4:
    BATCHES = BATCHES[:1]
elif not ALONE:
    BATCHES += batches(range(LARGE, LARGE + 6))


# ---- in a process of its own, as what HEDDLE_HARDWARE names is read once


def compare(cl, numpy, context, program, network, r):
    for rounds in ROUNDS:
        data = numpy.array([r.getrandbits(32) for _ in range(rounds)], dtype=numpy.uint32)
        right = network.carry_out(rounds, [int(word) for word in data])
        stores, queues = {}, []
        enqueued = [kernel for kernel in network.kernels if not kernel.is_autorun]
        r.shuffle(enqueued)
        for kernel in enqueued:
            made = cl.Kernel(program, kernel.name)
            arguments = [numpy.uint32(rounds)]
            if not kernel.reads:
                arguments.append(cl.Buffer(context, cl.mem_flags.READ_ONLY | cl.mem_flags.COPY_HOST_PTR, hostbuf=data))
            if not kernel.writes:
                stores[kernel.name] = cl.Buffer(context, cl.mem_flags.READ_WRITE, 8 * rounds)
                arguments.append(stores[kernel.name])
            made.set_args(*arguments)
            queues.append(cl.CommandQueue(context))
            cl.enqueue_nd_range_kernel(queues[-1], made, (1,), (1,))
            queues[-1].flush()
        for queue in queues:
            queue.finish()
        for name, buffer in stores.items():
            found = numpy.empty(rounds, dtype=numpy.uint64)
            cl.enqueue_copy(queues[0], found, buffer)
            for i in range(rounds):
                if int(found[i]) != right[name][i]:
                    print(f"{name}: word {i} of {rounds} is {int(found[i]):x}, not {right[name][i]:x}")
                    return
    print(f"{network.name} is right")


def carry_out(which, path, seeds):
    import numpy
    import pyopencl as cl
    device = next(device for device in cl.get_platforms()[0].get_devices() if which in device.name)
    context = cl.Context([device])
    with open(path) as file:
        program = cl.Program(context, file.read()).build()
    print(f"{program.get_build_info(device, cl.program_build_info.LOG).count('runs on its pipeline with the other end')} on the chip")
    for seed in seeds:
        compare(cl, numpy, context, program, Network(seed), random.Random(seed))


if sys.argv[1:2] == ["carry-out"]:
    carry_out(sys.argv[2], sys.argv[3], [int(seed) for seed in sys.argv[4:]])
    sys.exit()


def results_of(which, batch):
    os.makedirs(FOLDER, exist_ok=True)
    path = os.path.join(FOLDER, "-".join(network.name for network in batch) + ".cl")
    with open(path, "w") as file:
        file.write("#pragma OPENCL EXTENSION cl_intel_channels : enable\n" + "\n".join(network.source() for network in batch))
    environment = {"PYOPENCL_NO_CACHE": "1", "HEDDLE_BUDGET_CYCLES": "3000000", "HEDDLE_CHANNEL_SECONDS": "5", **({"HEDDLE_HARDWARE": path} if which == "sim" else {})}
    child = subprocess.run([sys.executable, "-W", "ignore", os.path.abspath(__file__), "carry-out", which, path, *(str(network.seed) for network in batch)],
                           cwd=tap.TOP, env={**os.environ, **environment}, capture_output=True, text=True, timeout=600)
    if child.returncode != 0:
        raise AssertionError(f"the program failed: {child.stderr.strip()[-1000:]}")
    return child.stdout + child.stderr


def expect_right(which, batch):
    said = results_of(which, batch)
    for network in batch:
        again = f"HEDDLE_FUZZ_SEED={network.seed} .venv/bin/python tests/pipeline/networks.py runs it alone"
        tap.expect_in(f"{network.name} is right", said, again)
    return said


@tap.test_for(**{" ".join(network.name for network in batch): batch for batch in BATCHES})
def kernels_with_channels_on_the_chip_send_what_they_are_to(batch):
    said = expect_right("sim", batch)
    tap.expect_in(f"{sum(len(network.kernels) for network in batch)} on the chip", said, "how many kernels are of chains")


@tap.test
def kernels_with_channels_in_memory_send_what_they_are_to():
    for batch in BATCHES + ([] if ALONE else batches((*range(1000, 1020), *range(LARGE, LARGE + 4)))):
        expect_right("model", batch)


try:
    tap.run("networks")
finally:
    if ALONE:
        print(f"# its source: {FOLDER}")
    else:
        shutil.rmtree(FOLDER, ignore_errors=True)
