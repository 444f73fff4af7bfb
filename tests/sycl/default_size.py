#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""-fsycl-default-sub-group-size in every form: what kernels without an attribute run with, and what they answer."""
import os
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import tap
from tap import command, expect, test, test_for

FOLDER = tempfile.TemporaryDirectory()
LONG = os.environ.get("HEDDLE_TEST_LONG")  # each flag takes six seconds to compile

# Ahead of any header the macro is there. What a kernel answers: compile_sub_group_size, max_sub_group_size, and the size that it ran with.
MAIN = """
#if SYCL_EXT_ONEAPI_SUB_GROUP != 1
#error "the feature-test macro is not predefined"
#endif
#include <cstdio>
#include <sycl/sycl.hpp>
using namespace cl::sycl;
SYCL_EXTERNAL unsigned external(sub_group sg);
using ask = info::kernel_device_specific;

template <typename Name>
void print(queue &q, unsigned *out) {
  unsigned ran = 0;
  q.memcpy(&ran, out, sizeof ran).wait();
  const auto kernel = get_kernel_bundle<bundle_state::executable>(q.get_context()).get_kernel<Name>();
  std::printf("%u %u %u\\n", kernel.template get_info<ask::compile_sub_group_size>(q.get_device()),
              kernel.template get_info<ask::max_sub_group_size>(q.get_device(), range<2>(4, 16)), ran);
}

int main() try {
  queue q;
  unsigned *out = malloc_device<unsigned>(1, q);
  q.parallel_for<class Explicit>(nd_range<1>(32, 32), [=](nd_item<1> item) [[intel::sub_group_size(2)]] {
    *out = item.get_sub_group().get_max_local_range()[0];
  });
  print<class Explicit>(q, out);
  q.parallel_for<class Default>(nd_range<1>(32, 32), [=](nd_item<1> item) { *out = external(item.get_sub_group()); });
  print<class Default>(q, out);
} catch (const exception &e) {
  std::printf("%d %s\\n", e.code() == errc::feature_not_supported, e.what());
}
"""
EXTERNAL = """
#include <sycl/sycl.hpp>
SYCL_EXTERNAL unsigned external(sycl::sub_group sg) { return sg.get_max_local_range()[0]; }
"""


def compiled(name, text, *flags):
    """The object file of a source with the flags, each made once."""
    output = os.path.join(FOLDER.name, name + "".join(flags) + ".o")
    if not os.path.exists(output):
        path = os.path.join(FOLDER.name, name + ".cpp")
        with open(path, "w", encoding="ascii") as file:
            file.write(text)
        expect((0, "", ""), command("bin/heddle-sycl++", "-c", *flags, path, "-o", output), f"exit status, output and messages of {flags}")
    return output


def linked(*flags):
    program = os.path.join(FOLDER.name, "program")
    expect((0, "", ""), command("bin/heddle-sycl++", compiled("main", MAIN, *flags), compiled("external", EXTERNAL, *flags), "-o", program), "the link")
    return command(program, HEDDLE_SYCL_DEVICE="model")


# compile_sub_group_size, max_sub_group_size, and the size they run with: the model has 8 lanes.
@test_for(without=((), "8 8 8"), automatic=(("automatic",), "0 8 8"), four=(("4",), "4 4 4"),
          **({"primary": (("primary",), "8 8 8"), "one": (("1",), "1 1 1"), "eight": (("8",), "8 8 8")} if LONG else {}))
def kernels_without_attribute_have_the_size_of_the_flag(case):
    value, expected = case
    flags = [f"-fsycl-default-sub-group-size={word}" for word in value]
    expect((0, f"2 2 2\n{expected}\n", ""), linked(*flags), f"what the kernels answer with {flags}")


@test
def a_default_that_the_device_lacks_is_refused_where_the_kernel_is_submitted():
    status, out, _ = linked("-fsycl-default-sub-group-size=32")
    lines = out.splitlines()
    expect((0, "2 2 2", True), (status, lines[0], lines[1].startswith("1 ")), f"exit status, explicit kernel and exception of {out}")
    for part in ("kernel 'Default' (", "main.cpp:", "demands sub-groups of 32"):
        expect(True, part in lines[1], f"whether {part!r} is in {lines[1]}")


# Exactly: that both come to 8 on this device does not count.
@test_for(primary_four=("primary", "4"), automatic_four=("automatic", "4"),
          **({"primary_eight": ("primary", "8"), "eight_primary": ("8", "primary"), "automatic_primary": ("automatic", "primary"), "four_eight": ("4", "8")}
             if LONG else {}))
def files_with_different_defaults_do_not_link(case):
    mine, other = case
    mine_flag, other_flag = (f"-fsycl-default-sub-group-size={value}" for value in case)
    status, out, err = command("bin/heddle-sycl++", compiled("main", MAIN, mine_flag), compiled("external", EXTERNAL, other_flag), "-o",
                               os.path.join(FOLDER.name, "mixed"))
    expect((1, ""), (status, out), "exit status and output")
    words = f"error: kernel 'Default' has sub-group size {mine} but calls 'external', which is defined with {other}, as it has no attribute there"
    expect(True, words in err and "main.cpp:" in err, f"whether the error and its line are in {err}")


# An attribute in one file is the same as the flag in another.
@test_for(attribute=("[[intel::sub_group_size(4)]]", ()), flag=("", ("-fsycl-default-sub-group-size=4",)))
def functions_of_other_files_have_the_kernels_size_by_attribute_or_flag(case):
    attribute, flags = case
    caller = """
#include <cstdio>
#include <sycl/sycl.hpp>
SYCL_EXTERNAL [[intel::sub_group_size(4)]] unsigned external(sycl::sub_group sg);
int main() {
  sycl::queue q;
  unsigned *out = sycl::malloc_device<unsigned>(1, q), got = 0;
  q.parallel_for<class Caller>(sycl::nd_range<1>(32, 32), [=](sycl::nd_item<1> item) [[intel::sub_group_size(4)]] {
    *out = external(item.get_sub_group());
  });
  q.memcpy(&got, out, sizeof got).wait();
  std::printf("%u\\n", got);
}
"""
    external = compiled("sized" if attribute else "external", EXTERNAL.replace("SYCL_EXTERNAL", "SYCL_EXTERNAL " + attribute), *flags)
    program = os.path.join(FOLDER.name, "caller")
    expect((0, "", ""), command("bin/heddle-sycl++", compiled("caller", caller), external, "-o", program), "the link")
    expect((0, "4\n", ""), command(program, HEDDLE_SYCL_DEVICE="model"), "the size that it runs with")


tap.run("sycl_default_size")
