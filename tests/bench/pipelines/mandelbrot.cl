// SPDX-License-Identifier: Apache-2.0
// How many steps of z = z z + c stay within the circle of radius 2, for each pixel. Unlike kernels/mandelbrot.cl it leaves the
// contraction of a product and a sum to the compiler, as OpenCL C does unless a program says otherwise.
kernel void mandelbrot(global uint *steps, float left, float top, float pixel, uint most) {
  const float cx = left + pixel * (float)get_global_id(0), cy = top + pixel * (float)get_global_id(1);
  float x = 0, y = 0;
  uint step = 0;
  while (step < most) {
    const float xx = x * x, yy = y * y;
    if (xx + yy > 4.0f) break;
    y = 2 * x * y + cy;
    x = xx - yy + cx;
    step++;
  }
  steps[get_global_id(1) * get_global_size(0) + get_global_id(0)] = step;
}
