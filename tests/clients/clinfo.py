#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""An unmodified third-party client: clinfo from the distribution asks every device every question it knows."""
import os
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import tap
from tap import command, expect, expect_in, test, test_for


def clinfo(*words):
    status, out, err = command("clinfo", *words)
    expect(0, status, f"exit status of clinfo {' '.join(words)} ({err})")
    return out


@test
def both_devices_are_listed():
    text = clinfo("-l")
    expect_in("Platform #0: Heddle", text, "clinfo -l")
    expect_in("Device #0: Heddle sim", text, "clinfo -l")
    expect_in("Device #1: Heddle model", text, "clinfo -l")


@test
def no_question_is_answered_with_an_error():
    errors = [line for line in clinfo().splitlines() if re.search(r"<print\w+:|error -?\d+|<error", line)]
    expect([], errors, "lines of clinfo that report an error")


@test_for(sim="Heddle sim", model="Heddle model")
def what_a_device_reports(beginning):
    values, current = {}, None
    for line in clinfo("--raw").splitlines():
        match = re.match(r"\[(\S+)\]\s+(\S+)\s+(.*)$", line)
        if match:
            where, name, value = match.groups()
            if name == "CL_DEVICE_NAME":
                current = value.strip()
            values[(where, name)] = value.strip()
    where = next((w for (w, name), value in values.items() if name == "CL_DEVICE_NAME" and value.startswith(beginning)), None)
    if where is None:
        raise AssertionError(f"clinfo --raw: expected a device that begins with {beginning!r}, got {current!r}")
    expect_in("OpenCL 3.0", values[(where, "CL_DEVICE_VERSION")], "CL_DEVICE_VERSION")
    expect_in("cl_khr_subgroups", values[(where, "CL_DEVICE_EXTENSIONS")], "CL_DEVICE_EXTENSIONS")
    expect("CL_TRUE", values[(where, "CL_DEVICE_AVAILABLE")], "CL_DEVICE_AVAILABLE")
    expect("CL_TRUE", values[(where, "CL_DEVICE_COMPILER_AVAILABLE")], "CL_DEVICE_COMPILER_AVAILABLE")
    if int(values[(where, "CL_DEVICE_MAX_WORK_GROUP_SIZE")]) < 256:
        raise AssertionError(f"CL_DEVICE_MAX_WORK_GROUP_SIZE: expected 256 or more, got "
                             f"{values[(where, 'CL_DEVICE_MAX_WORK_GROUP_SIZE')]}")


if __name__ == "__main__":
    tap.run("clinfo")
