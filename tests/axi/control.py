# SPDX-License-Identifier: Apache-2.0
"""What rtl/axi/axi_control.v and axi_sync.v promise, with cocotbext-axi's AXI4-Lite master. Run by axi.py in Icarus Verilog."""
import random

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import ClockCycles, ReadOnly, RisingEdge
from cocotbext.axi import AxiLiteBus, AxiLiteMaster, AxiResp

SYNC, RESET, ENABLE, INTERRUPT, STATE, BASE = 0x800, 0x804, 0x808, 0x80C, 0x810, 0x818  # contract/DEVICE.md


async def make(dut, pauses=0.0, seed=1):
    chance = random.Random(seed)
    cocotb.start_soon(Clock(dut.clk, 10, "ns").start())
    dut.rst.value, dut.ready.value, dut.busy.value, dut.cache_idle.value, dut.channels_idle.value = 1, 1, 0, 1, 1
    master = AxiLiteMaster(AxiLiteBus.from_prefix(dut, "s_axi"), dut.clk, dut.rst)

    def pause():
        while True:
            yield chance.random() < pauses
    for channel in (master.write_if.aw_channel, master.write_if.w_channel, master.write_if.b_channel,
                    master.read_if.ar_channel, master.read_if.r_channel):
        channel.set_pause_generator(pause())
    await ClockCycles(dut.clk, 4)
    dut.rst.value = 0
    await ClockCycles(dut.clk, 2)
    return master, chance


@cocotb.test(timeout_time=3000, timeout_unit="us")
async def registers_are_read_and_written_once_each(dut):
    for pauses in (0.0, 0.4):
        master, chance = await make(dut, pauses)
        words, reads, writes = {}, 0, 0
        for _ in range(200):
            address = chance.randrange(512) * 4
            if address not in words or chance.random() < 0.5:
                words[address] = chance.getrandbits(32)
                await master.write_dword(address, words[address])
                writes += 1
            else:
                got = await master.read_dword(address)
                assert got == words[address], f"register {address:x}: expected {words[address]:x}, got {got:x}"
                reads += 1
        assert (int(dut.reads.value), int(dut.writes.value)) == (reads, writes), "accesses that the device saw"


@cocotb.test(timeout_time=1000, timeout_unit="us")
async def reads_and_writes_that_both_wait_come_in_turn(dut):
    master, _ = await make(dut)
    pending = [master.init_write(4 * i, (1000 + i).to_bytes(4, "little")) for i in range(40)]
    pending += [master.init_read(4 * i, 4) for i in range(40)]
    for _ in range(130):
        await RisingEdge(dut.clk)
    seen = int(dut.reads.value), int(dut.writes.value)
    assert abs(seen[0] - seen[1]) <= 1 and seen[0] > 8, f"{seen[0]} reads, {seen[1]} writes"
    for operation in pending:
        await operation.wait()


@cocotb.test(timeout_time=1000, timeout_unit="us")
async def a_write_of_a_part_of_a_word_does_nothing_and_is_an_error(dut):
    master, _ = await make(dut)
    await master.write_dword(0x108, 0x12345678)
    answer = await master.write(0x108, b"\xFF\xFF")
    assert answer.resp == AxiResp.SLVERR, f"answer {answer.resp}"
    answer = await master.write(SYNC, b"\x01")
    assert answer.resp == AxiResp.SLVERR, f"answer {answer.resp}"
    assert await master.read_dword(0x108) == 0x12345678, "the register"
    assert int(dut.writes.value) == 1, "writes that the device saw"


@cocotb.test(timeout_time=1000, timeout_unit="us")
async def an_access_waits_until_the_device_has_started(dut):
    master, _ = await make(dut)
    dut.ready.value = 0
    operation = master.init_write(0x100, b"\x01\x00\x00\x00")
    await ClockCycles(dut.clk, 100)
    assert not operation.is_set() and int(dut.writes.value) == 0, "a device that starts was asked"
    dut.ready.value = 1
    await operation.wait()
    assert int(dut.writes.value) == 1


@cocotb.test(timeout_time=1000, timeout_unit="us")
async def sync_ends_when_nothing_is_in_flight_and_the_cache_has_forgotten(dut):
    master, _ = await make(dut)
    forgotten = []

    async def watch():
        while True:
            await ReadOnly()
            if int(dut.forget.value):
                assert int(dut.hold.value) and int(dut.cache_idle.value) and int(dut.channels_idle.value), "forgets while requests are in flight"
                forgotten.append(True)
            assert not int(dut.device_rst.value), "the device is reset"
            await RisingEdge(dut.clk)
    cocotb.start_soon(watch())
    for cache, channels in ((0, 1), (1, 0), (0, 0), (1, 1)):
        forgotten.clear()
        dut.cache_idle.value, dut.channels_idle.value = cache, channels
        operation = master.init_write(SYNC, bytes(4))
        await ClockCycles(dut.clk, 60)
        assert int(operation.is_set()) == (cache and channels), f"cache {cache}, channels {channels}"
        assert int(dut.hold.value) == (not (cache and channels)), "requests are held"
        dut.cache_idle.value = 1
        await ClockCycles(dut.clk, 3)
        dut.channels_idle.value = 1
        await operation.wait()
        await ClockCycles(dut.clk, 4)
        assert len(forgotten) == 1, f"the cache forgot {len(forgotten)} times"
        assert not int(dut.hold.value), "requests are still held"


@cocotb.test(timeout_time=1000, timeout_unit="us")
async def reset_resets_when_nothing_is_in_flight_and_ends_when_the_device_has_started(dut):
    master, _ = await make(dut)
    dut.channels_idle.value = 0
    operation = master.init_write(RESET, bytes(4))
    for _ in range(50):
        await RisingEdge(dut.clk)
        assert not int(dut.device_rst.value), "reset with a write in flight"
    dut.channels_idle.value = 1
    resets = 0
    for _ in range(50):
        await ReadOnly()
        resets += int(dut.device_rst.value)
        ends = int(dut.device_rst.value)
        await RisingEdge(dut.clk)
        if ends:
            dut.ready.value = 0
    assert resets == 1 and not operation.is_set(), f"{resets} cycles of reset"
    dut.ready.value = 1
    await operation.wait()
    assert not int(dut.hold.value), "requests are still held"


@cocotb.test(timeout_time=1000, timeout_unit="us")
async def the_interrupt_comes_when_the_device_has_become_idle_and_stays_until_it_is_answered(dut):
    master, _ = await make(dut)
    dut.busy.value = 1
    await ClockCycles(dut.clk, 5)
    assert await master.read_dword(STATE) == 1
    await master.write_dword(ENABLE, 1)
    dut.busy.value = 0
    await ClockCycles(dut.clk, 5)
    assert int(dut.interrupt.value) == 1 and await master.read_dword(INTERRUPT) == 1 and await master.read_dword(STATE) == 0
    await master.write_dword(ENABLE, 0)
    await ClockCycles(dut.clk, 3)
    assert int(dut.interrupt.value) == 0 and await master.read_dword(INTERRUPT) == 1, "masked, and kept"
    await master.write_dword(ENABLE, 1)
    await master.write_dword(INTERRUPT, 0)
    await ClockCycles(dut.clk, 3)
    assert int(dut.interrupt.value) == 1, "0 answers nothing"
    await master.write_dword(INTERRUPT, 1)
    await ClockCycles(dut.clk, 3)
    assert int(dut.interrupt.value) == 0 and await master.read_dword(INTERRUPT) == 0
    assert await master.read_dword(ENABLE) == 1


@cocotb.test(timeout_time=1000, timeout_unit="us")
async def it_says_where_memory_is(dut):
    master, _ = await make(dut)
    assert await master.read_qword(BASE) == 0x1234500000
