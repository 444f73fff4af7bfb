// SPDX-License-Identifier: Apache-2.0
// A filter of 16 taps: y[i] is the sum of h[k] x[i + k]. A work-group has its part of x in local memory.
#define TAPS 16
#define ITEMS 64

__attribute__((reqd_work_group_size(ITEMS, 1, 1)))
kernel void fir(global const float *x, constant float *h, global float *y) {
  local float part[ITEMS + TAPS];
  int i = get_global_id(0), l = get_local_id(0);
  part[l] = x[i];
  if (l < TAPS) part[ITEMS + l] = x[i + ITEMS];
  barrier(CLK_LOCAL_MEM_FENCE);
  float sum = 0;
  for (int k = 0; k < TAPS; k++) sum += h[k] * part[l + k];
  y[i] = sum;
}
