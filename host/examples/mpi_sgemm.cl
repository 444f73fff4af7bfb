// SPDX-License-Identifier: Apache-2.0
// Rows of C = A B, where B has n rows and columns: a work-item for each element. The lanes of a sub-group read the row
// of A together, a word each, and hand the words round. n is a multiple of the work-group, which is of one row.
kernel void sgemm(global const float *a, global const float *b, global float *c, uint n) {
  const size_t column = get_global_id(0), row = get_global_id(1);
  const uint lanes = get_sub_group_size(), lane = get_sub_group_local_id();
  float sum = 0;
  for (uint k = 0; k < n; k += lanes) {
    const float word = a[row * n + k + lane];
    for (uint l = 0; l < lanes; l++)
      sum = fma(sub_group_broadcast(word, l), b[(k + l) * n + column], sum);
  }
  c[row * n + column] = sum;
}
