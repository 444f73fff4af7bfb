#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`make test-cross`: the library and the heddle command for other hosts, under qemu-user. HEDDLE_TEST_HOST names the host.

Kernels are compiled here, by heddlec; they run there, on the golden model in the library and on a simulated board at a serial port.
"""
import itertools
import os
import re
import select
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import page_sizes
import tap
from tap import command, expect, expect_in, test

HOST = os.environ["HEDDLE_TEST_HOST"]
MACHINES = {"aarch64-linux-gnu": ("qemu-aarch64", "AArch64"), "riscv64-linux-gnu": ("qemu-riscv64", "RISC-V")}
QEMU, MACHINE = MACHINES[HOST]
FOLDER = os.path.join(tap.BUILD, "no-compiler-" + HOST)
LIBRARY = os.path.join(FOLDER, "lib/libheddle.so")
HEDDLE = os.path.join(FOLDER, "bin/heddle")
ISA = "rv32ima_zicsr"  # which the simulated board has
N, LOCAL = 400, 20
VALUES = [(i * 7919) % 1009 - 500 for i in range(N)]  # as program.c has them


def there(*words, **environment):
    """Runs a program of the other host; (exit status, standard output, standard error)."""
    return command(QEMU, "-L", "/usr/" + HOST, *words, **environment)


def expect_scan(device, **environment):
    kernels = os.path.join(FOLDER, "scan.elf")
    status, _, err = command("bin/heddlec", "--isa", ISA, "host/examples/scan.cl", "-o", kernels)
    expect(0, status, err)
    status, out, err = there(os.path.join(FOLDER, "tests/cross/program"), LIBRARY, kernels, device, **environment)
    expect(0, status, err)
    name, inclusive, exclusive = out.splitlines()
    expect_in(device, name, "device")
    groups = [list(itertools.accumulate(VALUES[at:at + LOCAL])) for at in range(0, N, LOCAL)]
    expect([value for group in groups for value in group], [int(word) for word in inclusive.split()], "inclusive sums")
    expect([value for group in groups for value in [0] + group[:-1]], [int(word) for word in exclusive.split()], "exclusive sums")


@test
def files_are_of_the_host_and_need_libc_libm_and_the_icd_loader_only():
    for path, known in ((LIBRARY, {"libc.so.6", "libm.so.6"}), (HEDDLE, {"libc.so.6", "libm.so.6", "libOpenCL.so.1"})):
        status, out, err = command("readelf", "-hdW", path)
        expect(0, status, err)
        expect(MACHINE, re.search(r"Machine: *(.*)", out)[1], "machine of " + path)
        needed = {name for name in re.findall(r"\(NEEDED\).*\[(.*)\]", out) if not name.startswith("ld-linux")}
        expect(set(), needed - known, "libraries that it needs besides the known ones")


@test
def page_of_embedded_hosts_names_its_size():
    kib = page_sizes.stripped_kib(LIBRARY, HOST + "-strip")
    page_sizes.expect_named("docs/embedded-hosts.md", r"(\d+) KiB\s+for " + HOST.split("-", maxsplit=1)[0], kib)


@test
def heddle_says_its_version():
    status, out, err = there(HEDDLE, "--version", LD_LIBRARY_PATH=os.path.join(FOLDER, "host/cross-loader"))
    expect(0, status, err)
    expect_in("heddle", out, "heddle --version")


@test
def a_kernel_file_of_this_machine_runs_on_the_golden_model_there():
    expect_scan("Heddle model")


@test
def a_kernel_runs_on_a_board_at_a_serial_port():
    with subprocess.Popen([os.path.join(tap.BUILD, "bin/heddle-board")], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as board:
        try:
            expect(True, bool(select.select([board.stdout], [], [], 60)[0]), "heddle-board names its port")
            port = re.search(r"/dev/pts/\d+", board.stdout.readline())
            expect_scan("Heddle board", HEDDLE_SERIAL=port[0])
        finally:
            board.stdin.close()


tap.run("cross " + HOST)
