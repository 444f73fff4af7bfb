#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs uio/program.c in an aarch64 guest whose processor has a device on its bus: QEMU's `virt`, with sim/bus_device as its plugin."""
import os
import shutil
import tempfile

import boot

# The guest's memory ends below the device's, which is in the same file.
RAM, LINUX_MIB, MEMORY_MIB = 0x40000000, 448, 32
MEMORY = RAM + (LINUX_MIB << 20)
CONTROL = MEMORY + (MEMORY_MIB << 20)
PIN = 64  # of the interrupt controller, which nothing else on this machine has
CONTROLLER = "/machine/unattached/device[1]"  # where QEMU 7.2 has it


class Bus(boot.Outside):
    QEMU = ("qemu-system-aarch64", "-cpu", "cortex-a57")
    FOLDER, CONSOLE, HAS_PORT = "aarch64", "ttyAMA0", False

    def __init__(self, folder):
        super().__init__()
        self.memory, self.qtest = os.path.join(folder, "memory"), os.path.join(folder, "qtest")

    def options(self):
        plugin = {"guest": self.memory, "qtest": self.qtest, "controller": CONTROLLER, "pin": PIN, "ram": hex(RAM),
                  "control": hex(CONTROL), "memory": hex(MEMORY), "bytes": hex(MEMORY_MIB << 20)}
        return ["-machine", "virt,memory-backend=ram",
                "-object", f"memory-backend-file,id=ram,share=on,size={boot.MEMORY},mem-path={self.memory}",
                "-qtest", f"unix:{self.qtest},server=on,wait=off", "-qtest-log", "none",
                "-plugin", ",".join([os.path.join(boot.BUILD, "sim/bus_device/bus_device.so"), *(f"{name}={value}" for name, value in plugin.items())])]

    def command_line(self):
        parameters = {"control": hex(CONTROL), "memory": hex(MEMORY), "memory_bytes": hex(MEMORY_MIB << 20), "spi": PIN}
        return " ".join([f"mem={LINUX_MIB}M", *(f"heddle_uio.{name}={value}" for name, value in parameters.items())])


def main():
    # The guest's memory is a file that two map: better none on a disk, where there is room elsewhere.
    room = shutil.disk_usage("/dev/shm").free if os.path.isdir("/dev/shm") else 0
    with tempfile.TemporaryDirectory(dir="/dev/shm" if room > 1 << 30 else None) as folder, Bus(folder) as bus:
        boot.run("uio", bus, bus.command_line())


if __name__ == "__main__":
    main()
