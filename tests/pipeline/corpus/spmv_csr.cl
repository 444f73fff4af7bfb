// SPDX-License-Identifier: Apache-2.0
// A sparse matrix times a vector, rows close together: Bell and Garland, Efficient Sparse Matrix-Vector Multiplication
// on CUDA, 2008, a work-item a row.
kernel void spmv_csr(global const uint *starts, global const uint *columns, global const float *values,
                     global const float *x, global float *y) {
  size_t row = get_global_id(0);
  float sum = 0;
  for (uint i = starts[row]; i < starts[row + 1]; i++)
    sum += values[i] * x[columns[i]];
  y[row] = sum;
}
