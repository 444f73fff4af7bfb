// SPDX-License-Identifier: Apache-2.0
// The Sobel operator's gradient of a picture that has a border of one pixel, as |x| + |y|, up to 255. A work-group has its
// part of the picture in local memory.
#define WIDTH 32
#define HEIGHT 4

__attribute__((reqd_work_group_size(WIDTH, HEIGHT, 1)))
kernel void sobel(global const int *in, global int *out, int pitch) {
  local int tile[HEIGHT + 2][WIDTH + 2];
  int lx = get_local_id(0), ly = get_local_id(1), x = get_global_id(0), y = get_global_id(1);
  tile[ly][lx] = in[y * pitch + x];
  if (lx < 2) tile[ly][WIDTH + lx] = in[y * pitch + x + WIDTH];
  if (ly < 2) tile[HEIGHT + ly][lx] = in[(y + HEIGHT) * pitch + x];
  if (lx < 2 && ly < 2) tile[HEIGHT + ly][WIDTH + lx] = in[(y + HEIGHT) * pitch + x + WIDTH];
  barrier(CLK_LOCAL_MEM_FENCE);
  int left = tile[ly][lx] + 2 * tile[ly + 1][lx] + tile[ly + 2][lx];
  int right = tile[ly][lx + 2] + 2 * tile[ly + 1][lx + 2] + tile[ly + 2][lx + 2];
  int above = tile[ly][lx] + 2 * tile[ly][lx + 1] + tile[ly][lx + 2];
  int below = tile[ly + 2][lx] + 2 * tile[ly + 2][lx + 1] + tile[ly + 2][lx + 2];
  out[y * (pitch - 2) + x] = min((int)(abs(right - left) + abs(below - above)), 255);
}
