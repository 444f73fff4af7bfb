# SPDX-License-Identifier: Apache-2.0
"""A host and a PCIe core around rtl/pcie: cocotbext-pcie's root complex, and an endpoint of it that gives packets to the design
and takes its own, 64 bits at a time, as LitePCIe's PHYs do. Every packet of the design is checked against the rules of PCIe that
hold for all of them, and kept."""
import random

import cocotb
from cocotb.clock import Clock
from cocotb.queue import Queue
from cocotb.triggers import ClockCycles, Event, ReadOnly, RisingEdge
from cocotbext.axi import MemoryRegion
from cocotbext.pcie.core import Device, Endpoint, RootComplex
from cocotbext.pcie.core.caps import MsixCapability
from cocotbext.pcie.core.tlp import Tlp, TlpType
from cocotbext.pcie.core.utils import PcieId

CONFIGURATION = {TlpType.CFG_READ_0, TlpType.CFG_WRITE_0, TlpType.CFG_READ_1, TlpType.CFG_WRITE_1}
PAGE = 4096
HOST = PcieId(0, 0, 0)

# BAR 0 as contract/DEVICE.md has it.
OPENED, HEAD, STATUS, OPEN, TAIL, INTERRUPTS = 0x14, 0x18, 0x1C, 0x40, 0x44, 0x48
TABLE, PENDING, IN, OUT, DATA = 0x1000, 0x1800, 0x8000, 0xC000, 0x400
READ, WRITE, HOST_MEMORY = 1, 2, 0x100
DONE, NO_ADDRESS, NO_REQUEST, NO_HOST_MEMORY = 0, 1, 2, 3


class Core(Endpoint):
    """The PCIe core: configuration space is its own, the rest is the design's."""

    def __init__(self, dut, *arguments, **more):
        super().__init__(*arguments, **more)
        self.dut = dut
        self.vendor_id, self.device_id, self.subsystem_id = 0x10EE, 0x7024, 0x4844
        self.configure_bar(0, 1 << 17)
        self.msix_cap = MsixCapability()
        self.msix_cap.msix_table_offset, self.msix_cap.msix_pba_offset = TABLE, PENDING
        self.register_capability(self.msix_cap)
        self.to_design = Queue()
        self.sent = []  # by the design
        self.keeps = None  # if set, takes packets of the design that the host is not to see
        self.random = random.Random(1)
        self.pauses = 0.0  # how often a side waits for a cycle
        dut.rx_valid.value = 0
        dut.tx_ready.value = 0
        cocotb.start_soon(self.give())
        cocotb.start_soon(self.take())
        cocotb.start_soon(self.tell())

    async def handle_tlp(self, tlp):
        if tlp.fmt_type in CONFIGURATION:
            await super().handle_tlp(tlp)
        else:
            self.to_design.put_nowait(tlp)

    async def tell(self):
        """What a core says of its configuration."""
        told = None
        while True:
            now = (int(self.pcie_id), int(self.bus_master_enable), 128 << self.pcie_cap.max_payload_size,
                   128 << self.pcie_cap.max_read_request_size, int(self.msix_cap.msix_enable),
                   int(self.msix_cap.msix_function_mask))
            if now != told:
                told = now
                for signal, value in zip(("id", "master", "max_payload", "max_request", "msix_enable", "msix_mask"), now):
                    getattr(self.dut, signal).value = value
            await ClockCycles(self.dut.clk, 16)

    async def give(self):
        dut = self.dut
        while True:
            tlp = await self.to_design.get()
            packet = bytes(tlp.pack()) if isinstance(tlp, Tlp) else tlp
            words = [int.from_bytes(packet[i:i + 4], "big") for i in range(0, len(packet), 4)]
            for i in range(0, len(words), 2):
                while self.random.random() < self.pauses:
                    await RisingEdge(dut.clk)
                two = i + 1 < len(words)
                dut.rx_valid.value = 1
                dut.rx_data.value = words[i] | (words[i + 1] << 32 if two else 0)
                dut.rx_keep.value = 0xFF if two else 0x0F
                dut.rx_last.value = int(i + 2 >= len(words))
                while True:
                    await ReadOnly()
                    taken = int(dut.rx_ready.value)
                    await RisingEdge(dut.clk)
                    if taken:
                        break
                dut.rx_valid.value = 0
            if isinstance(tlp, Tlp):
                tlp.release_fc()

    async def take(self):
        dut, packet = self.dut, bytearray()
        while True:
            ready = int(self.random.random() >= self.pauses)
            dut.tx_ready.value = ready
            await ReadOnly()
            if ready and int(dut.rst.value) == 0 and int(dut.tx_valid.value):
                data, keep = int(dut.tx_data.value), int(dut.tx_keep.value)
                assert int(dut.tx_first.value) == (len(packet) == 0), "first beat of a packet"
                assert keep in (0xFF, 0x0F) and (keep == 0xFF or int(dut.tx_last.value)), "words of a beat"
                packet += (data & 0xFFFFFFFF).to_bytes(4, "big")
                packet += (data >> 32).to_bytes(4, "big") if keep == 0xFF else b""
                if int(dut.tx_last.value):
                    await self.packet_of_design(bytes(packet))
                    packet = bytearray()
            await RisingEdge(dut.clk)

    async def packet_of_design(self, packet):
        tlp = Tlp.unpack(packet)
        assert tlp.check(), f"a packet that breaks a rule: {tlp!r}"
        assert len(packet) == tlp.get_header_size() + (4 * tlp.length if tlp.has_data() else 0), f"length of {tlp!r}"
        if tlp.has_data():
            assert 4 * tlp.length <= 128 << self.pcie_cap.max_payload_size, f"more than the largest payload: {tlp!r}"
        if tlp.is_completion():
            assert int(tlp.completer_id) == int(self.pcie_id), f"who answers: {tlp!r}"
            rest = tlp.byte_count - (4 * tlp.length - tlp.lower_address % 4)
            ends = (tlp.lower_address & ~3) + 4 * tlp.length
            assert not tlp.has_data() or rest <= 0 or ends % 128 == 0, f"read completion boundary: {tlp!r}"
        else:
            assert int(tlp.requester_id) == int(self.pcie_id), f"who asks: {tlp!r}"
            assert tlp.address % PAGE + 4 * tlp.length <= PAGE, f"crosses a page: {tlp!r}"
            assert tlp.has_data() or 4 * tlp.length <= 128 << self.pcie_cap.max_read_request_size, f"more than allowed: {tlp!r}"
        self.sent.append(tlp)
        if self.keeps and self.keeps(tlp):
            return
        cocotb.start_soon(self.send(tlp))


class Card:
    """The whole: host, core and design, up and running. Addresses are offsets in BAR 0."""

    @classmethod
    async def make(cls, dut, pauses=0.2, max_payload=0, max_request=2, seed=1):
        card = cls()
        card.dut, card.random = dut, random.Random(seed)
        cocotb.start_soon(Clock(dut.clk, 8, "ns").start())
        dut.rst.value = 1
        card.core = Core(dut)
        card.core.pcie_cap.max_payload_size_supported = 2
        device = Device([card.core])
        card.host = RootComplex()
        card.host.max_payload_size = max_payload
        card.host.make_port().connect(device)
        # One piece of memory, which the host has below 4 GiB and above.
        card.memory = card.host.mem_pool.alloc_region(4 * PAGE)
        card.low, card.high = card.memory.get_absolute_address(0), 0x1234500000000
        card.host.mem_address_space.register_region(MemoryRegion(4 * PAGE, card.memory.mem), card.high)
        await ClockCycles(dut.clk, 10)
        dut.rst.value = 0
        await card.host.enumerate()
        card.core.pcie_cap.max_read_request_size = max_request  # the root complex leaves it as it is
        card.handle = card.host.find_device(card.core.pcie_id)
        await card.handle.enable_device()
        await card.handle.set_master()
        card.bar = card.handle.bar_window[0]
        card.core.pauses = pauses
        card.tail = 0
        card.core.sent.clear()
        return card

    # BAR 0, through the host.
    async def word(self, offset):
        return await self.bar.read_dword(offset)

    async def set_word(self, offset, value):
        await self.bar.write_dword(offset, value)

    def bar_address(self, offset):
        return self.handle.bar_addr[0] + offset

    def give(self, tlp):
        """A packet of the host as it is, or its bytes, past the root complex."""
        self.core.to_design.put_nowait(tlp)

    async def answer_to(self, tlp, first_byte=None, cycles=2000):
        """Gives a request, as another kind of packet if its first byte is to be another, and returns the packets that answer it,
        which the host does not see."""
        tlp.requester_id, tlp.tag = HOST, 0xA5
        answers, done = [], Event()

        def keep(packet):
            if not packet.is_completion() or packet.tag != 0xA5:
                return False
            answers.append(packet)
            if not packet.has_data() or packet.byte_count <= 4 * packet.length - packet.lower_address % 4:
                done.set()
            return True
        self.core.keeps = keep
        self.give(tlp if first_byte is None else bytes([first_byte]) + bytes(tlp.pack())[1:])
        for _ in range(cycles):
            await RisingEdge(self.dut.clk)
            if done.is_set():
                break
        self.core.keeps = None
        assert done.is_set(), f"no answer to {tlp!r}"
        return answers

    # Requests of the ring.
    async def submit(self, kind, address, count, place):
        words = [kind, address, count, place & 0xFFFFFFFF, place >> 32]
        await self.bar.write_dwords(IN + 32 * (self.tail % 16), words)
        self.tail += 1
        await self.set_word(TAIL, self.tail)

    async def ended(self, number):
        for _ in range(1000):
            if await self.word(HEAD) == number + 1 & 0xFFFFFFFF:
                return await self.word(OUT + 4 * (number % 16))
        raise AssertionError(f"request {number} does not end")

    async def request(self, kind, address, count, place):
        """Carries out one and returns what became of it."""
        await self.submit(kind, address, count, place)
        return await self.ended(self.tail - 1)

    # The device, past the link.
    def device_bytes(self, address, count):
        first, last = address // 32, (address + count - 1) // 32
        rows = b"".join(int(self.dut.memory[i].value).to_bytes(32, "little") for i in range(first, last + 1))
        return rows[address % 32:address % 32 + count]

    def set_device_bytes(self, address, data):
        assert address % 32 == 0 and len(data) % 32 == 0
        for i in range(0, len(data), 32):
            self.dut.memory[(address + i) // 32].value = int.from_bytes(data[i:i + 32], "little")

    def some(self, count):
        return self.random.randbytes(count)
