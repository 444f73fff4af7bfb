// SPDX-License-Identifier: Apache-2.0
// The seven kernels of make compare-cpu on a CPU without an operating system: plain C, each divided by hand among
// `parts` CPUs. Whatever needs the other parts' results is a phase of its own; cpu.cpp starts each part of each phase
// from reset.
#include <stdint.h>

// At this address, written by compare_cpu.py and cpu.cpp.
struct work {
  uint32_t kernel, phase, part, parts;
  uint32_t argument[8];  // addresses and numbers, as the kernel takes them
};
#define WORK ((const struct work *)0x8000)

#define INTS(n) ((int32_t *)(uintptr_t)w->argument[n])
#define WORDS(n) ((uint32_t *)(uintptr_t)w->argument[n])

// clang unrolls none of these loops by itself.
#define UNROLL _Pragma("clang loop unroll_count(8)")

// The part's share of 0 to n - 1.
static uint32_t first_of(const struct work *w, uint32_t n) {
  return n * w->part / w->parts;
}
static uint32_t last_of(const struct work *w, uint32_t n) {
  return n * (w->part + 1) / w->parts;
}

// in, out, sums (one a part), n. Phase 0: each part's sum. Phase 1: the scan, from what comes before the part.
static void scan(const struct work *w) {
  const int32_t *in = INTS(0);
  int32_t *restrict out = INTS(1), *sums = INTS(2), sum = 0;
  const uint32_t first = first_of(w, w->argument[3]), last = last_of(w, w->argument[3]);
  if (w->phase == 0) {
    UNROLL for (uint32_t i = first; i < last; i++) sum += in[i];
    sums[w->part] = sum;
    return;
  }
  for (uint32_t part = 0; part < w->part; part++)
    sum += sums[part];
  UNROLL for (uint32_t i = first; i < last; i++) out[i] = sum += in[i];
}

// in, counts, counts of each part, n. Phase 0: each part counts. Phase 1: each adds up its share of the bins.
static void histogram(const struct work *w) {
  const uint8_t *in = (const uint8_t *)WORDS(0);
  if (w->phase == 0) {
    uint32_t *mine = WORDS(2) + 256 * w->part;
    UNROLL for (uint32_t bin = 0; bin < 256; bin++) mine[bin] = 0;
    UNROLL for (uint32_t i = first_of(w, w->argument[3]), last = last_of(w, w->argument[3]); i < last; i++)
        mine[in[i]]++;
    return;
  }
  for (uint32_t bin = first_of(w, 256), last = last_of(w, 256); bin < last; bin++) {
    uint32_t sum = 0;
    for (uint32_t part = 0; part < w->parts; part++)
      sum += WORDS(2)[256 * part + bin];
    WORDS(1)[bin] = sum;
  }
}

static void vecadd(const struct work *w) {
  const int32_t *a = INTS(0), *b = INTS(1);
  int32_t *restrict c = INTS(2);
  UNROLL for (uint32_t i = first_of(w, w->argument[3]), last = last_of(w, w->argument[3]); i < last; i++) c[i] =
      a[i] + b[i];
}

// a, b, c, n; a part has rows of the result. Eight columns at once, since a column alone uses one word of each line of
// b.
static void matrix(const struct work *w) {
  const int32_t *a = INTS(0), *b = INTS(1);
  int32_t *c = INTS(2);
  const uint32_t n = w->argument[3];
  for (uint32_t row = first_of(w, n); row < last_of(w, n); row++)
    for (uint32_t column = 0; column < n; column += 8) {
      int32_t sum[8] = {0};
      for (uint32_t k = 0; k < n; k++)
        for (uint32_t i = 0; i < 8; i++)
          sum[i] += a[row * n + k] * b[k * n + column + i];
      for (uint32_t i = 0; i < 8; i++)
        c[row * n + column + i] = sum[i];
    }
}

// steps, left, top, pixel, most, width, height; a part has every parts-th row, as rows differ.
static void mandelbrot(const struct work *w) {
  const int32_t left = (int32_t)w->argument[1], top = (int32_t)w->argument[2], pixel = (int32_t)w->argument[3];
  const uint32_t most = w->argument[4], width = w->argument[5], height = w->argument[6];
  for (uint32_t py = w->part; py < height; py += w->parts)
    for (uint32_t px = 0; px < width; px++) {
      const int32_t cx = left + (int32_t)px * pixel, cy = top - (int32_t)py * pixel;
      int32_t x = 0, y = 0;
      uint32_t step = 0;
      while (step < most && x * x + y * y <= 4 << 24) {
        const int32_t next = ((x * x - y * y) >> 12) + cx;
        y = ((x * y) >> 11) + cy;
        x = next;
        step++;
      }
      WORDS(0)[py * width + px] = step;
    }
}

// in, out, pitch, height; a part has rows.
static void filter(const struct work *w) {
  const uint32_t pitch = w->argument[2], height = w->argument[3];
  for (uint32_t y = first_of(w, height); y < last_of(w, height); y++) {
    const int32_t *restrict above = INTS(0) + y * pitch, *restrict here = above + pitch, *restrict below = here + pitch;
    int32_t *restrict out = INTS(1) + y * (pitch - 2);
    int32_t left = above[0] + 2 * here[0] + below[0], middle = above[1] + 2 * here[1] + below[1];
    UNROLL for (uint32_t x = 0; x < pitch - 2; x++) {
      const int32_t right = above[x + 2] + 2 * here[x + 2] + below[x + 2];
      out[x] = (left + 2 * middle + right) >> 4;
      left = middle, middle = right;
    }
  }
}

static const uint32_t round_constants[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

static uint32_t turned(uint32_t x, unsigned bits) {
  return x >> bits | x << (32 - bits);
}
static uint32_t small_sigma(uint32_t x, unsigned a, unsigned b, unsigned c) {
  return turned(x, a) ^ turned(x, b) ^ x >> c;
}
static uint32_t large_sigma(uint32_t x, unsigned a, unsigned b, unsigned c) {
  return turned(x, a) ^ turned(x, b) ^ turned(x, c);
}

// blocks, digests, n: FIPS 180-4's compression of each block. Eight rounds are written out, after which each variable
// has its value again; sixteen would not fit in the cache.
static void sha256(const struct work *w) {
  static const uint32_t initial[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                      0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  for (uint32_t n = first_of(w, w->argument[2]); n < last_of(w, w->argument[2]); n++) {
    uint32_t word[64];
    for (uint32_t t = 0; t < 16; t++)
      word[t] = WORDS(0)[16 * n + t];
    for (uint32_t t = 16; t < 64; t++)
      word[t] = word[t - 16] + small_sigma(word[t - 15], 7, 18, 3) + word[t - 7] + small_sigma(word[t - 2], 17, 19, 10);
    uint32_t a = initial[0], b = initial[1], c = initial[2], d = initial[3];
    uint32_t e = initial[4], f = initial[5], g = initial[6], h = initial[7];
    UNROLL for (uint32_t t = 0; t < 64; t++) {
      const uint32_t first = h + large_sigma(e, 6, 11, 25) + ((e & f) ^ (~e & g)) + round_constants[t] + word[t];
      const uint32_t second = large_sigma(a, 2, 13, 22) + ((a & b) ^ (a & c) ^ (b & c));
      h = g, g = f, f = e, e = d + first, d = c, c = b, b = a, a = first + second;
    }
    const uint32_t last[8] = {a, b, c, d, e, f, g, h};
    for (uint32_t i = 0; i < 8; i++)
      WORDS(1)[8 * n + i] = initial[i] + last[i];
  }
}

void run(void);  // by start.S
void run(void) {
  static void (*const kernels[])(const struct work *) = {scan, histogram, vecadd, matrix, mandelbrot, filter, sha256};
  kernels[WORK->kernel](WORK);
}
