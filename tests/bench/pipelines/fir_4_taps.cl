// SPDX-License-Identifier: Apache-2.0
// The filter of kernels/fir.cl, as one writes it for a pipeline: coefficients in local memory beside the samples, four taps a
// round.
#define TAPS 16
#define ITEMS 64

__attribute__((reqd_work_group_size(ITEMS, 1, 1)))
kernel void fir_4_taps(global const float *x, constant float *h, global float *y) {
  local float part[ITEMS + TAPS], taps[TAPS];
  int i = get_global_id(0), l = get_local_id(0);
  part[l] = x[i];
  if (l < TAPS) part[ITEMS + l] = x[i + ITEMS], taps[l] = h[l];
  barrier(CLK_LOCAL_MEM_FENCE);
  float sum = 0;
  __attribute__((opencl_unroll_hint(4)))
  for (int k = 0; k < TAPS; k++) sum += taps[k] * part[l + k];
  y[i] = sum;
}
