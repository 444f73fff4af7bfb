// SPDX-License-Identifier: Apache-2.0
// y = A x: a row a work-item, four columns at a time.
kernel void sgemv(global const float4 *a, global const float4 *x, global float *y, int columns) {
  int row = get_global_id(0), quarter = columns / 4;
  float sum = 0;
  for (int j = 0; j < quarter; j++) {
    float4 p = a[row * quarter + j], q = x[j];
    sum += p.x * q.x + p.y * q.y + p.z * q.z + p.w * q.w;
  }
  y[row] = sum;
}
