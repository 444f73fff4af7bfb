# SPDX-License-Identifier: Apache-2.0
"""The SoC of the tests: LiteX's SoCCore with LiteDRAM on a simulated chip, to which the lines of integration/litex/README.md add Heddle."""
import logging
import os
import re
import sys

from litedram.modules import MT48LC16M16
from litedram.phy.model import SDRAMPHYModel
from litex.build.generic_platform import Pins, Subsignal
from litex.build.sim import SimPlatform
from litex.gen import LiteXModule
from litex.soc.integration.soc_core import SoCCore
from litex.soc.interconnect.csr import CSRStorage
from migen import ClockDomain

README = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../integration/litex/README.md")
PINS = [("sys_clk", 0, Pins(1)), ("sys_rst", 0, Pins(1)), ("console", 0, Subsignal("valid", Pins(1)), Subsignal("data", Pins(32)))]


class Clock(LiteXModule):
    def __init__(self, platform):
        self.cd_sys = ClockDomain()
        self.comb += [self.cd_sys.clk.eq(platform.request("sys_clk")), self.cd_sys.rst.eq(platform.request("sys_rst"))]


class BaseSoC(SoCCore):
    """What a user has already. A word written to `console` is given to the test bench."""

    def __init__(self, frequency=100e6, **options):
        platform = SimPlatform("SIM", PINS)
        self.crg = Clock(platform)
        SoCCore.__init__(self, platform, clk_freq=frequency, with_uart=False, with_timer=False, ident="", **options)
        if not self.irq.enabled:  # without a CPU
            self.irq.enable()
        module = MT48LC16M16(frequency, "1:1")
        self.sdrphy = SDRAMPHYModel(module=module, data_width=32, clk_freq=frequency, verbosity=0)
        self.add_sdram("sdram", phy=self.sdrphy, module=module, l2_cache_size=0)
        self.console = CSRStorage(32)
        pads = platform.request("console")
        self.sync += [pads.valid.eq(self.console.re), pads.data.eq(self.console.storage)]


def lines_of_readme():
    with open(README, encoding="utf-8") as text:
        return re.search(r"```python\n(.*?)```", text.read(), re.S)[1]


def make(**options):
    """The SoC with Heddle, by the README's own lines."""
    space = {"BaseSoC": BaseSoC}
    exec(compile(lines_of_readme(), README, "exec"), space)
    return space["SoC"](**options)


def write_verilog(soc, folder):
    """top.v, and what memories hold at first, beside it."""
    before = os.getcwd()
    os.chdir(folder)
    try:
        soc.platform.get_verilog(soc, name="top").write("top.v")
    finally:
        os.chdir(before)


def main(folder):
    """Writes the Verilog of the SoC with a CPU, the list of its other files, and the address of `console`."""
    os.makedirs(folder, exist_ok=True)
    soc = make(cpu_type="vexriscv", cpu_variant="minimal", integrated_rom_size=0x20000, integrated_sram_size=0x20000,
               integrated_rom_init=[0x13] * 16)
    soc.finalize()
    with open(os.path.join(folder, "files"), "w", encoding="utf-8") as file:
        file.write("\n".join(os.path.relpath(source[0], os.getcwd()) for source in soc.platform.sources))
    with open(os.path.join(folder, "console"), "w", encoding="utf-8") as file:
        file.write(hex(soc.csr.regions["main"].origin))
    write_verilog(soc, folder)


if __name__ == "__main__":
    logging.disable(logging.CRITICAL)
    main(sys.argv[1])
