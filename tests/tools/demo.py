#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The programs of host/examples: the scan of the OpenCL text, the blur of any kind of PNG against a reference of this
script's own, two kernels with a pipe between them, and kernels that start kernels."""
import os
import shutil
import struct
import subprocess
import sys
import tempfile
import zlib

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import numpy
import tap
from tap import command, expect, expect_in, test, test_for

GREY, RGB, PALETTE, GREY_ALPHA, RGBA = 0, 2, 3, 4, 6
PLANES = {GREY: 1, RGB: 3, PALETTE: 1, GREY_ALPHA: 2, RGBA: 4}


def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def png(samples, kind, bits=8, palette=None):
    """A PNG of an array (height, width, planes)."""
    height, width, _ = samples.shape
    rows = samples.astype(">u2" if bits == 16 else "u1").reshape(height, -1)
    data = b"".join(b"\0" + row.tobytes() for row in rows)
    extra = chunk(b"PLTE", palette.tobytes()) if palette is not None else b""
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, bits, kind, 0, 0, 0)) + extra
            + chunk(b"IDAT", zlib.compress(data)) + chunk(b"IEND", b""))


def read_png(path):
    """An 8-bit PNG without palette or interlace, as the blur writes them, as an array (height, width, planes)."""
    with open(path, "rb") as file:
        data = file.read()
    at, compressed = 8, b""
    while at < len(data):
        length, kind = struct.unpack(">I4s", data[at:at + 8])
        body = data[at + 8:at + 8 + length]
        if kind == b"IHDR":
            width, height, bits, colour, _, _, interlace = struct.unpack(">IIBBBBB", body)
            expect((8, 0), (bits, interlace), "bits and interlace")
        elif kind == b"IDAT":
            compressed += body
        at += 12 + length
    n = PLANES[colour]
    raw = zlib.decompress(compressed)
    rows, above = [], [0] * (width * n)
    for y in range(height):
        line = list(raw[y * (width * n + 1) + 1:(y + 1) * (width * n + 1)])
        method = raw[y * (width * n + 1)]
        for i in range(width * n):
            left = line[i - n] if i >= n else 0
            corner = above[i - n] if i >= n else 0
            p = left + above[i] - corner
            nearest = min((abs(p - left), 0, left), (abs(p - above[i]), 1, above[i]), (abs(p - corner), 2, corner))[2]
            line[i] = (line[i] + (0, left, above[i], (left + above[i]) // 2, nearest)[method]) & 255
        rows.append(line)
        above = line
    return numpy.array(rows, dtype=numpy.uint8).reshape(height, width, n)


def box_blur(samples, radius):
    """The definition: the rounded mean over the part of the box that lies in the picture."""
    height, width, planes = samples.shape
    result = numpy.empty_like(samples)
    for y in range(height):
        for x in range(width):
            box = samples[max(0, y - radius):y + radius + 1, max(0, x - radius):x + radius + 1].reshape(-1, planes)
            result[y, x] = (box.astype(int).sum(axis=0) + len(box) // 2) // len(box)
    return result


def blur(data, radius, device):
    """Runs the demo's blur over PNG bytes: (before, after) as arrays."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "in.png")
        with open(path, "wb") as file:
            file.write(data)
        status, out, err = command("bin/blur", path, "--radius", str(radius), "--device", device, "--output", folder)
        expect((0, ""), (status, err), f"exit status and messages of blur ({out})")
        for part in ("scan_rows", "scan_columns", "box", "issues/cycle", "active lanes", "equal the CPU's"):
            expect_in(part, out, "output of blur")
        return read_png(os.path.join(folder, "before.png")), read_png(os.path.join(folder, "after.png"))


def check_blur(samples, data, radius, device):
    before, after = blur(data, radius, device)
    expect(samples.shape, before.shape, "shape of before.png")
    expect(True, bool((before == samples).all()), "before.png equals the picture")
    expected = box_blur(samples, radius)
    wrong = numpy.argwhere(after != expected)
    if len(wrong):
        y, x, plane = wrong[0]
        raise AssertionError(f"after.png at x {x}, y {y}, plane {plane}: expected {expected[y, x, plane]}, got {after[y, x, plane]}; "
                             f"{len(wrong)} samples differ")


def turned(samples, degrees):
    """The definition: where each pixel came from, and the four pixels around that point; outside all is 0."""
    height, width, planes = samples.shape
    colours = samples[..., :1].repeat(3, axis=2) if planes < 3 else samples[..., :3]
    alpha = samples[..., -1:] if planes % 2 == 0 else numpy.full((height, width, 1), 255)
    pixels = numpy.zeros((height + 4, width + 4, 4))
    pixels[2:-2, 2:-2] = numpy.concatenate((colours, alpha), axis=2)
    y, x = numpy.mgrid[0:height, 0:width] + 0.5
    x, y = x - width / 2, y - height / 2
    angle = numpy.radians(degrees)
    from_x = numpy.clip(numpy.cos(angle) * x + numpy.sin(angle) * y + width / 2 - 0.5, -1.5, width + 0.5)
    from_y = numpy.clip(numpy.cos(angle) * y - numpy.sin(angle) * x + height / 2 - 0.5, -1.5, height + 0.5)
    left, above = numpy.floor(from_x).astype(int), numpy.floor(from_y).astype(int)
    a, b = (from_x - left)[..., None], (from_y - above)[..., None]
    at = lambda dx, dy: pixels[above + 2 + dy, left + 2 + dx]
    return (1 - b) * ((1 - a) * at(0, 0) + a * at(1, 0)) + b * ((1 - a) * at(0, 1) + a * at(1, 1))


@test_for(sim=("sim", (30, 40, 3), RGB, 20), model=("model", (120, 90, 3), RGB, -77), alpha=("model", (33, 50, 4), RGBA, 45),
          grey=("model", (50, 33, 1), GREY, 180), grey_alpha=("model", (20, 20, 2), GREY_ALPHA, 3), one_pixel=("model", (1, 1, 3), RGB, 90),
          not_at_all=("model", (9, 13, 3), RGB, 0))
def picture_turned_by_a_sampler(case):
    device, shape, kind, degrees = case
    samples = noise(*shape, seed=degrees + 400)
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "in.png")
        with open(path, "wb") as file:
            file.write(png(samples, kind))
        status, out, err = command("bin/rotate", path, "--angle", str(degrees), "--device", device, "--output", folder)
        expect((0, ""), (status, err), f"exit status and messages of rotate ({out})")
        for part in ("rotate", "issues/cycle", "but for rounding"):
            expect_in(part, out, "output of rotate")
        after = read_png(os.path.join(folder, "rotated.png")).astype(float)
    far = numpy.abs(after - turned(samples, degrees))
    # Weights are in 256ths: 3/256 of the range at most (docs/decisions/images.md), and half a step of what is stored.
    most = 255 * 3 / 256 + 0.5
    expect(True, bool((far <= most).all()), f"rotated.png: {int((far > most).sum())} samples are off by up to {far.max()}")
    expect(True, bool(far.mean() < 0.5), f"rotated.png: samples are off by {far.mean()} on average, not below a half")


@test
def angle_that_is_none_gets_one_line():
    for angle in ("400", "nan", "ten", ""):
        status, out, err = command("bin/rotate", "README.md", "--angle", angle)
        expect((2, "", 1), (status, out, err.count("\n")), f"exit status, output and lines of the message {err!r} for {angle!r}")
        expect_in("degrees from -360 to 360", err, "message")


def noise(height, width, planes, seed=1):
    return numpy.random.default_rng(seed).integers(0, 256, (height, width, planes), dtype=numpy.uint8)


@test_for(sim="sim", model="model")
def scan_is_as_the_opencl_text_gives_it(device):
    status, out, err = command("bin/scan", "--device", device)
    expect((0, ""), (status, err), "exit status and messages")
    expect_in("[3 4 11 11 15 16 22 25]", out, "inclusive scan")
    expect_in("[0 3 4 11 11 15 16 22]", out, "exclusive scan")
    expect_in("as the OpenCL text gives them", out, "verdict")


@test
def smallest_program_is_copied_alone_and_compiled_by_any_c_compiler():
    """In a folder with nothing of the checkout, for the first device there is; its sub-groups have as many lanes as the default device."""
    with tempfile.TemporaryDirectory() as folder:
        source = os.path.join(folder, "smallest.c")
        shutil.copy(os.path.join(tap.TOP, "host/examples/smallest.c"), source)
        program = os.path.join(folder, "smallest")
        compiled = subprocess.run(["cc", "-std=c99", "-Wall", "-Werror", "smallest.c", "-o", program, "-lOpenCL"], cwd=folder, text=True,
                                  stderr=subprocess.PIPE)
        expect((0, ""), (compiled.returncode, compiled.stderr), "compiling it")
        status, out, err = command(program, HEDDLE_SIM_LANES="8")
    expect((0, ""), (status, err), "exit status and messages")
    expect([sum(range(i - i % 8, i - i % 8 + 8)) for i in range(32)], [int(word) for word in out.split()], "sums of sub-groups")


@test_for(sim="sim", model="model")
def rgb_picture_larger_than_a_work_group(device):
    samples = noise(40, 300 if device == "model" else 90, 3)
    check_blur(samples, png(samples, RGB), 3, device)


@test_for(one_pixel=(1, 1, 5), one_row=(1, 700, 4), one_column=(700, 1, 4), wide_radius=(9, 13, 100), no_radius=(8, 8, 0),
          odd=(65, 67, 2))
def grey_picture_of_any_size(shape):
    height, width, radius = shape
    samples = noise(height, width, 1, seed=width)
    check_blur(samples, png(samples, GREY), radius, "model")


@test
def white_picture_stays_white():
    samples = numpy.full((70, 70, 1), 255, dtype=numpy.uint8)
    before, after = blur(png(samples, GREY), 6, "model")
    expect(True, bool((after == 255).all()), "every sample white")


@test_for(rgba=RGBA, grey_alpha=GREY_ALPHA)
def picture_with_alpha(kind):
    samples = noise(20, 31, PLANES[kind])
    check_blur(samples, png(samples, kind), 2, "model")


@test
def palette_picture():
    palette = noise(256, 1, 3, seed=3).reshape(256, 3)
    indices = noise(20, 30, 1, seed=4)
    check_blur(palette[indices[..., 0]], png(indices, PALETTE, palette=palette), 2, "model")


@test
def sixteen_bit_picture():
    samples = numpy.random.default_rng(5).integers(0, 65536, (20, 30, 3), dtype=numpy.uint16)
    before, after = blur(png(samples, RGB, bits=16), 2, "model")
    expect((20, 30, 3), before.shape, "shape of before.png")
    expect(True, bool((after == box_blur(before, 2)).all()), "after.png is the blur of before.png")


@test
def no_png_gets_one_line():
    for path, part in (("README.md", "is no PNG picture"), ("absent.png", "cannot open absent.png: No such file or directory"), ("tests", "is no PNG picture")):
        status, out, err = command("bin/blur", path, "--output", "build/demo")
        expect((2, "", 1), (status, out, err.count("\n")), f"exit status, output and lines of the message {err!r} for {path}")
        expect_in(part, err, "message")


@test
def damaged_png_gets_one_line():
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "cut.png")
        with open(path, "wb") as file:
            file.write(png(noise(30, 30, 3), RGB)[:400])
        status, out, err = command("bin/blur", path, "--output", folder)
    expect((2, 1), (status, err.count("\n")), f"exit status and lines of the message {err!r}")
    expect_in("damaged", err, "message")


@test
def primes_through_a_pipe_and_through_a_buffer():
    status, out, err = command("bin/sift", "--device", "model")
    expect((0, ""), (status, err), "exit status and message")
    rows = [line.split() for line in out.splitlines() if line.endswith("all primes")]
    expect(["pipe", "buffer"], [row[0] for row in rows], f"rows of {out!r} that found all primes")


@test
def numbers_sorted_by_rounds_that_the_host_or_the_device_starts():
    status, out, err = command("bin/quicksort", "--device", "model", "--count", "700")
    expect((0, ""), (status, err), "exit status and message")
    rows = [line for line in out.splitlines() if line.startswith("rounds by the")]
    expect(2, len(rows), f"rows in {out!r}")
    expect([], [row for row in rows if "NOT sorted" in row], "rows that are not sorted")
    started = [int(row.split("kernels started by the host")[0].split(",")[-1]) for row in rows]
    expect(True, started[0] > 1 and started[1] == 1, f"kernels started by the host: {started}, only one by the device's form")


@test_for(letters="100x", fraction="1e3", none="", below="0", above="60001")
def a_count_that_is_no_number_of_numbers_is_refused(count):
    status, _, err = command("bin/quicksort", "--device", "model", "--count", count)
    expect(2, status, "exit status")
    expect_in("usage: quicksort", err, "message")


if __name__ == "__main__":
    tap.run("demo")
