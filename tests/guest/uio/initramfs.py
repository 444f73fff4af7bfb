#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes the file system of the aarch64 guest: initramfs.py OUTPUT KERNEL LIBRARY PROGRAM KERNELS.elf

In it are busybox and `init`, the modules, the cross-compiled library with the program and the kernels that it runs, and the libraries of
the cross compiler that both need. Called by make; needs cpio."""
import os
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
LIBRARIES = "/usr/aarch64-linux-gnu/lib"


def main():
    output, kernel, library, program, kernels = sys.argv[1:]
    files = [("init", os.path.join(HERE, "init")), ("bin/busybox", os.path.join(kernel, "busybox")), ("heddle/libheddle.so", library),
             ("heddle/program", program), ("heddle/kernels.elf", kernels)]
    files += [("modules/" + name, os.path.join(kernel, name)) for name in ("uio.ko", "heddle_uio.ko")]
    files += [("lib/" + name, os.path.join(LIBRARIES, name)) for name in ("ld-linux-aarch64.so.1", "libc.so.6", "libm.so.6")]
    with tempfile.TemporaryDirectory() as root:
        for folder in ("bin", "dev", "heddle", "lib", "modules", "proc", "sys"):
            os.mkdir(os.path.join(root, folder))
        os.symlink("busybox", os.path.join(root, "bin/sh"))
        for there, here in files:
            shutil.copy(here, os.path.join(root, there))
        os.chmod(os.path.join(root, "bin/busybox"), 0o755)
        names = sorted(os.path.relpath(os.path.join(folder, name), root)
                       for folder, folders, names in os.walk(root) for name in folders + names)
        with open(output, "wb") as file:
            subprocess.run(["cpio", "--quiet", "-o", "-H", "newc", "-R", "0:0"], cwd=root, check=True, stdout=file,
                           input="\n".join(names).encode())


if __name__ == "__main__":
    main()
