// SPDX-License-Identifier: Apache-2.0
// A product of matrices of bytes by dot products, with bias, rounded to bytes again.
#pragma OPENCL EXTENSION cl_khr_integer_dot_product : enable
kernel void gemm_int8(global const char4 *a, global const char4 *b, global const int *bias,
                      global char *c, int k4, int n, int scale, int shift) {
  int row = get_global_id(1), col = get_global_id(0);
  int sum = bias[col];
  for (int k = 0; k < k4; k++) sum = dot_acc_sat(a[row * k4 + k], b[col * k4 + k], sum);
  int q = (int)(((long)sum * scale + (1l << (shift - 1))) >> shift);
  c[row * n + col] = convert_char_sat(q);
}
