// SPDX-License-Identifier: Apache-2.0
// A 3x3 filter: the Sobel operator's gradient of a picture that has a border of one pixel, as |x| + |y|, up to 255.
kernel void sobel(global const int *in, global int *out, int pitch) {
  const int x = get_global_id(0), y = get_global_id(1);
  global const int *p = in + y * pitch + x, *q = p + pitch, *r = q + pitch;
  const int across = p[2] - p[0] + 2 * (q[2] - q[0]) + r[2] - r[0];
  const int down = r[0] - p[0] + 2 * (r[1] - p[1]) + r[2] - p[2];
  out[y * (pitch - 2) + x] = min((int)(abs(across) + abs(down)), 255);
}
