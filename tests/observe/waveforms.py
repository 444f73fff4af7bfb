# SPDX-License-Identifier: Apache-2.0
"""A small device that records waveforms, and what it recorded, read with pywellen: the reader of Surfer, which shares no
code with Verilator's writer."""
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import pywellen
import tap
from tap import expect

# Of its shape the tests have a device that records nothing, too. This one is made once and kept.
KEPT = os.path.join(os.path.abspath(tap.BUILD), "tests/observe/waves-cache")
DEVICE = {"HEDDLE_SIM_LANES": "8", "HEDDLE_SIM_SLOTS": "4", "HEDDLE_SIM_UNITS": "1", "HEDDLE_SIM_PROCESSOR": "0",
          "HEDDLE_CACHE_DIR": KEPT, "HEDDLE_CACHE_BYTES": "1000000000"}
UNIT = "TOP.heddle.compute_units.compute[0].compute_unit.programmable.unit."
CYCLE = 1000  # of the unit of time

os.makedirs(KEPT, mode=0o700, exist_ok=True)


class Waves:
    """A file of waveforms: values of signals in the middle of a cycle, when all are settled."""

    def __init__(self, path):
        self.file = pywellen.Waveform(path)
        self.vars = {var.full_name: var for var in self.file.all_vars()}
        self.signals = {}

    def signal(self, name):
        if name not in self.signals:
            expect(True, name in self.vars, f"a signal {name}")
            self.signals[name] = self.vars[name].signal
        return self.signals[name]

    def changes(self, name):
        return list(self.signal(name))

    def at(self, name, cycle):
        return self.signal(name).value_at(cycle * CYCLE + CYCLE // 2)

    def cycles(self):
        """The cycles in the file: the clock rises at the beginning of each but perhaps the first, and falls in its middle."""
        return [time // CYCLE for time, value in self.changes("TOP.clk") if value == 0]

    def commits(self):
        """PCs of what took effect, in the order of cycles: instructions, not starts of sub-groups."""
        found = []
        for cycle in self.cycles():
            if self.at(UNIT + "e3_commit", cycle) and not self.at(UNIT + "stages.e3_launch", cycle) \
                    and not self.at(UNIT + "e3_again", cycle):
                found.append(self.at(UNIT + "stages.e3_pc", cycle))
        return found
