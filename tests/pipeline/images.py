#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Kernels with images and samplers as pipelines: every format and sampler gives what the golden model gives, bit for bit.

The device with the pipelines is made once (build/tests/pipeline/devices). HEDDLE_IMAGES_LANES: of how many lanes, 1 without it.
"""
import itertools
import os
import shutil
import struct
import sys
import tempfile
import warnings

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.dirname(HERE), HERE]
import tap
import devices

SOURCE = os.path.join(HERE, "images.cl")
LANES, SLOTS = int(os.environ.get("HEDDLE_IMAGES_LANES") or 1), 8
FOLDER = tempfile.mkdtemp(prefix="images-")
WIDTH, HEIGHT, POINTS = 5, 3, 24
SAMPLED_BY = 1 if os.environ.get("HEDDLE_TEST_LONG") else 5  # of so many samplers one is taken for a format
COORDINATES = (0.0, 0.5, 1.25, 2.0, 2.499, 4.75, -0.25, 7.0, float("nan"), float("inf"), -1e30, 0.1328125)
DEPTH = 0x10BD  # CL_DEPTH, images of a type of their own
INTEGERS = ("SIGNED_INT8", "SIGNED_INT16", "SIGNED_INT32", "UNSIGNED_INT8", "UNSIGNED_INT16", "UNSIGNED_INT32")


class Device(devices.Device):
    """With the program."""

    def __init__(self, word, options=()):
        super().__init__(word)
        with open(SOURCE, encoding="ascii") as file:
            self.program = self.cl.Program(self.context, file.read()).build(["-cl-std=CL3.0", *options])

    def image(self, format_of, shape, content=None):
        flags = self.cl.mem_flags.READ_WRITE | (self.cl.mem_flags.COPY_HOST_PTR if content is not None else 0)
        image = self.cl.Image(self.context, flags, format_of, shape=shape, hostbuf=content)
        if content is None:
            self.cl.enqueue_copy(self.queue, image, bytes(self.size_of(image, shape)), origin=(0,) * len(shape), region=shape)
        return image

    @staticmethod
    def size_of(image, shape):
        size = image.element_size
        for side in shape:
            size *= side
        return size

    def buffer(self, content):
        return self.cl.Buffer(self.context, self.cl.mem_flags.READ_WRITE | self.cl.mem_flags.COPY_HOST_PTR, hostbuf=content)

    def run(self, name, sizes, *arguments):
        kernel = self.cl.Kernel(self.program, name)
        for index, argument in enumerate(arguments):
            kernel.set_arg(index, argument)
        self.cl.enqueue_nd_range_kernel(self.queue, kernel, sizes, None)

    def bytes_of(self, memory, size, shape=None):
        got = bytearray(size)
        if shape:
            self.cl.enqueue_copy(self.queue, got, memory, origin=(0,) * len(shape), region=shape)
        else:
            self.cl.enqueue_copy(self.queue, got, memory)
        return bytes(got)


def random_bytes(count, seed):
    state, out = seed * 0x9E3779B97F4A7C15 | 1, bytearray()
    while len(out) < count:
        state = state * 6364136223846793005 + 1442695040888963407 & 0xFFFFFFFFFFFFFFFF
        out += (state >> 24 & 0xFFFFFFFF).to_bytes(4, "little")
    return bytes(out[:count])


def points():
    pairs = list(itertools.islice(itertools.cycle(zip(COORDINATES, COORDINATES[5:] + COORDINATES[:5])), POINTS // 2))
    pairs += [(0.173 * i, 0.111 * i - 0.3) for i in range(POINTS - len(pairs))]
    return struct.pack(f"<{2 * POINTS}f", *(c for pair in pairs for c in pair))


def formats(cl, context, are_integers):
    for order_and_type in cl.get_supported_image_formats(context, cl.mem_flags.READ_ONLY, cl.mem_object_type.IMAGE2D):
        kind = cl.channel_type.to_string(order_and_type.channel_data_type, "%d")
        if (kind in INTEGERS) == are_integers and order_and_type.channel_order != DEPTH:
            yield order_and_type, kind


def finite(content, kind):
    """Of floats and halves: what a filter makes of infinities and NaNs the text leaves open."""
    if kind not in ("FLOAT", "HALF_FLOAT"):
        return content
    step, at, mask = (4, 3, 0x9F) if kind == "FLOAT" else (2, 1, 0xBF)
    return bytes(byte & mask if i % step == at else byte for i, byte in enumerate(content))


def samples(device):
    """Every format of floats, each by some of the samplers, other ones for the next format."""
    cl = device.cl
    of_edges = (cl.addressing_mode.NONE, cl.addressing_mode.CLAMP_TO_EDGE, cl.addressing_mode.CLAMP)
    ways = [(addressing, normalized) for addressing in of_edges for normalized in (False, True)]
    ways += [(cl.addressing_mode.REPEAT, True), (cl.addressing_mode.MIRRORED_REPEAT, True)]
    samplers = [(filter_mode, *way) for filter_mode in (cl.filter_mode.NEAREST, cl.filter_mode.LINEAR) for way in ways]
    for number, (order_and_type, kind) in enumerate(formats(cl, device.context, False)):
        size = WIDTH * HEIGHT * cl.Image(device.context, cl.mem_flags.READ_ONLY, order_and_type, shape=(1, 1)).element_size
        image = device.image(order_and_type, (WIDTH, HEIGHT), finite(random_bytes(size, 7), kind))
        for filter_mode, addressing, normalized in samplers[number % SAMPLED_BY::SAMPLED_BY]:
            to = device.buffer(bytes(16 * POINTS))
            sampler = cl.Sampler(device.context, normalized, addressing, filter_mode)
            device.run("sample", (POINTS,), image, sampler, device.buffer(points()), to)
            yield f"{order_and_type}, filter {filter_mode}, addressing {addressing}, {'' if normalized else 'not '}normalized", device.bytes_of(to, 16 * POINTS)


def moves_of_floats(device):
    cl = device.cl
    for number, (order_and_type, _) in enumerate(formats(cl, device.context, False)):
        pixel = cl.Image(device.context, cl.mem_flags.READ_ONLY, order_and_type, shape=(1, 1)).element_size
        shape, size = (WIDTH, HEIGHT), WIDTH * HEIGHT * pixel
        image, sizes = device.image(order_and_type, shape, random_bytes(size, 11 + number)), device.buffer(bytes(16 * HEIGHT))
        to = device.image(order_and_type, shape)
        device.run("move_floats", shape, image, to, device.buffer(points()), sizes)
        yield f"{order_and_type}", device.bytes_of(to, size, shape)
        yield f"sizes of {order_and_type}", device.bytes_of(sizes, 16 * HEIGHT)


def moves_of_integers(device):
    cl = device.cl
    import numpy
    for number, (order_and_type, kind) in enumerate(formats(cl, device.context, True)):
        pixel = cl.Image(device.context, cl.mem_flags.READ_ONLY, order_and_type, shape=(1, 1)).element_size
        shape, size = (WIDTH, HEIGHT), WIDTH * HEIGHT * pixel
        for shift in (0, 1):
            image, to = device.image(order_and_type, shape, random_bytes(size, 23 + number)), device.image(order_and_type, shape)
            device.run("move_integers", (WIDTH + 2, HEIGHT + 2), image, to, numpy.int32(kind.startswith("SIGNED")), numpy.int32(shift))
            yield f"{order_and_type}, moved by {shift}", device.bytes_of(to, size, shape)


def slices_and_buffers(device):
    cl = device.cl
    shape, count = (3, 2, 4), 24
    volume = device.image(cl.ImageFormat(cl.channel_order.RG, cl.channel_type.UNSIGNED_INT16), shape, random_bytes(4 * count, 5))
    words, to = device.buffer(random_bytes(4 * count, 6)), device.buffer(bytes(16 * count))
    of_buffer = cl.ImageDescriptor()
    of_buffer.image_type, of_buffer.shape, of_buffer.array_size, of_buffer.pitches = cl.mem_object_type.IMAGE1D_BUFFER, (count, 0, 0), 0, (0, 0)
    of_buffer.num_mip_levels = of_buffer.num_samples = 0
    of_buffer.buffer = words
    line = cl.Image(device.context, cl.mem_flags.READ_WRITE, cl.ImageFormat(cl.channel_order.R, cl.channel_type.UNSIGNED_INT32), desc=of_buffer)
    device.run("move_slices", shape, volume, to, line)
    yield "the volume", device.bytes_of(to, 16 * count)
    yield "the buffer", device.bytes_of(words, 4 * count)


PROMISES = {"every_format_is_sampled_in_every_way": samples, "floats_are_written_to_every_format": moves_of_floats,
            "integers_are_read_and_written_in_every_format": moves_of_integers, "volumes_and_images_of_buffers_are_read_and_written": slices_and_buffers}
opened = {}
warnings.filterwarnings("ignore", category=DeprecationWarning)


def prepare():
    """Both devices in this process: the pipelines' one has pipelines alone, so that no kernel runs elsewhere."""
    made, refused = devices.compile_program(SOURCE, os.path.join(FOLDER, "images.hw"), LANES, SLOTS, ["-cl-std=CL3.0"])
    tap.expect({}, refused, "kernels that are no hardware")
    os.environ.update(HEDDLE_HARDWARE=devices.make_device(list(made.values()), os.path.join(FOLDER, "device"), LANES=LANES, SLOTS=SLOTS, UNITS=0), HEDDLE_SIM_SLOTS=str(SLOTS))
    opened.update(model=Device("model"), pipelines=Device("sim"))


@tap.test_for(**PROMISES)
def kernels_with_images_are_what_the_model_is(results):
    if not opened:
        prepare()
    count = 0
    for (what, right), (_, got) in zip(results(opened["model"]), results(opened["pipelines"]), strict=True):
        tap.expect(right.hex(" ", 4), got.hex(" ", 4), what)
        count += 1
    print(f"# {count} results")


try:
    tap.run("images")
finally:
    shutil.rmtree(FOLDER, ignore_errors=True)
