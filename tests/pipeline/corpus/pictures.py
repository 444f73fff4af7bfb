# SPDX-License-Identifier: Apache-2.0
"""Cases of pictures and of signals, and their transforms."""
import numpy
from case import Case, Out, numbers

WIDTH, HEIGHT = 18, 10
SIZES = numpy.int32(WIDTH), numpy.int32(HEIGHT)
TILES = 2


def picture():
    return numbers(1).integers(0, 256, (HEIGHT, WIDTH), dtype=numpy.uint8)


def around(values, mode):
    """The nine shifted copies of a picture, by row and column, each beyond its edge."""
    wide = numpy.pad(values, 1, mode=mode)
    return numpy.array([[wide[y:y + HEIGHT, x:x + WIDTH] for x in range(3)] for y in range(3)])


def sobel():
    near = around(picture().astype(int), "edge")
    weights = numpy.array([[-1, 0, 1], [-2, 0, 2], [-1, 0, 1]])
    gx, gy = numpy.tensordot(weights, near, 2), numpy.tensordot(weights.T, near, 2)
    return Case((WIDTH, HEIGHT), None, picture(), Out((abs(gx) + abs(gy)).astype(numpy.uint16)), *SIZES)


def median3():
    expected = numpy.median(around(picture(), "edge").reshape(9, HEIGHT, WIDTH), axis=0).astype(numpy.uint8)
    return Case((WIDTH, HEIGHT), None, picture(), Out(expected), *SIZES)


def bilateral():
    values, near, like = picture().astype(float) / 255, 0.1, 8.0
    expected = numpy.zeros_like(values)
    for y, x in numpy.ndindex(HEIGHT, WIDTH):
        top, left = max(y - 2, 0), max(x - 2, 0)
        window = values[top:y + 3, left:x + 3]
        rows, columns = numpy.ogrid[top:top + window.shape[0], left:left + window.shape[1]]
        weights = numpy.exp(-near * ((rows - y) ** 2 + (columns - x) ** 2) - like * (window - values[y, x]) ** 2)
        expected[y, x] = (weights * window).sum() / weights.sum()
    return Case((WIDTH, HEIGHT), None, values.astype(numpy.float32), Out(expected.astype(numpy.float32), relative=1e-5), *SIZES,
                numpy.float32(near), numpy.float32(like))


def canny_suppress():
    gx, gy = numbers(2).integers(-700, 700, (2, HEIGHT, WIDTH), dtype=numpy.int16)
    expected = numpy.zeros((HEIGHT, WIDTH), numpy.int32)
    square = gx.astype(int) ** 2 + gy.astype(int) ** 2
    for y in range(1, HEIGHT - 1):
        for x in range(1, WIDTH - 1):
            # The direction in eighths of a circle; half of a turn is the same.
            eighth = round(numpy.degrees(numpy.arctan2(float(gy[y, x]), float(gx[y, x]))) / 45) % 4
            dy, dx = ((0, 1), (1, 1), (1, 0), (1, -1))[eighth]
            if square[y, x] >= square[y + dy, x + dx] and square[y, x] > square[y - dy, x - dx]:
                expected[y, x] = square[y, x]
    return Case((WIDTH, HEIGHT), None, gx, gy, Out(expected), *SIZES)


def fir():
    signal, taps = numbers(3).standard_normal(100), numbers(4).standard_normal(16)
    expected = numpy.convolve(signal, taps)[:100].astype(numpy.float32)
    return Case((100,), None, signal.astype(numpy.float32), taps.astype(numpy.float32), Out(expected, relative=1e-5), numpy.int32(16))


def biquad():
    signals, c = numbers(5).standard_normal((6, 40)), numpy.array([0.2, 0.4, 0.2, -0.6, 0.3])
    expected = numpy.zeros_like(signals)
    for signal, y in zip(signals, expected):
        for n in range(40):  # the difference equation itself
            x1, x2, y1, y2 = (row[n - k] if n >= k else 0 for row in (signal, y) for k in (1, 2))
            y[n] = c[0] * signal[n] + c[1] * x1 + c[2] * x2 - c[3] * y1 - c[4] * y2
    out = Out(expected.astype(numpy.float32), relative=1e-5)
    return Case((6,), None, signals.astype(numpy.float32), c.astype(numpy.float32), out, numpy.int32(40))


def pairs(values):
    """Complex numbers as pairs of floats."""
    return numpy.stack([values.real, values.imag], -1).astype(numpy.float32)


def fft(items):
    values = numbers(6).standard_normal((TILES, 64)) + 1j * numbers(7).standard_normal((TILES, 64))
    roots = numpy.exp(-2j * numpy.pi * numpy.arange(64) / 64)
    return Case((TILES * items,), (items,), pairs(values), Out(pairs(numpy.fft.fft(values)), relative=1e-5), pairs(roots))


def fft2():
    return fft(32)


def fft4():
    return fft(16)


def walsh():
    values = numbers(8).integers(-1000, 1000, (TILES, 64), dtype=numpy.int32)
    matrix = numpy.ones((1, 1), int)
    for _ in range(6):
        matrix = numpy.kron(matrix, [[1, 1], [1, -1]])
    return Case((TILES * 64,), (64,), values, Out((values @ matrix).astype(numpy.int32)))


def dct8():
    values = numbers(9).integers(-128, 128, (TILES, 8, 8)).astype(float)
    u, x = numpy.ogrid[:8, :8]
    matrix = numpy.where(u == 0, numpy.sqrt(1 / 8), numpy.sqrt(2 / 8)) * numpy.cos((2 * x + 1) * u * numpy.pi / 16)
    expected = matrix @ values @ matrix.T
    out = Out(expected.astype(numpy.float32), relative=1e-5)
    return Case((TILES * 8, 8), (8, 8), values.astype(numpy.float32), out, matrix.astype(numpy.float32))


def haar():
    values = numbers(10).integers(-500, 500, (TILES, 64), dtype=numpy.int32)
    expected = values.copy()
    for row in expected:
        count = 64
        while count > 1:
            even, odd = row[0:count:2].copy(), row[1:count:2].copy()
            row[:count // 2], row[count // 2:count] = (even + odd) // 2, odd - even
            count //= 2
    return Case((TILES * 32,), (32,), values, Out(expected))


def yuv_rgb():
    values = numbers(11).integers(0, 256, (60, 4), dtype=numpy.uint8)
    y, u, v = (values[:, i].astype(int) for i in range(3))
    c, d, e = y - 16, u - 128, v - 128
    rgb = [(298 * c + 409 * e + 128) // 256, (298 * c - 100 * d - 208 * e + 128) // 256, (298 * c + 516 * d + 128) // 256, numpy.full(60, 255)]
    return Case((60,), None, values, Out(numpy.clip(numpy.stack(rgb, -1), 0, 255).astype(numpy.uint8)))


def floyd_steinberg():
    values = numbers(12).integers(0, 256, (6, 8, 8), dtype=numpy.uint8)
    expected = numpy.zeros_like(values)
    for tile, dots in zip(values, expected):
        owed = numpy.zeros((9, 10), int)  # sixteenths, that what is before has left to a pixel; a column further right
        for y, x in numpy.ndindex(8, 8):
            sixteenths = owed[y, x + 1]
            value = int(tile[y, x]) + (abs(sixteenths) // 16 if sixteenths >= 0 else -(abs(sixteenths) // 16))
            dots[y, x] = 0 if value < 128 else 255
            error = value - int(dots[y, x])
            for dy, dx, share in ((0, 1, 7), (1, -1, 3), (1, 0, 5), (1, 1, 1)):
                owed[y + dy, x + 1 + dx] += share * error
    return Case((6,), None, values, Out(expected))


CASES = (sobel, median3, bilateral, canny_suppress, fir, biquad, fft2, fft4, walsh, dct8, haar, yuv_rgb, floyd_steinberg)
