// SPDX-License-Identifier: Apache-2.0
// The mean of kernels/stencil3d.cl as one writes it for a pipeline: a work-group has the cells around its own in local memory,
// three planes of six rows, and adds four of the 27 a round. `n` is a multiple of 32.
#define WIDTH 32
#define HEIGHT 4
#define PITCH 40  // cell x of a work-group is at x + 4 of its row, so that rows begin like those of memory
#define ROWS (HEIGHT + 2)

// Where the cells around one are, from the first of them on; the last one counts nothing.
constant int places[28] = {0,   1,   2,   40,  41,  42,  80,  81,  82,  240, 241, 242, 280, 281,
                           282, 320, 321, 322, 480, 481, 482, 520, 521, 522, 560, 561, 562, 0};

__attribute__((reqd_work_group_size(WIDTH, HEIGHT, 1)))
kernel void stencil3d_tile(global const float *in, global float *out, int n) {
  local float tile[1024];
  int lx = get_local_id(0), ly = get_local_id(1), l = ly * WIDTH + lx;
  int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2), x0 = x - lx, y0 = y - ly;
#pragma unroll
  for (int plane = 0; plane < 3; plane++) {
    int nz = clamp(z + plane - 1, 0, n - 1), row = plane * ROWS + ly;
    tile[row * PITCH + 4 + lx] = in[(nz * n + max(y - 1, 0)) * n + x];
    if (ly < 2) tile[(row + HEIGHT) * PITCH + 4 + lx] = in[(nz * n + min(y + HEIGHT - 1, n - 1)) * n + x];
  }
  if (l < 6 * ROWS) {
    int row = l >> 1, plane = (row >= ROWS) + (row >= 2 * ROWS), is_right = l & 1;
    int nz = clamp(z + plane - 1, 0, n - 1), ny = clamp(y0 + row - plane * ROWS - 1, 0, n - 1);
    int nx = is_right ? min(x0 + WIDTH, n - 1) : max(x0 - 1, 0);
    tile[row * PITCH + (is_right ? WIDTH + 4 : 3)] = in[(nz * n + ny) * n + nx];
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  int first = ly * PITCH + 3 + lx;
  float a = 0, b = 0, c = 0, d = 0;
  for (int k = 0; k < 28; k += 4) {
    a += tile[(first + places[k]) & 1023];
    b += tile[(first + places[k + 1]) & 1023];
    c += tile[(first + places[k + 2]) & 1023];
    d += k < 24 ? tile[(first + places[k + 3]) & 1023] : 0.0f;
  }
  out[(z * n + y) * n + x] = (a + b + (c + d)) * (1.0f / 27);
}
