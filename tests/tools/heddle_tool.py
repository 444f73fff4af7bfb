#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The `heddle` command as people use it: info, run with every kind of argument, figures, faults, and errors that help."""
import json
import os
import resource
import shlex
import signal
import struct
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../contract"))
import tap
import verilog_header
from tap import command, expect, expect_in, test, test_for

LINE = 1 << verilog_header.all_numbers()["HEDDLE_LINE_LOG2_LEAST"]  # bytes, of 8 lanes

KERNELS = os.path.join(tap.TOP, "tests/tools/kernels.cl")
SCAN = os.path.join(tap.TOP, "host/examples/scan.cl")
DEVICES = {"sim": "sim", "model": "model"}


def heddle(*words, **environment):
    return command("bin/heddle", *words, **environment)


def prepared(prepare, *words):
    """Exit status and messages of a tool, by its name, whose process `prepare` is called in before."""
    done = subprocess.run([os.path.join(tap.BUILD, "bin", words[0]), *words[1:]], capture_output=True, text=True, timeout=120, preexec_fn=prepare)
    return done.returncode, done.stderr


def run(kernel, *words, device="model"):
    """`heddle run` of one of kernels.cl, which must succeed: its output."""
    status, out, err = heddle("run", KERNELS, "--kernel", kernel, "--device", device, *words)
    expect((0, ""), (status, err), f"exit status and messages of heddle run {kernel} {' '.join(words)}")
    return out


def refuse(status, part, *words):
    """A command that must fail with this exit status and one line that holds `part`."""
    got, out, err = heddle(*words)
    expect(status, got, f"exit status of heddle {' '.join(words)} ({err!r})")
    expect_in(part, err, f"message of heddle {' '.join(words)}")
    expect(1, err.count("\n"), f"lines of the message {err!r}")
    expect("", out, "standard output")


@test
def info_lists_both_devices():
    status, out, err = heddle("info")
    expect((0, ""), (status, err), "heddle info")
    for part in ("0: Heddle sim", "1: Heddle model", "rv32im", "lanes (largest sub-group)", "OpenCL 3.0"):
        expect_in(part, out, "heddle info")


@test
def check_finds_mistakes_and_says_so_by_its_exit_status():
    with tempfile.TemporaryDirectory() as folder:
        source = os.path.join(folder, "shift.cl")
        with open(source, "w") as file:
            file.write("kernel void shift(global int *q, global const int *p, int n) {\n"
                       "  size_t i = get_global_id(0);\n"
                       "  q[i] = p[i + n];\n}\n")
        words = ("run", "--check", source, "-g", "16", "zeros(16)", "range(16)")
        status, out, err = heddle(*words, "0")
        expect((0, ""), (status, err), "a kernel without a mistake")
        expect_in("15", out, "its results")
        refuse(1, f"load of 4 bytes out of bounds: byte 64 of 'p', which has 64 bytes, {source}:3, work-item (15, 0, 0)",
               *words, "1")
        refuse(2, "--check is for the model", *words, "0", "--hardware")
        refuse(2, "--check is for the model, not for --device sim", *words, "0", "--device", "sim")
        refuse(2, "--hardware is of the simulated RTL, --device sim, and not of --device model", "run", "--hardware", source, "-g", "16",
               "zeros(16)", "range(16)", "0", "--device", "model")


@test
def buffers_of_halves_and_of_atomic_types_are_read_and_printed():
    """The right values are those of IEEE 754-2019 binary16: nearest, of two the even one, and infinity from 65,520."""
    with tempfile.TemporaryDirectory() as folder:
        source = os.path.join(folder, "kinds.cl")
        with open(source, "w") as file:
            file.write("kernel void k(global const half *in, global half *out, global atomic_int *sum,\n"
                       "              volatile global atomic_uint *most, global ptrdiff_t *far) {\n"
                       "  size_t i = get_global_id(0);\n"
                       "  vstore_half(vload_half(i, in), i, out);\n"
                       "  atomic_fetch_add_explicit(sum, (int)i - 4, memory_order_relaxed, memory_scope_device);\n"
                       "  atomic_fetch_max_explicit(most, (uint)i + 7, memory_order_relaxed, memory_scope_device);\n"
                       "  far[i] = -(ptrdiff_t)i;\n}\n")
        values = "1,-2.5,65504,65519.9,65520,2048.5,2049,2051,6e-8,2e-8,-0.0,0.1,inf,nan"
        status, out, err = heddle("run", source, "-b", "-cl-std=CL3.0", "-d", "model", "-g", "14", values, "zeros(14)", "5",
                                  "1", "zeros(14)")
        expect((0, ""), (status, err), "a kernel of halves and atomics")
        expect(["out = 1 -2.5 65504 65504 inf 2048 2048 2052 5.9605e-08 0 -0 0.099976 inf nan", "sum = 40", "most = 20",
                "far = " + " ".join(str(-i) for i in range(14))], out.splitlines()[:4], "its results")


@test
def heddlec_writes_to_standard_output():
    status, out, err = command("bin/heddlec", "-S", SCAN, "-o", "-")
    expect((0, ""), (status, err), "heddlec -S -o -")
    expect_in(".attribute", out, "assembly")
    expect(False, os.path.exists("-"), "a file named -")
    status, out, err = command("bin/heddlec", "--hardware", SCAN, "-o", "-")
    expect((2, ""), (status, out), "heddlec --hardware -o -")
    expect_in("name one with -o", err, "its message")


@test
def disassemble_shows_instructions_beside_source_lines():
    with tempfile.TemporaryDirectory() as folder:
        source, elf = os.path.join(folder, "scan.cl"), os.path.join(folder, "scan.elf")
        with open(source, "w") as file:
            file.write("kernel void scan(global const int *p, global int *q) {\n"
                       "  size_t i = get_global_id(0);\n"
                       "  q[i] = work_group_scan_inclusive_add(p[i]) + sub_group_reduce_max(p[i]);\n"
                       "  barrier(CLK_GLOBAL_MEM_FENCE);\n"
                       "  q[i] += sub_group_non_uniform_any(q[i]);\n}\n"
                       "kernel void other(global int *q, int i) { q[i] = 7; q[i + 1] = 8; }\n")
        status, out, err = heddle("disassemble", source)
        expect((0, ""), (status, err), "heddle disassemble")
        for part in (f"{source}:3     q[i] = work_group_scan_inclusive_add", "work_group.scan_inclusive.add.int",
                     "sub_group.reduce.max.int", "work_group.barrier", "# get_global_id(0)", "exit\n", "sh2add", "lw.at", "sw.at", "other:\n",
                     "# the initial stack pointer"):
            expect_in(part, out, "heddle disassemble")
        expect(0, out.count("unknown"), "unknown instructions")
        status, out, err = heddle("disassemble", source, "-k", "other")
        expect((0, 0), (status, out.count("scan:")), "heddle disassemble -k other")
        refuse(2, 'no kernel or function "none"', "disassemble", source, "-k", "none")
        # The same of a kernel file, whose source has gone; and any disassembler knows its instructions.
        expect((0, "", ""), command("bin/heddlec", source, "-o", elf), "heddlec")
        known = subprocess.run(["llvm-objdump-22", "-d", elf], capture_output=True, text=True, timeout=60)
        expect_in("sh2add", known.stdout, "llvm-objdump")
        os.remove(source)
        status, out, err = heddle("disassemble", elf)
        expect((0, ""), (status, err), "heddle disassemble of a kernel file")
        expect_in(f"{source}:3\n", out, "heddle disassemble of a kernel file")


def without_output(words, how, **environment):
    """Exit status and messages of a command whose standard output is full or closed."""
    line = "exec " + " ".join(shlex.quote(word) for word in words) + (" >/dev/full" if how == "full" else " >&-")
    done = subprocess.run(["sh", "-c", line], stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
                          env={**os.environ, **environment}, timeout=120)
    return done.returncode, done.stderr


@test
def output_that_is_lost_is_an_error_of_every_tool():
    tool = lambda name: os.path.join(tap.BUILD, "bin", name)
    heddle_tool = tool("heddle")
    scan = [heddle_tool, "run", SCAN, "-g", "8", "3,1,7,0,4,1,6,3", "zeros(8)", "zeros(8)", "--device", "model"]
    commands = [scan, scan + ["--json", "--stats"], scan + ["--stats"], [heddle_tool, "info"], [heddle_tool, "info", "--json"],
                [heddle_tool, "cache"], [heddle_tool, "--version"], [heddle_tool, "run", "--help"], [tool("heddlec"), "--version"],
                [tool("heddle-sycl++"), "--version"], [tool("scan")]]
    commands += [[tool(name)] for name in sorted(os.listdir(tool(""))) if name.startswith("sycl-")]
    commands += [[tool(name), "--help"] for name in sorted(os.listdir(tool("")))]
    for words in commands:
        for how in ("full", "closed"):
            status, err = without_output(words, how, HEDDLE_SYCL_DEVICE="model")
            expect(True, status != 0, f"a status other than 0 of {' '.join(words)} with standard output {how}")
            expect_in("cannot be written", err, f"messages of {' '.join(words)} with standard output {how}")
            expect(False, "Traceback" in err, f"whether the messages of {' '.join(words)} are Python's: {err}")


@test
def a_source_from_standard_input_that_is_closed_is_an_error():
    for words in (["heddlec", "-"], ["heddlec", "-c", "-"], ["heddlec", "--hardware", "-"], ["heddle-sycl++", "-x", "c++", "-"]):
        with tempfile.TemporaryDirectory() as folder:
            result = os.path.join(folder, "result")
            status, err = prepared(lambda: os.close(0), *words, "-o", result)
            expect(True, status != 0, f"a status other than 0 of {' '.join(words)} without standard input")
            expect_in("standard input cannot be read", err, f"messages of {' '.join(words)} without standard input")
            expect(1, err.count("\n"), f"lines of {err!r}")
            expect(False, os.path.exists(result), f"whether {' '.join(words)} made something of nothing")


@test
def a_limit_on_the_size_of_files_is_an_error_with_words():
    """As a shell's `ulimit -f` or a service sets it: whoever writes more is ended by a signal, unless it cares."""
    with tempfile.TemporaryDirectory() as folder:
        long, result = (os.path.join(folder, name) for name in ("long.cl", "result"))
        with open(long, "w") as file:
            file.write("// a comment\n" * 1000 + "kernel void k(global int *out) { out[get_global_id(0)] = 7; }\n")
        of_run = ["heddle", "run", SCAN, "-g", "8", "3,1,7,0,4,1,6,3", "zeros(8)", "zeros(8)", "-d", "model"]
        for words in (["heddlec", long, "-o", result], ["heddle", "run", long, "-g", "1", "-d", "model", "zeros(1)"], [*of_run, "--trace", result],
                      ["heddle", "run", KERNELS, "-k", "copy", "-g", "4000", "-d", "model", "-q", "in=range(4000)", "out=zeros(4000)", "--out",
                       f"out={result}"], ["heddle-sycl++", "-x", "c++", long, "-c", "-o", result]):
            status, err = prepared(lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (2500, 2500)), *words)
            expect(True, 1 <= status < 128, f"an exit status of an error of {' '.join(words)}, which is {status}")
            expect(True, err.strip() != "", f"messages of {' '.join(words)}")
            expect(False, "Stack dump" in err or "Traceback" in err, f"a crash among the messages {err}")


@test
def how_children_end_is_known_though_their_ends_were_ignored():
    """Whoever starts a tool may ignore SIGCHLD, which the tool would inherit."""
    with tempfile.TemporaryDirectory() as folder:
        wrong, wrong_cpp, result = (os.path.join(folder, name) for name in ("wrong.cl", "wrong.cpp", "result"))
        for path, text in ((wrong, "kernel void k(global int *out) { *out = nowhere; }\n"), (wrong_cpp, "int main() { return nowhere; }\n")):
            with open(path, "w") as file:
                file.write(text)
        for status, words, expected in ((1, ("heddlec", wrong, "-o", result), "1 error generated."), (0, ("heddlec", SCAN, "-o", result), ""),
                                        (3, ("heddle", "run", wrong, "-g", "1", "-d", "model", "zeros(1)"), "does not build"),
                                        (1, ("heddle-sycl++", wrong_cpp, "-o", result), "1 error generated.")):
            got, err = prepared(lambda: signal.signal(signal.SIGCHLD, signal.SIG_IGN), *words)
            expect(status, got, f"exit status of {' '.join(words)} ({err})")
            expect_in(expected, err, f"messages of {' '.join(words)}")
            if status == 1:
                expect(1, err.count("error:"), f"errors that {' '.join(words)} says")


@test
def wrong_numbers_in_the_environment_are_named():
    words = ("run", SCAN, "-g", "8", "3,1,7,0,4,1,6,3", "zeros(8)", "zeros(8)", "--device", "model")
    variables = ("HEDDLE_BUDGET_CYCLES", "HEDDLE_DOUBLE", "HEDDLE_SIM_LANES", "HEDDLE_SIM_SLOTS", "HEDDLE_SIM_UNITS",
                 "HEDDLE_SIM_PROCESSOR", "HEDDLE_SIM_MEMORY_LATENCY", "HEDDLE_SIM_MEMORY_INTERVAL", "HEDDLE_MODEL_THREADS",
                 "HEDDLE_DEVICE_TYPE")
    for variable in variables:
        for value in ("1e9", "abc", "-1", "+1", " 1", "0x", "99999999999999999999999"):
            status, _, err = heddle(*words, **{variable: value})
            expect(True, status != 0, f"a status other than 0 with {variable}={value}")
            expect_in(f"{variable} must be ", err, f"the message about {variable}={value}")
            expect_in(f", not '{value}'", err, f"the message about {variable}={value}")
    status, _, err = heddle("cache", HEDDLE_CACHE_BYTES="1G")
    expect(True, status != 0, "a status other than 0 of heddle cache")
    expect_in("HEDDLE_CACHE_BYTES must be ", err, "the message of heddle cache")


@test
def a_simulated_device_that_is_missing_is_named_with_its_command():
    words = ("run", SCAN, "-g", "8", "3,1,7,0,4,1,6,3", "zeros(8)", "zeros(8)")
    with tempfile.TemporaryDirectory() as folder:
        for asked in ({"HEDDLE_SIM_LANES": "16"}, {"HEDDLE_SIM_SLOTS": "3"}, {"HEDDLE_SIM_ISA": "rv32i"}):
            status, out, err = heddle(*words, HEDDLE_RTL_DIR=folder, **asked)
            expect((4, ""), (status, out), f"exit status and output with {asked}")
            expect_in("make build/lib/heddle/rtl-L", err, f"the message with {asked}")
        status, _, err = heddle(*words, HEDDLE_RTL_DIR=folder, HEDDLE_SIM_ISA="foo")
        expect(4, status, "exit status with an ISA that is none")
        expect_in("HEDDLE_SIM_ISA must be rv32i, rv32im or rv32ima, not 'foo'", err, "the message")


@test
def a_simulated_device_of_another_version_is_refused():
    with tempfile.TemporaryDirectory() as folder:
        for name in ("old.so", "old"):
            device = os.path.join(folder, name)
            done = subprocess.run(["gcc", "-shared", "-fPIC", "-x", "c", "-", "-o", device], input="const void *heddle_rtl_api(void) { return 0; }", text=True)
            expect(0, done.returncode, "making a device with the first version's symbol")
            status, out, _ = command("bin/heddle", "info", HEDDLE_HARDWARE=device)
            expect_in("is no simulated device of this version of Heddle", out, f"what is said of {name}, with status {status}")


@test
def files_without_end_are_refused():
    for path in ("/dev/zero", "/dev/urandom"):
        refuse(2, "has more than", "run", SCAN, "-g", "8", f"@{path}", "zeros(8)", "zeros(8)", "--device", "model")


@test
def more_than_the_device_has_room_for_is_refused_before_it_is_made():
    for text in ("zeros(1000000000000)", "fill(1,200000000)", "range(300000000)", "random(200000000)", "zeros(18446744073709551615)"):
        refuse(2, f"argument in={text}: ", "run", KERNELS, "-k", "copy", "-d", "model", "-g", "1", f"in={text}", "out=zeros(1)")


@test
def bounds_of_random_numbers_are_of_the_type():
    expect("out = 9007199254740992\n", wide("in=random(1,9007199254740992,9007199254740993)"), "of one number that double does not have")
    expect("out = 18446744073709551614\n", wide("in=random(1,18446744073709551614,18446744073709551615)"), "of ulong")
    for text in ("random(1,0.2,0.7)", "random(1,3,3)", "random(1,4,3)", "random(1,9007199254740993,9007199254740992)"):
        refuse(2, f"argument in={text}: LOW ", "run", KERNELS, "-k", "copy", "-d", "model", "-g", "1", f"in={text}", "out=zeros(1)")


def wide(text):
    with tempfile.TemporaryDirectory() as folder:
        source = os.path.join(folder, "k.cl")
        with open(source, "w") as file:
            file.write("kernel void k(global const ulong *in, global ulong *out) { *out = *in; }")
        status, out, err = heddle("run", source, "-d", "model", "-g", "1", text, "out=zeros(1)")
    expect((0, ""), (status, err), f"exit status and messages of {text}")
    return out


@test
def a_float_may_be_written_without_an_exponent():
    expect("x = 5.0000001e+19 -5.0000001e+19\n", run("halve", "-g", "2", "x=100000000000000000000,-100000000000000000000"), "float")
    refuse(2, "does not fit", "run", KERNELS, "-k", "copy", "-d", "model", "-g", "1", "in=100000000000000000000", "out=zeros(1)")


@test
def a_number_below_0_is_an_argument_and_no_option():
    for words in (("-1,-0x10", "zeros(2)"), ("-1,-0x10", "zeros(2)", "-p", "out"), ("--", "-1,-0x10", "zeros(2)")):
        expect((0, "out = -1 -16\n", ""), heddle("run", KERNELS, "-k", "copy", "-d", "model", "-g", "2", *words), f"of {words}")
    expect("x = -0.25\n", run("halve", "-g", "1", "-.5"), "float")
    expect(2, heddle("run", KERNELS, "-k", "copy", "-d", "model", "-g", "2", "-x1", "zeros(2)")[0], "an option that there is not")


@test
def a_number_beyond_32_bits_is_not_cut_off():
    for text in ("18446744073709551615", "18446744071562067968", "0xFFFFFFFFFFFFFFFF", "fill(18446744073709551615,1)",
                 "random(1,18446744073709551000,18446744073709551615)", "range(18446744073709549000,18446744073709551615,4096)"):
        refuse(2, "does not fit", "run", KERNELS, "-k", "copy", "-d", "model", "-g", "1", "in=" + text, "out=zeros(1)")
    expect("out = -1\n", run("copy", "-g", "1", "in=0xFFFFFFFF", "out=zeros(1)"), "bits of an int")


@test
def a_path_is_neither_source_nor_an_option():
    with tempfile.TemporaryDirectory() as top:
        for name in ("a\nb.cl", 'a"; int q;\n#error of the name\n.cl', "-x.cl", "a\\n b.cl"):
            with open(os.path.join(top, name), "w") as file:
                file.write("kernel void k(global int *out) { *out = 7; }")
            expect((0, "out = 7\n", ""), heddle("run", "-d", "model", "-g", "1", "--", os.path.join(top, name), "out=zeros(1)"), f"of {name!r}")
        for name in ("-x.cl", "none.cl"):
            with open(os.path.join(top, name), "w") as file:
                file.write("kernel void k(global int *out) { *out = VALUE; }")
        many = " ".join(f"-DM{i}={i}" for i in range(100))
        hardware = [os.path.join(os.path.abspath(tap.BUILD), "bin/heddle"), "run", "--hardware"]

        def messages(*words):  # of heddlec, which are enough: no device is made
            return subprocess.run([*hardware, *words], cwd=top, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=300).stderr

        for path in ("-x.cl", "none.cl"):
            expect_in("use of undeclared identifier 'MISSING'", messages("--lanes", "2", "-b", f'{many} -DVALUE="M99 + MISSING"', "-g", "1", "--", path, "out=zeros(1)"),
                      f"messages of {path} with many options, one with a blank")
        expect_in("--lanes takes a power of two from 1 to 32, not '2 --help'", messages("--lanes", "2 --help", "-g", "1", "none.cl", "out=zeros(1)"),
                  "messages of --lanes with a blank")


@test
def spirv_is_run_like_its_source():
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "k.cl")
        with open(path, "w") as file:
            file.write("kernel void k(global const int *in, global int *out, int n) {"
                       " out[get_global_id(0)] = n * in[get_global_id(0)]; }")
        status, _, err = command("clang-22", "--target=spirv32-unknown-unknown", "-x", "cl", "-cl-std=CL3.0", "-c", path,
                                 "-o", path + ".spv")
        expect((0, ""), (status, err), "clang's SPIR-V")
        words = ("-g", "4", "1,2,3,4", "zeros(4)", "3", "--device", "model")
        status, out, err = heddle("run", path + ".spv", *words)
        expect((0, ""), (status, err), "exit status and messages of heddle run of SPIR-V")
        expect_in("arg1 = 3 6 9 12\n", out, "its output")
        with open(path + ".spv", "rb") as file:
            module = file.read()
        with open(path + ".spv", "wb") as file:
            file.write(b"".join(module[i:i + 4][::-1] for i in range(0, len(module), 4)))
        status, out, err = heddle("run", path + ".spv", *words)
        expect((0, ""), (status, err), "of the other byte order")
        expect_in("arg1 = 3 6 9 12\n", out, "its output")
        for mark in (b"\x03\x02\x23\x07", b"\x07\x23\x02\x03"):
            with open(path + ".spv", "wb") as file:
                file.write(mark + b" and no more")
            refuse(3, "no SPIR-V that this device takes", "run", path + ".spv", *words)


@test
def a_fat_binary_is_run_like_its_kernel_file():
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "k")
        with open(path + ".cl", "w") as file:
            file.write("kernel void k(global int *out) { out[get_global_id(0)] = 7; }")
        expect(0, command("bin/heddlec", path + ".cl", "-o", path + ".elf")[0], "heddlec")
        expect(0, heddle("pack", "-o", path + ".fat", path + ".elf")[0], "heddle pack")
        words = ("-g", "2", "zeros(2)", "--device", "model")
        status, out, err = heddle("run", path + ".fat", *words)
        expect((0, ""), (status, err), "exit status and messages")
        expect_in("out = 7 7\n", out, "its output")
        with open(path + ".fat", "r+b") as file:
            file.truncate(os.path.getsize(path + ".fat") - 1)
        status, _, err = heddle("run", path + ".fat", *words)
        expect(3, status, "one that is cut short")
        expect_in("fat binary cut short", err, "its message")


@test
def cache_is_told_and_cleared():
    with tempfile.TemporaryDirectory() as folder:
        own = {"HEDDLE_CACHE_DIR": os.path.join(folder, "own"), "HEDDLE_CACHE_BYTES": "1048576"}
        said = lambda *words: heddle("cache", *words, **own)
        expect_in("entries   0\n", said()[1], "heddle cache before anything was compiled")
        expect(False, os.path.exists(own["HEDDLE_CACHE_DIR"]), "the folder is made by asking")
        for _ in range(2):
            expect(0, heddle("run", SCAN, "-g", "8", "3,1,7,0,4,1,6,3", "zeros(8)", "zeros(8)", "--device", "model", **own)[0],
                   "exit status of heddle run")
        expect_in("entries   1\n", said()[1], "heddle cache after a kernel was compiled and run twice")
        expect_in(own["HEDDLE_CACHE_DIR"], said()[1], "heddle cache")
        expect_in("entries   0\n", said("--clear")[1], "heddle cache --clear")
        expect([], os.listdir(own["HEDDLE_CACHE_DIR"]), "files in the cache")
        os.chmod(own["HEDDLE_CACHE_DIR"], 0o755)
        status, out, err = said()
        expect((2, ""), (status, out), "exit status and output where others can enter the folder")
        expect_in("of this user alone", err, "message")
    expect_in("Nothing is kept", heddle("cache", HEDDLE_CACHE_BYTES="0")[1], "heddle cache that is off")


@test
def info_as_json_is_json():
    status, out, _ = heddle("info", "--json")
    expect(0, status, "exit status")
    devices = json.loads(out)
    expect(2, len(devices), "devices")
    expect((8, 1), (devices[0]["lanes"], devices[0]["units"]), "lanes and units of the default device")
    expect((LINE, 60, 4), tuple(devices[0]["memory_" + name] for name in ("line", "latency", "interval")), "its memory")
    expect(True, isinstance(devices[0]["cache"], int), "bytes of its cache")
    expect(True, devices[0]["name"].startswith("Heddle sim"), devices[0]["name"])
    status, out, _ = heddle("info", "--json", "--device", "model")
    expect(1, len(json.loads(out)), "devices with --device model")


@test
def several_compute_units_are_asked_for_and_told():
    status, out, err = heddle("info", "--json", "--device", "model", HEDDLE_SIM_UNITS="3")
    expect((0, ""), (status, err), "exit status and messages")
    model, = json.loads(out)
    expect((3, 8, 256), (model["units"], model["lanes"], model["max_work_group_size"]), "shape of the device")
    expect(1, model["memory_channels"], "channels of a memory that is not told")
    expect_in("3 units", model["name"], "name of the device")
    status, out, err = heddle(*SAXPY, "--json", "--device", "model", HEDDLE_SIM_UNITS="3")
    expect((0, ""), (status, err), "exit status and messages")
    expect(3, json.loads(out)["units"], "units of the run")


@test_for(**DEVICES)
def runs_the_scan_of_the_help_text(device):
    status, out, err = heddle("run", SCAN, "--device", device, "-g", "8", "-l", "8", "3,1,7,0,4,1,6,3", "zeros(8)", "zeros(8)")
    expect((0, ""), (status, err), "exit status and messages")
    expect("inclusive = 3 4 11 11 15 16 22 25\nexclusive = 0 3 4 11 11 15 16 22\n", out, "output")


@test
def finds_the_checkout_without_any_variable():
    environment = {k: v for k, v in os.environ.items() if k != "OCL_ICD_VENDORS"}
    saved, os.environ = os.environ, environment
    try:
        status, out, _ = command("bin/heddle", "info")
    finally:
        os.environ = saved
    expect(0, status, "exit status of heddle info without OCL_ICD_VENDORS")
    expect_in("Heddle sim", out, "heddle info")


@test
def images_and_samplers_cannot_be_given():
    with tempfile.TemporaryDirectory() as folder:
        for kind, text in (("read_only image2d_t", "@picture.png"), ("sampler_t", "int:1")):
            source = os.path.join(folder, "k.cl")
            with open(source, "w") as file:
                file.write(f"kernel void k(global int *x, {kind} i) {{}}\n")
            refuse(2, f"argument i={text}: heddle run makes no images", "run", source, "-g", "1", "0", text)


NAMES = (b"a b/../c_d", b"../../xyz_", b"a\nsite 0 1", b'x;y"$(id)_', b"<script>'_", b"--help\xff\xfe\x01_", b"#();x;//$_", b"x_X20_b_X_")


@test
def names_in_a_module_are_neither_paths_nor_circuit():
    """SPIR-V names kernels by any bytes, which become files, Verilog and a page."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "k.cl")
        with open(path, "w") as file:
            file.write("kernel void aaaaaaaaaa(global int *out) { out[get_global_id(0)] = 7; }"
                       " kernel void bbbbbbbbbb(global int *out) { out[get_global_id(0)] = 8; }")
        expect(0, command("clang-22", "--target=spirv32-unknown-unknown", "-x", "cl", "-cl-std=CL3.0", "-c", path, "-o", path + ".spv")[0], "clang's SPIR-V")
        with open(path + ".spv", "rb") as file:
            module = file.read()
        seen = set()
        for number, name in enumerate(NAMES):
            named, to = os.path.join(folder, f"{number}.spv"), os.path.join(folder, f"{number}.hw")
            with open(named, "wb") as file:
                file.write(module.replace(b"aaaaaaaaaa", (name + b"_" * 10)[:10]))
            status, _, err = command("bin/heddlec", "--hardware", named, "-o", to)
            expect((0, ""), (status, err), f"exit status and messages of heddlec for {name}")
            with open(os.path.join(to, "kinds.txt"), encoding="ascii") as file:
                kernels = [line.split() for line in file if line.startswith("kernel ")]
            expect([8, 8], [len(words) for words in kernels], f"words of kernels in kinds.txt for {name}: {kernels}")
            modules = [words[-1] for words in kernels if not words[-1].endswith("bbbbbbbbbb")]
            expect((1, True), (len(modules), modules[0].isascii() and modules[0].replace("_", "a").isalnum()), f"module of {name}: {modules}")
            expect(False, modules[0] in seen, f"whether {modules} is another's name")
            seen.add(modules[0])
            expect(True, all(os.path.isfile(os.path.join(to, modules[0] + end)) for end in (".v", ".sv", ".places")), f"files for {name}")
            with open(os.path.join(to, modules[0] + ".v"), encoding="ascii") as file:
                expect(1, len([line for line in file if line.startswith(f"module {modules[0]} #(")]), f"modules in Verilog for {name}")
            with open(os.path.join(to, "report.html"), encoding="utf-8") as file:
                expect_in(f"<h2>Kernel {modules[0][len('pipeline_'):]}</h2>", file.read(), f"page for {name}")


def processes_of_group(group):
    """The processes that are left of it, without those that have ended and nobody has asked about."""
    found = []
    for number in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{number}/stat") as file:
                state, _, its = file.read().rpartition(")")[2].split()[:3]
        except OSError:
            continue
        if int(its) == group and state != "Z":
            found.append(number)
    return found


@test_for(verilator="verilator", compiler="clang++-22")
def what_makes_a_device_ends_with_its_script(slow):
    """Verilator and the C++ compiler are programs here that only sleep, in a process of their own as the real ones do."""
    with tempfile.TemporaryDirectory() as folder:
        started = os.path.join(folder, "started")
        for name in ("include/verilated.cpp", "bin/verilator", "bin/clang++-22", "t t/keep"):
            path = os.path.join(folder, name)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "w") as file:
                file.write("#!/bin/sh\ncase \" $* \" in *' --cc '*|*' -c '*) ;; *) exit ;; esac\n" +
                           (f"sleep 100 &\ntouch {started}\nwait\n" if os.path.basename(name) == slow else 'cd "${0%bin*}t t"/heddle-hardware-* && touch Vmade.cpp\n'))
            os.chmod(path, 0o755)
        environment = {**os.environ, "VERILATOR_ROOT": folder, "PATH": os.path.join(folder, "bin") + ":" + os.environ["PATH"], "TMPDIR": os.path.join(folder, "t t")}
        script = subprocess.Popen(["/bin/sh", os.path.join(tap.TOP, "sim/rtl/hardware.sh"), "-w", "-", folder, "LANES=2", "SLOTS=2", "UNITS=1", "BANKS=1",
                                   "GLOBAL_LOG2=28", "PROCESSOR=0"], env=environment, start_new_session=True, stdin=subprocess.DEVNULL, stderr=subprocess.PIPE)
        while not os.path.exists(started) and script.poll() is None:
            time.sleep(0.05)
        expect(True, script.poll() is None, f"whether the script waits for {slow}")
        script.terminate()
        begin = time.monotonic()
        _, messages = script.communicate(timeout=60)
        expect((1, True), (script.returncode, time.monotonic() - begin < 20), f"exit status, and whether it ends soon ({messages})")
        for _ in range(100):
            left = processes_of_group(script.pid)
            if not left:
                break
            time.sleep(0.05)
        expect([], left, "processes that go on")
        expect(["keep"], os.listdir(os.path.join(folder, "t t")), "what is left in TMPDIR")


@test_for(terminated=signal.SIGTERM, killed=signal.SIGKILL)
def what_makes_a_device_ends_with_the_program(number):
    """The compiler of a device with waveforms is a program here that only sleeps, and says which group it belongs to."""
    with tempfile.TemporaryDirectory() as folder:
        started, compiler = os.path.join(folder, "started"), os.path.join(folder, "bin/clang++-22")
        for name in ("bin", "temporary"):
            os.mkdir(os.path.join(folder, name))
        with open(compiler, "w") as file:
            file.write("#!/bin/sh\ncase \" $* \" in *' -c '*) ;; *) exit ;; esac\nread -r _ _ _ _ group _ < /proc/$$/stat\n"
                       f"sleep 100 &\necho $group > {started}.new && mv {started}.new {started}\nwait\n")
        os.chmod(compiler, 0o755)
        environment = {**os.environ, "PATH": os.path.join(folder, "bin") + ":" + os.environ["PATH"], "TMPDIR": os.path.join(folder, "temporary"),
                       "HEDDLE_CACHE_BYTES": "0", "HEDDLE_WAVE": os.path.join(folder, "k.fst"), "HEDDLE_SIM_LANES": "2"}
        program = subprocess.Popen([os.path.join(tap.BUILD, "bin/heddle"), "run", KERNELS, "-k", "copy", "-d", "sim", "-g", "1", "in=1", "out=zeros(1)"],
                                   env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        while not os.path.exists(started) and program.poll() is None:
            time.sleep(0.05)
        expect(True, program.poll() is None, "whether the program waits for the compiler")
        with open(started) as file:
            group = int(file.read())
        program.send_signal(number)
        program.communicate(timeout=60)
        for _ in range(200):
            left = processes_of_group(group)
            if not left:
                break
            time.sleep(0.05)
        expect([], left, "processes that go on")
        # The program's own folder is left where it could not end by itself: the next build removes it.
        expect([], [name for name in os.listdir(os.path.join(folder, "temporary")) if name.startswith("heddle-hardware-")], "what is left in TMPDIR")


@test
def a_file_with_a_zero_byte_is_no_text():
    with tempfile.TemporaryDirectory() as folder:
        for name in ("in.txt", "in.csv"):
            path = os.path.join(folder, name)
            with open(path, "wb") as file:
                file.write(b"1 2\n3\0 4\n")
            refuse(2, "it has a zero byte", "run", KERNELS, "-k", "copy", "-d", "model", "-g", "1", f"in=@{path}", "out=zeros(4)")


@test
def files_in_between_lie_in_folders_of_builds_alone():
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "source.cl")
        with open(path, "w") as file:
            file.write("kernel void k(global int *out) { *out = 7; }")
        status, _, err = command("bin/heddlec", "--scratch", folder, path, "-o", os.path.join(folder, "k.elf"))
        expect(2, status, f"exit status ({err})")
        expect_in("no heddle-build-... folder", err, "messages")
        expect(["source.cl"], os.listdir(folder), "files")


@test
def disassemble_says_what_is_no_kernel_file():
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "k")
        for contents, what in ((b"\177ELF", "is no kernel file"), (b"\177ELF\1\1\1" + bytes(60), "is no kernel file"), (b"", "has no kernel in it"),
                               (b"int f(int x) { return x; }", "has no kernel in it")):
            with open(path, "wb") as file:
                file.write(contents)
            refuse(3, f"{path} {what}", "disassemble", path)
        refuse(3, "is no kernel file: an ELF file of another machine", "disassemble", "/bin/sh")


@test
def disassemble_reads_plain_files_once():
    """Line information names any file: one that never ends, a pipe that nobody writes, or long lines again and again."""
    with tempfile.TemporaryDirectory() as folder:
        pipe, elf, path = (os.path.join(folder, name) for name in ("pipe", "k.elf", "k.cl"))
        os.mkfifo(pipe)
        for name in ("/dev/zero", pipe):
            with open(path, "w") as file:
                file.write(f'#line 2000000000 "{name}"\nkernel void k(global int *out) {{ out[get_global_id(0)] = 7; }}\n')
            expect((0, "", ""), command("bin/heddlec", path, "-o", elf), f"heddlec of lines of {name}")
            status, out, err = heddle("disassemble", elf)
            expect((0, ""), (status, err), f"heddle disassemble of lines of {name}")
            expect_in(f"{name}:2000000000\n", out, "its output")
        with open(path, "w") as file:
            file.write("// " + "x" * 200000 + "\nkernel void k(global int *out) {\n  out[get_global_id(0)] = 7; }\n")
        expect((0, "", ""), command("bin/heddlec", path, "-o", elf), "heddlec behind a long line")
        expect_in(f"{path}:3     out[get_global_id(0)] = 7; }}\n", heddle("disassemble", elf)[1], "heddle disassemble behind a long line")


@test
def pack_removes_no_device_that_it_could_not_write():
    with tempfile.TemporaryDirectory() as folder:
        source, elf, full = (os.path.join(folder, name) for name in ("k.cl", "k.elf", "full"))
        with open(source, "w") as file:
            file.write("kernel void k(global int *out) { *out = 7; }")
        expect((0, "", ""), command("bin/heddlec", source, "-o", elf), "heddlec")
        os.symlink("/dev/full", full)
        refuse(2, f"{full} cannot be written", "pack", "-o", full, elf)
        expect(True, os.path.islink(full), "whether the link is there")


def is_dangling(link):
    return os.path.islink(link) and not os.path.exists(link)


@test
def a_link_as_an_output_stays_and_what_is_behind_it_is_written():
    with tempfile.TemporaryDirectory() as folder:
        link, target, source, elf, ink = (os.path.join(folder, name) for name in ("link", "target", "k.cl", "k.elf", "ink.png"))
        with open(source, "w") as file:
            file.write("kernel void k(global int *out) { out[get_global_id(0)] = 7; } kernel void picture(global uchar *out) { *out = 7; }")
        expect((0, "", ""), command("bin/heddlec", source, "-o", elf), "heddlec")
        of_run = ["run", source, "-g", "4", "-d", "sim", "-k", "k", "out=zeros(4)"]
        of_picture = ["run", source, "-g", "2,2", "-d", "model", "-k", "picture", "out=zeros(4)"]
        os.symlink("target", link)
        os.symlink("target", ink)
        for words in ([*of_run, "--trace", link], [*of_run, "--report", link], [*of_run, f"--profile={link}"],
                      [*of_run, "--konata", link], [*of_run, "--out", f"out={link}"],
                      [*of_picture, "--out", f"out={ink}"],
                      ["pack", "-o", link, elf]):
            status, _, err = heddle(*words)
            expect((0, ""), (status, err), f"heddle {' '.join(words)}")
            expect(True, os.path.islink(link) and os.path.isfile(target), f"whether the link stays and has a file behind it, of {words}")
            os.remove(target)
        for words in ([source, "-o", link], [source, "-o", elf, "--depend", link],
                      ["--hardware", source, "-o", os.path.join(folder, "hw"), "--report", link]):
            status, _, err = command("bin/heddlec", *words)
            expect((0, ""), (status, err), f"heddlec {' '.join(words)}")
            expect(True, os.path.islink(link) and os.path.isfile(target), f"whether the link stays and has a file behind it, of {words}")
            os.remove(target)
        # Nothing is written, or not all of it.
        for option in ("--trace=", "--report=", "--profile=", "--konata=", "--wave=", "--out=out="):
            words = [*of_run, "-l", "1,1", option + link]
            expect(2, heddle(*words)[0], f"exit status of heddle {' '.join(words)}")
            expect(True, is_dangling(link), f"whether the link is as it was, of {words}")
        # Behind two links there is a disk that is full.
        os.symlink("/dev/full", target)
        for words in ([*of_run, "--trace", link], [*of_run, "--out", f"out={link}"], ["pack", "-o", link, elf],
                      [*of_picture, "--out", f"out={ink}"]):
            heddle(*words)
            expect(True, os.path.islink(link) and os.path.islink(target), f"whether the links are there after {words}")


@test
def a_device_that_is_full_is_no_file_that_was_written():
    with tempfile.TemporaryDirectory() as folder:
        source, link, pipe = (os.path.join(folder, name) for name in ("k.cl", "link", "pipe"))
        with open(source, "w") as file:
            file.write("kernel void k(global int *out) { out[get_global_id(0)] = 7; }")
        os.symlink("/dev/full", link)
        of_run = ["run", source, "-g", "4", "-d", "model", "out=zeros(4)"]
        for option in ("--trace", "--report", "--profile"):
            for path in ("/dev/full", link):
                status, _, err = heddle(*of_run, f"{option}={path}")
                expect((1, f"heddle: {path} cannot be written: No space left on device\n"), (status, err), f"heddle run {option}={path}")
            expect(0, heddle(*of_run, f"{option}=/dev/null")[0], f"exit status of {option}=/dev/null")
            # A device gets what a file gets.
            os.mkfifo(pipe)
            with subprocess.Popen(["cat", pipe], stdout=subprocess.PIPE) as reader:
                status, _, err = heddle(*of_run, f"{option}={pipe}")
                got = reader.stdout.read()
            expect((0, ""), (status, err), f"heddle run {option} to a pipe")
            expect(True, len(got) > 100, f"whether a pipe got what {option} writes")
            os.remove(pipe)


@test
def what_is_read_is_not_written_over_and_nothing_twice():
    with tempfile.TemporaryDirectory() as folder:
        source, other, elf, new = (os.path.join(folder, name) for name in ("k.cl", "other", "k.elf", "new"))
        text = "kernel void k(global int *out) { out[get_global_id(0)] = 7; }"
        with open(source, "w") as file:
            file.write(text)
        os.symlink("k.cl", other)
        expect((0, "", ""), command("bin/heddlec", source, "-o", elf), "heddlec")
        of_run = ["run", source, "-g", "4", "-d", "model", "out=zeros(4)"]
        for path in (source, other):
            for option in ("--trace", "--report", "--konata", "--wave", "--profile"):
                device = ("-d", "sim") if option in ("--konata", "--wave") else ()
                refuse(2, "that is the kernel file itself", *of_run, *device, f"{option}={path}")
            refuse(2, "that is the kernel file itself", *of_run, "--out", f"out={path}")
            for words in ([source, "-o", path], [source, "-o", elf, "--depend", path], ["--header", "h", source, other, "-o", path]):
                status, _, err = command("bin/heddlec", *words)
                expect((2, f"heddlec: cannot write {path}: it is read, too\n"), (status, err), f"heddlec {' '.join(words)}")
        status, _, err = command("bin/heddlec", source, "-o", new, "--depend", new)
        expect((2, f"heddlec: cannot write {new}: it would be written twice\n"), (status, err), "heddlec with one file for two")
        refuse(2, "--trace writes the same file", *of_run, "--trace", new, "--report", new)
        refuse(2, "that is one of the files to pack", "pack", "-o", elf, elf)
        with open(source) as file:
            expect(text, file.read(), "the source")
        expect(False, os.path.exists(new), "whether there is a file")
        expect(0, heddle(*of_run, "--trace", "/dev/null", "--report", "/dev/null")[0], "exit status with one device for two")
        expect(0, heddle(*of_run, "--trace", new, "--trace", elf)[0], "exit status with an option twice, of which the last counts")


@test
def arguments_by_name_in_any_order():
    out = run("saxpy", "-g", "5", "y=fill(100,5)", "a=-3", "x=range(5)")
    expect("y = 100 97 94 91 88\n", out, "saxpy")


@test
def ranges_steps_lists_and_fills():
    expect("out = 10 8 6 4\n", run("copy", "-g", "4", "in=range(10,2,-2)", "out=zeros(4)"), "range with a step")
    expect("out = -1 255 7 -2147483648\n", run("copy", "-g", "4", "in=-1,0xff,7,-0x80000000", "out=zeros(4)"), "list")
    expect("out = 9 9 9\n", run("copy", "-g", "3", "in=fill(9,3)", "out=zeros(3)"), "fill")


@test
def random_repeats_and_stays_in_its_bounds():
    first = run("copy", "-g", "50", "in=random(50,-5,5)", "out=zeros(50)")
    expect(first, run("copy", "-g", "50", "in=random(50,-5,5)", "out=zeros(50)"), "second run")
    values = [int(word) for line in first.splitlines()[1:] for word in line.split(":")[1].split()]
    expect(50, len(values), "values")
    expect(True, min(values) >= -5 and max(values) < 5 and len(set(values)) == 10, f"spread of {values}")
    other = run("copy", "-g", "50", "in=random(50,-5,5,99)", "out=zeros(50)")
    if other == first:
        raise AssertionError("another seed: expected other values")


@test
def files_in_and_out_as_bytes_and_as_text():
    with tempfile.TemporaryDirectory() as folder:
        raw, text, result = (os.path.join(folder, name) for name in ("in.bin", "in.csv", "out.bin"))
        with open(raw, "wb") as file:
            file.write(struct.pack("<4i", 5, -6, 7, 2**31 - 1))
        expect("", run("copy", "-g", "4", f"in=@{raw}", "out=zeros(4)", "--out", f"out={result}"), "output")
        with open(result, "rb") as file:
            expect((5, -6, 7, 2**31 - 1), struct.unpack("<4i", file.read()), "saved bytes")
        with open(text, "w") as file:
            file.write("1, 2\n3 4\n")
        run("copy", "-g", "4", f"in=@{text}", "out=zeros(4)", "--out", f"out={folder}/out.txt")
        with open(f"{folder}/out.txt") as file:
            expect("1\n2\n3\n4\n", file.read(), "saved text")


@test
def vectors_floats_local_memory_and_structures():
    expect("out = (2,4,6) (8,10,12)\n", run("twice3", "-g", "2", "in=1,2,3,4,5,6", "out=zeros(2)"), "int3")
    expect("x = 0.5 1.25 -2\n", run("halve", "-g", "3", "x=1,2.5,-4"), "float")
    expect("out = 4 3 2 1\n", run("mirror", "-g", "4", "-l", "4", "in=1,2,3,4", "out=zeros(4)", "local:16"), "local memory")
    expect("out = 42\n", run("field", "-g", "1", "out=zeros(1)", "p=int:41,1"), "structure by value")
    expect("out = 1 2 3 4\n", run("copy", "-g", "4", "in=uchar:1,0,0,0,2,0,0,0,3,0,0,0,4,0,0,0", "out=zeros(4)"), "bytes as ints")


@test
def dimensions_offset_and_remainders():
    out = run("where", "-g", "3,2", "-l", "2,2", "--offset", "10,20", "out=zeros(6)")
    expect("out = 2010 2011 2012 2110 2111 2112\n", out, "global ids with an offset")


@test
def a_source_includes_what_lies_beside_it():
    with tempfile.TemporaryDirectory() as top:
        folder = os.path.join(top, 'with a space and a "')  # which quotes in options have to bear
        os.mkdir(folder)
        with open(os.path.join(folder, "seven.h"), "w") as header:
            header.write("#define SEVEN 7\n")
        source = os.path.join(folder, "sevens.cl")
        with open(source, "w") as file:
            file.write('#include "seven.h"\nkernel void sevens(global int *out) { out[get_global_id(0)] = SEVEN; }\n')
        expect((0, "out = 7 7 7 7\n", ""), heddle("run", source, "-d", "model", "-g", "4", "zeros(4)"), "a kernel whose header lies beside it")


@test
def build_options_reach_the_compiler():
    expect("out = 77\n", run("defined", "-g", "1", "-b", "-DVALUE=77", "zeros(1)"), "kernel of -DVALUE=77")


@test_for(**DEVICES)
def stats_are_the_cycle_figures(device):
    out = run("saxpy", "-g", "64", "-l", "8", "range(64)", "zeros(64)", "3", "--stats", "--quiet", device=device)
    labels = [line[:16].strip() for line in out.splitlines()]
    for label in ("device", "work-groups", "cycles", "issues", "active lanes", "memory requests", "simulated in"):
        if label not in labels:
            raise AssertionError(f"--stats: expected a line {label!r}, got {labels}")
    expect_in("in sub-groups of 8", out, "--stats")


SAXPY = ("run", KERNELS, "-k", "saxpy", "-g", "64", "-l", "8", "range(64)", "zeros(64)", "3")


@test
def stats_say_where_the_cycles_went_and_of_which_memory():
    status, out, err = heddle(*SAXPY, "--stats", "--quiet", "--device", "sim")
    expect((0, ""), (status, err), "exit status and messages")
    shares = {}
    for line in out.splitlines():
        if line.startswith("  "):
            *words, count, share, _ = line.split()
            shares[" ".join(words)] = (int(count.replace(",", "")), float(share))
    expect(["issues", "memory wait", "conflicts", "idle"], list(shares), "rows under `cycles`")
    expect(True, abs(sum(share for _, share in shares.values()) - 100) < 0.3, f"the shares add up to 100 %: {shares}")
    expect_in(f"external memory   {LINE}-byte lines, 60 cycles, a line every 4 cycles\n", out, "--stats")


@test
def stats_of_the_model_say_that_it_counts_no_such_cycles():
    status, out, err = heddle(*SAXPY, "--stats", "--quiet", "--device", "model")
    expect((0, ""), (status, err), "exit status and messages")
    expect_in("it has no figures of memory wait, conflicts and idle", out, "--stats")
    expect_in("latency and bandwidth not known", out, "--stats")
    expect(False, "  memory wait" in out or "  idle" in out, "a row of zeros")


@test
def what_went_wrong_is_in_the_json():
    with tempfile.TemporaryDirectory() as folder:
        source = os.path.join(folder, "wrong.cl")
        with open(source, "w", encoding="ascii") as file:
            file.write("kernel void k(global int *o, int n) {\n  o[get_global_id(0) + n] = 1;\n  o[0] = o[n];\n}\n")
        for n, options, lines in (("0", (), []), ("2", ("--check",), [2, 3]), ("99999999", (), [2])):
            status, out, _ = heddle("run", source, "-g", "8", "zeros(8)", n, "--json", "-d", "model", *options)
            faults = json.loads(out)["faults"]
            expect((1 if lines else 0, lines), (status, sorted(fault["line"] for fault in faults)), f"exit status and lines with n={n}")
            for fault in faults:
                expect_in(f"wrong.cl:{fault['line']}, ", fault["text"], "the text")
                expect_in("/wrong.cl", fault["file"], "the file")


@test
def stats_as_json_add_up():
    figures = {}
    for device in DEVICES:
        status, out, err = heddle(*SAXPY, "--json", "--device", device)
        expect((0, ""), (status, err), "exit status and messages")
        figures[device] = json.loads(out)
    sim, model = figures["sim"], figures["model"]
    parts = ("issues", "memory_wait_cycles", "conflict_cycles", "idle_cycles")
    expect(sim["cycles"], sum(sim[part] for part in parts), f"sum of {parts}")
    expect(True, sim["memory_wait_cycles"] > 0, "cycles lost to a memory that takes 60")
    expect(True, sim["cache_requests"] > sim["cache_misses"] > 0, "requests of the cache beyond its misses")
    expect((8, 8, LINE, 60, 4), (sim["work_groups"], sim["sub_group_size"], sim["memory_line"], sim["memory_latency"],
                               sim["memory_interval"]), "the shape of the run, and its memory")
    expect(sim["issues"], model["issues"], "issues of the model as of the RTL")
    expect([None] * 5, [model[name] for name in parts[1:] + ("memory_latency", "memory_interval")],
           "what the model does not know")


@test
def progress_is_drawn_on_standard_error():
    status, out, err = heddle("run", KERNELS, "-k", "slow", "-g", "64", "-l", "8", "zeros(64)", "--progress", "always", "-q",
                              "--device", "sim")
    expect((0, ""), (status, out), "exit status and output")
    expect_in("work-groups", err, "progress")


@test_for(**DEVICES)
def a_fault_names_kernel_reason_line_and_work_item(device):
    status, out, err = heddle("run", KERNELS, "-k", "wild", "-g", "8", "-l", "4", "zeros(8)", "--device", device)
    expect(1, status, "exit status")
    for part in ("wild", "unmapped", "kernels.cl:51", "5"):
        expect_in(part, err, "message")
    expect(1, err.count("\n"), f"lines of {err!r}")


@test_for(**DEVICES)
def what_a_kernel_prints_comes_before_its_buffers(device):
    lines = [f"work-item {i} of speak" for i in range(2)]
    expect("\n".join(lines + ["out = 3 3", ""]), run("speak", "-g", "2", "zeros(2)", "0", device=device), "output")
    status, out, err = heddle("run", KERNELS, "--kernel", "speak", "--device", device, "-g", "2", "zeros(2)", "1")
    expect((1, lines), (status, out.splitlines()), "exit status and output of a kernel that prints and faults")
    expect_in("unmapped", err, "message")
    status, out, err = heddle("run", KERNELS, "-k", "speak", "-d", device, "-g", "2", "zeros(2)", "0", "--json")
    expect((0, lines), (status, err.splitlines()), "exit status and standard error with --json")
    expect(True, json.loads(out)["cycles"] > 0, "cycles")


@test_for(**DEVICES)
def a_budget_ends_an_endless_kernel(device):
    status, out, err = heddle("run", KERNELS, "-k", "endless", "-g", "4", "zeros(4)", "--budget", "20000", "--device", device)
    expect(1, status, "exit status")
    expect_in("budget", err, "message")


@test
def a_kernel_that_does_not_compile_shows_clangs_words():
    with tempfile.NamedTemporaryFile("w", suffix=".cl") as file:
        file.write("kernel void k(global int *x) { x[0] = nothing; }\n")
        file.flush()
        status, out, err = heddle("run", file.name, "-g", "1", "zeros(1)")
    expect(3, status, "exit status")
    expect_in("use of undeclared identifier 'nothing'", err, "message")


@test
def a_machine_without_clang_is_told_the_package():
    status, out, err = heddle("run", SCAN, "-g", "8", "zeros(8)", "zeros(8)", "zeros(8)", PATH="/nowhere")
    expect(3, status, "exit status")
    expect_in("clang-22", err, "message")


@test
def wrong_usage_gets_one_line_that_helps():
    refuse(2, "no command \"dance\"", "dance")
    refuse(2, "--global", "run", SCAN)
    refuse(2, "No such file", "run", "absent.cl", "-g", "1")
    refuse(2, "1 to 3 dimensions", "run", SCAN, "-g", "1,2,3,4")
    refuse(2, "as many dimensions", "run", SCAN, "-g", "4,4", "-l", "4")
    refuse(2, "several kernels", "run", KERNELS, "-g", "1")
    refuse(2, "no kernel \"absent\"", "run", KERNELS, "-k", "absent", "-g", "1")
    refuse(2, "argument out is missing", "run", KERNELS, "-k", "copy", "-g", "1", "1")
    refuse(2, "too many arguments", "run", KERNELS, "-k", "copy", "-g", "1", "1", "2", "3")
    refuse(2, "no argument \"inn\"", "run", KERNELS, "-k", "copy", "-g", "1", "inn=1")
    refuse(2, "given twice", "run", KERNELS, "-k", "copy", "-g", "1", "in=1", "in=2")
    refuse(2, "neither a number nor", "run", KERNELS, "-k", "copy", "-g", "1", "in=hello", "out=zeros(1)")
    refuse(2, "does not fit", "run", KERNELS, "-k", "copy", "-g", "1", "in=1.5", "out=zeros(1)")
    refuse(2, "No such file", "run", KERNELS, "-k", "copy", "-g", "1", "in=@absent.bin", "out=zeros(1)")
    refuse(2, "local:BYTES", "run", KERNELS, "-k", "mirror", "-g", "4", "1,2,3,4", "zeros(4)", "lots")
    for size in "4294967296", "18446744073709551617", "4,4294967297":
        refuse(2, "a dimension has at most 4294967295", "run", SCAN, "-g", size)
        refuse(2, "a dimension has at most 4294967295", "run", SCAN, "-g", "1,1", "--offset", size)
    refuse(2, "expected numbers", "run", SCAN, "-g", " -1")
    refuse(2, "local:BYTES", "run", KERNELS, "-k", "mirror", "-g", "4", "1,2,3,4", "zeros(4)", "local:-16")
    refuse(2, "so much local memory", "run", KERNELS, "-k", "mirror", "-g", "4", "1,2,3,4", "zeros(4)", "local:4294967312")
    refuse(2, "not a type", "run", KERNELS, "-k", "mirror", "-g", "4", "int4294967297:1,2,3,4", "zeros(4)", "local:16")
    refuse(2, "at most", "run", SCAN, "-g", "100000", "-l", "100000", "zeros(100000)", "zeros(100000)", "zeros(100000)")
    refuse(4, "no device", "info", "--device", "toaster")


def packed(folder, *boards):
    """A fat binary of a kernel file and of bitstreams of these boards, which are an iCE40's with nothing in it."""
    bits = b"\xff\0\0\xff\x7e\xaa\x99\x7e\x51\0\x01\x05\x62\x02\xb3\x72\x01\x50\x11\0\x01\x01\0\x01\x06\0"  # of a UP5K
    with open(folder + "/bits", "wb") as out:
        out.write(bits)
    expect(0, command("bin/heddlec", SCAN, "-o", folder + "/scan.elf")[0], "heddlec")
    words = ["pack", "-o", folder + "/scan.fat", folder + "/scan.elf", *(f"{board}={folder}/bits" for board in boards)]
    expect((0, "", ""), heddle(*words), "heddle pack")
    return folder + "/scan.fat"


@test
def a_packed_bitstream_is_flashed():
    with tempfile.TemporaryDirectory() as folder:
        fat = packed(folder, "icebreaker", "ulx3s-25f")
        with open(folder + "/iceprog", "w") as out:
            out.write(f"#!/bin/sh\ncmp $1 {folder}/bits && : >{folder}/called\necho VERIFY OK; echo 'cdone: high'\n")
        os.chmod(folder + "/iceprog", 0o700)
        path = folder + ":" + os.environ["PATH"]
        for words, board in ((["--board", "icebreaker"], ""), ([], "icebreaker")):
            status, out, err = heddle("flash", *words, fat, PATH=path, HEDDLE_BOARD=board)
            expect((0, ""), (status, err), "heddle flash")
            expect_in("DONE: icebreaker works with it", out, "what it says")
            expect(True, os.path.exists(folder + "/called"), "the loader got what was packed")
            os.remove(folder + "/called")
        # The loader's failure is the command's.
        status, _, err = heddle("flash", "--board", "ulx3s-25f", fat, PATH=path)
        expect(1, status, "the status for what is no bitstream of the board's")
        expect_in("is no bitstream of an ECP5", err, "its message")
        status, out, _ = heddle("flash", "--list", fat)
        expect(0, status, "the status of a list")
        for part in ("kernel file", "icebreaker", "ulx3s-25f"):
            expect_in(part, out, "the list")
        refuse(2, "no bitstream of hx8k, but of: icebreaker, ulx3s-25f. `make bitstream BOARD=hx8k", "flash", "--board", "hx8k", fat)
        refuse(2, "not a fat binary", "flash", SCAN)
        refuse(2, "no board is called", "pack", "-o", folder + "/x", folder + "/scan.elf", "toaster=" + SCAN)
        refuse(2, "is no kernel file", "pack", "-o", folder + "/x", SCAN)
        # A kernel file that no program could be made of is found now, not when it is built.
        with open(folder + "/scan.elf", "rb") as file:
            whole = file.read()
        for name, damaged in (("half", whole[:len(whole) // 2]), ("header", whole[:20]), ("zeros", whole[:64] + bytes(len(whole) - 64))):
            with open(f"{folder}/{name}.elf", "wb") as file:
                file.write(damaged)
            refuse(2, f"{folder}/{name}.elf is no kernel file", "pack", "-o", folder + "/x", f"{folder}/{name}.elf")
        refuse(2, "no kernel file is among them", "pack", "-o", folder + "/x", f"hx8k={folder}/bits")
        refuse(2, "two bitstreams of hx8k", "pack", "-o", folder + "/x", folder + "/scan.elf", f"hx8k={folder}/bits", f"hx8k={folder}/bits")


@test
def every_help_text_is_there():
    for words in (["--help"], ["info", "--help"], ["run", "--help"], ["pack", "--help"], ["flash", "--help"], ["help", "run"], ["help"]):
        status, out, err = heddle(*words)
        expect((0, ""), (status, err), f"heddle {' '.join(words)}")
        expect_in("usage: heddle", out, f"heddle {' '.join(words)}")
    status, out, _ = heddle("--version")
    expect((0, True), (status, out.startswith("heddle ")), "heddle --version")


@test
def a_machine_without_heddle_is_told_what_to_do():
    with tempfile.TemporaryDirectory() as empty:
        status, out, err = heddle("info", OCL_ICD_VENDORS=empty + "/")
    expect(4, status, "exit status")
    expect_in("make install", err, "message")


if __name__ == "__main__":
    tap.run("heddle")
