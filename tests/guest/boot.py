# SPDX-License-Identifier: Apache-2.0
"""Boots the guest, runs one suite in it, and prints the TAP lines that come out on its serial console.

Called by usb.py, pcie.py and uio.py. The suite asks for what happens outside, such as a board that is plugged in, over the guest's second serial port:
one line, answered by "done" or by what went wrong. Everything has an end: a guest that does not boot, that stops saying anything,
or that ends without a report is one failed test that says so and shows the console's last lines.
"""
import os
import queue
import select
import socket
import subprocess
import sys
import threading
import time

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BUILD = os.path.join(TOP, os.environ.get("BUILD", "build"))
GUEST = os.path.join(BUILD, "tests/guest")

# Against what hangs: 10 s to boot and half a minute for a suite are usual, and ten times that when the machine is busy.
BOOT_SECONDS = 180
SUITE_SECONDS = 600
PROGRAM_SECONDS = 60
MEMORY = "512M"
COMMAND_LINE = "quiet loglevel=1 nokaslr mitigations=off panic=-1 no_timer_check tsc=reliable random.trust_cpu=on"


class Failed(Exception):
    """The guest did not do what it was booted for, in words."""


class Outside:
    """What a suite has outside: programs of the checkout, each of which runs until its standard input ends.

    options() starts them and returns QEMU's machine and devices; do(words) is what the suite asks for.
    """

    # The guest: QEMU with its processor, where kernel and file system are, the console, whether there is a second serial port.
    QEMU = ("qemu-system-x86_64", "-cpu", "max")
    FOLDER, CONSOLE, HAS_PORT = "", "ttyS0", True

    def __init__(self):
        self.running = []

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for process in self.running:
            process.kill()
            process.wait()

    def start(self, *words):
        """Starts one; returns it and the first line that it prints."""
        process = subprocess.Popen([os.path.join(BUILD, words[0]), *words[1:]], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                   text=True)
        self.running.append(process)
        if not select.select([process.stdout], [], [], PROGRAM_SECONDS)[0]:
            raise Failed(f"{words[0]} said nothing for {PROGRAM_SECONDS} s")
        line = process.stdout.readline().strip()
        if not line:
            raise Failed(f"{words[0]} ended with status {process.wait(PROGRAM_SECONDS)}")
        return process, line

    def end(self, process):
        self.running.remove(process)
        process.stdin.close()
        try:
            process.wait(PROGRAM_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
            raise Failed(f"{process.args[0]} did not end with its standard input") from None

    def end_all(self):
        while self.running:
            self.end(self.running[-1])


class Guest:
    """A QEMU with one processor and no network."""

    def __init__(self, suite, outside, command_line):
        self.suite, self.outside = suite, outside
        self.lines = queue.Queue()
        self.console = []
        ours, guests = socket.socketpair()
        self.port = ours
        folder = os.path.join(GUEST, outside.FOLDER)
        words = [*outside.QEMU, "-accel", "tcg", "-smp", "1", "-m", MEMORY,
                 "-nodefaults", "-no-user-config", "-display", "none", "-no-reboot", "-nic", "none",
                 "-kernel", os.path.join(folder, "kernel/vmlinuz"), "-initrd", os.path.join(folder, "initramfs"),
                 "-append", f"console={outside.CONSOLE} {COMMAND_LINE} {command_line} heddle.suite={suite} heddle.filter={'*' + sys.argv[1] + '*' if len(sys.argv) > 1 else '*'}",
                 "-serial", "stdio", *outside.options()]
        if outside.HAS_PORT:
            words += ["-chardev", f"socket,id=port,fd={guests.fileno()}", "-serial", "chardev:port"]
        try:
            self.process = subprocess.Popen(words, pass_fds=[guests.fileno()], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                            stderr=subprocess.STDOUT, text=True, errors="replace")
        except FileNotFoundError:
            raise Failed(f"there is no {words[0]}: make test-guest installs it") from None
        guests.close()
        threading.Thread(target=self._read_console, daemon=True).start()
        threading.Thread(target=self._answer, daemon=True).start()

    def _read_console(self):
        for line in self.process.stdout:
            line = line.rstrip("\r\n")
            self.console.append(line)
            print(line, file=sys.stderr, flush=True)
            self.lines.put(line)
        self.lines.put(None)

    def _answer(self):
        """Does what the suite asks for."""
        with self.port.makefile("rw") as port:
            for line in port:
                try:
                    self.outside.do(line.split())
                    answer = "done"
                except Exception as problem:  # whatever it is, the suite is to know
                    answer = " ".join(str(problem).split()) or repr(problem)
                print(f"outside: {line.strip()}: {answer}", file=sys.stderr, flush=True)
                port.write(answer + "\n")
                port.flush()

    def _until(self, wanted, seconds, what):
        """The lines before the one that begins with `wanted`, and that one's rest."""
        end, before = time.monotonic() + seconds, []
        while True:
            try:
                line = self.lines.get(timeout=max(0, end - time.monotonic()))
            except queue.Empty:
                raise Failed(f"{what} within {seconds} s") from None
            if line is None:
                raise Failed(f"{what}: QEMU ended with status {self.process.wait()}")
            # The firmware leaves escape sequences before the kernel's first line.
            if wanted in line:
                return before, line.split(wanted, 1)[1].strip()
            before.append(line)

    def report(self):
        """The lines of the suite's report."""
        self._until("guest: up", BOOT_SECONDS, "the guest's kernel did not start its first program")
        self._until("guest: report", SUITE_SECONDS, f"the guest's suite {self.suite} did not end")
        lines, status = self._until("guest: end", 30, "the guest's report did not end")
        return lines, int(status)

    def end(self):
        self.process.kill()
        self.process.wait()
        self.port.close()


def run(suite, outside, command_line=""):
    """Prints the report of a suite in the guest; ends the program."""
    guest = None
    try:
        guest = Guest(suite, outside, command_line)
        lines, status = guest.report()
        if not any(line.startswith("1..") for line in lines):
            raise Failed(f"the guest's suite {suite} ended with status {status} and without a report")
        print("\n".join(lines), flush=True)
    except Failed as problem:
        status = 1
        print(f"1..1\nnot ok 1 - guest::{suite}\n  {problem}")
        for line in (guest.console if guest else [])[-15:]:
            print("  console: " + line)
    finally:
        if guest:
            guest.end()
    sys.exit(status != 0)
