# SPDX-License-Identifier: Apache-2.0
"""Devices with pipelines of several programs: compiles each program, and joins what heddlec wrote to one folder for sim/rtl/hardware.sh."""
import json
import os
import re
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import tap

CACHE = os.path.join(tap.BUILD, "tests/pipeline/devices")
REFUSED = re.compile(r"error: kernel '(\w+)' cannot be hardware: (.*)")
KIND_DIGITS = 16 * 8  # of a kind in the table of kinds (contract/DEVICE.md), in hexadecimal


class Device:
    """A device of Heddle's, by a word of its name, through PyOpenCL."""

    def __init__(self, word):
        os.environ["PYOPENCL_NO_CACHE"] = "1"  # programs are of this compiler, not of one before it
        import pyopencl
        self.cl = pyopencl
        platform = next(p for p in pyopencl.get_platforms() if p.name == "Heddle")
        self.context = pyopencl.Context([next(d for d in platform.get_devices() if word in d.name)])
        self.queue = pyopencl.CommandQueue(self.context)


class Pipeline:
    """One kernel of a folder that heddlec made."""

    def __init__(self, folder, listed, kind, label_bits):
        self.folder, self.name, self.hash, self.module = folder, listed["name"], listed["hash"], listed["module"]
        self.kind, self.label_bits = kind, label_bits


def compile_program(source, folder, lanes, slots, options=()):
    """Returns the pipelines of a source by the names of its kernels, and why the others are none."""
    with open(source, encoding="latin-1") as file:
        options = [*options, "--double"] if re.search(r"\bdouble\d*\b", file.read()) else options
    code, _, messages = tap.command("bin/heddlec", "--hardware", source, "--lanes", str(lanes), "--slots", str(slots), *options, "-o", folder)
    refused = dict(REFUSED.findall(messages))
    if code == 1 and refused:
        return {}, refused
    if code != 0:
        raise AssertionError(f"heddlec --hardware {source} ends with {code}:\n{messages}")
    with open(os.path.join(folder, "kernels.json")) as file:
        listed = json.load(file)
    table = listed["kind_table"].split("'h")[1]
    pipelines = {}
    for number, kernel in enumerate(listed["kernels"], 1):
        end = len(table) - number * KIND_DIGITS
        pipelines[kernel["name"]] = Pipeline(folder, kernel, table[end - KIND_DIGITS:end], listed["kind_label_bits"])
    return pipelines, refused


def join(pipelines, folder):
    """A folder of pipelines of several sources, of which several may have one name."""
    os.makedirs(folder)
    arms = []
    for number, pipeline in enumerate(pipelines, 1):
        with open(os.path.join(pipeline.folder, pipeline.module + ".v")) as file:
            text = file.read()
        module = f"pipeline_{number}"
        with open(os.path.join(folder, module + ".v"), "w") as file:
            file.write(re.sub(rf"\bmodule {pipeline.module}\b", f"module {module}", text))
        with open(os.path.join(pipeline.folder, "pipelines.v")) as file:
            choice = file.read()
        head, arm = choice[:choice.index("    if (NUMBER == 1)")], re.search(rf"\(NUMBER == \d+\) begin : kind_\d+\n(      {pipeline.module} #\(.*?\n      \);\n)",
                                                                             choice, re.S).group(1)
        arms.append(f"if (NUMBER == {number}) begin : kind_{number}\n" + re.sub(rf"\b{pipeline.module}\b", module, arm, count=1) + "    end")
    with open(os.path.join(folder, "pipelines.v"), "w") as file:
        file.write(head + "    " + " else ".join(arms) + "\n  endgenerate\nendmodule\n`default_nettype wire\n")
    table = "".join(pipeline.kind for pipeline in reversed(pipelines)) + "0" * KIND_DIGITS
    with open(os.path.join(folder, "kinds.txt"), "w") as file:
        file.write(f"parameter KINDS {len(pipelines) + 1}\nparameter KIND_LABEL_BITS {max(p.label_bits for p in pipelines)}\n"
                   f"parameter KIND_TABLE {len(table) * 4}'h{table}\n")
    with open(os.path.join(folder, "kernels.json"), "w") as file:
        json.dump({"kernels": [{"name": pipeline.name, "hash": pipeline.hash} for pipeline in pipelines]}, file)


def make_device(pipelines, folder, **shape):
    """Verilates a device; returns its path."""
    join(pipelines, folder)
    os.makedirs(CACHE, mode=0o700, exist_ok=True)
    words = [f"{name}={value}" for name, value in {"BANKS": 1, "GLOBAL_LOG2": 28, "PROCESSOR": 0, **shape}.items()]
    done = subprocess.run([os.path.join(tap.TOP, "sim/rtl/hardware.sh"), folder, CACHE, *words], cwd=tap.TOP, stdin=subprocess.DEVNULL,
                          capture_output=True, text=True, env={"HEDDLE_SIM_OPTIMISE": "-O1", **os.environ})
    if done.returncode != 0:
        raise AssertionError(f"hardware.sh ends with {done.returncode}:\n{done.stderr[-3000:]}")
    # HEDDLE_HARDWARE takes a file for a device by the end of its name.
    device = os.path.join(folder, "device.so")
    os.symlink(done.stdout.splitlines()[-1], device)
    return device
