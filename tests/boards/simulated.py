# SPDX-License-Identifier: Apache-2.0
"""A simulated board behind a pseudo-terminal, and a sub-group kernel that the host library runs on it."""
import os
import subprocess
import tempfile

import tap
from tap import expect, expect_in

LANES = 4
KERNEL = """kernel void k(global const int *in, global int *sums, global int *all) {
  size_t i = get_global_id(0);
  sums[i] = sub_group_scan_inclusive_add(in[i]);
  atomic_add(all + i % 3, in[i + 16]);
}
"""
VALUES = [(i * 37 + 5) % 101 for i in range(32)]


class Board:
    """The program of a board, below build/, from `with` on until its end, when it must not have found fault with the board."""

    def __init__(self, program, *options):
        self.words = [os.path.join(tap.BUILD, program), *options]

    def __enter__(self):
        self.process = subprocess.Popen(self.words, cwd=tap.TOP, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                        text=True)
        self.port = self.process.stdout.readline().strip()
        return self

    def __exit__(self, kind, *_):
        self.process.stdin.close()
        said = self.process.stderr.read()
        self.last_words = self.process.stdout.read().strip()
        status = self.process.wait(60)
        if kind is None:
            expect((0, ""), (status, said), "how the board ended")

    def run_kernel(self, timeout=300, **environment):
        """Status, output and messages of the kernel."""
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "k.cl")
            with open(path, "w") as file:
                file.write(KERNEL)
            return self.run(("bin/heddle", "run", path, "-g", "16", "-l", "8", ",".join(map(str, VALUES)), "zeros(16)", "zeros(3)"), timeout,
                            **environment)

    def run(self, words, timeout=300, **environment):
        """The same of any program below build/ that uses the board."""
        expect_in("/dev/", self.port, "the port of the board")
        done = subprocess.run([os.path.join(tap.BUILD, words[0]), *words[1:]], env={**os.environ, "HEDDLE_SERIAL": self.port, **environment},
                              cwd=tap.TOP, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=timeout)
        return done.returncode, done.stdout, done.stderr


def expected():
    scans = [sum(VALUES[i - i % LANES:i + 1]) for i in range(16)]
    sums = [sum(VALUES[16 + i] for i in range(16) if i % 3 == k) for k in range(3)]
    return "sums = " + " ".join(map(str, scans)) + "\n", "all = " + " ".join(map(str, sums)) + "\n"


def expect_kernel(ran):
    status, out, err = ran
    expect((0, ""), (status, err), "exit status and messages of heddle run")
    for line, what in zip(expected(), (f"sums, over sub-groups of {LANES}", "sums by atomics")):
        expect_in(line, out, what)
