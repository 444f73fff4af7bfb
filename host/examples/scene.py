#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Draws scene.png, the picture that `make demo` blurs: spools of thread on woven cloth. Run it as
`.venv/bin/python host/examples/scene.py host/examples/scene.png`; it draws the same bytes each time."""
import struct
import sys
import zlib

import numpy as np

WIDTH, HEIGHT, SAMPLES = 256, 192, 3
LIGHT = np.array([-0.55, 0.75, -0.45]) / np.linalg.norm([-0.55, 0.75, -0.45])
# centre, radius, colour of each ball of thread
BALLS = [((-1.25, 0.8, 4.3), 0.8, (0.78, 0.20, 0.16)), ((0.35, 1.0, 5.2), 1.0, (0.16, 0.36, 0.66)),
         ((1.55, 0.55, 3.7), 0.55, (0.88, 0.66, 0.18)), ((-0.2, 0.4, 3.1), 0.4, (0.20, 0.55, 0.36))]


def dot(a, b):
    return np.sum(a * b, axis=-1, keepdims=True)


def hit_ball(origin, ray, centre, radius):
    """Distance along each ray, infinity where it misses."""
    to = origin - np.array(centre)
    b, c = dot(to, ray), dot(to, to) - radius * radius
    inside = b * b - c
    distance = -b - np.sqrt(np.maximum(inside, 0))
    return np.where((inside > 0) & (distance > 1e-3), distance, np.inf)


def cloth(point):
    """Plain weave: warp over weft, then weft over warp, each thread round, in two colours with stripes."""
    u, v = point[..., 0:1] * 6.5, point[..., 2:3] * 6.5
    over = (np.floor(u) + np.floor(v)) % 2 < 1
    across = np.where(over, u, v) % 1 - 0.5
    shade = 0.55 + 0.45 * np.sqrt(np.maximum(1 - 4 * across * across, 0))
    stripe = np.floor(np.where(over, u, v) / 4) % 2 < 1
    warp = np.where(stripe, np.array([0.86, 0.82, 0.72]), np.array([0.55, 0.42, 0.34]))
    weft = np.where(stripe, np.array([0.74, 0.76, 0.78]), np.array([0.36, 0.40, 0.48]))
    return np.where(over, warp, weft) * shade


def render():
    rows, columns = np.mgrid[0:HEIGHT * SAMPLES, 0:WIDTH * SAMPLES].astype(float)
    x = (columns + 0.5) / (WIDTH * SAMPLES) * 2 - 1
    y = 1 - (rows + 0.5) / (HEIGHT * SAMPLES) * 2
    ray = np.stack([x * 0.72, y * 0.54 - 0.28, np.ones_like(x)], axis=-1)
    ray /= np.sqrt(dot(ray, ray))
    origin = np.array([0.0, 1.9, -0.6])

    sky = np.clip(ray[..., 1:2] * 2.5 + 0.35, 0, 1)
    colour = (1 - sky) * np.array([0.93, 0.86, 0.74]) + sky * np.array([0.45, 0.60, 0.80])
    nearest = np.full(x.shape + (1,), np.inf)

    def lit(point, normal, albedo, gloss):
        shadow = np.ones_like(nearest)
        for centre, radius, _ in BALLS:
            shadow = np.where(np.isfinite(hit_ball(point + normal * 1e-3, LIGHT, centre, radius)), 0.25, shadow)
        diffuse = np.maximum(dot(normal, LIGHT), 0) * shadow
        half = LIGHT - ray
        half /= np.sqrt(dot(half, half))
        shine = gloss * np.maximum(dot(normal, half), 0) ** 40 * shadow
        return albedo * (0.28 + 0.80 * diffuse) + shine

    floor = np.where(ray[..., 1:2] < -1e-3, -origin[1] / np.minimum(ray[..., 1:2], -1e-3), np.inf)
    point = origin + ray * np.where(np.isfinite(floor), floor, 0)
    haze = np.exp(-0.05 * np.where(np.isfinite(floor), floor, 0))
    ground = lit(point, np.array([0.0, 1.0, 0.0]) + 0 * point, cloth(point), 0.05)
    colour = np.where(np.isfinite(floor), ground * haze + colour * (1 - haze), colour)
    nearest = np.minimum(nearest, floor)

    for centre, radius, thread in BALLS:
        distance = hit_ball(origin, ray, centre, radius)
        point = origin + ray * np.where(np.isfinite(distance), distance, 0)
        normal = (point - np.array(centre)) / radius
        winding = 0.5 + 0.5 * np.sin(60 * np.arctan2(normal[..., 1:2], normal[..., 0:1] + 0.4 * normal[..., 2:3])
                                     + 25 * normal[..., 2:3])
        albedo = np.array(thread) * (0.65 + 0.35 * winding)
        colour = np.where((distance < nearest) & np.isfinite(distance), lit(point, normal, albedo, 0.35), colour)
        nearest = np.minimum(nearest, distance)

    colour = colour.reshape(HEIGHT, SAMPLES, WIDTH, SAMPLES, 3).mean(axis=(1, 3))
    return (np.clip(colour, 0, 1) ** (1 / 2.2) * 255 + 0.5).astype(np.uint8)


def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def main():
    pixels = render()
    # Filter "up" for each row: the cloth resembles the row above it.
    above = np.vstack([np.zeros((1, WIDTH, 3), np.uint8), pixels[:-1]])
    rows = np.concatenate([np.full((HEIGHT, 1), 2, np.uint8), (pixels - above).reshape(HEIGHT, -1)], axis=1)
    with open(sys.argv[1], "wb") as file:
        file.write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", WIDTH, HEIGHT, 8, 2, 0, 0, 0))
                   + chunk(b"IDAT", zlib.compress(rows.tobytes(), 9)) + chunk(b"IEND", b""))


if __name__ == "__main__":
    main()
