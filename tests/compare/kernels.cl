// SPDX-License-Identifier: Apache-2.0
// The seven kernels of make compare-cpu. As kernels.c divides the work among CPUs, these divide it among the sub-groups
// that a unit of eight lanes has room for, or are as anyone would first write them. SHA-256 is tests/bench/pipelines/sha256.cl.

// How often each byte occurs, of n words: every work-group counts in local memory, then adds its counts to all.
kernel void histogram(global const uint *restrict in, global uint *restrict counts, uint n) {
  local uint mine[256];
  for (uint bin = get_local_id(0); bin < 256; bin += get_local_size(0)) mine[bin] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint i = get_global_id(0); i < n; i += get_global_size(0)) {
    uint word = in[i];
    atomic_inc(&mine[word & 255]);
    atomic_inc(&mine[word >> 8 & 255]);
    atomic_inc(&mine[word >> 16 & 255]);
    atomic_inc(&mine[word >> 24]);
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint bin = get_local_id(0); bin < 256; bin += get_local_size(0)) atomic_add(&counts[bin], mine[bin]);
}

// The words of a sub-group's part, from this work-item's first one on: its next one is ROW further.
#define ROW 8
#define IN_ROWS __attribute__((intel_reqd_sub_group_size(ROW)))
uint part_number(void) {
  return get_group_id(0) * get_num_sub_groups() + get_sub_group_id();
}
uint part_rows(uint n) {
  return n / (get_num_groups(0) * get_num_sub_groups() * ROW);
}
uint part_begin(uint n) {
  return part_number() * part_rows(n) * ROW + get_sub_group_local_id();
}

// The sum of each part.
IN_ROWS kernel void scan_sums(global const uint *restrict in, global uint *restrict sums, uint n) {
  uint rows = part_rows(n), sum = 0;
  in += part_begin(n);
  for (uint i = 0; i < rows; i++) sum += in[i * ROW];
  sum = sub_group_reduce_add(sum);
  if (get_sub_group_local_id() == 0) sums[part_number()] = sum;
}

// Then the scan, from what comes before the part; four rows at once.
IN_ROWS kernel void scan(global const uint *restrict in, global uint *restrict out, global const uint *restrict sums, uint n) {
  uint rows = part_rows(n), before = 0;
  for (uint i = get_sub_group_local_id(); i < part_number(); i += ROW) before += sums[i];
  before = sub_group_reduce_add(before);
  in += part_begin(n);
  out += part_begin(n);
  for (uint i = 0; i < rows; i += 4, in += 4 * ROW, out += 4 * ROW) {
    uint a = in[0], b = in[ROW], c = in[2 * ROW], d = in[3 * ROW];
    out[0] = before + sub_group_scan_inclusive_add(a);
    before += sub_group_reduce_add(a);
    out[ROW] = before + sub_group_scan_inclusive_add(b);
    before += sub_group_reduce_add(b);
    out[2 * ROW] = before + sub_group_scan_inclusive_add(c);
    before += sub_group_reduce_add(c);
    out[3 * ROW] = before + sub_group_scan_inclusive_add(d);
    before += sub_group_reduce_add(d);
  }
}

IN_ROWS kernel void vecadd(global const int *restrict a, global const int *restrict b, global int *restrict c, uint n) {
  uint rows = part_rows(n);
  a += part_begin(n);
  b += part_begin(n);
  c += part_begin(n);
  for (uint i = 0; i < rows; i++) c[i * ROW] = a[i * ROW] + b[i * ROW];
}

// A work-item has eight columns, a sub-group of eight so 64 next to each other.
kernel void matrix(global const int *restrict a, global const int *restrict b, global int *restrict c, uint n) {
  uint row = get_global_id(1), column = get_global_id(0) / 8 * 64 + get_global_id(0) % 8;
  int sum[8] = {0};
  for (uint k = 0; k < n; k++)
    for (uint i = 0; i < 8; i++) sum[i] += a[row * n + k] * b[k * n + column + 8 * i];
  for (uint i = 0; i < 8; i++) c[row * n + column + 8 * i] = sum[i];
}

// Steps of z = z z + c within the circle of radius 2; 12 bits behind the point.
kernel void mandelbrot(global uint *steps, int left, int top, int pixel, uint most) {
  int px = get_global_id(0), py = get_global_id(1);
  int cx = left + px * pixel, cy = top - py * pixel, x = 0, y = 0;
  uint step = 0;
  while (step < most && x * x + y * y <= 4 << 24) {
    int next = ((x * x - y * y) >> 12) + cx;
    y = ((x * y) >> 11) + cy;
    x = next;
    step++;
  }
  steps[py * get_global_size(0) + px] = step;
}

// A picture that has a border of one pixel, smoothed: weights 1 2 1, 2 4 2, 1 2 1. A work-item has so many pixels of a column.
kernel void filter(global const int *restrict in, global int *restrict out, int pitch, int rows) {
  int x = get_global_id(0), y = get_global_id(1) * rows;
  in += y * pitch + x;
  out += y * (pitch - 2) + x;
  int above = in[0] + 2 * in[1] + in[2], here = in[pitch] + 2 * in[pitch + 1] + in[pitch + 2];
  in += 2 * pitch;
  for (int i = 0; i < rows; i++, in += pitch, out += pitch - 2) {
    int below = in[0] + 2 * in[1] + in[2];
    *out = (above + 2 * here + below) >> 4;
    above = here, here = below;
  }
}
