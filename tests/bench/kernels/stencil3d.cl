// SPDX-License-Identifier: Apache-2.0
// The mean of the 3 x 3 x 3 cells around each cell of a cube; what lies outside counts as the nearest cell of the border.
kernel void stencil3d(global const float *in, global float *out, int n) {
  int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
  float sum = 0;
  for (int dz = -1; dz <= 1; dz++)
    for (int dy = -1; dy <= 1; dy++)
      for (int dx = -1; dx <= 1; dx++) {
        int nx = clamp(x + dx, 0, n - 1), ny = clamp(y + dy, 0, n - 1), nz = clamp(z + dz, 0, n - 1);
        sum += in[(nz * n + ny) * n + nx];
      }
  out[(z * n + y) * n + x] = sum / 27;
}
