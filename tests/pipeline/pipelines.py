# SPDX-License-Identifier: Apache-2.0
"""What suites of kernels share: pipelines of several kernels become one Verilated program, and dispatches of them are run beside the golden model (bench.cpp).

HEDDLE_PIPELINE_HEDDLEC is another compiler. Suites of random kernels (Seeds) run HEDDLE_PIPELINE_KERNELS of them, from HEDDLE_PIPELINE_SEED on, or
HEDDLE_FUZZ_SEED alone.
"""
import functools
import glob
import hashlib
import json
import os
import random
import re
import shutil
import struct
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import tap

BEAT_LOG2, LABEL_BITS, OWNER_BITS, GLOBAL_LOG2 = 5, 128, 8, 25
BUFFERS = 0x4000
END = 1 << GLOBAL_LOG2  # of memory; its last 4 KiB are there, too (bench.cpp)
HEDDLEC = os.environ.get("HEDDLE_PIPELINE_HEDDLEC") or "bin/heddlec"
PASSED = os.path.join(tap.BUILD, "tests/pipeline/passed")
LIBRARY_FOLDERS = ("pipeline", "memory", "common", "lane", "group")
# Verilator and clang allocate many small pieces. Of glibc's allocator, more of them stay with the thread; tcmalloc takes half the time, where there is one.
TCMALLOC = glob.glob("/usr/lib/*/libtcmalloc_minimal.so.4")[:1]
ALLOCATOR = {"GLIBC_TUNABLES": "glibc.malloc.tcache_count=65535:glibc.malloc.hugetlb=1", **({"LD_PRELOAD": TCMALLOC[0]} if TCMALLOC else {})}
with open(__file__, "rb") as itself:
    ITSELF = itself.read()  # as it runs, whatever is written to it later
LIBRARIES = [os.path.join(tap.BUILD, name) for name in ("lib/libheddle_model.a", "sim/rtl/verilated.a")]


class Refused(Exception):
    """The kernel cannot be hardware, and heddlec says why."""


class Kernel:
    def __init__(self, name, lanes, slots, modules, elf, lines):
        self.name, self.lanes, self.slots, self.modules, self.elf, self.lines = name, lanes, slots, modules, elf, lines  # modules: files, its own first; lines: of its sites
        self.number = None
        with open(elf, "rb") as file:
            self.bytes = file.read()
        self.entry, self.local_bytes = self._note()

    def loaded(self):
        """What the bench loads of the file, and how: segments and relocations; without the place of the source, which is in the kernel's note."""
        folder = os.path.dirname(os.path.dirname(self.elf)).encode()
        digest = hashlib.sha256(repr((self.entry, self.local_bytes)).encode())
        for table, entry, kind_at, wanted, offset_at, size_at in ((28, 42, 0, 1, 4, 16), (32, 46, 4, 4, 16, 20)):  # program headers, section headers
            at, (size, count) = struct.unpack_from("<I", self.bytes, table)[0], struct.unpack_from("<2H", self.bytes, entry)
            for header in (self.bytes[at + i * size:at + (i + 1) * size] for i in range(count)):
                if struct.unpack_from("<I", header, kind_at)[0] == wanted:
                    offset, length = (struct.unpack_from("<I", header, where)[0] for where in (offset_at, size_at))
                    digest.update((header if wanted == 1 else b"") + self.bytes[offset:offset + length].replace(folder, b""))
        return digest.digest()

    def _note(self):
        """From the kernel's note (contract/DEVICE.md): where it begins, and its local memory."""
        at, count, size = struct.unpack_from("<I", self.bytes, 28)[0], struct.unpack_from("<H", self.bytes, 44)[0], 32
        for i in range(count):
            kind, offset, _, _, length = struct.unpack_from("<5I", self.bytes, at + i * size)
            end = offset + length
            while kind == 4 and offset + 12 <= end:
                _, words, note = struct.unpack_from("<3I", self.bytes, offset)
                if note == 1:
                    description = struct.unpack_from(f"<{words // 4}I", self.bytes, offset + 20)
                    return description[1], (description[3] + 127) // 128 * 128
                offset += 20 + words
        raise AssertionError(f"{self.elf} has no kernel")


def compile_kernel(source, folder, lanes, slots, options=()):
    """heddlec --hardware of a source with one kernel. Refused: it names the kernel, and what is not there in hardware."""
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    path, made = os.path.join(folder, "kernel.cl"), os.path.join(folder, "kernel.hw")
    with open(path, "w") as file:
        file.write(source)
    code, _, messages = tap.command(HEDDLEC, "--hardware", path, "--lanes", str(lanes), "--slots", str(slots), "-cl-std=CL3.0", *options, "-o", made)
    refusal = re.search(r"error: kernel '\w+' cannot be hardware: (.*)", messages)
    if code == 1 and refusal:
        raise Refused(refusal.group(1))
    if code != 0:
        raise AssertionError(f"heddlec ends with {code}:\n{messages}")
    with open(os.path.join(made, "kernels.json")) as file:
        listed = json.load(file)["kernels"][0]
    own = [os.path.join(made, listed["module"] + ".v"), *sorted(glob.glob(os.path.join(made, "pipeline_verilog.*.v")))]
    return Kernel(listed["name"], lanes, slots, own, os.path.join(made, "kernels.elf"),
                  [site["line"] for site in listed["sites"]])


# Ports of a pipeline, and their bits.
INPUTS = {"start_i": 1, "packet_i": 32, "sub_group_log2_i": 3, "sub_groups_i": 11, "local_bytes_i": 32, "group_valid_i": 1, "group_id_i": 96,
          "group_base_i": 96, "group_size_i": 33, "request_ready_i": 1, "response_valid_i": 1, "response_data_i": 8 << BEAT_LOG2, "response_label_i": LABEL_BITS}
OUTPUTS = {"group_ready_o": 1, "group_done_o": 1, "idle_o": 1, "fault_o": 1, "drained_o": 1, "fault_record_o": 256, "request_valid_o": 1, "request_kind_o": 2,
           "request_function_o": 5, "request_address_o": GLOBAL_LOG2, "request_data_o": 8 << BEAT_LOG2, "request_strobe_o": 1 << BEAT_LOG2, "request_owner_o": OWNER_BITS,
           "request_label_o": LABEL_BITS, "response_ready_o": 1}


def write_top(path, modules):
    """One of the pipelines is at work: the clocks of the others stand, and so does what they are asked, which each has in registers of its own: they follow
    the bench at its clock's falling edge. Without them Verilator would evaluate what follows from the inputs, of all the pipelines, in every step, and would
    write that twice."""
    count = len(modules)
    inputs = {"rst": 1, **INPUTS}
    text = ["module top(input wire clk, input wire [7:0] number_i"]
    text += [f", input wire [{bits - 1}:0] {name}" for name, bits in inputs.items()]
    text += [f", output wire [{bits - 1}:0] {name}" for name, bits in OUTPUTS.items()] + [");\n"]
    for name, bits in OUTPUTS.items():
        text.append(f"wire [{bits - 1}:0] {name}s [0:{count - 1}]; assign {name} = {name}s[number_i];\n")
    for i, module in enumerate(modules):
        text.append(f"wire clk{i} = clk && number_i == {i};\n")
        text += [f"reg [{bits - 1}:0] {name}{i};\n" for name, bits in inputs.items()]
        text += [f"always @(negedge clk{i}) begin\n", *(f"{name}{i} <= {name};\n" for name in inputs), "end\n"]
        ports = [f".{name}({name}{i})" for name in inputs] + [f".{name}({name}s[{i}])" for name in OUTPUTS]
        text.append(f"{module} #(.GLOBAL_LOG2({GLOBAL_LOG2}), .BEAT_LOG2({BEAT_LOG2}), .OWNER_BITS({OWNER_BITS}), .LABEL_BITS({LABEL_BITS})) p{i} (\n"
                    f".clk(clk{i}), .clear_i(1'b0), .rights_i(28'd0), .stop_i(1'b0), .stop_reason_i(4'd0), " + ",\n".join(ports) + ");\n")
    text.append("endmodule\n")
    with open(path, "w") as file:
        file.write("".join(text))


def renamed(path, module, folder):
    """Two kernels of one name: another name for the module."""
    with open(path) as file:
        text = file.read()
    old = os.path.basename(path)[:-2]
    new = os.path.join(folder, module + ".v")
    with open(new, "w") as file:
        file.write(re.sub(rf"\bmodule {old}\b", f"module {module}", text))
    return new


def verilator_root():
    return glob.glob(os.path.join(tap.TOP, ".venv/lib/python3*/site-packages/verilator"))[0]


@functools.cache
def library(rtl):
    """The files of the library by the modules in them, as (path, text)."""
    files = [f for part in LIBRARY_FOLDERS for f in sorted(glob.glob(os.path.join(tap.TOP, rtl, part, "*.v")))]
    modules = {}
    for path in files:
        with open(path) as file:
            text = file.read()
        modules.update({name: (path, text) for name in re.findall(r"^module\s+(\w+)", text, re.M)})
    return modules


def reached(text, rtl="rtl"):
    """Paths and texts of the library that a module's text names, directly or not. A word in a comment counts, too: more than needed does no harm."""
    modules, found, left = library(rtl), {}, [text]
    while left:
        for name in set(re.findall(r"\w+", left.pop())) & modules.keys():
            path, its_text = modules[name]
            if path not in found:
                found[path] = its_text
                left.append(its_text)
    return found


@functools.cache
def tools():
    """What stands beside a kernel, whatever it is: compilers, the bench, the model, headers."""
    digest = hashlib.sha256()
    for words in ([f"{verilator_root()}/bin/verilator", "--version"], ["clang++-22", "--version"]):
        digest.update(subprocess.run(words, env={**os.environ, "VERILATOR_ROOT": verilator_root()}, capture_output=True, check=True).stdout)
    headers = [path for pattern in ("rtl/*.vh", "rtl/*/*.vh", "contract/*.h", "contract/*.vh") for path in sorted(glob.glob(os.path.join(tap.TOP, pattern)))]
    digest.update(hashlib.sha256(ITSELF).digest())
    for path in [os.path.join(tap.TOP, "tests/pipeline/bench.cpp"), *LIBRARIES, *headers]:
        with open(path, "rb") as file:
            digest.update(hashlib.sha256(file.read()).digest())
    return digest.digest()


class Passed:
    """Whether dispatches of a kernel have passed before, with the same Verilog, library, kernel file, bench, model, tools, ranges and memory. Nothing else
    goes into them but what registers begin with, which comes from the kernel's place in its program. HEDDLE_PIPELINE_AFRESH runs them nevertheless."""

    def __init__(self, kernel, jobs):
        """`jobs`: everything that its dispatches are made of."""
        text = ""
        for module in kernel.modules:
            with open(module) as file:
                text += file.read()
        digest = hashlib.sha256(tools())
        for part in [text.encode(), kernel.loaded(), repr((kernel.lanes, kernel.slots, jobs)).encode(), *(its.encode() for _, its in sorted(reached(text).items()))]:
            digest.update(len(part).to_bytes(8, "little") + part)
        self.path = os.path.join(PASSED, digest.hexdigest())

    def __bool__(self):
        return not os.environ.get("HEDDLE_PIPELINE_AFRESH") and os.path.exists(self.path)

    def keep(self):
        os.makedirs(PASSED, exist_ok=True)
        with open(self.path, "w"):
            pass


def verilate(kernels, folder, rtl="rtl"):
    """One program of all the kernels; returns its path."""
    root = verilator_root()
    os.makedirs(folder, exist_ok=True)
    sources, modules, needed, given = [], [], {}, {}
    for number, kernel in enumerate(kernels):
        for path in kernel.modules[1:]:  # kernels may share a file of --verilog
            with open(path) as file:
                given.setdefault(file.read(), path)
        kernel.number = number
        modules.append(f"pipeline_{number}")
        sources.append(renamed(kernel.modules[0], modules[-1], folder))
        with open(sources[-1]) as file:
            needed.update(reached(file.read(), rtl))
    write_top(os.path.join(folder, "top.v"), modules)
    objects = os.path.join(folder, "objects")
    shutil.rmtree(objects, ignore_errors=True)
    environment = {**os.environ, **ALLOCATOR, "VERILATOR_ROOT": root}
    step([f"{root}/bin/verilator", "--cc", "--quiet-stats", "--top-module", "top", "-O3", "--x-assign", "unique", "--x-initial", "unique", "--noassert", "-Wno-lint",
          "-I" + tap.TOP, "--prefix", "Vtop", "--Mdir", objects, os.path.join(folder, "top.v"), *sources, *given.values(), *sorted(needed)], environment)
    # One file for the compiler: all read the same headers.
    with open(os.path.join(objects, "all.cc"), "w") as file:
        file.writelines(f'#include "{name}"\n' for name in [*sorted(glob.glob(os.path.join(objects, "V*.cpp"))), os.path.join(tap.TOP, "tests/pipeline/bench.cpp")])
    flags = [f"-I{tap.TOP}", f"-I{objects}", "-isystem", f"{root}/include", "-isystem", f"{root}/include/vltstd", "-DVERILATOR=1", "-DVM_SC=0", "-DVM_TIMING=0",
             "-DVM_TRACE=0", "-DVM_TRACE_FST=0", "-DVM_TRACE_VCD=0", "-DVM_TRACE_SAIF=0", "-DVM_COVERAGE=0", "-Wno-parentheses-equality"]
    program = os.path.join(folder, "bench")
    step(["clang++-22", "-O0", *flags, os.path.join(objects, "all.cc"), *LIBRARIES, "-lm", "-lpthread", "-o", program], environment)
    return program


def step(words, environment):
    done = subprocess.run(words, cwd=tap.TOP, env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    if done.returncode:
        raise AssertionError(f"{words[0]} ends with {done.returncode}:\n{(done.stdout + done.stderr)[-3000:]}")


def dispatch(program, kernel, job, arguments, memory, path):
    """Runs one; returns the line that bench prints, and whether pipeline and model left the same."""
    with open(path, "wb") as file:
        file.write(struct.pack("<19I", kernel.number, kernel.lanes, kernel.slots, job["log2"], job["dimensions"], *job["global"], *job["local"], *job["offset"],
                               kernel.entry, kernel.local_bytes, job["latency"], job["busy"], job["seed"]))
        file.write(struct.pack("<17I", len(arguments), *arguments, *[0] * (16 - len(arguments))))
        file.write(struct.pack("<2I", len(kernel.bytes), len(memory)) + kernel.bytes + memory)
    done = subprocess.run([program, path], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=600)
    return (done.stdout + done.stderr).strip(), done.returncode == 0


def job(work_items, work_group, sub_group=1, dimensions=1, latency=20, busy=30, seed=1):
    """A dispatch as bench.cpp reads it: sizes in each dimension (those left out are 1), work-items of a sub-group (a power of two), cycles until memory
    answers, and percent of the cycles in which it takes no request."""
    sizes = ([*size, 1, 1][:3] for size in (work_items, work_group))
    return {"log2": sub_group.bit_length() - 1, "dimensions": dimensions, "global": next(sizes), "local": next(sizes), "offset": [0, 0, 0],
            "latency": latency, "busy": busy, "seed": seed}


def expect_same(outcome, what):
    """`outcome` is what dispatch() returned."""
    line, same = outcome
    tap.expect(True, same, f"whether memory is the model's, {what} ({line})")
    tap.expect_in("the same", line, "what became of it")


def memory(seed, number):
    """Of a kernel's dispatch of this number: how long memory takes, and how often it is busy."""
    return {"latency": (2, 5, 40)[(seed + number) % 3], "busy": (0, 30, 60)[number % 3]}


def random_words(seed, count):
    """Memory of so many words: any, small ones, floats from 1 to 2, and zeros."""
    r = random.Random(seed)
    word = lambda: r.choice((r.randrange(1 << 32), r.randrange(256), 0x3F800000 + r.randrange(1 << 23), 0))
    return struct.pack(f"<{count}I", *(word() for _ in range(count)))


def expect_fault(outcome, kernel, reason, source_line):
    line, same = outcome
    tap.expect(True, same, f"whether the fault is the model's ({line})")
    tap.expect_in(f"reason {reason};", line, "the fault")
    tap.expect(source_line, kernel.lines[int(line.split()[-1])], "its source line")


LOOP_WORDS = (256, 1024, 512)  # of the buffers of dispatch_loop()


class Programs:
    """Kernels by name, compiled and Verilated together when the first of them is wanted. A kernel that cannot be compiled fails its own tests."""

    def __init__(self, folder):
        self.folder, self.made, self.failed, self._programs = folder, {}, {}, {}

    def compile(self, name, *arguments):
        """`arguments`: source, lanes, slots and, if there are any, options of compile_kernel()."""
        if name in self.made or name in self.failed:
            raise RuntimeError(f"two kernels have the name {name}")
        try:
            source, *shape = arguments
            self.made[name] = compile_kernel(source, os.path.join(self.folder, name), *shape)
        except (Refused, AssertionError) as problem:
            self.failed[name] = problem

    def verilated(self, kernels):
        """The program of `kernels`: the arguments of compile() by name. It is made once."""
        key = tuple(kernels)
        if key not in self._programs:
            for name, arguments in kernels.items():
                self.compile(name, *arguments)
            try:
                self._programs[key] = verilate([self.made[name] for name in kernels if name in self.made], os.path.join(self.folder, f"{key[0]}-all"))
            except AssertionError as problem:
                self._programs[key] = problem
        if isinstance(self._programs[key], AssertionError):
            raise self._programs[key]
        return self._programs[key]

    def kernel(self, name):
        if name in self.failed:
            raise AssertionError(f"{name}: {self.failed[name]}")
        return self.made[name]

    def dispatch(self, program, name, job, arguments, memory):
        return dispatch(program, self.kernel(name), job, arguments, memory, os.path.join(self.folder, name, "job"))

    def dispatch_loop(self, program, name, seed, n, work_items=1, work_group=1, latency=5, busy=30):
        """A dispatch of a kernel whose arguments are `in`, `out`, `both` and n: buffers of LOOP_WORDS, with random words."""
        starts = [BUFFERS + 4 * sum(LOOP_WORDS[:i]) for i in range(len(LOOP_WORDS))]
        shape = job([work_items], [work_group], latency=latency, busy=busy, seed=seed)
        return self.dispatch(program, name, shape, [*starts, n], random_words(seed, sum(LOOP_WORDS)))

    def compare_loops(self, program, name, seed, numbers, work_items=1, work_group=1):
        """The same for several n, each with another latency and other back pressure: memory is the model's afterwards."""
        for number, n in enumerate(numbers):
            outcome = self.dispatch_loop(program, name, seed + number, n, work_items, work_group, **memory(seed, number))
            expect_same(outcome, f"with n = {n}")

    def verilog(self, name):
        with open(self.kernel(name).modules[0]) as file:
            return file.read()

    def interleaved(self, name):
        """How many of its loops have rounds that are interleaved."""
        return self.verilog(name).count("interleaved_rounds #(")

    def report(self, name):
        with open(os.path.join(os.path.dirname(self.kernel(name).modules[0]), "report.txt")) as file:
            return file.read()


class Seeds:
    """The seeds of a suite of random kernels, and the folder of what is made of them, which stays if a seed is run alone."""

    def __init__(self, suite, few, many, batch):
        """`few` seeds in `make test`, `many` in `make test-long`; `batch` of them share a program."""
        alone = os.environ.get("HEDDLE_FUZZ_SEED")
        count = int(os.environ.get("HEDDLE_PIPELINE_KERNELS") or (many if os.environ.get("HEDDLE_TEST_LONG") else few))
        first = int(os.environ.get("HEDDLE_PIPELINE_SEED") or 1)
        self.suite, self.batch, self.is_alone = suite, batch, bool(alone)
        self.all = [int(alone)] if alone else list(range(first, first + count))
        self.folder = os.path.join(tap.BUILD, "tests/pipeline", f"{suite}-{alone}") if alone else tempfile.mkdtemp(prefix=f"{suite}-")

    def batch_of(self, seed):
        """The seeds that share a program with this one."""
        first = (seed - self.all[0]) // self.batch * self.batch
        return self.all[first:first + self.batch]

    def again(self, seed):
        return f"seed {seed}: HEDDLE_FUZZ_SEED={seed} .venv/bin/python tests/pipeline/{self.suite}.py runs it alone"

    def end(self):
        if self.is_alone:
            print(f"# what was made of it: {self.folder}")
        else:
            shutil.rmtree(self.folder, ignore_errors=True)


def run_random(seeds, programs, seed, arguments_of, check):
    """A test of one seed. `arguments_of(seed)`: the arguments of compile(); `check(program, name)`: what is expected of the kernel."""
    name = f"seed-{seed}"
    try:
        program = programs.verilated({f"seed-{one}": arguments_of(one) for one in seeds.batch_of(seed)})
        if isinstance(programs.failed.get(name), Refused):
            print(f"# seed {seed} cannot be hardware: {programs.failed[name]}")
        else:
            programs.kernel(name)
            check(program, name)
    except AssertionError as problem:
        raise AssertionError(f"{seeds.again(seed)}\n{problem}") from None
