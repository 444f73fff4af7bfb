# SPDX-License-Identifier: Apache-2.0
"""Heddle in a LiteX SoC: rtl/axi/heddle_axi.v as a LiteXModule. README.md beside this folder has the lines that a design needs."""
from litedram.frontend.axi import LiteDRAMAXI2Native
from litex.gen import LiteXModule
from litex.soc.interconnect.axi import AXIInterface, AXILiteInterface
from migen import Cat, ClockSignal, Instance, ResetSignal, Signal

from heddle_litex.sources import sources

CONTROL_BYTES = 0x1000


class _Interrupt:
    """What soc.irq looks for in a module."""

    def __init__(self):
        self.irq = Signal()


class Heddle(LiteXModule):
    """The device. `control` is its AXI4-Lite slave, for soc.bus.add_slave; `memory` has an AXI4 master for each of its channels, for
    connect() or any other way to memory; `ev` is its interrupt, for soc.irq.add.

    `base` is the bus address of its global memory, a multiple of `global_bytes`, which is a power of two. `data_width` is that of `memory` in
    bits, by default a beat: 32 times the lanes, 128 at least. All other parameters are those of heddle_axi.v, in small letters: lanes, slots,
    units, banks, fpu, processor, …
    """

    def __init__(self, platform, clk_freq, base, global_bytes=1 << 24, lanes=4, slots=8, banks=1, data_width=None, reads_log2=4, **parameters):
        beat = max(16, 4 * lanes)
        data_width = data_width or 8 * beat
        if global_bytes & (global_bytes - 1) or not 1 << 16 <= global_bytes <= 1 << 31:
            raise ValueError(f"global_bytes is {global_bytes}: it has to be a power of two, 65536 to 2147483648")
        if base % global_bytes:
            raise ValueError(f"base is {base:#x}: it has to be a multiple of global_bytes, {global_bytes:#x}")
        if data_width > 8 * beat or data_width & (data_width - 1) or data_width < 8:
            raise ValueError(f"data_width is {data_width}: it has to be a power of two, 8 to {8 * beat} with {lanes} lanes")
        self.base, self.global_bytes = base, global_bytes
        self.control = AXILiteInterface(data_width=32, address_width=32)
        self.memory = [AXIInterface(data_width=data_width, address_width=32, id_width=reads_log2) for _ in range(banks)]
        self.ev = _Interrupt()

        values = dict(lanes=lanes, slots=slots, banks=banks, global_log2=global_bytes.bit_length() - 1, clock_khz=int(clk_freq / 1e3),
                      reads_log2=reads_log2, id_bits=reads_log2, data_log2=(data_width // 8).bit_length() - 1, axi_address_bits=32, **parameters)
        # Plain numbers of 32 bits. Migen's own would be as narrow as their values, and so would sums that they are in.
        ports = {f"p_{name.upper()}": Instance.PreformattedParam(str(int(value))) for name, value in values.items()}
        ports["p_BASE"] = Instance.PreformattedParam(f"64'd{base}")
        ports.update(i_clk=ClockSignal("sys"), i_rst=ResetSignal("sys"), o_interrupt_o=self.ev.irq)
        ports.update(self._slave())
        ports.update(self._masters())
        self.specials += Instance("heddle_axi", **ports)

        verilog, include = sources()
        platform.add_verilog_include_path(include)
        for path in verilog:
            platform.add_source(path, "verilog")

    def _slave(self):
        ports = {}
        for channel, words, to_device in (("aw", ["addr", "prot"], True), ("w", ["data", "strb"], True), ("b", ["resp"], False),
                                          ("ar", ["addr", "prot"], True), ("r", ["data", "resp"], False)):
            endpoint = getattr(self.control, channel)
            ports[("i" if to_device else "o") + f"_s_axi_{channel}valid"] = endpoint.valid
            ports[("o" if to_device else "i") + f"_s_axi_{channel}ready"] = endpoint.ready
            for word in words:
                if word == "prot":
                    ports[f"i_s_axi_{channel}prot"] = 0
                elif word == "addr":
                    ports[f"i_s_axi_{channel}addr"] = endpoint.addr[:12]
                else:
                    ports[("i" if to_device else "o") + f"_s_axi_{channel}{word}"] = getattr(endpoint, word)
        return ports

    def _masters(self):
        ports = {}
        for channel, words, from_device in (("aw", ["id", "addr", "len", "size", "burst", "lock", "cache", "prot", "qos"], True),
                                            ("w", ["data", "strb", "last"], True), ("b", ["id", "resp"], False),
                                            ("ar", ["id", "addr", "len", "size", "burst", "lock", "cache", "prot", "qos"], True),
                                            ("r", ["id", "data", "resp", "last"], False)):
            endpoints = [getattr(axi, channel) for axi in self.memory]
            ports[("o" if from_device else "i") + f"_m_axi_{channel}valid"] = Cat(*(e.valid for e in endpoints))
            ports[("i" if from_device else "o") + f"_m_axi_{channel}ready"] = Cat(*(e.ready for e in endpoints))
            for word in words:
                direction, signals = "o" if from_device else "i", [getattr(e, word) for e in endpoints]
                if word == "lock":  # LiteX has AXI3's two bits
                    signals = [signal[:1] for signal in signals]
                ports[f"{direction}_m_axi_{channel}{word}"] = Cat(*signals)
        # A burst of a beat on a bus of a beat is one transfer; LiteX's streams have `first` and `last` besides.
        for axi in self.memory:
            self.comb += [axi.aw.last.eq(1), axi.ar.last.eq(1)]
        return ports

    def connect(self, soc, axi, memory="main_ram"):
        """Joins one of `memory` with LiteDRAM by a port of its own, past all caches of the SoC."""
        region = soc.bus.regions[memory]
        if self.base < region.origin or self.base + self.global_bytes > region.origin + region.size:
            raise ValueError(f"{self.base:#x} to {self.base + self.global_bytes:#x} is not all in {memory}")
        port = soc.sdram.crossbar.get_port(data_width=axi.data_width)
        self.add_module(name=f"port_{self.memory.index(axi)}", module=LiteDRAMAXI2Native(axi, port, base_address=region.origin))


def device_tree(name, csr):
    """A node of a device tree, in the way of litex_json2dts_linux: for the SoC whose csr.json has been read to `csr`, with the device under this
    name. The memory is one that Linux leaves alone; UIO offers both to programs."""
    control = csr["memories"][name]["base"]
    constants = csr["constants"]
    base, size = constants[f"{name}_base"], constants[f"{name}_global_bytes"]
    interrupt = constants.get(f"{name}_interrupt")
    lines = [f"{name}: heddle@{control:x} {{", '\tcompatible = "heddle,device", "generic-uio";',
             f"\treg = <0x{control:x} 0x{CONTROL_BYTES:x}>, <0x{base:x} 0x{size:x}>;", '\treg-names = "control", "memory";']
    if interrupt is not None:
        lines.append(f"\tinterrupts = <{interrupt}>;")
    return "\n".join(lines + ['\tstatus = "okay";', "};", ""])
