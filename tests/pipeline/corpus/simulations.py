# SPDX-License-Identifier: Apache-2.0
"""Cases of simulations, of chance, of money and of points."""
import math

import numpy
from case import Case, Out, Value, numbers, words

WIDTH, HEIGHT = 16, 9


def life():
    cells = numbers(1).integers(0, 2, (HEIGHT, WIDTH), dtype=numpy.uint8)
    living = sum(numpy.roll(cells.astype(int), (dy, dx), (0, 1)) for dy in (-1, 0, 1) for dx in (-1, 0, 1)) - cells
    return Case((WIDTH, HEIGHT), None, cells, Out(((living == 3) | (cells & (living == 2))).astype(numpy.uint8)))


def heat():
    values = numbers(2).random((HEIGHT, WIDTH))
    expected = values.copy()
    inner = values[1:-1, 1:-1]
    expected[1:-1, 1:-1] += 0.2 * (values[:-2, 1:-1] + values[2:, 1:-1] + values[1:-1, :-2] + values[1:-1, 2:] - 4 * inner)
    return Case((WIDTH, HEIGHT), None, values.astype(numpy.float32), Out(expected.astype(numpy.float32), relative=1e-6), numpy.float32(0.2))


def lbm():
    cells, omega = 20, 1.2
    speeds = numpy.array([(0, 0), (1, 0), (0, 1), (-1, 0), (0, -1), (1, 1), (-1, 1), (-1, -1), (1, -1)])
    weights = numpy.array([4 / 9] + [1 / 9] * 4 + [1 / 36] * 4)
    f = weights[:, None] * (1 + 0.2 * numbers(3).random((9, cells)))
    density = f.sum(axis=0)
    u = speeds.T @ f / density
    along = speeds @ u
    rest = weights[:, None] * density * (1 + 3 * along + 4.5 * along ** 2 - 1.5 * (u ** 2).sum(axis=0))
    return Case((cells,), None, f.astype(numpy.float32), Out((f + omega * (rest - f)).astype(numpy.float32), relative=1e-6), numpy.float32(omega))


def black_scholes():
    price, strike, years = numbers(4).uniform((50, 50, 0.2), (150, 150, 3), (30, 3)).T.astype(numpy.float32)
    rate, volatility, expected = 0.03, 0.25, []
    for s, k, t in zip(price.astype(float), strike.astype(float), years.astype(float)):
        d1 = (math.log(s / k) + (rate + volatility ** 2 / 2) * t) / (volatility * math.sqrt(t))
        d2 = d1 - volatility * math.sqrt(t)
        normal = [0.5 * math.erfc(-d / math.sqrt(2)) for d in (d1, d2)]
        expected.append(s * normal[0] - k * math.exp(-rate * t) * normal[1])
    # The polynomial is good to 7.5e-8 of 1, which prices of 150 magnify.
    out = Out(numpy.array(expected, numpy.float32), relative=1e-5)
    return Case((30,), None, price, strike, years, out, numpy.float32(rate), numpy.float32(volatility))


def pi_xorshift():
    seeds, expected = words(5, 10) | 1, []
    for state in seeds.tolist():
        inside = 0
        for _ in range(20):
            point = []
            for _ in range(2):
                state ^= state << 13 & 0xFFFFFFFF
                state ^= state >> 17
                state ^= state << 5 & 0xFFFFFFFF
                point.append((state >> 17) / 32768)
            inside += math.hypot(*point) < 1
        expected.append(inside)
    return Case((10,), None, seeds, Out(numpy.array(expected, numpy.uint32)), numpy.uint32(20))


def philox(counter, key):
    for _ in range(10):
        first, second = 0xD2511F53 * counter[0], 0xCD9E8D57 * counter[2]
        counter = [second >> 32 ^ counter[1] ^ key[0], second & 0xFFFFFFFF, first >> 32 ^ counter[3] ^ key[1], first & 0xFFFFFFFF]
        key = [(k + bump) & 0xFFFFFFFF for k, bump in zip(key, (0x9E3779B9, 0xBB67AE85))]
    return counter


def pi_philox():
    assert philox([0] * 4, [0] * 2) == [0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8]  # the authors' vector
    key, expected = words(6, 2), []
    for item in range(10):
        inside = 0
        for i in range(8):
            a, b, c, d = ((x >> 17) / 32768 for x in philox([i, item, 0, 0], key.tolist()))
            inside += (math.hypot(a, b) < 1) + (math.hypot(c, d) < 1)
        expected.append(inside)
    return Case((10,), None, Out(numpy.array(expected, numpy.uint32)), numpy.uint32(8), Value(key))


def binomial():
    price, strike = numbers(7).uniform(50, 150, (2, 8)).astype(numpy.float32)
    steps, years, rate, volatility = 16, 0.5, 0.04, 0.3
    up = math.exp(volatility * math.sqrt(years / steps))
    growth = math.exp(rate * years / steps)
    chance, expected = (growth - 1 / up) / (up - 1 / up), []
    for s, k in zip(price.astype(float), strike.astype(float)):
        level = numpy.maximum(k - s * up ** numpy.arange(-steps, steps + 1, 2.0), 0)
        for step in range(steps - 1, -1, -1):
            level = (chance * level[1:] + (1 - chance) * level[:-1]) / growth
            level = numpy.maximum(level, k - s * up ** numpy.arange(-step, step + 1, 2.0))
        expected.append(level[0])
    out = Out(numpy.array(expected, numpy.float32), relative=1e-5)
    return Case((8,), None, price, strike, out, *(numpy.float32(x) for x in (up, chance, 1 / growth)))


def ray_sphere():
    directions = numbers(8).standard_normal((40, 3))
    directions[:, 2] = abs(directions[:, 2]) + 1
    directions /= numpy.linalg.norm(directions, axis=1, keepdims=True)
    spheres = numpy.concatenate([numbers(9).uniform((-3, -3, 4), (3, 3, 9), (5, 3)), numbers(10).uniform(0.8, 2, (5, 1))], axis=1)
    expected = []
    for d in directions:
        hits = []
        for x, y, z, radius in spheres:
            # |t d - c|^2 = r^2
            roots = numpy.roots([1, -2 * (d @ (x, y, z)), x * x + y * y + z * z - radius ** 2])
            if numpy.isrealobj(roots):
                hits.append(roots.min())
        expected.append(min((hit for hit in hits if hit > 0), default=-1))
    four = numpy.concatenate([directions, numpy.zeros((40, 1))], axis=1).astype(numpy.float32)
    return Case((40,), None, four, spheres.astype(numpy.float32), Out(numpy.array(expected, numpy.float32), relative=1e-4), numpy.int32(5))


def squares(a, b):
    return ((a[:, None, :].astype(int) - b[None, :, :]) ** 2).sum(axis=2)


def kmeans():
    points, means = numbers(11).integers(-1000, 1000, (60, 2), dtype=numpy.int32), numbers(12).integers(-1000, 1000, (5, 2), dtype=numpy.int32)
    nearest = squares(points, means).argmin(axis=1).astype(numpy.uint32)
    return Case((60,), None, points, means, Out(nearest), Out(numpy.bincount(nearest, minlength=5).astype(numpy.uint32)), numpy.uint32(5))


def knn():
    asked, points = numbers(13).integers(-1000, 1000, (12, 2), dtype=numpy.int32), numbers(14).integers(-1000, 1000, (40, 2), dtype=numpy.int32)
    return Case((12,), None, asked, points, Out(numpy.sort(squares(asked, points), axis=1)[:, :3].astype(numpy.int32)), numpy.uint32(40))


CASES = (life, heat, lbm, black_scholes, pi_xorshift, pi_philox, binomial, ray_sphere, kmeans, knn)
