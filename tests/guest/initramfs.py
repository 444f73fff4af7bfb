#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes the file system of the guest: tests/guest/initramfs.py OUTPUT KERNEL BUILD SUITE...

In it are busybox and `init`, the kernel's modules for USB and VFIO, libheddle.so as it was built with its ICD file, the suites, all
libraries that these need, and the kernels that they run. Called by make; needs cpio.
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
BUSYBOX = "/bin/busybox"
MODULES = ("xhci-pci", "vfio-pci", "vfio_iommu_type1")
# What libheddle.so loads by name.
LOADED = ("libusb-1.0.so.0",)
FOLDERS = ("bin", "dev", "etc", "heddle/lib", "heddle/etc/OpenCL/vendors", "modules", "proc", "sys", "tests", "tmp")


def output_of(*command):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout


def libraries_of(files):
    """The libraries that programs and libraries need, and the loader."""
    found = set()
    for file in files:
        for line in output_of("ldd", file).splitlines():
            path = re.search(r"(?:=> )?(/\S+) \(0x", line)
            if path:
                found.add(path.group(1))
            elif "not found" in line:
                sys.exit(f"{file}: {line.strip()}")
    return found


def library_named(name):
    """Where the dynamic loader finds a library."""
    for line in output_of("/sbin/ldconfig", "-p").splitlines():
        if line.split()[:1] == [name] and "x86-64" in line:
            return line.split("=> ")[1]
    sys.exit(f"there is no {name} on this machine")


def put_modules(root, kernel):
    """Copies modules and what they need; modules/order says in which order they are loaded."""
    order = []
    version = os.listdir(os.path.join(kernel, "lib/modules"))[0]
    for module in MODULES:
        for line in output_of("/sbin/modprobe", "-d", kernel, "-S", version, "--show-depends", module).splitlines():
            action, *rest = line.split()
            name = os.path.basename(rest[0])
            if action == "insmod" and name not in order:
                shutil.copy(rest[0], os.path.join(root, "modules", name))
                order.append(name)
    with open(os.path.join(root, "modules/order"), "w") as file:
        file.write("".join(name + "\n" for name in order))


def fill(root, kernel, build, suites):
    for folder in FOLDERS:
        os.makedirs(os.path.join(root, folder))
    shutil.copy(BUSYBOX, os.path.join(root, "bin/busybox"))
    for name in ("sh", "cat", "mkdir", "mount", "insmod", "poweroff", "timeout", "ls", "dmesg"):
        os.symlink("busybox", os.path.join(root, "bin", name))
    shutil.copy(os.path.join(HERE, "init"), os.path.join(root, "init"))
    put_modules(root, kernel)
    library = os.path.join(build, "lib/libheddle.so")
    shutil.copy(library, os.path.join(root, "heddle/lib"))
    shutil.copy(os.path.join(build, "tests/guest/kernels.elf"), os.path.join(root, "heddle"))
    with open(os.path.join(root, "heddle/etc/OpenCL/vendors/heddle.icd"), "w") as file:
        file.write("/heddle/lib/libheddle.so\n")
    loaded = [library_named(name) for name in LOADED]
    for suite in suites:
        shutil.copy(suite, os.path.join(root, "tests"))
    for path in sorted(libraries_of([library, *suites, *loaded]).union(loaded)):
        os.makedirs(root + os.path.dirname(path), exist_ok=True)
        shutil.copy(path, root + path)


def main():
    output, kernel, build, *suites = sys.argv[1:]
    with tempfile.TemporaryDirectory() as root:
        fill(root, os.path.abspath(kernel), build, suites)
        names = sorted(os.path.relpath(os.path.join(folder, name), root)
                       for folder, folders, files in os.walk(root) for name in folders + files)
        with open(output, "wb") as file:
            subprocess.run(["cpio", "--quiet", "-o", "-H", "newc", "-R", "0:0"], cwd=root, check=True, stdout=file,
                           input="\n".join(names).encode())


if __name__ == "__main__":
    main()
