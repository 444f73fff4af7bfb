# SPDX-License-Identifier: Apache-2.0
"""What rtl/pcie promises, packet by packet. Run by pcie.py in Icarus Verilog, each test on a design after reset."""
import os

import cocotb
from cocotb.triggers import ClockCycles, RisingEdge
from cocotbext.pcie.core.tlp import CplStatus, Tlp, TlpType
from cocotbext.pcie.core.utils import PcieId

from card import (DATA, DONE, HEAD, HOST, HOST_MEMORY, IN, INTERRUPTS, NO_ADDRESS, NO_HOST_MEMORY, NO_REQUEST, OPEN, OPENED, OUT,
                  PAGE, PENDING, READ, STATUS, TABLE, TAIL, WRITE, Card)


def expect(expected, got, what):
    assert expected == got, f"{what}: expected {expected!r}, got {got!r}"


def times(count):
    """How often chance is given a try: ten times as often in make test-long."""
    return count * (10 if os.environ.get("HEDDLE_TEST_LONG") else 1)


def memory_read(card, offset, words=1, first=0xF, last=0):
    tlp = Tlp()
    tlp.fmt_type, tlp.address, tlp.length = TlpType.MEM_READ, card.bar_address(offset), words
    tlp.first_be, tlp.last_be = first, last
    return tlp


def memory_write(card, offset, data):
    tlp = Tlp()
    tlp.fmt_type = TlpType.MEM_WRITE
    tlp.set_addr_be_data(card.bar_address(offset), data)
    return tlp


# ---- BAR 0

@cocotb.test()
async def registers_say_what_the_card_is(dut):
    card = await Card.make(dut)
    expect([0x45504448, 1, 1, 0x1000, 0x1000, 0, 0, 0], list(await card.bar.read_dwords(0, 8)), "words 0 to 7")
    expect(0, await card.word(0x20), "what is not listed")
    await card.bar.write(INTERRUPTS + 1, b"\xFF\xFF\xFF")
    expect(0, await card.word(INTERRUPTS), "bytes of INTERRUPTS that hold nothing")
    await card.bar.write(TAIL + 2, b"\x34\x12")
    expect(0x12340000, await card.word(TAIL), "TAIL of which two bytes were written")


@cocotb.test()
async def reads_of_any_length_and_bytes_come_back_whole(dut):
    card = await Card.make(dut, max_request=5)
    expected = card.some(3072)
    card.set_device_bytes(0x400, expected)
    expect(DONE, await card.request(READ, 0x400, 3072, DATA), "the request")
    for i in range(times(24)):
        at = card.random.randrange(3072)
        count = min(card.random.choice((1, 2, 3, 4, 5, 64, 127, 128, 129, 500, 3072)), 3072 - at)
        expect(expected[at:at + count], await card.bar.read(OUT + DATA + at, count), f"{count} bytes from {at} on")


@cocotb.test()
async def a_read_says_how_many_bytes_follow_whatever_bytes_it_asks_for(dut):
    card = await Card.make(dut)
    counts = {0b0000: (1, 0), 0b0001: (1, 0), 0b0010: (1, 1), 0b0100: (1, 2), 0b1000: (1, 3), 0b0011: (2, 0), 0b0110: (2, 1),
              0b1100: (2, 2), 0b0111: (3, 0), 0b0101: (3, 0), 0b1110: (3, 1), 0b1010: (3, 1), 0b1111: (4, 0), 0b1001: (4, 0)}
    for strobe, (count, lower) in counts.items():
        answer, = await card.answer_to(memory_read(card, 4, first=strobe))
        expect((CplStatus.SC, 1, count, 4 + lower), (answer.status, answer.length, answer.byte_count, answer.lower_address),
               f"bytes {strobe:04b} of a word")
    for first, before in ((0b1111, 0), (0b1110, 1), (0b1100, 2), (0b1000, 3)):
        for last, after in ((0b1111, 0), (0b0111, 1), (0b0011, 2), (0b0001, 3)):
            answers = await card.answer_to(memory_read(card, 0x20, 72, first, last))
            expect([288 - before - after, 288 - 96 - after, 288 - 224 - after], [a.byte_count for a in answers], "bytes left")
            expect([0x20 + before, 0, 0], [a.lower_address for a in answers], "where they begin")


@cocotb.test()
async def writes_of_any_bytes_arrive_and_no_others(dut):
    card = await Card.make(dut, max_payload=1)
    expected = bytearray(card.some(3072))
    await card.bar.write(IN + DATA, bytes(expected))
    for i in range(times(40)):
        at = card.random.randrange(3072)
        data = card.some(min(card.random.choice((1, 2, 3, 4, 5, 7, 64, 129, 500)), 3072 - at))
        expected[at:at + len(data)] = data
        await card.bar.write(IN + DATA + at, data)
    expect(DONE, await card.request(WRITE, 0x1400, 3072, DATA), "the request")
    expect(bytes(expected), card.device_bytes(0x1400, 3072), "what the device has")


@cocotb.test()
async def what_is_not_there_is_unsupported(dut):
    card = await Card.make(dut)
    expect(CplStatus.UR, (await card.answer_to(memory_read(card, 0x10000)))[0].status, "a read beyond 64 KiB")
    read, write = memory_read(card, 0), memory_write(card, 0, b"\1\2\3\4")
    for what, tlp, first_byte in (("a locked read", read, 0x01), ("an IO read", read, 0x02), ("an IO write", write, 0x42),
                                  ("an atomic add", write, 0x4C), ("a swap", write, 0x4D), ("a compare and swap", write, 0x4E)):
        answer, = await card.answer_to(tlp, first_byte)
        expect((CplStatus.UR, False), (answer.status, answer.has_data()), what)
        expect(first_byte == 0x01, answer.fmt_type == TlpType.CPL_LOCKED, f"a locked answer to {what}")
    expect(0x45504448, await card.word(0), "a read after all that")


@cocotb.test()
async def memory_that_is_only_written_is_not_read(dut):
    card = await Card.make(dut)
    expect(CplStatus.CA, (await card.answer_to(memory_read(card, IN + 8)))[0].status, "a read of IN")
    expect(0x45504448, await card.word(0), "a read after that")


@cocotb.test()
async def poisoned_writes_and_writes_beyond_change_nothing(dut):
    card = await Card.make(dut)
    await card.set_word(TAIL, 0x55555555)
    poisoned = memory_write(card, TAIL, b"\1\2\3\4")
    poisoned.ep = True
    card.give(poisoned)
    card.give(memory_write(card, 0x10000 + TAIL, b"\1\2\3\4"))
    expect(0x55555555, await card.word(TAIL), "TAIL")
    card.give(memory_write(card, TAIL, b"\1\2\3\4"))
    expect(0x04030201, await card.word(TAIL), "TAIL after a write that is good")


@cocotb.test()
async def requests_that_want_no_answer_are_ignored(dut):
    card = await Card.make(dut)
    # Messages without data and with, answers that nobody waits for, and a packet with a prefix.
    write = bytes(memory_write(card, TAIL, b"\1\2\3\4").pack())
    for first_byte in (0x34, 0x74, 0x0A, 0x4A, 0x80):
        card.give(bytes([first_byte]) + write[1:12] + (bytes(4) if first_byte & 0x20 else b"") + (write[12:] if first_byte & 0x40 else b""))
    expect(0, await card.word(TAIL), "TAIL")
    expect(0x45504448, await card.word(0), "a read after all that")
    expect(2, len(card.core.sent), "packets of the card")


@cocotb.test()
async def more_reads_than_wait_in_the_queue_are_all_answered(dut):
    card = await Card.make(dut, pauses=0.0)
    answered = []
    card.core.keeps = lambda tlp: answered.append((tlp.tag, bytes(tlp.data))) or True
    for i in range(100):
        tlp = memory_read(card, 4 * (i % 5))
        tlp.requester_id, tlp.tag = HOST, i
        card.give(tlp)
    for _ in range(5000):
        await RisingEdge(dut.clk)
        if len(answered) == 100:
            break
    words = [0x45504448, 1, 1, 0x1000, 0x1000]
    expect([(i, words[i % 5].to_bytes(4, "little")) for i in range(100)], answered, "answers")


# ---- The ring

@cocotb.test()
async def requests_move_any_bytes_between_the_card_and_the_device(dut):
    card = await Card.make(dut)
    expected = bytearray(card.some(0x2000))
    card.set_device_bytes(0, bytes(expected))
    for i in range(times(12)):
        count = card.random.choice((1, 2, 3, 4, 5, 31, 32, 33, 100, 1024))
        address = card.random.randrange(0x2000 - count)
        place = DATA + 1024 * (i % 2) + address % 128
        data = card.some(count)
        await card.bar.write(IN + place, data)
        expect(DONE, await card.request(WRITE, address, count, place), "a write")
        expected[address:address + count] = data
        first = max(address - 100, 0)
        expect(DONE, await card.request(READ, first, count + 100, DATA + first % 128), "a read")
        expect(expected[first:first + count + 100], await card.bar.read(OUT + DATA + first % 128, count + 100),
               f"{count} bytes at {address}")
    expect(bytes(expected), card.device_bytes(0, 0x2000), "the device's memory")


@cocotb.test()
async def control_registers_are_written_when_memory_is_up_to_date(dut):
    card = await Card.make(dut)
    for i in range(8):
        address = 0xF0000000 + 0x200 + 4 * i
        place = DATA + address % 128
        await card.bar.write(IN + 2 * DATA, card.some(128))
        await card.set_word(IN + place, 0x11111111 * (i + 1))
        await card.submit(WRITE, 0x1000, 128, 2 * DATA)
        expect(DONE, await card.request(WRITE, address, 4, place), "a register")
    expect(0, int(dut.hasty.value), "registers written too early")
    expect(DONE, await card.request(READ, 0xF0000200, 32, DATA), "eight registers")
    expect([0x11111111 * (i + 1) for i in range(8)], list(await card.bar.read_dwords(OUT + DATA, 8)), "registers")


@cocotb.test()
async def status_is_busy_by_the_time_that_head_moves(dut):
    card = await Card.make(dut)
    await card.set_word(IN + 2 * DATA, 1)
    await card.submit(WRITE, 0xF0000100, 4, 2 * DATA)
    while int(dut.endpoint.head.value) == 0:
        await RisingEdge(dut.clk)
        seen = int(dut.busy.value)
    expect(1, seen, "busy")
    while await card.word(STATUS) == 1:
        pass
    expect(0, int(dut.busy.value), "busy when STATUS is 0")


@cocotb.test()
async def requests_that_cannot_be_are_refused_and_the_next_one_is_done(dut):
    card = await Card.make(dut)
    bad = {"kind 0": (0, 0x1000, 4, DATA), "kind 3": (3, 0x1000, 4, DATA), "another bit of the kind": (0x201, 0x1000, 4, DATA),
           "no bytes": (READ, 0x1000, 0, DATA), "4097 bytes": (READ | HOST_MEMORY, 0x1000, 4097, card.low),
           "2^31 bytes": (READ, 0x1000, 1 << 31, DATA), "before the data": (WRITE, 0x1000, 4, 0x380),
           "beyond the data": (WRITE, 0x1000, 132, 0xF80), "place in 64 bits": (WRITE, 0x1000, 4, DATA | 1 << 40),
           "another place in the row": (WRITE, 0x1000, 4, DATA + 4), "two pages": (WRITE | HOST_MEMORY, 0x80, 4096, card.low + 0x80)}
    nowhere = {"beyond memory": (READ, 0x10000, 128, DATA), "across its end": (WRITE, 0xFF80, 129, DATA + 0x380),
               "across 2^32": (WRITE, 0xFFFFFF80, 256, DATA), "beyond the registers": (WRITE, 0xF0001000, 4, DATA),
               "half a register": (READ, 0xF0000002, 2, DATA + 2), "a window of kernels": (READ, 0x80000000, 4, DATA)}
    before = card.device_bytes(0, 0x10000)
    for what, request in bad.items():
        expect(NO_REQUEST, await card.request(*request), what)
    for what, request in nowhere.items():
        expect(NO_ADDRESS, await card.request(*request), what)
    expect(before, card.device_bytes(0, 0x10000), "the device's memory")
    await card.set_word(IN + DATA, 0x600D600D)
    expect(DONE, await card.request(WRITE, 0x1000, 4, DATA), "one that can be")
    expect((0x600D600D).to_bytes(4, "little"), card.device_bytes(0x1000, 4), "what it wrote")


@cocotb.test()
async def a_tail_too_far_carries_out_nothing(dut):
    card = await Card.make(dut)
    await card.set_word(TAIL, 17)
    await ClockCycles(dut.clk, 200)
    expect(0, await card.word(HEAD), "HEAD")
    await card.set_word(TAIL, 0xFFFFFFFF)
    await ClockCycles(dut.clk, 200)
    expect(0, await card.word(HEAD), "HEAD")


@cocotb.test()
async def opening_resets_the_device_and_forgets_what_waits(dut):
    card = await Card.make(dut)
    card.set_device_bytes(0x1000, b"\x77" * 32)
    await card.set_word(TAIL, 0x89ABCDEF)
    resets = int(dut.resets.value)
    await card.set_word(OPEN, 0x1234)
    while await card.word(OPENED) != 0x1234:
        pass
    expect(0x89ABCDEF, await card.word(HEAD), "HEAD")
    expect(resets + 1, int(dut.resets.value), "resets")
    card.tail = 0x89ABCDEF
    expect(DONE, await card.request(READ, 0x1000, 32, DATA), "a request behind it")
    expect(b"\x77" * 32, await card.bar.read(OUT + DATA, 32), "memory keeps its contents")
    expect(resets + 1, int(dut.resets.value), "resets")


# ---- The host's memory

async def move_both_ways(card, times):
    expected = bytearray(card.some(0x4000))
    card.set_device_bytes(0, bytes(expected))
    host = bytearray(card.some(4 * PAGE))
    card.memory[0:4 * PAGE] = bytes(host)
    for i in range(times):
        count = card.random.choice((1, 2, 3, 4, 5, 63, 127, 128, 129, 700, 4096))
        at = card.random.randrange(4) * PAGE + card.random.randrange(PAGE - count + 1)
        address = card.random.randrange(0x4000 - count - 128) // 128 * 128 + at % 128
        base = card.random.choice((card.low, card.high))
        if i % 2 == 0:
            expect(DONE, await card.request(WRITE | HOST_MEMORY, address, count, base + at), "to the device")
            expected[address:address + count] = host[at:at + count]
        else:
            expect(DONE, await card.request(READ | HOST_MEMORY, address, count, base + at), "from the device")
            host[at:at + count] = expected[address:address + count]
            expect(bytes(host), bytes(card.memory[0:4 * PAGE]), f"the host's memory after {count} bytes at {at:#x}")
    expect(bytes(expected), card.device_bytes(0, 0x4000), "the device's memory")


@cocotb.test()
async def any_bytes_go_from_and_to_host_memory(dut):
    await move_both_ways(await Card.make(dut), times(20))


@cocotb.test()
async def the_largest_packets_are_those_that_the_host_allows(dut):
    card = await Card.make(dut, max_payload=1, max_request=0, pauses=0.0)
    for kind in (READ, WRITE):
        expect(DONE, await card.request(kind | HOST_MEMORY, 0x1004, PAGE - 4, card.low + 4), "a request")
    sizes = [[4 * t.length for t in card.core.sent if t.fmt_type == kind] for kind in (TlpType.MEM_WRITE, TlpType.MEM_READ)]
    expect([[252] + 15 * [256], [124] + 31 * [128]], sizes, "bytes of writes and of reads")


def keep_reads(card):
    """Reads of the host's memory, kept for the test to answer."""
    reads = []
    card.core.keeps = lambda t: t.fmt_type in (TlpType.MEM_READ, TlpType.MEM_READ_64) and (reads.append(t) or True)
    return reads


def answers_to(card, read, split):
    """Its answers, whole or a packet for each 64 bytes."""
    answers, at, left = [], read.address, 4 * read.length
    while left:
        count = min(left, 64 - at % 64) if split else left
        answer = Tlp.create_completion_data_for_tlp(read, HOST)
        answer.byte_count, answer.lower_address = left, at & 0x7F
        answer.set_data(bytes(card.memory[at - card.low:at - card.low + count]))
        answers.append(answer)
        at, left = at + count, left - count
    return answers


async def reads_under_way(card, reads, count):
    for _ in range(3000):
        await RisingEdge(card.dut.clk)
        if len(reads) == count:
            return
    raise AssertionError(f"{len(reads)} reads under way, {count} expected")


@cocotb.test()
async def answers_come_in_any_order_and_in_pieces(dut):
    card = await Card.make(dut, max_request=1)
    for turn in range(times(2)):
        data = card.some(PAGE)
        card.memory[0:PAGE] = data
        reads = keep_reads(card)
        await card.submit(WRITE | HOST_MEMORY, 0x2000, PAGE, card.low)
        given = 0
        while given < 16:
            # As many as there are at a time, mixed; those of one read keep their order.
            await reads_under_way(card, reads, min(given + 8, 16))
            waiting = [answers_to(card, read, split=turn % 2 == 0) for read in reads[given:given + 8]]
            expect(8, len({r.tag for r in reads[given:given + 8]}), "tags under way")
            given += len(waiting)
            while waiting:
                one = card.random.choice(waiting)
                card.give(one.pop(0))
                waiting = [w for w in waiting if w]
        expect(DONE, await card.ended(card.tail - 1), "the request")
        expect(data, card.device_bytes(0x2000, PAGE), "what the device has")


async def expect_failure(card, spoil):
    """A read of which one answer is spoilt fails, and the next one is done."""
    card.memory[0:PAGE] = card.some(PAGE)
    reads = keep_reads(card)
    before = card.device_bytes(0x2000, 512)
    await card.submit(WRITE | HOST_MEMORY, 0x2000, 512, card.low)
    await reads_under_way(card, reads, 4)
    spoilt = card.random.randrange(4)
    for i, read in enumerate(reads):
        for answer in (spoil(read) if i == spoilt else answers_to(card, read, True)):
            card.give(answer)
    expect(NO_HOST_MEMORY, await card.ended(card.tail - 1), "what became of it")
    expect(before, card.device_bytes(0x2000, 512), "the device's memory")
    card.core.keeps = None
    expect(DONE, await card.request(WRITE | HOST_MEMORY, 0x2000, 512, card.low), "the next request")
    expect(bytes(card.memory[0:512]), card.device_bytes(0x2000, 512), "what the device has")


@cocotb.test()
async def answers_that_are_errors_fail_the_request(dut):
    card = await Card.make(dut, max_request=0)

    def poisoned(read):
        answers = answers_to(card, read, True)
        answers[1].ep = True
        return answers

    def too_long(read):
        answer, = answers_to(card, read, False)
        answer.set_data(bytes(card.memory[0:256]))
        return [answer]

    def wrong_count(read):
        answers = answers_to(card, read, True)
        answers[1].byte_count += 4
        return answers

    await expect_failure(card, lambda read: [Tlp.create_ur_completion_for_tlp(read, HOST)])
    await expect_failure(card, lambda read: [Tlp.create_ca_completion_for_tlp(read, HOST)])
    await expect_failure(card, poisoned)
    await expect_failure(card, too_long)
    await expect_failure(card, wrong_count)


@cocotb.test()
async def an_answer_that_does_not_come_fails_the_request_and_is_thrown_away_later(dut):
    card = await Card.make(dut, max_request=0)
    late = []
    for _ in range(2):
        await expect_failure(card, lambda read: late.extend(answers_to(card, read, True)) or [])
        # Between the answers to the next one.
        data = card.some(512)
        card.memory[0:512] = data
        reads = keep_reads(card)
        await card.submit(WRITE | HOST_MEMORY, 0x3000, 512, card.low)
        await reads_under_way(card, reads, 4)
        for read in reads:
            for answer in answers_to(card, read, True):
                card.give(Tlp(late[0]))
                card.give(answer)
        expect(DONE, await card.ended(card.tail - 1), "the next request")
        expect(data, card.device_bytes(0x3000, 512), "what the device has")
        late.clear()
        card.core.keeps = None


@cocotb.test()
async def answers_for_somebody_else_are_thrown_away(dut):
    card = await Card.make(dut, max_request=0)
    data = card.some(128)
    card.memory[0:128] = data
    reads = keep_reads(card)
    await card.submit(WRITE | HOST_MEMORY, 0x2000, 128, card.low)
    await reads_under_way(card, reads, 1)
    for change in ("tag", "requester"):
        answer, = answers_to(card, reads[0], False)
        answer.data = bytearray(128)
        if change == "tag":
            answer.tag ^= 1
        else:
            answer.requester_id = PcieId(answer.requester_id.bus, 9, 0)
        card.give(answer)
    for answer in answers_to(card, reads[0], False):
        card.give(answer)
    expect(DONE, await card.ended(card.tail - 1), "the request")
    expect(data, card.device_bytes(0x2000, 128), "what the device has")


@cocotb.test()
async def without_bus_mastering_host_memory_is_left_alone(dut):
    card = await Card.make(dut)
    await card.handle.clear_master()
    await ClockCycles(dut.clk, 20)
    await card.set_word(INTERRUPTS, 3)
    for kind in (READ, WRITE):
        expect(NO_HOST_MEMORY, await card.request(kind | HOST_MEMORY, 0x2000, 512, card.low), "a request")
    expect([], [t for t in card.core.sent if not t.is_completion()], "packets that are no answers")


@cocotb.test()
async def data_is_in_host_memory_before_head_says_so(dut):
    card = await Card.make(dut, pauses=0.5)
    card.set_device_bytes(0x2000, card.some(PAGE))
    await card.submit(READ | HOST_MEMORY, 0x2000, PAGE, card.low)
    expect(DONE, await card.ended(0), "the request")
    kinds = [t for t in card.core.sent if t.fmt_type == TlpType.MEM_WRITE or (t.is_completion() and t.data[0] == 1)]
    expect([False] * 32 + [True], [t.is_completion() for t in kinds[:33]], "32 writes, then HEAD")


# ---- Interrupts

async def with_interrupts(dut, address):
    card = await Card.make(dut)
    card.interrupts = []

    def keep(tlp):
        if tlp.fmt_type not in (TlpType.MEM_WRITE, TlpType.MEM_WRITE_64) or tlp.address != address:
            return False
        expect((1, 0xF, 0, b"\x78\x56\x34\x12"), (tlp.length, tlp.first_be, tlp.last_be, bytes(tlp.data)), "the interrupt")
        card.interrupts.append(tlp)
        return True
    card.core.keeps = keep
    await card.bar.write_dwords(TABLE, [address & 0xFFFFFFFF, address >> 32, 0x12345678, 0])
    expect([address & 0xFFFFFFFF, address >> 32, 0x12345678, 0], list(await card.bar.read_dwords(TABLE, 4)), "the table")
    return card


async def enable(card, on=True, mask=False):
    card.core.msix_cap.msix_enable, card.core.msix_cap.msix_function_mask = on, mask
    await ClockCycles(card.dut.clk, 20)


async def expect_interrupts(card, count):
    await ClockCycles(card.dut.clk, 200)
    expect(count, len(card.interrupts), "interrupts")


async def expect_interrupts_of_requests(dut, address):
    card = await with_interrupts(dut, address)
    await enable(card)
    expect(DONE, await card.request(READ, 0x1000, 4, DATA), "a request that wants none")
    await expect_interrupts(card, 0)
    await card.set_word(INTERRUPTS, 1)
    expect(DONE, await card.request(READ, 0x1000, 4, DATA), "one that does")
    await expect_interrupts(card, 1)
    # The first moves so much that the others are there before it ends.
    for count in (PAGE, 4, 4):
        await card.submit(READ | HOST_MEMORY, 0x1000, count, card.low)
    expect(DONE, await card.ended(card.tail - 1), "three")
    await expect_interrupts(card, 2)


@cocotb.test()
async def interrupts_come_when_the_last_request_is_done(dut):
    await expect_interrupts_of_requests(dut, 0xFEE00000)


@cocotb.test()
async def interrupts_go_to_addresses_of_64_bits_too(dut):
    await expect_interrupts_of_requests(dut, 0x8FEE00000)


@cocotb.test()
async def interrupts_come_when_the_device_is_done(dut):
    card = await with_interrupts(dut, 0xFEE00000)
    await enable(card)
    await card.set_word(INTERRUPTS, 2)
    expect(DONE, await card.request(WRITE, 0xF0000100, 4, DATA), "what makes it busy")
    while await card.word(STATUS) == 1:
        pass
    await expect_interrupts(card, 1)


@cocotb.test()
async def masked_interrupts_are_pending_until_they_may_come(dut):
    card = await with_interrupts(dut, 0xFEE00000)
    await card.set_word(INTERRUPTS, 1)
    expect(DONE, await card.request(READ, 0x1000, 4, DATA), "a request while MSI-X is off")
    await enable(card, mask=True)
    await expect_interrupts(card, 0)
    expect(0, await card.word(PENDING), "pending")
    expect(DONE, await card.request(READ, 0x1000, 4, DATA), "one while the function is masked")
    await expect_interrupts(card, 0)
    expect(1, await card.word(PENDING), "pending")
    await enable(card)
    await expect_interrupts(card, 1)
    expect(0, await card.word(PENDING), "pending")
    await card.set_word(TABLE + 12, 1)
    expect(DONE, await card.request(READ, 0x1000, 4, DATA), "one while the vector is masked")
    await expect_interrupts(card, 1)
    expect(1, await card.word(PENDING), "pending")
    await card.set_word(TABLE + 12, 0)
    await expect_interrupts(card, 2)
