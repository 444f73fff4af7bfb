// SPDX-License-Identifier: Apache-2.0
// C = A B, row-major, A of rows by `inner`, B of `inner` by columns: one work-item an element of C.
kernel void sgemm(global const float *a, global const float *b, global float *c, int columns, int inner) {
  int column = get_global_id(0), row = get_global_id(1);
  float sum = 0;
  for (int k = 0; k < inner; k++) sum += a[row * inner + k] * b[k * columns + column];
  c[row * columns + column] = sum;
}
