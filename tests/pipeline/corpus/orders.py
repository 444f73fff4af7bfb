# SPDX-License-Identifier: Apache-2.0
"""Cases of sorts, scans and what is made of them, in work-groups of 64."""
import itertools

import numpy
from case import Case, Out, numbers, words

GROUPS, GROUP = 2, 64
ALL = GROUPS * GROUP


def by_group(function, values):
    return numpy.array([function(group) for group in values.reshape(GROUPS, GROUP)])


def odd_even_merge():
    values = words(1, ALL).astype(numpy.int32)
    return Case((ALL,), (GROUP,), values, Out(by_group(numpy.sort, values)))


def radix_pass():
    values = words(2, ALL)
    expected = by_group(lambda group: group[numpy.argsort(group >> 4 & 15, kind="stable")], values)
    return Case((ALL,), (GROUP,), values, Out(expected), numpy.uint32(4))


def counting_sort():
    values = numbers(3).integers(0, 16, ALL, dtype=numpy.uint32)
    return Case((ALL,), (GROUP,), values, Out(by_group(numpy.sort, values)))


def hillis_steele():
    values = words(4, ALL)
    return Case((ALL,), (GROUP,), values, Out(by_group(lambda group: numpy.cumsum(group, dtype=numpy.uint32), values)))


def blelloch():
    values = words(5, ALL)
    return Case((ALL,), (GROUP,), values, Out(by_group(lambda group: numpy.cumsum(group, dtype=numpy.uint32) - group, values)))


def compaction():
    values = numbers(6).integers(-100, 100, ALL, dtype=numpy.int32)
    expected, counts = numpy.zeros((GROUPS, GROUP), numpy.int32), []
    for group, row in zip(values.reshape(GROUPS, GROUP), expected):
        kept = [x for x in group if x > 20]
        row[:len(kept)] = kept
        counts.append(len(kept))
    return Case((ALL,), (GROUP,), values, Out(expected), Out(numpy.array(counts, numpy.uint32)), numpy.int32(20))


def run_length():
    values = numpy.repeat(numbers(7).integers(0, 3, ALL // 4, dtype=numpy.uint8), 4)
    values[5] = 9
    expected, counts = numpy.zeros((GROUPS, GROUP, 2), numpy.uint32), []
    for group, row in zip(values.reshape(GROUPS, GROUP), expected):
        runs = [(value, len(list(members))) for value, members in itertools.groupby(group)]
        row[:len(runs)] = runs
        counts.append(len(runs))
    return Case((ALL,), (GROUP,), values, Out(expected), Out(numpy.array(counts, numpy.uint32)))


CASES = (odd_even_merge, radix_pass, counting_sort, hillis_steele, blelloch, compaction, run_length)
