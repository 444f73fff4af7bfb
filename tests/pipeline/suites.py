#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Suites of tests/opencl, and other programs, as they are, on devices that have their kernels as pipelines.

A suite runs on the golden model first, and recorder.c writes down which programs each of its tests builds and what it launches. Every kernel that
was launched and can be hardware becomes a pipeline; a device, Verilated, has a programmable unit and up to 14 of them. On each device those tests
run that launch one of its kernels: they check their results themselves, and each of the device's pipelines must have been at work.

HEDDLE_PIPELINE_SUITES chooses suites, or tests of them (`collectives barriers/barrier_*`), HEDDLE_PIPELINE_LANES lanes (`1 4`). Else it is a few at 4
lanes; with HEDDLE_TEST_LONG all of SUITES at 1, 2, 4 and 8. Devices stay in build/tests/pipeline/devices, so that a second run only runs.
"""
import collections
import os
import re
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.dirname(HERE), HERE]
import devices
import tap

MOST_PIPELINES = 14  # of a device: 15 units of all kinds together
SLOTS = 32
SUITES = ["collectives", "collective_types", "ndrange", "control_flow", "barriers", "active_sets", "arithmetic", "intel_subgroups", "sub_group_info",
          "atomics", "forward_progress", "memory", "faults", "printf"]
# The kernels of tests/bench, whose results are compared with the model's bit for bit. Of the examples `quicksort` enqueues kernels, which
# pipelines do not do, and `sift` is a chain (chains.c).
SUITES += ["kernels", "scan", "blur"]
EXAMPLES = {"scan": [], "blur": ["host/examples/scene.png", "--radius", "9"]}
# Work-items of the work-groups of these tests: more than devices of one or two lanes have places for.
LARGE_GROUPS = {"kernels": {"scan": 128, "sobel": 128, "sgemm_tiled": 64, "reduction": 64, "fir": 64}}
FEW = ["control_flow", "faults/divergent_*"]
LONG = os.environ.get("HEDDLE_TEST_LONG")
CHOSEN = os.environ.get("HEDDLE_PIPELINE_SUITES", " ".join(SUITES if LONG else FEW)).split()
LANES = [int(lanes) for lanes in os.environ.get("HEDDLE_PIPELINE_LANES", "1 2 4 8" if LONG else "4").split()]
RECORDER = os.path.join(tap.BUILD, "tests/pipeline/recorder.so")
FOLDER = tempfile.mkdtemp(prefix="suites-")
RESULT = re.compile(r"^(ok|not ok) - (\w+)::(\S+)", re.M)


def run_recorded(words, record, environment):
    """Runs a program with the recorder; returns its exit code and what it said."""
    os.makedirs(record, exist_ok=True)
    done = subprocess.run(words, cwd=tap.TOP, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace",
                          timeout=7200, env={**os.environ, "HEDDLE_SIM_SLOTS": str(SLOTS), "HEDDLE_RECORD": record, "LD_PRELOAD": RECORDER, **environment})
    return done.returncode, done.stdout


def read_records(record):
    """Of each test: the kernels that it launches, as (file of the program, name), with how often on which kind."""
    tests = {}
    for name in sorted(os.listdir(record)):
        if not name.endswith(".log"):
            continue
        launches = collections.Counter()
        with open(os.path.join(record, name)) as file:
            for line in file:
                words = line.split()
                if words[0] == "launch" and words[1] != "-":
                    launches[(words[1], words[2], int(words[3]) != 0)] += 1
        tests[name.removesuffix(".log")] = launches
    return tests


class Suite:
    """A Criterion suite, or with `pattern` some of its tests."""

    def __init__(self, name, pattern, lanes):
        large = [test for test, items in LARGE_GROUPS.get(name, {}).items() if items > lanes * SLOTS]
        self.name, self.pattern, self.lanes = name, pattern or (f"!({'|'.join(large)})" if large else "*"), lanes
        self.program = os.path.join(tap.BUILD, "tests/bench/kernels" if name == "kernels" else f"tests/opencl/{name}")
        self.folder = os.path.join(FOLDER, re.sub(r"[^\w-]", "_", f"{name}-{lanes}-{pattern or ''}"))

    def environment(self):
        # The model gets the cases of the simulated device, so that both launch the same kernels.
        return {"HEDDLE_SIM_LANES": str(self.lanes), "HEDDLE_SIM_UNITS": "1", "HEDDLE_TEST_AS_RTL": "1"}

    def run_tests(self, device, record, tests, environment):
        """Runs tests, or all if it is None; returns what failed, how to run it alone, and what was said."""
        pattern = self.pattern if tests is None else f"@({'|'.join(test.split('.', 1)[1] for test in tests)})"
        _, text = run_recorded([self.program, "--tap", "--filter", f"{self.name}/{pattern}"], record, {"HEDDLE_TEST_DEVICE": device, **environment})
        results = RESULT.findall(text)
        failed = [f"{suite}/{test}" for result, suite, test in results if result != "ok"] + ([] if results else ["no test has a result"])
        return failed, f"HEDDLE_TEST_DEVICE={device} {self.program} --filter '{failed[0] if failed else ''}'", text


class Example(Suite):
    """A program of host/examples, which checks its results itself."""

    def run_tests(self, device, record, tests, environment):
        words = [os.path.join(tap.BUILD, "bin", self.name), *EXAMPLES[self.name], "--device", device]
        if self.name == "blur":
            words += ["--output", os.path.join(self.folder, "pictures")]
        code, text = run_recorded(words, record, environment)
        return [f"exit code {code}"] if code else [], " ".join(words), text


class Job:
    """A suite and what its kernels become."""

    def __init__(self, suite):
        self.suite, self.name, self.lanes, self.folder = suite, suite.name, suite.lanes, suite.folder

    def pipelines(self):
        """Records on the model and compiles; returns (pipelines by test, refusals)."""
        record = os.path.join(self.folder, "model")
        failed, _, text = self.suite.run_tests("model", record, None, self.suite.environment())
        if failed:
            raise AssertionError(f"on the model: {failed}\n{text[-3000:]}")
        programs, refused, by_test = {}, {}, {}
        for test, launches in read_records(record).items():
            by_test[test] = []
            for program, kernel, _ in launches:
                if program not in programs:
                    programs[program], reasons = devices.compile_program(
                        os.path.join(record, program + ".cl"), os.path.join(self.folder, program), self.lanes, SLOTS,
                        ["-cl-std=CL1.2", "--build-options-file", os.path.join(record, program + ".options")])
                    refused.update({f"{name} of {test}": reason for name, reason in reasons.items()})
                if kernel in programs[program]:
                    by_test[test].append(programs[program][kernel])
        self.hashes = {(program, kernel): pipeline.hash for program, kernels in programs.items() for kernel, pipeline in kernels.items()}
        return by_test, refused

    def run(self):
        by_test, refused = self.pipelines()
        for kernel, reason in sorted(refused.items()):
            print(f"# {self.name}, {self.lanes} lanes: no pipeline of {kernel}: {reason}", flush=True)
        ordered = list({pipeline.hash: pipeline for test in by_test.values() for pipeline in test}.values())
        if not ordered:
            raise AssertionError("no kernel of it became a pipeline")
        problems, on_pipelines, on_unit = [], 0, 0
        for at in range(0, len(ordered), MOST_PIPELINES):
            part = ordered[at:at + MOST_PIPELINES]
            device = devices.make_device(part, os.path.join(self.folder, f"device-{at}"), LANES=self.lanes, SLOTS=SLOTS, UNITS=1)
            hashes = {pipeline.hash for pipeline in part}
            tests = [test for test in by_test if any(pipeline.hash in hashes for pipeline in by_test[test])]
            record = os.path.join(self.folder, f"run-{at}")
            environment = {**self.suite.environment(), "HEDDLE_HARDWARE": device}
            failed, alone, text = self.suite.run_tests("sim", record, tests, environment)
            if failed:
                kept = os.path.join(tap.BUILD, "tests/pipeline/failed", f"{self.name}-{self.lanes}-{at}")
                shutil.rmtree(kept, ignore_errors=True)
                shutil.copytree(self.folder, kept)
                words = " ".join(f"{name}={value}" for name, value in {**environment, "HEDDLE_HARDWARE": os.path.realpath(device) + ".so"}.items())
                shutil.copy(os.path.realpath(device), os.path.realpath(device) + ".so")
                problems.append(f"{', '.join(failed)}; what it was made of: {kept}\nalone: HEDDLE_SIM_SLOTS={SLOTS} {words} {alone}\n{text[-6000:]}")
            ran = set()
            for test, launches in read_records(record).items():
                for (program, kernel, is_pipeline), count in launches.items():
                    on_pipelines += count * is_pipeline
                    on_unit += count * (not is_pipeline)
                    if is_pipeline:
                        ran.add(self.hashes.get((program, kernel)))
            idle = [pipeline.name for pipeline in part if pipeline.hash not in ran]
            if idle and not failed:
                problems.append(f"pipelines of {', '.join(idle)} ran nothing")
        print(f"# {self.name}, {self.lanes} lanes: {len(ordered)} pipelines, {on_pipelines} launches on them, {on_unit} on the programmable unit, "
              f"{len(refused)} kernels that are none", flush=True)
        if on_pipelines == 0:
            problems.append("nothing ran on a pipeline")
        if problems:
            raise AssertionError("\n".join(problems))


def cases():
    for lanes in LANES:
        for chosen in CHOSEN:
            name, _, pattern = chosen.partition("/")
            yield f"{chosen}, {lanes} lanes", Job((Example if name in EXAMPLES else Suite)(name, pattern, lanes))


@tap.test_for(**dict(cases()))
def a_suite_is_right_on_pipelines_of_its_kernels(job):
    job.run()


try:
    tap.run("suites")
finally:
    shutil.rmtree(FOLDER, ignore_errors=True)
