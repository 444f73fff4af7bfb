# SPDX-License-Identifier: Apache-2.0
"""The Verilog files of the device on a bus, as heddle.core lists them: there is no list of them here."""
import os
import re

TOP = os.path.normpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../.."))


def fileset(text, name):
    found = re.search(rf"(?ms)^  {name}:\n    files:\n(.*?)^    file_type:", text)
    if not found:
        raise ValueError(f"heddle.core has no fileset {name}")
    return re.findall(r"^      - (\S+?):? *(?:\{.*\})?$", found[1], re.M)


def sources(top=None):
    """(paths of Verilog files, the folder that headers are included from) of the checkout at `top`; $HEDDLE_TOP, or the one that has this file."""
    top = os.path.abspath(top or os.environ.get("HEDDLE_TOP") or TOP)
    core = os.path.join(top, "heddle.core")
    if not os.path.exists(core):
        raise FileNotFoundError(f"{core} is missing: HEDDLE_TOP has to name a checkout of Heddle")
    with open(core, encoding="utf-8") as file:
        text = file.read()
    files = [os.path.join(top, path) for name in ("rtl", "axi") for path in fileset(text, name)]
    missing = [path for path in files if not os.path.exists(path)]
    if missing:
        raise FileNotFoundError(f"heddle.core names files that are missing, such as {missing[0]}; `make core-file` writes the list")
    return files, top
