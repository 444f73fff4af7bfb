#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Can each proof of proofs.toml still be made? Its files are there, its top has the parameters that are set, and what each of its
mistakes replaces stands in its file exactly once. Whether it holds is for `make formal`."""
import os
import re
import sys
import tomllib

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.dirname(HERE)]
import tap

with open(os.path.join(HERE, "proofs.toml"), "rb") as listed:
    PROOFS = {proof["name"]: proof for proof in tomllib.load(listed)["proof"]}


def text_of(file):
    with open(os.path.join(tap.TOP, file)) as source:
        return source.read()


@tap.test_for(**PROOFS)
def its_files_parameters_and_mistakes_are_there(proof):
    texts = {file: text_of(file) for file in proof["files"]}
    module = re.search(rf"\bmodule {re.escape(proof['top'])}\b.*?\bendmodule\b", texts[proof["files"][0]], re.S)
    tap.expect(True, module is not None, f"whether {proof['files'][0]} has the module {proof['top']}")
    for name in proof.get("set", {}):
        tap.expect(True, re.search(rf"\bparameter\b[^=]*\b{name}\b\s*=", module.group()) is not None, f"whether {proof['top']} has the parameter {name}")
    for mistake in proof.get("wrong", []):
        tap.expect(True, mistake["file"] in texts, f"whether {mistake['file']} is one of the proof's files")
        tap.expect(1, texts[mistake["file"]].count(mistake["right"]),
                   f"how often {mistake['file']} has {mistake['right']!r} (proofs.toml needs a new text)")
        tap.expect(False, mistake["right"] == mistake["wrong"], "whether the mistake is none")


tap.run("provable")
