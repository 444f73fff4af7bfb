#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The instruction log of `heddle run --konata`. It is read by the rules of Kanata 0004 alone
(github.com/shioyadan/Konata, docs/kanata-log-format.md), and held against the performance counters, the profile, the
disassembly, and, cycle by cycle and stage by stage, against waveforms of the same run."""
import json
import os
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import tap
from tap import expect, expect_in, test
from waveforms import DEVICE, UNIT, Waves

HEDDLE = os.path.join(tap.BUILD, "bin/heddle")
KERNELS = os.path.join(tap.TOP, "tests/observe/kernels.cl")
RUNS = {"plain": ("300", "zeros(300)"), "divergent": ("96", "zeros(96)"), "chased": ("32", "zeros(32)", "random(1024,0,1024)"),
        "divided": ("64", "zeros(64)"), "waits": ("64", "-l", "32", "zeros(64)"), "added": ("70", "-l", "32", "random(70)"),
        "scattered": ("64", "zeros(64)", "zeros(16384)")}
STAGES = ["f1", "f2", "de", "rd", "op", "e1", "e2", "e3", "e4", "wb", "wr"]
STALLS = ["fetch", "load", "divider", "queue", "memory"]
FIELDS = {"C=": 1, "C": 1, "I": 3, "L": 3, "S": 3, "E": 3, "R": 3}  # of each command; the log has no W, dependencies


def heddle(*words, **environment):
    done = subprocess.run([HEDDLE, "run", *words], cwd=tap.TOP, env={**os.environ, **environment}, text=True,
                          stdin=subprocess.DEVNULL, capture_output=True, timeout=600)
    said = "".join(line for line in done.stderr.splitlines(True)
                   if not line.startswith(("heddle: making a simulated device", "heddle: waveforms of")))
    return done.returncode, done.stdout, said


class Instruction:
    def __init__(self, begin, thread):
        self.begin, self.thread = begin, thread
        self.end = self.kind = None  # of its R command
        self.labels = {0: [], 1: []}
        self.open = {}               # lane to (stage, first cycle)
        self.stages = []             # (lane, stage, first cycle, cycle behind the last)

    def pc(self):
        return int(self.labels[0][0].split()[0], 16)

    def offset(self):
        return int(self.labels[0][0].split()[1].rstrip(":"), 16)

    def unit(self):
        return int(re.match(r"unit (\d+), ", self.labels[1][0])[1])

    def slot(self):
        return int(re.search(r"slot (\d+)", self.labels[1][0])[1])


def count(text, where):
    """A number of the format: int() alone would take signs, spaces and underscores."""
    expect(True, bool(re.fullmatch(r"0|[1-9][0-9]*", text)), f"{where}: a number")
    return int(text)


def read_log(path):
    """Instructions by their ids. Every rule of the format is an assertion."""
    with open(path, encoding="utf-8", newline="") as file:
        lines = file.read().split("\n")
    expect("Kanata\t0004", lines[0], "the first line")
    expect("C=", lines[1].split("\t")[0], "the second line says in which cycle the log begins")
    expect("", lines.pop(), "what is behind the last line")
    cycle, retired, found = None, 0, []
    for number, line in enumerate(lines[1:], 2):
        where = f"{path}:{number}: {line!r}"
        command, *fields = line.split("\t")
        expect(FIELDS.get(command), len(fields), f"{where}: fields of a command")
        expect(True, line.replace("\t", "").isprintable(), f"{where}: text")
        first = count(fields[0], where)
        if command == "C=":
            expect(None, cycle, f"{where}: once")
            cycle = first
            continue
        if command == "C":
            expect(True, first > 0, f"{where}: time goes on")
            cycle += first
            continue
        if command == "I":
            expect((len(found), len(found)), (first, count(fields[1], where)), f"{where}: ids count up")
            found.append(Instruction(cycle, count(fields[2], where)))
            continue
        expect(True, first < len(found), f"{where}: it has begun")
        instruction = found[first]
        expect(None, instruction.end, f"{where}: it has not ended")
        if command == "L":
            expect((True, True), (fields[1] in ("0", "1"), bool(fields[2])), where)
            instruction.labels[int(fields[1])].append(fields[2])
            continue
        lane = count(fields[1], where)
        if command == "S":
            expect(True, fields[2] in {0: STAGES, 1: STALLS}[lane], f"{where}: a stage of its lane")
            expect(False, lane in instruction.open, f"{where}: no other stage of the lane is open")
            instruction.open[lane] = (fields[2], cycle)
        elif command == "E":
            stage, begin = instruction.open.pop(lane, (None, None))
            expect(fields[2], stage, f"{where}: ends what began")
            expect(True, cycle > begin, f"{where}: a stage takes a cycle")
            instruction.stages.append((lane, stage, begin, cycle))
        else:
            expect(({}, True), (instruction.open, fields[2] in ("0", "1")), where)
            expect(retired, lane, f"{where}: so many have retired before")
            expect(max(stage[3] for stage in instruction.stages), cycle, f"{where}: it ends with its last stage")
            instruction.end, instruction.kind = cycle, int(fields[2])
            retired += instruction.kind == 0
    for number, instruction in enumerate(found):
        expect(True, instruction.end is not None, f"instruction {number} ends")
        expect((1, 1), (len(instruction.labels[0]), len(instruction.labels[1])), f"labels of instruction {number}")
        expect(128 * instruction.unit() + instruction.slot(), instruction.thread, f"thread of instruction {number}")
    return found


def logged(folder, kernel, *words, status=0, **environment):
    """A run with a log: its figures as JSON, the instructions, and what was said."""
    path = os.path.join(folder, "kanata.log")
    got, out, err = heddle(KERNELS, "-k", kernel, "-g", *RUNS[kernel], "--json", "--konata", path, *words, **environment)
    expect(status, got, f"exit status of {kernel} ({err})")
    return json.loads(out), read_log(path), err


@test
def every_issue_is_one_instruction_of_the_log():
    with tempfile.TemporaryDirectory() as folder:
        for kernel in RUNS:
            profile = os.path.join(folder, "profile.json")
            figures, log, err = logged(folder, kernel, f"--profile={profile}")
            expect("", err, "messages")
            expect([], [i for i in log if i.kind != 0], f"{kernel}: instructions that did not take effect")
            expect(figures["issues"], len(log), f"{kernel}: instructions, and issues of the counters")
            counts = {}
            for row in json.load(open(profile))["kernels"][0]["instructions"]:
                if row["issues"]:  # a function that is called has a row for each caller
                    counts[row["offset"]] = counts.get(row["offset"], 0) + row["issues"]
            offsets = [i.offset() for i in log]
            expect(counts, {offset: offsets.count(offset) for offset in set(offsets)}, f"{kernel}: by instruction")
            expect(True, all(0 <= i.begin < figures["cycles"] for i in log), f"{kernel}: cycles of the kernel")
            # Of a cycle an instruction is issued at most once in a unit, and by a slot at most one is in the pipeline.
            issued = [(i.labels[1][0].split(",")[0], [s[2] for s in i.stages if s[1] == "e3"][-1]) for i in log]
            expect(len(log), len(set(issued)), f"{kernel}: issues in cycles of a unit")


@test
def labels_are_the_disassembly_and_the_source_line():
    source = open(KERNELS).read().splitlines()
    with tempfile.TemporaryDirectory() as folder:
        for kernel in ("divergent", "waits"):
            listing = subprocess.run([HEDDLE, "disassemble", KERNELS, "-k", kernel, "--device", "sim"], cwd=tap.TOP, text=True,
                                     capture_output=True, timeout=120, check=True).stdout
            texts = {}
            for line in listing.splitlines():
                found = re.match(r" +([0-9a-f]+)  (\S+) *([^#]*)", line)
                if found:
                    texts[int(found[1], 16)] = " ".join((found[2] + " " + found[3]).split())
            profile = os.path.join(folder, "profile.json")
            _, log, _ = logged(folder, kernel, f"--profile={profile}")
            lines = {row["offset"]: row.get("line") for row in json.load(open(profile))["kernels"][0]["instructions"]}
            for instruction in log:
                pc, offset, text, place = re.fullmatch(r"([0-9a-f]{8}) ([0-9a-f]+): (.*?)(?:  ; (.*))?",
                                                       instruction.labels[0][0]).groups()
                expect(texts[int(offset, 16)], " ".join(text.split()), f"{kernel}, instruction at {offset}")
                file, line, words = re.fullmatch(r"(.*?):(\d+): (.*?)(?:  \[\w+\])?", place).groups()
                expect(lines[int(offset, 16)], int(line), f"{kernel}, line of {offset}, in log and profile")
                expect((os.path.relpath(KERNELS, tap.TOP), source[int(line) - 1].strip()),
                       (os.path.relpath(os.path.join(tap.TOP, file), tap.TOP), words), f"{kernel}, source of {offset}")
            collectives = [i for i in log if "work_group.barrier" in i.labels[0][0]]
            expect(kernel == "waits", bool(collectives), f"{kernel}: barriers")


@test
def stages_follow_each_other_and_stalls_have_reasons():
    seen = set()
    with tempfile.TemporaryDirectory() as folder:
        for kernel in RUNS:
            for instruction in logged(folder, kernel)[1]:
                stages = [stage for stage in instruction.stages if stage[0] == 0]
                stalls = [stage for stage in instruction.stages if stage[0] == 1]
                expect((instruction.begin, "f1"), (stages[0][2], stages[0][1]), "it begins in f1")
                expect(["e3", "e4", "wb", "wr"], [stage[1] for stage in stages[-4:]], "it takes effect and ends")
                for before, after in zip(stages, stages[1:]):
                    if after[1] == "f1":  # it came again
                        stalled = [s for s in stalls if (s[2], s[3]) == (before[3], after[2])]
                        expect(True, before[1] == "wr" or len(stalled) == 1, f"{kernel}: a stall between {before} and {after}")
                        reason = {"de": "fetch", "rd": "load", "e1": "divider", "e3": "queue", "wr": None}[before[1]]
                        expect(reason, stalled[0][1] if reason else None, f"{kernel}: why it left {before}")
                    else:
                        expect((STAGES.index(before[1]) + 1, before[3]), (STAGES.index(after[1]), after[2]),
                               f"{kernel}: {before}, then {after}")
                seen |= {stall[1] for stall in stalls}
    # Several units have as many queues, which these kernels do not fill.
    reasons = {"fetch", "load", "divider", "memory"} | ({"queue"} if os.environ.get("HEDDLE_SIM_UNITS", "1") == "1" else set())
    expect(set(), reasons - seen, "reasons that no kernel here has")


@test
def every_cycle_of_every_stage_is_that_of_the_waveforms():
    """Stages of the log are worked out from where an instruction leaves; waveforms show the registers of each stage."""
    with tempfile.TemporaryDirectory() as folder:
        for kernel in ("divergent", "chased", "divided", "waits", "added"):
            path = os.path.join(folder, "waves.fst")
            _, log, _ = logged(folder, kernel, "--wave", path, **DEVICE)
            waves = Waves(path)
            cycles = waves.cycles()
            for stage in ("f1", "f2", "de", "rd", "op", "e1", "e2", "e3", "wb"):
                is_there = {(cycle, waves.at(f"{UNIT}stages.{stage}_pc", cycle), waves.at(f"{UNIT}stages.{stage}_slot", cycle))
                            for cycle in cycles if waves.at(f"{UNIT}stages.{stage}_valid", cycle)
                            and not waves.at(f"{UNIT}stages.{stage}_launch", cycle)}
                is_logged = {(first, i.pc(), i.slot()) for i in log for lane, name, first, _ in i.stages
                             if lane == 0 and name == stage}
                expect((set(), set()), (is_there - is_logged, is_logged - is_there),
                       f"{kernel}: {stage} in the waveforms alone, and in the log alone")
            answered = {(cycle, waves.at(UNIT + "answered_slot", cycle)) for cycle in cycles if waves.at(UNIT + "answered", cycle)}
            is_logged = {(end - 1, i.slot()) for i in log for lane, name, _, end in i.stages if name == "memory"}
            expect(answered, is_logged, f"{kernel}: answers to loads")
            os.remove(path)


@test
def a_window_has_the_instructions_that_begin_in_it():
    with tempfile.TemporaryDirectory() as folder:
        _, whole, _ = logged(folder, "divergent")
        _, window, _ = logged(folder, "divergent", "--konata-from", "300", "--konata-to", "400")
        wanted = [(i.begin, i.labels, i.stages) for i in whole if 300 <= i.begin <= 400]
        expect(True, 0 < len(wanted) < len(whole), "some instructions, not all")
        expect(wanted, [(i.begin, i.labels, i.stages) for i in window], "instructions")


@test
def a_log_that_reaches_its_limit_ends_and_the_kernel_goes_on():
    with tempfile.TemporaryDirectory() as folder:
        figures, log, err = logged(folder, "divergent", HEDDLE_KONATA_BYTES="65536")
        left_out = int(re.search(r"limit of 65536 bytes \(HEDDLE_KONATA_BYTES\): (\d+) instructions were left out\n", err)[1])
        expect(figures["issues"], len(log) + left_out, "instructions, and those that were left out")
        size = os.path.getsize(os.path.join(folder, "kanata.log"))
        expect(True, 40000 < size < 90000, f"{size} bytes")


@test
def an_instruction_that_faults_is_flushed():
    with tempfile.TemporaryDirectory() as folder:
        source, path = os.path.join(folder, "faulty.cl"), os.path.join(folder, "kanata.log")
        with open(source, "w") as file:
            file.write("kernel void faulty(global int *o) {\n  o[get_global_id(0)] = 1;\n  o[get_global_id(0) + 0x10000000] = 2;\n}\n")
        status, _, err = heddle(source, "-g", "8", "zeros(8)", "-q", "--konata", path)
        expect(1, status, "exit status")
        pc = int(re.search(r"PC 0x([0-9a-f]+)", err)[1], 16)
        log = read_log(path)
        flushed = [i for i in log if i.kind == 1]
        expect(True, pc in [i.pc() for i in flushed], f"the instruction at {pc:x} among those flushed")
        expect_in("faulty.cl:3", [i for i in flushed if i.pc() == pc][0].labels[0][0], "its label")
        expect("e3", [i for i in flushed if i.pc() == pc][0].stages[-1][1], "where it ended")
        expect(True, len(log) > len(flushed), "instructions that took effect before")


@test
def what_is_in_a_source_is_no_command():
    """Tabs part the fields of a command, and ends of lines commands."""
    with tempfile.TemporaryDirectory() as folder:
        source, path = os.path.join(folder, "tabs.cl"), os.path.join(folder, "kanata.log")
        with open(source, "wb") as file:
            file.write(b"kernel void tabs(global int *o) {\r\n\to[get_global_id(0)]\t=\t7;\t// \xc3\xa4\tR\t0\t0\t0\r\n}\r\n")
        expect(0, heddle(source, "-g", "8", "zeros(8)", "-q", "--konata", path)[0], "exit status")
        labels = [instruction.labels[0][0] for instruction in read_log(path)]
        expect(True, any("tabs.cl:2: o[get_global_id(0)] = 7; // \u00e4 R 0 0 0" in label for label in labels), f"{labels}")


@test
def what_cannot_be_logged_is_said():
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "kanata.log")
        words = (KERNELS, "-k", "plain", "-g", "8", "zeros(8)", "-q")
        for status, part, options in (
                (2, "--konata-from 20 is behind --konata-to 10", ("--konata", path, "--konata-from", "20", "--konata-to", "10")),
                (2, "--konata-to x: expected a number of cycles", ("--konata", path, "--konata-to", "x")),
                (2, "say which cycles of --konata FILE", ("--konata-from", "20")),
                (2, "--konata is of the simulated RTL, --device sim, and not of Heddle model", ("--konata", path, "-d", "model")),
                (2, "--konata is of the simulated RTL, --check of the model", ("--konata", path, "--check")),
                (2, "No such file or directory", ("--konata", os.path.join(folder, "none/kanata.log"))),
                (2, "is no file", ("--konata", "/dev/null")),
                (1, "no instructions were logged: none was issued on Heddle sim in the cycles that were asked for",
                 ("--konata", path, "--konata-from", "1000000"))):
            got, _, err = heddle(*words, *options)
            expect(status, got, f"exit status with {options} ({err})")
            expect_in(part, err, f"the message with {options}")
            expect(False, os.path.exists(path), "a log")
        elf = os.path.join(folder, "kernels.elf")  # the compiler needs files, too
        expect((0, "", ""), tap.command("bin/heddlec", KERNELS, "-o", elf), "heddlec")
        words = (elf, "-k", "divergent", "-g", *RUNS["divergent"], "-q")
        limited = f"trap '' XFSZ; ulimit -f 40; exec {HEDDLE} run {' '.join(words)} --konata {path}"
        done = subprocess.run(["sh", "-c", limited.replace("(", "\\(").replace(")", "\\)")], cwd=tap.TOP, text=True,
                              capture_output=True, timeout=300)
        expect(1, done.returncode, f"exit status with a full disk ({done.stderr})")
        expect_in(f"heddle: {path} cannot be written (HEDDLE_KONATA): ", done.stderr, "the message")
        expect(False, os.path.exists(path), "a part of a log")


@test
def programs_are_logged_by_the_environment():
    with tempfile.TemporaryDirectory() as folder:
        def program(*words, **environment):
            done = subprocess.run([os.path.join(tap.BUILD, "bin/scan"), *words], cwd=folder, text=True, capture_output=True,
                                  env={**os.environ, "HEDDLE_KONATA": "kanata.log", **environment}, timeout=300)
            return done.returncode, done.stderr

        expect((0, ""), program(), "a program that is logged")
        log = read_log(os.path.join(folder, "kanata.log"))
        expect(True, any("work_group.scan_inclusive.add.int" in i.labels[0][0] for i in log), "the scan is in its log")
        _, err = program("--device", "model")
        expect("heddle: no instructions were logged: none was issued on Heddle sim (HEDDLE_KONATA)\n", err, "on the model")
        for name, value, part in (("HEDDLE_KONATA_BYTES", "7", "HEDDLE_KONATA_BYTES must be a number of bytes"),
                                  ("HEDDLE_KONATA_FROM", "-1", "HEDDLE_KONATA_FROM must be a cycle, not '-1'")):
            expect_in(part, program(**{name: value})[1], f"the message with {name}={value}")


tap.run("konata")
