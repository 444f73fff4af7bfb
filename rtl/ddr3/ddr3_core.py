# SPDX-License-Identifier: Apache-2.0
"""Writes ddr3_core.v: litedram's controller and its DDR3 PHY for ECP5, with ddr3_start.v and ddr3_steps.v, which start the chip over their registers.

usage: ddr3_core.py [--model] BOARD.json KHZ FILE.v

"ddr3" in BOARD.json says what is on the board: chip (as litedram calls it), address_pins, command_delay (of DELAYG, for what leaves
but data), swapped_masks (dm[0] is at the chip's UDM). KHZ is the frequency of clk; clk2x has twice that, and so has the chip.
With --model the PHY is ddr3_phy_model (sim/ddr3), which knows a chip and needs no pins.
"""

import json
import sys

from litedram import modules
from litedram.core import LiteDRAMCore
from litedram.core.controller import ControllerSettings
from litedram.init import get_sdram_phy_init_sequence
from litedram.phy import ECP5DDRPHY
from litedram.phy.dfi import Interface
from litex.soc.interconnect import csr_bus
from litex.soc.interconnect.csr import CSR, AutoCSR, CSRStatus, CSRStorage
from migen import Cat, ClockDomain, ClockSignal, Instance, Module, Record, ResetSignal, Signal
from migen.fhdl import verilog
from migen.fhdl.specials import Tristate

REFRESH_NS = {27: 110, 28: 160, 29: 300, 30: 350}  # tRFC by log2 of the chip's bytes, as data sheets have it
BYTES = 2  # of the chip's data pins
COMMAND_PINS = "ras_n cas_n we_n cs_n cke odt reset_n clk_p".split()
# Registers that ddr3_steps.v uses, by the name of its parameter; those of a phase are put together below.
REGISTERS = {"CONTROL": "dfii_control0", "SELECT": "dly_sel0", "DELAY_RESET": "rdly_dq_rst", "DELAY_NEXT": "rdly_dq_inc",
             "SLIP_RESET": "rdly_dq_bitslip_rst", "SLIP_NEXT": "rdly_dq_bitslip", "BURST_CLEAR": "burstdet_clr", "BURST_SEEN": "burstdet_seen"}
OF_PHASE = {"COMMAND": "command0", "ISSUE": "command_issue", "ADDRESS": "address0", "BANK": "baddress0"}
ASKED = {"start": 1, "try": 1, "turn": 1, "hand_over": 1, "test": 2, "slip": 1, "zero": 1, "bytes": BYTES}  # of ddr3_steps.v by ddr3_start.v


class Pad:
    """A pin that goes both ways as the FPGA's own cell: nextpnr wants nothing between it and those of the PHY."""

    @staticmethod
    def lower(tristate):
        made = Module()
        made.specials += Instance("BB", io_B=tristate.target, i_I=tristate.o, o_O=tristate.i, i_T=~tristate.oe)
        return made


class ModelPhy(Module, AutoCSR):
    """The registers of ECP5DDRPHY and ddr3_phy_model behind them."""

    def __init__(self, settings, khz, address_bits, bank_bits):
        self.settings = settings
        for name in "rdly_dq_rst rdly_dq_inc rdly_dq_bitslip_rst rdly_dq_bitslip burstdet_clr".split():
            setattr(self, "_" + name, CSR(name=name))
        self._dly_sel = CSRStorage(BYTES)
        self._burstdet_seen = CSRStatus(BYTES)
        self.dfi = dfi = Interface(address_bits, bank_bits, settings.nranks, settings.dfi_databits, settings.nphases)
        valid = Signal()
        ports = {"i_clk": ClockSignal(), "i_rst": ResetSignal(), "i_select_i": self._dly_sel.storage, "i_delay_reset_i": self._rdly_dq_rst.re,
                 "i_delay_next_i": self._rdly_dq_inc.re, "i_slip_reset_i": self._rdly_dq_bitslip_rst.re,
                 "i_slip_next_i": self._rdly_dq_bitslip.re, "i_burst_clear_i": self._burstdet_clr.re,
                 "o_burst_seen_o": self._burstdet_seen.status, "o_read_valid_o": valid}
        for name in "address bank cs_n ras_n cas_n we_n cke odt reset_n wrdata wrdata_mask wrdata_en rddata_en".split():
            ports[f"i_{name}_i"] = Cat(*[getattr(phase, name) for phase in dfi.phases])
        ports["o_rddata_o"] = Cat(*[phase.rddata for phase in dfi.phases])
        self.comb += [phase.rddata_valid.eq(valid) for phase in dfi.phases]
        self.specials += Instance("ddr3_phy_model", p_CLOCK_KHZ=khz, p_ADDRESS_BITS=address_bits, p_READ_LATENCY=settings.read_latency,
                                  p_WRITE_LATENCY=settings.write_latency, p_CAS_LATENCY=settings.cl, p_CAS_WRITE_LATENCY=settings.cwl, **ports)


class Core(Module):
    def __init__(self, board, khz, is_model):
        hertz = khz * 1000
        chip = getattr(modules, board["chip"])(hertz, "1:2")
        geometry, timing = chip.geom_settings, chip.timing_settings
        # litedram's is in cycles of the chip's fastest clock.
        timing.tRFC = chip.ns_to_cycles(REFRESH_NS[geometry.bankbits + geometry.rowbits + geometry.colbits + BYTES - 1])
        bits = {"a": board["address_pins"], "ba": geometry.bankbits, "dm": BYTES, "dq": 8 * BYTES, "dqs_p": BYTES}
        pads = Record([(name, bits.get(name, 1)) for name in [*bits, *COMMAND_PINS]], name="ddram")
        for name in [*bits, *COMMAND_PINS]:
            getattr(pads, name).name_override = "ddram_" + name

        def port(name, width=1):
            made = Signal(width, name_override=name)
            self.ports.add(made)
            return made

        self.ports = set(pads.flatten())
        for name in ("sys", "sys2x", "init"):
            domain = ClockDomain(name, reset_less=name == "sys2x")
            domain.clk = port({"sys": "clk", "sys2x": "clk2x", "init": "clk_init"}[name])
            if name != "sys2x":
                domain.rst = port({"sys": "rst", "init": "rst_init"}[name])
            setattr(self.clock_domains, "cd_" + name, domain)

        phy = ECP5DDRPHY(pads, sys_clk_freq=hertz, cmd_delay=board["command_delay"],
                         dm_remapping={0: 1, 1: 0} if board["swapped_masks"] else None)
        phy.settings.rtt_nom = "disabled"  # one chip, next to the FPGA: terminated for writes only
        settings = phy.settings
        stop, stopped = port("stop_o"), port("reset_o")
        if is_model:
            phy = ModelPhy(settings, khz, board["address_pins"], bits["ba"])
            self.comb += [stop.eq(0), stopped.eq(0)]
        else:
            self.comb += [stop.eq(phy.init.stop), stopped.eq(phy.init.reset)]
        self.submodules.phy = phy
        # A bank's commands wait in a register instead of a FIFO: one request at a time comes (ddr3.v), whose bursts are all of one bank.
        controller = ControllerSettings(cmd_buffer_depth=1)
        self.submodules.core = core = LiteDRAMCore(phy, geometry, timing, hertz, controller_settings=controller)
        # The chip stays in reset until ddr3_start.v takes it out.
        core.dfii._control.storage.reset.value = 0

        bus = csr_bus.Interface(data_width=32)
        bank = csr_bus.CSRBank(core.get_csrs() + phy.get_csrs(), bus=bus, ordering="little")
        self.submodules.bank = bank
        place = {register.name: at for at, register in enumerate(bank.simple_csrs)}
        where = {f"p_{name}": place[register] for name, register in REGISTERS.items()}
        for prefix, phase in (("", 0), ("WRITE_", settings.wrphase), ("READ_", settings.rdphase)):
            where.update({f"p_{prefix}{name}": place[f"dfii_pi{phase}_{register}"] for name, register in OF_PHASE.items()})
        for name, register in (("WRITE_DATA", "wrdata"), ("READ_DATA", "rddata")):
            words = [place[f"dfii_pi{phase}_{register}{word}"] for phase in range(2) for word in range(2)]
            where["p_" + name] = sum(at << 8 * word for word, at in enumerate(words))
        sequence, _ = get_sdram_phy_init_sequence(settings, timing)
        modes = {at: value for what, value, at, _, _ in sequence if what.startswith("Load Mode Register")}
        asked = {name: Signal(width) for name, width in ASKED.items()}
        done, good = Signal(), Signal(BYTES)
        self.specials += Instance("ddr3_start", i_clk=ClockSignal(), i_rst=ResetSignal(), **{f"o_{name}_o": signal for name, signal in asked.items()},
                                  i_done_i=done, i_good_i=good, o_ready_o=port("ready_o"), o_failed_o=port("failed_o"),
                                  o_chosen_o=port("chosen_o", 10))
        self.specials += Instance("ddr3_steps", p_CLOCK_KHZ=khz, **where, **{f"p_MODE_{at}": modes[at] for at in range(4)}, i_clk=ClockSignal(),
                                  i_rst=ResetSignal(), **{f"i_{name}_i": signal for name, signal in asked.items()}, o_done_o=done, o_good_o=good,
                                  o_address_o=bus.adr, o_write_o=bus.we, o_data_o=bus.dat_w, i_data_i=bus.dat_r)

        user = core.crossbar.get_port()
        self.comb += [
            user.cmd.valid.eq(port("cmd_valid_i")),
            user.cmd.we.eq(port("cmd_we_i")),
            user.cmd.addr.eq(port("cmd_addr_i", user.address_width)),
            port("cmd_ready_o").eq(user.cmd.ready),
            user.wdata.valid.eq(1),
            user.wdata.data.eq(port("wdata_i", user.data_width)),
            user.wdata.we.eq(port("wdata_we_i", user.data_width // 8)),
            port("wdata_ready_o").eq(user.wdata.ready),
            user.rdata.ready.eq(1),
            port("rdata_valid_o").eq(user.rdata.valid),
            port("rdata_o", user.data_width).eq(user.rdata.data),
        ]


def main():
    words = [word for word in sys.argv[1:] if word != "--model"]
    if len(words) != 3 or not words[1].isdigit():
        sys.exit(__doc__)
    with open(words[0], encoding="utf-8") as file:
        board = json.load(file)["ddr3"]
    core = Core(board, int(words[1]), "--model" in sys.argv[1:])
    text = str(verilog.convert(core, core.ports, name="ddr3_core", special_overrides={Tristate: Pad}))
    with open(words[2], "w", encoding="utf-8") as file:
        file.write(text)


if __name__ == "__main__":
    main()
