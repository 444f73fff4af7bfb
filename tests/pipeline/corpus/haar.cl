// SPDX-License-Identifier: Apache-2.0
// Wavelets of 64 values: Haar, 1910, by the lifting steps of Daubechies and Sweldens, 1998: whole numbers stay whole
// numbers. Differences are behind the means of their level.
kernel void haar(global const int *in, global int *out) {
  local int x[64];
  uint i = get_local_id(0), first = 64 * get_group_id(0);
  x[i] = in[first + i];
  x[i + 32] = in[first + i + 32];
  for (uint count = 32; count > 0; count /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    int mean = 0, difference = 0;
    if (i < count) {
      difference = x[2 * i + 1] - x[2 * i];
      mean = x[2 * i] + (difference >> 1);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (i < count) {
      x[i] = mean;
      x[count + i] = difference;
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  out[first + i] = x[i];
  out[first + i + 32] = x[i + 32];
}
