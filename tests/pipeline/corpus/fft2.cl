// SPDX-License-Identifier: Apache-2.0
// A transform of 64 points by halves: Cooley and Tukey, An Algorithm for the Machine Calculation of Complex Fourier
// Series, 1965. A work-item a butterfly; root[k] is the k-th power of the 64th root of one.
kernel void fft2(global const float2 *in, global float2 *out, constant float2 *root) {
  local float2 x[64];
  uint i = get_local_id(0), base = get_group_id(0) * 64;
  for (uint h = i; h < 64; h += 32) {
    uint turned = 0;
    for (uint bit = 0; bit < 6; bit++)
      turned |= (h >> bit & 1) << (5 - bit);
    x[turned] = in[base + h];
  }
  for (uint half_size = 1; half_size < 64; half_size *= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    uint k = i % half_size, at = (i - k) * 2 + k;
    float2 w = root[k * (32 / half_size)], a = x[at], b = x[at + half_size];
    float2 wb = (float2)(w.x * b.x - w.y * b.y, w.x * b.y + w.y * b.x);
    x[at] = a + wb;
    x[at + half_size] = a - wb;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint h = i; h < 64; h += 32)
    out[base + h] = x[h];
}
