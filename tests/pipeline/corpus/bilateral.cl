// SPDX-License-Identifier: Apache-2.0
// Smoothing that keeps edges: Tomasi and Manduchi, Bilateral Filtering for Gray and Color Images, 1998. 5x5 pixels;
// what lies outside the picture has no weight.
kernel void bilateral(global const float *in, global float *out, int width, int height, float near, float like) {
  int x = get_global_id(0), y = get_global_id(1);
  float centre = in[y * width + x], sum = 0, weights = 0;
  for (int dy = -2; dy <= 2; dy++)
    for (int dx = -2; dx <= 2; dx++) {
      if (x + dx < 0 || x + dx >= width || y + dy < 0 || y + dy >= height)
        continue;
      float value = in[(y + dy) * width + x + dx], difference = value - centre;
      float weight = exp(-near * (float)(dx * dx + dy * dy) - like * difference * difference);
      sum += weight * value;
      weights += weight;
    }
  out[y * width + x] = sum / weights;
}
