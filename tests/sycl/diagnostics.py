#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What heddle-sycl++ refuses, and how it says so: the line is the user's, the words name the kernel. And its options."""
import json
import os
import re
import struct
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import tap
from tap import command, expect, expect_in, test, test_for

FOLDER = tempfile.TemporaryDirectory()


def path_of(name):
    return os.path.join(FOLDER.name, name)


def source(name, text):
    with open(path_of(name), "w", encoding="ascii") as file:
        file.write(text)
    return path_of(name)


def compile_and_link(*words):
    status, out, err = command("bin/heddle-sycl++", *words)
    return status, out + err


@test_for(program=(), object_file=("-c",), debug=("-g", "-O0"))
def every_refused_kernel_is_named_with_its_line(flags):
    path = os.path.join(tap.TOP, "tests/sycl/refused.cpp")
    status, messages = compile_and_link(*flags, path, "-o", path_of("refused"))
    expect(1, status, f"exit status ({messages})")
    found = set(re.findall(r"refused\.cpp:(\d+):\d+: error: (.*)", messages))
    with open(path, encoding="ascii") as lines:
        expected = [(str(number), line.split("// refused: ")[1].strip()) for number, line in enumerate(lines, 1) if "// refused: " in line]
    if "-c" in flags:  # what another file may define is known at the link
        expected = [(line, words) for line, words in expected if "is not defined" not in words]
    for line, words in expected:
        hits = {entry for entry in found if entry[0] == line and entry[1].startswith(words)}
        expect(1, len(hits), f"messages for line {line} that begin with {words!r} among {sorted(found)}")
        found -= hits
    expect(set(), found, "messages that nobody expected")
    expect(False, os.path.exists(path_of("refused")), "whether there is a program")


@test
def attributes_that_are_wrong_are_named_with_their_line():
    path = source("attributes.cpp", """#include <sycl/sycl.hpp>
int main() {
  sycl::queue q;
  q.parallel_for(sycl::nd_range<1>(8, 8), [=](sycl::nd_item<1>) [[intel::sub_group_size(3)]] {});
  q.parallel_for(sycl::nd_range<1>(8, 8), [=](sycl::nd_item<1>) [[intel::named_sub_group_size(largest)]] {});
  q.parallel_for(sycl::nd_range<1>(8, 8), [=](sycl::nd_item<1>) [[intel::sub_group_size(4), intel::sub_group_size(8)]] {});
  q.parallel_for(sycl::nd_range<1>(8, 8), [=](sycl::nd_item<1>) [[intel::sub_group_size(-4)]] {});
}
""")
    status, messages = compile_and_link("-c", path, "-o", path_of("attributes.o"))
    expect(1, status, f"exit status ({messages})")
    size = "error: a sub-group size is a power of two, primary or automatic, not "
    for line, words in ((4, size + "3"), (5, size + "largest"), (6, "error: only one sub-group size attribute may be on a kernel"), (7, size + "-4")):
        expect_in(f"attributes.cpp:{line}: {words}", messages, "messages")


@test
def what_is_for_the_code_of_a_work_group_is_an_error_elsewhere():
    """parallel_for_work_item of a kernel that is not hierarchical, and of a work-item's code, also through a function."""
    path = source("hierarchical.cpp", """#include <sycl/sycl.hpp>
static void inner(sycl::group<1> g, int *p) { g.parallel_for_work_item([=](sycl::h_item<1> i) { p[i.get_local_id(0)] = 1; }); }
int main() {
  sycl::queue q;
  int *p = sycl::malloc_device<int>(8, q);
  q.parallel_for(sycl::nd_range<1>(8, 8), [=](sycl::nd_item<1> i) { inner(i.get_group(), p); });
  q.submit([&](sycl::handler &h) {
    h.parallel_for_work_group<class Right>(sycl::range<1>(1), [=](sycl::group<1> g) { inner(g, p); });
  });
  q.submit([&](sycl::handler &h) {
    h.parallel_for_work_group<class Nested>(sycl::range<1>(1), [=](sycl::group<1> g) {
      inner(g, p);
      g.parallel_for_work_item([=](sycl::h_item<1>) { inner(g, p); });
    });
  });
}
""")
    status, messages = compile_and_link(path, "-o", path_of("hierarchical"))
    expect(1, status, f"exit status ({messages})")
    words = "calls parallel_for_work_item where it is not the code of a work-group"
    for line, name in ((6, "hierarchical_cpp_6"), (11, "Nested")):
        expect_in(f"hierarchical.cpp:{line}: error: kernel '{name}' {words}", messages, "messages")
    expect(2, messages.count("error: "), f"number of errors: {messages}")


@test
def a_size_that_is_no_constant_is_an_error_of_the_source():
    path = source("variable.cpp", """#include <sycl/sycl.hpp>
int main(int n, char **) {
  sycl::queue().parallel_for(sycl::nd_range<1>(8, 8), [=](sycl::nd_item<1>)
      [[intel::sub_group_size(n)]] {});
}
""")
    status, messages = compile_and_link("-c", path, "-o", path_of("variable.o"))
    expect(1, status, f"exit status ({messages})")
    expect_in("variable.cpp:", messages, "messages")
    expect_in("constant expression", messages, "messages")
    path = source("fraction.cpp", """#include <sycl/sycl.hpp>
int main() {
  sycl::queue().parallel_for(sycl::nd_range<1>(8, 8), [=](sycl::nd_item<1>) [[intel::sub_group_size(8.0)]] {});
}
""")
    status, messages = compile_and_link("-c", path, "-o", path_of("fraction.o"))
    expect(1, status, f"exit status ({messages})")
    expect_in("fraction.cpp:3:", messages, "messages")
    expect_in("'double' cannot be narrowed", messages, "messages")


@test
def captures_that_cannot_cross_are_errors_of_the_source():
    path = source("captures.cpp", """#include <sycl/sycl.hpp>
int main() {
  sycl::queue q;
  union number {
    int i;
    float f;
  } u{};
  struct { int a : 3; } b{};
  long double l = 0;
  std::vector<int> v;
  q.single_task([=] { (void)u.i; });
  q.single_task([=] { (void)b.a; });
  q.single_task([=] { (void)l; });
  q.single_task([=] { (void)v.size(); });
  q.single_task([&] { (void)v; });
}
""")
    status, messages = compile_and_link("-c", path, "-o", path_of("captures.o"))
    expect(1, status, f"exit status ({messages})")
    for words in ("cannot capture a union", "cannot capture a structure with bit-fields", "cannot capture a long double", "not device copyable",
                  "captures a reference, which is to memory of the host"):
        expect_in(words, messages, "messages")
    for line in range(11, 16):
        expect_in(f"captures.cpp:{line}:", messages, "messages")


@test
def bit_fields_that_are_captured_are_one_short_error():
    path = source("bits.cpp", """#include <sycl/sycl.hpp>
class packed {
  unsigned a : 3, b : 5;
public:
  unsigned sum() const { return a + b; }
};
void start(sycl::queue q, unsigned *out, packed of) {
  struct { packed inner; int more; } outer{of, 1};
  q.parallel_for(8, [=](sycl::id<1> i) { out[i] = outer.inner.sum() + outer.more; });
}
""")
    status, messages = compile_and_link("-c", path, "-o", path_of("bits.o"))
    expect(1, status, f"exit status ({messages})")
    expect_in("bits.cpp:9:", messages, "messages")
    expect((1, True), (messages.count("error: "), messages.count("\n") < 40), f"errors, and whether they are short: {messages}")


class Mistakes:
    """Lines of one source that do not compile, by name: compiled once, as the header takes most of the time. Each has a short error of its own."""

    def __init__(self, name, head, calls, said):
        self.name, self.head, self.calls, self.said, self.errors = name, head, calls, said, None

    def line_of(self, case):
        return self.head.count("\n") + 1 + list(self.calls).index(case)

    def expect_one_short_error(self, case):
        if self.errors is None:
            path = source(self.name, self.head + "\n".join(self.calls.values()) + "\n}\n")
            status, messages = compile_and_link("-c", path, "-o", path + ".o")
            expect(1, status, f"exit status ({messages})")
            self.errors = messages.split("error: ")[1:]
        expect(len(self.calls), len(self.errors), f"number of errors: {self.errors}")
        mine = [error for error in self.errors if f"{self.name}:{self.line_of(case)}:" in error]
        expect(1, len(mine), f"errors of line {self.line_of(case)} among {self.errors}")
        expect_in(self.said, mine[0], "message")
        expect(True, mine[0].count("\n") < 30, f"whether the error is short: {mine[0]}")


CALLED = Mistakes("called.cpp", "#include <sycl/sycl.hpp>\nint main() {\n  sycl::queue q;\n", {
    "id_of_nd_range": "q.parallel_for(sycl::nd_range<1>(8, 8), [=](sycl::id<1>) {});", "nd_item_of_range": "q.parallel_for(8, [=](sycl::nd_item<1>) {});",
    "dimensions": "q.parallel_for(sycl::range<1>(8), [=](sycl::item<2>) {});", "task": "q.single_task([=](sycl::id<1>) {});",
    "group": "q.submit([&](sycl::handler &h) { h.parallel_for_work_group(sycl::range<1>(8), [=](sycl::h_item<1>) {}); });"},
    "a kernel over a range is called with an id or an item of its dimensions, one over an nd_range with an nd_item")
REDUCERS = Mistakes("reducers.cpp", "#include <sycl/sycl.hpp>\nvoid start(sycl::queue q, int *p) {\n", {
    "none": "q.parallel_for(sycl::range<1>(8), sycl::reduction(p, sycl::plus<>()), [=](sycl::id<1>) {});",
    "nd_range": "q.parallel_for(sycl::nd_range<1>(8, 8), sycl::reduction(p, sycl::plus<>()), [=](sycl::nd_item<1>) {});",
    "one_of_two": "q.parallel_for(sycl::range<1>(8), sycl::reduction(p, sycl::plus<>()), sycl::reduction(p + 1, sycl::plus<>()), [=](sycl::id<1>, auto &) {});",
    "by_value": "q.parallel_for(sycl::range<1>(8), sycl::reduction(p, sycl::plus<>()), [=](sycl::id<1>, auto sum) { sum += 1; });",
    "item_of_nd_range": "q.parallel_for(sycl::nd_range<1>(8, 8), sycl::reduction(p, sycl::plus<>()), [=](sycl::item<1>, auto &sum) { sum += 1; });",
    "dimensions": "q.parallel_for(sycl::range<2>(8, 8), sycl::reduction(p, sycl::plus<>()), [=](sycl::id<1>, auto &sum) { sum += 1; });"},
    "takes what says the work-item, and for each reduction a reducer, by reference")


@test_for(**{case: case for case in CALLED.calls})
def kernels_that_cannot_be_called_so_are_one_short_error(case):
    CALLED.expect_one_short_error(case)


@test_for(**{case: case for case in REDUCERS.calls})
def functions_that_do_not_take_the_reducers_are_one_short_error(case):
    REDUCERS.expect_one_short_error(case)


@test
def reductions_that_cannot_combine_are_one_error():
    path = source("combine.cpp", """#include <sycl/sycl.hpp>
struct pair { int a, b; };
void start(sycl::queue q, pair *p) {
  q.parallel_for(sycl::range<1>(8), sycl::reduction(p, sycl::plus<>()), [=](sycl::id<1>, auto &sum) { sum.combine(pair{1, 2}); });
}
""")
    status, messages = compile_and_link("-c", path, "-o", path_of("combine.o"))
    expect(1, status, f"exit status ({messages})")
    expect_in("a reduction's function combines two values of the variable's type to one", messages, "messages")
    expect_in("combine.cpp:4:", messages, "messages")
    expect(1, messages.count("error: "), f"number of errors: {messages}")


# Behind @ clang, its linker and its preprocessor take the name of a file of options. Values of options are data.
HOSTILE = [[option + "@FILE"] for option in ("-D", "-U", "-I", "-L", "-include", "-Wp,", "-Wp,-DX,", "-Wa,", "-Wl,")] + \
    [[option, "@FILE"] for option in ("-D", "-I", "-isystem", "-include", "-MF", "-x", "-Xclang", "-Xpreprocessor", "-mllvm")]


@test
def no_value_of_an_option_becomes_a_file_of_options():
    path = source("hostile.cpp", "#ifdef ESCAPED\n#error it read the options\n#endif\nint main() { return 0; }\n")
    options = source("options", "-DESCAPED")
    for words in HOSTILE:
        words = [word.replace("FILE", options) for word in words]
        status, messages = compile_and_link("-c", *words, path, "-o", path_of("hostile.o"))
        expect(False, "it read the options" in messages, f"whether {words} are read as options")
        expect(False, "Traceback" in messages or status < 0 or status > 4, f"whether {words} end without a clear error ({status}: {messages})")
        expect(True, status == 0 or messages != "", f"whether {words}, which fail, say why")


@test
def sizes_have_to_match_across_files():
    external = source("external.cpp", """#include <sycl/sycl.hpp>
SYCL_EXTERNAL [[intel::sub_group_size(4)]] int external(int x) { return x; }
SYCL_EXTERNAL int recursive(int x) { return x == 0 ? 0 : recursive(x - 1); }
""")
    caller = source("caller.cpp", """#include <sycl/sycl.hpp>
SYCL_EXTERNAL [[intel::sub_group_size(8)]] int external(int x);
SYCL_EXTERNAL int recursive(int x);
int main() {
  sycl::queue q;
  int *p = sycl::malloc_device<int>(8, q);
  q.single_task<class Eight>([=]() [[intel::sub_group_size(8)]] { p[0] = external(1); });
  q.single_task<class Recursive>([=] { p[0] = recursive(1); });
}
""")
    for path in (external, caller):
        expect((0, ""), compile_and_link("-c", path, "-o", path + ".o"), f"exit status and messages for {path}")
    status, messages = compile_and_link(caller + ".o", external + ".o", "-o", path_of("sizes"))
    expect(1, status, f"exit status ({messages})")
    expect_in("caller.cpp:7:", messages, "messages")
    expect_in("error: kernel 'Eight' has sub-group size 8 but calls 'external', which is defined with 4", messages, "messages")
    expect_in("external.cpp:2: note: the function is here", messages, "messages")
    expect_in("external.cpp:3:", messages, "messages")
    expect_in("error: kernel 'Recursive' calls 'recursive', which calls itself", messages, "messages")
    # With the flag the definition has the caller's size.
    plain = source("plain.cpp", "#include <sycl/sycl.hpp>\nSYCL_EXTERNAL int recursive(int x) { return x; }\nSYCL_EXTERNAL int external(int x) { return x; }\n")
    for default, expected in (("8", "'recursive', which is defined with 8, as it has no attribute there"), ("automatic", "'external', which is defined with automatic")):
        expect((0, ""), compile_and_link("-c", f"-fsycl-default-sub-group-size={default}", plain, "-o", path_of("plain.o")), "messages")
        status, messages = compile_and_link(caller + ".o", path_of("plain.o"), "-o", path_of("sizes"))
        expect(1, status, f"exit status ({messages})")
        expect_in(expected, messages, "messages")


# All that a kernel must not do, done by functions of another file: known when both are linked.
@test_for(plain=(), debug=("-g",))
def what_other_files_do_is_named_with_their_lines(flags):
    other = ["#include <sycl/sycl.hpp>", "#include <new>", "struct shape { virtual int area(); };", "int counter;", "static thread_local int mine;", "int nobody();"]
    caller = ["#include <sycl/sycl.hpp>", "int main() {", "sycl::queue q;", "int *p = sycl::malloc_device<int>(8, q);"]
    cases = (("recursion", "return *p == 0 ? 0 : recursion(p + 1);", "calls 'recursion', which calls itself"),
             ("virtual_call", "return reinterpret_cast<shape *>(p)->area();", "calls a virtual function"),
             ("pointer_call", "return reinterpret_cast<int (*)()>(*p)();", "calls a function through a pointer"),
             ("array_new", "return *new int[4];", "uses new; the device has no heap"),
             ("delete_it", "delete p; return 1;", "uses delete; the device has no heap"),
             ("throw_it", "if (*p) throw 1; return 1;", "throws an exception"),
             ("global", "return counter++;", "uses the variable 'counter', which is not constant"),
             ("of_thread", "return mine++;", "uses the variable 'mine', which is not constant"),
             ("allocate", "return *static_cast<int *>(std::malloc(4));", "allocates or frees memory; the device has no heap"),
             ("undefined", "return nobody();", "calls 'nobody', which is not defined for the device"))
    lines = {}
    for name, body, _ in cases:
        other.append(f"SYCL_EXTERNAL int {name}(int *p) {{ (void)p; {body} }}")
        lines[name] = len(other)
        caller.insert(1, f"SYCL_EXTERNAL int {name}(int *p);")
        caller.append(f"q.single_task<class of_{name}>([=] {{ *p = {name}(p); }});")
    objects = []
    for name, text in (("other", other), ("user", caller)):
        path = source(name + ".cpp", "\n".join(text + ["}\n"] if name == "user" else text + [""]))
        objects.append(path_of(name + ".o"))
        expect((0, ""), compile_and_link("-c", *flags, path, "-o", objects[-1]), f"exit status and messages for {name}")
    status, messages = compile_and_link(*flags, *objects, "-o", path_of("together"))
    expect(1, status, f"exit status ({messages})")
    found = re.findall(r"other\.cpp:(\d+):\d+: error: kernel '(\w+)' (.*)\n.*user\.cpp:(\d+): note: the kernel is here", messages)
    expect(len(cases), messages.count("error: "), f"errors in {messages}")
    for number, (name, _, words) in enumerate(cases):
        place = str(len(caller) - len(cases) + number + 1)
        hits = [entry for entry in found if entry[:2] == (str(lines[name]), "of_" + name) and entry[2].startswith(words) and entry[3] == place]
        expect(1, len(hits), f"messages for {name} in {messages}")
    expect(False, os.path.exists(path_of("together")), "whether there is a program")


@test
def options_that_are_wrong_are_explained():
    path = source("empty.cpp", "int main() {}\n")
    for value in ("3", "0", "", "largest", "-8"):
        status, messages = compile_and_link(f"-fsycl-default-sub-group-size={value}", path)
        expect((2, True), (status, f"invalid value '{value}'" in messages), f"status and message for {value!r} ({messages})")
    for words, part in ((["-o"], "argument to '-o' is missing"), ([], "no input files"), (["-std=c++14", path], "SYCL 2020 is C++17 or later"),
                        (["--offload-arch=spir64", path], "there is one target"), (["-c", path, path, "-o", "x.o"], "multiple output files")):
        status, messages = compile_and_link(*words)
        expect((2, True), (status, part in messages), f"status and message for {words} ({messages})")
    status, messages = compile_and_link(path_of("nowhere.cpp"))
    expect((1, True), (status, "no such file" in messages), f"status and message ({messages})")
    status, messages = compile_and_link("--help")
    expect((0, True), (status, "-fsycl-default-sub-group-size=SIZE" in messages), "status and help")


DPCPP = ("-fsycl-unnamed-lambda", "-fno-sycl-unnamed-lambda", "-fsycl-device-code-split", "-fsycl-device-code-split=per_kernel", "-fsycl-rdc",
         "-fsycl-id-queries-fit-in-int", "-fno-sycl-id-queries-fit-in-int", "-fsycl-early-optimizations", "-fno-sycl-early-optimizations",
         "-fsycl-dead-args-optimization", "-fno-sycl-dead-args-optimization", "-fsycl-device-lib=all", "-fno-sycl-device-lib=libc", "-fno-sycl-rdc",
         "-fsycl-explicit-simd", "-fintelfpga", "-fsycl-link", "-fsycl-link=early", "-Xs", "-device pvc", "-Xshardware", "-Xsycl-target-backend", "-O3",
         "-Xsycl-target-backend=spir64_gen", "-device *", "-Xsycl-target-frontend", "-O2", "-Xsycl-target-frontend=spir64", "-g",
         "-Xsycl-target-linker", "-x", "-Xsycl-target-linker=spir64", "-c", "-qmkl", "-qmkl=parallel")


@test
def options_that_only_steer_dpcpp_do_nothing():
    path = source("steered.cpp", "#include <sycl/sycl.hpp>\nint main() { sycl::queue().single_task<class K>([] {}); }\n")
    expect((0, ""), compile_and_link("-fsycl", *DPCPP, path, "-o", path_of("steered")), "exit status and messages")
    expect((0, "", ""), command(path_of("steered"), HEDDLE_SYCL_DEVICE="model"), "what the program does")
    for words in (("-Xs",), ("-Xsycl-target-backend=spir64",)):
        status, messages = compile_and_link(path, *words)
        expect((2, True), (status, f"argument to '{words[0]}' is missing" in messages), f"status and message for {words} ({messages})")


@test
def openmp_is_of_the_hosts_part():
    path = source("openmp.cpp", """#include <sycl/sycl.hpp>
#ifndef __SYCL_DEVICE_ONLY__
static_assert(_OPENMP >= 201107);
#endif
int main() {
  int sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (int i = 0; i < 100; i++)
    sum += i;
  sycl::queue().single_task<class K>([] {});
  return sum;
}
""")
    expect((0, ""), compile_and_link("-fsycl", "-fopenmp", "-Wall", "-c", path, "-o", path_of("openmp.o")), "exit status and messages")
    with open(path_of("openmp.o"), "rb") as file:
        expect(True, b"__kmpc_fork_call" in file.read(), "whether the host's loop is parallel")


@test
def a_file_of_options_has_its_words_where_it_stands():
    path = source("words.cpp", "#include <cstdio>\nint main() { puts(SAID); }\n")
    for text in (f"'-DSAID=\"a b\"' -O1\n  {path}\n-o {path_of('words')}", f"-DSAID=\\\"a\\ b\\\" \"{path}\" -o", f"-o {path_of('words')} @{source('inner', path)}"):
        behind = [path_of("words")] if text.endswith("-o") else ["-DSAID=\"a b\""] if "@" in text else []
        expect((0, ""), compile_and_link("@" + source("words", text), *behind), f"exit status and messages of {text}")
        expect((0, "a b\n", ""), command(path_of("words")), f"what the program of {text} says")
    # Values are none, and a path that names no file is one.
    status, messages = compile_and_link("-D", "@" + source("value", "SAID=1"), path)
    expect((2, True), (status, "behind '-D'" in messages), f"status and message for a value ({messages})")
    status, messages = compile_and_link("@" + source("value", "-DSAID=1 -I @value -D @" + path_of("value")), path)
    expect((2, True), (status, "behind '-D'" in messages), f"status and message for a value in a file ({messages})")
    expect_in("no such file or directory: './@nowhere'", compile_and_link("@nowhere")[1], "messages")
    for i in range(10):
        source(f"deep{i}", f"@{path_of(f'deep{i + 1}')}" if i < 9 else "-c")
    for content, part in ((f"@{path_of('deep0')}", "more than 8 deep"), (f"@{path_of('again')}", "more than 8 deep"), ("-DX='", "no closing quotation"),
                          ("-DX " * (1 << 20) + "-DX", "more than 4 MiB"), ("-DX\0", "bytes of 0")):
        status, messages = compile_and_link("@" + source("again", content), path)
        expect((2, True, 1), (status, part in messages, messages.count("\n")), f"status, message and its lines for {content[:30]!r} ({messages[:500]})")
    # Many files, each small, are bounded by their bytes.
    source("twice", f"@{path_of('half')} @{path_of('half')}")
    source("half", "-DX " * (1 << 19) + "-DX")
    expect_in("more than 4 MiB", compile_and_link("@" + path_of("twice"), path)[1], "messages")


@test
def the_header_brings_what_programs_for_dpcpp_expect():
    path = source("expects.cpp", """#include <sycl/sycl.hpp>
int main() {
  float x = 2;
  sycl::queue q;
  float *p = sycl::malloc_shared<float>(1, q);
  assert(std::accumulate(p, p, INT_MAX) > FLT_MIN);
  q.single_task([=] { *p = std::sqrt(x) + std::sin(x); }).wait();
  std::cout << (std::fabs(*p - (std::sqrt(x) + std::sin(x))) < 1e-5f ? "right" : "wrong");
}
""")
    expect((0, ""), compile_and_link(path, "-o", path_of("expects")), "exit status and messages")
    expect((0, "right", ""), command(path_of("expects"), HEDDLE_SYCL_DEVICE="model"), "what the program says")


@test
def what_is_asked_of_the_compiler_is_what_clang_says():
    clang = os.environ.get("HEDDLE_CLANGXX", "clang++-22")
    for word in ("-dumpmachine", "-dumpversion", "-print-search-dirs"):
        expect(command(clang, word), command("bin/heddle-sycl++", word), f"exit status, output and messages of {word}")
    for word in ("-###", "-save-temps", "-save-temps=obj"):
        status, messages = compile_and_link(word, source("asked_for.cpp", "int main() {}\n"))
        expect((2, True, 1), (status, f"'{word}' is not supported; -v says what runs" in messages, messages.count("\n")), f"{word}: {messages}")


@test
def options_that_do_not_compile_do_what_they_say():
    path = source("asked.cpp", "#include <sycl/sycl.hpp>\n#define NAME [[intel::sub_group_size(4)]]\nvoid start(sycl::queue &q) {\n"
                  "  q.single_task<class K>([]() NAME {});\n}\n")
    status, text = compile_and_link("-E", "-fsycl", "-fsycl-targets=spir64", path)
    expect(0, status, f"exit status of -E ({text[-300:]})")
    expect_in("q.single_task<class K>([]() [[intel::sub_group_size(4)]] {});", text, "preprocessed text")
    status, text = compile_and_link("-MM", path)
    expect((0, True), (status, text.startswith("asked.o: ")), f"exit status and dependencies ({text})")
    expect((0, ""), compile_and_link("-S", path, "-o", path_of("asked.s")), "exit status and messages of -S")
    with open(path_of("asked.s"), encoding="utf-8") as file:
        expect_in("_Z5startRN4sycl5queueE:", file.read(), "assembly")
    expect((0, ""), compile_and_link("-fsyntax-only", path), "exit status and messages of -fsyntax-only")
    path = source("not_asked.cpp", "#include <sycl/sycl.hpp>\nint changes;\nvoid start(sycl::queue &q) {\n"
                  "  q.single_task<class K>([] { changes = 1; });\n}\n")
    status, text = compile_and_link("-fsyntax-only", path)
    expect(1, status, f"exit status of -fsyntax-only of what a kernel must not do ({text})")
    expect_in("not_asked.cpp:4:", text, "messages")


@test
def wrong_use_of_images_is_an_error_of_the_source():
    path = source("images.cpp", """#include <sycl/sycl.hpp>
using namespace sycl;
void use(queue &q, unsampled_image<2> &i) {
  q.submit([&](handler &h) {
    auto write = i.get_access<float4, access_mode::write>(h);
    auto read = i.get_access<const float4>(h);
    h.single_task([=] {
      write.write(int2(0, 1), read.read(int2(0, 1)));
      write.read(int2(0, 1));
      read.write(int2(0, 1), float4(1));
    });
  });
}
void colour(queue &q, unsampled_image<2> &i) {
  q.submit([&](handler &h) { i.get_access<float3, access_mode::read>(h); });
}
""")
    status, text = compile_and_link("-c", path, "-o", path_of("images.o"))
    expect(1, status, f"exit status ({text})")
    for line, what in ((9, "no matching member function for call to 'read'"), (10, "no matching member function for call to 'write'")):
        expect(1, len(re.findall(rf"images\.cpp:{line}:\d+: error: {what}\n", text)), f"errors of line {line} in {text}")
    expect_in("the colours of an image are float4, half4, int4 or uint4", text, "messages")


@test
def errors_of_the_source_are_at_its_lines():
    path = source("wrong.cpp", """#include <sycl/sycl.hpp>
#define SIZE(n) [[intel::sub_group_size(n)]]
int main() {
  sycl::queue().single_task([=]() SIZE(8) {
    int x = 0; });
  return undeclared;
}
""")
    status, messages = compile_and_link("-Wall", "-c", path, "-o", path_of("wrong.o"))
    expect(1, status, "exit status")
    expect_in("wrong.cpp:6:10: error: use of undeclared identifier 'undeclared'", messages, "messages")
    expect_in("wrong.cpp:5:9: warning: unused variable 'x'", messages, "messages")
    expect(1, messages.count("error: "), f"errors in {messages}")


@test
def device_code_that_was_damaged_is_refused():
    path = source("whole.cpp", "#include <sycl/sycl.hpp>\nint main() { sycl::queue().single_task<class K>([] {}); }\n")
    expect((0, ""), compile_and_link("-c", path, "-o", path_of("whole.o")), "exit status and messages")
    with open(path_of("whole.o"), "rb") as file:
        content = file.read()
    at = content.index(b"HEDDLESY")
    for damaged in (content[:at] + b"X" + content[at + 1:], content[:at + 24] + b"\xff\xff\xff\x7f" + content[at + 28:],
                    content[:at + 28] + b"\0" * 64 + content[at + 92:]):
        with open(path_of("damaged.o"), "wb") as file:
            file.write(damaged)
        status, messages = compile_and_link(path_of("damaged.o"), "-o", path_of("damaged"))
        expect(1, status, f"exit status ({messages})")
        expect_in("error: ", messages, "messages")


def object_file(sections, name, entry_bytes=64, content=b""):
    """An ELF file: sections of `name`, which are (offset, size) in what is behind its header and the names."""
    names = b"\0" + name + b"\0"
    table = 64 + len(names) + len(content)
    rows = b"".join(struct.pack("<IIQQQQIIQQ", kind, 3, 0, 0, offset, size, 0, 0, 0, 0)
                    for kind, offset, size in [(0, 64, len(names)), *((1, 64 + len(names) + offset, size) for offset, size in sections)])
    return b"\x7fELF\x02\x01\x01" + b"\0" * 9 + struct.pack("<HHIQQQIHHHHHH", 1, 62, 1, 0, 0, table, 0, 64, 0, 0, entry_bytes, len(sections) + 1, 0) + names + content + rows


def unit(size, code):
    return struct.pack("<8s16sI", b"HEDDLESY", size, len(code)) + code


def archive(content, magic=b"!<arch>\n", name=b"x/"):
    return magic + b"%-48s%-10d`\n" % (name, len(content)) + content


@test
def work_on_hostile_objects_is_linear_in_their_bytes():
    section = b".heddle.sycl"
    many = unit(b"8", bytes(1 << 20))
    inner = bytes(1 << 20)
    for _ in range(200):
        inner = archive(inner)
    for what, content, part in (
            ("of 3,000 sections on the same bytes", object_file([(0, len(many))] * 3000, section, content=many), "damaged"),
            ("of 65,000 names that do not end", object_file([(0, 0)] * 65000, b"a" * (1 << 20)), ""),
            ("of archives in archives", inner, ""),
            ("of sections beyond its end", object_file([(0, 1 << 40)], section), "damaged"),
            ("of headers of no bytes", object_file([(0, 28)] * 2, section, entry_bytes=0), ""),
            ("of a size that is none", object_file([(0, 30)], section, content=unit(b"8\0x", b"BC")), "damaged"),
            ("of a size that is an option", object_file([(0, 30)], section, content=unit(b"--check", b"BC")), "damaged"),
            ("of a thin archive of a device", archive(b"", b"!<thin>\n", b"/dev/zero/"), "is no file"),
            ("of a thin archive of nothing", archive(b"", b"!<thin>\n", b"/123456789"), "is no file")):
        path = path_of("bomb.a" if content[:1] == b"!" else "bomb.o")
        with open(path, "wb") as file:
            file.write(content)
        before = os.times().children_user
        status, messages = compile_and_link(path, "-o", path_of("bomb"))
        taken = os.times().children_user - before
        expect((1, False), (status, "Traceback" in messages), f"status, and whether it is a traceback, {what} ({messages[-500:]})")
        expect_in(part, messages, f"messages {what}")
        expect(True, taken < 10, f"whether few seconds of the processor are taken {what} ({taken})")


@test
def a_thin_archive_has_its_members_kernels():
    os.makedirs(path_of("parts"), exist_ok=True)
    path = source("member.cpp", "#include <sycl/sycl.hpp>\nvoid f() { sycl::queue().single_task<class Member>([] {}); }\n")
    main = source("main.cpp", "void f();\nint main() { f(); }\n")
    member = path_of("parts/a_member_with_a_long_name.o")
    expect((0, ""), compile_and_link("-c", path, "-o", member), "exit status and messages")
    expect(0, command("llvm-ar-22", "rcsT", path_of("thin.a"), member)[0], "exit status of ar")
    expect((0, ""), compile_and_link(main, path_of("thin.a"), "-o" + path_of("thin")), "exit status and messages of the link")
    expect((0, "", ""), command(path_of("thin"), HEDDLE_SYCL_DEVICE="model", HEDDLE_SIM_LANES="4"), "what the program does")


@test
def paths_may_have_any_characters():
    folder = path_of('a ü"\\\n@')
    os.makedirs(folder, exist_ok=True)
    text = "#include <sycl/sycl.hpp>\nint main() { sycl::queue().single_task<class Anywhere>([] {}); }\n"
    path = os.path.join(os.fsencode(folder), b"\xff.cpp")
    with open(path, "w", encoding="ascii") as file:
        file.write(text)
    status, out, err = command("bin/heddle-sycl++", os.fsdecode(path), "-o", os.path.join(folder, "program"), TMPDIR=folder)
    expect((0, "", ""), (status, out, err), "exit status and messages")
    expect((0, "", ""), command(os.path.join(folder, "program"), HEDDLE_SYCL_DEVICE="model"), "what the program does")


@test
def results_go_behind_links_and_never_over_what_is_read():
    path, link, target = source("linked.cpp", "int main() { return 0; }\n"), path_of("link"), path_of("behind_the_link")
    if not os.path.islink(link):
        os.symlink(os.path.basename(target), link)
    for words in ([], ["-c"], ["-S"], ["-E"], ["-M"], ["-c", "-MD", "-MF"]):
        output = words[-1:] != ["-MF"] and ["-o", link] or [link, "-o", path_of("linked.o")]
        expect((0, ""), compile_and_link(path, *words, *output), f"status and messages of {words}")
        expect((True, True), (os.path.islink(link), os.path.isfile(target)), f"whether the link stays and has a file behind it, of {words}")
        os.remove(target)
    os.symlink(path, target)
    for words in (["-o", path], ["-c", "-o", path], ["-c", "-o", link], ["-S", "-o", path], ["-MD", "-MF", path, "-c", "-o", path_of("linked.o")]):
        written = link if link in words else path
        expect((2, f"heddle-sycl++: error: '{written}' would be written, and it is read, too\n"), compile_and_link(path, *words), f"of {words}")
    with open(path, encoding="ascii") as file:
        expect("int main() { return 0; }\n", file.read(), "the source")
    os.remove(target)


@test
def a_value_may_stand_right_behind_its_option():
    path = source("joined.cpp", "int main() { return 0; }\n")
    rule = path_of("joined.rule")
    for words in (["-MF" + rule, "-MTtarget"], ["-MF", rule, "-MT", "target"]):
        expect((0, ""), compile_and_link("-c", "-xc++", path, "-MD", *words, "-o" + path_of("joined.o")), f"exit status and messages of {words}")
        with open(rule, encoding="utf-8") as file:
            expect_in("target: ", file.read(), f"rule of {words}")
        expect(True, os.path.exists(path_of("joined.o")) and not os.path.exists(path_of("joined.d")), f"what {words} write")
        os.remove(rule)
        os.remove(path_of("joined.o"))


HARDWARE = """#include <sycl/sycl.hpp>
int main() {
  sycl::queue q;
  float *p = sycl::malloc_device<float>(64, q);
  q.parallel_for<class Fine>(sycl::nd_range<1>(64, 64), [=](sycl::nd_item<1> it) { p[it.get_global_id(0)] = 1; });
  q.parallel_for<class Exact>(sycl::nd_range<1>(64, 64), [=](sycl::nd_item<1> it) {
    size_t i = it.get_global_id(0);
    double wide = sycl::sin(static_cast<double>(p[i]));
    p[i] = static_cast<float>(wide * 3.25 + 1);
  });
  q.wait();
}
"""
REFUSED = r"exact\.cpp:8:\d+: error: kernel 'Exact' cannot be hardware: function 'sin' is not there in hardware"


@test
def a_kernel_that_cannot_be_hardware_is_named_with_its_line_and_the_others_are():
    path, program = source("exact.cpp", HARDWARE), path_of("exact")
    status, messages = compile_and_link("--hardware", "--lanes", "2", "--copies", "Fine=3", path, "-o", program)
    expect(0, status, f"exit status ({messages})")
    expect(1, len(re.findall(REFUSED, messages)), f"refusals in {messages}")
    expect_in("1 of 2 kernels became hardware", messages, "messages")
    expect(True, os.access(program, os.X_OK), "whether there is a program")
    with open(program + ".hw/kernels.json", encoding="ascii") as file:
        made = json.load(file)["kernels"]
    expect([("Fine", 2, 3, 5)], [(kernel["name"][:-26], kernel["lanes"], kernel["copies"], kernel["sites"][0]["line"]) for kernel in made],
           "kernels with their lanes, copies and the line of their store")
    for name in os.listdir(program + ".hw"):
        if name.endswith(".places"):
            with open(os.path.join(program + ".hw", name), encoding="ascii") as file:
                files = {line.split(" ", 2)[2].strip() for line in file if line.startswith("line ") and not line.startswith("line 0 ")}
            expect({path}, files, f"files of the places in {name}")
    with open(program + ".hw/report.txt", encoding="ascii") as file:
        report = file.read()
    expect_in("kernel Fine: 2 lanes, 64 sub-groups in flight, 3 copies\n", report, "report")
    lines = {int(number) for number in re.findall(r"^ {4}line (\d+)", report, re.M)}
    expect({5}, lines, "lines that take room: those of the user, not of headers")
    with open(program + ".hw/report.html", encoding="utf-8") as file:
        expect_in("q.parallel_for&lt;class Fine>(sycl::nd_range", file.read(), "page, with the source")


@test
def kernels_that_are_asked_for_and_cannot_be_hardware_end_it():
    path = source("exact.cpp", HARDWARE)
    status, messages = compile_and_link("--hardware", "--kernel", "Exact", path, "-o", path_of("asked"))
    expect(1, status, f"exit status ({messages})")
    expect(1, len(re.findall(REFUSED, messages)), f"refusals in {messages}")
    expect(False, os.path.exists(path_of("asked")), "whether there is a program")
    status, messages = compile_and_link("--hardware", "--kernel", "Other", path, "-o", path_of("asked"))
    expect(1, status, f"exit status ({messages})")
    expect_in("there is no kernel 'Other'; there are: Fine, Exact", messages, "messages")
    status, messages = compile_and_link("--hardware=" + path_of("fitted.hw"), "--fit", "ulx3s-25f", "--kernel=Fine", "--report", path_of("page.html"), path, "-o",
                                        path_of("fitted"))
    expect(0, status, f"exit status ({messages})")
    expect_in("heddle-sycl++: Fine: ", messages, "what --fit chose")
    expect(True, os.path.exists(path_of("fitted.hw/kernels.json")), "whether the folder that was named has the pipelines")
    with open(path_of("page.html"), encoding="utf-8") as file:
        expect_in("<h3>Kernel Fine: ", file.read(), "page")


GRAY = """#include <sycl/sycl.hpp>
[[clang::annotate("heddle.verilog_module", "gray", 1)]] unsigned gray(unsigned x) { return x ^ (x >> 1); }
int main() {
  sycl::queue q;
  unsigned *p = sycl::malloc_device<unsigned>(8, q);
  q.parallel_for<class Codes>(8, [=](sycl::id<1> i) { p[i] = gray(p[i]); });
  q.wait();
}
"""


@test
def functions_that_are_modules_of_verilog_are_those_of_the_files():
    path, verilog = source("gray.cpp", GRAY), path_of("gray.v")
    with open(verilog, "w", encoding="ascii") as file:
        file.write("module gray(input wire clk, input wire [31:0] a_i, output reg [31:0] y_o); always @(posedge clk) y_o <= a_i ^ (a_i >> 1); endmodule\n")
    status, messages = compile_and_link("--hardware", "--lanes", "2", "--verilog", verilog, path, "-o", path_of("gray"))
    expect(0, status, f"exit status ({messages})")
    made = [name for name in os.listdir(path_of("gray.hw")) if name.startswith("pipeline_Codes") and name.endswith(".v")]
    with open(os.path.join(path_of("gray.hw"), made[0]), encoding="ascii") as file:
        expect(2, file.read().count("\n  gray "), "modules, one a lane")
    status, messages = compile_and_link("--hardware", path, "-o", path_of("gray"))
    expect(1, status, f"exit status ({messages})")
    expect_in("it calls module 'gray', which is in no file that --verilog names", messages, "messages")


@test
def options_of_hardware_are_for_hardware():
    path = source("exact.cpp", HARDWARE)
    for words, code, said in ((("--lanes", "4"), 2, "'--lanes' is for --hardware"), (("--share",), 2, "'--share' is for --hardware"),
                              (("--hardware", "--lanes", "3"), 2, "--lanes takes a power of two"), (("--hardware", "-c"), 2, "--hardware is for the link"),
                              (("--hardware=",), 2, "no folder given"), (("--hardware", "--board", "ulx3s"), 2, "no board is called 'ulx3s'")):
        status, messages = compile_and_link(*words, path, "-o", path_of("never"))
        expect(code, status, f"exit status of {words} ({messages})")
        expect_in(said, messages, f"messages of {words}")
        expect(False, os.path.exists(path_of("never")), "whether there is a program")
    status, messages = compile_and_link("--hardware", source("none.cpp", "int main() {}\n"), "-o", path_of("never"))
    expect(1, status, f"exit status without kernels ({messages})")
    expect_in("there are no kernels in the program", messages, "messages")


tap.run("sycl_diagnostics")
