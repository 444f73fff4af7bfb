// SPDX-License-Identifier: Apache-2.0
// Input and result of each kernel of tests/bench/kernels (workload.h).
//
// Floating-point results are computed in double, with a bound on what single precision may add to them: a sum of n
// terms, each rounded as OpenCL allows (add, multiply 0.5 ulp; divide 2.5; rsqrt 2; fused or not), is off by at most
// about n half ulps of the sum of the terms' magnitudes.
#include "tests/bench/workload.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/tools/client.h"

static const double HALF_ULP = 0x1p-24;  // of a float, relative

static uint32_t next_random(uint32_t *state) {  // xorshift: the same on every machine
  uint32_t x = *state;
  x ^= x << 13;
  x ^= x >> 17;
  x ^= x << 5;
  return *state = x;
}

static float random_float(uint32_t *state) {  // -1 to 1
  return (float)((int32_t)next_random(state) >> 8) * 0x1p-23f;
}

static void *add_buffer(struct problem *p, size_t bytes) {
  p->buffers[p->buffer_count] = (struct problem_buffer){allocate(bytes), bytes};
  return p->buffers[p->buffer_count++].data;
}

static float *add_random_floats(struct problem *p, size_t count, uint32_t seed) {
  float *values = add_buffer(p, count * sizeof *values);
  for (size_t i = 0; i < count; i++)
    values[i] = random_float(&seed);
  return values;
}

static uint32_t float_bits(float value) {
  uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}

// The buffer that holds the result, and room for what it must be.
static void expect_result(struct problem *p, unsigned buffer, bool is_float) {
  p->result = buffer;
  p->result_count = p->buffers[buffer].bytes / 4;
  p->expected = allocate(p->result_count * sizeof *p->expected);
  p->allowed = is_float ? allocate(p->result_count * sizeof *p->allowed) : NULL;
}

static void launch_once(struct problem *p, struct launch launch) {
  p->launches = allocate(sizeof launch);
  p->launches[0] = launch;
  p->launch_count = 1;
}

// ---- linear algebra

static void product(struct problem *p, unsigned n, const char *kernel, size_t tile) {
  const float *a = add_random_floats(p, (size_t)n * n, 1), *b = add_random_floats(p, (size_t)n * n, 2);
  add_buffer(p, (size_t)n * n * sizeof(float));
  expect_result(p, 2, true);
  for (size_t row = 0; row < n; row++)
    for (size_t column = 0; column < n; column++) {
      double sum = 0, magnitude = 0;
      for (size_t k = 0; k < n; k++) {
        const double term = (double)a[row * n + k] * b[k * n + column];
        sum += term;
        magnitude += fabs(term);
      }
      p->expected[row * n + column] = sum;
      p->allowed[row * n + column] = (n + 1) * HALF_ULP * magnitude;
    }
  launch_once(p, (struct launch){kernel, 2, {n, n}, {tile, tile}, {0, 1, 2}, 3, {n, n}, 2});
}

static void make_sgemm(struct problem *p, unsigned n, unsigned resident) {
  (void)resident;
  product(p, n, "sgemm", 0);
}

static void make_sgemm_tiled(struct problem *p, unsigned n, unsigned resident) {
  (void)resident;
  product(p, n, "sgemm_tiled", 8);
}

static void make_vecadd(struct problem *p, unsigned n, unsigned resident) {
  (void)resident;
  const float *a = add_random_floats(p, n, 3), *b = add_random_floats(p, n, 4);
  add_buffer(p, n * sizeof(float));
  expect_result(p, 2, true);
  for (size_t i = 0; i < n; i++) {
    p->expected[i] = (double)a[i] + b[i];
    p->allowed[i] = HALF_ULP * fabs(p->expected[i]);
  }
  launch_once(p, (struct launch){"vecadd", 1, {n}, {0}, {0, 1, 2}, 3, {0}, 0});
}

static void make_sgemv(struct problem *p, unsigned n, unsigned resident) {
  (void)resident;
  const float *a = add_random_floats(p, (size_t)n * n, 5), *x = add_random_floats(p, n, 6);
  add_buffer(p, n * sizeof(float));
  expect_result(p, 2, true);
  for (size_t row = 0; row < n; row++) {
    double magnitude = 0;
    for (size_t j = 0; j < n; j++) {
      p->expected[row] += (double)a[row * n + j] * x[j];
      magnitude += fabs((double)a[row * n + j] * x[j]);
    }
    p->allowed[row] = (n + 1) * HALF_ULP * magnitude;
  }
  launch_once(p, (struct launch){"sgemv", 1, {n}, {0}, {0, 1, 2}, 3, {n}, 1});
}

// Rows of 0 to 15 elements, in random columns.
static void make_spmv(struct problem *p, unsigned n, unsigned resident) {
  (void)resident;
  uint32_t seed = 7;
  uint32_t *starts = add_buffer(p, (n + 1) * sizeof *starts);
  for (size_t row = 0; row < n; row++)
    starts[row + 1] = starts[row] + (next_random(&seed) >> 28);
  const size_t count = starts[n];
  uint32_t *columns = add_buffer(p, (count + 1) * sizeof *columns);
  for (size_t k = 0; k < count; k++)
    columns[k] = (uint32_t)((uint64_t)next_random(&seed) * n >> 32);
  const float *values = add_random_floats(p, count + 1, 8), *x = add_random_floats(p, n, 9);
  add_buffer(p, n * sizeof(float));
  expect_result(p, 4, true);
  for (size_t row = 0; row < n; row++) {
    double magnitude = 0;
    for (uint32_t k = starts[row]; k < starts[row + 1]; k++) {
      p->expected[row] += (double)values[k] * x[columns[k]];
      magnitude += fabs((double)values[k] * x[columns[k]]);
    }
    p->allowed[row] = (starts[row + 1] - starts[row] + 1) * HALF_ULP * magnitude;
  }
  launch_once(p, (struct launch){"spmv", 1, {n}, {0}, {0, 1, 2, 3, 4}, 5, {0}, 0});
}

// ---- neighbours

static size_t clamped(size_t i, int step, unsigned n) {
  const long at = (long)i + step;
  return (size_t)(at < 0 ? 0 : at >= (long)n ? (long)n - 1 : at);
}

static void make_stencil3d(struct problem *p, unsigned n, unsigned resident) {
  (void)resident;
  const float *in = add_random_floats(p, (size_t)n * n * n, 10);
  add_buffer(p, (size_t)n * n * n * sizeof(float));
  expect_result(p, 1, true);
  for (size_t cell = 0; cell < p->result_count; cell++) {
    const size_t x = cell % n, y = cell / n % n, z = cell / n / n;
    double sum = 0, magnitude = 0;
    for (int near = 0; near < 27; near++) {
      const size_t nx = clamped(x, near % 3 - 1, n), ny = clamped(y, near / 3 % 3 - 1, n);
      const double value = in[(clamped(z, near / 9 - 1, n) * n + ny) * n + nx];
      sum += value;
      magnitude += fabs(value);
    }
    p->expected[cell] = sum / 27;
    p->allowed[cell] = 27 * HALF_ULP * magnitude / 27 + 5 * HALF_ULP * fabs(sum / 27);
  }
  launch_once(p, (struct launch){"stencil3d", 3, {n, n, n}, {0}, {0, 1}, 2, {n}, 1});
}

// A picture of `width` by three quarters of it, with a border of one pixel.
static void make_sobel(struct problem *p, unsigned width, unsigned resident) {
  (void)resident;
  const unsigned height = width * 3 / 4, pitch = width + 2;
  uint32_t seed = 17;
  int32_t *in = add_buffer(p, (size_t)pitch * (height + 2) * 4);
  for (size_t i = 0; i < (size_t)pitch * (height + 2); i++)
    in[i] = (int32_t)(next_random(&seed) >> 24);
  add_buffer(p, (size_t)width * height * 4);
  expect_result(p, 1, false);
  for (size_t i = 0; i < p->result_count; i++) {
    const int32_t *top = in + i / width * pitch + i % width, *middle = top + pitch, *bottom = middle + pitch;
    const int across = top[2] + 2 * middle[2] + bottom[2] - top[0] - 2 * middle[0] - bottom[0];
    const int down = bottom[0] + 2 * bottom[1] + bottom[2] - top[0] - 2 * top[1] - top[2];
    const int gradient = abs(across) + abs(down);
    p->expected[i] = gradient < 255 ? gradient : 255;
  }
  launch_once(p, (struct launch){"sobel", 2, {width, height}, {32, 4}, {0, 1}, 2, {pitch}, 1});
}

static void make_fir(struct problem *p, unsigned n, unsigned resident) {
  (void)resident;
  enum { TAPS = 16, ITEMS = 64 };
  const float *x = add_random_floats(p, n + ITEMS, 18), *h = add_random_floats(p, TAPS, 19);
  add_buffer(p, n * sizeof(float));
  expect_result(p, 2, true);
  for (size_t i = 0; i < n; i++) {
    double magnitude = 0;
    for (size_t k = 0; k < TAPS; k++) {
      p->expected[i] += (double)h[k] * x[i + k];
      magnitude += fabs((double)h[k] * x[i + k]);
    }
    p->allowed[i] = (TAPS + 1) * HALF_ULP * magnitude;
  }
  launch_once(p, (struct launch){"fir", 1, {n}, {ITEMS}, {0, 1, 2}, 3, {0}, 0});
}

static void make_nbody(struct problem *p, unsigned n, unsigned resident) {
  (void)resident;
  const float softening = 0.01f;
  const float *bodies = add_random_floats(p, (size_t)n * 4, 11);
  add_buffer(p, (size_t)n * 4 * sizeof(float));
  expect_result(p, 1, true);
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < n; j++) {
      double difference[3], square = (double)softening;
      for (int d = 0; d < 3; d++) {
        difference[d] = (double)bodies[4 * j + d] - bodies[4 * i + d];
        square += difference[d] * difference[d];
      }
      for (int d = 0; d < 3; d++) {
        const double term = difference[d] * bodies[4 * j + 3] / (square * sqrt(square));
        p->expected[4 * i + d] += term;
        // Half ulps of a term: the square's 6 to the power of -3/2, rsqrt's 4 cubed, 5 roundings more.
        p->allowed[4 * i + d] += (n + 9 + 12 + 5) * HALF_ULP * fabs(term);
      }
    }
  launch_once(p, (struct launch){"nbody", 1, {n}, {0}, {0, 1}, 2, {n, float_bits(softening)}, 2});
}

// ---- arithmetic alone

// Halves, quarters and integers below 256: each operation of the kernel but two additions a round is exact.
static void make_arithmetic(struct problem *p, unsigned rounds, unsigned resident) {
  const float *in = add_random_floats(p, resident, 12);
  add_buffer(p, resident * sizeof(float));
  expect_result(p, 1, true);
  for (uint32_t i = 0; i < resident; i++) {
    uint32_t h = 2654435761u * (i + 1);
    float x = in[i], y = 0;
    for (unsigned r = 0; r < rounds; r++) {
      x = x * 0.5f + (float)(next_random(&h) & 255);
      y = y * 0.25f - x;
    }
    p->expected[i] = (double)y;
  }
  launch_once(p, (struct launch){"arithmetic", 1, {resident}, {0}, {0, 1}, 2, {rounds}, 1});
}

static void make_mandelbrot(struct problem *p, unsigned n, unsigned resident) {
  (void)resident;
  const float left = -2.0f, top = 1.25f, pixel = 2.5f / (float)n;
  const unsigned most = 128;
  add_buffer(p, (size_t)n * n * 4);
  expect_result(p, 0, false);
  for (size_t i = 0; i < p->result_count; i++) {
    const float step_x = (float)(i % n) * pixel, step_y = (float)(i / n) * pixel;
    const float cx = left + step_x, cy = top - step_y;
    float x = 0, y = 0;
    unsigned step = 0;
    for (; step < most && x * x + y * y <= 4; step++) {
      const float next = x * x - y * y + cx;
      y = 2 * x * y + cy;
      x = next;
    }
    p->expected[i] = step;
  }
  launch_once(
      p, (struct launch){
             "mandelbrot", 2, {n, n}, {0}, {0}, 1, {float_bits(left), float_bits(top), float_bits(pixel), most}, 4});
}

// ---- many to few, and order

static void make_reduction(struct problem *p, unsigned n, unsigned resident) {
  (void)resident;
  enum { GROUP = 64 };
  const unsigned groups = n / GROUP;
  const float *in = add_random_floats(p, n, 13);
  add_buffer(p, groups * sizeof(float));
  const unsigned second = groups < GROUP ? groups : GROUP;
  add_buffer(p, (groups + GROUP - 1) / GROUP * sizeof(float));
  expect_result(p, 2, true);
  for (unsigned i = 0; i < n; i++) {
    const unsigned sum = i / (GROUP * GROUP);
    p->expected[sum] += (double)in[i];
    p->allowed[sum] += 12 * HALF_ULP * fabs((double)in[i]);  // as many additions as a sum has halvings
  }
  p->launch_count = 2;
  p->launches = allocate(2 * sizeof *p->launches);
  p->launches[0] = (struct launch){"reduction", 1, {n}, {GROUP}, {0, 1}, 2, {0}, 0};
  p->launches[1] = (struct launch){"reduction", 1, {groups}, {second}, {1, 2}, 2, {0}, 0};
}

static void make_scan(struct problem *p, unsigned n, unsigned resident) {
  (void)resident;
  enum { GROUP = 128 };
  const unsigned groups = n / GROUP;
  uint32_t seed = 14, sum = 0;
  uint32_t *in = add_buffer(p, n * 4);
  add_buffer(p, n * 4);
  add_buffer(p, groups * 4);
  expect_result(p, 1, false);
  for (size_t i = 0; i < n; i++) {
    in[i] = next_random(&seed);
    p->expected[i] = sum += in[i];
  }
  p->launch_count = 3;
  p->launches = allocate(3 * sizeof *p->launches);
  p->launches[0] = (struct launch){"scan_groups", 1, {n}, {GROUP}, {0, 1, 2}, 3, {0}, 0};
  p->launches[1] = (struct launch){"scan_sums", 1, {groups}, {groups}, {2}, 1, {0}, 0};
  p->launches[2] = (struct launch){"add_sums", 1, {n}, {GROUP}, {1, 2}, 2, {0}, 0};
}

// As a picture has them: some bytes are much more frequent than others. Every resident work-item counts.
static void make_histogram(struct problem *p, unsigned n, unsigned resident) {
  uint32_t seed = 15;
  uint8_t *in = add_buffer(p, n);
  add_buffer(p, 256 * 4);
  expect_result(p, 1, false);
  for (size_t i = 0; i < n; i++) {
    in[i] = (uint8_t)((next_random(&seed) >> 24) * (next_random(&seed) >> 24) >> 8);
    p->expected[in[i]]++;
  }
  launch_once(p, (struct launch){"histogram", 1, {resident}, {resident / 4}, {0, 1}, 2, {n}, 1});
}

static int by_key(const void *a, const void *b) {
  const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  return (x > y) - (x < y);
}

static void make_bitonic_sort(struct problem *p, unsigned n, unsigned resident) {
  (void)resident;
  uint32_t seed = 16;
  uint32_t *keys = add_buffer(p, n * 4), *sorted = allocate(n * 4);
  expect_result(p, 0, false);
  for (size_t i = 0; i < n; i++)
    sorted[i] = keys[i] = next_random(&seed) % n;  // some of them equal
  qsort(sorted, n, 4, by_key);
  for (size_t i = 0; i < n; i++)
    p->expected[i] = sorted[i];
  free(sorted);
  p->launches = allocate(32 * 32 * sizeof *p->launches);
  for (unsigned block = 2; block <= n; block *= 2)
    for (unsigned distance = block / 2; distance > 0; distance /= 2)
      p->launches[p->launch_count++] = (struct launch){"bitonic_sort", 1, {n / 2}, {0}, {0}, 1, {block, distance}, 2};
}

// ---- all of them

#define ENTRY(name, full, small) {#name, full, small, make_##name},
#define COUNT(name, full, small) +1
const struct workload workloads[] = {WORKLOADS(ENTRY) PIPELINE_WORKLOADS(ENTRY)};
const size_t workload_count = sizeof workloads / sizeof workloads[0];
const size_t pipeline_workload_count = 0 PIPELINE_WORKLOADS(COUNT);

const struct workload *workload_named(const char *name) {
  for (size_t i = 0; i < workload_count; i++)
    if (strcmp(workloads[i].name, name) == 0)
      return &workloads[i];
  return NULL;
}

struct problem *problem_of(const struct workload *workload, unsigned size, unsigned resident) {
  struct problem *problem = allocate(sizeof *problem);
  workload->make(problem, size, resident);
  return problem;
}

void problem_free(struct problem *problem) {
  for (unsigned i = 0; i < problem->buffer_count; i++)
    free(problem->buffers[i].data);
  free(problem->launches);
  free(problem->expected);
  free(problem->allowed);
  free(problem);
}

bool problem_is_solved(const struct problem *problem, const void *result, char text[256]) {
  for (size_t i = 0; i < problem->result_count; i++) {
    float real;
    uint32_t word;
    memcpy(&word, (const char *)result + 4 * i, sizeof word);
    memcpy(&real, &word, sizeof real);
    const double expected = problem->expected[i];
    if (!problem->allowed && (double)word != expected) {
      snprintf(text, 256, "result[%zu]: expected %.0f, got %u", i, expected, word);
      return false;
    }
    if (problem->allowed && !(fabs((double)real - expected) <= problem->allowed[i])) {
      snprintf(text, 256, "result[%zu]: expected %.9g within %.3g, got %.9g", i, expected, problem->allowed[i],
               (double)real);
      return false;
    }
  }
  return true;
}
