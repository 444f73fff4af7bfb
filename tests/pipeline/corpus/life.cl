// SPDX-License-Identifier: Apache-2.0
// A generation of cells: Conway's game, Gardner in Scientific American, October 1970. The edges meet.
kernel void life(global const uchar *in, global uchar *out) {
  int x = get_global_id(0), y = get_global_id(1), width = get_global_size(0), height = get_global_size(1), living = 0;
  for (int dy = -1; dy <= 1; dy++)
    for (int dx = -1; dx <= 1; dx++)
      if (dx != 0 || dy != 0)
        living += in[(y + dy + height) % height * width + (x + dx + width) % width];
  out[y * width + x] = living == 3 || (living == 2 && in[y * width + x]);
}
