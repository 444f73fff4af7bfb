#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs usb.c in the guest. What it asks for: `plug full|high [verilated]` and `pull out`. A word on the command line chooses the
tests whose names hold it."""
import os
import tempfile

import boot


class Boards(boot.Outside):
    """heddle-usb-board, plugged in as long as it runs."""

    def __init__(self, socket):
        super().__init__()
        self.socket = socket

    def plug(self, speed, device="model"):
        self.end_all()
        port = ["--port", self.start("bin/heddle-board")[1]] if device == "verilated" else []
        _, said = self.start("bin/heddle-usb-board", "--speed", speed, *port, self.socket)
        if said != "plugged in":
            raise boot.Failed(f"heddle-usb-board said {said}")

    def options(self):
        return ["-machine", "q35", "-device", "qemu-xhci", "-device", "usb-redir,chardev=board",
                "-chardev", f"socket,id=board,path={self.socket},server=on,wait=off"]

    def do(self, words):
        if words[0] == "plug":
            self.plug(*words[1:])
        elif words == ["pull", "out"]:
            self.end_all()
        else:
            raise ValueError(f"nobody knows how to {' '.join(words)}")


def main():
    with tempfile.TemporaryDirectory() as folder, Boards(os.path.join(folder, "usb")) as boards:
        boot.run("usb", boards)


if __name__ == "__main__":
    main()
