# SPDX-License-Identifier: Apache-2.0
"""Cases of searches with stacks and heaps of their own, and of arithmetic in fixed point and modulo numbers."""
import math

import numpy
from case import Case, Out, numbers

ITEMS = 24


def solutions(n, columns, left, right):
    """Ways to place the rest of n queens, by masks of what the others reach in the next row."""
    if columns == (1 << n) - 1:
        return 1
    return sum(solutions(n, columns | bit, (left | bit) << 1, (right | bit) >> 1) for bit in (1 << i for i in range(n))
               if not bit & (columns | left | right))


def queens():
    n, expected = 6, []
    for item in range(n * n):
        first, second = 1 << item % n, 1 << item // n % n
        attacked = first | first << 1 | first >> 1
        expected.append(0 if second & attacked else solutions(n, first | second, (first << 1 | second) << 1, (first >> 1 | second) >> 1))
    assert sum(expected) == 4
    return Case((n * n,), None, numpy.int32(n), Out(numpy.array(expected, numpy.uint32)))


def smallest8():
    values = numbers(5).integers(-10000, 10000, (ITEMS, 30), dtype=numpy.int32)
    least = numpy.sort(values, 1)[:, :8]
    return Case((ITEMS,), None, values, numpy.uint32(30), Out(numpy.stack([least[:, 7], least.sum(1)], 1).astype(numpy.int32)))


def tree_of(points, depth, nodes):
    """Adds a k-d tree's nodes, and returns the number of its root."""
    if not points:
        return -1
    points = sorted(points, key=lambda point: point[depth % 2])
    middle, number = len(points) // 2, len(nodes)
    nodes.append(None)
    nodes[number] = (*points[middle], tree_of(points[:middle], depth + 1, nodes), tree_of(points[middle + 1:], depth + 1, nodes))
    return number


def nearest_in_tree():
    nodes = []
    tree_of([tuple(point) for point in numbers(6).standard_normal((40, 2)).astype(numpy.float32)], 0, nodes)
    tree = numpy.array(nodes, numpy.dtype([("x", "f4"), ("y", "f4"), ("left", "i4"), ("right", "i4")]))
    queries = numbers(7).standard_normal((ITEMS, 2)).astype(numpy.float32)
    nearest = [numpy.argmin((tree["x"] - x) ** 2 + (tree["y"] - y) ** 2) for x, y in queries]
    return Case((ITEMS,), None, tree.view(numpy.uint8), queries, Out(numpy.array(nearest, numpy.int32)))


def forest():
    random, trees, nodes, features = numbers(16), 4, 31, 5
    branch = numpy.zeros((trees, nodes), numpy.dtype([("threshold", "f4"), ("feature", "i2"), ("left", "i2"), ("right", "i2"), ("pad", "u2")]))
    for tree in branch:
        for i in range(nodes):
            is_leaf = i >= nodes // 2 or (i > 2 and random.integers(4) == 0)
            tree[i] = random.standard_normal(), -1 if is_leaf else random.integers(features), 2 * i + 1, 2 * i + 2, 0
    x, expected = random.standard_normal((ITEMS, features)).astype(numpy.float32), []
    for row in x:
        total = numpy.float32(0)
        for tree in branch:
            node = tree[0]
            while node["feature"] >= 0:
                node = tree[node["left" if row[node["feature"]] < node["threshold"] else "right"]]
            total += node["threshold"]
        expected.append(total / numpy.float32(trees))
    return Case((ITEMS,), None, branch.view(numpy.uint8), numpy.uint32(nodes), numpy.uint32(trees), x, numpy.uint32(features),
                Out(numpy.array(expected, numpy.float32)))


def components():
    pictures = (numbers(10).random((2, 8, 8)) < 0.6).astype(numpy.uint8)
    labels = numpy.where(pictures != 0, numpy.arange(64).reshape(8, 8), -1).astype(numpy.int32)
    for _ in range(64):
        wide = numpy.pad(labels, ((0, 0), (1, 1), (1, 1)), constant_values=-1)
        near = numpy.maximum.reduce([wide[:, 1:-1, 1:-1], wide[:, :-2, 1:-1], wide[:, 2:, 1:-1], wide[:, 1:-1, :-2], wide[:, 1:-1, 2:]])
        labels = numpy.where(pictures != 0, near, -1).astype(numpy.int32)
    return Case((8, 16), (8, 8), pictures, Out(labels))


def cordic():
    angles, expected = numbers(1).integers(-400000000, 400000000, ITEMS, dtype=numpy.int32), []
    for z in angles.tolist():
        x, y = 163008218, 0
        for i in range(24):
            sign = -1 if z < 0 else 1
            x, y, z = x - sign * (y >> i), y + sign * (x >> i), z - sign * round(math.atan(2.0 ** -i) * 2 ** 28)
        expected.append((x, y))
    assert numpy.abs(numpy.array(expected)[:, 0] / 2 ** 28 - numpy.cos(angles / 2 ** 28)).max() < 1e-5
    return Case((ITEMS,), None, angles, Out(numpy.array(expected, numpy.int32)))


def gemm_int8():
    a, b = (numbers(seed).integers(-128, 128, (rows, 32), dtype=numpy.int8) for seed, rows in ((2, 6), (3, 8)))
    bias = numbers(4).integers(-1000, 1000, 8, dtype=numpy.int32)
    sums = (a.astype(int) @ b.T.astype(int) + bias) * 90000 + (1 << 24) >> 25
    return Case((8, 6), None, a, b, bias, Out(numpy.clip(sums, -128, 127).astype(numpy.int8)), numpy.int32(8), numpy.int32(8), numpy.int32(90000),
                numpy.int32(25))


def ntt64():
    modulus = 998244353
    root = pow(3, (modulus - 1) // 64, modulus)
    values = numbers(10).integers(0, modulus, (2, 64), dtype=numpy.uint32)
    expected = [[sum(x * pow(root, i * j, modulus) for j, x in enumerate(row)) % modulus for i in range(64)] for row in values.tolist()]
    roots = numpy.array([pow(root, i, modulus) for i in range(32)], numpy.uint32)
    return Case((128,), (64,), Out(numpy.array(expected, numpy.uint32), values), roots)


def power_mod64():
    modulus, radix = 0xFFFFFFFFFFFFFFC5, 1 << 64
    base, exponent = (numbers(seed).integers(0, 1 << bits, ITEMS, dtype=numpy.uint64) for seed, bits in ((8, 63), (9, 43)))
    exponent[:2] = 0, 1
    expected = [pow(b, e, modulus) for b, e in zip(base.tolist(), exponent.tolist())]
    return Case((ITEMS,), None, base, exponent, numpy.uint64(modulus), numpy.uint64(pow(modulus, -1, radix)), numpy.uint64(radix % modulus),
                numpy.uint64(radix * radix % modulus), Out(numpy.array(expected, numpy.uint64)))


def fdtd():
    e = numpy.pad(numbers(8).standard_normal((2, 32)).astype(numpy.float32), ((0, 0), (0, 1)))
    before, h = e[:, :32].copy(), numpy.zeros((2, 32), numpy.float32)
    for _ in range(10):
        h += numpy.float32(0.5) * (e[:, 1:] - e[:, :-1])
        e[:, 1:32] += numpy.float32(0.5) * (h[:, 1:] - h[:, :-1])
    return Case((64,), (32,), Out(e[:, :32], before, relative=1e-6), Out(h, relative=1e-6), numpy.int32(10))


CASES = (queens, smallest8, nearest_in_tree, forest, components, cordic, gemm_int8, ntt64, power_mod64, fdtd)
