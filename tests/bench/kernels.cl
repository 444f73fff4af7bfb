// SPDX-License-Identifier: Apache-2.0
// Small whole kernels whose dispatches are counted (kernel.<name>.S<n>.*): plain OpenCL C as people write it.
kernel void empty(void) {}

kernel void saxpy(global const int *x, global int *y, int a) {
  size_t i = get_global_id(0);
  y[i] += a * x[i];
}

kernel void work_group_sum(global const int *in, global int *sums) {
  int sum = work_group_reduce_add(in[get_global_id(0)]);
  if (get_local_id(0) == 0) sums[get_group_id(0)] = sum;
}

// 16 x 16 tiles through local memory, so that reads and writes both run along rows.
kernel void transpose(global const int *in, global int *out, uint n) {
  local int tile[16][17];
  uint x = get_local_id(0), y = get_local_id(1), gx = get_group_id(0) * 16, gy = get_group_id(1) * 16;
  tile[y][x] = in[(gy + y) * n + gx + x];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[(gx + y) * n + gy + x] = tile[x][y];
}

kernel void matmul(global const int *a, global const int *b, global int *c, uint n) {
  uint x = get_global_id(0), y = get_global_id(1);
  int sum = 0;
  for (uint k = 0; k < n; k++) sum += a[y * n + k] * b[k * n + x];
  c[y * n + x] = sum;
}
