# SPDX-License-Identifier: Apache-2.0
"""Cases of matrices, graphs and sequences."""
import numpy
from case import Case, Out, numbers

SIZE = 24


def sparse(seed):
    matrix = numbers(seed).standard_normal((SIZE, SIZE))
    matrix[numbers(seed + 1).random((SIZE, SIZE)) > 0.2] = 0
    return matrix


def rows_of(matrix):
    """Where each row begins, and columns of what is not 0."""
    columns = [numpy.flatnonzero(row) for row in matrix]
    return numpy.cumsum([0] + [len(row) for row in columns]).astype(numpy.uint32), columns


def product_of(matrix):
    x = numbers(3).standard_normal(SIZE)
    return x.astype(numpy.float32), Out((matrix @ x).astype(numpy.float32), relative=1e-5)


def spmv_csr():
    matrix = sparse(1)
    starts, columns = rows_of(matrix)
    values = matrix[matrix != 0].astype(numpy.float32)
    return Case((SIZE,), None, starts, numpy.concatenate(columns).astype(numpy.uint32), values, *product_of(matrix))


def spmv_ell():
    matrix = sparse(4)
    columns = rows_of(matrix)[1]
    width = max(len(row) for row in columns)
    places, values = numpy.full((width, SIZE), SIZE, numpy.uint32), numpy.zeros((width, SIZE), numpy.float32)
    for row, list_of_columns in enumerate(columns):
        places[:len(list_of_columns), row] = list_of_columns
        values[:len(list_of_columns), row] = matrix[row, list_of_columns]
    return Case((SIZE,), None, places, values, *product_of(matrix), numpy.uint32(width))


def bfs_step():
    starts, targets = rows_of(sparse(5))
    levels = numpy.full(SIZE, -1, numpy.int32)
    levels[[0, 7]], levels[3] = 1, 0
    expected = levels.copy()
    for node in numpy.flatnonzero(levels == 1):
        expected[[t for t in targets[node] if levels[t] == -1]] = 2
    assert (expected == 2).any()
    changed = Out(numpy.ones(1, numpy.int32))
    return Case((SIZE,), None, starts, numpy.concatenate(targets).astype(numpy.uint32), Out(expected, levels), changed, numpy.int32(1))


def pagerank():
    links = sparse(7) != 0
    links[numpy.arange(SIZE), (numpy.arange(SIZE) + 1) % SIZE] = True  # nobody is without
    ranks = numbers(8).random(SIZE)
    ranks /= ranks.sum()
    share = links / links.sum(axis=1, keepdims=True)
    expected = 0.15 / SIZE + 0.85 * (share.T @ ranks)
    starts, sources = rows_of(links.T)
    return Case((SIZE,), None, starts, numpy.concatenate(sources).astype(numpy.uint32), links.sum(axis=1).astype(numpy.uint32),
                ranks.astype(numpy.float32), Out(expected.astype(numpy.float32), relative=1e-5), numpy.float32(0.85))


def floyd_warshall():
    lengths = numbers(9).integers(1, 100, (SIZE, SIZE), dtype=numpy.uint32)
    lengths[numpy.arange(SIZE), numpy.arange(SIZE)] = 0
    expected = numpy.minimum(lengths, lengths[:, 5:6] + lengths[5:6, :])
    return Case((SIZE, SIZE), None, Out(expected, lengths), numpy.uint32(5))


def lu_step():
    matrix = numbers(10).standard_normal((SIZE, SIZE)) + 5 * numpy.eye(SIZE)
    expected, k = matrix.copy(), 3
    expected[k + 1:, k] /= matrix[k, k]
    expected[k + 1:, k + 1:] -= numpy.outer(expected[k + 1:, k], matrix[k, k + 1:])
    return Case((SIZE,), None, Out(expected.astype(numpy.float32), matrix, relative=1e-5), numpy.uint32(SIZE), numpy.uint32(k))


def smith_waterman():
    first = numbers(11).integers(0, 4, (2, 32), dtype=numpy.uint8)
    second = numbers(12).integers(0, 4, (2, 20), dtype=numpy.uint8)
    second[0, 4:16] = first[0, 10:22]
    best = []
    for a, b in zip(first, second):
        score = numpy.zeros((33, 21), int)
        for i, j in numpy.ndindex(32, 20):
            score[i + 1, j + 1] = max(0, score[i, j] + (3 if a[i] == b[j] else -3), score[i, j + 1] - 2, score[i + 1, j] - 2)
        best.append(score.max())
    return Case((64,), (32,), first, second, Out(numpy.array(best, numpy.int32)), numpy.uint32(20))


def levenshtein():
    a, b = numbers(13).integers(0, 3, (2, 10, 12), dtype=numpy.uint8)
    expected = []
    for one, other in zip(a, b):
        d = numpy.zeros((13, 13), int)
        d[0], d[:, 0] = range(13), range(13)
        for i, j in numpy.ndindex(12, 12):
            d[i + 1, j + 1] = min(d[i, j + 1] + 1, d[i + 1, j] + 1, d[i, j] + (one[i] != other[j]))
        expected.append(d[12, 12])
    return Case((10,), None, a, b, Out(numpy.array(expected, numpy.uint32)), numpy.uint32(12))


def viterbi():
    states, steps = 16, 7
    change, emit = -numbers(14).integers(1, 1000, (2, states, states), dtype=numpy.int32)
    seen = numbers(15).integers(0, states, steps, dtype=numpy.uint32)
    score, came_from = emit[:, seen[0]].astype(int), numpy.zeros((steps, states), numpy.uint32)
    for t in range(1, steps):
        ways = score[:, None] + change
        came_from[t], score = ways.argmax(axis=0), ways.max(axis=0) + emit[:, seen[t]]
    return Case((states,), (states,), change, emit, seen, Out(score.astype(numpy.int32)), Out(came_from), numpy.uint32(steps))


CASES = (spmv_csr, spmv_ell, bfs_step, pagerank, floyd_warshall, lu_step, smith_waterman, levenshtein, viterbi)
