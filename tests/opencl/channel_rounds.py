#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Random programs with channels, as hosts for Intel's SDK for FPGAs are written: seven kernels, each in one of up to four queues, enqueued some rounds at a time
in any order that does not wait for itself there, with markers, copies, flushes, events that are set late, and waits in between. Each round gets its own packets,
and nothing waits for ever.

HEDDLE_FUZZ_SEED=17 runs one program alone.
"""
import os
import random
import sys
import time

os.environ["PYOPENCL_NO_CACHE"] = "1"
sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import tap  # first: it says where the ICD loader looks

import numpy as np
import pyopencl as cl

os.environ.setdefault("HEDDLE_CHANNEL_SECONDS", "30")
ALONE = os.environ.get("HEDDLE_FUZZ_SEED")
SEEDS = 60000 if os.environ.get("HEDDLE_TEST_LONG") else 6000  # of which one in 20 is a program that could run at all
PACKETS = 6

SOURCE = """
#pragma OPENCL EXTENSION cl_intel_channels : enable
channel int c1 __attribute__((depth(4))), c2, c3[2], c4, c5;
#define TASK __attribute__((max_global_work_dim(0))) kernel void
TASK s1(int n, int k) { for (int i = 0; i < n; i++) write_channel_intel(c1, k + i); }
TASK s2(int n, int k) { for (int i = 0; i < n; i++) write_channel_intel(c2, k - i); }
TASK m(int n, int k) { for (int i = 0; i < n; i++) write_channel_intel(c3[0], read_channel_intel(c1) * 3 + k); }
TASK j(int n, int k) { for (int i = 0; i < n; i++) { int a = read_channel_intel(c2); write_channel_intel(c4, a ^ read_channel_intel(c3[0])); } }
TASK t(int n, int k, global int *restrict y) { for (int i = 0; i < n; i++) y[i] = read_channel_intel(c4) + k; }
TASK s3(int n, int k) { for (int i = 0; i < n; i++) write_channel_intel(c5, k * i); }
TASK t3(int n, int k, global int *restrict y) { for (int i = 0; i < n; i++) y[i] = read_channel_intel(c5) - k; }
"""
READS = {"s1": [], "s2": [], "m": ["s1"], "j": ["s2", "m"], "t": ["j"], "s3": [], "t3": ["s3"]}


def right_of(kernel, k):
    if kernel == "t3":
        return [k * i - k for i in range(PACKETS)]
    return [((k - i) ^ ((k + i) * 3 + k)) + k for i in range(PACKETS)]


def ended(queues):
    """The kernels that end if no more come: each runs when those in front of it in its queue have ended, and so has what it reads."""
    done, at = set(), [0] * len(queues)
    more = True
    while more:
        more = False
        for q, queue in enumerate(queues):
            while at[q] < len(queue) and all((name, queue[at[q]][1]) in done for name in READS[queue[at[q]][0]]):
                done.add(queue[at[q]])
                at[q] += 1
                more = True
    return done


class Program:
    def __init__(self, seed):
        self.r = r = random.Random(seed)
        self.count = r.randint(1, 4)
        self.where = {name: r.randrange(self.count) for name in READS}
        self.order = []
        for number in range(r.randint(1, 5)):
            self.order += [(name, number) for name in r.sample(list(READS), len(READS))]
        if r.random() < 0.3:  # rounds among each other, those of a kernel in order
            numbers = dict.fromkeys(READS, 0)
            names = [name for name, _ in r.sample(self.order, len(self.order))]
            self.order = [(name, numbers.update({name: numbers[name] + 1}) or numbers[name] - 1) for name in names]

    def could_run(self):
        queues = [[] for _ in range(self.count)]
        for command in self.order:
            queues[self.where[command[0]]].append(command)
        return len(ended(queues)) == len(self.order)

    def enqueue(self, context, built, command):
        name, number = command
        q = self.where[name]
        kernel = cl.Kernel(built, name)
        arguments = [np.int32(PACKETS), np.int32(100 * number)]
        if name in ("t", "t3"):
            self.out[command] = cl.Buffer(context, cl.mem_flags.READ_WRITE, 4 * PACKETS)
            arguments.append(self.out[command])
        kernel.set_args(*arguments)
        waits = []
        if self.r.random() < 0.1:
            self.gates.append(cl.UserEvent(context))
            waits.append(self.gates[-1])
        if self.r.random() < 0.1:
            waits += [self.events[name, number] for name in READS[name] if (name, number) in self.events]
        self.events[command] = cl.enqueue_nd_range_kernel(self.queues[q], kernel, (1,), (1,), wait_for=waits or None)
        self.enqueued[q].append(command)

    def do_something(self, context, q):
        """Between two kernels."""
        r, chance = self.r, self.r.random()
        if chance < 0.1:
            cl.enqueue_marker(self.queues[q])
        elif chance < 0.2:
            some = cl.Buffer(context, cl.mem_flags.READ_WRITE, 16)
            self.kept.append(cl.enqueue_copy(self.queues[q], np.zeros(4, np.int32), some, is_blocking=False))
        elif chance < 0.3:
            r.choice(self.queues).flush()
        elif chance < 0.4 and not self.gates:
            done = sorted(ended(self.enqueued))
            if done:
                event = self.events[r.choice(done)]
                while r.random() < 0.9 and event.command_execution_status > 0:
                    time.sleep(0.0001)
                if r.random() < 0.5:
                    event.wait()
        elif chance < 0.45 and self.gates:
            self.gates.pop(r.randrange(len(self.gates))).set_status(0)

    def run(self, context, built):
        self.queues = [cl.CommandQueue(context) for _ in range(self.count)]
        self.enqueued = [[] for _ in range(self.count)]
        self.gates, self.kept, self.events, self.out = [], [], {}, {}
        for command in self.order:
            self.enqueue(context, built, command)
            self.do_something(context, self.where[command[0]])
        for gate in self.r.sample(self.gates, len(self.gates)):
            gate.set_status(0)
        for queue in self.r.sample(self.queues, self.count):
            queue.finish()
        for command, event in self.events.items():
            tap.expect(0, event.command_execution_status, f"the status of {command}")
        for command, buffer in self.out.items():
            found = np.zeros(PACKETS, np.int32)
            cl.enqueue_copy(self.queues[0], found, buffer)
            tap.expect(right_of(command[0], 100 * command[1]), found.tolist(), f"what {command} stores")


@tap.test
def each_round_gets_its_packets_in_whatever_order_kernels_are_enqueued_and_waited_for():
    devices = [d for p in cl.get_platforms() if p.name == "Heddle" for d in p.get_devices() if d.name.startswith("Heddle model")]
    context = cl.Context(devices[:1])
    built = cl.Program(context, SOURCE).build()
    ran = 0
    for seed in [int(ALONE)] if ALONE else range(SEEDS):
        program = Program(seed)
        if not program.could_run():
            continue
        ran += 1
        try:
            program.run(context, built)
        except AssertionError as error:
            raise AssertionError(f"HEDDLE_FUZZ_SEED={seed}: {error}") from error
    if not ALONE and ran < SEEDS // 40:
        raise AssertionError(f"only {ran} programs ran")


tap.run("channel_rounds")
