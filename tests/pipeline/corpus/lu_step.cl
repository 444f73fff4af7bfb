// SPDX-License-Identifier: Apache-2.0
// One column of a matrix as lower and upper triangle: Golub and Van Loan, Matrix Computations, section 3.2, elimination
// of Gauss, a work-item a row.
kernel void lu_step(global float *a, uint n, uint k) {
  size_t row = get_global_id(0);
  if (row <= k)
    return;
  float factor = a[row * n + k] / a[k * n + k];
  a[row * n + k] = factor;
  for (uint column = k + 1; column < n; column++)
    a[row * n + column] -= factor * a[k * n + column];
}
