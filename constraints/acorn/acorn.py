#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""SQRL Acorn CLE-215+ (Artix-7 200T on PCIe): writes a Vivado project, Verilog and Tcl, of pcie_device.v behind LitePCIe's PHY.
Never built by Vivado and never run: README.md says what has been seen. Needs litepcie and litex-boards; use: acorn.py FOLDER."""
import glob
import os
import sys

from litepcie.phy.s7pciephy import S7PCIEPHY
from litex.gen import LiteXModule
from litex.soc.cores.clock import S7PLL
from litex.soc.integration.builder import Builder
from litex.soc.integration.soc_core import SoCMini
from litex_boards.platforms import sqrl_acorn
from migen import ClockDomain, ClockSignal, Instance, ResetSignal

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
CLOCK = 75e6


class Clocks(LiteXModule):
    def __init__(self, platform):
        self.cd_sys = ClockDomain()
        self.pll = pll = S7PLL(speedgrade=-2)
        pll.register_clkin(platform.request("clk200"), 200e6)
        pll.create_clkout(self.cd_sys, CLOCK)


class Acorn(SoCMini):
    def __init__(self, platform):
        self.crg = Clocks(platform)
        SoCMini.__init__(self, platform, int(CLOCK), ident="Heddle on Acorn")
        self.comb += platform.request("pcie_clkreq_n").eq(0)
        self.phy = phy = S7PCIEPHY(platform, platform.request("pcie_x4"), data_width=64, bar0_size=0x10000, msi_type="msi-x")
        # The card's ids, BAR 0 and table as contract/DEVICE.md has them.
        phy.update_config({"Subsystem_ID": "4844", "Bar0_Scale": "Kilobytes", "Bar0_Size": 64, "MSIx_Table_Size": "0",
                           "MSIx_Table_Offset": "1000", "MSIx_PBA_Offset": "1800"})
        self.specials += Instance(
            "pcie_device", name="pcie_device", p_CLOCK_KHZ=int(CLOCK / 1000), i_clk=ClockSignal("sys"), i_rst=ResetSignal("sys"),
            i_id_i=phy.id, i_master_i=phy._bus_master_enable.status, i_max_payload_i=phy.max_payload_size,
            i_max_request_i=phy.max_request_size, i_msix_enable_i=phy._msix_enable.status, i_rx_valid_i=phy.source.valid,
            o_rx_ready_o=phy.source.ready, i_rx_last_i=phy.source.last, i_rx_data_i=phy.source.dat, i_rx_keep_i=phy.source.be,
            o_tx_valid_o=phy.sink.valid, i_tx_ready_i=phy.sink.ready, o_tx_first_o=phy.sink.first, o_tx_last_o=phy.sink.last,
            o_tx_data_o=phy.sink.dat, o_tx_keep_o=phy.sink.be)
        folders = [f"rtl/{name}" for name in ("", "common", "dispatch", "group", "lane", "link", "memory", "pcie", "unit")]
        platform.add_verilog_include_path(TOP)
        for folder in folders:
            for source in sorted(glob.glob(os.path.join(TOP, folder, "*.v"))):
                platform.add_source(source)
        platform.add_source(os.path.join(TOP, "rtl/boards/pcie_device.v"))


def main():
    if len(sys.argv) != 2:
        sys.exit("use: acorn.py FOLDER")
    board = Acorn(sqrl_acorn.Platform(variant="cle-215+"))
    Builder(board, output_dir=sys.argv[1], compile_software=False, compile_gateware=False).build(build_name="acorn")


if __name__ == "__main__":
    main()
