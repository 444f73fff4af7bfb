# SPDX-License-Identifier: Apache-2.0
"""Cases of codes: more hashes, of which Python's library has most, error correction, compression, texts and searches in them."""
import hashlib

import numpy
from case import Case, Out, field_product, numbers, words

ITEMS = 24
P1305 = (1 << 130) - 5


def keccak_f():
    # From the empty message's digest: the sponge's last state begins with it.
    block = bytes([6]) + bytes(134) + bytes([0x80])
    empty = numpy.frombuffer(block + bytes(64), numpy.uint64)
    states = numbers(1).integers(0, 1 << 63, (ITEMS, 25), dtype=numpy.uint64)
    states[0] = empty
    expected = numpy.array([keccak_of([int(x) for x in state]) for state in states], numpy.uint64)
    assert expected[0].tobytes()[:32] == hashlib.sha3_256(b"").digest()
    return Case((ITEMS,), None, Out(expected, states))


def turned(x, n):
    n %= 64
    return (x << n | x >> (64 - n)) & ((1 << 64) - 1)


def keccak_of(state):
    """As FIPS 202 has it, with lanes a[x, y]."""
    a = {(x, y): state[x + 5 * y] for x in range(5) for y in range(5)}
    shift_register = 1
    for _ in range(24):
        c = [a[x, 0] ^ a[x, 1] ^ a[x, 2] ^ a[x, 3] ^ a[x, 4] for x in range(5)]
        a = {(x, y): a[x, y] ^ c[(x - 1) % 5] ^ turned(c[(x + 1) % 5], 1) for x, y in a}
        (x, y), moved = (1, 0), {(0, 0): a[0, 0]}
        for t in range(24):
            moved[x, y] = turned(a[x, y], (t + 1) * (t + 2) // 2)
            x, y = y, (2 * x + 3 * y) % 5
        b = {(y, (2 * x + 3 * y) % 5): moved[x, y] for x, y in moved}
        a = {(x, y): b[x, y] ^ (~b[(x + 1) % 5, y] & b[(x + 2) % 5, y]) for x, y in b}
        for j in range(7):
            if shift_register & 1:
                a[0, 0] ^= 1 << ((1 << j) - 1)
            shift_register = shift_register << 1 ^ (0x171 if shift_register & 0x80 else 0)
    return [a[i % 5, i // 5] for i in range(25)]


def blake2s():
    messages = [bytes(numbers(i).integers(0, 256, 2 * i + 1, dtype=numpy.uint8)) for i in range(ITEMS)]
    blocks = numpy.frombuffer(b"".join(m + bytes(64 - len(m)) for m in messages), numpy.uint32)
    digests = numpy.frombuffer(b"".join(hashlib.blake2s(m).digest() for m in messages), numpy.uint32)
    return Case((ITEMS,), None, blocks, numpy.array([len(m) for m in messages], numpy.uint32), Out(digests))


def poly1305_of(message, key):
    r = int.from_bytes(key[:16], "little") & 0x0ffffffc0ffffffc0ffffffc0fffffff
    total = 0
    for at in range(0, len(message), 16):
        total = (total + int.from_bytes(message[at:at + 16], "little") + (1 << 128)) * r % P1305
    return ((total + int.from_bytes(key[16:], "little")) % (1 << 128)).to_bytes(16, "little")


def poly1305():
    messages, keys = words(5, ITEMS * 12).reshape(ITEMS, 12), words(6, ITEMS * 8).reshape(ITEMS, 8)
    messages[1], keys[1] = 0xFFFFFFFF, 0xFFFFFFFF
    tags = numpy.frombuffer(b"".join(poly1305_of(m.tobytes(), k.tobytes()) for m, k in zip(messages, keys)), numpy.uint32)
    return Case((ITEMS,), None, messages, numpy.uint32(3), keys, Out(tags))


def product(a, b):
    """In the field of 256 elements, modulo x^8 + x^4 + x^3 + x^2 + 1."""
    return field_product(a, b, 0x11D)


def rs_encode():
    generator, root = [1], 1
    for _ in range(8):
        generator = [a ^ b for a, b in zip(generator + [0], [0] + [product(x, root) for x in generator])]
        root = product(root, 2)
    data, parity = numbers(14).integers(0, 256, (ITEMS, 20), dtype=numpy.uint8), []
    for row in data:
        rest = [int(x) for x in row] + [0] * 8
        for i in range(20):
            rest[i:i + 9] = [x ^ product(g, rest[i]) for x, g in zip(rest[i:i + 9], generator)]
        parity.append(rest[20:])
    return Case((ITEMS,), None, data, numpy.uint32(20), numpy.array(generator[1:], numpy.uint8), Out(numpy.array(parity, numpy.uint8)))


def ldpc_check():
    values, degrees = numbers(1).integers(-3000, 3000, (ITEMS, 9), dtype=numpy.int16), numbers(2).integers(1, 10, ITEMS, dtype=numpy.uint8)
    expected = numpy.zeros_like(values)
    for row, to, degree in zip(values.astype(int), expected, degrees):
        for i in range(degree):
            others = [x for j, x in enumerate(row[:degree]) if j != i]
            least = min([abs(x) for x in others] + [0x7FFF]) * 3 // 4
            to[i] = -least if sum(x < 0 for x in others) % 2 else least
    return Case((ITEMS,), None, values, Out(expected), degrees, numpy.uint32(9))


def lz4_sequence(literals, length, distance):
    """One sequence: literals, and a match of `length` bytes (0: none, at the end of a block)."""
    def rest(count):
        return bytes([255] * (count // 255) + [count % 255])

    matched = length - 4 if length else 0
    out = bytes([min(len(literals), 15) << 4 | min(matched, 15)])
    out += (rest(len(literals) - 15) if len(literals) >= 15 else b"") + literals
    if length:
        out += distance.to_bytes(2, "little") + (rest(matched - 15) if matched >= 15 else b"")
    return out


def lz4_of(data):
    """Each match is the longest one before it."""
    out, at, begin = b"", 0, 0
    while at < len(data) - 12:
        length, distance = 0, 0
        for back in range(1, at + 1):
            count = 0
            while at + count < len(data) - 5 and data[at + count] == data[at + count - back]:
                count += 1
            length, distance = max((length, distance), (count, back))
        if length < 4:
            at += 1
            continue
        out += lz4_sequence(data[begin:at], length, distance)
        at += length
        begin = at
    return out + lz4_sequence(data[begin:], 0, 0)


def lz4_decode():
    texts = [bytes(numbers(i).integers(97, 99 + i % 5, 40 + 9 * i, dtype=numpy.uint8)) for i in range(8)] + [b"a" * 120, bytes(range(100))]
    blocks, room = [lz4_of(text) for text in texts], 128
    starts = numpy.cumsum([0] + [len(block) for block in blocks]).astype(numpy.uint32)
    expected = numpy.frombuffer(b"".join(text.ljust(room, b"\0") for text in texts), numpy.uint8)
    return Case((len(texts),), None, numpy.frombuffer(b"".join(blocks), numpy.uint8), starts, Out(expected), numpy.uint32(room),
                Out(numpy.array([len(text) for text in texts], numpy.uint32)))


def huffman_decode():
    lengths = {65: 1, 66: 2, 67: 4, 68: 4, 69: 4, 70: 5, 71: 6, 72: 6}
    count, bits = 18, 128
    code, before, codes, first, counts = 0, 0, {}, [0] * 9, [0] * 9
    for symbol, length in lengths.items():
        code <<= length - before
        first[length] = code if counts[length] == 0 else first[length]
        counts[length] += 1
        codes[symbol] = f"{code:0{length}b}"
        code, before = code + 1, length
    texts = [numbers(i).choice(list(lengths), count) for i in range(ITEMS)]
    streams = [int("".join(codes[symbol] for symbol in text).ljust(bits, "0"), 2).to_bytes(bits // 8, "big") for text in texts]
    return Case((ITEMS,), None, numpy.frombuffer(b"".join(streams), ">u4").astype(numpy.uint32), numpy.array(first, numpy.uint16),
                numpy.array(counts, numpy.uint16), numpy.array(list(lengths), numpy.uint8), numpy.uint32(bits // 32), numpy.uint32(count),
                Out(numpy.array(texts, numpy.uint8)))


def points_of(text):
    try:
        return len(text.decode())
    except UnicodeDecodeError:
        return -1


def utf8_check():
    random, texts = numbers(5), []
    for i in range(40):
        points = random.choice([65, 0xE9, 0x7FF, 0x800, 0x20AC, 0xD7FF, 0xE000, 0xFFFD, 0x10000, 0x10FFFF], 24)
        text = bytearray("".join(chr(point) for point in points).encode()[:24])
        if i % 3 == 0:
            text[int(random.integers(24))] = int(random.integers(256))
        texts.append(bytes(text))
    points = numpy.array([points_of(text) for text in texts], numpy.int32)
    return Case((40,), None, numpy.frombuffer(b"".join(texts), numpy.uint8), numpy.uint32(24), Out(points))


def kmp():
    text, patterns = numbers(8).integers(97, 99, 200, dtype=numpy.uint8), numbers(9).integers(97, 99, (ITEMS, 7), dtype=numpy.uint8)
    expected = numpy.array([text.tobytes().find(pattern.tobytes()) for pattern in patterns], numpy.int32)
    return Case((ITEMS,), None, text, numpy.uint32(200), patterns, numpy.uint32(7), Out(expected))


def ends_with_errors(text, pattern, most):
    """How many places of a text end what is at most so many insertions, deletions and changes from a pattern: Sellers' table."""
    column, found = list(range(len(pattern) + 1)), 0
    for x in text:
        new = [0]
        for i, p in enumerate(pattern):
            new.append(min(column[i] + int(p != x), column[i + 1] + 1, new[i] + 1))
        column = new
        found += column[-1] <= most
    return found


def bitap():
    pattern, texts = [0, 1, 1, 2, 0, 3], numbers(10).integers(0, 4, (ITEMS, 40), dtype=numpy.uint8)
    masks = [(1 << 64) - 1 - sum(1 << i for i, p in enumerate(pattern) if p == letter) for letter in range(4)]
    expected = numpy.array([ends_with_errors(text, pattern, 2) for text in texts], numpy.uint32)
    return Case((ITEMS,), None, texts, numpy.uint32(40), numpy.array(masks, numpy.uint64), numpy.uint32(6), numpy.uint32(2), Out(expected))


CASES = (keccak_f, blake2s, poly1305, rs_encode, ldpc_check, lz4_decode, huffman_decode, utf8_check, kmp, bitap)
