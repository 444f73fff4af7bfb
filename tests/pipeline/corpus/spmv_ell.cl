// SPDX-License-Identifier: Apache-2.0
// The same in the form of ELLPACK, equal lengths of rows, the first of each row first: Bell and Garland, 2008. A column
// beyond the matrix ends a row.
kernel void spmv_ell(global const uint *columns, global const float *values, global const float *x, global float *y,
                     uint width) {
  size_t row = get_global_id(0), rows = get_global_size(0);
  float sum = 0;
  for (uint i = 0; i < width; i++) {
    uint column = columns[i * rows + row];
    if (column >= rows)
      break;
    sum += values[i * rows + row] * x[column];
  }
  y[row] = sum;
}
