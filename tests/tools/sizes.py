#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The size of the library for embedded hosts is what the pages say."""
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import page_sizes
import tap


@tap.test
def pages_name_the_size_of_the_library_without_a_compiler():
    kib = page_sizes.stripped_kib(os.path.join(tap.BUILD, "no-compiler/lib/libheddle.so"))
    page_sizes.expect_named("README.md", r"`HEDDLE_NO_COMPILER=1 make`: (\d+) KiB", kib)
    page_sizes.expect_named("docs/embedded-hosts.md", r"Stripped it has\s+(\d+) KiB", kib)


tap.run("sizes")
