#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""HEDDLE_CHECK with SYCL programs: mistakes with memory are found, with the user's lines, and programs without one are silent."""
import os
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import tap
from tap import command, expect, expect_in, test

# The body of each kernel is a line, which ends with its name; `l` is local memory for the work-group of 16.
PROGRAM = """#include <array>
#include <cstdio>
#include <cstring>
#include <sycl/sycl.hpp>
template <typename Name, typename Body>
static void run(sycl::queue &q, Body body) {
  q.submit([&](sycl::handler &h) {
    sycl::local_accessor<int, 1> l(sycl::range<1>(16), h);
    h.parallel_for<Name>(sycl::nd_range<1>(64, 16), [=](sycl::nd_item<1> i) { body(i, i.get_global_id(0), i.get_local_id(0), l); });
  });
}
int main(int, char **words) {
  sycl::queue q;
  int *a = sycl::malloc_device<int>(64, q), *b = sycl::malloc_device<int>(64, q), *c = sycl::malloc_device<int>(64, q);
  int numbers[64] = {};
  q.memcpy(a, numbers, sizeof numbers);
  const auto is = [&](const char *name) { return std::strcmp(words[1], name) == 0; };
  if (is("fine")) run<class fine>(q, [=](auto i, auto g, auto n, const auto &l) { l[n] = a[g]; sycl::group_barrier(i.get_group()); b[g] = l[15 - n]; });  // fine
  if (is("load")) run<class load>(q, [=](auto, auto g, auto, const auto &) { b[g] = a[g + 1]; });  // load
  if (is("store")) run<class store>(q, [=](auto, auto g, auto, const auto &) { a[g + 64] = 1; });  // store
  if (is("far")) run<class far>(q, [=](auto, auto g, auto, const auto &) { b[g + 100000] = 1; });  // far
  if (is("middle")) { int *m = b + 8; run<class middle>(q, [=](auto, auto g, auto, const auto &) { m[g] = 1; }); }  // middle
  if (is("shared")) { int *s = sycl::malloc_shared<int>(64, q), *t = sycl::malloc_shared<int>(64, q); run<class shared>(q, [=](auto, auto g, auto, const auto &) { s[g + 1] = t[g]; }); }  // shared
  if (is("host")) { int *h = sycl::malloc_host<int>(64, q); run<class host>(q, [=](auto, auto g, auto, const auto &) { b[g] = h[g - 1]; }); }  // host
  if (is("table")) { static constexpr int t[4] = {1, 2, 3, 4}; run<class table>(q, [=](auto, auto g, auto, const auto &) { b[g] = t[(a[g] & 3) + 4]; }); }  // table
  if (is("flag")) run<class flag>(q, [=](auto, auto g, auto, const auto &) { bool f; for (int i = 0; i < 4; i++) if (a[i] == 9) f = true; b[g] = f; });  // flag
  if (is("local")) run<class local>(q, [=](auto, auto g, auto n, const auto &l) { l[n + 1] = 1; b[g] = 1; });  // local
  if (is("unwritten")) run<class unwritten>(q, [=](auto, auto g, auto, const auto &) { b[g] = c[g] + 1; });  // unwritten
  if (is("buffer")) { sycl::buffer<int> v(64); q.submit([&](sycl::handler &h) { sycl::accessor x(v, h, sycl::read_only); h.parallel_for<class of_buffer>(64, [=](sycl::id<1> i) { b[i] = x[i] + 1; }); }); q.wait(); }  // buffer
  if (is("part")) { sycl::buffer<int> v(64);
    q.submit([&](sycl::handler &h) { sycl::accessor x(v, h); h.parallel_for<class a_part>(63, [=](sycl::id<1> i) { x[i] = 1; }); });
    q.submit([&](sycl::handler &h) { sycl::accessor x(v, h); h.parallel_for<class whole>(64, [=](sycl::id<1> i) { x[i]++; }); });  // part
    q.wait(); }
  if (is("filled")) { sycl::buffer<int> v(64), u(64), w(64);
    { sycl::host_accessor x(w); for (int i = 0; i < 64; i++) x[i] = i; }
    q.submit([&](sycl::handler &h) { sycl::accessor x(v, h); h.fill(x, 3); });
    q.submit([&](sycl::handler &h) { sycl::accessor x(v, h), y(u, h); h.copy(x, y); });
    q.submit([&](sycl::handler &h) { sycl::accessor x(v, h), y(u, h), z(w, h); h.parallel_for<class filled>(64, [=](sycl::id<1> i) { y[i] += x[i] + z[i]; }); });
    q.wait(); }
  if (is("variable")) run<class variable>(q, [=](auto, auto g, auto, const auto &) { int x; if (g & 1) x = a[g]; b[g] = x; });  // variable
  if (is("counter")) run<class counter>(q, [=](auto, auto g, auto, const auto &) { int s; for (int i = 0; i < 4; i++) s += a[g ^ i]; b[g] = s; });  // counter
  if (is("member")) run<class member>(q, [=](auto, auto g, auto, const auto &) { struct { int x, y; } m; m.x = a[g]; b[g] = m.x + m.y; });  // member
  if (is("vector")) run<class vector>(q, [=](auto, auto g, auto, const auto &) { float f; sycl::int2 v(a[g], 1); if (g > 9) f = 2; b[g] = v.x() + static_cast<int>(f); });  // vector
  if (is("group")) run<class group>(q, [=](auto i, auto g, auto, const auto &) { int x; if (g != 5) x = a[g]; b[g] = sycl::reduce_over_group(i.get_group(), x, sycl::plus<int>()); });  // group
  if (is("written")) run<class written>(q, [=](auto, auto g, auto, const auto &) { int x, t[4]; if (g & 1) x = 1; else x = a[g]; for (int i = 0; i < 4; i++) t[i] = x; b[g] = t[g & 3]; });  // written
  if (is("structures")) run<class structures>(q, [=](auto, auto g, auto, const auto &) {
    struct pair { int x; long y; } p[4]; for (int i = 0; i < 4; i++) { p[i].x = a[i]; p[i].y = i; }
    reinterpret_cast<pair *>(b)[g & 3] = p[a[g] & 3]; });  // structures
  if (is("array")) run<class array>(q, [=](auto, auto g, auto, const auto &) { int t[4], s = 0; for (int i = 0; i < 4; i++) t[i] = a[i]; for (int i = 0; i <= 4; i++) s += t[i]; b[g] = s; });  // array
  if (is("element")) run<class element>(q, [=](auto, auto g, auto, const auto &) { int t[24], s = 0; for (int i = 1; i < 24; i++) t[i] = a[i]; for (int i = 0; i < 24; i++) s += t[i]; b[g] = s; });  // element
  if (is("levels")) q.submit([&](sycl::handler &h) { h.parallel_for_work_group<class levels>(sycl::range<1>(4), sycl::range<1>(16), [=](sycl::group<1> g) {
    int of_group = static_cast<int>(g.get_group_linear_id());
    for (int round = 0; round < 3; round++) { g.parallel_for_work_item([&](sycl::h_item<1> i) { b[i.get_global_id(0)] = of_group; }); of_group++; }
  }); });
  const std::array<int, 4> few = {1, 2, 3, 4};
  const int plain[3] = {1, 2, 3}, behind = 7;
  if (is("captured")) run<class captured>(q, [=](auto, auto g, auto, const auto &) { b[g] = few[g & 4] + behind; });  // captured
  if (is("plain")) run<class plain_array>(q, [=](auto, auto g, auto, const auto &) { b[g] = plain[a[g] + 3] + behind; });  // plain
  if (is("inside")) run<class inside>(q, [=](auto, auto g, auto, const auto &) { int s = behind; for (int x : few) s += x; b[g] = s + few[g & 3] + plain[g % 3] + *(few.end() - 1); });
  if (is("race")) run<class race>(q, [=](auto i, auto g, auto n, const auto &l) { l[n] = 0; sycl::group_barrier(i.get_group()); l[n] = 1; b[g] = l[15 - n]; });  // race
  if (is("groups")) run<class groups>(q, [=](auto, auto, auto n, const auto &) { b[n] = a[n] + static_cast<int>(n); a[n] = 1; });  // groups
  q.wait();
  std::printf("done\\n");
}
"""
FINDINGS = {
    "load": "load of 4 bytes out of bounds: byte 256 of 'captures', which has 256 bytes",
    "store": "store of 4 bytes out of bounds",
    "far": "store of 4 bytes out of bounds",
    "middle": "store of 4 bytes out of bounds: byte 256 of 'captures', which has 256 bytes",
    "shared": "store of 4 bytes out of bounds: byte 256 of 'captures', which has 256 bytes",
    "host": "4 bytes before the start of 'captures', which has 256 bytes",
    "table": "byte 16 of a variable of the program, which has 16 bytes",
    "flag": "use of memory that nobody has written: a variable in private memory",
    "local": "store of 4 bytes out of bounds: byte 64 of 'local_accessor' in local memory, which has 64 bytes",
    "unwritten": "use of memory that nobody has written",
    "buffer": "use of memory that nobody has written: load of 4 bytes at byte 28 of 'accessor'",
    "part": "use of memory that nobody has written: load of 4 bytes at byte 252 of 'accessor'",
    "variable": "use of memory that nobody has written: a variable in private memory",
    "counter": "use of memory that nobody has written: a variable in private memory",
    "member": "use of memory that nobody has written: a variable in private memory",
    "vector": "use of memory that nobody has written: a variable in private memory",
    "group": "use of memory that nobody has written: a variable in private memory",
    "array": "byte 16 of a variable in private memory, which has 16 bytes",
    "captured": "index 4 of a member that is an array of 4 elements",
    "plain": "index 3 of a member that is an array of 3 elements",
    "element": "nobody has written: load of 4 bytes at byte 0 of a variable in private memory",
    "race": "of 'local_accessor' in local memory",
    "groups": "data race on byte 0 of 'captures'",
}


def build(folder, source, program, *options):
    made = command("bin/heddle-sycl++", "-O1", *options, source, os.path.join(tap.BUILD, "host/tools/checkout.o"), "-o", program)
    expect((0, "", ""), made, f"heddle-sycl++ {' '.join(options)} {source}")


def run(program, *words, **environment):
    done = subprocess.run([program, *words], env={**os.environ, "HEDDLE_CHECK": "1", **environment}, text=True,
                          capture_output=True, timeout=300)
    return done.returncode, done.stdout, done.stderr


@test
def mistakes_are_found_with_the_lines_of_the_program():
    with tempfile.TemporaryDirectory() as folder:
        source, program = os.path.join(folder, "planted.cpp"), os.path.join(folder, "planted")
        with open(source, "w", encoding="ascii") as file:
            file.write(PROGRAM)
        lines = {line.rsplit("  // ", 1)[1]: number for number, line in enumerate(PROGRAM.splitlines(), 1) if "  // " in line}
        # As a user does who is in the folder of the program.
        top = os.path.abspath(tap.BUILD)
        made = command("sh", "-c", f"cd {folder} && {top}/bin/heddle-sycl++ -O1 --check planted.cpp {top}/host/tools/checkout.o -o planted")
        expect((0, "", ""), made, "heddle-sycl++ --check")
        for name in ("fine", "written", "filled", "structures", "levels", "inside"):
            expect((0, "done\n", ""), run(program, name), f"a program without a mistake, {name}")
        for name, part in FINDINGS.items():
            status, _, err = run(program, name)
            expect(True, status != 0, f"a status other than 0 with {name}")
            expect_in(part, err, f"what is said of {name}")
            expect_in(f", planted.cpp:{lines[name]}", err, f"the line of {name}")
            # Without HEDDLE_CHECK the same program runs on the model as ever.
            if name not in ("far", "local", "array", "host"):
                expect((0, "done\n"), run(program, name, HEDDLE_CHECK="0", HEDDLE_SYCL_DEVICE="model")[:2], f"{name} without checks")
        # Compiled without --check there is still provenance, and what nobody has written; races need the marks.
        build(folder, source, program)
        for name in ("load", "middle", "unwritten"):
            expect_in(FINDINGS[name], run(program, name)[2], f"what is said of {name}, compiled without --check")
        expect((0, "done\n", ""), run(program, "race"), "a race, compiled without --check")


@test
def programs_without_mistakes_are_silent():
    with tempfile.TemporaryDirectory() as folder:
        for name in ("sub_group_loop", "reduce", "histogram", "sort"):
            program = os.path.join(folder, name)
            build(folder, f"host/sycl/examples/{name}.cpp", program, "--check")
            status, _, err = run(program)
            expect((0, ""), (status, err), f"exit status and messages of {name}")


@test
def check_is_not_for_hardware():
    status, _, err = command("bin/heddle-sycl++", "--check", "--hardware", "host/sycl/examples/reduce.cpp", "-o", "/dev/null")
    expect(2, status, "exit status")
    expect_in("--check is for the golden model, not for --hardware", err, "the message")


tap.run("sycl_checks")
