// SPDX-License-Identifier: Apache-2.0
// Strength of edges: Sobel and Feldman's 3x3 gradient, talked about in 1968 and printed in Duda and Hart, Pattern
// Classification and Scene Analysis, 1973. The border takes its nearest pixel.
int pixel(global const uchar *in, int x, int y, int width, int height) {
  return in[clamp(y, 0, height - 1) * width + clamp(x, 0, width - 1)];
}

kernel void sobel(global const uchar *in, global ushort *out, int width, int height) {
  int x = get_global_id(0), y = get_global_id(1), gx = 0, gy = 0;
  for (int d = -1; d <= 1; d++) {
    int weight = d == 0 ? 2 : 1;
    gx += weight * (pixel(in, x + 1, y + d, width, height) - pixel(in, x - 1, y + d, width, height));
    gy += weight * (pixel(in, x + d, y + 1, width, height) - pixel(in, x + d, y - 1, width, height));
  }
  out[y * width + x] = (ushort)(abs(gx) + abs(gy));
}
