// SPDX-License-Identifier: Apache-2.0
// Black and white dots for grey: Floyd and Steinberg, An Adaptive Algorithm for Spatial Greyscale, 1976. A work-item
// has a tile of 8x8 pixels.
kernel void floyd_steinberg(global const uchar *in, global uchar *out) {
  size_t tile = 64 * get_global_id(0);
  int below[10] = {0};
  for (int y = 0; y < 8; y++) {
    int right = 0, corner = 0;
    for (int x = 0; x < 8; x++) {
      int value = in[tile + 8 * y + x] + (below[x + 1] + right) / 16;
      int dot = value < 128 ? 0 : 255, error = value - dot;
      out[tile + 8 * y + x] = (uchar)dot;
      right = 7 * error;
      below[x] += 3 * error;
      below[x + 1] = corner + 5 * error;
      corner = error;
    }
  }
}
