#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`heddle run` with files as arguments: .npy, .png and .csv, read and written as what they are. NumPy and libpng's own tools are the reference."""
import os
import struct
import sys
import tempfile
import zlib

import numpy

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import tap
from tap import expect, expect_in

FOLDER = tempfile.TemporaryDirectory(prefix="argument-files-")


def path(name):
    return os.path.join(FOLDER.name, name)


def source(name, text):
    with open(path(name), "w") as file:
        file.write(text)
    return path(name)


def run(*words):
    return tap.command("bin/heddle", "run", *words, "-d", "model")


def copy_kernel(element):
    return source(f"copy_{element}.cl", f"""kernel void copy(global const {element} *in, global {element} *out) {{
  size_t i = get_global_linear_id();
  out[i] = in[i];
}}""")


def copied(element, array, name, shape):
    """An array through a kernel, from a .npy file to another."""
    numpy.save(path("in.npy"), array)
    status, _, error = run(copy_kernel(element), "-g", shape, "@" + path("in.npy"), f"zeros({array.size})", "-o", "out=" + path(name))
    expect((0, ""), (status, error), f"copying {element}")
    return path(name)


@tap.test_for(char="int8", uchar="uint8", short="int16", ushort="uint16", int="int32", uint="uint32", long="int64", ulong="uint64", float="float32")
def npy_crosses_with_its_type_and_shape(dtype):
    element = {"int8": "char", "uint8": "uchar", "int16": "short", "uint16": "ushort", "int64": "long", "uint64": "ulong", "float32": "float"}.get(
        dtype, {"int32": "int", "uint32": "uint"}.get(dtype))
    array = (numpy.arange(24) * 5 - (0 if dtype.startswith("uint") else 60)).astype(dtype).reshape(4, 6)
    out = numpy.load(copied(element, array, "out.npy", "6,4"))
    expect((array.dtype, array.shape, array.tolist()), (out.dtype, out.shape, out.tolist()), dtype)


@tap.test
def npy_of_vectors_has_their_components_as_last_dimension():
    for components in (2, 3, 4):
        array = numpy.arange(5 * components, dtype="float32").reshape(5, components)
        numpy.save(path("in.npy"), array)
        status, _, error = run(copy_kernel(f"float{components}"), "-g", "5", "@" + path("in.npy"), "zeros(5)", "-o", "out=" + path("out.npy"))
        expect((0, ""), (status, error), f"float{components}")
        expect(array.tolist(), numpy.load(path("out.npy")).tolist(), f"float{components}")


@tap.test
def npy_of_one_number_is_a_value():
    numpy.save(path("value.npy"), numpy.float32(2.5))
    kernel = source("value.cl", "kernel void value(float a, global float *out) { out[0] = a; }")
    expect((0, "out = 2.5\n", ""), run(kernel, "-g", "1", "@" + path("value.npy"), "zeros(1)"), "a value")


@tap.test
def npy_that_does_not_fit_is_refused_by_name():
    good = numpy.arange(8, dtype="int32")
    cut = path("cut.npy")
    numpy.save(cut, good)
    with open(cut, "r+b") as file:
        file.truncate(os.path.getsize(cut) - 3)
    for name, array, words in (
            ("another type", good.astype("float64"), "holds float64, the kernel takes int*: convert it with astype(\"int32\")"),
            ("another sign", good.astype("uint32"), "holds uint32"),
            ("big-endian", good.astype(">i4"), "big-endian"),
            ("Fortran's order", numpy.asfortranarray(good.reshape(2, 4)), "numpy.ascontiguousarray"),
            ("text", numpy.array(["a"]), "which no kernel takes"),
            ("no numbers", good[:0], "empty")):
        numpy.save(path("bad.npy"), array)
        status, _, error = run(copy_kernel("int"), "-g", "8", "@" + path("bad.npy"), "zeros(8)")
        expect(2, status, name)
        expect_in(words, error, name)
    numpy.save(path("bad.npy"), numpy.zeros((4, 3), "float32"))
    expect_in("last dimension", run(copy_kernel("float2"), "-g", "4", "@" + path("bad.npy"), "zeros(4)")[2], "components")
    for bad, words in ((cut, "cut off"), (source("no.npy", "these are words"), "no .npy file"), (source("short.npy", "\x93NUM"), "no .npy file")):
        status, _, error = run(copy_kernel("int"), "-g", "8", "@" + bad, "zeros(8)")
        expect(2, status, bad)
        expect_in(words, error, bad)


@tap.test
def headers_of_npy_that_lie_are_refused():
    numpy.save(path("lie.npy"), numpy.arange(8, dtype="int32"))
    with open(path("lie.npy"), "rb") as file:
        content = file.read()
    for old, new in ((b"(8,), ", b"(9,), "), (b"(8,), ", b"(7,), "), (b"(8,), }          ", b"(99999999999,), }"), (b"'shape'", b"'shade'"),
                     (b"'<i4'", b"'<i9'"), (b"(8,), ", b"(-8,),")):
        with open(path("lie.npy"), "wb") as file:
            file.write(content.replace(old, new))
        status, _, error = run(copy_kernel("int"), "-g", "8", "@" + path("lie.npy"), "zeros(8)")
        expect((2, True), (status, bool(error)), f"{new}: {error}")
        expect(False, "18446744073709551608" in error, f"{new}: {error}")
    for version in (b"\0\0", b"\1\1", b"\4\0"):
        with open(path("lie.npy"), "wb") as file:
            file.write(content[:6] + version + content[8:])
        expect_in(f"has version {version[0]}.{version[1]} of the .npy format", run(copy_kernel("int"), "-g", "8", "@" + path("lie.npy"), "zeros(8)")[2], "version")


def write_png(name, samples, kind, bits=8, more=()):
    """A PNG of samples [row][pixel][sample] of 8 bits, or of 16, written from its specification. `more`: chunks before the picture."""
    def chunk(what, data):
        return struct.pack(">I", len(data)) + what + data + struct.pack(">I", zlib.crc32(what + data))
    rows = b"".join(b"\0" + row.astype(f">u{bits // 8}").tobytes() for row in samples)
    with open(path(name), "wb") as file:
        file.write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", samples.shape[1], samples.shape[0], bits, kind, 0, 0, 0)) +
                   b"".join(chunk(*one) for one in more) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))
    return path(name)


@tap.test
def png_is_pixels_of_the_kernels_type_and_comes_back_as_one():
    picture = (numpy.arange(3 * 5 * 4) * 7 % 251).astype("uint8").reshape(3, 5, 4)
    write_png("in.png", picture, 6)
    status, _, error = run(copy_kernel("uchar4"), "-g", "5,3", "@" + path("in.png"), "zeros(15)", "-o", "out=" + path("out.png"))
    expect((0, ""), (status, error), "uchar4")
    # What was written is read again as numbers.
    status, _, error = run(copy_kernel("uchar4"), "-g", "5,3", "@" + path("out.png"), "zeros(15)", "-o", "out=" + path("out.npy"))
    expect((0, picture.tolist()), (status, numpy.load(path("out.npy")).tolist()), "pixels")
    packed = numpy.frombuffer(picture.tobytes(), "<u4").reshape(3, 5)
    expect(0, run(copy_kernel("uint"), "-g", "5,3", "@" + path("in.png"), "zeros(15)", "-o", "out=" + path("out.npy"))[0], "uint")
    expect(packed.tolist(), numpy.load(path("out.npy")).tolist(), "a pixel as a word")
    grey = picture[:, :, 0]
    write_png("grey.png", grey[:, :, None], 0)
    expect(0, run(copy_kernel("uchar"), "-g", "5,3", "@" + path("grey.png"), "zeros(15)", "-o", "out=" + path("out.npy"))[0], "uchar")
    expect(grey.tolist(), numpy.load(path("out.npy")).tolist(), "grey")


@tap.test
def png_of_16_bits_is_as_bright_as_one_of_8():
    picture = (numpy.arange(3 * 5) * 17).astype("uint16").reshape(3, 5)
    write_png("deep.png", picture[:, :, None] * 257, 0, bits=16)
    expect(0, run(copy_kernel("uchar"), "-g", "5,3", "@" + path("deep.png"), "zeros(15)", "-o", "out=" + path("out.npy"))[0], "uchar")
    expect(picture.tolist(), numpy.load(path("out.npy")).tolist(), "grey")
    colours = numpy.stack([picture, picture[::-1], picture[:, ::-1]], axis=2)
    write_png("deep.png", colours * 257, 2, bits=16)
    expect(0, run(copy_kernel("uchar3"), "-g", "5,3", "@" + path("deep.png"), "zeros(15)", "-o", "out=" + path("out.npy"))[0], "uchar3")
    expect(colours.tolist(), numpy.load(path("out.npy")).tolist(), "colours")


@tap.test
def png_of_a_palette_is_its_colours():
    palette = numpy.array([[0, 0, 0], [255, 0, 10], [20, 200, 30]], "uint8")
    write_png("palette.png", numpy.array([[[0], [1]], [[2], [1]]], "uint8"), 3, more=[(b"PLTE", palette.tobytes()), (b"tRNS", bytes([0, 255, 255]))])
    expect(0, run(copy_kernel("uchar4"), "-g", "2,2", "@" + path("palette.png"), "zeros(4)", "-o", "out=" + path("out.npy"))[0], "uchar4")
    expect([[[0, 0, 0, 0], [255, 0, 10, 255]], [[20, 200, 30, 255], [255, 0, 10, 255]]], numpy.load(path("out.npy")).tolist(), "pixels")


@tap.test
def names_in_capitals_are_the_same_kinds():
    numpy.save(path("in.npy"), numpy.arange(8, dtype="int32"))
    os.rename(path("in.npy"), path("IN.NPY"))
    expect((0, "", ""), run(copy_kernel("int"), "-g", "8", "@" + path("IN.NPY"), "zeros(8)", "-o", "out=" + path("OUT.CSV")), "int")
    expect("".join(f"{i}\n" for i in range(8)), open(path("OUT.CSV")).read(), "a column")


@tap.test
def png_that_does_not_fit_is_refused():
    write_png("in.png", numpy.zeros((2, 2, 4), "uint8"), 6)
    expect_in("uchar4", run(copy_kernel("float"), "-g", "4", "@" + path("in.png"), "zeros(4)")[2], "float")
    expect_in("two-dimensional", run(copy_kernel("uchar4"), "-g", "4", "zeros(4)", "zeros(4)", "-o", "out=" + path("out.png"))[2], "no width")
    status, _, error = run(copy_kernel("uchar4"), "-g", "4", "@" + source("no.png", "no picture"), "zeros(4)")
    expect((2, True), (status, "cannot read" in error), "no picture")


@tap.test
def csv_is_a_table_whose_rows_come_back():
    table = source("in.csv", "1,2,3\n4,5,6\n")
    expect((0, "", ""), run(copy_kernel("int"), "-g", "6", "@" + table, "zeros(6)", "-o", "in=" + path("out.csv")), "a table")
    expect("1,2,3\n4,5,6\n", open(path("out.csv")).read(), "its own shape")
    expect((0, "", ""), run(copy_kernel("int"), "-g", "2,3", "@" + table, "zeros(6)", "-o", "out=" + path("out.csv")), "an NDRange")
    expect("1,2\n3,4\n5,6\n", open(path("out.csv")).read(), "the NDRange's shape")


@tap.test_for(lines_of_dos="1,2\r\n3,4\r\n", blank_lines="\n1,2\n\n3,4\n\n", semicolons="1;2\n3;4\n", blanks="1, 2\n 3 ,4", byte_order_mark="\ufeff1,2\n3,4\n",
              tabs="1\t2\n3\t4\n")
def csv_is_read_as_programs_write_it(text):
    with open(path("in.csv"), "w", encoding="utf-8", newline="") as file:
        file.write(text)
    expect((0, "", ""), run(copy_kernel("int"), "-g", "4", "@" + path("in.csv"), "zeros(4)", "-o", "in=" + path("out.csv")), "a table")
    expect("1,2\n3,4\n", open(path("out.csv")).read(), "its numbers")


@tap.test
def csv_of_floats_has_infinities_and_nan():
    table = source("in.csv", "inf,-inf\nnan,-1.5e3\n")
    expect((0, "", ""), run(copy_kernel("float"), "-g", "4", "@" + table, "zeros(4)", "-o", "in=" + path("out.csv")), "a table")
    expect("inf,-inf\nnan,-1500\n", open(path("out.csv")).read(), "its numbers")


@tap.test_for(csv="@in.csv", list="007,010,-011,08")
def numbers_that_begin_with_a_zero_are_decimal(argument):
    """As in a table of codes or dates, and as NumPy reads them. Of floats and whole numbers alike."""
    source("in.csv", "007,010\n-011,08\n")
    for element in ("int", "float", "long"):
        status, said, error = run(copy_kernel(element), "-g", "4", argument.replace("@", "@" + FOLDER.name + "/"), "zeros(4)", "-p", "out")
        expect((0, "out = 7 10 -11 8\n", ""), (status, said, error), element)
    expect((0, "out = 1 2 0 0 0 0 0 0 0 0\n", ""), run(copy_kernel("int"), "-g", "02", "1,2", "zeros(010)", "-p", "out"), "sizes")


@tap.test
def lists_without_a_number_between_two_commas_are_refused():
    for text, words in (("1,,2", "no number before a comma"), (",1,2", "no number before a comma"), ("1,2,", "no number behind the last comma"),
                        ("1;;2", "no number before a comma")):
        status, _, error = run(copy_kernel("int"), "-g", "2", text, "zeros(2)")
        expect(2, status, text)
        expect_in(words, error, text)
    # Of a file the last comma, or that of a line, is none between two numbers.
    status, said, error = run(copy_kernel("int"), "-g", "4", "@" + source("in.txt", "1, 2,\n3, 4,\n"), "zeros(4)", "-p", "out")
    expect((0, "out = 1 2 3 4\n", ""), (status, said, error), "a file")


@tap.test
def csv_that_is_none_is_refused_with_its_line():
    for text, words in (("1,2,3\n4,5\n", "line 2 has 2 numbers, the lines before it 3"), ("x,y\n1,2\n", 'line 1: "x" is no number'),
                        ("1,2\n3,4q\n", 'line 2: "4q" is no number'), ('"1","2"\n', "is no number"),
                        ("1,,2\n3,,4\n", "line 1: there is no number before a comma"), ("1,2\n,3\n", "line 2 begins with an empty cell"),
                        ("1,\n2,\n", "line 1 ends with an empty cell"), ("1,2,\n3,4,\n", "line 1 ends with an empty cell"),
                        ("1,5;2,5\n", "line 1 has commas and semicolons"), ("1,2\n3;4\n", "line 2 has commas and semicolons"),
                        ("\n\n", "it holds no number"), ("1,2\n3,4.5\n", "number 4 does not fit the kernel's type"), ("1,nan\n", "number 2 does not fit"),
                        ("inf,1\n", "number 1 does not fit"), ("99999999999,1\n", "number 1 does not fit")):
        status, _, error = run(copy_kernel("int"), "-g", "4", "@" + source("bad.csv", text), "zeros(4)")
        expect(2, status, text)
        expect_in(words, error, text)


@tap.test
def bytes_that_are_no_whole_elements_are_refused():
    status, _, error = run(copy_kernel("int"), "-g", "2", "@" + source("odd.bin", "seven b"), "zeros(2)")
    expect(2, status, "exit status")
    expect_in("7 bytes are no multiple of the 4 of an element", error, "message")


@tap.test
def sizes_that_end_in_a_comma_or_an_x_are_refused():
    for sizes in ("16x", "16,", ",16", "16,,2", "x", "16,,8", "16x x8", "16 8", "2^32", "-16", "+16", "1e3", "16.0", "", " "):
        status, _, error = run(copy_kernel("int"), "-g", sizes, "zeros(16)", "zeros(16)")
        expect(2, status, sizes)
        expect_in("expected numbers with commas between", error, sizes)


@tap.test
def work_groups_of_no_work_items_are_refused():
    for sizes in ("0", "2,0"):
        status, _, error = run(copy_kernel("int"), "-g", "4,1"[:len(sizes)], "-l", sizes, "range(4)", "zeros(4)")
        expect(2, status, sizes)
        expect_in("one work-item at least", error, sizes)
    # An NDRange may have none: then nothing runs (clEnqueueNDRangeKernel).
    expect((0, "out = 0 0 0 0\n", ""), run(copy_kernel("int"), "-g", "0", "range(4)", "zeros(4)"), "an NDRange of none")


tap.run("argument_files")
