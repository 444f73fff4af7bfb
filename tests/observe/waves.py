#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Waveforms of the simulated RTL, read back with pywellen (the reader of Surfer, which shares no code with Verilator's
writer): against the figures and the profile of the same kernel on a device that records nothing, and against what is
known of the kernels."""
import json
import os
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import tap
from tap import expect, expect_in, test
from waveforms import CYCLE, DEVICE, UNIT, Waves

HEDDLE = os.path.join(tap.BUILD, "bin/heddle")
KERNELS = os.path.join(tap.TOP, "tests/observe/kernels.cl")
WAVES = re.compile(r"^heddle: waveforms of cycles (\d+) to (\d+) of (\d+): gtkwave (\S+)$", re.M)
FAULTY = """kernel void faulty(global int *o, int n) {
  size_t i = get_global_id(0);
  int x = (int)i;
  for (int k = 0; k < n; k++) x = x * (x ^ k) + (x >> 3);
  o[i] = x;
  o[i + 0x10000000] = x;
}
"""


def heddle(*words, **environment):
    done = subprocess.run([HEDDLE, "run", *words], cwd=tap.TOP, env={**os.environ, **DEVICE, **environment}, text=True,
                          stdin=subprocess.DEVNULL, capture_output=True, timeout=600)
    said = "".join(line for line in done.stderr.splitlines(True) if not line.startswith("heddle: making a simulated device"))
    return done.returncode, done.stdout, said


def recorded(folder, *words, name="waves.fst", status=0, **environment):
    """Runs with --wave; what is said, matched, and the waveforms."""
    path = os.path.join(folder, name)
    got, out, err = heddle(*words, "--wave", path, **environment)
    expect(status, got, f"exit status of {words} ({err})")
    said = WAVES.search(err)
    expect(True, bool(said), f"a line about the waveforms in {err!r}")
    expect(os.path.splitext(path)[0] + ".gtkw", said[4], "the save file that is named")
    return out, [int(number) for number in said.groups()[:3]], Waves(path), err


def plain(kernel="plain", items=200):
    return (KERNELS, "-k", kernel, "-g", str(items), f"zeros({items})", "-q")


@test
def every_cycle_is_recorded_and_every_instruction_is_found_at_its_pc():
    with tempfile.TemporaryDirectory() as folder:
        for kernel, items in (("plain", 200), ("divergent", 96), ("divided", 64)):
            profile = os.path.join(folder, "profile.json")
            status, out, err = heddle(*plain(kernel, items), "--json", f"--profile={profile}")
            expect((0, ""), (status, err), "a run without waveforms")
            figures = json.loads(out)
            instructions = json.load(open(profile))["kernels"][0]["instructions"]
            out, (first, last, ran), waves, _ = recorded(folder, *plain(kernel, items), "--json")
            expect(figures["cycles"], json.loads(out)["cycles"], "cycles, with waveforms and without")
            expect((0, ran - 1, figures["cycles"]), (first, last, ran), "cycles that are recorded")
            expect(list(range(ran)), waves.cycles(), "cycles in the file")
            commits = waves.commits()
            expect(figures["issues"], len(commits), "instructions that took effect, and issues")
            # The kernel is the only one that runs: its first instruction is at its entry.
            entry = waves.at("TOP.heddle.control_side.dispatcher.entry_o", last) * 4
            first_offset = min(row["offset"] for row in instructions if row["issues"])
            base = entry - first_offset
            counted = {row["offset"] + base: row["issues"] for row in instructions if row["issues"]}
            expect(counted, {pc: commits.count(pc) for pc in set(commits)}, f"instructions of {kernel} by PC")
            # The counter of the device is one of the signals.
            expect(ran - 1, waves.at("TOP.heddle.control_side.dispatcher.cycles_o", last), "the counter of cycles")


@test
def instructions_are_those_of_the_disassembly():
    with tempfile.TemporaryDirectory() as folder:
        listing = subprocess.run([HEDDLE, "disassemble", KERNELS, "-k", "divergent"], cwd=tap.TOP, capture_output=True,
                                 text=True, timeout=120, check=True).stdout
        offsets = [int(line.split()[0], 16) for line in listing.splitlines() if re.match(r" +[0-9a-f]+  ", line)]
        _, (_, last, _), waves, _ = recorded(folder, *plain("divergent", 96))
        entry = waves.at("TOP.heddle.control_side.dispatcher.entry_o", last) * 4
        known = {entry - offsets[0] + offset for offset in offsets}
        expect(set(), set(waves.commits()) - known, "PCs that are not in the disassembly")


@test
def a_window_of_cycles_is_recorded_and_nothing_else():
    with tempfile.TemporaryDirectory() as folder:
        _, (_, _, ran), whole, _ = recorded(folder, *plain(), name="whole.fst")
        _, said, window, _ = recorded(folder, *plain(), "--wave-from", "100", "--wave-to", "160", name="window.fst")
        expect([100, 160, ran], said, "cycles of the window")
        expect(list(range(100, 161)), window.cycles(), "cycles in the file")
        # Every signal has a first value at its beginning, and changes inside it.
        expect(True, len(window.vars) > 5000, "signals of the whole device")
        for name in list(window.vars)[::50]:
            times = [time for time, _ in window.changes(name)]
            expect(True, all(100 * CYCLE <= time < 161 * CYCLE for time in times), f"times of {name}: {times[:1]} to {times[-1:]}")
            for cycle in (100, 101, 133, 160):
                expect(whole.at(name, cycle), window.at(name, cycle), f"{name} in cycle {cycle}")
        _, said, _, _ = recorded(folder, *plain(), "--wave-from", str(ran - 3))
        expect([ran - 3, ran - 1, ran], said, "a window that is open at its end")


def known_fault(folder, *words, n="60", **environment):
    source = os.path.join(folder, "faulty.cl")
    with open(source, "w") as file:
        file.write(FAULTY)
    return recorded(folder, source, "-g", "8", "zeros(8)", n, "-q", *words, status=1, **environment)


@test
def before_a_fault_so_many_cycles_are_recorded_and_the_fault_is_in_them():
    with tempfile.TemporaryDirectory() as folder:
        _, (_, _, ran), whole, message = known_fault(folder, name="whole.fst")
        pc = int(re.search(r"PC 0x([0-9a-f]+)", message)[1], 16)
        faults = [cycle for cycle in whole.cycles() if whole.at(UNIT + "e3_faults", cycle)]
        expect(pc, whole.at(UNIT + "stages.e3_pc", faults[0]), "the PC of the fault")
        _, (first, last, all_cycles), about, _ = known_fault(folder, "--wave-before-fault", "150", name="about.fst")
        expect(ran, all_cycles, "cycles of the kernel")
        expect(list(range(first, last + 1)), about.cycles(), "cycles in the file")
        stops = [cycle for cycle in whole.cycles() if whole.at("TOP.heddle.control_side.dispatcher.unit_fault", cycle)]
        expect(stops[0] - 150, first, "the first cycle: so many before the device has the fault")
        expect(True, first <= faults[0] <= last <= stops[0] + 100, "the fault is among them")
        expect(pc, about.at(UNIT + "stages.e3_pc", faults[0]), "the PC of the fault")
        # What is recorded is the device that had the fault, in every signal.
        for name in list(about.vars)[::20]:
            for cycle in (first, faults[0], last):
                expect(whole.at(name, cycle), about.at(name, cycle), f"{name} in cycle {cycle}")


@test
def a_kernel_that_is_stopped_has_a_fault():
    with tempfile.TemporaryDirectory() as folder:
        _, (first, last, ran), _, message = known_fault(folder, "--wave-before-fault", "50", "--budget", "3000", n="1000000")
        expect_in("budget spent", message, "the fault")
        expect(True, first <= 3000 <= last < ran, f"cycle 3000 among {first} to {last}")


@test
def without_a_fault_there_is_no_file():
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "waves.fst")
        status, _, err = heddle(*plain(), "--wave", path, "--wave-before-fault", "50")
        expect((0, "heddle: no waveforms were recorded: no kernel had a fault\n"), (status, err), "a kernel without a fault")
        expect([], os.listdir(folder), "files")


@test
def a_file_that_reaches_its_limit_ends_and_the_kernel_goes_on():
    with tempfile.TemporaryDirectory() as folder:
        words = (KERNELS, "-k", "divergent", "-g", "2000", "zeros(2000)", "--json")
        status, out, _ = heddle(*words)
        out, (first, last, ran), waves, err = recorded(folder, *words, HEDDLE_WAVE_BYTES="100000")
        expect(json.loads(out)["cycles"], ran, "cycles of the kernel")
        left_out = int(re.search(r"limit of 100000 bytes \(HEDDLE_WAVE_BYTES\): (\d+) cycles were left out", err)[1])
        expect(ran, len(waves.cycles()) + left_out, "cycles that are recorded, and left out")
        expect(True, left_out > 0 and last == len(waves.cycles()) - 1, "cycles were left out at the end")
        # The size is looked at every 1024 cycles.
        expect(True, os.path.getsize(os.path.join(folder, "waves.fst")) < 3000000, "the size of the file")


@test
def a_file_that_cannot_be_written_whole_is_an_error():
    with tempfile.TemporaryDirectory() as folder:
        path, elf = os.path.join(folder, "waves.fst"), os.path.join(folder, "kernels.elf")
        # The compilers of kernel and device need files, too: both are there before.
        expect((0, "", ""), tap.command("bin/heddlec", KERNELS, "-o", elf), "heddlec")
        words = (elf, *plain()[1:])
        recorded(folder, *words)
        line = f"trap '' XFSZ; ulimit -f 40; exec {HEDDLE} run {' '.join(words)} --wave {path}"
        done = subprocess.run(["sh", "-c", line.replace("(", "\\(").replace(")", "\\)")], cwd=tap.TOP, text=True,
                              env={**os.environ, **DEVICE}, capture_output=True, timeout=300)
        expect(1, done.returncode, f"exit status ({done.stderr})")
        expect_in(f"heddle: {path} cannot be written (HEDDLE_WAVE): is the disk full?\n", done.stderr, "the message")
        expect(False, os.path.exists(path), "the file is there")


@test
def a_device_that_records_none_is_refused_before_one_that_does_is_made():
    with tempfile.TemporaryDirectory() as folder:
        for option in ("--wave", "--konata"):
            got = heddle(*plain(), option, os.path.join(folder, "out"), "--device", "model")
            expect((2, "", f"heddle: {option} is of the simulated RTL, --device sim, and not of Heddle model\n"), got,
                   option)


@test
def what_cannot_be_recorded_is_said():
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "waves.fst")
        model = ("--device", "model")
        for status, part, words in (
                (2, "--wave-from 20 is behind --wave-to 10", ("--wave", path, "--wave-from", "20", "--wave-to", "10")),
                (2, "--wave-from x: expected a number of cycles", ("--wave", path, "--wave-from", "x")),
                (2, "--wave-to -1: expected a number of cycles", ("--wave", path, "--wave-to", "-1")),
                (2, "say which cycles of --wave FILE.fst", ("--wave-from", "20")),
                (2, "take --wave-from and --wave-to away", ("--wave", path, "--wave-to", "20", "--wave-before-fault", "5")),
                (2, "--wave is of the simulated RTL, --device sim, and not of Heddle model", ("--wave", path, *model)),
                (2, "--wave is of the simulated RTL, --check of the model", ("--wave", path, "--check")),
                (2, "No such file or directory", ("--wave", os.path.join(folder, "none/waves.fst"))),
                (2, "Is a directory", ("--wave", folder)),
                (2, "is no file", ("--wave", "/dev/null")),
                (4, "HEDDLE_WAVE_BEFORE_FAULT must be a number of cycles from 1 to 1000000, not '0'",
                 ("--wave", path, "--wave-before-fault", "0"))):
            got, _, err = heddle(*plain(), *words)
            expect(status, got, f"exit status with {words} ({err})")
            expect_in(part, err, f"the message with {words}")
            expect(False, os.path.exists(path), "a file")
        status, _, err = heddle(*plain(), "--wave", path, HEDDLE_SIM_SLOTS="5")
        expect_in("no waveforms were recorded: no kernel ran on Heddle sim", err, "the message of a device that cannot be made")
        expect((True, False), (status != 0, os.path.exists(path)), "an error, and a file")
        status, out, err = heddle(*plain(), "--wave", path, "--wave-from", "1000000")
        expect(1, status, "exit status of a window that the kernel does not reach")
        expect_in("and cycles from 1000000 on were asked for", err, "the message")
        expect(False, os.path.exists(path), "an empty file")


@test
def programs_are_recorded_by_the_environment():
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "waves.fst")

        def program(*words, **environment):
            done = subprocess.run([os.path.join(tap.BUILD, "bin/scan"), *words], cwd=folder, text=True, capture_output=True,
                                  env={**os.environ, **DEVICE, "HEDDLE_WAVE": "waves.fst", **environment}, timeout=600)
            return done.returncode, done.stderr

        status, err = program(HEDDLE_WAVE_FROM="10", HEDDLE_WAVE_TO="20")
        expect((0, ["10", "20"]), (status, list(WAVES.search(err).groups()[:2])), "a program that is recorded")
        expect(list(range(10, 21)), Waves(path).cycles(), "its cycles")
        status, err = program("--device", "model")
        expect_in("no waveforms were recorded: no kernel ran on Heddle sim (HEDDLE_WAVE)", err, "a program on the model")
        status, err = program(HEDDLE_CHECK="1")
        expect_in("no waveforms were recorded: no kernel ran on Heddle sim (HEDDLE_WAVE)", err, "a program that is checked, on the model")
        for name, value, part in (("HEDDLE_WAVE_FROM", "x", "HEDDLE_WAVE_FROM must be a cycle, not 'x'"),
                                  ("HEDDLE_WAVE_BYTES", "1", "HEDDLE_WAVE_BYTES must be a number of bytes"),
                                  ("HEDDLE_WAVE", os.path.join(folder, "none/waves.fst"), "No such file or directory")):
            status, err = program(**{name: value})
            expect(True, status != 0, f"a status other than 0 with {name}={value}")
            expect_in(part, err, f"the message with {name}={value}")


@test
def the_save_file_names_signals_of_every_stage_and_opens_where_they_can_be_read():
    with tempfile.TemporaryDirectory() as folder:
        _, _, waves, _ = recorded(folder, *plain(), "--wave-from", "40")
        groups, signals, settings, decimal = [], {}, [], []
        begins, ends, what = ("@800200", "@c00200"), ("@1000200", "@1401200"), None
        for line in open(os.path.join(folder, "waves.gtkw")).read().splitlines():
            if line[0] in "[*":
                settings.append(line)
            elif line[0] == "@":
                what = line
            elif line[0] == "-" and what in begins:
                groups.append(line[1:])
            elif line[0] == "-":
                expect((True, groups[-1]), (what in ends, line[1:]), "the end of a group")
            else:
                signals.setdefault(groups[-1], []).append(line)
                decimal += [line] if what == "@24" else []
        expect(["cycles_o[63:0]"], [line.rpartition(".")[2] for line in decimal], "what is decimal")
        expect(["dispatch", "f1", "f2", "de", "rd", "op", "e1", "e2", "e3", "wb", "what slots wait for", "memory"], groups, "groups")
        for group, names in signals.items():
            for text in names:
                name, _, width = re.fullmatch(r"(.*?)(\[(\d+):0\])?", text).groups()
                expect(True, name in waves.vars, f"{text} of {group} is in the file")
                expect(int(width) + 1 if width else 1, waves.vars[name].length or 1, f"bits of {text}")
        expect(f"[timestart] {40 * CYCLE}", [line for line in settings if line.startswith("[timestart]")][-1], "where it opens")
        # GTKWave shows 2 ** -zoom units of time on 200 pixels. A value of 8 digits takes some 60.
        zoom = float(re.match(r"\*(\S+)", [line for line in settings if line[0] == "*"][-1])[1])
        expect(True, 60 <= 200 * CYCLE / 2 ** -zoom <= 100, f"pixels of a cycle with zoom {zoom}")


@test
def what_is_given_to_the_follower_are_all_inputs_of_the_device():
    with open(os.path.join(tap.TOP, "rtl/heddle.v")) as file:
        ports = file.read().split("module heddle")[1].split("\n);")[0]
    inputs = re.findall(r"input +wire +(?:\[[^\]]*\] *)?(\w+)", ports)
    with open(os.path.join(tap.TOP, "sim/rtl/inputs.h")) as file:
        given = re.findall(r"^HEDDLE_INPUT\((\w+)\)", file.read(), re.M)
    expect(sorted(name for name in inputs if name != "clk"), sorted(given), "inputs of rtl/heddle.v, and those of sim/rtl/inputs.h")


@test
def kernel_pipelines_are_recorded_too():
    if not os.environ.get("HEDDLE_TEST_LONG"):
        raise tap.Skip("only in make test-long: it makes a device of its own")
    with tempfile.TemporaryDirectory() as folder:
        scan = (os.path.join(tap.TOP, "host/examples/scan.cl"), "-g", "8", "-l", "8", "3,1,7,0,4,1,6,3", "zeros(8)", "zeros(8)")
        environment = {name: "" for name in DEVICE if name.startswith("HEDDLE_SIM")}
        out, (first, last, ran), waves, _ = recorded(folder, *scan, "--hardware", **environment)
        expect_in("3 4 11 11 15 16 22 25", out, "the results")
        expect(list(range(ran)), waves.cycles(), "cycles in the file")
        done = "TOP.heddle.compute_units.compute[0].compute_unit.group_done_o"
        expect(1, sum(waves.at(done, cycle) for cycle in waves.cycles()), "work-groups that ended")


tap.run("waves")
