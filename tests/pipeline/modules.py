#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Functions of kernels that are modules of Verilog (verilog_module, docs/how-to/put-verilog-into-a-kernel.md): memory is what the golden model makes of
the functions' bodies in OpenCL C, wherever in a kernel they are called, of every type and latency. And what is no such module is refused.
"""
import os
import re
import shlex
import shutil
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.dirname(HERE), HERE]
import tap
import pipelines

# A function: its result and arguments with their bits, the body in C, and as an expression of Verilog.
TYPES = {"bool": 1, "char": 8, "uchar": 8, "short": 16, "ushort": 16, "int": 32, "uint": 32, "float": 32, "long": 64, "ulong": 64}
FUNCTIONS = {
    "mixed": ("uint", ("uint", "uint"), "return (a ^ (b >> 3)) * 5u + b;", "(a_i ^ (b_i >> 3)) * 32'd5 + b_i"),
    "turned": ("uint", ("uint",), "return a << 7 | a >> 25;", "{a_i[24:0], a_i[31:25]}"),
    "opposite": ("float", ("float",), "return -a;", "{~a_i[31], a_i[30:0]}"),
    "larger": ("int", ("int", "int"), "return a > b ? a : b;", "$signed(a_i) > $signed(b_i) ? a_i : b_i"),
    "folded": ("ulong", ("ulong", "uchar"), "return (a ^ a >> 17) + b;", "(a_i ^ (a_i >> 17)) + {56'd0, b_i}"),
    "is_odd": ("bool", ("ulong",), "return popcount(a) & 1;", "^a_i"),
    "least": ("char", ("char", "short", "long"), "return a < b ? a < c ? a : (char)c : b < c ? (char)b : (char)c;",
              "$signed({{8{a_i[7]}}, a_i}) < $signed(b_i) ? ($signed({{56{a_i[7]}}, a_i}) < $signed(c_i) ? a_i : c_i[7:0]) : "
              "($signed({{48{b_i[15]}}, b_i}) < $signed(c_i) ? b_i[7:0] : c_i[7:0])"),
    "of_eight": ("uint", ("uint", "uchar", "ushort", "uint", "ulong", "bool", "int", "uint"),
                 "return a + b * 3u + c * 5u + d * 7u + (uint)(e >> 20) + (f ? 11u : 13u) + (uint)g * 17u + h * 19u;",
                 "a_i + {24'd0, b_i} * 3 + {16'd0, c_i} * 5 + d_i * 7 + e_i[51:20] + (f_i ? 32'd11 : 32'd13) + g_i * 17 + h_i * 19"),
}


def verilog(name, latency):
    """The module of a function: its expression, and registers behind it."""
    result, arguments, _, expression = FUNCTIONS[name]
    ranged = lambda type: f"[{TYPES[type] - 1}:0]" if TYPES[type] > 1 else ""
    ports = [] if latency == 0 else ["input wire clk"]
    ports += [f"input wire {ranged(type)} {'abcdefgh'[i]}_i" for i, type in enumerate(arguments)]
    text = f"module {name}_{latency} ({', '.join(ports)}, output wire {ranged(result)} y_o);\n  wire {ranged(result)} s0 = {expression};\n"
    for i in range(latency):
        text += f"  reg {ranged(result)} s{i + 1};\n  always @(posedge clk) s{i + 1} <= s{i};\n"
    return text + f"  assign y_o = s{latency};\nendmodule\n"


def source(name, latency):
    result, arguments, body, _ = FUNCTIONS[name]
    given = ", ".join(f"{type} {'abcdefgh'[i]}" for i, type in enumerate(arguments))
    return f'__attribute__((verilog_module("{name}_{latency}", {latency}))) static {result} {name}_{latency}({given}) {{ {body} }}\n'


LATENCIES = (0, 1, 2, 5, 19, 64)
WORDS = 512
# Kernels: lanes, the work-items of a work-group, and the body. `i` is the work-item's global id; there are 128.
ITEMS = 128
KERNELS = {
    "of_each_type": (4, 16, """
        ulong x = (ulong)in[i] << 29 ^ in[i + 1];
        out[i] = mixed_2(in[i], in[i + 128]) + (uint)larger_1((int)in[i], (int)in[i + 1]);
        out[i + 128] = as_uint(opposite_2(as_float(in[i]))) ^ (uint)(folded_5(x, (uchar)in[i + 2]) >> 13);
        out[i + 256] = is_odd_0(x) ? (uint)least_2((char)in[i], (short)in[i + 1], (long)x >> 50) : 5;
        out[i + 384] = of_eight_5(in[i], (uchar)in[i], (ushort)in[i + 1], n, x, in[i] & 1, (int)in[i + 3], 9);"""),
    "of_every_latency": (4, 16, " ".join(f"out[i] = mixed_{latency}(in[i], out[i]);" for latency in LATENCIES)),
    "one_after_the_other": (8, 32, "out[i] = mixed_64(turned_19(mixed_0(turned_5(in[i]), i)), in[i + 1]);"),
    "of_the_dispatch_and_of_sub_groups": (4, 16, "out[i] = mixed_5(n, 77) + turned_19(12345) + mixed_2((uint)get_group_id(0), n) + mixed_1(get_sub_group_id(), 3) + turned_2(in[i]);"),
    "in_branches": (4, 16, """
        uint x = in[i];
        if (x & 1) { if (x & 2) x = mixed_19(x, i); else out[i + 128] = turned_2(x); }
        else x += turned_0(x);
        out[i] = x;"""),
    "in_loops_that_lanes_leave_apart": (4, 16, """
        uint x = in[i];
        for (uint k = in[i + 1] & 15; k > 0; k--) x = mixed_5(x, k) + turned_1(k);
        out[i] = x;"""),
    "around_barriers": (4, 16, """
        local uint shared[16];
        uint l = get_local_id(0);
        shared[l] = mixed_2(in[i], l);
        barrier(CLK_LOCAL_MEM_FENCE);
        out[i] = turned_5(shared[15 - l]) + sub_group_scan_inclusive_add(mixed_19(shared[l ^ 1], 3));"""),
    "of_vectors_element_by_element": (4, 16, """
        uint4 v = vload4(i & 31, in), w = (uint4)(turned_2(v.x), turned_2(v.y), mixed_1(v.z, v.w), turned_2(v.x));
        out[i] = w.x + 3 * w.y + 5 * w.z + 7 * w.w;"""),
    "in_tables_and_arrays": (1, 16, """
        uint own[16];
        for (uint k = 0; k < 16; k++) own[k] = mixed_5(in[(i + k) & 255], k);
        uint at = turned_19(in[i]) & 15;
        out[i] = own[at] + own[turned_1(at) & 15];"""),
    "of_one_work_item": (1, 1, """
        uint sum = 1;
        for (uint k = 0; k < n; k++) { sum = mixed_5(sum, in[k & 255]); out[k & 127] = sum + turned_2(k); }"""),
    "of_rounds_that_are_interleaved": (1, 1, """
        for (uint r = 0; r < 64; r++) {
          uint x = in[r];
          for (uint k = 0; (x & 7) != 5 && k < 40; k++) x = mixed_19(x, r) + 1;
          out[r] = turned_1(x);
        }"""),
}
PROGRAMS = pipelines.Programs(tempfile.mkdtemp(prefix="heddle-modules-"))
FILES = [os.path.join(PROGRAMS.folder, name) for name in ("values.v", "words.v")]


def write_files():
    for path, names in zip(FILES, (("mixed", "turned"), [name for name in FUNCTIONS if name not in ("mixed", "turned")])):
        with open(path, "w") as file:
            file.write("`default_nettype none\n" + "".join(verilog(name, latency) for name in names for latency in LATENCIES) + "`default_nettype wire\n")


ALL = "".join(source(name, latency) for name in FUNCTIONS for latency in LATENCIES)
OPTIONS = [word for path in FILES for word in ("--verilog", path)]


def whole(name):
    _, items, body = KERNELS[name]
    size = "__attribute__((max_global_work_dim(0))) " if items == 1 else ""
    return ALL + f"{size}kernel void {name}(global const uint *restrict in, global uint *restrict out, uint n) {{\n  size_t i = {'0' if items == 1 else 'get_global_id(0)'}; {body}\n}}\n"


def program():
    return PROGRAMS.verilated({name: (whole(name), lanes, 16, OPTIONS) for name, (lanes, _, _) in KERNELS.items()})


@tap.test_for(**{name: name for name in KERNELS})
def functions_that_are_modules_do_what_their_bodies_say(name):
    made = program()
    lanes, items, _ = KERNELS[name]
    for number, n in enumerate((1, 40, 200)):
        job = pipelines.job([1 if items == 1 else ITEMS], [items], lanes, **pipelines.memory(3, number), seed=number + 1)
        arguments = [pipelines.BUFFERS, pipelines.BUFFERS + 4 * WORDS, n]
        pipelines.expect_same(PROGRAMS.dispatch(made, name, job, arguments, pipelines.random_words(number + 1, 2 * WORDS)), f"with n = {n}")


@tap.test
def a_body_is_no_part_of_the_circuit():
    program()
    text = PROGRAMS.verilog("one_after_the_other")
    tap.expect(8, text.count("\n  mixed_64 "), "modules mixed_64, one for each of 8 lanes")
    tap.expect(False, "* 32'h5" in text or "multiply" in text, "whether anything multiplies")
    tap.expect_in("module mixed_64 of Verilog, 64 cycles: 8", PROGRAMS.report("one_after_the_other"), "the report")


@tap.test
def rounds_are_as_far_apart_as_the_latency_says():
    program()
    # 5 cycles of the module, and no more than three around it.
    intervals = [int(number) for number in re.findall(r"\brounds #\(.*?\.INTERVAL\((\d+)\)", PROGRAMS.verilog("of_one_work_item"))]
    tap.expect(True, len(intervals) == 1 and 5 <= intervals[0] <= 8, f"whether rounds are 5 to 8 cycles apart: {intervals}")
    tap.expect(1, PROGRAMS.interleaved("of_rounds_that_are_interleaved"), "loops whose rounds are interleaved")


@tap.test
def the_pages_example_is_as_it_says():
    with open(os.path.join(tap.TOP, "docs/how-to/put-verilog-into-a-kernel.md")) as file:
        page = file.read()
    block = lambda language: re.sub(r"^   ", "", re.search(rf"   ```{language}\n(.*?)   ```", page, re.S).group(1), flags=re.M)
    with tempfile.TemporaryDirectory() as folder:
        for name, language in (("crc32.cl", "c"), ("crc32.v", "verilog")):
            with open(os.path.join(folder, name), "w") as file:
                file.write(block(language))
        lines = block("sh").splitlines()
        tap.expect(2, len(lines), "commands")
        for line in lines:
            words = [word if word not in ("crc32.cl", "crc32.v") else os.path.join(folder, word) for word in shlex.split(line.removeprefix("build/"))]
            code, printed, messages = tap.command(*words)
            tap.expect(0, code, f"the exit code of {line} ({messages})")
            tap.expect_in("sums = 3421780262", printed, line)
            tap.expect("--hardware" in line, "Kernel crc32 runs on its pipeline" in messages, f"whether it ran on a pipeline ({messages})")


CLOCKED = "module f(input wire clk, input wire [31:0] a_i, output reg [31:0] y_o); always @(posedge clk) y_o <= a_i; endmodule\n"
FUNCTION = '__attribute__((verilog_module("f", 1))) uint f(uint x) { return x; }\nkernel void k(global uint *out) { *out = f(*out); }\n'
# By what is wrong: the file, the source, and what is said of it.
REFUSED = {
    "no_file_has_the_module": (CLOCKED.replace("module f", "module g"), FUNCTION, "k.cl:2:42: error: kernel 'k' cannot be hardware: it calls module 'f', which is in no file that --verilog names"),
    "an_input_is_narrower": (CLOCKED.replace("input wire [31:0]", "input wire [15:0]"), FUNCTION, "a_i of module 'f' has 16 bits, and the function 32"),
    "an_output_is_wider": (CLOCKED.replace("output reg [31:0]", "output reg [32:0]"), FUNCTION, "y_o of module 'f' has 33 bits, and the function 32"),
    "an_input_is_missing": (CLOCKED.replace("a_i", "x_i"), FUNCTION, "module 'f' has no input a_i"),
    "the_output_is_an_input": (CLOCKED.replace("output reg", "input wire"), FUNCTION, "module 'f' has no output y_o"),
    "nothing_drives_an_input": (CLOCKED.replace("clk,", "clk, input wire enable_i,"), FUNCTION, "nothing drives input enable_i of module 'f'"),
    "a_clock_without_latency": (CLOCKED, FUNCTION.replace('"f", 1', '"f", 0'), "nothing drives input clk of module 'f'"),
    "an_old_head_with_a_narrow_port": ("module f(clk, a_i, y_o);\n  input clk; input [7:0] a_i; output [31:0] y_o;\nendmodule\n", FUNCTION, "a_i of module 'f' has 8 bits"),
    "another_file_is_included": ('`include "/etc/passwd"\n' + CLOCKED, FUNCTION, "f.v:1: error: '`include' may not be there"),
    "the_host_is_called": (CLOCKED.replace("always", 'initial $system("true"); always'), FUNCTION, "f.v:1: error: '$system' may not be there"),
    "a_macro_hides_what_is_called": ("`define S(x) $``x\n" + CLOCKED, FUNCTION, "f.v:1: error: '$' may not be there"),
    "a_macro_is_a_directive": ("`define include\n" + CLOCKED, FUNCTION, "f.v:1: error: '`define include' is no name for a macro"),
    "a_name_is_heddles": (CLOCKED + "module multiply(); endmodule\n", FUNCTION, "f.v:2: error: 'module multiply' has a name that a module of Heddle has"),
    "a_name_is_a_pipelines": (CLOCKED + "module pipeline_k(); endmodule\n", FUNCTION, "has a name that a module of Heddle has"),
    "a_module_is_there_twice": (CLOCKED + CLOCKED, FUNCTION, "f.v:2: error: 'module f' is there twice"),
    "a_pointer_is_an_argument": (CLOCKED, FUNCTION.replace("uint x)", "global uint *x)").replace("return x", "return *x").replace("f(*out)", "f(out)"), "error: function 'f' cannot be a module of Verilog: a module takes and gives integers of up to 64 bits and floats"),
    "a_vector_is_an_argument": (CLOCKED, FUNCTION.replace("uint x)", "uint2 x)").replace("return x", "return x.x").replace("f(*out)", "f((uint2)(*out))"), "k.cl:1: error: function 'f' cannot be a module of Verilog: a module takes"),
    "nothing_is_an_argument": (CLOCKED, FUNCTION.replace("uint x)", "void)").replace("return x", "return 3").replace("f(*out)", "f()"), "a module has one to 8 arguments"),
    "the_latency_is_missing": (CLOCKED, FUNCTION.replace('"f", 1', '"f"'), 'verilog_module("NAME", LATENCY) has the name of a module and cycles'),
    "the_latency_is_too_long": (CLOCKED, FUNCTION.replace('"f", 1', '"f", 129'), "its latency of 129 cycles is more than 128"),
    "the_name_is_none": (CLOCKED, FUNCTION.replace('"f", 1', '"f g", 1'), 'verilog_module("NAME", LATENCY) has the name of a module and cycles'),
    "the_name_has_verilog_in_it": (CLOCKED, FUNCTION.replace('"f", 1', '"f(); endmodule //", 1'), 'verilog_module("NAME", LATENCY) has the name of a module and cycles'),
}


def compiled(folder, verilog_text, text, *options):
    os.makedirs(folder, exist_ok=True)
    for name, content in (("f.v", verilog_text), ("k.cl", text)):
        with open(os.path.join(folder, name), "w") as file:
            file.write(content)
    return tap.command(pipelines.HEDDLEC, "--hardware", "-cl-std=CL3.0", os.path.join(folder, "k.cl"), "-o", os.path.join(folder, "k.hw"), *options)


@tap.test_for(**REFUSED)
def what_is_no_module_is_refused(case):
    verilog_text, text, said = case
    with tempfile.TemporaryDirectory() as folder:
        code, _, messages = compiled(folder, verilog_text, text, "--verilog", os.path.join(folder, "f.v"))
        tap.expect(1, code, f"the exit code ({messages})")
        tap.expect_in(said, messages, "what heddlec says")
        tap.expect(False, os.path.exists(os.path.join(folder, "k.hw/kernels.json")), "whether there is a list of pipelines")


@tap.test_for(**{"that is missing": ("no.v", "no.v: No such file"), "that is a folder": (".", "files are called by letters"), "of another name": ("k.cl", "k.cl: files are called by letters")})
def a_file_that_cannot_be_read_is_told_of(case):
    path, said = case
    with tempfile.TemporaryDirectory() as folder:
        code, _, messages = compiled(folder, CLOCKED, FUNCTION, "--verilog", os.path.join(folder, path))
        tap.expect(2, code, f"the exit code ({messages})")
        tap.expect_in(said, messages, "what heddlec says")


@tap.test
def a_kernel_that_calls_no_module_needs_no_file():
    with tempfile.TemporaryDirectory() as folder:
        code, _, messages = compiled(folder, CLOCKED, FUNCTION + "kernel void other(global uint *out) { *out = 1; }\n")
        tap.expect(0, code, f"the exit code ({messages})")
        tap.expect_in("kernel 'k' cannot be hardware", messages, "what heddlec says")


write_files()
try:
    tap.run("modules")
finally:
    shutil.rmtree(PROGRAMS.folder, ignore_errors=True)
