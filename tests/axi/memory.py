# SPDX-License-Identifier: Apache-2.0
"""What rtl/axi/axi_memory.v promises. Run by axi.py in Icarus Verilog, each test on the module after reset."""
import os

import cocotb
from cocotb.triggers import FallingEdge, ReadOnly

from bus import Channel

LONG = 10 if os.environ.get("HEDDLE_TEST_LONG") else 1


@cocotb.test(timeout_time=20000 * LONG, timeout_unit="us")
async def lines_hold_all_that_was_written_before_and_nothing_of_later(dut):
    """Few lines, so that almost every request meets others."""
    channel = await Channel.make(dut, seed=1)
    for lines in (1, 3, 20):
        await channel.some(250 * LONG, lines)
        await channel.all_came()
        assert channel.memory.bytes == channel.expected, "what memory holds at the end"
    assert channel.memory.reordered > 10, f"only {channel.memory.reordered} bursts changed places"


@cocotb.test(timeout_time=10000, timeout_unit="us")
async def requests_without_pauses_keep_their_order(dut):
    channel = await Channel.make(dut, seed=2, pauses=0, takes=1, latency=20)
    await channel.some(300, 4, idle=0)
    await channel.all_came()
    assert channel.memory.bytes == channel.expected, "what memory holds at the end"


@cocotb.test(timeout_time=10000, timeout_unit="us")
async def lines_come_without_a_bubble_between_bursts(dut):
    """As fast as the bus: a line of 64 bytes every 4 cycles at 16 bytes, from a memory of 20 cycles that has none itself."""
    channel = await Channel.make(dut, pauses=0, takes=1, latency=20, in_order=True)
    transfers = channel.line // channel.memory.width
    slots = 1 << int(dut.READS_LOG2.value)
    lines = 60
    for i in range(lines):
        await channel.load(i * channel.line)
    await channel.all_came()
    beats = channel.line // channel.beat
    cycles = channel.received[-1] - channel.received[0]
    if slots * transfers >= 20 + 12:  # as many in flight as the latency needs
        assert cycles == lines * transfers - transfers // beats, f"{lines} lines took {cycles} cycles from the first beat to the last"
    else:
        assert cycles <= lines * (20 + 12 + transfers) // slots, f"{lines} lines took {cycles} cycles, {slots} in flight"


@cocotb.test(timeout_time=10000, timeout_unit="us")
async def a_request_takes_three_cycles_to_the_bus_and_a_beat_two_back(dut):
    channel = await Channel.make(dut, pauses=0, takes=1, in_order=True)
    seen = {}

    async def watch():
        transfers = cycle = 0
        while True:
            await ReadOnly()
            if int(dut.request_valid_i.value):
                seen.setdefault("offered", cycle)
            if int(dut.m_axi_arvalid.value):
                seen.setdefault("on the bus", cycle)
            if int(dut.m_axi_rvalid.value):
                transfers += 1
                if transfers == channel.beat // channel.memory.width:
                    seen["came"] = cycle
            if int(dut.response_valid_o.value):
                seen.setdefault("stands", cycle)
            await FallingEdge(dut.clk)
            cycle += 1
    cocotb.start_soon(watch())
    await channel.load(0)
    await channel.all_came()
    assert seen["on the bus"] - seen["offered"] == 3, f"{seen}"
    assert seen["stands"] - seen["came"] == 2, f"{seen}"


@cocotb.test(timeout_time=10000, timeout_unit="us")
async def beats_are_written_without_a_bubble(dut):
    channel = await Channel.make(dut, pauses=0, takes=1, latency=0, in_order=True)
    transfers = channel.beat // channel.memory.width
    if 1 << int(dut.WRITES_LOG2.value) < 12:
        return  # too few in flight for what an answer takes
    began, count = channel.cycle, 100
    for i in range(count):
        await channel.store(i * channel.beat)
    cycles = channel.cycle - began
    assert cycles <= count * transfers + 2, f"{count} beats took {cycles} cycles"
    await channel.all_came()
    assert channel.memory.bytes == channel.expected, "what memory holds at the end"


@cocotb.test(timeout_time=10000, timeout_unit="us")
async def writes_are_taken_while_lines_stand(dut):
    channel = await Channel.make(dut, seed=3, takes=0)
    loads = 0
    while loads < 100 and await channel.request(False, loads * channel.line, most=300):
        loads += 1
    # Where a line is a beat, one more has room at the response port.
    assert loads == (1 << int(dut.READS_LOG2.value)) + (channel.line == channel.beat), f"{loads} lines were taken"
    for i in range(40):  # also to lines that stand
        await channel.store(i * channel.beat)
    channel.takes = 1
    await channel.all_came()
    assert channel.memory.bytes == channel.expected, "what memory holds at the end"


@cocotb.test(timeout_time=10000, timeout_unit="us")
async def a_beat_that_memory_could_not_read_stands_with_an_error(dut):
    channel = await Channel.make(dut, seed=4)
    channel.memory.wrong_reads = {line * channel.line + channel.random.randrange(channel.line // channel.memory.width) * channel.memory.width
                                  for line in (1, 5, 6)}
    await channel.some(200, 8, stores=0)
    await channel.all_came()
    assert channel.wrong_beats > 10, f"{channel.wrong_beats} wrong beats"
    before = channel.errors
    channel.memory.wrong_reads = set()
    await channel.some(50, 8, stores=0)
    await channel.all_came()
    assert channel.errors == before, "an error is told of beats that are right"


@cocotb.test(timeout_time=10000, timeout_unit="us")
async def a_write_that_is_lost_is_told_once(dut):
    channel = await Channel.make(dut, seed=5)
    channel.memory.wrong_writes = {channel.beat * i for i in range(0, 64, 8)}
    for i in range(64):
        await channel.store(i * channel.beat)
    await channel.all_came()
    await FallingEdge(dut.clk)
    await FallingEdge(dut.clk)
    assert channel.errors == 8, f"{channel.errors} errors, not 8"
    assert channel.memory.bytes == channel.expected, "what memory holds at the end"


@cocotb.test(timeout_time=10000, timeout_unit="us")
async def a_line_waits_for_no_write_but_those_to_it(dut):
    """Memory answers no write; lines come all the same, but for the one that is written."""
    channel = await Channel.make(dut, seed=6, pauses=0, takes=1, in_order=True)
    channel.memory.b.pause = True
    await channel.store(0)
    for line in range(1, 1 + (1 << int(dut.READS_LOG2.value))):
        await channel.load(line * channel.line)
    for _ in range(400):
        await FallingEdge(dut.clk)
    assert not channel.asked, f"{len(channel.asked)} beats wait for an answer to a write to another line"
    await channel.load(0)
    for _ in range(100):
        await FallingEdge(dut.clk)
    assert len(channel.asked) == channel.line // channel.beat, "a line was read before the write to it was answered"
    channel.memory.b.pause = False
    await channel.all_came()
