# SPDX-License-Identifier: Apache-2.0
"""What a kernel of the corpus is run with, and what it has to leave; a case is made of these by the modules beside this one."""
import numpy


class Out:
    """A buffer that the kernel writes: what is in it afterwards, and before (0). Floats may be off by `relative` of the largest."""

    def __init__(self, expected, before=None, relative=0.0):
        self.expected, self.relative = numpy.ascontiguousarray(expected), relative
        self.before = numpy.zeros_like(self.expected) if before is None else numpy.ascontiguousarray(before, self.expected.dtype)

    def differs(self, got):
        """Words that say where what is in the buffer is another, or None."""
        if self.relative:
            bad = ~(numpy.abs(got - self.expected) <= self.relative * numpy.abs(self.expected).max())
        else:
            bad = got != self.expected
        if not bad.any():
            return None
        at = tuple(int(i) for i in numpy.argwhere(bad)[0])
        return f"{bad.sum()} of {bad.size} elements, the first at {at}: expected {self.expected[at]}, got {got[at]}"


class Value:
    """A vector that the kernel takes as a value, not in a buffer."""

    def __init__(self, elements):
        self.elements = elements


class Case:
    """A dispatch: its sizes, and arguments in the kernel's order: arrays it reads, Outs, Values, and numbers of numpy's types."""

    def __init__(self, sizes, local, *arguments):
        self.sizes, self.local, self.arguments = sizes, local, arguments


def numbers(seed):
    return numpy.random.default_rng(seed)


def words(seed, count):
    return numbers(seed).integers(0, 1 << 32, count, dtype=numpy.uint32)


def field_product(a, b, modulus):
    """In the field of 256 elements whose polynomial has these bits."""
    product = 0
    while b:
        product ^= a if b & 1 else 0
        a, b = a << 1 ^ (modulus if a & 0x80 else 0), b >> 1
    return product
