// SPDX-License-Identifier: Apache-2.0
// y = A x for a sparse A in compressed rows: a row a work-item.
kernel void spmv(global const uint *starts, global const uint *columns, global const float *values,
                 global const float *x, global float *y) {
  int row = get_global_id(0);
  float sum = 0;
  for (uint k = starts[row]; k < starts[row + 1]; k++) sum += values[k] * x[columns[k]];
  y[row] = sum;
}
