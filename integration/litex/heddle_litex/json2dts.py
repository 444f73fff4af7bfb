# SPDX-License-Identifier: Apache-2.0
"""Prints the device-tree node of a Heddle device from the csr.json of its SoC: python -m heddle_litex.json2dts csr.json [name]"""
import json
import sys

from heddle_litex import device_tree

if __name__ == "__main__":
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    with open(sys.argv[1], encoding="utf-8") as csr:
        print(device_tree(sys.argv[2] if len(sys.argv) > 2 else "heddle", json.load(csr)), end="")
