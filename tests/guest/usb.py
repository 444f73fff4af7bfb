#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs usb.c in the guest. What it asks for: `plug full|high [verilated]` and `pull out`. A word on the command line chooses the
tests whose names hold it."""
import os
import select
import subprocess
import tempfile

import boot

SECONDS = 20


class Board:
    """heddle-usb-board, plugged in as long as it runs."""

    def __init__(self, socket):
        self.socket = socket
        self.processes = []

    def _start(self, *words):
        """Starts a program that ends with its standard input, and returns the first line that it prints."""
        process = subprocess.Popen([os.path.join(boot.BUILD, words[0]), *words[1:]], stdin=subprocess.PIPE,
                                   stdout=subprocess.PIPE, text=True)
        self.processes.append(process)
        if not select.select([process.stdout], [], [], SECONDS)[0]:
            raise RuntimeError(f"{words[0]} said nothing for {SECONDS} s")
        line = process.stdout.readline().strip()
        if not line:
            raise RuntimeError(f"{words[0]} ended with status {process.wait(SECONDS)}")
        return line

    def plug(self, speed, device="model"):
        self.pull_out()
        port = ["--port", self._start("bin/heddle-board")] if device == "verilated" else []
        line = self._start("bin/heddle-usb-board", "--speed", speed, *port, self.socket)
        if line != "plugged in":
            raise RuntimeError(f"heddle-usb-board said {line}")

    def pull_out(self):
        while self.processes:
            process = self.processes.pop()
            process.stdin.close()
            try:
                process.wait(SECONDS)
            except subprocess.TimeoutExpired:
                process.kill()
                raise RuntimeError(f"{process.args[0]} did not end with its standard input") from None

    def do(self, words):
        if words[0] == "plug":
            self.plug(*words[1:])
        elif words == ["pull", "out"]:
            self.pull_out()
        else:
            raise ValueError(f"nobody knows how to {' '.join(words)}")


def main():
    with tempfile.TemporaryDirectory() as folder:
        board = Board(os.path.join(folder, "usb"))
        try:
            boot.run("usb", ["-device", "qemu-xhci", "-device", "usb-redir,chardev=board",
                             "-chardev", f"socket,id=board,path={board.socket},server=on,wait=off"], board.do)
        finally:
            board.pull_out()


if __name__ == "__main__":
    main()
