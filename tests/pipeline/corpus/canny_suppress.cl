// SPDX-License-Identifier: Apache-2.0
// Thin edges: Canny, A Computational Approach to Edge Detection, 1986, the step that keeps a gradient only where it is
// a maximum along its own direction, which is rounded to eighths of a circle. The border has none.
int square(global const short *gx, global const short *gy, int at) {
  return gx[at] * gx[at] + gy[at] * gy[at];
}

kernel void canny_suppress(global const short *gx, global const short *gy, global int *out, int width, int height) {
  int x = get_global_id(0), y = get_global_id(1), at = y * width + x;
  out[at] = 0;
  if (x == 0 || y == 0 || x == width - 1 || y == height - 1)
    return;
  // tan(22.5 degrees) is about 106 / 256.
  int ax = abs((int)gx[at]), ay = abs((int)gy[at]), step;
  if (ay * 256 < ax * 106)
    step = 1;
  else if (ax * 256 < ay * 106)
    step = width;
  else
    step = (gx[at] < 0) == (gy[at] < 0) ? width + 1 : width - 1;
  int here = square(gx, gy, at);
  if (here >= square(gx, gy, at + step) && here > square(gx, gy, at - step))
    out[at] = here;
}
