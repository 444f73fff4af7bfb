# SPDX-License-Identifier: Apache-2.0
"""Cases of hashes, checks and ciphers. Python's libraries have most of them; the others are written here from their texts."""
import hashlib
import struct
import zlib

import numpy
from case import Case, Out, Value, field_product, numbers, words

ITEMS = 12
MASK = 0xFFFFFFFF


def turned(x, n, bits=32):
    return (x << n | x >> (bits - n)) & ((1 << bits) - 1)


def digests(algorithm, order):
    """Messages of several lengths, padded to a block as both RFC 1321 and FIPS 180-4 have it, but for the order of bytes."""
    blocks, expected = [], []
    for length in range(0, 55, 5):
        message = bytes(numbers(length).integers(0, 256, length, dtype=numpy.uint8))
        length_bits = struct.pack(order + "Q", 8 * length)
        blocks.append(numpy.frombuffer(message + b"\x80" + bytes(55 - length) + length_bits, order + "u4"))
        expected.append(numpy.frombuffer(hashlib.new(algorithm, message).digest(), order + "u4"))
    return Case((len(blocks),), None, numpy.array(blocks, numpy.uint32), Out(numpy.array(expected, numpy.uint32)))


def md5():
    return digests("md5", "<")


def sha1():
    return digests("sha1", ">")


def sha256():
    return digests("sha256", ">")


def siphash_of(k0, k1, message):
    """Of bytes, as the authors' paper has it in section 2.2."""
    wide = (1 << 64) - 1
    v = [k0 ^ 0x736f6d6570736575, k1 ^ 0x646f72616e646f6d, k0 ^ 0x6c7967656e657261, k1 ^ 0x7465646279746573]

    def rounds(count):
        for _ in range(count):
            v[0] = (v[0] + v[1]) & wide
            v[1] = turned(v[1], 13, 64) ^ v[0]
            v[0] = turned(v[0], 32, 64)
            v[2] = (v[2] + v[3]) & wide
            v[3] = turned(v[3], 16, 64) ^ v[2]
            v[0] = (v[0] + v[3]) & wide
            v[3] = turned(v[3], 21, 64) ^ v[0]
            v[2] = (v[2] + v[1]) & wide
            v[1] = turned(v[1], 17, 64) ^ v[2]
            v[2] = turned(v[2], 32, 64)

    padded = message + bytes(7 - len(message) % 8) + bytes([len(message) & 255])
    for (m,) in struct.iter_unpack("<Q", padded):
        v[3] ^= m
        rounds(2)
        v[0] ^= m
    v[2] ^= 0xff
    rounds(4)
    return v[0] ^ v[1] ^ v[2] ^ v[3]


def siphash():
    key = bytes(range(16))
    k0, k1 = struct.unpack("<QQ", key)
    # The vector of the paper's appendix A: 15 bytes.
    assert siphash_of(k0, k1, bytes(range(15))) == 0xa129ca6149be45e5
    messages = numbers(5).integers(0, 1 << 63, (ITEMS, 2), dtype=numpy.uint64)
    expected = numpy.array([siphash_of(k0, k1, m.tobytes()) for m in messages], numpy.uint64)
    return Case((ITEMS,), None, messages, Out(expected), numpy.uint64(k0), numpy.uint64(k1))


def xxhash32_of(data, seed):
    """Of bytes, 16 at least and a multiple of 4."""
    p = (2654435761, 2246822519, 3266489917, 668265263, 374761393)
    sums, at = [(seed + p[0] + p[1]) & MASK, (seed + p[1]) & MASK, seed, (seed - p[0]) & MASK], 0
    while len(data) - at >= 16:
        for lane, word in enumerate(struct.unpack_from("<4I", data, at)):
            sums[lane] = turned((sums[lane] + word * p[1]) & MASK, 13) * p[0] & MASK
        at += 16
    h = sum(turned(x, n) for x, n in zip(sums, (1, 7, 12, 18))) + len(data) & MASK
    for (word,) in struct.iter_unpack("<I", data[at:]):
        h = turned((h + word * p[2]) & MASK, 17) * p[3] & MASK
    for shift, factor in ((15, p[1]), (13, p[2])):
        h = (h ^ h >> shift) * factor & MASK
    return h ^ h >> 16


def xxhash32():
    data = words(6, ITEMS * 8).reshape(ITEMS, 8)
    return Case((ITEMS,), None, data, Out(numpy.array([xxhash32_of(row.tobytes(), 77) for row in data], numpy.uint32)), numpy.uint32(77))


def check_of(*more):
    data = numbers(7).integers(0, 256, (ITEMS, 21), dtype=numpy.uint8)
    return Case((ITEMS,), None, data, *more, Out(numpy.array([zlib.crc32(row.tobytes()) for row in data], numpy.uint32)), numpy.uint32(21))


def crc32_table():
    # zlib's check of one byte, without what is turned before and behind it.
    return check_of(numpy.array([zlib.crc32(bytes([i ^ 255]), 0) ^ 0xFF000000 for i in range(256)], numpy.uint32))


def crc32_bits():
    return check_of()


def murmur3_of(data, seed):
    h = seed
    for (k,) in struct.iter_unpack("<I", data):
        k = turned(k * 0xcc9e2d51 & MASK, 15) * 0x1b873593 & MASK
        h = (turned(h ^ k, 13) * 5 + 0xe6546b64) & MASK
    h ^= len(data)
    for shift, factor in ((16, 0x85ebca6b), (13, 0xc2b2ae35)):
        h = (h ^ h >> shift) * factor & MASK
    return h ^ h >> 16


def murmur3():
    assert murmur3_of(b"test", 0x9747b28c) == 0x704b81dc  # often quoted
    data = words(8, ITEMS * 5).reshape(ITEMS, 5)
    expected = numpy.array([murmur3_of(row.tobytes(), 99) for row in data], numpy.uint32)
    return Case((ITEMS,), None, data, Out(expected), numpy.uint32(5), numpy.uint32(99))


def times(a, b):
    """In the field of AES."""
    return field_product(a, b, 0x11B)


def sub_byte(x):
    inverse = next((y for y in range(1, 256) if times(x, y) == 1), 0)
    return inverse ^ turned(inverse, 1, 8) ^ turned(inverse, 2, 8) ^ turned(inverse, 3, 8) ^ turned(inverse, 4, 8) ^ 0x63


BOX = []


def expanded(key):
    schedule, factor = [list(key[i:i + 4]) for i in range(0, 16, 4)], 1
    for i in range(4, 44):
        last = schedule[-1]
        if i % 4 == 0:
            last = [BOX[x] for x in last[1:] + last[:1]]
            last[0] ^= factor
            factor = times(factor, 2)
        schedule.append([a ^ b for a, b in zip(schedule[i - 4], last)])
    return [sum(schedule[i:i + 4], []) for i in range(0, 44, 4)]


def aes_of(block, keys):
    state = [a ^ b for a, b in zip(block, keys[0])]
    for number in range(1, 11):
        columns = [[BOX[state[4 * ((c + r) % 4) + r]] for r in range(4)] for c in range(4)]
        if number < 10:
            matrix = ((2, 3, 1, 1), (1, 2, 3, 1), (1, 1, 2, 3), (3, 1, 1, 2))
            columns = [[times(c[0], m[0]) ^ times(c[1], m[1]) ^ times(c[2], m[2]) ^ times(c[3], m[3]) for m in matrix] for c in columns]
        state = [a ^ b for a, b in zip(sum(columns, []), keys[number])]
    return state


def aes128():
    BOX[:] = [sub_byte(x) for x in range(256)]
    keys = expanded(bytes.fromhex("2b7e151628aed2a6abf7158809cf4f3c"))
    vector = bytes.fromhex("3243f6a8885a308d313198a2e0370734")  # FIPS 197, appendix B
    assert bytes(aes_of(vector, keys)).hex() == "3925841d02dc09fbdc118597196a0b32"
    blocks = [vector] + [bytes(numbers(i).integers(0, 256, 16, dtype=numpy.uint8)) for i in range(ITEMS - 1)]
    expected = numpy.array([aes_of(block, keys) for block in blocks], numpy.uint8)
    return Case((ITEMS,), None, numpy.frombuffer(b"".join(blocks), numpy.uint8), numpy.array(keys, numpy.uint8), Out(expected))


def chacha20_of(key, number, nonce):
    first = [*struct.unpack("<4I", b"expand 32-byte k"), *key, number, *nonce]
    s = list(first)

    def quarter(a, b, c, d):
        for to, by, other, n in ((a, b, d, 16), (c, d, b, 12), (a, b, d, 8), (c, d, b, 7)):
            s[to] = (s[to] + s[by]) & MASK
            s[other] = turned(s[other] ^ s[to], n)

    for _ in range(10):
        for i in range(4):
            quarter(i, i + 4, i + 8, i + 12)
        for i in range(4):
            quarter(i, 4 + (i + 1) % 4, 8 + (i + 2) % 4, 12 + (i + 3) % 4)
    return [(a + b) & MASK for a, b in zip(s, first)]


def chacha20():
    key, nonce = struct.unpack("<8I", bytes(range(32))), struct.unpack("<3I", bytes.fromhex("000000090000004a00000000"))
    expected = numpy.array([chacha20_of(key, number, nonce) for number in range(ITEMS)], numpy.uint32)
    assert expected[1][0] == 0xe4e7f110  # RFC 8439, section 2.3.2
    return Case((ITEMS,), None, numpy.array(key, numpy.uint32), Out(expected), *(numpy.uint32(n) for n in nonce))


def xtea_of(v0, v1, key):
    total = 0
    for _ in range(32):
        v0 = (v0 + (((v1 << 4 ^ v1 >> 5) + v1) ^ (total + key[total & 3]))) & MASK
        total = (total + 0x9E3779B9) & MASK
        v1 = (v1 + (((v0 << 4 ^ v0 >> 5) + v0) ^ (total + key[total >> 11 & 3]))) & MASK
    return v0, v1


def xtea():
    key = words(9, 4)
    data = words(10, 2 * ITEMS).reshape(ITEMS, 2)
    k = [int(x) for x in key]
    return Case((ITEMS,), None, data, Out(numpy.array([xtea_of(int(a), int(b), k) for a, b in data], numpy.uint32)), Value(key))


CASES = (md5, sha1, sha256, siphash, xxhash32, crc32_table, crc32_bits, murmur3, aes128, chacha20, xtea)
