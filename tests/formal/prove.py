#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs the proofs of proofs.toml with Yosys and yices, several at once, and shows of each that it can fail.

Called by `make formal`. Every step is a line: proof, what was done, how deep, seconds, PASS or FAIL. A step is
  bmc        no assertion fails in the first DEPTH cycles after reset
  induction  if none failed in DEPTH cycles, none fails in the next: with bmc of that depth, none ever does
  cover      every cover statement is reached within DEPTH cycles: the assumptions leave room
  wrong      a copy of the design with a planted mistake; PASS means that an assertion fails within DEPTH cycles
What fails leaves a trace to look at, whose path is printed. Exit status 0 only when every line says PASS.
"""
import argparse
import concurrent.futures
import os
import re
import resource
import subprocess
import sys
import threading
import time
import tomllib

HERE = os.path.dirname(os.path.abspath(__file__))
TOP = os.path.dirname(os.path.dirname(HERE))
# A wire that stands for one inside the design gets its driver when the hierarchy is flattened, and loop variables that several
# blocks share vanish: `check -assert` looks again at the end.
HARMLESS = re.compile(r"Wire \S+\\dut\.\S+( \[\d+\])? is used but has no driver|Drivers conflicting with a constant|Replacing memory")
KNOWN = {"name", "top", "files", "set", "bmc", "induction", "cover", "wrong"}


class Failure(Exception):
    """A step that did not give what it should; the text says why and where to look."""


class Model:
    """A proof's design as yosys-smtbmc reads it, as it is or with one planted mistake."""

    def __init__(self, options, proof, mistake=None):
        self.options, self.proof, self.mistake = options, proof, mistake
        number = proof["wrong"].index(mistake) + 1 if mistake else 0
        self.folder = os.path.join(options.work, proof["name"] + (f".wrong{number}" if mistake else ""))

    def sources(self):
        """The paths of the Verilog files; a file with a mistake is a copy."""
        if self.mistake is None:
            return self.proof["files"]
        path, right, wrong = (self.mistake[key] for key in ("file", "right", "wrong"))
        with open(os.path.join(TOP, path)) as file:
            text = file.read()
        if text.count(right) != 1:
            raise Failure(f"{path} holds the text to be changed {text.count(right)} times, not once: {right!r}")
        copy = os.path.join(self.folder, os.path.basename(path))
        with open(os.path.join(TOP, copy), "w") as file:
            file.write(text.replace(right, wrong))
        return [copy if source == path else source for source in self.proof["files"]]

    def build(self):
        os.makedirs(os.path.join(TOP, self.folder), exist_ok=True)
        settings = "".join(f" -set {name} {value}" for name, value in self.proof.get("set", {}).items())
        top = self.proof["top"]
        script = (f"read_verilog -formal -mem2reg -I. {' '.join(self.sources())}; "
                  + (f"chparam{settings} {top}; " if settings else "")
                  + f"prep -flatten -top {top}; memory_map; async2sync; dffunmap; opt_clean; check -assert; "
                  f"write_smt2 -wires {self.folder}/model.smt2")
        log = f"{self.folder}/yosys.log"
        done = subprocess.run([self.options.yosys, "-q", "-l", log, "-p", script], cwd=TOP, stdin=subprocess.DEVNULL,
                              capture_output=True, text=True)
        bad = [line for line in done.stderr.splitlines() if "Warning:" in line and not HARMLESS.search(line)]
        if done.returncode != 0 or bad:
            raise Failure("\n".join(bad or done.stderr.splitlines()[-5:]) + f"\nYosys's log: {log}")

    def solve(self, step, depth):
        """Whether the solver found what the step asks for; and where its trace is."""
        trace = f"{self.folder}/{step}.vcd"
        mode = {"induction": ["-i"], "cover": ["-c"]}.get(step, [])
        done = subprocess.run([self.options.smtbmc, "-s", "yices", "--noprogress", *mode, "-t", str(depth), "--dump-vcd", trace,
                               f"{self.folder}/model.smt2"], cwd=TOP, stdin=subprocess.DEVNULL, capture_output=True, text=True,
                              env={**os.environ, "PATH": self.options.solvers + os.pathsep + os.environ["PATH"]})
        with open(os.path.join(TOP, self.folder, step + ".log"), "w") as log:
            log.write(done.stdout + done.stderr)
        said = re.findall(r"Status: (\w+)", done.stdout)
        if said not in (["PASSED"], ["FAILED"]):
            raise Failure(f"yosys-smtbmc gave no verdict: {self.folder}/{step}.log")
        assertions = re.findall(r"(?:Assert failed in|Unreached cover statement at) .*", done.stdout)
        return said == ["PASSED"], assertions, trace


def check(step, model, depth):
    """Raises Failure unless the step gives what it should."""
    passed, assertions, trace = model.solve(step, depth)
    if step == "wrong":
        if passed:
            raise Failure(f"not noticed: {model.mistake['file']}: {model.mistake['right']!r} -> {model.mistake['wrong']!r}")
        if not assertions:
            raise Failure(f"failed, but of no assertion: {model.folder}/{step}.log")
    elif not passed:
        raise Failure("\n".join(assertions + ([] if step == "cover" else [f"trace: {trace}"])))


def steps_of(proof):
    return [(step, proof[step]) for step in ("bmc", "induction", "cover") if step in proof]


class Report:
    """Prints lines as steps end, and counts."""

    def __init__(self):
        self.lock, self.passed, self.failed = threading.Lock(), 0, 0

    def run(self, proof, step, depth, action):
        start, problem = time.monotonic(), None
        try:
            action()
        except Failure as failure:
            problem = str(failure)
        with self.lock:
            self.failed += problem is not None
            self.passed += problem is None
            print(f"{proof['name']:24} {step:10} {depth:>4} {time.monotonic() - start:7.1f} s  {'FAIL' if problem else 'PASS'}", flush=True)
            for line in (problem or "").splitlines():
                print("    " + line, flush=True)
        return problem is None


def work(report, model):
    """All steps of one model, the first of which builds it."""
    proof = model.proof
    steps = steps_of(proof) if model.mistake is None else [("wrong", model.mistake["depth"])]

    def first():
        model.build()
        check(steps[0][0], model, steps[0][1])
    if report.run(proof, *steps[0], first):
        for step, depth in steps[1:]:
            report.run(proof, step, depth, lambda: check(step, model, depth))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="", metavar="WORD", help="only proofs whose name holds this")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="proofs at once")
    parser.add_argument("--work", default="build/formal", help="folder for models, logs and traces, below the current one")
    parser.add_argument("--yosys", default="yosys")
    parser.add_argument("--smtbmc", default="yosys-smtbmc")
    parser.add_argument("--solvers", default="", help="folder that holds yices-smt2")
    options = parser.parse_args()

    with open(os.path.join(HERE, "proofs.toml"), "rb") as file:
        proofs = [proof for proof in tomllib.load(file)["proof"] if options.only in proof["name"]]
    for proof in proofs:
        if set(proof) - KNOWN or not steps_of(proof) or not proof.get("wrong"):
            sys.exit(f"proofs.toml: {proof['name']}: an unknown key, no step, or no mistake that it must notice")
    if not proofs:
        sys.exit("no proof has such a name")
    start, report = time.monotonic(), Report()
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        runs = [pool.submit(work, report, Model(options, proof, mistake)) for proof in proofs for mistake in [None, *proof["wrong"]]]
        for run in runs:
            run.result()
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    print(f"{len(proofs)} proofs, {report.passed} steps passed, {report.failed} failed in {time.monotonic() - start:.0f} s "
          f"({used.ru_utime + used.ru_stime:.0f} s of processor time); models and traces are in {options.work}")
    return 1 if report.failed else 0


if __name__ == "__main__":
    sys.exit(main())
