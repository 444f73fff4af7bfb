# SPDX-License-Identifier: Apache-2.0
"""What stands around rtl/axi/axi_memory.v: a memory on the bus that serves bursts in any order that AXI allows, with cocotbext-axi's channels;
the rules that hold in every cycle; and the device's side of the channel."""
import random

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import FallingEdge, ReadOnly, RisingEdge
from cocotbext.axi.axi_channels import AxiARBus, AxiARSink, AxiAWBus, AxiAWSink, AxiBBus, AxiBSource, AxiRBus, AxiRSource, AxiWBus, AxiWSink

OKAY, SLVERR, DECERR = 0, 2, 3
BASE = 0x1200000000


class Memory:
    """Memory on the bus. Each burst is carried out at one moment between its request and its answer; which of those that wait is next is left
    to chance, as far as bursts of one ID stay in order. Transfers of lines of several IDs are mixed."""

    def __init__(self, dut, randomness, pauses, latency=0, in_order=False):
        self.random, self.latency, self.in_order = randomness, latency, in_order
        self.clk, self.width = dut.clk, len(dut.m_axi_rdata) // 8
        self.bytes = bytearray(randomness.randbytes(1 << 16))
        self.wrong_reads, self.wrong_writes = set(), set()  # addresses of transfers, and of bursts, that fail
        self.ar = AxiARSink(AxiARBus.from_prefix(dut, "m_axi"), dut.clk, dut.rst)
        self.r = AxiRSource(AxiRBus.from_prefix(dut, "m_axi"), dut.clk, dut.rst)
        self.aw = AxiAWSink(AxiAWBus.from_prefix(dut, "m_axi"), dut.clk, dut.rst)
        self.w = AxiWSink(AxiWBus.from_prefix(dut, "m_axi"), dut.clk, dut.rst)
        self.b = AxiBSource(AxiBBus.from_prefix(dut, "m_axi"), dut.clk, dut.rst)
        if pauses:
            for channel in (self.ar, self.r, self.aw, self.w, self.b):
                channel.set_pause_generator(self.pauses(pauses))
        self.reads, self.writes = [], []  # lists of [ID, ...] in the order in which they were asked for
        self.cycle = self.bursts = self.reordered = 0
        cocotb.start_soon(self.run())

    def pauses(self, share):
        chance = random.Random(self.random.random())
        while True:
            stretch, waits = chance.randrange(1, 30), chance.random() < 0.5
            for _ in range(stretch):  # stretches without a pause, and stretches with many
                yield waits and chance.random() < 2 * share

    def check(self, burst, prefix, transfers):
        address = int(getattr(burst, prefix + "addr"))
        assert address % (self.width * transfers) == 0, f"{prefix}addr {address:x} is not that of a whole burst"
        assert BASE <= address < BASE + len(self.bytes), f"{prefix}addr {address:x} is outside memory"
        told = [int(getattr(burst, prefix + name)) for name in ("len", "size", "burst", "lock", "cache", "prot", "qos")]
        assert told == [transfers - 1, self.width.bit_length() - 1, 1, 0, 2, 0, 0], f"{prefix}: {told}"
        return address - BASE

    def pick(self, waiting):
        """One of the bursts that may be carried out: the first of an ID, once its time has come."""
        first = {}
        for burst in waiting:
            first.setdefault(burst[0], burst)
        may = [burst for burst in first.values() if burst[1] <= self.cycle]
        if self.in_order:
            may = may[:1] if may and may[0] is waiting[0] else []
        if may:
            chosen = self.random.choice(may)
            self.reordered += chosen is not waiting[0]
            return chosen
        return None

    async def run(self):
        self.data = []
        while True:
            await RisingEdge(self.clk)
            self.cycle += 1
            while not self.ar.empty():
                burst = self.ar.recv_nowait()
                self.reads.append([int(burst.arid), self.cycle + self.latency, self.check(burst, "ar", self.line // self.width), None, 0])
                self.bursts += 1
            while not self.aw.empty():
                burst = self.aw.recv_nowait()
                self.writes.append([int(burst.awid), self.cycle + self.latency, self.check(burst, "aw", self.beat // self.width), None])
            while not self.w.empty():
                self.data.append(self.w.recv_nowait())
                if int(self.data[-1].wlast):
                    burst = next(burst for burst in self.writes if burst[3] is None)  # data has no ID: it is in the order of addresses
                    burst[3] = self.data
                    assert len(self.data) == self.beat // self.width, f"a burst of {len(self.data)} transfers"
                    self.data = []
            for _ in range(1 if self.in_order else self.random.randrange(3)):
                self.write()
            for _ in range(1 if self.in_order else self.random.randrange(3)):
                self.read()

    def write(self):
        burst = self.pick([burst for burst in self.writes if burst[3] is not None])
        if not burst or self.b.count() > 1 or (not self.in_order and self.random.random() < 0.3):
            return
        self.writes.remove(burst)
        failed = burst[2] in self.wrong_writes
        for number, transfer in enumerate(burst[3]):
            for i in range(self.width):
                if int(transfer.wstrb) >> i & 1 and not failed:
                    self.bytes[burst[2] + number * self.width + i] = int(transfer.wdata) >> 8 * i & 0xFF
        self.b.send_nowait(self.b._transaction_obj(bid=burst[0], bresp=self.random.choice([SLVERR, DECERR]) if failed else OKAY))

    def read(self):
        burst = self.pick(self.reads)
        if not burst or self.r.count() > 1:
            return
        ident, _, address, line, number = burst
        if line is None:
            line = burst[3] = bytes(self.bytes[address:address + self.line])
        at = number * self.width
        wrong, last = address + at in self.wrong_reads, at + self.width == self.line
        data = int.from_bytes(line[at:at + self.width], "little") ^ (wrong << 5)
        self.r.send_nowait(self.r._transaction_obj(rid=ident, rdata=data, rlast=last,
                                                   rresp=self.random.choice([SLVERR, DECERR]) if wrong else OKAY))
        burst[4] += 1
        if last:
            self.reads.remove(burst)


class Channel:
    """The whole: the module, memory behind it and the device in front of it. What comes is held against memory in which all requests are
    carried out one after the other."""

    @classmethod
    async def make(cls, dut, seed=1, pauses=0.3, takes=0.7, **memory):
        channel = cls()
        channel.dut, channel.random, channel.takes = dut, random.Random(seed), takes
        channel.beat, channel.line = 1 << int(dut.BEAT_LOG2.value), 1 << int(dut.LINE_LOG2.value)
        cocotb.start_soon(Clock(dut.clk, 10, "ns").start())
        dut.rst.value, dut.request_valid_i.value, dut.response_ready_i.value = 1, 0, 0
        channel.memory = Memory(dut, channel.random, pauses, **memory)
        channel.memory.beat, channel.memory.line = channel.beat, channel.line
        channel.expected = bytearray(channel.memory.bytes)
        channel.asked, channel.cycle = [], 0
        channel.received = []  # cycles
        channel.errors = 0  # cycles in which an error was told
        channel.wrong_beats = 0
        for _ in range(4):
            await RisingEdge(dut.clk)
        dut.rst.value = 0
        cocotb.start_soon(channel.rules())
        cocotb.start_soon(channel.take())
        await FallingEdge(dut.clk)
        return channel

    async def rules(self):
        """What AXI asks of every cycle."""
        dut, before = self.dut, {}
        payloads = {"ar": ["id", "addr", "len", "size", "burst"], "aw": ["id", "addr", "len", "size", "burst"], "w": ["data", "strb", "last"]}
        addresses = bursts = 0  # accepted addresses of writes, and bursts of data that have begun
        inside = False
        while True:
            await ReadOnly()
            for name, parts in payloads.items():
                valid = int(getattr(dut, f"m_axi_{name}valid").value)
                payload = [str(getattr(dut, f"m_axi_{name}{part}").value) for part in parts] if valid else None
                assert not valid or all(set(part) <= {"0", "1"} for part in payload), f"{name}: an undefined bit"
                if before.get(name) is not None:
                    assert payload == before[name], f"{name}valid fell, or what was offered changed, before it was accepted"
                before[name] = payload if valid and not int(getattr(dut, f"m_axi_{name}ready").value) else None
            if int(dut.m_axi_wvalid.value) and not inside:
                bursts, inside = bursts + 1, True
                assert bursts <= addresses, "data was offered before its address was accepted"
            if inside and int(dut.m_axi_wready.value) and int(dut.m_axi_wlast.value):
                inside = False
            addresses += int(dut.m_axi_awvalid.value) and int(dut.m_axi_awready.value)
            assert int(dut.m_axi_rready.value) and int(dut.m_axi_bready.value), "what was asked for is taken at once"
            await RisingEdge(dut.clk)

    async def take(self):
        """Takes beats, and counts cycles."""
        dut = self.dut
        while True:
            await FallingEdge(dut.clk)
            ready = self.random.random() < self.takes
            dut.response_ready_i.value = int(ready)
            await ReadOnly()
            error = int(dut.memory_error_o.value)
            self.errors += error
            if int(dut.response_valid_o.value):
                assert self.asked, "a beat came that nobody asked for"
                address, data = self.asked[0]
                wrong = any(address + i in self.memory.wrong_reads for i in range(self.beat))
                assert error or not wrong, f"the beat at {address:x} is wrong, and no error is told"
                got = int(dut.response_data_o.value).to_bytes(self.beat, "little")
                assert wrong or got == data, f"the beat at {address:x}: expected {data.hex()}, got {got.hex()}"
                if ready:
                    self.asked.pop(0)
                    self.wrong_beats += wrong
                    self.received.append(self.cycle)
            self.cycle += 1

    async def request(self, store, address, data=b"", strobe=0, most=4000):
        """Gives one, and returns whether it was taken within so many cycles."""
        dut = self.dut
        dut.request_valid_i.value, dut.request_store_i.value, dut.request_address_i.value = 1, int(store), address
        if store:
            dut.request_data_i.value, dut.request_strobe_i.value = int.from_bytes(data, "little"), strobe
        for _ in range(most):
            await ReadOnly()
            taken = int(dut.request_ready_o.value)
            if taken:
                break
            await FallingEdge(dut.clk)
        if not taken:
            dut.request_valid_i.value = 0
            return False
        if store and address not in self.memory.wrong_writes:
            for i in range(self.beat):
                if strobe >> i & 1:
                    self.expected[address + i] = data[i]
        if not store:
            self.asked += [(address + i, bytes(self.expected[address + i:address + i + self.beat])) for i in range(0, self.line, self.beat)]
        await FallingEdge(dut.clk)
        dut.request_valid_i.value = 0
        return True

    async def store(self, address, strobe=None):
        every = (1 << self.beat) - 1
        assert await self.request(True, address, self.random.randbytes(self.beat), every if strobe is None else strobe), "a write is not taken"

    async def load(self, address):
        assert await self.request(False, address), "a read is not taken"

    async def some(self, count, lines, stores=0.5, idle=0.3):
        """So many random requests for so many lines."""
        for _ in range(count):
            while self.random.random() < idle:
                await FallingEdge(self.dut.clk)
            line = self.random.randrange(lines) * self.line
            if self.random.random() < stores:
                await self.store(line + self.random.randrange(self.line // self.beat) * self.beat, strobe=self.random.getrandbits(self.beat))
            else:
                await self.load(line)

    async def all_came(self, most=5000):
        """Waits until nothing is in flight."""
        for _ in range(most):
            await ReadOnly()
            done = not self.asked and int(self.dut.idle_o.value)
            await FallingEdge(self.dut.clk)
            if done:
                return
        raise AssertionError(f"{len(self.asked)} beats never came, or writes are never answered")
