// SPDX-License-Identifier: Apache-2.0
// How many steps of z = z z + c stay within the circle of radius 2, for each pixel of a picture of the set. Products and
// sums are rounded each for itself, so that the counts are the same everywhere.
#pragma OPENCL FP_CONTRACT OFF

kernel void mandelbrot(global uint *steps, float left, float top, float pixel, uint most) {
  int px = get_global_id(0), py = get_global_id(1);
  float cx = left + px * pixel, cy = top - py * pixel, x = 0, y = 0;
  uint step = 0;
  while (step < most && x * x + y * y <= 4) {
    float next = x * x - y * y + cx;
    y = 2 * x * y + cy;
    x = next;
    step++;
  }
  steps[py * get_global_size(0) + px] = step;
}
