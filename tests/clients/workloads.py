#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Workloads of the kind that benchmark suites have (workloads.cl), against numpy."""
import os
import sys

os.environ["PYOPENCL_NO_CACHE"] = "1"
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import tap  # first: it says where the ICD loader looks
from tap import expect, test_for

import numpy as np
import pyopencl as cl

DEVICES = {"sim": "Heddle sim", "model": "Heddle model"}
MACROS = {"TILE_X": 8, "TILE_Y": 4, "M_TILE": 32, "N_TILE": 8, "K_TILE": 4, "RANGE": 3, "HISTO_LOCAL": 64,
          "TPACF_BINS": 22, "TPACF_COPIES": 4, "TPACF_TILE": 32, "BFS_QUEUE": 24, "SCAN_SIZE": 32}
FLAGS = cl.mem_flags
_devices = {}


class Device:
    """A device with the program, and buffers by what they begin with."""

    def __init__(self, beginning):
        found = [d for p in cl.get_platforms() if p.name == "Heddle" for d in p.get_devices() if d.name.startswith(beginning)]
        self.context = cl.Context(found[:1])
        self.queue = cl.CommandQueue(self.context)
        with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "workloads.cl"), encoding="utf-8") as file:
            program = cl.Program(self.context, file.read()).build([f"-D{name}={value}" for name, value in MACROS.items()])
        self.kernels = {kernel.function_name: kernel for kernel in program.all_kernels()}

    def buffer(self, data):
        return cl.Buffer(self.context, FLAGS.READ_WRITE | FLAGS.COPY_HOST_PTR, hostbuf=np.ascontiguousarray(data))

    def run(self, name, size, local, *arguments):
        self.kernels[name](self.queue, size, local, *arguments)

    def result(self, buffer, like):
        to = np.empty_like(like)
        cl.enqueue_copy(self.queue, to, buffer)
        return to


def device(beginning):
    if beginning not in _devices:
        _devices[beginning] = Device(beginning)
    return _devices[beginning]


def expect_close(expected, got, what, tolerance=1e-5):
    scale = np.max(np.abs(expected)) or 1
    worst = np.max(np.abs(np.asarray(expected, dtype=np.float64) - got)) / scale
    expect(True, bool(worst <= tolerance), f"{what}: the worst of {np.size(expected)} is off by {worst:g} of the largest")


def expect_same(expected, got, what):
    expect(0, int(np.count_nonzero(np.asarray(expected) != got)), f"{what}: results that differ, of {np.size(expected)}")


def random(seed):
    return np.random.default_rng(seed)


f32, i32 = np.float32, np.int32


@test_for(**DEVICES)
def stencil_of_seven_points(beginning):
    d, (nz, ny, nx) = device(beginning), (6, 11, 19)
    a = random(1).random((nz, ny, nx), dtype=f32)
    source, target = d.buffer(a), d.buffer(a)
    d.run("stencil", (24, 12), (8, 4), f32(1 / 6), f32(1 / 36), source, target, i32(nx), i32(ny), i32(nz))
    expected = a.copy()
    c = slice(1, -1)
    expected[c, c, c] = (a[2:, c, c] + a[:-2, c, c] + a[c, 2:, c] + a[c, :-2, c] + a[c, c, 2:] + a[c, c, :-2]) / 36 - a[c, c, c] / 6
    expect_close(expected, d.result(target, a), "stencil")


@test_for(**DEVICES)
def sgemm_with_tiles_in_registers(beginning):
    d, m, n, k = device(beginning), 64, 24, 20
    r = random(2)
    a, b, c = r.random((k, m), dtype=f32), r.random((k, n), dtype=f32), r.random((n, m), dtype=f32)
    target = d.buffer(c)
    d.run("sgemm", (m // 32 * 8, n // 8 * 4), (8, 4), d.buffer(a), i32(m), d.buffer(b), i32(n), target, i32(m), i32(k), f32(0.5), f32(2))
    expect_close(2 * c + 0.5 * (b.T @ a), d.result(target, c), "sgemm")


@test_for(**DEVICES)
def spmv_of_jagged_diagonals(beginning):
    d, dim = device(beginning), 77
    r = random(3)
    lengths = r.integers(0, 9, dim)
    lengths[:3] = [0, 12, 1]
    perm = np.argsort(-lengths, kind="stable")
    columns = [np.sort(r.choice(dim, lengths[row], replace=False)) for row in range(dim)]
    values = [r.random(lengths[row], dtype=f32) for row in range(dim)]
    data, index, pointers = [], [], [0]
    for k in range(lengths.max()):
        for row in perm:
            if lengths[row] > k:
                data.append(values[row][k])
                index.append(columns[row][k])
        pointers.append(len(data))
    rows = [max(lengths[perm[i:i + 32]]) for i in range(0, dim, 32)]
    x = r.random(dim, dtype=f32)
    target = d.buffer(np.zeros(dim, f32))
    d.run("spmv_jds", (96,), (32,), target, d.buffer(np.array(data, f32)), d.buffer(np.array(index, i32)), d.buffer(perm.astype(i32)),
          d.buffer(x), i32(dim), d.buffer(np.array(pointers, i32)), d.buffer(np.array(rows, i32)))
    expected = [float(np.dot(values[row].astype(np.float64), x[columns[row]])) for row in range(dim)]
    expect_close(expected, d.result(target, x), "spmv")


@test_for(**DEVICES)
def mri_q_by_parts_of_k_space(beginning):
    d, k, n, part = device(beginning), 45, 40, 20
    r = random(4)
    kx, ky, kz, x, y, z = (r.random(size, dtype=f32) for size in (k, k, k, n, n, n))
    phi = r.random((2, k), dtype=f32)
    magnitude = d.buffer(np.zeros(k, f32))
    d.run("phi_magnitude", (48,), (16,), d.buffer(phi[0]), d.buffer(phi[1]), magnitude, i32(k))
    weights = d.result(magnitude, phi[0])
    expect_close(phi[0] ** 2 + phi[1] ** 2, weights, "magnitudes")
    re, im = d.buffer(np.zeros(n, f32)), d.buffer(np.zeros(n, f32))
    all_values = np.stack([kx, ky, kz, weights], axis=1)
    for start in range(0, k, part):
        values = all_values[start:start + part]
        d.run("compute_q", (n,), (8,), i32(len(values)), i32(start), d.buffer(x), d.buffer(y), d.buffer(z), re, im, d.buffer(values))
    angle = 2 * np.pi * (np.outer(x, kx) + np.outer(y, ky) + np.outer(z, kz)).astype(np.float64)
    expect_close(np.cos(angle) @ weights, d.result(re, x), "real parts")
    expect_close(np.sin(angle) @ weights, d.result(im, x), "imaginary parts")


@test_for(**DEVICES)
def cutcp_by_bins_of_atoms(beginning):
    d, blocks, side, h, cutoff = device(beginning), (2, 3, 2), 4, 0.5, 1.5
    r = random(5)
    length = side * h  # of a block, and of a bin; a layer of bins around is empty
    shape = tuple(b + 2 for b in reversed(blocks))
    bins = np.zeros(shape + (8, 4), f32)
    atoms = []
    for z, y, x in np.ndindex(*reversed(blocks)):
        for i in range(r.integers(0, 9)):
            place = (np.array([x, y, z]) + r.random(3)) * length
            bins[z + 1, y + 1, x + 1, i] = [*place, r.random() + 0.5]
            atoms.append(bins[z + 1, y + 1, x + 1, i])
    atoms = np.array(atoms, np.float64)
    neighbours = np.array([[x, y, z, 0] for z in (-1, 0, 1) for y in (-1, 0, 1) for x in (-1, 0, 1)], i32)
    size = tuple(b * side for b in blocks)
    grid = np.zeros(tuple(reversed(size)), f32)
    target = d.buffer(grid)
    d.run("cutcp", size, (side, side, side), i32(shape[2]), i32(shape[1]), d.buffer(bins), target, f32(h), f32(cutoff ** 2),
          f32(1 / cutoff ** 2), d.buffer(neighbours), i32(len(neighbours)))
    z, y, x = np.indices(grid.shape) * h
    r2 = sum((axis[..., None] - atoms[:, i]) ** 2 for i, axis in enumerate((x, y, z)))
    expected = np.sum(np.where(r2 < cutoff ** 2, atoms[:, 3] / np.sqrt(r2) * (1 - r2 / cutoff ** 2) ** 2, 0), axis=-1)
    expect_close(expected, d.result(target, grid), "potential", 1e-4)


@test_for(**DEVICES)
def sad_of_blocks_around_their_place(beginning):
    d, width, height, reach = device(beginning), 16, 16, MACROS["RANGE"]
    r = random(6)
    frame, other = r.integers(0, 256, (2, height, width), dtype=np.uint8)
    bytes_of_red = cl.ImageFormat(cl.channel_order.R, cl.channel_type.UNSIGNED_INT8)
    image = cl.create_image(d.context, FLAGS.READ_ONLY | FLAGS.COPY_HOST_PTR, bytes_of_red, shape=(width, height), hostbuf=other)
    places = (2 * reach + 1) ** 2
    small, large = np.zeros((4, 4, places), np.uint16), np.zeros((2, 2, places), np.uint16)
    sads, sads_8 = d.buffer(small), d.buffer(large)
    d.run("sad_4x4", (4 * 24, 4), (24, 1), sads, d.buffer(frame), i32(width), image)
    d.run("sad_8x8", (64, 2, 2), (16, 1, 1), sads, sads_8, i32(4))
    padded = np.pad(other, reach, mode="edge").astype(int)
    expected = np.zeros_like(small)
    for y, x, p in np.ndindex(4, 4, places):
        dy, dx = divmod(p, 2 * reach + 1)
        there = padded[4 * y + dy:4 * y + dy + 4, 4 * x + dx:4 * x + dx + 4]
        expected[y, x, p] = np.abs(there - frame[4 * y:4 * y + 4, 4 * x:4 * x + 4]).sum()
    expect_same(expected, d.result(sads, small), "4 x 4")
    expect_same(expected.reshape(2, 2, 2, 2, places).sum((1, 3)), d.result(sads_8, large), "8 x 8")


# The directions of lbm: none, along one axis, along two.
C = np.array([[0, 0, 0], [1, 0, 0], [-1, 0, 0], [0, 1, 0], [0, -1, 0], [0, 0, 1], [0, 0, -1], [1, 1, 0], [-1, -1, 0], [1, -1, 0],
              [-1, 1, 0], [1, 0, 1], [-1, 0, -1], [1, 0, -1], [-1, 0, 1], [0, 1, 1], [0, -1, -1], [0, 1, -1], [0, -1, 1]])


@test_for(**DEVICES)
def lbm_of_19_directions(beginning):
    d, shape = device(beginning), (4, 4, 8)
    r = random(7)
    weights = np.array([1 / 3] + [1 / 18] * 6 + [1 / 36] * 12)
    f = (weights[:, None, None, None] * (1 + 0.1 * r.random((19,) + shape))).astype(f32)
    solid = (r.random(shape) < 0.15).astype(np.uint8)
    buffers = [d.buffer(f), d.buffer(f)]
    expected = f.astype(np.float64)
    for step in range(2):
        d.run("lbm", tuple(reversed(shape)), (8, 2, 2), buffers[step], buffers[1 - step], d.buffer(solid), f32(1.2))
        pulled = np.stack([np.roll(expected[i], tuple(reversed(C[i])), (0, 1, 2)) for i in range(19)])
        rho = pulled.sum(0)
        u = np.einsum("ia,i...->a...", C, pulled) / rho
        cu = 3 * np.einsum("ia,a...->i...", C, u)
        equal = weights[:, None, None, None] * rho * (1 + cu + cu * cu / 2 - 1.5 * (u * u).sum(0))
        opposite = [int(np.flatnonzero((C == -c).all(1))[0]) for c in C]
        expected = np.where(solid != 0, pulled[opposite], pulled + 1.2 * (equal - pulled))
    expect_close(expected, d.result(buffers[0], f), "distribution")


@test_for(**DEVICES)
def histo_that_saturates(beginning):
    d, n, bins = device(beginning), 3000, 256
    values = np.clip(random(8).normal(128, 30, n), 0, bins - 1).astype(np.uint32)
    values[:600] = 7
    counts, packed = d.buffer(np.zeros(bins, np.uint32)), d.buffer(np.zeros(bins, np.uint8))
    d.run("histo_main", (256,), (64,), d.buffer(values), i32(n), counts, i32(96), i32(96 + MACROS["HISTO_LOCAL"]))
    d.run("histo_final", (bins // 4,), (16,), counts, packed)
    expected = np.bincount(values, minlength=bins)
    expect_same(expected, d.result(counts, np.zeros(bins, np.uint32)), "counts")
    expect_same(np.minimum(expected, 255), d.result(packed, np.zeros(bins, np.uint8)), "bytes")


@test_for(**DEVICES)
def tpacf_of_points_on_a_sphere(beginning):
    d, n, bins = device(beginning), 150, MACROS["TPACF_BINS"]
    points = random(9).normal(size=(n, 3))
    points = (points / np.linalg.norm(points, axis=1)[:, None]).astype(f32)
    edges = np.cos(np.linspace(0, np.pi, bins + 1)).astype(f32)
    groups = 5
    target = d.buffer(np.zeros((groups, bins), np.uint64))
    d.run("tpacf", (groups * 32,), (32,), target, d.buffer(points), i32(n), d.buffer(edges))
    got = d.result(target, np.zeros((groups, bins), np.uint64)).sum(0)
    products = (points.astype(np.float64) @ points.T)[np.triu_indices(n, 1)]
    expected = np.histogram(-products, -edges.astype(np.float64))[0]
    expect(n * (n - 1) // 2, int(got.sum()), "number of pairs")
    expect(True, bool(np.abs(np.cumsum(got.astype(int)) - np.cumsum(expected)).max() <= 2), f"bins {got.tolist()}, expected {expected.tolist()}")


@test_for(**DEVICES)
def bfs_with_queues_of_work_groups(beginning):
    d, n = device(beginning), 200
    r = random(10)
    lists = [[(int(r.integers(n)), 1) for _ in range(r.integers(1, 5))] for _ in range(n)]
    lists[0] = [(i, 1) for i in range(1, 40)]
    starts = np.cumsum([0] + [len(x) for x in lists])[:-1]
    nodes = np.stack([starts, [len(x) for x in lists]], axis=1).astype(i32)
    edges = np.array([e for x in lists for e in x], i32)
    cost = np.full(n, 2 ** 30, i32)
    cost[0] = 0
    colours, costs, tail = d.buffer(np.full(n, -1, i32)), d.buffer(cost), d.buffer(np.zeros(1, i32))
    queues, all_nodes, all_edges = [d.buffer(np.zeros(n, i32)), d.buffer(np.zeros(n, i32))], d.buffer(nodes), d.buffer(edges)
    count, level = 1, 0
    while count:
        cl.enqueue_copy(d.queue, tail, np.zeros(1, i32))
        d.run("bfs_level", (-(-count // 32) * 32,), (32,), queues[level % 2], queues[1 - level % 2], all_nodes, all_edges, colours, costs,
              tail, i32(count), i32(level))
        count, level = int(d.result(tail, np.zeros(1, i32))[0]), level + 1
    expected, frontier = np.full(n, 2 ** 30, i32), [0]
    expected[0] = 0
    while frontier:
        found = []
        for node in frontier:
            for to, _ in lists[node]:
                if expected[to] == 2 ** 30:
                    expected[to] = expected[node] + 1
                    found.append(to)
        frontier = found
    expect_same(expected, d.result(costs, cost), "costs")


@test_for(**DEVICES)
def mri_gridding_of_sorted_samples(beginning):
    d, n, grid, radius, table_size = device(beginning), 300, 16, 2.5, 256
    r = random(11)
    samples = np.concatenate([r.normal(size=(n, 2)), r.random((n, 2)) * (grid - 1)], axis=1).astype(f32)
    table = np.i0(5 * np.sqrt(1 - np.arange(table_size) / table_size)).astype(f32)
    cells, counts, sums = (d.buffer(np.zeros(size, np.uint32)) for size in (n, grid * grid, 4))
    source, target = d.buffer(samples), d.buffer(np.zeros_like(samples))
    size = 2 * MACROS["SCAN_SIZE"]
    groups = grid * grid // size
    d.run("bin_samples", (320,), (32,), source, i32(n), i32(grid), cells, counts)
    where = samples[:, 3].astype(int) * grid + samples[:, 2].astype(int)
    expect_same(np.bincount(where, minlength=grid * grid), d.result(counts, np.zeros(grid * grid, np.uint32)), "counts")
    d.run("scan_blocks", (grid * grid // 2,), (size // 2,), counts, sums)
    totals = d.result(sums, np.zeros(groups, np.uint32))
    d.run("scan_add", (grid * grid,), (size,), counts, d.buffer(np.concatenate([[0], np.cumsum(totals)[:-1]]).astype(np.uint32)))
    expect_same(np.cumsum(np.bincount(where, minlength=grid * grid)) - np.bincount(where, minlength=grid * grid),
                d.result(counts, np.zeros(grid * grid, np.uint32)), "scan")
    d.run("reorder", (320,), (32,), source, i32(n), cells, counts, target)
    got = d.result(target, samples)
    expect_same(np.sort(where), got[:, 3].astype(int) * grid + got[:, 2].astype(int), "order")
    result = d.buffer(np.zeros((grid, grid, 2), f32))
    d.run("gridding", (grid, grid), (8, 4), target, counts, i32(grid), f32(radius), d.buffer(table), f32(table_size / radius ** 2), result)
    y, x = np.indices((grid, grid))
    d2 = ((samples[:, 2] - x[..., None].astype(f32)) ** 2 + (samples[:, 3] - y[..., None].astype(f32)) ** 2)
    taken = np.where(d2 < radius ** 2, table[np.minimum((d2 * f32(table_size / radius ** 2)).astype(int), table_size - 1)], 0)
    expect_close(taken @ samples[:, :2].astype(np.float64), d.result(result, np.zeros((grid, grid, 2), f32)), "grid", 1e-3)


@test_for(**DEVICES)
def fft_of_64_points(beginning):
    d = device(beginning)
    data = random(12).normal(size=(5, 64, 2)).astype(f32)
    work = d.buffer(data)
    d.run("fft64", (40,), (8,), work)
    got = d.result(work, data)
    expected = np.fft.fft(data[..., 0] + 1j * data[..., 1])
    expect_close(np.stack([expected.real, expected.imag], axis=-1), got, "spectrum")


@test_for(**DEVICES)
def md_of_a_lennard_jones_potential(beginning):
    d, n, neighbours = device(beginning), 64, 12
    r = random(13)
    position = np.concatenate([r.random((n, 3)) * 4, np.zeros((n, 1))], axis=1).astype(f32)
    distance = np.linalg.norm(position[:, None, :3].astype(np.float64) - position[None, :, :3], axis=2)
    near = np.argsort(distance, axis=1)[:, 1:neighbours + 1]
    force = d.buffer(np.zeros_like(position))
    d.run("lennard_jones", (n,), (16,), force, d.buffer(position), i32(neighbours), d.buffer(near.T.astype(i32)), f32(2.25), f32(1.5), f32(2), i32(n))
    delta = position[:, None, :3].astype(np.float64) - position[near][..., :3]
    r2 = (delta ** 2).sum(2)
    inverse = np.where(r2 < 2.25, 1 / r2, 0)
    expected = (delta * (inverse ** 4 * (1.5 * inverse ** 3 - 2))[..., None]).sum(1)
    expect_close(expected, d.result(force, position)[:, :3], "force", 1e-4)


if __name__ == "__main__":
    tap.run("workloads")
