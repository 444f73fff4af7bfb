#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the file lists of heddle.core, FuseSoC's description of the device, from those that make has. The rest of the file is written by hand.

Called by `make core-file`. heddle.core is checked in, because FuseSoC reads it as it is. tests/rtl/fusesoc.py holds that it agrees.
"""
import argparse
import re

BETWEEN = r"(?ms)^(  {name}:\n    files:\n).*?(?=^    file_type:)"


def with_lists(text, lists):
    """heddle.core's text with the files of these filesets: {name of a fileset: lines}."""
    for name, lines in lists.items():
        text, found = re.subn(BETWEEN.format(name=name), lambda head: head[1] + "".join(lines), text)
        if found != 1:
            raise SystemExit(f"heddle.core has {found} filesets named {name} that begin with `files:` and end with `file_type:`")
    return text


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("core")
    parser.add_argument("--sources", nargs="+", required=True)
    parser.add_argument("--axi", nargs="+", required=True, help="what heddle_axi.v needs besides the sources")
    parser.add_argument("--headers", nargs="+", required=True, help="included by their path from the top folder")
    options = parser.parse_args()
    with open(options.core, encoding="utf-8") as file:
        text = file.read()
    text = with_lists(text, {
        "rtl": [f"      - {path}\n" for path in sorted(options.sources)],
        "axi": [f"      - {path}\n" for path in sorted(options.axi)],
        "headers": [f"      - {path}: {{is_include_file: true, include_path: .}}\n" for path in sorted(options.headers)],
    })
    with open(options.core, "w", encoding="utf-8") as file:
        file.write(text)


if __name__ == "__main__":
    main()
